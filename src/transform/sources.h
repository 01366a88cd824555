/*
 * Steps that change where data comes from: constants and inputs as things that
 * live and die like activations.
 *
 * Under a resident table a constant is one number beside every peak.  To ask
 * what a scheduler does that does not know better, a constant becomes
 *   - what a node loads (split-constants): alive from that node to its last
 *     reader, so that there is something to order, or
 *   - an input (live-constants): alive from before step 0 to its last reader.
 */
#ifndef HW_TRANSFORM_SOURCES_H
#define HW_TRANSFORM_SOURCES_H

#include "model/graph.h"

typedef enum hw_source_place {
    HW_BEFORE_USE, /* right before the first reader in source order */
    HW_AT_START    /* before all nodes, as the tensors stand        */
} hw_source_place;

/*
 * Every tensor of `kind` (HW_INPUT or HW_CONSTANT) that somebody reads gets a
 * node of its own that makes it, of operator type `op` and the tensor's name,
 * and becomes an activation.  The nodes have new ids.  What nobody reads stays.
 * HW_BAD_INPUT: windows, ids used up, sums that overflow.  O(size of g).
 */
hw_code hw_add_sources(const hw_graph *g, hw_kind kind, const char *op, hw_source_place place,
                       hw_graph **out, hw_error *err);

/*
 * Every constant becomes an input.  In-place pairs that name one go, for
 * weights cannot be overwritten.  O(size of g).
 */
hw_code hw_live_constants(const hw_graph *g, hw_graph **out, hw_error *err);

#endif
