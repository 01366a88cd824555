/* Features of an order beside an optimal one.  See features.h. */
#include <math.h>
#include <stdlib.h>

#include "adversary/branches.h"
#include "adversary/features_internal.h"
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
    const times *order, *optimum;
    uint32_t turn; /* node of the wrong turn; HW_NONE: none */
} view;

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

static void raise(hw_features *f, hw_feature id, double value)
{
    if (value > f->value[id])
        f->value[id] = value;
}

static void look_at_pair(const view *x, uint32_t i, uint32_t k, hw_features *f)
{
    uint64_t a = x->b->block[i].bytes, c = x->b->block[k].bytes;
    if (!pair_counts(x, i, k))
        return;
    raise(f, HW_FEATURE_SECOND_BLOCK,
          features_share((double)(a < c ? a : c), (double)x->optimum->peak));
    if (!hw_block_large(x->b, i) || !hw_block_large(x->b, k) ||
        !alive_at(x, x->order, i, x->order->peak_step) ||
        !alive_at(x, x->order, k, x->order->peak_step) || ever_together(x, x->optimum, i, k))
        return;
    raise(f, HW_FEATURE_ALIVE_BALANCE, hw_balance_of(a, c));
    if (x->turn != HW_NONE && turns_to(x, i) != turns_to(x, k))
        raise(f, HW_FEATURE_WRONG_BALANCE, hw_balance_of(a, c));
}

static void look_at_blocks(const view *x, hw_features *f)
{
    uint32_t alive = 0;
    for (uint32_t i = 0; i < x->b->n; i++)
        alive += hw_block_large(x->b, i) && alive_at(x, x->order, i, x->order->peak_step);
    f->value[HW_FEATURE_ALIVE_LARGE] = alive;
    if (!x->p)
        return;
    f->value[HW_FEATURE_SECOND_BLOCK] = 0;
    f->value[HW_FEATURE_ALIVE_BALANCE] = 0;
    for (uint32_t i = 0; i < x->b->n; i++)
        for (uint32_t k = i + 1; k < x->b->n; k++)
            look_at_pair(x, i, k, f);
}

hw_code features_of_orders(const hw_model *m, const hw_blocks *b, const hw_precedence *p,
                           const hw_feature_orders *orders, hw_features *out, hw_error *err)
{
    times order = {0}, optimum = {0};
    double n = m->n_nodes;
    hw_code code = times_open(&order, m, b, orders->order, err);
    if (code == HW_OK)
        code = times_open(&optimum, m, b, orders->optimum, err);
    if (code == HW_OK) {
        view x = {.b = b, .p = p, .order = &order, .optimum = &optimum, .turn = HW_NONE};
        if (orders->wrong_turn != HW_NONE) {
            out->value[HW_FEATURE_WRONG_AT] = orders->wrong_turn / n;
            out->value[HW_FEATURE_WRONG_BALANCE] = p ? 0 : NAN;
            if (orders->wrong_turn < m->n_nodes)
                x.turn = orders->order[orders->wrong_turn];
        }
        out->value[HW_FEATURE_DELAY_STEPS] = delay(b, &order);
        out->value[HW_FEATURE_DELAY_OPTIMUM] = delay(b, &optimum);
        out->value[HW_FEATURE_SWAPPED] = p ? swapped(p, &order, &optimum) : NAN;
        out->value[HW_FEATURE_PEAK_AT] = (double)(order.peak_step + 1) / n;
        look_at_blocks(&x, out);
    }
    times_close(&order);
    times_close(&optimum);
    return code;
}
