/*
 * The search of hmcos: through the sets of units that have run, size by size.
 *
 * Of the ways to one set the one of least peak is kept; steps above the budget
 * are dropped.  Effort is bounded: a search tries about so many moves (a unit
 * run after a set), and where the sets of one size promise more, those of
 * greatest peak, then live, are let go.  With effort to spare it is exact for
 * its units.
 */
#ifndef HW_SOLVERS_HMCOS_SEARCH_H
#define HW_SOLVERS_HMCOS_SEARCH_H

#include "solve/solver.h"
#include "solvers/dp_problem.h"
#include "solvers/hmcos_plans.h"

typedef struct hmcos_run {
    const hmcos_graph *graph;
    hw_dp_problem problem;
    hw_meter *meter;
    uint64_t effort;       /* moves of a search of the whole          */
    uint64_t group_effort; /* and of one group                        */
    uint64_t most_bytes;   /* of the sets of one search; 0: any       */
    hmcos_plans *plans;    /* by group; kept from round to round      */
    uint64_t *scratch;     /* a set of nodes                          */
} hmcos_run;

/* HW_NO_MEMORY; a run that failed to open may be closed. */
hw_code hmcos_run_open(hmcos_run *run, const hmcos_graph *graph, hw_error *err);
void hmcos_run_close(hmcos_run *run);

/*
 * Search the whole graph, with its groups as they are, for an order whose peak
 * is at most `budget`, into order[].  *found: false when none was found, or the
 * meter ended the search.  HW_NO_MEMORY.
 */
hw_code hmcos_search(hmcos_run *run, uint64_t budget, uint32_t *order, bool *found, hw_error *err);

#endif
