/* From names to indices: open addressing, at most half full.  See onnx_internal.h. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/onnx_internal.h"

static uint64_t hash(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * 0x100000001b3u;
    return h ^ h >> 32;
}

/* The slot where the name stands or would stand. */
static size_t find_slot(const char *const *known, const uint32_t *slot, size_t n_slots,
                        const char *name)
{
    size_t at = (size_t)hash(name) & (n_slots - 1);
    while (slot[at] && strcmp(known[slot[at] - 1], name) != 0)
        at = (at + 1) & (n_slots - 1);
    return at;
}

static bool widen(hw_onnx_names *names)
{
    size_t n_slots = names->n_slots ? 2 * names->n_slots : 64;
    uint32_t *slot = HW_NEW0(uint32_t, n_slots);
    if (!slot)
        return false;
    for (size_t i = 0; i < names->n; i++)
        slot[find_slot(names->name, slot, n_slots, names->name[i])] = (uint32_t)i + 1;
    free(names->slot);
    names->slot = slot;
    names->n_slots = n_slots;
    return true;
}

uint32_t hw_onnx_names_add(hw_onnx_names *names, const char *name, bool *is_new)
{
    if (names->n + 1 >= HW_NONE || (2 * (names->n + 1) > names->n_slots && !widen(names)))
        return HW_NONE;
    size_t at = find_slot(names->name, names->slot, names->n_slots, name);
    *is_new = names->slot[at] == 0;
    if (!*is_new)
        return names->slot[at] - 1;
    if (!hw_grow((void **)&names->name, &names->room, names->n + 1, sizeof *names->name))
        return HW_NONE;
    names->name[names->n++] = name;
    names->slot[at] = (uint32_t)names->n;
    return (uint32_t)names->n - 1;
}

uint32_t hw_onnx_names_find(const hw_onnx_names *names, const char *name)
{
    if (names->n_slots == 0)
        return HW_NONE;
    return names->slot[find_slot(names->name, names->slot, names->n_slots, name)] - 1;
}

void hw_onnx_names_clear(hw_onnx_names *names)
{
    free(names->name);
    free(names->slot);
    *names = (hw_onnx_names){0};
}
