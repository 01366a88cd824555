/*
 * Simulated annealing by GSL's gsl_siman_solve() (Metropolis steps, geometric
 * cooling; the energy is minus the logarithm of the ratio, so that a step that
 * halves the ratio costs the same anywhere).
 *
 * GSL drives the walk and cannot be left in the middle: once a lane is over
 * its changes do nothing and its energies cost nothing.  A change that did not
 * fit leaves the graph as it was, and is not rated again.
 */
#include "adversary/search_lane.h"

#include <gsl/gsl_siman.h>
#include <math.h>
#include <string.h>

enum { TEMPERATURES = 100, RESTARTS_FOR = 32000 };

static const double hottest = 0.08, coldest = 0.002;

/* What GSL copies about. */
typedef struct walker {
    hw_lane *lane;
    hw_genome genome;
    double energy;
    bool fresh; /* the energy is not known yet */
} walker;

static void step(const gsl_rng *rng, void *state, double size)
{
    (void)rng; /* is the lane's */
    (void)size;
    walker *w = state;
    if (hw_lane_open(w->lane) && hw_lane_change(w->lane, &w->genome))
        w->fresh = true;
}

static double energy(void *state)
{
    walker *w = state;
    hw_ratio ratio;
    if (w->fresh)
        w->energy = hw_lane_rate(w->lane, &w->genome, &ratio) && ratio.over > 0
                        ? -log(hw_ratio_value(ratio))
                        : HUGE_VAL;
    w->fresh = false;
    return w->energy;
}

/* GSL wants one for its printed table, which is not asked for. */
static double distance(void *a, void *b)
{
    (void)a;
    (void)b;
    return 0;
}

static gsl_siman_params_t schedule(uint64_t evaluations)
{
    gsl_siman_params_t p = {.n_tries = 1, .k = 1, .step_size = 1};
    p.iters_fixed_T = (int)(evaluations / TEMPERATURES) + 1;
    p.t_initial = hottest;
    p.t_min = coldest;
    p.mu_t = pow(hottest / coldest, 1.0 / TEMPERATURES);
    return p;
}

void hw_lane_anneal(hw_lane *lane)
{
    uint64_t runs = 1 + lane->plan.budget / RESTARTS_FOR;
    walker w = {.lane = lane, .fresh = true};
    for (bool changed = false; hw_lane_begin(lane, changed, &w.genome); changed = true) {
        w.fresh = true;
        gsl_siman_solve(lane->rng, &w, energy, step, distance, NULL, NULL, NULL, NULL, sizeof w,
                        schedule(lane->plan.budget / runs));
    }
}
