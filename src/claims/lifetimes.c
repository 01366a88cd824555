/* Logs against their rule, and faults in them.  See lifetimes.h. */
#include "claims/lifetimes.h"

#include <stdlib.h>

#include "core/memory.h"

/* When a tensor is made and last read. */
typedef struct moments {
    int64_t *born, *last; /* by tensor; last: -2 where nobody reads it */
    bool *kept;
} moments;

static void moments_free(moments *m)
{
    free(m->born);
    free(m->last);
    free(m->kept);
}

/* The tensor whose buffer t is. */
static uint32_t root_of(const hw_graph *g, uint32_t t)
{
    uint32_t v = g->tensor_producer[t];
    while (v != HW_NONE && (g->node_flags[v] & HW_NODE_VIEW)) {
        t = g->inputs.item[g->inputs.offset[v]];
        v = g->tensor_producer[t];
    }
    return t;
}

static hw_code moments_find(const hw_graph *g, const uint32_t *order, hw_lifetime_rule rule,
                            moments *m, hw_error *err)
{
    *m = (moments){HW_NEW(int64_t, g->n_tensors), HW_NEW(int64_t, g->n_tensors),
                   HW_NEW0(bool, g->n_tensors)};
    if (!m->born || !m->last || !m->kept)
        return hw_fail_memory(err, "the moments of tensors");
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        m->born[t] = -1;
        m->last[t] = -2;
    }
    for (uint32_t step = 0; step < g->n_nodes; step++) {
        uint32_t v = order[step];
        for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
            m->born[g->outputs.item[i]] = step;
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            uint32_t t = g->inputs.item[i];
            m->last[rule == HW_RULE_STORAGES ? root_of(g, t) : t] = step;
        }
    }
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (g->tensor_kind[t] == HW_OUTPUT)
            m->kept[rule == HW_RULE_STORAGES ? root_of(g, t) : t] = true;
    return HW_OK;
}

static int64_t death_of(const hw_graph *g, const moments *m, uint32_t t)
{
    if (m->kept[t])
        return g->n_nodes;
    return m->last[t] == -2 ? m->born[t] : m->last[t];
}

hw_code hw_lifetimes_wrong(const hw_graph *g, const uint32_t *order, const hw_lifetime *life,
                           uint32_t n, hw_lifetime_rule rule, uint32_t *wrong, hw_error *err)
{
    moments m;
    hw_code code = moments_find(g, order, rule, &m, err);
    *wrong = 0;
    for (uint32_t i = 0; code == HW_OK && i < n; i++) {
        uint32_t t = life[i].tensor;
        *wrong += life[i].birth != m.born[t] || life[i].death != death_of(g, &m, t);
    }
    moments_free(&m);
    return code;
}

/* Is the storage of root r gone when step `step` reads an image of it? */
static bool is_gone(const hw_graph *g, const moments *m, uint32_t r, int64_t step)
{
    return g->tensor_kind[r] != HW_CONSTANT && !m->kept[r] && g->tensor_size[r] > 0 &&
           m->last[r] < step;
}

hw_code hw_lifetimes_dangling(const hw_graph *g, const uint32_t *order, hw_dangling *out,
                              hw_error *err)
{
    moments m;
    hw_code code = moments_find(g, order, HW_RULE_TENSORS, &m, err);
    bool *gone = HW_NEW0(bool, g->n_tensors);
    *out = (hw_dangling){0};
    if (code == HW_OK && !gone)
        code = hw_fail_memory(err, "storages that are gone");
    for (uint32_t step = 0; code == HW_OK && step < g->n_nodes; step++) {
        bool reads = false;
        uint32_t v = order[step];
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            uint32_t t = g->inputs.item[i], r = root_of(g, t);
            if (r == t || !is_gone(g, &m, r, step))
                continue;
            out->bytes += gone[r] ? 0 : g->tensor_size[r];
            gone[r] = reads = true;
        }
        out->nodes += reads;
    }
    free(gone);
    moments_free(&m);
    return code;
}

uint64_t hw_lifetimes_peak(const hw_log *log, const hw_lifetime *life)
{
    uint64_t peak = log->live_empty;
    for (int64_t step = 0; step < log->n_steps; step++) {
        uint64_t usage = log->usage[step];
        for (uint32_t i = 0; i < log->n_lives; i++) {
            if (hw_log_holds(log, &log->life[i], step))
                usage -= log->life[i].size;
            if (hw_log_holds(log, &life[i], step))
                usage += life[i].size;
        }
        peak = usage > peak ? usage : peak;
    }
    return peak;
}

/* The k-th life that can be spoiled, counted round; log->n_lives: none can. */
static uint32_t pick(const hw_log *log, uint64_t draw, bool (*can)(const hw_log *, uint32_t))
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < log->n_lives; i++)
        count += can(log, i);
    for (uint32_t i = 0, k = count ? (uint32_t)(draw % count) : 0; count && i < log->n_lives; i++)
        if (can(log, i) && k-- == 0)
            return i;
    return log->n_lives;
}

static bool can_be_late(const hw_log *log, uint32_t i)
{
    return log->life[i].size > 0 && log->life[i].death < log->n_steps;
}

static bool can_be_early(const hw_log *log, uint32_t i)
{
    return log->life[i].size > 0 && log->life[i].death > log->life[i].birth;
}

bool hw_lifetimes_free_late(const hw_log *log, uint64_t draw, hw_lifetime *life)
{
    uint32_t i = pick(log, draw, can_be_late);
    if (i == log->n_lives)
        return false;
    uint64_t room = (uint64_t)(log->n_steps - life[i].death);
    life[i].death += 1 + (int64_t)(draw / 97 % room);
    return true;
}

bool hw_lifetimes_free_early(const hw_log *log, uint64_t draw, hw_lifetime *life)
{
    uint32_t i = pick(log, draw, can_be_early);
    if (i == log->n_lives)
        return false;
    uint64_t room = (uint64_t)(life[i].death - life[i].birth);
    life[i].death -= 1 + (int64_t)(draw / 97 % room);
    return true;
}

/* ---- Names. ---- */

static uint32_t readers_of(const hw_graph *g, uint32_t t)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->inputs.offset[g->n_nodes]; i++)
        count += g->inputs.item[i] == t;
    return count;
}

/*
 * One entry for both: the count is that of the tensor entered last, the later
 * one takes the place of the earlier, and when the count reaches 0 whoever is
 * there goes.  What is there at the end stays.
 */
bool hw_lifetimes_clash(const hw_log *log, uint64_t draw, hw_lifetime *life)
{
    const hw_graph *g = log->model->graph;
    if (log->n_lives < 2)
        return false;
    uint32_t a = (uint32_t)(draw % log->n_lives);
    uint32_t b = (uint32_t)(draw / 97 % (log->n_lives - 1));
    b += b >= a;
    if (life[a].birth > life[b].birth) {
        uint32_t other = a;
        a = b;
        b = other;
    }
    int64_t count = readers_of(g, life[life[a].tensor > life[b].tensor ? a : b].tensor);
    int64_t gone = log->n_steps;
    for (int64_t step = 0; step < log->n_steps && gone == log->n_steps; step++) {
        uint32_t v = log->order[step];
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            uint32_t t = g->inputs.item[i];
            if ((t == life[a].tensor || t == life[b].tensor) && --count == 0)
                gone = step;
        }
    }
    int64_t replaced = life[b].birth > life[a].birth ? life[b].birth - 1 : life[a].birth;
    life[a].death = gone >= life[a].birth && gone < replaced ? gone : replaced;
    life[b].death = gone >= life[b].birth ? gone : log->n_steps;
    return life[a].death != log->life[a].death || life[b].death != log->life[b].death;
}

hw_code hw_lifetimes_forget_views(const hw_log *log, hw_lifetime *life, bool *changed,
                                  hw_error *err)
{
    const hw_graph *g = log->model->graph;
    moments m;
    hw_code code = moments_find(g, log->order, HW_RULE_TENSORS, &m, err);
    *changed = false;
    for (uint32_t i = 0; code == HW_OK && i < log->n_lives; i++) {
        int64_t death = death_of(g, &m, life[i].tensor);
        *changed |= death != life[i].death;
        life[i].death = death;
    }
    moments_free(&m);
    return code;
}
