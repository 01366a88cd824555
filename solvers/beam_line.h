/*
 * The lines of descent of the prefixes in a beam: how each was reached.
 *
 * Each prefix is an entry that names its last move and the entry before it; an
 * entry that nothing descends from is given back.  So there are little more
 * entries than nodes, plus the stretches on which the lines of the beam have
 * not met.
 */
#ifndef HW_SOLVERS_BEAM_LINE_H
#define HW_SOLVERS_BEAM_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BEAM_ROOT UINT32_C(0) /* the entry of the empty prefix */

typedef struct beam_entry {
    uint32_t before, item;
    uint32_t held; /* by entries after it and by the search */
} beam_entry;

typedef struct beam_lines {
    beam_entry *entry;
    size_t room;
    uint32_t count;
    uint32_t spare; /* of the entries given back, linked by `before`; BEAM_ROOT: none */
} beam_lines;

/* The root alone, held once.  False: out of memory.  A cleared struct may be freed. */
bool beam_lines_init(beam_lines *l);
void beam_lines_free(beam_lines *l);

/* A new entry after `before`, held once, into *made.  False: out of memory. */
bool beam_lines_add(beam_lines *l, uint32_t before, uint32_t item, uint32_t *made);

/* Let an entry go, and those before it that nothing else holds. */
void beam_lines_drop(beam_lines *l, uint32_t entry);

#endif
