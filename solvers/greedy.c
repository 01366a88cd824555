/*
 * greedy: at each step the ready node with the least net change.
 *
 * Net change = live after the step less live before it; ties by the longest
 * remaining path in nodes (longest first), then by source position.  This is
 * the rule of the seed article's section 3.1 with keys that never go stale.
 * O((nodes + edges) log nodes); for windows see ready.h.
 *
 * The peak is found on the way: the key of a step tells by how much it changes
 * what is live, which saves a second run over the graph.
 */
#include "solvers/net_change.h"

static hw_code run(hw_net *s, const hw_request *request, hw_answer *answer, hw_error *err)
{
    const hw_model *m = s->m;
    uint32_t n = m->n_nodes, step = 0;
    uint64_t live = m->live_empty, peak = live;
    hw_meter meter;
    hw_meter_start(&meter, request);
    while (s->ready.count && !answer->limit_reached) {
        hw_key key;
        bool hole = hw_gate_take(&s->gate, &s->ready, &key);
        if (key == 0)
            return hw_gate_stuck(&s->gate, err);
        uint32_t v = hw_key_item(key);
        answer->order[step++] = v;
        uint64_t usage = live + m->new_bytes[v] + hw_workspace(m, v);
        if (m->reuse_offset)
            usage -= hw_net_reuse(s, v);
        live += hw_net_of_key(key);
        if (m->accounting == HW_FREE_FIRST)
            usage = live + m->dead_bytes[v] + hw_workspace(m, v);
        if (usage > peak)
            peak = usage;
        hw_net_run(s, HW_NET_UNIT, HW_NET_PATH_UNIT, v, hole);
        answer->limit_reached = hw_meter_count(&meter, 1) && step < n;
    }
    answer->states = meter.states;
    if (!answer->limit_reached)
        (void)hw_answer_improve(m, answer, answer->order, peak);
    return HW_OK;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_net s;
    hw_code code = hw_net_open(&s, m, err);
    if (code == HW_OK) {
        hw_net_prime(&s, HW_NET_UNIT, HW_NET_PATH_UNIT);
        code = run(&s, request, answer, err);
    }
    hw_net_close(&s);
    return code;
}

const hw_solver_row hw_solver_greedy = {
    .name = "greedy",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "least net change first, keys always up to date; ties by the longest path left",
    .source = "seed article, sections 3.1 and 3.2",
    .solve = solve,
};
