/*
 * The pool of a beam: the best `width` children offered so far, each prefix
 * once.
 */
#ifndef HW_SOLVERS_BEAM_POOL_H
#define HW_SOLVERS_BEAM_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A prefix that can follow one of the beam. */
typedef struct beam_child {
    uint64_t peak, live; /* of the way there, and after it */
    uint64_t tie;        /* less is better where both are equal */
    uint64_t hash;       /* of the set of items that have moved */
    uint32_t parent, item;
} beam_child;

typedef struct beam_pool {
    uint32_t width;
    beam_child *child; /* the `width` best are among them; twice as many at most */
    size_t count, room;
    bool full;           /* `width` children are better than or equal to `worst`  */
    bool overflowed;     /* a prefix was turned away since the pool was laid       */
    uint64_t peak, live; /* of the worst that would be kept; see beam_pool_wants() */
    uint32_t *slot;      /* index + 1 by hash, open addressing; 0: empty           */
    size_t n_slots;
} beam_pool;

/* Empty, without room.  A cleared struct may be freed. */
void beam_pool_init(beam_pool *p, uint32_t width);
void beam_pool_free(beam_pool *p);
void beam_pool_clear(beam_pool *p); /* for the next level */

/* Could a child of this rank be kept? */
static inline bool beam_pool_wants(const beam_pool *p, uint64_t peak, uint64_t live)
{
    return !p->full || peak < p->peak || (peak == p->peak && live <= p->live);
}

/* Offer a child; of two with the same hash the better one stays.  O(1) amortised. False: out of
 * memory. */
bool beam_pool_offer(beam_pool *p, const beam_child *child);

/* Reduce to the `keep` best, 0 < keep <= width, in no order. */
void beam_pool_settle(beam_pool *p, uint32_t keep);

size_t beam_pool_bytes(const beam_pool *p);

#endif
