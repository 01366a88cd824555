/*
 * Random forests for tests, rich in everything that trees can hold, and what a
 * forest is by its definition.
 */
#ifndef HW_TESTS_SUPPORT_FOREST_H
#define HW_TESTS_SUPPORT_FOREST_H

#include "support_draft.h"

/* Which trees a draft may consist of. */
typedef enum forest_kind { FOREST_IN, FOREST_OUT, FOREST_ANY } forest_kind;

/*
 * A draft whose edges imply a forest of n_nodes <= DRAFT_NODES nodes, of one
 * tree or several.  `features` as of draft_random(), without locks and windows;
 * with DRAW_CONTROL edges past the next node and tensors that several nodes of
 * a branch read are drawn, too.  With DRAW_VIEWS a storage may be shared by
 * branches of an out-tree, with DRAW_REQUIRED pinned inputs may be refused.
 * Released by free(); NULL: out of memory.
 */
draft *draft_forest(uint64_t seed, size_t n_nodes, forest_kind kind, unsigned features);

/*
 * Is m what liu and best-postorder take?  Each component an in-tree or an
 * out-tree by the order that its edges imply, one consumer of every buffer
 * after all others, no window that leaves out a position.  n_nodes <= 64;
 * from the definitions, O(n^3).
 */
bool defined_forest(const hw_model *m);

#endif
