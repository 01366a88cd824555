/* The machine, as far as measuring times needs it.  Linux; elsewhere: unknown. */
#ifndef HW_BENCH_MACHINE_H
#define HW_BENCH_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Processors that this process may use; at least 1. */
unsigned hw_machine_cores(void);

/* Seconds that all processors together were busy, and that a host took from them. */
typedef struct hw_machine_times {
    bool known;
    double busy, stolen;
} hw_machine_times;
hw_machine_times hw_machine_times_now(void);

/* Processes that ran or waited to run, averaged over a minute; negative: unknown. */
double hw_machine_load(void);

/* CPU seconds of a process and of its children that have ended; 0: unknown. */
double hw_machine_cpu_of(pid_t pid);

/* CPU seconds of this process and of its children that have ended. */
double hw_machine_cpu_own(void);

/* Processors are kept slow to save power (the governor "powersave" of cpufreq). */
bool hw_machine_saves_power(void);

/* Processes that the system has killed because its memory ran out; 0: none, unknown. */
uint64_t hw_machine_starved(void);

#endif
