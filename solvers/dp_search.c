/*
 * The search over down-sets, level by level.
 *
 * live(S) and the usage of a step depend on the down-set S alone, so of all
 * paths to S only the least peak matters (Held and Karp 1962 for sequencing).
 * Level k holds the down-sets of k nodes; only two levels are kept, and of the
 * others 8 bytes a set to rebuild the order.
 *
 * A child waits in a batch between its birth and its place in the next level,
 * so that the memory it needs is fetched meanwhile: the slot when it is born,
 * the set that it will be compared with when the batch begins to empty.
 */
#include "solvers/dp_search.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 64 };

struct hw_dp_child {
    uint64_t hash, live, peak;
    uint32_t parent, node;
};

static size_t row_bytes(const hw_dp_search *s)
{
    return 2 * (s->p->words + 1) * sizeof(uint64_t);
}

/* Bytes held when `next` has room for `capacity` sets and the table `slots`. */
static uint64_t bytes_with(const hw_dp_search *s, size_t capacity, size_t slots)
{
    return s->back_bytes + (s->current.capacity + capacity) * (uint64_t)row_bytes(s) +
           capacity * sizeof(hw_dp_back) + slots * (uint64_t)sizeof(uint64_t);
}

static bool within_limit(const hw_dp_search *s, size_t capacity, size_t slots)
{
    return s->most_bytes == 0 || bytes_with(s, capacity, slots) <= s->most_bytes;
}

static bool resize(void **array, size_t count, size_t item_bytes)
{
    size_t none = 0;
    void *held = *array;
    bool resized = hw_grow(&held, &none, count, item_bytes);
    *array = held;
    return resized;
}

/* Room in `next` for a batch more.  False: no memory, or none allowed. */
static bool make_room(hw_dp_search *s)
{
    hw_dp_level *next = &s->next;
    const size_t need = next->count + BATCH, row = row_bytes(s) / 2;
    size_t capacity = next->capacity, slots = hw_set_table_slots(need);
    if (need > UINT32_MAX - 1)
        return false;
    if (need > capacity)
        capacity = need + need / 2;
    if (need > next->back_capacity || need > next->capacity || slots > s->table.n_slots) {
        size_t old = s->table.capacity; /* stands beside the new table while it is filled */
        if (!within_limit(s, capacity, slots > s->table.n_slots ? slots + old : old))
            return false;
    }
    if (need > next->capacity) {
        if (!resize((void **)&next->key, capacity, row) ||
            !resize((void **)&next->rest, capacity, row))
            return false;
        next->capacity = capacity;
    }
    if (need > next->back_capacity) {
        if (!resize((void **)&next->back, capacity, sizeof *next->back))
            return false;
        next->back_capacity = capacity;
    }
    return hw_set_table_grow(&s->table, need);
}

hw_code hw_dp_open(hw_dp_search *s, const hw_dp_problem *p, hw_meter *meter, uint64_t allow,
                   uint64_t most_bytes, hw_error *err)
{
    const hw_model *m = p->m;
    memset(s, 0, sizeof *s);
    s->p = p;
    s->meter = meter;
    s->allow = allow;
    s->most_bytes = most_bytes;
    s->pause_at = SIZE_MAX;
    s->dropped = UINT64_MAX;
    s->back = HW_NEW0(hw_dp_back *, (size_t)p->n + 1);
    s->back_count = HW_NEW0(size_t, (size_t)p->n + 1);
    s->child = HW_NEW(hw_dp_child, BATCH);
    s->child_set = HW_NEW(uint64_t, BATCH * p->words);
    s->may_stand = HW_NEW(uint64_t, p->words);
    s->due = HW_NEW(uint64_t, p->words);
    s->current.key = HW_NEW0(uint64_t, p->words + 1);
    s->current.rest = HW_NEW0(uint64_t, p->words + 1);
    if (!s->back || !s->back_count || !s->child || !s->child_set || !s->may_stand || !s->due ||
        !s->current.key || !s->current.rest)
        return hw_fail_memory(err, "the search over down-sets");
    s->current.capacity = 1;
    s->current.count = m->live_empty <= allow ? 1 : 0;
    if (m->live_empty > allow)
        s->dropped = m->live_empty;
    s->current.key[p->words] = m->live_empty;
    s->current.rest[p->words] = m->live_empty;
    for (uint32_t v = 0; v < p->n; v++)
        if (m->graph->preds.offset[v] == m->graph->preds.offset[v + 1])
            hw_bits_add(s->current.rest, v);
    return HW_OK;
}

void hw_dp_close(hw_dp_search *s)
{
    for (uint32_t k = 0; s->back && k <= s->p->n; k++)
        free(s->back[k]);
    free(s->back);
    free(s->back_count);
    free(s->child);
    free(s->child_set);
    free(s->may_stand);
    free(s->due);
    free(s->current.key);
    free(s->current.rest);
    free(s->next.key);
    free(s->next.rest);
    free(s->next.back);
    hw_set_table_free(&s->table);
}

/* A new down-set at the end of `next`. */
HW_SPECIALIZE void append(hw_dp_search *s, const hw_dp_child *c, const uint64_t *set, size_t words)
{
    const hw_rows *succs = &s->p->m->graph->succs;
    const size_t stride = words + 1;
    const uint64_t *parent_ready = s->current.rest + c->parent * stride;
    uint64_t *key = s->next.key + s->next.count * stride;
    uint64_t *rest = s->next.rest + s->next.count * stride;
    for (size_t i = 0; i < words; i++) {
        key[i] = set[i];
        rest[i] = parent_ready[i];
    }
    key[words] = c->peak;
    rest[words] = c->live;
    hw_bits_remove(rest, c->node);
    for (uint32_t i = succs->offset[c->node]; i < succs->offset[c->node + 1]; i++)
        if (hw_dp_ready(s->p, set, succs->item[i], words))
            hw_bits_add(rest, succs->item[i]);
    s->next.back[s->next.count++] = (hw_dp_back){c->parent, c->node};
}

/* Put the batch into `next`.  False: no memory; the batch stays. */
HW_SPECIALIZE bool settle_batch(hw_dp_search *s, size_t words)
{
    const size_t stride = words + 1;
    if (!make_room(s))
        return false;
    for (size_t i = 0; i < s->n_children; i++) {
        uint64_t slot = s->table.slot[hw_set_table_home(&s->table, s->child[i].hash)];
        if (slot)
            __builtin_prefetch(s->next.key + (size_t)((uint32_t)slot - 1) * stride, 1);
    }
    for (size_t i = 0; i < s->n_children; i++) {
        const hw_dp_child *c = &s->child[i];
        const uint64_t *set = s->child_set + i * words;
        size_t at = 0;
        uint32_t known =
            hw_set_table_find(&s->table, s->next.key, stride, words, set, c->hash, &at);
        if (known == UINT32_MAX) {
            hw_set_table_put(&s->table, at, c->hash, (uint32_t)s->next.count);
            append(s, c, set, words);
        } else if (c->peak < s->next.key[known * stride + words]) {
            s->next.key[known * stride + words] = c->peak;
            s->next.back[known] = (hw_dp_back){c->parent, c->node};
        }
    }
    s->n_children = 0;
    return true;
}

/* The child of state i by node v, into the batch if its peak is allowed. */
HW_SPECIALIZE void bear(hw_dp_search *s, size_t i, uint32_t v, size_t words, bool free_first,
                        bool has_reuse)
{
    const hw_dp_problem *p = s->p;
    const uint64_t *set = s->current.key + i * (words + 1);
    const uint64_t live = s->current.rest[i * (words + 1) + words];
    uint64_t usage = live + p->cost[v], live_after;
    if (free_first) {
        live_after = live + p->net[v] - hw_dp_freed(p, set, v, words);
        usage = live_after + p->cost[v];
    } else if (has_reuse) {
        usage -= hw_dp_reuse(p, set, v);
    }
    const uint64_t peak = usage > set[words] ? usage : set[words];
    if (peak > s->allow) {
        if (peak < s->dropped)
            s->dropped = peak;
        return;
    }
    if (!free_first)
        live_after = live + p->net[v] - hw_dp_freed(p, set, v, words);
    uint64_t *child_set = s->child_set + s->n_children * words;
    for (size_t k = 0; k < words; k++)
        child_set[k] = set[k];
    hw_bits_add(child_set, v);
    hw_dp_child *c = &s->child[s->n_children++];
    *c = (hw_dp_child){hw_bits_hash(child_set, words), live_after, peak, (uint32_t)i, v};
    __builtin_prefetch(s->table.slot + hw_set_table_home(&s->table, c->hash));
}

/* Which nodes may stand at the position of this level, and which are due. */
static void open_position(hw_dp_search *s)
{
    const hw_model *m = s->p->m;
    memset(s->may_stand, 0, s->p->words * sizeof *s->may_stand);
    memset(s->due, 0, s->p->words * sizeof *s->due);
    for (uint32_t v = 0; v < s->p->n; v++) {
        if (m->earliest[v] <= s->level && s->level <= m->latest[v])
            hw_bits_add(s->may_stand, v);
        if (m->latest[v] <= s->level)
            hw_bits_add(s->due, v);
    }
}

/* With a node due now, no other may run; with two, no order goes on from here. */
HW_SPECIALIZE bool meets_windows(const hw_dp_search *s, const uint64_t *set, uint32_t v,
                                 size_t words)
{
    if (!hw_bits_have(s->may_stand, v))
        return false;
    for (size_t k = 0; k < words; k++) {
        uint64_t self = k == v >> 6 ? hw_bit(v) : 0;
        if (s->due[k] & ~set[k] & ~self)
            return false;
    }
    return true;
}

/* Expand the states of `current`; returns the number expanded.  *full: a limit
 * of memory; the batch may hold children that have no place. */
HW_SPECIALIZE size_t expand(hw_dp_search *s, size_t words, bool free_first, bool special,
                            bool *full)
{
    const bool has_reuse = special && s->p->m->reuse_offset;
    const bool has_windows = special && s->p->m->earliest;
    /* The meter looks at the clock every few thousand states: seldom for sets so wide. */
    const size_t look_every = 1 + 4096 / (words * words);
    size_t i = 0;
    *full = !make_room(s);
    for (; !*full && i < s->current.count; i++) {
        const uint64_t *ready = s->current.rest + i * (words + 1);
        const uint64_t *set = s->current.key + i * (words + 1);
        if (set[words] > s->allow) { /* the caller has lowered it since the set was reached */
            if (set[words] < s->dropped)
                s->dropped = set[words];
            continue;
        }
        if (hw_meter_count(s->meter, 1))
            break;
        if (words > HW_DP_MASK_WORDS && i % look_every == 0 && hw_meter_look(s->meter))
            break;
        for (size_t k = 0; k < words; k++) {
            for (uint64_t todo = ready[k]; todo; todo &= todo - 1) {
                uint32_t v = (uint32_t)(64 * k) + hw_lowest_bit(todo);
                if (has_windows && !meets_windows(s, set, v, words))
                    continue;
                if (s->n_children == BATCH && !settle_batch(s, words)) {
                    *full = true;
                    return i;
                }
                bear(s, i, v, words, free_first, has_reuse);
            }
        }
    }
    if (!*full)
        *full = !settle_batch(s, words);
    return i;
}

/* One compiled loop for each choice of constants. */
static size_t expand_any(hw_dp_search *s, bool *full)
{
    const hw_model *m = s->p->m;
    const bool free_first = m->accounting == HW_FREE_FIRST;
    if (m->reuse_offset || m->earliest || s->p->words > HW_DP_MASK_WORDS)
        return expand(s, s->p->words, free_first, true, full);
    if (s->p->words == 1)
        return free_first ? expand(s, 1, true, false, full) : expand(s, 1, false, false, full);
    return free_first ? expand(s, 2, true, false, full) : expand(s, 2, false, false, full);
}

static uint64_t least_peak(const hw_dp_search *s, const hw_dp_level *level, size_t from,
                           uint64_t least)
{
    const size_t stride = s->p->words + 1;
    for (size_t i = from; i < level->count; i++)
        if (level->key[i * stride + s->p->words] < least)
            least = level->key[i * stride + s->p->words];
    return least;
}

/* `next` becomes `current`; its back pointers are kept. */
static void descend(hw_dp_search *s)
{
    hw_dp_level done = s->current;
    s->level++;
    s->current = s->next;
    if (s->current.count) { /* give back what the level did not need */
        void *fitted = realloc(s->current.back, s->current.count * sizeof *s->current.back);
        if (fitted)
            s->current.back = fitted;
    }
    s->back[s->level] = s->current.back;
    s->back_count[s->level] = s->current.count;
    s->back_bytes += s->current.count * sizeof *s->current.back;
    s->current.back = NULL;
    s->current.back_capacity = 0;
    s->next = done;
    s->next.count = 0;
}

hw_dp_end hw_dp_run(hw_dp_search *s, uint64_t *value)
{
    while (s->level < s->p->n && s->current.count) {
        if (s->current.count > s->pause_at) {
            *value = least_peak(s, &s->current, 0, UINT64_MAX);
            return HW_DP_PAUSED;
        }
        bool full = !hw_set_table_reset(&s->table, s->current.count + BATCH);
        if (s->p->m->earliest)
            open_position(s);
        size_t expanded = full ? 0 : expand_any(s, &full);
        if (expanded < s->current.count || full) {
            /*
             * Every order that was not dropped passes through this level; it
             * leaves the expanded part of it by way of `next`, unless some
             * children found no place there.
             */
            *value = least_peak(s, &s->current, full ? 0 : expanded, UINT64_MAX);
            if (!full)
                *value = least_peak(s, &s->next, 0, *value);
            return HW_DP_STOPPED;
        }
        descend(s);
    }
    if (s->current.count == 0)
        return HW_DP_EXHAUSTED;
    *value = s->current.key[s->p->words];
    return HW_DP_COMPLETE;
}

void hw_dp_order(const hw_dp_search *s, uint32_t *order)
{
    uint32_t state = 0;
    for (uint32_t k = s->p->n; k > 0; k--) {
        order[k - 1] = s->back[k][state].node;
        state = s->back[k][state].parent;
    }
}
