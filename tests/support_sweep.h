/* Sweeps over graphs at hand, for tests. */
#ifndef HW_TESTS_SUPPORT_SWEEP_H
#define HW_TESTS_SUPPORT_SWEEP_H

#include "buckets/regret.h"

/* A graph in a file, its sweep and the request that was made of them. */
typedef struct sweep_bench {
    char *folder, *path;
    hw_sweep_axis axis;
    hw_sweep *sweep;
} sweep_bench;

/* Over `dims` ("H=1:4") by a rule of growth; a failure fails the test. */
void sweep_open(sweep_bench *b, const hw_graph *g, const char *dims, const char *rule,
                uint64_t seed);
void sweep_close(sweep_bench *b);

/* Regret by a solver under an accounting; a failure fails the test. */
hw_regret sweep_regret(const sweep_bench *b, const char *solver, hw_accounting accounting,
                       bool pin_inputs);

#endif
