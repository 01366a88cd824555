/*
 * The groups of ort-memory: nodes that wait beside the main path until someone
 * asks for them.  See ort_memory.c for the rule.
 */
#ifndef HW_SOLVERS_ORT_MEMORY_GROUPS_H
#define HW_SOLVERS_ORT_MEMORY_GROUPS_H

#include "solve/solver.h"

/* What a node is. */
typedef enum hw_ort_part { HW_ORT_BRANCH = 0, HW_ORT_FORWARD, HW_ORT_MAIN } hw_ort_part;

typedef struct hw_ort_groups {
    uint32_t count;
    uint32_t *of;     /* by node: its group; of branch nodes alone              */
    uint32_t *offset; /* count + 1, in member                                   */
    uint32_t *member; /* nodes by group, within one in the order they were given */
} hw_ort_groups;

/*
 * Put the branch nodes into groups: together are those from which, along edges
 * between branch nodes, the same ends can be reached.  An end has no successor,
 * or one that is no branch node.  branch[0 .. n_branch) are the branch nodes in
 * a topological order, part[] is by node.
 *
 * O(n_branch + its edges) for each 64 ends, of those nodes and edges alone that
 * lead to one of them, and their sorting.  Nodes looked at are counted on the
 * meter; *done is false when that ended the work early.  HW_NO_MEMORY; what
 * failed to open may be closed.
 */
hw_code hw_ort_groups_open(hw_ort_groups *groups, const hw_graph *g, const uint8_t *part,
                           const uint32_t *branch, uint32_t n_branch, hw_meter *meter, bool *done,
                           hw_error *err);
void hw_ort_groups_close(hw_ort_groups *groups);

#endif
