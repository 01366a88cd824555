/* What a file of results holds of a plan already: what a resumed sweep keeps. */
#ifndef HW_BENCH_KEPT_H
#define HW_BENCH_KEPT_H

#include "bench/plan.h"
#include "bench/results.h"
#include "bench/sink.h"

typedef struct hw_kept {
    hw_results *results;   /* NULL: nothing */
    const hw_record **run; /* by hw_plan_position(); NULL: no such line */
    uint64_t n_dropped;    /* broken lines that were moved aside        */
    uint64_t n_others;     /* lines of runs that the plan does not have */
} hw_kept;

/*
 * Read the file of a sink opened for appending.  A torn last line is cut off.
 * Other broken lines are HW_BAD_INPUT with place and cure; with drop_broken
 * they are moved to the end of FILE.broken, and the sink is opened anew on the
 * file without them.  HW_BAD_INPUT too: lines of another version of the
 * program, one run twice with different answers, runs of a unit on different
 * graphs.  Lines of other runs than the plan's stay and are no matter.  HW_IO,
 * HW_NO_MEMORY.  *kept is released by hw_kept_free() in any case.
 * O(size of the file x log sources).
 */
hw_code hw_kept_load(hw_sink *sink, const hw_plan *plan, const hw_suite *suite, bool drop_broken,
                     hw_kept *kept, hw_error *err);
void hw_kept_free(hw_kept *kept);

/* HW_BAD_INPUT: `graph` (NULL: it cannot be made), as the instance is now, is not that of r. */
hw_code hw_kept_check_graph(const hw_record *r, const char *file, const char *graph, hw_error *err);

#endif
