/* Effort and limits of one run.  See solver.h. */
#include <stdatomic.h>
#include <string.h>
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
    /* Of numbers above 0 the bits are in the same order. */
    static _Atomic uint64_t latest;
    double now = read_clock(CLOCK_MONOTONIC);
    uint64_t bits, before = atomic_load(&latest);
    memcpy(&bits, &now, sizeof bits);
    while (bits > before)
        if (atomic_compare_exchange_weak(&latest, &before, bits))
            return now;
    memcpy(&now, &before, sizeof now);
    return now;
}

double hw_cpu_seconds(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* No later than a limit, a pause, or the next look of the run around this one. */
static void set_next_look(hw_meter *meter)
{
    const hw_request *r = meter->request;
    uint64_t next = meter->states + meter->look_every;
    if (r->limits.states && r->limits.states < next)
        next = r->limits.states;
    if (r->pause && r->pause->at < next)
        next = r->pause->at;
    if (r->outer) {
        const hw_meter *o = r->outer;
        uint64_t left = o->check_at > o->states ? o->check_at - o->states : 0;
        if (left < next - meter->states)
            next = meter->states + left;
    }
    meter->check_at = next;
}

void hw_meter_start(hw_meter *meter, const hw_request *request)
{
    *meter = (hw_meter){
        .request = request, .start_seconds = hw_wall_seconds(), .look_every = LOOK_EVERY_STATES};
    if (request->watch && !request->watch->meter)
        request->watch->meter = meter;
    set_next_look(meter);
}

void hw_meter_look_every(hw_meter *meter, uint64_t states)
{
    meter->look_every = states ? states : 1;
    set_next_look(meter);
}

void hw_meter_pass_on(hw_meter *meter)
{
    hw_meter *outer = meter->request->outer;
    if (!outer)
        return;
    uint64_t more = meter->states - meter->passed_on;
    if (meter->request->watch)
        meter->request->watch->passed += more;
    meter->passed_on = meter->states;
    if (hw_meter_count(outer, more))
        meter->over = true;
}

void hw_meter_end(hw_meter *meter)
{
    hw_watch *watch = meter->request->watch;
    hw_meter_pass_on(meter);
    if (!watch || watch->meter != meter)
        return;
    watch->states += meter->states;
    watch->meter = NULL;
}

bool hw_meter_past(const hw_meter *meter)
{
    const hw_request *r = meter->request;
    return (r->stop && *r->stop) ||
           (r->limits.seconds > 0 &&
            hw_wall_seconds() - meter->start_seconds >= r->limits.seconds) ||
           (r->outer && hw_meter_past(r->outer));
}

bool hw_meter_look(hw_meter *meter)
{
    const hw_request *r = meter->request;
    hw_meter_pass_on(meter);
    if (r->pause && meter->states >= r->pause->at)
        r->pause->wait(r->pause, meter->states);
    if (r->limits.states && meter->states >= r->limits.states)
        meter->over = true;
    if (hw_meter_past(meter))
        meter->over = true;
    set_next_look(meter);
    return meter->over;
}
