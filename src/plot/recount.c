/* Graphs of results made anew.  See recount.h. */
#include "plot/recount.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "gen/family.h"
#include "io/io.h"
#include "model/structure.h"
#include "plot/plot_internal.h"

enum { MOST_EACH = 40, WIDTH_NODES = 1100, SPEC = 1024 };
static const uint64_t most_down_sets = 30000;

static int compare(const void *x, const void *y)
{
    const hw_plot_graph *a = x, *b = y;
    if (a->family != b->family)
        return a->family < b->family ? -1 : 1;
    if (a->bucket != b->bucket)
        return a->bucket < b->bucket ? -1 : 1;
    return hw_record_compare_units(a->record, b->record);
}

static bool same_cell(const hw_plot_graph *a, const hw_plot_graph *b)
{
    return a->family == b->family && a->bucket == b->bucket;
}

/* Make it anew; *g is NULL where that gives another graph or none. */
static hw_code make(const hw_record *r, hw_graph **g, hw_error *err)
{
    char spec[SPEC], hash[HW_HASH_TEXT];
    const hw_family_row *family;
    hw_param_value values[HW_PARAM_LIMIT];
    *g = NULL;
    int length = snprintf(spec, sizeof spec, "%s%s%s", r->family, *r->params ? ":" : "", r->params);
    if (length < 0 || length >= SPEC || hw_family_parse(spec, &family, values, NULL) != HW_OK)
        return HW_OK;
    hw_code code = hw_generate(family, values, r->seed, r->index, g, err);
    if (code == HW_OK)
        code = hw_graph_hash(*g, hash, err);
    if (code == HW_OK && strcmp(hash, r->graph) == 0)
        return HW_OK;
    hw_graph_free(*g);
    *g = NULL;
    return code == HW_NO_MEMORY ? code : HW_OK;
}

/* False in *kept: it is no graph of this version. */
static hw_code count(hw_plot_graph *x, bool down_sets, bool *kept, hw_error *err)
{
    hw_graph *g;
    hw_structure s;
    const hw_structure_limits limits = {WIDTH_NODES, down_sets ? most_down_sets : 0};
    hw_code code = make(x->record, &g, err);
    *kept = code == HW_OK && g;
    if (!*kept)
        return code;
    code = hw_structure_find(g, limits, &s, err);
    hw_graph_free(g);
    if (code != HW_OK)
        return code;
    x->width = s.has_width ? s.width : 0;
    x->counted = s.has_down_sets && s.has_orders;
    x->down_sets = (double)s.down_sets;
    x->orders = ldexp((double)s.orders_high, 64) + (double)s.orders_low;
    return HW_OK;
}

/* One graph each, whatever its accountings; all of a cell stand together. */
static size_t gather(const hw_plot_data *d, hw_plot_graph *all)
{
    size_t n = 0, kept = 0;
    for (size_t u = 0; u < d->n_units; u++) {
        const hw_record *r = d->unit[u].record;
        if (hw_family_find(r->family, strlen(r->family)))
            all[n++] = (hw_plot_graph){
                .record = r, .bucket = hw_plot_bucket(d, r->n_nodes), .family = d->unit[u].family};
    }
    if (n)
        qsort(all, n, sizeof *all, compare);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || !same_cell(&all[kept - 1], &all[i]) ||
            strcmp(all[kept - 1].record->graph, all[i].record->graph) != 0)
            all[kept++] = all[i];
    return kept;
}

/* The graphs i to end - 1, of one cell: some of them, counted, follow out[*n]. */
static hw_code count_cell(const hw_plot_graph *all, size_t i, size_t end, hw_plot_graph *out,
                          size_t *n, bool *countable, hw_error *err)
{
    size_t wanted = end - i < MOST_EACH ? end - i : MOST_EACH, first = *n;
    for (size_t k = 0; k < wanted; k++) {
        bool kept;
        hw_plot_graph x = all[i + k * (end - i) / wanted];
        hw_code code = count(&x, *countable, &kept, err);
        if (code != HW_OK)
            return code;
        if (!kept)
            continue;
        *countable = *countable && x.counted;
        out[(*n)++] = x;
    }
    for (size_t k = first; k < *n && !*countable; k++)
        out[k].counted = false;
    return HW_OK;
}

hw_code hw_plot_recount(const hw_plot_data *d, hw_plot_graph **graphs, size_t *n, hw_error *err)
{
    hw_plot_graph *all = HW_NEW(hw_plot_graph, d->n_units);
    *graphs = HW_NEW(hw_plot_graph, d->n_units);
    *n = 0;
    hw_code code = all && *graphs ? HW_OK : hw_fail_memory(err, "a plot");
    size_t n_all = code == HW_OK ? gather(d, all) : 0;
    bool countable = true;
    for (size_t i = 0, end; i < n_all && code == HW_OK; i = end) {
        for (end = i + 1; end < n_all && same_cell(&all[i], &all[end]);)
            end++;
        if (i == 0 || all[i].family != all[i - 1].family)
            countable = true;
        code = count_cell(all, i, end, *graphs, n, &countable, err);
    }
    free(all);
    if (code != HW_OK) {
        free(*graphs);
        *graphs = NULL;
        *n = 0;
    }
    return code;
}
