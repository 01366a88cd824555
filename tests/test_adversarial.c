/*
 * Families on which rules fail: what the proofs in gen/adversarial_*.c promise,
 * held against runs.
 *
 * Peaks are those of the rules themselves.  Optima are proven: by the exact
 * search where the graph is small, by a bound that the best order meets where
 * it is large.  With --table it prints the table of results/.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gen/adversarial.h"
#include "tests/support_generate.h"
#include "tests/support_solve.h"

enum { SPEC_BYTES = 256 };

/* ---- The ladder. ---- */

/* Rules and how many of the rungs they have not begun when they run the gate. */
typedef struct claim {
    const char *rule, *family; /* family: parameters beyond the sizes, with a comma before them */
    uint64_t lost, least_rungs;
    bool at_least; /* the peak is at least what is promised */
} claim;

static const claim ladder_claims[] = {
    {"greedy", "", 0, 1, false},
    {"greedy-listing", "", 0, 1, false},
    {"by-output", "", 0, 1, false},
    {"level", "", 0, 1, false},
    {"source", "", 0, 1, false},
    {"dfs", "", 0, 1, false},
    {"lpmf", "", 0, 1, false},
    {"inductor-bfs", "", 0, 1, false},
    {"inductor-dfs", "", 0, 1, false},
    {"inductor-best", "", 0, 1, false},
    {"ort-dfs", ",numbers=paired", 0, 1, false},
    {"ort-priority", "", 0, 1, false},
    {"xla-list", "", 0, 1, false},
    {"xla-postorder", "", 0, 1, false},
    {"lookahead:k=1,depth=1", "", 0, 1, false},
    {"lookahead:k=2,depth=1", "", 1, 2, false},
    {"lookahead:k=3,depth=1", "", 2, 3, false},
    {"lookahead:k=5,depth=1", "", 4, 5, false},
    {"lookahead:k=16,depth=1", "", 15, 16, false},
    {"lookahead:k=2,depth=2", "", 1, 2, false},
    {"lookahead:k=3,depth=2", "", 2, 3, false},
    {"lookahead:k=5,depth=2", "", 4, 5, false},
    {"lookahead:k=2,depth=5", "", 1, 2, false},
    {"lookahead:k=3,depth=4", "", 2, 3, false},
    {"beam:width=1,direction=forward", "", 0, 2, false},
    {"beam:width=2,direction=forward", "", 1, 3, true},
    {"beam:width=3,direction=forward", "", 1, 4, true},
    {"beam:width=4,direction=forward", "", 2, 5, true},
    {"beam:width=8,direction=forward", "", 2, 9, true},
    {"beam:width=10,direction=forward", "", 2, 11, true},
    {"beam:width=11,direction=forward", "", 3, 12, true},
    {"beam:width=32,direction=forward", "", 3, 33, true},
    {"greedy-reverse", ",from=sinks", 0, 2, false},
    {"beam-reverse:width=1", ",from=sinks", 0, 2, true},
    {"beam-reverse:width=8", ",from=sinks", 2, 9, true},
    {"beam-reverse:width=32", ",from=sinks", 3, 33, true},
    {"beam:width=1", ",from=both", 0, 2, true},
    {"beam:width=8", ",from=both", 2, 9, true},
    {"beam:width=32", ",from=both", 3, 33, true},
    {"best-of-both:width=1", ",from=both", 0, 2, true},
    {"best-of-both:width=8", ",from=both", 2, 9, true},
    {"backtrack", "", 4, 5, true},
    {"backtrack:width=2", "", 2, 3, true},
};
enum { N_LADDER_CLAIMS = sizeof ladder_claims / sizeof ladder_claims[0] };

static hw_model *model_of(const char *spec, hw_accounting accounting, hw_graph **g)
{
    *g = test_instance(spec, 0);
    return test_model(*g, accounting, false);
}

static uint64_t peak_of(const hw_model *m, const char *rule)
{
    hw_answer answer = test_solve(m, rule);
    uint64_t peak = answer.peak;
    assert_true(answer.has_order);
    hw_answer_clear(&answer);
    return peak;
}

static uint64_t optimum_of(const hw_model *m)
{
    hw_answer answer = test_solve(m, "exact");
    uint64_t peak = answer.peak;
    assert_int_equal(answer.status, HW_OPTIMAL);
    hw_answer_clear(&answer);
    return peak;
}

static void ladder_spec(char spec[SPEC_BYTES], const hw_ladder *l, const char *more)
{
    (void)snprintf(spec, SPEC_BYTES,
                   "adversarial-ladder:rungs=%" PRIu64 ",big=%" PRIu64 ",small=%" PRIu64
                   ",excess=%" PRIu64 "%s%s",
                   l->rungs, l->big, l->small, l->excess, l->loose ? ",loose=yes" : "", more);
}

static void check_claim(const claim *c, const hw_ladder *l, hw_accounting accounting)
{
    char spec[SPEC_BYTES];
    if (l->rungs < c->least_rungs || (l->loose && strstr(c->family, "from")))
        return;
    ladder_spec(spec, l, c->family);
    hw_graph *g;
    hw_model *m = model_of(spec, accounting, &g);
    uint64_t peak = peak_of(m, c->rule);
    uint64_t promised = hw_ladder_peak(l, l->rungs - c->lost, accounting);
    if (c->at_least ? peak < promised : peak != promised)
        fail_msg("%s on %s, accounting %d: %" PRIu64 ", promised %" PRIu64, c->rule, spec,
                 (int)accounting, peak, promised);
    hw_model_free(m);
    hw_graph_free(g);
}

static const hw_ladder sizes[] = {
    {0, 1000000, 1, 1, false}, {0, 1000, 1, 1, true}, {0, 1000, 0, 1, false},
    {0, 7, 3, 2, false},       {0, 50, 50, 1, false}, {0, 100, 2, 60, true},
};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

static void rules_climb_the_ladder_wrongly(void **unused)
{
    static const uint64_t rungs[] = {1, 2, 3, 4, 5, 6, 9, 12, 16, 33, 40};
    (void)unused;
    for (size_t c = 0; c < N_LADDER_CLAIMS; c++)
        for (size_t i = 0; i < N_SIZES; i++)
            for (size_t r = 0; r < sizeof rungs / sizeof rungs[0]; r++)
                for (int accounting = 0; accounting < 2; accounting++) {
                    hw_ladder l = sizes[i];
                    l.rungs = rungs[r];
                    check_claim(&ladder_claims[c], &l, (hw_accounting)accounting);
                }
}

static void ladder_optima_are_proven(void **unused)
{
    static const char *const from[] = {"", ",numbers=paired", ",from=sinks", ",from=both"};
    (void)unused;
    for (size_t f = 0; f < sizeof from / sizeof from[0]; f++)
        for (size_t i = 0; i < N_SIZES; i++)
            for (uint64_t r = 1; r <= 9; r++)
                for (int accounting = 0; accounting < 2; accounting++) {
                    char spec[SPEC_BYTES];
                    hw_ladder l = sizes[i];
                    hw_graph *g;
                    l.rungs = r;
                    if (f > 1 && (l.loose || r < 3))
                        continue;
                    ladder_spec(spec, &l, from[f]);
                    hw_model *m = model_of(spec, (hw_accounting)accounting, &g);
                    uint64_t optimum = optimum_of(m);
                    uint64_t promised = hw_ladder_optimum(&l, (hw_accounting)accounting);
                    if (optimum != promised)
                        fail_msg("%s, accounting %d: optimum %" PRIu64 ", promised %" PRIu64, spec,
                                 accounting, optimum, promised);
                    hw_model_free(m);
                    hw_graph_free(g);
                }
}

/* The optimum of a large ladder is what a single node needs: its bound says so. */
static void large_ladders(void **unused)
{
    static const struct {
        const char *rule, *more;
        uint64_t rungs, lost;
        bool at_least;
    } large[] = {
        {"greedy", "", 50000, 0, false},
        {"greedy-listing", "", 50000, 0, false},
        {"by-output", "", 50000, 0, false},
        {"level", ",loose=yes", 50000, 0, false},
        {"dfs", "", 50000, 0, false},
        {"lpmf", "", 50000, 0, false},
        {"inductor-best", "", 50000, 0, false},
        {"xla-list", "", 50000, 0, false},
        {"xla-postorder", "", 50000, 0, false},
        {"ort-dfs", ",numbers=paired", 50000, 0, false},
        {"ort-priority", "", 50000, 0, false},
        {"lookahead:k=5,depth=2", "", 50000, 4, false},
        {"greedy-reverse", ",from=sinks", 50000, 0, false},
        {"beam:width=8", ",from=both", 2000, 2, true},
        {"best-of-both", ",from=both", 2000, 3, true},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        for (int accounting = 0; accounting < 2; accounting++) {
            char spec[SPEC_BYTES];
            hw_ladder l = {large[i].rungs, 1000000, 1, 1, strstr(large[i].more, "loose") != NULL};
            hw_graph *g;
            ladder_spec(spec, &l, l.loose ? "" : large[i].more);
            hw_model *m = model_of(spec, (hw_accounting)accounting, &g);
            uint64_t optimum = hw_ladder_optimum(&l, (hw_accounting)accounting);
            uint64_t peak = peak_of(m, large[i].rule);
            assert_true(m->simple_bound == optimum);
            uint64_t promised =
                hw_ladder_peak(&l, l.rungs - large[i].lost, (hw_accounting)accounting);
            if (large[i].at_least ? peak < promised : peak != promised)
                fail_msg("%s on %s, accounting %d: %" PRIu64 ", promised %" PRIu64, large[i].rule,
                         spec, accounting, peak, promised);
            hw_model_free(m);
            hw_graph_free(g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_climb_the_ladder_wrongly),
        cmocka_unit_test(ladder_optima_are_proven),
        cmocka_unit_test(large_ladders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
