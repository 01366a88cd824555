/* Gaps over the peak of an order.  See gaps.h. */
#include "advise/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void hw_gaps_clear(hw_gaps *gaps)
{
    free(gaps->gap);
    free(gaps->peak_step);
    free(gaps->death);
    memset(gaps, 0, sizeof *gaps);
}

static uint64_t usage_at(const hw_log *log, int64_t step)
{
    return step < 0 ? log->live_empty : log->usage[step];
}

static uint64_t live_at(const hw_log *log, int64_t step)
{
    return step < 0 ? log->live_empty : log->live[step];
}

/* ---- What a step saves when storages may die with it. ---- */

typedef struct dying_context {
    const hw_gaps *gaps;
    const uint32_t *chosen;
    size_t n;
    int64_t step;
} dying_context;

static bool is_dropped(const dying_context *c, uint32_t storage)
{
    const hw_graph *g = c->gaps->log->model->graph;
    for (size_t i = 0; i < c->n; i++) {
        const hw_gap *gap = &c->gaps->gap[c->chosen[i]];
        if (gap->from == c->step &&
            g->tensor_storage[c->gaps->log->life[gap->life].tensor] == storage)
            return true;
    }
    return false;
}

static bool dies(const void *context, uint32_t buffer)
{
    const dying_context *c = context;
    return c->gaps->death[buffer] == c->step ||
           is_dropped(c, c->gaps->log->model->buffer_storage[buffer]);
}

static bool dies_anyway(const void *context, uint32_t buffer)
{
    const dying_context *c = context;
    return c->gaps->death[buffer] == c->step;
}

/*
 * By how much the usage of a step falls when the n chosen gaps, all of which
 * begin there, do.  A storage that the step makes is dropped after it: alive in
 * the step under both accountings, as a dead output is.
 */
static hw_code begin_saving(const hw_gaps *gaps, const uint32_t *chosen, size_t n, int64_t step,
                            uint64_t *saving, hw_error *err)
{
    const hw_log *log = gaps->log;
    const hw_model *m = log->model;
    *saving = 0;
    if (step < 0)
        return HW_OK;
    if (m->accounting == HW_FREE_FIRST) {
        for (size_t i = 0; i < n; i++)
            if (gaps->gap[chosen[i]].frees)
                *saving += gaps->gap[chosen[i]].size;
        return HW_OK;
    }
    uint32_t v = log->order[step];
    if (!m->reuse_offset || m->reuse_offset[v] == m->reuse_offset[v + 1])
        return HW_OK;
    const dying_context context = {gaps, chosen, n, step};
    uint64_t with = hw_reuse(m, v, dies, &context), without = hw_reuse(m, v, dies_anyway, &context);
    if (with == UINT64_MAX || without == UINT64_MAX)
        return hw_fail_memory(err, "in-place pairs");
    *saving = with - without;
    return HW_OK;
}

/* ---- Finding them. ---- */

/* What is known while the order is walked. */
typedef struct walk {
    hw_gaps *gaps;
    uint32_t *life_of; /* by storage; HW_NONE: never in memory */
    int64_t *last;     /* by storage: the last step that touched it */
    uint32_t *peaks;   /* steps of the peak up to and with step i - 1, by i */
    uint64_t *before;  /* greatest usage of steps -1 .. i - 1, by i */
    uint64_t *after;   /* greatest usage of steps i .. n_steps - 1, by i */
} walk;

static hw_code walk_open(walk *w, hw_gaps *gaps, hw_error *err)
{
    const hw_log *log = gaps->log;
    const size_t n = log->n_steps;
    const hw_graph *g = log->model->graph;
    *w = (walk){.gaps = gaps,
                .life_of = HW_NEW(uint32_t, g->n_storages),
                .last = HW_NEW(int64_t, g->n_storages),
                .peaks = HW_NEW(uint32_t, n + 1),
                .before = HW_NEW(uint64_t, n + 1),
                .after = HW_NEW(uint64_t, n + 1)};
    gaps->death = HW_NEW(int64_t, log->model->n_buffers);
    if (!w->life_of || !w->last || !w->peaks || !w->before || !w->after || !gaps->death)
        return hw_fail_memory(err, "the gaps of an order");
    for (uint32_t s = 0; s < g->n_storages; s++)
        w->life_of[s] = HW_NONE;
    for (uint32_t i = 0; i < log->n_lives; i++) {
        uint32_t s = g->tensor_storage[log->life[i].tensor];
        w->life_of[s] = i;
        w->last[s] = log->life[i].birth;
    }
    for (uint32_t b = 0; b < log->model->n_buffers; b++)
        gaps->death[b] = log->life[w->life_of[log->model->buffer_storage[b]]].death;
    w->before[0] = log->live_empty;
    w->peaks[0] = log->live_empty == log->peak;
    for (size_t i = 0; i < n; i++) {
        uint64_t usage = log->usage[i];
        w->before[i + 1] = usage > w->before[i] ? usage : w->before[i];
        w->peaks[i + 1] = w->peaks[i] + (usage == log->peak);
    }
    w->after[n] = 0;
    for (size_t i = n; i-- > 0;)
        w->after[i] = log->usage[i] > w->after[i + 1] ? log->usage[i] : w->after[i + 1];
    return HW_OK;
}

static void walk_close(walk *w)
{
    free(w->life_of);
    free(w->last);
    free(w->peaks);
    free(w->before);
    free(w->after);
}

static void take_most(uint64_t value, uint64_t *most)
{
    if (value > *most)
        *most = value;
}

/* The peak of the order with that gap alone; the greatest usage inside is the peak, less the size.
 */
static hw_code peak_of(const walk *w, uint32_t index, hw_error *err)
{
    hw_gap *gap = &w->gaps->gap[index];
    const hw_log *log = w->gaps->log;
    uint64_t saving = 0, peak = log->peak - gap->size;
    if (!gap->unborn) {
        hw_code code = begin_saving(w->gaps, &index, 1, gap->from, &saving, err);
        if (code != HW_OK)
            return code;
        take_most(usage_at(log, gap->from) - saving, &peak);
        if (gap->from >= 0)
            take_most(w->before[gap->from], &peak);
    }
    take_most(live_at(log, gap->to - 1), &peak); /* when it is back */
    take_most(w->after[gap->to], &peak);
    gap->peak = peak;
    return HW_OK;
}

/* The storage is touched by step `to`. */
static hw_code touch(walk *w, uint32_t storage, int64_t to, hw_error *err)
{
    hw_gaps *gaps = w->gaps;
    const hw_log *log = gaps->log;
    int64_t from = w->last[storage];
    w->last[storage] = to;
    if (w->life_of[storage] == HW_NONE || from == to)
        return HW_OK;
    uint32_t root = log->life[w->life_of[storage]].tensor;
    bool given = log->model->graph->tensor_kind[root] == HW_INPUT;
    if (given && log->model->pin_inputs)
        return HW_OK;
    hw_gap gap = {.life = w->life_of[storage],
                  .size = log->life[w->life_of[storage]].size,
                  .from = from,
                  .to = to,
                  .unborn = given && from < 0};
    gap.frees = log->model->accounting == HW_FREE_FIRST && log->life[gap.life].birth < from;
    uint32_t inside = w->peaks[to] - (gap.unborn ? 0 : w->peaks[from + !gap.frees]);
    if (inside == 0 || gaps->n_gaps >= UINT32_MAX)
        return HW_OK;
    if (!hw_grow((void **)&gaps->gap, &gaps->room, gaps->n_gaps + 1, sizeof *gaps->gap))
        return hw_fail_memory(err, "the gaps of an order");
    gaps->gap[gaps->n_gaps++] = gap;
    return peak_of(w, (uint32_t)(gaps->n_gaps - 1), err);
}

static hw_code find_steps(hw_gaps *gaps, size_t n, hw_error *err)
{
    const hw_log *log = gaps->log;
    gaps->peak_step = HW_NEW(int64_t, n);
    if (!gaps->peak_step)
        return hw_fail_memory(err, "the steps of a peak");
    for (int64_t i = -1; i < (int64_t)log->n_steps; i++) {
        if (usage_at(log, i) == log->peak)
            gaps->peak_step[gaps->n_peak_steps++] = i;
        else
            take_most(usage_at(log, i), &gaps->next_usage);
    }
    return HW_OK;
}

static hw_code walk_order(walk *w, hw_error *err)
{
    const hw_log *log = w->gaps->log;
    const hw_graph *g = log->model->graph;
    hw_code code = HW_OK;
    for (uint32_t i = 0; i < log->n_steps && code == HW_OK; i++) {
        uint32_t v = log->order[i];
        for (uint32_t k = g->inputs.offset[v]; k < g->inputs.offset[v + 1] && code == HW_OK; k++)
            code = touch(w, g->tensor_storage[g->inputs.item[k]], i, err);
    }
    for (uint32_t i = 0; i < log->n_lives && code == HW_OK; i++)
        if (log->life[i].death >= (int64_t)log->n_steps)
            code = touch(w, g->tensor_storage[log->life[i].tensor], log->n_steps, err);
    return code;
}

hw_code hw_gaps_find(const hw_log *log, hw_gaps *out, hw_error *err)
{
    walk w;
    memset(out, 0, sizeof *out);
    out->log = log;
    hw_code code = walk_open(&w, out, err);
    if (code == HW_OK)
        code = find_steps(out, w.peaks[log->n_steps], err);
    if (code == HW_OK)
        code = walk_order(&w, err);
    walk_close(&w);
    return code;
}

/* ---- Several at once. ---- */

/* The chosen gaps sorted by a step: chosen[i] < 2^32 in the low half of a key. */
static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* less[i + 1]: the bytes that are out of memory at the end of step i. */
static void lay_less(const hw_gaps *gaps, const uint32_t *chosen, size_t n, uint64_t *less)
{
    const size_t steps = gaps->log->n_steps;
    memset(less, 0, (steps + 2) * sizeof *less);
    for (size_t i = 0; i < n; i++) {
        const hw_gap *gap = &gaps->gap[chosen[i]];
        less[gap->unborn ? 0 : gap->from + 1] += gap->size;
        less[gap->to + 1] -= gap->size; /* wraps; the sums do not */
    }
    for (size_t i = 1; i < steps + 2; i++)
        less[i] += less[i - 1];
}

/*
 * less[] counts what is out at the end of a step, so step i itself runs without
 * what was out at the end of step i - 1, but for what comes back for it.
 */
static hw_code peak_without(const hw_gaps *gaps, const uint64_t *key, uint32_t *group, size_t n,
                            const uint64_t *less, uint64_t *peak, hw_error *err)
{
    const hw_log *log = gaps->log;
    size_t at = 0;
    *peak = log->live_empty - less[0];
    for (int64_t i = 0; i <= (int64_t)log->n_steps; i++) {
        /* out before and after: neither begins nor ends here */
        uint64_t begins = 0, saving = 0, out = less[i + 1];
        size_t members = 0;
        for (; at < n && key[at] >> 32 == (uint64_t)i; at++)
            group[members++] = (uint32_t)key[at];
        for (size_t k = 0; k < members; k++)
            begins += gaps->gap[group[k]].size;
        take_most(live_at(log, i - 1) - (out - begins), peak);
        if (i == (int64_t)log->n_steps)
            break;
        hw_code code = begin_saving(gaps, group, members, i, &saving, err);
        if (code != HW_OK)
            return code;
        take_most(usage_at(log, i) - (out - begins) - saving, peak);
    }
    return HW_OK;
}

hw_code hw_gaps_peak(const hw_gaps *gaps, const uint32_t *chosen, size_t n, uint64_t *peak,
                     hw_error *err)
{
    uint64_t *less = HW_NEW(uint64_t, (size_t)gaps->log->n_steps + 2), *key = HW_NEW(uint64_t, n);
    uint32_t *group = HW_NEW(uint32_t, n);
    hw_code code = less && key && group ? HW_OK : hw_fail_memory(err, "gaps of an order");
    if (code == HW_OK) {
        size_t begun = 0;
        lay_less(gaps, chosen, n, less);
        for (size_t i = 0; i < n; i++) {
            int64_t from = gaps->gap[chosen[i]].from;
            if (from >= 0)
                key[begun++] = (uint64_t)from << 32 | chosen[i];
        }
        qsort(key, begun, sizeof *key, by_key);
        code = peak_without(gaps, key, group, begun, less, peak, err);
    }
    free(less);
    free(key);
    free(group);
    return code;
}
