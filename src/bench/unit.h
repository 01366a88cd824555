/*
 * One unit of a suite: making its instance and running its solvers, in the
 * process of the caller.  What happens is reported step by step, so that a
 * parent knows how far a worker came that dies.
 */
#ifndef HW_BENCH_UNIT_H
#define HW_BENCH_UNIT_H

#include "bench/record.h"
#include "bench/suite.h"
#include "io/io.h"

typedef enum hw_fate {
    HW_FATE_OPEN = 0, /* not run yet                                */
    HW_FATE_ANSWERED, /* by an order, or by a status without one     */
    HW_FATE_REFUSED,  /* the solver takes no such graph             */
    HW_FATE_LEFT_OUT, /* the suite wants no graphs so large: no line */
    HW_FATE_FAILED,   /* an error, also while making the instance   */
    HW_FATE_INVALID,  /* the checker disagrees: a bug in the solver */
    HW_FATE_CRASHED,  /* the worker died                            */
    HW_FATE_TIMEOUT,  /* the worker was killed after its time       */
    HW_FATE_NO_MEMORY /* memory ran out                             */
} hw_fate;

enum { HW_RUN_MESSAGE_BYTES = 256, HW_FEATURES_TEXT = 96 };

/* What is known about one run; plain bytes, fit for a pipe. */
typedef struct hw_run {
    hw_fate fate;
    hw_status status;
    hw_maybe_u64 peak, checked_peak, bound, states, orders, memory_bytes;
    bool limit_reached;
    double wall_seconds, cpu_seconds; /* of one call; negative: unknown */
    hw_maybe_u64 repeats;             /* calls that were averaged       */
    char message[HW_RUN_MESSAGE_BYTES];
} hw_run;

typedef struct hw_instance_facts {
    bool known;
    char hash[HW_HASH_TEXT];
    char features[HW_FEATURES_TEXT]; /* hw_features_text() */
    uint32_t n_nodes, n_edges, n_tensors;
} hw_instance_facts;

typedef enum hw_report_kind {
    HW_REPORT_INSTANCE, /* facts                              */
    HW_REPORT_START,    /* solver: a run begins               */
    HW_REPORT_RUN       /* solver, run: a run has its outcome */
} hw_report_kind;

/* Small enough that a pipe takes it whole (PIPE_BUF). */
typedef struct hw_report {
    hw_report_kind kind;
    uint32_t solver; /* position in the section */
    hw_instance_facts facts;
    hw_run run;
} hw_report;

typedef bool (*hw_report_function)(void *context, const hw_report *report);

/*
 * Run the solvers i of the unit for which run[i].fate is open, as
 * hw_plan_solvers() orders them, but solver `first` before all (HW_NONE: none).
 * `report` returns false to stop.  Every open run gets an outcome; nothing
 * fails.  Time is measured around the solver's call, the mean of enough calls
 * to measure; memory is the resident peak of this process during the first.
 */
void hw_unit_run(const hw_suite *suite, size_t unit, const hw_run *run, uint32_t first,
                 hw_report_function report, void *context);

/* What becomes of a run whose solver fails with `code`; row NULL: it was not begun. */
hw_fate hw_fate_of(const hw_solver_row *row, hw_code code);

/* What is said of a run that its CPU time has ended. */
void hw_cpu_message(double seconds, char message[HW_RUN_MESSAGE_BYTES]);

/* "layered:n=8#3 under alloc-first, inputs pinned", cut to size. */
void hw_unit_name(const hw_suite *suite, const hw_suite_unit *unit, char *text, size_t size);

/*
 * What the runs of one unit say together: the optimum, who proved it, the
 * largest bound; or in what they contradict each other.
 */
typedef struct hw_unit_verdict {
    hw_maybe_u64 optimum, best_bound;
    size_t optimum_by; /* position of the solver */
    bool conflict;
    char message[HW_RUN_MESSAGE_BYTES];
} hw_unit_verdict;

hw_unit_verdict hw_unit_judge(const hw_suite_section *section, const hw_run *run);

/*
 * What of the model beyond nodes and tensors a graph uses, joined by "+":
 * inputs, constants, workspace, inplace, must-inplace, views, control, locks,
 * windows; "" for a plain graph.  O(nodes + tensors).
 */
void hw_features_text(const hw_graph *g, char text[HW_FEATURES_TEXT]);

/* The status of a run, as results write it. */
const char *hw_run_status(const hw_run *run);

/* What judging needs of a line of results: fate, status, peaks and bound. */
hw_run hw_run_of_record(const hw_record *r);

#endif
