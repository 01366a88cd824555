/* A file of results put into the order of the plan. */
#ifndef HW_BENCH_TIDY_H
#define HW_BENCH_TIDY_H

#include "bench/plan.h"
#include "bench/sink.h"

/*
 * Put the lines of a whole file into the order of the plan, those of other
 * runs behind them; the new file takes the place of the old one in one step,
 * unless the lines are in order already.  Lines stay as they are, byte by
 * byte; the sink must not be written afterwards.  HW_BAD_INPUT: a line is
 * broken.  HW_IO: cannot be read or written; the file is as it was.
 * HW_NO_MEMORY.  O(size of the file + lines log lines).
 */
hw_code hw_tidy(const hw_sink *sink, const hw_plan *plan, hw_error *err);

/* Remove what sweeps that were killed while tidying have left; the sink holds the lock. */
void hw_tidy_remove_leftovers(const hw_sink *sink);

#endif
