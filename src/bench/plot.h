/* Plots of results: scripts for gnuplot. */
#ifndef HW_BENCH_PLOT_H
#define HW_BENCH_PLOT_H

#include "bench/groups.h"

typedef enum hw_plot_kind {
    HW_PLOT_GAPS,    /* distribution of the gap by solver                   */
    HW_PLOT_RUNTIME, /* time against nodes: median and quartiles by solver  */
    HW_PLOT_OPTIMAL, /* share of optimal answers against nodes              */
    HW_PLOT_PROFILE  /* performance profile of peaks (Dolan and Moré, 2002) */
} hw_plot_kind;

/*
 * The script of a plot for hw_gnuplot_render(), to be freed, and its size.  A
 * panel for each accounting.  HW_BAD_INPUT: the results hold nothing that such
 * a plot could show.  HW_NO_MEMORY.  O(n log n).
 */
hw_code hw_plot_script(const hw_record *records, size_t n, hw_plot_kind kind, char **script,
                       unsigned *width_px, unsigned *height_px, hw_error *err);

#endif
