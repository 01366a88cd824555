/*
 * Pairs: a gate that is cheap in the end, but whose next step looks no better than
 * any other for as far as a rule looks ahead.
 *
 * h bytes are half of what a rung holds.  D is the depth of the rule.
 *
 *     g_1 reads nothing and makes h + e bytes.  g_i, i = 2 .. D, reads what g_(i-1)
 *     made and makes s; g_(D+1) reads what g_D made and makes h + e.
 *     The gate reads all that and makes s.
 *     a_i and a'_i, i = 2 .. r, read nothing and make h bytes each.
 *     b_i, i = 2 .. r, reads these and the gate's s bytes, and makes nothing.
 *
 * n = D + 2 + 3 (r - 1).  loose=yes leaves b_r out, so that 2 h bytes are kept and
 * n = D + 1 + 3 (r - 1), r >= 3.  So r = (n - D + 1) / 3 or (n - D + 2) / 3.  Source
 * order: all a, all g, the gate, all b.
 *
 * Optimum, s <= h: g_1 .. g_(D+1), the gate, a_2 a'_2 b_2 a_3 a'_3 b_3 ...:
 *
 *     alloc-first: max(2 h + 2 e + D s, 2 h + s)          the gate; b_2
 *     free-first:  max(2 h + 2 e + (D - 1) s, 2 h + s)
 *
 * which these nodes need in any order.
 *
 * lookahead:k,depth=D, whatever k, e >= 1: until the gate runs nothing is released,
 * so what any steps tried leave alive is the sum of what they make, and so is what
 * they use.  While an a is left, no D + 1 steps that begin with g_1 leave less than
 * the best ones that begin with an a:
 * - {g_1 .. g_(D+1)} make h + e with the last step; an a instead of it makes h.
 * - Steps that contain an a, done in another order with the a first, leave as much;
 *   and these are tried wherever g_1 is: then at most k - 1 of the a are left and
 *   all nodes that are ready are among the k best.  The last step tried takes the best key:
 *   with two a the other one can be left for it, and with one a g_D, or g_1 if
 *   D = 1; it makes no more than these.
 * Ties go to the better key, which an a has.  So all a run before g_1, and at the
 * gate there are 2 r h + 2 e + (D - 1) s bytes, under alloc-first s more.
 *
 * spike=yes, D = 1, makes one rung more of two nodes:
 *
 *     g_2 makes w = s + 1 bytes besides, for u and v, and the gate 0 bytes.
 *     u reads these w bytes and makes 2 h + 2 e; v reads both and makes 0 bytes, without
 *     which no b can run.
 *
 * n = 5 + 3 (r - 2), less 1 with loose=yes; so r = (n + 1) / 3 or (n + 2) / 3.  The order
 * g_1 g_2, the gate, u v, then pair by pair needs 2 h + 2 e + w bytes, which v
 * reads in any.  lookahead:k,depth=1, k >= 2, is at g_2 as before; then u and
 * the gate are all that is ready.  u and v leave w bytes less than there were, the
 * gate and then u as many.  So u runs while the gate's bytes and all pairs are there:
 * 2 r h + 4 e + w, under both accountings.
 *
 * As h grows that is r times the optimum: about n / 3 for every k.  The ladder gives more
 * where k is small beside n.
 *
 * Time O(rungs + depth).
 * Source: this project.
 */
#include "gen/adversarial.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { RUNGS, BIG, SMALL, EXCESS, DEPTH, LOOSE, SPIKE };
enum { MOST_DEPTH = 1000 };

static const hw_param_row params[] = {
    {"rungs", HW_PARAM_INT, 2, 2500000, 8, NULL, "rungs, the gate's among them"},
    {"big", HW_PARAM_INT, 1, HW_MOST_SIZE, 1000000, NULL, "half of what a rung holds (bytes)"},
    {"small", HW_PARAM_INT, 0, HW_MOST_SIZE, 1, NULL,
     "what the gate's other steps make, at most big (bytes)"},
    {"excess", HW_PARAM_INT, 0, HW_MOST_SIZE, 1, NULL,
     "what half of the gate holds beyond big (bytes)"},
    {"depth", HW_PARAM_INT, 1, MOST_DEPTH, 1, NULL,
     "of the lookahead that it defeats: steps to the gate, less one"},
    {"loose", HW_PARAM_BOOL, 0, 1, 0, NULL, "the last rung is not read but kept"},
    {"spike", HW_PARAM_BOOL, 0, 1, 0, NULL,
     "a rung that comes and goes before the gate opens (depth=1)"},
};

static void lay(hw_sketch *s, const hw_ladder *l, uint64_t depth)
{
    uint64_t pairs = l->rungs - 1, gate = 0, half = depth + 1, opened;
    for (uint64_t i = 0; i <= depth; i++) {
        bool large = i == 0 || i == depth;
        (void)hw_sketch_tensor(s, large ? l->big + l->excess : l->small, false);
    }
    for (uint64_t i = 0; i < 2 * pairs; i++)
        (void)hw_sketch_tensor(s, l->big, l->loose && i >= 2 * pairs - 2);
    opened = hw_sketch_tensor(s, l->small, false);
    for (uint64_t i = 0; i < 2 * pairs; i++)
        hw_sketch_step(s, "begin", HW_NO_TENSOR, half + i);
    for (uint64_t i = 0; i <= depth; i++)
        hw_sketch_step(s, "approach", i ? gate + i - 1 : HW_NO_TENSOR, gate + i);
    hw_sketch_add(
        s, "open",
        &(hw_sketch_node){.joined = gate, .n_joined = depth + 1, .makes = {opened}, .n_makes = 1});
    for (uint64_t i = 0; i < pairs - l->loose; i++)
        hw_sketch_add(s, "end",
                      &(hw_sketch_node){
                          .joined = half + 2 * i, .n_joined = 2, .reads = {opened}, .n_reads = 1});
}

/* w. */
static uint64_t lure(const hw_ladder *l)
{
    return l->small + 1;
}

static void lay_spiked(hw_sketch *s, const hw_ladder *l)
{
    uint64_t pairs = l->rungs - 2;
    uint64_t gate = hw_sketch_tensor(s, l->big + l->excess, false);
    (void)hw_sketch_tensor(s, l->big + l->excess, false);
    uint64_t token = hw_sketch_tensor(s, lure(l), false);
    uint64_t high = hw_sketch_tensor(s, 2 * (l->big + l->excess), false);
    uint64_t opened = hw_sketch_tensor(s, 0, false), passed = hw_sketch_tensor(s, 0, false);
    uint64_t half = s->tensors;
    for (uint64_t i = 0; i < 2 * pairs; i++)
        (void)hw_sketch_tensor(s, l->big, l->loose && i >= 2 * pairs - 2);
    for (uint64_t i = 0; i < 2 * pairs; i++)
        hw_sketch_step(s, "begin", HW_NO_TENSOR, half + i);
    hw_sketch_step(s, "approach", HW_NO_TENSOR, gate);
    hw_sketch_add(
        s, "approach",
        &(hw_sketch_node){.reads = {gate}, .n_reads = 1, .makes = {gate + 1, token}, .n_makes = 2});
    hw_sketch_add(
        s, "open",
        &(hw_sketch_node){.joined = gate, .n_joined = 2, .makes = {opened}, .n_makes = 1});
    hw_sketch_step(s, "rise", token, high);
    hw_sketch_add(
        s, "fall",
        &(hw_sketch_node){.reads = {token, high}, .n_reads = 2, .makes = {passed}, .n_makes = 1});
    for (uint64_t i = 0; i < pairs - l->loose; i++)
        hw_sketch_add(
            s, "end",
            &(hw_sketch_node){
                .joined = half + 2 * i, .n_joined = 2, .reads = {opened, passed}, .n_reads = 2});
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    hw_ladder l = {.rungs = (uint64_t)v[RUNGS].i,
                   .big = (uint64_t)v[BIG].i,
                   .small = (uint64_t)v[SMALL].i,
                   .excess = (uint64_t)v[EXCESS].i,
                   .loose = v[LOOSE].i};
    hw_sketch s;
    (void)rng;
    if (l.small > l.big)
        return hw_fail(err, HW_USAGE,
                       "small=%lld is above big=%lld: a step to the gate must not outweigh half a "
                       "rung",
                       (long long)v[SMALL].i, (long long)v[BIG].i);
    if (v[SPIKE].i && (v[DEPTH].i != 1 || l.big + l.excess > HW_MOST_SIZE / 2))
        return hw_fail(err, HW_USAGE,
                       "spike=yes needs depth=1, and big and excess of %lld in all at most",
                       (long long)HW_MOST_SIZE / 2);
    if (l.rungs < UINT64_C(2) + l.loose + (v[SPIKE].i != 0))
        return hw_fail(err, HW_USAGE,
                       "rungs=%lld are too few: loose=yes and spike=yes add one each to 2, so that "
                       "some rung waits for the gate",
                       (long long)v[RUNGS].i);
    hw_sketch_start(&s, err);
    if (v[SPIKE].i)
        lay_spiked(&s, &l);
    else
        lay(&s, &l, (uint64_t)v[DEPTH].i);
    return hw_sketch_finish(&s, out);
}

/* What the gate holds beyond two halves when it opens. */
static uint64_t beyond(const hw_ladder *l, uint64_t depth, hw_accounting accounting)
{
    return 2 * l->excess + (depth - 1 + (accounting == HW_ALLOC_FIRST)) * l->small;
}

uint64_t hw_pairs_optimum(const hw_ladder *l, uint64_t depth, hw_accounting accounting)
{
    uint64_t gate = beyond(l, depth, accounting);
    return 2 * l->big + (gate > l->small ? gate : l->small);
}

uint64_t hw_pairs_peak(const hw_ladder *l, uint64_t depth, hw_accounting accounting)
{
    return 2 * l->rungs * l->big + beyond(l, depth, accounting);
}

uint64_t hw_spiked_optimum(const hw_ladder *l)
{
    return 2 * l->big + 2 * l->excess + lure(l);
}

uint64_t hw_spiked_peak(const hw_ladder *l)
{
    return 2 * l->rungs * l->big + 4 * l->excess + lure(l);
}

const hw_family_row hw_family_adversarial_pairs = {
    .name = "adversarial-pairs",
    .random = false,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "rungs in halves behind a gate of many steps: for lookahead of any width",
    .source = "this project; peak / optimum tends to floor((n - depth + 2) / 3), with a spike "
              "floor((n + 2) / 3), as the head of the file proves",
    .generate = generate,
};
