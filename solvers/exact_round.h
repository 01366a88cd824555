/*
 * One round of contraction: what is kept of a piece, which pairs of its nodes
 * become one, and the piece made of them.  See exact_contract.h, which has the
 * rules and the words.
 */
#ifndef HW_SOLVERS_EXACT_ROUND_H
#define HW_SOLVERS_EXACT_ROUND_H

#include "solvers/exact_problem.h"

/* One round: p is looked at, q is made of it. */
typedef struct exact_round {
    const exact_problem *p;
    exact_problem *q;
    /* Of p, with useless uses left out. */
    hw_rows uses;
    uint32_t *n_users;                  /* of a buffer                    */
    uint32_t *n_users_after;            /* nodes of q                     */
    uint64_t *alone, *all;              /* of a node: bytes, see the head */
    uint64_t *least_reuse, *most_reuse; /* of a node                      */
    uint32_t *partner;                  /* HW_NONE: none                  */
    bool *backwards;                    /* of the first of a pair: B      */
    uint32_t *first, *second;           /* of a node of q: nodes of p     */
    uint32_t *name;                     /* of a node of p in q            */
    uint32_t *buffer_name;              /* of a buffer of p in q          */
    uint64_t *size;                     /* of a buffer of p, in q         */
    uint32_t *stamp;
    uint32_t n_pairs;
} exact_round;

/* What a node of q is: one node of p, or two in a row. */
typedef struct exact_figures {
    uint64_t net, add;
    uint32_t pairs_of; /* whose in-place pairs stay */
    uint32_t n_pairs;  /* of them                   */
} exact_figures;

/* Look at p and choose pairs; r->n_pairs tells how many.  False: out of memory. */
bool exact_round_start(exact_round *r, const exact_problem *p);
void exact_round_free(exact_round *r);

/* The piece made of p, into r->q, which is the caller's.  False: out of memory. */
bool exact_round_make(exact_round *r);

/* Figures of the node of q that u and v (HW_NONE: none) become. */
exact_figures exact_round_figures(const exact_round *r, uint32_t u, uint32_t v);

/* May v free buffer b? */
bool exact_round_uses(const exact_round *r, uint32_t v, uint32_t b);

#endif
