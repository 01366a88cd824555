/* Solvers as rivals.  See rivals.h. */
#include "stats/rivals.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

/* The two smallest values of a unit, and how many share the smallest. */
typedef struct hw_rivals_unit {
    double least, next;
    size_t who, ties, n;
} unit;

hw_code hw_rivals_open(hw_rivals *all, const hw_strata *s, hw_error *err)
{
    *all = (hw_rivals){.rival = HW_NEW(hw_rival, s->n_solvers),
                       .unit = HW_NEW(unit, s->n_units),
                       .local = HW_NEW(size_t, s->n_units)};
    if (!all->rival || !all->unit || !all->local)
        return hw_fail_memory(err, "rivals");
    for (size_t i = 0; i < s->n_units; i++)
        all->local[i] = SIZE_MAX;
    return HW_OK;
}

void hw_rivals_close(hw_rivals *all)
{
    free(all->rival);
    free(all->unit);
    free(all->local);
}

static void meet(hw_rivals *all, size_t u, size_t solver, double value)
{
    if (all->local[u] == SIZE_MAX) {
        all->local[u] = all->n_units;
        all->unit[all->n_units++] = (unit){.least = INFINITY, .next = INFINITY};
    }
    unit *at = &all->unit[all->local[u]];
    if (at->n == 0 || value < at->least) {
        at->next = at->n ? at->least : INFINITY;
        at->least = value;
        at->who = solver;
        at->ties = 1;
    } else if (value <= at->least) {
        at->next = value;
        at->ties++;
    } else if (value < at->next) {
        at->next = value;
    }
    at->n++;
}

static void settle(hw_rivals *all, size_t u, size_t solver, double value)
{
    const unit *at = &all->unit[all->local[u]];
    hw_rival *one = &all->rival[solver];
    one->n++;
    one->sum += value;
    one->best += value <= at->least;
    one->alone += at->who == solver && at->ties == 1;
    if (at->n > 1 && at->who == solver && at->ties == 1)
        one->gain += at->next - at->least;
    one->n_shared -= at->n == 1;
}

void hw_rivals_compare(hw_rivals *all, const hw_strata *s, size_t stratum, hw_rival_value value,
                       const void *context)
{
    const size_t first = hw_cell(s, stratum, 0), end = first + s->n_solvers;
    all->n_units = 0;
    all->sum = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t c = first; c < end; c++) {
            size_t solver = c - first;
            if (pass == 1)
                all->rival[solver] = (hw_rival){.n_shared = all->n_units};
            for (size_t m = s->start[c]; m < s->start[c + 1]; m++) {
                size_t i = s->member[m];
                double v = value(&s->records[i], context);
                if (isnan(v))
                    continue;
                if (pass == 0)
                    meet(all, s->unit[i], solver, v);
                else
                    settle(all, s->unit[i], solver, v);
            }
        }
    }
    for (size_t i = 0; i < all->n_units; i++)
        all->sum += all->unit[i].least;
    for (size_t m = s->start[first]; m < s->start[end]; m++)
        all->local[s->unit[s->member[m]]] = SIZE_MAX;
}
