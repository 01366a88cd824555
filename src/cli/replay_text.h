/* What highwater replay prints: tables, JSON, CSV. */
#ifndef HW_CLI_REPLAY_TEXT_H
#define HW_CLI_REPLAY_TEXT_H

#include "cli/shared.h"
#include "replay/contender.h"
#include "replay/summary.h"

/* One allocator and what it did; `height` of an arena. */
typedef struct hw_replay_trial {
    hw_contender contender;
    hw_replay_result result;
    uint64_t height;
} hw_replay_trial;

/* Everything that a report is of. */
typedef struct hw_replay_report {
    const hw_replay_plan *plan;
    const hw_graph *graph; /* with the sizes as they were */
    const char *order_name;
    uint64_t scale;
    hw_replay_touch touch;
    const hw_replay_trial *trial;
    size_t n_trials;
} hw_replay_report;

/* For one allocator a row a step of the first pass; for several a row each. */
void hw_replay_put_text(const hw_replay_report *r, FILE *out);

/* One object.  HW_NO_MEMORY. */
hw_code hw_replay_put_json(const hw_replay_report *r, FILE *out, hw_error *err);

/* allocator,pass,step,node,moment,logical,resident,held,pooled: a line a moment. */
void hw_replay_put_csv(const hw_replay_report *r, FILE *out);

#endif
