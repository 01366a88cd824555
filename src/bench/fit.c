/* Least squares on log axes.  See fit.h. */
#include "bench/fit.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdbool.h>

enum { MOST_POINTS = 64 }; /* more are no sweep over sizes */

hw_power_law hw_power_law_of(const double *x, const double *y, size_t n)
{
    hw_power_law law = {.exponent = NAN, .factor = NAN, .error = NAN};
    double log_x[MOST_POINTS], log_y[MOST_POINTS];
    bool differ = false;
    for (size_t i = 0; i < n && law.n < MOST_POINTS; i++) {
        if (!(x[i] > 0 && y[i] > 0 && isfinite(x[i]) && isfinite(y[i])))
            continue;
        log_x[law.n] = log(x[i]);
        log_y[law.n] = log(y[i]);
        differ |= log_x[law.n] != log_x[0];
        law.n++;
    }
    if (!differ)
        return law;
    double intercept, slope, variance, covariance, slope_variance, squares;
    gsl_fit_linear(log_x, 1, log_y, 1, law.n, &intercept, &slope, &variance, &covariance,
                   &slope_variance, &squares);
    law.exponent = slope;
    law.factor = exp(intercept);
    if (law.n > 2)
        law.error = sqrt(slope_variance);
    return law;
}
