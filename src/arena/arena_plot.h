/*
 * A picture of an allocation: buffers as rectangles of time and addresses.
 *
 * Buffers that are there where the load is greatest have a colour of their own;
 * lines show the height and the load.  Names stand in rectangles with room for
 * them.
 */
#ifndef HW_ARENA_ARENA_PLOT_H
#define HW_ARENA_ARENA_PLOT_H

#include "arena/arena.h"

typedef struct hw_arena_picture {
    const hw_arena *arena;
    const hw_placement *placement;
    const char *allocator;    /* its spec, for the title            */
    const char *order;        /* of an order: which one; NULL: none */
    const char *const *names; /* n_buffers; NULL: the labels        */
} hw_arena_picture;

/*
 * Draw into `path` (.svg, .pdf or .png), which appears whole or not at all.
 * Of more than 20,000 buffers the largest areas are drawn, and the picture
 * says so.  Errors of hw_gnuplot_render(); HW_NO_MEMORY.  O(n log n).
 */
hw_code hw_arena_plot(const hw_arena_picture *picture, const char *path, hw_error *err);

#endif
