/* From names to dense indices: a hash table of texts.  All zeros: an empty one. */
#ifndef HW_IMPORT_NAMES_H
#define HW_IMPORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hw_name {
    uint64_t hash;
    size_t at; /* in `text` */
    size_t length;
} hw_name;

typedef struct hw_names {
    hw_name *name; /* by index */
    size_t n_names, room;
    char *text;
    size_t n_text, text_room;
    uint32_t *slot; /* index + 1; 0: empty */
    size_t n_slots; /* a power of two */
} hw_names;

/*
 * The index of the n bytes at text, which is new where *added (may be NULL) is set: the count
 * before.  UINT32_MAX: out of memory, or 2^32 - 2 names are there.  Expected O(n).
 */
uint32_t hw_names_add(hw_names *names, const char *text, size_t n, bool *added);

/* The index, or UINT32_MAX.  Expected O(n). */
uint32_t hw_names_find(const hw_names *names, const char *text, size_t n);

void hw_names_clear(hw_names *names);

#endif
