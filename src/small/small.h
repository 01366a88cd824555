/*
 * Small graphs, fast: a model in bit masks, and what the adversary and the
 * census ask of it hundreds of thousands of times a second.
 *
 * Everything here has a second route: hw_model, hw_peak(), the solvers greedy
 * and dp, against which the tests hold it.  No memory is allocated; a hw_small
 * is about 40 KiB and belongs to the caller.
 *
 * A tensor with one reader dies with that reader in every order, so it is part
 * of that node's fixed change; only tensors with several readers have to be
 * looked at.  With `held` = the parents of v whose one tensor several nodes read:
 *
 *   freed(v | S)   = sum of size[u], u in held[v], all other readers of u in S
 *   live(S + v)    = live(S) + change[v] - freed(v | S)
 *   usage(S, v)    = live(S) + extra[v] - saving[v] if overlay[v] is freed    alloc-first
 *                  = live(S + v) + extra[v]                                   free-first
 *
 * Changes are wrapped numbers: below HW_SMALL_BYTES_MOST they fit an int64_t
 * with room for the ties of greedy.
 */
#ifndef HW_SMALL_SMALL_H
#define HW_SMALL_SMALL_H

#include "small/genome.h"
#include "model/model.h"

enum { HW_SMALL_MOST = 16, HW_SMALL_KEPT = 1024 };
#define HW_SMALL_BYTES_MOST ((UINT64_C(1) << 54) - 1)

/* A prefix from which steps were refused as too costly. */
typedef struct hw_small_prefix {
    uint16_t set, ready;
    uint16_t ripe; /* held tensors of which one reader was left */
    uint16_t left; /* the ready nodes that were refused        */
    uint64_t live;
    uint64_t refused; /* the least usage of their steps           */
} hw_small_prefix;

typedef struct hw_small {
    uint32_t n;
    bool free_first, discard;
    uint16_t all, sources; /* all nodes; those that read nothing  */
    uint16_t spread;       /* with several readers                */
    uint16_t twins;        /* another node has the same parents and readers */
    uint16_t parents[HW_SMALL_MOST], readers[HW_SMALL_MOST];
    uint16_t before[HW_SMALL_MOST], after[HW_SMALL_MOST]; /* ancestors, descendants */
    uint16_t held[HW_SMALL_MOST];    /* parents whose tensor others read too     */
    uint16_t overlay[HW_SMALL_MOST]; /* the held parent that v may overwrite, or 0 */
    uint8_t copies[HW_SMALL_MOST];   /* tensors that the node makes              */
    uint8_t path[HW_SMALL_MOST];     /* longest path from the node, in nodes     */
    uint8_t inplace[HW_SMALL_MOST];  /* as in the genome */

    uint64_t size[HW_SMALL_MOST], workspace[HW_SMALL_MOST];
    uint64_t input[HW_SMALL_MOST]; /* what the node reads; */
    uint64_t alone[HW_SMALL_MOST]; /* of that, what it alone reads */
    uint64_t change[HW_SMALL_MOST];
    uint64_t extra[HW_SMALL_MOST];
    uint64_t saving[HW_SMALL_MOST]; /* of overlay */
    uint64_t live_full;             /* live after the last step */

    /* Room of hw_small_optimum(). */
    uint64_t seen[(1 << HW_SMALL_MOST) / 64]; /* prefixes met, one bit each */
    hw_small_prefix kept[HW_SMALL_KEPT];      /* a heap: the least refused first */
} hw_small;

/* At most HW_SMALL_MOST nodes, and all tensors and workspaces together at most
 * HW_SMALL_BYTES_MOST?  What follows asks for both.  O(n^2). */
bool hw_small_fits(const hw_genome *g);

/* The model of g under an accounting.  O(n + edges). */
void hw_small_set(hw_small *s, const hw_genome *g, hw_accounting accounting);

/* The same graph with sizes[0 .. n), bytes; workspaces stay.  O(n + edges), without the masks. */
void hw_small_resize(hw_small *s, const uint64_t *sizes);

/* Peak of a legal order of n nodes.  O(n + edges). */
uint64_t hw_small_peak(const hw_small *s, const uint8_t *order);

/*
 * The order of the solver `greedy`, the same to the node, and its peak.  order
 * has room for n nodes or is NULL.  O(n * ready nodes + edges).
 */
uint64_t hw_small_greedy(const hw_small *s, uint8_t *order);

/*
 * The least peak of all orders.  O(n * down-sets) and most often far less; the
 * rules and their proofs: see small_optimum.c.
 */
uint64_t hw_small_optimum(hw_small *s);

/* The same where the peak of some order is known: found sooner, most of all where that is the
 * least. */
uint64_t hw_small_optimum_below(hw_small *s, uint64_t known);

/*
 * The greatest peak of all orders: the greatest usage of any step from any
 * prefix, since every order may begin with any prefix.  O(n * down-sets).
 */
uint64_t hw_small_worst(const hw_small *s);

#endif
