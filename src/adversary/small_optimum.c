/*
 * The least peak of a small graph: a search over prefixes under a threshold
 * that rises.
 *
 * Invariant: no order has a peak below the threshold.  A search from the empty
 * prefix takes only steps whose usage is within it and meets each prefix once;
 * a prefix with a step that was refused is kept with the least usage refused.
 * Reaching the set of all nodes proves the threshold to be the optimum.  If
 * nothing is left, every order has a refused step, so the least usage refused
 * is the next threshold; the search goes on from the prefixes kept.  It ends
 * where the threshold reaches the peak of an order that is known.
 *
 * Commit rule (MODEL section 5, one node): where a ready node's step is within
 * the threshold and does not raise live, running it first loses nothing under
 * this threshold or any greater one.  So the prefix need not be kept and its
 * other steps need not be tried, now or later.
 *
 * Twins: two nodes with the same parents, the same readers, equal workspace, no
 * in-place pair, and results that are not discarded.  The smaller one may be
 * asked to run first (the lower number where the sizes are equal): in an order
 * that runs the larger one first, exchange the two.  No node between them reads
 * either or is read by the smaller one, and no tensor dies between them of which
 * one is a reader, so between them less is live by the difference of their
 * sizes, or the same; the first of the two steps has no greater usage than
 * before and the second the same, under both accountings.  So the smaller twin
 * counts as one more parent of the larger, an edge that carries no memory, under
 * which all of the above holds as well.
 *
 * The kept prefixes have limited room.  When it was used up, the search at the
 * next threshold starts again from the empty prefix: slower, and as exact.
 */
#include <string.h>

#include "adversary/small_internal.h"

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
    uint16_t parents[HW_SMALL_MOST], readers[HW_SMALL_MOST]; /* with those of twins */
} search;

/* The twin of v that comes right before it, or v itself. */
static uint32_t smaller_twin(const hw_small *s, uint32_t v)
{
    uint32_t twin = v;
    for (uint32_t u = 0; u < s->n; u++) {
        if (s->parents[u] != s->parents[v] || s->readers[u] != s->readers[v] ||
            s->copies[u] != s->copies[v] || s->workspace[u] != s->workspace[v] ||
            s->inplace[u] != HW_GENOME_NONE || s->size[u] > s->size[v] ||
            (s->size[u] == s->size[v] && u >= v))
            continue;
        if (twin == v || s->size[u] >= s->size[twin])
            twin = u;
    }
    return twin;
}

static void order_twins(search *q)
{
    const hw_small *s = q->s;
    memcpy(q->parents, s->parents, sizeof q->parents);
    memcpy(q->readers, s->readers, sizeof q->readers);
    for (uint32_t v = 0; v < s->n; v++) {
        if (s->inplace[v] != HW_GENOME_NONE || (s->discard && s->readers[v] == 0))
            continue;
        uint32_t u = smaller_twin(s, v);
        if (u == v)
            continue;
        q->parents[v] |= (uint16_t)(UINT32_C(1) << u);
        q->readers[u] |= (uint16_t)(UINT32_C(1) << v);
    }
}

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
    for (uint32_t left = p->left; left; left &= left - 1) {
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
    uint32_t v = a->node, ripe = a->ripe & ~(uint32_t)s->held[v];
    hw_small_prefix p = {.set = a->set, .live = a->live};
    for (uint32_t held = s->held[v]; held; held &= held - 1) {
        uint32_t u = hw_small_low(held), readers = s->readers[u] & ~(uint32_t)a->set;
        ripe |= (uint32_t)(readers && (readers & (readers - 1)) == 0) << u;
    }
    p.ripe = (uint16_t)ripe;
    p.ready = p.left = (uint16_t)hw_small_ready(q->parents, q->readers, a->set, a->ready, v);
    return p;
}

/* Go on until the stack is empty; true: all nodes have run. */
static bool dive(search *q)
{
    while (q->height) {
        arrival a = q->stack[--q->height];
        if (!first_visit(q->s, a.set))
            continue;
        if (a.set == q->s->all)
            return true;
        hw_small_prefix p = land(q, &a);
        expand(q, &p);
    }
    return false;
}

static bool start(search *q)
{
    hw_small *s = q->s;
    hw_small_prefix empty = {.live = 0};
    for (uint32_t v = 0; v < s->n; v++)
        empty.ready |= (uint16_t)((uint32_t)(q->parents[v] == 0) << v);
    empty.left = empty.ready;
    memset(s->seen, 0, ((UINT32_C(1) << s->n) + 63) / 64 * sizeof s->seen[0]);
    q->kept = q->height = 0;
    q->next = UINT64_MAX;
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
    while (q->kept && q->s->kept[0].refused <= q->threshold) {
        hw_small_prefix p = take(q);
        expand(q, &p);
        if (dive(q))
            return true;
    }
    return false;
}

/* Bytes of u that are live for sure once u has run and none of `later` has. */
static uint64_t sure(const hw_small *s, uint32_t u, uint32_t later)
{
    uint32_t readers = s->readers[u] & later;
    if (s->copies[u] > 1)
        return s->size[u] * (uint32_t)__builtin_popcount(readers);
    return readers ? s->size[u] : 0;
}

/*
 * What every order needs: the results at the end, and around the step of each
 * node what its ancestors, which have run, make for it and for its descendants,
 * which have not.
 */
static uint64_t lower_bound(const hw_small *s)
{
    uint64_t bound = s->live_full;
    for (uint32_t v = 0; v < s->n; v++) {
        uint32_t after = s->after[v], from = after | UINT32_C(1) << v;
        uint64_t live = 0, kept = 0;
        for (uint32_t before = s->before[v]; before; before &= before - 1) {
            uint32_t u = hw_small_low(before);
            live += sure(s, u, from);
            if (s->free_first)
                kept += sure(s, u, after);
        }
        uint64_t usage = live + s->extra[v] - (s->overlay[v] ? s->saving[v] : 0);
        if (s->free_first) {
            usage = kept + s->size[v] * s->copies[v] + s->workspace[v];
            usage = live > usage ? live : usage;
        }
        bound = usage > bound ? usage : bound;
    }
    return bound;
}

uint64_t hw_small_optimum_below(hw_small *s, uint64_t known)
{
    arrival stack[HW_SMALL_MOST * HW_SMALL_MOST];
    search q = {.s = s, .known = known, .threshold = lower_bound(s), .stack = stack};
    if (q.threshold >= known)
        return known;
    order_twins(&q);
    bool found = start(&q);
    while (!found && q.threshold < known)
        found = raise_threshold(&q);
    return q.threshold < known ? q.threshold : known;
}

uint64_t hw_small_optimum(hw_small *s)
{
    return hw_small_optimum_below(s, UINT64_MAX);
}
