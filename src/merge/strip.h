/*
 * The deterministic columns of results: what the same program finds again on
 * every machine.
 */
#ifndef HW_MERGE_STRIP_H
#define HW_MERGE_STRIP_H

#include <stdio.h>

#include "bench/record.h"

/* What is left out; bits. */
enum {
    HW_STRIP_MACHINE = 0, /* always: times, memory, and which program measured them */
    HW_STRIP_KEY = 1,     /* key, which holds the version                            */
    HW_STRIP_VERDICT = 2  /* what the other runs of the unit have a part in: optimum,
                             optimum_by, gaps, best_bound, conflict                  */
};

/*
 * Write a line of results without those columns, the others in the order in
 * which it has them, and a newline.  The line is changed, and so is the byte
 * behind it.  HW_BAD_INPUT: it is no flat JSON object.  Errors of `out` stay in
 * it.
 */
hw_code hw_strip_line(char *line, size_t length, unsigned what, FILE *out, hw_error *err);

/*
 * Was the run ended by a clock, by memory, by a signal or by an error of the
 * system, so that the same program may answer otherwise the next time?  A limit
 * of time counts where the run took a tenth of it at least: solvers give their
 * parts a share.
 */
bool hw_record_cut_short(const hw_record *r);

#endif
