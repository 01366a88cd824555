/* What the parts of highwater-check share: see highwater-check.c. */
#ifndef HW_CHECK_PROOF_H
#define HW_CHECK_PROOF_H

#include <stdio.h>

#include "check/check_walk.h"

/* A line of text of the proof. */
typedef struct proof_line {
    char *text; /* of the line */
    size_t room;
    char *what, *which; /* its first words, in the text */
    list numbers;       /* the others                   */
} proof_line;

typedef struct search {
    FILE *in; /* the proof */
    proof_line line;
    graph *g;
    walk w;
    uint64_t budget; /* N - 1 */
    bool free_first;
    uint8_t *side;              /* of the piece a node runs 1: before, 2: after, 0: inside */
    uint32_t low, high;         /* once sorted by that: the nodes inside */
    uint32_t from, to;          /* the words of sets that hold them */
    bool windows;               /* no rules, positions count     */
    uint32_t open_end;          /* storages that the piece does not free */
    int64_t *earliest, *latest; /* positions of nodes            */
    uint64_t *piece, *impure;   /* sets: all nodes; those that cannot wait, whatever they free */
    uint64_t *above;            /* sets, of nodes: itself and its ancestors, in the piece */
    uint64_t **closure;         /* of storages that can die: their users and these' ancestors */
    uint64_t *set;              /* sets of macro-steps, one a level */
    list trail;                 /* moves since the listed prefix */
    uint64_t *slot;             /* listed prefixes, each after its hash; 0: empty */
    size_t slots, listed;
} search;

void check_line(search *s); /* read the next one; there has to be one */
/* Is the word the second of two?  It has to be one of them. */
bool check_second(const char *word, const char *first, const char *second);

/* From this line on the symmetries of the proof, and their edges into the graph. */
void check_symmetries(search *s);

/* Positions of nodes, from their windows and those of their neighbours. */
void check_windows(search *s);
/* A line that moves one end of the piece. */
void check_narrow(search *s);
/* Number the nodes such that the piece is what lies between low and high. */
void check_sort_piece(search *s);
/* Start the walk s->w and take it to one end of the piece. */
void check_walk_to_piece(search *s, bool reverse);

/* All that may follow. */
void check_bound(search *s);
void check_search(search *s);

#endif
