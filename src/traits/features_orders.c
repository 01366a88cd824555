/* Features of an order beside an optimal one.  See features.h. */
#include <math.h>
#include <stdlib.h>

#include "traits/branches.h"
#include "traits/features_internal.h"
#include "core/memory.h"
#include "model/sim.h"

/* When everything happens in one order. */
typedef struct times {
    uint32_t *position; /* by node  */
    uint32_t *last;     /* by block */
    uint64_t peak;
    int64_t peak_step; /* -1: before step 0 */
} times;

static hw_code times_open(times *t, const hw_model *m, const hw_blocks *b, const uint32_t *order,
                          hw_error *err)
{
    hw_sim s;
    *t = (times){.position = HW_NEW(uint32_t, m->n_nodes), .last = HW_NEW(uint32_t, b->n)};
    if (!t->position || !t->last)
        return hw_fail_memory(err, "the times of an order");
    hw_code code = hw_sim_init(&s, m, err);
    if (code != HW_OK)
        return code;
    for (uint32_t i = 0; i < m->n_nodes; i++)
        (void)hw_sim_step(&s, order[i]);
    t->peak = s.peak;
    t->peak_step = s.peak_step;
    hw_sim_free(&s);
    hw_order_positions(order, m->n_nodes, t->position);
    hw_blocks_last_readers(b, t->position, t->last);
    return HW_OK;
}

static void times_close(times *t)
{
    free(t->position);
    free(t->last);
}

/* Mean of the steps between making and last reading, by bytes. */
static double delay(const hw_blocks *b, const times *t)
{
    double bytes = 0, weighted = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const hw_block *x = &b->block[i];
        if (x->kept || t->last[i] == HW_NONE)
            continue;
        /* An input is there before step 0. */
        double made = x->maker == HW_NONE ? -1 : (double)t->position[x->maker];
        bytes += (double)x->bytes;
        weighted += (double)x->bytes * (t->last[i] - made);
    }
    return bytes > 0 ? weighted / bytes : NAN;
}

static double swapped(const hw_precedence *p, const times *a, const times *b)
{
    double pairs = 0, turned = 0;
    for (uint32_t u = 0; u < p->n; u++)
        for (uint32_t v = u + 1; v < p->n; v++)
            if (hw_unordered(p, u, v)) {
                pairs++;
                turned += (a->position[u] < a->position[v]) != (b->position[u] < b->position[v]);
            }
    return pairs > 0 ? turned / pairs : 0;
}

/* ---- Pairs of blocks. ---- */

typedef struct view {
    const hw_blocks *b;
    const hw_precedence *p;
    times order, optimum;
    uint32_t turn; /* node of the wrong turn; HW_NONE: none */
} view;

static hw_code view_open(view *x, const hw_model *m, const hw_blocks *b, const hw_precedence *p,
                         const hw_feature_orders *orders, hw_error *err)
{
    *x = (view){.b = b, .p = p, .turn = HW_NONE};
    if (orders->wrong_turn < m->n_nodes)
        x->turn = orders->order[orders->wrong_turn];
    hw_code code = times_open(&x->order, m, b, orders->order, err);
    return code == HW_OK ? times_open(&x->optimum, m, b, orders->optimum, err) : code;
}

static void view_close(view *x)
{
    times_close(&x->order);
    times_close(&x->optimum);
}

static bool alive_at(const view *x, const times *t, uint32_t i, int64_t step)
{
    uint32_t first, end;
    const hw_block *block = &x->b->block[i];
    if (step < 0) /* the inputs of the graph are there before any step */
        return block->maker == HW_NONE && (block->kept || t->last[i] != HW_NONE);
    return hw_block_alive(x->b, i, t->position, t->last, &first, &end) && first <= step &&
           step <= end;
}

static bool ever_together(const view *x, const times *t, uint32_t i, uint32_t k)
{
    uint32_t first[2], end[2];
    return hw_block_alive(x->b, i, t->position, t->last, &first[0], &end[0]) &&
           hw_block_alive(x->b, k, t->position, t->last, &first[1], &end[1]) &&
           first[0] <= end[1] && first[1] <= end[0];
}

/* The wrong turn makes block i, or must be taken before its maker can run. */
static bool turns_to(const view *x, uint32_t i)
{
    uint32_t maker = x->b->block[i].maker;
    return x->turn == maker || hw_bits_have(hw_after(x->p, x->turn), maker);
}

/* Blocks of makers that are unordered. */
static bool pair_counts(const view *x, uint32_t i, uint32_t k)
{
    uint32_t u = x->b->block[i].maker, v = x->b->block[k].maker;
    return u != HW_NONE && v != HW_NONE && hw_unordered(x->p, u, v);
}

static void raise(double *most, double value)
{
    if (value > *most)
        *most = value;
}

/* Of two blocks of `least` bytes and more. */
static void look_at_pair(const view *x, uint32_t i, uint32_t k, features_pairs *out)
{
    uint64_t a = x->b->block[i].bytes, c = x->b->block[k].bytes;
    if (!pair_counts(x, i, k))
        return;
    raise(&out->second_bytes, (double)(a < c ? a : c));
    if (!alive_at(x, &x->order, i, x->order.peak_step) ||
        !alive_at(x, &x->order, k, x->order.peak_step) || ever_together(x, &x->optimum, i, k))
        return;
    raise(&out->alive, hw_balance_of(a, c));
    if (x->turn != HW_NONE && turns_to(x, i) != turns_to(x, k))
        raise(&out->wrong, hw_balance_of(a, c));
}

static void look_at_pairs(const view *x, double least, features_pairs *out)
{
    *out = (features_pairs){.optimum = (double)x->optimum.peak};
    for (uint32_t i = 0; i < x->b->n; i++)
        for (uint32_t k = i + 1; k < x->b->n && (double)x->b->block[i].bytes >= least; k++)
            if ((double)x->b->block[k].bytes >= least)
                look_at_pair(x, i, k, out);
}

hw_code features_pairs_of(const hw_model *m, const hw_blocks *b, const hw_precedence *p,
                          const hw_feature_orders *orders, const double *least, size_t n,
                          features_pairs *out, hw_error *err)
{
    view x;
    hw_code code = view_open(&x, m, b, p, orders, err);
    for (size_t i = 0; i < n && code == HW_OK; i++)
        look_at_pairs(&x, least[i], &out[i]);
    view_close(&x);
    return code;
}

static void put_pairs(const view *x, const hw_feature_orders *orders, hw_features *out)
{
    features_pairs all, large;
    look_at_pairs(x, 0, &all);
    look_at_pairs(x, (double)x->b->largest / 2, &large);
    out->value[HW_FEATURE_SECOND_BLOCK] = features_share(all.second_bytes, (double)x->optimum.peak);
    out->value[HW_FEATURE_ALIVE_BALANCE] = large.alive;
    if (orders->wrong_turn != HW_NONE)
        out->value[HW_FEATURE_WRONG_BALANCE] = large.wrong;
    out->value[HW_FEATURE_SWAPPED] = swapped(x->p, &x->order, &x->optimum);
}

hw_code features_of_orders(const hw_model *m, const hw_blocks *b, const hw_precedence *p,
                           const hw_feature_orders *orders, hw_features *out, hw_error *err)
{
    double n = m->n_nodes, alive = 0;
    view x;
    hw_code code = view_open(&x, m, b, p, orders, err);
    for (uint32_t i = 0; i < b->n && code == HW_OK; i++)
        alive += hw_block_large(b, i) && alive_at(&x, &x.order, i, x.order.peak_step);
    if (code == HW_OK) {
        out->value[HW_FEATURE_DELAY_STEPS] = delay(b, &x.order);
        out->value[HW_FEATURE_DELAY_OPTIMUM] = delay(b, &x.optimum);
        out->value[HW_FEATURE_PEAK_AT] = (double)(x.order.peak_step + 1) / n;
        out->value[HW_FEATURE_ALIVE_LARGE] = alive;
        if (orders->wrong_turn != HW_NONE)
            out->value[HW_FEATURE_WRONG_AT] = orders->wrong_turn / n;
        if (p)
            put_pairs(&x, orders, out);
    }
    view_close(&x);
    return code;
}
