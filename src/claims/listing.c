/* The printed loop and its repairs.  See listing.h. */
#include "claims/listing.h"

#include <stdlib.h>

#include "core/memory.h"
#include "model/paths.h"
#include "model/sim.h"

__extension__ typedef __int128 wide;

typedef struct listing {
    const hw_model *m;
    const hw_graph *g;
    unsigned repairs;
    uint32_t *path, *indegree, *refcnt, *seen;
    wide *net; /* of nodes that are ready: the first part of the key */
    uint32_t *ready, n_ready;
    hw_sim sim; /* what truly dies */
} listing;

static wide net_of(const listing *l, uint32_t v)
{
    const hw_graph *g = l->g;
    wide net = 0;
    if (l->repairs & HW_LISTING_FREED)
        return (int64_t)hw_sim_net(&l->sim, v);
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
        net += g->tensor_size[g->outputs.item[i]];
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        if (l->refcnt[g->inputs.item[i]] == 1)
            net -= g->tensor_size[g->inputs.item[i]];
    return net;
}

static void push(listing *l, uint32_t v)
{
    l->net[v] = net_of(l, v);
    l->ready[l->n_ready++] = v;
}

/* Take the ready node of the least key: net change, longer path, source position. */
static uint32_t pop(listing *l)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < l->n_ready; i++) {
        uint32_t v = l->ready[i], b = l->ready[best];
        if (l->repairs & HW_LISTING_FRESH)
            l->net[v] = net_of(l, v);
        if (i == 0 || l->net[v] > l->net[b])
            continue;
        bool less = l->net[v] < l->net[b];
        if (less || l->path[v] > l->path[b] || (v < b && l->path[v] == l->path[b]))
            best = i;
    }
    uint32_t v = l->ready[best];
    l->ready[best] = l->ready[--l->n_ready];
    return v;
}

/* What a node waits for before it is pushed. */
static uint32_t waits_for(const listing *l, uint32_t v)
{
    const hw_graph *g = l->g;
    uint32_t count = 0;
    if (l->repairs & HW_LISTING_EDGES) {
        count = g->preds.offset[v + 1] - g->preds.offset[v];
        for (uint32_t i = g->inputs.offset[v];
             !(l->repairs & HW_LISTING_SOURCES) && i < g->inputs.offset[v + 1]; i++)
            count += g->tensor_producer[g->inputs.item[i]] == HW_NONE;
        return count;
    }
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        count +=
            !(l->repairs & HW_LISTING_SOURCES) || g->tensor_producer[g->inputs.item[i]] != HW_NONE;
    return count;
}

/* A successor of v is one entry, whatever stands between the two. */
static void release(listing *l, uint32_t v, uint32_t s)
{
    if (l->seen[s] == v + 1)
        return;
    l->seen[s] = v + 1;
    if (l->indegree[s] != 0 && --l->indegree[s] == 0)
        push(l, s);
}

static bool reads_from(const hw_graph *g, uint32_t reader, uint32_t maker)
{
    for (uint32_t i = g->inputs.offset[reader]; i < g->inputs.offset[reader + 1]; i++)
        if (g->tensor_producer[g->inputs.item[i]] == maker)
            return true;
    return false;
}

static void run_node(listing *l, uint32_t v)
{
    const hw_graph *g = l->g;
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        l->refcnt[g->inputs.item[i]]--;
    if (l->repairs & HW_LISTING_FREED)
        (void)hw_sim_step(&l->sim, v);
    for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
        if ((l->repairs & HW_LISTING_EDGES) || reads_from(g, g->succs.item[i], v))
            release(l, v, g->succs.item[i]);
}

static uint32_t run(listing *l, uint32_t *order)
{
    const hw_graph *g = l->g;
    uint32_t step = 0;
    for (uint32_t i = 0; i < g->inputs.offset[g->n_nodes]; i++)
        l->refcnt[g->inputs.item[i]]++;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        l->indegree[v] = waits_for(l, v);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (l->indegree[v] == 0)
            push(l, v);
    while (l->n_ready) {
        uint32_t v = pop(l);
        order[step++] = v;
        run_node(l, v);
    }
    return step;
}

hw_code hw_listing_run(const hw_model *m, unsigned repairs, uint32_t *order, uint32_t *n,
                       hw_error *err)
{
    const hw_graph *g = m->graph;
    listing l = {.m = m,
                 .g = g,
                 .repairs = repairs,
                 .path = HW_NEW(uint32_t, g->n_nodes),
                 .indegree = HW_NEW0(uint32_t, g->n_nodes),
                 .refcnt = HW_NEW0(uint32_t, g->n_tensors),
                 .seen = HW_NEW0(uint32_t, g->n_nodes),
                 .net = HW_NEW(wide, g->n_nodes),
                 .ready = HW_NEW(uint32_t, g->n_nodes)};
    hw_code code = HW_OK;
    *n = 0;
    if (!l.path || !l.indegree || !l.refcnt || !l.seen || !l.net || !l.ready)
        code = hw_fail_memory(err, "the lists of the printed loop");
    if (code == HW_OK)
        code = hw_sim_init(&l.sim, m, err);
    if (code == HW_OK)
        code = hw_paths_down(g, l.path, err);
    if (code == HW_OK)
        *n = run(&l, order);
    hw_sim_free(&l.sim);
    free(l.path);
    free(l.indegree);
    free(l.refcnt);
    free(l.seen);
    free(l.net);
    free(l.ready);
    return code;
}
