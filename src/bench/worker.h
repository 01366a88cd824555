/* A worker: a process that runs one unit and reports through a pipe. */
#ifndef HW_BENCH_WORKER_H
#define HW_BENCH_WORKER_H

#include <signal.h>
#include <sys/types.h>

#include "bench/unit.h"

/* What the parent knows about a unit that is at work or waits to be written. */
typedef struct hw_unit_state {
    size_t unit; /* in the plan */
    const hw_suite_section *section;
    hw_instance_facts facts;
    hw_run *run;   /* one a solver of the section         */
    bool *kept;    /* the run stood in the file before    */
    size_t n_open; /* runs without an outcome            */
    bool busy;     /* a worker still refers to the state */
} hw_unit_state;

enum { HW_WORKER_REPORTS = 8 };

typedef struct hw_worker {
    hw_unit_state *state; /* NULL: the slot is free */
    pid_t pid;
    int pipe; /* read end */
    bool killed, running;
    uint32_t solver; /* the run that began last, when `running` */
    double deadline; /* hw_wall_seconds(); 0: none              */
    size_t filled;
    unsigned char buffer[HW_WORKER_REPORTS * sizeof(hw_report)];
} hw_worker;

/*
 * Fork, with a pipe from the child to the parent.  *pid is 0 in the child, and
 * *end the end of the pipe that is the caller's own; the other is closed.  HW_IO.
 */
hw_code hw_worker_fork(pid_t *pid, int *end, hw_error *err);

/* In the child: what a terminal's Ctrl-C means is the parent's to decide, whose death ends it. */
void hw_worker_set_signals(void);

/*
 * The same in a child that can be asked to end: *flag, for hw_request.stop, is
 * set by SIGTERM.
 */
const volatile sig_atomic_t *hw_worker_heed_end(void);

/*
 * End such a child and wait for it: asked first, so that nothing that a solver
 * keeps on disk stays there, and killed half a second later.
 */
void hw_worker_end(pid_t pid);

/* Start a process on the open runs of `state`.  HW_IO. */
hw_code hw_worker_start(hw_worker *w, const hw_suite *suite, hw_unit_state *state, hw_error *err);

/*
 * Take what its pipe holds into the state.  *ended becomes true once the
 * process is gone: the run in which it died, or the next one, then has its
 * outcome, so that every process settles one run at least.
 */
void hw_worker_read(hw_worker *w, bool *ended);

/* Kill a worker whose run is over its time. */
void hw_worker_check_deadline(hw_worker *w, double now);

/* Kill it at once, keep nothing, free the slot. */
void hw_worker_abandon(hw_worker *w);

#endif
