/*
 * From a bare DAG to a graph: tensors, sizes, workspace, views, in-place.
 *
 * The parameters here stand at the end of every random family's table; the
 * family's enum continues with HW_DRESS_ENUM, so that &params[DRESS] is what
 * hw_dress() reads.
 *
 * Sizes are integers of at least 1 and at most HW_MOST_SIZE.  Laws that GSL
 * draws in floating point are rounded, so that instances do not hang on the
 * last digit of a mathematical library.
 */
#ifndef HW_GEN_DRESS_H
#define HW_GEN_DRESS_H

#include "core/params.h"
#include "core/rng.h"
#include "gen/dag.h"
#include "model/graph.h"

#define HW_MOST_NODES 10000000
#define HW_MOST_SIZE  1099511627776 /* 2^40 bytes */

#define HW_SIZE_LAWS "constant|uniform|lognormal|pareto|bimodal"

/* Row numbers, counted from the first row of HW_DRESS_ROWS. */
enum {
    HW_DRESS_SIZES,
    HW_DRESS_LOW,
    HW_DRESS_HIGH,
    HW_DRESS_MEDIAN,
    HW_DRESS_SIGMA,
    HW_DRESS_ALPHA,
    HW_DRESS_MIX,
    HW_DRESS_SHARE,
    HW_DRESS_OUTPUTS,
    HW_DRESS_INPUTS,
    HW_DRESS_WORKSPACE,
    HW_DRESS_WORKSPACE_SIZES,
    HW_DRESS_INPLACE,
    HW_DRESS_VIEWS,
    HW_DRESS_COUNT
};

#define HW_DRESS_ROWS                                                                              \
    {"sizes", HW_PARAM_CHOICE, 0, 0, 1, HW_SIZE_LAWS, "law of the tensor sizes"},                  \
        {"low",                                                                                    \
         HW_PARAM_INT,                                                                             \
         1,                                                                                        \
         HW_MOST_SIZE,                                                                             \
         1,                                                                                        \
         NULL,                                                                                     \
         "least size: uniform, Pareto; lower peak: bimodal (bytes)"},                              \
        {"high",                                                                                   \
         HW_PARAM_INT,                                                                             \
         1,                                                                                        \
         HW_MOST_SIZE,                                                                             \
         100,                                                                                      \
         NULL,                                                                                     \
         "greatest size: uniform; upper peak: bimodal (bytes)"},                                   \
        {"median",                                                                                 \
         HW_PARAM_INT,                                                                             \
         1,                                                                                        \
         HW_MOST_SIZE,                                                                             \
         20,                                                                                       \
         NULL,                                                                                     \
         "size: constant; median size: lognormal (bytes)"},                                        \
        {"sigma",                                                                                  \
         HW_PARAM_REAL,                                                                            \
         0,                                                                                        \
         8,                                                                                        \
         1,                                                                                        \
         NULL,                                                                                     \
         "deviation of log size: lognormal; a quarter of it around each peak: bimodal"},           \
        {"alpha", HW_PARAM_REAL, 0.1, 100, 1.5, NULL, "exponent of the Pareto law"},               \
        {"mix", HW_PARAM_REAL, 0, 1, 0.5, NULL, "share of the upper peak: bimodal"},               \
        {"share",                                                                                  \
         HW_PARAM_BOOL,                                                                            \
         0,                                                                                        \
         1,                                                                                        \
         1,                                                                                        \
         NULL,                                                                                     \
         "yes: one tensor to all consumers of a node; no: one tensor an edge"},                    \
        {"outputs",                                                                                \
         HW_PARAM_CHOICE,                                                                          \
         0,                                                                                        \
         0,                                                                                        \
         0,                                                                                        \
         "kept|discarded",                                                                         \
         "results of nodes without successors: kept to the end, or freed after their step"},       \
        {"inputs",                                                                                 \
         HW_PARAM_CHOICE,                                                                          \
         0,                                                                                        \
         0,                                                                                        \
         0,                                                                                        \
         "none|own|shared",                                                                        \
         "nodes without predecessors read nothing, an input of their own, or one input"},          \
        {"workspace", HW_PARAM_REAL, 0, 1, 0, NULL, "share of nodes with workspace"},              \
        {"workspace-sizes",                                                                        \
         HW_PARAM_CHOICE,                                                                          \
         0,                                                                                        \
         0,                                                                                        \
         1,                                                                                        \
         HW_SIZE_LAWS,                                                                             \
         "law of the workspace, with the same low, high, ..."},                                    \
        {"inplace",                                                                                \
         HW_PARAM_REAL,                                                                            \
         0,                                                                                        \
         1,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "share of nodes that may overwrite one of their inputs"},                                 \
    {                                                                                              \
        "views", HW_PARAM_REAL, 0, 1, 0, NULL, "share of nodes that only view their first input"   \
    }

/*
 * Make the graph of d, whose edges it sorts.  `values` are those of
 * HW_DRESS_ROWS.  Node and tensor ids are 0, 1, 2, ...; the source order is
 * that of the numbers and legal.  Everything is drawn after the DAG, node by
 * node: view or not, sizes of the outputs, workspace, in-place pair.
 * HW_USAGE: low above high.  HW_NO_MEMORY.  O(n + m).
 */
hw_code hw_dress(hw_dag *d, const hw_param_value *values, gsl_rng *rng, hw_graph **out,
                 hw_error *err);

/* Check the values alone, before a large DAG is drawn for nothing.  HW_USAGE. */
hw_code hw_dress_check(const hw_param_value *values, hw_error *err);

#endif
