/*
 * Rules that spare the search for the least peak of a small graph (see
 * small_optimum.c) most of its prefixes, and their proofs.
 *
 * Twins are two nodes with the same parents, the same readers, equal workspace
 * and no in-place pair.  The smaller one may be asked to run first (the lower
 * number where the sizes are equal).  In an order that runs the larger one first
 * exchange the two.  No node between them reads either or is read by the smaller
 * one, and no tensor of which one is a reader dies between them, so between them
 * less is live by the difference of their sizes, or the same; the first of the
 * two steps has no greater usage than before and the second the same, under both
 * accountings.  Where the results of both are discarded, move the smaller one to
 * just before the larger instead: its step there needs no more than that of the
 * larger did, and it does not raise live.  So the smaller twin counts as one
 * more parent of the larger, an edge that carries no memory, and the other rules
 * hold in the graph with these edges.
 *
 * Nodes that run last, the mirror of the commit rule.  Let T be what is left to
 * run before a fixed end, v in T without a reader in T, live(T) > live(T - v),
 * and the step of v after T - v within the threshold.  If some order of T is
 * within the threshold, so is the one in which v is moved to its end: by
 * submodularity live(S) <= live(S + v) + live(T - v) - live(T) for every
 * down-set S + v of T, so that no other step has more live before it or after
 * it.  A step may no longer overwrite a tensor u because v is now its last
 * reader; but then u dies with v at the end of T and not after S, so v raises
 * live after S by more than the size of u, which the step now does without.  The
 * commit rule has never run v before, under this or a lower threshold: v then
 * does not raise live, and what it raises never grows with the prefix.
 *
 * The bound: the results are live at the end; when a node runs all its ancestors
 * have run and none of its descendants, so all that is made by the former for
 * it or for the latter is live, just before and, without what is for it alone,
 * just after.
 */
#include <string.h>

#include "small/small_internal.h"

/* The twin of v that comes right before it, or v itself. */
static uint32_t smaller_twin(const hw_small *s, uint32_t v)
{
    uint32_t twin = v;
    for (uint32_t u = 0; u < s->n; u++) {
        if (s->parents[u] != s->parents[v] || s->readers[u] != s->readers[v] ||
            s->copies[u] != s->copies[v] || s->workspace[u] != s->workspace[v] ||
            s->inplace[u] != HW_GENOME_NONE || s->size[u] > s->size[v] ||
            (u >= v && s->size[u] == s->size[v]))
            continue;
        if (twin == v || s->size[u] >= s->size[twin])
            twin = u;
    }
    return twin;
}

void hw_small_tie_twins(const hw_small *s, hw_small_ties *ties)
{
    memcpy(ties->parents, s->parents, sizeof ties->parents);
    memcpy(ties->readers, s->readers, sizeof ties->readers);
    for (uint32_t twins = s->twins; twins; twins &= twins - 1) {
        uint32_t v = hw_small_low(twins);
        if (s->inplace[v] != HW_GENOME_NONE)
            continue;
        uint32_t u = smaller_twin(s, v);
        if (u == v)
            continue;
        ties->parents[v] |= (uint16_t)(UINT32_C(1) << u);
        ties->readers[u] |= (uint16_t)(UINT32_C(1) << v);
    }
}

/* One node off the end of the goal, the last in number that can go. */
static bool trim_one(const hw_small *s, const hw_small_ties *ties, uint64_t threshold,
                     hw_small_goal *goal)
{
    for (uint32_t v = s->n; v-- > 0;) {
        uint32_t set = goal->set & ~(UINT32_C(1) << v);
        if (set == goal->set || (ties->readers[v] & set))
            continue;
        hw_small_step step = hw_small_try(s, set, 0, v);
        uint64_t live = goal->live - step.change;
        if ((int64_t)step.change <= 0 || live + step.usage > threshold)
            continue;
        goal->set = (uint16_t)set;
        goal->live = live;
        return true;
    }
    return false;
}

void hw_small_trim(const hw_small *s, const hw_small_ties *ties, uint64_t threshold,
                   hw_small_goal *goal)
{
    while (trim_one(s, ties, threshold, goal))
        ;
}

uint64_t hw_small_bound(const hw_small *s)
{
    uint64_t bound = s->live_full;
    for (uint32_t v = 0; v < s->n; v++) {
        uint64_t later = 0, read = 0; /* what ancestors made for descendants; of that, read by v */
        for (uint32_t before = s->before[v] & s->spread; before; before &= before - 1) {
            uint32_t u = hw_small_low(before), readers = s->readers[u] & s->after[v];
            uint64_t bytes = readers ? s->size[u] : 0;
            if (s->copies[u] > 1)
                bytes *= (uint32_t)__builtin_popcount(readers);
            later += bytes;
            read += s->held[v] >> u & 1 ? bytes : 0;
        }
        uint64_t live = s->input[v] + later - read, usage = s->extra[v];
        if (s->free_first)
            usage += later + s->change[v] + s->alone[v];
        else
            usage += live - (s->overlay[v] ? s->saving[v] : 0);
        bound = live > bound ? live : bound;
        bound = usage > bound ? usage : bound;
    }
    return bound;
}
