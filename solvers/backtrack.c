/*
 * backtrack: greedy, with local backtracking around the peak.
 *
 * The seed article (section 3.4) names "a layer of local backtracking search" on
 * top of greedy and says no more.  The reading here: the peak is one step's, and
 * what made it too high was chosen a little before.  So go back from the first
 * step that reaches the peak, one step at a time and `depth` steps at most; at
 * each try the `width` best ready nodes besides the one that was taken, and
 * complete the order by greedy.  The first order of a lower peak is kept, and
 * all begins anew around its peak, until none of the alternatives leads to a
 * lower one.  In the terms of limited discrepancy search: one discrepancy at a
 * time, near the peak, over and over.
 *
 * An alternative is given up at its first step that uses as much as the peak,
 * mostly at once; states are taken back and forth step by step (net_change.h),
 * so a try costs its own steps alone.  The answer is never worse than greedy's,
 * the first order.  O((nodes + edges) log nodes) for greedy, at most depth x
 * width tries for each gain, of at most as much each.
 *
 * Source: seed article, section 3.4; limited discrepancy search: Harvey and
 * Ginsberg 1995.
 */
#include <string.h>

#include "solvers/net_change.h"

enum { DEPTH, WIDTH, N_PARAMS };
enum { MOST_WIDTH = 64 };

static const hw_param_row params[N_PARAMS] = {
    [DEPTH] = {"depth", HW_PARAM_INT, 0, 1e9, 100, NULL, "steps to go back from the peak"},
    [WIDTH] = {"width", HW_PARAM_INT, 1, MOST_WIDTH, 5, NULL, "other nodes to try at each of them"},
};

/* A growing order with its way back. */
typedef struct walk {
    const hw_model *m;
    hw_net net;
    hw_meter meter;
    hw_key *key;    /* of each step, before it was taken        */
    uint64_t *live; /* before each step                         */
    uint64_t *most; /* greatest usage of the steps before each  */
    uint32_t steps;
} walk;

/* Run the node of this key, which is fresh and may run, unless it uses `limit` (0: any). */
static bool step(walk *w, hw_key key, uint64_t limit)
{
    const hw_model *m = w->m;
    uint32_t v = hw_key_item(key), at = w->steps;
    uint64_t after = w->live[at] + hw_net_of_key(key);
    uint64_t usage = w->live[at] + m->new_bytes[v] + hw_workspace(m, v);
    if (m->accounting == HW_FREE_FIRST)
        usage = after + m->dead_bytes[v] + hw_workspace(m, v);
    else if (m->reuse_offset)
        usage -= hw_net_reuse(&w->net, v);
    if (limit && usage >= limit)
        return false;
    w->key[at] = key;
    w->live[at + 1] = after;
    w->most[at + 1] = usage > w->most[at] ? usage : w->most[at];
    w->steps++;
    hw_net_apply(&w->net, v);
    return true;
}

static void go_back(walk *w, uint32_t steps)
{
    while (w->steps > steps)
        hw_net_undo(&w->net, w->key[--w->steps]);
}

/* The best keys that may run, best first, into best[0 .. most); returns how many. */
static uint32_t find_best(walk *w, uint32_t most, hw_key *best)
{
    hw_heap *heap = &w->net.ready;
    uint32_t found = 0;
    if (most == 1 && !w->net.gate.windows && heap->count) {
        best[0] = heap->slot[0];
        return 1;
    }
    while (found < most && heap->count) {
        hw_key key = hw_gate_pop(&w->net.gate, heap);
        if (key == 0)
            break;
        hw_gate_back(&w->net.gate, hw_key_item(key)); /* it has not run */
        best[found++] = key;
    }
    for (uint32_t i = 0; i < found; i++)
        hw_heap_push(heap, best[i]);
    return found;
}

/* Go on by greedy to the end, unless a step would use `limit` (0: any) or the meter says stop. */
static hw_code complete(walk *w, uint64_t limit, bool *whole, hw_error *err)
{
    hw_key key;
    *whole = false;
    while (w->steps < w->m->n_nodes) {
        if (find_best(w, 1, &key) == 0)
            return hw_gate_stuck(&w->net.gate, err);
        bool over = hw_meter_count(&w->meter, 1);
        if (!step(w, key, limit) || (over && w->steps < w->m->n_nodes))
            return HW_OK;
    }
    *whole = true;
    return HW_OK;
}

/* The whole order becomes the answer; it is the one that stands there up to step `from`. */
static void hand_over(walk *w, uint32_t from, hw_answer *answer)
{
    for (uint32_t i = from; i < w->m->n_nodes; i++)
        answer->order[i] = hw_key_item(w->key[i]);
    (void)hw_answer_improve(w->m, answer, answer->order, w->most[w->m->n_nodes]);
}

/* Other nodes than the answer's at the step that comes next. */
static hw_code try_others(walk *w, uint32_t width, hw_answer *answer, bool *better, hw_error *err)
{
    hw_key best[MOST_WIDTH + 1];
    uint32_t at = w->steps, found = find_best(w, width + 1, best), tried = 0;
    hw_code code = HW_OK;
    for (uint32_t i = 0; i < found && tried < width && !w->meter.over && code == HW_OK; i++) {
        if (hw_key_item(best[i]) == answer->order[at])
            continue;
        tried++;
        (void)hw_meter_count(&w->meter, 1);
        if (!step(w, best[i], answer->peak))
            continue;
        code = complete(w, answer->peak, better, err);
        if (*better) {
            hand_over(w, at, answer);
            break;
        }
        go_back(w, at);
    }
    return code;
}

static bool is_enough(const walk *w, const hw_request *request, const hw_answer *answer)
{
    return answer->peak <= w->m->simple_bound ||
           (request->has_budget && answer->peak <= request->budget_bytes);
}

/* Go back from the peak of the answer until another node leads to a lower one. */
static hw_code go_round(walk *w, const hw_request *request, hw_answer *answer, bool *better,
                        hw_error *err)
{
    uint32_t n = w->m->n_nodes, at = n;
    int64_t back = request->params[DEPTH].i;
    hw_code code = HW_OK;
    *better = false;
    while (at > 0 && w->most[at - 1] == answer->peak)
        at--; /* step at - 1 is the first that reaches the peak; 0: live before it does */
    for (; at > 0 && back > 0 && code == HW_OK && !*better && !w->meter.over; at--, back--) {
        go_back(w, at - 1);
        code = try_others(w, (uint32_t)request->params[WIDTH].i, answer, better, err);
    }
    return code;
}

static hw_code run(walk *w, const hw_request *request, hw_answer *answer, hw_error *err)
{
    bool better;
    hw_meter_start(&w->meter, request);
    w->live[0] = w->most[0] = w->m->live_empty;
    hw_code code = complete(w, 0, &better, err);
    if (code == HW_OK && better)
        hand_over(w, 0, answer);
    while (code == HW_OK && better && !w->meter.over && !is_enough(w, request, answer))
        code = go_round(w, request, answer, &better, err);
    answer->states = w->meter.states;
    answer->limit_reached = w->meter.over;
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    walk w;
    memset(&w, 0, sizeof w);
    w.m = m;
    w.key = HW_NEW(hw_key, m->n_nodes);
    w.live = HW_NEW(uint64_t, (size_t)m->n_nodes + 1);
    w.most = HW_NEW(uint64_t, (size_t)m->n_nodes + 1);
    hw_code code = hw_net_open(&w.net, m, err);
    if (!w.key || !w.live || !w.most) {
        code = hw_fail_memory(err, "an order and the way back");
    } else if (code == HW_OK) {
        hw_net_prime(&w.net, HW_NET_UNIT, HW_NET_PATH_UNIT);
        code = run(&w, request, answer, err);
    }
    hw_net_close(&w.net);
    free(w.key);
    free(w.live);
    free(w.most);
    return code;
}

const hw_solver_row hw_solver_backtrack = {
    .name = "backtrack",
    .kind = HW_SOLVER_HEURISTIC,
    .budget_aware = true,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .params = params,
    .n_params = N_PARAMS,
    .help = "greedy, then other choices shortly before the peak, again and again",
    .source = "seed article, section 3.4; Harvey and Ginsberg 1995 (limited discrepancies)",
    .solve = solve,
};
