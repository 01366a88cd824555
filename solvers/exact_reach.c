/*
 * The first wrong turn of an order.  See exact_reach.h.
 *
 * A border of a block is one prefix of every order: the witness passes through
 * it and completes it.  So the last border before the first step that breaks
 * the budget is reachable, that step's own prefix is not, and all questions
 * between are about pieces of that one block.
 */
#include "solvers/exact_reach.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/exact_blocks.h"

typedef struct run {
    const hw_model *m;
    const uint32_t *order;
    uint64_t budget;
    const exact_options *options;
    hw_meter *meter;
    exact_map map;
    uint64_t *live;    /* before the step at each position       */
    uint32_t *scratch; /* n entries                              */
    uint32_t end;      /* of the block in which the answer lies  */
    exact_reach reach;
    bool limited;
} run;

/* live along the order, up to the first step above the budget. */
static hw_code walk(run *r, hw_error *err)
{
    hw_sim s;
    uint32_t n = r->m->n_nodes;
    hw_code code = hw_sim_init(&s, r->m, err);
    if (code != HW_OK)
        return code;
    r->reach.lost = n + 1;
    for (uint32_t i = 0; i < n && r->reach.lost > n; i++) {
        r->live[i] = s.live;
        if (hw_sim_step(&s, r->order[i]) > r->budget)
            r->reach.lost = i + 1;
    }
    hw_sim_free(&s);
    return HW_OK;
}

/* The block that holds the step above the budget; what lies before is kept. */
static hw_code find_block(run *r, hw_error *err)
{
    const hw_graph *g = r->m->graph;
    uint32_t n_blocks, i = 0;
    hw_code code =
        exact_blocks(&g->preds, &g->succs, g->n_nodes, r->order, r->scratch, &n_blocks, err);
    if (code != HW_OK)
        return code;
    while (r->scratch[i] < r->reach.lost)
        i++;
    r->end = r->scratch[i];
    if (i > 0 && r->scratch[i - 1] > r->reach.kept)
        r->reach.kept = r->scratch[i - 1];
    return HW_OK;
}

/* Both orders have run the same nodes so far: how many more do they share? */
static uint32_t shared(const uint32_t *order, const uint32_t *other, uint32_t most)
{
    uint32_t count = 0;
    while (count < most && order[count] == other[count])
        count++;
    return count;
}

/* Can the first `at` nodes of the order be completed? */
static hw_code ask(run *r, uint32_t at, hw_error *err)
{
    exact_problem *p;
    exact_search s;
    hw_code code = exact_problem_new(r->m, r->order, at, r->end, r->live[at],
                                     r->options->memory_bytes / 2, &r->map, &p, NULL);
    if (code == HW_NO_MEMORY && r->options->memory_bytes) { /* too large for the limit */
        r->limited = true;
        return HW_OK;
    }
    if (code != HW_OK)
        return hw_fail_memory(err, "the question how far a budget is within reach");
    code = exact_search_init(&s, p, r->options, err);
    if (code == HW_OK) {
        switch (exact_search_decide(&s, r->budget, r->meter, r->scratch)) {
        case EXACT_FOUND:
            for (uint32_t i = 0; i < p->n; i++)
                r->scratch[i] = p->node[r->scratch[i]];
            r->reach.kept = at + shared(r->order + at, r->scratch, r->reach.lost - 1 - at);
            break;
        case EXACT_NONE:
            r->reach.lost = at;
            break;
        case EXACT_FAILED:
            code = hw_fail_memory(err, "the question how far a budget is within reach");
            break;
        default:
            r->limited = true;
            break;
        }
        exact_search_free(&s);
    }
    exact_problem_free(p);
    return code;
}

static hw_code find(run *r, hw_error *err)
{
    hw_code code = find_block(r, err);
    while (code == HW_OK && !r->limited && r->reach.lost - r->reach.kept > 1) {
        uint32_t at = r->reach.kept + (r->reach.lost - r->reach.kept) / 2;
        r->limited = r->meter->over;
        if (!r->limited)
            code = ask(r, at, err);
    }
    return code;
}

hw_code exact_reach_find(const hw_model *m, const uint32_t *order, const uint32_t *witness,
                         uint64_t budget, const exact_options *options, hw_meter *meter,
                         exact_reach *out, bool *limited, hw_error *err)
{
    uint32_t n = m->n_nodes;
    uint64_t peak;
    run r = {.m = m, .order = order, .budget = budget, .options = options, .meter = meter};
    hw_code code = hw_peak(m, witness, &peak, err);
    if (code == HW_OK && peak > budget)
        code = hw_fail(err, HW_USAGE,
                       "the order given as a witness has peak %" PRIu64
                       ", above the budget %" PRIu64 ": give an order within it",
                       peak, budget);
    if (code != HW_OK)
        return code;
    r.live = HW_NEW(uint64_t, n);
    r.scratch = HW_NEW(uint32_t, n);
    code = r.live && r.scratch
               ? exact_map_init(&r.map, m, err)
               : hw_fail_memory(err, "the question how far a budget is within reach");
    if (code == HW_OK) {
        code = walk(&r, err);
        r.reach.kept = r.reach.lost > n ? n : shared(order, witness, r.reach.lost - 1);
        if (code == HW_OK && r.reach.lost <= n)
            code = find(&r, err);
        exact_map_free(&r.map);
    }
    free(r.live);
    free(r.scratch);
    *out = r.reach;
    *limited = r.limited;
    return code;
}
