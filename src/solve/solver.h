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

#ifdef __cplusplus
extern "C" {
#endif

/* What an answer is (highwater-model(7)). */
typedef enum hw_status {
    HW_UNKNOWN = 0, /* no order that fits is in hand and nothing is proven */
    HW_FEASIBLE,    /* an order, not proven best                           */
    HW_OPTIMAL,     /* an order, proven best                               */
    HW_INFEASIBLE,  /* proven: no order is legal, or none within budget    */
    HW_STALLED      /* only greedy-listing: its loop would never finish    */
} hw_status;

/* "optimal" and so on, as commands and results have it; static. */
const char *hw_status_name(hw_status status);

/* What became of the proof that request.proof asks for. */
typedef enum hw_proof_state {
    HW_PROOF_NONE = 0, /* nothing was written: nothing settled, or none was asked for */
    HW_PROOF_COMPLETE, /* the whole proof of the bound that settles the answer        */
    HW_PROOF_CUT       /* a limit ended the writing, or the stream failed (ferror() tells,
                          with the message in err); the answer itself stands */
} hw_proof_state;

/* Limits; 0: none.  States, the ticks of a run, are what `list` says the solver counts. */
typedef struct hw_limits {
    uint64_t states;       /* deterministic                           */
    double seconds;        /* of wall time                            */
    uint64_t memory_bytes; /* of the tables that a search makes       */
} hw_limits;

/* How a run stands: at each better order or bound. */
typedef struct hw_progress {
    uint64_t states; /* counted so far             */
    double seconds;  /* since the call             */
    bool has_order;  /* `peak` is known            */
    uint64_t peak;   /* of the best order so far    */
    uint64_t bound;  /* no order has a smaller peak */
} hw_progress;

/* Where a run waits until it may go on; see session.h. */
typedef struct hw_pause {
    uint64_t at; /* waits as soon as it has counted so many states */
    void (*wait)(struct hw_pause *pause, uint64_t states); /* returns when it may go on */
} hw_pause;

typedef struct hw_meter hw_meter;

/* What is asked of a solver; all zeros but params: its best, without limits. */
typedef struct hw_request {
    const hw_param_value *params; /* in the order of the solver's rows */
    hw_limits limits;             /* end the search                     */
    bool has_budget;              /* an order within budget_bytes will do */
    uint64_t budget_bytes;        /* of all but the constants         */
    uint64_t seed;                /* for solvers that draw at random */

    /*
     * A legal order to begin with, n_nodes entries; NULL: none.  Solvers that
     * improve orders begin with it in place of their own; a solver that only
     * makes one pays no heed to it.
     */
    const uint32_t *start;
    uint32_t threads;                  /* may work at once; 0 as 1: one; never changes an answer */
    const volatile sig_atomic_t *stop; /* non-zero: stop soon; NULL: never */

    /*
     * Where a solver with `proves` in its row writes why its answer is optimal
     * or infeasible (highwater-proof(5)); NULL: nowhere.  The limits hold for
     * the writing anew, counted apart from the search.
     */
    FILE *proof;

    /* Called by hw_answer_improve() and hw_answer_bound(), perhaps in a thread
     * of the run's; NULL: nothing is. */
    void (*trace)(void *context, const hw_progress *progress);
    void *trace_context;

    hw_pause *pause; /* NULL: never waits */

    /* Set by hw_solve() and hw_solve_inside(). */
    hw_meter *outer;        /* of the run that this one is a part of; NULL: none */
    struct hw_watch *watch; /* NULL: nobody listens */
} hw_request;

/* What a solver found, released by hw_answer_clear(). */
typedef struct hw_answer {
    hw_status status;       /* what is proven */
    bool has_order;         /* order and peak are there */
    uint32_t *order;        /* n_nodes node indices, allocated by the caller */
    uint64_t peak;          /* of `order`; set by the solver, checked by the driver */
    bool has_bound;         /* bound is known */
    uint64_t bound;         /* no order has a smaller peak */
    uint64_t states;        /* counted as effort */
    bool has_orders;        /* enumerate: */
    uint64_t orders;        /* topological orders visited or counted */
    bool limit_reached;     /* a limit or the stop flag ended the search */
    hw_proof_state proof;   /* what became of request.proof */
    double seconds;         /* wall time of the call; set by the driver  */
    double cpu_seconds;     /* CPU time of the call; set by the driver, to which a foreign solver
                                   gives that of its program */
    uint64_t program_bytes; /* resident peak of that program; 0: none was run */

    struct hw_watch *watch; /* who hears of orders and bounds; NULL: nobody */
} hw_answer;

/* What stands behind request.watch and answer.watch, during one call. */
typedef struct hw_watch {
    const hw_request *request; /* of the call */
    double start_seconds;      /* when it began, by hw_wall_seconds() */
    hw_meter *meter;           /* the first one started; NULL: none runs */
    uint64_t states;           /* counted by meters that have ended      */
    uint64_t passed;           /* states that meters have passed on */
    hw_answer *outer;          /* takes every better order and bound     */
} hw_watch;

/* What a solver claims to be. */
typedef enum hw_solver_kind {
    HW_SOLVER_HEURISTIC, /* an order, nothing proven */
    HW_SOLVER_EXACT,     /* proves its optimum       */
    HW_SOLVER_BOUND      /* a lower bound, no order  */
} hw_solver_kind;

/*
 * Fill an answer; what holds for every solver is done around it by hw_solve().
 * Errors as of hw_solve().
 */
typedef hw_code (*hw_solve_function)(const hw_model *m, const hw_request *request,
                                     hw_answer *answer, hw_error *err);

/* A solver: a static row. */
typedef struct hw_solver_row {
    const char *name;           /* as commands and suites name it                 */
    hw_solver_kind kind;        /* what it claims to find                         */
    bool random;                /* the answer depends on the seed                 */
    bool budget_aware;          /* looks at the budget itself                     */
    bool proves;                /* writes proofs (request.proof)                  */
    bool foreign;               /* runs a program of the user's: see foreign.h    */
    uint32_t most_nodes;        /* refuses larger graphs; 0: any                  */
    const char *counts;         /* what one state is ("steps", "down-sets", ...)  */
    const hw_param_row *params; /* n_params of them */
    size_t n_params;            /* how many */
    const char *help;           /* one line                         */
    const char *source;         /* paper, year, DOI or "this project" */
    hw_solve_function solve;    /* called by hw_solve() alone */
} hw_solver_row;

/* All rows, in the order of solvers/registry.c. */
extern const hw_solver_row *const hw_solvers[];
extern const size_t hw_n_solvers; /* how many */

/* The row named by the first `length` bytes of name, or NULL. */
const hw_solver_row *hw_solver_find(const char *name, size_t length);

/*
 * Parse "NAME" or "NAME:param=value,...": the row and its values, values[]
 * having HW_PARAM_LIMIT slots.  HW_USAGE with the nearest name.
 */
hw_code hw_solver_parse(const char *spec, const hw_solver_row **row, hw_param_value *values,
                        hw_error *err);

/* HW_USAGE: m has more nodes than the solver takes. */
hw_code hw_solver_takes(const hw_solver_row *row, const hw_model *m, hw_error *err);

/*
 * Run a solver: one of the table, or any other row that the caller has filled
 * in, whose name, kind and solve() are enough.  A row outside the table is not
 * known to hw_solver_find() and hw_solver_parse(), and so to nothing that takes
 * a name; everything that takes a row takes it.  request->params are values of
 * its own rows, by hw_params_preset() or hw_params_of_spec(), and may be NULL
 * where it has none.
 *
 * The answer's order is allocated here and released by hw_answer_clear().
 * HW_INTERNAL: the order is illegal or its peak differs from the checker's; a
 * dump for a bug report is named in the message.  HW_USAGE: graph larger than
 * the solver takes.  HW_NO_MEMORY.  Of a foreign solver: what foreign.h says.
 */
hw_code hw_solve(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                 hw_answer *answer, hw_error *err);

/* Release its order. */
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

/*
 * Another order in place of the answer's, as good by what the caller wants: of
 * a peak that may be larger where there is a budget, and then no longer
 * optimal.  Fails as hw_answer_raise_bound().
 */
hw_code hw_answer_replace(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                          hw_answer *answer, const uint32_t *order, hw_error *err);

/* ---- For solvers: effort and limits. ---- */

/*
 * A meter of one run; on the solver's stack.  One that ends before the run
 * does, with orders to come, says so by hw_meter_end().
 */
struct hw_meter {
    const hw_request *request; /* whose limits count */
    double start_seconds;      /* of the call, by hw_wall_seconds() */
    uint64_t states;           /* counted so far */
    uint64_t passed_on;        /* of them, to the meter of the run around this one */
    uint64_t check_at;         /* look at clock and stop flag when states reach this */
    uint64_t look_every;       /* states between two looks: fewer where one takes long */
    bool over;                 /* a limit was reached, or a stop was asked for */
};

double hw_wall_seconds(void); /* monotonic clock; one that goes back stands still */
double hw_cpu_seconds(void);  /* CPU time of this process */

/* Begin to count for a request, from now on. */
void hw_meter_start(hw_meter *meter, const hw_request *request);

/* Look at limits, clock and stop flag now; true: the run is over. */
bool hw_meter_look(hw_meter *meter);

/* Look at the clock every so many states from now on: fewer where one takes long. */
void hw_meter_look_every(hw_meter *meter, uint64_t states);

/* The end of counting, before the run's own; what was counted is passed on. */
void hw_meter_end(hw_meter *meter);
void hw_meter_pass_on(hw_meter *meter); /* what it has counted, to the run around its own */

/*
 * For work that counts no states, between two looks: is the time over, or the
 * stop flag set?  Changes nothing, so threads may share the meter.
 */
bool hw_meter_past(const hw_meter *meter);

/*
 * Count `states` more; true when a limit is reached or a stop was asked for.
 * State limits are exact and deterministic; clock and stop flag are looked at
 * every few thousand states, or as often as hw_meter_look_every() says.
 */
static inline bool hw_meter_count(hw_meter *meter, uint64_t states)
{
    meter->states += states;
    return meter->states >= meter->check_at ? hw_meter_look(meter) : meter->over;
}

/*
 * Keep `order` as the answer if it is better than what stands there, and let
 * whoever listens know.  True if it is.  O(n).
 */
bool hw_answer_improve(const hw_model *m, hw_answer *answer, const uint32_t *order, uint64_t peak);

/* The same for a lower bound that is proven. */
bool hw_answer_bound(const hw_model *m, hw_answer *answer, uint64_t bound);

/* request->start, if there is one, into the answer.  O(n + uses).  HW_NO_MEMORY. */
hw_code hw_answer_start(const hw_model *m, const hw_request *request, hw_answer *answer,
                        hw_error *err);

/*
 * Run the solver of `spec` as a part of the run that `meter` and `request`
 * belong to, at most `limits` of its own; it begins with the answer's order, if
 * there is one.  Its states are counted by `meter`, which ends it too; every
 * better order and bound goes into `answer` as soon as it is found.  What came of it is in *inner
 * (NULL: not wanted), without an order.  A solver that refuses the graph changes nothing: *inner is
 * unknown. HW_NO_MEMORY; what the solver fails with.
 */
hw_code hw_solve_inside(const hw_model *m, const char *spec, const hw_limits *limits,
                        hw_meter *meter, const hw_request *request, hw_answer *answer,
                        hw_answer *inner, hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
