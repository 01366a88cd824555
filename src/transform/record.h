/*
 * The record of a fusion: a JSON file that tells what was fused and holds what
 * it takes to undo it.
 *
 *   {"format":"highwater-fusion","version":1,
 *    "original":"<hash>", "fused":"<hash>", "inner_bytes":N,
 *    "fusions":[{"node":id,"name":…,"pattern":"convolution",
 *                "nodes":[{"id":…,"name":…,"op":…,"position":…}, …],
 *                "tensors":[{"id":…,"name":…,"size":…,"position":…}, …]}, …],
 *    "control":[[from id, to id], …],
 *    "parts":{a graph: the nodes that were fused, and every tensor that they name}}
 *
 * Positions count nodes and tensors of the original file from 0; control holds
 * all control edges of the original.  In "parts" what no part makes stands as
 * an input, or as the constant that it is.
 */
#ifndef HW_TRANSFORM_RECORD_H
#define HW_TRANSFORM_RECORD_H

#include "transform/fuse.h"

/* Write the record of fused = hw_fuse(g, f).  HW_IO, HW_NO_MEMORY. */
hw_code hw_record_write(const hw_graph *g, const hw_fusion *f, const hw_graph *fused,
                        const hw_patterns *patterns, FILE *out, hw_error *err);

/* A record that was read.  Released by hw_record_free(). */
typedef struct hw_record hw_record;

/* HW_IO; HW_BAD_INPUT: no record, or one that contradicts itself.  HW_NO_MEMORY. */
hw_code hw_record_load(const char *path, hw_record **out, hw_error *err);
void hw_record_free(hw_record *r);

/*
 * The original again, out of the fused graph: the same ids, names and places.
 * HW_BAD_INPUT: the record is of another graph, or what comes out is not what
 * its hash says.  HW_NO_MEMORY.  O(size of the original log size).
 */
hw_code hw_unfuse(const hw_graph *fused, const hw_record *r, hw_graph **out, hw_error *err);

/*
 * An order of the fused graph (node indices) as one of the original, every
 * fused node replaced by its members.  original: what hw_unfuse() gave;
 * expanded[0 .. original->n_nodes).  HW_NO_MEMORY.  O(n).
 */
hw_code hw_unfuse_order(const hw_graph *fused, const hw_record *r, const hw_graph *original,
                        const uint32_t *order, uint32_t *expanded, hw_error *err);

#endif
