/*
 * One order and the search around its peak (the rule: backtrack.c).
 */
#ifndef HW_SOLVERS_BACKTRACK_SEARCH_H
#define HW_SOLVERS_BACKTRACK_SEARCH_H

#include "solvers/backtrack_order.h"
#include "solvers/beam_walk.h"

enum { BACKTRACK_MOST_WIDTH = 16 };

typedef struct backtrack_options {
    uint32_t back;          /* steps before the peak that are searched   */
    uint32_t width;         /* other choices at each, at most MOST_WIDTH */
    uint32_t discrepancies; /* steps that may choose otherwise at once   */
} backtrack_options;

/* A step of the search at which there is a choice. */
typedef struct backtrack_frame {
    uint64_t hash;        /* of the nodes moved before the step                     */
    uint32_t first, next; /* in keys[]: the choices of the step, the next one to try */
    uint32_t end;
    uint32_t left;   /* discrepancies yet to spend               */
    uint32_t above;  /* greatest step in the order of a node that has moved, plus 1 */
    bool with_order; /* every move so far is the order's          */
} backtrack_frame;

typedef struct backtrack_search {
    beam_walk walk;
    hw_meter *meter;
    uint64_t looked;    /* work when the clock was last looked at */
    uint64_t most_work; /* of the walk, then the search ends      */
    uint32_t *item;     /* by step: of the try at hand */
    uint64_t *usage;
    backtrack_frame *frame;
    hw_key *keys; /* width + 1 a frame */
    struct backtrack_seen *seen;
    uint32_t seen_bits;
    backtrack_order order; /* in hand                                   */
    uint32_t at;           /* moves that the walk has made              */
    uint32_t n_frames;     /* steps with choices, at most               */
    uint32_t search;       /* number of this search, for what was seen  */
    backtrack_options options;
} backtrack_search;

/*
 * Before the first move.  O(nodes + edges).  HW_NO_MEMORY; what failed to open
 * may be closed.
 */
hw_code backtrack_open(backtrack_search *s, const hw_model *m, bool backwards,
                       const backtrack_options *options, hw_meter *meter, hw_error *err);
void backtrack_close(backtrack_search *s);

/* How a part of the search ended. */
typedef enum backtrack_end {
    BACKTRACK_FAILED, /* nothing better there              */
    BACKTRACK_BETTER, /* the order in hand is another      */
    BACKTRACK_OVER,   /* a limit, or no more work is to be done */
    BACKTRACK_STUCK   /* windows let nobody run: see hw_gate_stuck() */
} backtrack_end;

/* Make the greedy order, from the first move on: BETTER, OVER or STUCK. */
backtrack_end backtrack_greedy(backtrack_search *s);

/* Take this order, which is legal, instead of the one in hand: BETTER or OVER. */
backtrack_end backtrack_take(backtrack_search *s, const uint32_t *order);

/*
 * Search around the first step of the peak.  BETTER: the order has a smaller
 * peak, or the same one later.
 */
backtrack_end backtrack_around_peak(backtrack_search *s);

#endif
