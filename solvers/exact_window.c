/*
 * Re-solving windows.  See exact_window.h.
 *
 * Around the first step that reaches the peak, windows grow by doubling; for
 * each size the step lies in the middle, then late, then early in the window.
 * A larger window around a smaller one can do whatever the smaller can, but
 * most repairs are local and small windows are decided at once.  After a
 * repair the peak stands elsewhere or is lower, and sizes begin anew; fewer
 * steps reach the old peak each time, so this ends.
 */
#include "solvers/exact_window.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"

enum { FIRST_NODES = 16, PLACES = 3 };

typedef struct run {
    const hw_model *m;
    const exact_window_options *options;
    hw_meter *meter;
    uint32_t *order;
    hw_sim sim;
    exact_map map;
    uint64_t *usage; /* of the step at each position */
    uint64_t *live;  /* before it                    */
    uint32_t *scratch;
    uint64_t peak;
    uint32_t peak_step; /* the first that reaches it; n: live before step 0 does */
} run;

static void measure(run *r)
{
    uint32_t n = r->m->n_nodes;
    hw_sim_reset(&r->sim);
    for (uint32_t i = 0; i < n; i++) {
        r->live[i] = r->sim.live;
        r->usage[i] = hw_sim_step(&r->sim, r->order[i]);
    }
    r->peak = r->sim.peak;
    r->peak_step = r->sim.peak_step < 0 ? n : (uint32_t)r->sim.peak_step;
}

/* The greatest usage of the steps outside a window. */
static uint64_t outside(const run *r, uint32_t low, uint32_t high)
{
    uint64_t most = r->m->live_empty;
    for (uint32_t i = 0; i < r->m->n_nodes; i++)
        if ((i < low || i >= high) && r->usage[i] > most)
            most = r->usage[i];
    return most;
}

static uint64_t states_of(const exact_search *s)
{
    return s->states;
}

/* Lower the peak of one window until the peak lies outside of it. */
static hw_code solve_window(run *r, exact_search *s, uint32_t low, bool *better, hw_error *err)
{
    const exact_problem *p = s->p;
    uint64_t enough = outside(r, low, low + p->n);
    if (enough < r->options->bound)
        enough = r->options->bound;
    while (r->peak > enough && !r->meter->over) {
        s->pause_at = r->options->states ? states_of(s) + r->options->states : 0;
        exact_outcome outcome = exact_search_decide(s, r->peak - 1, r->meter, r->scratch);
        if (outcome == EXACT_FAILED)
            return hw_fail_memory(err, "the search in a window");
        if (outcome != EXACT_FOUND)
            break;
        for (uint32_t i = 0; i < p->n; i++)
            r->order[low + i] = p->node[r->scratch[i]];
        measure(r);
        *better = true;
    }
    return HW_OK;
}

static hw_code try_window(run *r, uint32_t low, uint32_t high, bool *better, hw_error *err)
{
    exact_problem *p;
    exact_search s;
    uint64_t memory = r->options->search.memory_bytes;
    hw_code code =
        exact_problem_new(r->m, r->order, low, high, r->live[low], memory / 2, &r->map, &p, NULL);
    if (code == HW_NO_MEMORY && memory) /* too large for the limit: not this window */
        return HW_OK;
    if (code != HW_OK)
        return hw_fail_memory(err, "the windows of an order");
    code = exact_search_init(&s, p, &r->options->search, err);
    if (code == HW_OK) {
        uint64_t share = r->options->states / 4; /* short questions take short turns */
        if (share && share < s.share)
            s.share = share;
        code = solve_window(r, &s, low, better, err);
        exact_search_free(&s);
    }
    exact_problem_free(p);
    return code;
}

/* All windows of `size` nodes around the peak step, until one is better. */
static hw_code try_size(run *r, uint32_t size, bool *better, hw_error *err)
{
    uint32_t n = r->m->n_nodes, tried[PLACES], count = 0;
    const uint32_t before[PLACES] = {size / 2, size - size / 4 - 1, size / 4};
    for (int i = 0; i < PLACES && !*better && !r->meter->over; i++) {
        uint32_t low = r->peak_step > before[i] ? r->peak_step - before[i] : 0;
        if (low > n - size)
            low = n - size;
        bool again = false;
        for (uint32_t k = 0; k < count; k++)
            again = again || tried[k] == low;
        tried[count++] = low;
        hw_code code = again ? HW_OK : try_window(r, low, low + size, better, err);
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

static hw_code improve(run *r, hw_error *err)
{
    uint32_t n = r->m->n_nodes;
    uint32_t most = r->options->most && r->options->most < n ? r->options->most : n;
    bool better = true;
    while (better && r->peak > r->options->bound && r->peak_step < n) {
        uint32_t size = r->options->least ? r->options->least : FIRST_NODES;
        better = false;
        for (bool last = false; !better && !last && !r->meter->over; size *= 2) {
            last = size >= most;
            hw_code code = try_size(r, last ? most : size, &better, err);
            if (code != HW_OK)
                return code;
        }
    }
    return HW_OK;
}

hw_code exact_window_improve(const hw_model *m, const exact_window_options *options,
                             uint32_t *order, uint64_t *peak, hw_meter *meter, hw_error *err)
{
    uint32_t n = m->n_nodes;
    run r = {.m = m, .options = options, .meter = meter, .order = order};
    hw_code code = hw_sim_init(&r.sim, m, err);
    if (code != HW_OK)
        return code;
    r.usage = HW_NEW(uint64_t, n);
    r.live = HW_NEW(uint64_t, n);
    r.scratch = HW_NEW(uint32_t, n);
    code = r.usage && r.live && r.scratch ? exact_map_init(&r.map, m, err)
                                          : hw_fail_memory(err, "the windows of an order");
    if (code == HW_OK) {
        measure(&r);
        code = improve(&r, err);
        *peak = r.peak;
        exact_map_free(&r.map);
    }
    free(r.usage);
    free(r.live);
    free(r.scratch);
    hw_sim_free(&r.sim);
    return code;
}
