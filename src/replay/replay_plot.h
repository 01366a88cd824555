/* A picture of replays: resident memory of each allocator over the logical bytes. */
#ifndef HW_REPLAY_REPLAY_PLOT_H
#define HW_REPLAY_REPLAY_PLOT_H

#include "replay/replay.h"

/* One allocator: what it is called, and what it did to the plan. */
typedef struct hw_replay_line {
    const char *name;
    const hw_replay_result *result;
} hw_replay_line;

/*
 * Draw n lines, all of one plan and as many passes, into `path` (.svg, .pdf or
 * .png), which appears whole or not at all.  order_name and `scale` (sizes
 * divided by it) stand in the title.  Errors of hw_gnuplot_render();
 * HW_NO_MEMORY.  O(n samples) beside gnuplot, which gets some thousand points a line.
 */
hw_code hw_replay_plot(const hw_replay_plan *plan, const hw_replay_line *line, size_t n,
                       const char *order_name, uint64_t scale, const char *path, hw_error *err);

#endif
