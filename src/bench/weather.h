/*
 * What makes the times of a sweep doubtful: more jobs than processors, other
 * work on the machine, a host that takes time away, a governor that saves
 * power, calls too short to be timed.
 */
#ifndef HW_BENCH_WEATHER_H
#define HW_BENCH_WEATHER_H

#include "bench/machine.h"
#include "bench/unit.h"

/* Sweeps shorter than this hear nothing of the machine: their times are nobody's measurement. */
#define HW_WEATHER_SECONDS 10.0

enum { HW_WEATHER_TEXT = 256 };

typedef enum hw_weather_kind {
    HW_WEATHER_JOBS,   /* more jobs than processors: told at once */
    HW_WEATHER_BEFORE, /* the machine was busy when it began      */
    HW_WEATHER_OTHERS, /* and while it went on                    */
    HW_WEATHER_STOLEN, /* the host of a virtual machine took time */
    HW_WEATHER_POWER,
    HW_WEATHER_SHORT, /* told at the end */
    HW_N_WEATHER
} hw_weather_kind;

typedef struct hw_weather {
    unsigned cores, jobs;
    double begun, looked; /* hw_wall_seconds() */
    double load_before;
    hw_machine_times times_before;
    double own_before;
    uint64_t short_runs;
    bool told[HW_N_WEATHER];
} hw_weather;

void hw_weather_begin(hw_weather *w, unsigned jobs);

/* A run that was made once and took less than can be timed is counted. */
void hw_weather_note_run(hw_weather *w, const hw_run *run);

/* It is time to look: at the beginning, and every now and then. */
bool hw_weather_due(const hw_weather *w);

/*
 * The next sentence to be told; false: there is none (more).  `cpu` are the
 * CPU seconds of children that have not ended; `last`: the sweep is over.
 */
bool hw_weather_look(hw_weather *w, double cpu, bool last, char sentence[HW_WEATHER_TEXT]);

#endif
