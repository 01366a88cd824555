/* What `info` tells about one graph. */
#ifndef HW_CLI_GRAPH_FACTS_H
#define HW_CLI_GRAPH_FACTS_H

#include "io/io.h"
#include "model/model.h"
#include "model/structure.h"
#include "solvers/bound.h"

typedef struct hw_graph_facts {
    const hw_graph *graph;
    hw_structure structure;
    char hash[HW_HASH_TEXT];
    bool pin_inputs;
    uint64_t total_bytes; /* of storages, without the constants */
    uint64_t resident_bytes;
    uint64_t n_views, n_inplace_pairs, n_required, n_locked, n_windows;
    bool any_legal;          /* some order fits the windows     */
    bool source_legal;       /* the order of the file is one    */
    char reason[256];        /* why it is not                   */
    uint64_t source_peak[2]; /* by accounting */
    bound_ladder bound[2];   /* by accounting; nothing but the simple one unless any_legal */
} hw_graph_facts;

/*
 * Fill *out; count down-sets and orders up to most_down_sets.  The stop flag
 * ends bounds, not counting.  HW_BAD_INPUT: pinned inputs that must be
 * overwritten.  HW_NO_MEMORY.  Bounded by the counting and, for the width, by
 * O(n^3 / 64); bounds by a number of steps that takes a second or two.
 */
hw_code hw_graph_facts_of(const hw_graph *g, bool pin_inputs, uint64_t most_down_sets,
                          const volatile sig_atomic_t *stop, hw_graph_facts *out, hw_error *err);

#endif
