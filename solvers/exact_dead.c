/* The dead set.  See exact_dead.h. */
#include "solvers/exact_dead.h"

#include <stdlib.h>
#include <string.h>

#include "core/bitset.h"
#include "core/memory.h"

enum { FIRST_SLOTS = 1024, PROBES = 16 };

HW_SPECIALIZE size_t hash(const uint64_t *set, uint32_t words)
{
    uint64_t h = 0x9e3779b97f4a7c15;
    for (uint32_t w = 0; w < words; w++) {
        h = (h ^ set[w]) * 0xbf58476d1ce4e5b9;
        h ^= h >> 32;
    }
    return (size_t)(h ^ h >> 29);
}

HW_SPECIALIZE bool empty(const uint64_t *a, uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < words; w++)
        any |= a[w];
    return any == 0;
}

hw_code exact_dead_init(exact_dead *d, uint32_t words, uint64_t memory_bytes, hw_error *err)
{
    memset(d, 0, sizeof *d);
    d->words = words;
    d->n_slots = FIRST_SLOTS;
    d->most_slots = SIZE_MAX / 16 / words;
    if (memory_bytes && memory_bytes / words / 8 < d->most_slots)
        d->most_slots = (size_t)(memory_bytes / words / 8);
    while (d->n_slots > PROBES && d->n_slots > d->most_slots)
        d->n_slots /= 2;
    d->slot = HW_NEW0(uint64_t, d->n_slots * words);
    return d->slot ? HW_OK : hw_fail_memory(err, "the set of dead prefixes");
}

void exact_dead_free(exact_dead *d)
{
    free(d->slot);
    memset(d, 0, sizeof *d);
}

HW_SPECIALIZE bool holds(const exact_dead *d, const uint64_t *set, uint32_t words)
{
    size_t mask = d->n_slots - 1, at = hash(set, words) & mask;
    for (int i = 0; i < PROBES; i++, at = (at + 1) & mask) {
        const uint64_t *slot = d->slot + at * words;
        if (hw_bits_equal(slot, set, words))
            return !empty(set, words);
        if (empty(slot, words))
            return false;
    }
    return false;
}

bool exact_dead_has(const exact_dead *d, const uint64_t *set)
{
    switch (d->words) { /* straight code for the usual sizes */
    case 1:
        return holds(d, set, 1);
    case 2:
        return holds(d, set, 2);
    default:
        return holds(d, set, d->words);
    }
}

void exact_dead_expect(const exact_dead *d, const uint64_t *set)
{
    size_t at = hash(set, d->words) & (d->n_slots - 1);
    __builtin_prefetch(d->slot + at * d->words);
}

/* Into a free slot near its own, or over the set in its own. */
static void place(exact_dead *d, const uint64_t *set)
{
    size_t mask = d->n_slots - 1, first = hash(set, d->words) & mask, at = first;
    for (int i = 0; i < PROBES; i++, at = (at + 1) & mask) {
        uint64_t *slot = d->slot + at * d->words;
        if (hw_bits_equal(slot, set, d->words))
            return;
        if (empty(slot, d->words)) {
            memcpy(slot, set, d->words * sizeof *slot);
            d->count++;
            return;
        }
    }
    d->full = true;
    memcpy(d->slot + first * d->words, set, d->words * sizeof *set);
}

/*
 * Twice the slots.  While old and new table live side by side they take three
 * times the old one, which the limit has to cover.
 */
static void double_slots(exact_dead *d)
{
    uint64_t *bigger = NULL, *old = d->slot;
    size_t n_old = d->n_slots;
    if (n_old <= d->most_slots / 3)
        bigger = HW_NEW0(uint64_t, 2 * n_old * d->words);
    if (!bigger) {
        d->most_slots = n_old;
        return;
    }
    d->slot = bigger;
    d->n_slots = 2 * n_old;
    d->count = 0;
    for (size_t i = 0; i < n_old; i++)
        if (!empty(old + i * d->words, d->words))
            place(d, old + i * d->words);
    free(old);
}

void exact_dead_add(exact_dead *d, const uint64_t *set)
{
    if (empty(set, d->words))
        return;
    if (d->count >= d->n_slots / 2 && d->most_slots > d->n_slots)
        double_slots(d);
    place(d, set);
}
