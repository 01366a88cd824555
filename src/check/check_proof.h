/* What the parts of highwater-check share: see highwater-check.c. */
#ifndef HW_CHECK_PROOF_H
#define HW_CHECK_PROOF_H

#include <stdio.h>

#include "check/check_walk.h"

typedef struct search {
    FILE *in; /* the proof */
    graph *g;
    walk w;
    uint64_t budget; /* N - 1 */
    bool free_first;
    bool windows;          /* no rules, positions count */
    int64_t *first, *last; /* positions of nodes        */
    uint64_t *impure;      /* set of nodes that cannot wait, whatever they free */
    uint64_t *above;       /* sets, of nodes: itself and its ancestors          */
    uint64_t **closure;    /* of storages that can die: their users and these' ancestors */
    uint64_t *set;         /* sets of macro-steps, one a level       */
    list trail;            /* moves since the prefix to be listed    */
    list path;             /* of a commit */
    uint64_t *slot;        /* listed prefixes, each after its hash; 0: empty */
    size_t slots, listed;
} search;

/* Is the word the second of two?  It has to be one of them. */
bool check_second(const char *word, const char *first, const char *second);

/* Positions of nodes, from their windows and those of their neighbours. */
void check_windows(search *s);
/* The line `bound KIND FIRST LAST`; the numbers are 0 where it has none. */
void check_bound(search *s, const char *kind, uint64_t first, uint64_t last);
/* The records of a search, to the end of the proof. */
void check_search(search *s, bool reverse);

#endif
