/* Random draws that several families share.  See draw.h. */
#include "gen/draw.h"

#include <math.h>

uint64_t hw_draw_skip(gsl_rng *rng, double p)
{
    if (p >= 1)
        return 0;
    double u = 1 - gsl_rng_uniform(rng); /* in (0, 1] */
    double skip = floor(log(u) / log1p(-p));
    return skip < 0x1.0p62 ? (uint64_t)skip : UINT64_MAX;
}

bool hw_draw_chance(gsl_rng *rng, double p)
{
    return p > 0 && gsl_rng_uniform(rng) < p;
}

void hw_draw_permutation(gsl_rng *rng, uint32_t *item, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = (uint32_t)hw_rng_below(rng, (uint64_t)i + 1);
        item[i] = item[j];
        item[j] = i;
    }
}

void hw_draw_parts(gsl_rng *rng, uint32_t total, uint32_t *part, uint32_t n, bool equal)
{
    for (uint32_t i = 0; i < n; i++)
        part[i] = equal ? total / n + (i < total % n) : 1;
    if (!equal)
        for (uint32_t rest = total - n; rest; rest--)
            part[hw_rng_below(rng, n)]++;
}
