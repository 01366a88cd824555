/* Orders of one graph at several sizes, measured at all of them.  See regret.h. */
#include "buckets/regret.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/check.h"
#include "model/sim.h"
#include "solve/called.h"

enum { AGAIN_RUNS = 3 };

/* One search and what it fills. */
typedef struct finding {
    const hw_regret_request *q;
    hw_regret *r;
    size_t order_room, found_room;
} finding;

void hw_regret_clear(hw_regret *r)
{
    for (size_t i = 0; i < r->n_orders; i++)
        free(r->order[i]);
    free(r->order);
    free(r->found_at);
    free(r->size);
    free(r->peak);
    *r = (hw_regret){0};
}

static bool stopped(const hw_regret_request *q)
{
    return q->stop && *q->stop;
}

/* ---- Orders. ---- */

/* The index of an order, which is new or known.  O(orders * n). */
static hw_code keep_order(finding *f, const uint32_t *order, size_t size, size_t *index,
                          hw_error *err)
{
    hw_regret *r = f->r;
    for (size_t i = 0; i < r->n_orders; i++)
        if (memcmp(r->order[i], order, r->n_nodes * sizeof *order) == 0) {
            *index = i;
            return HW_OK;
        }
    void *orders = r->order, *found = r->found_at;
    bool room = hw_grow(&orders, &f->order_room, r->n_orders + 1, sizeof *r->order);
    r->order = orders;
    room = room && hw_grow(&found, &f->found_room, r->n_orders + 1, sizeof *r->found_at);
    r->found_at = found;
    uint32_t *kept = room ? hw_copy(order, r->n_nodes, sizeof *order) : NULL;
    if (!kept)
        return hw_fail_memory(err, "orders");
    r->order[r->n_orders] = kept;
    r->found_at[r->n_orders] = size;
    *index = r->n_orders++;
    return HW_OK;
}

/* What the answer says of a size; the best peak comes with the measuring. */
static hw_code take_answer(finding *f, size_t i, const hw_model *m, const hw_answer *answer,
                           hw_error *err)
{
    char name[HW_FOREIGN_NAME];
    hw_size_answer *size = &f->r->size[i];
    size->states = answer->states;
    size->seconds = answer->seconds;
    size->searched = true;
    if (answer->has_bound && answer->bound > size->bound)
        size->bound = answer->bound;
    if (answer->status == HW_OPTIMAL)
        size->bound = answer->peak;
    if (answer->has_order)
        return keep_order(f, answer->order, i, &size->order, err);
    if (!m->legal)
        return hw_fail(err, HW_CHECK_FAILED, "no order is legal: windows contradict the edges");
    if (stopped(f->q))
        return HW_OK;
    return hw_fail(err, HW_LIMIT,
                   "solver %s found no order at %s=%" PRIu64 ": give more time or "
                   "another solver",
                   hw_solver_short(f->q->solver, f->q->params, name), f->q->axis->name[0],
                   size->value);
}

/*
 * The second solver: its peak, and the least time of several runs.  An order below `peak`, that of
 * the first, is one more in hand, so that no best lies above it.
 */
static hw_code solve_again(finding *f, size_t i, const hw_model *m, uint64_t peak, hw_error *err)
{
    const hw_regret_request *q = f->q;
    hw_size_answer *size = &f->r->size[i];
    hw_request request = {.params = q->again_params,
                          .limits = q->limits,
                          .seed = q->seed,
                          .threads = q->threads,
                          .stop = q->stop};
    for (unsigned run = 0; run < AGAIN_RUNS && !stopped(q); run++) {
        hw_answer answer;
        hw_code code = hw_solve(m, q->again, &request, &answer, err);
        if (code != HW_OK)
            return code;
        if (answer.has_order) {
            size->again_seconds = size->has_again && size->again_seconds < answer.seconds
                                      ? size->again_seconds
                                      : answer.seconds;
            size->again_peak = answer.peak;
            size->has_again = true;
        }
        if (answer.has_order && answer.peak < peak) {
            peak = answer.peak;
            code = keep_order(f, answer.order, i, &size->order, err);
        }
        hw_answer_clear(&answer);
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

static hw_code model_at(const hw_regret_request *q, size_t i, hw_graph **g, hw_model **m,
                        hw_error *err)
{
    *m = NULL;
    hw_code code = hw_sweep_graph(q->sweep, i, g, err);
    return code == HW_OK ? hw_model_new(*g, q->accounting, q->pin_inputs, m, err) : code;
}

static hw_code solve_size(finding *f, size_t i, hw_error *err)
{
    const hw_regret_request *q = f->q;
    hw_graph *g;
    hw_model *m;
    hw_answer answer;
    hw_request request = {.params = q->params,
                          .limits = q->limits,
                          .seed = q->seed,
                          .threads = q->threads,
                          .stop = q->stop};
    uint64_t peak = UINT64_MAX;
    hw_code code = model_at(q, i, &g, &m, err);
    if (code == HW_OK) {
        f->r->size[i].bound = m->simple_bound;
        code = hw_solve(m, q->solver, &request, &answer, err);
        if (code == HW_OK) {
            code = take_answer(f, i, m, &answer, err);
            peak = answer.has_order ? answer.peak : peak;
            hw_answer_clear(&answer);
        }
    }
    if (code == HW_OK && q->again)
        code = solve_again(f, i, m, peak, err);
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

/* ---- Measuring. ---- */

static hw_code measure_order(const hw_model *m, const uint32_t *order, uint64_t *peak,
                             hw_error *err)
{
    hw_check check;
    char what[256];
    hw_code code = hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, order,
                                  m->n_nodes, &check, err);
    if (code == HW_OK)
        code = hw_peak(m, order, peak, err);
    if (code != HW_OK)
        return code;
    if (check.verdict != HW_ORDER_LEGAL) {
        hw_check_message(m->graph, &check, what, sizeof what);
        return hw_fail(err, HW_INTERNAL, "%s: an order of another size is illegal: %s",
                       m->graph->name, what);
    }
    if (check.peak != *peak)
        return hw_fail(err, HW_INTERNAL,
                       "%s: the simulator says %" PRIu64 " and the checker %" PRIu64 " bytes",
                       m->graph->name, *peak, check.peak);
    return HW_OK;
}

/* The best of all orders at a size: its own unless another is better. */
static hw_code settle_size(finding *f, size_t i, hw_error *err)
{
    hw_regret *r = f->r;
    hw_size_answer *size = &r->size[i];
    if (size->order == SIZE_MAX)
        size->order = 0;
    for (size_t o = 0; o < r->n_orders; o++)
        if (hw_regret_peak(r, o, i) < hw_regret_peak(r, size->order, i))
            size->order = o;
    size->best = hw_regret_peak(r, size->order, i);
    if (size->best < size->bound)
        return hw_fail(err, HW_INTERNAL,
                       "%s=%" PRIu64 ": an order of %" PRIu64
                       " bytes lies below the bound %" PRIu64,
                       f->q->axis->name[0], size->value, size->best, size->bound);
    size->status = size->best == size->bound ? HW_OPTIMAL : HW_FEASIBLE;
    return HW_OK;
}

static hw_code measure_size(finding *f, size_t i, hw_error *err)
{
    hw_regret *r = f->r;
    hw_size_answer *size = &r->size[i];
    hw_graph *g;
    hw_model *m;
    size_t own = size->order;
    hw_code code = model_at(f->q, i, &g, &m, err);
    if (code == HW_OK && m->simple_bound > size->bound)
        size->bound = m->simple_bound;
    for (size_t o = 0; code == HW_OK && o < r->n_orders; o++)
        code = measure_order(m, r->order[o], &r->peak[o * r->n_sizes + i], err);
    if (code == HW_OK)
        code = settle_size(f, i, err);
    if (code == HW_OK) {
        size->adopted = size->order != own;
        size->proportional = hw_sizes_proportional(hw_sweep_first(f->q->sweep), g);
    }
    if (code == HW_OK && r->with_resident) {
        for (size_t o = 0; o < r->n_orders; o++)
            r->peak[o * r->n_sizes + i] += m->resident_bytes;
        size->best += m->resident_bytes;
        size->bound += m->resident_bytes;
        size->again_peak += size->has_again ? m->resident_bytes : 0;
    }
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

static hw_code find(finding *f, hw_error *err)
{
    hw_regret *r = f->r;
    hw_code code = HW_OK;
    for (size_t i = 0; i < r->n_sizes && code == HW_OK; i++) {
        r->size[i] = (hw_size_answer){.value = f->q->axis->value[i], .order = SIZE_MAX};
        if (!stopped(f->q))
            code = solve_size(f, i, err);
        r->cut = r->cut || stopped(f->q);
        if (code == HW_OK && f->q->progress)
            f->q->progress(f->q->context, i + 1, r->n_sizes);
    }
    if (code == HW_OK && r->n_orders == 0)
        code = hw_fail(err, HW_STOPPED, "stopped before the first order");
    if (code == HW_OK) {
        r->peak = HW_NEW0(uint64_t, r->n_orders * r->n_sizes);
        code = r->peak ? HW_OK : hw_fail_memory(err, "the matrix of regret");
    }
    for (size_t i = 0; i < r->n_sizes && code == HW_OK; i++)
        code = measure_size(f, i, err);
    return code;
}

hw_code hw_regret_find(const hw_regret_request *request, hw_regret *out, hw_error *err)
{
    *out = (hw_regret){.n_nodes = hw_sweep_first(request->sweep)->n_nodes,
                       .n_sizes = request->axis->n_values,
                       .has_again = request->again != NULL,
                       .with_resident = request->with_resident};
    finding f = {.q = request, .r = out};
    out->size = HW_NEW0(hw_size_answer, out->n_sizes);
    hw_code code = out->size ? find(&f, err) : hw_fail_memory(err, "the sizes of a graph");
    if (code != HW_OK)
        hw_regret_clear(out);
    return code;
}
