/*
 * greedy-mixed: a blend of net change and critical path.
 *
 * The seed article (section 3.2) weighs memory against the critical path 8:2
 * or 9:1 but does not say in which units.  Here both are shares of the largest
 * value they can have in the graph: the least
 *
 *     weight * net change / N - (1 - weight) * longest path from v / P
 *
 * goes first, ties by source position.  N is the largest of new - dead and of
 * the sum of the buffers used over all nodes (at least 1), P the longest path
 * of the graph in nodes.  weight=1 is the order of greedy up to ties, weight=0
 * the plain critical-path rule.
 *
 * In whole numbers: the weight is rounded to thousandths and the score taken
 * times 1000 N 2^20; what a node of path is worth is rounded down to 2^-20 of
 * a thousandth of a byte.  Scores stay below 2^95 in size, keys below 2^127.
 * O((nodes + edges) log nodes); for windows see ready.h.
 */
#include "solvers/net_change.h"

enum { WEIGHT, N_PARAMS };

enum { THOUSAND = 1000, FRACTION_BITS = 20 };

static const hw_param_row params[N_PARAMS] = {
    [WEIGHT] = {"weight", HW_PARAM_REAL, 0, 1, 0.8, NULL,
                "of net change against critical path, rounded to thousandths"},
};

static uint64_t largest_change(const hw_model *m)
{
    uint64_t most = 1;
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        uint64_t grows = m->new_bytes[v] - m->dead_bytes[v], frees = 0;
        for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++)
            frees += m->buffer_size[m->uses.item[i]];
        if (grows > most)
            most = grows;
        if (frees > most)
            most = frees;
    }
    return most;
}

static hw_code run(hw_net *s, hw_key net_unit, hw_key path_unit, const hw_request *request,
                   hw_answer *answer, hw_error *err)
{
    uint32_t n = s->m->n_nodes, step = 0;
    hw_meter meter;
    hw_meter_start(&meter, request);
    while (s->ready.count && !answer->limit_reached) {
        hw_key key;
        bool hole = hw_gate_take(&s->gate, &s->ready, &key);
        if (key == 0)
            return hw_gate_stuck(&s->gate, err);
        uint32_t v = hw_key_item(key);
        answer->order[step++] = v;
        hw_net_run(s, net_unit, path_unit, v, hole);
        answer->limit_reached = hw_meter_count(&meter, 1) && step < n;
    }
    answer->states = meter.states;
    return answer->limit_reached ? HW_OK : hw_answer_finish(s->m, answer, err);
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_net s;
    hw_code code = hw_net_open(&s, m, err);
    if (code == HW_OK) {
        uint32_t longest = 1;
        for (uint32_t v = 0; v < m->n_nodes; v++)
            if (s.path[v] > longest)
                longest = s.path[v];
        hw_key weight = (hw_key)(request->params[WEIGHT].r * THOUSAND + 0.5);
        hw_key node_worth = ((THOUSAND - weight) << FRACTION_BITS) * largest_change(m) / longest;
        hw_key net_unit = weight << (FRACTION_BITS + HW_HEAP_ITEM_BITS);
        hw_key path_unit = node_worth << HW_HEAP_ITEM_BITS;
        hw_net_prime(&s, net_unit, path_unit);
        code = run(&s, net_unit, path_unit, request, answer, err);
    }
    hw_net_close(&s);
    return code;
}

const hw_solver_row hw_solver_greedy_mixed = {
    .name = "greedy-mixed",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .params = params,
    .n_params = N_PARAMS,
    .help = "a weighted blend of least net change and longest path left",
    .source = "seed article, section 3.2 (weights 8:2 and 9:1)",
    .solve = solve,
};
