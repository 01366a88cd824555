/*
 * A small graph that can still be changed: what the adversary breeds.
 *
 * Node v reads the nodes in parents[v], all of lower numbers, so that the
 * source order 0 .. n-1 is legal.  It makes size[v] bytes: one tensor for all
 * its readers or, where bit v of `split` is set, one of that size for each of
 * them.  A node without readers makes a result, kept to the end unless
 * `discard`.  A plain struct of fixed size: copied by assignment.
 */
#ifndef HW_SMALL_GENOME_H
#define HW_SMALL_GENOME_H

#include "model/graph.h"

enum { HW_GENOME_MOST = 64, HW_GENOME_NONE = 255 };

typedef struct hw_genome {
    uint32_t n;   /* nodes, at most HW_GENOME_MOST */
    bool discard; /* results are freed after the step that makes them */
    uint64_t split;
    uint64_t parents[HW_GENOME_MOST];
    uint64_t size[HW_GENOME_MOST];      /* bytes */
    uint64_t workspace[HW_GENOME_MOST]; /* bytes */
    uint8_t inplace[HW_GENOME_MOST];    /* the parent whose tensor v may overwrite with its own (the
                                           first of them where v is split); HW_GENOME_NONE: none */
} hw_genome;

/* n nodes of 1 byte without edges, workspace or in-place. */
void hw_genome_start(hw_genome *g, uint32_t n);

/* The nodes that read u, as a mask.  O(n). */
uint64_t hw_genome_readers(const hw_genome *g, uint32_t u);

/* Number of edges.  O(n). */
uint32_t hw_genome_edges(const hw_genome *g);

/*
 * The graph: node ids 0 .. n-1, tensor ids 0, 1, ... by maker and then reader.
 * name and source may be NULL.  HW_BAD_INPUT: sums past 2^64 - 1.
 * HW_NO_MEMORY.  O(n + edges).
 */
hw_code hw_genome_graph(const hw_genome *g, const char *name, const char *source, hw_graph **out,
                        hw_error *err);

/*
 * Back from a graph: nodes in source order, which must be legal.  HW_USAGE,
 * with the node or tensor named: what a genome cannot say (more than 64 nodes,
 * views, inputs, constants, control edges, locks, windows, a node whose
 * tensors are neither one nor one a reader of equal size, a kept tensor that
 * is read, results of which some are kept and some are not).  O(n + edges).
 */
hw_code hw_genome_of_graph(const hw_graph *graph, hw_genome *out, hw_error *err);

#endif
