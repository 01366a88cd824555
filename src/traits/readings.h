/*
 * Readings of the claim that bad cases share a trait: "two branches with large
 * blocks of similar size" (claim C11).
 *
 * The claim leaves open what a branch is, whose size counts, what is large and
 * what is similar.  A reading says what the pairs of branches are and what
 * their sizes are; a graph then has, for each meaning of large, a balance: the
 * greatest ratio smaller / larger of a pair of which both are large, 0 where
 * there is none.  It has the trait where the balance reaches what is similar.
 * Branches, blocks, unordered: see branches.h and features.h.
 */
#ifndef HW_TRAITS_READINGS_H
#define HW_TRAITS_READINGS_H

#include <stddef.h>

#include "traits/features.h"

/*
 * X(constant, name, of a failure, meaning).  What is `of a failure` looks at
 * the solver's order beside an optimal one, and no optimal order has it.
 * Large is a share of the graph's largest block unless the row says otherwise;
 * for sums of half the total.
 */
#define HW_READING_TABLE(X)                                                                        \
    X(FORK_BLOCKS, "fork-blocks", false,                                                           \
      "two branches between a fork and its join; the largest block of each")                       \
    X(FORK_SUMS, "fork-sums", false,                                                               \
      "two branches between a fork and its join; the sum of all blocks of each")                   \
    X(PART_BLOCKS, "part-blocks", false,                                                           \
      "two parts of a parallel composition of the series-parallel decomposition; the largest "     \
      "block of each")                                                                             \
    X(ANY_BLOCKS, "any-blocks", false, "two blocks whose makers are unordered")                    \
    X(FORK_PEAK, "fork-peak", false, "as fork-blocks, where large is a share of the optimum")      \
    X(ANY_PEAK, "any-peak", false, "as any-blocks, where large is a share of the optimum")         \
    X(ALIVE_BLOCKS, "alive-blocks", true,                                                          \
      "two such blocks, both alive at the peak of the solver's order and never both in an "        \
      "optimal one")                                                                               \
    X(TURN_BLOCKS, "turn-blocks", true,                                                            \
      "as alive-blocks, of which the wrong turn begins the one and not the other")

#define HW_READING_CONSTANT(id, name, failure, meaning) HW_READING_##id,
typedef enum hw_reading { HW_READING_TABLE(HW_READING_CONSTANT) HW_N_READINGS } hw_reading;

typedef struct hw_reading_row {
    const char *name;
    bool of_failure;
    const char *meaning;
} hw_reading_row;

extern const hw_reading_row hw_reading_rows[HW_N_READINGS];

/*
 * balance[i] for each of n meanings of large (0 to 1).  Both orders and the
 * wrong turn are given.  HW_USAGE: more than HW_FEATURES_MOST nodes, or none.
 * HW_NO_MEMORY.  Complexity as hw_features_of(), n times.
 */
hw_code hw_readings_of(const hw_model *m, const hw_feature_orders *orders, const double *large,
                       size_t n, double (*balance)[HW_N_READINGS], hw_error *err);

#endif
