/* What a census says: a table, a plot, and the worst graphs. */
#ifndef HW_CENSUS_CENSUS_REPORT_H
#define HW_CENSUS_CENSUS_REPORT_H

#include "census/census_file.h"
#include "bench/grid.h"

/*
 * Censuses side by side: at[n] is the one that tells of n nodes, NULL none.
 * All have the same solvers.
 */
typedef struct hw_census_report {
    const hw_census *at[HW_DAGS_MOST + 1];
} hw_census_report;

/*
 * Add what is whole in c.  HW_USAGE: other solvers than before, or a number of
 * nodes that is there already.  c must outlive the report.
 */
hw_code hw_census_report_add(hw_census_report *r, const hw_census *c, hw_error *err);

/* Any census of the report, for its solvers; NULL: the report is empty. */
const hw_census *hw_census_report_any(const hw_census_report *r);

/*
 * Write the table.  For people: a row a solver and accounting, worst ratios by
 * number of nodes at the greatest size, where the solver fails first and how
 * often in the end.  For programs: a row for each number of nodes, greatest size, accounting
 * and solver.  HW_NO_MEMORY; write errors stay in the stream.
 */
hw_code hw_census_table(const hw_census_report *r, hw_table_format format, FILE *out,
                        hw_error *err);

/*
 * The script of the plot for hw_gnuplot_render(), to be freed, and its size:
 * worst ratio against nodes, a line a solver that ever fails, beside the
 * proven limit floor((n + 1) / 2).  HW_NO_MEMORY.  HW_BAD_INPUT: the report is empty.
 */
hw_code hw_census_plot(const hw_census_report *r, char **script, unsigned *width_px,
                       unsigned *height_px, hw_error *err);

/* The graph of a worst case, named by where it stands.  HW_NO_MEMORY. */
hw_code hw_census_graph(const hw_census *c, uint32_t n, const char *solver,
                        hw_accounting accounting, const hw_census_worst *worst, hw_graph **out,
                        hw_error *err);

#endif
