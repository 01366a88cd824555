/*
 * Buckets: ranges of sizes that share one order, and which ranges are best.
 *
 * A bucket is a range of neighbouring sizes and the order whose regret in it is
 * least.  For K buckets the best cuts come from dynamic programming: the best
 * of the first j sizes in k buckets is, over the start i of the last one, the
 * best of the first i in k - 1 buckets joined with that bucket.  Joining is a
 * maximum or a sum, so a better part never makes the whole worse.
 */
#ifndef HW_BUCKETS_CUTS_H
#define HW_BUCKETS_CUTS_H

#include "buckets/regret.h"

/* What is to be small.  The words stand in the order of the enumeration. */
typedef enum hw_bucket_goal {
    HW_GOAL_WORST,       /* the largest peak / best             */
    HW_GOAL_WORST_BYTES, /* the largest regret in bytes         */
    HW_GOAL_TOTAL_BYTES  /* the sum of the regrets of all sizes */
} hw_bucket_goal;
#define HW_BUCKET_GOAL_WORDS "worst|worst-bytes|total-bytes"
const char *hw_bucket_goal_name(hw_bucket_goal goal);

/* The regret of several sizes; all three figures, whatever the goal. */
typedef struct hw_bucket_cost {
    hw_ratio ratio; /* peak and best of the size whose ratio is largest */
    uint64_t bytes; /* largest regret */
    hw_cost total;  /* sum of regrets */
} hw_bucket_cost;

/* No size at all. */
static inline hw_bucket_cost hw_bucket_no_cost(void)
{
    return (hw_bucket_cost){.ratio = {1, 1}};
}

/* Of one order at one size; of two sets of sizes; below, equal to or above zero. */
hw_bucket_cost hw_bucket_cost_at(const hw_regret *r, size_t order, size_t size);
hw_bucket_cost hw_bucket_cost_join(hw_bucket_cost a, hw_bucket_cost b);
int hw_bucket_cost_compare(hw_bucket_cost a, hw_bucket_cost b, hw_bucket_goal goal);

typedef struct hw_bucket {
    size_t first, last; /* sizes, both included */
    size_t order;       /* an index of hw_regret.order */
    hw_bucket_cost cost;
} hw_bucket;

/* The best cuts into at most n_buckets. */
typedef struct hw_cuts {
    size_t n_buckets;
    hw_bucket *bucket; /* by size */
    hw_bucket_cost cost;
} hw_cuts;

/* Released by hw_cuts_clear(). */
typedef struct hw_cuts_table {
    size_t n; /* rows: row k - 1 is for k buckets; the last may have no regret at all */
    hw_cuts *row;
    size_t least_free; /* the fewest buckets without any regret */
} hw_cuts_table;

/*
 * The best cuts into 1, 2, ... buckets, up to `most` or to where no regret is
 * left.  Equal choices: the order found within the bucket, then that of least
 * total regret, then the one found first; of cuts the leftmost.  most: at
 * least 1.  HW_NO_MEMORY; HW_STOPPED.  O(sizes^2 * (orders + most)).
 */
hw_code hw_cuts_find(const hw_regret *r, hw_bucket_goal goal, size_t most,
                     const volatile sig_atomic_t *stop, hw_cuts_table *out, hw_error *err);
void hw_cuts_clear(hw_cuts_table *t);

/* ---- Choices that need no knowledge of the regret. ---- */

/*
 * k representatives, each running its own order: every size takes the nearest
 * by value (of two equally near the smaller), or the next that is not smaller.
 * They are spread evenly over the sizes: the middles of k equal ranges of
 * sizes, or their ends.  k: 1 to the sizes.  The representative of each size
 * goes into chosen (n_sizes items; NULL: not wanted).  O(sizes * k).
 */
typedef enum hw_bucket_rule { HW_RULE_NEAREST, HW_RULE_NEXT } hw_bucket_rule;
hw_bucket_cost hw_buckets_even(const hw_regret *r, size_t k, hw_bucket_rule rule, size_t *chosen);

/* The other end: every size runs the order of that size which suits it least.  O(sizes^2). */
hw_bucket_cost hw_buckets_unlucky(const hw_regret *r);

/* The regret of the second solver, which runs anew at every size; hw_regret.has_again.  O(sizes).
 */
hw_bucket_cost hw_buckets_again(const hw_regret *r);

#endif
