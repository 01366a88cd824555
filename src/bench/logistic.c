/* Logistic regression by GSL's linear algebra.  See logistic.h. */
#include "bench/logistic.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

enum {
    MOST_STEPS = 60,
    MOST_STEPS_PENALISED = 2000, /* their error shrinks by a factor a step */
    MOST_HALVINGS = 30
};
static const double rest = 1e-9;      /* steps below this are none           */
static const double collinear = 1e-9; /* of a column's square length is left */
static const double certain = 1e-11;  /* a chance so near to 0 or 1 tells of separation */

typedef struct fit {
    size_t n, p; /* p: the intercept and the columns that stay */
    const double *x;
    size_t stride;
    const unsigned char *yes;
    size_t *column; /* of x, of parameters 1 .. p - 1 */
    double *chance; /* by case */
    gsl_matrix *information, *factor, *curve;
    gsl_vector *beta, *step, *score, *row;
} fit;

static void fit_close(fit *f)
{
    free(f->column);
    free(f->chance);
    gsl_matrix *matrices[] = {f->information, f->factor, f->curve};
    gsl_vector *vectors[] = {f->beta, f->step, f->score, f->row};
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++)
        if (matrices[i])
            gsl_matrix_free(matrices[i]);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (vectors[i])
            gsl_vector_free(vectors[i]);
}

static void load_row(const fit *f, size_t i)
{
    gsl_vector_set(f->row, 0, 1);
    for (size_t c = 1; c < f->p; c++)
        gsl_vector_set(f->row, c, f->x[i * f->stride + f->column[c - 1]]);
}

/* ---- Columns that stay: Gram and Schmidt, one column after the other. ---- */

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static hw_code choose_columns(fit *f, size_t k, hw_error *err)
{
    double *basis = HW_NEW(double, (k + 1) * f->n);
    if (!basis)
        return hw_fail_memory(err, "a regression");
    for (size_t i = 0; i < f->n; i++)
        basis[i] = 1 / sqrt((double)f->n);
    f->p = 1;
    for (size_t c = 0; c < k; c++) {
        double *v = basis + f->p * f->n;
        for (size_t i = 0; i < f->n; i++)
            v[i] = f->x[i * f->stride + c];
        double whole = dot(v, v, f->n);
        for (size_t b = 0; b < 2 * f->p; b++) { /* twice, against rounding */
            const double *u = basis + b % f->p * f->n;
            double along = dot(u, v, f->n);
            for (size_t i = 0; i < f->n; i++)
                v[i] -= along * u[i];
        }
        double left = dot(v, v, f->n);
        if (!(left > collinear * whole))
            continue;
        for (size_t i = 0; i < f->n; i++)
            v[i] /= sqrt(left);
        f->column[f->p++ - 1] = c;
    }
    free(basis);
    return HW_OK;
}

static hw_code fit_open(fit *f, const double *x, const unsigned char *yes, size_t n, size_t k,
                        hw_error *err)
{
    *f = (fit){.n = n, .x = x, .stride = k, .yes = yes};
    f->column = HW_NEW(size_t, k);
    f->chance = HW_NEW(double, n);
    if (!f->column || !f->chance)
        return hw_fail_memory(err, "a regression");
    hw_code code = choose_columns(f, k, err);
    if (code != HW_OK)
        return code;
    f->information = gsl_matrix_calloc(f->p, f->p);
    f->factor = gsl_matrix_calloc(f->p, f->p);
    f->curve = gsl_matrix_calloc(f->p, f->p);
    f->beta = gsl_vector_calloc(f->p);
    f->step = gsl_vector_calloc(f->p);
    f->score = gsl_vector_calloc(f->p);
    f->row = gsl_vector_calloc(f->p);
    if (!f->information || !f->factor || !f->curve || !f->beta || !f->step || !f->score || !f->row)
        return hw_fail_memory(err, "a regression");
    return HW_OK;
}

/* ---- Steps. ---- */

/* log(1 + exp(t)) without overflow. */
static double soft(double t)
{
    return t > 0 ? t + log1p(exp(-t)) : log1p(exp(t));
}

/*
 * At f->beta: chances, information, its Cholesky factor; returns the log
 * likelihood (penalised: plus half the log determinant of the information);
 * NaN: the information is singular.
 */
static double evaluate(fit *f, bool penalised)
{
    double likelihood = 0, eta;
    gsl_matrix_set_zero(f->information);
    for (size_t i = 0; i < f->n; i++) {
        load_row(f, i);
        gsl_blas_ddot(f->row, f->beta, &eta);
        likelihood -= soft(f->yes[i] ? -eta : eta);
        f->chance[i] = 1 / (1 + exp(-eta));
        double weight = f->chance[i] * (1 - f->chance[i]);
        gsl_blas_dsyr(CblasLower, weight, f->row, f->information);
    }
    gsl_matrix_memcpy(f->factor, f->information);
    if (gsl_linalg_cholesky_decomp1(f->factor) != GSL_SUCCESS)
        return NAN;
    for (size_t c = 0; c < f->p && penalised; c++)
        likelihood += log(gsl_matrix_get(f->factor, c, c));
    return likelihood;
}

/* The diagonal of the hat matrix at the row loaded: weight x' information^-1 x. */
static double leverage(fit *f, double weight)
{
    double square;
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, f->factor, f->row);
    gsl_blas_ddot(f->row, f->row, &square);
    return weight * square;
}

/*
 * Newton's step.  A case of leverage h counts in the penalised score as 1 + h
 * cases, h of them half yes and half no; with h held the curvature grows by as
 * much.  (With that of the plain likelihood a saturated fit would overshoot by
 * its whole error for ever.)
 */
static void find_step(fit *f, bool penalised)
{
    gsl_vector_set_zero(f->score);
    gsl_matrix_set_zero(f->curve);
    for (size_t i = 0; i < f->n; i++) {
        double residual = (f->yes[i] ? 1 : 0) - f->chance[i];
        double weight = f->chance[i] * (1 - f->chance[i]);
        load_row(f, i);
        if (penalised) {
            double h = leverage(f, weight);
            residual += h * (0.5 - f->chance[i]);
            load_row(f, i);
            gsl_blas_dsyr(CblasLower, weight * (1 + h), f->row, f->curve);
        }
        gsl_blas_daxpy(residual, f->row, f->score);
    }
    bool curved = penalised && gsl_linalg_cholesky_decomp1(f->curve) == GSL_SUCCESS;
    gsl_linalg_cholesky_solve(curved ? f->curve : f->factor, f->score, f->step);
}

static double largest(const gsl_vector *v)
{
    return fabs(gsl_vector_get(v, gsl_blas_idamax(v)));
}

/* Newton's steps, halved while they do not climb.  False: they did not come to rest. */
static bool climb(fit *f, bool penalised)
{
    gsl_vector_set_zero(f->beta);
    double now = evaluate(f, penalised);
    int most = penalised ? MOST_STEPS_PENALISED : MOST_STEPS;
    for (int i = 0; i < most && !isnan(now); i++) {
        find_step(f, penalised);
        double whole = largest(f->step), next = NAN;
        if (whole < rest)
            return true;
        for (int h = 0; h < MOST_HALVINGS; h++) {
            gsl_blas_daxpy(1, f->step, f->beta);
            next = evaluate(f, penalised);
            if (next >= now - 1e-12 * fabs(now))
                break;
            gsl_blas_daxpy(-1, f->step, f->beta);
            gsl_blas_dscal(0.5, f->step);
            next = NAN;
        }
        if (isnan(next)) { /* no step climbs: rounding, or a singular information */
            (void)evaluate(f, penalised);
            return whole < 1e3 * rest;
        }
        now = next;
    }
    return false;
}

/* Rounding lets the steps rest far out, where chances are all but 0 or 1. */
static bool far_out(const fit *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->chance[i] < certain || 1 - f->chance[i] < certain)
            return true;
    return false;
}

/* ---- Results. ---- */

static double null_deviance(const fit *f)
{
    double n = (double)f->n, ones = 0;
    for (size_t i = 0; i < f->n; i++)
        ones += f->yes[i] ? 1 : 0;
    double part = ones > 0 ? ones * log(ones / n) : 0;
    part += ones < n ? (n - ones) * log((n - ones) / n) : 0;
    return -2 * part;
}

static void take_results(fit *f, hw_logistic *out)
{
    out->deviance = -2 * evaluate(f, false);
    out->null_deviance = null_deviance(f);
    gsl_matrix_memcpy(f->factor, f->information);
    bool inverted = gsl_linalg_cholesky_decomp1(f->factor) == GSL_SUCCESS &&
                    gsl_linalg_cholesky_invert(f->factor) == GSL_SUCCESS;
    for (size_t c = 0; c < f->p; c++) {
        size_t k = c == 0 ? 0 : f->column[c - 1] + 1;
        out->coefficient[k] = gsl_vector_get(f->beta, c);
        out->error[k] = inverted ? sqrt(gsl_matrix_get(f->factor, c, c)) : NAN;
    }
}

hw_code hw_logistic_fit(const double *x, const unsigned char *yes, size_t n, size_t k,
                        hw_logistic *out, hw_error *err)
{
    *out = (hw_logistic){.n = n, .k = k, .deviance = NAN, .null_deviance = NAN};
    out->coefficient = HW_NEW(double, k + 1);
    out->error = HW_NEW(double, k + 1);
    if (!out->coefficient || !out->error)
        return hw_fail_memory(err, "a regression");
    for (size_t c = 0; c <= k; c++)
        out->coefficient[c] = out->error[c] = NAN;
    if (n == 0)
        return HW_OK;
    /* A singular matrix is an answer here, not a reason to abort. */
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    fit f;
    hw_code code = fit_open(&f, x, yes, n, k, err);
    if (code == HW_OK) {
        out->converged = climb(&f, false) && !far_out(&f);
        if (!out->converged) {
            out->penalised = true;
            out->converged = climb(&f, true);
        }
        take_results(&f, out);
    }
    fit_close(&f);
    gsl_set_error_handler(before);
    return code;
}

void hw_logistic_clear(hw_logistic *l)
{
    free(l->coefficient);
    free(l->error);
    *l = (hw_logistic){0};
}

double hw_logistic_score(const hw_logistic *l, const double *row)
{
    double score = l->coefficient[0];
    for (size_t c = 0; c < l->k; c++)
        if (!isnan(l->coefficient[c + 1]))
            score += l->coefficient[c + 1] * row[c];
    return score;
}

double hw_logistic_r2(const hw_logistic *l)
{
    return l->null_deviance > 0 ? 1 - l->deviance / l->null_deviance : NAN;
}

void hw_standardise(double *x, size_t n, size_t stride, size_t k)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i * stride + k] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i * stride + k] - mean) * (x[i * stride + k] - mean);
    double deviation = n > 1 ? sqrt(squares / ((double)n - 1)) : 0;
    bool flat = !(deviation > 1e-12 * fmax(1, fabs(mean)));
    for (size_t i = 0; i < n; i++)
        x[i * stride + k] = flat ? 0 : (x[i * stride + k] - mean) / deviation;
}
