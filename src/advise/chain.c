/*
 * Recomputation of one storage in the order at hand.  See held.h.
 *
 * The maker runs again right before the end of the gap.  An input that is gone
 * by then is kept, which costs its bytes all the way; or its maker runs again
 * too, right before the first copy that reads it.  Level by level: all inputs
 * of the copies so far that are gone, where their makers may run again.
 */
#include <stdlib.h>
#include <string.h>

#include "advise/held.h"
#include "core/memory.h"
#include "model/check.h"
#include "solve/solver.h"

typedef struct chain {
    const hw_log *log;
    const hw_gap *gap;
    const hw_operators *operators;
    const volatile sig_atomic_t *stop;
    double end_seconds;
    hw_again now;
    bool *taken; /* by node of the first graph: runs again */
    bool *late;  /* room for a node of `now` each */
    size_t late_room;
    uint32_t list[HW_CHAIN_MOST], n; /* nodes that run again, the maker first */
    uint32_t *place;                 /* of every node in the log's order */
} chain;

static bool over(const chain *c)
{
    return (c->stop && *c->stop) || (c->end_seconds > 0 && hw_wall_seconds() > c->end_seconds);
}

/* Into h, if it is better than what stands there. */
static hw_code offer(const chain *c, hw_held *h, hw_error *err)
{
    const hw_model *m = c->log->model;
    hw_check check;
    hw_code code = hw_check_order(c->now.graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                  c->now.order, c->now.graph->n_nodes, &check, err);
    if (code != HW_OK || check.verdict != HW_ORDER_LEGAL)
        return code;
    hw_chain *best = &h->chain;
    if (best->state == HW_CHAIN_FOUND && best->peak <= check.peak)
        return HW_OK;
    uint32_t *node = HW_NEW(uint32_t, c->n), n = 0;
    if (!node)
        return hw_fail_memory(err, "nodes that run again");
    for (uint32_t i = 0; i < c->now.graph->n_nodes; i++) {
        uint32_t v = c->now.order[i];
        if (c->now.node_copied[v] && !(c->now.graph->node_flags[v] & HW_NODE_VIEW))
            node[n++] = c->now.node_origin[v];
    }
    free(best->node);
    *best = (hw_chain){.state = HW_CHAIN_FOUND,
                       .n_nodes = c->n,
                       .node = node,
                       .bytes = c->now.bytes,
                       .peak = check.peak};
    return HW_OK;
}

/*
 * Node v of the first graph runs again: for those of its users that run at the
 * end of the gap or later (the first time), or for the copies that read it.
 */
static hw_code again(chain *c, uint32_t v, bool first, bool *possible, hw_error *err)
{
    const hw_graph *g = c->now.graph;
    hw_users users;
    hw_again next = {0};
    hw_code code = hw_users_find(g, c->operators, &users, err);
    uint32_t here = 0;
    *possible = false;
    if (code == HW_OK && !hw_grow((void **)&c->late, &c->late_room, g->n_nodes, sizeof *c->late))
        code = hw_fail_memory(err, "nodes that run again");
    if (code == HW_OK) {
        while (c->now.node_origin[here] != v || c->now.node_copied[here])
            here++;
        memset(c->late, 0, g->n_nodes * sizeof *c->late);
        for (uint32_t i = users.rows.offset[here]; i < users.rows.offset[here + 1]; i++) {
            uint32_t w = users.rows.item[i];
            c->late[w] = first ? (int64_t)c->place[c->now.node_origin[w]] >= c->gap->to
                               : c->now.node_copied[w];
        }
        if (users.may[here])
            code = hw_again_split(&c->now, &users, here, c->late, &next, possible, err);
    }
    hw_users_clear(&users);
    if (*possible) {
        hw_again_clear(&c->now);
        c->now = next;
        c->taken[v] = true;
        c->list[c->n++] = v;
    }
    return code;
}

/* The makers of what node v reads that is gone by the end of the gap run again. */
static hw_code add_inputs(chain *c, uint32_t v, const int64_t *death, hw_error *err)
{
    const hw_graph *g = c->log->model->graph;
    hw_code code = HW_OK;
    bool possible;
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1] && code == HW_OK; i++) {
        uint32_t s = g->tensor_storage[g->inputs.item[i]];
        uint32_t u = g->tensor_producer[g->storage_root[s]];
        if (u == HW_NONE || c->taken[u] || death[s] >= c->gap->to || c->n >= HW_CHAIN_MOST)
            continue;
        code = again(c, u, false, &possible, err);
    }
    return code;
}

static hw_code grow(chain *c, const int64_t *death, hw_held *h, hw_error *err)
{
    uint32_t done = 0;
    hw_code code = offer(c, h, err);
    while (code == HW_OK && done < c->n && !over(c)) {
        const uint32_t level_end = c->n;
        while (done < level_end && code == HW_OK && !over(c))
            code = add_inputs(c, c->list[done++], death, err);
        if (code == HW_OK && c->n > level_end)
            code = offer(c, h, err);
    }
    return code;
}

/* The last step that uses each storage; the end, where it is an output or resident. */
static void lay_deaths(const hw_log *log, int64_t *death)
{
    const hw_graph *g = log->model->graph;
    for (uint32_t s = 0; s < g->n_storages; s++)
        death[s] = log->n_steps;
    for (uint32_t i = 0; i < log->n_lives; i++)
        death[g->tensor_storage[log->life[i].tensor]] = log->life[i].death;
}

hw_code hw_chain_find(const hw_gaps *gaps, const hw_again *first, const hw_operators *operators,
                      const volatile sig_atomic_t *stop, double end_seconds, hw_held *held,
                      hw_error *err)
{
    const hw_log *log = gaps->log;
    const hw_graph *g = log->model->graph;
    const uint32_t maker = g->tensor_producer[held->life->tensor];
    if (!held->gap)
        return HW_OK;
    if (maker == HW_NONE) {
        held->chain.state = HW_CHAIN_GIVEN;
        return HW_OK;
    }
    chain c = {.log = log,
               .gap = held->gap,
               .operators = operators,
               .stop = stop,
               .end_seconds = end_seconds,
               .taken = HW_NEW0(bool, g->n_nodes),
               .place = HW_NEW(uint32_t, g->n_nodes)};
    int64_t *death = HW_NEW(int64_t, g->n_storages);
    bool possible = false;
    hw_code code =
        c.taken && c.place && death ? HW_OK : hw_fail_memory(err, "nodes that run again");
    if (code == HW_OK) {
        hw_order_positions(log->order, g->n_nodes, c.place);
        lay_deaths(log, death);
        code = hw_again_first(first->graph, first->order, &c.now, err);
    }
    if (code == HW_OK)
        code = again(&c, maker, true, &possible, err);
    held->chain.state = HW_CHAIN_FIXED;
    if (code == HW_OK && possible) {
        held->chain.state = HW_CHAIN_ILLEGAL;
        code = grow(&c, death, held, err);
    }
    hw_again_clear(&c.now);
    free(c.taken);
    free(c.late);
    free(c.place);
    free(death);
    return code;
}
