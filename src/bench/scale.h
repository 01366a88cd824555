/*
 * How solvers grow: CPU time, memory and distance to a lower bound on graphs
 * of rising size, each run in a process of its own.
 *
 * The plan is a suite (suite.h); a section is a curve of sizes, or a set of
 * shapes.  Its `kill-after` is the CPU time of one run.  Graphs are generated
 * in the process that solves them, so that nothing is read.
 */
#ifndef HW_BENCH_SCALE_H
#define HW_BENCH_SCALE_H

#include "bench/unit.h"

/* One solver on one graph; plain bytes, fit for a pipe.  CPU seconds. */
typedef struct hw_scale_run {
    hw_fate fate; /* OPEN: left out, a smaller graph took too long */
    bool limit_reached;
    uint32_t n_nodes, n_edges;
    double generate_seconds, model_seconds; /* of the family, of hw_model_new()      */
    double solve_seconds, simulate_seconds; /* least of `repeats`, 0: unknown;
                                               simulate: hw_peak of the order returned */
    double check_seconds;                   /* of the independent checker            */
    uint32_t repeats;
    hw_maybe_u64 peak, bound;

    /* Resident above what the process had before it generated the graph:
     * graph and model before the call; at most during it; at most while the
     * graph was generated; and at most in all, program included. */
    hw_maybe_u64 graph_bytes, solve_bytes, generate_bytes, process_bytes;
    char message[HW_RUN_MESSAGE_BYTES];
} hw_scale_run;

/* A row of results: where it stands in the suite, and what came out. */
typedef struct hw_scale_point {
    const hw_suite_section *section;
    const hw_suite_source *source;
    const hw_suite_solver *solver;
    uint64_t n; /* the family's parameter n, 0 without one: known for every run */
    hw_scale_run run;
    hw_maybe_u64 best_bound; /* of all solvers on this graph */
} hw_scale_point;

/*
 * Run the suite; *points, freed by the caller, are in the order of its plan.
 * A solver that ran out of time is not tried in the same section at five times
 * the size or more.  `tell` (NULL: nobody) hears of every point.  HW_IO: no
 * process can be started; HW_CHECK_FAILED: an order is illegal, has another
 * peak than claimed, or beats a bound (the message tells; the points stand);
 * HW_NO_MEMORY.
 */
hw_code hw_scale_measure(const hw_suite *suite, void (*tell)(void *, const hw_scale_point *),
                         void *context, hw_scale_point **points, size_t *n_points, hw_error *err);

/* Nodes a second; times the simulation; gap to the bound in %: NaN where unknown. */
double hw_scale_rate(const hw_scale_point *p);
double hw_scale_simulations(const hw_scale_point *p);
double hw_scale_gap_percent(const hw_scale_point *p);

/* Time a node at 1,000,000 nodes over that at 10,000 of the section; NaN: unknown. */
double hw_scale_growth(const hw_scale_point *points, size_t n, const hw_suite_section *section,
                       const hw_suite_solver *solver);

/* "answered", "limit", "refused", "timeout", "crashed", "error", "not tried". */
const char *hw_scale_fate(const hw_scale_run *run);

/* A row a point, as CSV; and the whole as Markdown. */
hw_code hw_scale_write_csv(const hw_scale_point *points, size_t n, FILE *out, hw_error *err);
hw_code hw_scale_write_markdown(const hw_scale_point *points, size_t n, FILE *out, hw_error *err);

/*
 * The gnuplot script of one section, time or memory against nodes, to be freed,
 * and its size.  HW_BAD_INPUT: nothing to draw.
 */
hw_code hw_scale_plot(const hw_scale_point *points, size_t n, const hw_suite_section *section,
                      bool memory, char **script, unsigned *width_px, unsigned *height_px,
                      hw_error *err);

/* What the project aims at for graph, model and greedy together. */
static inline double hw_scale_memory_aim(double n_nodes, double n_edges)
{
    return 200 * n_nodes + 16 * n_edges;
}

#endif
