/* A simulator that keeps tensors by name (c24_by_name.c), for c24_names.c. */
#ifndef HW_CLAIMS_C24_NAMES_H
#define HW_CLAIMS_C24_NAMES_H

#include "model/model.h"

typedef struct by_name {
    uint64_t peak;        /* that it tells                                         */
    uint32_t wrong_steps; /* steps after which the count of a live tensor is wrong */
    uint32_t wrong_bytes; /* steps after which the live bytes are                  */
} by_name;

/*
 * The printed simulation of section 3.3, free-first, with its two tables keyed
 * by name[t], any label below n_tensors, in place of the tensor: counts as a
 * comprehension makes them, where the tensor listed last wins, or added up.
 * HW_NO_MEMORY.  O(steps * tensors).
 */
hw_code by_name_run(const hw_graph *g, const uint32_t *order, const uint32_t *name, bool added,
                    by_name *out, hw_error *err);

/*
 * A plain g (no views, workspace, in-place pairs, control edges) with names as a
 * parser gives them that names nodes anew in each of `copies` equal parts of the
 * source: name[t] is the label of "node_slot".  Ids are 0, 1, 2, ...  HW_NO_MEMORY.
 */
hw_code by_name_rename(const hw_graph *g, uint32_t copies, uint32_t *name, hw_graph **out,
                       hw_error *err);

#endif
