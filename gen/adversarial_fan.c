/*
 * The fan: a ladder whose rungs all hang on the gate, and that looks urgent
 * where it should wait.  For rules that look at paths, and for those that go
 * against the edges.
 *
 *     a_1 reads nothing and makes B + e bytes;  b_1 reads them and makes s.
 *     a_i, i = 2 .. r, reads nothing and makes B bytes for b_i and s for z_1.
 *     b_i, i = 2 .. r, reads a_i's B bytes and what b_1 made; it makes nothing.
 *     z_1 reads the s bytes of all a_i, i > 1, and makes s; z_2 reads them and
 *     makes s; z_3 reads these and makes s that are kept (kept=no: nothing).
 *
 * n = 2 r + 3.  Source order a_2 .. a_r, z_1 z_2 z_3, a_1, b_1 .. b_r.
 *
 * Optimum, s <= B: a_1 b_1 a_2 b_2 .. a_r b_r z_1 z_2 z_3:
 *
 *     alloc-first: max(B + e + s, B + r s)    b_1; a_r with the s of all others
 *     free-first:  max(B + e, B + r s)
 *
 * B + r s cannot be avoided: if the last of the a_i, i > 1, runs after b_1, it
 * finds what b_1 made (b_i has yet to read it) and the s of all others; if not,
 * it finds B + s bytes of each other one, (r - 1) (B + s) in all, which is no less
 * for r >= 3.  For r = 2 it finds nothing, but at the gate or at b_1 there are 2 B + e
 * bytes, with s more under alloc-first or where z_3's are kept, which is no less either.
 * Where neither is so, 2 B + e may be less, and is the optimum then.
 *
 * Rules that run all other a_i before the gate hold r B + e, and the s bytes of
 * z_3 where they are kept; under alloc-first s more while b_1 runs (as long as
 * r s <= B, or else the s bytes weigh in).  As B grows that is r = (n - 3) / 2
 * times the optimum, one or two less than no order of any graph can exceed.
 *
 * - greedy-mixed at any weight: by net change B + s comes before B + e if e > s;
 *   by path, the longest from a_i, i > 1, has 4 nodes and that from the gate 3.
 *   z_1 never raises what is alive, and runs before the gate by its number (with
 *   kept=no and a small weight z_2 or z_3, of a shorter path, may wait behind the gate:
 *   s bytes more).
 * - ort-memory: the one output is z_3's, and what it needs comes first.
 * - xla-dfs, xla-postorder, kept=no: nodes without users come first, in source
 *   order, whatever is behind them: z_3, and so all a_i, i > 1.  xla-list goes by
 *   net change, as greedy does.  So xla-best, the best of the three, fails too.
 *
 * lean=yes makes the urgent node a rung's own: z, the only one, makes B bytes for
 * b_r, and there is no a_r.  r >= 3.
 *
 *     kept=no:  b_2 .. b_r make nothing; n = 2 r.  The first of them is b_r, which
 *               reads z's bytes before b_1's; then b_2, b_3, ...
 *     kept=yes: b_r is not there, and z's bytes are kept; so are 0 bytes that each
 *               of b_2 .. b_(r-1) makes; n = 2 r - 1.  r >= 4 for xla-dfs.
 *
 * So r = floor((n + 1) / 2).  Source order a_2 .. a_(r-1), z, a_1, b_1, the other b.
 * Optimum, s <= B: a_1 b_1 a_2 b_2 .. a_(r-1) b_(r-1) z b_r:
 *
 *     alloc-first: max(B + e + s, B + (r - 1) s)   b_1; a_(r-1)
 *     free-first:  max(B + e, B + (r - 1) s)
 *
 * B + (r - 1) s cannot be avoided: if the last of a_2 .. a_(r-1) runs after b_1, it
 * finds what b_1 made and the s of the r - 3 others; if not, there are at the later one
 * of the gate and b_1 (before it, under free-first) 1 + r - 2 times B, and of z either B or
 * the s of r - 2.
 *
 * Rules that go back from b_r, or from the results, and enter z before b_1 have all
 * of a_2 .. a_(r-1), z and a_1 before b_1: r B + e bytes, and s more there under
 * alloc-first; or, where s is large, (r - 2) (B + s) behind a_(r-1), with B more
 * while z runs under alloc-first.  With s < e < B:
 *
 * - xla-dfs: without results b_r is the first start.  Of what b_r reads z has
 *   r - 2 users behind it, as many as b_1 has, and more bytes.  With results there is
 *   no start but the tuple: z and each of its b have r - 2 users behind them, z again
 *   more bytes.
 * - xla-postorder: b_r comes first, and lists z first; of results the first is z's.
 * - xla-list: the gate has the greatest net change, B + e; z's is less than B.
 * So xla-best, the best of the three, takes r times the optimum as B grows, which no
 * order of such a graph exceeds.
 *
 * Time O(rungs).
 * Source: this project.
 */
#include "gen/adversarial.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { RUNGS, BIG, SMALL, EXCESS, KEPT, LEAN };

static const hw_param_row params[] = {
    {"rungs", HW_PARAM_INT, 2, 4000000, 8, NULL, "rungs"},
    {"big", HW_PARAM_INT, 1, HW_MOST_SIZE, 1000000, NULL, "what a rung holds (bytes)"},
    {"small", HW_PARAM_INT, 0, HW_MOST_SIZE, 1, NULL,
     "what a rung leaves behind, at most big (bytes)"},
    {"excess", HW_PARAM_INT, 0, HW_MOST_SIZE, 2, NULL, "what the gate holds beyond big (bytes)"},
    {"kept", HW_PARAM_BOOL, 0, 1, 1, NULL, "whether the last urgent node makes a result"},
    {"lean", HW_PARAM_BOOL, 0, 1, 0, NULL,
     "whether the only urgent node holds the last rung (3 rungs at least)"},
};

static void lay_lean(hw_sketch *s, const hw_ladder *l, bool kept)
{
    uint64_t middle = l->rungs - 2; /* rungs that end in the urgent node */
    uint64_t gate = hw_sketch_tensor(s, l->big + l->excess, false);
    uint64_t opened = hw_sketch_tensor(s, l->small, false);
    uint64_t last = hw_sketch_tensor(s, l->big, kept);
    uint64_t rung = s->tensors, left = rung + middle, mark = left + middle;
    for (uint64_t i = 0; i < middle; i++)
        (void)hw_sketch_tensor(s, l->big, false);
    for (uint64_t i = 0; i < middle; i++)
        (void)hw_sketch_tensor(s, l->small, false);
    for (uint64_t i = 0; i < middle && kept; i++)
        (void)hw_sketch_tensor(s, 0, true);
    for (uint64_t i = 0; i < middle; i++)
        hw_sketch_add(s, "begin", &(hw_sketch_node){.makes = {rung + i, left + i}, .n_makes = 2});
    hw_sketch_add(
        s, "urgent",
        &(hw_sketch_node){.joined = left, .n_joined = middle, .makes = {last}, .n_makes = 1});
    hw_sketch_step(s, "begin", HW_NO_TENSOR, gate);
    hw_sketch_step(s, "open", gate, opened);
    if (!kept)
        hw_sketch_add(s, "end", &(hw_sketch_node){.reads = {last, opened}, .n_reads = 2});
    for (uint64_t i = 0; i < middle; i++)
        hw_sketch_add(s, "end",
                      &(hw_sketch_node){.reads = {rung + i, opened},
                                        .n_reads = 2,
                                        .makes = {kept ? mark + i : HW_NO_TENSOR},
                                        .n_makes = 1});
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    uint64_t rungs = (uint64_t)v[RUNGS].i, big = (uint64_t)v[BIG].i, small = (uint64_t)v[SMALL].i;
    hw_sketch s;
    (void)rng;
    if (small > big)
        return hw_fail(err, HW_USAGE,
                       "small=%lld is above big=%lld: what stays must not outweigh a rung",
                       (long long)v[SMALL].i, (long long)v[BIG].i);
    if (v[LEAN].i && rungs < 3)
        return hw_fail(err, HW_USAGE, "rungs=%lld are too few for lean=yes: give 3 or more",
                       (long long)v[RUNGS].i);
    hw_sketch_start(&s, err);
    if (v[LEAN].i) {
        lay_lean(&s,
                 &(hw_ladder){
                     .rungs = rungs, .big = big, .small = small, .excess = (uint64_t)v[EXCESS].i},
                 v[KEPT].i);
        return hw_sketch_finish(&s, out);
    }
    uint64_t rung = s.tensors; /* of a_(i + 1), from 0 */
    for (uint64_t i = 0; i < rungs; i++)
        (void)hw_sketch_tensor(&s, big + (i ? 0 : (uint64_t)v[EXCESS].i), false);
    uint64_t opened = hw_sketch_tensor(&s, small, false), left = s.tensors;
    for (uint64_t i = 1; i < rungs; i++)
        (void)hw_sketch_tensor(&s, small, false);
    uint64_t first = hw_sketch_tensor(&s, small, false), second, third = HW_NO_TENSOR;
    second = hw_sketch_tensor(&s, small, false);
    if (v[KEPT].i)
        third = hw_sketch_tensor(&s, small, true);
    for (uint64_t i = 1; i < rungs; i++)
        hw_sketch_add(&s, "begin",
                      &(hw_sketch_node){.makes = {rung + i, left + i - 1}, .n_makes = 2});
    hw_sketch_add(
        &s, "urgent",
        &(hw_sketch_node){.joined = left, .n_joined = rungs - 1, .makes = {first}, .n_makes = 1});
    hw_sketch_step(&s, "urgent", first, second);
    hw_sketch_step(&s, "urgent", second, third);
    hw_sketch_step(&s, "begin", HW_NO_TENSOR, rung);
    hw_sketch_step(&s, "open", rung, opened);
    for (uint64_t i = 1; i < rungs; i++)
        hw_sketch_add(&s, "end", &(hw_sketch_node){.reads = {rung + i, opened}, .n_reads = 2});
    return hw_sketch_finish(&s, out);
}

uint64_t hw_adversarial_fan_optimum(const hw_ladder *l, hw_accounting accounting)
{
    uint64_t gate = l->big + l->excess + (accounting == HW_ALLOC_FIRST ? l->small : 0);
    uint64_t last = l->big + l->rungs * l->small;
    if (l->rungs == 2 && l->loose && accounting == HW_FREE_FIRST && gate + l->big < last)
        last = gate + l->big; /* a_2 and all z before the gate */
    return gate > last ? gate : last;
}

uint64_t hw_adversarial_fan_peak(const hw_ladder *l, hw_accounting accounting)
{
    uint64_t made = accounting == HW_ALLOC_FIRST ? l->small : 0;
    uint64_t gate = l->rungs * l->big + l->excess + (l->loose ? 0 : l->small) + made; /* at b_1 */
    uint64_t rest = (l->rungs - 1) * (l->big + l->small) + made;                      /* at z_1 */
    return gate > rest ? gate : rest;
}

uint64_t hw_lean_fan_optimum(const hw_ladder *l, hw_accounting accounting)
{
    uint64_t gate = l->big + l->excess + (accounting == HW_ALLOC_FIRST ? l->small : 0);
    uint64_t last = l->big + (l->rungs - 1) * l->small;
    return gate > last ? gate : last;
}

uint64_t hw_lean_fan_peak(const hw_ladder *l, hw_accounting accounting)
{
    bool alloc = accounting == HW_ALLOC_FIRST;
    uint64_t gate = l->rungs * l->big + l->excess + (alloc ? l->small : 0);      /* at b_1 */
    uint64_t rest = (l->rungs - 2) * (l->big + l->small) + (alloc ? l->big : 0); /* at z   */
    return gate > rest ? gate : rest;
}

const hw_family_row hw_family_adversarial_fan = {
    .name = "adversarial-fan",
    .random = false,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "rungs behind a gate: for greedy-mixed, ort-memory and XLA's rules",
    .source = "this project; peak / optimum tends to (n - 3) / 2, lean=yes: floor((n + 1) / 2), "
              "as the head of the file proves",
    .generate = generate,
};
