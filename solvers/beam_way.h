/*
 * The ways between the prefixes of a beam: what one walk takes back and does
 * to get from each to the next.
 *
 * The prefixes of a beam differ by a few items, however long ago their lines
 * of descent parted.  So each level keeps the differences between neighbours,
 * in the order in which the walk visits them, and the next level's follow from
 * them: from child to child the last move of the one is taken back, the ways
 * between the two parents are joined, and the last move of the other is done;
 * what enters and leaves on the way cancels out.
 */
#ifndef HW_SOLVERS_BEAM_WAY_H
#define HW_SOLVERS_BEAM_WAY_H

#include "solvers/beam_walk.h"

/* The ways of one level: way i leads to prefix i, from the one before it. */
typedef struct beam_ways {
    uint64_t *step; /* longest path along the walk, enters or leaves, item; ascending */
    size_t *end;    /* of way i in step[] */
    uint32_t n;
    size_t room;
} beam_ways;

typedef struct beam_router {
    beam_ways now, next;
    int8_t *change; /* by item: what has been noted, 0: nothing */
    uint32_t *noted;
    size_t n_noted, noted_room;
} beam_router;

/*
 * For graphs of n nodes and up to `width` prefixes a level; no ways yet.
 * False: out of memory.  A cleared struct may be freed.
 */
bool beam_router_init(beam_router *r, uint32_t n, uint32_t width);
void beam_router_free(beam_router *r);
size_t beam_router_bytes(const beam_router *r, uint32_t n, uint32_t width);

/* Note that an item enters (1) or leaves (-1).  False: out of memory. */
bool beam_router_note(beam_router *r, uint32_t item, int sign);

/* Note way i of this level backwards: from prefix i to the one before it. */
bool beam_router_note_back(beam_router *r, uint32_t i);

/* What has been noted is the next way of the next level.  False: out of memory. */
bool beam_router_close(beam_router *r, const beam_walk *w);

/* The next level is this one. */
void beam_router_turn(beam_router *r);

/* Let the walk go way i of this level. */
void beam_router_go(const beam_router *r, beam_walk *w, uint32_t i);

#endif
