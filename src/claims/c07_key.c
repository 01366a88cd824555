/*
 * C07: the key of the priority queue is (-net, -critical path, id).
 *
 * Section 5.2 pops the least of a heap (heapq).  With this key the least is the
 * node that lets memory grow most: the opposite of the rule of section 3.1.
 * Run: the printed key on that heap; the key that section 5.2 prints, (net,
 * -critical path, id), which is the rule; and the printed key on a heap that
 * pops the greatest, which is the rule but for ties (the shortest path and the
 * last node first).  The claim holds if the printed key on the printed heap
 * chooses as the rule does, wherever the net changes of ready nodes differ; it
 * fails if it does not, whatever that costs, and the cost is told.
 */
#include <stdlib.h>

#include "claims/rules.h"
#include "claims/strata.h"
#include "core/memory.h"

enum { RULE, PRINTED, GREATEST, N_RULES };
enum { GREEDY, LEVEL, N_SOLVERS };
static const char *const solvers[N_SOLVERS] = {"greedy", "level"};

hw_code hw_claim_c07(hw_claim_run *run, hw_error *err);

static int sign(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Which of two keys (s * net, -path, node) is less, as a sign. */
static int compare(const hw_rule_node *a, const hw_rule_node *b, int s)
{
    int by_net = s * sign(a->net, b->net), by_path = sign(b->path, a->path);
    if (by_net != 0)
        return by_net;
    return by_path != 0 ? by_path : sign(a->node, b->node);
}

static bool before(const void *context, const hw_rule_node *a, const hw_rule_node *b)
{
    switch (*(const uint32_t *)context) {
    case RULE:
        return compare(a, b, 1) < 0;
    case PRINTED:
        return compare(a, b, -1) < 0;
    default:
        return compare(a, b, -1) > 0;
    }
}

static hw_code order_by(const hw_model *m, uint32_t which, uint32_t *order, hw_error *err)
{
    return hw_rule_order(m, before, &which, order, err);
}

/* ---- The example of section 3.1: P (500 -> 100) or Q (50 -> 200) first. ---- */

static hw_code first_of_example(uint32_t which, uint32_t *first, hw_error *err)
{
    hw_graph *g = NULL;
    hw_model *m = NULL;
    uint32_t order[2];
    hw_code code = hw_claim_two_candidates(&g, err);
    if (code == HW_OK)
        code = hw_model_new(g, HW_ALLOC_FIRST, false, &m, err);
    if (code == HW_OK)
        code = order_by(m, which, order, err);
    if (code == HW_OK)
        *first = order[0];
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

static hw_code tell(hw_claim_run *run, const hw_sheet *s, uint32_t column, const char *reading,
                    const char *number, bool holds, hw_gaps *g, hw_error *err)
{
    hw_sheet_group all = HW_SHEET_ALL;
    hw_code code = hw_sheet_gaps(s, column, &all, g, err);
    if (code == HW_OK)
        code = hw_claim_number(run, number, g->mean, "per cent", err);
    if (code == HW_OK)
        code =
            hw_claim_reading(run, reading, holds, err,
                             "mean gap %.1f %%, median %.1f %%, worst %.0f %%, optimal on %.1f %%",
                             g->mean, g->median, g->worst, 100 * g->optimal.share);
    return code;
}

static hw_code decide(hw_claim_run *run, const hw_sheet *s, hw_error *err)
{
    uint32_t first[N_RULES];
    hw_gaps rule, printed, greatest, level;
    size_t same = 0, worse = 0, as_greedy = 0;
    hw_code code = HW_OK;
    for (uint32_t k = 0; code == HW_OK && k < N_RULES; k++)
        code = first_of_example(k, &first[k], err);
    for (size_t i = 0; i < s->n; i++) {
        uint64_t by_rule = s->peak[hw_sheet_at(s, i, N_SOLVERS + RULE)];
        uint64_t by_print = s->peak[hw_sheet_at(s, i, N_SOLVERS + PRINTED)];
        same += by_rule == by_print;
        worse += by_print > by_rule;
        as_greedy += by_rule == s->peak[hw_sheet_at(s, i, GREEDY)];
    }
    if (code == HW_OK && as_greedy != s->n)
        return hw_fail(err, HW_INTERNAL,
                       "the rule of section 3.1 and the solver greedy differ on %zu of %zu cases",
                       s->n - as_greedy, s->n);
    bool agrees = code == HW_OK && first[PRINTED] == first[RULE] && same == s->n;
    if (code == HW_OK)
        code = tell(run, s, N_SOLVERS + PRINTED, "(-net, -path, id), least first (heapq)",
                    "printed-mean-gap", agrees, &printed, err);
    if (code == HW_OK)
        code = tell(run, s, N_SOLVERS + RULE, "(net, -path, id), least first (section 5.2)",
                    "rule-mean-gap", first[RULE] == 1, &rule, err);
    if (code == HW_OK)
        code = tell(run, s, N_SOLVERS + GREATEST, "(-net, -path, id), greatest first",
                    "greatest-mean-gap", first[GREATEST] == 1, &greatest, err);
    if (code == HW_OK)
        code = tell(run, s, LEVEL, "level order, for comparison", "level-mean-gap", false, &level,
                    err);
    if (code == HW_OK)
        code = hw_claim_number(run, "printed-worse", (double)worse / (double)s->n, "share", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "cases", (double)s->n, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "level-beats-printed", level.mean < printed.mean, "count", err);
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, agrees ? HW_VERDICT_HOLDS : HW_VERDICT_FAILS, err,
        "On a heap that pops the least, the printed key takes %s first of -400 MB and +150 MB; its "
        "mean gap is %.1f %%, that of the rule %.1f %%, of the level order %.1f %%; its peak is "
        "above the rule's on %.1f %% of %zu cases",
        first[PRINTED] == 0 ? "+150 MB" : "-400 MB", printed.mean, rule.mean, level.mean,
        100 * (double)worse / (double)s->n, s->n);
}

static hw_code show_example(hw_claim_run *run, const hw_sheet *s, hw_error *err)
{
    size_t worst = 0;
    for (size_t i = 1; i < s->n; i++)
        if (hw_sheet_gap(s, i, N_SOLVERS + PRINTED) - hw_sheet_gap(s, i, N_SOLVERS + RULE) >
            hw_sheet_gap(s, worst, N_SOLVERS + PRINTED) - hw_sheet_gap(s, worst, N_SOLVERS + RULE))
            worst = i;
    static const uint32_t shown[] = {GREEDY, LEVEL};
    return hw_sheet_example(run, s, worst, "opposite-sign", shown, 2, err);
}

hw_code hw_claim_c07(hw_claim_run *run, hw_error *err)
{
    static const uint32_t nodes[] = {8, 16};
    hw_sheet s = {.solvers = solvers, .n_solvers = N_SOLVERS, .rule = order_by, .n_rules = N_RULES};
    hw_code code = hw_strata_add(&s, nodes, 2, 2, err);
    if (code == HW_OK)
        code = hw_sheet_fill(run, &s, hw_claim_effort(run, 5, 40), err);
    if (code == HW_OK)
        code = show_example(run, &s, err);
    if (code == HW_OK)
        code = decide(run, &s, err);
    hw_sheet_clear(&s);
    return code;
}
