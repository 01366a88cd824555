/*
 * Maximum flow in a network that is laid anew for every question.
 *
 * Vertex 0 is the source, vertex 1 the sink.  Arc a and arc a ^ 1 are each
 * other's reverse; after hw_flow_max() room[] holds the residual network, from
 * which minimum cuts can be read.
 */
#ifndef HW_MODEL_FLOW_H
#define HW_MODEL_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hw_flow {
    uint32_t n_vertices, n_arcs;
    uint32_t *head; /* first arc of a vertex, HW_NONE: none */
    uint32_t *to, *next;
    uint64_t *room;
    uint32_t *current, *level, *queue; /* work space: vertices */
    uint64_t steps;                    /* arcs looked at, over all questions         */
    uint64_t most_steps;               /* where to stop; hw_flow_init(): UINT64_MAX  */
} hw_flow;

/* Room for so many vertices and arcs (an arc counts once).  False: no memory. */
bool hw_flow_init(hw_flow *f, size_t vertices, size_t arcs);
void hw_flow_free(hw_flow *f);

/* Back to the source and the sink alone. */
void hw_flow_clear(hw_flow *f);
uint32_t hw_flow_vertex(hw_flow *f); /* add a vertex */
void hw_flow_arc(hw_flow *f, uint32_t from, uint32_t to, uint64_t room);

/*
 * The value of a maximum flow, which the arcs out of the source must bound
 * below 2^64.  Dinic 1970, without recursion.  When hw_flow_over() is true
 * afterwards, the flow may be a smaller one.
 */
uint64_t hw_flow_max(hw_flow *f);

/* The steps are used up: a function of the questions alone, on every machine. */
static inline bool hw_flow_over(const hw_flow *f)
{
    return f->steps >= f->most_steps;
}

#endif
