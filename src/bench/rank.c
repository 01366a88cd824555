/*
 * Spearman's and Kendall's measures, with bootstrap intervals.  See rank.h.
 *
 * A draw with replacement is a weight for each pair: how often it came.  So
 * the pairs are sorted once, and each draw is one walk along them.
 */
#include "bench/rank.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "bench/stats.h"
#include "core/memory.h"
#include "core/rng.h"

typedef struct point {
    double x, y;
    size_t x_class, y_class; /* equal values are of one class; ascending */
} point;

/* Sums over the classes of one figure under weights. */
typedef struct ties {
    double pairs;   /* t (t - 1) / 2              */
    double thirds;  /* t (t - 1) (t - 2)          */
    double moments; /* t (t - 1) (2 t + 5)        */
} ties;

typedef struct walk {
    point *point; /* by x, then y */
    size_t n, x_classes, y_classes;
    uint32_t *weight;        /* by point */
    uint64_t *x_sum, *y_sum; /* weight of a class */
    double *x_rank, *y_rank; /* mean rank of a class under the weights */
    uint64_t *tree;          /* Fenwick 1994, by class of y, from 1 */
} walk;

static int by_y(const void *a, const void *b)
{
    const point *p = a, *q = b;
    return (p->y > q->y) - (p->y < q->y);
}

static int by_x(const void *a, const void *b)
{
    const point *p = a, *q = b;
    int order = (p->x > q->x) - (p->x < q->x);
    return order ? order : by_y(a, b);
}

static void walk_close(walk *w)
{
    free(w->point);
    free(w->weight);
    free(w->x_sum);
    free(w->y_sum);
    free(w->x_rank);
    free(w->y_rank);
    free(w->tree);
}

static hw_code walk_open(walk *w, const double *x, const double *y, size_t n, hw_error *err)
{
    *w = (walk){.point = HW_NEW(point, n), .weight = HW_NEW(uint32_t, n)};
    w->x_sum = HW_NEW(uint64_t, n);
    w->y_sum = HW_NEW(uint64_t, n);
    w->x_rank = HW_NEW(double, n);
    w->y_rank = HW_NEW(double, n);
    w->tree = HW_NEW(uint64_t, n + 1);
    if (!w->point || !w->weight || !w->x_sum || !w->y_sum || !w->x_rank || !w->y_rank || !w->tree) {
        walk_close(w);
        return hw_fail_memory(err, "a rank correlation");
    }
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]) && !isnan(y[i]))
            w->point[w->n++] = (point){.x = x[i], .y = y[i]};
    if (w->n == 0)
        return HW_OK;
    qsort(w->point, w->n, sizeof *w->point, by_y);
    for (size_t i = 0; i < w->n; i++) {
        w->y_classes += i == 0 || w->point[i].y != w->point[i - 1].y;
        w->point[i].y_class = w->y_classes - 1;
    }
    qsort(w->point, w->n, sizeof *w->point, by_x);
    for (size_t i = 0; i < w->n; i++) {
        w->x_classes += i == 0 || w->point[i].x != w->point[i - 1].x;
        w->point[i].x_class = w->x_classes - 1;
        w->weight[i] = 1;
    }
    return HW_OK;
}

static ties rank_classes(const uint64_t *sum, size_t classes, double *rank)
{
    ties t = {0};
    double before = 0;
    for (size_t c = 0; c < classes; c++) {
        double s = (double)sum[c];
        rank[c] = before + (s + 1) / 2;
        before += s;
        t.pairs += s * (s - 1) / 2;
        t.thirds += s * (s - 1) * (s - 2);
        t.moments += s * (s - 1) * (2 * s + 5);
    }
    return t;
}

/* Weight of the classes of y below `end`. */
static uint64_t weight_below(const walk *w, size_t end)
{
    uint64_t sum = 0;
    for (; end > 0; end &= end - 1)
        sum += w->tree[end];
    return sum;
}

static void weight_add(walk *w, size_t y_class, uint64_t weight)
{
    for (size_t i = y_class + 1; i <= w->y_classes; i += i & (~i + 1))
        w->tree[i] += weight;
}

/* Concordant less discordant pairs: each group of equal x against all before it. */
static double concordance(walk *w)
{
    double s = 0;
    uint64_t before = 0;
    for (size_t i = 0; i <= w->y_classes; i++)
        w->tree[i] = 0;
    for (size_t i = 0, end; i < w->n; i = end) {
        for (end = i; end < w->n && w->point[end].x_class == w->point[i].x_class; end++) {
            size_t c = w->point[end].y_class;
            uint64_t below = weight_below(w, c), up_to = weight_below(w, c + 1);
            s += w->weight[end] * ((double)below - (double)(before - up_to));
        }
        for (size_t k = i; k < end; k++) {
            weight_add(w, w->point[k].y_class, w->weight[k]);
            before += w->weight[k];
        }
    }
    return s;
}

/* Both measures under the weights; the ties and S of Kendall for whoever wants a p. */
static void measure(walk *w, double *rho, double *tau, ties *tx, ties *ty, double *s)
{
    double n = 0, xy = 0, xx = 0, yy = 0;
    for (size_t c = 0; c < w->x_classes; c++)
        w->x_sum[c] = 0;
    for (size_t c = 0; c < w->y_classes; c++)
        w->y_sum[c] = 0;
    for (size_t i = 0; i < w->n; i++) {
        n += w->weight[i];
        w->x_sum[w->point[i].x_class] += w->weight[i];
        w->y_sum[w->point[i].y_class] += w->weight[i];
    }
    *tx = rank_classes(w->x_sum, w->x_classes, w->x_rank);
    *ty = rank_classes(w->y_sum, w->y_classes, w->y_rank);
    for (size_t i = 0; i < w->n; i++) {
        double a = w->x_rank[w->point[i].x_class] - (n + 1) / 2;
        double b = w->y_rank[w->point[i].y_class] - (n + 1) / 2;
        xy += w->weight[i] * a * b;
        xx += w->weight[i] * a * a;
        yy += w->weight[i] * b * b;
    }
    double pairs = n * (n - 1) / 2;
    double untied = (pairs - tx->pairs) * (pairs - ty->pairs);
    *s = concordance(w);
    *rho = xx > 0 && yy > 0 ? fmax(-1, fmin(1, xy / sqrt(xx * yy))) : NAN;
    *tau = untied > 0 ? fmax(-1, fmin(1, *s / sqrt(untied))) : NAN;
}

static double p_of_rho(double rho, double n)
{
    if (isnan(rho) || n < 3)
        return NAN;
    if (fabs(rho) >= 1)
        return 0;
    return 2 * gsl_cdf_tdist_Q(fabs(rho) * sqrt((n - 2) / (1 - rho * rho)), n - 2);
}

static double p_of_tau(double s, double n, const ties *x, const ties *y)
{
    double variance = (n * (n - 1) * (2 * n + 5) - x->moments - y->moments) / 18;
    if (n > 2)
        variance += x->thirds * y->thirds / (9 * n * (n - 1) * (n - 2));
    if (n > 1)
        variance += 2 * x->pairs * y->pairs / (n * (n - 1));
    return variance > 0 ? 2 * gsl_cdf_ugaussian_Q(fabs(s) / sqrt(variance)) : NAN;
}

static void interval_of(double *draws, size_t n, hw_correlation *c)
{
    hw_sort_reals(draws, n);
    c->low = hw_quantile(draws, n, 0.025);
    c->high = hw_quantile(draws, n, 0.975);
}

static hw_code bootstrap(walk *w, size_t resamples, uint64_t seed, hw_rank_correlation *out,
                         hw_error *err)
{
    double *rho = HW_NEW(double, resamples), *tau = HW_NEW(double, resamples), s;
    gsl_rng *rng = hw_rng_new(seed);
    size_t drawn = 0;
    ties tx, ty;
    if (!rho || !tau || !rng) {
        free(rho);
        free(tau);
        if (rng)
            gsl_rng_free(rng);
        return hw_fail_memory(err, "a bootstrap");
    }
    for (size_t b = 0; b < resamples; b++) {
        for (size_t i = 0; i < w->n; i++)
            w->weight[i] = 0;
        for (size_t i = 0; i < w->n; i++)
            w->weight[hw_rng_below(rng, w->n)]++;
        measure(w, &rho[drawn], &tau[drawn], &tx, &ty, &s);
        drawn += !isnan(rho[drawn]) && !isnan(tau[drawn]);
    }
    interval_of(rho, drawn, &out->rho);
    interval_of(tau, drawn, &out->tau_b);
    gsl_rng_free(rng);
    free(rho);
    free(tau);
    return HW_OK;
}

hw_code hw_rank_correlate(const double *x, const double *y, size_t n, size_t resamples,
                          uint64_t seed, hw_rank_correlation *out, hw_error *err)
{
    static const hw_correlation unknown = {NAN, NAN, NAN, NAN};
    *out = (hw_rank_correlation){.rho = unknown, .tau_b = unknown};
    walk w;
    ties tx, ty;
    double s;
    hw_code code = walk_open(&w, x, y, n, err);
    if (code != HW_OK)
        return code;
    out->n = w.n;
    measure(&w, &out->rho.value, &out->tau_b.value, &tx, &ty, &s);
    if (!isnan(out->rho.value)) {
        out->rho.p = p_of_rho(out->rho.value, (double)w.n);
        out->tau_b.p = p_of_tau(s, (double)w.n, &tx, &ty);
        if (resamples > 0)
            code = bootstrap(&w, resamples, seed, out, err);
    }
    walk_close(&w);
    return code;
}

hw_code hw_auc(const double *score, const unsigned char *yes, size_t n, double *auc, hw_error *err)
{
    double *side = HW_NEW(double, n);
    walk w;
    *auc = NAN;
    if (!side)
        return hw_fail_memory(err, "an area under a curve");
    for (size_t i = 0; i < n; i++)
        side[i] = yes[i] ? 1 : 0;
    hw_code code = walk_open(&w, side, score, n, err);
    if (code == HW_OK) {
        /* Every concordant or discordant pair has one of either side. */
        double ones = 0;
        for (size_t i = 0; i < w.n; i++)
            ones += w.point[i].x;
        double pairs = ones * ((double)w.n - ones);
        if (pairs > 0)
            *auc = 0.5 + concordance(&w) / (2 * pairs);
        walk_close(&w);
    }
    free(side);
    return code;
}
