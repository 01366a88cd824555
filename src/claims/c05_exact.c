/*
 * C05: exact answers are out of reach for industrial graphs, so everyone uses
 * heuristics.
 *
 * Real graphs (nets in inference and training, graph files) and random graphs
 * of growing size, by `exact` within a number of states, so that no clock
 * decides.  The claim holds if at most a tenth of the real graphs are settled,
 * fails if at least nine tenths are (the 95 % interval of the share on that
 * side of a half, too), and else holds only beyond the number of nodes where
 * half are settled.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "bench/stats.h"
#include "claims/tools.h"
#include "core/memory.h"

static const hw_limits real_limits = {.states = 100000};
static const uint32_t sizes[] = {20, 40, 80, 160, 320};
static const struct {
    const char *name, *spec;
} families[] = {{"erdos, 1 edge a node", "erdos:degree=1"},
                {"erdos, 2 edges a node", "erdos:degree=2"},
                {"layered", "layered:degree=2"},
                {"in-trees", "tree:direction=in"},
                {"series-parallel", "series-parallel:parallel=0.5"},
                {"daggen, sparse", "daggen:density=0.2"}};
enum {
    N_SIZES = sizeof sizes / sizeof sizes[0],
    N_FAMILIES = sizeof families / sizeof families[0]
};

hw_code hw_claim_c05(hw_claim_run *run, hw_error *err);

typedef struct tally {
    uint64_t n, settled, greedy_best; /* greedy_best: of those settled */
    uint64_t most_states;
    uint32_t least_nodes, most_nodes;
    double *seconds;
    size_t room;
    size_t open_graph; /* the first not settled, SIZE_MAX: none */
} tally;

static hw_code try_graph(hw_claim_run *run, const hw_graph *g, const hw_limits *limits, tally *t,
                         bool *all_settled, hw_error *err)
{
    hw_model *m[2] = {NULL, NULL};
    hw_code code = hw_claim_models(g, m, err);
    *all_settled = true;
    for (int a = 0; code == HW_OK && a < 2; a++) {
        hw_answer answer;
        uint64_t greedy = 0;
        if (!hw_grow((void **)&t->seconds, &t->room, t->n + 1, sizeof *t->seconds)) {
            code = hw_fail_memory(err, "times");
            break;
        }
        code = hw_claim_solve(run, m[a], "exact", limits, &answer, err);
        if (code == HW_OK) {
            bool settled = answer.status == HW_OPTIMAL;
            code = hw_claim_peak(run, m[a], "greedy", &greedy, err);
            t->seconds[t->n++] = answer.seconds;
            t->settled += settled;
            t->greedy_best += settled && greedy == answer.peak;
            t->most_states = answer.states > t->most_states ? answer.states : t->most_states;
            *all_settled = *all_settled && settled;
            hw_answer_clear(&answer);
        }
    }
    if (t->least_nodes == 0 || g->n_nodes < t->least_nodes)
        t->least_nodes = g->n_nodes;
    t->most_nodes = g->n_nodes > t->most_nodes ? g->n_nodes : t->most_nodes;
    hw_claim_models_free(m);
    return code;
}

static hw_code try_real(hw_claim_run *run, tally *t, hw_error *err)
{
    hw_claim_set set;
    bool settled;
    hw_code code = hw_claim_real_graphs(run, 16, &set, err);
    t->open_graph = SIZE_MAX;
    for (size_t i = 0; code == HW_OK && i < set.n; i++) {
        code = try_graph(run, set.graph[i], &real_limits, t, &settled, err);
        if (code == HW_OK && !settled && t->open_graph == SIZE_MAX) {
            t->open_graph = i;
            code = hw_claim_example(run, "not-settled", set.graph[i], err);
        }
    }
    hw_claim_set_clear(&set);
    if (code == HW_OK)
        hw_sort_reals(t->seconds, t->n);
    return code;
}

static hw_code try_random(hw_claim_run *run, size_t k, hw_share *share, hw_error *err)
{
    const hw_limits limits = {.states = hw_claim_effort(run, 4000, 20000)};
    uint32_t each = hw_claim_effort(run, 2, 10);
    tally all = {0};
    char text[400] = "", name[40];
    size_t length = 0;
    hw_code code = HW_OK;
    for (size_t f = 0; code == HW_OK && f < N_FAMILIES; f++) {
        tally t = {0};
        for (uint32_t i = 0; code == HW_OK && i < each; i++) {
            char spec[96];
            hw_graph *g = NULL;
            bool settled;
            (void)snprintf(spec, sizeof spec, "%s,n=%u", families[f].spec, (unsigned)sizes[k]);
            code = hw_claim_generate(spec, hw_claim_seed(run), i, &g, err);
            if (code == HW_OK)
                code = try_graph(run, g, &limits, &t, &settled, err);
            hw_graph_free(g);
        }
        int n = snprintf(text + length, sizeof text - length, "%s%s %" PRIu64 " of %" PRIu64,
                         length ? ", " : "", families[f].name, t.settled, t.n);
        length += n > 0 && (size_t)n < sizeof text - length ? (size_t)n : 0;
        all.n += t.n;
        all.settled += t.settled;
        free(t.seconds);
    }
    *share = hw_share_of(all.settled, all.n);
    (void)snprintf(name, sizeof name, "random graphs of %u nodes", (unsigned)sizes[k]);
    if (code == HW_OK)
        code = hw_claim_reading(run, name, share->share <= 0.5, err,
                                "%.1f %% settled within %" PRIu64 " states (%s)",
                                100 * share->share, limits.states, text);
    (void)snprintf(name, sizeof name, "settled-at-%u", (unsigned)sizes[k]);
    if (code == HW_OK)
        code = hw_claim_number(run, name, share->share, "share", err);
    return code;
}

static hw_code tell_real(hw_claim_run *run, const tally *t, const hw_share *share, hw_error *err)
{
    const struct {
        const char *name, *unit;
        double value;
    } numbers[] = {
        {"real-graphs", "count", (double)t->n / 2},
        {"real-settled", "share", share->share},
        {"real-settled-low", "share", share->low},
        {"real-least-nodes", "count", t->least_nodes},
        {"real-most-nodes", "count", t->most_nodes},
        {"real-most-states", "count", (double)t->most_states},
        {"real-greedy-optimal", "share",
         t->settled > 0 ? (double)t->greedy_best / (double)t->settled : 0},
        {"real-median-time", "seconds", hw_quantile(t->seconds, t->n, 0.5)},
        {"real-longest-time", "seconds", hw_quantile(t->seconds, t->n, 1)},
    };
    hw_code code = hw_claim_reading(
        run, "real graphs", share->share <= 0.1, err,
        "%" PRIu64 " of %" PRIu64 " settled, both accountings, %u to %u nodes, at most %" PRIu64
        " states (median {real-median-time}, longest {real-longest-time})",
        t->settled, t->n, (unsigned)t->least_nodes, (unsigned)t->most_nodes, t->most_states);
    for (size_t i = 0; code == HW_OK && i < sizeof numbers / sizeof numbers[0]; i++)
        code = hw_claim_number(run, numbers[i].name, numbers[i].value, numbers[i].unit, err);
    return code;
}

hw_code hw_claim_c05(hw_claim_run *run, hw_error *err)
{
    tally real = {0};
    hw_share random[N_SIZES], share;
    uint32_t beyond = 0; /* the first size at which half are open */
    hw_code code = try_real(run, &real, err);
    share = hw_share_of(real.settled, real.n);
    if (code == HW_OK)
        code = tell_real(run, &real, &share, err);
    for (size_t k = 0; code == HW_OK && k < N_SIZES; k++) {
        code = try_random(run, k, &random[k], err);
        if (code == HW_OK && beyond == 0 && random[k].share <= 0.5)
            beyond = sizes[k];
    }
    bool fails = share.share >= 0.9 && share.low > 0.5;
    bool holds = share.share <= 0.1 && share.high < 0.5;
    if (code == HW_OK && !fails && !holds)
        code = beyond > 0
                   ? hw_claim_condition(run, err, "graphs are random and have %u nodes",
                                        (unsigned)beyond)
                   : hw_claim_condition(run, err, "a graph is one of the real ones left open");
    if (code == HW_OK)
        code = hw_claim_conclude(
            run,
            fails   ? HW_VERDICT_FAILS
            : holds ? HW_VERDICT_HOLDS
                    : HW_VERDICT_HOLDS_ONLY_IF,
            err,
            "Of %" PRIu64
            " real graphs and networks, up to %u nodes, %.1f %% are solved to proven optimality "
            "within %" PRIu64 " states, in {real-longest-time} at most; of random graphs %.0f %% "
            "at 40 nodes, %.0f %% at 160, %.0f %% at 320",
            real.n / 2, (unsigned)real.most_nodes, 100 * share.share, real_limits.states,
            100 * random[1].share, 100 * random[3].share, 100 * random[4].share);
    free(real.seconds);
    return code;
}
