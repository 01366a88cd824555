/*
 * backtrack: greedy, then other choices at the steps before its peak.
 *
 * The seed article (section 3.4) would put "a layer of local backtracking
 * search" over greedy and says no more.  Our reading of it:
 *
 *  1. Run greedy.
 *  2. Find the first step that reaches the peak and go back `back` steps.
 *  3. From there on search by limited discrepancies (Harvey and Ginsberg,
 *     "Limited discrepancy search", IJCAI 1995): all tries that choose
 *     otherwise at one step up to the peak's, then at two, up to
 *     `discrepancies`.
 *  4. After the peak's step complete by greedy.  An order with a smaller peak,
 *     or with the same peak at a later step, takes the place of the one in hand.
 *  5. Again from 2, until nothing around the peak is better, the work is as
 *     much as `effort` greedy runs, or a limit is reached.
 *
 * Choices of ours:
 *
 *  - While a try is a prefix of the order in hand, that order's node is the
 *    choice of the heuristic; once it is not, the node of best key is.  The
 *    other choices are the `width` next ones in order of key.  At the peak's
 *    step the order's own node is what makes the peak, so only others are left.
 *  - A node whose step would reach the peak is no choice.
 *  - Harvey and Ginsberg choose otherwise at the top of their tree first; here
 *    the steps nearest to the peak come first (about as good on the families
 *    tried, and the tries are shorter).  As in Korf's improvement (AAAI 1996),
 *    a turn leaves out tries with fewer discrepancies than its number: earlier
 *    turns had them.
 *  - "The same peak at a later step" is needed where a graph repeats: its peaks
 *    are equal, and one is mended after the other.  Peak first, then step, so
 *    the search ends.
 *  - A try ends where it has moved the same nodes as the order in hand, since
 *    the rest is as before, and in the cases of backtrack_search.c.
 *  - A start order takes the place of greedy's if its peak is not greater.
 *    direction=better makes the greedy orders of both ends and goes on with
 *    that of smaller peak, the forward one of two equals.
 *
 * Only orders better than greedy's take its place, so the answer is never worse
 * than greedy (direction=reverse: greedy-reverse; better: both).
 *
 * A step of a try, taken back again, costs two or three of greedy's.  Work is
 * counted in buffers, edges and keys looked at, and one greedy run is
 * O((nodes + edges) log nodes): so is the whole, `effort` times.  As a rule the
 * tries end within the steps around the peak.  Memory is O(nodes + edges).
 */
#include <string.h>

#include "solvers/backtrack_search.h"

enum { BACK, WIDTH, DISCREPANCIES, EFFORT, DIRECTION, N_PARAMS };
enum { FORWARD, REVERSE, BETTER };
enum { MOST_BACK = 10000, MOST_DISCREPANCIES = 100, MOST_EFFORT = 1000000 };

static const hw_param_row params[N_PARAMS] = {
    [BACK] = {"back", HW_PARAM_INT, 0, MOST_BACK, 12, NULL, "steps before the peak's to go back"},
    [WIDTH] = {"width", HW_PARAM_INT, 1, BACKTRACK_MOST_WIDTH, 4, NULL,
               "other choices at each of these steps"},
    [DISCREPANCIES] = {"discrepancies", HW_PARAM_INT, 0, MOST_DISCREPANCIES, 6, NULL,
                       "steps that choose otherwise at once"},
    [EFFORT] = {"effort", HW_PARAM_INT, 0, MOST_EFFORT, 100, NULL,
                "work of the search, in greedy runs; 0: as much as it takes"},
    [DIRECTION] = {"direction", HW_PARAM_CHOICE, 0, 2, FORWARD, "forward|reverse|better",
                   "of greedy and search; better: of the greedy order with the smaller peak"},
};

/* Let the order in hand stand if it is better. */
static void hand_over(backtrack_search *s, hw_answer *answer)
{
    const hw_model *m = s->walk.m;
    uint32_t n = m->n_nodes;
    uint64_t peak = backtrack_order_peak(&s->order);
    peak = peak > m->live_empty ? peak : m->live_empty;
    if (answer->has_order && peak >= answer->peak)
        return;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = beam_walk_node(&s->walk, s->order.item[i]);
        s->item[s->walk.backwards ? n - 1 - i : i] = v;
    }
    s->walk.work += n;
    (void)hw_answer_improve(m, answer, s->item, peak);
}

static bool is_settled(const hw_model *m, const hw_request *request, const hw_answer *answer)
{
    return answer->has_order && (answer->peak <= m->simple_bound ||
                                 (request->has_budget && answer->peak <= request->budget_bytes));
}

/* The greedy order, in hand and handed over. */
static hw_code begin(backtrack_search *s, const hw_model *m, bool backwards,
                     const backtrack_options *options, hw_meter *meter, const hw_request *request,
                     hw_answer *answer, hw_error *err)
{
    hw_code code = backtrack_open(s, m, backwards, options, meter, err);
    if (code != HW_OK)
        return code;
    switch (backtrack_greedy(s)) {
    case BACKTRACK_BETTER:
        hand_over(s, answer);
        answer->limit_reached = meter->over && !is_settled(m, request, answer);
        return HW_OK;
    case BACKTRACK_STUCK:
        return hw_gate_stuck(&s->walk.gate, err);
    default:
        answer->limit_reached = true;
        return HW_OK;
    }
}

static void improve(backtrack_search *s, const hw_request *request, bool has_start,
                    hw_answer *answer)
{
    uint64_t greedy_work = s->walk.work, effort = (uint64_t)request->params[EFFORT].i;
    backtrack_end end = BACKTRACK_BETTER;
    if (has_start)
        end = backtrack_take(s, answer->order);
    if (effort)
        s->most_work = s->walk.work + effort * greedy_work;
    while (end == BACKTRACK_BETTER) {
        hand_over(s, answer);
        if (is_settled(s->walk.m, request, answer))
            return;
        end = backtrack_around_peak(s);
    }
    answer->limit_reached = s->meter->over;
}

static hw_code run(backtrack_search s[2], const hw_model *m, const hw_request *request,
                   hw_meter *meter, hw_answer *answer, hw_error *err)
{
    const hw_param_value *p = request->params;
    const backtrack_options options = {.back = (uint32_t)p[BACK].i,
                                       .width = (uint32_t)p[WIDTH].i,
                                       .discrepancies = (uint32_t)p[DISCREPANCIES].i};
    backtrack_search *in_hand = &s[0];
    hw_code code = hw_answer_start(m, request, answer, err);
    uint64_t start = answer->has_order ? answer->peak : UINT64_MAX;
    if (code == HW_OK)
        code = begin(&s[0], m, p[DIRECTION].i == REVERSE, &options, meter, request, answer, err);
    if (code == HW_OK && p[DIRECTION].i == BETTER && !answer->limit_reached &&
        !is_settled(m, request, answer)) {
        code = begin(&s[1], m, true, &options, meter, request, answer, err);
        if (code == HW_OK && !answer->limit_reached &&
            backtrack_order_peak(&s[1].order) < backtrack_order_peak(&s[0].order))
            in_hand = &s[1];
    }
    if (code != HW_OK || answer->limit_reached || is_settled(m, request, answer))
        return code;
    backtrack_close(in_hand == &s[0] ? &s[1] : &s[0]);
    improve(in_hand, request, start <= backtrack_order_peak(&in_hand->order), answer);
    return HW_OK;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    backtrack_search s[2];
    hw_meter meter;
    memset(s, 0, sizeof s);
    hw_meter_start(&meter, request);
    hw_code code = run(s, m, request, &meter, answer, err);
    backtrack_close(&s[0]);
    backtrack_close(&s[1]);
    answer->states = meter.states;
    return code;
}

const hw_solver_row hw_solver_backtrack = {
    .name = "backtrack",
    .kind = HW_SOLVER_HEURISTIC,
    .budget_aware = true,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps taken or taken back",
    .params = params,
    .n_params = N_PARAMS,
    .help = "greedy, then other choices at the steps before its peak",
    .source = "seed article, section 3.4 (local backtracking); Harvey and Ginsberg, 1995",
    .solve = solve,
};
