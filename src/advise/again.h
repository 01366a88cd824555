/*
 * Recomputation as a change of the graph: a node that runs again.
 *
 * The users of a node's results are the nodes that consume them, through views
 * too, and, where a result is an output, the end of the run.  A copy of the
 * node takes over some of them, the late ones: they read what the copy makes,
 * and the first results are free once the early users have run.
 *
 *   - The copy reads what the node reads, in the same place, and waits for the
 *     nodes that the node waits for by control edges; what it makes is a
 *     storage of its own.  Its in-place pairs are the node's, so an overwritten
 *     input is overwritten by whichever of the two comes last.
 *   - An output is the copy's: the end of the run is late.
 *   - A view goes along with its root: to the copy where all that read it are
 *     late, and on both sides, as a copy that costs nothing, where only some are.
 *   - Never run again: views by themselves, locked nodes, nodes whose type is
 *     random, stateful or talks to the world, nodes that must overwrite an input,
 *     and nodes with control edges to others, which may guard what is read.
 *
 * Orders of the new graph obey every rule of the model: it is an ordinary graph.
 */
#ifndef HW_ADVISE_AGAIN_H
#define HW_ADVISE_AGAIN_H

#include "import/operators.h"
#include "model/model.h"

/* A graph in which some nodes run again. */
typedef struct hw_again {
    hw_graph *graph;
    uint32_t *node_origin;   /* of every node: the node of the first graph that it is, or copies */
    uint32_t *tensor_origin; /* likewise */
    bool *node_copied;       /* is it a copy? */
    bool *tensor_copied;
    uint32_t *order;   /* of the graph's nodes: topological, may break a window or a lock */
    uint32_t n_copies; /* not counting views */
    uint64_t bytes;    /* that the copies read and write */
} hw_again;

void hw_again_clear(hw_again *a);

/* g itself, copied, with a copy of a legal order.  Released by hw_again_clear(), also on failure.
 * HW_NO_MEMORY. */
hw_code hw_again_first(const hw_graph *g, const uint32_t *order, hw_again *out, hw_error *err);

/* The users of every node's results. */
typedef struct hw_users {
    hw_rows rows;    /* nodes that consume results, ascending: no views, but for those that nobody
                        reads */
    bool *to_end;    /* a result is an output */
    bool *may;       /* the node may run again */
    uint64_t *bytes; /* that a node reads and writes: tensors, each once */
} hw_users;

/* operators: NULL, no type is special.  Released by hw_users_clear(), also on failure.
 * HW_NO_MEMORY.  O(nodes + inputs + outputs). */
hw_code hw_users_find(const hw_graph *g, const hw_operators *operators, hw_users *out,
                      hw_error *err);
void hw_users_clear(hw_users *users);

/* How many users, the end among them. */
static inline uint32_t hw_users_count(const hw_users *users, uint32_t v)
{
    return users->rows.offset[v + 1] - users->rows.offset[v] + users->to_end[v];
}

/*
 * from, with node v (users->may) run again for its users w with late[w]; late[]
 * has an entry a node, and is true of users of v alone.  The order is from's
 * with the copy right before the first late user.  `out` is cleared where that cannot be:
 * *possible is false then (a lock, or a cycle with a must-in-place input).
 * Released by hw_again_clear(), also on failure.  HW_NO_MEMORY.
 * O(size log size).
 */
hw_code hw_again_split(const hw_again *from, const hw_users *users, uint32_t v, const bool *late,
                       hw_again *out, bool *possible, hw_error *err);

/*
 * The graph with ids and names for a person: what is not copied keeps its ids,
 * copies have the next free ones and ":again" after the name.  HW_NO_MEMORY.
 */
hw_code hw_again_named(const hw_again *a, const hw_graph *first, hw_graph **out, hw_error *err);

#endif
