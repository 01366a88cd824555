/*
 * lns: large-neighbourhood search on orders.
 *
 * From the best order of fast rules on, stretches of the order around steps that
 * use much are rearranged in two ways.
 *
 *   - Merging (lns_merge.c): some nodes of a stretch are set apart, chosen along
 *     edges, as a block or at random (lns_parts.c).  Of all ways to merge them
 *     back, either part keeping its own sequence, the best is found by dynamic
 *     programming.  That moves makers of what is alive at the peak behind it and
 *     consumers, with all that they need, before it, many at a time and over
 *     long distances.
 *   - Re-solving (lns_exact.c): the exact search decides whether a window of the
 *     order around the peak has an order of a lower peak.
 *
 * The two are strong where the other is weak: merging reaches far but moves two
 * sequences only, windows are short but free.  Where both stall the order is
 * shaken: merges go on under weights drawn at random (lns_descent.c).  Several
 * orders are improved in turn (lns_run.c).
 *
 * A change costs what its stretch does, whatever the size of the graph: the
 * order is measured by local_order.c.  Each answer is at least as good as the
 * start.
 *
 * Source: this project.  Large neighbourhoods: Shaw 1998,
 * doi:10.1007/3-540-49481-2_30; weights drawn at random: noising, Charon and
 * Hudry 1993, doi:10.1016/0167-6377(93)90023-A.
 */
#include "solvers/lns.h"
#include "solvers/start.h"

enum { WINDOW, EXACT, PATIENCE, START, N_PARAMS };

static const hw_param_row params[N_PARAMS] = {
    [WINDOW] = {"window", HW_PARAM_INT, 2, 65536, LNS_WINDOW, NULL,
                "nodes of the widest stretch that is merged"},
    [EXACT] = {"exact", HW_PARAM_INT, 0, 4096, LNS_EXACT, NULL,
               "nodes of the largest window that is re-solved; 0: none is"},
    [PATIENCE] = {"patience", HW_PARAM_INT, 0, 1e9, LNS_PATIENCE, NULL,
                  "rounds without gain after which it ends; 0: it goes on"},
    [START] = START_PARAM,
};

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_code code = start_order(m, request->params[START].i, request, &meter, answer, err);
    if (code == HW_OK && answer->has_order && !meter.over) {
        lns_options options = {.window = (uint32_t)request->params[WINDOW].i,
                               .exact = (uint32_t)request->params[EXACT].i,
                               .patience = (uint32_t)request->params[PATIENCE].i,
                               .starts = request->params[START].i == START_BEST,
                               .bound = answer->has_bound ? answer->bound : m->simple_bound,
                               .memory_bytes = request->limits.memory_bytes};
        if (request->has_budget && request->budget_bytes > options.bound)
            options.bound = request->budget_bytes;
        uint64_t peak = answer->peak;
        code = lns_improve(m, &options, request, answer->order, &peak, &meter, answer, err);
    }
    answer->states = meter.states;
    answer->limit_reached = meter.over;
    return code;
}

const hw_solver_row hw_solver_lns = {
    .name = "lns",
    .kind = HW_SOLVER_HEURISTIC,
    .random = true,
    .budget_aware = true,
    .counts = "prefixes, or as much work elsewhere",
    .params = params,
    .n_params = N_PARAMS,
    .help = "rearrange stretches around the peak, by merging and by the exact search",
    .source = "this project; large neighbourhoods: Shaw 1998, doi:10.1007/3-540-49481-2_30",
    .solve = solve,
};
