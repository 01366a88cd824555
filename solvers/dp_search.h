/* The search over down-sets, level by level. */
#ifndef HW_SOLVERS_DP_SEARCH_H
#define HW_SOLVERS_DP_SEARCH_H

#include "core/set_table.h"
#include "solve/solver.h"
#include "solvers/dp_problem.h"

/* How the best path reaches a down-set: its last node, after which one of the level before. */
typedef struct hw_dp_back {
    uint32_t parent, node;
} hw_dp_back;

/*
 * The down-sets of one size.  Row i of `key`: the set and the least peak of a
 * path to it; of `rest`: the nodes ready after it and its live bytes.  What a
 * repeated find touches stands apart from what it does not.
 */
typedef struct hw_dp_level {
    uint64_t *key, *rest; /* words + 1 each */
    hw_dp_back *back;
    size_t count, capacity, back_capacity;
} hw_dp_level;

typedef struct hw_dp_child hw_dp_child;

typedef struct hw_dp_search {
    const hw_dp_problem *p;
    hw_meter *meter;
    uint64_t allow;      /* down-sets of a greater peak are dropped */
    uint64_t most_bytes; /* 0: no limit                             */
    size_t pause_at;     /* pause before a size with more sets; SIZE_MAX: never */
    uint64_t dropped;    /* the least peak at which a path was dropped; UINT64_MAX: none was */

    uint32_t level; /* size of the sets in `current` */
    hw_dp_level current, next;
    hw_set_table table; /* of `next` */
    hw_dp_back **back;  /* by level: kept to rebuild the order */
    size_t *back_count;

    hw_dp_child *child; /* a batch waiting to be put into `next` */
    uint64_t *child_set;
    size_t n_children;

    uint64_t *may_stand, *due; /* windows: nodes allowed at, and due by, this position */
    uint64_t back_bytes;       /* held by back[] of earlier levels                     */
} hw_dp_search;

typedef enum hw_dp_end {
    HW_DP_COMPLETE,  /* a path to the set of all nodes within `allow` is the best there is */
    HW_DP_EXHAUSTED, /* no path is within `allow`; none is below `dropped` */
    HW_DP_STOPPED,   /* a limit: *value is proven, no order in hand   */
    HW_DP_PAUSED,    /* see pause_at: *value is proven; run again to go on */
} hw_dp_end;

/* HW_NO_MEMORY; a search that failed to open may be closed. */
hw_code hw_dp_open(hw_dp_search *s, const hw_dp_problem *p, hw_meter *meter, uint64_t allow,
                   uint64_t most_bytes, hw_error *err);
void hw_dp_close(hw_dp_search *s);

/*
 * Search.  *value is the least peak (COMPLETE), or a lower bound on the peaks
 * of the orders that were not dropped (STOPPED, PAUSED).  During a pause
 * `allow` may be lowered, and pause_at set anew.  O(down-sets x ready nodes).
 */
hw_dp_end hw_dp_run(hw_dp_search *s, uint64_t *value);

/* After COMPLETE: the order into order[]. */
void hw_dp_order(const hw_dp_search *s, uint32_t *order);

#endif
