/* What `highwater buckets` writes: text, JSON, the matrix, the orders. */
#ifndef HW_CLI_BUCKETS_REPORT_H
#define HW_CLI_BUCKETS_REPORT_H

#include "buckets/cuts.h"
#include "cli/shared.h"

/* One run of the command, done. */
typedef struct hw_buckets_report {
    const hw_sweep *sweep;
    const hw_sweep_axis *axis;
    const hw_regret *regret;
    const hw_cuts_table *table;
    size_t buckets; /* asked for; fewer where those leave no regret */
    hw_bucket_goal goal;
    const hw_memory_options *memory;
    const char *solver, *again; /* as they were named; again NULL: none */
    const char *name;           /* of the graph */
    bool times;
} hw_buckets_report;

/* The cuts that are shown. */
static inline const hw_cuts *hw_buckets_chosen(const hw_buckets_report *b)
{
    size_t row = b->buckets < b->table->n ? b->buckets : b->table->n;
    return &b->table->row[row - 1];
}

/* Seconds of the runs of a solver, each the least of a size's: all together, and the median. */
typedef struct hw_buckets_times {
    size_t runs;
    double total, median;
} hw_buckets_times;
hw_code hw_buckets_time(const hw_regret *r, bool again, hw_buckets_times *out, hw_error *err);

hw_code hw_buckets_text(const hw_buckets_report *b, FILE *out, hw_error *err);
hw_code hw_buckets_json(const hw_buckets_report *b, FILE *out, hw_error *err);

/* The figures of one run as a head and a line of CSV. */
hw_code hw_buckets_summary(const hw_buckets_report *b, FILE *out, hw_error *err);

/* The matrix as CSV: order_of, size, peak, best, regret, percent. */
hw_code hw_buckets_matrix(const hw_buckets_report *b, const char *path, hw_error *err);

/* FOLDER/NAME-VALUE.json: the best order of every size, an order file of its graph. */
hw_code hw_buckets_orders(const hw_buckets_report *b, const char *folder, hw_error *err);

#endif
