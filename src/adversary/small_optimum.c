/*
 * The least peak of a small graph: a search over prefixes under a threshold
 * that rises.
 *
 * Invariant: no order has a peak below the threshold.  A search from the empty
 * prefix takes only steps whose usage is within it and meets each prefix once;
 * a prefix with a step that was refused is kept with the least usage refused.
 * Reaching the set of all nodes proves the threshold to be the optimum.  If
 * nothing is left, every order has a refused step, so the least usage refused
 * is the next threshold; the search goes on from the prefixes kept.
 *
 * Commit rule (MODEL section 5, one node): where a ready node's step is within
 * the threshold and does not raise live, running it first loses nothing under
 * this threshold or any greater one.  So the prefix need not be kept and its
 * other steps need not be tried, now or later.
 *
 * The kept prefixes have limited room.  When it was used up, the search at the
 * next threshold starts again from the empty prefix: slower, and as exact.
 */
#include <string.h>

#include "adversary/small_internal.h"

typedef struct arrival {
    uint16_t set, ready; /* ready: before `node` ran */
    uint16_t node;       /* the last of the set      */
    uint64_t live;
} arrival;

typedef struct search {
    hw_small *s;
    uint64_t threshold, next; /* next: the least usage refused that was not kept */
    uint32_t kept, height;
    arrival *stack; /* HW_SMALL_MOST^2: siblings along one path */
} search;

static bool first_visit(hw_small *s, uint32_t set)
{
    uint64_t *word = &s->seen[set / 64], bit = UINT64_C(1) << set % 64;
    bool fresh = !(*word & bit);
    *word |= bit;
    return fresh;
}

static void keep(search *q, const hw_small_prefix *p, uint64_t refused)
{
    if (q->kept == HW_SMALL_KEPT) {
        q->next = refused < q->next ? refused : q->next;
        return;
    }
    q->s->kept[q->kept] = *p;
    q->s->kept[q->kept++].refused = refused;
}

/* Put the steps from p on the stack, the one that leaves the least live on top. */
static void expand(search *q, const hw_small_prefix *p)
{
    const hw_small *s = q->s;
    uint64_t refused = UINT64_MAX, least = UINT64_MAX;
    uint32_t bottom = q->height, best = bottom;
    for (uint32_t ready = p->ready; ready; ready &= ready - 1) {
        uint32_t v = hw_small_low(ready);
        hw_small_step step = hw_small_try(s, p->set, p->live, v);
        if (step.usage > q->threshold) {
            refused = step.usage < refused ? step.usage : refused;
            continue;
        }
        arrival to = {(uint16_t)(p->set | UINT32_C(1) << v), p->ready, (uint16_t)v,
                      p->live + step.change};
        if ((int64_t)step.change <= 0) { /* commit */
            q->stack[bottom] = to;
            q->height = bottom + 1;
            return;
        }
        best = to.live < least ? q->height : best;
        least = to.live < least ? to.live : least;
        q->stack[q->height++] = to;
    }
    if (refused != UINT64_MAX)
        keep(q, p, refused);
    if (q->height > bottom) {
        arrival swap = q->stack[best];
        q->stack[best] = q->stack[q->height - 1];
        q->stack[q->height - 1] = swap;
    }
}

/* Go on until the stack is empty; true: all nodes have run. */
static bool dive(search *q)
{
    hw_small *s = q->s;
    while (q->height) {
        arrival a = q->stack[--q->height];
        if (!first_visit(s, a.set))
            continue;
        if (a.set == s->all)
            return true;
        hw_small_prefix p = {.set = a.set, .live = a.live};
        p.ready = (uint16_t)hw_small_ready(s, a.set, a.ready, a.node);
        expand(q, &p);
    }
    return false;
}

static bool start(search *q)
{
    hw_small *s = q->s;
    const hw_small_prefix empty = {.ready = s->sources};
    memset(s->seen, 0, ((UINT32_C(1) << s->n) + 63) / 64 * sizeof s->seen[0]);
    q->kept = q->height = 0;
    q->next = UINT64_MAX;
    expand(q, &empty);
    return dive(q);
}

/* Raise the threshold to the least usage refused and go on from where that was. */
static bool raise_threshold(search *q)
{
    hw_small *s = q->s;
    uint64_t next = q->next;
    for (uint32_t i = 0; i < q->kept; i++)
        next = s->kept[i].refused < next ? s->kept[i].refused : next;
    q->threshold = next;
    if (q->next != UINT64_MAX)
        return start(q);
    for (uint32_t i = 0; i < q->kept;) {
        hw_small_prefix p = s->kept[i];
        if (p.refused > next) {
            i++;
            continue;
        }
        s->kept[i] = s->kept[--q->kept];
        expand(q, &p);
        if (dive(q))
            return true;
    }
    return false;
}

/* What every order needs: a node beside its inputs, its outputs, and the results at the end. */
static uint64_t lower_bound(const hw_small *s)
{
    uint64_t bound = s->live_full;
    for (uint32_t v = 0; v < s->n; v++) {
        uint64_t usage = s->extra[v];
        if (s->free_first) {
            usage = s->size[v] * s->copies[v] + s->workspace[v];
        } else {
            for (uint32_t parents = s->parents[v]; parents; parents &= parents - 1)
                usage += s->size[hw_small_low(parents)];
            usage -= s->overlay[v] ? s->saving[v] : 0;
        }
        bound = usage > bound ? usage : bound;
    }
    return bound;
}

uint64_t hw_small_optimum(hw_small *s)
{
    arrival stack[HW_SMALL_MOST * HW_SMALL_MOST];
    search q = {.s = s, .threshold = lower_bound(s), .stack = stack};
    bool found = start(&q);
    while (!found)
        found = raise_threshold(&q);
    return q.threshold;
}
