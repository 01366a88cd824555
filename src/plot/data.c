/* Laying out results for plots, by hash tables.  See data.h. */
#include "plot/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* ---- Tables of things that are the same. ---- */

typedef struct table {
    uint32_t *slot; /* number + 1; 0: empty */
    size_t n_slots; /* a power of two       */
    const void **item;
    size_t n_items, capacity;
    bool (*same)(const void *a, const void *b);
    uint64_t (*hash)(const void *item);
} table;

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3); /* FNV-1a */
    return (hash ^ 0xff) * UINT64_C(0x100000001b3);
}

static uint64_t hash_name(const void *item)
{
    return hash_text(UINT64_C(0xcbf29ce484222325), item);
}

static bool same_name(const void *a, const void *b)
{
    return a == b || strcmp(a, b) == 0;
}

static uint64_t hash_unit(const void *item)
{
    const hw_record *r = item;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (r->index * UINT64_C(0x9e3779b97f4a7c15));
    hash = hash_text(hash_text(hash, r->params), r->accounting);
    return hash_text(hash_text(hash ^ r->pinned, r->family), r->section);
}

static bool same_unit(const void *a, const void *b)
{
    return hw_record_compare_units(a, b) == 0;
}

static size_t place_of(const table *t, const void *item)
{
    uint64_t hash = t->hash(item);
    hash ^= hash >> 32;
    size_t at = (size_t)hash & (t->n_slots - 1);
    while (t->slot[at] && !t->same(t->item[t->slot[at] - 1], item))
        at = (at + 1) & (t->n_slots - 1);
    return at;
}

static bool make_room(table *t)
{
    enum { FIRST = 1024 };
    if (2 * (t->n_items + 1) > t->n_slots) {
        size_t n_slots = t->n_slots ? 2 * t->n_slots : FIRST;
        uint32_t *slot = HW_NEW0(uint32_t, n_slots);
        if (!slot)
            return false;
        free(t->slot);
        t->slot = slot;
        t->n_slots = n_slots;
        for (size_t i = 0; i < t->n_items; i++)
            slot[place_of(t, t->item[i])] = (uint32_t)i + 1;
    }
    void *items = (void *)t->item;
    if (!hw_grow(&items, &t->capacity, t->n_items + 1, sizeof *t->item))
        return false;
    t->item = items;
    return true;
}

/* The number of an item, which is put in where it is new; false: no memory. */
static bool number_of(table *t, const void *item, uint32_t *number)
{
    if (t->n_items >= UINT32_MAX - 1 || !make_room(t))
        return false;
    size_t at = place_of(t, item);
    if (t->slot[at] == 0) {
        t->item[t->n_items++] = item;
        t->slot[at] = (uint32_t)t->n_items;
    }
    *number = t->slot[at] - 1;
    return true;
}

static void free_table(table *t)
{
    free(t->slot);
    free((void *)t->item);
}

/* ---- Laying out. ---- */

typedef struct layout {
    table solvers, families, graphs, units;
    uint32_t *solver;                         /* by run */
    uint32_t *solver_rank, *family_rank;      /* by number: place among the sorted names */
    char panel[HW_PLOT_PANELS][HW_PLOT_NAME]; /* by first appearance */
    size_t panel_rank[HW_PLOT_PANELS];
    hw_field by;
} layout;

static hw_code find_panel(hw_plot_data *d, layout *x, const hw_record *r, uint32_t *panel,
                          hw_error *err)
{
    char name[HW_PLOT_NAME];
    (void)snprintf(name, sizeof name, "%.30s%s", r->accounting, r->pinned ? ", inputs pinned" : "");
    for (*panel = 0; *panel < d->n_panels; ++*panel)
        if (strcmp(x->panel[*panel], name) == 0)
            return HW_OK;
    if (d->n_panels == HW_PLOT_PANELS)
        return hw_fail(err, HW_USAGE, "more than %d accountings: choose some by --where",
                       HW_PLOT_PANELS);
    memcpy(x->panel[d->n_panels++], name, sizeof name);
    return HW_OK;
}

static void note_size(hw_plot_data *d, uint64_t n_nodes)
{
    for (size_t i = 0; i < d->n_sizes; i++)
        if (d->size[i] == n_nodes)
            return;
    if (d->n_sizes < HW_PLOT_FEW_SIZES)
        d->size[d->n_sizes++] = n_nodes;
    else
        d->many_sizes = true;
}

static hw_code add_unit(hw_plot_data *d, layout *x, size_t *capacity, const hw_record *r,
                        hw_error *err)
{
    hw_plot_unit unit = {.record = r};
    char buffer[HW_FIELD_TEXT];
    void *units = d->unit;
    const char *family = hw_field_text(r, x->by, buffer);
    if (family == buffer)
        return hw_fail(err, HW_USAGE, "--by %s: plots tell apart texts, as family or section",
                       hw_field_name(x->by));
    hw_code code = find_panel(d, x, r, &unit.panel, err);
    if (code != HW_OK)
        return code;
    if (!number_of(&x->families, family, &unit.family) ||
        !number_of(&x->graphs, r->graph, &unit.graph) ||
        !hw_grow(&units, capacity, d->n_units + 1, sizeof unit))
        return hw_fail_memory(err, "a plot");
    d->unit = units;
    d->unit[d->n_units++] = unit;
    if (d->n_units == 1 || r->n_nodes < d->least_nodes)
        d->least_nodes = r->n_nodes;
    if (r->n_nodes > d->most_nodes)
        d->most_nodes = r->n_nodes;
    note_size(d, r->n_nodes);
    return HW_OK;
}

static void note_peak(hw_plot_unit *unit, hw_maybe_u64 peak)
{
    if (peak.known && (!unit->best.known || peak.value < unit->best.value))
        unit->best = peak;
}

static hw_code read_runs(hw_plot_data *d, layout *x, const hw_record *records, size_t n,
                         hw_error *err)
{
    size_t capacity = 0;
    const hw_record *last = NULL;
    uint32_t unit = 0;
    for (size_t i = 0; i < n; i++) {
        const hw_record *r = &records[i];
        if (!r->graph)
            continue;
        if (!last || hw_record_compare_units(last, r) != 0) {
            if (!number_of(&x->units, r, &unit))
                return hw_fail_memory(err, "a plot");
            hw_code code = unit == d->n_units ? add_unit(d, x, &capacity, r, err) : HW_OK;
            if (code != HW_OK)
                return code;
        }
        last = r;
        note_peak(&d->unit[unit], r->checked_peak);
        note_peak(&d->unit[unit], r->optimum);
        if (!number_of(&x->solvers, r->solver, &x->solver[d->n_runs]))
            return hw_fail_memory(err, "a plot");
        d->run[d->n_runs++] = (hw_plot_run){r, unit};
    }
    d->n_graphs = x->graphs.n_items;
    return HW_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in order, and the place of each; false: no memory. */
static bool sort_names(const table *t, const char ***names, uint32_t **rank)
{
    *names = HW_NEW(const char *, t->n_items);
    *rank = HW_NEW(uint32_t, t->n_items);
    if (!*names || !*rank)
        return false;
    for (size_t i = 0; i < t->n_items; i++)
        (*names)[i] = t->item[i];
    qsort((void *)*names, t->n_items, sizeof **names, compare_names);
    for (size_t i = 0; i < t->n_items; i++) {
        const char *name = t->item[i];
        const char **at = bsearch((const void *)&name, (const void *)*names, t->n_items,
                                  sizeof **names, compare_names);
        (*rank)[i] = (uint32_t)(at ? at - *names : 0);
    }
    return true;
}

static void sort_panels(hw_plot_data *d, layout *x)
{
    for (size_t i = 0; i < d->n_panels; i++) {
        size_t rank = 0;
        for (size_t k = 0; k < d->n_panels; k++)
            rank += strcmp(x->panel[k], x->panel[i]) < 0;
        x->panel_rank[i] = rank;
        memcpy(d->panel[rank], x->panel[i], sizeof d->panel[rank]);
    }
}

/* Runs by panel and solver, within these as in the file: a counting sort. */
static hw_code sort_runs(hw_plot_data *d, const layout *x, hw_error *err)
{
    size_t n_cells = d->n_panels * d->n_solvers;
    hw_plot_run *run = HW_NEW(hw_plot_run, d->n_runs);
    size_t *next = HW_NEW0(size_t, n_cells + 1);
    d->start = HW_NEW0(size_t, n_cells + 1);
    if (!run || !next || !d->start) {
        free(run);
        free(next);
        return hw_fail_memory(err, "a plot");
    }
    for (size_t i = 0; i < d->n_runs; i++) {
        size_t solver = x->solver_rank[x->solver[i]];
        d->start[d->unit[d->run[i].unit].panel * d->n_solvers + solver + 1]++;
        d->exact[solver] = d->run[i].record->exact;
    }
    for (size_t i = 0; i < n_cells; i++) {
        d->start[i + 1] += d->start[i];
        next[i] = d->start[i];
    }
    for (size_t i = 0; i < d->n_runs; i++) {
        size_t solver = x->solver_rank[x->solver[i]];
        run[next[d->unit[d->run[i].unit].panel * d->n_solvers + solver]++] = d->run[i];
    }
    free(d->run);
    free(next);
    d->run = run;
    return HW_OK;
}

static hw_code lay_out(hw_plot_data *d, layout *x, const hw_record *records, size_t n,
                       hw_error *err)
{
    d->by = x->by;
    x->solver = HW_NEW(uint32_t, n);
    d->run = HW_NEW(hw_plot_run, n);
    if (!x->solver || !d->run)
        return hw_fail_memory(err, "a plot");
    hw_code code = read_runs(d, x, records, n, err);
    if (code != HW_OK)
        return code;
    d->n_solvers = x->solvers.n_items;
    d->n_families = x->families.n_items;
    d->exact = HW_NEW0(bool, d->n_solvers);
    if (!d->exact || !sort_names(&x->solvers, &d->solver, &x->solver_rank) ||
        !sort_names(&x->families, &d->family, &x->family_rank))
        return hw_fail_memory(err, "a plot");
    sort_panels(d, x);
    for (size_t i = 0; i < d->n_units; i++) {
        d->unit[i].panel = (uint32_t)x->panel_rank[d->unit[i].panel];
        d->unit[i].family = x->family_rank[d->unit[i].family];
    }
    return sort_runs(d, x, err);
}

hw_code hw_plot_data_make(const hw_record *records, size_t n, hw_field by, hw_plot_data **out,
                          hw_error *err)
{
    hw_plot_data *d = HW_NEW0(hw_plot_data, 1);
    layout x = {.by = by,
                .solvers = {.same = same_name, .hash = hash_name},
                .families = {.same = same_name, .hash = hash_name},
                .graphs = {.same = same_name, .hash = hash_name},
                .units = {.same = same_unit, .hash = hash_unit}};
    *out = NULL;
    hw_code code = d ? lay_out(d, &x, records, n, err) : hw_fail_memory(err, "a plot");
    free_table(&x.solvers);
    free_table(&x.families);
    free_table(&x.graphs);
    free_table(&x.units);
    free(x.solver);
    free(x.solver_rank);
    free(x.family_rank);
    if (code == HW_OK)
        *out = d;
    else
        hw_plot_data_free(d);
    return code;
}

void hw_plot_data_free(hw_plot_data *d)
{
    if (!d)
        return;
    free((void *)d->solver);
    free((void *)d->family);
    free(d->exact);
    free(d->unit);
    free(d->run);
    free(d->start);
    free(d);
}

const hw_plot_run *hw_plot_runs(const hw_plot_data *d, size_t panel, size_t solver, size_t *n)
{
    size_t cell = panel * d->n_solvers + solver;
    *n = d->start[cell + 1] - d->start[cell];
    return d->run + d->start[cell];
}
