/*
 * The least peak of a small graph: a search over prefixes under a threshold
 * that rises.
 *
 * Invariant: no order has a peak below the threshold.  A search from the empty
 * prefix takes only steps whose usage is within it and meets each prefix once;
 * a prefix with a step that was refused is kept with the least usage refused.
 * Reaching the goal, the set of all nodes but those that run last for sure,
 * proves the threshold to be the optimum.  If
 * nothing is left, every order has a refused step, so the least usage refused
 * is the next threshold; the search goes on from the prefixes kept.  It ends
 * where the threshold reaches the peak of an order that is known.
 *
 * Commit rule (solvers/exact_valley.h, one node): where a ready node's step is within
 * the threshold and does not raise live, running it first loses nothing under
 * this threshold or any greater one.  So the prefix need not be kept and its
 * other steps need not be tried, now or later.
 *
 * What stands in small_rules.c takes further steps off: some nodes run last
 * under the threshold, some twins run in one order only, and the first threshold
 * comes from what every order needs.
 *
 * The kept prefixes have limited room.  When it was used up, the search at the
 * next threshold starts again from the empty prefix: slower, and as exact.
 */
#include <string.h>

#include "small/small_internal.h"

typedef struct arrival {
    uint16_t set, node;   /* node: the last of the set */
    uint16_t ready, ripe; /* before it ran             */
    uint64_t live;
} arrival;

typedef struct search {
    hw_small *s;
    uint64_t known;           /* no order worse than this matters               */
    uint64_t threshold, next; /* next: the least usage refused that was not kept */
    uint32_t kept, height;
    arrival *stack; /* HW_SMALL_MOST^2: siblings along one path */
    hw_small_ties ties;
    hw_small_goal goal;
} search;

static bool first_visit(hw_small *s, uint32_t set)
{
    uint64_t *word = &s->seen[set / 64], bit = UINT64_C(1) << set % 64;
    bool fresh = !(*word & bit);
    *word |= bit;
    return fresh;
}

/* Keep p, unless there is no room. */
static void keep(search *q, const hw_small_prefix *p)
{
    hw_small_prefix *heap = q->s->kept;
    if (q->kept == HW_SMALL_KEPT) {
        q->next = p->refused < q->next ? p->refused : q->next;
        return;
    }
    uint32_t at = q->kept++;
    for (; at && p->refused < heap[(at - 1) / 2].refused; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = *p;
}

/* The kept prefix with the least refused usage. */
static hw_small_prefix take(search *q)
{
    hw_small_prefix *heap = q->s->kept, first = heap[0], last = heap[--q->kept];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < q->kept; at = child) {
        child += child + 1 < q->kept && heap[child + 1].refused < heap[child].refused;
        if (last.refused <= heap[child].refused)
            break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return first;
}

/* Running v from p.  The same as hw_small_try(), with what is ripe known. */
static hw_small_step step_from(const hw_small *s, const hw_small_prefix *p, uint32_t v)
{
    hw_small_step step = {s->change[v], p->live + s->extra[v]};
    uint32_t dies = s->held[v] & p->ripe;
    if (dies) {
        if (dies & s->overlay[v])
            step.usage -= s->saving[v];
        for (; dies; dies &= dies - 1)
            step.change -= s->size[hw_small_low(dies)];
    }
    step.usage += s->free_first ? step.change : 0;
    return step;
}

/* Put the steps of p->left on the stack, the one that leaves the least live on top. */
static void expand(search *q, hw_small_prefix *p)
{
    const hw_small *s = q->s;
    uint64_t least = UINT64_MAX;
    uint32_t bottom = q->height, best = bottom, refused = 0;
    p->refused = UINT64_MAX;
    for (uint32_t left = p->left & q->goal.set; left; left &= left - 1) {
        uint32_t v = hw_small_low(left);
        hw_small_step step = step_from(s, p, v);
        if (step.usage > q->threshold) {
            p->refused = step.usage < p->refused ? step.usage : p->refused;
            refused |= UINT32_C(1) << v;
            continue;
        }
        arrival to = {(uint16_t)(p->set | UINT32_C(1) << v), (uint16_t)v, p->ready, p->ripe,
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
    if (refused && p->refused < q->known) {
        p->left = (uint16_t)refused;
        keep(q, p);
    }
    if (q->height > bottom) {
        arrival swap = q->stack[best];
        q->stack[best] = q->stack[q->height - 1];
        q->stack[q->height - 1] = swap;
    }
}

/* The prefix that was arrived at, with all its steps left. */
static hw_small_prefix land(const search *q, const arrival *a)
{
    const hw_small *s = q->s;
    uint32_t v = a->node, ripe = a->ripe;
    hw_small_prefix p = {.set = a->set, .live = a->live};
    for (uint32_t held = s->held[v]; held; held &= held - 1) {
        uint32_t u = hw_small_low(held), readers = s->readers[u] & ~(uint32_t)a->set;
        ripe |= (uint32_t)(readers && (readers & (readers - 1)) == 0) << u;
    }
    p.ripe = (uint16_t)ripe;
    p.ready = p.left =
        (uint16_t)hw_small_ready(q->ties.parents, q->ties.readers, a->set, a->ready, v);
    return p;
}

/* Go on until the stack is empty; true: the goal was met. */
static bool dive(search *q)
{
    while (q->height) {
        arrival a = q->stack[--q->height];
        if (!first_visit(q->s, a.set))
            continue;
        if (a.set == q->goal.set)
            return true;
        hw_small_prefix p = land(q, &a);
        expand(q, &p);
    }
    return false;
}

static bool met(const hw_small *s, uint32_t set)
{
    return s->seen[set / 64] >> set % 64 & 1;
}

static bool start(search *q)
{
    hw_small *s = q->s;
    hw_small_prefix empty = {.live = 0};
    memset(s->seen, 0, ((UINT32_C(1) << s->n) + 63) / 64 * sizeof s->seen[0]);
    s->seen[0] = 1;
    q->kept = q->height = 0;
    q->next = UINT64_MAX;
    hw_small_trim(s, &q->ties, q->threshold, &q->goal);
    if (met(s, q->goal.set))
        return true;
    for (uint32_t v = 0; v < s->n; v++)
        empty.ready |= (uint16_t)((uint32_t)(q->ties.parents[v] == 0) << v);
    empty.left = empty.ready;
    expand(q, &empty);
    return dive(q);
}

/* Raise the threshold to the least usage refused and go on from where that was. */
static bool raise_threshold(search *q)
{
    bool all_kept = q->next == UINT64_MAX;
    q->threshold = q->kept && q->s->kept[0].refused < q->next ? q->s->kept[0].refused : q->next;
    if (q->threshold >= q->known)
        return false;
    if (!all_kept)
        return start(q);
    hw_small_trim(q->s, &q->ties, q->threshold, &q->goal);
    if (met(q->s, q->goal.set))
        return true;
    while (q->kept && q->s->kept[0].refused <= q->threshold) {
        hw_small_prefix p = take(q);
        if (p.set & ~(uint32_t)q->goal.set)
            continue;
        expand(q, &p);
        if (dive(q))
            return true;
    }
    return false;
}

uint64_t hw_small_optimum_below(hw_small *s, uint64_t known)
{
    arrival stack[HW_SMALL_MOST * HW_SMALL_MOST];
    search q = {.s = s, .known = known, .threshold = hw_small_bound(s), .stack = stack};
    if (q.threshold >= known)
        return known;
    hw_small_tie_twins(s, &q.ties);
    q.goal = (hw_small_goal){s->all, s->live_full};
    bool found = start(&q);
    while (!found && q.threshold < known)
        found = raise_threshold(&q);
    return q.threshold < known ? q.threshold : known;
}

uint64_t hw_small_optimum(hw_small *s)
{
    return hw_small_optimum_below(s, UINT64_MAX);
}
