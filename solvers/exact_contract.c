/* Rounds of contraction.  See exact_contract.h. */
#include "solvers/exact_contract.h"

#include <stdlib.h>

#include "core/memory.h"
#include "solvers/exact_round.h"

/* The members of the nodes of q, by those of the nodes of p (NULL: themselves). */
static bool compose(const exact_round *r, exact_contraction *c, uint32_t n)
{
    uint32_t *offset = HW_NEW(uint32_t, (size_t)r->q->n + 1), *member = HW_NEW(uint32_t, n);
    if (!offset || !member) {
        free(offset);
        free(member);
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->q->n; i++) {
        offset[i] = count;
        for (uint32_t v = r->first[i]; v != HW_NONE; v = v == r->first[i] ? r->second[i] : HW_NONE)
            if (c->offset)
                for (uint32_t k = c->offset[v]; k < c->offset[v + 1]; k++)
                    member[count++] = c->member[k];
            else
                member[count++] = v;
    }
    offset[r->q->n] = count;
    free(c->offset);
    free(c->member);
    c->offset = offset;
    c->member = member;
    return true;
}

void exact_contract_free(exact_contraction *c)
{
    exact_problem_free(c->small);
    free(c->offset);
    free(c->member);
    *c = (exact_contraction){NULL, NULL, NULL};
}

hw_code exact_contract(const exact_problem *p, exact_contraction *c, hw_error *err)
{
    *c = (exact_contraction){NULL, NULL, NULL};
    bool good = true, more = !p->earliest;
    while (good && more) {
        exact_round r;
        good = exact_round_start(&r, c->small ? c->small : p);
        more = r.n_pairs > 0;
        if (good && more) {
            good = exact_round_make(&r) && compose(&r, c, p->n);
            exact_problem_free(good ? c->small : r.q);
            c->small = good ? r.q : c->small;
        }
        exact_round_free(&r);
    }
    if (good)
        return HW_OK;
    exact_contract_free(c);
    return hw_fail_memory(err, "contracting a piece");
}

void exact_contract_expand(const exact_contraction *c, const uint32_t *order, uint32_t *expanded)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->small->n; i++)
        for (uint32_t k = c->offset[order[i]]; k < c->offset[order[i] + 1]; k++)
            expanded[count++] = c->member[k];
}
