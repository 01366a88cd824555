/* Random drafts with planted identical branches, for tests. */
#ifndef HW_TESTS_SUPPORT_TWINS_H
#define HW_TESTS_SUPPORT_TWINS_H

#include "support_draft.h"

/*
 * Copy some nodes of the draft, which must be in topological order with dense
 * ids: a copy reads what the original reads (copied nodes: their copies) and
 * makes tensors of its own; what reads an original reads its copy too.  Control
 * edges are copied alike.  False: no room; the draft is as it was.
 */
bool draft_twin(draft *d, const bool *chosen);

/*
 * A draft of at most `most` nodes in which groups of connected nodes were
 * copied one to three times, nested at times; in every fourth one node was then
 * changed a little.  Released by free().
 */
draft *draft_with_twins(uint64_t seed, size_t most, unsigned features);

#endif
