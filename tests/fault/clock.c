/*
 * Clocks that jump.  See fault.h.
 *
 * The wall clock leaps to and fro by a day at each look, always: nothing may
 * hang on it.  The k-th look at the monotonic clock is an hour late (a machine
 * that slept), or a second early (one whose clock is broken), as asked.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "fault.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long day(void)
{
    static atomic_long looks;
    return atomic_fetch_add(&looks, 1) % 2 ? 86400 : -86400;
}

int clock_gettime(clockid_t clock, struct timespec *at)
{
    long status = syscall(SYS_clock_gettime, clock, at);
    fault_shared *s = fault_state;
    if (!s || status != 0 || s->clock_step == 0)
        return (int)status;
    if (clock == CLOCK_REALTIME)
        at->tv_sec += day();
    static atomic_long late;
    if (clock == CLOCK_MONOTONIC) {
        if (fault_due())
            atomic_fetch_add(&late, s->clock_step);
        at->tv_sec += atomic_load(&late);
    }
    return 0;
}

time_t time(time_t *at)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *at, void *zone)
{
    struct timespec now;
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *at = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
