/*
 * C10: on random graphs below 10 nodes greedy is mostly within 5 % of the
 * optimum, and only constructed graphs exceed 20 %.
 *
 * Read as: of random graphs more than half are within 5 %, and at most 1 % are
 * above 20 % ("a few"); with the 95 % interval of the share on the right side.
 * Both greedy rules are tried, that of section 3.1 and the loop as printed in
 * 5.2, in every family, by number of nodes, law of sizes and accounting.
 */
#include "claims/strata.h"

enum { GREEDY, LISTING, N_SOLVERS };
static const char *const solvers[N_SOLVERS] = {"greedy", "greedy-listing"};

static const double few = 0.01;

hw_code hw_claim_c10(hw_claim_run *run, hw_error *err);

static bool mostly_near(const hw_gaps *g)
{
    return g->within_5.low > 0.5;
}

static bool seldom_far(const hw_gaps *g)
{
    return g->above_20.high <= few;
}

static hw_code tell_group(hw_claim_run *run, const hw_sheet *s, const char *name, uint32_t solver,
                          const hw_sheet_group *group, hw_gaps *out, hw_error *err)
{
    hw_code code = hw_sheet_gaps(s, solver, group, out, err);
    if (code != HW_OK)
        return code;
    return hw_claim_reading(
        run, name, mostly_near(out) && seldom_far(out), err,
        "within 5 %%: %.1f %% [%.1f, %.1f]; above 20 %%: %.1f %% [%.1f, %.1f]; median %.1f %%, "
        "worst %.0f %% (%llu graphs)",
        100 * out->within_5.share, 100 * out->within_5.low, 100 * out->within_5.high,
        100 * out->above_20.share, 100 * out->above_20.low, 100 * out->above_20.high, out->median,
        out->worst, (unsigned long long)out->within_5.n);
}

static hw_code tell_groups(hw_claim_run *run, const hw_sheet *s, size_t *families, char *where,
                           size_t room, hw_error *err)
{
    hw_gaps g;
    char name[120];
    size_t length = 0;
    hw_code code = HW_OK;
    *families = 0;
    where[0] = '\0';
    for (size_t f = 0; code == HW_OK && f < hw_n_strata_families; f++) {
        hw_sheet_group group = HW_SHEET_ALL;
        group.tag[HW_STRATA_FAMILY] = (int)f;
        code = tell_group(run, s, hw_strata_families[f].name, GREEDY, &group, &g, err);
        if (code == HW_OK && mostly_near(&g) && seldom_far(&g)) {
            int n = snprintf(where + length, room - length, "%s%s", length ? "; or " : "",
                             hw_strata_families[f].name);
            length += n > 0 && (size_t)n < room - length ? (size_t)n : 0;
            ++*families;
        }
    }
    for (size_t l = 0; code == HW_OK && l < hw_n_strata_sizes; l++) {
        hw_sheet_group group = HW_SHEET_ALL;
        group.tag[HW_STRATA_SIZES] = (int)l;
        (void)snprintf(name, sizeof name, "all families, sizes %s", hw_strata_sizes[l]);
        code = tell_group(run, s, name, GREEDY, &group, &g, err);
    }
    for (int n = 5; code == HW_OK && n <= 9; n += 2) {
        hw_sheet_group group = HW_SHEET_ALL;
        group.tag[HW_STRATA_NODES] = n;
        (void)snprintf(name, sizeof name, "all families, %d nodes", n);
        code = tell_group(run, s, name, GREEDY, &group, &g, err);
    }
    for (size_t f = 0; code == HW_OK && f < hw_n_strata_families; f++)
        if (hw_strata_families[f].erdos && hw_strata_families[f].degree <= 1.5) {
            hw_sheet_group group = {HW_SHEET_ANY, {(int)f, 9, 0}};
            (void)snprintf(name, sizeof name, "%s, 9 nodes, sizes %s", hw_strata_families[f].name,
                           hw_strata_sizes[0]);
            code = tell_group(run, s, name, GREEDY, &group, &g, err);
        }
    return code;
}

static hw_code tell_shares(hw_claim_run *run, const char *name, const hw_share *share,
                           hw_error *err)
{
    char text[64];
    hw_code code = hw_claim_number(run, name, share->share, "share", err);
    (void)snprintf(text, sizeof text, "%s-low", name);
    if (code == HW_OK)
        code = hw_claim_number(run, text, share->low, "share", err);
    (void)snprintf(text, sizeof text, "%s-high", name);
    if (code == HW_OK)
        code = hw_claim_number(run, text, share->high, "share", err);
    return code;
}

static hw_code decide(hw_claim_run *run, const hw_sheet *s, hw_error *err)
{
    static const hw_sheet_group groups[] = {
        {HW_SHEET_ANY, {HW_SHEET_ANY, HW_SHEET_ANY, HW_SHEET_ANY}},
        {HW_ALLOC_FIRST, {HW_SHEET_ANY, HW_SHEET_ANY, HW_SHEET_ANY}},
        {HW_FREE_FIRST, {HW_SHEET_ANY, HW_SHEET_ANY, HW_SHEET_ANY}}};
    static const char *const names[N_SOLVERS][3] = {
        {"the rule of section 3.1, all families", "the rule, alloc-first", "the rule, free-first"},
        {"the loop as printed in 5.2, all families", "the loop, alloc-first",
         "the loop, free-first"}};
    hw_gaps all = {0}, g;
    char where[600];
    size_t families = 0;
    hw_code code = HW_OK;
    for (uint32_t k = 0; k < N_SOLVERS; k++)
        for (size_t i = 0; code == HW_OK && i < 3; i++) {
            code = tell_group(run, s, names[k][i], k, &groups[i], &g, err);
            if (k == GREEDY && i == 0)
                all = g;
        }
    if (code == HW_OK)
        code = tell_groups(run, s, &families, where, sizeof where, err);
    if (code == HW_OK)
        code = tell_shares(run, "within-5", &all.within_5, err);
    if (code == HW_OK)
        code = tell_shares(run, "above-20", &all.above_20, err);
    if (code == HW_OK)
        code = hw_claim_number(run, "graphs", (double)s->n / 2, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "median-gap", all.median, "per cent", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "worst-gap", all.worst, "per cent", err);
    static const uint32_t shown[] = {GREEDY};
    if (code == HW_OK && all.worst > 20)
        code = hw_sheet_example(run, s, all.worst_case, "worst-random", shown, 1, err);
    bool holds = mostly_near(&all) && seldom_far(&all);
    if (code == HW_OK && !holds && families > 0)
        code = hw_claim_condition(run, err, "the graphs are: %s", where);
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run,
        holds          ? HW_VERDICT_HOLDS
        : families > 0 ? HW_VERDICT_HOLDS_ONLY_IF
                       : HW_VERDICT_FAILS,
        err,
        "Of %zu random graphs of 5, 7 and 9 nodes under both accountings greedy is within 5 %% on "
        "%.1f %% and more than 20 %% off on %.1f %%; worst %.0f %%",
        s->n / 2, 100 * all.within_5.share, 100 * all.above_20.share, all.worst);
}

hw_code hw_claim_c10(hw_claim_run *run, hw_error *err)
{
    static const uint32_t nodes[] = {5, 7, 9};
    hw_sheet s = {.solvers = solvers, .n_solvers = N_SOLVERS};
    hw_code code = hw_strata_add(&s, nodes, 3, hw_n_strata_sizes, err);
    if (code == HW_OK)
        code = hw_sheet_fill(run, &s, hw_claim_effort(run, 15, 60), err);
    if (code == HW_OK)
        code = decide(run, &s, err);
    hw_sheet_clear(&s);
    return code;
}
