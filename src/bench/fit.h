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

/* How y grows with x: as x^exponent, or as 2^(rate x)? */
typedef struct hw_growth {
    size_t n;                        /* points that were used            */
    double exponent, exponent_error; /* standard errors; NaN as above    */
    double rate, rate_error;

    /*
     * Akaike's criterion (1974) of the exponential law less that of the power
     * law, both by least squares on log y: above 0 the power law fits better,
     * and a difference below 2 says little (Burnham and Anderson 2002, p. 70).
     * NaN below 3 points.
     */
    double aic_difference;
} hw_growth;

/* Both laws by least squares (GSL); the arrays are changed.  Points as above.  O(n). */
hw_growth hw_growth_of(double *x, double *y, size_t n);

/* "power", "exponential", or "either" while the difference is below 2; NULL: NaN. */
const char *hw_growth_law(const hw_growth *growth);

#endif
