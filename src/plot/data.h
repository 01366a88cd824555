/*
 * Results laid out for plots: numbers in place of names, runs by panel and
 * solver.
 *
 * Panels are accountings, solvers and families are in the order of their names,
 * so that the order of lines in the file changes nothing.
 */
#ifndef HW_PLOT_DATA_H
#define HW_PLOT_DATA_H

#include "bench/groups.h"

enum { HW_PLOT_PANELS = 4, HW_PLOT_NAME = 64, HW_PLOT_FEW_SIZES = 40 };

/* An instance under an accounting, with all its runs. */
typedef struct hw_plot_unit {
    const hw_record *record; /* one of its runs, for what they share      */
    hw_maybe_u64 best;       /* the least known peak: of an order, or proven */
    uint32_t panel, family, graph;
} hw_plot_unit;

typedef struct hw_plot_run {
    const hw_record *record;
    uint32_t unit;
} hw_plot_run;

typedef struct hw_plot_data {
    char panel[HW_PLOT_PANELS][HW_PLOT_NAME]; /* "alloc-first, inputs pinned" */
    const char **solver, **family;            /* family: the values of the field `by` */
    hw_field by;
    bool *exact; /* by solver */
    hw_plot_unit *unit;
    hw_plot_run *run; /* those of panel p and solver s: start[p * n_solvers + s] on */
    size_t *start;    /* n_panels * n_solvers + 1 */
    size_t n_panels, n_solvers, n_families, n_units, n_runs, n_graphs;
    uint64_t least_nodes, most_nodes;
    uint64_t size[HW_PLOT_FEW_SIZES]; /* numbers of nodes met, each once, in no order */
    size_t n_sizes;
    bool many_sizes; /* and further ones */
} hw_plot_data;

/*
 * Lay out n records, into which *out points and which outlive it; runs without
 * an instance are left out.  What plots by family tell apart are the values of
 * the field `by`, a text.  Released by hw_plot_data_free().  HW_USAGE: more than
 * HW_PLOT_PANELS accountings, or a field of numbers.  HW_NO_MEMORY.
 * O(n log n).
 */
hw_code hw_plot_data_make(const hw_record *records, size_t n, hw_field by, hw_plot_data **out,
                          hw_error *err);
void hw_plot_data_free(hw_plot_data *data);

/* The runs of a solver in a panel; *n is 0 where there are none. */
const hw_plot_run *hw_plot_runs(const hw_plot_data *d, size_t panel, size_t solver, size_t *n);

#endif
