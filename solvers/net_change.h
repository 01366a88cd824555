/*
 * The state of forward greedy rules: every node's net change, always fresh.
 *
 * The net change of v after prefix S is live(S + v) - live(S) = new(v) -
 * dead(v) - freed(v|S).  Only freed changes while S grows, and only when a
 * buffer is left with one consumer u: from then on u frees it.  A buffer keeps
 * the XOR of its remaining consumers, so u is at hand when their number falls
 * to one.  Each buffer changes one key once: O(uses) changes in all.
 *
 * A key is one 128-bit number, smaller is better:
 *
 *     2^127 + net change * net_unit - longest path from v * path_unit + v
 *
 * Under the plain rule net_unit = 2^62 and path_unit = 2^31: net change first
 * (below 2^64 in size, so no sum of sizes overflows), then the longer path
 * (below 2^31 nodes), then the source position (below 2^31).
 */
#ifndef HW_SOLVERS_NET_CHANGE_H
#define HW_SOLVERS_NET_CHANGE_H

#include "solvers/ready.h"

#define HW_NET_BIAS      ((hw_key)1 << 127)
#define HW_NET_UNIT      ((hw_key)1 << 62)
#define HW_NET_PATH_UNIT ((hw_key)1 << HW_HEAP_ITEM_BITS)

typedef struct hw_net_buffer {
    uint64_t size;
    uint32_t left; /* consumers yet to run  */
    uint32_t last; /* the XOR of their indices */
} hw_net_buffer;

typedef struct hw_net {
    const hw_model *m;
    hw_net_buffer *buffer;
    hw_key *key;       /* by node; not kept up to date while in the heap */
    uint32_t *waiting; /* predecessors yet to run, or the place in the heap */
    hw_heap ready;
    hw_gate gate;
} hw_net;

/*
 * The state before the first step, ready nodes in the heap.  path[v] is the
 * longest path from v; it is not kept.  O((nodes + edges) log nodes).
 * HW_NO_MEMORY; a state that failed to open may be closed.
 */
hw_code hw_net_open(hw_net *s, const hw_model *m, const uint32_t *path, hw_key net_unit,
                    hw_key path_unit, hw_error *err);
void hw_net_close(hw_net *s);

/* reuse(S, v) of the current prefix. */
uint64_t hw_net_reuse(const hw_net *s, uint32_t v);

/* The net change in a plain key, as a wrapped number (see hw_sim_net). */
static inline uint64_t hw_net_of_key(hw_key key)
{
    /* The path takes off less than one unit, and at least a little. */
    return (uint64_t)((key - HW_NET_BIAS) >> 62) + 1;
}

/* Account for v, which has just left the heap.  net_unit as at opening. */
static inline void hw_net_run(hw_net *s, hw_key net_unit, uint32_t v)
{
    const hw_rows *uses = &s->m->uses, *succs = &s->m->graph->succs;
    for (uint32_t i = uses->offset[v]; i < uses->offset[v + 1]; i++) {
        hw_net_buffer *b = &s->buffer[uses->item[i]];
        b->last ^= v;
        if (--b->left != 1)
            continue;
        hw_key gain = b->size * net_unit;
        if (hw_heap_holds(&s->ready, b->last))
            hw_heap_lower(&s->ready, hw_heap_key(&s->ready, b->last) - gain);
        else
            s->key[b->last] -= gain;
    }
    for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++)
        if (--s->waiting[succs->item[i]] == 0)
            hw_heap_push(&s->ready, s->key[succs->item[i]]);
}

#endif
