/*
 * Clusters drawn with replacement.  See resample.h.
 *
 * A draw is a weight for each cluster: how often it came.  Eight draws are
 * taken at once, their weights side by side, so that one walk along the values
 * serves eight draws.
 */
#include "bench/resample.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bench/stats.h"
#include "core/memory.h"
#include "core/rng.h"

enum { AT_ONCE = 8, CHUNK = 64 };

/* ---- The end of an interval. ---- */

/* Bias: the normal deviate of the share of draws below the estimate. */
static double bias_of(const double *draws, size_t n, double estimate)
{
    double below = 0;
    for (size_t i = 0; i < n; i++)
        below += draws[i] < estimate ? 1 : draws[i] > estimate ? 0 : 0.5;
    double share = fmin(fmax(below, 0.5), (double)n - 0.5) / (double)n;
    return gsl_cdf_ugaussian_Pinv(share);
}

/* Acceleration: from the skewness of the influences. */
static double acceleration_of(const double *influence, size_t n)
{
    double sum = 0, squares = 0, cubes = 0;
    for (size_t i = 0; i < n; i++)
        sum += influence[i];
    for (size_t i = 0; i < n; i++) {
        double d = influence[i] - sum / (double)n;
        squares += d * d;
        cubes += d * d * d;
    }
    return squares > 0 ? cubes / (6 * pow(squares, 1.5)) : 0;
}

static double end_of(const double *sorted, size_t n, double bias, double acceleration, double tail)
{
    double z = bias + gsl_cdf_ugaussian_Pinv(tail);
    double level = gsl_cdf_ugaussian_P(bias + z / (1 - acceleration * z));
    return hw_quantile(sorted, n, level);
}

void hw_bca(double *draws, size_t n_draws, double estimate, const double *influence, size_t n,
            double tail, double *low, double *high)
{
    double bias = bias_of(draws, n_draws, estimate), acceleration = acceleration_of(influence, n);
    hw_sort_reals(draws, n_draws);
    *low = end_of(draws, n_draws, bias, acceleration, tail);
    *high = end_of(draws, n_draws, bias, acceleration, 1 - tail);
}

/* ---- A sample laid out for the walks. ---- */

typedef struct part { /* what a sample has of one cluster */
    size_t cluster;
    double sum, count;
} part;

typedef struct ranked {
    double value;
    size_t cluster;
} ranked;

typedef struct figure {
    part *parts;
    size_t n_parts;
    ranked *sorted; /* NULL: no median wanted */
    size_t n;
    double sum;
    double *means, *medians; /* of the draws; medians NULL as above */
    size_t n_draws;
} figure;

static void free_figure(figure *f)
{
    free(f->parts);
    free(f->sorted);
    free(f->means);
    free(f->medians);
}

static int compare_ranked(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    int d = (a->value > b->value) - (a->value < b->value);
    return d ? d : (a->cluster > b->cluster) - (a->cluster < b->cluster);
}

/* part_of: SIZE_MAX for every cluster, before and after. */
static bool lay_out(const hw_sample *s, bool with_median, size_t resamples, size_t *part_of,
                    figure *f)
{
    *f = (figure){.parts = HW_NEW(part, s->n),
                  .n = s->n,
                  .means = HW_NEW(double, resamples),
                  .sorted = with_median ? HW_NEW(ranked, s->n) : NULL,
                  .medians = with_median ? HW_NEW(double, resamples) : NULL};
    if (!f->parts || !f->means || (with_median && (!f->sorted || !f->medians)))
        return false;
    for (size_t i = 0; i < s->n; i++) {
        size_t c = s->cluster[i];
        if (part_of[c] == SIZE_MAX) {
            part_of[c] = f->n_parts;
            f->parts[f->n_parts++] = (part){.cluster = c};
        }
        f->parts[part_of[c]].sum += s->value[i];
        f->parts[part_of[c]].count++;
        f->sum += s->value[i];
        if (with_median)
            f->sorted[i] = (ranked){s->value[i], c};
    }
    for (size_t i = 0; i < f->n_parts; i++)
        part_of[f->parts[i].cluster] = SIZE_MAX;
    if (with_median && s->n)
        qsort(f->sorted, s->n, sizeof *f->sorted, compare_ranked);
    return true;
}

/* ---- Draws. ---- */

/* weight[c * AT_ONCE + b]: how often draw b took cluster c. */
static void draw(gsl_rng *rng, size_t n_clusters, uint32_t *count, double *weight)
{
    for (size_t b = 0; b < AT_ONCE; b++) {
        for (size_t c = 0; c < n_clusters; c++)
            count[c] = 0;
        for (size_t c = 0; c < n_clusters; c++)
            count[hw_rng_below(rng, n_clusters)]++;
        for (size_t c = 0; c < n_clusters; c++)
            weight[c * AT_ONCE + b] = count[c];
    }
}

static void add_up(const figure *f, const double *weight, double sum[AT_ONCE],
                   double count[AT_ONCE])
{
    for (size_t b = 0; b < AT_ONCE; b++)
        sum[b] = count[b] = 0;
    for (size_t i = 0; i < f->n_parts; i++) {
        const part *p = &f->parts[i];
        const double *w = weight + p->cluster * AT_ONCE;
        for (size_t b = 0; b < AT_ONCE; b++) {
            sum[b] += p->sum * w[b];
            count[b] += p->count * w[b];
        }
    }
}

/* The value at a place, from 0, of the values taken as often as weights say;
 * `before` is the weight of those before sorted[i]. */
static double value_at(const figure *f, const double *weight, size_t b, size_t i, double before,
                       double place)
{
    for (;; i++) {
        before += weight[f->sorted[i].cluster * AT_ONCE + b];
        if (before > place || i + 1 == f->n)
            return f->sorted[i].value;
    }
}

static void find_medians(const figure *f, const double *weight, const double count[AT_ONCE],
                         double median[AT_ONCE])
{
    double before[AT_ONCE] = {0}, low[AT_ONCE];
    int found[AT_ONCE] = {0}; /* of the two middle places */
    for (size_t i = 0; i < f->n; i += CHUNK) {
        double sum[AT_ONCE] = {0};
        size_t end = i + CHUNK < f->n ? i + CHUNK : f->n;
        for (size_t k = i; k < end; k++) {
            const double *w = weight + f->sorted[k].cluster * AT_ONCE;
            for (size_t b = 0; b < AT_ONCE; b++)
                sum[b] += w[b];
        }
        for (size_t b = 0; b < AT_ONCE; b++) {
            double first = floor((count[b] - 1) / 2), second = floor(count[b] / 2);
            if (found[b] == 0 && before[b] + sum[b] > first) {
                low[b] = value_at(f, weight, b, i, before[b], first);
                found[b] = 1;
            }
            if (found[b] == 1 && before[b] + sum[b] > second) {
                median[b] = low[b] + (value_at(f, weight, b, i, before[b], second) - low[b]) / 2;
                found[b] = 2;
            }
            before[b] += sum[b];
        }
    }
}

static void take_draws(figure *f, const double *weight, size_t n)
{
    double sum[AT_ONCE], count[AT_ONCE], median[AT_ONCE] = {0};
    add_up(f, weight, sum, count);
    if (f->medians)
        find_medians(f, weight, count, median);
    for (size_t b = 0; b < n; b++) {
        if (count[b] <= 0)
            continue;
        f->means[f->n_draws] = sum[b] / count[b];
        if (f->medians)
            f->medians[f->n_draws] = median[b];
        f->n_draws++;
    }
}

/* ---- Intervals. ---- */

/* influence has room for every part. */
static hw_estimate mean_of(figure *f, double *influence)
{
    if (f->n == 0)
        return (hw_estimate){NAN, NAN, NAN};
    hw_estimate e;
    e.low = e.high = e.value = f->sum / (double)f->n;
    bool differ = false; /* cluster means: where none differs, no draw does */
    for (size_t i = 0; i < f->n_parts; i++) {
        const part *p = &f->parts[i];
        differ |= p->sum * f->parts[0].count != f->parts[0].sum * p->count;
        influence[i] = f->n_parts > 1 ? -(f->sum - p->sum) / ((double)f->n - p->count) : 0;
    }
    if (f->n_draws == 0)
        e.low = e.high = NAN;
    else if (differ)
        hw_bca(f->means, f->n_draws, e.value, influence, f->n_parts, 0.025, &e.low, &e.high);
    return e;
}

static hw_estimate median_of(figure *f)
{
    if (f->n == 0)
        return (hw_estimate){NAN, NAN, NAN};
    hw_estimate e;
    double low = f->sorted[(f->n - 1) / 2].value, high = f->sorted[f->n / 2].value;
    e.low = e.high = NAN;
    e.value = low + (high - low) / 2;
    if (f->n_draws) {
        hw_sort_reals(f->medians, f->n_draws);
        e.low = hw_quantile(f->medians, f->n_draws, 0.025);
        e.high = hw_quantile(f->medians, f->n_draws, 0.975);
    }
    return e;
}

typedef struct workspace {
    figure *figures;
    size_t *part_of;
    uint32_t *count;
    double *weight, *influence;
    gsl_rng *rng;
} workspace;

static bool open_workspace(workspace *w, size_t n_samples, size_t n_clusters, uint64_t seed)
{
    *w = (workspace){.figures = HW_NEW0(figure, n_samples),
                     .part_of = HW_NEW(size_t, n_clusters),
                     .count = HW_NEW(uint32_t, n_clusters),
                     .weight = hw_alloc(n_clusters, AT_ONCE * sizeof(double)),
                     .influence = HW_NEW(double, n_clusters),
                     .rng = hw_rng_new(seed)};
    for (size_t c = 0; w->part_of && c < n_clusters; c++)
        w->part_of[c] = SIZE_MAX;
    return w->figures && w->part_of && w->count && w->weight && w->influence && w->rng;
}

static void close_workspace(workspace *w, size_t n_samples)
{
    for (size_t s = 0; w->figures && s < n_samples; s++)
        free_figure(&w->figures[s]);
    free(w->figures);
    free(w->part_of);
    free(w->count);
    free(w->weight);
    free(w->influence);
    if (w->rng)
        gsl_rng_free(w->rng);
}

hw_code hw_bootstrap_samples(const hw_sample *samples, size_t n_samples, size_t n_clusters,
                             size_t resamples, uint64_t seed, hw_estimate *mean,
                             hw_estimate *median, hw_error *err)
{
    workspace w;
    bool fine = open_workspace(&w, n_samples, n_clusters, seed);
    for (size_t s = 0; fine && s < n_samples; s++)
        fine = lay_out(&samples[s], median != NULL, resamples, w.part_of, &w.figures[s]);
    for (size_t done = 0; fine && n_clusters && done < resamples; done += AT_ONCE) {
        draw(w.rng, n_clusters, w.count, w.weight);
        size_t left = resamples - done;
        for (size_t s = 0; s < n_samples; s++)
            take_draws(&w.figures[s], w.weight, left < AT_ONCE ? left : AT_ONCE);
    }
    for (size_t s = 0; fine && s < n_samples; s++) {
        if (mean)
            mean[s] = mean_of(&w.figures[s], w.influence);
        if (median)
            median[s] = median_of(&w.figures[s]);
    }
    close_workspace(&w, n_samples);
    return fine ? HW_OK : hw_fail_memory(err, "a bootstrap");
}
