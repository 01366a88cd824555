/*
 * Pieces that fall into no parts, by search: the next valley of one that falls
 * strictly from an end, and the optimum of one that does not.
 */
#ifndef HW_SOLVERS_EXACT_DESCENT_H
#define HW_SOLVERS_EXACT_DESCENT_H

#include "solvers/exact_profile.h"

/*
 * A valley of the piece p below the asked end, for the least hill that leads
 * below it at all: *step, whose nodes stand at that end of the order
 * afterwards.  A lower valley for the same hill may follow: ask again from
 * there.  Outcomes as of exact_profile_find().
 *
 * The search stops at the first prefix T below (exact_engine.h, goal).  A
 * least-live prefix T' between the end and T is reached by the same moves
 * without those outside T', which only lowers the usage (exact_valley.h), and
 * committing to it loses nothing.
 */
exact_outcome exact_descent_step(exact_profiler *c, const exact_profile_ask *ask,
                                 const exact_problem *p, exact_segment *step);

/* The least peak of the piece, or low_hill if that is more. */
exact_outcome exact_descent_cross(exact_profiler *c, const exact_profile_ask *ask,
                                  const exact_problem *p, uint64_t *hill);

#endif
