/*
 * Rates of the exact solvers: orders a second of `enumerate`, down-sets a
 * second of `dp`.  Instances are drawn here, from fixed seeds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "solve/solver.h"
#include "support_draft.h"

enum { REPEATS = 3, MOST_INPUTS = 64 };

/* Node v makes tensor v; `edge[v]` lists the nodes whose tensors it reads. */
typedef struct shape {
    uint32_t n;
    uint32_t n_inputs[MOST_INPUTS];
    uint64_t input[MOST_INPUTS][MOST_INPUTS];
} shape;

static void add_edge(shape *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < s->n_inputs[to]; i++)
        if (s->input[to][i] == from)
            return;
    s->input[to][s->n_inputs[to]++] = from;
}

static hw_graph *build(const shape *s, uint64_t *state)
{
    hw_builder *b = hw_builder_new();
    hw_graph *g = NULL;
    hw_error err = {0};
    bool consumed[MOST_INPUTS] = {false};
    hw_code code = b ? HW_OK : HW_NO_MEMORY;
    for (uint32_t v = 0; v < s->n; v++)
        for (uint32_t i = 0; i < s->n_inputs[v]; i++)
            consumed[s->input[v][i]] = true;
    for (uint32_t v = 0; code == HW_OK && v < s->n; v++)
        code = hw_builder_tensor(b, v, 1 + draft_below(state, 100),
                                 consumed[v] ? HW_ACTIVATION : HW_OUTPUT, NULL, &err);
    for (uint32_t v = 0; code == HW_OK && v < s->n; v++) {
        uint64_t output = v;
        hw_node_spec spec = {.id = v,
                             .inputs = s->input[v],
                             .n_inputs = s->n_inputs[v],
                             .outputs = &output,
                             .n_outputs = 1};
        code = hw_builder_node(b, &spec, &err);
    }
    if (code == HW_OK)
        code = hw_builder_finish(b, &g, &err);
    hw_builder_free(b);
    if (code != HW_OK)
        (void)fprintf(stderr, "bench_exact: %s\n", err.message);
    return g;
}

static hw_graph *draw_antichain(uint64_t seed, uint32_t n)
{
    shape s = {.n = n};
    return build(&s, &seed);
}

/* One source, n - 2 nodes that read it, one sink that reads them all. */
static hw_graph *draw_fan(uint64_t seed, uint32_t n)
{
    shape s = {.n = n};
    for (uint32_t v = 1; v + 1 < n; v++) {
        add_edge(&s, 0, v);
        add_edge(&s, v, n - 1);
    }
    return build(&s, &seed);
}

/* n nodes, `edges` different edges between random pairs, from lower to higher. */
static hw_graph *draw_erdos(uint64_t seed, uint32_t n, uint32_t edges)
{
    shape s = {.n = n};
    for (uint32_t count = 0; count < edges;) {
        uint32_t to = 1 + (uint32_t)draft_below(&seed, n - 1);
        uint32_t from = (uint32_t)draft_below(&seed, to), before = s.n_inputs[to];
        add_edge(&s, from, to);
        count += s.n_inputs[to] - before;
    }
    return build(&s, &seed);
}

/* Layers of `width`; each node reads one to three nodes of the layer before. */
static hw_graph *draw_layered(uint64_t seed, uint32_t n, uint32_t width)
{
    shape s = {.n = n};
    for (uint32_t v = width; v < n; v++) {
        uint32_t first = v / width * width - width;
        for (uint64_t i = 1 + draft_below(&seed, 3); i > 0; i--)
            add_edge(&s, first + (uint32_t)draft_below(&seed, width), v);
    }
    return build(&s, &seed);
}

/* Run a solver a few times, print its best rate. */
static int measure(const char *label, const hw_graph *g, const char *spec, hw_accounting accounting,
                   uint64_t state_limit)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_error err = {0};
    hw_model *m = NULL;
    double best = 0;
    uint64_t work = 0, peak = 0;
    hw_code code = g ? hw_solver_parse(spec, &row, values, &err) : HW_NO_MEMORY;
    if (code == HW_OK)
        code = hw_model_new(g, accounting, false, &m, &err);
    const char *unit = "";
    hw_status status = HW_UNKNOWN;
    for (int i = 0; code == HW_OK && i < REPEATS; i++) {
        hw_request request = {.params = values, .limits = {.states = state_limit}};
        hw_answer answer;
        code = hw_solve(m, row, &request, &answer, &err);
        if (code != HW_OK)
            break;
        work = answer.has_orders ? answer.orders : answer.states;
        unit = answer.has_orders ? "orders" : row->counts;
        peak = answer.peak;
        status = answer.status;
        double rate = (double)work / (answer.cpu_seconds > 1e-9 ? answer.cpu_seconds : 1e-9);
        best = rate > best ? rate : best;
        hw_answer_clear(&answer);
    }
    if (code == HW_OK)
        (void)printf("%-26s %-20s %-11s %12" PRIu64 " %-9s %8.2f million/s  %s %" PRIu64 "\n",
                     label, spec, hw_accounting_name(accounting), work, unit, best / 1e6,
                     hw_status_name(status), peak);
    else
        (void)fprintf(stderr, "bench_exact: %s: %s\n", label, err.message);
    hw_model_free(m);
    return code == HW_OK ? 0 : 1;
}

int main(void)
{
    int failures = 0;
    hw_graph *antichain = draw_antichain(1, 11), *fan = draw_fan(1, 12);
    failures += measure("antichain, 11 nodes", antichain, "enumerate:prune=no", HW_ALLOC_FIRST, 0);
    hw_graph_free(antichain);
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
        failures += measure("fan, 12 nodes", fan, "enumerate:prune=no", (hw_accounting)a, 0);
    hw_graph_free(fan);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        hw_graph *g = draw_erdos(seed, 14, 21);
        failures += measure("erdos, 14 nodes, 21 edges", g, "enumerate:prune=no", HW_ALLOC_FIRST,
                            UINT64_C(40000000));
        failures += measure("erdos, 14 nodes, 21 edges", g, "enumerate", HW_ALLOC_FIRST, 0);
        hw_graph_free(g);
    }
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
        hw_graph *layered = draw_layered(5, 40, 8), *erdos = draw_erdos(7, 36, 72);
        failures += measure("layered, 40 nodes", layered, "dp", (hw_accounting)a, 0);
        failures += measure("erdos, 36 nodes, 72 edges", erdos, "dp", (hw_accounting)a, 0);
        hw_graph_free(layered);
        hw_graph_free(erdos);
    }
    return failures ? 1 : 0;
}
