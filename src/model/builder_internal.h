/* What adding (builder.c) hands to finishing (builder_finish.c). */
#ifndef HW_MODEL_BUILDER_INTERNAL_H
#define HW_MODEL_BUILDER_INTERNAL_H

#include "core/idmap.h"
#include "model/builder.h"

typedef struct hw_growing {
    uint32_t *item;
    size_t count, capacity;
} hw_growing;

struct hw_builder {
    hw_graph *g; /* arrays below are moved or shrunk into it by finish() */

    hw_idmap tensor_map, node_map;
    size_t tensor_capacity, node_capacity;
    hw_growing input_offset, input_item, output_offset, output_item, pair_offset;
    hw_inplace_pair *pair;
    size_t n_pairs, pair_capacity;

    uint64_t *control; /* from id, to id, ... */
    size_t n_control, control_capacity;

    char *pool; /* names */
    size_t pool_bytes, pool_capacity;
    uint32_t last_op; /* offset of the operator type added last: they repeat */

    bool any_view, any_locked, any_required;
};

#endif
