/* From names to dense indices.  See names.h. */
#include "import/names.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* FNV-1a, then a last mix, since slots are taken from the low bits. */
static uint64_t hash_of(const char *text, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return h ^ (h >> 29);
}

/* The slot that holds the name, or the empty one where it belongs. */
static size_t slot_of(const hw_names *names, const char *text, size_t n, uint64_t hash)
{
    size_t at = (size_t)hash & (names->n_slots - 1);
    for (; names->slot[at]; at = (at + 1) & (names->n_slots - 1)) {
        const hw_name *known = &names->name[names->slot[at] - 1];
        if (known->hash == hash && known->length == n &&
            memcmp(names->text + known->at, text, n) == 0)
            break;
    }
    return at;
}

/* More slots, at most half of them taken. */
static bool spread(hw_names *names)
{
    size_t n_slots = names->n_slots ? 2 * names->n_slots : 64;
    uint32_t *slot = HW_NEW0(uint32_t, n_slots);
    if (!slot)
        return false;
    for (size_t i = 0; i < names->n_names; i++) {
        size_t at = (size_t)names->name[i].hash & (n_slots - 1);
        while (slot[at])
            at = (at + 1) & (n_slots - 1);
        slot[at] = (uint32_t)i + 1;
    }
    free(names->slot);
    names->slot = slot;
    names->n_slots = n_slots;
    return true;
}

uint32_t hw_names_find(const hw_names *names, const char *text, size_t n)
{
    if (names->n_slots == 0)
        return UINT32_MAX;
    uint32_t found = names->slot[slot_of(names, text, n, hash_of(text, n))];
    return found ? found - 1 : UINT32_MAX;
}

uint32_t hw_names_add(hw_names *names, const char *text, size_t n, bool *added)
{
    uint64_t hash = hash_of(text, n);
    if (added)
        *added = false;
    if (2 * (names->n_names + 1) > names->n_slots && !spread(names))
        return UINT32_MAX;
    size_t at = slot_of(names, text, n, hash);
    if (names->slot[at])
        return names->slot[at] - 1;
    if (names->n_names >= UINT32_MAX - 1 ||
        !hw_grow((void **)&names->name, &names->room, names->n_names + 1, sizeof(hw_name)) ||
        !hw_grow((void **)&names->text, &names->text_room, names->n_text + n + 1, 1))
        return UINT32_MAX;
    memcpy(names->text + names->n_text, text, n);
    names->name[names->n_names] = (hw_name){.hash = hash, .at = names->n_text, .length = n};
    names->n_text += n;
    names->slot[at] = (uint32_t)++names->n_names;
    if (added)
        *added = true;
    return (uint32_t)names->n_names - 1;
}

void hw_names_clear(hw_names *names)
{
    free(names->name);
    free(names->text);
    free(names->slot);
    *names = (hw_names){0};
}
