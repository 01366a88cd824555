/* What the down-set search asks of a model, laid out for bit sets. */
#ifndef HW_SOLVERS_DP_PROBLEM_H
#define HW_SOLVERS_DP_PROBLEM_H

#include "core/bitset.h"
#include "model/model.h"

typedef struct hw_dp_problem {
    const hw_model *m;
    uint32_t n;
    size_t words; /* of a set of nodes */

    uint64_t *net;  /* by node: new - dead - buffers that it alone uses (wraps)       */
    uint64_t *cost; /* by node: new (free-first: dead) + workspace                    */
    hw_rows shared; /* by node: buffers that it uses and others too                   */

    /* For sets of one or two words, else NULL. */
    uint64_t *pred_mask; /* words a node: its predecessors   */
    uint64_t *user_mask; /* words a buffer: its users        */
} hw_dp_problem;

enum { HW_DP_MASK_WORDS = 2 };

/* HW_NO_MEMORY; a problem that failed to open may be closed.  O(nodes + uses). */
hw_code hw_dp_problem_open(hw_dp_problem *p, const hw_model *m, hw_error *err);
void hw_dp_problem_close(hw_dp_problem *p);

/* Have all predecessors of v run in the set? */
HW_SPECIALIZE bool hw_dp_ready(const hw_dp_problem *p, const uint64_t *set, uint32_t v,
                               size_t words)
{
    if (words <= HW_DP_MASK_WORDS) {
        uint64_t missing = 0;
        for (size_t i = 0; i < words; i++)
            missing |= p->pred_mask[v * words + i] & ~set[i];
        return missing == 0;
    }
    const hw_rows *preds = &p->m->graph->preds;
    for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
        if (!hw_bits_have(set, preds->item[i]))
            return false;
    return true;
}

/* Is v, not in the set, the only user of b outside it? */
HW_SPECIALIZE bool hw_dp_frees(const hw_dp_problem *p, const uint64_t *set, uint32_t v, uint32_t b,
                               size_t words)
{
    if (words <= HW_DP_MASK_WORDS) {
        uint64_t other = 0;
        for (size_t i = 0; i < words; i++) {
            uint64_t self = i == v >> 6 ? hw_bit(v) : 0;
            other |= (p->user_mask[b * words + i] & ~set[i]) ^ self;
        }
        return other == 0;
    }
    const hw_rows *users = &p->m->users;
    for (uint32_t i = users->offset[b]; i < users->offset[b + 1]; i++)
        if (users->item[i] != v && !hw_bits_have(set, users->item[i]))
            return false;
    return true;
}

/* Bytes of shared buffers that v frees after the set. */
HW_SPECIALIZE uint64_t hw_dp_freed(const hw_dp_problem *p, const uint64_t *set, uint32_t v,
                                   size_t words)
{
    uint64_t freed = 0;
    for (uint32_t i = p->shared.offset[v]; i < p->shared.offset[v + 1]; i++) {
        uint32_t b = p->shared.item[i];
        freed += hw_dp_frees(p, set, v, b, words) ? p->m->buffer_size[b] : 0;
    }
    return freed;
}

/* reuse(S, v). */
uint64_t hw_dp_reuse(const hw_dp_problem *p, const uint64_t *set, uint32_t v);

#endif
