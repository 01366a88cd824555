/* A verdict on solvers.  See table.h. */
#include <inttypes.h>
#include <math.h>

#include "bench/table.h"

enum { INSTANCE_BYTES = 256 };

static const char *const people_head[] = {
    "graphs",     "n/a",        "no order",  "proven",         "optimal",     "within 5 %",
    "above 20 %", "median gap", "worst gap", "worst instance", "median time", "longest"};
static const char *const program_head[] = {
    "graphs",         "not_applicable",      "no_order",
    "proven",         "optimal_share",       "optimal_low",
    "optimal_high",   "within_5_share",      "within_5_low",
    "within_5_high",  "above_20_share",      "above_20_low",
    "above_20_high",  "median_gap_percent",  "worst_gap_percent",
    "worst_instance", "median_wall_seconds", "most_wall_seconds"};
enum {
    N_PEOPLE = sizeof people_head / sizeof people_head[0],
    N_PROGRAM = sizeof program_head / sizeof program_head[0],
    PEOPLE_INSTANCE = 9,
    PROGRAM_INSTANCE = 15
};

static bool put_counts(hw_grid *grid, size_t row, size_t at, const hw_group *g)
{
    return hw_grid_put(grid, row, at, "%" PRIu64, g->runs) &&
           hw_grid_put(grid, row, at + 1, "%" PRIu64, g->refused) &&
           hw_grid_put(grid, row, at + 2, "%" PRIu64, g->runs - g->refused - g->answered) &&
           hw_grid_put(grid, row, at + 3, "%" PRIu64, g->proven);
}

static bool put_for_people(hw_grid *grid, size_t row, size_t at, const hw_group *g)
{
    char instance[INSTANCE_BYTES] = "-";
    if (g->worst && g->worst_gap > 0)
        hw_record_instance(g->worst, instance, sizeof instance);
    return put_counts(grid, row, at, g) && hw_put_share(grid, row, at + 4, &g->optimal) &&
           hw_put_share(grid, row, at + 5, &g->within_5) &&
           hw_put_share(grid, row, at + 6, &g->above_20) &&
           hw_put_per_cent(grid, row, at + 7, g->median_gap) &&
           hw_put_per_cent(grid, row, at + 8, g->worst_gap) &&
           hw_grid_put(grid, row, at + 9, "%s", instance) &&
           hw_put_duration(grid, row, at + 10, g->median_seconds) &&
           hw_put_duration(grid, row, at + 11, g->most_seconds);
}

static bool put_for_programs(hw_grid *grid, size_t row, size_t at, const hw_group *g)
{
    char instance[INSTANCE_BYTES] = "";
    if (g->worst && g->worst_gap > 0)
        hw_record_instance(g->worst, instance, sizeof instance);
    return put_counts(grid, row, at, g) && hw_put_three(grid, row, at + 4, &g->optimal) &&
           hw_put_three(grid, row, at + 7, &g->within_5) &&
           hw_put_three(grid, row, at + 10, &g->above_20) &&
           hw_put_number(grid, row, at + 13, g->median_gap) &&
           hw_put_number(grid, row, at + 14, g->worst_gap) &&
           hw_grid_put(grid, row, at + 15, "%s", instance) &&
           hw_put_number(grid, row, at + 16, g->median_seconds) &&
           hw_put_number(grid, row, at + 17, g->most_seconds);
}

hw_code hw_quality_write(const hw_group *groups, size_t n_groups, const hw_field *fields,
                         size_t n_fields, hw_table_format format, FILE *out, hw_error *err)
{
    bool people = hw_table_for_people(format);
    size_t n = people ? N_PEOPLE : N_PROGRAM;
    hw_grid grid;
    hw_code code = hw_grid_make(&grid, n_fields + n, n_groups + 1, err);
    if (code != HW_OK)
        return code;
    bool fine = hw_put_fields(&grid, 0, NULL, fields, n_fields);
    for (size_t i = 0; fine && i < n; i++) {
        grid.is_number[n_fields + i] = i != (people ? PEOPLE_INSTANCE : PROGRAM_INSTANCE);
        fine = hw_grid_put(&grid, 0, n_fields + i, "%s", people ? people_head[i] : program_head[i]);
    }
    for (size_t i = 0; fine && i < n_groups; i++)
        fine = hw_put_fields(&grid, i + 1, groups[i].first, fields, n_fields) &&
               (people ? put_for_people(&grid, i + 1, n_fields, &groups[i])
                       : put_for_programs(&grid, i + 1, n_fields, &groups[i]));
    if (fine)
        hw_grid_write(&grid, format, out);
    hw_grid_free(&grid);
    return fine ? HW_OK : hw_fail_memory(err, "a table");
}
