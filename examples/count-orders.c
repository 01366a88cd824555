/*
 * How many topological orders has a graph, and how many of them are best?
 *
 *     count-orders FILE       # any format that highwater reads; "-": standard input
 *
 * Two ways to the number of orders: counting over down-sets, which needs no
 * order at hand and so copes with numbers of 39 digits, but knows nothing of
 * windows; and listing them one after another, for small graphs, which gives
 * the peak of each.
 */
#include <highwater.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Orders by peak, as the walk below meets them. */
typedef struct tally {
    uint64_t orders, best, least;
    hw_sim sim;
    uint32_t *waits; /* by node: predecessors that have not run; run: HW_NONE */
} tally;

/* Run each ready node in turn, walk on, take it back. */
static void walk(tally *t)
{
    const hw_model *m = t->sim.model;
    const hw_graph *g = m->graph;
    if (t->sim.steps == g->n_nodes) {
        t->orders++;
        if (t->orders == 1 || t->sim.peak < t->least) {
            t->least = t->sim.peak;
            t->best = 0;
        }
        t->best += t->sim.peak == t->least;
        return;
    }
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        if (t->waits[v] != 0)
            continue;
        if (m->latest && (t->sim.steps < m->earliest[v] || t->sim.steps > m->latest[v]))
            continue; /* its window */
        uint64_t peak = t->sim.peak;
        int64_t peak_step = t->sim.peak_step;
        t->waits[v] = HW_NONE;
        hw_sim_step(&t->sim, v);
        for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
            t->waits[g->succs.item[i]]--;
        walk(t);
        for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
            t->waits[g->succs.item[i]]++;
        hw_sim_undo(&t->sim, v, peak, peak_step);
        t->waits[v] = 0;
    }
}

static hw_code list_orders(const hw_graph *g, hw_error *err)
{
    hw_model *m = NULL;
    tally t = {0};
    hw_code code = hw_model_new(g, HW_ALLOC_FIRST, false, &m, err);
    if (code == HW_OK)
        code = hw_sim_init(&t.sim, m, err);
    t.waits = code == HW_OK ? malloc(sizeof *t.waits * (g->n_nodes + (size_t)1)) : NULL;
    if (t.waits) {
        for (uint32_t v = 0; v < g->n_nodes; v++)
            t.waits[v] = g->preds.offset[v + 1] - g->preds.offset[v];
        walk(&t);
        printf("listed  %" PRIu64 " orders, %" PRIu64 " of them with the least peak, %" PRIu64
               " bytes\n",
               t.orders, t.best, t.least);
    } else if (code == HW_OK) {
        code = hw_fail(err, HW_NO_MEMORY, "out of memory");
    }
    free(t.waits);
    hw_sim_free(&t.sim);
    hw_model_free(m);
    return code;
}

int main(int argc, char **argv)
{
    hw_error err = {0};
    hw_graph *g = NULL;
    hw_structure s;
    if (argc != 2) {
        fputs("usage: count-orders FILE\n", stderr);
        return 2;
    }
    hw_code code = hw_import_load(argv[1], NULL, NULL, &g, &err);
    if (code == HW_OK)
        code = hw_structure_find(g, HW_STRUCTURE_LIMITS, &s, &err);
    if (code == HW_OK) {
        char text[HW_COUNT_TEXT];
        bool few = s.has_orders && s.orders_high == 0 && s.orders_low <= 1000000;
        printf("counted %s orders of %" PRIu32 " nodes%s\n",
               s.has_orders ? hw_count_text(s.orders_high, s.orders_low, text) : "too many",
               g->n_nodes, g->node_window ? ", without regard to windows" : "");
        if (few)
            code = list_orders(g, &err);
    }
    if (code != HW_OK)
        fprintf(stderr, "count-orders: %s\n", err.message);
    hw_graph_free(g);
    return hw_exit_status(code);
}
