/* What an edited or damaged line gives away.  See fits.h. */
#include "bench/fits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/solver.h"

static bool is_answer(const hw_record *r)
{
    return strcmp(r->status, hw_status_name(HW_FEASIBLE)) == 0 ||
           strcmp(r->status, hw_status_name(HW_OPTIMAL)) == 0;
}

/* A gap is written to a thousandth; an infinite one, above an optimum of 0, is null. */
static bool gap_fits(double said, hw_maybe_u64 peak, hw_maybe_u64 reference)
{
    const double step = 1e-3, digits = 1e-12;
    double gap =
        peak.known && reference.known ? hw_gap_percent(peak.value, reference.value) : (double)NAN;
    if (!isfinite(gap) || isnan(said))
        return !isfinite(gap) && isnan(said);
    return fabs(gap - said) <= step + digits * gap;
}

static bool differ_or_miss(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") != 0;
}

bool hw_same_program(const hw_suite *suite, size_t unit, size_t solver, const hw_record *r)
{
    hw_record plan = hw_plan_run(suite, unit, solver);
    return !differ_or_miss(r->command, plan.command) &&
           !differ_or_miss(r->command_digest, plan.command_digest);
}

bool hw_line_fits(const hw_suite *suite, size_t unit, size_t solver, const hw_record *r,
                  char key[HW_KEY_TEXT], char *why, size_t size)
{
    hw_record plan = hw_plan_run(suite, unit, solver);
    *key = '\0';
    if (!hw_same_program(suite, unit, solver, r)) {
        (void)snprintf(why, size, "%.40s was another program then (%.12s), it is %.12s now",
                       r->solver, r->command_digest ? r->command_digest : "no file",
                       plan.command_digest ? plan.command_digest : "no file");
        return false;
    }
    if (r->graph)
        hw_plan_key(suite, unit, solver, r->graph, r->version, key);
    if (r->key && r->graph && strcmp(r->key, key) != 0)
        (void)snprintf(why, size, "key %.20s, where graph, solver, limits and version give %s",
                       r->key, key);
    else if (is_answer(r) &&
             (!r->peak.known || !r->checked_peak.known || r->peak.value != r->checked_peak.value))
        (void)snprintf(why, size, "%s, but its peak is not the checked one", r->status);
    else if (r->exact != plan.exact)
        (void)snprintf(why, size, "exact is %s, and %.40s proves %s", r->exact ? "true" : "false",
                       r->solver, plan.exact ? "optima" : "none");
    else if (r->sizes && (!plan.sizes || strcmp(r->sizes, plan.sizes) != 0))
        (void)snprintf(why, size, "sizes are %.20s, and the family draws them %.20s", r->sizes,
                       plan.sizes ? plan.sizes : "by no law");
    else
        return true;
    return false;
}

bool hw_gaps_fit(const hw_record *r)
{
    const hw_maybe_u64 none = {false, 0};
    return gap_fits(r->gap_percent, r->checked_peak, r->optimum) &&
           gap_fits(r->gap_bound_percent, r->checked_peak, r->optimum.known ? none : r->best_bound);
}

static bool differ(const char *a, const char *b)
{
    return a && b && strcmp(a, b) != 0;
}

const char *hw_instance_difference(const hw_record *a, const hw_record *b)
{
    if (!a->graph != !b->graph || differ(a->graph, b->graph))
        return "graph";
    return a->n_nodes != b->n_nodes           ? "nodes"
           : a->n_edges != b->n_edges         ? "edges"
           : a->n_tensors != b->n_tensors     ? "tensors"
           : differ(a->features, b->features) ? "features"
                                              : NULL;
}
