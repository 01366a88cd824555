/*
 * Orders that are good by a second objective, among those of an allowed peak.
 *
 * The least value is found by dynamic programming over down-sets: the terms
 * of both objectives depend on the prefix and its next node alone (second.h in
 * src/model), and whether a step is allowed does too.  That settles graphs of
 * up to 64 nodes whose down-sets are not too many.  Where it does not, a
 * given order is improved: windows of it are re-solved in the same way, and
 * single nodes move to their best place, until neither finds anything.
 * Source: this project.
 */
#ifndef HW_SOLVERS_SECOND_H
#define HW_SOLVERS_SECOND_H

#include "model/second.h"
#include "model/sim.h"
#include "solve/solver.h"

typedef struct hw_second_ask {
    const hw_model *m;
    hw_second kind;
    uint64_t cap;       /* the greatest peak allowed, in bytes      */
    uint64_t most_sets; /* of the whole graph's down-sets; 0: preset */
    hw_meter *meter;    /* counts down-sets and moves               */
} hw_second_ask;

/*
 * order[0 .. n_nodes), legal and of a peak of at most ask->cap, becomes one of
 * no greater cost; *proven: no order of an allowed peak has less.  The meter
 * may end it early, the order is legal then too.  HW_NO_MEMORY.
 */
hw_code hw_second_improve(const hw_second_ask *ask, uint32_t *order, hw_cost *cost, bool *proven,
                          hw_error *err);

/* ---- Between the files of this part. ---- */

enum { SECOND_MOST_WINDOW = 64 };

/* What improvement holds; opened and closed by hw_second_improve(). */
typedef struct second_state {
    const hw_second_ask *ask;
    uint32_t *order, *path; /* path: NULL for area                           */
    uint32_t *mark;         /* by buffer: number in the window, or HW_NONE   */
    hw_sim sim;             /* after a prefix of the order                   */
} second_state;

/* The cost of v as step `step`, `live` bytes being live afterwards. */
static inline hw_cost second_term(const second_state *s, uint32_t step, uint32_t v, uint64_t live)
{
    return s->path ? (hw_cost)step * s->path[v] : (hw_cost)live;
}

typedef enum second_end {
    SECOND_BEST,   /* the window is as good as can be: it was, or is now */
    SECOND_CUT,    /* too many down-sets                                 */
    SECOND_FAILED, /* no memory                                          */
} second_end;

/*
 * Re-solve order[low .. low + count), count <= SECOND_MOST_WINDOW, with at most
 * so many down-sets; s->sim stands after order[0 .. low) and stays there.
 * *better: the window has changed, at a lower cost.
 */
second_end second_window(second_state *s, uint32_t low, uint32_t count, uint64_t most_sets,
                         bool *better);

#endif
