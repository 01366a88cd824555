/* A small simulator from the definitions alone.  See support_stays.h. */
#include "support_stays.h"

#include "support_draft.h"

bool stays_touch(const stays_world *w, int64_t step, uint32_t storage)
{
    const hw_graph *g = w->g;
    uint32_t v = w->order[step];
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        if (g->tensor_storage[g->inputs.item[i]] == storage)
            return true;
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
        if (g->storage_root[storage] == g->outputs.item[i])
            return true;
    return false;
}

bool stays_hold(const stays_world *w, uint32_t storage, hw_kind kind)
{
    for (uint32_t t = 0; t < w->g->n_tensors; t++)
        if (w->g->tensor_storage[t] == storage && w->g->tensor_kind[t] == kind)
            return true;
    return false;
}

static bool to_end(const stays_world *w, uint32_t storage)
{
    return stays_hold(w, storage, HW_OUTPUT) ||
           (w->m->pin_inputs && stays_hold(w, storage, HW_INPUT));
}

size_t stays_touches(const stays_world *w, uint32_t storage, int64_t at[STAYS_STEPS + 2])
{
    size_t n = 0;
    if (stays_hold(w, storage, HW_INPUT))
        at[n++] = -1;
    for (int64_t i = 0; i < w->n; i++)
        if (stays_touch(w, i, storage))
            at[n++] = i;
    if (to_end(w, storage))
        at[n++] = w->n;
    return n;
}

/* A gap of the list that begins at that touch of the storage. */
static bool is_dropped(const hw_gaps *gaps, const uint32_t *chosen, size_t n, uint32_t root,
                       int64_t from)
{
    for (size_t i = 0; i < n; i++) {
        const hw_gap *gap = &gaps->gap[chosen[i]];
        if (gaps->log->life[gap->life].tensor == root && gap->from == from)
            return true;
    }
    return false;
}

static void lay_stays(stays_world *w, const hw_gaps *gaps, const uint32_t *chosen, size_t n)
{
    int64_t at[STAYS_STEPS + 2];
    w->n_stays = 0;
    for (uint32_t s = 0; s < w->g->n_storages; s++) {
        uint32_t root = w->g->storage_root[s];
        size_t count = stays_touches(w, s, at);
        if (w->g->tensor_kind[root] == HW_CONSTANT || count == 0 ||
            (count == 1 && at[0] == -1)) /* an input that nobody wants */
            continue;
        stay now = {root, at[0], at[0], false};
        bool never = false; /* an input that is given late */
        for (size_t i = 1; i < count; i++) {
            if (is_dropped(gaps, chosen, n, root, at[i - 1])) {
                never = at[i - 1] == -1;
                if (!never)
                    w->stay[w->n_stays++] = now;
                now = (stay){root, at[i], at[i], true};
            }
            now.last = at[i];
        }
        w->stay[w->n_stays++] = now;
    }
}

/* ---- Usage of a step. ---- */

static bool may_be_overwritten(const stays_world *w, uint32_t storage)
{
    /* of what is made twice only the second, which is kept, is the output */
    return (w->again || !stays_hold(w, storage, HW_OUTPUT)) &&
           !stays_hold(w, storage, HW_CONSTANT) &&
           !(w->m->pin_inputs && stays_hold(w, storage, HW_INPUT));
}

static bool ends_at(const stays_world *w, uint32_t storage, int64_t step)
{
    for (size_t i = 0; i < w->n_stays; i++)
        if (w->g->tensor_storage[w->stay[i].root] == storage && w->stay[i].last == step)
            return true;
    return false;
}

/* The most that pairs from number `pair` on save, with storages and outputs already taken. */
static uint64_t best_pairs(const stays_world *w, int64_t step, uint32_t pair, bool *taken)
{
    const hw_graph *g = w->g;
    uint32_t v = w->order[step];
    if (!g->inplace_offset || pair == g->inplace_offset[v + 1])
        return 0;
    uint64_t best = best_pairs(w, step, pair + 1, taken);
    hw_inplace_pair p = g->inplace_pair[pair];
    uint32_t in = g->storage_root[g->tensor_storage[p.input]];
    if (taken[in] || taken[p.output] || !may_be_overwritten(w, g->tensor_storage[in]) ||
        !ends_at(w, g->tensor_storage[in], step))
        return best;
    taken[in] = taken[p.output] = true;
    uint64_t size = g->tensor_size[in] < g->tensor_size[p.output] ? g->tensor_size[in]
                                                                  : g->tensor_size[p.output];
    uint64_t with = size + best_pairs(w, step, pair + 1, taken);
    taken[in] = taken[p.output] = false;
    return with > best ? with : best;
}

/* After step `step` and, with_back, with what is brought back for the next one. */
static uint64_t live_after(const stays_world *w, int64_t step, bool with_back)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < w->n_stays; i++) {
        const stay *s = &w->stay[i];
        if (s->last <= step)
            continue;
        if (s->first <= step || (with_back && s->back && s->first == step + 1))
            sum += w->g->tensor_size[s->root];
    }
    return sum;
}

static uint64_t usage_of(const stays_world *w, int64_t step)
{
    bool taken[DRAFT_TENSORS] = {false};
    uint32_t v = w->order[step];
    uint64_t sum = hw_node_workspace(w->g, v);
    for (size_t i = 0; i < w->n_stays; i++) {
        const stay *s = &w->stay[i];
        bool there = s->first <= step && step <= s->last;
        bool made = s->first == step && !s->back;
        if (w->m->accounting == HW_FREE_FIRST)
            there = there && (s->last > step || made);
        if (there)
            sum += w->g->tensor_size[s->root];
    }
    if (w->m->accounting == HW_ALLOC_FIRST)
        sum -= best_pairs(w, step, w->g->inplace_offset ? w->g->inplace_offset[v] : 0, taken);
    return sum;
}

uint64_t stays_peak(const stays_world *w)
{
    uint64_t peak = live_after(w, -1, true);
    for (int64_t i = 0; i < w->n; i++) {
        uint64_t usage = usage_of(w, i), back = live_after(w, i, true);
        peak = usage > peak ? usage : peak;
        peak = back > peak ? back : peak;
    }
    return peak;
}

uint64_t stays_peak_without(stays_world *w, const hw_gaps *gaps, const uint32_t *chosen, size_t n)
{
    lay_stays(w, gaps, chosen, n);
    return stays_peak(w);
}
