/*
 * Prefixes that symmetry makes equal.
 *
 * A map of a piece onto itself (edges, figures of nodes, users of buffers,
 * in-place pairs) takes prefixes to prefixes and orders to orders with the same
 * usages, so a prefix is dead when any of its images is.  The search looks a
 * prefix up by an image that equal prefixes tend to share: maps are applied as
 * long as one makes the prefix larger, compared by the smallest node in which
 * they differ.  With the exchanges of neighbours among identical branches this
 * sorts the branches by how far they are.  Which image is reached need not be
 * the best one; that costs states, nothing else.
 */
#ifndef HW_SOLVERS_EXACT_IMAGES_H
#define HW_SOLVERS_EXACT_IMAGES_H

#include <stddef.h>

#include "solvers/exact_problem.h"

typedef struct exact_image_step {
    uint32_t from, to; /* the map takes node `from` to `to` */
} exact_image_step;

typedef struct exact_images {
    uint32_t words;
    size_t n_maps;          /* 0: the piece has none */
    size_t *first;          /* of a map: its steps; n_maps + 1 */
    exact_image_step *step; /* by `to` ascending */
} exact_images;

/* Find maps of p with a fixed amount of work.  HW_NO_MEMORY. */
hw_code exact_images_find(const exact_problem *p, exact_images *images, hw_error *err);
void exact_images_free(exact_images *images);

/* Replace the set by an image of it; true when that changed it.  scratch: a set. */
bool exact_images_settle(const exact_images *images, uint64_t *set, uint64_t *scratch);

#endif
