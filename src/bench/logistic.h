/*
 * Logistic regression: by how much does each feature raise the odds that a
 * case is bad, the others held equal?
 */
#ifndef HW_BENCH_LOGISTIC_H
#define HW_BENCH_LOGISTIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef struct hw_logistic {
    size_t n, k;                    /* cases, columns                                           */
    double *coefficient;            /* k + 1: intercept, then the columns; NaN: left out        */
    double *error;                  /* k + 1 standard errors (Wald), by the inverse information */
    double deviance, null_deviance; /* -2 log likelihood: of the fit, of the intercept alone */
    bool penalised; /* by Firth: the likelihood has no maximum, cases are separated  */
    bool converged;
} hw_logistic;

/*
 * Maximum likelihood by iteratively reweighted least squares (Nelder and
 * Wedderburn 1972).  x: n rows of k columns; yes[i]: 0 or 1.  A column that
 * never changes, or is a combination of those before it, is left out.
 *
 * Where the steps do not come to rest, or only where a fitted chance is within
 * 1e-11 of 0 or 1, some combination of columns separates the cases and the
 * likelihood has no maximum (Albert and Anderson 1984), or as good as none: the
 * estimates are then those of Firth's penalised likelihood (Firth 1993; Heinze
 * and Schemper 2002), which are always finite.  HW_NO_MEMORY.  O(n k^2) a step.
 * Released by hw_logistic_clear() in any case.
 */
hw_code hw_logistic_fit(const double *x, const unsigned char *yes, size_t n, size_t k,
                        hw_logistic *out, hw_error *err);
void hw_logistic_clear(hw_logistic *l);

/* Linear predictor of a row of k columns.  O(k). */
double hw_logistic_score(const hw_logistic *l, const double *row);

/* McFadden's pseudo-R2, 1 - deviance / null deviance (McFadden 1974). */
double hw_logistic_r2(const hw_logistic *l);

/*
 * Column k of n rows of `stride` columns to mean 0 and standard deviation 1 (of
 * n - 1); one that never changes becomes 0.  O(n).
 */
void hw_standardise(double *x, size_t n, size_t stride, size_t k);

#endif
