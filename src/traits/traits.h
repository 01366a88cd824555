/*
 * What do the bad cases of a solver share?  Graphs scored one by one, then
 * questioned together (claim C11).
 */
#ifndef HW_TRAITS_TRAITS_H
#define HW_TRAITS_TRAITS_H

#include "traits/readings.h"
#include "bench/odds.h"
#include "bench/rank.h"
#include "bench/stats.h"
#include "solve/solver.h"

/* ---- Cases. ---- */

/* Meanings of large and of similar; the preset ones first. */
enum { HW_TRAIT_LARGE = 3, HW_TRAIT_SIMILAR = 3 };
extern const double hw_trait_large[HW_TRAIT_LARGE];     /* 0.5, 0.25, 0.75 */
extern const double hw_trait_similar[HW_TRAIT_SIMILAR]; /* 0.8, 0.5, 0.9   */

/* By what cases are grouped; what a group is called is the caller's. */
enum { HW_TRAIT_GROUPINGS = 2 };

typedef struct hw_trait_case {
    hw_graph *graph;
    uint32_t group[HW_TRAIT_GROUPINGS]; /* HW_NONE: of none */
    uint64_t peak, optimum;
    double gap_percent; /* infinite where the optimum is 0 and the peak is not */
    hw_features features;
    double balance[HW_TRAIT_LARGE][HW_N_READINGS];
} hw_trait_case;

typedef struct hw_trait_sample {
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_accounting accounting;
    bool pin_inputs;
    hw_limits limits; /* of each run */
    uint64_t seed;    /* of solvers that draw at random */
    const volatile sig_atomic_t *stop;

    hw_trait_case *cases;
    size_t n, capacity;
    size_t left_out; /* not scored: refused, without an order, or the optimum unproven */
} hw_trait_sample;

/*
 * Score a graph, which becomes the sample's whatever happens: the solver's
 * order, the optimum by `exact`, the wrong turn, and as optimal order the one
 * that agrees with the solver's up to there.  HW_NO_MEMORY, HW_INTERNAL (an
 * order failed its check).
 */
hw_code hw_trait_add(hw_trait_sample *s, hw_graph *g, const uint32_t group[HW_TRAIT_GROUPINGS],
                     hw_error *err);
void hw_trait_clear(hw_trait_sample *s); /* the cases; what was asked for stays */

/* ---- Questions. ---- */

typedef struct hw_trait_options {
    double bad_percent; /* a gap above it is bad */
    size_t resamples;
    uint64_t seed;
} hw_trait_options;

enum { HW_TRAIT_LEAST_BAD = 10 };    /* no verdict on fewer bad cases */
extern const double hw_trait_shared; /* a trait is shared that so many of the bad have: 0.95 */

/*
 * How a trait falls on cases, under one meaning of its words.  The ratio is
 * that of the odds of being bad; for a reading of a failure among the cases
 * that are not optimal, as no optimal one can have it.
 */
typedef struct hw_trait_table {
    hw_share bad, slight, optimal; /* share that has it: gap above bad_percent, above 0, 0 */
    hw_odds odds;
    bool shared;   /* bad.share >= hw_trait_shared                    */
    bool compared; /* there are cases that are not bad */
    bool marks;    /* the interval of the odds ratio lies above 1 */
} hw_trait_table;

typedef enum hw_trait_verdict {
    HW_TRAIT_OPEN,  /* too few bad cases                              */
    HW_TRAIT_FAILS, /* under no condition that was tried              */
    HW_TRAIT_ONLY_IF,
    HW_TRAIT_SHARED, /* the bad share it; there are no others to mark them against */
    HW_TRAIT_HOLDS   /* the bad share it, and it marks them */
} hw_trait_verdict;

const char *hw_trait_verdict_name(hw_trait_verdict verdict);

/* What a verdict may depend on; a condition is one of these changed. */
typedef enum hw_trait_condition_kind {
    HW_TRAIT_IF_GAP,   /* bad is a gap above `value` percent  */
    HW_TRAIT_IF_WORDS, /* large and similar as `at_large`, `at_similar` */
    HW_TRAIT_IF_GROUP  /* cases of one group of one grouping  */
} hw_trait_condition_kind;

typedef struct hw_trait_condition {
    hw_trait_condition_kind kind;
    double gap_percent;
    size_t at_large, at_similar;
    size_t grouping;
    uint32_t group;
    hw_trait_table table;
} hw_trait_condition;

/* The answers for one reading. */
typedef struct hw_trait_answer {
    hw_trait_verdict verdict;
    hw_trait_table words[HW_TRAIT_LARGE][HW_TRAIT_SIMILAR];
    hw_trait_condition *condition; /* those under which it holds */
    size_t n_conditions, capacity;
    size_t bad_without;  /* the smallest bad case without the trait; SIZE_MAX: there is none */
    size_t optimal_with; /* the smallest optimal case that has it                            */
    double auc;          /* of the balance: does it tell bad cases from the others?          */
    double slope, slope_error; /* log odds of being bad a standard deviation of the balance  */
    double r2;                 /* of that regression                                         */
    bool penalised;
} hw_trait_answer;

/* One column of the regression of "bad" on the features of the graph. */
typedef struct hw_trait_term {
    double log_odds, error; /* a standard deviation of the feature; NaN: left out */
} hw_trait_term;

typedef struct hw_trait_report {
    size_t n, n_bad, n_slight, n_optimal;
    double median_gap, worst_gap;
    hw_rank_correlation correlation[HW_N_FEATURES]; /* with the gap              */
    double rho_holm[HW_N_FEATURES], tau_holm[HW_N_FEATURES];
    hw_trait_answer answer[HW_N_READINGS];
    hw_trait_term term[HW_N_FEATURES]; /* rows OF_GRAPH; the rest NaN */
    bool fitted, penalised;
    double r2, auc;      /* of the cases that were fitted: half of them; r2 is McFadden's */
    double auc_held_out; /* of the other half                                             */
} hw_trait_report;

/* HW_NO_MEMORY.  O((features x resamples + readings x conditions) n log n). */
hw_code hw_trait_ask(const hw_trait_sample *s, const hw_trait_options *options,
                     hw_trait_report *out, hw_error *err);
void hw_trait_report_clear(hw_trait_report *r);

/* Has the case the trait, large and similar meaning entry l and k of their tables? */
static inline bool hw_trait_has(const hw_trait_case *c, hw_reading reading, size_t l, size_t k)
{
    return c->balance[l][reading] > 0 && c->balance[l][reading] >= hw_trait_similar[k];
}

#endif
