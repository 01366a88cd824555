/*
 * C03: the sum of all tensors and the resident part do not depend on the
 * order; only the peak does.
 *
 * Random orders of random graphs and of nets.  For each order, from the graph
 * alone: the bytes that its steps create (each storage when its root is made),
 * what is resident (as the checker counts it along the order) and the peak.
 * "Total memory" can also be read as what is allocated: with in-place pairs an
 * output that takes over a dying input allocates nothing, and whether it can
 * depends on the order.  That reading is tried as well.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "claims/tools.h"
#include "core/memory.h"
#include "core/rng.h"
#include "model/check.h"
#include "model/sim.h"

static const char *const families[] = {
    "erdos:n=16,degree=1.5", "layered:n=16", "tree:n=16", "erdos:n=16,inputs=own,outputs=discarded",
    "layered:n=16,inputs=own,workspace=0.3,inplace=0.5,views=0.2"};
enum { N_FAMILIES = sizeof families / sizeof families[0] };

hw_code hw_claim_c03(hw_claim_run *run, hw_error *err);

typedef struct tally {
    uint64_t graphs, orders;
    uint64_t total_moves, resident_moves, peak_moves, allocated_moves; /* graphs where it does */
    uint64_t with_pairs; /* graphs with in-place pairs */
    gsl_rng *rng;
} tally;

typedef struct figures {
    uint64_t total, resident, peak, allocated;
} figures;

/* A random order: each step one of the ready nodes, all alike. */
static void draw_order(const hw_graph *g, gsl_rng *rng, uint32_t *waiting, uint32_t *ready,
                       uint32_t *order)
{
    uint32_t n_ready = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        waiting[v] = g->preds.offset[v + 1] - g->preds.offset[v];
        if (waiting[v] == 0)
            ready[n_ready++] = v;
    }
    for (uint32_t step = 0; step < g->n_nodes; step++) {
        uint32_t at = (uint32_t)hw_rng_below(rng, n_ready), v = ready[at];
        ready[at] = ready[--n_ready];
        order[step] = v;
        for (uint32_t k = g->succs.offset[v]; k < g->succs.offset[v + 1]; k++)
            if (--waiting[g->succs.item[k]] == 0)
                ready[n_ready++] = g->succs.item[k];
    }
}

/* What the steps make, storage by storage, in the order in which they make it. */
static uint64_t made_along(const hw_graph *g, const uint32_t *order)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (g->tensor_kind[t] == HW_INPUT)
            sum += g->tensor_size[t];
    for (uint32_t step = 0; step < g->n_nodes; step++) {
        uint32_t v = order[step];
        for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++) {
            uint32_t t = g->outputs.item[i];
            if (g->storage_root[g->tensor_storage[t]] == t)
                sum += g->tensor_size[t];
        }
    }
    return sum;
}

static hw_code look(const hw_model *m, hw_sim *sim, const uint32_t *order, figures *f,
                    hw_error *err)
{
    hw_check check;
    hw_code code = hw_check_order(m->graph, false, false, order, m->n_nodes, &check, err);
    if (code == HW_OK && check.verdict != HW_ORDER_LEGAL)
        code = hw_fail(err, HW_INTERNAL, "a random order is illegal");
    if (code != HW_OK)
        return code;
    *f = (figures){
        .total = made_along(m->graph, order), .resident = check.resident_bytes, .peak = check.peak};
    if (f->total != hw_graph_total_bytes(m->graph))
        return hw_fail(err, HW_INTERNAL, "the steps of %s do not make all of its storages",
                       m->graph->name);
    hw_sim_reset(sim);
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        uint32_t v = order[i];
        uint64_t reuse = m->reuse_offset ? hw_sim_reuse(sim, v) : 0;
        f->allocated += m->new_bytes[v] + hw_workspace(m, v) - reuse;
        (void)hw_sim_step(sim, v);
    }
    return HW_OK;
}

static hw_code try_graph(hw_claim_run *run, const hw_graph *g, uint32_t orders, tally *t,
                         hw_error *err)
{
    uint32_t n = g->n_nodes;
    uint32_t *order = HW_NEW(uint32_t, n), *waiting = HW_NEW(uint32_t, n),
             *ready = HW_NEW(uint32_t, n);
    hw_model *m = NULL;
    hw_sim sim = {0};
    figures first = {0};
    bool total = false, resident = false, peak = false, allocated = false;
    hw_code code = order && waiting && ready ? hw_model_new(g, HW_ALLOC_FIRST, false, &m, err)
                                             : hw_fail_memory(err, "orders");
    if (code == HW_OK)
        code = hw_sim_init(&sim, m, err);
    for (uint32_t i = 0; code == HW_OK && i < orders; i++) {
        figures f = {0};
        draw_order(g, t->rng, waiting, ready, order);
        code = look(m, &sim, order, &f, err);
        if (i == 0)
            first = f;
        total = total || f.total != first.total;
        resident = resident || f.resident != first.resident;
        peak = peak || f.peak != first.peak;
        allocated = allocated || f.allocated != first.allocated;
        t->orders++;
    }
    if (code == HW_OK) {
        t->graphs++;
        t->total_moves += total;
        t->resident_moves += resident;
        t->peak_moves += peak;
        t->allocated_moves += allocated;
        t->with_pairs += m->reuse_offset != NULL;
    }
    if (code == HW_OK && hw_claim_stopped(run))
        code = hw_fail(err, HW_STOPPED, "stopped by a signal");
    hw_sim_free(&sim);
    hw_model_free(m);
    free(order);
    free(waiting);
    free(ready);
    return code;
}

static hw_code try_all(hw_claim_run *run, tally *t, hw_error *err)
{
    uint32_t each = hw_claim_effort(run, 20, 200), orders = hw_claim_effort(run, 20, 50);
    hw_claim_set set = {0};
    hw_code code = HW_OK;
    for (size_t f = 0; code == HW_OK && f < N_FAMILIES; f++)
        for (uint32_t i = 0; code == HW_OK && i < each; i++) {
            hw_graph *g = NULL;
            code = hw_claim_generate(families[f], hw_claim_seed(run), i, &g, err);
            if (code == HW_OK)
                code = try_graph(run, g, orders, t, err);
            hw_graph_free(g);
        }
    if (code == HW_OK)
        code = hw_claim_real_graphs(run, 4, &set, err);
    for (size_t i = 0; code == HW_OK && i < set.n; i++)
        code = try_graph(run, set.graph[i], orders / 5, t, err);
    hw_claim_set_clear(&set);
    return code;
}

static hw_code decide(hw_claim_run *run, const tally *t, hw_error *err)
{
    bool same = t->total_moves == 0 && t->resident_moves == 0;
    hw_code code = hw_claim_reading(run, "bytes made by all steps, each tensor once", same, err,
                                    "the sum differs between orders on %" PRIu64
                                    ", the resident part on %" PRIu64 " of %" PRIu64
                                    " graphs (%" PRIu64 " orders)",
                                    t->total_moves, t->resident_moves, t->graphs, t->orders);
    if (code == HW_OK)
        code = hw_claim_reading(run, "bytes allocated, where an output may overwrite its input",
                                t->allocated_moves == 0, err,
                                "the sum differs between orders on %" PRIu64 " of %" PRIu64
                                " graphs with in-place pairs",
                                t->allocated_moves, t->with_pairs);
    if (code == HW_OK)
        code = hw_claim_reading(run, "the peak depends on the order", t->peak_moves > 0, err,
                                "it does on %" PRIu64 " of %" PRIu64 " graphs", t->peak_moves,
                                t->graphs);
    if (code == HW_OK)
        code = hw_claim_number(run, "graphs", (double)t->graphs, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "orders", (double)t->orders, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "peak-moves", (double)t->peak_moves / (double)t->graphs,
                               "share", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "allocated-moves", (double)t->allocated_moves, "count", err);
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, same && t->peak_moves > 0 ? HW_VERDICT_HOLDS : HW_VERDICT_FAILS, err,
        "Over %" PRIu64 " random orders of %" PRIu64
        " graphs the sum or the resident part differ on %" PRIu64 " graphs, the peak on %.1f %% of "
        "them; what is allocated differs on %" PRIu64 " of %" PRIu64 " with in-place pairs",
        t->orders, t->graphs, t->total_moves + t->resident_moves,
        100 * (double)t->peak_moves / (double)t->graphs, t->allocated_moves, t->with_pairs);
}

hw_code hw_claim_c03(hw_claim_run *run, hw_error *err)
{
    tally t = {.rng = hw_rng_new(hw_claim_seed(run))};
    if (!t.rng)
        return hw_fail_memory(err, "random numbers");
    hw_code code = try_all(run, &t, err);
    if (code == HW_OK)
        code = decide(run, &t, err);
    gsl_rng_free(t.rng);
    return code;
}
