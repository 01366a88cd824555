/*
 * What can be done next at a prefix: the branches of the exact search.
 *
 * Plain branches are the ready nodes.  Forwards, rule R3 replaces them by
 * macro-steps (A; w): nodes A that are pure (free nothing, no workspace, no
 * dead output) and then one node w that is not (exact_macros.h).
 */
#ifndef HW_SOLVERS_EXACT_MOVES_H
#define HW_SOLVERS_EXACT_MOVES_H

#include "core/bitset.h"
#include "solvers/exact_dead.h"
#include "solvers/exact_walk.h"

typedef struct exact_rules {
    bool safe;         /* R1  */
    bool safe_reverse; /* R1' */
    bool valley;       /* R2  */
    bool macros;       /* R3  */
    bool deep;         /* R2 over several moves: exact_commit.h */
} exact_rules;

typedef enum exact_move_kind {
    EXACT_MOVE_NODE,   /* w and its ancestors                               */
    EXACT_MOVE_BUFFER, /* all users of buffer `extra` and their ancestors   */
    EXACT_MOVE_INPUTS  /* w, its ancestors, and those of the users of those
                          of its uses that the bits of `extra` name         */
} exact_move_kind;

typedef struct exact_move {
    uint64_t after; /* live after it */
    uint32_t last;  /* w             */
    uint32_t kind, extra;
} exact_move;

/* How the moves of a prefix decide it. */
typedef enum exact_how {
    EXACT_HOW_RULES,  /* dead when all of them are         */
    EXACT_HOW_COMMIT, /* with one that loses nothing        */
    EXACT_HOW_PLAIN   /* all ready nodes, rules left aside */
} exact_how;

enum {
    EXACT_MOST_CHOICES = 24, /* inputs of a node that may be freed or not */
    EXACT_SCRATCH_SETS = EXACT_MOST_CHOICES + 4
};

/* A growing list of moves, used as a stack by the search. */
typedef struct exact_moves {
    exact_move *item;
    size_t count, capacity;
    uint64_t *scratch; /* sets */
    bool no_memory;
} exact_moves;

hw_code exact_moves_init(exact_moves *list, const exact_problem *p, hw_error *err);
void exact_moves_free(exact_moves *list);
void exact_moves_append(exact_moves *list, exact_move move); /* or sets no_memory */

/*
 * Append the moves at the walk's prefix whose usage stays within the budget,
 * least live after them first.  Moves to prefixes known dead are left out.
 * The walk is as before afterwards.
 */
exact_how exact_moves_find(exact_moves *list, exact_walk *w, const exact_dead *dead,
                           const exact_rules *rules, uint64_t budget);

/* The nodes of a move, w among them, as a set of p->words. */
void exact_move_set(const exact_walk *w, const exact_move *move, uint64_t *set);

/* Make a move: all its nodes in topological order, w last. */
void exact_move_make(exact_moves *list, exact_walk *w, const exact_move *move);

#endif
