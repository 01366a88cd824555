/*
 * beam: keep the best prefixes of every size, from one end or from both.
 *
 * Level by level the `width` prefixes of least peak, then least live, are
 * kept, each prefix once.  beam_search.c says how, what it costs and what is
 * tried for each prefix.  From both ends: first from the sinks, which is
 * better as a rule, then from the sources for less than that.
 * Source: beam search (Lowerre 1976), here over prefixes.
 */
#include <stdlib.h>

#include "core/heap.h"
#include "solvers/beam_search.h"

enum { WIDTH, CANDIDATES, DIRECTION, N_PARAMS };
enum { BOTH, FORWARD, REVERSE };

static const hw_param_row params[N_PARAMS] = {
    [WIDTH] = {"width", HW_PARAM_INT, 1, BEAM_MOST_WIDTH, BEAM_WIDTH, NULL,
               "prefixes kept of each size"},
    [CANDIDATES] = {"candidates", HW_PARAM_INT, 0, BEAM_MOST_WIDTH, 0, NULL,
                    "ready nodes tried for each prefix, best key first; 0: width, at least 16"},
    [DIRECTION] = {"direction", HW_PARAM_CHOICE, 0, 2, BOTH, "both|forward|reverse",
                   "from which end to search"},
};

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    int64_t direction = request->params[DIRECTION].i;
    beam_options options = {.width = (uint32_t)request->params[WIDTH].i,
                            .candidates = (uint32_t)request->params[CANDIDATES].i,
                            .backwards = direction != FORWARD};
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_code code = order ? beam_search(m, &options, &meter, order, answer, err)
                         : hw_fail_memory(err, "a beam");
    if (code == HW_OK && direction == BOTH && !beam_is_done(m, request, answer)) {
        answer->limit_reached = meter.over;
        options.backwards = false;
        if (!meter.over)
            code = beam_search(m, &options, &meter, order, answer, err);
    }
    answer->states = meter.states;
    free(order);
    return code;
}

const hw_solver_row hw_solver_beam = {
    .name = "beam",
    .kind = HW_SOLVER_HEURISTIC,
    .budget_aware = true,
    .counts = "prefixes",
    .most_nodes = HW_HEAP_MOST,
    .params = params,
    .n_params = N_PARAMS,
    .help = "the best prefixes of every size, from both ends",
    .source = "beam search: Lowerre 1976",
    .solve = solve,
};
