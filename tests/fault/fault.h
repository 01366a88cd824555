/*
 * Faults on purpose: the k-th allocation or system call of a program fails, for
 * every k, and what the program then does is judged.
 *
 * A library to be preloaded (Linux, glibc).  It takes the place of malloc() and
 * its kin and of main(): before main(), when all libraries are there, the
 * process becomes a server that forks once for each run, so that a run costs no
 * start of a program.  serve.c says what is asked of it and what is judged.
 *
 *   memory.c  allocations: counted, failed, balanced
 *   calls.c   system calls: stopped by a seccomp filter, answered by the server
 *   clock.c   clocks that jump
 *   world.c   the folder that a run works in: filled, read, compared
 *   judge.c   what a run must look like
 *   serve.c   the server
 */
#ifndef HW_TESTS_FAULT_H
#define HW_TESTS_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What the server and the process of a run share. */
typedef struct fault_shared {
    long at;          /* the number, from 1, of the first that fails; 0: none          */
    bool all;         /* all from then on                                               */
    int depth;        /* 0: in the process itself; 1: in those that it forks, each alike */
    bool memory;      /* allocations are what is counted                                */
    bool trace;       /* remember where each live block is from                         */
    long clock_step;  /* nanoseconds that CLOCK_REALTIME jumps at each look; 0: none     */
    atomic_long seen; /* how many were counted                                          */
    atomic_bool fired;
    atomic_long live; /* blocks allocated and not released, in the process itself       */
    atomic_int listener;
    atomic_int go;
} fault_shared;

extern fault_shared *fault_state; /* NULL: nothing is counted, nothing fails */

/* One more of what is counted: does it fail? */
bool fault_due(void);

/* Once, before all runs: where the loader of libraries lies. */
void fault_find_loader(void);

/* In the process of a run: how many forks it is away from it. */
int fault_depth(void);

/* Print what is live and where from (needs `trace`), to descriptor 2. */
void fault_show_live(void);

/* Print where a signal of an error comes from. */
void fault_catch_crash(void);

/* ---- System calls. ---- */

typedef struct fault_kind {
    const char *name;
    int error;    /* errno that it gives                                             */
    bool partial; /* half of a write is done, and said to be                         */
    bool kills;   /* the process that calls is killed instead                        */
    bool files;   /* only calls on descriptors of ordinary files                     */
    bool leaves;  /* temporary files (NAME.tmp) cannot be removed then               */
    int call[8];  /* the system calls; -1 ends                                       */
} fault_kind;

const fault_kind *fault_find_kind(const char *name);

/* In the process of a run: have the calls of `kind` go to the server. */
void fault_listen(fault_shared *shared, const fault_kind *kind);

/* In the server: the descriptor on which they come, or -1. */
int fault_listener(fault_shared *shared, pid_t pid, int pidfd);

/* In the server: answer one call of process `pid` or of one that it started. */
void fault_answer(fault_shared *shared, const fault_kind *kind, int listener, pid_t pid);

/* ---- The folder of a run. ---- */

typedef struct fault_file {
    char *path; /* in the folder                    */
    char *text; /* NULL: a folder                   */
    size_t size;
    mode_t mode;
} fault_file;

typedef struct fault_world {
    fault_file *file; /* in order of path */
    size_t n, room;
} fault_world;

void fault_world_read(const char *folder, fault_world *world);
void fault_world_clear(fault_world *world);

/* Make `folder` hold what `world` says and nothing else. */
void fault_world_write(const char *folder, const fault_world *world);

const fault_file *fault_world_find(const fault_world *world, const char *path);
bool fault_world_same(const fault_world *a, const fault_world *b);

/* ---- Verdicts. ---- */

typedef struct fault_outcome {
    int status;  /* as waitpid() gives it                      */
    bool hung;   /* killed after the limit of time             */
    bool behind; /* a process was left behind                  */
    long live, seen;
    bool fired;
    fault_file out, err;
    fault_file said; /* `out` as it was printed */
    fault_world world;
} fault_outcome;

typedef struct fault_rules {
    bool loose;          /* figures may differ from those of the normal run        */
    bool memory;         /* what fails is an allocation                            */
    int memory_status;   /* the exit status of a lack of memory                        */
    bool keeps;          /* what is live at the end does not matter                    */
    bool silent;         /* a process killed: no message is asked for              */
    bool leaves;         /* temporary files may stay                               */
    bool struck;         /* those that it forks are hit: results tell of it        */
    const char *says;    /* texts, with | between: a success with less says one of them   */
    const char *interim; /* words: files that hold the best so far                       */
    const char *grows;   /* words: files that may hold a part of their lines       */
} fault_rules;

/* Replace each figure, with its unit of time, by # (in place). */
void fault_blur(fault_file *file);

/* The same on standard error; if loose, but for warnings: the load of the machine brings them. */
bool fault_same_messages(const fault_file *a, const fault_file *b, bool loose);

/* NULL: as it must be; else what is wrong.  `*normal`: all as if nothing had failed. */
const char *fault_judge(const fault_outcome *o, const fault_outcome *reference,
                        const fault_world *before, const fault_rules *rules, bool *normal);

/* The last line of standard error, in a buffer of `size` bytes. */
void fault_last_line(const fault_file *err, char *line, size_t size);

#endif
