/* Pictures of an explanation: the graph, and the memory of both orders. */
#ifndef HW_EXPLAIN_EXPLAIN_DRAW_H
#define HW_EXPLAIN_EXPLAIN_DRAW_H

#include "explain/explain.h"
#include "io/program.h"

/* How the two orders are called; texts of the caller's. */
typedef struct hw_explain_names {
    const char *solver; /* "greedy"                               */
    const char *target; /* "the optimum", "the peak of dfs", ... */
} hw_explain_names;

/* Larger graphs are drawn around the wrong turn alone. */
enum { HW_DRAW_NODES = 300, HW_DRAW_EDGES = 900, HW_DRAW_AROUND = 60 };

/*
 * Draw the graph by dot into `path` (.svg, .pdf or .png), which appears whole
 * or not at all: each node with its step in both orders and the bytes that it
 * makes, the prefix that both orders share, the node that runs at the wrong
 * turn and the one that should.  Wants an explanation with an order.  `watch`
 * as of hw_graphviz_render(), whose errors these are; HW_NO_MEMORY.
 * O(nodes + edges) beside dot.
 */
hw_code hw_explain_draw_graph(const hw_explanation *x, const hw_explain_names *names,
                              const char *path, const hw_program_watch *watch, hw_error *err);

/*
 * Draw the memory of both orders over the steps by gnuplot, one above the other
 * on the same axes.  Errors of hw_gnuplot_render(); HW_NO_MEMORY.  O(nodes).
 */
hw_code hw_explain_draw_curves(const hw_explanation *x, const hw_explain_names *names,
                               const char *path, hw_error *err);

#endif
