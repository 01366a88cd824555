/*
 * Hard limits around a run, in the process that makes it: CPU time and memory.
 *
 * What its solver is told to keep (hw_limits) it may overlook, or overlook for
 * long; these are kept by the system.  Linux.
 */
#ifndef HW_BENCH_CAGE_H
#define HW_BENCH_CAGE_H

#include <sys/resource.h>

#include "bench/suite.h"

typedef struct hw_cage {
    double cpu_limit, cpu_from; /* 0: none */
    bool cpu_set, data_set;     /* soft limits that were lowered */
    struct rlimit cpu, data;    /* as they were                  */
} hw_cage;

/*
 * Begin: after limits->cpu_seconds of CPU time of all threads the process is
 * ended by SIGPROF (programs that it runs: by SIGXCPU, a second later at
 * most); what it maps beyond limits->memory_kill_bytes it does not get.
 */
void hw_cage_enter(hw_cage *cage, const hw_suite_limits *limits);

/* End; true: this process and the programs that it ran used the CPU time up. */
bool hw_cage_leave(hw_cage *cage);

/* The process ended by signal `number` was ended by its CPU time. */
bool hw_cage_ended_by(int number);

#endif
