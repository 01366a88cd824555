/* The plan of the exact solver.  See exact_plan.h. */
#include "solvers/exact_plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/exact_blocks.h"
#include "solvers/exact_ends.h"
#include "solvers/exact_valley.h"

void exact_plan_prove(exact_plan *plan, uint32_t index, uint64_t bound, bool reverse)
{
    exact_piece *b = &plan->piece[index];
    exact_block *around = &plan->block[b->block];
    if (bound > b->bound)
        b->bound = bound;
    if (bound > around->bound) {
        around->bound = bound;
        around->reverse = reverse;
    }
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
            exact_plan_prove(plan, i, b->peak, false);
        exact_plan_prove(plan, i, b->live > s.live ? b->live : s.live, false);
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
    plan->n_blocks = 1;
    end[0] = n;
    if (plan->cuts && plan->legal)
        code = exact_blocks(&g->preds, &g->succs, n, plan->order, end, &plan->n_blocks, err);
    plan->n_pieces = plan->n_blocks;
    for (uint32_t i = 0; code == HW_OK && i < plan->n_blocks; i++) {
        exact_block b = {.low = i ? end[i - 1] : 0, .high = end[i]};
        plan->block[i] = b;
        plan->piece[i] = (exact_piece){.low = b.low, .high = b.high, .block = i, .no_cut = true};
    }
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
    plan->block = HW_NEW(exact_block, m->n_nodes);
    if (!plan->piece || !plan->block)
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
    free(plan->block);
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

/* How a piece falls into parts: the nodes in order, and where parts end. */
typedef struct parts {
    uint32_t *order, *end; /* n entries each */
    uint32_t count;
} parts;

/* The order of the piece sorted by part, and within a part as it is. */
static void sort_by_part(uint32_t n, const uint32_t *part, parts *to)
{
    memset(to->end, 0, n * sizeof *to->end);
    for (uint32_t v = 0; v < n; v++)
        if (part[v] + 1 < to->count)
            to->end[part[v] + 1]++;
    for (uint32_t i = 1; i < to->count; i++) /* where parts begin ... */
        to->end[i] += to->end[i - 1];
    for (uint32_t v = 0; v < n; v++) /* ... and, when they are filled, end */
        to->order[to->end[part[v]]++] = v;
}

static hw_code find_valleys(const exact_problem *p, parts *to, hw_error *err)
{
    uint32_t *part = HW_NEW(uint32_t, p->n);
    if (!part)
        return hw_fail_memory(err, "the valleys of a piece");
    hw_code code = exact_valley_parts(p, part, &to->count, err);
    if (code == HW_OK)
        sort_by_part(p->n, part, to);
    free(part);
    return code;
}

static hw_code find_ends(const exact_problem *p, uint64_t bound, parts *to, hw_error *err)
{
    uint32_t front, back;
    hw_code code = exact_ends_find(p, bound, to->order, &front, &back, err);
    if (code != HW_OK)
        return code;
    to->count = 0;
    if (front)
        to->end[to->count++] = front;
    if (front + back < p->n)
        to->end[to->count++] = p->n - back;
    if (back)
        to->end[to->count++] = p->n;
    return HW_OK;
}

/* The first way in which the piece falls into more than one part. */
static hw_code find_parts(exact_plan *plan, exact_piece *b, const exact_problem *p, parts *to,
                          exact_piece *child, hw_error *err)
{
    hw_code code = HW_OK;
    *child = (exact_piece){.block = b->block};
    for (uint32_t v = 0; v < p->n; v++)
        to->order[v] = v;
    if (plan->cuts && !b->no_cut) {
        code = exact_blocks(&p->preds, &p->succs, p->n, NULL, to->end, &to->count, err);
        b->no_cut = child->no_cut = true;
        if (code != HW_OK || to->count > 1)
            return code;
    }
    if (plan->valleys && !b->no_valley) {
        code = find_valleys(p, to, err);
        b->no_valley = true;
        *child = (exact_piece){.block = b->block, .no_valley = true};
        if (code != HW_OK || to->count > 1)
            return code;
    }
    if (plan->ends && b->ends_at < plan->bound) {
        code = find_ends(p, plan->bound, to, err);
        b->ends_at = plan->bound;
        *child = (exact_piece){.block = b->block, .ends_at = plan->bound};
    }
    return code;
}

/* A bound of the piece may lie in any of its parts: only the block keeps it. */
static void put_parts(exact_plan *plan, uint32_t index, const exact_problem *p, const parts *from,
                      const exact_piece *child)
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
    parts to = {HW_NEW(uint32_t, n), HW_NEW(uint32_t, n), 1};
    hw_code code = to.order && to.end ? find_parts(plan, b, p, &to, &child, err)
                                      : hw_fail_memory(err, "the pieces of a graph");
    if (code == HW_OK && to.count > 1) {
        put_parts(plan, index, p, &to, &child);
        code = exact_plan_measure(plan, err);
        *split = true;
    }
    free(to.order);
    free(to.end);
    exact_problem_free(p);
    return code;
}
