/* Sections, units, meetings and twins of an arena.  See exact_offset_problem.h. */
#include "arena/exact_offset_problem.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define MOST_MEETINGS ((size_t)1 << 26)
/* Sums in the search stay below 2^63. */
#define MOST_UNITS (UINT64_C(1) << 61)

void offset_problem_clear(offset_problem *p)
{
    free(p->item);
    free(p->span);
    free(p->first_meeting);
    free(p->meeting);
    memset(p, 0, sizeof *p);
}

/* ---- Units. ---- */

static uint64_t common_divisor(uint64_t x, uint64_t y)
{
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

/*
 * Why multiples of the unit are enough: an allocation whose sum of offsets
 * is least has each buffer at 0, at its fixed offset, or rounded up to its
 * alignment from the end of a span of another one; by induction from below
 * all of these are multiples.
 */
static uint64_t find_unit(const hw_arena *a)
{
    uint64_t unit = 0;
    for (uint32_t i = 0; i < a->n_spans; i++)
        unit = common_divisor(unit, a->span[i].size);
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        const hw_buffer *b = &a->buffer[i];
        if (b->n_spans == 0)
            continue;
        if (b->alignment > 1)
            unit = common_divisor(unit, b->alignment);
        if (b->fixed != HW_ARENA_FREE)
            unit = common_divisor(unit, b->fixed);
    }
    return unit ? unit : 1;
}

/* ---- Sections. ---- */

typedef struct edge {
    int64_t tick;
    uint32_t span; /* of the problem */
    bool starts;
} edge;

/* Ends before starts: a span that ends where another starts does not meet it. */
static int by_tick(const void *x, const void *y)
{
    const edge *p = x, *q = y;
    if (p->tick != q->tick)
        return p->tick < q->tick ? -1 : 1;
    return (int)p->starts - (int)q->starts;
}

/*
 * A slice is kept where, since the one kept last, a span started, and right
 * after it one ends: any other lies within a neighbour.
 */
static void number_sections(offset_problem *p, const edge *edges, size_t n)
{
    uint32_t section = 0;
    bool grown = false;
    for (size_t i = 0; i < n; i++) {
        if (edges[i].starts) {
            p->span[edges[i].span].first = section;
            grown = true;
        } else {
            section += grown;
            grown = false;
            p->span[edges[i].span].end = section;
        }
    }
    p->n_sections = section;
}

static hw_code cut_time(offset_problem *p, const hw_arena *a, hw_error *err)
{
    edge *edges = HW_NEW(edge, 2 * (size_t)a->n_spans);
    if (!edges)
        return hw_fail_memory(err, "sections of time");
    for (uint32_t i = 0; i < a->n_spans; i++) {
        edges[2 * (size_t)i] = (edge){a->span[i].first, i, true};
        edges[2 * (size_t)i + 1] = (edge){a->span[i].end, i, false};
        p->span[i].need = a->span[i].size / p->unit;
    }
    if (a->n_spans > 0)
        qsort(edges, 2 * (size_t)a->n_spans, sizeof *edges, by_tick);
    number_sections(p, edges, 2 * (size_t)a->n_spans);
    free(edges);
    return HW_OK;
}

/* ---- Items. ---- */

static void make_items(offset_problem *p, const hw_arena *a)
{
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        const hw_buffer *b = &a->buffer[i];
        if (b->n_spans == 0)
            continue;
        const hw_span *last = &a->span[b->first_span + b->n_spans - 1];
        p->item[p->n_items++] = (offset_item){
            .size = b->size / p->unit,
            .alignment = b->alignment > 1 ? b->alignment / p->unit : 1,
            .fixed = b->fixed == HW_ARENA_FREE ? OFFSET_FREE : b->fixed / p->unit,
            .life = (uint64_t)last->end - (uint64_t)a->span[b->first_span].first,
            .first = p->span[b->first_span].first,
            .end = p->span[b->first_span + b->n_spans - 1].end,
            .first_span = b->first_span,
            .end_span = b->first_span + b->n_spans,
            .buffer = i,
            .twin = OFFSET_NONE,
        };
    }
}

static hw_code find_loads(offset_problem *p, hw_error *err)
{
    uint64_t *sum = HW_NEW0(uint64_t, p->n_sections);
    if (!sum)
        return hw_fail_memory(err, "the load of sections");
    for (uint32_t i = 0; i < p->n_items; i++)
        for (uint32_t j = p->item[i].first_span; j < p->item[i].end_span; j++)
            for (uint32_t t = p->span[j].first; t < p->span[j].end; t++)
                sum[t] += p->span[j].need;
    for (uint32_t i = 0; i < p->n_items; i++)
        for (uint32_t j = p->item[i].first_span; j < p->item[i].end_span; j++)
            for (uint32_t t = p->span[j].first; t < p->span[j].end; t++)
                p->item[i].load = sum[t] > p->item[i].load ? sum[t] : p->item[i].load;
    free(sum);
    return HW_OK;
}

typedef struct by_form {
    const offset_problem *problem;
    uint32_t item;
} by_form;

/* By all that tells two items apart; items of two spans and more are never alike. */
static int compare_form(const offset_problem *p, uint32_t i, uint32_t j)
{
    const offset_item *x = &p->item[i], *y = &p->item[j];
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->alignment != y->alignment)
        return x->alignment < y->alignment ? -1 : 1;
    return 0;
}

static int by_form_then_number(const void *x, const void *y)
{
    const by_form *p = x, *q = y;
    int order = compare_form(p->problem, p->item, q->item);
    if (order != 0)
        return order;
    return p->item < q->item ? -1 : p->item > q->item;
}

static bool may_have_twin(const offset_item *t)
{
    return t->fixed == OFFSET_FREE && t->end_span - t->first_span == 1;
}

static hw_code find_twins(offset_problem *p, hw_error *err)
{
    by_form *sorted = HW_NEW(by_form, p->n_items);
    if (!sorted)
        return hw_fail_memory(err, "buffers that are alike");
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_items; i++)
        if (may_have_twin(&p->item[i]))
            sorted[n++] = (by_form){p, i};
    if (n > 0)
        qsort(sorted, n, sizeof *sorted, by_form_then_number);
    for (uint32_t i = 1; i < n; i++)
        if (compare_form(p, sorted[i - 1].item, sorted[i].item) == 0)
            p->item[sorted[i].item].twin = sorted[i - 1].item;
    free(sorted);
    return HW_OK;
}

/* ---- Meetings. ---- */

typedef struct start_at {
    uint32_t first, item;
} start_at;

static int by_first(const void *x, const void *y)
{
    const start_at *p = x, *q = y;
    if (p->first != q->first)
        return p->first < q->first ? -1 : 1;
    return p->item < q->item ? -1 : p->item > q->item;
}

typedef struct pair {
    uint32_t low, high;       /* items, in the order of their starts */
    uint64_t on_low, on_high; /* how far above each the other has to lie */
} pair;

typedef struct pairs {
    pair *pair;
    size_t n, room;
} pairs;

static hw_code add_pair(pairs *list, const offset_problem *p, const hw_arena *a, uint32_t x,
                        uint32_t y, hw_error *err)
{
    uint64_t on_x = hw_arena_distance(a, p->item[x].buffer, p->item[y].buffer);
    if (on_x == 0)
        return HW_OK;
    if (list->n == MOST_MEETINGS)
        return hw_fail(err, HW_LIMIT,
                       "more than 2^26 pairs of buffers meet: take another allocator");
    if (!hw_grow((void **)&list->pair, &list->room, list->n + 1, sizeof *list->pair))
        return hw_fail_memory(err, "pairs that meet");
    uint64_t on_y = hw_arena_distance(a, p->item[y].buffer, p->item[x].buffer);
    list->pair[list->n++] = (pair){x, y, on_x / p->unit, on_y / p->unit};
    return HW_OK;
}

/* Sweep over starts with a list of those that live. */
static hw_code find_pairs(pairs *list, const offset_problem *p, const hw_arena *a, start_at *order,
                          uint32_t *alive, hw_error *err)
{
    uint32_t n_alive = 0;
    for (uint32_t i = 0; i < p->n_items; i++)
        order[i] = (start_at){p->item[i].first, i};
    if (p->n_items > 0)
        qsort(order, p->n_items, sizeof *order, by_first);
    for (uint32_t i = 0; i < p->n_items; i++) {
        uint32_t x = order[i].item, kept = 0;
        for (uint32_t j = 0; j < n_alive; j++)
            if (p->item[alive[j]].end > p->item[x].first)
                alive[kept++] = alive[j];
        n_alive = kept;
        for (uint32_t j = 0; j < n_alive; j++) {
            hw_code code = add_pair(list, p, a, alive[j], x, err);
            if (code != HW_OK)
                return code;
        }
        alive[n_alive++] = x;
    }
    return HW_OK;
}

static hw_code index_pairs(offset_problem *p, const pairs *list, hw_error *err)
{
    p->first_meeting = HW_NEW0(size_t, (size_t)p->n_items + 1);
    p->meeting = HW_NEW(offset_meeting, 2 * list->n);
    if (!p->first_meeting || !p->meeting)
        return hw_fail_memory(err, "pairs that meet");
    size_t *first = p->first_meeting;
    for (size_t i = 0; i < list->n; i++) {
        first[list->pair[i].low]++;
        first[list->pair[i].high]++;
    }
    for (uint32_t i = 0; i < p->n_items; i++)
        first[i + 1] += first[i];
    for (size_t i = list->n; i-- > 0;) {
        const pair *q = &list->pair[i];
        p->meeting[--first[q->low]] = (offset_meeting){q->high, q->on_low};
        p->meeting[--first[q->high]] = (offset_meeting){q->low, q->on_high};
    }
    return HW_OK;
}

static hw_code find_meetings(offset_problem *p, const hw_arena *a, hw_error *err)
{
    pairs list = {0};
    start_at *order = HW_NEW(start_at, p->n_items);
    uint32_t *alive = HW_NEW(uint32_t, p->n_items);
    hw_code code = order && alive ? find_pairs(&list, p, a, order, alive, err)
                                  : hw_fail_memory(err, "pairs that meet");
    if (code == HW_OK)
        code = index_pairs(p, &list, err);
    free(order);
    free(alive);
    free(list.pair);
    return code;
}

hw_code offset_problem_init(offset_problem *p, const hw_arena *a, hw_error *err)
{
    memset(p, 0, sizeof *p);
    p->unit = find_unit(a);
    if ((a->stacked + a->fixed_end) / p->unit >= MOST_UNITS)
        return hw_fail(err, HW_LIMIT,
                       "sizes and offsets pass 2^61 units in sum: take another allocator");
    p->item = HW_NEW(offset_item, a->n_buffers);
    p->span = HW_NEW(offset_span, a->n_spans);
    hw_code code = p->item && p->span ? cut_time(p, a, err) : hw_fail_memory(err, "the buffers");
    if (code == HW_OK) {
        make_items(p, a);
        code = find_twins(p, err);
    }
    if (code == HW_OK)
        code = find_meetings(p, a, err);
    if (code == HW_OK) /* last: sections of an item are as few as its meetings, which are limited */
        code = find_loads(p, err);
    if (code != HW_OK)
        offset_problem_clear(p);
    return code;
}
