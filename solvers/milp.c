/*
 * milp: the order as an integer program, solved by a program for such.
 *
 * Source: Steiner, Elhoushi, Kahn, Hegarty, "OLLA: Optimizing the Lifetime and
 * Location of Arrays to Reduce the Memory Usage of Neural Networks", 2022,
 * arXiv 2210.12924 (later MODeL).  Their rules, and what is done here:
 *
 * 1. Variables.  For each tensor and step, whether it is created then and
 *    whether it is kept from before; a node runs when its outputs are created,
 *    all in one step.  Here y_v_t, "v is among the first t steps", stands for
 *    both: steps are differences of it, lives of buffers follow
 *    (milp_model.h).
 * 2. Steps.  Theirs may run several nodes at once, in as few steps as the
 *    longest path; here one node a step, since the peak is that of an order.
 * 3. Spans.  What as-soon and as-late as possible rule out is fixed.  Here by
 *    the numbers of ancestors and descendants, and windows.
 * 4. Usage.  All tensors created or kept in a step count together: alloc-first.
 *    Here workspace, dead and kept outputs, in-place choices and free-first as
 *    well.
 * 5. Locations.  Theirs places the tensors too, apart or together; not here.
 * 6. Solved by Gurobi there; here by cbc, highs, glpsol or scip, whichever
 *    stands first in PATH, from an LP or MPS file.  greedy-reverse's order is
 *    in hand before and bounds the peak, theirs begins with the program's.
 *
 * What comes back is no proof by itself: the order is made from the values and
 * simulated, and the program's claim must be its peak.  It counts as optimal
 * only if the program says so and all bytes together are below MILP_PROVES
 * units, so that a unit is more than the tolerances: programs compare to about
 * a billionth.  Larger sums leave a feasible answer.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "io/ilp.h"
#include "model/sim.h"
#include "solvers/first.h"
#include "solvers/milp_model.h"
#include "solve/solver.h"

enum { PROGRAM, FORMAT, N_PARAMS };

/* Tolerances of 1e-9 are a tenth of a unit then. */
#define MILP_PROVES UINT64_C(100000000)

static const hw_param_row params[N_PARAMS] = {
    [PROGRAM] = {"solver", HW_PARAM_CHOICE, 0, HW_ILP_PROGRAMS, 0, "auto|cbc|highs|glpsol|scip",
                 "the program to run; auto: the first of them in PATH"},
    [FORMAT] = {"file", HW_PARAM_CHOICE, 0, 1, HW_ILP_LP, "lp|mps", "the file that it is given"},
};

/* Which program; HW_USAGE: it is not there, so that this solver takes no graph. */
static hw_code choose(int64_t wish, hw_ilp_program *program, hw_error *err)
{
    if (wish > 0) {
        *program = (hw_ilp_program)(wish - 1);
        if (hw_ilp_present(*program))
            return HW_OK;
        return hw_fail(err, HW_USAGE,
                       "solver milp cannot run %s, which is not in PATH: install it (package %s)",
                       hw_ilp_name(*program), hw_ilp_package(*program));
    }
    for (*program = 0; *program < HW_ILP_PROGRAMS; (*program)++)
        if (hw_ilp_present(*program))
            return HW_OK;
    return hw_fail(err, HW_USAGE,
                   "solver milp runs cbc, highs, glpsol or scip, and none of them is in PATH: "
                   "install one (packages coinor-cbc, glpk-utils)");
}

/* When the program is ended: on a stop, or well after its time. */
typedef struct deadline {
    const hw_request *request;
    double at; /* 0: none */
} deadline;

static bool is_over(void *context)
{
    const deadline *d = context;
    const hw_request *q = d->request;
    return (q->stop && *q->stop) || (d->at > 0 && hw_wall_seconds() >= d->at) ||
           (q->outer && hw_meter_past(q->outer));
}

/* An order no better than this is of no interest. */
static uint64_t hard_budget(const hw_request *request, const hw_answer *answer)
{
    uint64_t most = answer->has_order ? answer->peak : UINT64_MAX;
    return request->has_budget && request->budget_bytes < most ? request->budget_bytes : most;
}

/* The order of the values, and whether the claim is its peak. */
static hw_code take(const milp_model *p, const hw_ilp_answer *a, hw_answer *answer, bool *agrees,
                    hw_error *err)
{
    const hw_model *m = p->model;
    uint64_t peak;
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    hw_code code =
        order ? milp_model_order(p, a->value, order, err) : hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = hw_peak(m, order, &peak, err);
    if (code == HW_OK) {
        const double claimed = round(a->objective);
        *agrees = claimed >= 0 && claimed < 0x1p53 && peak % p->unit_bytes == 0 &&
                  (uint64_t)claimed == peak / p->unit_bytes;
        (void)hw_answer_improve(m, answer, order, peak);
    }
    free(order);
    return code;
}

static hw_code run(const milp_model *p, hw_ilp_program program, const hw_request *request,
                   hw_meter *meter, hw_answer *answer, hw_error *err)
{
    const hw_model *m = p->model;
    const double limit = request->limits.seconds;
    double left = limit - (hw_wall_seconds() - meter->start_seconds);
    deadline d = {.request = request};
    if (limit > 0) {
        left = left > 0.01 ? left : 0.01;
        d.at = hw_wall_seconds() + left + 0.5 + left / 10; /* it has to write what it has */
    }
    const hw_program_watch watch = {is_over, &d};
    hw_ilp_answer a;
    hw_code code = hw_ilp_solve(program, (hw_ilp_format)request->params[FORMAT].i, p->program,
                                limit > 0 ? left : 0, &watch, &a, err);
    if (code != HW_OK)
        return code;
    bool agrees = true;
    const bool proves = p->most_units < MILP_PROVES;
    if (a.value)
        code = take(p, &a, answer, &agrees, err);
    free(a.value);
    answer->limit_reached = a.status == HW_ILP_UNKNOWN || a.status == HW_ILP_FEASIBLE;
    if (code != HW_OK || !proves || !agrees)
        return code;
    if (a.status == HW_ILP_INFEASIBLE && answer->has_order &&
        (!request->has_budget || answer->peak <= request->budget_bytes))
        return hw_fail(err, HW_IO,
                       "%s finds no solution, yet an order of peak %" PRIu64
                       " is in hand: it errs; choose another program (solver=...)",
                       hw_ilp_name(program), answer->peak);
    if (a.status == HW_ILP_OPTIMAL) {
        answer->status = HW_OPTIMAL;
        (void)hw_answer_bound(m, answer, answer->peak);
    } else if (a.status == HW_ILP_INFEASIBLE && request->has_budget) {
        answer->status = HW_INFEASIBLE;
    }
    return code;
}

/* What the order in hand and simple bounds leave open, to the program. */
static hw_code ask(milp_model *p, hw_ilp_program program, const hw_request *request,
                   hw_meter *meter, hw_answer *answer, hw_error *err)
{
    const hw_model *m = p->model;
    const uint64_t most = hard_budget(request, answer);
    hw_linear_column *peak = &p->program->column[p->peak];
    answer->status = HW_FEASIBLE;
    if (most < m->simple_bound) {
        answer->status = HW_INFEASIBLE; /* the budget is */
        return HW_OK;
    }
    if (answer->has_order && answer->peak == m->simple_bound) {
        answer->status = HW_OPTIMAL;
        return HW_OK;
    }
    peak->low = (int64_t)(m->simple_bound / p->unit_bytes);
    if (most / p->unit_bytes < (uint64_t)INT64_MAX)
        peak->high = (int64_t)(most / p->unit_bytes);
    return run(p, program, request, meter, answer, err);
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_meter meter;
    hw_ilp_program program;
    milp_model *p = NULL;
    hw_meter_start(&meter, request);
    hw_code code = choose(request->params[PROGRAM].i, &program, err);
    if (code == HW_OK)
        code = hw_answer_start(m, request, answer, err);
    if (code == HW_OK)
        code = hw_first_order(m, "greedy-reverse", request, answer, err);
    if (code == HW_OK)
        code = milp_model_in_time(m, &meter, &p, err);
    if (code == HW_OK)
        code = ask(p, program, request, &meter, answer, err);
    else if (code == HW_LIMIT) {
        answer->limit_reached = true;
        code = HW_OK;
    }
    (void)hw_meter_count(&meter, 1);
    answer->states = meter.states;
    milp_model_free(p);
    return code;
}

const hw_solver_row hw_solver_milp = {
    .name = "milp",
    .kind = HW_SOLVER_EXACT,
    .budget_aware = true,
    .most_nodes = MILP_MOST_NODES,
    .counts = "calls",
    .params = params,
    .n_params = N_PARAMS,
    .help = "the order as an integer program, solved by cbc, highs, glpsol or scip",
    .source = "Steiner et al. 2022, arXiv:2210.12924",
    .solve = solve,
};
