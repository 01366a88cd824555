/* Fisher's exact test with an exact interval of the odds ratio.  See odds.h. */
#include "bench/odds.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

/* The number of `both` given the margins: low .. low + n - 1. */
typedef struct law {
    double *log_weight; /* at odds ratio 1 */
    uint64_t low;
    size_t n, at; /* at: the table at hand */
} law;

static double log_choose(uint64_t n, uint64_t k)
{
    return gsl_sf_lngamma((double)n + 1) - gsl_sf_lngamma((double)k + 1) -
           gsl_sf_lngamma((double)(n - k) + 1);
}

static hw_code law_open(law *l, const hw_odds *t, hw_error *err)
{
    uint64_t first = t->both + t->first_only, second = t->both + t->second_only;
    uint64_t others = t->second_only + t->neither;
    l->low = second > others ? second - others : 0;
    uint64_t high = first < second ? first : second;
    l->n = (size_t)(high - l->low + 1);
    l->at = (size_t)(t->both - l->low);
    l->log_weight = HW_NEW(double, l->n);
    if (!l->log_weight)
        return hw_fail_memory(err, "an exact test");
    for (size_t i = 0; i < l->n; i++)
        l->log_weight[i] = log_choose(first, l->low + i) + log_choose(others, second - l->low - i);
    return HW_OK;
}

typedef enum question { MEAN, AT_MOST, AT_LEAST } question;

/* Of the law tilted to log odds ratio t. */
static double ask(const law *l, double t, question q)
{
    double greatest = -INFINITY, sum = 0, part = 0;
    for (size_t i = 0; i < l->n; i++)
        greatest = fmax(greatest, l->log_weight[i] + t * (double)i);
    for (size_t i = 0; i < l->n; i++) {
        double chance = exp(l->log_weight[i] + t * (double)i - greatest);
        sum += chance;
        if (q == MEAN)
            part += chance * (double)i;
        else if (q == AT_MOST ? i <= l->at : i >= l->at)
            part += chance;
    }
    return part / sum;
}

/* The log odds ratio at which the answer, which only rises (AT_MOST: falls), is `wanted`. */
static double solve(const law *l, question q, double wanted)
{
    double low = -1, high = 1;
    while ((ask(l, low, q) > wanted) != (q == AT_MOST) && low > -1e6)
        low *= 2;
    while ((ask(l, high, q) < wanted) != (q == AT_MOST) && high < 1e6)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-13 * fmax(1, fabs(low)); i++) {
        double middle = low + (high - low) / 2;
        if ((ask(l, middle, q) < wanted) != (q == AT_MOST))
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

/* Sum of the tables that are no likelier, up to rounding. */
static double two_sided(const law *l)
{
    double sum = 0, part = 0, greatest = -INFINITY, at = l->log_weight[l->at] + 1e-7;
    for (size_t i = 0; i < l->n; i++)
        greatest = fmax(greatest, l->log_weight[i]);
    for (size_t i = 0; i < l->n; i++) {
        double chance = exp(l->log_weight[i] - greatest);
        sum += chance;
        part += l->log_weight[i] <= at ? chance : 0;
    }
    return part / sum;
}

hw_code hw_odds_of(uint64_t both, uint64_t first_only, uint64_t second_only, uint64_t neither,
                   hw_odds *out, hw_error *err)
{
    const double tail = 0.025;
    *out = (hw_odds){both, first_only, second_only, neither, NAN, 0, INFINITY, 1};
    law l;
    hw_code code = law_open(&l, out, err);
    if (code != HW_OK)
        return code;
    if (l.n > 1) {
        bool first = l.at == 0, last = l.at == l.n - 1;
        out->ratio = first ? 0 : last ? INFINITY : exp(solve(&l, MEAN, (double)l.at));
        out->low = first ? 0 : exp(solve(&l, AT_LEAST, tail));
        out->high = last ? INFINITY : exp(solve(&l, AT_MOST, tail));
        out->p = fmin(1, two_sided(&l));
    }
    free(l.log_weight);
    return HW_OK;
}
