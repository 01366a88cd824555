/*
 * Numbers for what results share: their group, their unit, their instance.
 *
 * Records with equal keys get the same number; numbers count up in the order
 * in which keys appear first.
 */
#ifndef HW_BENCH_NUMBERING_H
#define HW_BENCH_NUMBERING_H

#include "bench/groups.h"

typedef enum hw_record_key {
    HW_RECORD_KEY_FIELDS, /* the values of some fields                                      */
    HW_RECORD_KEY_RUN,    /* unit and solver */
    HW_RECORD_KEY_UNIT,   /* as hw_record_compare_units(): instance, accounting and pinning */

    /*
     * The graph itself: family, parameters, index and seed, whatever the suite
     * and section, the accounting and the pinning.  What is drawn by chance is
     * the instance, so its runs stay together when draws are repeated.
     */
    HW_RECORD_KEY_INSTANCE
} hw_record_key;

/*
 * number[i] of n records, below *count; `fields` with HW_RECORD_KEY_FIELDS alone.
 * Expected O(n).  HW_NO_MEMORY.
 */
hw_code hw_number_records(const hw_record *records, size_t n, hw_record_key key,
                          const hw_field *fields, size_t n_fields, size_t *number, size_t *count,
                          hw_error *err);

#endif
