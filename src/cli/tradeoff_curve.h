/* The curve between peak and a second objective. */
#ifndef HW_CLI_TRADEOFF_CURVE_H
#define HW_CLI_TRADEOFF_CURVE_H

#include <stddef.h>

#include "cli/solve_then.h"

typedef struct hw_tradeoff_point {
    uint64_t peak;
    hw_cost cost;
    bool proven; /* no order of this peak or less costs less */
} hw_tradeoff_point;

typedef struct hw_tradeoff {
    hw_tradeoff_point *point; /* peaks ascending, costs falling */
    size_t n_points, capacity;
    bool whole; /* proven, and nothing between the points is missing */
} hw_tradeoff;

/*
 * The curve from `order`, whose peak is the least that is known, to the least
 * cost at any peak.  Graphs of up to 64 nodes whose down-sets are few enough
 * get all of it, proven, up to `most` points; others get at most `most` points
 * found by improving orders.  request: limits of each improvement, stop flag.
 * Released by hw_tradeoff_free(), also after a failure.  HW_NO_MEMORY,
 * HW_STOPPED.
 */
hw_code hw_tradeoff_find(const hw_model *m, hw_second kind, const uint32_t *order, size_t most,
                         const hw_request *request, hw_tradeoff *out, hw_error *err);
void hw_tradeoff_free(hw_tradeoff *t);

/* Draw it into `path`; errors of hw_gnuplot_render(), HW_NO_MEMORY. */
hw_code hw_tradeoff_plot(const hw_model *m, hw_second kind, const hw_tradeoff *t, const char *path,
                         hw_error *err);

#endif
