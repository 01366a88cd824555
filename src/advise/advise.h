/*
 * What next, when the peak of a graph has to fall: what is alive at the peak
 * and what each cure would save and cost; how low order alone can go, and
 * in-place work, views and recomputation; and below what nothing goes.
 */
#ifndef HW_ADVISE_ADVISE_H
#define HW_ADVISE_ADVISE_H

#include "advise/held.h"
#include "advise/limits.h"
#include "advise/search.h"
#include "advise/what_if.h"

typedef struct hw_advise_ask {
    const uint32_t *order; /* whose peak is looked at; NULL: the best one found */
    uint32_t top;          /* recomputation is looked for of so many storages  */
    hw_again_ask search;   /* accounting and pin_inputs are the model's        */
    double seconds;        /* in all, about; 0: any */
} hw_advise_ask;

/* The least peak under another rule. */
typedef struct hw_other_rule {
    bool has; /* the rule changes something, and was looked at */
    uint32_t changed;
    hw_status status;
    bool has_order;
    uint64_t peak, bound;
} hw_other_rule;

typedef struct hw_advice {
    const hw_model *m; /* the caller's */
    hw_answer best;    /* the best order: has_order */

    /* The order that is looked at. */
    hw_log *log;
    hw_gaps gaps;
    hw_held *held; /* the first `top` that save something have their chain */
    size_t n_held;
    uint32_t *set; /* gaps that lower every step of the peak; n_set may be 0 */
    size_t n_set;
    int64_t stuck;     /* n_set == 0: a step of the peak that no drop lowers */
    uint64_t set_peak; /* what the set leaves */

    hw_other_rule rule[HW_IF_KINDS];
    hw_limit limit[HW_LIMIT_KINDS];
    hw_level *level; /* 0 .. copies */
    uint32_t copies;
    bool stopped; /* a signal or the clock ended it early */
} hw_advice;

/*
 * Advise on m.  HW_CHECK_FAILED: no order is legal, or that of ask->order is
 * not; HW_LIMIT: none was found; HW_NO_MEMORY; HW_INTERNAL.  Released by
 * hw_advice_clear(), also on failure.
 */
hw_code hw_advise(const hw_model *m, const hw_advise_ask *ask, hw_advice *out, hw_error *err);
void hw_advice_clear(hw_advice *a);

#endif
