/*
 * Steps of shrinking that change sizes and workspaces.  See shrink_steps.h.
 *
 * Fewer different values come before smaller ones: a graph of three sizes tells
 * more than one of ten small ones.
 */
#include <stdlib.h>

#include "adversary/shrink_steps.h"
#include "core/memory.h"

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

hw_code hw_edit_values(const hw_edit *e, uint64_t least, uint64_t **value, size_t *room, size_t *n,
                       hw_error *err)
{
    size_t all = 0;
    *n = 0;
    if (!hw_grow((void **)value, room, e->n_tensors + e->n_nodes + 1, sizeof **value))
        return hw_fail_memory(err, "the sizes of a graph");
    for (size_t t = 0; t < e->n_tensors; t++)
        if (e->tensor[t].size > least)
            (*value)[all++] = e->tensor[t].size;
    for (size_t v = 0; v < e->n_nodes; v++)
        if (e->node[v].workspace > least)
            (*value)[all++] = e->node[v].workspace;
    qsort(*value, all, sizeof **value, by_number);
    for (size_t i = 0; i < all; i++)
        if (*n == 0 || (*value)[i] != (*value)[*n - 1])
            (*value)[(*n)++] = (*value)[i];
    return HW_OK;
}

void hw_edit_revalue(hw_edit *e, uint64_t from, uint64_t to)
{
    for (size_t t = 0; t < e->n_tensors; t++)
        if (e->tensor[t].size == from)
            e->tensor[t].size = to;
    for (size_t v = 0; v < e->n_nodes; v++)
        if (e->node[v].workspace == from)
            e->node[v].workspace = to;
}

/* ---- All values at once. ---- */

enum { RANKS, COMMON_DIVISOR, QUARTERS, HALVES, N_WHOLE };

HW_STEP_COUNT(hw_count_whole)
{
    (void)e;
    return view->n_values ? N_WHOLE : 0;
}

static uint64_t common_divisor(const hw_step_view *view)
{
    uint64_t d = 0;
    for (size_t i = 0; i < view->n_values; i++)
        for (uint64_t x = view->value[i]; x;) {
            uint64_t rest = d % x;
            d = x;
            x = rest;
        }
    return d ? d : 1;
}

/*
 * Ranks in place of sizes (the smallest becomes least + 1), or all divided, but
 * for those that are `least` already.  Values only fall and are visited upwards,
 * so that none is changed twice.
 */
HW_STEP_TAKE(hw_take_whole)
{
    (void)err;
    uint64_t divisor = index == COMMON_DIVISOR ? common_divisor(view) : index == QUARTERS ? 4 : 2;
    *taken = true;
    for (size_t i = 0; i < view->n_values; i++) {
        uint64_t to = index == RANKS ? view->least + 1 + i : view->value[i] / divisor;
        hw_edit_revalue(e, view->value[i], to < view->least ? view->least : to);
    }
    return HW_OK;
}

/* ---- One value, wherever it stands. ---- */

enum { POWERS = 63 }; /* sizes are below 2^63 */

HW_STEP_COUNT(hw_count_values)
{
    (void)e;
    return view->n_values * (1 + view->n_values + POWERS);
}

/*
 * Candidates for value i: `least`, every other value, less by a power of two.
 * The powers fall, so that what can be reached is found by halving, not one by
 * one, and what is left holds against one byte less, too.
 */
HW_STEP_TAKE(hw_take_value)
{
    (void)err;
    size_t n = view->n_values, i = index / (1 + n + POWERS), k = index % (1 + n + POWERS);
    uint64_t from = view->value[i], most = from - view->least;
    uint64_t less = k > n ? UINT64_C(1) << (POWERS - 1 - (k - n - 1)) : 0;
    uint64_t to = k == 0 ? view->least : k <= n ? view->value[k - 1] : from - less;
    *taken = to != from && less < most;
    hw_edit_revalue(e, from, to);
    return HW_OK;
}

/* ---- One size. ---- */

HW_STEP_COUNT(hw_count_single_sizes)
{
    return (e->n_tensors + e->n_nodes) * (view->n_values + 1);
}

/* Candidates: `least` and every smaller value. */
HW_STEP_TAKE(hw_take_single_size)
{
    (void)err;
    size_t place = index / (view->n_values + 1), k = index % (view->n_values + 1);
    uint64_t *size =
        place < e->n_tensors ? &e->tensor[place].size : &e->node[place - e->n_tensors].workspace;
    uint64_t to = k == 0 ? view->least : view->value[k - 1];
    *taken = to < *size;
    *size = to;
    return HW_OK;
}
