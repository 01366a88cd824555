/* What the kinds of plots share. */
#ifndef HW_PLOT_PLOT_INTERNAL_H
#define HW_PLOT_PLOT_INTERNAL_H

#include "bench/groups.h"
#include "core/memory.h"
#include "plot/plot.h"

enum { HW_PLOT_LINES = 96, HW_PLOT_CAPTION = 1200 };
enum { HW_PLOT_LEAST_RUNS = 3 /* fewer are no distribution */ };

typedef struct hw_plot {
    const hw_plot_data *data;
    const hw_plot_options *options;
    FILE *out;
    hw_frame frame;
    const char *title, *wanting; /* wanting: what the results would have to hold */
    char caption[HW_PLOT_CAPTION], title_text[2 * HW_PLOT_NAME];
    size_t shown[HW_PLOT_LINES], n_shown; /* solvers in the order of their lines */
    hw_frame_key key[HW_PLOT_LINES];
    double *scratch; /* as many numbers as there are runs */
    bool empty;      /* nothing was found to draw         */
} hw_plot;

/* Which solvers a plot is about when the user names none. */
typedef enum hw_plot_wish { HW_PLOT_HEURISTICS, HW_PLOT_EXACT, HW_PLOT_BOTH } hw_plot_wish;

/*
 * Fill shown[] with those the user named, else with at most `most`.  HW_USAGE:
 * there is no run of a solver that was named.
 */
hw_code hw_plot_choose(hw_plot *p, hw_plot_wish wish, size_t most, hw_error *err);

/* A legend of the solvers shown; then the layout and the head of the picture. */
void hw_plot_keys(hw_plot *p);
void hw_plot_begin(hw_plot *p);

/* "900 graphs of 6 to 10 nodes; rest" becomes the caption. */
void hw_plot_caption(hw_plot *p, const char *rest);

/* The gaps over proven optima of a solver in a panel into scratch, sorted. */
size_t hw_plot_gaps_of(const hw_plot *p, size_t panel, size_t solver);

/* "median gap", "90 % quantile of the gap", as the options say; returns text. */
const char *hw_plot_quantile_name(const hw_plot *p, char text[HW_PLOT_NAME]);

/* A gap without decimals, or the sign for one that is infinite; returns text. */
const char *hw_plot_whole(double gap, char text[HW_PLOT_NAME]);

/* Per cent, infinite above an optimum of 0; false where there is no order or no proven optimum. */
bool hw_plot_gap(const hw_record *r, double *gap);

/*
 * Nodes as a plot shows them: exact where the results are of few sizes, and up
 * to 32; else in steps of 2^(1/2).
 */
uint64_t hw_plot_bucket(const hw_plot_data *d, uint64_t n_nodes);

/* A step between tics with room for their figures, on an axis from 0 to `most`. */
double hw_plot_tic_step(const hw_plot *p, double most);

/* An axis of nodes, from the least of the results to `most`. */
void hw_plot_nodes_axis(const hw_plot *p, uint64_t most);

/*
 * A curve of the share (per cent) of `total` that is at most x, from low to high
 * in equal steps, or factors; behind two empty lines the points that get a mark.
 * Values are sorted.
 */
void hw_plot_put_steps(FILE *out, const double *values, size_t n, size_t total, double low,
                       double high, bool factors);

/* Plot such curves, $data_PANEL_I of the shown solvers I that are drawn there. */
void hw_plot_put_lines(const hw_plot *p, size_t panel, const bool *drawn);

/* Sorted pairs of a bucket and a value, to be summed up bucket by bucket. */
typedef struct hw_plot_point {
    uint64_t bucket;
    double value;
} hw_plot_point;
void hw_plot_sort_points(hw_plot_point *points, size_t n);

/* "bucket quartile median quartile count" for each bucket of enough points; how many. */
size_t hw_plot_put_quartiles(FILE *out, const hw_plot_point *points, size_t n, double *scratch);

typedef struct hw_plot_box {
    double left, right, low, high;
} hw_plot_box;

/*
 * Texts beside points, in pixels from the lower left corner of a panel: none
 * over another, a point, an edge or one of the boxes, as far as there is room.
 */
typedef struct hw_plot_label {
    const char *name;
    double x, y;       /* of the point                        */
    double left, base; /* where the text begins, its middle   */
    bool away;         /* so far off that a line leads there  */
    double from;       /* where that line ends: x of the text */
} hw_plot_label;
void hw_plot_place_labels(hw_plot_label *labels, size_t n, const hw_plot_box *boxes, size_t n_boxes,
                          unsigned width, unsigned height, unsigned font);

/* Pixels for the longest of n names beside an axis. */
unsigned hw_plot_name_room(const hw_plot *p, const char *const *names, size_t n, unsigned font);

/* The kinds. */
hw_code hw_plot_gaps(hw_plot *p, hw_error *err);
hw_code hw_plot_runtime(hw_plot *p, hw_error *err);
hw_code hw_plot_optimal(hw_plot *p, hw_error *err);
hw_code hw_plot_profile(hw_plot *p, hw_error *err);
hw_code hw_plot_rivals(hw_plot *p, hw_error *err);
hw_code hw_plot_cactus(hw_plot *p, hw_error *err);
hw_code hw_plot_pareto(hw_plot *p, hw_error *err);
hw_code hw_plot_heat(hw_plot *p, hw_error *err);
hw_code hw_plot_families(hw_plot *p, hw_error *err);
hw_code hw_plot_shares(hw_plot *p, hw_error *err);
hw_code hw_plot_counts(hw_plot *p, hw_error *err);

#endif
