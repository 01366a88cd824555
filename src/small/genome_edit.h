/*
 * Changing the nodes of a genome: numbers, insertion, removal.
 */
#ifndef HW_SMALL_GENOME_EDIT_H
#define HW_SMALL_GENOME_EDIT_H

#include "small/genome.h"

#define HW_GENOME_BIT(v) (UINT64_C(1) << (v))

static inline uint32_t hw_genome_low(uint64_t nodes)
{
    return (uint32_t)__builtin_ctzll((unsigned long long)nodes);
}

static inline uint32_t hw_genome_count(uint64_t nodes)
{
    return (uint32_t)__builtin_popcountll((unsigned long long)nodes);
}

/* All nodes of g. */
static inline uint64_t hw_genome_all(const hw_genome *g)
{
    return g->n ? UINT64_MAX >> (HW_GENOME_MOST - g->n) : 0;
}

/* A node of 1 byte without edges gets number v <= n < HW_GENOME_MOST; those from v on move up.
 * O(n). */
void hw_genome_insert(hw_genome *g, uint32_t v);

/* Node v goes, with its edges; those after it move down.  O(n). */
void hw_genome_remove(hw_genome *g, uint32_t v);

/* Node v gets number place[v], a permutation.  O(n + edges). */
void hw_genome_renumber(hw_genome *g, const uint8_t *place);

/*
 * Number anew such that parents come first again, otherwise in the order as
 * before.  False, with g as before: the edges close a cycle.  O(n^2).
 */
bool hw_genome_sort(hw_genome *g);

/* Are a and b the same graph in the same numbering?  O(n). */
bool hw_genome_same(const hw_genome *a, const hw_genome *b);

/* In-place pairs without their edge and needless splitting go.  O(n + edges). */
void hw_genome_tidy(hw_genome *g);

#endif
