/* Features of a graph alone.  See features.h. */
#include "traits/features.h"

#include <math.h>
#include <stdlib.h>

#include "traits/branches.h"
#include "traits/features_internal.h"
#include "core/memory.h"
#include "model/paths.h"
#include "model/width.h"

#define ROW(id, name, unit, kind, help) {name, unit, HW_FEATURE_OF_##kind, help},
const hw_feature_row hw_feature_rows[HW_N_FEATURES] = {HW_FEATURE_TABLE(ROW)};

static void set(hw_features *f, hw_feature id, double value)
{
    f->value[id] = value;
}

static void count_edges(const hw_graph *g, hw_features *f)
{
    uint32_t sources = 0, sinks = 0, out = 0, in = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        uint32_t preds = g->preds.offset[v + 1] - g->preds.offset[v];
        uint32_t succs = g->succs.offset[v + 1] - g->succs.offset[v];
        sources += preds == 0;
        sinks += succs == 0;
        out = succs > out ? succs : out;
        in = preds > in ? preds : in;
    }
    set(f, HW_FEATURE_NODES, g->n_nodes);
    set(f, HW_FEATURE_EDGES, g->n_edges);
    set(f, HW_FEATURE_SOURCES, sources);
    set(f, HW_FEATURE_SINKS, sinks);
    set(f, HW_FEATURE_FAN_OUT, out);
    set(f, HW_FEATURE_FAN_IN, in);
}

/* ---- Sizes. ---- */

static int compare_sizes(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* sum of (2 i - n - 1) x(i) over the ascending sizes x(1) .. x(n), over n times their sum. */
static double gini(const uint64_t *ascending, uint32_t n, double total)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (2.0 * i + 1 - n) * (double)ascending[i];
    return features_share(sum, n * total);
}

static hw_code weigh(const hw_blocks *b, hw_features *f, hw_error *err)
{
    double total = (double)b->total, kept = 0, shared = 0, workspace = 0;
    uint32_t large = 0;
    uint64_t *size = HW_NEW(uint64_t, b->n);
    if (!size)
        return hw_fail_memory(err, "the sizes of a graph");
    for (uint32_t i = 0; i < b->n; i++) {
        const hw_block *x = &b->block[i];
        size[i] = x->bytes;
        kept += x->kept ? (double)x->bytes : 0;
        shared += x->n_readers > 1 ? (double)x->bytes : 0;
        large += hw_block_large(b, i);
    }
    if (b->n)
        qsort(size, b->n, sizeof *size, compare_sizes);
    for (uint32_t v = 0; v < b->model->n_nodes; v++)
        workspace = fmax(workspace, (double)hw_workspace(b->model, v));
    double second = b->n > 1 ? (double)size[b->n - 2] : 0;
    set(f, HW_FEATURE_TOTAL, total);
    set(f, HW_FEATURE_LARGEST, features_share((double)b->largest, total));
    set(f, HW_FEATURE_TWO_LARGEST, features_share((double)b->largest + second, total));
    set(f, HW_FEATURE_GINI, gini(size, b->n, total));
    set(f, HW_FEATURE_RESULTS, features_share(kept, total));
    set(f, HW_FEATURE_SHARED, features_share(shared, total));
    set(f, HW_FEATURE_WORKSPACE, total > 0 ? workspace / total : NAN);
    set(f, HW_FEATURE_LARGE_BLOCKS, large);
    free(size);
    return HW_OK;
}

/* ---- Levels. ---- */

static hw_code find_levels(const hw_model *m, const hw_blocks *b, hw_features *f, hw_error *err)
{
    uint32_t *level = HW_NEW(uint32_t, m->n_nodes), *last = HW_NEW(uint32_t, b->n);
    double bytes = 0, weighted = 0;
    uint32_t depth = 0;
    hw_code code = HW_OK;
    if (!level || !last)
        code = hw_fail_memory(err, "the levels of a graph");
    if (code == HW_OK)
        code = hw_paths_up(m->graph, level, err);
    if (code == HW_OK)
        hw_blocks_last_readers(b, level, last);
    for (uint32_t v = 0; v < m->n_nodes && code == HW_OK; v++)
        depth = level[v] > depth ? level[v] : depth;
    for (uint32_t i = 0; i < b->n && code == HW_OK; i++) {
        const hw_block *x = &b->block[i];
        if (x->kept || last[i] == HW_NONE)
            continue;
        bytes += (double)x->bytes;
        weighted += (double)x->bytes * (last[i] - (x->maker == HW_NONE ? 0 : level[x->maker]));
    }
    set(f, HW_FEATURE_DEPTH, depth);
    set(f, HW_FEATURE_DELAY_LEVELS, bytes > 0 ? weighted / bytes : NAN);
    free(level);
    free(last);
    return code;
}

/* ---- Precedence and branches. ---- */

static void count_unordered(const hw_precedence *p, hw_features *f)
{
    double ordered = 0, n = p->n;
    for (uint32_t v = 0; v < p->n; v++)
        for (size_t w = 0; w < p->words; w++)
            ordered += hw_count_bits(hw_after(p, v)[w]);
    set(f, HW_FEATURE_UNORDERED, n > 1 ? 1 - ordered / (n * (n - 1) / 2) : NAN);
}

static hw_code find_branches(const hw_precedence *p, const hw_blocks *b, hw_features *f,
                             hw_error *err)
{
    double least = (double)b->largest / 2;
    uint32_t width = 0;
    hw_branches branches = {0};
    hw_likeness likeness;
    hw_code code = hw_find_width(b->model->graph, p->order, &width, err);
    set(f, HW_FEATURE_WIDTH, width);
    if (code == HW_OK)
        code = hw_branches_of_forks(p, b, &branches, err);
    if (code == HW_OK) {
        likeness = hw_branches_likeness(&branches, false, least);
        set(f, HW_FEATURE_FORK_BRANCHES, likeness.most);
        set(f, HW_FEATURE_FORK_BALANCE, likeness.balance);
    }
    hw_branches_close(&branches);
    if (code == HW_OK)
        code = hw_branches_of_parts(p, b, &branches, err);
    if (code == HW_OK) {
        likeness = hw_branches_likeness(&branches, false, least);
        set(f, HW_FEATURE_PART_BRANCHES, likeness.most);
        set(f, HW_FEATURE_PART_BALANCE, likeness.balance);
    }
    hw_branches_close(&branches);
    if (code == HW_OK)
        code = hw_blocks_likeness(p, b, least, &likeness, err);
    if (code == HW_OK) {
        set(f, HW_FEATURE_BLOCK_BRANCHES, likeness.most);
        set(f, HW_FEATURE_BLOCK_BALANCE, likeness.balance);
    }
    return code;
}

hw_code hw_features_of(const hw_model *m, const hw_feature_orders *orders, hw_features *out,
                       hw_error *err)
{
    hw_blocks b = {0};
    hw_precedence p = {0};
    bool small = m->n_nodes <= HW_FEATURES_MOST;
    for (int i = 0; i < HW_N_FEATURES; i++)
        out->value[i] = NAN;
    count_edges(m->graph, out);
    hw_code code = hw_blocks_open(&b, m, err);
    if (code == HW_OK)
        code = weigh(&b, out, err);
    if (code == HW_OK)
        code = find_levels(m, &b, out, err);
    if (code == HW_OK && small)
        code = hw_precedence_open(&p, m->graph, err);
    if (code == HW_OK && small) {
        count_unordered(&p, out);
        code = find_branches(&p, &b, out, err);
    }
    if (code == HW_OK && orders && orders->order && orders->optimum && m->n_nodes > 0)
        code = features_of_orders(m, &b, small ? &p : NULL, orders, out, err);
    hw_precedence_close(&p);
    hw_blocks_close(&b);
    return code;
}
