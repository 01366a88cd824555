/* The options of `highwater adversary`, read and written back as a command. */
#ifndef HW_CLI_ADVERSARY_OPTIONS_H
#define HW_CLI_ADVERSARY_OPTIONS_H

#include "adversary/search_run.h"
#include "cli/cli.h"

typedef struct hw_adversary_job {
    hw_search search;
    hw_search_options options;
    hw_genome start; /* search.start points here if there is one */
    char *label;     /* the search without its length: of what every lane is a function */
    char *command;   /* the command line that repeats it, without folder, jobs and time */
} hw_adversary_job;

/* Everything but what belongs to the run: progress, stop.  HW_USAGE and errors
 * of reading the start graph.  Released by hw_adversary_job_clear() in any case. */
hw_code hw_adversary_job_read(const hw_cli *c, hw_adversary_job *job, hw_error *err);
void hw_adversary_job_clear(hw_adversary_job *job);

#endif
