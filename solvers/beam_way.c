/*
 * Ways between prefixes.  See beam_way.h.
 *
 * Along the walk the longest path from a node falls with every edge.  Taking
 * back by rising length and then doing by falling length keeps every set on
 * the way a prefix: what must go later has the shorter path, and both ends are
 * prefixes themselves.  Sets on the way may be such that windows could not be
 * kept; nobody asks there, and no item that has not moved is due before the
 * step, since it is missing at one of the two ends, which do keep them.
 */
#include "solvers/beam_way.h"

#include <string.h>

#define ENTERS (UINT64_C(1) << 31)

enum { NOTED = 2 }; /* so that an item that has cancelled out is still known to be on the list */
enum { FEW = 24 };

bool beam_router_init(beam_router *r, uint32_t n, uint32_t width)
{
    memset(r, 0, sizeof *r);
    r->change = HW_NEW0(int8_t, n);
    r->now.end = HW_NEW(size_t, width);
    r->next.end = HW_NEW(size_t, width);
    return r->change && r->now.end && r->next.end;
}

void beam_router_free(beam_router *r)
{
    free(r->change);
    free(r->noted);
    free(r->now.step);
    free(r->now.end);
    free(r->next.step);
    free(r->next.end);
    memset(r, 0, sizeof *r);
}

size_t beam_router_bytes(const beam_router *r, uint32_t n, uint32_t width)
{
    return n + r->noted_room * sizeof *r->noted + 2 * (size_t)width * sizeof *r->now.end +
           (r->now.room + r->next.room) * sizeof *r->now.step;
}

bool beam_router_note(beam_router *r, uint32_t item, int sign)
{
    if (r->change[item] == 0) {
        void *array = r->noted;
        if (!hw_grow(&array, &r->noted_room, r->n_noted + 1, sizeof *r->noted))
            return false;
        r->noted = array;
        r->noted[r->n_noted++] = item;
        r->change[item] = NOTED;
    }
    r->change[item] = (int8_t)(r->change[item] + sign);
    return true;
}

bool beam_router_note_back(beam_router *r, uint32_t i)
{
    const beam_ways *w = &r->now;
    for (size_t k = i ? w->end[i - 1] : 0; k < w->end[i]; k++)
        if (!beam_router_note(r, (uint32_t)w->step[k] & HW_HEAP_MOST, w->step[k] & ENTERS ? -1 : 1))
            return false;
    return true;
}

static int by_step(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void sort_steps(uint64_t *step, size_t count)
{
    if (count > FEW) {
        qsort(step, count, sizeof *step, by_step);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint64_t moved = step[i];
        size_t at = i;
        for (; at && step[at - 1] > moved; at--)
            step[at] = step[at - 1];
        step[at] = moved;
    }
}

bool beam_router_close(beam_router *r, const beam_walk *w)
{
    beam_ways *ways = &r->next;
    size_t first = ways->n ? ways->end[ways->n - 1] : 0, count = first;
    void *array = ways->step;
    if (!hw_grow(&array, &ways->room, first + r->n_noted, sizeof *ways->step))
        return false;
    ways->step = array;
    for (size_t i = 0; i < r->n_noted; i++) {
        uint32_t item = r->noted[i];
        uint64_t step = (uint64_t)w->path[beam_walk_node(w, item)] << 32 | item;
        if (r->change[item] != NOTED)
            ways->step[count++] = step | (r->change[item] > NOTED ? ENTERS : 0);
        r->change[item] = 0;
    }
    r->n_noted = 0;
    if (count > first) /* before the first step there is no array */
        sort_steps(ways->step + first, count - first);
    ways->end[ways->n++] = count;
    return true;
}

void beam_router_turn(beam_router *r)
{
    beam_ways swap = r->now;
    r->now = r->next;
    r->next = swap;
    r->next.n = 0;
}

void beam_router_go(const beam_router *r, beam_walk *w, uint32_t i)
{
    const beam_ways *ways = &r->now;
    size_t first = i ? ways->end[i - 1] : 0;
    for (size_t k = first; k < ways->end[i]; k++)
        if (!(ways->step[k] & ENTERS))
            beam_walk_undo(w, (uint32_t)ways->step[k] & HW_HEAP_MOST);
    for (size_t k = ways->end[i]; k-- > first;)
        if (ways->step[k] & ENTERS)
            beam_walk_do(w, (uint32_t)ways->step[k] & HW_HEAP_MOST);
}
