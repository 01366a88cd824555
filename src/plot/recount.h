/* What graphs are like that results tell nothing of: made anew and counted. */
#ifndef HW_PLOT_RECOUNT_H
#define HW_PLOT_RECOUNT_H

#include "plot/data.h"

/* A graph of the results. */
typedef struct hw_plot_graph {
    const hw_record *record; /* one of its runs */
    uint64_t bucket;         /* of its nodes    */
    uint32_t family;
    bool counted;                    /* orders and down-sets are known */
    double orders, down_sets, width; /* width: 0 where it is not       */
} hw_plot_graph;

/*
 * Choose at most some dozens of graphs a family and size, evenly among those of
 * families that are generated, and make them anew from family, parameters, seed
 * and index; a graph that comes out another (of another version of the program)
 * is left out.  Of a family, counting ends at the first size of which one graph
 * has more down-sets than the limit: what could still be counted there would
 * be a choice of easy ones.  *graphs is in the order of family and size, freed
 * by the caller.  HW_NO_MEMORY.  A few seconds at most.
 */
hw_code hw_plot_recount(const hw_plot_data *data, hw_plot_graph **graphs, size_t *n, hw_error *err);

#endif
