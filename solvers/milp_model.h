/*
 * The order of least peak as an integer program.
 *
 * Source: the idea of OLLA and MODeL (Steiner et al., 2022, arXiv 2210.12924),
 * whose program also places tensors; this one is of the order alone, and knows
 * storages, kept and dead outputs, workspace, in-place choices, windows and
 * both accountings.  Nothing of the model is left out: hw_model has already
 * folded views, constants, pinned inputs, locks and control edges into
 * buffers, bytes of nodes and edges.
 *
 * With t steps done (0 .. n):
 *
 *   y_v_t  in {0, 1}   v is among the first t steps
 *   L_b_t  in [0, 1]   buffer b is alive
 *   r_i_t  in [0, 1]   in-place pair i is used by step t (alloc-first)
 *   P                  the peak, minimised; at least live(empty)
 *
 *   sum_v y_v_t = t,   y_v_t <= y_v_{t+1},   y_w_{t+1} <= y_v_t on edges v -> w
 *   L_b_t >= y_maker_t - y_u_t               for every consumer u of b
 *   r_i_t <= y_v_{t+1} - y_v_t               v, the node of the pair, is step t
 *   r_i_t <= y_u_{t+1}                       other consumers of its buffer ran
 *   sum of r_i_t over the pairs of one buffer, or of one output: at most 1
 *   P >= usage of step t                     (model.h), for t = 0 .. n - 1
 *
 * Once all y are whole, the least L is the life of the buffer, and the best r
 * the best matching of buffers and outputs, whose polytope is integral: so only
 * y is declared whole.  Positions that ancestors, descendants or windows rule
 * out are constants, not columns.  All bytes are divided by their greatest
 * common divisor, the unit of P.
 *
 * Size: O(n^2 + n buffers) columns, O(n (edges + uses)) rows.
 */
#ifndef HW_SOLVERS_MILP_MODEL_H
#define HW_SOLVERS_MILP_MODEL_H

#include "io/linear.h"
#include "solve/solver.h"

/* Graphs of more nodes are refused: their program would not fit into memory. */
enum { MILP_MOST_NODES = 2000 };

typedef struct milp_model {
    const hw_model *model; /* the caller's */
    hw_linear *program;
    uint64_t unit_bytes; /* of the objective                                        */
    uint64_t most_units; /* all bytes that may ever be alive, in that unit          */
    size_t peak;         /* column */
    uint32_t *earliest;  /* positions that a node may take, both included */
    uint32_t *latest;
    size_t *first; /* column of y_v_t: first[v] + t - earliest[v] - 1, for
                      earliest[v] < t <= latest[v] */
} milp_model;

/*
 * Build the program of m, released by milp_model_free().  HW_USAGE: more than
 * MILP_MOST_NODES nodes, or bytes that, even in the common unit, pass 2^53 and
 * so the arithmetic of the programs that read the file.  HW_BAD_INPUT: no order
 * fits the windows, or no nodes.  HW_NO_MEMORY.
 */
hw_code milp_model_new(const hw_model *m, milp_model **out, hw_error *err);

/* The same; HW_LIMIT: the time of the meter was over before the end. */
hw_code milp_model_in_time(const hw_model *m, const hw_meter *meter, milp_model **out,
                           hw_error *err);
void milp_model_free(milp_model *p);

/*
 * The order that values of the columns stand for, into order[n_nodes].
 * HW_INTERNAL: they are not those of an order.  O(n^2).
 */
hw_code milp_model_order(const milp_model *p, const double *value, uint32_t *order, hw_error *err);

#endif
