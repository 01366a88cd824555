/* What a program of the user's wrote, as an order (highwater-external(7)). */
#ifndef HW_SOLVERS_EXTERNAL_ANSWER_H
#define HW_SOLVERS_EXTERNAL_ANSWER_H

#include <stddef.h>

#include "model/model.h"

typedef struct external_answer {
    uint32_t *order; /* the caller's, n_nodes entries */
    uint64_t peak;
    bool has_claim;
    uint64_t claim; /* of its peak */
} external_answer;

/*
 * Read an order of m from `n` bytes, behind which a NUL stands, and check that
 * it is legal and has the peak that it claims.  HW_CHECK_FAILED: it does not;
 * the message says in what.  HW_NO_MEMORY.  O(n + nodes) and one check.
 */
hw_code external_read(const hw_model *m, const char *text, size_t n, external_answer *out,
                      hw_error *err);

#endif
