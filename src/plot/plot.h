/* Plots of results: scripts for gnuplot. */
#ifndef HW_PLOT_PLOT_H
#define HW_PLOT_PLOT_H

#include "bench/trace.h"
#include "plot/data.h"
#include "plot/frame.h"

typedef enum hw_plot_kind {
    HW_PLOT_GAPS,     /* distribution of the gap by solver                            */
    HW_PLOT_RUNTIME,  /* time against nodes: median and quartiles by solver           */
    HW_PLOT_OPTIMAL,  /* share of optimal answers against nodes                       */
    HW_PLOT_PROFILE,  /* performance profile of peaks, in multiples of the best known */
    HW_PLOT_RIVALS,   /* the same among the solvers drawn, with and without their best */
    HW_PLOT_CACTUS,   /* instances solved within a time                               */
    HW_PLOT_PARETO,   /* gap against time, a point a solver, with the front           */
    HW_PLOT_HEAT,     /* gap over nodes and density                                   */
    HW_PLOT_FAMILIES, /* distribution of the gap by family                            */
    HW_PLOT_SHARES,   /* shares within 5 % and above 20 % by family                   */
    HW_PLOT_COUNTS,   /* orders, down-sets, width, prefixes against nodes by family */
    HW_PLOT_KINDS
} hw_plot_kind;

const char *hw_plot_kind_name(hw_plot_kind kind);

typedef struct hw_plot_options {
    hw_plot_size size;
    const char *const *solvers; /* to draw, by whole name or without parameters     */
    size_t n_solvers;           /* 0: at most eight, chosen by what the plot is for */
    bool all_solvers;
    double quantile;      /* of the gaps that pareto and heat show; 0: the median */
    double shift_seconds; /* of the geometric mean of times; 0: 10 microseconds    */
} hw_plot_options;

typedef struct hw_plot_script {
    char *text; /* for hw_gnuplot_render() */
    char *title, *caption;
    unsigned width_px, height_px;
} hw_plot_script;

/*
 * The script of a plot, released by hw_plot_script_free().  HW_BAD_INPUT: the
 * results hold nothing that such a plot could show; HW_USAGE: a solver is named
 * that has no run.  HW_NO_MEMORY.  O(n log n).
 */
hw_code hw_plot_make(const hw_plot_data *data, hw_plot_kind kind, const hw_plot_options *options,
                     hw_plot_script *out, hw_error *err);

/*
 * The same of traces: best orders and bounds against seconds or ticks, log
 * axis; a panel for each graph and accounting, a line for each run, in multiples
 * of the best peak of the panel.
 */
hw_code hw_plot_anytime(const hw_trace *trace, bool by_ticks, hw_plot_size size,
                        hw_plot_script *out, hw_error *err);

void hw_plot_script_free(hw_plot_script *script);

#endif
