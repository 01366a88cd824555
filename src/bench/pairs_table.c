/* A table of pairs.  See pairs.h. */
#include <math.h>

#include "bench/cells.h"
#include "bench/pairs.h"

static const char *const people_head[] = {"solver", "against", "graphs", "better",  "equal",
                                          "worse",  "peak",    "p",      "p (Holm)"};
static const char *const program_head[] = {
    "solver",         "against",       "graphs",    "better",     "equal",
    "worse",          "ratio_percent", "ratio_low", "ratio_high", "positive_ranks",
    "negative_ranks", "exact",         "p",         "p_holm"};
enum {
    N_PEOPLE = sizeof people_head / sizeof people_head[0],
    N_PROGRAM = sizeof program_head / sizeof program_head[0],
    N_NAMES = 2, /* columns of text */
    N_COUNTS = 4
};

/* A mean of logarithms as a change in per cent. */
static double per_cent(double log_ratio)
{
    return 100 * expm1(log_ratio);
}

static bool put_p(hw_grid *grid, size_t row, size_t column, double p)
{
    if (isnan(p))
        return hw_grid_put(grid, row, column, "-");
    if (p < 1e-99)
        return hw_grid_put(grid, row, column, "< 1e-99");
    return hw_grid_put(grid, row, column, p < 1e-3 ? "%.0e" : "%.3f", p);
}

static bool put_names_and_counts(hw_grid *grid, size_t row, size_t at, const hw_pair *p)
{
    return hw_grid_put(grid, row, at, "%s", p->solver) &&
           hw_grid_put(grid, row, at + 1, "%s", p->against) &&
           hw_grid_put(grid, row, at + 2, "%zu", p->n) &&
           hw_grid_put(grid, row, at + 3, "%zu", p->better) &&
           hw_grid_put(grid, row, at + 4, "%zu", p->n - p->better - p->worse) &&
           hw_grid_put(grid, row, at + 5, "%zu", p->worse);
}

static bool put_for_people(hw_grid *grid, size_t row, size_t at, const hw_pair *p)
{
    const hw_estimate *i = &p->log_ratio;
    bool fine = isnan(i->value)
                    ? hw_grid_put(grid, row, at, "-")
                    : hw_grid_put(grid, row, at, "%+.2f %% [%+.2f, %+.2f]", per_cent(i->value),
                                  per_cent(i->low), per_cent(i->high));
    return fine && put_p(grid, row, at + 1, p->n ? p->test.p : NAN) &&
           put_p(grid, row, at + 2, p->p_holm);
}

static bool put_for_programs(hw_grid *grid, size_t row, size_t at, const hw_pair *p)
{
    return hw_put_number(grid, row, at, per_cent(p->log_ratio.value)) &&
           hw_put_number(grid, row, at + 1, per_cent(p->log_ratio.low)) &&
           hw_put_number(grid, row, at + 2, per_cent(p->log_ratio.high)) &&
           hw_put_number(grid, row, at + 3, p->test.positive) &&
           hw_put_number(grid, row, at + 4, p->test.negative) &&
           hw_grid_put(grid, row, at + 5, "%d", p->test.exact) &&
           hw_put_number(grid, row, at + 6, p->n ? p->test.p : NAN) &&
           hw_put_number(grid, row, at + 7, p->p_holm);
}

hw_code hw_pairs_write(const hw_pair *pairs, size_t n, const hw_field *fields, size_t n_fields,
                       hw_table_format format, FILE *out, hw_error *err)
{
    bool people = hw_table_for_people(format);
    size_t n_columns = people ? N_PEOPLE : N_PROGRAM;
    hw_grid grid;
    hw_code code = hw_grid_make(&grid, n_fields + n_columns, n + 1, err);
    if (code != HW_OK)
        return code;
    bool fine = hw_put_fields(&grid, 0, NULL, fields, n_fields);
    for (size_t c = 0; fine && c < n_columns; c++) {
        grid.is_number[n_fields + c] = c >= N_NAMES;
        fine = hw_grid_put(&grid, 0, n_fields + c, "%s", people ? people_head[c] : program_head[c]);
    }
    for (size_t i = 0; fine && i < n; i++) {
        size_t at = n_fields + N_NAMES + N_COUNTS;
        fine = hw_put_fields(&grid, i + 1, pairs[i].unit, fields, n_fields) &&
               put_names_and_counts(&grid, i + 1, n_fields, &pairs[i]) &&
               (people ? put_for_people(&grid, i + 1, at, &pairs[i])
                       : put_for_programs(&grid, i + 1, at, &pairs[i]));
    }
    if (fine)
        hw_grid_write(&grid, format, out);
    hw_grid_free(&grid);
    return fine ? HW_OK : hw_fail_memory(err, "a table");
}
