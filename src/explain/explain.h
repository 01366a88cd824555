/*
 * Why a solver's order has the peak that it has: the optimum beside it, the
 * step at which the optimum was lost, and what is held at the peak.
 */
#ifndef HW_EXPLAIN_EXPLAIN_H
#define HW_EXPLAIN_EXPLAIN_H

#include "traits/features.h"
#include "explain/turn.h"
#include "model/log.h"

typedef struct hw_explain_solver {
    const hw_solver_row *row; /* NULL: none */
    hw_param_value values[HW_PARAM_LIMIT];
} hw_explain_solver;

typedef struct hw_explain_ask {
    hw_explain_solver solver;  /* whose order is explained                       */
    hw_explain_solver against; /* whose peak is the target; row NULL: the optimum */
    hw_explain_solver prover;  /* who proves the optimum                          */
    hw_request request;        /* limits of each part, seed, threads, stop        */
} hw_explain_ask;

/* What a target is. */
typedef enum hw_explain_target {
    HW_TARGET_OPTIMUM, /* the least peak, proven           */
    HW_TARGET_KNOWN,   /* the least peak that is known     */
    HW_TARGET_AGAINST  /* the peak of the solver `against` */
} hw_explain_target;

/* A node that could run at the wrong turn. */
typedef struct hw_explain_choice {
    uint32_t node;
    uint64_t usage; /* of its step */
    uint64_t net;   /* live after less live before; wrapped, see hw_sim_net() */
} hw_explain_choice;

/* A storage in memory at the peak of the solver's order. */
typedef struct hw_explain_held {
    const hw_lifetime *life;  /* in the solver's order                              */
    const hw_lifetime *other; /* in the other order                                 */
    bool held_there;          /* while the other order runs the node of that peak */
} hw_explain_held;

typedef struct hw_explanation {
    const hw_model *m; /* the caller's */
    bool has_best;     /* some order is known                                */
    bool proven;       /* best == bound: it is the optimum                   */
    bool has_order;    /* the solver has one; else target and below are void */
    bool has_turn;     /* the wrong turn is exact: step turn.kept            */

    hw_answer solver, against, prover; /* `against` is empty where none was asked for */
    uint64_t best;                     /* the least peak of the orders that are known */
    uint64_t bound;                    /* no order has less                           */
    hw_features features; /* of the graph, of the two orders and of the wrong turn, as far as
                             these are known; NaN else */

    hw_explain_target target;
    uint32_t n_choices; /* of `choice` */
    uint64_t target_bytes;
    hw_turn turn;    /* of the solver's order; turn.lost > n: it keeps to the target      */
    uint32_t *other; /* an order within the target: one that shares turn.kept nodes with it, or,
                        where it keeps to the target itself, that of the target's solver */
    hw_log *log, *other_log;

    /* With has_turn: */
    uint64_t live_turn; /* live before the wrong turn */
    hw_explain_choice wrong, right;
    hw_explain_choice *choice;   /* all nodes that could run, by net change, then node    */
    uint64_t after, after_bound; /* the least peak after the wrong turn: known, proven */

    hw_explain_held *held;    /* n_held of them, by size, the largest first      */
    uint64_t held_bytes;      /* their sum                                       */
    uint64_t elsewhere_bytes; /* of them, what the other order does not hold there */
    int64_t other_step;       /* of the other order that runs the node of the peak;
                                 -1: the peak stands before step 0 */
    uint32_t n_held;
} hw_explanation;

/*
 * Explain.  A solver without an order (stalled, infeasible, a limit) is an
 * explanation too, with has_order false.  The order of `other` begins as the
 * solver's does and leaves it at the wrong turn.  HW_USAGE: a solver refuses
 * the graph; HW_NO_MEMORY; HW_INTERNAL: an order fails its check.  Released by
 * hw_explanation_clear().
 */
hw_code hw_explain(const hw_model *m, const hw_explain_ask *ask, hw_explanation *out,
                   hw_error *err);
void hw_explanation_clear(hw_explanation *x);

/* Does the solver's order keep to the target? */
static inline bool hw_explain_keeps(const hw_explanation *x)
{
    return x->turn.lost > x->m->n_nodes;
}

#endif
