/* Memory events of an order.  See plan.h. */
#include "replay/plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "model/matching.h"

void hw_replay_plan_free(hw_replay_plan *plan)
{
    if (!plan)
        return;
    free(plan->event);
    free(plan->block);
    free(plan->logical);
    free(plan);
}

/* While a plan is made. */
typedef struct planner {
    hw_replay_plan *plan;
    const hw_log *log;
    const hw_graph *graph;
    uint32_t *block_of;      /* storage: its block now; HW_NONE: none         */
    uint32_t *life_of;       /* storage: index of its life; HW_NONE: it has none */
    hw_weighted_pair *pairs; /* room for the in-place pairs of one node  */
    bool *chosen;
    uint64_t bytes; /* of all blocks now */
    int64_t step;
    hw_error *err;
} planner;

static hw_code push(planner *p, hw_replay_kind kind, uint32_t block, uint64_t size)
{
    hw_replay_plan *plan = p->plan;
    if (!hw_grow((void **)&plan->event, &plan->event_room, plan->n_events + 1, sizeof *plan->event))
        return hw_fail_memory(p->err, "the events of a replay");
    plan->event[plan->n_events++] = (hw_replay_event){size, p->step, block, kind};
    return HW_OK;
}

/* A block for a storage (its root) or a workspace (HW_NONE); *block: HW_NONE for 0 bytes. */
static hw_code take(planner *p, uint32_t tensor, uint64_t size, uint32_t *block)
{
    hw_replay_plan *plan = p->plan;
    *block = HW_NONE;
    if (size == 0)
        return HW_OK;
    if (!hw_grow((void **)&plan->block, &plan->block_room, (size_t)plan->n_blocks + 1,
                 sizeof *plan->block))
        return hw_fail_memory(p->err, "the blocks of a replay");
    *block = plan->n_blocks++;
    uint32_t node = p->step < 0 ? HW_NONE : p->log->order[p->step];
    plan->block[*block] = (hw_replay_block){tensor, node, size};
    p->bytes += size;
    return push(p, HW_REPLAY_TAKE, *block, size);
}

static hw_code take_storage(planner *p, uint32_t tensor)
{
    return take(p, tensor, p->graph->tensor_size[tensor],
                &p->block_of[p->graph->tensor_storage[tensor]]);
}

/* No block, no event: it has 0 bytes, or an output took its block over. */
static hw_code drop(planner *p, uint32_t block, uint64_t size)
{
    if (block == HW_NONE)
        return HW_OK;
    p->bytes -= size;
    return push(p, HW_REPLAY_DROP, block, 0);
}

static hw_code drop_storage(planner *p, uint32_t tensor)
{
    uint32_t storage = p->graph->tensor_storage[tensor], block = p->block_of[storage];
    p->block_of[storage] = HW_NONE;
    return drop(p, block, p->graph->tensor_size[tensor]);
}

static hw_code resize(planner *p, uint32_t block, uint64_t from, uint64_t to)
{
    hw_replay_block *b = &p->plan->block[block];
    b->size = to > b->size ? to : b->size;
    p->bytes = p->bytes - from + to;
    return push(p, HW_REPLAY_RESIZE, block, to);
}

/* The bytes now have to be those that the log tells. */
static hw_code look(planner *p, uint64_t logged)
{
    if (p->bytes != logged)
        return hw_fail(p->err, HW_INTERNAL,
                       "at step %" PRId64 " the blocks of a replay have %" PRIu64
                       " bytes, the log tells %" PRIu64 ": please report this graph and order",
                       p->step, p->bytes, logged);
    return push(p, HW_REPLAY_MOMENT, HW_NONE, p->bytes);
}

/* ---- In-place: outputs that take blocks over. ---- */

/* Choose the pairs of node v that save most, of those whose input dies in this step. */
static hw_code choose_pairs(planner *p, uint32_t v, size_t *n)
{
    const hw_model *m = p->log->model;
    *n = 0;
    if (!m->reuse_offset)
        return HW_OK;
    for (uint32_t i = m->reuse_offset[v]; i < m->reuse_offset[v + 1]; i++) {
        const hw_reuse_pair *pair = &m->reuse_pair[i];
        uint32_t life = p->life_of[m->buffer_storage[pair->buffer]];
        if (p->log->life[life].death == p->step)
            p->pairs[(*n)++] = (hw_weighted_pair){pair->buffer, pair->output, pair->saving};
    }
    if (hw_matching_choose(p->pairs, *n, p->chosen) == UINT64_MAX)
        return hw_fail_memory(p->err, "in-place pairs");
    return HW_OK;
}

/* Outputs move into the blocks of their inputs, which grow where they are smaller. */
static hw_code take_over(planner *p, size_t n_pairs)
{
    const hw_model *m = p->log->model;
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < n_pairs; i++) {
        if (!p->chosen[i])
            continue;
        uint32_t input = m->buffer_storage[p->pairs[i].left], output = p->pairs[i].right;
        uint64_t had = m->buffer_size[p->pairs[i].left], has = p->graph->tensor_size[output];
        uint32_t block = p->block_of[input];
        p->block_of[input] = HW_NONE;
        p->block_of[p->graph->tensor_storage[output]] = block;
        if (has > had)
            code = resize(p, block, had, has);
    }
    return code;
}

/* After the step a block that was taken over is as large as the output in it. */
static hw_code shrink(planner *p, size_t n_pairs)
{
    const hw_model *m = p->log->model;
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < n_pairs; i++) {
        if (!p->chosen[i])
            continue;
        uint32_t output = p->pairs[i].right;
        uint64_t had = m->buffer_size[p->pairs[i].left], has = p->graph->tensor_size[output];
        if (has < had)
            code = resize(p, p->block_of[p->graph->tensor_storage[output]], had, has);
    }
    return code;
}

/* ---- Steps. ---- */

static hw_code take_born(planner *p)
{
    uint32_t begin, end;
    hw_code code = HW_OK;
    hw_log_born(p->log, p->step, &begin, &end);
    for (uint32_t k = begin; code == HW_OK && k < end; k++) {
        uint32_t tensor = p->log->life[k].tensor;
        if (p->block_of[p->graph->tensor_storage[tensor]] == HW_NONE) /* none taken over */
            code = take_storage(p, tensor);
    }
    return code;
}

/* What dies in the step: made before it, or by it. */
static hw_code drop_died(planner *p, bool made_before, bool made_now)
{
    const hw_rows *died = &p->log->died;
    hw_code code = HW_OK;
    for (uint32_t i = died->offset[p->step]; code == HW_OK && i < died->offset[p->step + 1]; i++) {
        const hw_lifetime *life = &p->log->life[died->item[i]];
        if (life->birth < p->step ? made_before : made_now)
            code = drop_storage(p, life->tensor);
    }
    return code;
}

static hw_code run_step(planner *p)
{
    const hw_log *log = p->log;
    uint32_t v = log->order[p->step], workspace = HW_NONE;
    uint64_t workspace_bytes = hw_workspace(log->model, v);
    bool free_first = log->model->accounting == HW_FREE_FIRST;
    size_t n_pairs = 0;
    hw_code code = free_first ? drop_died(p, true, false) : choose_pairs(p, v, &n_pairs);
    if (code == HW_OK)
        code = take_over(p, n_pairs);
    if (code == HW_OK)
        code = take_born(p);
    if (code == HW_OK)
        code = take(p, HW_NONE, workspace_bytes, &workspace);
    if (code == HW_OK)
        code = look(p, log->usage[p->step]);
    if (code == HW_OK)
        code = drop(p, workspace, workspace_bytes);
    if (code == HW_OK)
        code = shrink(p, n_pairs);
    if (code == HW_OK)
        code = drop_died(p, !free_first, true);
    return code == HW_OK ? look(p, log->live[p->step]) : code;
}

static hw_code take_constants(planner *p)
{
    const hw_graph *g = p->graph;
    hw_code code = HW_OK;
    for (uint32_t s = 0; p->log->with_resident && code == HW_OK && s < g->n_storages; s++)
        if (g->tensor_kind[g->storage_root[s]] == HW_CONSTANT)
            code = take_storage(p, g->storage_root[s]);
    p->plan->n_setup = p->plan->n_events;
    return code;
}

static hw_code run_all(planner *p)
{
    const hw_log *log = p->log;
    p->step = -1;
    hw_code code = take_constants(p);
    if (code == HW_OK)
        code = take_born(p);
    if (code == HW_OK)
        code = look(p, log->live_empty);
    for (p->step = 0; code == HW_OK && p->step < log->n_steps; p->step++)
        code = run_step(p);
    for (uint32_t i = 0; code == HW_OK && i < log->n_lives; i++)
        if (log->life[i].death == log->n_steps)
            code = drop_storage(p, log->life[i].tensor);
    return code == HW_OK ? look(p, log->with_resident ? log->resident_bytes : 0) : code;
}

static hw_code prepare(planner *p)
{
    const hw_model *m = p->log->model;
    uint32_t n = p->graph->n_storages, most = 0;
    for (uint32_t v = 0; m->reuse_offset && v < m->n_nodes; v++) {
        uint32_t pairs = m->reuse_offset[v + 1] - m->reuse_offset[v];
        most = pairs > most ? pairs : most;
    }
    p->block_of = HW_NEW(uint32_t, n);
    p->life_of = HW_NEW(uint32_t, n);
    p->pairs = HW_NEW(hw_weighted_pair, most);
    p->chosen = HW_NEW(bool, most);
    if (!p->block_of || !p->life_of || !p->pairs || !p->chosen)
        return hw_fail_memory(p->err, "the plan of a replay");
    for (uint32_t s = 0; s < n; s++)
        p->block_of[s] = p->life_of[s] = HW_NONE;
    for (uint32_t i = 0; i < p->log->n_lives; i++)
        p->life_of[p->graph->tensor_storage[p->log->life[i].tensor]] = i;
    return HW_OK;
}

static hw_code list_moments(hw_replay_plan *plan, hw_error *err)
{
    plan->n_moments = 2 * (size_t)plan->log->n_steps + 2;
    plan->logical = HW_NEW(uint64_t, plan->n_moments);
    if (!plan->logical)
        return hw_fail_memory(err, "the moments of a replay");
    size_t n = 0;
    for (size_t i = 0; i < plan->n_events; i++)
        if (plan->event[i].kind == HW_REPLAY_MOMENT)
            plan->logical[n++] = plan->event[i].size;
    return HW_OK;
}

hw_code hw_replay_plan_new(const hw_log *log, hw_replay_plan **out, hw_error *err)
{
    *out = NULL;
    hw_replay_plan *plan = HW_NEW0(hw_replay_plan, 1);
    if (!plan)
        return hw_fail_memory(err, "the plan of a replay");
    plan->log = log;
    planner p = {.plan = plan, .log = log, .graph = log->model->graph, .err = err};
    hw_code code = prepare(&p);
    if (code == HW_OK)
        code = run_all(&p);
    if (code == HW_OK)
        code = list_moments(plan, err);
    free(p.block_of);
    free(p.life_of);
    free(p.pairs);
    free(p.chosen);
    if (code != HW_OK) {
        hw_replay_plan_free(plan);
        return code;
    }
    *out = plan;
    return HW_OK;
}

uint64_t hw_replay_peak(const hw_replay_plan *plan)
{
    uint64_t most = 0;
    for (size_t i = 0; i < plan->n_moments; i++)
        most = plan->logical[i] > most ? plan->logical[i] : most;
    return most;
}

hw_code hw_replay_paged_peak(const hw_replay_plan *plan, uint64_t page_bytes, uint64_t *peak,
                             hw_error *err)
{
    uint64_t pages = 0, most = 0;
    uint64_t *held = HW_NEW0(uint64_t, plan->n_blocks);
    if (!held)
        return hw_fail_memory(err, "the blocks of a replay");
    for (size_t i = 0; i < plan->n_events; i++) {
        const hw_replay_event *e = &plan->event[i];
        if (e->kind == HW_REPLAY_MOMENT)
            continue;
        pages -= held[e->block];
        held[e->block] = e->size / page_bytes + (e->size % page_bytes != 0); /* 0: given back */
        pages += held[e->block];
        most = pages > most ? pages : most;
    }
    free(held);
    *peak = most > UINT64_MAX / page_bytes ? UINT64_MAX : most * page_bytes;
    return HW_OK;
}
