/* A DOT digraph as it is written, between its parser and the graph made of it (digraph.c). */
#ifndef HW_IMPORT_DIGRAPH_INTERNAL_H
#define HW_IMPORT_DIGRAPH_INTERNAL_H

#include "import/dot_scan.h"
#include "import/names.h"

typedef struct hw_digraph_node {
    uint64_t size;
    uint32_t op; /* in `ops`; HW_NONE: none */
    bool has_size, has_alpha;
} hw_digraph_node;

typedef struct hw_digraph_edge {
    uint64_t size;
    uint32_t from, to;
    bool has_size;
} hw_digraph_edge;

typedef struct hw_digraph {
    hw_dot_scan s;
    hw_error *err;
    hw_names names, ops;
    hw_digraph_node *node; /* as `names` has them */
    hw_digraph_edge *edges;
    size_t node_room, n_edges, edge_room;
    size_t depth; /* open braces */
} hw_digraph;

/* Read the file that g->s stands at.  HW_BAD_INPUT, HW_NO_MEMORY. */
hw_code hw_digraph_parse(hw_digraph *g);

#endif
