/* Local search in turns.  See portfolio_local.h. */
#include "solvers/portfolio_local.h"

#include <stdlib.h>

#include "core/memory.h"

/* Ticks between two looks at clock and stop flag. */
enum { STEP = 4096 };

/* Ticks, and for each node, without gain before a run may be given up ... */
enum { PATIENCE = 40000, PATIENCE_A_NODE = 80 };

/* ... and they have to be this part of all its ticks. */
enum { PATIENCE_PART = 2 };

/* Ticks between two looks at the best order: this part of the nodes. */
enum { FETCH_PART = 2 };

hw_code portfolio_local_open(portfolio_local *l, const hw_model *m, const hw_request *request,
                             const hw_answer *answer, hw_error *err)
{
    *l = (portfolio_local){.m = m, .request = request};
    if (!answer->has_order)
        return HW_OK;
    l->start = hw_copy(answer->order, m->n_nodes, sizeof *l->start);
    return l->start ? HW_OK : hw_fail_memory(err, "an order");
}

static void end(portfolio_local *l)
{
    hw_session_close(l->session);
    l->session = NULL;
    free(l->start);
    l->start = NULL;
}

void portfolio_local_close(portfolio_local *l)
{
    end(l);
}

/* Runs in turn begin with the best order, and with those of their own rules. */
static hw_code begin(portfolio_local *l, const hw_answer *answer, hw_error *err)
{
    const hw_solver_row *row;
    hw_code code = hw_solver_parse("lns:patience=0", &row, l->values, err);
    if (code != HW_OK)
        return code;
    if (l->n_begun && l->n_begun % 2 == 0 && answer->has_order) {
        l->start = hw_copy(answer->order, l->m->n_nodes, sizeof *l->start);
        if (!l->start)
            return hw_fail_memory(err, "an order");
    }
    hw_request request = {.params = l->values,
                          .limits.memory_bytes = l->request->limits.memory_bytes,
                          .has_budget = l->request->has_budget,
                          .budget_bytes = l->request->budget_bytes,
                          .seed = l->request->seed + l->n_begun,
                          .start = l->start};
    l->n_begun++;
    l->gained = l->fetched = 0;
    l->peak = UINT64_MAX;
    l->done = false;
    return hw_session_open(l->m, row, &request, &l->session, err);
}

static bool is_stuck(const portfolio_local *l)
{
    uint64_t ticks = hw_session_ticks(l->session), idle = ticks - l->gained;
    return l->done || (idle > PATIENCE + (uint64_t)PATIENCE_A_NODE * l->m->n_nodes &&
                       idle > ticks / PATIENCE_PART);
}

/*
 * The run's best order into the answer, if it is better.  The independent
 * checker sees every one, so it is not done after every step of a large graph.
 */
static hw_code fetch(portfolio_local *l, hw_answer *answer, hw_error *err)
{
    uint64_t peak;
    const uint32_t *order;
    l->fetched = hw_session_ticks(l->session);
    if (!hw_session_peak(l->session, &peak) || (answer->has_order && answer->peak <= peak))
        return HW_OK;
    hw_code code = hw_session_best(l->session, &order, &peak, err);
    if (code == HW_OK)
        (void)hw_answer_improve(l->m, answer, order, peak);
    return code;
}

/* One step: *counted ticks. */
static hw_code step(portfolio_local *l, uint64_t ticks, hw_answer *answer, uint64_t *counted,
                    hw_error *err)
{
    uint64_t before = hw_session_ticks(l->session), peak;
    hw_code code = hw_session_step(l->session, ticks, &l->done, err);
    *counted = hw_session_ticks(l->session) - before;
    if (code != HW_OK)
        return code;
    (void)hw_answer_bound(l->m, answer, hw_session_bound(l->session));
    if (hw_session_peak(l->session, &peak) && peak < l->peak) {
        l->peak = peak;
        l->gained = hw_session_ticks(l->session);
    }
    bool due = hw_session_ticks(l->session) - l->fetched >= l->m->n_nodes / FETCH_PART;
    return due ? fetch(l, answer, err) : HW_OK;
}

hw_code portfolio_local_go_on(portfolio_local *l, uint64_t ticks, uint64_t enough, hw_meter *meter,
                              hw_answer *answer, hw_error *err)
{
    hw_code code = HW_OK;
    for (uint64_t done = 0; code == HW_OK && done < ticks && !meter->over;) {
        if (answer->has_order && answer->peak <= enough)
            break;
        if (l->session && is_stuck(l)) {
            code = fetch(l, answer, err);
            end(l);
        }
        if (code == HW_OK && !l->session)
            code = begin(l, answer, err);
        if (code != HW_OK)
            break;
        /* Not by the meter's next look: what is done may not depend on where a run pauses. */
        uint64_t limit = l->request->limits.states, counted, ahead = STEP;
        if (limit && limit - meter->states < ahead)
            ahead = limit - meter->states;
        code = step(l, ahead, answer, &counted, err);
        done += counted ? counted : 1; /* a run that ends at once is not begun for ever */
        (void)hw_meter_count(meter, counted);
        (void)hw_meter_look(meter);
    }
    if (code == HW_OK && l->session)
        code = fetch(l, answer, err);
    return code;
}
