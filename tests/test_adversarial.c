/*
 * Families on which rules fail: what the proofs in gen/adversarial_*.c promise,
 * held against runs.
 *
 * Peaks are those of the rules themselves.  Optima are proven: by the exact
 * search where the graph is small, by what a single node needs, or on trees by
 * liu, where it is large.  With --table it prints the table of results/.
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

/* ---- An instance and what is promised of it. ---- */

typedef enum kind { LADDER, FAN, BRANCHES, HARPOON } kind;

typedef struct instance {
    kind kind;
    uint64_t size;        /* rungs, branches, levels             */
    uint64_t big, small;  /* rise, large; thin                   */
    uint64_t more;        /* excess; block; branches of harpoons */
    bool loose;           /* the fan: kept=no                    */
    const char *settings; /* parameters beyond these, with a comma before them */
} instance;

static void spec_of(const instance *x, char spec[SPEC_BYTES])
{
    static const char *const format[] = {
        [LADDER] = "adversarial-ladder:rungs=%" PRIu64 ",big=%" PRIu64 ",small=%" PRIu64
                   ",excess=%" PRIu64 "%s%s",
        [FAN] = "adversarial-fan:rungs=%" PRIu64 ",big=%" PRIu64 ",small=%" PRIu64
                ",excess=%" PRIu64 "%s%s",
        [BRANCHES] = "adversarial-branches:branches=%" PRIu64 ",rise=%" PRIu64 ",small=%" PRIu64
                     ",block=%" PRIu64 "%s%s",
        [HARPOON] = "adversarial-harpoon:levels=%" PRIu64 ",large=%" PRIu64 ",thin=%" PRIu64
                    ",branches=%" PRIu64 "%s%s"};
    (void)snprintf(spec, SPEC_BYTES, format[x->kind], x->size, x->big, x->small, x->more,
                   !x->loose           ? ""
                   : x->kind == LADDER ? ",loose=yes"
                                       : ",kept=no",
                   x->settings);
}

static uint64_t promised_optimum(const instance *x, hw_accounting a)
{
    const hw_ladder l = {x->size, x->big, x->small, x->more, x->loose};
    const hw_branches b = {x->size, x->big, x->more, x->small};
    const hw_harpoon h = {x->size, x->more, x->big, x->small};
    return x->kind == LADDER     ? hw_ladder_optimum(&l, a)
           : x->kind == FAN      ? hw_adversarial_fan_optimum(&l, a)
           : x->kind == BRANCHES ? hw_branches_optimum(&b, a)
                                 : hw_harpoon_optimum(&h, a);
}

/* `lost`: rungs not begun when the gate runs. */
static uint64_t promised_peak(const instance *x, uint64_t lost, hw_accounting a)
{
    const hw_ladder l = {x->size, x->big, x->small, x->more, x->loose};
    const hw_branches b = {x->size, x->big, x->more, x->small};
    const hw_harpoon h = {x->size, x->more, x->big, x->small};
    return x->kind == LADDER     ? hw_ladder_peak(&l, x->size - lost, a)
           : x->kind == FAN      ? hw_adversarial_fan_peak(&l, a)
           : x->kind == BRANCHES ? hw_branches_peak(&b, a)
                                 : hw_harpoon_peak(&h, a);
}

static hw_model *model_of(const instance *x, hw_accounting a, hw_graph **g)
{
    char spec[SPEC_BYTES];
    spec_of(x, spec);
    *g = test_instance(spec, 0);
    return test_model(*g, a, false);
}

static uint64_t peak_of(const hw_model *m, const char *rule)
{
    hw_answer answer = test_solve(m, rule);
    uint64_t peak = answer.peak;
    assert_true(answer.has_order);
    hw_answer_clear(&answer);
    return peak;
}

static uint64_t optimum_of(const hw_model *m, const char *solver)
{
    hw_answer answer = test_solve(m, solver);
    uint64_t peak = answer.peak;
    assert_int_equal(answer.status, HW_OPTIMAL);
    hw_answer_clear(&answer);
    return peak;
}

static void promise(const instance *x, const char *what, uint64_t value, uint64_t promised,
                    bool at_least)
{
    char spec[SPEC_BYTES];
    spec_of(x, spec);
    if (at_least ? value < promised : value != promised)
        fail_msg("%s on %s: %" PRIu64 ", promised %" PRIu64, what, spec, value, promised);
}

/* ---- The rules. ---- */

typedef struct claim {
    const char *rule;
    kind kind;
    const char *settings;
    uint64_t lost, least; /* least: of the size, from which it holds       */
    bool loose;           /* the fan: kept=no                              */
    bool at_least;        /* the peak is at least what is promised         */
    const char *limit;    /* of the ratio, as big grows; NULL: not printed */
} claim;

static const claim claims[] = {
    {"greedy", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"greedy-listing", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"by-output", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"level", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"source", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"dfs", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"lpmf", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"inductor-bfs", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"inductor-dfs", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"inductor-best", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"ort-dfs", LADDER, ",numbers=paired", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"ort-priority", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"ort-memory", FAN, "", 0, 2, false, false, "floor((n + 1) / 2) - 2"},
    {"xla-list", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"xla-postorder", LADDER, "", 0, 1, false, false, "floor((n + 1) / 2)"},
    {"xla-dfs", FAN, "", 0, 2, true, false, "floor((n + 1) / 2) - 2"},
    {"xla-best", FAN, "", 0, 2, true, false, "floor((n + 1) / 2) - 2"},
    {"greedy-mixed:weight=0", FAN, "", 0, 2, false, false, NULL},
    {"greedy-mixed:weight=0.5", FAN, "", 0, 2, false, false, NULL},
    {"greedy-mixed:weight=0.8", FAN, "", 0, 2, false, false, "floor((n + 1) / 2) - 2"},
    {"greedy-mixed:weight=1", FAN, "", 0, 2, false, false, NULL},
    {"greedy", FAN, "", 0, 2, false, false, NULL},
    {"lookahead:k=1,depth=1", LADDER, "", 0, 1, false, false, NULL},
    {"lookahead:k=2,depth=1", LADDER, "", 1, 2, false, false, "floor((n + 1) / 2) - 1"},
    {"lookahead:k=3,depth=1", LADDER, "", 2, 3, false, false, "floor((n + 1) / 2) - 2"},
    {"lookahead:k=5,depth=1", LADDER, "", 4, 5, false, false, "floor((n + 1) / 2) - 4"},
    {"lookahead:k=16,depth=1", LADDER, "", 15, 16, false, false, NULL},
    {"lookahead:k=2,depth=2", LADDER, "", 1, 2, false, false, "floor((n + 1) / 2) - 1"},
    {"lookahead:k=3,depth=2", LADDER, "", 2, 3, false, false, "floor((n + 1) / 2) - 2"},
    {"lookahead:k=5,depth=2", LADDER, "", 4, 5, false, false, "floor((n + 1) / 2) - 4"},
    {"lookahead:k=2,depth=5", LADDER, "", 1, 2, false, false, NULL},
    {"lookahead:k=3,depth=4", LADDER, "", 2, 3, false, false, NULL},
    {"backtrack", LADDER, "", 4, 5, false, true, "floor((n + 1) / 2) - 4"},
    {"backtrack:width=2", LADDER, "", 2, 3, false, true, NULL},
    {"beam:width=1,direction=forward", LADDER, "", 0, 2, false, false, NULL},
    {"beam:width=2,direction=forward", LADDER, "", 1, 3, false, true, NULL},
    {"beam:width=3,direction=forward", LADDER, "", 1, 4, false, true, NULL},
    {"beam:width=4,direction=forward", LADDER, "", 2, 5, false, true, NULL},
    {"beam:width=8,direction=forward", LADDER, "", 2, 9, false, true, "floor((n + 1) / 2) - 2"},
    {"beam:width=10,direction=forward", LADDER, "", 2, 11, false, true, NULL},
    {"beam:width=11,direction=forward", LADDER, "", 3, 12, false, true, NULL},
    {"beam:width=32,direction=forward", LADDER, "", 3, 33, false, true, "floor((n + 1) / 2) - 3"},
    {"greedy-reverse", LADDER, ",from=sinks", 0, 2, false, false, "floor(n / 2)"},
    {"beam-reverse:width=1", LADDER, ",from=sinks", 0, 2, false, true, NULL},
    {"beam-reverse:width=8", LADDER, ",from=sinks", 2, 9, false, true, "floor(n / 2) - 2"},
    {"beam-reverse:width=32", LADDER, ",from=sinks", 3, 33, false, true, "floor(n / 2) - 3"},
    {"beam:width=1", LADDER, ",from=both", 0, 2, false, true, NULL},
    {"beam:width=8", LADDER, ",from=both", 2, 9, false, true, "n / 4 - 2"},
    {"beam:width=32", LADDER, ",from=both", 3, 33, false, true, "n / 4 - 3"},
    {"best-of-both:width=1", LADDER, ",from=both", 0, 2, false, true, NULL},
    {"best-of-both:width=8", LADDER, ",from=both", 2, 9, false, true, NULL},
    {"best-of-both", LADDER, ",from=both", 3, 33, false, true, "n / 4 - 3"},
    {"greedy", BRANCHES, "", 0, 1, false, false, "(n + 2) / 6"},
    {"greedy-listing", BRANCHES, "", 0, 1, false, false, NULL},
    {"by-output", BRANCHES, "", 0, 1, false, false, "(n + 2) / 6"},
    {"best-postorder", HARPOON, "", 0, 0, false, false, "1 + (b - 1) / b * log n / log b"},
};
enum { N_CLAIMS = sizeof claims / sizeof claims[0] };

/* Sizes in bytes under which all claims hold. */
static const instance sizes[] = {
    {LADDER, 0, 1000000, 1, 1, false, ""}, {LADDER, 0, 1000, 1, 1, true, ""},
    {LADDER, 0, 1000, 0, 1, false, ""},    {LADDER, 0, 7, 3, 2, false, ""},
    {LADDER, 0, 50, 50, 1, false, ""},     {LADDER, 0, 100, 2, 60, true, ""},
    {FAN, 0, 1000000, 1, 2, false, ""},    {FAN, 0, 1000, 1, 2, true, ""},
    {FAN, 0, 1000, 0, 1, false, ""},       {FAN, 0, 200, 3, 50, true, ""},
    {FAN, 0, 10, 9, 10, false, ""},        {BRANCHES, 0, 1000000, 1, 1000000, false, ""},
    {BRANCHES, 0, 100, 0, 100, false, ""}, {BRANCHES, 0, 100, 7, 130, false, ""},
    {BRANCHES, 0, 10, 9, 10, false, ""},   {HARPOON, 0, 1000000, 1, 2, false, ""},
    {HARPOON, 0, 1200, 3, 3, false, ""},   {HARPOON, 0, 1200, 2, 4, false, ""},
    {HARPOON, 0, 100, 0, 2, false, ""},    {HARPOON, 0, 12, 6, 2, false, ""},
};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

/* The ladder from the sinks is never loose; the fan is what the claim says. */
static bool applies(const claim *c, const instance *x)
{
    return c->kind == x->kind && (c->kind != FAN || c->loose == x->loose) &&
           !(c->kind == LADDER && x->loose && strstr(c->settings, "from"));
}

static void rules_fail_as_promised(void **unused)
{
    static const uint64_t size[] = {0, 1, 2, 3, 4, 5, 6, 9, 12, 16, 33, 40};
    enum { MOST_LEVELS = 5 };
    (void)unused;
    for (size_t c = 0; c < N_CLAIMS; c++)
        for (size_t i = 0; i < N_SIZES; i++)
            for (size_t k = 0; k < sizeof size / sizeof size[0]; k++)
                for (int a = 0; a < 2; a++) {
                    instance x = sizes[i];
                    hw_graph *g;
                    x.size = size[k];
                    x.settings = claims[c].settings;
                    if (!applies(&claims[c], &x) || x.size < claims[c].least ||
                        (x.kind == HARPOON && x.size > MOST_LEVELS))
                        continue;
                    hw_model *m = model_of(&x, (hw_accounting)a, &g);
                    promise(&x, claims[c].rule, peak_of(m, claims[c].rule),
                            promised_peak(&x, claims[c].lost, (hw_accounting)a),
                            claims[c].at_least);
                    hw_model_free(m);
                    hw_graph_free(g);
                }
}

static void optima_are_proven(void **unused)
{
    static const char *const settings[] = {"", ",numbers=paired", ",from=sinks", ",from=both"};
    static const uint64_t least[] = {[LADDER] = 1, [FAN] = 2, [BRANCHES] = 1, [HARPOON] = 0};
    static const uint64_t most[] = {[LADDER] = 9, [FAN] = 12, [BRANCHES] = 9, [HARPOON] = 3};
    (void)unused;
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++)
        for (size_t i = 0; i < N_SIZES; i++)
            for (uint64_t k = least[sizes[i].kind]; k <= most[sizes[i].kind]; k++)
                for (int a = 0; a < 2; a++) {
                    instance x = sizes[i];
                    hw_graph *g;
                    if ((s && x.kind != LADDER) || (s > 1 && (x.loose || k < 3)))
                        continue;
                    x.size = k;
                    x.settings = settings[s];
                    hw_model *m = model_of(&x, (hw_accounting)a, &g);
                    promise(&x, "exact", optimum_of(m, "exact"),
                            promised_optimum(&x, (hw_accounting)a), false);
                    hw_model_free(m);
                    hw_graph_free(g);
                }
}

/* The instance of a claim with about n nodes, as few bytes as possible small. */
static instance instance_for(const claim *c, uint64_t n)
{
    instance x = {c->kind, n / 2, 1000000, 1, 1, c->loose, c->settings};
    if (c->kind == LADDER && strstr(c->settings, "both"))
        x.size = n / 4;
    if (c->kind == FAN) {
        x.size = (n - 3) / 2;
        x.big = 1000000000;
        x.more = x.size; /* so that the gate alone settles the optimum */
    }
    if (c->kind == BRANCHES) {
        x.size = (n - 1) / 3;
        x.more = x.big = 1000000000;
    }
    if (c->kind == HARPOON) {
        x.more = 2;
        for (x.size = 0; (UINT64_C(5) << (x.size + 1)) - 3 <= n;)
            x.size++;
    }
    return x;
}

/* Proven for any size: by one node's needs, or by liu on trees. */
static uint64_t large_optimum(const hw_model *m, const instance *x)
{
    return x->kind == LADDER || x->kind == FAN ? m->simple_bound : optimum_of(m, "liu");
}

/* 10^5 nodes; beams, which try many prefixes, fewer. */
static uint64_t large_n(const claim *c)
{
    return strstr(c->rule, "beam") || strstr(c->settings, "both") ? 4000 : 100000;
}

static void large_graphs(void **unused)
{
    (void)unused;
    for (size_t c = 0; c < N_CLAIMS; c++)
        for (int a = 0; a < 2 && claims[c].limit; a++) {
            instance x = instance_for(&claims[c], large_n(&claims[c]));
            hw_graph *g;
            hw_model *m = model_of(&x, (hw_accounting)a, &g);
            promise(&x, "the bound", large_optimum(m, &x), promised_optimum(&x, (hw_accounting)a),
                    false);
            promise(&x, claims[c].rule, peak_of(m, claims[c].rule),
                    promised_peak(&x, claims[c].lost, (hw_accounting)a), claims[c].at_least);
            hw_model_free(m);
            hw_graph_free(g);
        }
}

/* ---- The table. ---- */

static void print_row(const claim *c, uint64_t n, hw_accounting a)
{
    instance x = instance_for(c, n);
    hw_graph *g;
    hw_model *m = model_of(&x, a, &g);
    char spec[SPEC_BYTES];
    const char *by = n < 100 ? "exact" : x.kind == LADDER || x.kind == FAN ? "one node" : "liu";
    uint64_t optimum = n < 100 ? optimum_of(m, "exact") : large_optimum(m, &x);
    uint64_t peak = peak_of(m, c->rule);
    spec_of(&x, spec);
    printf("| %s | `%s` | %" PRIu32 " | %s | %" PRIu64 " | %s | %" PRIu64 " | %.4f | %s%s |\n",
           c->rule, spec, g->n_nodes, a == HW_ALLOC_FIRST ? "alloc-first" : "free-first", optimum,
           by, peak, (double)peak / (double)optimum, c->at_least ? "at least " : "", c->limit);
    hw_model_free(m);
    hw_graph_free(g);
}

static int print_table(void)
{
    puts("| rule | graph | n | accounting | optimum | proven by | peak | ratio | limit as big "
         "grows |\n|---|---|---:|---|---:|---|---:|---:|---|");
    for (size_t c = 0; c < N_CLAIMS; c++)
        for (int a = 0; a < 2 && claims[c].limit; a++) {
            print_row(&claims[c], strstr(claims[c].settings, "both") ? 160 : 80, (hw_accounting)a);
            print_row(&claims[c], large_n(&claims[c]), (hw_accounting)a);
        }
    return ferror(stdout) != 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_fail_as_promised),
        cmocka_unit_test(optima_are_proven),
        cmocka_unit_test(large_graphs),
    };
    if (argc > 1 && strcmp(argv[1], "--table") == 0)
        return print_table();
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
