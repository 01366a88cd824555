/*
 * Beam search through the prefixes of a whole graph: see beam_search.c.
 */
#ifndef HW_SOLVERS_BEAM_SEARCH_H
#define HW_SOLVERS_BEAM_SEARCH_H

#include "solve/solver.h"

enum { BEAM_MOST_WIDTH = 1000000, BEAM_WIDTH = 32 /* by default */ };

typedef struct beam_options {
    uint32_t width;      /* prefixes kept of each size, at least 1                   */
    uint32_t candidates; /* ready nodes tried for each prefix; 0: `width`, at least 16 */
    bool backwards;      /* from the sinks                                           */
} beam_options;

/*
 * Search for an order with a smaller peak than the answer's, and let it stand
 * there when one is found.  `order` is work space of n_nodes.  A limit ends
 * the search without an order and sets answer->limit_reached; one state is a
 * prefix tried.  HW_NO_MEMORY.
 */
hw_code beam_search(const hw_model *m, const beam_options *options, hw_meter *meter,
                    uint32_t *order, hw_answer *answer, hw_error *err);

/* Is nothing left to find: does the answer meet the bound, or the budget? */
bool beam_is_done(const hw_model *m, const hw_request *request, const hw_answer *answer);

#endif
