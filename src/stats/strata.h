/* Results laid out by stratum and solver, for all that is computed of them. */
#ifndef HW_STATS_STRATA_H
#define HW_STATS_STRATA_H

#include "bench/groups.h"

/*
 * A stratum is what shares the values of some fields; a cell is the runs of a
 * solver in a stratum.  Numbers of solvers, units and instances count up as
 * they appear first (numbering.h).  Strata are in the order of their fields,
 * the first field first: numbers ascend, other values come as they appear.
 */
typedef struct hw_strata {
    const hw_record *records;
    size_t n_records;
    const hw_field *fields; /* the caller's; never HW_FIELD_SOLVER */
    size_t n_fields;
    size_t n_strata, n_solvers, n_units, n_instances;
    size_t *stratum, *unit, *instance, *solver; /* by record  */
    const hw_record **first;                    /* by stratum */
    const hw_record **by;                       /* by solver: its first run */
    size_t *start;  /* by cell: its runs are member[start[c]] .. [start[c + 1]] */
    size_t *member; /* numbers of records, in their order within a cell */
} hw_strata;

/* The cell of a solver in a stratum. */
static inline size_t hw_cell(const hw_strata *s, size_t stratum, size_t solver)
{
    return stratum * s->n_solvers + solver;
}

/* HW_USAGE: more than HW_STRATA_CELLS cells; HW_NO_MEMORY.  Expected O(n + cells
 * + strata log strata). */
enum { HW_STRATA_CELLS = 50000000 };
hw_code hw_strata_make(const hw_record *records, size_t n, const hw_field *fields, size_t n_fields,
                       hw_strata *s, hw_error *err);
void hw_strata_free(hw_strata *s);

/* The number of cells that hold runs. */
size_t hw_strata_filled(const hw_strata *s);

/*
 * Whether a run did what its solver is there for: an order, or, of a solver
 * that proves, a proof (optimal or infeasible).
 */
bool hw_run_is_solved(const hw_record *r);

/* The solver takes no such graph: no failure, and no run. */
bool hw_run_is_refused(const hw_record *r);

#endif
