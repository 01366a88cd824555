/* Growth laws: the straight line through points on log axes. */
#ifndef HW_BENCH_FIT_H
#define HW_BENCH_FIT_H

#include <stddef.h>

/* y = factor * x^exponent. */
typedef struct hw_power_law {
    size_t n;                /* points that were used                        */
    double exponent, factor; /* NaN: fewer than two different x              */
    double error;            /* standard error of the exponent; NaN: n < 3  */
} hw_power_law;

/*
 * Least squares on the logarithms of n points (GSL); points that are not
 * positive and finite in both are left out.  O(n).
 */
hw_power_law hw_power_law_of(const double *x, const double *y, size_t n);

#endif
