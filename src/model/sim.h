/*
 * The fast simulator: live bytes and peak of a growing prefix, step by step.
 *
 * State is one counter a buffer (consumers yet to run).  A step costs O(uses
 * of the node), with undo at the same cost.  The independent checker
 * (check.h) computes the same from the definitions.
 */
#ifndef HW_MODEL_SIM_H
#define HW_MODEL_SIM_H

#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A prefix, as it has run so far; released by hw_sim_free(). */
typedef struct hw_sim {
    const hw_model *model; /* the caller's, must outlive the simulator */
    uint32_t *left;        /* consumers yet to run, by buffer */
    uint64_t live;         /* live(S)                         */
    uint64_t peak;         /* greatest usage so far, at least live(empty) */
    int64_t peak_step;     /* first step that reached it; -1: before step 0 */
    uint32_t steps;        /* |S| */
} hw_sim;

/* Begin with the empty prefix.  HW_NO_MEMORY.  O(buffers). */
hw_code hw_sim_init(hw_sim *s, const hw_model *m, hw_error *err);
void hw_sim_reset(hw_sim *s); /* back to the empty prefix */
void hw_sim_free(hw_sim *s);  /* release its counters */

/* reuse(S, v) of the current prefix; for nodes with in-place pairs. */
uint64_t hw_sim_reuse(const hw_sim *s, uint32_t v);

/* Usage of running v next; the prefix stays as it is.  O(uses of v). */
static inline uint64_t hw_sim_usage(const hw_sim *s, uint32_t v)
{
    const hw_model *m = s->model;
    uint64_t usage = s->live + m->new_bytes[v] + hw_workspace(m, v);
    if (m->accounting == HW_ALLOC_FIRST)
        return m->reuse_offset ? usage - hw_sim_reuse(s, v) : usage;
    for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++) {
        uint32_t b = m->uses.item[i];
        if (s->left[b] == 1)
            usage -= m->buffer_size[b];
    }
    return usage;
}

/* Run v: its predecessors must have run.  Returns the usage.  O(uses of v). */
static inline uint64_t hw_sim_step(hw_sim *s, uint32_t v)
{
    const hw_model *m = s->model;
    uint64_t freed = 0, usage = s->live + m->new_bytes[v] + hw_workspace(m, v);
    if (m->reuse_offset)
        usage -= hw_sim_reuse(s, v);
    for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++) {
        uint32_t b = m->uses.item[i];
        if (--s->left[b] == 0)
            freed += m->buffer_size[b];
    }
    s->live += m->new_bytes[v] - m->dead_bytes[v] - freed;
    if (m->accounting == HW_FREE_FIRST)
        usage -= freed;
    if (usage > s->peak) {
        s->peak = usage;
        s->peak_step = (int64_t)s->steps;
    }
    s->steps++;
    return usage;
}

/*
 * Take back the last step, which ran v; the caller gives back the peak and
 * its step as they stood before.  O(uses of v).
 */
static inline void hw_sim_undo(hw_sim *s, uint32_t v, uint64_t peak_before,
                               int64_t peak_step_before)
{
    const hw_model *m = s->model;
    uint64_t freed = 0;
    for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++) {
        uint32_t b = m->uses.item[i];
        if (s->left[b]++ == 0)
            freed += m->buffer_size[b];
    }
    s->live -= m->new_bytes[v] - m->dead_bytes[v] - freed;
    s->peak = peak_before;
    s->peak_step = peak_step_before;
    s->steps--;
}

/*
 * The net change live(S + v) - live(S), as a wrapped unsigned number: cast to
 * int64_t it is right whenever its magnitude is below 2^63.
 */
static inline uint64_t hw_sim_net(const hw_sim *s, uint32_t v)
{
    const hw_model *m = s->model;
    uint64_t net = m->new_bytes[v] - m->dead_bytes[v];
    for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++) {
        uint32_t b = m->uses.item[i];
        if (s->left[b] == 1)
            net -= m->buffer_size[b];
    }
    return net;
}

/* Peak of a legal order of all nodes.  O(nodes + uses).  HW_NO_MEMORY. */
hw_code hw_peak(const hw_model *m, const uint32_t *order, uint64_t *peak, hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
