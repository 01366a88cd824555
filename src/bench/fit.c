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

typedef struct line {
    double slope, error, squares;
} line;

static line line_of(const double *x, const double *y, size_t n)
{
    double intercept, variance, covariance, slope_variance;
    line l = {NAN, NAN, NAN};
    bool differ = false;
    for (size_t i = 1; i < n; i++)
        differ |= x[i] != x[0];
    if (!differ)
        return l;
    gsl_fit_linear(x, 1, y, 1, n, &intercept, &l.slope, &variance, &covariance, &slope_variance,
                   &l.squares);
    if (n > 2)
        l.error = sqrt(slope_variance);
    return l;
}

hw_growth hw_growth_of(double *x, double *y, size_t n)
{
    hw_growth g = {.n = 0, .aic_difference = NAN};
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] > 0 && y[i] > 0 && isfinite(x[i]) && isfinite(y[i])))
            continue;
        x[g.n] = x[i];
        y[g.n++] = log(y[i]);
    }
    line exponential = line_of(x, y, g.n);
    for (size_t i = 0; i < g.n; i++)
        x[i] = log(x[i]);
    line power = line_of(x, y, g.n);
    g.exponent = power.slope;
    g.exponent_error = power.error;
    g.rate = exponential.slope / M_LN2;
    g.rate_error = exponential.error / M_LN2;
    /* Both have two parameters, so that only the residuals differ. */
    if (g.n > 2 && power.squares > 0 && exponential.squares > 0)
        g.aic_difference = (double)g.n * log(exponential.squares / power.squares);
    else if (g.n > 2 && power.squares >= 0)
        g.aic_difference = power.squares > 0 ? -INFINITY : exponential.squares > 0 ? INFINITY : 0;
    return g;
}

const char *hw_growth_law(const hw_growth *growth)
{
    if (isnan(growth->aic_difference))
        return NULL;
    return growth->aic_difference > 2    ? "power"
           : growth->aic_difference < -2 ? "exponential"
                                         : "either";
}
