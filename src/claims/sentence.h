/* Sentences of findings, with the measured numbers put where their names stand. */
#ifndef HW_CLAIMS_SENTENCE_H
#define HW_CLAIMS_SENTENCE_H

#include "claims/finding.h"

/* "62.1 %" for a share, "12 µs", "1.50 GiB", "3.42 times"; NUL-terminated. */
enum { HW_CLAIM_NUMBER_TEXT = 64 };
void hw_claim_number_text(const hw_claim_value *v, char text[HW_CLAIM_NUMBER_TEXT]);

/* `sentence` with every {name} replaced by its number; freed by the caller; NULL: no memory. */
char *hw_claim_sentence(const hw_claim_finding *f, const char *sentence);

/* The same with what LaTeX or Markdown would take for markup escaped. */
char *hw_claim_latex(const hw_claim_finding *f, const char *sentence);
char *hw_claim_markdown(const hw_claim_finding *f, const char *sentence);

#endif
