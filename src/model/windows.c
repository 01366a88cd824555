/*
 * Position windows.  See windows.h.
 *
 * Why EDF over the remaining nodes ignores edges and is still exact: after
 * tightening, u -> v implies earliest(u) < earliest(v) and latest(u) <
 * latest(v), so at any time at which both wait, u is released first and due
 * first, and EDF takes it first.  An exchange argument gives that EDF meets
 * all deadlines whenever some schedule of unit jobs does.
 */
#include "model/windows.h"

#include <stdlib.h>

#include "core/memory.h"

struct hw_window_search {
    uint32_t n;
    const uint32_t *earliest, *latest;
    uint32_t *by_release; /* nodes, sorted by earliest */
    uint32_t *heap;       /* nodes, least latest first */
};

static void heap_push(const hw_window_search *w, uint32_t *count, uint32_t v)
{
    uint32_t at = (*count)++;
    while (at && w->latest[w->heap[(at - 1) / 2]] > w->latest[v]) {
        w->heap[at] = w->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    w->heap[at] = v;
}

static uint32_t heap_pop(const hw_window_search *w, uint32_t *count)
{
    uint32_t top = w->heap[0], last = w->heap[--*count], at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= *count)
            break;
        if (child + 1 < *count && w->latest[w->heap[child + 1]] < w->latest[w->heap[child]])
            child++;
        if (w->latest[w->heap[child]] >= w->latest[last])
            break;
        w->heap[at] = w->heap[child];
        at = child;
    }
    w->heap[at] = last;
    return top;
}

/* Do all nodes but the done ones and `taken` fit positions step, step+1, ...? */
static bool completes(hw_window_search *w, const bool *done, uint32_t step, uint32_t taken)
{
    uint32_t waiting = 0, next = 0;
    for (; step < w->n; step++) {
        for (; next < w->n && w->earliest[w->by_release[next]] <= step; next++) {
            uint32_t v = w->by_release[next];
            if (v != taken && !(done && done[v]))
                heap_push(w, &waiting, v);
        }
        if (waiting == 0)
            return false; /* a position stays empty, so the last node comes too late */
        if (w->latest[heap_pop(w, &waiting)] < step)
            return false;
    }
    return true;
}

bool hw_window_allows(hw_window_search *w, const bool *done, uint32_t step, uint32_t v)
{
    if (step < w->earliest[v] || step > w->latest[v])
        return false;
    return completes(w, done, step + 1, v);
}

hw_window_search *hw_window_search_new(const hw_graph *g, const uint32_t *earliest,
                                       const uint32_t *latest)
{
    uint32_t n = g->n_nodes;
    hw_window_search *w = HW_NEW0(hw_window_search, 1);
    uint32_t *start = HW_NEW0(uint32_t, (size_t)n + 1);
    if (w) {
        *w = (hw_window_search){n, earliest, latest, HW_NEW(uint32_t, n), HW_NEW(uint32_t, n)};
    }
    if (!w || !start || !w->by_release || !w->heap) {
        free(start);
        hw_window_search_free(w);
        return NULL;
    }
    for (uint32_t v = 0; v < n; v++) /* a counting sort: positions are below n */
        start[earliest[v] < n ? earliest[v] : n - 1]++;
    uint32_t sum = 0;
    for (uint32_t p = 0; p < n; p++) {
        uint32_t here = start[p];
        start[p] = sum;
        sum += here;
    }
    for (uint32_t v = 0; v < n; v++)
        w->by_release[start[earliest[v] < n ? earliest[v] : n - 1]++] = v;
    free(start);
    return w;
}

void hw_window_search_free(hw_window_search *w)
{
    if (!w)
        return;
    free(w->by_release);
    free(w->heap);
    free(w);
}

hw_code hw_windows_tighten(const hw_graph *g, uint32_t *earliest, uint32_t *latest, bool *legal,
                           hw_error *err)
{
    uint32_t n = g->n_nodes;
    *legal = true;
    if (n == 0)
        return HW_OK;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t w = g->node_window ? g->node_window[v] : HW_NONE;
        earliest[v] = w < v ? v - w : 0;
        latest[v] = w < n - 1 - v ? v + w : n - 1;
    }
    uint32_t *order = HW_NEW(uint32_t, n);
    if (!order)
        return hw_fail_memory(err, "windows");
    hw_code code = hw_graph_level_order(g, order, err);
    for (uint32_t i = 0; code == HW_OK && i < n; i++) {
        uint32_t v = order[i];
        for (uint32_t k = g->preds.offset[v]; k < g->preds.offset[v + 1]; k++)
            if (earliest[v] <= earliest[g->preds.item[k]])
                earliest[v] = earliest[g->preds.item[k]] + 1;
    }
    for (uint32_t i = n; code == HW_OK && i-- > 0;) {
        uint32_t v = order[i];
        for (uint32_t k = g->succs.offset[v]; k < g->succs.offset[v + 1]; k++) {
            uint32_t bound = latest[g->succs.item[k]];
            if (bound == 0)
                *legal = false; /* nothing fits before position 0 */
            else if (latest[v] >= bound)
                latest[v] = bound - 1;
        }
        if (earliest[v] > latest[v])
            *legal = false;
    }
    free(order);
    if (code != HW_OK || !*legal)
        return code;
    hw_window_search *w = hw_window_search_new(g, earliest, latest);
    if (!w)
        return hw_fail_memory(err, "windows");
    *legal = completes(w, NULL, 0, HW_NONE);
    hw_window_search_free(w);
    return HW_OK;
}
