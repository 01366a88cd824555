/* Processes that work for this one: made, and ended. */
#ifndef HW_BENCH_WORKER_H
#define HW_BENCH_WORKER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/error.h"

/*
 * Fork, with a pipe from the child to the parent.  *pid is 0 in the child, and
 * *end the end of the pipe that is the caller's own; the other is closed.  HW_IO.
 */
hw_code hw_worker_fork(pid_t *pid, int *end, hw_error *err);

/* In the child: what a terminal's Ctrl-C means is the parent's to decide, whose death ends it. */
void hw_worker_set_signals(void);

/*
 * The same in a child that can be asked to end: *flag, for hw_request.stop, is
 * set by SIGTERM.
 */
const volatile sig_atomic_t *hw_worker_heed_end(void);

/*
 * End such a child and wait for it: asked first, so that nothing that a solver
 * keeps on disk stays there, and killed half a second later.
 */
void hw_worker_end(pid_t pid);

/*
 * All bytes into a pipe, whatever signals come meanwhile; both sides use it.
 * False: it cannot be written (errno), as a rule because the other side is gone,
 * for which no SIGPIPE is raised.
 */
bool hw_worker_send(int pipe, const void *bytes, size_t n);

#endif
