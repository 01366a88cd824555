/* Taking a census: worker processes, a file that grows by whole blocks. */
#ifndef HW_CENSUS_CENSUS_RUN_H
#define HW_CENSUS_CENSUS_RUN_H

#include "census/census_file.h"

typedef struct hw_census_options {
    const char *path; /* where the lines go; NULL: nowhere                   */
    bool resume;      /* the file may exist: only what is missing in it      */
    bool overwrite;   /* the file may exist: begin anew                      */
    unsigned jobs;    /* processes at once; the figures do not depend on it  */
    const volatile sig_atomic_t *stop;
    void (*progress)(void *context, const hw_census *c); /* now and then; may be NULL */
    void *context;
} hw_census_options;

/*
 * Do all blocks of the plan's part that c does not have.  A kill at any moment
 * loses the blocks at work.  HW_STOPPED: at the stop flag, with what is done
 * kept.  HW_USAGE: the file exists; HW_IO; HW_BAD_INPUT: the file to resume is
 * no such census; and what hw_census_block() fails with.
 */
hw_code hw_census_run(hw_census *c, const hw_census_options *options, hw_error *err);

/*
 * Rate the graph of every worst case anew: through hw_solve(), its checker and
 * a proof of the optimum.  HW_INTERNAL: a figure is another.  HW_NO_MEMORY.
 */
hw_code hw_census_recheck(const hw_census *c, hw_error *err);

#endif
