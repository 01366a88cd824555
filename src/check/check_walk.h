/*
 * Prefixes of a graph for highwater-check, one node at a time: forwards from
 * the empty prefix (nodes run) or backwards from the full one (nodes are taken
 * off).  Nodes are numbered topologically; sets are bits.
 */
#ifndef HW_CHECK_WALK_H
#define HW_CHECK_WALK_H

#include "check/check_graph.h"

typedef struct walk {
    graph *g;
    bool free_first, reverse;
    uint32_t words;                         /* of a set                          */
    uint32_t open;                          /* storages that have not died       */
    uint64_t live;                          /* bytes                             */
    uint64_t *done, *ready, *falls, *frees; /* moved; may move next; would not
                                              raise live; gain above 0         */
} walk;

static inline bool has(const uint64_t *set, uint32_t v)
{
    return set[v / 64] >> (v % 64) & 1;
}

static inline void put(uint64_t *set, uint32_t v, bool in)
{
    uint64_t bit = UINT64_C(1) << (v % 64);
    set[v / 64] = in ? set[v / 64] | bit : set[v / 64] & ~bit;
}

/* (Re)start a walk, cleared at first; one a graph: it counts in nodes and storages. */
void walk_start(walk *w, graph *g, bool free_first, bool reverse);
/* Move node v, or move it back. */
void walk_flip(walk *w, uint32_t v);
/* live after the move, and the usage of the step that it stands for. */
uint64_t walk_after(const walk *w, uint32_t v);
uint64_t walk_usage_plain(const walk *w, uint32_t v); /* no in-place reuse */
uint64_t walk_usage(const walk *w, uint32_t v);
/* What the step reuses; ever: the most that it could. */
uint64_t walk_reuse(const walk *w, uint32_t v, bool ever);

/*
 * The least live over all prefixes from `top` less the n nodes inside up to
 * `top`: the walk stands at `top` where it goes forwards, and backwards before
 * it takes these nodes off.  A closure problem, solved by a maximum flow along
 * shortest paths (Edmonds and Karp).
 */
uint64_t walk_least_live(const walk *w, const uint32_t *inside, uint32_t n);

#endif
