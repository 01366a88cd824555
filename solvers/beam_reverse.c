/*
 * beam-reverse: the beam from the sinks alone.
 *
 * The same as beam:direction=reverse, as a solver with a name, to stand beside
 * greedy-reverse in tables.  The last step is settled first: of the nodes
 * without a successor among those left one is taken off, and the `width` sets
 * of least peak, then least live before, are kept (beam_search.c).
 */
#include <stdlib.h>

#include "core/heap.h"
#include "solvers/beam_search.h"

enum { WIDTH, N_PARAMS };

static const hw_param_row params[N_PARAMS] = {
    [WIDTH] = {"width", HW_PARAM_INT, 1, BEAM_MOST_WIDTH, BEAM_WIDTH, NULL,
               "sets kept of each size"},
};

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    beam_options options = {.width = (uint32_t)request->params[WIDTH].i, .backwards = true};
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_code code = order ? beam_search(m, &options, &meter, order, answer, err)
                         : hw_fail_memory(err, "a beam");
    answer->states = meter.states;
    free(order);
    return code;
}

const hw_solver_row hw_solver_beam_reverse = {
    .name = "beam-reverse",
    .kind = HW_SOLVER_HEURISTIC,
    .counts = "prefixes",
    .most_nodes = HW_HEAP_MOST,
    .params = params,
    .n_params = N_PARAMS,
    .help = "the beam from the sinks backwards",
    .source = "beam search (Lowerre 1976) on the reversed graph",
    .solve = solve,
};
