/*
 * A solver of one's own, outside of highwater's sources, beside built-in ones.
 *
 *     out-of-tree-solver FILE
 *
 * The rule: of the ready nodes, run the one whose inputs are oldest, that is,
 * whose earliest-made input has waited longest.  Whatever a solver claims, the
 * library recomputes: hw_solve() passes its order through the independent
 * checker and fails where order or peak is wrong.
 */
#include <highwater.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The step at which the oldest input of v was made; inputs of the graph are older than all. */
static int64_t age(const hw_graph *g, const int64_t *made_at, uint32_t v)
{
    int64_t oldest = INT64_MAX;
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        uint32_t maker = g->tensor_producer[g->inputs.item[i]];
        int64_t at = maker == HW_NONE ? -1 : made_at[maker];
        oldest = at < oldest ? at : oldest;
    }
    return oldest;
}

/* What solves: fill answer->order, say what its peak is.  Windows are not looked at here. */
static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    const hw_graph *g = m->graph;
    size_t n = g->n_nodes;
    uint32_t *waits = malloc(sizeof *waits * (n + 1));
    int64_t *made_at = malloc(sizeof *made_at * (n + 1));
    hw_meter meter;
    hw_code code = waits && made_at ? HW_OK : hw_fail(err, HW_NO_MEMORY, "out of memory");
    hw_meter_start(&meter, request); /* counts effort, knows the limits and the stop flag */
    for (uint32_t v = 0; code == HW_OK && v < n; v++)
        waits[v] = g->preds.offset[v + 1] - g->preds.offset[v];
    uint32_t step = 0;
    for (; code == HW_OK && step < n && !hw_meter_count(&meter, 1); step++) {
        uint32_t next = HW_NONE;
        int64_t best = 0;
        for (uint32_t v = 0; v < n; v++) {
            int64_t found = waits[v] == 0 ? age(g, made_at, v) : 0;
            if (waits[v] == 0 && (next == HW_NONE || found < best)) {
                next = v;
                best = found;
            }
        }
        answer->order[step] = next;
        made_at[next] = step;
        waits[next] = HW_NONE;
        for (uint32_t i = g->succs.offset[next]; i < g->succs.offset[next + 1]; i++)
            waits[g->succs.item[i]]--;
    }
    answer->states = meter.states;
    answer->limit_reached = step < n;
    uint64_t peak = 0;
    if (code == HW_OK && step == n) /* stopped before: no order in hand, "unknown" */
        code = hw_peak(m, answer->order, &peak, err);
    if (code == HW_OK && step == n)
        (void)hw_answer_improve(m, answer, answer->order, peak);
    free(waits);
    free(made_at);
    return code;
}

static const hw_solver_row oldest_first = {
    .name = "oldest-first",
    .kind = HW_SOLVER_HEURISTIC,
    .counts = "steps",
    .help = "of the ready nodes the one whose oldest input was made first",
    .source = "an example",
    .solve = solve,
};

static hw_code show(const hw_model *m, const hw_solver_row *row, const hw_param_value *values,
                    hw_error *err)
{
    hw_request request = {.params = values, .limits = {.seconds = 10}};
    hw_answer answer;
    hw_code code = hw_solve(m, row, &request, &answer, err);
    if (code != HW_OK)
        return code;
    printf("%-12s  %-8s", row->name, hw_status_name(answer.status));
    if (answer.has_order)
        printf("  peak %" PRIu64, answer.peak);
    putchar('\n');
    hw_answer_clear(&answer);
    return HW_OK;
}

int main(int argc, char **argv)
{
    static const char *const rivals[] = {"greedy", "exact"};
    hw_error err = {0};
    hw_graph *g = NULL;
    hw_model *m = NULL;
    if (argc != 2) {
        fputs("usage: out-of-tree-solver FILE\n", stderr);
        return 2;
    }
    hw_code code = hw_import_load(argv[1], NULL, NULL, &g, &err);
    if (code == HW_OK)
        code = hw_model_new(g, HW_ALLOC_FIRST, false, &m, &err);
    if (code == HW_OK)
        code = show(m, &oldest_first, NULL, &err);
    for (size_t i = 0; code == HW_OK && i < sizeof rivals / sizeof rivals[0]; i++) {
        hw_param_value values[HW_PARAM_LIMIT];
        const hw_solver_row *row = NULL;
        code = hw_solver_parse(rivals[i], &row, values, &err);
        if (code == HW_OK)
            code = show(m, row, values, &err);
    }
    if (code != HW_OK)
        fprintf(stderr, "out-of-tree-solver: %s\n", err.message);
    hw_model_free(m);
    hw_graph_free(g);
    return hw_exit_status(code);
}
