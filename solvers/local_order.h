/*
 * An order in hand, measured step by step, of which any stretch may be
 * rearranged at a cost that depends on the stretch alone.
 *
 * live(S) depends on the set S, so what the steps outside of a stretch use does
 * not change when the nodes inside change places.  Of a buffer only the position
 * of its last user is kept: a step frees the buffers whose last user it is.  A
 * tree over the steps tells which uses most.
 */
#ifndef HW_SOLVERS_LOCAL_ORDER_H
#define HW_SOLVERS_LOCAL_ORDER_H

#include "solve/solver.h"

typedef struct local_order {
    const hw_model *m;
    uint32_t n;
    uint32_t *order;    /* the caller's, legal                               */
    uint32_t *position; /* of each node                                      */
    uint32_t *last;     /* of each buffer: the position of its last user     */
    uint64_t *live;     /* before each step, n + 1                           */
    uint64_t *usage;    /* of each step                                      */
    uint64_t *most;     /* tree of maxima of usage: root 1, leaves from `leaves` */
    uint32_t leaves;
} local_order;

/*
 * Measure a legal order of all nodes of m, n > 0; it stays the caller's and is
 * rearranged in place.  HW_NO_MEMORY; a struct that failed to open may be
 * closed.  O(nodes + uses).
 */
hw_code local_order_open(local_order *l, const hw_model *m, uint32_t *order, hw_error *err);
void local_order_close(local_order *l);

/* Measure again from an order[] that was rewritten as a whole. */
void local_order_renew(local_order *l);

/*
 * Measure the steps low .. high - 1 again after their nodes were rearranged
 * among themselves.  O(uses of these nodes + log n).
 */
void local_order_relay(local_order *l, uint32_t low, uint32_t high);

/* The peak of the order.  O(1). */
static inline uint64_t local_order_peak(const local_order *l)
{
    return l->most[1] > l->m->live_empty ? l->most[1] : l->m->live_empty;
}

/* The first step from `from` on that uses at least `bytes`; n: none.  O(log n). */
uint32_t local_order_find(const local_order *l, uint32_t from, uint64_t bytes);

/*
 * A step that uses at least `bytes`, which some step does: at each fork of the
 * tree both ways are equally likely, by the bits of `draw`.  O(log n).
 */
uint32_t local_order_draw(const local_order *l, uint64_t draw, uint64_t bytes);

#endif
