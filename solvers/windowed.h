/*
 * Bring an order into the windows: for rules that find a whole order before a
 * position counts.
 */
#ifndef HW_SOLVERS_WINDOWED_H
#define HW_SOLVERS_WINDOWED_H

#include "solve/solver.h"

/*
 * Rearrange order[], in which every edge points forward: at each step, of the
 * nodes that may run (ready, and the rest can still be completed) the one that
 * stands first in it.  Without windows, and where the order meets them, it
 * stays as it is.  For graphs of up to HW_HEAP_MOST nodes some order of which
 * fits.  O((nodes + edges) log nodes), and see ready.h.  HW_NO_MEMORY.
 */
hw_code hw_order_into_windows(const hw_model *m, uint32_t *order, hw_error *err);

#endif
