/*
 * Running a program of the user's: text in, text out, within limits.
 *
 * It is started from an argument vector, never through a shell, with three open
 * files and no others: pipes for its standard input, output and error.  What it
 * writes to the last is kept apart.  A small process of ours, the keeper, stands
 * between: it starts the program in a process group of its own and ends the
 * whole group when the program has ended, when it is told to, and when the
 * process that called is gone, however that ended.  Linux.
 */
#ifndef HW_IO_GUEST_H
#define HW_IO_GUEST_H

#include <stddef.h>
#include <stdint.h>

#include "io/program.h"

typedef struct hw_guest {
    const char *const *argument; /* ends with NULL; [0] is looked up in PATH          */
    const char *own_prefix;      /* of names of variables: it gets those of the caller
                                    but for these ...                                 */
    const char *const *variable; /* ... and "NAME=value", ends with NULL              */
    const char *input;           /* its standard input, of n_input bytes              */
    size_t n_input;
    double seconds;                /* it is asked to end then (SIGTERM); 0: never     */
    double grace_seconds;          /* and ended so long after (SIGKILL)              */
    uint64_t memory_bytes;         /* most data of each of its processes; 0: any     */
    size_t most_output;            /* bytes; more ends it                            */
    const hw_program_watch *watch; /* ends it at once; NULL: nothing does            */
} hw_guest;

typedef enum hw_guest_end {
    HW_GUEST_EXITED,   /* by itself: `number` is its exit status */
    HW_GUEST_SIGNALED, /* `number` is the signal                 */
    HW_GUEST_FLOODED,  /* it wrote more than most_output         */
    HW_GUEST_STOPPED   /* the watch said so                      */
} hw_guest_end;

enum { HW_GUEST_WORDS = 120 };

typedef struct hw_guest_result {
    hw_guest_end end;
    int number;
    bool out_of_time;           /* it was asked to end, or ended, for its time */
    char *output;               /* released by free(); NUL behind it           */
    size_t n_output;            /* as written, at most most_output             */
    char words[HW_GUEST_WORDS]; /* last line on standard error, printable; ""  */
    double cpu_seconds;         /* of the program and those it waited for      */
    uint64_t memory_bytes;      /* the largest resident memory of one of them, never less than
                                   that of the caller when it was started */
} hw_guest_result;

/*
 * Run it to its end.  HW_IO: no such program, it cannot be started, no pipes or
 * processes are to be had.  HW_NO_MEMORY.  O(bytes in and out).
 */
hw_code hw_guest_run(const hw_guest *guest, hw_guest_result *out, hw_error *err);

#endif
