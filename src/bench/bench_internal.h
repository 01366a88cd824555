/* A sweep while it runs: shared by bench.c and bench_units.c. */
#ifndef HW_BENCH_BENCH_INTERNAL_H
#define HW_BENCH_BENCH_INTERNAL_H

#include <poll.h>

#include "bench/bench.h"
#include "bench/crew.h"
#include "bench/kept.h"
#include "bench/sink.h"
#include "bench/weather.h"

/* Units that may be ahead of the first unwritten one. */
enum { HW_SWEEP_WINDOW = 4096 };

/* Units are counted by their place in the order of the sweep. */
typedef struct hw_sweep {
    const hw_suite *suite;
    const hw_bench_options *options;
    hw_bench_counts *counts;
    hw_plan *plan;
    size_t *chosen; /* the units, in the order of the sweep */
    const size_t *order;
    size_t n_order;
    hw_sink sink;
    hw_kept kept;
    hw_worker *worker;
    struct pollfd *polled;
    unsigned n_workers;
    hw_unit_state **back; /* units that a worker gave back: they come first */
    size_t n_back, back_capacity;
    size_t next;    /* to start                                            */
    size_t written; /* those before it are in the file                     */
    size_t at_work; /* units that workers have                             */
    hw_unit_state *window[HW_SWEEP_WINDOW]; /* of place p at p % HW_SWEEP_WINDOW; NULL: not begun */
    hw_weather weather;
    double start_seconds, shown_seconds;
} hw_sweep;

/*
 * The state of a unit, with what the file holds of it already; counted as kept.
 * HW_NO_MEMORY.
 */
hw_code hw_sweep_new_state(hw_sweep *s, size_t unit, hw_unit_state **out, hw_error *err);
void hw_sweep_free_state(hw_unit_state *state);

/* No worker is to see it (again). */
bool hw_sweep_is_finished(const hw_unit_state *state);

/*
 * Judge a finished unit, write its lines, count what came out.  HW_BAD_INPUT:
 * its graph is not that of lines that were kept.  HW_IO, HW_NO_MEMORY.
 */
hw_code hw_sweep_write_unit(hw_sweep *s, const hw_unit_state *state, hw_error *err);

#endif
