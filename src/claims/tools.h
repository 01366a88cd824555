/* What experiments do alike: graphs, models, peaks, optima, gaps. */
#ifndef HW_CLAIMS_TOOLS_H
#define HW_CLAIMS_TOOLS_H

#include "claims/claim.h"
#include "solve/solver.h"

/* Instance `index` of "erdos:n=10,degree=2".  As hw_family_parse() and hw_generate(). */
hw_code hw_claim_generate(const char *spec, uint64_t seed, uint64_t index, hw_graph **out,
                          hw_error *err);

/*
 * The example of section 3.1, sizes in bytes for megabytes: node 0 is Q (50 in,
 * 200 out, net +150), node 1 is P (500 in, 100 out, net -400).
 */
hw_code hw_claim_two_candidates(hw_graph **out, hw_error *err);

/* Graphs of the nets and of the user's folder.  Released by hw_claim_set_clear(). */
typedef struct hw_claim_set {
    hw_graph **graph; /* named after net and mode, or as in the file */
    size_t n, room;
} hw_claim_set;

/*
 * All real graphs there are: every net in inference and training, at its usual
 * size, then the files of hw_claim_graphs() by name.  In quick runs the first
 * `quick` nets in inference alone and no files.  Fails as the readers; HW_STOPPED.
 */
hw_code hw_claim_real_graphs(const hw_claim_run *run, uint32_t quick, hw_claim_set *set,
                             hw_error *err);
void hw_claim_set_clear(hw_claim_set *set);

/*
 * hw_solve() with the solver of `spec`; limits NULL: none.  HW_STOPPED where a
 * signal came; answers are released by hw_answer_clear().
 */
hw_code hw_claim_solve(const hw_claim_run *run, const hw_model *m, const char *spec,
                       const hw_limits *limits, hw_answer *answer, hw_error *err);

/* The peak of a solver's order.  HW_CHECK_FAILED: it has none. */
hw_code hw_claim_peak(const hw_claim_run *run, const hw_model *m, const char *spec, uint64_t *peak,
                      hw_error *err);

/* The optimum by `exact` without limits.  HW_CHECK_FAILED: it was not proven. */
hw_code hw_claim_optimum(const hw_claim_run *run, const hw_model *m, uint64_t *optimum,
                         hw_error *err);

/* The peak of an order by the independent checker.  HW_INTERNAL: it is illegal. */
hw_code hw_claim_order_peak(const hw_model *m, const uint32_t *order, uint64_t *peak,
                            hw_error *err);

/*
 * What the last example shows: the peak that the solver of `spec` reaches on
 * it, inputs not pinned.  Fails as hw_claim_peak() and hw_claim_shows().
 */
hw_code hw_claim_show(hw_claim_run *run, const hw_graph *g, hw_accounting accounting,
                      const char *spec, hw_error *err);

/* The gap in per cent: 0 where both are 0, infinite where the optimum alone is. */
double hw_claim_gap(uint64_t peak, uint64_t optimum);

/*
 * Both accountings of one graph, inputs not pinned: model[HW_ALLOC_FIRST] and
 * model[HW_FREE_FIRST].  Both are NULL after a failure.
 */
hw_code hw_claim_models(const hw_graph *g, hw_model *model[2], hw_error *err);
void hw_claim_models_free(hw_model *model[2]);

#endif
