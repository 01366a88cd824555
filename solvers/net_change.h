/*
 * The state of forward greedy rules: every node's net change, always fresh.
 *
 * The net change of v after prefix S is live(S + v) - live(S) = new(v) -
 * dead(v) - freed(v|S).  Only freed changes while S grows, and only when a
 * buffer is left with one consumer u: from then on u frees it.  A buffer keeps
 * the XOR of its remaining consumers, so u is at hand when their number falls
 * to one: its key falls if it is ready; the key of a node that is not ready yet
 * is found when it becomes so.  O(uses) for all keys, and at most one change a
 * buffer.
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
    uint32_t left; /* consumers yet to run       */
    uint32_t last; /* the XOR of their positions */
} hw_net_buffer;

typedef struct hw_net {
    const hw_model *m;
    hw_net_buffer *buffer;
    uint32_t *path;    /* longest path from each node, in nodes            */
    uint32_t *waiting; /* predecessors yet to run, or the place in the heap */
    uint32_t *scratch; /* room for the buffers or the successors of a node  */
    hw_heap ready;
    hw_gate gate;
} hw_net;

/*
 * Lay out the state, longest paths found, nothing ready yet; hw_net_prime()
 * then fills the heap for the empty prefix.  O(nodes + edges).  HW_NO_MEMORY;
 * a state that failed to open may be closed.
 */
hw_code hw_net_open(hw_net *s, const hw_model *m, hw_error *err);
void hw_net_prime(hw_net *s, hw_key net_unit, hw_key path_unit);
void hw_net_close(hw_net *s);

/* The n_buffers buffers before the first step: all consumers left. */
void hw_net_lay_buffers(const hw_model *m, hw_net_buffer *buffer);

/* reuse(S, v) of the current prefix. */
uint64_t hw_net_reuse(const hw_net *s, uint32_t v);

/* The net change in a plain key, as a wrapped number (see hw_sim_net). */
static inline uint64_t hw_net_of_key(hw_key key)
{
    /* The path takes off less than one unit, and at least a little. */
    return (uint64_t)((key - HW_NET_BIAS) >> 62) + 1;
}

/* The key of a node that is ready. */
static inline hw_key hw_net_key(const hw_net *s, hw_key net_unit, hw_key path_unit, uint32_t v)
{
    const hw_model *m = s->m;
    uint64_t freed = 0;
    for (uint32_t i = m->uses.offset[v], end = m->uses.offset[v + 1]; i < end; i++) {
        uint32_t b = m->uses.item[i];
        freed += m->buffer_size[b] & -(uint64_t)(s->buffer[b].left == 1);
    }
    hw_key grown = (m->new_bytes[v] - m->dead_bytes[v]) * net_unit;
    return HW_NET_BIAS + grown - freed * net_unit - s->path[v] * path_unit + v;
}

/*
 * Account for v, which has just left the heap, with a hole in its place if
 * `hole` is set.  The units as at the start.
 *
 * Which buffers reach one consumer and which nodes become ready is as good as
 * random: both are first collected without a branch, then dealt with.
 */
static inline void hw_net_run(hw_net *s, hw_key net_unit, hw_key path_unit, uint32_t v, bool hole)
{
    const hw_rows *uses = &s->m->uses, *succs = &s->m->graph->succs;
    uint32_t *found = s->scratch, count = 0, *waiting = s->waiting;
    hw_net_buffer *buffer = s->buffer;
    for (uint32_t i = uses->offset[v], end = uses->offset[v + 1]; i < end; i++) {
        uint32_t b = uses->item[i], left = buffer[b].left - 1;
        buffer[b] = (hw_net_buffer){left, buffer[b].last ^ v};
        found[count] = b;
        count += left == 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = found[i], u = buffer[b].last;
        if (hw_heap_holds(&s->ready, u))
            hw_heap_lower(&s->ready, hw_heap_key(&s->ready, u) - s->m->buffer_size[b] * net_unit);
    }
    count = 0;
    for (uint32_t i = succs->offset[v], end = succs->offset[v + 1]; i < end; i++) {
        uint32_t u = succs->item[i], left = waiting[u] - 1;
        waiting[u] = left;
        found[count] = u;
        count += left == 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        hw_key key = hw_net_key(s, net_unit, path_unit, found[i]);
        if (hole && i == 0)
            hw_heap_fill(&s->ready, key);
        else
            hw_heap_push(&s->ready, key);
    }
    if (hole && count == 0)
        hw_heap_close(&s->ready);
}

/* Run v, which is in the heap, under the plain rule. */
static inline void hw_net_apply(hw_net *s, uint32_t v)
{
    hw_heap_remove(&s->ready, v);
    hw_gate_pass(&s->gate, v);
    hw_net_run(s, HW_NET_UNIT, HW_NET_PATH_UNIT, v, false);
}

/* Take back the last step, which hw_net_apply() made; `key` was its node's before. */
static inline void hw_net_undo(hw_net *s, hw_key key)
{
    uint32_t v = hw_key_item(key);
    const hw_rows *uses = &s->m->uses, *succs = &s->m->graph->succs;
    for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++) {
        uint32_t u = succs->item[i];
        if (hw_heap_holds(&s->ready, u))
            hw_heap_remove(&s->ready, u); /* leaves 0 predecessors to go */
        s->waiting[u]++;
    }
    for (uint32_t i = uses->offset[v]; i < uses->offset[v + 1]; i++) {
        uint32_t b = uses->item[i], u = s->buffer[b].last;
        if (s->buffer[b].left == 1 && hw_heap_holds(&s->ready, u))
            hw_heap_raise(&s->ready,
                          hw_heap_key(&s->ready, u) + s->m->buffer_size[b] * HW_NET_UNIT);
        s->buffer[b] = (hw_net_buffer){s->buffer[b].left + 1, u ^ v};
    }
    hw_heap_push(&s->ready, key);
    hw_gate_back(&s->gate, v);
}

#endif
