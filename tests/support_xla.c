/* Slow twins of XLA's schedulers.  See support_xla.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/windows.h"
#include "support_draft.h"
#include "support_xla.h"

__extension__ typedef __int128 wide;

enum { ENTRIES = 4096 };

/* One in the queue, or one that left it. */
typedef struct entry {
    uint32_t item; /* a node, or n_nodes + a tensor without a producer */
    wide freed;    /* the priority: bytes freed less defined, then users */
    uint32_t users;
    bool waits;
} entry;

typedef struct twin {
    const hw_model *m;
    const hw_graph *g;
    hw_window_search *windows;
    bool done[DRAFT_NODES], given[DRAFT_TENSORS];
    uint32_t step;
    entry queue[ENTRIES];
    uint32_t n_entries;
    uint64_t users[DRAFT_NODES], bytes[DRAFT_NODES]; /* the figures of dfs */
} twin;

static twin *open_twin(const hw_model *m)
{
    twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->m = m;
    t->g = m->graph;
    assert_true(m->n_nodes <= DRAFT_NODES && m->graph->n_tensors <= DRAFT_TENSORS);
    if (m->earliest) {
        t->windows = hw_window_search_new(m->graph, m->earliest, m->latest);
        assert_non_null(t->windows);
    }
    return t;
}

static void close_twin(twin *t)
{
    hw_window_search_free(t->windows);
    free(t);
}

static bool reads_tensor(const hw_graph *g, uint32_t v, uint32_t tensor)
{
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        if (g->inputs.item[i] == tensor)
            return true;
    return false;
}

static bool reads_storage(const hw_graph *g, uint32_t v, uint32_t storage)
{
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        if (g->tensor_storage[g->inputs.item[i]] == storage)
            return true;
    return false;
}

/* Does u read something that v makes? */
static bool is_user(const hw_graph *g, uint32_t v, uint32_t u)
{
    for (uint32_t i = g->inputs.offset[u]; i < g->inputs.offset[u + 1]; i++)
        if (g->tensor_producer[g->inputs.item[i]] == v)
            return true;
    return false;
}

static bool makes_output(const hw_graph *g, uint32_t v)
{
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
        if (g->tensor_kind[g->outputs.item[i]] == HW_OUTPUT)
            return true;
    return false;
}

static uint32_t count_outputs(const hw_graph *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->n_tensors; i++)
        count += g->tensor_kind[i] == HW_OUTPUT;
    return count;
}

static uint32_t count_users(const hw_graph *g, uint32_t v)
{
    uint32_t count = count_outputs(g) > 1 && makes_output(g, v);
    for (uint32_t u = 0; u < g->n_nodes; u++)
        count += is_user(g, v, u);
    return count;
}

static uint64_t defined_bytes(const hw_graph *g, uint32_t v)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s < g->n_storages; s++)
        if (g->tensor_producer[g->storage_root[s]] == v)
            sum += g->tensor_size[g->storage_root[s]];
    return sum;
}

/* Nodes yet to read the storage, and one more if it is returned. */
static uint32_t uses_left(const twin *t, uint32_t storage)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < t->g->n_tensors && left == 0; i++)
        left = t->g->tensor_storage[i] == storage && t->g->tensor_kind[i] == HW_OUTPUT;
    for (uint32_t u = 0; u < t->g->n_nodes; u++)
        left += !t->done[u] && reads_storage(t->g, u, storage);
    return left;
}

static wide bytes_freed(const twin *t, uint32_t v)
{
    wide freed = 0;
    for (uint32_t s = 0; s < t->g->n_storages; s++) {
        const uint32_t root = t->g->storage_root[s];
        if (t->g->tensor_producer[root] != HW_NONE && reads_storage(t->g, v, s) &&
            uses_left(t, s) == 1)
            freed += t->g->tensor_size[root];
    }
    return freed - (wide)defined_bytes(t->g, v);
}

static bool preds_done(const twin *t, uint32_t v)
{
    const hw_rows *preds = &t->g->preds;
    for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
        if (!t->done[preds->item[i]])
            return false;
    return !t->done[v];
}

static bool is_ready(const twin *t, uint32_t v)
{
    for (uint32_t i = t->g->inputs.offset[v]; i < t->g->inputs.offset[v + 1]; i++) {
        const uint32_t tensor = t->g->inputs.item[i];
        if (t->g->tensor_producer[tensor] == HW_NONE && !t->given[tensor])
            return false;
    }
    return preds_done(t, v);
}

static bool may_run(twin *t, uint32_t v)
{
    return !t->windows || hw_window_allows(t->windows, t->done, t->step, v);
}

static entry *find_entry(twin *t, uint32_t item)
{
    for (uint32_t i = 0; i < t->n_entries; i++)
        if (t->queue[i].waits && t->queue[i].item == item)
            return &t->queue[i];
    return NULL;
}

static void enter(twin *t, uint32_t v)
{
    assert_true(t->n_entries < ENTRIES && !find_entry(t, v));
    t->queue[t->n_entries++] = (entry){v, bytes_freed(t, v), count_users(t->g, v), true};
}

static void enter_if_ready(twin *t, uint32_t v)
{
    if (is_ready(t, v) && !find_entry(t, v))
        enter(t, v);
}

/* The best that may run, of equals the one that entered last. */
static entry *find_best(twin *t, xla_twin_counts *counts)
{
    entry *best = NULL;
    for (uint32_t i = 0; i < t->n_entries; i++) {
        entry *e = &t->queue[i];
        if (!e->waits || (best && (e->freed < best->freed ||
                                   (e->freed == best->freed && e->users < best->users))))
            continue;
        if (e->item >= t->g->n_nodes || may_run(t, e->item))
            best = e;
        else
            counts->turned++;
    }
    assert_non_null(best);
    return best;
}

static void refresh_users(twin *t, uint32_t v, xla_twin_counts *counts)
{
    const hw_graph *g = t->g;
    uint32_t changed = 0;
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        for (uint32_t u = 0; u < g->n_nodes; u++) {
            entry *e = reads_tensor(g, u, g->inputs.item[i]) ? find_entry(t, u) : NULL;
            if (e && e->freed != bytes_freed(t, u)) {
                e->waits = false;
                enter(t, u);
                changed++;
            }
        }
    counts->refreshed += changed;
    counts->crowded += changed > 1;
}

static void run_node(twin *t, uint32_t v, xla_twin_counts *counts)
{
    const hw_graph *g = t->g;
    bool left_one = false;
    t->done[v] = true;
    t->step++;
    for (uint32_t s = 0; s < g->n_storages; s++)
        left_one = left_one || (reads_storage(g, v, s) && uses_left(t, s) == 1);
    for (uint32_t u = 0; u < g->n_nodes; u++)
        if (is_user(g, v, u))
            enter_if_ready(t, u);
    for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
        enter_if_ready(t, g->succs.item[i]);
    if (left_one)
        refresh_users(t, v, counts);
}

void xla_twin_list(const hw_model *m, uint32_t *order, xla_twin_counts *counts)
{
    twin *t = open_twin(m);
    const uint32_t n = m->n_nodes;
    for (uint32_t i = 0; i < t->g->n_tensors; i++) {
        uint32_t readers = 0;
        for (uint32_t v = 0; v < n; v++)
            readers += reads_tensor(t->g, v, i);
        if (t->g->tensor_producer[i] == HW_NONE)
            t->queue[t->n_entries++] = (entry){n + i, 0, readers, true};
    }
    for (uint32_t v = 0; v < n; v++)
        enter_if_ready(t, v);
    while (t->step < n) {
        entry *best = find_best(t, counts);
        best->waits = false;
        if (best->item < n) {
            counts->stale += best->freed != bytes_freed(t, best->item);
            order[t->step] = best->item;
            run_node(t, best->item, counts);
            continue;
        }
        t->given[best->item - n] = true;
        for (uint32_t v = 0; v < n; v++)
            if (reads_tensor(t->g, v, best->item - n))
                enter_if_ready(t, v);
    }
    close_twin(t);
}

/* ---- The two walks, by recursion. ---- */

static void place_post(twin *t, uint32_t v, uint32_t *order)
{
    const hw_graph *g = t->g;
    if (t->done[v])
        return;
    t->done[v] = true;
    for (uint32_t i = g->preds.offset[v + 1]; i-- > g->preds.offset[v];)
        if (!is_user(g, g->preds.item[i], v))
            place_post(t, g->preds.item[i], order);
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        if (g->tensor_producer[g->inputs.item[i]] != HW_NONE)
            place_post(t, g->tensor_producer[g->inputs.item[i]], order);
    order[t->step++] = v;
}

static void post_order(twin *t, uint32_t *order)
{
    const hw_graph *g = t->g;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (count_users(g, v) == 0)
            place_post(t, v, order);
    for (uint32_t i = 0; i < g->n_tensors; i++)
        if (g->tensor_kind[i] == HW_OUTPUT)
            place_post(t, g->tensor_producer[i], order);
    assert_int_equal(t->step, g->n_nodes);
}

/* Of the nodes that may run, always the first of the order. */
static void obey_windows(twin *t, uint32_t *order, xla_twin_counts *counts)
{
    const uint32_t n = t->g->n_nodes;
    uint32_t obeyed[DRAFT_NODES];
    memset(t->done, 0, sizeof t->done);
    for (t->step = 0; t->windows && t->step < n; t->step++) {
        uint32_t at = 0;
        while (at < n && !(preds_done(t, order[at]) && may_run(t, order[at])))
            counts->turned += preds_done(t, order[at++]);
        assert_true(at < n);
        obeyed[t->step] = order[at];
        t->done[order[at]] = true;
    }
    if (t->windows)
        memcpy(order, obeyed, n * sizeof *order);
}

void xla_twin_postorder(const hw_model *m, uint32_t *order, xla_twin_counts *counts)
{
    twin *t = open_twin(m);
    post_order(t, order);
    obey_windows(t, order, counts);
    close_twin(t);
}

static void find_figures(twin *t, const uint32_t *order)
{
    const hw_graph *g = t->g;
    wide defined = 0, instructions = (wide)g->n_nodes + (count_outputs(g) > 1);
    for (uint32_t i = 0; i < g->n_tensors; i++)
        instructions += g->tensor_producer[i] == HW_NONE;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const uint32_t v = order[i], n_users = count_users(g, v);
        wide users = n_users ? n_users - 1 : 0, bytes = defined_bytes(g, v);
        defined += bytes;
        for (uint32_t u = 0; u < g->n_nodes; u++) {
            users += is_user(g, u, v) ? t->users[u] : 0;
            bytes += is_user(g, u, v) ? t->bytes[u] : 0;
        }
        t->users[v] = (uint64_t)(users < instructions ? users : instructions);
        t->bytes[v] = (uint64_t)(bytes < defined ? bytes : defined);
    }
}

static bool precedes(const twin *t, uint32_t a, uint32_t b)
{
    if (t->users[a] != t->users[b])
        return t->users[a] > t->users[b];
    return t->bytes[a] != t->bytes[b] ? t->bytes[a] > t->bytes[b] : a < b;
}

static void place_dfs(twin *t, uint32_t v, uint32_t *order);

/* All of a set, in the order of the rule. */
static void place_set(twin *t, const bool *set, uint32_t *order)
{
    bool left[DRAFT_NODES];
    memcpy(left, set, sizeof left);
    for (;;) {
        uint32_t first = HW_NONE;
        for (uint32_t v = 0; v < t->g->n_nodes; v++)
            if (left[v] && (first == HW_NONE || precedes(t, v, first)))
                first = v;
        if (first == HW_NONE)
            return;
        left[first] = false;
        place_dfs(t, first, order);
    }
}

static void place_dfs(twin *t, uint32_t v, uint32_t *order)
{
    bool set[DRAFT_NODES] = {false};
    if (t->done[v])
        return;
    t->done[v] = true;
    for (uint32_t i = t->g->preds.offset[v]; i < t->g->preds.offset[v + 1]; i++)
        set[t->g->preds.item[i]] = true;
    place_set(t, set, order);
    order[t->step++] = v;
}

void xla_twin_dfs(const hw_model *m, uint32_t *order, xla_twin_counts *counts)
{
    twin *t = open_twin(m);
    const hw_graph *g = t->g;
    bool returned[DRAFT_NODES] = {false};
    post_order(t, order);
    find_figures(t, order);
    memset(t->done, 0, sizeof t->done);
    t->step = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        returned[v] = makes_output(g, v);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (g->succs.offset[v] == g->succs.offset[v + 1] && !returned[v])
            place_dfs(t, v, order);
    place_set(t, returned, order);
    assert_int_equal(t->step, g->n_nodes);
    obey_windows(t, order, counts);
    close_twin(t);
}
