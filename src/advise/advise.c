/* What next.  See advise.h. */
#include "advise/advise.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Parts of the time: the best order; each other rule; limits.  The search for
 * recomputation has what is left. */
static const double part_best = 0.25, part_rule = 0.08, part_limits = 0.05;

/* A request that ends after a part of the whole time. */
static hw_request within(const hw_advise_ask *ask, double part)
{
    hw_request r = ask->search.request;
    r.limits.seconds = ask->seconds * part;
    return r;
}

static bool over(const hw_advise_ask *ask)
{
    const hw_again_ask *s = &ask->search;
    return (s->request.stop && *s->request.stop) ||
           (s->end_seconds > 0 && hw_wall_seconds() > s->end_seconds);
}

static hw_code best_of(const hw_model *m, const hw_advise_ask *ask, double part,
                       const uint32_t *start, hw_answer *answer, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_request r = within(ask, part);
    hw_code code = hw_solver_parse("portfolio", &row, values, err);
    if (code != HW_OK)
        return code;
    r.params = values;
    r.start = start;
    return hw_solve(m, row, &r, answer, err);
}

static void tell(const hw_advise_ask *ask, const char *what, uint64_t peak)
{
    const hw_again_progress p = {0, what, 0, 0, peak};
    if (ask->search.progress)
        ask->search.progress(ask->search.context, &p);
}

static hw_code find_best(hw_advice *a, const hw_advise_ask *ask, hw_error *err)
{
    tell(ask, "looking for the best order", 0);
    hw_code code = best_of(a->m, ask, part_best, ask->order, &a->best, err);
    if (code != HW_OK || a->best.has_order)
        return code;
    if (!a->m->legal)
        return hw_fail(err, HW_CHECK_FAILED, "no order is legal");
    return hw_fail(err, HW_LIMIT, "no order is in hand: give more time or an order");
}

static hw_code look_at_peak(hw_advice *a, const uint32_t *order, hw_error *err)
{
    hw_code code = hw_log_new(a->m, order, false, &a->log, err);
    if (code == HW_OK)
        code = hw_gaps_find(a->log, &a->gaps, err);
    if (code == HW_OK)
        code = hw_held_find(&a->gaps, &a->held, &a->n_held, err);
    if (code == HW_OK && !(a->set = HW_NEW(uint32_t, a->gaps.n_peak_steps)))
        code = hw_fail_memory(err, "the steps of a peak");
    if (code == HW_OK)
        code = hw_gaps_cover(&a->gaps, a->set, &a->n_set, &a->stuck, err);
    if (code == HW_OK)
        code = hw_gaps_peak(&a->gaps, a->set, a->n_set, &a->set_peak, err);
    return code;
}

static hw_code find_chains(hw_advice *a, const hw_advise_ask *ask, hw_error *err)
{
    hw_again first;
    hw_code code = hw_again_first(a->m->graph, a->log->order, &first, err);
    for (size_t i = 0; i < a->n_held && i < ask->top && code == HW_OK && !over(ask); i++) {
        tell(ask, "recomputing what is alive at the peak", a->log->peak);
        code = hw_chain_find(&a->gaps, &first, ask->search.operators, ask->search.request.stop,
                             ask->search.end_seconds, &a->held[i], err);
    }
    hw_again_clear(&first);
    return code;
}

static hw_code try_rule(hw_advice *a, const hw_advise_ask *ask, hw_what_if kind, hw_error *err)
{
    const hw_model *m = a->m;
    hw_other_rule *rule = &a->rule[kind];
    hw_graph *g = NULL;
    hw_model *other = NULL;
    hw_answer answer = {0};
    hw_code code = hw_what_if_graph(m->graph, kind, m->pin_inputs, ask->search.operators, &g,
                                    &rule->changed, err);
    if (code != HW_OK || !g)
        return code;
    tell(ask, hw_what_if_text(kind), a->best.peak);
    code = hw_model_new(g, m->accounting, m->pin_inputs, &other, err);
    if (code == HW_OK)
        code = best_of(other, ask, part_rule, a->best.order, &answer, err);
    if (code == HW_OK)
        *rule = (hw_other_rule){.has = true,
                                .changed = rule->changed,
                                .status = answer.status,
                                .has_order = answer.has_order,
                                .peak = answer.peak,
                                .bound = answer.has_bound ? answer.bound : other->simple_bound};
    hw_answer_clear(&answer);
    hw_model_free(other);
    hw_graph_free(g);
    return code;
}

static hw_code search(hw_advice *a, const hw_advise_ask *ask, hw_error *err)
{
    const hw_model *m = a->m;
    uint64_t bound = a->best.has_bound ? a->best.bound : m->simple_bound;
    hw_again_ask s = ask->search;
    s.accounting = m->accounting;
    s.pin_inputs = m->pin_inputs;
    if (a->limit[HW_LIMIT_ORDER].bytes > bound)
        bound = a->limit[HW_LIMIT_ORDER].bytes;
    a->level = HW_NEW0(hw_level, (size_t)s.copies + 1);
    if (!a->level)
        return hw_fail_memory(err, "levels of recomputation");
    a->copies = s.copies;
    return hw_again_search(m->graph, a->best.order, a->best.peak, bound,
                           a->limit[HW_LIMIT_AGAIN].bytes, &s, a->level, err);
}

hw_code hw_advise(const hw_model *m, const hw_advise_ask *ask, hw_advice *out, hw_error *err)
{
    memset(out, 0, sizeof *out);
    out->m = m;
    hw_advise_ask timed = *ask;
    if (ask->seconds > 0)
        timed.search.end_seconds = hw_wall_seconds() + ask->seconds;
    hw_code code = ask->order ? look_at_peak(out, ask->order, err) : HW_OK; /* checks it */
    if (code == HW_OK)
        code = find_best(out, &timed, err);
    if (code == HW_OK && !ask->order)
        code = look_at_peak(out, out->best.order, err);
    if (code == HW_OK)
        code = find_chains(out, &timed, err);
    if (code == HW_OK) {
        hw_request r = within(&timed, part_limits);
        code = hw_limits_find(m, &r, out->limit, err);
    }
    for (int kind = 0; kind < HW_IF_KINDS && code == HW_OK && !over(&timed); kind++)
        code = try_rule(out, &timed, (hw_what_if)kind, err);
    if (code == HW_OK)
        code = search(out, &timed, err);
    out->stopped = over(&timed);
    return code;
}

void hw_advice_clear(hw_advice *a)
{
    hw_answer_clear(&a->best);
    hw_log_free(a->log);
    hw_gaps_clear(&a->gaps);
    hw_held_free(a->held, a->n_held);
    free(a->set);
    if (a->level)
        hw_levels_clear(a->level, a->copies);
    free(a->level);
    memset(a, 0, sizeof *a);
}
