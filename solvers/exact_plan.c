/* The plan of the exact solver.  See exact_plan.h. */
#include "solvers/exact_plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/exact_blocks.h"
#include "solvers/exact_parts.h"

void exact_plan_prove(exact_plan *plan, uint32_t index, uint64_t bound)
{
    exact_piece *b = &plan->piece[index];
    if (bound > b->bound)
        b->bound = bound;
    if (bound > plan->bound)
        plan->bound = bound;
}

hw_code exact_plan_measure(exact_plan *plan, hw_error *err)
{
    hw_sim s;
    hw_code code = hw_sim_init(&s, plan->m, err);
    if (code != HW_OK)
        return code;
    for (uint32_t i = 0; i < plan->n_pieces; i++) {
        exact_piece *b = &plan->piece[i];
        b->live = b->peak = s.live;
        for (uint32_t p = b->low; p < b->high; p++) {
            uint64_t usage = hw_sim_step(&s, plan->order[p]);
            if (usage > b->peak)
                b->peak = usage;
        }
        if (!plan->legal)
            b->peak = UINT64_MAX;
        else if (b->high == b->low + 1)
            exact_plan_prove(plan, i, b->peak);
        exact_plan_prove(plan, i, b->live > s.live ? b->live : s.live);
    }
    hw_sim_free(&s);
    return HW_OK;
}

/* The blocks between cut nodes; without, one block. */
static hw_code lay_blocks(exact_plan *plan, hw_error *err)
{
    const hw_graph *g = plan->m->graph;
    uint32_t n = plan->m->n_nodes, *end = HW_NEW(uint32_t, n);
    if (!end)
        return hw_fail_memory(err, "the pieces of a graph");
    hw_code code = HW_OK;
    plan->n_pieces = 1;
    end[0] = n;
    if (plan->cuts && plan->legal)
        code = exact_blocks(&g->preds, &g->succs, n, plan->order, end, &plan->n_pieces, err);
    for (uint32_t i = 0; code == HW_OK && i < plan->n_pieces; i++)
        plan->piece[i] = (exact_piece){.low = i ? end[i - 1] : 0, .high = end[i], .no_cut = true};
    free(end);
    return code;
}

hw_code exact_plan_init(exact_plan *plan, const hw_model *m, uint32_t *order, bool legal,
                        uint64_t bound, hw_error *err)
{
    plan->m = m;
    plan->order = order;
    plan->legal = legal;
    plan->bound = bound;
    plan->piece = HW_NEW0(exact_piece, m->n_nodes);
    if (!plan->piece)
        return hw_fail_memory(err, "the pieces of a graph");
    hw_code code = exact_map_init(&plan->map, m, err);
    if (code == HW_OK)
        code = lay_blocks(plan, err);
    return code == HW_OK ? exact_plan_measure(plan, err) : code;
}

void exact_plan_free(exact_plan *plan)
{
    free(plan->order);
    free(plan->piece);
    exact_map_free(&plan->map);
    memset(plan, 0, sizeof *plan);
}

uint32_t exact_plan_highest(const exact_plan *plan)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < plan->n_pieces; i++)
        if (plan->piece[i].peak > plan->piece[best].peak)
            best = i;
    return best;
}

hw_code exact_plan_problem(exact_plan *plan, uint32_t index, exact_problem **out, hw_error *err)
{
    const exact_piece *b = &plan->piece[index];
    return exact_problem_new(plan->m, plan->order, b->low, b->high, b->live, plan->memory_bytes,
                             &plan->map, out, err);
}

/* The first way in which the piece falls into more than one part. */
static hw_code find_parts(exact_plan *plan, exact_piece *b, const exact_problem *p,
                          exact_parts *parts, exact_piece *child, hw_error *err)
{
    hw_code code = HW_OK;
    *child = (exact_piece){0};
    if (plan->cuts && !b->no_cut) {
        code = exact_parts_by_cuts(p, parts, err);
        b->no_cut = child->no_cut = true;
        if (code != HW_OK || parts->count > 1)
            return code;
    }
    if (plan->valleys && !b->no_valley) {
        code = exact_parts_by_valleys(p, parts, err);
        b->no_valley = true;
        *child = (exact_piece){.no_valley = true};
        if (code != HW_OK || parts->count > 1)
            return code;
    }
    if (plan->ends && b->ends_at < plan->bound) {
        code = exact_parts_by_ends(p, plan->bound, parts, err);
        b->ends_at = plan->bound;
        *child = (exact_piece){.ends_at = plan->bound};
    }
    return code;
}

/* A bound of the piece may lie in any of its parts: only the plan keeps it. */
static void put_parts(exact_plan *plan, uint32_t index, const exact_problem *p,
                      const exact_parts *from, const exact_piece *child)
{
    uint32_t low = plan->piece[index].low, more = from->count - 1;
    for (uint32_t i = 0; i < p->n; i++)
        plan->order[low + i] = p->node[from->order[i]];
    memmove(plan->piece + index + 1 + more, plan->piece + index + 1,
            (plan->n_pieces - index - 1) * sizeof *plan->piece);
    plan->n_pieces += more;
    for (uint32_t i = 0; i <= more; i++) {
        exact_piece *b = &plan->piece[index + i];
        *b = *child;
        b->low = low + (i ? from->end[i - 1] : 0);
        b->high = low + from->end[i];
    }
}

hw_code exact_plan_refine(exact_plan *plan, uint32_t index, bool *split, hw_error *err)
{
    exact_piece *b = &plan->piece[index], child;
    uint32_t n = b->high - b->low;
    exact_problem *p;
    *split = false;
    if (n < 2 || !plan->legal || plan->m->earliest)
        return HW_OK;
    if ((!plan->cuts || b->no_cut) && (!plan->valleys || b->no_valley) &&
        (!plan->ends || b->ends_at >= plan->bound))
        return HW_OK;
    if (exact_plan_problem(plan, index, &p, NULL) != HW_OK)
        return HW_OK; /* too large: it stays whole, and the search will say so */
    exact_parts parts;
    hw_code code = exact_parts_init(&parts, n, err);
    if (code == HW_OK) {
        code = find_parts(plan, b, p, &parts, &child, err);
        if (code == HW_OK && parts.count > 1) {
            put_parts(plan, index, p, &parts, &child);
            code = exact_plan_measure(plan, err);
            *split = true;
        }
        exact_parts_free(&parts);
    }
    exact_problem_free(p);
    return code;
}
