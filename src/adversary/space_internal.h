/* What the files of space.h share. */
#ifndef HW_ADVERSARY_SPACE_INTERNAL_H
#define HW_ADVERSARY_SPACE_INTERNAL_H

#include "small/genome_edit.h"
#include "adversary/space.h"

enum { HW_SPACE_TRIES = 16 };

static inline bool hw_space_coin(gsl_rng *rng)
{
    return hw_rng_u64(rng) >> 63;
}

static inline uint32_t hw_space_pick(gsl_rng *rng, uint32_t bound)
{
    return (uint32_t)hw_rng_below(rng, bound);
}

/* hw_space_holds() of a genome that is clean behind its last node.  O(n + edges). */
bool hw_space_admits(const hw_space *s, const hw_genome *g);

/* One of the nodes of a mask that is not empty. */
uint32_t hw_space_pick_of(gsl_rng *rng, uint64_t nodes);

/* Of both ends of a random edge; false: there is none. */
bool hw_space_pick_edge(gsl_rng *rng, const hw_genome *g, uint32_t *from, uint32_t *to);

/*
 * Add or remove edges until their number is inside.  False: no single edge
 * leads on, or g is outside for another reason.
 */
bool hw_space_fit_edges(const hw_space *s, gsl_rng *rng, hw_genome *g);

/* Random edges, from a mixture of shapes, for the n nodes of g; not all are inside. */
void hw_space_draw_edges(const hw_space *s, gsl_rng *rng, hw_genome *g);

/* As many edges as n nodes of the shape can have. */
void hw_space_fill_edges(const hw_space *s, hw_genome *g);

#endif
