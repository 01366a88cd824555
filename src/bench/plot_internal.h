/* Results laid out for plots: panels by accounting, series by solver. */
#ifndef HW_BENCH_PLOT_INTERNAL_H
#define HW_BENCH_PLOT_INTERNAL_H

#include <stdio.h>

#include "bench/plot.h"

enum { HW_PLOT_PANELS = 4, HW_PLOT_SERIES = 64, HW_PLOT_NAME = 256 };

typedef struct hw_plot {
    FILE *out;          /* the script                                  */
    bool names_on_axis; /* solvers stand on the y axis, not in a legend */
    hw_partition runs;  /* by accounting, pinning and solver         */
    size_t n_panels, n_series;
    char panel[HW_PLOT_PANELS][HW_PLOT_NAME]; /* "alloc-first, pinned"            */
    const char *series[HW_PLOT_SERIES];       /* solvers, by their first appearance */
    bool exact[HW_PLOT_SERIES];
    size_t cell[HW_PLOT_PANELS][HW_PLOT_SERIES]; /* group in runs, or SIZE_MAX */
    uint64_t n_graphs, least_nodes, most_nodes;
    double *scratch; /* as many numbers as there are records */
} hw_plot;

/* The runs of a series in a panel; *n is 0 where there are none. */
const hw_record *const *hw_plot_runs(const hw_plot *p, size_t panel, size_t series, size_t *n);

/* Nodes as a plot shows them: exact up to 32, then in steps of 2^(1/2). */
uint64_t hw_plot_bucket(uint64_t n_nodes);

/* The least bucket of the runs that is greater than `after`, or 0. */
uint64_t hw_plot_next_bucket(const hw_record *const *runs, size_t n, uint64_t after);

/* Pixels of the whole. */
unsigned hw_plot_width(const hw_plot *p);
unsigned hw_plot_height(const hw_plot *p);

/* Title, subtitle and the start of a multiplot with room for a legend. */
void hw_plot_begin(const hw_plot *p, const char *title, const char *subtitle);

/* Borders, title and legend of one panel; `legend` draws the key beside it. */
void hw_plot_panel(const hw_plot *p, size_t panel, bool legend);

/* "linecolor ... dashtype ..." of a series; the style adds "pointtype ...". */
void hw_plot_colour(const hw_plot *p, size_t series);
void hw_plot_style(const hw_plot *p, size_t series);

/* A name that was read from a file, in quotes in which gnuplot runs nothing. */
void hw_plot_put_name(const hw_plot *p, const char *name);
void hw_plot_put_tic(const hw_plot *p, const char *name); /* the same for the label of a tic */

/* The four kinds.  *empty is true when no run could be shown. */
void hw_plot_gaps(hw_plot *p, bool *empty);
void hw_plot_runtime(hw_plot *p, bool *empty);
void hw_plot_optimal(hw_plot *p, bool *empty);
hw_code hw_plot_profile(hw_plot *p, const hw_record *records, size_t n, bool *empty, hw_error *err);

#endif
