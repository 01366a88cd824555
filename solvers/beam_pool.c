/*
 * The best children of a level.  See beam_pool.h.
 *
 * Children are taken in until there are twice as many as may stay; then the
 * better half is kept (quickselect) and its worst sets the mark that later
 * ones must reach.  A child is looked up by the hash of its set first: a sum
 * of random words, one for each node.  Two sets of one hash are taken for the
 * same: with 64 bits and 10^9 pairs of children compared over a run, that
 * costs a prefix once in 10^10 runs, and never a wrong order.
 */
#include "solvers/beam_pool.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { LEAST_ROOM = 16 };

void beam_pool_init(beam_pool *p, uint32_t width)
{
    memset(p, 0, sizeof *p);
    p->width = width;
}

void beam_pool_free(beam_pool *p)
{
    free(p->child);
    free(p->slot);
    memset(p, 0, sizeof *p);
}

void beam_pool_clear(beam_pool *p)
{
    if (p->count)
        memset(p->slot, 0, p->n_slots * sizeof *p->slot);
    p->count = 0;
    p->full = false;
}

static bool is_better(const beam_child *a, const beam_child *b)
{
    if (a->peak != b->peak)
        return a->peak < b->peak;
    if (a->live != b->live)
        return a->live < b->live;
    if (a->tie != b->tie)
        return a->tie < b->tie;
    if (a->parent != b->parent)
        return a->parent < b->parent;
    return a->item < b->item;
}

static size_t find_slot(const beam_pool *p, uint64_t hash)
{
    size_t at = (size_t)hash & (p->n_slots - 1);
    while (p->slot[at] && p->child[p->slot[at] - 1].hash != hash)
        at = (at + 1) & (p->n_slots - 1);
    return at;
}

static void lay_slots(beam_pool *p)
{
    memset(p->slot, 0, p->n_slots * sizeof *p->slot);
    for (size_t i = 0; i < p->count; i++)
        p->slot[find_slot(p, p->child[i].hash)] = (uint32_t)i + 1;
}

static void swap(beam_child *a, beam_child *b)
{
    beam_child c = *a;
    *a = *b;
    *b = c;
}

/* Let the `keep` best of child[0 .. count) come first, 0 < keep < count. */
static void select_best(beam_child *child, size_t count, size_t keep)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_better(&child[middle], &child[low]))
            swap(&child[middle], &child[low]);
        if (is_better(&child[high], &child[low]))
            swap(&child[high], &child[low]);
        if (is_better(&child[high], &child[middle]))
            swap(&child[high], &child[middle]);
        beam_child pivot = child[middle];
        size_t i = low, j = high;
        for (;;) {
            while (is_better(&child[i], &pivot))
                i++;
            while (is_better(&pivot, &child[j]))
                j--;
            if (i >= j)
                break;
            swap(&child[i++], &child[j--]);
        }
        /* child[low .. j] are no worse than the pivot, child[j+1 .. high] no better. */
        if (keep - 1 <= j)
            high = j;
        else
            low = j + 1;
    }
}

/* Keep the `keep` best of more, and note the worst of them. */
static void reduce(beam_pool *p, size_t keep)
{
    select_best(p->child, p->count, keep);
    p->count = keep;
    const beam_child *worst = p->child;
    for (size_t i = 1; i < p->count; i++)
        if (is_better(worst, &p->child[i]))
            worst = &p->child[i];
    p->full = p->overflowed = true;
    p->peak = worst->peak;
    p->live = worst->live;
}

static bool make_room(beam_pool *p)
{
    size_t most = (size_t)2 * p->width,
           room = p->room < LEAST_ROOM ? LEAST_ROOM : p->room + p->room / 2;
    if (p->room && p->count == most) {
        reduce(p, p->width);
    } else {
        size_t n_slots = p->n_slots ? p->n_slots : 2;
        room = room > most ? most : room;
        beam_child *child = realloc(p->child, room * sizeof *child);
        if (!child)
            return false;
        p->child = child;
        while (n_slots < 2 * room)
            n_slots *= 2;
        uint32_t *slot = HW_NEW(uint32_t, n_slots);
        if (!slot)
            return false;
        free(p->slot);
        p->slot = slot;
        p->room = room;
        p->n_slots = n_slots;
    }
    lay_slots(p);
    return true;
}

bool beam_pool_offer(beam_pool *p, const beam_child *child)
{
    if (p->count == p->room && !make_room(p))
        return false;
    size_t at = find_slot(p, child->hash);
    if (p->slot[at]) {
        beam_child *known = &p->child[p->slot[at] - 1];
        if (is_better(child, known))
            *known = *child;
        return true;
    }
    p->child[p->count++] = *child;
    p->slot[at] = (uint32_t)p->count;
    return true;
}

void beam_pool_settle(beam_pool *p, uint32_t keep)
{
    if (p->count > keep)
        reduce(p, keep);
}

size_t beam_pool_bytes(const beam_pool *p)
{
    return p->room * sizeof *p->child + p->n_slots * sizeof *p->slot;
}
