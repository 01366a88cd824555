/* What `highwater merge` says about runs that are missing. */
#ifndef HW_CLI_MERGE_REPORT_H
#define HW_CLI_MERGE_REPORT_H

#include "cli/cli.h"
#include "merge/merge.h"

/* Notes: missing runs by section and by part, with the commands that run them. */
void hw_merge_note_missing(const hw_cli *c, const hw_suite *suite, const hw_missing *missing);

/* The message of HW_CHECK_FAILED: how many, the first, what to do. */
hw_code hw_merge_fail_missing(const hw_cli *c, const hw_suite *suite, const hw_missing *missing,
                              hw_error *err);

/* --list-missing: the numbers of the parts that lack runs, one a line. */
void hw_merge_list_missing(FILE *out, const hw_missing *missing);

#endif
