/*
 * The workers of a sweep: processes that run units, watched by their parent.
 *
 * A worker takes one unit after the other.  What it is about and what came out
 * stands on its desks, in memory that it shares with the parent, so that a run
 * costs the parent nothing and what a dying worker has settled is not lost.
 * Through pipes go numbers of desks: to the worker to begin, back when done.
 *
 * A worker that dies in a run leaves the blame to that run, if it was the
 * first of its process.  Otherwise another may have broken the process, so the
 * run is made again, first in a fresh one.  Runs ended for their time are not.
 */
#ifndef HW_BENCH_CREW_H
#define HW_BENCH_CREW_H

#include <stdatomic.h>
#include <sys/types.h>

#include "bench/unit.h"

/* What the parent knows about a unit that is at work or waits to be written. */
typedef struct hw_unit_state {
    size_t unit; /* in the plan */
    const hw_suite_section *section;
    hw_instance_facts facts;
    hw_run *run;     /* one a solver of the section                   */
    bool *kept;      /* the run stood in the file before              */
    size_t n_open;   /* runs without an outcome                       */
    size_t n_told;   /* so many were open when that was last told     */
    bool only_facts; /* the instance is to be made, though no run is open */
    bool seen;       /* a worker has come to its end, or died on it   */
    bool busy;       /* a worker still refers to the state            */
    bool again;      /* a worker died on it: the next begins with ... */
    uint32_t first;  /* ... this run, or HW_NONE: making the instance */
    double seconds;  /* that a worker spent on it                     */
} hw_unit_state;

typedef struct hw_desk {
    size_t unit;
    uint32_t first;
    hw_instance_facts facts;
    atomic_bool made;     /* `facts` are whole                             */
    atomic_bool begun;    /* the worker has looked at it                   */
    atomic_uint running;  /* the run that goes on, 1 + its solver; 0: none */
    _Atomic double since; /* hw_wall_seconds() when it began, or the unit  */
    _Atomic double begin; /* the same of the unit                          */
    hw_run run[];         /* of the solvers                                */
} hw_desk;

enum { HW_DESKS = 2 }; /* one at work, one that is ready for the worker */

typedef struct hw_worker {
    pid_t pid; /* 0: there is none */
    int orders, reports;
    hw_desk *desk[HW_DESKS];     /* shared                              */
    atomic_bool *done[HW_DESKS]; /* shared: desk[d]->run[i] is whole */
    unsigned char *memory;       /* of both */
    size_t memory_bytes;
    uint64_t starved; /* processes that the system had ended for want of memory when it began */
    hw_unit_state *state[HW_DESKS]; /* what they are about; NULL: free      */
    unsigned at;                    /* the desk that is at work, or is next */
    uint64_t settled;               /* units that this process has finished */
    bool killed;                    /* for its time ...                     */
    uint32_t killed_in;             /* ... in the run 1 + solver; 0: making the instance */
} hw_worker;

/* Memory for a worker's desks, room for `most` solvers each.  HW_NO_MEMORY. */
hw_code hw_worker_equip(hw_worker *w, size_t most, hw_error *err);
void hw_worker_release(hw_worker *w);

/* How many units the worker has. */
unsigned hw_worker_load(const hw_worker *w);

/*
 * Give it a unit to run, starting its process if there is none; it must have a
 * free desk.  `close_file`: a file that the process shall not keep open; or
 * -1.  HW_IO: no process can be started.
 */
hw_code hw_worker_give(hw_worker *w, const hw_suite *suite, hw_unit_state *state, int close_file,
                       hw_error *err);

/*
 * After poll() says that w->reports can be read: take what is finished into
 * its state.  *back is a unit that the worker had and does not have any more,
 * perhaps with runs open, or NULL; call again while it is not.
 */
void hw_worker_take(hw_worker *w, hw_unit_state **back);

/* Kill it when its run is over its time, or what it has left when it is dead. */
void hw_worker_watch(hw_worker *w, double now);

/* CPU seconds of its process so far; 0: there is none. */
double hw_worker_cpu(const hw_worker *w);

/* Kill it at once; of what it was doing nothing stays but the time. */
void hw_worker_abandon(hw_worker *w);

#endif
