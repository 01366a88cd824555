/*
 * Moving single nodes of the best order about.  See joint.h.
 *
 * A node goes to any place between its predecessors and successors.  A move
 * stays when the order is within its windows, its peak below the ceiling, or
 * at it, and the quick arena no higher than before.  Where nothing has got
 * better for long the climb goes back to the best order.
 */
#include <stdlib.h>
#include <string.h>

#include "arena/joint_internal.h"
#include "core/memory.h"
#include "core/rng.h"
#include "model/sim.h"

enum { PATIENCE = 200 };

typedef struct climb {
    joint_run *r;
    uint32_t n;
    uint32_t *order, *position, *tried;
    hw_sim sim;
    gsl_rng *rng;
} climb;

/* First and last place that a node may take while the others keep their order. */
static void range_of(const climb *c, uint32_t v, uint32_t *first, uint32_t *last)
{
    const hw_graph *g = c->r->m->graph;
    *first = 0;
    *last = c->n - 1;
    for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
        if (c->position[g->preds.item[i]] + 1 > *first)
            *first = c->position[g->preds.item[i]] + 1;
    for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
        if (c->position[g->succs.item[i]] - 1 < *last)
            *last = c->position[g->succs.item[i]] - 1;
}

/* tried[] = order[] with the node at `from` moved to `to`. */
static void move(const climb *c, uint32_t from, uint32_t to)
{
    memcpy(c->tried, c->order, c->n * sizeof *c->tried);
    uint32_t v = c->tried[from];
    if (from < to)
        memmove(c->tried + from, c->tried + from + 1, (to - from) * sizeof *c->tried);
    else
        memmove(c->tried + to + 1, c->tried + to, (from - to) * sizeof *c->tried);
    c->tried[to] = v;
}

static bool in_windows(const climb *c)
{
    const hw_model *m = c->r->m;
    for (uint32_t i = 0; m->earliest && i < c->n; i++)
        if (i < m->earliest[c->tried[i]] || i > m->latest[c->tried[i]])
            return false;
    return true;
}

static uint64_t peak_of_tried(climb *c)
{
    hw_sim_reset(&c->sim);
    for (uint32_t i = 0; i < c->n; i++)
        (void)hw_sim_step(&c->sim, c->tried[i]);
    return c->sim.peak;
}

static void take(climb *c, const uint32_t *order)
{
    memcpy(c->order, order, c->n * sizeof *order);
    hw_order_positions(c->order, c->n, c->position);
}

static hw_code run(climb *c)
{
    joint_run *r = c->r;
    uint64_t height = r->best->placement.height, best = height, moves = 0, since = 0;
    take(c, r->best->order);
    /* moves that lead nowhere are cheap, but not for ever */
    for (; !joint_over(r) && best > r->request->bound && moves < 20 * r->most_orders; moves++) {
        uint32_t from = (uint32_t)hw_rng_below(c->rng, c->n), first, last;
        range_of(c, c->order[from], &first, &last);
        if (first == last)
            continue;
        uint32_t to = first + (uint32_t)hw_rng_below(c->rng, (uint64_t)last - first);
        to += to >= from; /* any place but its own */
        move(c, from, to);
        uint64_t found;
        if (!in_windows(c) || peak_of_tried(c) > joint_ceiling(r))
            continue;
        if (c->sim.peak > r->request->most_peak)
            continue;
        hw_code code = joint_try(r, c->tried, false, &found);
        if (code != HW_OK)
            return code;
        if (found <= height) {
            since = found < height ? 0 : since + 1;
            height = found;
            take(c, c->tried);
        } else {
            since++;
        }
        if (r->best->placement.height < best) {
            best = r->best->placement.height;
            since = 0;
        }
        if (since > PATIENCE) {
            take(c, r->best->order);
            height = best;
            since = 0;
        }
    }
    return HW_OK;
}

hw_code joint_climb(joint_run *r)
{
    climb c = {.r = r,
               .n = r->m->n_nodes,
               .order = HW_NEW(uint32_t, r->m->n_nodes),
               .position = HW_NEW(uint32_t, r->m->n_nodes),
               .tried = HW_NEW(uint32_t, r->m->n_nodes),
               .rng = hw_rng_new(r->request->seed)};
    hw_code code = hw_sim_init(&c.sim, r->m, r->err);
    if (code == HW_OK && (!c.order || !c.position || !c.tried || !c.rng))
        code = hw_fail_memory(r->err, "moving nodes");
    if (code == HW_OK && c.n > 1)
        code = run(&c);
    free(c.order);
    free(c.position);
    free(c.tried);
    hw_sim_free(&c.sim);
    if (c.rng)
        gsl_rng_free(c.rng);
    return code;
}
