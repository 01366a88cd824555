/* What `highwater advise` says, as text and as JSON, and on the way there. */
#ifndef HW_CLI_ADVISE_TEXT_H
#define HW_CLI_ADVISE_TEXT_H

#include "advise/advise.h"
#include "cli/cli.h"

/* The best recomputation, ready to be told and written. */
typedef struct hw_applied {
    const hw_level *level; /* NULL: none lowers the peak */
    hw_graph *graph;       /* with ids and names; nodes as in level->best.graph */
} hw_applied;

typedef struct hw_advised {
    const hw_advice *advice;
    const hw_applied *applied;
    const char *order_name; /* as given; NULL: the best order */
    const char *hash;
    uint32_t top;
    uint64_t added; /* resident bytes, in every peak and bound */
} hw_advised;

void hw_advise_text(const hw_advised *d, FILE *out);
void hw_advise_json(const hw_advised *d, FILE *out);

/* ---- The progress line: on a terminal, rewritten in place. ---- */

typedef struct hw_advise_line {
    double shown_seconds;
    bool shown;
} hw_advise_line;

/* For hw_again_ask.progress; the context is an hw_advise_line. */
void hw_advise_show(void *context, const hw_again_progress *p);
void hw_advise_show_end(hw_advise_line *line);

#endif
