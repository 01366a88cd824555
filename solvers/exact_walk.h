/*
 * Walking through the prefixes of a piece, forwards from P or backwards from
 * Q, one node a move, every move with an undo.
 *
 * Forwards the set `done` is what has run (S \ P); backwards it is what has
 * been taken off (Q \ R).  `gain` is what the move v would free: forwards the
 * buffers whose last user v would be; backwards the buffers of which v, taken
 * off, becomes the first missing user, that is freed(v | R - v).  So
 *
 *   forwards   live' = live + new - dead - gain    backwards  live - new + dead + gain
 *   usage      alloc-first: live + new + ws - reuse           live + dead + gain + ws - reuse
 *              free-first:  live + new + ws - gain            live + dead + ws
 *
 * A move costs O(uses + successors) forwards; backwards the first move that
 * touches a buffer also costs its number of users.
 */
#ifndef HW_SOLVERS_EXACT_WALK_H
#define HW_SOLVERS_EXACT_WALK_H

#include "solvers/exact_problem.h"

typedef struct exact_walk {
    const exact_problem *p;
    bool reverse;
    uint64_t live;
    uint32_t count;    /* moves made                         */
    uint32_t open;     /* buffers that are still to be freed */
    uint32_t *trail;   /* the moves made, in order          */
    uint64_t *gain;    /* of nodes that are not done        */
    uint32_t *waiting; /* predecessors (backwards: successors) not done */
    uint32_t *left;    /* users of a buffer not done        */
    uint32_t *last;    /* XOR of these users                */
    /* Sets. */
    uint64_t *done, *ready;
    uint64_t *falls; /* live would not rise: live' <= live */
    uint64_t *frees; /* gain > 0                           */
} exact_walk;

hw_code exact_walk_init(exact_walk *w, const exact_problem *p, bool reverse, hw_error *err);
void exact_walk_free(exact_walk *w);

void exact_walk_do(exact_walk *w, uint32_t v);
uint32_t exact_walk_undo(exact_walk *w); /* returns the node of the last move */

/* Usage of the forward step that the move v stands for. */
uint64_t exact_walk_usage(const exact_walk *w, uint32_t v);

/* The bytes that the step saves in place; the piece has in-place pairs. */
uint64_t exact_walk_reuse(const exact_walk *w, uint32_t v);

/* The same without any in-place reuse. */
static inline uint64_t exact_walk_usage_plain(const exact_walk *w, uint32_t v)
{
    const exact_problem *p = w->p;
    uint64_t usage = w->live + p->workspace[v] + (w->reverse ? p->dead_bytes[v] : p->new_bytes[v]);
    if (p->free_first)
        return w->reverse ? usage : usage - w->gain[v];
    return w->reverse ? usage + w->gain[v] : usage;
}

/* live after the move. */
static inline uint64_t exact_walk_after(const exact_walk *w, uint32_t v)
{
    uint64_t net = w->p->new_bytes[v] - w->p->dead_bytes[v] - w->gain[v];
    return w->reverse ? w->live - net : w->live + net;
}

/* The position of the move in the whole order. */
static inline uint32_t exact_walk_step(const exact_walk *w)
{
    return w->p->first_step + (w->reverse ? w->p->n - 1 - w->count : w->count);
}

#endif
