/*
 * The plan of a suite as runs: what decides each, its key, its place in the
 * plan and in the sweep, and which of them are a part or a sample.
 *
 * A run is a unit of the plan (suite.h) and a solver of its section.  A sweep
 * takes the units in an order drawn by the campaign seed, so that a machine
 * that slows down slows all solvers, sizes and families alike.
 */
#ifndef HW_BENCH_PLAN_H
#define HW_BENCH_PLAN_H

#include "bench/record.h"
#include "bench/suite.h"

/* A record of all that decides the run, and of nothing that it answers; strings are the suite's. */
hw_record hw_plan_run(const hw_suite *suite, size_t unit, size_t solver);

/* The seed of the run for a solver that draws: of the run alone (highwater-model(7)). */
uint64_t hw_plan_seed(const hw_suite *suite, const hw_suite_unit *unit, size_t solver);

/*
 * The content key: the first 64 bits of SHA-256, in hexadecimal, over hash of
 * the graph, solver, limits, accounting, pinning, seed of the run where the
 * solver draws, and version; of a foreign solver also how it was written, and
 * the digest of its files.  Runs of one key have one answer, wherever they
 * stand in the plan, unless a limit of time or memory ends one.
 */
enum { HW_KEY_TEXT = 17 };
void hw_plan_key(const hw_suite *suite, size_t unit, size_t solver, const char *graph,
                 const char *version, char key[HW_KEY_TEXT]);

/* ---- Finding. ---- */

typedef struct hw_plan hw_plan;

/* The suite must outlive the plan and stay as it is.  O(sources log sources).  HW_NO_MEMORY. */
hw_code hw_plan_new(const hw_suite *suite, hw_plan **out, hw_error *err);
void hw_plan_free(hw_plan *plan);

/*
 * The run of the plan that has the key columns of a record
 * (hw_record_compare_keys()); false: none.  O(log sources + solvers).
 */
bool hw_plan_find(const hw_plan *plan, const hw_record *record, size_t *unit, size_t *solver);

/* The source of the suite with section, family and params of a record; false: none. */
bool hw_plan_find_source(const hw_plan *plan, const hw_record *record, size_t *source);

/* Number of the run in plan order, from 0; below suite->n_runs.  O(1). */
uint64_t hw_plan_position(const hw_plan *plan, size_t unit, size_t solver);

/* ---- Choosing. ---- */

/*
 * A part holds the units whose number in the order of the sweep leaves
 * part - 1 when divided by parts: balanced, the same on every machine, and all
 * parts together are the plan.  A sample holds `sample` units, drawn by
 * sample_seed, or all where there are fewer.  With both, it is a part of the
 * sample.
 */
typedef struct hw_plan_choice {
    uint64_t part, parts; /* 1 <= part <= parts; parts 0: all */
    uint64_t sample;      /* units; 0: all                    */
    uint64_t sample_seed;
} hw_plan_choice;

/*
 * The units chosen, in the order of the sweep; to be freed.  choice NULL: all.
 * HW_USAGE: no such part.  HW_NO_MEMORY.  O(units).
 */
hw_code hw_plan_choose(const hw_suite *suite, const hw_plan_choice *choice, size_t **units,
                       size_t *n, hw_error *err);

/* The solvers of a unit in the order in which they run; `order` has room for all. */
hw_code hw_plan_solvers(const hw_suite *suite, size_t unit, uint32_t *order, hw_error *err);

#endif
