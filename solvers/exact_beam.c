/*
 * Beam search through prefixes.  See exact_beam.h.
 *
 * Under windows a prefix that nothing completes would only crowd out others, so
 * a move is listed only if the rest can still be completed: slack.h has the
 * argument, which holds backwards as well, with the roles of earliest and
 * latest exchanged.
 */
#include "solvers/exact_beam.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

typedef struct candidate {
    uint64_t peak, live, hash; /* after the move; hash of the prefix */
    uint32_t parent, move;
} candidate;

typedef struct place {
    exact_walk walk;
    uint64_t peak, hash;
} place;

typedef struct beam {
    const exact_problem *p;
    uint32_t width;
    place *now, *next; /* width each */
    uint32_t n_now, n_next;
    candidate *list;
    size_t count, capacity;
    uint64_t *seen; /* hashes of this level, open addressing; 0: empty */
    size_t n_seen;
    uint32_t *due; /* under windows: nodes left by the last position they may take */
} beam;

static uint64_t node_hash(uint32_t v)
{
    uint64_t z = (v + UINT64_C(1)) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static void copy_walk(exact_walk *to, const exact_walk *from)
{
    const exact_problem *p = from->p;
    to->live = from->live;
    to->count = from->count;
    to->open = from->open;
    memcpy(to->trail, from->trail, from->count * sizeof *to->trail);
    memcpy(to->gain, from->gain, p->n * sizeof *to->gain);
    memcpy(to->waiting, from->waiting, p->n * sizeof *to->waiting);
    memcpy(to->left, from->left, p->n_buffers * sizeof *to->left);
    memcpy(to->last, from->last, p->n_buffers * sizeof *to->last);
    memcpy(to->done, from->done, (size_t)4 * p->words * sizeof *to->done);
}

static void beam_free(beam *b)
{
    for (uint32_t i = 0; b->now && i < b->width; i++)
        exact_walk_free(&b->now[i].walk);
    for (uint32_t i = 0; b->next && i < b->width; i++)
        exact_walk_free(&b->next[i].walk);
    free(b->now);
    free(b->next);
    free(b->list);
    free(b->seen);
    free(b->due);
}

static hw_code beam_init(beam *b, const exact_problem *p, bool reverse, uint32_t width,
                         hw_error *err)
{
    *b = (beam){.p = p, .width = width, .n_seen = 64};
    while (b->n_seen < (size_t)4 * width)
        b->n_seen *= 2;
    b->now = HW_NEW0(place, width);
    b->next = HW_NEW0(place, width);
    b->seen = HW_NEW(uint64_t, b->n_seen);
    b->due = p->earliest ? HW_NEW(uint32_t, p->n) : NULL;
    bool complete = b->now && b->next && b->seen && (b->due || !p->earliest);
    hw_code code = complete ? HW_OK : hw_fail_memory(err, "a beam");
    for (uint32_t i = 0; code == HW_OK && i < width; i++) {
        code = exact_walk_init(&b->now[i].walk, p, reverse, err);
        if (code == HW_OK)
            code = exact_walk_init(&b->next[i].walk, p, reverse, err);
    }
    if (code != HW_OK)
        beam_free(b);
    return code;
}

static int by_rank(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->peak != b->peak)
        return a->peak < b->peak ? -1 : 1;
    if (a->live != b->live)
        return a->live < b->live ? -1 : 1;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    return a->move < b->move ? -1 : a->move > b->move;
}

/*
 * The position that v must take at the latest, in the direction of the walk and
 * counted from its start.
 */
static uint32_t due_of(const exact_walk *w, uint32_t v)
{
    const exact_problem *p = w->p;
    uint32_t first = p->first_step, last = first + p->n - 1;
    if (w->reverse)
        return p->earliest[v] > first ? last - p->earliest[v] : p->n - 1;
    return p->latest[v] < last ? p->latest[v] - first : p->n - 1;
}

/* The first position up to which the nodes left need every one that is left. */
static uint32_t find_tight(beam *b, const exact_walk *w)
{
    uint32_t n = b->p->n, due = 0, at = w->count;
    memset(b->due, 0, n * sizeof *b->due);
    for (uint32_t v = 0; v < n; v++)
        if (!exact_has(w->done, v))
            b->due[due_of(w, v)]++;
    for (; at < n; at++) {
        due += b->due[at];
        if (due == at - w->count + 1)
            break;
    }
    return at;
}

/* May v be the next move, so that the rest can still be completed? */
static bool fits_windows(const exact_walk *w, uint32_t v, uint32_t tight)
{
    uint32_t step = exact_walk_step(w);
    return step >= w->p->earliest[v] && step <= w->p->latest[v] && due_of(w, v) <= tight;
}

static bool list_moves(beam *b, uint64_t limit)
{
    b->count = 0;
    for (uint32_t i = 0; i < b->n_now; i++) {
        const place *from = &b->now[i];
        const exact_walk *w = &from->walk;
        uint32_t tight = b->due ? find_tight(b, w) : 0;
        for (uint32_t k = 0; k < b->p->words; k++)
            for (uint64_t bits = w->ready[k]; bits; bits &= bits - 1) {
                uint32_t v = k * 64 + (uint32_t)__builtin_ctzll(bits);
                if (b->due && !fits_windows(w, v, tight))
                    continue;
                uint64_t usage = exact_walk_usage(w, v);
                if (usage >= limit && limit < UINT64_MAX)
                    continue;
                void *array = b->list;
                if (!hw_grow(&array, &b->capacity, b->count + 1, sizeof *b->list))
                    return false;
                b->list = array;
                b->list[b->count++] =
                    (candidate){usage > from->peak ? usage : from->peak, exact_walk_after(w, v),
                                from->hash ^ node_hash(v), i, v};
            }
    }
    return true;
}

/* First time on this level?  Two prefixes of one hash lose one: a heuristic. */
static bool is_new(beam *b, uint64_t hash)
{
    size_t at = (size_t)hash & (b->n_seen - 1);
    for (; b->seen[at]; at = (at + 1) & (b->n_seen - 1))
        if (b->seen[at] == hash)
            return false;
    b->seen[at] = hash;
    return true;
}

static void take_best(beam *b)
{
    if (b->count) /* qsort must not see a list that was never laid */
        qsort(b->list, b->count, sizeof *b->list, by_rank);
    memset(b->seen, 0, b->n_seen * sizeof *b->seen);
    b->n_next = 0;
    for (size_t i = 0; i < b->count && b->n_next < b->width; i++) {
        const candidate *c = &b->list[i];
        if (!is_new(b, c->hash))
            continue;
        place *to = &b->next[b->n_next++];
        copy_walk(&to->walk, &b->now[c->parent].walk);
        exact_walk_do(&to->walk, c->move);
        to->peak = c->peak;
        to->hash = c->hash;
    }
    place *swap = b->now;
    b->now = b->next;
    b->next = swap;
    b->n_now = b->n_next;
}

hw_code exact_beam(const exact_problem *p, bool reverse, uint32_t width, uint64_t limit,
                   hw_meter *meter, uint32_t *order, bool *found, hw_error *err)
{
    beam b;
    *found = false;
    bool limited = limit < UINT64_MAX;
    if (p->n == 0 || (limited && (p->live_start >= limit || p->live_end >= limit)))
        return HW_OK;
    hw_code code = beam_init(&b, p, reverse, width, err);
    if (code != HW_OK)
        return code;
    b.n_now = 1;
    for (uint32_t level = 0; level < p->n && b.n_now; level++) {
        if (!list_moves(&b, limit)) {
            code = hw_fail_memory(err, "a beam");
            break;
        }
        take_best(&b);
        if (hw_meter_count(meter, b.n_now))
            b.n_now = 0;
    }
    if (code == HW_OK && b.n_now) {
        const uint32_t *trail = b.now[0].walk.trail;
        for (uint32_t i = 0; i < p->n; i++)
            order[i] = trail[reverse ? p->n - 1 - i : i];
        *found = true;
    }
    beam_free(&b);
    return code;
}
