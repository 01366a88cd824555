/* What a record holds, for its reader (record_read.c) and for undoing (unfuse.c). */
#ifndef HW_TRANSFORM_RECORD_INTERNAL_H
#define HW_TRANSFORM_RECORD_INTERNAL_H

#include "io/io.h"
#include "transform/record.h"

/* A node or tensor and where it stands in the original. */
typedef struct record_place {
    uint32_t id, position;
} record_place;

typedef struct record_fusion {
    uint32_t node;     /* id in the fused graph                                */
    size_t begin, end; /* its members: record->node[begin .. end), in order    */
} record_fusion;

struct hw_record {
    char *file; /* for messages */
    char original[HW_HASH_TEXT], fused[HW_HASH_TEXT];
    record_fusion *fusion;
    size_t n_fusions;
    record_place *node, *tensor; /* members of all fusions; tensors that vanished */
    size_t n_nodes, n_tensors, node_room, tensor_room;
    uint64_t *control; /* ids, in pairs */
    size_t n_control;
    hw_graph *parts;
};

#endif
