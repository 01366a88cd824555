/*
 * One call from a graph to an answer, without structs to fill.
 *
 * For languages that can call C but do not share its layouts
 * (examples/highwater.py), and for short programs.  Nodes are named by their
 * ids in the file.
 *
 *     hw_error *err = hw_error_new();
 *     hw_graph *g = NULL;
 *     hw_solution *found = NULL;
 *     if (hw_graph_parse(json, length, "my graph", &g, err) == HW_OK &&
 *         hw_solution_find(g, "exact", false, 10, 0, 0, &found, err) == HW_OK)
 *         printf("%s %" PRIu64 "\n", hw_solution_status(found), hw_solution_peak(found));
 *     else
 *         puts(hw_error_message(err));
 *     hw_solution_free(found);
 *     hw_graph_free(g);
 *     hw_error_free(err);
 */
#ifndef HW_SOLVE_SOLUTION_H
#define HW_SOLVE_SOLUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "model/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An empty error context, released by hw_error_free(); NULL: no memory, and allowed everywhere. */
hw_error *hw_error_new(void);
void hw_error_free(hw_error *err); /* NULL is allowed */

/* What went wrong last, in one sentence; "" where nothing did.  The context's. */
const char *hw_error_message(const hw_error *err);

/* What a solver found for one graph. */
typedef struct hw_solution hw_solution;

/*
 * Run the solver of `solver` ("exact", "beam:width=32", as `highwater list solvers` has them) on g
 * for at most `seconds` and `states` (0: no limit).  seed is for those that draw at random.  The
 * solution is the caller's; g is not needed after the call.
 * HW_USAGE: no such solver or parameter, or g is larger than it takes; HW_BAD_INPUT: no model of g;
 * HW_NO_MEMORY; HW_INTERNAL.
 */
hw_code hw_solution_find(const hw_graph *g, const char *solver, bool free_first, double seconds,
                         uint64_t states, uint64_t seed, hw_solution **out, hw_error *err);
void hw_solution_free(hw_solution *found); /* NULL is allowed */

/* "optimal", "feasible", "infeasible", "unknown" or "stalled"; static. */
const char *hw_solution_status(const hw_solution *found);

/* Entries of the order: all nodes, or 0 where no order was found. */
uint32_t hw_solution_length(const hw_solution *found);

/* Node ids in the order in which they run, the solution's; NULL: no order was found. */
const uint32_t *hw_solution_order(const hw_solution *found);

/* Bytes at the peak of the order; 0 where there is none. */
uint64_t hw_solution_peak(const hw_solution *found);

/* Bytes below which no order's peak lies; 0 where nothing is known. */
uint64_t hw_solution_bound(const hw_solution *found);

/* Bytes of constants, part of neither peak nor bound. */
uint64_t hw_solution_resident(const hw_solution *found);

/* States that the solver counted. */
uint64_t hw_solution_states(const hw_solution *found);

/* Wall time that it took. */
double hw_solution_seconds(const hw_solution *found);

/*
 * The peak of an order of one's own, ids[0 .. n), by the independent checker.  HW_CHECK_FAILED: it
 * is illegal, the message says where; HW_BAD_INPUT: an id that g does not have.  HW_NO_MEMORY,
 * HW_INTERNAL.  O(size of the graph), see hw_check_order().
 */
hw_code hw_solution_check(const hw_graph *g, bool free_first, const uint32_t *ids, uint32_t n,
                          uint64_t *peak, hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
