/* A find as a graph that says where it is from, and its figures by the second route. */
#ifndef HW_ADVERSARY_SEARCH_CONFIRM_H
#define HW_ADVERSARY_SEARCH_CONFIRM_H

#include "adversary/search_run.h"

/* The graph of a find, with the words of where it was found; the caller's. */
hw_code hw_find_graph(const hw_search *s, const char *command, uint64_t lane, const hw_find *find,
                      hw_graph **out, hw_error *err);

/*
 * Rate it by hw_goal_rate().  HW_LIMIT: that proves less; HW_INTERNAL: the figures are not those of
 * the find; the graph is then in a file that the message names.  *graph is the caller's in any
 * case.
 */
hw_code hw_find_confirm(const hw_search *s, const hw_search_options *options, uint64_t lane,
                        const hw_find *find, hw_graph **graph, hw_error *err);

/* Back from such a graph, rated anew.  HW_USAGE: it is none. */
hw_code hw_find_of_graph(const hw_search *s, const hw_graph *graph, uint64_t *lane, hw_find *find,
                         hw_error *err);

#endif
