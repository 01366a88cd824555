/* The matrix of regret as a picture, with the buckets drawn in. */
#ifndef HW_BUCKETS_HEAT_H
#define HW_BUCKETS_HEAT_H

#include "buckets/cuts.h"

/*
 * Draw the regret in percent: a column a size, a row the order of a size; cuts
 * as lines between the columns, and the order that serves a bucket framed where
 * it does.  `dimension` and `graph` are names for the axes and the title.  path
 * ends in .svg, .pdf or .png.  Errors of hw_gnuplot_render(); HW_NO_MEMORY.
 */
hw_code hw_regret_draw(const hw_regret *r, const hw_cuts *cuts, const char *graph,
                       const char *dimension, hw_accounting accounting, const char *path,
                       hw_error *err);

#endif
