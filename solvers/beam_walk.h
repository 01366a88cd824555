/*
 * One prefix of the whole graph that steps to and fro, from the sources or
 * from the sinks: what the beam keeps instead of one copy for each prefix.
 *
 * All that is kept (buffers, ready nodes and their keys, windows) depends on
 * the set of nodes that have moved alone, not on the order in which they did.
 * So the walk gets from one prefix to another by taking back the nodes that
 * only the first has and running those that only the second has.
 *
 * Nodes are named by items: their position forwards, counted from the end
 * backwards (as gate and ties have it).  The keys are those of greedy and
 * greedy-reverse, the net change of a move first.
 */
#ifndef HW_SOLVERS_BEAM_WALK_H
#define HW_SOLVERS_BEAM_WALK_H

#include "solvers/net_change.h"

enum { BEAM_MOVE_WORK = 4 }; /* of a move, beside its buffers and edges */

typedef struct beam_walk {
    const hw_model *m;
    bool backwards;
    uint64_t live; /* after the moves made; backwards: before the nodes taken off */
    uint64_t work; /* buffers, edges and keys looked at by moves so far           */
    const hw_rows *next, *previous; /* edges along and against the walk            */
    hw_net_buffer *buffer;          /* `left`: consumers that have not moved       */
    uint32_t *path;                 /* longest path from the node along the walk   */
    uint32_t *waiting;              /* by item: `previous` yet to move, or the place in the heap */
    hw_heap ready;
    hw_gate gate;
} beam_walk;

/* Before the first move.  O(nodes + edges).  HW_NO_MEMORY; what failed to open may be closed. */
hw_code beam_walk_open(beam_walk *w, const hw_model *m, bool backwards, hw_error *err);
void beam_walk_close(beam_walk *w);
size_t beam_walk_bytes(const beam_walk *w); /* of memory */

static inline uint32_t beam_walk_node(const beam_walk *w, uint32_t item)
{
    return w->backwards ? w->m->n_nodes - 1 - item : item;
}

/*
 * Move an item that is ready; take back one that has moved and none of whose
 * followers has.  O(uses + edges), each with O(log nodes) where a key changes;
 * backwards also the consumers of each buffer that comes or ceases to be alive.
 */
void beam_walk_do(beam_walk *w, uint32_t item);
void beam_walk_undo(beam_walk *w, uint32_t item);

/* Usage of the step that the ready item of this key stands for.  O(1) without in-place pairs. */
uint64_t beam_walk_usage(const beam_walk *w, hw_key key);

#endif
