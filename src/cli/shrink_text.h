/* What `highwater shrink` says of its result, as text and as JSON, and on the way there. */
#ifndef HW_CLI_SHRINK_TEXT_H
#define HW_CLI_SHRINK_TEXT_H

#include "adversary/shrink.h"
#include "cli/cli.h"

typedef struct hw_shrunk {
    const hw_graph *from, *graph;
    const hw_goal *goal;
    const hw_shrink_options *options;
    const hw_shrink_report *report;
    bool stopped; /* by a signal */
} hw_shrunk;

/* Three lines for a person. */
void hw_shrunk_text(const hw_shrunk *s, FILE *out);

/* The same on standard error, where standard output is the graph. */
void hw_shrunk_notes(const hw_cli *c, const hw_shrunk *s);

/* One line.  HW_NO_MEMORY. */
hw_code hw_shrunk_json(const hw_shrunk *s, FILE *out, hw_error *err);

/* "what is wanted": "more than 3/2", "at least 2". */
enum { HW_WANTED_TEXT = 64 };
const char *hw_shrink_wanted(const hw_shrink_options *options, char text[HW_WANTED_TEXT]);

/* ---- The progress line: on a terminal, rewritten in place. ---- */

typedef struct hw_shrink_line {
    double shown_seconds;
    bool shown;
} hw_shrink_line;

/* For hw_shrink_options.progress; the context is an hw_shrink_line. */
void hw_shrink_show(void *context, const hw_graph *now, const hw_rating *rating,
                    uint64_t evaluations);
void hw_shrink_show_end(hw_shrink_line *line);

#endif
