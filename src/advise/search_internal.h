/* The parts of the search for the best recomputation.  See search.h. */
#ifndef HW_ADVISE_SEARCH_INTERNAL_H
#define HW_ADVISE_SEARCH_INTERNAL_H

#include "advise/search.h"

/* One change of one graph. */
typedef struct change {
    uint32_t base;   /* index of the graph that is changed                       */
    uint32_t node;   /* of it: runs again                                        */
    size_t late;     /* its late users: pool[late .. late + n_late)              */
    uint32_t n_late; /* 0: the end of the run alone                              */
    uint64_t score;  /* bytes that it may keep out of the peak of the base's order */
    uint64_t bytes;  /* that all copies read and write                           */
    uint64_t known;  /* the least peak known of the changed graph; UINT64_MAX: none */
    uint64_t bound;  /* no order of it has less                                  */
    uint32_t *order; /* of peak `known`, found by a solver; NULL: the base's order */
    bool impossible; /* no such graph                                            */
} change;

typedef struct change_list {
    change *change;
    size_t n, room;
    uint32_t *pool;
    size_t n_pool, pool_room;
    bool every; /* all changes of all bases are in the list */
} change_list;

void change_list_clear(change_list *list);

/*
 * Append the changes of base number `index`.  m is a model of its graph.
 * HW_NO_MEMORY.
 */
hw_code changes_of(const hw_model *m, const hw_again *base, const hw_users *users, uint32_t index,
                   change_list *list, hw_error *err);

/* The search of one level. */
typedef struct search {
    const hw_again_ask *ask;
    uint64_t floor;
    hw_level *level; /* that is searched */
    hw_again *base;  /* graphs that are changed */
    hw_users *users; /* of each */
    size_t n_bases;
    bool whole; /* the bases are all that there can be */
    change_list list;
    bool *late; /* room for a node of any base */
    size_t late_room;
    double end_seconds; /* of this level */
} search;

/* Is the time of the level over, or the stop flag set? */
bool advise_over(const search *s);

/* The graph of a change, with the best order that is known of it.  HW_NO_MEMORY. */
hw_code advise_make(search *s, const change *c, hw_again *out, bool *possible, hw_error *err);

/* Put copies into the orders at hand, those first that may keep most out of the peak.
 * HW_NO_MEMORY, HW_INTERNAL. */
hw_code advise_place(search *s, hw_error *err);

/*
 * Ask of every changed graph whether it has an order below the level's peak,
 * until all are settled or a limit is reached; then for as small a peak with
 * less work.  HW_NO_MEMORY, HW_INTERNAL.
 */
hw_code advise_ask(search *s, hw_error *err);

/* The changed graph is none, or has no order below the level's peak. */
bool advise_settled(const search *s, const change *c);

/* Sort the list: the least peak known first, then the most bytes kept out of the peak; or the other
 * way round. */
void advise_sort_by_hope(search *s);
void advise_sort_by_score(search *s);

#endif
