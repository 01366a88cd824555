/* Why a solver's order has its peak.  See explain.h. */
#include "explain/explain.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"

void hw_explanation_clear(hw_explanation *x)
{
    hw_answer_clear(&x->solver);
    hw_answer_clear(&x->against);
    hw_answer_clear(&x->prover);
    hw_log_free(x->log);
    hw_log_free(x->other_log);
    free(x->other);
    free(x->choice);
    free(x->held);
    memset(x, 0, sizeof *x);
}

/* ---- The solvers. ---- */

static hw_code run(const hw_explain_ask *ask, const hw_explain_solver *solver, hw_explanation *x,
                   hw_answer *answer, hw_error *err)
{
    if (!solver->row)
        return HW_OK;
    hw_request request = ask->request;
    request.params = solver->values;
    hw_code code = hw_solve(x->m, solver->row, &request, answer, err);
    if (code != HW_OK)
        return code;
    if (answer->has_order && (!x->has_best || answer->peak < x->best)) {
        x->has_best = true;
        x->best = answer->peak;
    }
    if (answer->has_bound && answer->bound > x->bound)
        x->bound = answer->bound;
    if (answer->status == HW_OPTIMAL && answer->peak > x->bound)
        x->bound = answer->peak;
    return HW_OK;
}

/* The order of the target: the best one known, or that of `against`. */
static const uint32_t *choose_target(const hw_explain_ask *ask, hw_explanation *x)
{
    if (ask->against.row && x->against.has_order) {
        x->target = HW_TARGET_AGAINST;
        x->target_bytes = x->against.peak;
        return x->against.order;
    }
    x->target = x->proven ? HW_TARGET_OPTIMUM : HW_TARGET_KNOWN;
    x->target_bytes = x->best;
    if (x->prover.has_order && x->prover.peak == x->best)
        return x->prover.order;
    return x->solver.peak == x->best ? x->solver.order : x->against.order;
}

/* ---- The wrong turn. ---- */

static int by_net(const void *a, const void *b)
{
    const hw_explain_choice *x = a, *y = b;
    if (x->net != y->net)
        return (int64_t)x->net < (int64_t)y->net ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static hw_explain_choice choice_of(const hw_sim *s, uint32_t v)
{
    return (hw_explain_choice){v, hw_sim_usage(s, v), hw_sim_net(s, v)};
}

/* Has every predecessor of v run, and does its window allow this step? */
static bool could_run(const hw_model *m, const uint8_t *done, uint32_t v, uint32_t step)
{
    const hw_rows *preds = &m->graph->preds;
    if (done[v] || (m->earliest && m->earliest[v] > step))
        return false;
    for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
        if (!done[preds->item[i]])
            return false;
    return true;
}

/* The figures of the step at which the target was lost. */
static hw_code look_at_turn(hw_explanation *x, hw_error *err)
{
    const hw_model *m = x->m;
    const uint32_t n = m->n_nodes, at = x->turn.kept;
    hw_sim s;
    hw_code code = hw_sim_init(&s, m, err);
    if (code != HW_OK)
        return code;
    uint8_t *done = HW_NEW0(uint8_t, n);
    x->choice = HW_NEW(hw_explain_choice, n);
    if (!done || !x->choice)
        code = hw_fail_memory(err, "the choices at the wrong turn");
    for (uint32_t i = 0; code == HW_OK && i < at; i++) {
        (void)hw_sim_step(&s, x->solver.order[i]);
        done[x->solver.order[i]] = 1;
    }
    for (uint32_t v = 0; code == HW_OK && v < n; v++)
        if (could_run(m, done, v, at))
            x->choice[x->n_choices++] = choice_of(&s, v);
    if (code == HW_OK) {
        qsort(x->choice, x->n_choices, sizeof *x->choice, by_net);
        x->live_turn = s.live;
        x->wrong = choice_of(&s, x->solver.order[at]);
        x->right = choice_of(&s, x->other[at]);
        x->has_turn = true;
    }
    free(done);
    hw_sim_free(&s);
    return code;
}

static hw_code find_turn(const hw_explain_ask *ask, const uint32_t *witness, hw_explanation *x,
                         hw_error *err)
{
    const uint32_t n = x->m->n_nodes, *order = x->solver.order;
    x->other = HW_NEW(uint32_t, n);
    if (!x->other)
        return hw_fail_memory(err, "an order");
    if (x->solver.peak <= x->target_bytes) { /* itself is its witness */
        memcpy(x->other, witness, (size_t)n * sizeof *witness);
        x->turn = (hw_turn){.kept = n, .lost = n + 1};
        return HW_OK;
    }
    hw_code code =
        hw_turn_find(x->m, order, witness, x->target_bytes, &ask->request, &x->turn, x->other, err);
    if (code == HW_OK && x->turn.lost == x->turn.kept + 1)
        code = look_at_turn(x, err);
    if (code == HW_OK && x->has_turn)
        code = hw_turn_least(x->m, order, x->turn.lost, &ask->request, &x->after, &x->after_bound,
                             err);
    if (code == HW_OK && x->has_turn && x->after_bound <= x->target_bytes)
        x->after_bound = x->target_bytes + 1; /* what the wrong turn itself proves */
    return code;
}

/* ---- The peak. ---- */

static int by_size(const void *a, const void *b)
{
    const hw_explain_held *x = a, *y = b;
    if (x->life->size != y->life->size)
        return x->life->size > y->life->size ? -1 : 1;
    return (x->life->tensor > y->life->tensor) - (x->life->tensor < y->life->tensor);
}

/* Which storages are there at the peak, and are they when the other order runs that node? */
static hw_code look_at_peak(hw_explanation *x, hw_error *err)
{
    const hw_log *log = x->log, *other = x->other_log;
    const int64_t peak_step = log->peak_step;
    uint32_t *there = HW_NEW(uint32_t, x->m->graph->n_tensors); /* in other->life[] */
    x->held = HW_NEW(hw_explain_held, log->n_lives);
    if (!there || !x->held) {
        free(there);
        return hw_fail_memory(err, "what is held at a peak");
    }
    for (uint32_t i = 0; i < other->n_lives; i++) /* both logs have the same storages */
        there[other->life[i].tensor] = i;
    x->other_step = -1;
    for (uint32_t i = 0; peak_step >= 0 && i < other->n_steps; i++)
        if (other->order[i] == log->order[peak_step])
            x->other_step = i;
    for (uint32_t i = 0; i < log->n_lives; i++) {
        const hw_lifetime *life = &log->life[i];
        if (!hw_log_holds(log, life, peak_step))
            continue;
        hw_explain_held held = {life, &other->life[there[life->tensor]], false};
        held.held_there = hw_log_holds(other, held.other, x->other_step);
        x->held[x->n_held++] = held;
        x->held_bytes += life->size;
        x->elsewhere_bytes += held.held_there ? 0 : life->size;
    }
    qsort(x->held, x->n_held, sizeof *x->held, by_size);
    free(there);
    return HW_OK;
}

/* The orders count where the other one is an optimum, proven. */
static hw_code find_features(hw_explanation *x, hw_error *err)
{
    hw_feature_orders orders = {.wrong_turn = HW_NONE};
    const hw_answer *best = x->prover.peak == x->best ? &x->prover : &x->solver;
    if (x->has_order && x->proven && best->has_order && best->peak == x->best) {
        orders.order = x->solver.order;
        orders.optimum = x->target == HW_TARGET_OPTIMUM ? x->other : best->order;
        if (x->target_bytes == x->best && hw_explain_keeps(x))
            orders.wrong_turn = x->m->n_nodes;
        else if (x->target_bytes == x->best && x->has_turn)
            orders.wrong_turn = x->turn.kept;
    }
    return hw_features_of(x->m, &orders, &x->features, err);
}

hw_code hw_explain(const hw_model *m, const hw_explain_ask *ask, hw_explanation *out, hw_error *err)
{
    hw_explanation *x = out;
    *x = (hw_explanation){.m = m, .bound = m->simple_bound};
    hw_code code = run(ask, &ask->solver, x, &x->solver, err);
    if (code == HW_OK)
        code = run(ask, &ask->against, x, &x->against, err);
    if (code == HW_OK)
        code = run(ask, &ask->prover, x, &x->prover, err);
    x->proven = x->has_best && x->best == x->bound;
    x->has_order = x->solver.has_order;
    if (code == HW_OK && x->has_order)
        code = find_turn(ask, choose_target(ask, x), x, err);
    if (code == HW_OK && x->has_order)
        code = hw_log_new(m, x->solver.order, false, &x->log, err);
    if (code == HW_OK && x->has_order)
        code = hw_log_new(m, x->other, false, &x->other_log, err);
    if (code == HW_OK && x->has_order)
        code = look_at_peak(x, err);
    if (code == HW_OK)
        code = find_features(x, err);
    if (code != HW_OK)
        hw_explanation_clear(x);
    return code;
}
