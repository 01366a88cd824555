/* Prefixes of a graph, one node in or out at a time, for highwater-check. */
#ifndef HW_CHECK_WALK_H
#define HW_CHECK_WALK_H

#include "check/check_graph.h"

/*
 * gain of a node outside the prefix: bytes of the storages whose last user it
 * would be; inside: bytes of the storages that it uses and all of whose users
 * have run, that is what would come alive again without it.
 */
typedef struct walk {
    const graph *g;
    bool free_first;
    bool *in;          /* the prefix                            */
    uint32_t *missing; /* predecessors not in it, with repeats  */
    uint32_t *above;   /* successors in it, with repeats        */
    uint32_t *left;    /* users of a storage not in it          */
    uint64_t *gain;
    uint64_t live;
    uint32_t count;
} walk;

walk walk_new(const graph *g, bool free_first); /* at the empty prefix */
void walk_add(walk *w, uint32_t v);
void walk_remove(walk *w, uint32_t v);
/* live after running v next; its usage, with and without in-place reuse. */
uint64_t walk_after(const walk *w, uint32_t v);
uint64_t walk_usage_plain(const walk *w, uint32_t v);
uint64_t walk_usage(const walk *w, uint32_t v);
/* Can consumption free the storage? */
bool walk_frees(const storage *s);
/* The most that v can ever reuse. */
uint64_t walk_most_reuse(const walk *w, uint32_t v);

/*
 * The least live over all prefixes that hold every node with side 1 and none
 * with side 2; side 1 must be closed downwards and side 2 upwards.  A closure
 * problem, solved by a maximum flow along shortest paths (Edmonds and Karp).
 */
uint64_t walk_least_live(const graph *g, const uint8_t *side);

#endif
