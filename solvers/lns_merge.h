/*
 * The best way to merge two parts of a stretch of an order, each of which keeps
 * its own sequence.
 *
 * The nodes of the stretch fall into parts A and B.  Prefixes of A and of B are
 * numbers i and j, and live of what has run is a function of (i, j): so the best
 * of all merges that keep the edges, of which there are exponentially many, is
 * the best path through a grid.  A path costs the sum over its steps of a
 * penalty that grows steeply above a level, and no step may use more than a cap.
 * What ran as it stands is one of the paths: the result is never worse.
 *
 * Source: this project.  (Two orders of chains are merged alike in sequence
 * alignment, Needleman and Wunsch 1970, doi:10.1016/0022-2836(70)90057-4.)
 */
#ifndef HW_SOLVERS_LNS_MERGE_H
#define HW_SOLVERS_LNS_MERGE_H

#include "solvers/local_order.h"

/* What a step costs by its usage. */
typedef struct lns_penalty {
    uint64_t level; /* no more than this costs nothing        */
    uint64_t cap;   /* more than this is not allowed          */
    uint32_t shift; /* (cap - level) >> shift is below 2^18   */
} lns_penalty;

static inline uint64_t lns_penalty_of(const lns_penalty *p, uint64_t usage)
{
    if (usage <= p->level)
        return 0;
    uint64_t excess = ((usage - p->level) >> p->shift) + 1;
    return excess * excess;
}

/* Work space, the caller's from open to close. */
typedef struct lns_merge {
    const hw_model *m;
    uint32_t room;      /* nodes that the arrays hold  */
    uint64_t cell_room; /* cells that `from_b` holds   */
    uint8_t *side;      /* of each node of the stretch: 0 in A, 1 in B; set by the caller */
    uint16_t *weight;   /* of as many nodes, in some order: see lns_merge_run()  */
    uint32_t *found;    /* the result: nodes in order  */
    uint32_t *list;     /* nodes of A, then of B       */
    uint32_t *rank;     /* by place in the stretch: place in its part */
    uint32_t *need;     /* by place in `list`: nodes of the other part that must have run */
    uint32_t *final[2]; /* by buffer: place of its last user in A, in B; HW_NONE */
    uint32_t *event;    /* offsets into the two arrays that follow, by place in A */
    uint32_t *event_column, *event_buffer;
    uint64_t *fixed;  /* by place in `list`: freed whatever the other part has run */
    uint64_t *net;    /* by place in B: change of live with what A has run */
    uint64_t *extra;  /* by place in B: usage of its step less live, with what A has run */
    uint64_t *live;   /* of the cells of a row         */
    uint64_t *cost;   /* least cost to the cells of a row */
    uint64_t *row_at; /* by row: where its cells begin in from_b, less its first column */
    uint32_t *row_low, *row_high; /* by row: columns */
    uint8_t *from_b;              /* of cells: the step before was B's */
} lns_merge;

/* Room for stretches of up to `room` nodes.  HW_NO_MEMORY; may be closed then. */
hw_code lns_merge_open(lns_merge *g, const hw_model *m, uint32_t room, uint64_t cell_room,
                       hw_error *err);
void lns_merge_close(lns_merge *g);

/*
 * Merge the stretch low .. high - 1 of l by g->side[0 .. high - low) into
 * g->found; the order stays as it is.  The penalty of each node's step counts
 * g->weight / LNS_WEIGHT times: weights drawn at random lead away from where the
 * search stands.  Of two ways to a cell that cost the same, B's step is taken
 * last if `late` is set.  *cells: those looked at; *cost: of what was found.
 * False: nothing was found, as the grid is larger than the room.
 * O(cells + uses and edges of the stretch).
 */
enum { LNS_WEIGHT = 16, LNS_MOST_WEIGHT = 1024 };
bool lns_merge_run(lns_merge *g, const local_order *l, uint32_t low, uint32_t high,
                   const lns_penalty *penalty, bool late, uint64_t *cells, uint64_t *cost);

#endif
