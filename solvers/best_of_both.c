/*
 * best-of-both: the best that greedy and beam find from either end.
 *
 * In turn: greedy-reverse, greedy, the beam from the sinks, the beam from the
 * sources; the beams look for less than what is in hand.  It stops when the
 * peak meets the graph's simple bound or the budget.  States are the steps and
 * prefixes of all four together.
 */
#include <stdlib.h>

#include "core/heap.h"
#include "solvers/beam_search.h"

enum { WIDTH, N_PARAMS };

static const hw_param_row params[N_PARAMS] = {
    [WIDTH] = {"width", HW_PARAM_INT, 1, BEAM_MOST_WIDTH, BEAM_WIDTH, NULL,
               "prefixes of each size that the beams keep"},
};

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    static const char *const greedy[] = {"greedy-reverse", "greedy"};
    beam_options options = {.width = (uint32_t)request->params[WIDTH].i};
    hw_limits limits = {.memory_bytes = request->limits.memory_bytes}; /* the rest: by the meter */
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_code code = order ? HW_OK : hw_fail_memory(err, "an order");
    for (int turn = 0; code == HW_OK && turn < 4 && !beam_is_done(m, request, answer); turn++) {
        if (meter.over) { /* by the last step of the one before, or in its middle */
            answer->limit_reached = true;
            break;
        }
        options.backwards = turn == 2;
        if (turn >= 2)
            code = beam_search(m, &options, &meter, order, answer, err);
        else
            code = hw_solve_inside(m, greedy[turn], &limits, &meter, request, answer, NULL, err);
    }
    answer->states = meter.states;
    free(order);
    return code;
}

const hw_solver_row hw_solver_best_of_both = {
    .name = "best-of-both",
    .kind = HW_SOLVER_HEURISTIC,
    .budget_aware = true,
    .counts = "steps and prefixes",
    .most_nodes = HW_HEAP_MOST,
    .params = params,
    .n_params = N_PARAMS,
    .help = "the best of greedy and beam, each from the sources and from the sinks",
    .source = "this project",
    .solve = solve,
};
