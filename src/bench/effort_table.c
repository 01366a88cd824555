/* Tables of what proofs cost.  See effort.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/effort.h"
#include "bench/table.h"
#include "core/memory.h"

/* ---- Cells. ---- */

static const char *const people_head[] = {"runs",    "settled",       "median time",
                                          "longest", "median states", "most states",
                                          "memory",  "worst open gap"};
static const char *const program_head[] = {
    "runs",         "settled_share", "settled_low", "settled_high",      "median_seconds",
    "most_seconds", "median_states", "most_states", "most_memory_bytes", "worst_open_percent"};
enum {
    N_PEOPLE = sizeof people_head / sizeof people_head[0],
    N_PROGRAM = sizeof program_head / sizeof program_head[0]
};

static void states_text(double states, char *text, size_t size)
{
    if (isnan(states))
        (void)snprintf(text, size, "-");
    else if (states < 1e4)
        (void)snprintf(text, size, "%.0f", states);
    else if (states < 1e7)
        (void)snprintf(text, size, "%.0f k", states / 1e3);
    else
        (void)snprintf(text, size, "%.0f M", states / 1e6);
}

static bool put_for_people(hw_grid *grid, size_t row, size_t at, const hw_effort *e)
{
    char median[HW_DURATION_TEXT], most[HW_DURATION_TEXT], median_states[32], most_states[32];
    hw_duration_text(e->median_seconds, median);
    hw_duration_text(e->most_seconds, most);
    states_text(e->median_states, median_states, sizeof median_states);
    states_text(e->most_states, most_states, sizeof most_states);
    bool fine = hw_grid_put(grid, row, at, "%" PRIu64, e->settled.n) &&
                hw_grid_put(grid, row, at + 1, "%.1f %% [%.1f, %.1f]", 100 * e->settled.share,
                            100 * e->settled.low, 100 * e->settled.high) &&
                hw_grid_put(grid, row, at + 2, "%s", median) &&
                hw_grid_put(grid, row, at + 3, "%s", most) &&
                hw_grid_put(grid, row, at + 4, "%s", median_states) &&
                hw_grid_put(grid, row, at + 5, "%s", most_states);
    if (fine && isnan(e->most_memory_bytes))
        fine = hw_grid_put(grid, row, at + 6, "-");
    else if (fine)
        fine = hw_grid_put(grid, row, at + 6, "%.0f MiB", e->most_memory_bytes / 0x1p20);
    if (fine && isnan(e->worst_open_percent))
        return hw_grid_put(grid, row, at + 7, "-");
    return fine && hw_grid_put(grid, row, at + 7, "%.2f %%", e->worst_open_percent);
}

static bool put_for_programs(hw_grid *grid, size_t row, size_t at, const hw_effort *e)
{
    const double values[] = {e->settled.share,  e->settled.low,       e->settled.high,
                             e->median_seconds, e->most_seconds,      e->median_states,
                             e->most_states,    e->most_memory_bytes, e->worst_open_percent};
    bool fine = hw_grid_put(grid, row, at, "%" PRIu64, e->settled.n);
    for (size_t i = 0; fine && i < sizeof values / sizeof values[0]; i++)
        if (isfinite(values[i])) /* whole numbers with all their digits */
            fine =
                hw_grid_put(grid, row, at + 1 + i, values[i] >= 1e3 ? "%.0f" : "%.9g", values[i]);
    return fine;
}

hw_code hw_efforts_write(const hw_effort *efforts, size_t n, const hw_field *fields,
                         size_t n_fields, hw_table_format format, FILE *out, hw_error *err)
{
    bool people = hw_table_for_people(format);
    size_t n_columns = people ? N_PEOPLE : N_PROGRAM;
    const char *const *head = people ? people_head : program_head;
    hw_grid grid;
    hw_code code = hw_grid_make(&grid, n_fields + n_columns, n + 1, err);
    if (code != HW_OK)
        return code;
    bool fine = hw_put_fields(&grid, 0, NULL, fields, n_fields);
    for (size_t c = 0; fine && c < n_columns; c++) {
        grid.is_number[n_fields + c] = true;
        fine = hw_grid_put(&grid, 0, n_fields + c, "%s", head[c]);
    }
    for (size_t i = 0; fine && i < n; i++)
        fine = hw_put_fields(&grid, i + 1, efforts[i].first, fields, n_fields) &&
               (people ? put_for_people(&grid, i + 1, n_fields, &efforts[i])
                       : put_for_programs(&grid, i + 1, n_fields, &efforts[i]));
    if (fine)
        hw_grid_write(&grid, format, out);
    hw_grid_free(&grid);
    return fine ? HW_OK : hw_fail_memory(err, "a table");
}

/* ---- One field across. ---- */

static bool same(const hw_record *a, const hw_record *b, const hw_field *fields, size_t n_fields)
{
    for (size_t f = 0; f < n_fields; f++) {
        char x[HW_FIELD_TEXT], y[HW_FIELD_TEXT];
        if (strcmp(hw_field_text(a, fields[f], x), hw_field_text(b, fields[f], y)) != 0)
            return false;
    }
    return true;
}

/*
 * Number the groups by what they have in `fields`, from 0 in the order of
 * appearance: number[i] of group i.  Returns how many numbers there are; tables
 * are small.  O(n^2).
 */
static size_t number_groups(const hw_effort *efforts, size_t n, const hw_field *fields,
                            size_t n_fields, size_t *number)
{
    size_t numbers = 0;
    for (size_t i = 0; i < n; i++) {
        size_t before = 0;
        while (before < i && !same(efforts[before].first, efforts[i].first, fields, n_fields))
            before++;
        number[i] = before < i ? number[before] : numbers++;
    }
    return numbers;
}

/* A sweep that was resumed may have the smaller graphs behind the larger. */
static void rank_by_nodes(const hw_effort *efforts, size_t n, size_t *number)
{
    for (size_t i = 0; i < n; i++) {
        number[i] = 0;
        for (size_t k = 0; k < n; k++) {
            bool first = true; /* of its number of nodes */
            for (size_t b = 0; first && b < k; b++)
                first = efforts[b].first->n_nodes != efforts[k].first->n_nodes;
            number[i] += first && efforts[k].first->n_nodes < efforts[i].first->n_nodes;
        }
    }
}

static bool put_across(hw_grid *grid, size_t row, size_t column, const hw_effort *e)
{
    char median[HW_DURATION_TEXT], most[HW_DURATION_TEXT];
    hw_duration_text(e->median_seconds, median);
    hw_duration_text(e->most_seconds, most);
    return hw_grid_put(grid, row, column, "%.0f %% %s (%s)", 100 * e->settled.share, median, most);
}

hw_code hw_efforts_write_across(const hw_effort *efforts, size_t n, const hw_field *fields,
                                size_t n_fields, hw_table_format format, FILE *out, hw_error *err)
{
    size_t n_kept = n_fields - 1, *row = HW_NEW(size_t, n), *column = HW_NEW(size_t, n);
    const hw_field *across = &fields[n_kept];
    if (!row || !column) {
        free(row);
        free(column);
        return hw_fail_memory(err, "a table");
    }
    size_t n_rows = number_groups(efforts, n, fields, n_kept, row);
    size_t n_columns = number_groups(efforts, n, across, 1, column);
    if (*across == HW_FIELD_NODES)
        rank_by_nodes(efforts, n, column);
    hw_grid grid;
    hw_code code = hw_grid_make(&grid, n_kept + n_columns, n_rows + 1, err);
    if (code == HW_OK) {
        bool fine = hw_put_fields(&grid, 0, NULL, fields, n_kept);
        size_t rows = 0;
        for (size_t i = 0; fine && i < n; i++) {
            char buffer[HW_FIELD_TEXT];
            size_t at = n_kept + column[i];
            if (row[i] == rows)
                fine = hw_put_fields(&grid, ++rows, efforts[i].first, fields, n_kept);
            if (fine && !grid.is_number[at]) {
                grid.is_number[at] = true;
                fine = hw_grid_put(&grid, 0, at, "%s %s", hw_field_name(*across),
                                   hw_field_text(efforts[i].first, *across, buffer));
            }
            fine = fine && put_across(&grid, row[i] + 1, at, &efforts[i]);
        }
        if (fine)
            hw_grid_write(&grid, format, out);
        else
            code = hw_fail_memory(err, "a table");
        hw_grid_free(&grid);
    }
    free(row);
    free(column);
    return code;
}
