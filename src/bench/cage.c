/* Hard limits around a run.  See cage.h. */
#include "bench/cage.h"

#include <math.h>
#include <signal.h>
#include <sys/time.h>

#include "bench/resident.h"

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* CPU seconds of this process; with those of its children that have ended. */
static double cpu_now(bool children)
{
    struct rusage own, others;
    double seconds = 0;
    if (getrusage(RUSAGE_SELF, &own) == 0)
        seconds += seconds_of(own.ru_utime) + seconds_of(own.ru_stime);
    if (children && getrusage(RUSAGE_CHILDREN, &others) == 0)
        seconds += seconds_of(others.ru_utime) + seconds_of(others.ru_stime);
    return seconds;
}

static void set_timer(double seconds)
{
    double whole = floor(seconds);
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)((seconds - whole) * 1e6)}};
    (void)setitimer(ITIMER_PROF, &timer, NULL);
}

/* Lower a soft limit to `value`, if it is higher; *before is as it was. */
static bool lower(int resource, rlim_t value, struct rlimit *before)
{
    if (getrlimit(resource, before) != 0 ||
        (before->rlim_cur != RLIM_INFINITY && before->rlim_cur <= value))
        return false;
    struct rlimit lowered = {.rlim_cur = value, .rlim_max = before->rlim_max};
    return setrlimit(resource, &lowered) == 0;
}

void hw_cage_enter(hw_cage *cage, const hw_suite_limits *limits)
{
    const double most = 1e9; /* seconds that fit every field */
    *cage = (hw_cage){.cpu_limit = limits->cpu_seconds};
    if (cage->cpu_limit > 0 && cage->cpu_limit < most) {
        cage->cpu_from = cpu_now(true);
        /* Whole seconds, and programs that the solver runs inherit it. */
        cage->cpu_set =
            lower(RLIMIT_CPU, (rlim_t)(cpu_now(false) + cage->cpu_limit) + 1, &cage->cpu);
        set_timer(cage->cpu_limit);
    }
    hw_maybe_u64 data = {false, 0};
    if (limits->memory_kill_bytes)
        data = hw_data_bytes();
    if (data.known && limits->memory_kill_bytes < UINT64_MAX - data.value)
        cage->data_set =
            lower(RLIMIT_DATA, (rlim_t)(data.value + limits->memory_kill_bytes), &cage->data);
}

bool hw_cage_leave(hw_cage *cage)
{
    if (cage->cpu_limit > 0)
        set_timer(0);
    if (cage->cpu_set)
        (void)setrlimit(RLIMIT_CPU, &cage->cpu);
    if (cage->data_set)
        (void)setrlimit(RLIMIT_DATA, &cage->data);
    return cage->cpu_limit > 0 && cpu_now(true) - cage->cpu_from >= cage->cpu_limit;
}

bool hw_cage_ended_by(int number)
{
    return number == SIGPROF || number == SIGXCPU;
}
