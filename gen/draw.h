/* Random draws that several families share. */
#ifndef HW_GEN_DRAW_H
#define HW_GEN_DRAW_H

#include <stdbool.h>

#include "core/rng.h"

/*
 * How many trials of success probability p in (0, 1] fail before the next
 * success: floor(log u / log(1 - p)), so that a row of N trials costs as many
 * draws as it has successes.  UINT64_MAX: beyond 2^62.  O(1).
 * Source: Batagelj and Brandes, Efficient generation of large random networks,
 * 2005.
 */
uint64_t hw_draw_skip(gsl_rng *rng, double p);

/* True with probability p; draws nothing where p is 0. */
bool hw_draw_chance(gsl_rng *rng, double p);

/* A uniform permutation of 0 .. n-1 into item[] (Fisher and Yates).  O(n). */
void hw_draw_permutation(gsl_rng *rng, uint32_t *item, uint32_t n);

/*
 * Split `total` >= n into n parts of at least 1: part[]; `equal`: they differ
 * by at most 1 and the first are the greater, else every unit beyond the first
 * of each part falls on a uniform part.  O(total), equal: O(n).
 */
void hw_draw_parts(gsl_rng *rng, uint32_t total, uint32_t *part, uint32_t n, bool equal);

#endif
