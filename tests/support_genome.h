/* Random genomes of all features, for tests. */
#ifndef HW_TESTS_SUPPORT_GENOME_H
#define HW_TESTS_SUPPORT_GENOME_H

#include "small/genome.h"

/*
 * 1 to `most` nodes, with any number of edges: sizes below 100, some of them 0,
 * workspace, in-place, sharing or not, results kept or not.  A function of
 * the seed.
 */
hw_genome random_genome(uint64_t seed, uint32_t most);

#endif
