/* A limit of seconds, as an outer limit beside states. */
#ifndef HW_ARENA_CLOCK_H
#define HW_ARENA_CLOCK_H

#include <stdbool.h>
#include <time.h>

typedef struct hw_clock {
    struct timespec start;
    double seconds; /* 0: no limit */
} hw_clock;

static inline double hw_clock_elapsed(const hw_clock *c)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - c->start.tv_sec) + (double)(now.tv_nsec - c->start.tv_nsec) / 1e9;
}

static inline hw_clock hw_clock_start(double seconds)
{
    hw_clock c = {.seconds = seconds};
    clock_gettime(CLOCK_MONOTONIC, &c.start);
    return c;
}

static inline bool hw_clock_over(const hw_clock *c)
{
    return c->seconds > 0 && hw_clock_elapsed(c) >= c->seconds;
}

#endif
