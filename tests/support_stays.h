/*
 * A small simulator that works from the definitions alone, for tests of what an
 * order is without some storages, or with a node that runs twice: every storage
 * is a list of stays, each from a step to a step.  Slow.
 */
#ifndef HW_TESTS_SUPPORT_STAYS_H
#define HW_TESTS_SUPPORT_STAYS_H

#include "advise/gaps.h"

enum { STAYS_STEPS = 64, STAYS_MOST = 1024 };

/* In memory from the moment that step `first` needs it; freed after step `last`. */
typedef struct stay {
    uint32_t root;
    int64_t first, last;
    bool back; /* brought back right before step `first`, not made by it */
} stay;

typedef struct stays_world {
    const hw_graph *g;
    const hw_model *m;
    const uint32_t *order;
    int64_t n;
    stay stay[STAYS_MOST];
    size_t n_stays;
    bool again; /* the order has one node twice, see lay_again() */
} stays_world;

/* Does the step read or make it? */
bool stays_touch(const stays_world *w, int64_t step, uint32_t storage);

/* Is a tensor of that kind in it? */
bool stays_hold(const stays_world *w, uint32_t storage, hw_kind kind);

/* The steps that touch a storage, -1 for one that is given, n for one that is kept. */
size_t stays_touches(const stays_world *w, uint32_t storage, int64_t at[STAYS_STEPS + 2]);

/* The peak of the stays that w has. */
uint64_t stays_peak(const stays_world *w);

/* The same where the storages of the n chosen gaps are out of memory in them; w gets those stays.
 */
uint64_t stays_peak_without(stays_world *w, const hw_gaps *gaps, const uint32_t *chosen, size_t n);

#endif
