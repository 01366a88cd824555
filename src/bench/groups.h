/* Results summed up by groups: the rows of a table, the series of a plot. */
#ifndef HW_BENCH_GROUPS_H
#define HW_BENCH_GROUPS_H

#include "bench/record.h"
#include "bench/stats.h"

/* The columns by which results can be grouped and chosen. */
typedef enum hw_field {
    HW_FIELD_SUITE,
    HW_FIELD_SECTION,
    HW_FIELD_FAMILY,
    HW_FIELD_PARAMS,
    HW_FIELD_NODES,
    HW_FIELD_ACCOUNTING,
    HW_FIELD_PINNED,
    HW_FIELD_SOLVER,
    HW_FIELD_DENSITY,  /* edges a node, to one decimal             */
    HW_FIELD_SIZES,    /* law of the sizes; "none" without one     */
    HW_FIELD_FEATURES, /* "plain" without any, "unknown" when so   */
    HW_N_FIELDS
} hw_field;

const char *hw_field_name(hw_field field);

/* "solver" to HW_FIELD_SOLVER; HW_USAGE with the nearest name. */
hw_code hw_field_parse(const char *name, hw_field *field, hw_error *err);

/* "solver,family": at most HW_N_FIELDS, none twice.  HW_USAGE. */
hw_code hw_fields_parse(const char *text, hw_field fields[HW_N_FIELDS], size_t *n, hw_error *err);

/* The value of a field as text: the record's own, or written into buffer. */
enum { HW_FIELD_TEXT = 24 };
const char *hw_field_text(const hw_record *r, hw_field field, char buffer[HW_FIELD_TEXT]);

/*
 * A wish "field=value" that records must fulfil; of nodes a range too, as
 * "nodes=1..255".
 */
typedef struct hw_condition {
    const char *value;
    uint64_t low, high; /* of a range, both within */
    hw_field field;
    bool is_range;
} hw_condition;

hw_code hw_condition_parse(const char *text, hw_condition *condition, hw_error *err);

/*
 * Keep, in place, the records that have one of the wanted values in every field
 * that a condition names; returns the number kept.
 */
size_t hw_records_choose(hw_record *records, size_t n, const hw_condition *conditions,
                         size_t n_conditions);

/*
 * Of two runs of a solver on a unit the later counts: the n records are drawn
 * together in place, *replaced is the number left out.  HW_NO_MEMORY.
 * Expected O(n).
 */
hw_code hw_records_latest(hw_record *records, size_t *n, size_t *replaced, hw_error *err);

typedef struct hw_group {
    const hw_record *first;               /* stands for the fields of the group      */
    uint64_t runs, answered;              /* answered: with an order                */
    uint64_t refused;                     /* the solver takes no such graph         */
    uint64_t proven;                      /* with an order and a proven optimum     */
    hw_share optimal, within_5, above_20; /* of the proven            */
    double median_gap, worst_gap;         /* per cent; NaN: none proven */
    const hw_record *worst;               /* its run, or NULL          */
    double median_seconds, most_seconds;  /* NaN: no time known        */
    double states_per_second;             /* all states by all seconds; NaN: unknown */
} hw_group;

/*
 * Group n records by fields, in the order in which groups appear first.
 * *groups is freed by the caller.  O(n log n).  HW_NO_MEMORY.
 */
hw_code hw_groups_make(const hw_record *records, size_t n, const hw_field *fields, size_t n_fields,
                       hw_group **groups, size_t *n_groups, hw_error *err);

/*
 * The records of each group: start[g] .. start[g+1] of member[].  As above;
 * both arrays are freed by the caller.
 */
typedef struct hw_partition {
    size_t n_groups;
    size_t *start;            /* n_groups + 1 */
    const hw_record **member; /* in the order of the file within a group */
} hw_partition;

/* `fields` NULL: a group each unit, as hw_record_compare_units() tells them apart. */
hw_code hw_partition_make(const hw_record *records, size_t n, const hw_field *fields,
                          size_t n_fields, hw_partition *p, hw_error *err);
void hw_partition_free(hw_partition *p);

/* "layered:n=8#3", or a file's name. */
void hw_record_instance(const hw_record *r, char *text, size_t size);

/* Order of two records by instance, accounting and pinning; 0: one unit. */
int hw_record_compare_units(const hw_record *a, const hw_record *b);

#endif
