/*
 * level: layer by layer, the order of most frameworks.
 *
 * Kahn's algorithm: ready nodes first in, first out, sources in source order.
 * A node joins the queue after all nodes of smaller depth, so the order goes
 * by depth.  Under windows the first node of the queue that may run goes
 * next.  O(nodes + edges); under windows as scheduling by rank (ready.h).
 */
#include "solvers/ready.h"

static hw_key first_come(const hw_model *m, uint32_t v, uint32_t arrival)
{
    (void)m;
    (void)v;
    return arrival;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    if (m->earliest)
        return hw_schedule_by_rank(m, request, first_come, answer, err);
    hw_code code = hw_graph_level_order(m->graph, answer->order, err);
    answer->states = m->n_nodes;
    return code == HW_OK ? hw_answer_finish(m, answer, err) : code;
}

const hw_solver_row hw_solver_level = {
    .name = "level",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "layer by layer: ready nodes first in, first out",
    .source = "A. B. Kahn, Topological sorting of large networks, CACM 5 (1962), "
              "10.1145/368996.369025",
    .solve = solve,
};
