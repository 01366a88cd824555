/* Solvers of a stratum as rivals on each unit: who has the smallest value? */
#ifndef HW_STATS_RIVALS_H
#define HW_STATS_RIVALS_H

#include "stats/strata.h"

typedef struct hw_rival {
    size_t n;           /* units on which it has a value                            */
    double sum;         /* of its values                                            */
    size_t best, alone; /* units on which no other is better; on which all are worse */
    size_t n_shared;    /* units that have the value of another                     */
    double gain;        /* over those: how much the best of all would rise without it */
} hw_rival;

typedef struct hw_rivals {
    hw_rival *rival; /* by solver                             */
    size_t n_units;  /* units with a value of any solver      */
    double sum;      /* of the best values                    */
    struct hw_rivals_unit *unit;
    size_t *local; /* by unit: its place in unit[], or SIZE_MAX */
} hw_rivals;

/* The value of a run, finite or infinite; NaN: it takes no part. */
typedef double (*hw_rival_value)(const hw_record *r, const void *context);

/* Room for any stratum of s.  HW_NO_MEMORY.  Closed in any case. */
hw_code hw_rivals_open(hw_rivals *all, const hw_strata *s, hw_error *err);
void hw_rivals_close(hw_rivals *all);

/* O(runs of the stratum + solvers). */
void hw_rivals_compare(hw_rivals *all, const hw_strata *s, size_t stratum, hw_rival_value value,
                       const void *context);

#endif
