/*
 * Families on which rules fail: what the proofs in gen/adversarial_*.c promise,
 * held against runs.
 *
 * Peaks are those of the rules themselves.  Optima are proven: by the exact
 * search where the graph is small, by what a single node needs, or on trees by
 * liu, where it is large.  With --table md or --table tex it prints the table of results/.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support_adversarial.h"
#include "support_sanitized.h"

static void promise(const adversarial *x, const char *what, uint64_t value, uint64_t promised,
                    bool at_least)
{
    char spec[ADVERSARIAL_SPEC_BYTES];
    adversarial_spec(x, spec);
    if (at_least ? value < promised : value != promised)
        fail_msg("%s on %s: %" PRIu64 ", promised %" PRIu64, what, spec, value, promised);
}

/* ---- The rules. ---- */

/* Ratios that are not printed, and terms in n. */
typedef enum limit { UNSAID, HALF_UP, HALF, THIRD_SPIKE, THIRD, QUARTER, SIXTH, LOGARITHM } limit;

typedef struct claim {
    const char *rule;
    adversarial_kind kind;
    const char *settings;
    uint64_t lost, least; /* least: of the size, from which it holds       */
    bool loose;           /* the fan: kept=no; as applies() says           */
    bool at_least;        /* the peak is at least what is promised         */
    limit limit;          /* of the ratio, as big grows; less lost         */
} claim;

static const claim claims[] = {
    {"greedy", LADDER, "", 0, 1, false, false, HALF_UP},
    {"greedy-listing", LADDER, "", 0, 1, false, false, HALF_UP},
    {"by-output", LADDER, "", 0, 1, false, false, HALF_UP},
    {"level", LADDER, "", 0, 1, false, false, HALF_UP},
    {"source", LADDER, "", 0, 1, false, false, HALF_UP},
    {"dfs", LADDER, "", 0, 1, false, false, HALF_UP},
    {"lpmf", LADDER, "", 0, 1, false, false, HALF_UP},
    {"inductor-bfs", LADDER, "", 0, 1, false, false, HALF_UP},
    {"inductor-dfs", LADDER, "", 0, 1, false, false, HALF_UP},
    {"inductor-best", LADDER, "", 0, 1, false, false, HALF_UP},
    {"ort-dfs", LADDER, ",numbers=paired", 0, 1, false, false, HALF_UP},
    {"ort-priority", LADDER, "", 0, 1, false, false, HALF_UP},
    {"ort-memory", LADDER, ",from=sinks", 0, 2, true, false, HALF_UP},
    {"ort-memory", LADDER, ",from=sinks", 0, 3, false, false, UNSAID},
    {"ort-memory", FAN, "", 0, 2, false, false, UNSAID},
    {"xla-list", LADDER, "", 0, 1, false, false, HALF_UP},
    {"xla-postorder", LADDER, "", 0, 1, false, false, HALF_UP},
    {"xla-dfs", FAN, ",lean=yes", 0, 4, false, false, HALF_UP},
    {"xla-best", FAN, ",lean=yes", 0, 4, false, false, HALF_UP},
    {"xla-list", FAN, ",lean=yes", 0, 4, false, false, UNSAID},
    {"xla-postorder", FAN, ",lean=yes", 0, 4, false, false, UNSAID},
    {"xla-dfs", FAN, ",lean=yes", 0, 3, true, false, UNSAID},
    {"xla-best", FAN, ",lean=yes", 0, 3, true, false, UNSAID},
    {"xla-dfs", FAN, "", 0, 2, true, false, UNSAID},
    {"xla-best", FAN, "", 0, 2, true, false, UNSAID},
    {"greedy-mixed:weight=0", LADDER, ",hang=gate", 0, 1, false, false, UNSAID},
    {"greedy-mixed:weight=0.5", LADDER, ",hang=gate", 0, 1, false, false, UNSAID},
    {"greedy-mixed:weight=0.8", LADDER, ",hang=gate", 0, 1, false, false, HALF},
    {"greedy-mixed:weight=1", LADDER, ",hang=gate", 0, 1, false, false, UNSAID},
    {"greedy", LADDER, ",hang=gate", 0, 1, false, false, UNSAID},
    {"greedy-mixed:weight=0", FAN, "", 0, 2, false, false, UNSAID},
    {"greedy-mixed:weight=0.5", FAN, "", 0, 2, false, false, UNSAID},
    {"greedy-mixed:weight=0.8", FAN, "", 0, 2, false, false, UNSAID},
    {"greedy-mixed:weight=1", FAN, "", 0, 2, false, false, UNSAID},
    {"greedy", FAN, "", 0, 2, false, false, UNSAID},
    {"lookahead:k=1,depth=1", LADDER, "", 0, 1, false, false, UNSAID},
    {"lookahead:k=2,depth=1", LADDER, "", 1, 2, false, false, HALF_UP},
    {"lookahead:k=3,depth=1", LADDER, "", 2, 3, false, false, HALF_UP},
    {"lookahead:k=5,depth=1", LADDER, "", 4, 5, false, false, HALF_UP},
    {"lookahead:k=16,depth=1", LADDER, "", 15, 16, false, false, UNSAID},
    {"lookahead:k=2,depth=2", LADDER, "", 1, 2, false, false, HALF_UP},
    {"lookahead:k=3,depth=2", LADDER, "", 2, 3, false, false, HALF_UP},
    {"lookahead:k=5,depth=2", LADDER, "", 4, 5, false, false, HALF_UP},
    {"lookahead:k=2,depth=5", LADDER, "", 1, 2, false, false, UNSAID},
    {"lookahead:k=3,depth=4", LADDER, "", 2, 3, false, false, UNSAID},
    {"lookahead:k=2,depth=1", PAIRS, "", 0, 3, true, false, UNSAID},
    {"lookahead:k=3,depth=1", PAIRS, "", 0, 3, true, false, UNSAID},
    {"lookahead:k=5,depth=1", PAIRS, "", 0, 3, true, false, UNSAID},
    {"lookahead:k=64,depth=1", PAIRS, "", 0, 3, true, false, UNSAID},
    {"lookahead:k=2,depth=1", PAIRS, ",spike=yes", 0, 4, true, false, UNSAID},
    {"lookahead:k=5,depth=1", PAIRS, ",spike=yes", 0, 4, true, false, UNSAID},
    {"lookahead:k=64,depth=1", PAIRS, ",spike=yes", 0, 4, true, false, THIRD_SPIKE},
    {"lookahead:k=2,depth=2", PAIRS, ",depth=2", 0, 3, true, false, UNSAID},
    {"lookahead:k=5,depth=2", PAIRS, ",depth=2", 0, 3, true, false, UNSAID},
    {"lookahead:k=64,depth=2", PAIRS, ",depth=2", 0, 3, true, false, UNSAID},
    {"lookahead:k=12,depth=2", PAIRS, ",depth=2", 0, 3, true, false, THIRD},
    {"lookahead:k=5,depth=3", PAIRS, ",depth=3", 0, 3, true, false, UNSAID},
    {"lookahead:k=3,depth=4", PAIRS, ",depth=4", 0, 3, true, false, UNSAID},
    {"backtrack", LADDER, "", 4, 5, false, true, HALF_UP},
    {"backtrack:width=2", LADDER, "", 2, 3, false, true, UNSAID},
    {"beam:width=1,direction=forward", LADDER, "", 0, 2, false, false, UNSAID},
    {"beam:width=2,direction=forward", LADDER, "", 1, 3, false, true, UNSAID},
    {"beam:width=3,direction=forward", LADDER, "", 1, 4, false, true, UNSAID},
    {"beam:width=4,direction=forward", LADDER, "", 2, 5, false, true, UNSAID},
    {"beam:width=8,direction=forward", LADDER, "", 2, 9, false, true, HALF_UP},
    {"beam:width=10,direction=forward", LADDER, "", 2, 11, false, true, UNSAID},
    {"beam:width=11,direction=forward", LADDER, "", 3, 12, false, true, UNSAID},
    {"beam:width=32,direction=forward", LADDER, "", 3, 33, false, true, HALF_UP},
    {"greedy-reverse", LADDER, ",from=sinks", 0, 2, false, false, HALF},
    {"beam-reverse:width=1", LADDER, ",from=sinks", 0, 2, false, true, UNSAID},
    {"beam-reverse:width=8", LADDER, ",from=sinks", 2, 9, false, true, HALF},
    {"beam-reverse:width=32", LADDER, ",from=sinks", 3, 33, false, true, HALF},
    {"beam:width=1", LADDER, ",from=both", 0, 2, false, true, UNSAID},
    {"beam:width=8", LADDER, ",from=both", 2, 9, false, true, QUARTER},
    {"beam:width=32", LADDER, ",from=both", 3, 33, false, true, QUARTER},
    {"best-of-both:width=1", LADDER, ",from=both", 0, 2, false, true, UNSAID},
    {"best-of-both:width=8", LADDER, ",from=both", 2, 9, false, true, UNSAID},
    {"best-of-both", LADDER, ",from=both", 3, 33, false, true, QUARTER},
    {"greedy", BRANCHES, "", 0, 1, false, false, SIXTH},
    {"greedy-listing", BRANCHES, "", 0, 1, false, false, UNSAID},
    {"by-output", BRANCHES, "", 0, 1, false, false, SIXTH},
    {"best-postorder", HARPOON, "", 0, 0, false, false, LOGARITHM},
};
enum { N_CLAIMS = sizeof claims / sizeof claims[0] };

/* Sizes in bytes under which all claims hold. */
static const adversarial sizes[] = {
    {LADDER, 0, 1000000, 1, 1, false, ""}, {LADDER, 0, 1000, 1, 1, true, ""},
    {LADDER, 0, 1000, 0, 1, false, ""},    {LADDER, 0, 7, 3, 2, false, ""},
    {LADDER, 0, 50, 50, 1, false, ""},     {LADDER, 0, 100, 2, 60, true, ""},
    {FAN, 0, 1000000, 1, 2, false, ""},    {FAN, 0, 1000, 1, 2, true, ""},
    {FAN, 0, 1000, 0, 1, false, ""},       {FAN, 0, 200, 3, 50, true, ""},
    {FAN, 0, 10, 9, 10, false, ""},        {FAN, 0, 10, 9, 10, true, ""},
    {PAIRS, 0, 1000000, 1, 1, false, ""},  {PAIRS, 0, 1000, 1, 1, true, ""},
    {PAIRS, 0, 1000, 0, 1, false, ""},     {PAIRS, 0, 7, 3, 2, true, ""},
    {PAIRS, 0, 50, 50, 1, false, ""},      {BRANCHES, 0, 1000000, 1, 1000000, false, ""},
    {BRANCHES, 0, 100, 0, 100, false, ""}, {BRANCHES, 0, 100, 7, 130, false, ""},
    {BRANCHES, 0, 10, 9, 10, false, ""},   {HARPOON, 0, 1000000, 1, 2, false, ""},
    {HARPOON, 0, 1200, 3, 3, false, ""},   {HARPOON, 0, 1200, 2, 4, false, ""},
    {HARPOON, 0, 100, 0, 2, false, ""},    {HARPOON, 0, 12, 6, 2, false, ""},
};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

/* More of them, for the optima alone: what passes on weighs as much as a rung. */
static const adversarial heavy[] = {
    {FAN, 0, 5, 5, 0, true, ""},    {FAN, 0, 10, 10, 3, true, ""},  {FAN, 0, 10, 9, 1, true, ""},
    {FAN, 0, 10, 9, 9, true, ""},   {FAN, 0, 5, 5, 0, false, ""},   {LADDER, 0, 5, 5, 0, false, ""},
    {LADDER, 0, 5, 5, 0, true, ""}, {LADDER, 0, 5, 5, 1, true, ""}, {PAIRS, 0, 5, 5, 0, false, ""},
    {PAIRS, 0, 5, 5, 0, true, ""},
};
enum { N_HEAVY = sizeof heavy / sizeof heavy[0] };

/* The plain ladder and pairs may be loose or not; all else is what the claim says. */
static bool applies(const claim *c, const adversarial *x)
{
    bool either = c->kind == PAIRS || (c->kind == LADDER && !strstr(c->settings, "from") &&
                                       !strstr(c->settings, "hang"));
    return c->kind == x->kind && (either || c->loose == x->loose);
}

static void rules_fail_as_promised(void **unused)
{
    static const uint64_t size[] = {0, 1, 2, 3, 4, 5, 6, 9, 12, 16, 33, 40};
    enum { MOST_LEVELS = 5 };
    (void)unused;
    for (size_t c = 0; c < N_CLAIMS; c++) {
        unsigned runs = 0; /* of this claim: none may be left out */
        for (size_t i = 0; i < N_SIZES; i++)
            for (size_t k = 0; k < sizeof size / sizeof size[0]; k++)
                for (int a = 0; a < 2; a++) {
                    adversarial x = sizes[i];
                    hw_graph *g;
                    x.size = size[k];
                    x.settings = claims[c].settings;
                    if (!applies(&claims[c], &x) || x.size < claims[c].least ||
                        (x.kind == HARPOON && x.size > MOST_LEVELS))
                        continue;
                    hw_model *m = adversarial_model(&x, (hw_accounting)a, &g);
                    promise(&x, claims[c].rule, adversarial_rule_peak(m, claims[c].rule),
                            adversarial_peak(&x, claims[c].lost, (hw_accounting)a),
                            claims[c].at_least);
                    hw_model_free(m);
                    hw_graph_free(g);
                    runs++;
                }
        if (runs == 0)
            fail_msg("%s: no size to try its claim on", claims[c].rule);
    }
}

static void optima_are_proven(void **unused)
{
    enum { EITHER, TIGHT, LOOSE_ONLY };
    static const struct {
        adversarial_kind kind;
        const char *settings;
        uint64_t least, most; /* of the size */
        int loose;
    } variants[] = {
        {LADDER, "", 1, 9, EITHER},
        {LADDER, ",numbers=paired", 1, 9, EITHER},
        {LADDER, ",from=sinks", 3, 9, TIGHT},
        {LADDER, ",from=sinks", 1, 9, LOOSE_ONLY},
        {LADDER, ",from=sinks,numbers=paired", 1, 9, LOOSE_ONLY},
        {LADDER, ",from=both", 3, 9, TIGHT},
        {LADDER, ",hang=gate", 1, 9, TIGHT},
        {FAN, "", 2, 12, EITHER},
        {FAN, ",lean=yes", 3, 12, EITHER},
        {PAIRS, "", 3, 8, EITHER},
        {PAIRS, "", 2, 2, TIGHT},
        {PAIRS, ",spike=yes", 4, 8, EITHER},
        {PAIRS, ",spike=yes", 3, 3, TIGHT},
        {PAIRS, ",depth=2", 3, 8, EITHER},
        {PAIRS, ",depth=5", 3, 8, EITHER},
        {BRANCHES, "", 1, 9, EITHER},
        {HARPOON, "", 0, 3, EITHER},
    };
    (void)unused;
    for (size_t s = 0; s < sizeof variants / sizeof variants[0]; s++)
        for (size_t i = 0; i < N_SIZES + N_HEAVY; i++) {
            const adversarial *of = i < N_SIZES ? &sizes[i] : &heavy[i - N_SIZES];
            if (of->kind != variants[s].kind ||
                (variants[s].loose != EITHER && of->loose != (variants[s].loose == LOOSE_ONLY)))
                continue;
            for (uint64_t k = variants[s].least; k <= variants[s].most; k++)
                for (int a = 0; a < 2; a++) {
                    adversarial x = *of;
                    hw_graph *g;
                    x.size = k;
                    x.settings = variants[s].settings;
                    hw_model *m = adversarial_model(&x, (hw_accounting)a, &g);
                    promise(&x, "exact", adversarial_solved(m, "exact"),
                            adversarial_optimum(&x, (hw_accounting)a), false);
                    hw_model_free(m);
                    hw_graph_free(g);
                }
        }
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
        for (int a = 0; a < 2 && claims[c].limit != UNSAID; a++) {
            if (SANITIZED && (size_t)a != c % 2)
                continue;
            adversarial x = adversarial_of_nodes(claims[c].kind, claims[c].settings,
                                                 claims[c].loose, large_n(&claims[c]));
            hw_graph *g;
            hw_model *m = adversarial_model(&x, (hw_accounting)a, &g);
            promise(&x, "the bound", adversarial_proven(m, &x),
                    adversarial_optimum(&x, (hw_accounting)a), false);
            promise(&x, claims[c].rule, adversarial_rule_peak(m, claims[c].rule),
                    adversarial_peak(&x, claims[c].lost, (hw_accounting)a), claims[c].at_least);
            hw_model_free(m);
            hw_graph_free(g);
        }
}

/* ---- The table. ---- */

/* Rules for which nothing is proven here: what they do on two ladders. */
static const char *const observed[] = {"hmcos",       "random", "best-of",
                                       "kahn-random", "anneal", "lns"};

typedef struct format {
    const char *head, *row, *large, *exactly, *at_least, *limit[LOGARITHM + 1], *less, *no_limit,
        *end;
} format;

static const format markdown = {
    .head = "| rule | family | n | alloc-first | free-first | n | alloc-first | free-first | limit "
            "|\n|---|---|---:|---:|---:|---:|---:|---:|---|\n",
    .row = "| %s | %s | %" PRIu32 " | %.4f | %.4f ",
    .large = "| %" PRIu32 " | %.4f | %.4f ",
    .exactly = "| ",
    .at_least = "| at least ",
    .limit = {[HALF_UP] = "floor((n + 1) / 2)",
              [HALF] = "floor(n / 2)",
              [THIRD_SPIKE] = "floor((n + 2) / 3)",
              [THIRD] = "floor(n / 3)",
              [QUARTER] = "n / 4",
              [SIXTH] = "(n + 2) / 6",
              [LOGARITHM] = "1 + log2((n + 3) / 5) / 2"},
    .less = " - %" PRIu64,
    .no_limit = "| observed only",
    .end = " |\n"};

static const format tex = {
    .head = "\\begin{tabular}{llrrrrrrl}\n\\toprule\nrule & family & $n$ & alloc-first & "
            "free-first & $n$ & alloc-first & free-first & limit \\\\\n\\midrule\n",
    .row = "\\texttt{%s} & %s & %" PRIu32 " & %.4f & %.4f ",
    .large = "& %" PRIu32 " & %.4f & %.4f ",
    .exactly = "& $",
    .at_least = "& $\\ge ",
    .limit = {[HALF_UP] = "\\lfloor(n+1)/2\\rfloor",
              [HALF] = "\\lfloor n/2\\rfloor",
              [THIRD_SPIKE] = "\\lfloor(n+2)/3\\rfloor",
              [THIRD] = "\\lfloor n/3\\rfloor",
              [QUARTER] = "n/4",
              [SIXTH] = "(n+2)/6",
              [LOGARITHM] = "1+\\frac12\\log_2((n+3)/5)"},
    .less = "-%" PRIu64,
    .no_limit = "& $\\text{observed only}",
    .end = "$ \\\\\n"};

/* The ratio of a rule to the proven optimum, and how many nodes there are. */
static double ratio_of(const char *rule, const adversarial *x, hw_accounting a, uint32_t *n)
{
    hw_graph *g;
    hw_model *m = adversarial_model(x, a, &g);
    uint64_t optimum = adversarial_proven(m, x);
    double ratio = (double)adversarial_rule_peak(m, rule) / (double)optimum;
    *n = g->n_nodes;
    if (*n < 200) /* by a second route */
        promise(x, "exact", adversarial_solved(m, "exact"), optimum, false);
    hw_model_free(m);
    hw_graph_free(g);
    return ratio;
}

/* A claim's settings, as the table has them. */
static const char *say(const char *settings)
{
    static const char *const said[][2] = {
        {",numbers=paired", ", paired"}, {",from=sinks", ", from sinks"},
        {",from=both", ", from both"},   {",hang=gate", ", hang=gate"},
        {",lean=yes", ", lean"},         {",spike=yes", ", spike"},
        {",depth=2", ", depth=2"}};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
        if (strcmp(settings, said[i][0]) == 0)
            return said[i][1];
    return settings;
}

static void print_row(const format *f, const claim *c, uint64_t small_n, uint64_t great_n)
{
    static const char *const name[] = {[LADDER] = "ladder",
                                       [FAN] = "fan",
                                       [PAIRS] = "pairs",
                                       [BRANCHES] = "branches",
                                       [HARPOON] = "harpoon"};
    for (int great = 0; great < 2; great++) {
        adversarial x =
            adversarial_of_nodes(c->kind, c->settings, c->loose, great ? great_n : small_n);
        uint32_t n;
        double ratio[2];
        for (int a = 0; a < 2; a++)
            ratio[a] = ratio_of(c->rule, &x, (hw_accounting)a, &n);
        if (great) {
            printf(f->large, n, ratio[0], ratio[1]);
        } else {
            char family[64];
            (void)snprintf(family, sizeof family, "%s%s%s", name[c->kind], say(c->settings),
                           c->kind == LADDER && c->loose ? ", loose" : "");
            printf(f->row, c->rule, family, n, ratio[0], ratio[1]);
        }
    }
    if (c->limit == UNSAID) {
        printf("%s%s", f->no_limit, f->end);
        return;
    }
    printf("%s%s", c->at_least ? f->at_least : f->exactly, f->limit[c->limit]);
    if (c->lost)
        printf(f->less, c->lost);
    printf("%s", f->end);
}

static int print_table(bool as_tex)
{
    const format *f = as_tex ? &tex : &markdown;
    printf("%s", f->head);
    for (size_t c = 0; c < N_CLAIMS; c++)
        if (claims[c].limit != UNSAID)
            print_row(f, &claims[c], strstr(claims[c].settings, "both") ? 160 : 80,
                      large_n(&claims[c]));
    for (size_t i = 0; i < sizeof observed / sizeof observed[0]; i++) {
        const claim c = {observed[i], LADDER, ",from=both", 0, 0, false, false, UNSAID};
        print_row(f, &c, 160, 640);
    }
    if (as_tex)
        puts("\\bottomrule\n\\end{tabular}");
    return ferror(stdout) != 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_fail_as_promised),
        cmocka_unit_test(optima_are_proven),
        cmocka_unit_test(large_graphs),
    };
    if (argc == 3 && strcmp(argv[1], "--table") == 0)
        return print_table(strcmp(argv[2], "tex") == 0);
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
