/*
 * Slow twins of XLA's schedulers, for tests: they know no heap, no keys kept up
 * to date and no stack, and ask the tensors of the graph at every step.  For
 * graphs of up to DRAFT_NODES nodes and DRAFT_TENSORS tensors.
 */
#ifndef HW_TESTS_SUPPORT_XLA_H
#define HW_TESTS_SUPPORT_XLA_H

#include "model/model.h"

/* What the schedulers do that a test wants to know was tried. */
typedef struct xla_twin_counts {
    uint64_t refreshed; /* keys that changed in the queue             */
    uint64_t crowded;   /* steps that changed more than one           */
    uint64_t stale;     /* nodes taken while their key was stale      */
    uint64_t turned;    /* nodes held back by windows                 */
} xla_twin_counts;

/* The order by the rule; some order of m is legal. */
void xla_twin_list(const hw_model *m, uint32_t *order, xla_twin_counts *counts);
void xla_twin_dfs(const hw_model *m, uint32_t *order, xla_twin_counts *counts);
void xla_twin_postorder(const hw_model *m, uint32_t *order, xla_twin_counts *counts);

#endif
