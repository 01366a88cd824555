/*
 * C11: the bad cases share one trait: two branches with large blocks of
 * similar size, of which greedy takes the wrong one first, so that both live.
 *
 * What is a branch, a block, large and similar is open: readings.h tries eight
 * meanings.  Two populations: random graphs, where a gap above 20 % is bad, and
 * graphs that a search bred to be bad (the article's "constructed" ones), the
 * best of each lane.  A reading is the trait if at least nine in ten of the
 * bad have it and, where there are others to compare with, it marks the bad
 * (the exact interval of the odds ratio lies above 1).
 *
 * The claim holds if one reading does in both populations and accountings;
 * only for bred graphs, or only for random ones, if one does there.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "adversary/search.h"
#include "claims/strata.h"
#include "core/rng.h"
#include "traits/traits.h"

enum { DRAWN, BRED, POPULATIONS, BAD_PERCENT = 20 };
static const double shared_by = 0.9;
static const uint32_t drawn_nodes[] = {10, 12}, bred_nodes[] = {6, 8, 10, 12};
static const hw_shape bred_shapes[] = {HW_SHAPE_ANY, HW_SHAPE_SERIES_PARALLEL, HW_SHAPE_LAYERED};

hw_code hw_claim_c11(hw_claim_run *run, hw_error *err);

typedef struct population {
    hw_trait_sample sample;
    hw_trait_report report;
} population;

static hw_code start(hw_claim_run *run, population *p, int accounting, hw_error *err)
{
    memset(p, 0, sizeof *p);
    p->sample.accounting = (hw_accounting)accounting;
    p->sample.seed = hw_claim_seed(run);
    p->sample.stop = hw_claim_stop_flag(run);
    return hw_solver_parse("greedy", &p->sample.row, p->sample.values, err);
}

static hw_code add(hw_claim_run *run, population *p, hw_graph *g, uint32_t family, uint32_t law,
                   hw_error *err)
{
    const uint32_t group[HW_TRAIT_GROUPINGS] = {family, law};
    hw_code code = hw_trait_add(&p->sample, g, group, err);
    return code == HW_OK && hw_claim_stopped(run) ? hw_fail(err, HW_STOPPED, "stopped by a signal")
                                                  : code;
}

static hw_code draw(hw_claim_run *run, population *p, hw_error *err)
{
    uint32_t each = hw_claim_effort(run, 4, 24);
    hw_code code = HW_OK;
    for (size_t f = 0; f < hw_n_strata_families; f++)
        for (size_t k = 0; k < sizeof drawn_nodes / sizeof drawn_nodes[0]; k++)
            for (uint32_t l = 0; l < 3; l++)
                for (uint32_t i = 0; code == HW_OK && i < each; i++) {
                    char spec[HW_SHEET_SPEC];
                    hw_graph *g = NULL;
                    (void)snprintf(spec, sizeof spec, "%s,n=%u,sizes=%s",
                                   hw_strata_families[f].spec, (unsigned)drawn_nodes[k],
                                   hw_strata_sizes[l]);
                    code = hw_claim_generate(spec, hw_claim_seed(run), i, &g, err);
                    if (code == HW_OK)
                        code = add(run, p, g, (uint32_t)f, l, err);
                }
    return code;
}

/* The best of one lane of a search for graphs on which greedy is bad. */
static hw_code breed_one(hw_claim_run *run, population *p, hw_search *s, uint64_t lane,
                         uint32_t group, hw_error *err)
{
    hw_lane_plan plan;
    hw_find best;
    hw_graph *g = NULL;
    bool any = false;
    uint64_t used;
    hw_search_plan(s, lane, &plan);
    plan.budget = plan.limit = hw_claim_effort(run, 600, 2000);
    hw_code code = hw_lane_run(s, &plan, &(hw_lane_listener){0}, &best, &any, &used, err);
    if (code == HW_OK && any)
        code = hw_genome_graph(&best.genome, "bred", "a search against greedy", &g, err);
    return code == HW_OK && any ? add(run, p, g, group, HW_NONE, err) : code;
}

static hw_code breed(hw_claim_run *run, population *p, hw_error *err)
{
    uint32_t lanes = hw_claim_effort(run, 6, 12), group = 0;
    hw_search s = {.seed = hw_claim_seed(run),
                   .methods = (1U << HW_SEARCH_METHODS) - 1,
                   .label = hw_accounting_name(p->sample.accounting),
                   .space = {.most_edges = UINT32_MAX,
                             .most_in = HW_GENOME_MOST,
                             .most_out = HW_GENOME_MOST,
                             .low = 1,
                             .high = 100}};
    hw_code code = hw_goal_parse("greedy", NULL, false, &s.goal, err);
    s.goal.accounting = p->sample.accounting;
    s.goal.stop = hw_claim_stop_flag(run);
    for (size_t k = 0; k < sizeof bred_nodes / sizeof bred_nodes[0]; k++)
        for (size_t h = 0; h < sizeof bred_shapes / sizeof bred_shapes[0]; h++, group++) {
            s.space.least_nodes = s.space.most_nodes = bred_nodes[k];
            s.space.shape = bred_shapes[h];
            s.seed = hw_claim_seed(run) + group;
            for (uint64_t lane = 0; code == HW_OK && lane < lanes; lane++)
                code = breed_one(run, p, &s, lane, group, err);
        }
    return code;
}

/* ---- Telling. ---- */

static bool is_trait(const population *p, hw_reading r)
{
    const hw_trait_table *t = &p->report.answer[r].words[0][0];
    return p->report.n_bad >= HW_TRAIT_LEAST_BAD && t->bad.share >= shared_by &&
           (!t->compared || t->marks);
}

static hw_code tell_reading(hw_claim_run *run, population p[2][POPULATIONS], hw_reading r,
                            hw_error *err)
{
    static const char *const names[POPULATIONS] = {"random", "bred"};
    hw_code code = HW_OK;
    for (int k = 0; code == HW_OK && k < POPULATIONS; k++) {
        char name[200], odds[80] = "";
        const hw_trait_table *a = &p[0][k].report.answer[r].words[0][0];
        const hw_trait_table *f = &p[1][k].report.answer[r].words[0][0];
        (void)snprintf(name, sizeof name, "%s graphs, %s: %s", names[k], hw_reading_rows[r].name,
                       hw_reading_rows[r].meaning);
        if (a->compared && f->compared)
            (void)snprintf(odds, sizeof odds, "; odds ratio %.2f and %.2f", a->odds.ratio,
                           f->odds.ratio);
        code = hw_claim_reading(run, name, is_trait(&p[0][k], r) && is_trait(&p[1][k], r), err,
                                "%.1f %% of %" PRIu64 " bad ones alloc-first, %.1f %% of %" PRIu64
                                " free-first%s",
                                100 * a->bad.share, a->bad.n, 100 * f->bad.share, f->bad.n, odds);
        (void)snprintf(name, sizeof name, "%s-%s", names[k], hw_reading_rows[r].name);
        if (code == HW_OK)
            code = hw_claim_number(run, name, a->bad.share, "share", err);
    }
    return code;
}

/* The smallest bad random graph without the trait of a reading. */
static hw_code show(hw_claim_run *run, const population *p, hw_reading r, hw_error *err)
{
    size_t at = p->report.answer[r].bad_without;
    char name[60];
    hw_model *m = NULL;
    if (at == SIZE_MAX)
        return HW_OK;
    const hw_trait_case *c = &p->sample.cases[at];
    (void)snprintf(name, sizeof name, "bad-without-%s", hw_reading_rows[r].name);
    hw_code code = hw_model_new(c->graph, p->sample.accounting, false, &m, err);
    if (code == HW_OK)
        code = hw_claim_example(run, name, c->graph, err);
    if (code == HW_OK)
        code = hw_claim_shows(run, m, "greedy", c->peak, err);
    if (code == HW_OK)
        code = hw_claim_shows(run, m, "exact", c->optimum, err);
    hw_model_free(m);
    return code;
}

static hw_code decide(hw_claim_run *run, population p[2][POPULATIONS], hw_error *err)
{
    char where[POPULATIONS][300] = {"", ""};
    size_t length[POPULATIONS] = {0}, n[POPULATIONS] = {0}, both = 0;
    hw_code code = HW_OK;
    for (int r = 0; code == HW_OK && r < HW_N_READINGS; r++) {
        bool has[POPULATIONS];
        code = tell_reading(run, p, (hw_reading)r, err);
        for (int k = 0; k < POPULATIONS; k++) {
            has[k] = is_trait(&p[0][k], (hw_reading)r) && is_trait(&p[1][k], (hw_reading)r);
            n[k] += has[k];
            if (has[k])
                length[k] +=
                    (size_t)snprintf(where[k] + length[k], sizeof where[k] - length[k], "%s%s",
                                     length[k] ? ", " : "", hw_reading_rows[r].name);
        }
        both += has[DRAWN] && has[BRED];
    }
    if (code == HW_OK)
        code = show(run, &p[0][DRAWN], HW_READING_FORK_BLOCKS, err);
    if (code == HW_OK)
        code = show(run, &p[0][DRAWN], HW_READING_ANY_BLOCKS, err);
    const hw_trait_report *drawn = &p[0][DRAWN].report, *bred = &p[0][BRED].report;
    if (code == HW_OK)
        code = hw_claim_number(run, "random-bad", (double)drawn->n_bad, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "bred-bad", (double)bred->n_bad, "count", err);
    if (code == HW_OK && both == 0 && n[DRAWN] + n[BRED] > 0)
        code = hw_claim_condition(run, err, "the bad graphs are %s and the words mean %s",
                                  n[BRED] > 0 ? "bred to be bad" : "random ones",
                                  where[n[BRED] > 0 ? BRED : DRAWN]);
    if (code != HW_OK)
        return code;
    const hw_trait_answer *fork = &drawn->answer[HW_READING_FORK_BLOCKS];
    return hw_claim_conclude(
        run,
        both > 0                 ? HW_VERDICT_HOLDS
        : n[DRAWN] + n[BRED] > 0 ? HW_VERDICT_HOLDS_ONLY_IF
                                 : HW_VERDICT_FAILS,
        err,
        "Of %zu bad random graphs %.1f %% have two branches of a fork with large blocks of similar "
        "size, and of the others %.1f %% (odds ratio %.2f); of %zu bred graphs %.1f %%; of %d "
        "readings %zu hold for random and %zu for bred graphs",
        drawn->n_bad, 100 * fork->words[0][0].bad.share,
        100 * (double)(fork->words[0][0].slight.k + fork->words[0][0].optimal.k) /
            (double)(fork->words[0][0].slight.n + fork->words[0][0].optimal.n),
        fork->words[0][0].odds.ratio, bred->n_bad,
        100 * bred->answer[HW_READING_FORK_BLOCKS].words[0][0].bad.share, HW_N_READINGS, n[DRAWN],
        n[BRED]);
}

hw_code hw_claim_c11(hw_claim_run *run, hw_error *err)
{
    population p[2][POPULATIONS];
    const hw_trait_options options = {
        .bad_percent = BAD_PERCENT, .resamples = 0, .seed = hw_claim_seed(run)};
    hw_code code = HW_OK;
    memset(p, 0, sizeof p);
    for (int a = 0; code == HW_OK && a < 2; a++)
        for (int k = 0; code == HW_OK && k < POPULATIONS; k++) {
            code = start(run, &p[a][k], a, err);
            if (code == HW_OK)
                code = k == DRAWN ? draw(run, &p[a][k], err) : breed(run, &p[a][k], err);
            if (code == HW_OK)
                code = hw_trait_ask(&p[a][k].sample, &options, &p[a][k].report, err);
            if (code == HW_OK && p[a][k].report.n_bad < HW_TRAIT_LEAST_BAD)
                code = hw_fail(err, HW_CHECK_FAILED, "only %zu bad graphs were found",
                               p[a][k].report.n_bad);
        }
    if (code == HW_OK)
        code = decide(run, p, err);
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < POPULATIONS; k++) {
            hw_trait_report_clear(&p[a][k].report);
            hw_trait_clear(&p[a][k].sample);
        }
    return code;
}
