/*
 * A graph built anew out of another, piece by piece, with ids and names kept:
 * the caller takes each tensor and node as it was, changes what it wants and
 * hands it on, in any order and with others between.
 */
#ifndef HW_TRANSFORM_RECAST_H
#define HW_TRANSFORM_RECAST_H

#include "core/idmap.h"
#include "model/builder.h"

typedef struct hw_recast {
    const hw_graph *from; /* the caller's: must outlive the recast */
    hw_builder *builder;
    uint64_t *id; /* of the node at hand */
    size_t room;
} hw_recast;

/* Begin, with from's name, source and unit; released by hw_recast_close(), also on failure.
 * HW_NO_MEMORY. */
hw_code hw_recast_open(hw_recast *r, const hw_graph *from, hw_error *err);
void hw_recast_close(hw_recast *r);

/* Tensor t of r->from (an index), as another kind. */
hw_code hw_recast_tensor(hw_recast *r, uint32_t t, hw_kind kind, hw_error *err);

/* All tensors as they are. */
hw_code hw_recast_tensors(hw_recast *r, hw_error *err);

/*
 * Node v of r->from as it was, into *spec; its lists are r's and good until the
 * next call.  HW_NO_MEMORY.  O(inputs + outputs + pairs of v).
 */
hw_code hw_recast_spec(hw_recast *r, uint32_t v, hw_node_spec *spec, hw_error *err);

/* Node v as it was, handed on. */
hw_code hw_recast_node(hw_recast *r, uint32_t v, hw_error *err);

/* All control edges as they were. */
hw_code hw_recast_control(hw_recast *r, hw_error *err);

/* The graph, the caller's.  Errors of hw_builder_finish(). */
hw_code hw_recast_finish(hw_recast *r, hw_graph **out, hw_error *err);

/*
 * Ids that no node of a graph has: *next begins at 0.  HW_BAD_INPUT: all below
 * 2^32 are taken.  Expected O(1) a call, and O(nodes) over all calls.
 */
typedef struct hw_fresh_ids {
    hw_idmap taken;
    uint64_t next;
} hw_fresh_ids;
hw_code hw_fresh_ids_open(hw_fresh_ids *f, const hw_graph *g, hw_error *err);
hw_code hw_fresh_id(hw_fresh_ids *f, uint64_t *id, hw_error *err);
void hw_fresh_ids_close(hw_fresh_ids *f);

/* HW_BAD_INPUT where a node has a window: for steps that shift the positions that it counts from.
 */
hw_code hw_refuse_windows(const hw_graph *g, hw_error *err);

#endif
