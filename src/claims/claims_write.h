/* The formats of hw_claims_write(), a function each; false: no memory. */
#ifndef HW_CLAIMS_CLAIMS_WRITE_H
#define HW_CLAIMS_CLAIMS_WRITE_H

#include "claims/claims.h"

bool hw_claims_write_text(const hw_claims_report *r, FILE *out);
bool hw_claims_write_markdown(const hw_claims_report *r, FILE *out);
void hw_claims_write_json(const hw_claims_report *r, FILE *out);
bool hw_claims_write_latex(const hw_claims_report *r, FILE *out);
bool hw_claims_write_macros(const hw_claims_report *r, FILE *out);

#endif
