/* The lifetime log of one order.  See log.h; text and JSON are in log_write.c. */
#include "model/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/check.h"
#include "model/sim.h"

void hw_log_free(hw_log *log)
{
    if (!log)
        return;
    free(log->order);
    free(log->usage);
    free(log->live);
    free(log->life);
    free(log->first_born);
    free(log->died.offset);
    free(log->died.item);
    free(log);
}

/* Usage and live of every step, as the fast simulator finds them. */
static hw_code run(hw_log *log, hw_error *err)
{
    hw_sim s;
    hw_code code = hw_sim_init(&s, log->model, err);
    if (code != HW_OK)
        return code;
    log->live_empty = s.live;
    for (uint32_t i = 0; i < log->n_steps; i++) {
        log->usage[i] = hw_sim_step(&s, log->order[i]);
        log->live[i] = s.live;
    }
    log->peak = s.peak;
    log->peak_step = s.peak_step;
    hw_sim_free(&s);
    return HW_OK;
}

/* Step of the last consumer of every storage into last[], -1: none; n_steps: it stays. */
static void find_deaths(const hw_log *log, int64_t *last)
{
    const hw_graph *g = log->model->graph;
    for (uint32_t s = 0; s < g->n_storages; s++)
        last[s] = -1;
    for (uint32_t i = 0; i < log->n_steps; i++) {
        uint32_t v = log->order[i];
        for (uint32_t k = g->inputs.offset[v]; k < g->inputs.offset[v + 1]; k++)
            last[g->tensor_storage[g->inputs.item[k]]] = i;
    }
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (g->tensor_kind[t] == HW_OUTPUT ||
            (g->tensor_kind[t] == HW_INPUT && log->model->pin_inputs))
            last[g->tensor_storage[t]] = log->n_steps;
}

/* The life of a storage; false when it is never in memory. */
static bool lifetime_of(const hw_log *log, const uint32_t *position, const int64_t *last,
                        uint32_t storage, hw_lifetime *life)
{
    const hw_graph *g = log->model->graph;
    uint32_t root = g->storage_root[storage], maker = g->tensor_producer[root];
    if (g->tensor_kind[root] == HW_CONSTANT || (maker == HW_NONE && last[storage] < 0))
        return false;
    life->tensor = root;
    life->size = g->tensor_size[root];
    life->birth = maker == HW_NONE ? -1 : (int64_t)position[maker];
    life->death = last[storage] < life->birth ? life->birth : last[storage];
    return true;
}

/*
 * Lay out life[], first_born[] and died by two counting sorts: row r is counted
 * in offset[r + 2], so that filling from offset[r + 1] leaves offset[r] in place.
 */
static void lay_lives(hw_log *log, const uint32_t *position, const int64_t *last)
{
    const hw_graph *g = log->model->graph;
    hw_lifetime life;
    uint32_t *begin = log->first_born, *dies = log->died.offset;
    for (uint32_t s = 0; s < g->n_storages; s++)
        if (lifetime_of(log, position, last, s, &life)) {
            begin[life.birth + 3]++;
            if (life.death < log->n_steps)
                dies[life.death + 2]++;
        }
    for (uint32_t i = 1; i < log->n_steps + 3; i++)
        begin[i] += begin[i - 1];
    for (uint32_t i = 1; i < log->n_steps + 2; i++)
        dies[i] += dies[i - 1];
    log->n_lives = begin[log->n_steps + 2];
    for (uint32_t s = 0; s < g->n_storages; s++) /* roots ascend with storages */
        if (lifetime_of(log, position, last, s, &life))
            log->life[begin[life.birth + 2]++] = life;
    for (uint32_t i = 0; i < log->n_lives; i++)
        if (log->life[i].death < log->n_steps)
            log->died.item[dies[log->life[i].death + 1]++] = i;
}

/* Do the lifetimes add up to the simulator's live bytes? */
static bool lives_add_up(const hw_log *log)
{
    uint32_t begin, end;
    uint64_t live = 0;
    for (int64_t i = -1; i < (int64_t)log->n_steps; i++) {
        hw_log_born(log, i, &begin, &end);
        for (uint32_t k = begin; k < end; k++)
            live += log->life[k].size;
        if (i >= 0)
            for (uint32_t k = log->died.offset[i]; k < log->died.offset[i + 1]; k++)
                live -= log->life[log->died.item[k]].size;
        if (live != (i < 0 ? log->live_empty : log->live[i]))
            return false;
    }
    return true;
}

static hw_code fill(hw_log *log, const hw_check *check, uint32_t *position, int64_t *last,
                    hw_error *err)
{
    hw_code code = run(log, err);
    if (code != HW_OK)
        return code;
    hw_order_positions(log->order, log->n_steps, position);
    find_deaths(log, last);
    lay_lives(log, position, last);
    if (check->peak != log->peak || check->peak_step != log->peak_step)
        return hw_fail(err, HW_INTERNAL,
                       "the simulator finds peak %" PRIu64 " at step %" PRId64
                       ", the checker %" PRIu64 " at step %" PRId64
                       ": please report this graph and order",
                       log->peak, log->peak_step, check->peak, check->peak_step);
    if (check->resident_bytes != log->resident_bytes || !lives_add_up(log))
        return hw_fail(err, HW_INTERNAL,
                       "the simulator's live bytes differ from the sum of the lifetimes: report "
                       "this graph and order");
    return HW_OK;
}

static void add_resident(hw_log *log)
{
    log->with_resident = true;
    log->live_empty += log->resident_bytes;
    log->peak += log->resident_bytes;
    for (uint32_t i = 0; i < log->n_steps; i++) {
        log->usage[i] += log->resident_bytes;
        log->live[i] += log->resident_bytes;
    }
}

hw_code hw_log_new(const hw_model *m, const uint32_t *order, bool with_resident, hw_log **out,
                   hw_error *err)
{
    const hw_graph *g = m->graph;
    hw_check check;
    *out = NULL;
    hw_code code = hw_check_order(g, m->accounting == HW_FREE_FIRST, m->pin_inputs, order,
                                  m->n_nodes, &check, err);
    if (code != HW_OK)
        return code;
    if (check.verdict != HW_ORDER_LEGAL) {
        char what[HW_MESSAGE_BYTES / 2];
        hw_check_message(g, &check, what, sizeof what);
        return hw_fail(err, HW_CHECK_FAILED, "the order is not legal: %s", what);
    }
    uint32_t *position = HW_NEW(uint32_t, m->n_nodes);
    int64_t *last = HW_NEW(int64_t, g->n_storages);
    hw_log *log = HW_NEW0(hw_log, 1);
    if (log) {
        log->model = m;
        log->n_steps = m->n_nodes;
        log->resident_bytes = m->resident_bytes;
        log->order = hw_copy(order, m->n_nodes, sizeof *order);
        log->usage = HW_NEW(uint64_t, m->n_nodes);
        log->live = HW_NEW(uint64_t, m->n_nodes);
        log->life = HW_NEW(hw_lifetime, g->n_storages);
        log->first_born = HW_NEW0(uint32_t, (size_t)m->n_nodes + 3);
        log->died.offset = HW_NEW0(uint32_t, (size_t)m->n_nodes + 2);
        log->died.item = HW_NEW(uint32_t, g->n_storages);
    }
    if (!position || !last || !log || !log->order || !log->usage || !log->live || !log->life ||
        !log->first_born || !log->died.offset || !log->died.item)
        code = hw_fail_memory(err, "a lifetime log");
    else
        code = fill(log, &check, position, last, err);
    free(position);
    free(last);
    if (code != HW_OK) {
        hw_log_free(log);
        return code;
    }
    if (with_resident)
        add_resident(log);
    *out = log;
    return HW_OK;
}
