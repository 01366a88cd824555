/* A table with a row a unit.  See effort.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/effort.h"
#include "bench/table.h"
#include "core/memory.h"

/* What stands before the solvers; then a heuristic has one column, an exact
 * solver those of exact_head. */
enum { SECTION, INSTANCE, NODES, ACCOUNTING, PINNED, N_BEFORE };
static const char *const before_head[N_BEFORE] = {"section", "instance", "nodes", "accounting",
                                                  "pinned"};
enum { PEAK, BOUND, GAP, STATUS, STATES, TIME, N_EXACT };
static const char *const exact_head[2][N_EXACT] = {
    {"peak", "bound", "gap_percent", "status", "states", "seconds"},
    {"peak", "bound", "gap", "status", "states", "time"}};
enum { INSTANCE_BYTES = 256 };

typedef struct columns {
    const hw_record **solver; /* a record of each; heuristics first, by appearance */
    size_t *at;               /* its first column */
    size_t n, n_columns;
} columns;

static void free_columns(columns *c)
{
    free((void *)c->solver);
    free(c->at);
}

static size_t column_of(const columns *c, const hw_record *r)
{
    size_t i = 0;
    while (strcmp(c->solver[i]->solver, r->solver) != 0)
        i++;
    return c->at[i];
}

static hw_code make_columns(const hw_record *records, size_t n, columns *c, hw_error *err)
{
    const hw_field by_solver[] = {HW_FIELD_SOLVER};
    hw_partition p;
    *c = (columns){.n_columns = N_BEFORE};
    hw_code code = hw_partition_make(records, n, by_solver, 1, &p, err);
    if (code != HW_OK)
        return code;
    c->solver = HW_NEW(const hw_record *, p.n_groups);
    c->at = HW_NEW(size_t, p.n_groups);
    if (c->solver && c->at) {
        for (int exact = 0; exact < 2; exact++)
            for (size_t g = 0; g < p.n_groups; g++) {
                const hw_record *r = p.member[p.start[g]];
                if (r->exact != (exact == 1))
                    continue;
                c->solver[c->n] = r;
                c->at[c->n++] = c->n_columns;
                c->n_columns += exact ? N_EXACT : 1;
            }
    } else {
        free_columns(c);
        code = hw_fail_memory(err, "a table");
    }
    hw_partition_free(&p);
    return code;
}

static bool put_head(hw_grid *grid, const columns *c, bool people)
{
    bool fine = true;
    for (size_t i = 0; fine && i < N_BEFORE; i++)
        fine = hw_grid_put(grid, 0, i, "%s", before_head[i]);
    grid->is_number[NODES] = true;
    for (size_t s = 0; fine && s < c->n; s++) {
        const hw_record *r = c->solver[s];
        grid->is_number[c->at[s]] = true;
        if (!r->exact)
            fine = hw_grid_put(grid, 0, c->at[s], "%s", r->solver);
        for (size_t i = 0; fine && r->exact && i < N_EXACT; i++) {
            grid->is_number[c->at[s] + i] = i != STATUS;
            fine = hw_grid_put(grid, 0, c->at[s] + i, people ? "%s %s" : "%s_%s", r->solver,
                               exact_head[people][i]);
        }
    }
    return fine;
}

static bool put_maybe(hw_grid *grid, size_t row, size_t column, hw_maybe_u64 value)
{
    return !value.known || hw_grid_put(grid, row, column, "%" PRIu64, value.value);
}

static bool put_exact(hw_grid *grid, size_t row, size_t at, const hw_record *r, bool people)
{
    bool fine = put_maybe(grid, row, at + BOUND, r->bound) &&
                hw_grid_put(grid, row, at + STATUS, "%s", r->status) &&
                put_maybe(grid, row, at + STATES, r->states);
    double gap = NAN;
    if (r->checked_peak.known && r->bound.known)
        gap = hw_gap_percent(r->checked_peak.value, r->bound.value);
    if (fine && isfinite(gap))
        fine = hw_grid_put(grid, row, at + GAP, people ? "%.2f %%" : "%.9g", gap);
    if (!fine || r->wall_seconds < 0)
        return fine;
    char time[HW_DURATION_TEXT];
    hw_duration_text(r->wall_seconds, time);
    return people ? hw_grid_put(grid, row, at + TIME, "%s", time)
                  : hw_grid_put(grid, row, at + TIME, "%.9g", r->wall_seconds);
}

static bool put_unit(hw_grid *grid, size_t row, const columns *c, const hw_record *const *member,
                     size_t n, bool people)
{
    char instance[INSTANCE_BYTES];
    const hw_record *first = member[0];
    hw_record_instance(first, instance, sizeof instance);
    bool fine = hw_grid_put(grid, row, SECTION, "%s", first->section) &&
                hw_grid_put(grid, row, INSTANCE, "%s", instance) &&
                hw_grid_put(grid, row, NODES, "%" PRIu64, first->n_nodes) &&
                hw_grid_put(grid, row, ACCOUNTING, "%s", first->accounting) &&
                hw_grid_put(grid, row, PINNED, "%s", first->pinned ? "yes" : "no");
    /* A later line of a solver, of a sweep with other limits, replaces an earlier. */
    for (size_t i = 0; fine && i < n; i++) {
        bool replaced = false;
        for (size_t k = i + 1; k < n; k++)
            replaced |= strcmp(member[k]->solver, member[i]->solver) == 0;
        size_t at = column_of(c, member[i]);
        if (replaced)
            continue;
        fine = put_maybe(grid, row, at + PEAK, member[i]->checked_peak) &&
               (!member[i]->exact || put_exact(grid, row, at, member[i], people));
    }
    return fine;
}

hw_code hw_units_write(const hw_record *records, size_t n, hw_table_format format, FILE *out,
                       hw_error *err)
{
    bool people = hw_table_for_people(format);
    columns c;
    hw_partition p;
    hw_grid grid;
    hw_code code = make_columns(records, n, &c, err);
    if (code != HW_OK)
        return code;
    code = hw_partition_make(records, n, NULL, 0, &p, err);
    if (code == HW_OK) {
        code = hw_grid_make(&grid, c.n_columns, p.n_groups + 1, err);
        if (code == HW_OK) {
            bool fine = put_head(&grid, &c, people);
            for (size_t u = 0; fine && u < p.n_groups; u++)
                fine = put_unit(&grid, u + 1, &c, p.member + p.start[u],
                                p.start[u + 1] - p.start[u], people);
            if (fine)
                hw_grid_write(&grid, format, out);
            else
                code = hw_fail_memory(err, "a table");
            hw_grid_free(&grid);
        }
        hw_partition_free(&p);
    }
    free_columns(&c);
    return code;
}
