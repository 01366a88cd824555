/* What the searches for branches share. */
#ifndef HW_TRAITS_BRANCHES_INTERNAL_H
#define HW_TRAITS_BRANCHES_INTERNAL_H

#include "traits/branches.h"
#include "core/memory.h"

typedef struct pieces {
    const hw_precedence *p;
    hw_branches *out;
    uint64_t *block, *total; /* by node, bytes it makes */
    uint32_t *stack;
    uint64_t *left; /* of the set at hand */
} pieces;

/* Work space, released by pieces_close() in any case.  HW_NO_MEMORY. */
hw_code pieces_open(pieces *x, const hw_precedence *p, const hw_blocks *b, hw_branches *out,
                    hw_error *err);
void pieces_close(pieces *x);

/* False: out of memory. */
bool pieces_add(pieces *x, hw_branch branch);

static inline void pieces_weigh(const pieces *x, uint32_t v, hw_branch *b)
{
    b->total += x->total[v];
    if (x->block[v] > b->block)
        b->block = x->block[v];
}

/* The group whose branches begin at `begin` is whole; one branch is none. */
static inline void pieces_end_group(pieces *x, size_t begin)
{
    if (x->out->n - begin < 2)
        x->out->n = begin;
    else
        x->out->n_groups++;
}

#endif
