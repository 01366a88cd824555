/* The model of small graphs in bit masks, and greedy on it.  See small.h. */
#include "small/small.h"

#include <string.h>

#include "small/small_internal.h"

enum { PATH_SHIFT = 4, CHANGE_SHIFT = 8 };

bool hw_small_fits(const hw_genome *g)
{
    if (g->n == 0 || g->n > HW_SMALL_MOST)
        return false;
    uint64_t left = HW_SMALL_BYTES_MOST;
    for (uint32_t v = 0; v < g->n; v++) {
        uint64_t readers = g->split >> v & 1 ? hw_genome_readers(g, v) : 0;
        uint64_t copies = readers ? (uint64_t)__builtin_popcountll((unsigned long long)readers) : 1;
        if (g->size[v] > left / copies || g->workspace[v] > left - g->size[v] * copies)
            return false;
        left -= g->size[v] * copies + g->workspace[v];
    }
    return true;
}

static void set_masks(hw_small *s, const hw_genome *g)
{
    uint32_t shared = 0, key[HW_SMALL_MOST]; /* key: the same for twins */
    memset(s->readers, 0, sizeof s->readers);
    s->sources = s->spread = s->twins = 0;
    for (uint32_t v = 0; v < s->n; v++) {
        uint32_t parents = (uint32_t)g->parents[v];
        s->parents[v] = (uint16_t)parents;
        s->inplace[v] = g->inplace[v];
        s->workspace[v] = g->workspace[v];
        s->sources |= (uint16_t)((uint32_t)(parents == 0) << v);
        s->before[v] = (uint16_t)parents;
        for (; parents; parents &= parents - 1) {
            uint32_t u = hw_small_low(parents);
            s->readers[u] |= (uint16_t)(UINT32_C(1) << v);
            s->before[v] |= s->before[u];
        }
    }
    for (uint32_t v = s->n; v-- > 0;) {
        uint32_t readers = s->readers[v], longest = 0;
        uint32_t apart = g->split >> v & 1, several = (readers & (readers - 1)) != 0;
        s->copies[v] = apart && several ? (uint8_t)__builtin_popcount(readers) : 1;
        shared |= (uint32_t)(several && !apart) << v;
        s->spread |= (uint16_t)(several << v);
        s->after[v] = (uint16_t)readers;
        for (; readers; readers &= readers - 1) {
            uint32_t w = hw_small_low(readers);
            longest = s->path[w] > longest ? s->path[w] : longest;
            s->after[v] |= s->after[w];
        }
        s->path[v] = (uint8_t)(longest + 1);
    }
    for (uint32_t v = 0; v < s->n; v++) {
        s->held[v] = (uint16_t)(s->parents[v] & shared);
        s->overlay[v] = 0;
        if (s->inplace[v] != HW_GENOME_NONE)
            s->overlay[v] = (uint16_t)(s->held[v] & UINT32_C(1) << s->inplace[v]);
        key[v] = (uint32_t)s->parents[v] << 16 | s->readers[v];
        for (uint32_t u = 0; u < v; u++) {
            uint32_t same = key[u] == key[v];
            s->twins |= (uint16_t)(same << u | same << v);
        }
    }
}

void hw_small_resize(hw_small *s, const uint64_t *sizes)
{
    s->live_full = 0;
    for (uint32_t v = 0; v < s->n; v++) {
        uint64_t made = sizes[v] * s->copies[v], dead = 0, saving = 0;
        s->size[v] = sizes[v];
        if (s->readers[v] == 0) {
            dead = s->discard ? made : 0;
            s->live_full += made - dead;
        }
        uint64_t alone = 0, input = 0;
        for (uint32_t parents = s->parents[v]; parents; parents &= parents - 1) {
            uint32_t u = hw_small_low(parents);
            input += sizes[u];
            alone += s->held[v] >> u & 1 ? 0 : sizes[u];
        }
        s->input[v] = input;
        s->alone[v] = alone;
        s->change[v] = made - dead - alone;
        if (s->inplace[v] != HW_GENOME_NONE && !s->free_first) {
            uint64_t over = sizes[s->inplace[v]];
            saving = over < sizes[v] ? over : sizes[v];
        }
        s->saving[v] = saving;
        s->extra[v] = (s->free_first ? dead : made) + s->workspace[v];
        if (!s->overlay[v]) /* sure, whatever ran before */
            s->extra[v] -= saving;
    }
}

void hw_small_set(hw_small *s, const hw_genome *g, hw_accounting accounting)
{
    s->n = g->n;
    s->all = (uint16_t)((UINT32_C(1) << g->n) - 1);
    s->free_first = accounting == HW_FREE_FIRST;
    s->discard = g->discard;
    set_masks(s, g);
    hw_small_resize(s, g->size);
}

uint64_t hw_small_peak(const hw_small *s, const uint8_t *order)
{
    uint64_t live = 0, peak = 0;
    uint32_t set = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        hw_small_step step = hw_small_try(s, set, live, order[i]);
        peak = step.usage > peak ? step.usage : peak;
        live += step.change;
        set |= UINT32_C(1) << order[i];
    }
    return peak;
}

/* The node of least key; `key` holds net change, path and position as greedy ranks them. */
static uint32_t least(const int64_t *key, uint32_t ready)
{
    uint32_t best = hw_small_low(ready);
    for (ready &= ready - 1; ready; ready &= ready - 1) {
        uint32_t v = hw_small_low(ready);
        best = key[v] < key[best] ? v : best;
    }
    return best;
}

uint64_t hw_small_greedy(const hw_small *s, uint8_t *order)
{
    int64_t key[HW_SMALL_MOST];
    uint64_t live = 0, peak = 0;
    uint32_t set = 0, ready = s->sources;
    for (uint32_t v = 0; v < s->n; v++)
        key[v] = (int64_t)s->change[v] * (1 << CHANGE_SHIFT) +
                 ((HW_SMALL_MOST - s->path[v]) << PATH_SHIFT) + (int64_t)v;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t v = least(key, ready);
        uint64_t usage = live + s->extra[v];
        set |= UINT32_C(1) << v;
        live += (uint64_t)(key[v] >> CHANGE_SHIFT);
        if (s->free_first)
            usage = live + s->extra[v];
        else if (s->overlay[v] && (s->readers[hw_small_low(s->overlay[v])] & ~set) == 0)
            usage -= s->saving[v];
        peak = usage > peak ? usage : peak;
        for (uint32_t held = s->held[v]; held; held &= held - 1) {
            uint32_t u = hw_small_low(held), left = s->readers[u] & ~set;
            if (left && (left & (left - 1)) == 0)
                key[hw_small_low(left)] -= (int64_t)s->size[u] * (1 << CHANGE_SHIFT);
        }
        ready = hw_small_ready(s->parents, s->readers, set, ready, v);
        if (order)
            order[i] = (uint8_t)v;
    }
    return peak;
}

/*
 * All down-sets, each once: the nodes are decided by number, so that what is
 * chosen so far is itself a down-set whose live bytes are known.
 */
static uint64_t worst_from(const hw_small *s, uint32_t next, uint32_t set, uint64_t live)
{
    uint64_t worst = 0;
    for (uint32_t v = next; v < s->n; v++)
        if ((s->parents[v] & ~set) == 0) {
            hw_small_step step = hw_small_try(s, set, live, v);
            uint64_t within = worst_from(s, v + 1, set | UINT32_C(1) << v, live + step.change);
            worst = step.usage > worst ? step.usage : worst;
            worst = within > worst ? within : worst;
        }
    for (uint32_t v = 0; v < next; v++)
        if (!(set >> v & 1) && (s->parents[v] & ~set) == 0) {
            uint64_t usage = hw_small_try(s, set, live, v).usage;
            worst = usage > worst ? usage : worst;
        }
    return worst;
}

uint64_t hw_small_worst(const hw_small *s)
{
    return worst_from(s, 0, 0, 0);
}
