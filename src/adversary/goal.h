/*
 * What the adversary wants of a graph, and how well a graph meets it.
 *
 * Every figure comes from hw_solve(), so that the independent checker has seen
 * every order, and an optimum counts only where it is proven.
 */
#ifndef HW_ADVERSARY_GOAL_H
#define HW_ADVERSARY_GOAL_H

#include "core/ratio.h"
#include "core/rng.h"
#include "solve/solver.h"

typedef enum hw_goal_kind {
    HW_GOAL_GAP,     /* peak of the solver / optimum            */
    HW_GOAL_AGAINST, /* peak of the solver / peak of another    */
    HW_GOAL_HARD     /* states that the solver counts, over 1   */
} hw_goal_kind;

typedef struct hw_goal {
    hw_goal_kind kind;
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_solver_row *other; /* AGAINST: the other one; GAP: who proves the optimum */
    hw_param_value other_values[HW_PARAM_LIMIT];
    hw_accounting accounting;
    bool pin_inputs;
    hw_limits limits; /* of each run: states, if ratings are to be repeatable */
    uint64_t seed;    /* of solvers that draw at random */
    const volatile sig_atomic_t *stop;
} hw_goal;

typedef struct hw_rating {
    bool counts;        /* false: a solver refused the graph or had no order, or the optimum was
                           not proven within the limits, or hw_goal.stop was set */
    hw_ratio ratio;     /* what is to be made great */
    uint64_t peak;      /* of the solver   */
    uint64_t reference; /* optimum, or peak of the other; HARD: 0 */
    uint64_t states;    /* of the solver   */
} hw_rating;

/*
 * A goal from solver specs ("NAME" or "NAME:param=value,..."), alloc-first,
 * without limits.  `against` NULL: the optimum, by `exact`.  HARD: pass
 * `hard`; the solver must be an exact one.  HW_USAGE: unknown solver or
 * parameter, a bound (it has no order), `hard` with a heuristic or with
 * `against`.
 */
hw_code hw_goal_parse(const char *solver, const char *against, bool hard, hw_goal *out,
                      hw_error *err);

/*
 * Rate a graph.  HW_NO_MEMORY, HW_INTERNAL (a solver's order failed its check),
 * HW_BAD_INPUT (with pinned inputs: see hw_model_new()).
 */
hw_code hw_goal_rate(const hw_goal *goal, const hw_graph *g, hw_rating *out, hw_error *err);

/* The same where the model is at hand; its accounting and pinning count. */
hw_code hw_goal_rate_model(const hw_goal *goal, const hw_model *m, hw_rating *out, hw_error *err);

#endif
