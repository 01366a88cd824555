/* The graph of a result, made anew. */
#ifndef HW_BENCH_REMAKE_H
#define HW_BENCH_REMAKE_H

#include "bench/record.h"
#include "model/graph.h"

/*
 * The graph of a record of a generated family, from family, parameters, seed
 * and index, to be released by hw_graph_free().  *g is NULL, and *why says why,
 * when it cannot be made anew or comes out another: of a file, or by another
 * version of the program.  HW_NO_MEMORY, or as of hw_generate().
 */
hw_code hw_record_remake(const hw_record *r, hw_graph **g, const char **why, hw_error *err);

#endif
