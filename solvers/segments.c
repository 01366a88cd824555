/* Segments and sets of them.  See segments.h. */
#include "solvers/segments.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { FEW_ITEMS = 12 }; /* sorted by insertion */

bool hw_segment_before(hw_segment a, hw_segment b)
{
    bool a_falls = a.fall > a.rise, b_falls = b.fall > b.rise;
    if (a_falls != b_falls)
        return a_falls;
    return a_falls ? a.rise < b.rise : a.fall > b.fall;
}

hw_segment hw_segment_join(hw_segment a, hw_segment b)
{
    if (b.rise > a.fall)
        return (hw_segment){a.rise + (b.rise - a.fall), b.fall};
    return (hw_segment){a.rise, a.fall - b.rise + b.fall};
}

hw_code hw_segments_open(hw_segments *s, uint32_t n, bool keep_first, bool keep_last, hw_error *err)
{
    memset(s, 0, sizeof *s);
    s->n = n;
    s->segment = HW_NEW(hw_segment, n);
    s->last = HW_NEW(uint32_t, n);
    s->next = HW_NEW(uint32_t, n);
    if (keep_first)
        s->link[HW_SEGMENT_FIRST] = HW_NEW(hw_segment_link, n);
    if (keep_last)
        s->link[HW_SEGMENT_LAST] = HW_NEW(hw_segment_link, n);
    if (!s->segment || !s->last || !s->next || (keep_first && !s->link[HW_SEGMENT_FIRST]) ||
        (keep_last && !s->link[HW_SEGMENT_LAST]))
        return hw_fail_memory(err, "segments");
    memset(s->last, 0xff, n * sizeof *s->last);
    return HW_OK;
}

void hw_segments_take_steps(hw_segments *s, hw_segment **step)
{
    free(s->segment);
    s->segment = *step;
    *step = NULL;
}

void hw_segments_close(hw_segments *s)
{
    free(s->segment);
    free(s->last);
    free(s->next);
    free(s->link[HW_SEGMENT_FIRST]);
    free(s->link[HW_SEGMENT_LAST]);
    memset(s, 0, sizeof *s);
}

/* ---- Pairing heaps, one for each kept end. ---- */

/* Is a nearer to the end than b?  Ties by first node, so that heaps are determined. */
static inline bool nearer(const hw_segments *s, hw_segment_end end, uint32_t a, uint32_t b)
{
    hw_segment x = s->segment[a], y = s->segment[b];
    bool x_falls = x.fall > x.rise, y_falls = y.fall > y.rise, first;
    if (x_falls != y_falls)
        first = x_falls;
    else if (x_falls)
        first = x.rise != y.rise ? x.rise < y.rise : a < b;
    else
        first = x.fall != y.fall ? x.fall > y.fall : a < b;
    return first == (end == HW_SEGMENT_FIRST);
}

static uint32_t meld(hw_segments *s, hw_segment_end end, uint32_t a, uint32_t b)
{
    if (a == HW_NONE || b == HW_NONE)
        return a == HW_NONE ? b : a;
    hw_segment_link *link = s->link[end];
    if (nearer(s, end, b, a)) {
        uint32_t held = a;
        a = b;
        b = held;
    }
    uint32_t child = link[a].child;
    link[b].next = child;
    link[b].before = a;
    if (child != HW_NONE)
        link[child].before = b;
    link[a].child = b;
    return a;
}

/* One heap of the siblings from `sibling` on: pairs from the left, then all from the right. */
static uint32_t meld_siblings(hw_segments *s, hw_segment_end end, uint32_t sibling)
{
    hw_segment_link *link = s->link[end];
    uint32_t pairs = HW_NONE;
    while (sibling != HW_NONE) {
        uint32_t a = sibling, b = link[a].next;
        sibling = b == HW_NONE ? HW_NONE : link[b].next;
        uint32_t pair = meld(s, end, a, b);
        link[pair].next = pairs;
        pairs = pair;
    }
    uint32_t root = HW_NONE;
    while (pairs != HW_NONE) {
        uint32_t rest = link[pairs].next;
        root = meld(s, end, root, pairs);
        pairs = rest;
    }
    return root;
}

/* The heap without x. */
static uint32_t without(hw_segments *s, hw_segment_end end, uint32_t root, uint32_t x)
{
    hw_segment_link *link = s->link[end];
    uint32_t below = meld_siblings(s, end, link[x].child);
    if (x == root)
        return below;
    uint32_t before = link[x].before, next = link[x].next;
    if (link[before].child == x)
        link[before].child = next;
    else
        link[before].next = next;
    if (next != HW_NONE)
        link[next].before = before;
    return meld(s, end, root, below);
}

/* ---- Sets. ---- */

static hw_segment_set set_of(hw_segments *s, uint32_t x)
{
    hw_segment_set set = HW_SEGMENT_SET_EMPTY;
    for (int end = 0; end < 2; end++)
        if (s->link[end]) {
            s->link[end][x].child = HW_NONE;
            set.root[end] = x;
        }
    return set;
}

hw_segment_set hw_segments_node(hw_segments *s, uint32_t node, hw_segment step)
{
    s->segment[node] = step;
    s->last[node] = node;
    return set_of(s, node);
}

hw_segment_set hw_segments_parallel(hw_segments *s, hw_segment_set a, hw_segment_set b)
{
    for (int end = 0; end < 2; end++)
        if (s->link[end])
            a.root[end] = meld(s, (hw_segment_end)end, a.root[end], b.root[end]);
    return a;
}

/* The segment at an end of the set; HW_NONE: the set is empty. */
static uint32_t look(const hw_segments *s, const hw_segment_set *set, hw_segment_end end)
{
    return set->root[s->link[end] ? end : !end]; /* not kept: there is only one */
}

static uint32_t take(hw_segments *s, hw_segment_set *set, hw_segment_end at)
{
    uint32_t x = look(s, set, at);
    for (int end = 0; end < 2; end++)
        if (s->link[end])
            set->root[end] = without(s, (hw_segment_end)end, set->root[end], x);
    return x;
}

/* First a, then b, as one segment, which is in no set. */
static uint32_t join(hw_segments *s, uint32_t a, uint32_t b)
{
    s->segment[a] = hw_segment_join(s->segment[a], s->segment[b]);
    s->next[s->last[a]] = b;
    s->last[a] = s->last[b];
    s->last[b] = HW_NONE;
    return a;
}

/*
 * Where one end is kept: the heap of the set that has it there, and a segment x
 * that comes behind (LAST) or before (FIRST) all of it.  What x does not take in
 * is farther from the end.
 */
static uint32_t extend(hw_segments *s, hw_segment_end end, uint32_t root, uint32_t x)
{
    hw_segment_link *link = s->link[end];
    while (root != HW_NONE) {
        hw_segment at = s->segment[root], here = s->segment[x];
        if (end == HW_SEGMENT_LAST ? hw_segment_before(at, here) : hw_segment_before(here, at))
            break;
        uint32_t rest = meld_siblings(s, end, link[root].child);
        x = end == HW_SEGMENT_LAST ? join(s, root, x) : join(s, x, root);
        root = rest;
    }
    link[x].child = root;
    if (root != HW_NONE) {
        link[root].next = HW_NONE;
        link[root].before = x;
    }
    return x;
}

hw_segment_set hw_segments_series(hw_segments *s, hw_segment_set a, hw_segment_set b)
{
    const bool keep_first = s->link[HW_SEGMENT_FIRST], keep_last = s->link[HW_SEGMENT_LAST];
    if (keep_last && !keep_first && b.root[HW_SEGMENT_LAST] != HW_NONE) {
        b.root[HW_SEGMENT_LAST] =
            extend(s, HW_SEGMENT_LAST, a.root[HW_SEGMENT_LAST], b.root[HW_SEGMENT_LAST]);
        return b;
    }
    if (keep_first && !keep_last && a.root[HW_SEGMENT_FIRST] != HW_NONE) {
        a.root[HW_SEGMENT_FIRST] =
            extend(s, HW_SEGMENT_FIRST, b.root[HW_SEGMENT_FIRST], a.root[HW_SEGMENT_FIRST]);
        return a;
    }
    uint32_t last = look(s, &a, HW_SEGMENT_LAST), first = look(s, &b, HW_SEGMENT_FIRST);
    if (last == HW_NONE || first == HW_NONE ||
        hw_segment_before(s->segment[last], s->segment[first]))
        return hw_segments_parallel(s, a, b);
    uint32_t end = take(s, &a, HW_SEGMENT_LAST), begin = take(s, &b, HW_SEGMENT_FIRST);
    uint32_t middle = join(s, end, begin);
    for (;;) {
        last = look(s, &a, HW_SEGMENT_LAST);
        first = look(s, &b, HW_SEGMENT_FIRST);
        hw_segment here = s->segment[middle];
        if (last != HW_NONE && !hw_segment_before(s->segment[last], here))
            middle = join(s, take(s, &a, HW_SEGMENT_LAST), middle);
        else if (first != HW_NONE && !hw_segment_before(here, s->segment[first]))
            middle = join(s, middle, take(s, &b, HW_SEGMENT_FIRST));
        else
            break;
    }
    return hw_segments_parallel(s, hw_segments_parallel(s, a, set_of(s, middle)), b);
}

/* ---- The order. ---- */

static int compare(const void *x, const void *y)
{
    const hw_segment_item *a = x, *b = y;
    if (hw_segment_before(a->segment, b->segment))
        return -1;
    if (hw_segment_before(b->segment, a->segment))
        return 1;
    return (a->node > b->node) - (a->node < b->node);
}

void hw_segments_sort(hw_segment_item *item, size_t count)
{
    if (count > FEW_ITEMS) {
        qsort(item, count, sizeof *item, compare);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        hw_segment_item moved = item[i];
        size_t at = i;
        for (; at && compare(&item[at - 1], &moved) > 0; at--)
            item[at] = item[at - 1];
        item[at] = moved;
    }
}

hw_code hw_segments_lay(const hw_segments *s, uint32_t *order, hw_segment *whole, hw_error *err)
{
    size_t count = 0, at = 0;
    for (uint32_t v = 0; v < s->n; v++)
        count += s->last[v] != HW_NONE;
    hw_segment_item *list = HW_NEW(hw_segment_item, count);
    if (!list)
        return hw_fail_memory(err, "segments");
    for (uint32_t v = 0; v < s->n; v++)
        if (s->last[v] != HW_NONE)
            list[at++] = (hw_segment_item){s->segment[v], v};
    hw_segments_sort(list, count);
    *whole = (hw_segment){0, 0};
    at = 0;
    for (size_t i = 0; i < count; i++) {
        *whole = hw_segment_join(*whole, list[i].segment);
        uint32_t v = list[i].node;
        for (; v != s->last[list[i].node]; v = s->next[v])
            order[at++] = v;
        order[at++] = v;
    }
    free(list);
    return HW_OK;
}
