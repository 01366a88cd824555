/*
 * The dead set: prefixes from which no order ends within the budget.
 *
 * A cache of bit sets with open addressing.  It doubles until it has reached
 * its limit; from then on a new set may overwrite an old one, and the search
 * goes on correctly, if slower.
 */
#ifndef HW_SOLVERS_EXACT_DEAD_H
#define HW_SOLVERS_EXACT_DEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef struct exact_dead {
    uint32_t words;
    size_t n_slots; /* a power of two */
    size_t most_slots;
    size_t count;
    uint64_t *slot; /* sets; all zero: empty */
    bool full;      /* sets have been, or may have been, overwritten */
} exact_dead;

/* At most memory_bytes (0: no limit).  HW_NO_MEMORY. */
hw_code exact_dead_init(exact_dead *d, uint32_t words, uint64_t memory_bytes, hw_error *err);
void exact_dead_free(exact_dead *d);

bool exact_dead_has(const exact_dead *d, const uint64_t *set);
/* Tell that the set will be asked for soon. */
void exact_dead_expect(const exact_dead *d, const uint64_t *set);
/* Add a set; an empty one, or one that is held, changes nothing.  Amortised O(words). */
void exact_dead_add(exact_dead *d, const uint64_t *set);

#endif
