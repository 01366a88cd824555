/*
 * Solvers on random graphs, beside the proven optimum: what claims about gaps
 * are decided on.
 *
 * A sheet has strata (a family with parameters, tagged by what it varies) and
 * solvers; filling it draws graphs of each stratum, proves each optimum under
 * both accountings and runs every solver.  Groups are asked for by tags.
 */
#ifndef HW_CLAIMS_SHEET_H
#define HW_CLAIMS_SHEET_H

#include "bench/stats.h"
#include "claims/tools.h"

enum { HW_SHEET_TAGS = 3, HW_SHEET_SPEC = 160, HW_SHEET_ANY = -1 };

typedef struct hw_stratum {
    char spec[HW_SHEET_SPEC]; /* of the family */
    int tag[HW_SHEET_TAGS];   /* the caller's  */
} hw_stratum;

typedef struct hw_sheet_case {
    uint32_t stratum, index; /* which graph */
    hw_accounting accounting;
    uint64_t optimum;
} hw_sheet_case;

typedef struct hw_sheet {
    const char *const *solvers; /* the caller's */
    uint32_t n_solvers;

    /* Columns behind those of the solvers: rules of the experiment's own, which
     * fill order[0 .. n_nodes); NULL and 0: none. */
    hw_code (*rule)(const hw_model *m, uint32_t which, uint32_t *order, hw_error *err);
    uint32_t n_rules;

    hw_stratum *stratum;
    size_t n_strata, stratum_room;
    hw_sheet_case *cases; /* two a graph */
    size_t n, room;
    uint64_t *peak, *states; /* n * n_solvers, solver by solver within a case */
    double *seconds;         /* the same: wall time of the call               */
    size_t peak_room, states_room, seconds_room;
    double *exact_seconds; /* of the proof, a case */
    size_t exact_room;
} hw_sheet;

/* Add a stratum.  HW_NO_MEMORY. */
hw_code hw_sheet_add(hw_sheet *s, int tag0, int tag1, int tag2, hw_error *err, const char *spec,
                     ...) __attribute__((format(printf, 6, 7)));

/*
 * Draw `count` graphs of every stratum and run everything.  Graphs come from
 * hw_claim_seed().  HW_CHECK_FAILED: an optimum was not proven, or a solver has
 * no order.
 */
hw_code hw_sheet_fill(hw_claim_run *run, hw_sheet *s, uint32_t count, hw_error *err);

/* Run everything on one graph that is at hand, as number `index` of a stratum.  Fails as above. */
hw_code hw_sheet_take(hw_claim_run *run, hw_sheet *s, const hw_graph *g, uint32_t stratum,
                      uint32_t index, hw_error *err);
void hw_sheet_clear(hw_sheet *s);

/* Which cases: HW_SHEET_ANY for all of an accounting or a tag. */
typedef struct hw_sheet_group {
    int accounting;
    int tag[HW_SHEET_TAGS];
} hw_sheet_group;
#define HW_SHEET_ALL ((hw_sheet_group){HW_SHEET_ANY, {HW_SHEET_ANY, HW_SHEET_ANY, HW_SHEET_ANY}})

bool hw_sheet_in(const hw_sheet *s, const hw_sheet_group *g, size_t i);

/* How the gaps of a solver lie in a group, in per cent. */
typedef struct hw_gaps {
    hw_share optimal, within_5, above_20;
    double mean, median, high, worst; /* high: the quantile 0.95 */
    size_t worst_case;                /* SIZE_MAX: the group is empty */
    double median_seconds;
} hw_gaps;
hw_code hw_sheet_gaps(const hw_sheet *s, uint32_t solver, const hw_sheet_group *g, hw_gaps *out,
                      hw_error *err);

/* Where a column of a case stands in peak, states and seconds. */
static inline size_t hw_sheet_at(const hw_sheet *s, size_t i, uint32_t column)
{
    return i * (s->n_solvers + s->n_rules) + column;
}

static inline double hw_sheet_gap(const hw_sheet *s, size_t i, uint32_t solver)
{
    return hw_claim_gap(s->peak[hw_sheet_at(s, i, solver)], s->cases[i].optimum);
}

/* The graph of a case again, where it was drawn by hw_sheet_fill(). */
hw_code hw_sheet_graph(const hw_claim_run *run, const hw_sheet *s, size_t i, hw_graph **out,
                       hw_error *err);

/*
 * The graph of a case as an example that shows what the given solvers reach,
 * and the optimum by `exact`.  Columns of rules are left out.
 */
hw_code hw_sheet_example(hw_claim_run *run, const hw_sheet *s, size_t i, const char *name,
                         const uint32_t *solvers, size_t n_solvers, hw_error *err);

#endif
