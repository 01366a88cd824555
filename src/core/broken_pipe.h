/*
 * Writing into pipes whose other end may be gone, without being ended by it.
 *
 * A library leaves the handler of SIGPIPE to its program, whose default is to
 * die; between begin and end a pipe that is broken is but the error EPIPE.
 */
#ifndef HW_CORE_BROKEN_PIPE_H
#define HW_CORE_BROKEN_PIPE_H

#include <signal.h>
#include <stdbool.h>

typedef struct hw_broken_pipe {
    sigset_t before;  /* the mask of the thread                    */
    bool was_pending; /* the signal is the caller's, and is left   */
} hw_broken_pipe;

/* Hold the signal back in this thread. */
void hw_broken_pipe_begin(hw_broken_pipe *b);

/* Drop what came since, and be as before.  errno stays. */
void hw_broken_pipe_end(const hw_broken_pipe *b);

#endif
