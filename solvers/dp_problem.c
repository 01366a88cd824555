/* What the down-set search asks of a model.  See dp_problem.h. */
#include "solvers/dp_problem.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static uint32_t n_users(const hw_model *m, uint32_t buffer)
{
    return m->users.offset[buffer + 1] - m->users.offset[buffer];
}

static void lay_nodes(hw_dp_problem *p)
{
    const hw_model *m = p->m;
    uint32_t count = 0;
    for (uint32_t v = 0; v < p->n; v++) {
        p->net[v] = m->new_bytes[v] - m->dead_bytes[v];
        p->cost[v] = hw_workspace(m, v) +
                     (m->accounting == HW_ALLOC_FIRST ? m->new_bytes[v] : m->dead_bytes[v]);
        p->shared.offset[v] = count;
        for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++) {
            uint32_t b = m->uses.item[i];
            if (n_users(m, b) == 1)
                p->net[v] -= m->buffer_size[b];
            else
                p->shared.item[count++] = b;
        }
    }
    p->shared.offset[p->n] = count;
}

static void lay_masks(hw_dp_problem *p)
{
    const hw_rows *preds = &p->m->graph->preds, *users = &p->m->users;
    for (uint32_t v = 0; v < p->n; v++)
        for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
            hw_bits_add(p->pred_mask + v * p->words, preds->item[i]);
    for (uint32_t b = 0; b < p->m->n_buffers; b++)
        for (uint32_t i = users->offset[b]; i < users->offset[b + 1]; i++)
            hw_bits_add(p->user_mask + b * p->words, users->item[i]);
}

hw_code hw_dp_problem_open(hw_dp_problem *p, const hw_model *m, hw_error *err)
{
    memset(p, 0, sizeof *p);
    p->m = m;
    p->n = m->n_nodes;
    p->words = hw_words(p->n);
    p->net = HW_NEW(uint64_t, p->n);
    p->cost = HW_NEW(uint64_t, p->n);
    p->shared.offset = HW_NEW(uint32_t, (size_t)p->n + 1);
    p->shared.item = HW_NEW(uint32_t, m->uses.offset[p->n]);
    bool laid = p->net && p->cost && p->shared.offset && p->shared.item;
    if (p->words <= HW_DP_MASK_WORDS) {
        p->pred_mask = HW_NEW0(uint64_t, p->n * p->words);
        p->user_mask = HW_NEW0(uint64_t, m->n_buffers * p->words);
        laid = laid && p->pred_mask && p->user_mask;
    }
    if (!laid)
        return hw_fail_memory(err, "the search over down-sets");
    lay_nodes(p);
    if (p->words <= HW_DP_MASK_WORDS)
        lay_masks(p);
    return HW_OK;
}

void hw_dp_problem_close(hw_dp_problem *p)
{
    free(p->net);
    free(p->cost);
    free(p->shared.offset);
    free(p->shared.item);
    free(p->pred_mask);
    free(p->user_mask);
}

typedef struct question {
    const hw_dp_problem *p;
    const uint64_t *set;
    uint32_t v;
} question;

static bool dying(const void *context, uint32_t buffer)
{
    const question *q = context;
    return hw_dp_frees(q->p, q->set, q->v, buffer, q->p->words);
}

uint64_t hw_dp_reuse(const hw_dp_problem *p, const uint64_t *set, uint32_t v)
{
    question q = {p, set, v};
    uint64_t saved = hw_reuse(p->m, v, dying, &q);
    return saved == UINT64_MAX ? 0 : saved; /* no memory: claim no saving */
}
