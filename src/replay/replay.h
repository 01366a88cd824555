/*
 * A plan executed by a process of its own against a real allocator, and its
 * resident memory at every moment of the plan.
 *
 * The process is a fresh one (its memory holds nothing of the caller's): the
 * program named in the request is started anew, and its main() hands over to
 * hw_replay_child() before it does anything else.  Both sides share one
 * unnamed file, with the events in it and room for the samples, so that the
 * child needs nothing of the heap that it measures, and so that what it has
 * measured is there even when it dies.
 *
 * What counts as resident is the anonymous memory of the child (private pages
 * that were written, those of the heap and of mappings without a file), less
 * what it had before the first event.  It is read from /proc/self/smaps_rollup,
 * which walks the page tables and is exact; where a kernel has no such file,
 * from RssAnon of /proc/self/status, which some kernels keep roughly.
 */
#ifndef HW_REPLAY_REPLAY_H
#define HW_REPLAY_REPLAY_H

#include <signal.h>

#include "replay/plan.h"

typedef enum hw_replay_way {
    HW_REPLAY_MALLOC, /* malloc(), realloc(), free()                         */
    HW_REPLAY_MMAP,   /* a mapping a block, unmapped when it is given back   */
    HW_REPLAY_ARENA   /* one mapping for all, each block at an offset in it  */
} hw_replay_way;

/* What the child does with the pages of a block that it has taken. */
typedef enum hw_replay_touch {
    HW_REPLAY_WRITE, /* writes to each, and looks whether it is still there at the end */
    HW_REPLAY_READ,  /* reads each: the kernel gives no memory for that                */
    HW_REPLAY_LEAVE  /* nothing                                                        */
} hw_replay_touch;

typedef struct hw_replay_progress {
    uint32_t pass;
    size_t moment; /* of the pass */
} hw_replay_progress;

typedef struct hw_replay_request {
    const char *program; /* a file whose main() begins with hw_replay_child() */
    hw_replay_way way;
    hw_replay_touch touch;
    uint32_t passes; /* the order runs so often in the one process; at least 1 */

    /* malloc: a library before all others (a path, or a name that the loader
     * looks up), and "NAME=VALUE" of the environment.  Whatever of MALLOC_*,
     * MIMALLOC_*, GLIBC_TUNABLES and LD_PRELOAD the caller's has is left out. */
    const char *preload; /* NULL: none */
    const char *const *setting;
    size_t n_settings;
    bool trim; /* ask the allocator to give memory back after each step */

    /* arena: bytes from its start, by block, and where the last one ends. */
    const uint64_t *offset;
    uint64_t height;
    bool release; /* hand the pages of blocks that are given back to the kernel */

    bool huge_pages; /* leave transparent huge pages as the machine has them */
    uint64_t limit;  /* the child may map so many bytes more; 0: any         */

    const volatile sig_atomic_t *stop;                        /* NULL: none */
    void (*show)(void *context, const hw_replay_progress *p); /* now and then; NULL: never */
    void *context;
} hw_replay_request;

/* Bytes; the last three where the result says that they are known. */
typedef struct hw_replay_sample {
    uint64_t resident; /* as /proc tells, with the baseline               */
    uint64_t swapped;  /* gone to swap, so no longer resident             */
    uint64_t held;     /* the allocator has them of the kernel            */
    uint64_t pooled;   /* of these, free: it keeps them for later         */
} hw_replay_sample;

enum { HW_REPLAY_NAME_BYTES = 256 };

typedef struct hw_replay_result {
    hw_replay_sample *sample; /* passes * n_moments, pass by pass; n_samples were taken */
    hw_replay_sample before;  /* before the first event: the baseline          */
    size_t n_moments, n_samples;
    uint32_t passes;
    bool exact;                           /* of smaps_rollup                                      */
    bool has_own;                         /* held and pooled are known (glibc's own malloc)       */
    char served_by[HW_REPLAY_NAME_BYTES]; /* the file that malloc() is from; "": unknown */
} hw_replay_result;

/*
 * Replay.  The result, also of a replay that ended early, is released by
 * hw_replay_result_clear().
 *
 * HW_USAGE: a library that cannot be preloaded, or has no malloc(); a program that runs as a
 * child and did not hand over to hw_replay_child(); nothing to
 * trim with; more samples than are kept.  HW_LIMIT: the child got no memory, or
 * was ended from outside, as the kernel does when memory is short; the step is
 * named.  HW_CHECK_FAILED: a block did not keep what was written to it.
 * HW_STOPPED, HW_IO, HW_NO_MEMORY.  No process is left behind in any case.
 * O(events + pages touched); a sample takes some milliseconds a GiB.
 */
hw_code hw_replay_run(const hw_replay_plan *plan, const hw_replay_request *request,
                      hw_replay_result *result, hw_error *err);
void hw_replay_result_clear(hw_replay_result *result);

/*
 * First thing in main(): true when this process was started as the child of a
 * replay, which is done then; main() returns *status.
 */
bool hw_replay_child(int argc, char **argv, int *status);

/* Memory that this machine, or the group that the process is in, has free; 0: unknown. */
uint64_t hw_replay_free_bytes(void);

/* The soname and the Debian package behind a well-known allocator's name; false: none. */
bool hw_replay_library(const char *name, const char **file, const char **package);

#endif
