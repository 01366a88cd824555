/*
 * A graph as XLA's schedulers see it, and the walk that two of them share.
 *
 * XLA schedules the instructions of one computation (HLO).  A node is an
 * instruction and its outputs are the values that the instruction defines.
 * What HLO has and a graph here has not is put in as follows:
 *
 *   HLO                              here
 *   parameter, constant: an          the tensor without a producer; xla_list.c
 *   instruction without operands     gives each its turn in the ready queue
 *   users(): instructions that name  nodes that read an output, each once,
 *   the instruction as an operand    whichever outputs they read
 *   one result; several go through   a node's outputs are read directly
 *   tuple and get-tuple-element
 *   control predecessors             control edges, locks and must-in-place
 *                                    edges; one that is also a data edge is
 *                                    taken as a data edge alone
 *   the root: what the computation   the producer of the one output; of several
 *   returns, a tuple of several      outputs a tuple is imagined: no node, but
 *                                    one more user of what it holds, after all
 *                                    others; of no output, no root
 *   the order of instructions        source order
 *   names, which are unique          source positions (names may repeat)
 *   channels, scalars in registers,  nothing: not part of the model
 *   infeed and outfeed
 *
 * Source: XLA (OpenXLA), xla/hlo/ir/hlo_computation.cc and hlo_instruction.cc.
 */
#ifndef HW_SOLVERS_XLA_GRAPH_H
#define HW_SOLVERS_XLA_GRAPH_H

#include "core/heap.h"
#include "solve/solver.h"

typedef struct hw_xla_graph {
    const hw_graph *g;
    uint32_t *users;  /* by node: how many, the imagined tuple among them       */
    uint32_t *n_data; /* by node: the predecessors that it reads from, which are
                         the first of its row of g->preds; NULL: all of the row */
    uint32_t *held;   /* what the root reads: producers of outputs, in the order
                         of tensors, each once; of one output the root itself   */
    uint32_t n_held;
    bool tuple; /* the root is the imagined one */
} hw_xla_graph;

/* O(nodes + tensors + edges).  HW_NO_MEMORY; one that failed to open may be closed. */
hw_code hw_xla_open(hw_xla_graph *x, const hw_graph *g, hw_error *err);
void hw_xla_close(hw_xla_graph *x);

static inline uint32_t hw_xla_data_preds(const hw_xla_graph *x, uint32_t v)
{
    const uint32_t *offset = x->g->preds.offset;
    return x->n_data ? x->n_data[v] : offset[v + 1] - offset[v];
}

/*
 * A walk from the sinks up; after each start, all that leads to it is placed.
 * Where a node leads on is up to key: see below.
 */
typedef struct hw_xla_walk {
    const hw_xla_graph *x;
    hw_meter *meter;
    uint32_t *order; /* what has been placed, `placed` of it              */
    uint32_t placed;
    const hw_key *key; /* by node, the node itself in the low bits; NULL    */
    hw_key *room;      /* with key: for the keys of the longest row         */
    bool *seen;        /* by node                                           */
    uint32_t *stack;   /* nodes to visit, and with HW_HEAP_IN nodes to place */
    bool over;         /* a limit ended it                                  */
} hw_xla_walk;

/*
 * An empty walk into order[], for graphs of up to HW_HEAP_MOST nodes.
 * HW_NO_MEMORY; one that failed to open may be closed.
 */
hw_code hw_xla_walk_open(hw_xla_walk *w, const hw_xla_graph *x, hw_meter *meter, uint32_t *order,
                         hw_error *err);
void hw_xla_walk_close(hw_xla_walk *w);

/*
 * Depth first from v: place the predecessors of each node, then the node.
 * Without key first those that only control it, from the last in the row to
 * the first, then those it reads, from the first to the last; with key all
 * together, the least key first.  Counts a step for every node placed.  No
 * recursion.  O(nodes + edges) for all calls, with key
 * O(nodes + edges log(inputs of a node)).
 */
void hw_xla_walk_from(hw_xla_walk *w, uint32_t v);

/* Sort nodes by key, the greatest first; room for `count` keys. */
void hw_xla_sort_down(uint32_t *node, uint32_t count, const hw_key *key, hw_key *room);

/*
 * The post-order of HLO (MakeInstructionPostOrder) into w->order, which has no
 * key: from every node without users, in source order, then from the root.
 */
void hw_xla_post_order(hw_xla_walk *w);

/*
 * The schedulers.  Each fills order[0 .. n_nodes), legal under windows too, or
 * sets *over, when the meter ended it early.  HW_NO_MEMORY; HW_USAGE (list).
 */
typedef hw_code (*hw_xla_scheduler)(const hw_model *m, hw_meter *meter, uint32_t *order, bool *over,
                                    hw_error *err);
hw_code hw_xla_list(const hw_model *m, hw_meter *meter, uint32_t *order, bool *over, hw_error *err);
hw_code hw_xla_dfs(const hw_model *m, hw_meter *meter, uint32_t *order, bool *over, hw_error *err);
hw_code hw_xla_postorder(const hw_model *m, hw_meter *meter, uint32_t *order, bool *over,
                         hw_error *err);

/* One of them as a solver: run, measured, handed over. */
hw_code hw_xla_solve(const hw_model *m, const hw_request *request, hw_xla_scheduler scheduler,
                     hw_answer *answer, hw_error *err);

#endif
