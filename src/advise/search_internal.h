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

#endif
