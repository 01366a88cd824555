/* What the parts of features.c hand to each other. */
#ifndef HW_TRAITS_FEATURES_INTERNAL_H
#define HW_TRAITS_FEATURES_INTERNAL_H

#include "traits/blocks.h"
#include "traits/features.h"
#include "traits/precedence.h"

/* Fill the rows OF_PAIR and OF_TURN.  p is NULL for graphs beyond HW_FEATURES_MOST. */
hw_code features_of_orders(const hw_model *m, const hw_blocks *b, const hw_precedence *p,
                           const hw_feature_orders *orders, hw_features *out, hw_error *err);

/* Of the pairs of unordered blocks of some bytes and more; 0 where there is none. */
typedef struct features_pairs {
    double second_bytes; /* the smaller of two, where it is greatest           */
    double alive;        /* balance, as alive-balance of the table of features */
    double wrong;        /* as wrong-balance; 0 where the turn is not known    */
    double optimum;      /* peak of the optimal order, bytes                   */
} features_pairs;

/* out[i] for least[i] bytes and more.  O(blocks^2) each. */
hw_code features_pairs_of(const hw_model *m, const hw_blocks *b, const hw_precedence *p,
                          const hw_feature_orders *orders, const double *least, size_t n,
                          features_pairs *out, hw_error *err);

/* part / whole; 0 where the whole is 0. */
static inline double features_share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

#endif
