/*
 * Rule R3: lazy macro-steps, and rule R2 on them.  Proofs stand in
 * exact_macros.c.
 */
#ifndef HW_SOLVERS_EXACT_MACROS_H
#define HW_SOLVERS_EXACT_MACROS_H

#include "solvers/exact_moves.h"

/*
 * Append every macro-step at the walk's prefix whose usage stays within the
 * budget.  `dead` will be asked for the prefixes they lead to.  valley: R2 is on; *committed: the
 * last move appended loses nothing, and is enough.  False: a node has too many
 * choices; what was appended does not decide the prefix.
 */
bool exact_macros_find(exact_moves *list, exact_walk *w, const exact_dead *dead, bool valley,
                       uint64_t budget, bool *committed);

#endif
