/* Families of random graphs and laws of sizes, as claims about random graphs draw them. */
#ifndef HW_CLAIMS_STRATA_H
#define HW_CLAIMS_STRATA_H

#include "claims/sheet.h"

/* Tags of their strata. */
enum { HW_STRATA_FAMILY, HW_STRATA_NODES, HW_STRATA_SIZES };

typedef struct hw_strata_family {
    const char *name; /* "erdos, 1 edge a node" */
    const char *spec; /* "erdos:degree=1", to which n and sizes are added */
    double most_of_n; /* needs (n - 1) / 2 >= this; 0: any n */
    bool erdos;       /* every pair is an edge with one probability */
    double degree;    /* of those: edges a node */
} hw_strata_family;
extern const hw_strata_family hw_strata_families[];
extern const size_t hw_n_strata_families;

extern const char *const hw_strata_sizes[]; /* "uniform", ... */
extern const size_t hw_n_strata_sizes;

/* Every family that takes them x each of n[] x the first `n_sizes` laws. */
hw_code hw_strata_add(hw_sheet *s, const uint32_t *n, size_t n_n, size_t n_sizes, hw_error *err);

#endif
