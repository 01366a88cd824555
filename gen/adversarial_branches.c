/*
 * Branches: each a rise, then a large block, then a release, joined at the end.
 * The greedy rule starts every branch before it finishes one.
 *
 *     a_i, i = 1 .. k, reads nothing and makes R bytes (the rise);
 *     c_i reads them and makes T bytes (the block);
 *     d_i reads what a_i and c_i made and makes s bytes (the release);
 *     join reads what all d_i made and makes s bytes, kept.
 *
 * n = 3 k + 1; s <= R <= T.  Source order: all a_i, all c_i, all d_i, join.
 *
 * Optimum: branch by branch.  When the last of the c_i has run, each other
 * branch holds s at least, and before the last of the d_i exactly that:
 *
 *     alloc-first: R + T + k s        at d of the last branch
 *     free-first:  R + T + (k - 1) s  after its c
 *
 * greedy, greedy-listing, by-output and level begin every branch, since R <= T
 * (ties: the longer path, the lower number), then go on to the first block: k R
 * + T, and under alloc-first s more at its release (by-output: s < T); level has all blocks at
 * once, k (R + T).  As R = T grows, that is (k + 1) / 2 = (n + 2) / 6 times the optimum for greedy,
 * and k = (n - 1) / 3 for level.  The ladder, whose gate stands for all these blocks, does three
 * times as much damage to greedy.
 *
 * Time O(branches).
 * Source: this project.
 */
#include "gen/adversarial.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { BRANCHES, RISE, BLOCK, SMALL };

static const hw_param_row params[] = {
    {"branches", HW_PARAM_INT, 1, 2500000, 8, NULL, "branches"},
    {"rise", HW_PARAM_INT, 1, HW_MOST_SIZE, 1000000, NULL, "what a branch makes first (bytes)"},
    {"block", HW_PARAM_INT, 1, HW_MOST_SIZE, 1000000, NULL, "its block, at least rise (bytes)"},
    {"small", HW_PARAM_INT, 0, HW_MOST_SIZE, 1, NULL, "what it leaves, at most rise (bytes)"},
};

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    uint64_t k = (uint64_t)v[BRANCHES].i;
    hw_sketch s;
    (void)rng;
    if (v[SMALL].i > v[RISE].i || v[RISE].i > v[BLOCK].i)
        return hw_fail(err, HW_USAGE, "give small <= rise <= block, not %lld, %lld, %lld",
                       (long long)v[SMALL].i, (long long)v[RISE].i, (long long)v[BLOCK].i);
    hw_sketch_start(&s, err);
    for (int part = RISE; part <= SMALL; part++)
        for (uint64_t i = 0; i < k; i++)
            (void)hw_sketch_tensor(&s, (uint64_t)v[part].i, false);
    uint64_t result = hw_sketch_tensor(&s, (uint64_t)v[SMALL].i, true);
    for (uint64_t i = 0; i < k; i++)
        hw_sketch_step(&s, "rise", HW_NO_TENSOR, i);
    for (uint64_t i = 0; i < k; i++)
        hw_sketch_step(&s, "block", i, k + i);
    for (uint64_t i = 0; i < k; i++)
        hw_sketch_add(&s, "release",
                      &(hw_sketch_node){
                          .reads = {i, k + i}, .n_reads = 2, .makes = {2 * k + i}, .n_makes = 1});
    hw_sketch_add(
        &s, "join",
        &(hw_sketch_node){.joined = 2 * k, .n_joined = k, .makes = {result}, .n_makes = 1});
    return hw_sketch_finish(&s, out);
}

uint64_t hw_branches_optimum(const hw_branches *b, hw_accounting accounting)
{
    uint64_t others = b->branches - (accounting == HW_FREE_FIRST);
    return b->rise + b->block + others * b->small;
}

uint64_t hw_branches_peak(const hw_branches *b, hw_accounting accounting)
{
    return b->branches * b->rise + b->block + (accounting == HW_ALLOC_FIRST ? b->small : 0);
}

const hw_family_row hw_family_adversarial_branches = {
    .name = "adversarial-branches",
    .random = false,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "branches that rise, hold and release: greedy begins all, ends none",
    .source = "this project; peak / optimum tends to (n + 2) / 6 for greedy, as the head of "
              "the file proves",
    .generate = generate,
};
