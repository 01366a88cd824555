/*
 * The exact optimum of one piece between a bound and an order in hand: forward
 * and reverse search take turns with doubling shares of states, or work at once
 * on two processors; the direction that seems nearer to its end gets more.  A
 * beam lends upper bounds when the search proves long.
 */
#ifndef HW_SOLVERS_EXACT_SEARCH_H
#define HW_SOLVERS_EXACT_SEARCH_H

#include "solvers/exact_pair.h"

typedef enum exact_direction { EXACT_BOTH, EXACT_FORWARD, EXACT_REVERSE } exact_direction;

typedef struct exact_options {
    exact_rules rules;
    bool symmetry; /* look prefixes up by images under maps of the piece */
    exact_direction direction;
    uint32_t beam;         /* width; 0: none                       */
    uint32_t threads;      /* 2 and more: both directions at once  */
    uint64_t memory_bytes; /* of a piece's sets and its dead sets  */
} exact_options;

/* How far a direction has come with the budget of the last call. */
typedef struct exact_pace {
    uint64_t first_states, states; /* after its first turn, and by now */
    int first_progress, progress;
} exact_pace;

/* The state of a search that goes on over falling budgets. */
typedef struct exact_search {
    const exact_problem *p;
    const exact_options *options;
    exact_engine engine[2]; /* forward, reverse */
    bool open[2];           /* the engine is in use */
    exact_pace pace[2];
    uint64_t share;      /* states of the next turn, forwards */
    uint64_t states;     /* of all turns */
    uint64_t pause_at;   /* states at which EXACT_PAUSED is answered; 0: never */
    exact_images images; /* of p, found when the search has become long */
    bool looked;         /* for images */
    uint32_t turn;
    uint32_t beams;     /* beams run so far: two directions a width */
    uint32_t proved_by; /* after EXACT_NONE: 0 forward, 1 reverse */
    uint64_t asked;     /* the last budget        */
    bool found_reverse; /* and the reverse search met it */
    exact_pair *pair;   /* the second thread, from the first time it is of use */
    bool alone;         /* there is none to be had */
    uint64_t unit;      /* states of one of its turns */
} exact_search;

hw_code exact_search_init(exact_search *s, const exact_problem *p, const exact_options *options,
                          hw_error *err);
void exact_search_free(exact_search *s);

/*
 * Is there an order with peak <= budget?  EXACT_FOUND fills order[0 .. n) with
 * nodes of the piece.  Budgets may only fall from call to call.
 */
exact_outcome exact_search_decide(exact_search *s, uint64_t budget, hw_meter *meter,
                                  uint32_t *order);

#endif
