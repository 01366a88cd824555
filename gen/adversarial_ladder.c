/*
 * The ladder: rungs that cost much until they are read, to be climbed one by one.
 *
 * From the sources, r rungs:
 *
 *     a_i, i = 1 .. r, reads nothing and makes B bytes; the gate a_1 makes B + e.
 *     b_i, i = 1 .. r, reads a_i and b_(i-1) and makes s bytes; b_r's are kept.
 *
 * n = 2 r nodes.  loose=yes leaves b_r out, so that a_r's bytes are kept and
 * n = 2 r - 1.  Either way r = floor((n + 1) / 2).
 *
 * Optimum, s <= B: a_1 b_1 a_2 b_2 ... holds one rung and one s at a time:
 *
 *     alloc-first: max(B + e + s, B + 2 s)   what b_1 and b_2 read and make
 *     free-first:  max(B + e, B + s)         what a_1 makes; before b_i, i > 1,
 *                                            its inputs are alive together
 *
 * (of which B + 2 s needs a b_2, B + s an a_2, and the s beside e a b_1).
 *
 * Rules that work from the sources.  No b may run before a_1 has.  A rule that
 * begins all other rungs first and a_1 last holds r B + e, and under alloc-first
 * s more while b_1 runs.  Over the optimum this tends to r = floor((n + 1) / 2)
 * as B grows, and no order of any graph of the kind is worse (paper,
 * "How bad can an order be?").  Such rules are, when e >= 1:
 *
 * - greedy, greedy-listing, xla-list: least net change first.  Each a_i costs
 *   what it makes, a_1 the most; b_1 frees more than it makes but is not ready.
 * - by-output: the same, by what is made alone.
 * - lpmf: of those that fit below the peak so far the least net change; of
 *   those that do not, the least need: a_1 is last either way.
 * - level, inductor-bfs: whoever reads nothing comes first (e = 0 will do).
 * - lookahead:k,depth tries a_1 only when it is among the k best keys, when k - 1
 *   other rungs are left.  Until then the best key runs: it begins the rung that
 *   can end next, and no other candidate has a better outlook, however far it
 *   looks.  Then a_1 runs: every other first step puts off the first release,
 *   leaves as much alive or more, and uses more.  So r - k + 1 rungs are begun,
 *   k <= r, whatever the depth.
 * - inductor-dfs: nodes by what they read and make, and a_i < b_j if s >= 1.
 * - xla-postorder and, numbers=paired, ort-dfs: against the edges from b_r,
 *   a_i (listed first; of the greater number) before b_(i-1): all of them first,
 *   a_1 last.
 * - source, dfs, ort-priority, and so inductor-best: numbers=late has the a_i
 *   before all b_i and a_1 as the last of them.
 * - beam:direction=forward, width W, r > W: prefixes without a_1 have the least
 *   peak, i B after i steps.  While j of the r - 1 other rungs are not begun and
 *   C(2 j - 1, j) >= W, the W prefixes kept have at least W successors without
 *   a_1 (Kruskal and Katona: W <= C(2 j - 1, j) sets of j elements have at least
 *   W subsets of j - 1).  So when a_1 runs at most j0 - 1 others are left, j0
 *   being the least such j, and at least r + 1 - j0 rungs are begun: all for
 *   width 1, all but O(log W) in general (unless the account of beam_search.c
 *   runs dry at the very end; prefixes that keep so near each other do not let
 *   it).
 * - backtrack:width (whatever its other parameters): a try may run the gate only
 *   where it is among the width + 1 best keys, so r - width are begun at least.
 *
 * hang=gate: all other rungs wait for the gate itself, which makes B + e bytes for
 * b_1 and s for b_2 .. b_r; no b makes anything, n = 2 r.  The optimum is what the
 * gate makes, B + e + s (r = 1: B + e), and as much as that with r B for B is there
 * when the gate runs last.  The gate now has no longer a path than any rung:
 *
 * - greedy-mixed at any weight: paths are equal while the gate has not run, the
 *   gate has the greatest net change (e + s >= 1) or, at weight 0, the last number.
 *
 * from=sinks is the ladder turned round, for rules that go backwards
 * (greedy-reverse, beam-reverse): c_i reads s bytes of c_(i-1), makes B bytes
 * for d_i (B + e for d_r) and s for c_(i+1); d_i makes nothing.  With edges and
 * order reversed the peak is the same, since each tensor has one consumer and
 * none is kept (r >= 3: for the optimum a c_i in the middle counts).  from=both puts the two one
 * behind the other, n = 4 r, and defeats best-of-both and beam in both directions at once: r = n
 * / 4.
 *
 * from=sinks, loose=yes leaves d_r out, so that c_r's B + e bytes are kept and
 * n = 2 r - 1.  c_1 d_1 .. c_(r-1) d_(r-1) c_r is the best order: c_r, or a c_i
 * in the middle, needs what the formulas above say.
 *
 * - ort-memory, loose=yes or numbers=late: what the output c_r needs comes first,
 *   and that is all other c_i; where there is no output the groups of nodes run in
 *   source order, each c_i alone in its own.  Either way no d_i runs before c_r.
 *
 * Time O(rungs).
 * Source: this project.
 */
#include "gen/adversarial.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { RUNGS, BIG, SMALL, EXCESS, FROM, NUMBERS, LOOSE, HANG };
enum { SOURCES, SINKS, BOTH };
enum { LATE, PAIRED };
enum { CHAIN, GATE };

static const hw_param_row params[] = {
    {"rungs", HW_PARAM_INT, 1, 2500000, 8, NULL, "rungs"},
    {"big", HW_PARAM_INT, 1, HW_MOST_SIZE, 1000000, NULL, "what a rung holds (bytes)"},
    {"small", HW_PARAM_INT, 0, HW_MOST_SIZE, 1, NULL,
     "what passes from rung to rung, at most big (bytes)"},
    {"excess", HW_PARAM_INT, 0, HW_MOST_SIZE, 1, NULL, "what the gate holds beyond big (bytes)"},
    {"from", HW_PARAM_CHOICE, 0, 0, SOURCES, "sources|sinks|both",
     "where the rules begin that it defeats"},
    {"numbers", HW_PARAM_CHOICE, 0, 0, LATE, "late|paired",
     "source order: all rungs begin before one ends, the gate last; or rung by rung"},
    {"loose", HW_PARAM_BOOL, 0, 1, 0, NULL, "the last rung is not read but kept"},
    {"hang", HW_PARAM_CHOICE, 0, 0, CHAIN, "chain|gate",
     "what a rung waits for before it ends: the one before it, or the gate (from=sources)"},
};

/* What holds one rung: its two nodes, as they stand in the source order. */
typedef struct side {
    uint64_t big, small; /* ids of the first tensors of their kind */
    uint64_t rungs;
    bool sinks, loose, hung;
    uint64_t before; /* the tensor that the first chain node reads, or HW_NO_TENSOR */
} side;

/* a_i, or d_i from the sinks; i from 0. */
static void add_free(hw_sketch *s, const side *x, uint64_t i)
{
    if (x->sinks)
        hw_sketch_step(s, "read", x->big + i, HW_NO_TENSOR);
    else if (x->hung && i == 0 && x->rungs > 1)
        hw_sketch_add(s, "begin", &(hw_sketch_node){.makes = {x->big, x->small}, .n_makes = 2});
    else
        hw_sketch_step(s, "begin", HW_NO_TENSOR, x->big + i);
}

/* b_i, or c_i from the sinks; i from 0. */
static void add_chained(hw_sketch *s, const side *x, uint64_t i)
{
    uint64_t last = !i ? x->before : x->hung ? x->small : x->small + i - 1;
    bool ends = x->hung || (x->sinks && i + 1 == x->rungs);
    if (x->sinks)
        hw_sketch_add(s, "climb",
                      &(hw_sketch_node){.reads = {last},
                                        .n_reads = 1,
                                        .makes = {x->big + i, ends ? HW_NO_TENSOR : x->small + i},
                                        .n_makes = 2});
    else
        hw_sketch_add(s, "climb",
                      &(hw_sketch_node){.reads = {x->big + i, last},
                                        .n_reads = 2,
                                        .makes = {ends ? HW_NO_TENSOR : x->small + i},
                                        .n_makes = 1});
}

static void add_nodes(hw_sketch *s, const side *x, bool paired)
{
    uint64_t second = x->rungs - x->loose; /* nodes that end a rung */
    uint64_t frees = x->sinks ? second : x->rungs, chained = x->sinks ? x->rungs : second;
    if (paired) {
        for (uint64_t i = 0; i < x->rungs; i++) {
            if (!x->sinks)
                add_free(s, x, i);
            if (i < chained)
                add_chained(s, x, i);
            if (x->sinks && i < frees)
                add_free(s, x, i);
        }
        return;
    }
    for (uint64_t i = 1; i <= x->rungs && !x->sinks; i++)
        add_free(s, x, i % x->rungs);
    for (uint64_t i = 0; i < chained; i++)
        add_chained(s, x, i);
    for (uint64_t i = 0; i < frees && x->sinks; i++)
        add_free(s, x, i);
}

/* One ladder; returns what its last chain node makes. */
static uint64_t add_ladder(hw_sketch *s, const hw_param_value *v, bool sinks, bool kept,
                           uint64_t before)
{
    uint64_t rungs = (uint64_t)v[RUNGS].i, big = (uint64_t)v[BIG].i, small = (uint64_t)v[SMALL].i;
    side x = {.rungs = rungs,
              .sinks = sinks,
              .loose = v[LOOSE].i,
              .hung = v[HANG].i == GATE,
              .before = before};
    uint64_t gate = sinks ? rungs - 1 : 0; /* and smalls, of which the last may be kept */
    uint64_t chained = x.hung ? rungs > 1 : rungs - (x.loose || sinks);
    x.big = s->tensors;
    for (uint64_t i = 0; i < rungs; i++)
        (void)hw_sketch_tensor(s, big + (i == gate ? (uint64_t)v[EXCESS].i : 0),
                               x.loose && i + 1 == rungs);
    x.small = s->tensors;
    for (uint64_t i = 0; i < chained; i++)
        (void)hw_sketch_tensor(s, small, kept && !x.hung && i + 1 == chained);
    add_nodes(s, &x, v[NUMBERS].i == PAIRED);
    return s->tensors - 1;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    (void)rng;
    if (v[SMALL].i > v[BIG].i)
        return hw_fail(err, HW_USAGE,
                       "small=%lld is above big=%lld: what passes on must not outweigh a rung",
                       (long long)v[SMALL].i, (long long)v[BIG].i);
    if (v[LOOSE].i && v[FROM].i == BOTH)
        return hw_fail(err, HW_USAGE,
                       "loose=yes needs from=sources or from=sinks: between two ladders nothing "
                       "is kept");
    if (v[HANG].i == GATE && (v[FROM].i != SOURCES || v[LOOSE].i))
        return hw_fail(err, HW_USAGE, "hang=gate needs from=sources and loose=no");
    hw_sketch s;
    hw_sketch_start(&s, err);
    uint64_t passed = HW_NO_TENSOR;
    if (v[FROM].i != SINKS)
        passed = add_ladder(&s, v, false, v[FROM].i == SOURCES, passed);
    if (v[FROM].i != SOURCES)
        (void)add_ladder(&s, v, true, false, passed);
    return hw_sketch_finish(&s, out);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t hw_ladder_optimum(const hw_ladder *l, hw_accounting accounting)
{
    uint64_t ends = l->rungs - l->loose, first = l->big + l->excess;
    if (l->hung)
        return first + (l->rungs > 1 ? l->small : 0);
    if (accounting == HW_FREE_FIRST)
        return larger(first, l->rungs > 1 ? l->big + l->small : 0);
    if (ends)
        first += l->small;
    return larger(first, l->rungs > 1 ? l->big + (ends > 1 ? 2 : 1) * l->small : 0);
}

uint64_t hw_ladder_peak(const hw_ladder *l, uint64_t begun, hw_accounting accounting)
{
    bool ends = l->rungs > l->loose;
    uint64_t peak = begun * l->big + l->excess;
    if (l->hung ? l->rungs > 1 : accounting == HW_ALLOC_FIRST && ends)
        peak += l->small;
    return larger(peak, hw_ladder_optimum(l, accounting));
}

const hw_family_row hw_family_adversarial_ladder = {
    .name = "adversarial-ladder",
    .random = false,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "rungs to climb one by one: most rules begin them all",
    .source = "this project; peak / optimum tends to floor((n + 1) / 2), as the head of "
              "the file proves",
    .generate = generate,
};
