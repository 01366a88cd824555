/*
 * The hierarchical graph of hmcos: nodes in sequences, sequences in groups.
 *
 * A sequence is a path of nodes each of which is the only successor of the one
 * before and has no other predecessor, cut where a node would lift what the
 * sequence uses, or leave more behind.  A group is a sequence that joins
 * branches (a cell's output) with sequences all of whose ways to the end of the
 * graph pass through it: a subtree of the tree of post-dominators.
 *
 * Groups are disjoint.  Edges leave a group from its output alone, so a path
 * that enters it goes on to its output: a cycle among groups and sequences
 * would be one of nodes.  Groups can be run as one.
 */
#ifndef HW_SOLVERS_HMCOS_GRAPH_H
#define HW_SOLVERS_HMCOS_GRAPH_H

#include "model/model.h"

typedef enum hmcos_cells {
    HMCOS_AUTO,   /* concatenations where there are any, else joins   */
    HMCOS_CONCAT, /* a sequence that begins with a node "Concat..."    */
    HMCOS_JOINS,  /* a sequence with two or more predecessors          */
    HMCOS_NONE    /* no groups                                         */
} hmcos_cells;

typedef struct hmcos_graph {
    const hw_model *m;
    uint32_t n_seqs, n_groups;
    hw_rows nodes;        /* by sequence, in their order               */
    uint32_t *seq_of;     /* by node                                   */
    hw_rows preds, succs; /* by sequence: sequences, each once         */
    hw_rows members;      /* by group: sequences, in a topological order */
    uint32_t *group_of;   /* by sequence; HW_NONE: none, or ungrouped  */
} hmcos_graph;

/*
 * Build it, with groups of at most `most` sequences.  Sequences are numbered by
 * a reverse post-order of the nodes, which is a topological order of them.
 * With windows every node is a sequence, and there are no groups: what runs as
 * one may not fit the windows.  O((nodes + edges) x depth of the post-dominator
 * tree).  HW_NO_MEMORY; one that failed to open may be closed.
 */
hw_code hmcos_graph_open(hmcos_graph *h, const hw_model *m, hmcos_cells cells, uint32_t most,
                         hw_error *err);
void hmcos_graph_close(hmcos_graph *h);

/* The members of a group become sequences of the whole again. */
void hmcos_ungroup(hmcos_graph *h, uint32_t group);

/*
 * What a search runs as one: sequences, and perhaps groups.
 */
typedef struct hmcos_units {
    uint32_t count;
    hw_rows nodes;        /* by unit, in a topological order                  */
    uint32_t *group;      /* by unit; HW_NONE: a sequence                     */
    hw_rows preds, succs; /* among the units                                  */
    uint64_t *hash;       /* by unit, of its set of nodes: the XOR of theirs  */
} hmcos_units;

/* The sequences of a group, or (HW_NONE) the groups and all other sequences.
 * O(nodes + edges).  HW_NO_MEMORY; units that failed to open may be closed. */
hw_code hmcos_units_open(hmcos_units *units, const hmcos_graph *h, uint32_t group, hw_error *err);
void hmcos_units_close(hmcos_units *units);

#endif
