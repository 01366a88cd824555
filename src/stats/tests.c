/* Solvers two by two.  See tables.h. */
#include <math.h>
#include <stdlib.h>

#include "bench/pairs.h"
#include "core/memory.h"
#include "stats/tables.h"

enum column {
    UNITS,
    BETTER,
    EQUAL,
    WORSE,
    RATIO,
    P = RATIO + 3,
    P_HOLM,
    BISERIAL,
    A12,
    EXACT,
    BETTER_RANKS,
    WORSE_RANKS,
    N_COLUMNS
};

static const hw_figure_column columns[N_COLUMNS] = {
    [UNITS] = {"units", "units", "Units", HW_FIGURE_COUNT, 0, false},
    [BETTER] = {"better", "better", "Better", HW_FIGURE_COUNT, 0, false},
    [EQUAL] = {"equal", "equal", "Equal", HW_FIGURE_COUNT, 0, false},
    [WORSE] = {"worse", "worse", "Worse", HW_FIGURE_COUNT, 0, false},
    [RATIO] = {"ratio_percent", "peak", "Ratio", HW_FIGURE_PERCENT, 0, true},
    HW_FIGURE_ENDS("ratio", "Ratio", HW_FIGURE_PERCENT),
    [P] = {"p", "p", "P", HW_FIGURE_P, 0, false},
    [P_HOLM] = {"p_holm", "p (Holm)", "PHolm", HW_FIGURE_P, 0, false},
    [BISERIAL] = {"rank_biserial", "r", "Biserial", HW_FIGURE_REAL, 0, false},
    [A12] = {"a12", "A", "Superior", HW_FIGURE_REAL, 0, false},
    [EXACT] = {"exact", NULL, NULL, HW_FIGURE_COUNT, 0, false},
    [BETTER_RANKS] = {"better_ranks", NULL, NULL, HW_FIGURE_LARGE, 0, false},
    [WORSE_RANKS] = {"worse_ranks", NULL, NULL, HW_FIGURE_LARGE, 0, false},
};

/* A mean of logarithms as a change in per cent. */
static double per_cent(double log_ratio)
{
    return 100 * expm1(log_ratio);
}

/* Negative differences are smaller peaks, which speak for the solver. */
static void put_pair(hw_figures *f, size_t row, const hw_pair *p)
{
    hw_figures_put(f, row, UNITS, (double)p->n);
    hw_figures_put(f, row, BETTER, (double)p->better);
    hw_figures_put(f, row, EQUAL, (double)(p->n - p->better - p->worse));
    hw_figures_put(f, row, WORSE, (double)p->worse);
    if (p->n == 0)
        return;
    hw_figures_put_three(f, row, RATIO, per_cent(p->log_ratio.value), per_cent(p->log_ratio.low),
                         per_cent(p->log_ratio.high));
    hw_figures_put(f, row, P, p->test.p);
    hw_figures_put(f, row, P_HOLM, p->p_holm);
    hw_figures_put(f, row, BISERIAL, 0 - hw_rank_biserial(&p->test));
    hw_figures_put(f, row, A12, 1 - p->a12);
    hw_figures_put(f, row, EXACT, p->test.exact);
    hw_figures_put(f, row, BETTER_RANKS, p->test.negative);
    hw_figures_put(f, row, WORSE_RANKS, p->test.positive);
}

/* Pairs come by their groups as these appear; rows are in the order of the strata. */
static hw_code put_rows(const hw_strata *s, const hw_pair *pairs, size_t n, hw_figures *f,
                        hw_error *err)
{
    size_t *next = HW_NEW0(size_t, s->n_strata + 1);
    if (!next)
        return hw_fail_memory(err, "tests");
    for (size_t i = 0; i < n; i++)
        next[s->stratum[pairs[i].unit - s->records] + 1]++;
    for (size_t g = 0; g < s->n_strata; g++)
        next[g + 1] += next[g];
    for (size_t i = 0; i < n; i++) {
        size_t stratum = s->stratum[pairs[i].unit - s->records], row = next[stratum]++;
        f->row[row] = (hw_figure_row){.first = pairs[i].unit,
                                      .stratum = stratum,
                                      .solver = pairs[i].solver,
                                      .against = pairs[i].against};
        put_pair(f, row, &pairs[i]);
    }
    free(next);
    return HW_OK;
}

hw_code hw_stats_tests(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err)
{
    const hw_pairs_options wishes = {.fields = s->fields,
                                     .n_fields = s->n_fields,
                                     .against = o->against,
                                     .resamples = o->resamples,
                                     .seed = o->seed,
                                     .stop = o->stop};
    hw_pair *pairs;
    size_t n;
    hw_code code = hw_pairs_make(s->records, s->n_records, &wishes, &pairs, &n, err);
    if (code != HW_OK)
        return code;
    code = hw_figures_make(f, columns, N_COLUMNS, n, s->fields, s->n_fields, err);
    if (code == HW_OK) {
        f->title = "Solvers two by two";
        f->name = "tests";
        f->has_against = true;
        code = put_rows(s, pairs, n, f, err);
        if (code != HW_OK)
            hw_figures_free(f);
    }
    free(pairs);
    return code;
}
