/*
 * From the ids of a file (distinct integers below 2^32) to dense indices.
 *
 * As long as ids come as 0, 1, 2, … nothing is stored; the first that does not
 * turns the map into an open-addressing hash table.
 */
#ifndef HW_CORE_IDMAP_H
#define HW_CORE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hw_idmap {
    uint32_t count; /* ids held; the next index          */
    uint32_t *id;   /* id of every index; NULL while dense */
    size_t id_capacity;
    uint32_t *slot; /* index + 1; 0: empty; NULL while dense */
    size_t n_slots; /* a power of two */
} hw_idmap;

typedef enum hw_idmap_result {
    HW_IDMAP_NEW,
    HW_IDMAP_REPEATED,
    HW_IDMAP_NO_MEMORY
} hw_idmap_result;

/* Add an id; its index is the count before.  Amortised O(1). */
hw_idmap_result hw_idmap_add(hw_idmap *map, uint32_t id);

/* The index of an id, or UINT32_MAX.  Expected O(1). */
uint32_t hw_idmap_find(const hw_idmap *map, uint64_t id);

void hw_idmap_clear(hw_idmap *map);

#endif
