/* Tables of groups, for people and for programs.  See table.h. */
#include "bench/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { INSTANCE_BYTES = 256 };

/* ---- For people. ---- */

static bool put_rate(hw_grid *grid, size_t row, size_t column, double rate)
{
    if (isnan(rate))
        return hw_grid_put(grid, row, column, "-");
    if (rate >= 1e6)
        return hw_grid_put(grid, row, column, "%.1f M", rate / 1e6);
    return hw_grid_put(grid, row, column, "%.0f k", rate / 1e3);
}

static const char *const people_head[] = {
    "runs",       "answered",  "proven",         "optimal",     "within 5 %", "above 20 %",
    "median gap", "worst gap", "worst instance", "median time", "states/s"};
enum { N_PEOPLE = sizeof people_head / sizeof people_head[0], PEOPLE_INSTANCE = 8 };

static bool put_for_people(hw_grid *grid, size_t row, size_t at, const hw_group *g)
{
    char instance[INSTANCE_BYTES] = "-";
    if (g->worst && g->worst_gap > 0)
        hw_record_instance(g->worst, instance, sizeof instance);
    return hw_grid_put(grid, row, at, "%" PRIu64, g->runs) &&
           hw_grid_put(grid, row, at + 1, "%" PRIu64, g->answered) &&
           hw_grid_put(grid, row, at + 2, "%" PRIu64, g->proven) &&
           hw_put_share(grid, row, at + 3, &g->optimal) &&
           hw_put_share(grid, row, at + 4, &g->within_5) &&
           hw_put_share(grid, row, at + 5, &g->above_20) &&
           hw_put_per_cent(grid, row, at + 6, g->median_gap) &&
           hw_put_per_cent(grid, row, at + 7, g->worst_gap) &&
           hw_grid_put(grid, row, at + 8, "%s", instance) &&
           hw_put_duration(grid, row, at + 9, g->median_seconds) &&
           put_rate(grid, row, at + 10, g->states_per_second);
}

/* ---- For programs. ---- */

static const char *const program_head[] = {"runs",
                                           "answered",
                                           "proven",
                                           "optimal_share",
                                           "optimal_low",
                                           "optimal_high",
                                           "within_5_share",
                                           "within_5_low",
                                           "within_5_high",
                                           "above_20_share",
                                           "above_20_low",
                                           "above_20_high",
                                           "median_gap_percent",
                                           "worst_gap_percent",
                                           "worst_instance",
                                           "median_wall_seconds",
                                           "states_per_second"};
enum { N_PROGRAM = sizeof program_head / sizeof program_head[0], PROGRAM_INSTANCE = 14 };

static bool put_for_programs(hw_grid *grid, size_t row, size_t at, const hw_group *g)
{
    char instance[INSTANCE_BYTES] = "";
    if (g->worst && g->worst_gap > 0)
        hw_record_instance(g->worst, instance, sizeof instance);
    return hw_grid_put(grid, row, at, "%" PRIu64, g->runs) &&
           hw_grid_put(grid, row, at + 1, "%" PRIu64, g->answered) &&
           hw_grid_put(grid, row, at + 2, "%" PRIu64, g->proven) &&
           hw_put_three(grid, row, at + 3, &g->optimal) &&
           hw_put_three(grid, row, at + 6, &g->within_5) &&
           hw_put_three(grid, row, at + 9, &g->above_20) &&
           hw_put_number(grid, row, at + 12, g->median_gap) &&
           hw_put_number(grid, row, at + 13, g->worst_gap) &&
           hw_grid_put(grid, row, at + 14, "%s", instance) &&
           hw_put_number(grid, row, at + 15, g->median_seconds) &&
           hw_put_number(grid, row, at + 16, g->states_per_second);
}

/* ---- The whole. ---- */

static bool fill(hw_grid *grid, const hw_group *groups, size_t n_groups, const hw_field *fields,
                 size_t n_fields, bool people)
{
    size_t n = people ? N_PEOPLE : N_PROGRAM;
    bool fine = hw_put_fields(grid, 0, NULL, fields, n_fields);
    for (size_t i = 0; fine && i < n; i++) {
        grid->is_number[n_fields + i] = i != (people ? PEOPLE_INSTANCE : PROGRAM_INSTANCE);
        fine = hw_grid_put(grid, 0, n_fields + i, "%s", people ? people_head[i] : program_head[i]);
    }
    for (size_t row = 1; fine && row <= n_groups; row++) {
        const hw_group *g = &groups[row - 1];
        fine = hw_put_fields(grid, row, g->first, fields, n_fields) &&
               (people ? put_for_people(grid, row, n_fields, g)
                       : put_for_programs(grid, row, n_fields, g));
    }
    return fine;
}

hw_code hw_table_write(const hw_group *groups, size_t n_groups, const hw_field *fields,
                       size_t n_fields, hw_table_format format, FILE *out, hw_error *err)
{
    bool people = hw_table_for_people(format);
    hw_grid grid;
    hw_code code =
        hw_grid_make(&grid, n_fields + (people ? N_PEOPLE : N_PROGRAM), n_groups + 1, err);
    if (code != HW_OK)
        return code;
    if (!fill(&grid, groups, n_groups, fields, n_fields, people)) {
        hw_grid_free(&grid);
        return hw_fail_memory(err, "a table");
    }
    hw_grid_write(&grid, format, out);
    hw_grid_free(&grid);
    return HW_OK;
}
