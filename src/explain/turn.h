/*
 * The wrong turn of an order: the first step after which a target, say the
 * optimum, is out of reach whatever runs later.
 *
 * A prefix of the order is *reachable* when its own steps keep to the target
 * and some legal completion of it does.  This falls only once along the order:
 * where the prefix of i + 1 nodes has a completion, that of i nodes has one
 * too, namely step i and then that completion.  So the last reachable prefix is
 * found by halving, each question by the solver `exact` on what is left to run
 * after that prefix (slice.h), with all its reductions.
 */
#ifndef HW_EXPLAIN_TURN_H
#define HW_EXPLAIN_TURN_H

#include "solve/solver.h"

/* Exact when lost == kept + 1; else a limit came first and the truth lies between. */
typedef struct hw_turn {
    uint32_t kept;   /* nodes of the longest prefix known to be reachable                     */
    uint32_t lost;   /* nodes of the shortest known not to be; n + 1: the order keeps to it   */
    uint64_t states; /* counted by the solver over all questions */
} hw_turn;

/*
 * order[out->kept] is the wrong turn where out->lost == out->kept + 1 <= n.
 * Both orders are legal ones of all nodes; `witness` keeps to the target (the
 * order of an optimum), else HW_USAGE.  completion[0 .. n), the caller's,
 * becomes a legal order within the target whose first out->kept nodes are those
 * of `order`: what should have run, from completion[out->kept] on.
 *
 * limits, threads and stop of `request` hold for the whole search.  A question
 * that they leave open is asked again closer to the ends, where less is left to
 * decide.  HW_NO_MEMORY.  Exponential in the worst case.
 */
hw_code hw_turn_find(const hw_model *m, const uint32_t *order, const uint32_t *witness,
                     uint64_t target, const hw_request *request, hw_turn *out, uint32_t *completion,
                     hw_error *err);

/*
 * The least peak of the orders that begin with the first `at` nodes of
 * `order`: at most *peak, which has an order, and at least *bound; equal where
 * it is proven.  HW_NO_MEMORY.
 */
hw_code hw_turn_least(const hw_model *m, const uint32_t *order, uint32_t at,
                      const hw_request *request, uint64_t *peak, uint64_t *bound, hw_error *err);

#endif
