/*
 * What an order holds at its peak, and what could be done about each.
 *
 * Dropping a storage (gaps.h) is what every cure comes to; the cures differ in
 * what they cost.  Spilling moves it to another memory and back: twice its
 * bytes, or once for an input that was not used yet.  Recomputing runs its
 * maker again right before it is wanted, whose inputs are either kept that long
 * or made again too: chains.
 */
#ifndef HW_ADVISE_HELD_H
#define HW_ADVISE_HELD_H

#include <signal.h>

#include "advise/again.h"
#include "advise/gaps.h"

typedef enum hw_held_state {
    HW_HELD_IDLE = 0, /* nobody uses it in the step: it can be dropped   */
    HW_HELD_USED,     /* the step reads it: free-first may drop it then   */
    HW_HELD_MADE,     /* the step makes it                               */
    HW_HELD_PINNED    /* an input that the caller keeps (--pin-inputs)   */
} hw_held_state;

typedef enum hw_chain_state {
    HW_CHAIN_UNKNOWN = 0, /* not looked for                                                */
    HW_CHAIN_FOUND,
    HW_CHAIN_GIVEN,  /* an input: nothing makes it                                          */
    HW_CHAIN_FIXED,  /* its maker may not run again (again.h)                               */
    HW_CHAIN_ILLEGAL /* locks, windows or must-in-place inputs do not let it run there     */
} hw_chain_state;

/* Nodes that run again, in the same order otherwise. */
typedef struct hw_chain {
    hw_chain_state state;
    uint32_t n_nodes; /* that run again: indices of the graph, in the order of */
    uint32_t *node;   /* running; the maker is the last                        */
    uint64_t bytes;   /* that they read and write */
    uint64_t peak;    /* of the order with them; may exceed that without */
} hw_chain;

typedef struct hw_held {
    const hw_lifetime *life;
    hw_held_state state;
    const hw_gap *gap; /* HW_HELD_IDLE; else NULL */
    uint64_t dropped;  /* the peak that dropping it leaves; that of the order where it cannot be */
    uint64_t moved_bytes; /* by spilling it */
    hw_chain chain;
} hw_held;

/*
 * The storages in memory at the first step of the peak, those first whose drop
 * leaves the least; then what moves the least bytes, then by tensor.  *held is
 * released by hw_held_free().  HW_NO_MEMORY.  O(storages log storages).
 */
hw_code hw_held_find(const hw_gaps *gaps, hw_held **held, size_t *n, hw_error *err);
void hw_held_free(hw_held *held, size_t n);

/*
 * The cheapest recomputation of held, whose order is that of `first`, a copy of
 * the log's graph and order: the chain of the least peak, and of those of the
 * fewest nodes.  Tried are: the maker alone, its inputs kept as long; then,
 * level by level, those inputs that are gone by then made again too, at most
 * HW_CHAIN_MOST nodes.  Ends early, with what it has, when the stop flag is set
 * (NULL: never) or hw_wall_seconds() passes end_seconds (0: never).  HW_NO_MEMORY, HW_INTERNAL.
 */
enum { HW_CHAIN_MOST = 16 };
hw_code hw_chain_find(const hw_gaps *gaps, const hw_again *first, const hw_operators *operators,
                      const volatile sig_atomic_t *stop, double end_seconds, hw_held *held,
                      hw_error *err);

#endif
