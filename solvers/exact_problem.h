/*
 * A piece of a model to be ordered: the nodes between two prefixes P and Q.
 *
 * Every order that passes through P and Q splits there, and what happens in
 * between depends on the nodes of Q \ P alone: buffers that a node outside Q
 * still wants never die in the piece, and the users in P have run.  The whole
 * graph is the piece between the empty and the full prefix; a block between
 * two cut nodes and a window of an order are pieces as well.
 *
 * Nodes and buffers are numbered anew; node numbers are topological.  Sets of
 * nodes are bit sets of `words` 64-bit words.
 */
#ifndef HW_SOLVERS_EXACT_PROBLEM_H
#define HW_SOLVERS_EXACT_PROBLEM_H

#include "model/matching.h"
#include "solve/solver.h"
#include "model/model.h"

typedef struct exact_problem {
    uint32_t n, n_buffers;
    uint32_t words; /* of a set of nodes, at least 1 */
    bool free_first;
    const hw_meter *meter;         /* see exact_map; NULL: none */
    uint32_t first_step;           /* |P|                */
    uint64_t live_start, live_end; /* live(P) and live(Q) */

    /* Nodes. */
    uint32_t *node;                               /* node of the model */
    uint64_t *new_bytes, *dead_bytes, *workspace; /* never NULL        */
    hw_rows preds, succs;
    hw_rows uses;                 /* buffers that may die in the piece */
    uint32_t *earliest, *latest;  /* positions in the whole order; NULL: free */
    uint32_t *reuse_offset;       /* n + 1; NULL: no in-place pair     */
    hw_weighted_pair *reuse_pair; /* buffer, output tensor, saving    */

    /* Buffers. */
    uint64_t *size;
    hw_rows users;       /* nodes of the piece, ascending */
    uint64_t *top_bytes; /* the most that a user which may be its last one makes */

    /* Sets: row i begins at word i * words. */
    uint64_t *above;   /* of a node: itself and its ancestors               */
    uint64_t *closure; /* of a buffer: its users and all their ancestors    */
    uint64_t *tops;    /* of a buffer: its users that may be the last one   */
    uint64_t *impure;  /* one set: nodes that always count as not pure (R3) */
    uint8_t *last_ok;  /* by item of `uses`: the node may be the buffer's last user */
} exact_problem;

/* Work space to number nodes and buffers anew, for pieces of one model. */
typedef struct exact_map {
    uint32_t *node, *buffer; /* HW_NONE outside a call */
    const hw_meter *meter;   /* ends work on large pieces early; NULL: nothing does */

    /* Where each node stands in the order, kept by the caller, so that a piece
     * costs no more for a longer order; NULL: it is found anew for each piece. */
    const uint32_t *position;
} exact_map;

hw_code exact_map_init(exact_map *map, const hw_model *m, hw_error *err);
void exact_map_free(exact_map *map);

/*
 * The piece between the first `low` and the first `high` nodes of a legal
 * order.  live_start is live of the first `low` nodes.  HW_NO_MEMORY: sets of
 * a piece of n nodes and b buffers take (n + 2 b) n / 8 bytes; at most
 * memory_bytes of them are asked for (0: any).  Also when the map's meter ends
 * it: to lay the sets of 10^5 nodes takes seconds.
 * O((n + edges) n / 64), and the nodes of the order unless the map has positions.
 */
hw_code exact_problem_new(const hw_model *m, const uint32_t *order, uint32_t low, uint32_t high,
                          uint64_t live_start, uint64_t memory_bytes, exact_map *map,
                          exact_problem **out, hw_error *err);
void exact_problem_free(exact_problem *p);

/*
 * Lay what follows from the rest: users and all sets, of a piece that has its
 * figures, preds, uses and in-place pairs.  False: out of memory.
 */
bool exact_problem_lay(exact_problem *p);

static inline bool exact_has(const uint64_t *set, uint32_t v)
{
    return set[v >> 6] >> (v & 63) & 1;
}

static inline void exact_add(uint64_t *set, uint32_t v)
{
    set[v >> 6] |= UINT64_C(1) << (v & 63);
}

static inline void exact_drop(uint64_t *set, uint32_t v)
{
    set[v >> 6] &= ~(UINT64_C(1) << (v & 63));
}

static inline const uint64_t *exact_above(const exact_problem *p, uint32_t v)
{
    return p->above + (size_t)v * p->words;
}

static inline const uint64_t *exact_tops(const exact_problem *p, uint32_t b)
{
    return p->tops + (size_t)b * p->words;
}

static inline const uint64_t *exact_closure(const exact_problem *p, uint32_t b)
{
    return p->closure + (size_t)b * p->words;
}

#endif
