/*
 * Small graphs for tests, written as lines of the line format parted by ';':
 *
 *     "t 0 10 i; t 1 5 o; v 0 0 > 1 workspace=3"
 *
 * The head with its counts is put before them.
 */
#ifndef HW_TESTS_SUPPORT_LINES_H
#define HW_TESTS_SUPPORT_LINES_H

#include "model/check.h"
#include "model/model.h"

/* Errors of hw_graph_parse(). */
hw_code lines_parse(const char *lines, hw_graph **out, hw_error *err);

/* The graph; a refusal fails the running test. */
hw_graph *lines_graph(const char *lines);

/* A model; a refusal fails the running test. */
hw_model *lines_model(const hw_graph *g, hw_accounting accounting, bool pin_inputs);

/*
 * The peak of an order by the fast simulator, after the checker found the
 * order legal with the same peak, peak step and resident bytes; anything else
 * fails the running test.
 */
uint64_t agreed_peak(const hw_graph *g, hw_accounting accounting, bool pin_inputs,
                     const uint32_t *order);

/* What the checker says to an order of all nodes (alloc-first, not pinned). */
hw_check checked(const hw_graph *g, const uint32_t *order);

#endif
