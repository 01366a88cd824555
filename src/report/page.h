/*
 * A folder of results as one page of HTML that needs nothing beside it.
 *
 * What a folder may hold, all of it optional:
 *
 *   results.jsonl   runs (bench/record.h): the answer, the tables by solver and
 *                   by family, and the instances whose memory is shown over time
 *   *.svg           drawings, each a figure; plots.json their order and titles,
 *                   as `highwater plot --kind all` writes it
 *   *.csv           tables, each a table
 *   claims.json     verdicts, as `highwater claims --format json` writes them
 *   summary.txt     text, shown as it is
 *
 * Sections of what is not there say so and name the command that makes it.
 * The page holds no reference to anything outside of it and a policy that
 * forbids any; whatever comes out of files is escaped (html.h, svg_inline.h).
 * The same input gives the same bytes.
 */
#ifndef HW_REPORT_PAGE_H
#define HW_REPORT_PAGE_H

#include <signal.h>
#include <stdio.h>

#include "bench/groups.h"
#include "core/error.h"
#include "model/model.h"
#include "solve/solver.h"

typedef struct hw_page_options {
    const char *folder;
    const char *results, *claims;   /* files elsewhere; NULL: those of the folder          */
    bool skip_broken;               /* leave out lines that are no results */
    const hw_condition *conditions; /* that results must fulfil (hw_records_choose) */
    size_t n_conditions;
    const char *title;         /* NULL: the suite's name                              */
    const char *machine;       /* on what the runs were made, for the head; or NULL   */
    const char *solver;        /* whose gaps the answer and the timelines are about   */
    const char *const *graphs; /* files of graphs to show over time beside those that */
    size_t n_graphs;           /* the results choose                                  */
    hw_accounting accounting;  /* of these files                                      */
    bool pin_inputs;
    uint64_t most_rows;      /* of a table                                          */
    uint64_t most_timelines; /* that the results choose                             */
    uint64_t most_nodes;     /* of these                                            */
    uint64_t states;         /* limit of `exact`, an instance                       */
    const volatile sig_atomic_t *stop;
    void (*note)(void *context, const char *text); /* what is missing, a sentence each */
    void *context;
} hw_page_options;

/*
 * Write the page.  HW_IO: no such folder, or a file in it cannot be read.
 * HW_BAD_INPUT: a broken file of results, claims, or graphs; broken tables and
 * drawings are left out with a note.  HW_USAGE: no such solver, or one that
 * draws at random.  HW_STOPPED, HW_NO_MEMORY.  Write errors stay in the stream.
 * O(r log r) for r results beside the runs of `exact`.
 */
hw_code hw_page_write(const hw_page_options *o, FILE *out, hw_error *err);

#endif
