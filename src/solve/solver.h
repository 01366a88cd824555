/*
 * The one interface of all solvers: a row in a table, a request, an answer.
 *
 * A solver sees a model and a request and fills an answer.  Around it,
 * hw_solve() (driver.c) settles what is common to all: empty graphs, windows
 * that no order fits, budgets, bounds, time, and the passage of every order
 * through the independent checker.
 */
#ifndef HW_SOLVE_SOLVER_H
#define HW_SOLVE_SOLVER_H

#include <signal.h>
#include <stdio.h>

#include "core/params.h"
#include "model/model.h"

typedef enum hw_status {                 /* MODEL §5 */
                         HW_UNKNOWN = 0, /* no order that fits is in hand and nothing is proven */
                         HW_FEASIBLE,    /* an order, not proven best                           */
                         HW_OPTIMAL,     /* an order, proven best                               */
                         HW_INFEASIBLE,  /* proven: no order is legal, or none within budget    */
                         HW_STALLED      /* only greedy-listing: its loop would never finish    */
} hw_status;

const char *hw_status_name(hw_status status);

/* What became of the proof that request.proof asks for. */
typedef enum hw_proof_state {
    HW_PROOF_NONE = 0, /* nothing was written: nothing settled, or none was asked for */
    HW_PROOF_COMPLETE, /* the whole proof of the bound that settles the answer        */
    HW_PROOF_CUT       /* a limit ended the writing, or the stream failed (ferror() tells,
                          with the message in err); the answer itself stands */
} hw_proof_state;

/* Limits; 0: none.  States are what `list` says the solver counts. */
typedef struct hw_limits {
    uint64_t states;
    double seconds;
    uint64_t memory_bytes;
} hw_limits;

typedef struct hw_request {
    const hw_param_value *params; /* in the order of the solver's rows */
    hw_limits limits;
    bool has_budget;
    uint64_t budget_bytes;             /* tensors alone, no resident part */
    uint64_t seed;                     /* for solvers that draw at random */
    uint32_t threads;                  /* may work at once; 0 as 1: one; never changes an answer */
    const volatile sig_atomic_t *stop; /* non-zero: stop soon; NULL: never */

    /*
     * Where a solver with `proves` in its row writes why its answer is optimal
     * or infeasible (highwater-proof(5)); NULL: nowhere.  The limits hold for
     * the writing anew, counted apart from the search.
     */
    FILE *proof;

    /* Called at each better order or bound (ticks are states); NULL: none. */
    void (*trace)(void *context, uint64_t states, double seconds, uint64_t peak, uint64_t bound);
    void *trace_context;
} hw_request;

typedef struct hw_answer {
    hw_status status;
    bool has_order;
    uint32_t *order; /* n_nodes node indices, allocated by the caller */
    uint64_t peak;   /* of `order`; set by the solver, checked by the driver */
    bool has_bound;
    uint64_t bound; /* no order has a smaller peak */
    uint64_t states;
    bool has_orders;    /* enumerate: */
    uint64_t orders;    /* topological orders visited or counted */
    bool limit_reached; /* a limit or the stop flag ended the search */
    hw_proof_state proof;
    double seconds;     /* wall time of the call; set by the driver  */
    double cpu_seconds; /* CPU time of the call; set by the driver   */
} hw_answer;

/* What a solver claims to be. */
typedef enum hw_solver_kind {
    HW_SOLVER_HEURISTIC, /* an order, nothing proven */
    HW_SOLVER_EXACT,     /* proves its optimum       */
    HW_SOLVER_BOUND      /* a lower bound, no order  */
} hw_solver_kind;

typedef hw_code (*hw_solve_function)(const hw_model *m, const hw_request *request,
                                     hw_answer *answer, hw_error *err);

typedef struct hw_solver_row {
    const char *name;
    hw_solver_kind kind;
    bool random;         /* the answer depends on the seed                 */
    bool budget_aware;   /* looks at the budget itself                     */
    bool proves;         /* writes proofs (request.proof)                  */
    uint32_t most_nodes; /* refuses larger graphs; 0: any                  */
    const char *counts;  /* what one state is ("steps", "down-sets", ...)  */
    const hw_param_row *params;
    size_t n_params;
    const char *help;   /* one line                         */
    const char *source; /* paper, year, DOI or "this project" */
    hw_solve_function solve;
} hw_solver_row;

/* All rows, in the order of solvers/registry.c. */
extern const hw_solver_row *const hw_solvers[];
extern const size_t hw_n_solvers;

/* The row named by the first `length` bytes of name, or NULL. */
const hw_solver_row *hw_solver_find(const char *name, size_t length);

/*
 * Parse "NAME" or "NAME:param=value,...": the row and its values, values[]
 * having HW_PARAM_LIMIT slots.  HW_USAGE with the nearest name.
 */
hw_code hw_solver_parse(const char *spec, const hw_solver_row **row, hw_param_value *values,
                        hw_error *err);

/*
 * Run a solver.  The answer's order is allocated here and released by
 * hw_answer_clear().  HW_INTERNAL: the order is illegal or its peak differs
 * from the checker's; a dump for a bug report is named in the message.
 * HW_USAGE: graph larger than the solver takes.  HW_NO_MEMORY.
 */
hw_code hw_solve(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                 hw_answer *answer, hw_error *err);
void hw_answer_clear(hw_answer *answer);

/*
 * A lower bound of the peak of m that was proven elsewhere: into the answer of
 * hw_solve(), with what follows for its status (optimal where peak and bound
 * meet, infeasible where the bound exceeds the budget).  HW_INTERNAL: the
 * order's peak is below the bound; a dump is named in the message.
 */
hw_code hw_answer_raise_bound(const hw_model *m, const hw_solver_row *row,
                              const hw_request *request, hw_answer *answer, uint64_t bound,
                              hw_error *err);

/* ---- For solvers: effort and limits. ---- */

/* A meter of one run; on the solver's stack. */
typedef struct hw_meter {
    const hw_request *request;
    double start_seconds;
    uint64_t states;
    uint64_t check_at; /* look at clock and stop flag when states reach this */
    bool over;
} hw_meter;

double hw_wall_seconds(void); /* monotonic clock */
double hw_cpu_seconds(void);  /* CPU time of this process */

void hw_meter_start(hw_meter *meter, const hw_request *request);
bool hw_meter_look(hw_meter *meter);

/*
 * For work that counts no states, between two looks: is the time over, or the
 * stop flag set?  Changes nothing, so threads may share the meter.
 */
bool hw_meter_past(const hw_meter *meter);

/*
 * Count `states` more; true when a limit is reached or a stop was asked for.
 * State limits are exact and deterministic; clock and stop flag are looked at
 * every few thousand states.
 */
static inline bool hw_meter_count(hw_meter *meter, uint64_t states)
{
    meter->states += states;
    return meter->states >= meter->check_at ? hw_meter_look(meter) : meter->over;
}

/* Keep `order` as the answer if it is better than what stands there. */
bool hw_answer_improve(const hw_model *m, hw_answer *answer, const uint32_t *order, uint64_t peak);

#endif
