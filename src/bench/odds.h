/* Two by two tables: does a trait go with being bad? */
#ifndef HW_BENCH_ODDS_H
#define HW_BENCH_ODDS_H

#include <stdint.h>

#include "core/error.h"

/* Counts by two questions; the interval and p hold for the four margins as they are. */
typedef struct hw_odds {
    uint64_t both, first_only, second_only, neither;
    double ratio; /* conditional maximum likelihood; 0 or infinite at an end; NaN: a margin is 0 */
    double low, high; /* the exact 95 % interval */
    double p;         /* two-sided */
} hw_odds;

/*
 * Fisher's exact test (Fisher 1935), with the estimate and the interval of the
 * noncentral hypergeometric law (Cornfield 1956), as fisher.test of R computes
 * them: p sums the tables that are no likelier than the one at hand.
 * HW_NO_MEMORY.  O(smallest margin) for each of some hundred evaluations.
 */
hw_code hw_odds_of(uint64_t both, uint64_t first_only, uint64_t second_only, uint64_t neither,
                   hw_odds *out, hw_error *err);

#endif
