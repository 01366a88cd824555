/*
 * Fuzz target: bytes are a graph, a setting and parameters; on it every exact
 * solver finds one optimum, every heuristic a legal order that is no better,
 * every bound is one, and budgets are answered as the optimum says.
 *
 * Those that start other programs are left out.
 */
#include <inttypes.h>
#include <string.h>

#include "model/check.h"
#include "model/sim.h"
#include "solve/solver.h"
#include "tests/fuzz/graphs.h"

/* Orders are too many to visit on more nodes. */
enum { MOST_ENUMERATED = 7 };

/* What the solvers of one run have in common. */
typedef struct bench {
    const hw_model *m;
    bool solved;      /* the optimum is known                 */
    uint64_t optimum; /* by dp; UINT64_MAX: no order is legal */
    uint8_t switches; /* which parameters leave their defaults */
    uint64_t seed;
} bench;

/* The order is legal, and of the peak that is told, by the checker and by the simulator. */
static void check_order(const bench *b, const char *name, const hw_answer *answer)
{
    const hw_model *m = b->m;
    hw_check check;
    uint64_t peak;
    if (hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, answer->order,
                       m->n_nodes, &check, NULL) != HW_OK ||
        hw_peak(m, answer->order, &peak, NULL) != HW_OK)
        fuzz_fail("%s: the order cannot be checked", name);
    if (check.verdict != HW_ORDER_LEGAL || check.peak != answer->peak || peak != answer->peak)
        fuzz_fail("%s: verdict %d, peak %" PRIu64 ", by the checker %" PRIu64
                  ", by the simulator %" PRIu64,
                  name, (int)check.verdict, answer->peak, check.peak, peak);
    if (b->solved && answer->peak < b->optimum)
        fuzz_fail("%s: peak %" PRIu64 " below the optimum %" PRIu64, name, answer->peak,
                  b->optimum);
}

static void switch_parameters(const hw_solver_row *row, uint8_t switches, hw_param_value *values)
{
    hw_params_preset(row->params, row->n_params, values);
    for (size_t i = 0; i < row->n_params; i++)
        if (switches >> i % 8 & 1) {
            if (row->params[i].type == HW_PARAM_BOOL)
                values[i].i = !values[i].i;
            else if (row->params[i].type == HW_PARAM_CHOICE)
                values[i].i = (int64_t)row->params[i].low; /* the first of the words */
        }
}

/* False: the solver does not take the graph. */
static bool run(const bench *b, const hw_solver_row *row, const uint64_t *budget, hw_answer *answer)
{
    hw_param_value values[HW_PARAM_LIMIT];
    hw_error err = {0};
    switch_parameters(row, b->switches, values);
    hw_request request = {.params = values, .seed = b->seed};
    request.has_budget = budget != NULL;
    request.budget_bytes = budget ? *budget : 0;
    hw_code code = hw_solve(b->m, row, &request, answer, &err);
    if (code != HW_OK && code != HW_USAGE)
        fuzz_fail("%s: code %d: %s", row->name, (int)code, err.message);
    if (code != HW_OK)
        return false;
    if (answer->has_order)
        check_order(b, row->name, answer);
    if (b->solved && answer->has_bound && answer->bound > b->optimum)
        fuzz_fail("%s: bound %" PRIu64 " above the optimum %" PRIu64, row->name, answer->bound,
                  b->optimum);
    return true;
}

static void expect(const bench *b, const hw_solver_row *row, const uint64_t *budget,
                   const hw_answer *answer)
{
    bool fits = b->m->legal && (!budget || b->optimum <= *budget);
    bool right = fits ? answer->status == HW_OPTIMAL ||
                            (budget && answer->status == HW_FEASIBLE && answer->peak <= *budget)
                      : answer->status == HW_INFEASIBLE;
    if (!right || (fits && !answer->has_order) || (fits && !budget && answer->peak != b->optimum))
        fuzz_fail("%s: status %s, peak %" PRIu64 " where the optimum is %" PRIu64
                  " and the budget %" PRIu64,
                  row->name, hw_status_name(answer->status), answer->peak, b->optimum,
                  budget ? *budget : UINT64_MAX);
}

static void run_exact(const bench *b, const hw_solver_row *row)
{
    const uint64_t at = b->optimum, below = b->optimum - 1;
    const uint64_t *const budgets[] = {NULL, b->m->legal ? &at : NULL,
                                       b->m->legal && b->optimum ? &below : NULL};
    if (strcmp(row->name, "milp") == 0 ||
        (strcmp(row->name, "enumerate") == 0 && b->m->n_nodes > MOST_ENUMERATED))
        return;
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        hw_answer answer;
        if (i && !budgets[i])
            continue;
        if (!run(b, row, budgets[i], &answer))
            return;
        expect(b, row, budgets[i], &answer);
        hw_answer_clear(&answer);
    }
}

static void run_other(const bench *b, const hw_solver_row *row)
{
    hw_answer answer;
    if (!run(b, row, NULL, &answer))
        return;
    if (answer.status == HW_INFEASIBLE ? b->m->legal : answer.status == HW_OPTIMAL && !b->m->legal)
        fuzz_fail("%s: status %s", row->name, hw_status_name(answer.status));
    hw_answer_clear(&answer);
}

static uint64_t optimum_of(const bench *b)
{
    hw_answer answer;
    if (!run(b, hw_solver_find("dp", strlen("dp")), NULL, &answer))
        fuzz_fail("dp does not take the graph");
    uint64_t optimum = b->m->legal ? answer.peak : UINT64_MAX;
    hw_answer_clear(&answer);
    return optimum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_draws d = {data, size};
    unsigned setting = fuzz_below(&d, 4);
    bench b = {.switches = fuzz_byte(&d)};
    /* Of the heuristics, some of which take long, two a run. */
    size_t chosen = fuzz_byte(&d), turn = 0;
    b.seed = fuzz_byte(&d);
    hw_graph *g = fuzz_draw_graph(&d, FUZZ_NODES - 2);
    hw_model *m = g ? fuzz_model(g, (hw_accounting)(setting & 1), setting >> 1) : NULL;
    if (m) {
        b.m = m;
        b.optimum = optimum_of(&b);
        b.solved = true;
        for (size_t i = 0; i < hw_n_solvers; i++)
            if (hw_solvers[i]->kind == HW_SOLVER_EXACT)
                run_exact(&b, hw_solvers[i]);
            else if (!hw_solvers[i]->foreign &&
                     (hw_solvers[i]->kind == HW_SOLVER_BOUND || turn++ % 16 == chosen % 16))
                run_other(&b, hw_solvers[i]);
    }
    hw_model_free(m);
    hw_graph_free(g);
    return 0;
}
