/*
 * A picture of one run: memory over the steps, and the lifetimes behind it.
 *
 * The upper panel shows usage and live bytes with the peak marked; the lower
 * one a bar for each storage, from birth to death, those in memory at the peak
 * in another colour.  Where there are many, the largest are shown, those of
 * the peak first, and the picture says so.
 */
#ifndef HW_IO_TIMELINE_PLOT_H
#define HW_IO_TIMELINE_PLOT_H

#include "model/log.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Draw `log` into `path` (.svg, .pdf or .png), which appears whole or not at
 * all.  order_name says in the title which order ran ("source", "greedy").
 * Errors of hw_gnuplot_render(); HW_NO_MEMORY.  O(steps + storages log
 * storages) beside gnuplot, which gets at most some thousand points.
 */
hw_code hw_timeline_plot(const hw_log *log, const char *order_name, const char *path,
                         hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
