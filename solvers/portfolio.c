/*
 * portfolio: the best order that all of this project finds in a given time.
 *
 * 1. Quick rules, each near-linear, the best ones first; the optimal
 *    traversals of trees and series-parallel graphs, which refuse all others
 *    at once.
 * 2. A lower bound (footprints, minimum cuts), so that an order that meets it
 *    ends the run.
 * 3. Rounds, each with twice the effort of the one before: the exact search,
 *    with its reductions, bounds and re-solved windows, from the best order so
 *    far; then large-neighbourhood search (lns), which goes on from where it
 *    was, for as long or, on graphs whose optimum is out of reach, longer.  The
 *    round that proves the optimum is the last.
 *
 * What is tried, and how long, depends on states alone where they are limited,
 * or nothing is, so that such a run repeats exactly; under a limit of seconds
 * alone the exact search gets its part of the time.  Without any limit it ends
 * after `rounds`.
 *
 * Source: algorithm portfolios, Huberman, Lukose and Hogg 1997,
 * doi:10.1126/science.275.5296.51; Gomes and Selman 2001,
 * doi:10.1016/S0004-3702(00)00081-3.
 */
#include "solvers/bound.h"
#include "solvers/portfolio_local.h"

enum { ROUNDS, N_PARAMS };

/* Without a limit, and where the parameter is 0. */
enum { ROUNDS_UNLIMITED = 8, MOST_ROUNDS = 50 };

/* Before this round the bound by minimum cuts is found. */
enum { FLOWS_ROUND = 4 };

static const hw_param_row params[N_PARAMS] = {
    [ROUNDS] = {"rounds", HW_PARAM_INT, 0, MOST_ROUNDS, 0, NULL,
                "the last round; 0: until a limit ends it, 8 without any limit"},
};

typedef struct portfolio {
    const hw_model *m;
    const hw_request *request;
    hw_answer *answer;
    hw_meter meter;
    portfolio_local local;
} portfolio;

/* The peak at which nothing more is to be found, as far as is known. */
static uint64_t enough(const portfolio *p)
{
    const hw_answer *a = p->answer;
    const hw_request *r = p->request;
    uint64_t bound = a->has_bound ? a->bound : p->m->simple_bound;
    return r->has_budget && r->budget_bytes > bound ? r->budget_bytes : bound;
}

/* There is nothing more to find, or no time left. */
static bool finished(const portfolio *p)
{
    const hw_answer *a = p->answer;
    const hw_request *r = p->request;
    return p->meter.over || (a->has_order && a->peak <= enough(p)) ||
           (r->has_budget && a->has_bound && a->bound > r->budget_bytes);
}

/* One solver, for so many states and seconds of its own (0: no limit). */
static hw_code ask(portfolio *p, const char *spec, uint64_t states, double seconds, hw_error *err)
{
    const hw_limits limits = {
        .states = states, .seconds = seconds, .memory_bytes = p->request->limits.memory_bytes};
    if (finished(p))
        return HW_OK;
    return hw_solve_inside(p->m, spec, &limits, &p->meter, p->request, p->answer, NULL, err);
}

static hw_code ask_rules(portfolio *p, hw_error *err)
{
    static const char *const rules[] = {
        "greedy-reverse", "greedy",    "liu",           "series-parallel",
        "lookahead:k=3",  "dfs",       "source",        "lpmf",
        "xla-list",       "xla-dfs",   "xla-postorder", "inductor-dfs",
        "ort-dfs",        "by-output", "level",
    };
    hw_code code = hw_answer_start(p->m, p->request, p->answer, err);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && code == HW_OK; i++)
        code = ask(p, rules[i], 0, 0, err);
    return code;
}

/* Flows take longer than footprints: they wait for the first rounds. */
static hw_code ask_bounds(portfolio *p, bool flows, hw_error *err)
{
    bound_ladder ladder;
    const uint64_t steps[BOUND_KINDS] = {[BOUND_FOOTPRINT] = bound_quick_steps[BOUND_FOOTPRINT],
                                         [BOUND_MINCUT] =
                                             flows ? bound_quick_steps[BOUND_MINCUT] : 0};
    if (finished(p))
        return HW_OK;
    hw_request request = {
        .limits.seconds = p->request->limits.seconds, .stop = p->request->stop, .outer = &p->meter};
    hw_code code = bound_ladder_find(p->m, &request, steps, &ladder, err);
    for (int kind = 0; kind < BOUND_KINDS && code == HW_OK; kind++)
        (void)hw_answer_bound(p->m, p->answer, ladder.part[kind].bytes);
    return code;
}

/* States of either kind that take about a hundredth of a second, the exact ones on small graphs. */
enum { LOCAL_UNIT = 6144, EXACT_UNIT = 2048 };

/*
 * Nodes from which on the exact search seldom ends in time: it gets a part of
 * every third round (of small graphs too, a part of each, once it has not ended
 * in the first rounds); is tried for graphs that fall into small pieces; is
 * tried once, late, for it takes seconds to begin; takes too long for that.  Its own means to
 * better orders are left out where the local search is better at that.
 */
enum { LARGE = 128, VERY_LARGE = 5000, HUGE = 20000, TOO_LARGE = 200000 };

enum { EVEN_ROUNDS = 5, EVERY = 3, LATE_ROUND = 7 };

/* On very large graphs: enough where they fall into small pieces. */
enum { FEW_STATES = 64 };

enum { LAST_STATES = 65536, LAST_CUBE = 160000000 };

/* States of the exact search in a round; 0: it is left out. */
static uint64_t exact_states(uint32_t n, uint64_t round)
{
    uint64_t nodes = n, cost = 1 + nodes * nodes / 16384 + nodes * nodes * nodes / 2500000;
    uint64_t unit = EXACT_UNIT / cost;
    unit = unit ? unit : 1;
    if (n < LARGE)
        return round <= EVEN_ROUNDS ? unit << round : (unit << round) / 2;
    if (n < VERY_LARGE)
        return round % EVERY == 1 ? 1 + (unit << round) / 2 : 0;
    bool due = n < HUGE ? round % EVERY == 1 : n < TOO_LARGE && round == LATE_ROUND;
    return due ? FEW_STATES : 0;
}

/*
 * The exact search of a round.  What one of its states takes depends on the
 * pieces that the graph falls into.  Under a limit of seconds alone the search
 * gets a part of the time so far, and as many states as that holds; otherwise
 * states for the worst case, so that the run repeats exactly.
 */
static hw_code ask_exact(portfolio *p, uint64_t states, hw_error *err)
{
    const hw_limits *l = &p->request->limits;
    uint32_t n = p->m->n_nodes;
    if (n < LARGE)
        return ask(p, "exact", states, 0, err);
    bool by_time = l->seconds > 0 && !l->states;
    double so_far = hw_wall_seconds() - p->meter.start_seconds;
    return ask(p, "exact:beam=0,windows=no", by_time ? 0 : states, by_time ? so_far / EVERY : 0,
               err);
}

/* States of a last attempt, where no limit is set: some seconds in the worst case. */
static uint64_t last_states(uint32_t n)
{
    uint64_t nodes = n, cost = 1 + nodes * nodes * nodes / LAST_CUBE;
    return n >= LARGE && n < VERY_LARGE ? LAST_STATES / cost : 0;
}

static hw_code ask_searches(portfolio *p, hw_error *err)
{
    uint32_t n = p->m->n_nodes;
    uint64_t rounds = (uint64_t)p->request->params[ROUNDS].i;
    const hw_limits *l = &p->request->limits;
    bool limited = l->states || l->seconds > 0, ends = rounds || !limited;
    if (rounds == 0)
        rounds = limited ? MOST_ROUNDS : ROUNDS_UNLIMITED;
    hw_code code = HW_OK;
    for (uint64_t round = 0; round < rounds && code == HW_OK && !finished(p); round++) {
        uint64_t states = exact_states(n, round);
        if (round == FLOWS_ROUND)
            code = ask_bounds(p, true, err);
        if (code == HW_OK && states)
            code = ask_exact(p, states, err);
        if (code == HW_OK && round > 0) /* what is settled at once is settled by the exact search */
            code = portfolio_local_go_on(&p->local, (uint64_t)LOCAL_UNIT << round, enough(p),
                                         &p->meter, p->answer, err);
    }
    if (code == HW_OK && ends && last_states(n))
        code = ask(p, "exact:beam=0,windows=no", last_states(n), 0, err);
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    portfolio p = {.m = m, .request = request, .answer = answer};
    hw_meter_start(&p.meter, request);
    hw_code code = ask_rules(&p, err);
    if (code == HW_OK)
        code = ask_bounds(&p, false, err);
    if (code == HW_OK)
        code = portfolio_local_open(&p.local, m, request, answer, err);
    if (code == HW_OK)
        code = ask_searches(&p, err);
    portfolio_local_close(&p.local);
    answer->states = p.meter.states;
    answer->limit_reached = p.meter.over;
    if (answer->has_order && answer->has_bound && answer->peak == answer->bound)
        answer->status = HW_OPTIMAL;
    return code;
}

const hw_solver_row hw_solver_portfolio = {
    .name = "portfolio",
    .kind = HW_SOLVER_EXACT,
    .random = true,
    .budget_aware = true,
    .counts = "states of its parts",
    .params = params,
    .n_params = N_PARAMS,
    .help = "quick rules, bounds, exact search and local search in turn, as far as the limits go",
    .source = "this project; portfolios: Huberman, Lukose and Hogg 1997, "
              "doi:10.1126/science.275.5296.51",
    .solve = solve,
};
