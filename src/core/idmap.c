/* From ids to dense indices.  See idmap.h. */
#include "core/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static size_t home(const hw_idmap *map, uint32_t id)
{
    uint64_t mixed = (uint64_t)id * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) & (map->n_slots - 1);
}

static void insert(hw_idmap *map, uint32_t index)
{
    size_t at = home(map, map->id[index]);
    while (map->slot[at])
        at = (at + 1) & (map->n_slots - 1);
    map->slot[at] = index + 1;
}

static bool rehash(hw_idmap *map, size_t n_slots)
{
    uint32_t *fresh = HW_NEW0(uint32_t, n_slots);
    if (!fresh)
        return false;
    free(map->slot);
    map->slot = fresh;
    map->n_slots = n_slots;
    for (uint32_t i = 0; i < map->count; i++)
        insert(map, i);
    return true;
}

/* Leave the dense form: write the ids 0 .. count-1 out. */
static bool spread(hw_idmap *map)
{
    if (!hw_grow((void **)&map->id, &map->id_capacity, (size_t)map->count + 1, sizeof *map->id))
        return false;
    for (uint32_t i = 0; i < map->count; i++)
        map->id[i] = i;
    size_t n_slots = 16;
    while (n_slots < 2 * ((size_t)map->count + 1))
        n_slots *= 2;
    return rehash(map, n_slots);
}

hw_idmap_result hw_idmap_add(hw_idmap *map, uint32_t id)
{
    if (!map->slot && id == map->count) {
        map->count++;
        return HW_IDMAP_NEW;
    }
    if (hw_idmap_find(map, id) != UINT32_MAX)
        return HW_IDMAP_REPEATED;
    if (!map->slot && !spread(map))
        return HW_IDMAP_NO_MEMORY;
    if (2 * ((size_t)map->count + 1) > map->n_slots && !rehash(map, 2 * map->n_slots))
        return HW_IDMAP_NO_MEMORY;
    if (!hw_grow((void **)&map->id, &map->id_capacity, (size_t)map->count + 1, sizeof *map->id))
        return HW_IDMAP_NO_MEMORY;
    map->id[map->count] = id;
    insert(map, map->count);
    map->count++;
    return HW_IDMAP_NEW;
}

uint32_t hw_idmap_find(const hw_idmap *map, uint64_t id)
{
    if (id > UINT32_MAX)
        return UINT32_MAX;
    if (!map->slot)
        return id < map->count ? (uint32_t)id : UINT32_MAX;
    for (size_t at = home(map, (uint32_t)id); map->slot[at]; at = (at + 1) & (map->n_slots - 1))
        if (map->id[map->slot[at] - 1] == (uint32_t)id)
            return map->slot[at] - 1;
    return UINT32_MAX;
}

void hw_idmap_clear(hw_idmap *map)
{
    free(map->id);
    free(map->slot);
    memset(map, 0, sizeof *map);
}
