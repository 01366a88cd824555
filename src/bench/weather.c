/* When to doubt a time.  See weather.h. */
#include "bench/weather.h"

#include <inttypes.h>
#include <stdio.h>

/* A clock read costs some 20 ns, a call out of cold caches some microseconds. */
static const double shortest_seconds = 20e-6;
/* Others may have so much of all processors, and a host so much of the time. */
static const double most_of_others = 0.1, most_stolen = 0.02;
static const double spare_load = 0.5; /* a process now and then is no matter */

void hw_weather_begin(hw_weather *w, unsigned jobs)
{
    *w = (hw_weather){.cores = hw_machine_cores(),
                      .jobs = jobs,
                      .begun = hw_wall_seconds(),
                      .load_before = hw_machine_load(),
                      .times_before = hw_machine_times_now(),
                      .own_before = hw_machine_cpu_own()};
}

void hw_weather_note_run(hw_weather *w, const hw_run *run)
{
    w->short_runs +=
        run->repeats.known && run->repeats.value == 1 && run->wall_seconds < shortest_seconds;
}

bool hw_weather_due(const hw_weather *w)
{
    return hw_wall_seconds() - w->looked >= HW_WEATHER_SECONDS;
}

/* Processors that others kept busy, and the share of the time that a host took; 0: unknown. */
static void look_around(const hw_weather *w, double seconds, double cpu, double *others,
                        double *stolen)
{
    hw_machine_times now = hw_machine_times_now();
    *others = *stolen = 0;
    if (!now.known || !w->times_before.known || seconds <= 0)
        return;
    double own = hw_machine_cpu_own() + cpu - w->own_before;
    *others = (now.busy - w->times_before.busy - own) / seconds;
    *stolen = (now.stolen - w->times_before.stolen) / seconds / w->cores;
}

static bool has(hw_weather *w, hw_weather_kind kind, bool condition)
{
    bool fresh = condition && !w->told[kind];
    w->told[kind] = w->told[kind] || fresh;
    return fresh;
}

bool hw_weather_look(hw_weather *w, double cpu, bool last, char sentence[HW_WEATHER_TEXT])
{
    double now = hw_wall_seconds(), seconds = now - w->begun, others, stolen;
    bool counts = seconds >= HW_WEATHER_SECONDS;
    w->looked = now;
    look_around(w, seconds, cpu, &others, &stolen);
    if (has(w, HW_WEATHER_JOBS, w->jobs > w->cores))
        (void)snprintf(sentence, HW_WEATHER_TEXT,
                       "%u jobs share %u processors: their times are too long; -j %u or less "
                       "measures",
                       w->jobs, w->cores, w->cores);
    else if (has(w, HW_WEATHER_BEFORE, counts && w->load_before + w->jobs > w->cores + spare_load))
        (void)snprintf(sentence, HW_WEATHER_TEXT,
                       "%.1f processes were at work when it began, on %u processors: times may be "
                       "too long",
                       w->load_before, w->cores);
    else if (has(w, HW_WEATHER_OTHERS,
                 counts && others + w->jobs > w->cores * (1 + most_of_others)))
        (void)snprintf(sentence, HW_WEATHER_TEXT,
                       "other work keeps %.1f of %u processors busy: times may be too long", others,
                       w->cores);
    else if (has(w, HW_WEATHER_STOLEN, counts && stolen > most_stolen))
        (void)snprintf(sentence, HW_WEATHER_TEXT,
                       "the host of this virtual machine takes %.0f %% of its time: wall times are "
                       "too long, CPU times less so",
                       100 * stolen);
    else if (has(w, HW_WEATHER_POWER, counts && hw_machine_saves_power()))
        (void)snprintf(sentence, HW_WEATHER_TEXT,
                       "the processors save power (governor powersave), so their speed varies: "
                       "choose performance");
    else if (has(w, HW_WEATHER_SHORT, last && w->short_runs > 0))
        (void)snprintf(sentence, HW_WEATHER_TEXT,
                       "%" PRIu64
                       " calls took less than %.0f us and were made once: measure-for in "
                       "the suite repeats such calls",
                       w->short_runs, shortest_seconds * 1e6);
    else
        return false;
    return true;
}
