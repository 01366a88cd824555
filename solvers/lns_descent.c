/*
 * The order on which lns works.  See lns_descent.h.
 *
 * What is lowered is a penalty: over the steps above a level a little below the
 * peak, the squares of what they use beyond it.  The peak alone would not tell
 * ten such steps from one.  The level follows the peak: it is chosen anew when
 * the distance has halved.
 */
#include "solvers/lns_descent.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/lns_parts.h"

enum {
    CELLS_A_STATE = 128,   /* cells of a merge in the time of a prefix of the exact search */
    CELLS_A_NODE = 8,      /* what a node of the stretch costs besides                     */
    MOST_CELLS = 1 << 22,  /* of a merge */
    LEVEL_PART = 20,       /* the level lies this part of the peak below it, or less ...   */
    LEVEL_STEPS = 1 << 14, /* ... so that about so many steps at most are above            */
    SHAKE_PART = 2         /* a shake may exceed the peak by this part of that distance    */
};

hw_code lns_descent_open(lns_descent *d, const hw_model *m, uint32_t window, uint32_t exact_nodes,
                         uint64_t memory_bytes, uint64_t seed, uint32_t *best, uint64_t best_peak,
                         hw_meter *meter, hw_answer *answer, hw_error *err)
{
    uint32_t n = m->n_nodes;
    *d = (lns_descent){.m = m,
                       .meter = meter,
                       .answer = answer,
                       .window = window < n ? window : n,
                       .bound = m->simple_bound,
                       .best = best,
                       .best_peak = best_peak,
                       .off_best = {n, 0},
                       .off_base = {n, 0}};
    d->rng = hw_rng_new(seed);
    d->work = hw_copy(best, n, sizeof *best);
    d->queue = HW_NEW(uint32_t, d->window);
    hw_code code = d->rng && d->work && d->queue ? HW_OK : hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = local_order_open(&d->l, m, d->work, err);
    if (code == HW_OK)
        code = lns_merge_open(&d->merge, m, d->window, MOST_CELLS, err);
    if (code == HW_OK)
        code = lns_exact_open(&d->exact, &d->l, exact_nodes, memory_bytes, err);
    return code;
}

void lns_descent_close(lns_descent *d)
{
    lns_exact_close(&d->exact);
    lns_merge_close(&d->merge);
    local_order_close(&d->l);
    if (d->rng)
        gsl_rng_free(d->rng);
    free(d->queue);
    free(d->work);
}

static void widen(lns_range *range, uint32_t low, uint32_t high)
{
    range->low = low < range->low ? low : range->low;
    range->high = high > range->high ? high : range->high;
}

static void touch(lns_descent *d, uint32_t low, uint32_t high)
{
    widen(&d->off_best, low, high);
    widen(&d->off_base, low, high);
}

/* The working order is the best one if its peak is lower. */
static void take(lns_descent *d)
{
    uint64_t peak = local_order_peak(&d->l);
    lns_range *off = &d->off_best;
    if (peak >= d->best_peak)
        return;
    if (off->low < off->high)
        memcpy(d->best + off->low, d->work + off->low, (off->high - off->low) * sizeof *d->best);
    *off = (lns_range){d->m->n_nodes, 0};
    d->best_peak = peak;
    (void)hw_answer_improve(d->m, d->answer, d->best, peak);
}

void lns_descent_load(lns_descent *d, const uint32_t *order, lns_range range)
{
    if (range.low >= range.high)
        return;
    memcpy(d->work + range.low, order + range.low, (range.high - range.low) * sizeof *order);
    if (range.low == 0 && range.high == d->m->n_nodes)
        local_order_renew(&d->l);
    else
        local_order_relay(&d->l, range.low, range.high);
    widen(&d->off_best, range.low, range.high);
    d->off_base = (lns_range){d->m->n_nodes, 0};
    take(d);
}

/* ---- The penalty. ---- */

/* Are more than LEVEL_STEPS steps above the level? */
static bool are_many(const lns_descent *d, uint64_t level)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->l.n && count <= LEVEL_STEPS; i++)
        count += d->l.usage[i] > level;
    return count > LEVEL_STEPS;
}

static void choose_level(lns_descent *d, uint64_t peak)
{
    uint64_t below = peak / LEVEL_PART + 1;
    while (below > 1 && are_many(d, peak - (below < peak ? below : peak)))
        below /= 2;
    d->top = peak;
    d->penalty.level = below < peak ? peak - below : 0;
}

/* Steps up to `cap` are allowed; the level suits the peak. */
static void set_penalty(lns_descent *d, uint64_t peak, uint64_t cap)
{
    enum { MOST_BITS = 18 };
    lns_penalty *p = &d->penalty;
    if (d->top == 0 || peak > d->top || peak <= p->level ||
        peak - p->level < (d->top - p->level) / 2)
        choose_level(d, peak);
    p->cap = cap;
    p->shift = 0;
    while ((cap - p->level) >> p->shift >> MOST_BITS)
        p->shift++;
}

static uint64_t penalty_within(const lns_descent *d, uint32_t low, uint32_t high)
{
    uint64_t sum = 0;
    for (uint32_t i = low; i < high; i++)
        sum += lns_penalty_of(&d->penalty, d->l.usage[i]);
    return sum;
}

/* ---- One merge. ---- */

/* From `least` to `most`, about as likely in each of the ranges between powers of two. */
static uint32_t draw_size(gsl_rng *rng, uint32_t most)
{
    uint32_t bits = 0;
    while (bits < 30 && UINT32_C(2) << bits <= most)
        bits++;
    uint32_t size = UINT32_C(1) << hw_rng_below(rng, bits + 1);
    size += (uint32_t)hw_rng_below(rng, size);
    return size < most ? size : most;
}

/* A stretch around a step above the level, one part of it set apart. */
static bool draw_stretch(lns_descent *d, lns_range *stretch)
{
    const local_order *l = &d->l;
    uint64_t above = d->penalty.level < l->most[1] ? d->penalty.level + 1 : l->most[1];
    uint32_t at = local_order_draw(l, hw_rng_u64(d->rng), above);
    uint32_t size = draw_size(d->rng, d->window);
    size = size < 2 ? 2 : size;
    uint32_t before = (uint32_t)hw_rng_below(d->rng, size);
    uint32_t low = at > before ? at - before : 0;
    low = low > l->n - size ? l->n - size : low;
    *stretch = (lns_range){low, low + size};
    lns_rule rule = (lns_rule)hw_rng_below(d->rng, LNS_N_RULES);
    uint32_t most = draw_size(d->rng, size / 2);
    uint32_t seed = low + (uint32_t)hw_rng_below(d->rng, size);
    lns_part_draw(l, rule, low, low + size, seed, most, d->rng, d->queue, d->merge.side);
    return lns_part_trim(l, d->merge.side, &stretch->low, &stretch->high);
}

static void draw_weights(lns_descent *d, uint32_t size, uint32_t strength)
{
    for (uint32_t i = 0; i < size; i++)
        d->merge.weight[i] =
            (uint16_t)(LNS_WEIGHT + (strength ? hw_rng_below(d->rng, strength + 1) : 0));
}

static uint32_t in_row(const hw_rows *rows, uint32_t v)
{
    return rows->offset[v + 1] - rows->offset[v];
}

/* What it costs, in cells, to look at the nodes of a stretch; some have very many edges. */
static uint64_t cells_for_nodes(const lns_descent *d, lns_range stretch)
{
    const hw_model *m = d->m;
    uint64_t cells = (uint64_t)CELLS_A_NODE * (stretch.high - stretch.low);
    for (uint32_t i = stretch.low; i < stretch.high; i++)
        cells += in_row(&m->graph->preds, d->work[i]) + in_row(&m->graph->succs, d->work[i]) +
                 in_row(&m->uses, d->work[i]);
    return cells;
}

/* The merged stretch into the working order, from the first to the last change. */
static void adopt(lns_descent *d, lns_range stretch)
{
    const uint32_t *found = d->merge.found;
    uint32_t low = stretch.low, high = stretch.high;
    while (low < high && found[low - stretch.low] == d->work[low])
        low++;
    while (high > low && found[high - 1 - stretch.low] == d->work[high - 1])
        high--;
    if (low == high)
        return;
    memcpy(d->work + low, found + (low - stretch.low), (high - low) * sizeof *found);
    local_order_relay(&d->l, low, high);
    touch(d, low, high);
}

/* True: the penalty has fallen. */
static bool merge_once(lns_descent *d, uint32_t strength)
{
    lns_range stretch;
    uint64_t cells = 0, cost, before = 0;
    bool better = false;
    if (draw_stretch(d, &stretch)) {
        uint32_t size = stretch.high - stretch.low;
        before = penalty_within(d, stretch.low, stretch.high);
        draw_weights(d, size, strength);
        cells = cells_for_nodes(d, stretch);
        uint64_t more;
        bool late = hw_rng_u64(d->rng) & 1;
        if (lns_merge_run(&d->merge, &d->l, stretch.low, stretch.high, &d->penalty, late, &more,
                          &cost)) {
            adopt(d, stretch);
            better = cost < before;
            take(d);
        }
        cells += more;
    }
    (void)hw_meter_count(d->meter, cells / CELLS_A_STATE + 1);
    return better;
}

/* ---- Many of them. ---- */

void lns_descent_merge(lns_descent *d, uint64_t patience)
{
    uint64_t last = d->meter->states;
    while (!lns_descent_over(d) && d->meter->states - last < patience) {
        uint64_t peak = local_order_peak(&d->l);
        set_penalty(d, peak, peak);
        if (merge_once(d, 0))
            last = d->meter->states;
    }
}

void lns_descent_shake(lns_descent *d, uint32_t strength, uint64_t states)
{
    uint64_t first = d->meter->states, done = 0;
    set_penalty(d, d->best_peak, d->best_peak);
    uint64_t more = (d->best_peak - d->penalty.level) / SHAKE_PART;
    uint64_t most = more < UINT64_MAX - d->best_peak ? d->best_peak + more : UINT64_MAX;
    while (!lns_descent_over(d) && done < states) {
        uint64_t peak = local_order_peak(&d->l);
        set_penalty(d, peak, peak > most ? peak : most);
        (void)merge_once(d, (uint32_t)(strength - strength * done / states));
        done = d->meter->states - first;
    }
}

hw_code lns_descent_resolve(lns_descent *d, uint64_t prefixes, bool *better, hw_error *err)
{
    lns_exact_result result = {.better = true};
    hw_code code = HW_OK;
    *better = false;
    while (code == HW_OK && result.better && !result.proven && !lns_descent_over(d)) {
        code = lns_exact_improve(&d->exact, prefixes, d->meter, &result, err);
        if (!result.better)
            break;
        touch(d, result.low, result.high);
        take(d);
        *better = true;
    }
    if (result.proven) { /* of all orders, none has a smaller peak than the working one */
        d->bound = local_order_peak(&d->l);
        (void)hw_answer_bound(d->m, d->answer, d->bound);
    }
    return code;
}
