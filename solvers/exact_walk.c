/* Walking through the prefixes of a piece.  See exact_walk.h. */
#include "solvers/exact_walk.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Keep `falls` and `frees` in step with the gain of v. */
static void set_gain(exact_walk *w, uint32_t v, uint64_t gain)
{
    const exact_problem *p = w->p;
    uint64_t made = p->new_bytes[v] - p->dead_bytes[v];
    uint64_t bit = UINT64_C(1) << (v & 63);
    w->gain[v] = gain;
    if (w->reverse ? gain <= made : made <= gain)
        w->falls[v >> 6] |= bit;
    else
        w->falls[v >> 6] &= ~bit;
    if (gain)
        w->frees[v >> 6] |= bit;
    else
        w->frees[v >> 6] &= ~bit;
}

hw_code exact_walk_init(exact_walk *w, const exact_problem *p, bool reverse, hw_error *err)
{
    memset(w, 0, sizeof *w);
    w->p = p;
    w->reverse = reverse;
    w->live = reverse ? p->live_end : p->live_start;
    w->open = p->n_buffers;
    w->trail = HW_NEW(uint32_t, p->n);
    w->gain = HW_NEW0(uint64_t, p->n);
    w->waiting = HW_NEW(uint32_t, p->n);
    w->left = HW_NEW(uint32_t, p->n_buffers);
    w->last = HW_NEW0(uint32_t, p->n_buffers);
    w->done = HW_NEW0(uint64_t, (size_t)4 * p->words);
    if (!w->trail || !w->gain || !w->waiting || !w->left || !w->last || !w->done) {
        exact_walk_free(w);
        return hw_fail_memory(err, "a walk through prefixes");
    }
    w->ready = w->done + p->words;
    w->falls = w->ready + p->words;
    w->frees = w->falls + p->words;
    for (uint32_t b = 0; b < p->n_buffers; b++) {
        uint32_t begin = p->users.offset[b], end = p->users.offset[b + 1];
        w->left[b] = end - begin;
        for (uint32_t i = begin; i < end; i++)
            w->last[b] ^= p->users.item[i];
        for (uint32_t i = begin; i < end && (reverse || end - begin == 1); i++)
            w->gain[p->users.item[i]] += p->size[b];
    }
    const hw_rows *before = reverse ? &p->succs : &p->preds;
    for (uint32_t v = 0; v < p->n; v++) {
        set_gain(w, v, w->gain[v]);
        w->waiting[v] = before->offset[v + 1] - before->offset[v];
        if (w->waiting[v] == 0)
            exact_add(w->ready, v);
    }
    return HW_OK;
}

void exact_walk_free(exact_walk *w)
{
    free(w->trail);
    free(w->gain);
    free(w->waiting);
    free(w->left);
    free(w->last);
    free(w->done);
    memset(w, 0, sizeof *w);
}

void exact_walk_do(exact_walk *w, uint32_t v)
{
    const exact_problem *p = w->p;
    w->live = exact_walk_after(w, v);
    exact_add(w->done, v);
    exact_drop(w->ready, v);
    for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++) {
        uint32_t b = p->uses.item[k], left = --w->left[b];
        w->last[b] ^= v;
        w->open -= left == 0;
        if (!w->reverse) {
            if (left == 1)
                set_gain(w, w->last[b], w->gain[w->last[b]] + p->size[b]);
        } else if (left + 1 == p->users.offset[b + 1] - p->users.offset[b]) {
            for (uint32_t i = p->users.offset[b]; i < p->users.offset[b + 1]; i++)
                if (p->users.item[i] != v)
                    set_gain(w, p->users.item[i], w->gain[p->users.item[i]] - p->size[b]);
        }
    }
    const hw_rows *after = w->reverse ? &p->preds : &p->succs;
    for (uint32_t k = after->offset[v]; k < after->offset[v + 1]; k++)
        if (--w->waiting[after->item[k]] == 0)
            exact_add(w->ready, after->item[k]);
    w->trail[w->count++] = v;
}

uint32_t exact_walk_undo(exact_walk *w)
{
    const exact_problem *p = w->p;
    uint32_t v = w->trail[--w->count];
    const hw_rows *after = w->reverse ? &p->preds : &p->succs;
    for (uint32_t k = after->offset[v]; k < after->offset[v + 1]; k++)
        if (w->waiting[after->item[k]]++ == 0)
            exact_drop(w->ready, after->item[k]);
    for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++) {
        uint32_t b = p->uses.item[k], left = w->left[b]++;
        w->open += left == 0;
        if (!w->reverse) {
            if (left == 1)
                set_gain(w, w->last[b], w->gain[w->last[b]] - p->size[b]);
        } else if (left + 1 == p->users.offset[b + 1] - p->users.offset[b]) {
            for (uint32_t i = p->users.offset[b]; i < p->users.offset[b + 1]; i++)
                if (p->users.item[i] != v)
                    set_gain(w, p->users.item[i], w->gain[p->users.item[i]] + p->size[b]);
        }
        w->last[b] ^= v;
    }
    exact_drop(w->done, v);
    exact_add(w->ready, v);
    uint64_t net = p->new_bytes[v] - p->dead_bytes[v] - w->gain[v];
    w->live = w->reverse ? w->live + net : w->live - net;
    return v;
}

/* Would the move free the buffer? */
static bool dies(const exact_walk *w, uint32_t b)
{
    uint32_t users = w->p->users.offset[b + 1] - w->p->users.offset[b];
    return w->left[b] == (w->reverse ? users : 1);
}

uint64_t exact_walk_reuse(const exact_walk *w, uint32_t v)
{
    const exact_problem *p = w->p;
    uint32_t begin = p->reuse_offset[v], end = p->reuse_offset[v + 1];
    if (begin == end)
        return 0;
    if (end - begin == 1)
        return dies(w, p->reuse_pair[begin].left) ? p->reuse_pair[begin].weight : 0;
    hw_weighted_pair few[HW_MATCHING_PAIRS] = {{0}}, *pairs = few;
    if (end - begin > HW_MATCHING_PAIRS) {
        pairs = HW_NEW(hw_weighted_pair, end - begin);
        if (!pairs)
            return 0;
    }
    size_t n = 0;
    for (uint32_t i = begin; i < end; i++)
        if (dies(w, p->reuse_pair[i].left))
            pairs[n++] = p->reuse_pair[i];
    uint64_t saved = hw_matching(pairs, n);
    if (pairs != few)
        free(pairs);
    return saved == UINT64_MAX ? 0 : saved;
}

uint64_t exact_walk_usage(const exact_walk *w, uint32_t v)
{
    uint64_t usage = exact_walk_usage_plain(w, v);
    return w->p->reuse_offset ? usage - exact_walk_reuse(w, v) : usage;
}
