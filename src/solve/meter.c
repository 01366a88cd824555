/* Effort and limits of one run.  See solver.h. */
#include <time.h>

#include "solve/solver.h"

enum { LOOK_EVERY_STATES = 4096 };

static double read_clock(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0)
        return 0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double hw_wall_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double hw_cpu_seconds(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static void set_next_look(hw_meter *meter)
{
    uint64_t limit = meter->request->limits.states;
    meter->check_at = meter->states + LOOK_EVERY_STATES;
    if (limit && limit < meter->check_at)
        meter->check_at = limit;
}

void hw_meter_start(hw_meter *meter, const hw_request *request)
{
    *meter = (hw_meter){.request = request, .start_seconds = hw_wall_seconds()};
    set_next_look(meter);
}

bool hw_meter_past(const hw_meter *meter)
{
    const hw_request *r = meter->request;
    return (r->stop && *r->stop) ||
           (r->limits.seconds > 0 && hw_wall_seconds() - meter->start_seconds >= r->limits.seconds);
}

bool hw_meter_look(hw_meter *meter)
{
    const hw_request *r = meter->request;
    if (r->limits.states && meter->states >= r->limits.states)
        meter->over = true;
    if (hw_meter_past(meter))
        meter->over = true;
    set_next_look(meter);
    return meter->over;
}
