/*
 * Plans of hmcos: how a group runs, remembered by what its run can free.
 *
 * Of what ran before a group, only this matters to how it runs best: which of
 * the buffers that it shares with others have no other user left, so that they
 * die in it.  So a group is searched once for each such set of buffers.
 */
#ifndef HW_SOLVERS_HMCOS_PLANS_H
#define HW_SOLVERS_HMCOS_PLANS_H

#include <stddef.h>

#include "solvers/hmcos_graph.h"

typedef struct hmcos_plan {
    uint64_t *kills; /* by shared buffer of the group: are its users outside done? */
    uint32_t *nodes; /* NULL: none was found */
    uint64_t failed; /* within so many bytes above live */
} hmcos_plan;

/* Of one group; zeroed at first. */
typedef struct hmcos_plans {
    bool laid;
    hmcos_units units;
    uint32_t *shared; /* buffers that the group uses, and others as well */
    uint32_t n_shared;
    hmcos_plan *plan;
    size_t n_plans, capacity;
    uint64_t *kills; /* work space */
} hmcos_plans;

/*
 * The plan of the group after the nodes of `set`, a new one without nodes where
 * there is none; it stays where it is until the next call for this group.
 * HW_NO_MEMORY.  O(users of the shared buffers + plans).
 */
hw_code hmcos_plans_find(hmcos_plans *p, const hmcos_graph *h, uint32_t group, const uint64_t *set,
                         hmcos_plan **out, hw_error *err);

void hmcos_plans_clear(hmcos_plans *p);

#endif
