/*
 * C06: choosing the ready node with the least net change is a good rule; of
 * -400 MB and +150 MB the first.
 *
 * Three experiments.  The example, both ways, under both accountings.  The gap
 * of greedy on random graphs beside orders that look at no sizes.  And where
 * greedy goes wrong: the wrong turn of its order is the first step after which
 * the optimum is out of reach (explain/turn.h).  A step that does not let memory
 * grow (net change <= 0) and stays within the optimum loses nothing: that is
 * the commit rule, and the example is a case of it.  So every wrong turn ought
 * to be a step up, or one that overshoots; each is looked at.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "claims/strata.h"
#include "core/memory.h"
#include "explain/turn.h"
#include "model/sim.h"

enum { GREEDY, SOURCE, LEVEL, DFS, DRAWN, N_SOLVERS };
static const char *const solvers[N_SOLVERS] = {"greedy", "source", "level", "dfs", "kahn-random"};

hw_code hw_claim_c06(hw_claim_run *run, hw_error *err);

/* ---- The example. ---- */

/* Peaks of P first and of Q first; does greedy take the better one? */
static hw_code try_example(hw_claim_run *run, bool *holds, hw_error *err)
{
    static const uint32_t p_first[] = {1, 0}, q_first[] = {0, 1};
    hw_graph *g = NULL;
    hw_model *m[2] = {NULL, NULL};
    hw_code code = hw_claim_two_candidates(&g, err);
    *holds = true;
    if (code == HW_OK)
        code = hw_claim_models(g, m, err);
    if (code == HW_OK)
        code = hw_claim_example(run, "two-candidates", g, err);
    for (int a = HW_ALLOC_FIRST; code == HW_OK && a <= HW_FREE_FIRST; a++) {
        uint64_t by_p = 0, by_q = 0, by_greedy = 0;
        code = hw_claim_order_peak(m[a], p_first, &by_p, err);
        if (code == HW_OK)
            code = hw_claim_order_peak(m[a], q_first, &by_q, err);
        if (code == HW_OK)
            code = hw_claim_peak(run, m[a], "greedy", &by_greedy, err);
        bool good = by_p < by_q && by_greedy == by_p;
        *holds = *holds && good;
        if (code == HW_OK)
            code = hw_claim_shows(run, m[a], "greedy", by_greedy, err);
        if (code == HW_OK)
            code = hw_claim_reading(
                run, a == HW_ALLOC_FIRST ? "the example, alloc-first" : "the example, free-first",
                good, err, "-400 MB first: peak %" PRIu64 " MB; +150 MB first: %" PRIu64 " MB",
                by_p, by_q);
    }
    hw_claim_models_free(m);
    hw_graph_free(g);
    return code;
}

/* ---- Wrong turns. ---- */

typedef struct turns {
    size_t looked_at, up, overshoots, safe; /* safe: net <= 0 and within the optimum */
} turns;

static void classify(hw_sim *sim, const uint32_t *order, uint32_t step, uint64_t optimum, turns *t)
{
    for (uint32_t i = 0; i < step; i++)
        (void)hw_sim_step(sim, order[i]);
    bool up = (int64_t)hw_sim_net(sim, order[step]) > 0;
    bool over = hw_sim_usage(sim, order[step]) > optimum;
    t->looked_at++;
    t->up += up;
    t->overshoots += !up && over;
    t->safe += !up && !over;
}

static hw_code look_at_turn(hw_claim_run *run, const hw_model *m, turns *t, hw_error *err)
{
    hw_answer greedy = {0}, exact = {0};
    hw_sim sim;
    hw_turn turn;
    uint32_t *completion = HW_NEW(uint32_t, m->n_nodes);
    const hw_request request = {.stop = hw_claim_stop_flag(run)};
    if (!completion)
        return hw_fail_memory(err, "an order");
    hw_code code = hw_claim_solve(run, m, "greedy", NULL, &greedy, err);
    if (code == HW_OK)
        code = hw_claim_solve(run, m, "exact", NULL, &exact, err);
    if (code == HW_OK)
        code = hw_turn_find(m, greedy.order, exact.order, exact.peak, &request, &turn, completion,
                            err);
    if (code == HW_OK && turn.lost != turn.kept + 1)
        code = hw_fail(err, HW_CHECK_FAILED, "a wrong turn was not found");
    if (code == HW_OK)
        code = hw_sim_init(&sim, m, err);
    if (code == HW_OK) {
        classify(&sim, greedy.order, turn.kept, exact.peak, t);
        hw_sim_free(&sim);
    }
    hw_answer_clear(&greedy);
    hw_answer_clear(&exact);
    free(completion);
    return code;
}

static hw_code look_at_turns(hw_claim_run *run, const hw_sheet *s, size_t most, turns *t,
                             hw_error *err)
{
    hw_code code = HW_OK;
    size_t misses = 0, taken = 0;
    for (size_t i = 0; i < s->n; i++)
        misses += hw_sheet_gap(s, i, GREEDY) > 0;
    size_t every = misses > most ? misses / most : 1;
    misses = 0;
    for (size_t i = 0; code == HW_OK && i < s->n && taken < most; i++) {
        hw_graph *g = NULL;
        hw_model *m[2] = {NULL, NULL};
        if (hw_sheet_gap(s, i, GREEDY) <= 0 || misses++ % every != 0)
            continue;
        taken++;
        code = hw_sheet_graph(run, s, i, &g, err);
        if (code == HW_OK)
            code = hw_claim_models(g, m, err);
        if (code == HW_OK)
            code = look_at_turn(run, m[s->cases[i].accounting], t, err);
        hw_claim_models_free(m);
        hw_graph_free(g);
    }
    return code;
}

/* ---- Together. ---- */

static hw_code compare(hw_claim_run *run, const hw_sheet *s, hw_gaps *greedy, hw_error *err)
{
    hw_sheet_group all = HW_SHEET_ALL;
    hw_code code = hw_sheet_gaps(s, GREEDY, &all, greedy, err);
    for (uint32_t k = SOURCE; code == HW_OK && k < N_SOLVERS; k++) {
        hw_gaps other;
        size_t better = 0, worse = 0;
        char name[80];
        for (size_t i = 0; i < s->n; i++) {
            double mine = hw_sheet_gap(s, i, GREEDY), its = hw_sheet_gap(s, i, k);
            better += mine < its;
            worse += mine > its;
        }
        code = hw_sheet_gaps(s, k, &all, &other, err);
        (void)snprintf(name, sizeof name, "greedy against %s", solvers[k]);
        if (code == HW_OK)
            code = hw_claim_reading(run, name, better > worse, err,
                                    "better on %.1f %%, worse on %.1f %% of %zu cases; mean gap "
                                    "%.1f %% against %.1f %%",
                                    100 * (double)better / (double)s->n,
                                    100 * (double)worse / (double)s->n, s->n, greedy->mean,
                                    other.mean);
        (void)snprintf(name, sizeof name, "mean-gap-%s", solvers[k]);
        if (code == HW_OK)
            code = hw_claim_number(run, name, other.mean, "per cent", err);
    }
    return code;
}

static hw_code tell(hw_claim_run *run, const hw_sheet *s, bool example, const hw_gaps *g,
                    const turns *t, hw_error *err)
{
    static const uint32_t shown[] = {GREEDY, LEVEL};
    hw_code code = hw_claim_number(run, "mean-gap", g->mean, "per cent", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "optimal", g->optimal.share, "share", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "above-20", g->above_20.share, "share", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "worst-gap", g->worst, "per cent", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "turns", (double)t->looked_at, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "turns-up", (double)t->up, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "turns-overshooting", (double)t->overshoots, "count", err);
    if (code == HW_OK && g->worst > 0)
        code = hw_sheet_example(run, s, g->worst_case, "least-is-wrong", shown, 2, err);
    if (code == HW_OK)
        code = hw_claim_reading(run, "a node that lets memory fall, within the optimum, is safe",
                                t->safe == 0, err,
                                "of %zu wrong turns %zu are steps up, %zu overshoot the optimum, "
                                "%zu neither",
                                t->looked_at, t->up, t->overshoots, t->safe);
    bool good = example && g->optimal.k == g->optimal.n;
    bool when_falling = example && t->looked_at > 0 && t->safe == 0;
    if (code == HW_OK && !good && when_falling)
        code = hw_claim_condition(run, err,
                                  "the least net change is not positive and its step stays within "
                                  "the optimum (where every ready node lets memory grow, the least "
                                  "may be the wrong one)");
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run,
        good           ? HW_VERDICT_HOLDS
        : when_falling ? HW_VERDICT_HOLDS_ONLY_IF
                       : HW_VERDICT_FAILS,
        err,
        "The example %s; on random graphs greedy is optimal on %.1f %%, mean gap %.1f %%, worst "
        "%.0f %%; of %zu wrong turns %zu are steps that let memory grow",
        example ? "is right under both accountings" : "is wrong", 100 * g->optimal.share, g->mean,
        g->worst, t->looked_at, t->up);
}

hw_code hw_claim_c06(hw_claim_run *run, hw_error *err)
{
    static const uint32_t nodes[] = {8, 16};
    hw_sheet s = {.solvers = solvers, .n_solvers = N_SOLVERS};
    hw_gaps greedy;
    turns t = {0};
    bool example = false;
    hw_code code = try_example(run, &example, err);
    if (code == HW_OK)
        code = hw_strata_add(&s, nodes, 2, 3, err);
    if (code == HW_OK)
        code = hw_sheet_fill(run, &s, hw_claim_effort(run, 5, 40), err);
    if (code == HW_OK)
        code = compare(run, &s, &greedy, err);
    if (code == HW_OK)
        code = look_at_turns(run, &s, hw_claim_effort(run, 60, 1000), &t, err);
    if (code == HW_OK)
        code = tell(run, &s, example, &greedy, &t, err);
    hw_sheet_clear(&s);
    return code;
}
