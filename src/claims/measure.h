/*
 * What experiments measure with, beside tools.h: orders of a solver on a graph,
 * peaks by the independent checker, and figures of many graphs.
 */
#ifndef HW_CLAIMS_MEASURE_H
#define HW_CLAIMS_MEASURE_H

#include "claims/tools.h"

/* A spec with one "%u" in it, and n in its place. */
void hw_claim_spec(char *spec, size_t size, const char *format, uint32_t n);

/*
 * hw_claim_solve() with at most `states` states (0: any).  The answer is released
 * by hw_answer_clear(), also after a failure.
 */
hw_code hw_claim_within(const hw_claim_run *run, const hw_model *m, const char *spec,
                        uint64_t states, hw_answer *answer, hw_error *err);

/* The same on a graph, inputs not pinned. */
hw_code hw_claim_solve_graph(const hw_claim_run *run, const hw_graph *g, hw_accounting accounting,
                             const char *spec, uint64_t states, hw_answer *answer, hw_error *err);

/* Its peak alone.  HW_CHECK_FAILED: it has no order. */
hw_code hw_claim_peak_of(const hw_claim_run *run, const hw_graph *g, hw_accounting accounting,
                         const char *spec, uint64_t *peak, hw_error *err);

/* The least peak.  HW_CHECK_FAILED: not proven within `states` states (0: any). */
hw_code hw_claim_least(const hw_claim_run *run, const hw_graph *g, hw_accounting accounting,
                       uint64_t states, uint64_t *peak, hw_error *err);

/* The peak of an order by the independent checker.  HW_CHECK_FAILED: it is illegal. */
hw_code hw_claim_check(const hw_graph *g, hw_accounting accounting, const uint32_t *order,
                       uint64_t *peak, hw_error *err);

/* 100 (a - b) / b, where 0 / 0 is 0; a > 0 = b counts as 100. */
double hw_claim_percent_above(uint64_t a, uint64_t b);

/* 100 (a - b) / a, where 0 / 0 is 0: what of a is gone in b. */
double hw_claim_percent_below(uint64_t a, uint64_t b);

/* 100 k / n; 0 where n is 0. */
double hw_claim_percent(uint64_t k, uint64_t n);

/* Figures of one kind; zeros: none.  Released by hw_claim_figures_clear(). */
typedef struct hw_claim_figures {
    double *value;
    size_t n, room;
    bool sorted;
} hw_claim_figures;

hw_code hw_claim_figures_add(hw_claim_figures *f, double value, hw_error *err);
/* The quantile q, 0 to 1; 0 where there is none.  Sorts them. */
double hw_claim_quantile(hw_claim_figures *f, double q);
/* How many are above a threshold. */
uint64_t hw_claim_above(const hw_claim_figures *f, double threshold);
void hw_claim_figures_clear(hw_claim_figures *f);

#endif
