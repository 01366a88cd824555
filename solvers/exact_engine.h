/*
 * The decision "is there an order of the piece with peak <= B?" by depth-first
 * search over prefixes, in one direction, with an explicit stack and a dead
 * set.
 */
#ifndef HW_SOLVERS_EXACT_ENGINE_H
#define HW_SOLVERS_EXACT_ENGINE_H

#include "solve/solver.h"
#include "solvers/exact_commit.h"
#include "solvers/exact_dead.h"
#include "solvers/exact_images.h"
#include "solvers/exact_moves.h"

typedef enum exact_outcome {
    EXACT_FOUND,  /* an order within the budget: exact_engine_order()     */
    EXACT_NONE,   /* proven: there is none                                */
    EXACT_PAUSED, /* the states asked for are used up; call again         */
    EXACT_OVER,   /* the meter says stop                                  */
    EXACT_FAILED  /* out of memory                                        */
} exact_outcome;

typedef struct exact_frame {
    uint32_t base;  /* moves made before this prefix was entered   */
    uint32_t made;  /* moves after which closing it began          */
    uint32_t count; /* moves that lead to it, those of R1 included */
    uint64_t live;
    exact_how how;
    uint32_t witness;   /* moves up to the prefix of EXACT_HOW_COMMIT */
    size_t first, next; /* its moves that are left: next .. the end  */
} exact_frame;

typedef struct exact_engine {
    const exact_problem *p;
    exact_rules rules;
    exact_walk walk;
    exact_dead dead;
    exact_moves moves;
    exact_commit commit;
    exact_frame *frame;
    uint64_t *unclosed; /* work space: a set */
    uint64_t *image;    /* work space: two sets */
    size_t n_frames, frame_capacity;
    uint64_t budget;
    uint64_t goal; /* a prefix with less live than this is an answer, too; 0: none */
    bool running;  /* the stack belongs to an undecided budget */
    uint64_t states;

    /* Maps of p, the caller's; prefixes are also looked up by an image.  NULL: none. */
    const exact_images *images;

    /* Called at each prefix found dead, after those that make it so: its
     * successors or, with EXACT_HOW_COMMIT, the one that the n nodes of `path`
     * lead to, which makes the prefixes on the way dead as well.  NULL: nobody. */
    void (*on_dead)(void *context, const exact_walk *w, exact_how how, const uint32_t *path,
                    uint32_t n);
    void *context;
} exact_engine;

hw_code exact_engine_init(exact_engine *e, const exact_problem *p, bool reverse,
                          const exact_rules *rules, uint64_t memory_bytes, hw_error *err);
void exact_engine_free(exact_engine *e);

/*
 * How much of the search of an undecided budget is behind, if all moves of a
 * prefix were alike: about 2 to this power of it.  It grows steadily with the
 * states.  A product of quotients, no sum: the same on every machine.  O(depth).
 */
int exact_engine_progress(const exact_engine *e);

/*
 * Decide, or go on deciding, for at most `states` more prefixes.  Budgets may
 * only fall from call to call: what is dead stays dead.
 */
exact_outcome exact_engine_run(exact_engine *e, uint64_t budget, uint64_t states, hw_meter *meter);

/*
 * After EXACT_FOUND: the nodes of the piece in order, into order[0 .. n).  With
 * a goal the walk's trail holds the moves that led to it.
 */
void exact_engine_order(const exact_engine *e, uint32_t *order);

#endif
