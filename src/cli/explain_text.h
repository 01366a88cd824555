/* How `explain` writes: for a person, and as JSON. */
#ifndef HW_CLI_EXPLAIN_TEXT_H
#define HW_CLI_EXPLAIN_TEXT_H

#include <stdio.h>

#include "explain/explain.h"

typedef struct hw_explained {
    const hw_explanation *x;
    const hw_explain_ask *ask;
    const char *hash; /* of the graph */
} hw_explained;

/* A solver with its parameters, as a spec that can be given again. */
enum { HW_EXPLAIN_SPEC = HW_SPEC_TEXT };
const char *hw_explain_spec(const hw_explain_solver *solver, char text[HW_EXPLAIN_SPEC]);

/* As pictures call it, where there is little room: by its name, if it was given one. */
const char *hw_explain_short(const hw_explain_solver *solver, char text[HW_EXPLAIN_SPEC]);

/* "the optimum", "the best known peak", "the peak of dfs": NUL-terminated. */
const char *hw_explain_target_text(const hw_explained *e, char text[HW_EXPLAIN_SPEC]);

void hw_explain_text(const hw_explained *e, FILE *out);

/* One object on one line: the fields that highwater-explain(1) lists. */
void hw_explain_json(const hw_explained *e, FILE *out);

#endif
