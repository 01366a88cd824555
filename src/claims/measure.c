/* Graphs, orders, peaks and figures of experiments.  See measure.h. */
#include "claims/measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stats.h"
#include "core/memory.h"
#include "model/check.h"

void hw_claim_spec(char *spec, size_t size, const char *format, uint32_t n)
{
    const char *mark = strstr(format, "%u");
    if (mark)
        (void)snprintf(spec, size, "%.*s%u%s", (int)(mark - format), format, n, mark + 2);
    else
        (void)snprintf(spec, size, "%s", format);
}

hw_code hw_claim_within(const hw_claim_run *run, const hw_model *m, const char *spec,
                        uint64_t states, hw_answer *answer, hw_error *err)
{
    hw_limits limits = {.states = states};
    *answer = (hw_answer){0};
    if (hw_claim_stopped(run))
        return hw_fail(err, HW_STOPPED, "stopped by a signal");
    return hw_claim_solve(run, m, spec, &limits, answer, err);
}

hw_code hw_claim_solve_graph(const hw_claim_run *run, const hw_graph *g, hw_accounting accounting,
                             const char *spec, uint64_t states, hw_answer *answer, hw_error *err)
{
    hw_model *m = NULL;
    *answer = (hw_answer){0};
    hw_code code = hw_model_new(g, accounting, false, &m, err);
    if (code == HW_OK)
        code = hw_claim_within(run, m, spec, states, answer, err);
    hw_model_free(m);
    return code;
}

hw_code hw_claim_peak_of(const hw_claim_run *run, const hw_graph *g, hw_accounting accounting,
                         const char *spec, uint64_t *peak, hw_error *err)
{
    hw_answer answer;
    hw_code code = hw_claim_solve_graph(run, g, accounting, spec, 0, &answer, err);
    if (code == HW_OK && !answer.has_order)
        code = hw_fail(err, HW_CHECK_FAILED, "%s has no order of %s: it cannot be compared", spec,
                       g->name);
    *peak = answer.peak;
    hw_answer_clear(&answer);
    return code;
}

hw_code hw_claim_least(const hw_claim_run *run, const hw_graph *g, hw_accounting accounting,
                       uint64_t states, uint64_t *peak, hw_error *err)
{
    hw_answer answer;
    hw_code code = hw_claim_solve_graph(run, g, accounting, "exact", states, &answer, err);
    if (code == HW_OK && answer.status != HW_OPTIMAL)
        code = hw_fail(err, HW_CHECK_FAILED,
                       "exact does not prove the optimum of %s (%s) within %" PRIu64
                       " states: there is nothing to compare with",
                       g->name, hw_accounting_name(accounting), states);
    *peak = answer.peak;
    hw_answer_clear(&answer);
    return code;
}

hw_code hw_claim_check(const hw_graph *g, hw_accounting accounting, const uint32_t *order,
                       uint64_t *peak, hw_error *err)
{
    hw_check check;
    hw_code code =
        hw_check_order(g, accounting == HW_FREE_FIRST, false, order, g->n_nodes, &check, err);
    *peak = 0;
    if (code != HW_OK)
        return code;
    if (check.verdict != HW_ORDER_LEGAL) {
        char text[HW_MESSAGE_BYTES / 2];
        hw_check_message(g, &check, text, sizeof text);
        return hw_fail(err, HW_CHECK_FAILED, "%s: %s", g->name, text);
    }
    *peak = check.peak;
    return HW_OK;
}

double hw_claim_percent_above(uint64_t a, uint64_t b)
{
    if (b == 0)
        return a == 0 ? 0 : 100;
    return a >= b ? 100.0 * (double)(a - b) / (double)b : -100.0 * (double)(b - a) / (double)b;
}

double hw_claim_percent_below(uint64_t a, uint64_t b)
{
    if (a == 0)
        return b == 0 ? 0 : -100;
    return a >= b ? 100.0 * (double)(a - b) / (double)a : -100.0 * (double)(b - a) / (double)a;
}

double hw_claim_percent(uint64_t k, uint64_t n)
{
    return n == 0 ? 0 : 100.0 * (double)k / (double)n;
}

hw_code hw_claim_figures_add(hw_claim_figures *f, double value, hw_error *err)
{
    if (!hw_grow((void **)&f->value, &f->room, f->n + 1, sizeof *f->value))
        return hw_fail_memory(err, "the figures of an experiment");
    f->value[f->n++] = value;
    f->sorted = false;
    return HW_OK;
}

double hw_claim_quantile(hw_claim_figures *f, double q)
{
    if (f->n == 0)
        return 0;
    if (!f->sorted)
        hw_sort_reals(f->value, f->n);
    f->sorted = true;
    return hw_quantile(f->value, f->n, q);
}

uint64_t hw_claim_above(const hw_claim_figures *f, double threshold)
{
    uint64_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        n += f->value[i] > threshold;
    return n;
}

void hw_claim_figures_clear(hw_claim_figures *f)
{
    free(f->value);
    *f = (hw_claim_figures){0};
}
