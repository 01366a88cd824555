/* See sheet.h. */
#include "claims/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"

hw_code hw_sheet_add(hw_sheet *s, int tag0, int tag1, int tag2, hw_error *err, const char *spec,
                     ...)
{
    va_list arguments;
    if (!hw_grow((void **)&s->stratum, &s->stratum_room, s->n_strata + 1, sizeof *s->stratum))
        return hw_fail_memory(err, "strata");
    hw_stratum *t = &s->stratum[s->n_strata++];
    *t = (hw_stratum){.tag = {tag0, tag1, tag2}};
    va_start(arguments, spec);
    int length = vsnprintf(t->spec, sizeof t->spec, spec, arguments);
    va_end(arguments);
    return length >= 0 && (size_t)length < sizeof t->spec
               ? HW_OK
               : hw_fail(err, HW_INTERNAL, "a stratum is too long: %s", t->spec);
}

void hw_sheet_clear(hw_sheet *s)
{
    free(s->stratum);
    free(s->cases);
    free(s->peak);
    free(s->states);
    free(s->seconds);
    free(s->exact_seconds);
    *s = (hw_sheet){0};
}

static bool make_room(hw_sheet *s)
{
    size_t each = (s->n + 1) * (s->n_solvers + s->n_rules);
    return hw_grow((void **)&s->cases, &s->room, s->n + 1, sizeof *s->cases) &&
           hw_grow((void **)&s->peak, &s->peak_room, each, sizeof *s->peak) &&
           hw_grow((void **)&s->states, &s->states_room, each, sizeof *s->states) &&
           hw_grow((void **)&s->seconds, &s->seconds_room, each, sizeof *s->seconds) &&
           hw_grow((void **)&s->exact_seconds, &s->exact_room, s->n + 1, sizeof *s->exact_seconds);
}

static hw_code run_rules(hw_sheet *s, const hw_model *m, hw_error *err)
{
    uint32_t *order = s->n_rules > 0 ? HW_NEW(uint32_t, m->n_nodes) : NULL;
    hw_code code = HW_OK;
    if (s->n_rules > 0 && !order)
        return hw_fail_memory(err, "an order");
    for (uint32_t k = 0; code == HW_OK && k < s->n_rules; k++) {
        size_t at = hw_sheet_at(s, s->n, s->n_solvers + k);
        double begin = hw_wall_seconds();
        code = s->rule(m, k, order, err);
        s->seconds[at] = hw_wall_seconds() - begin;
        s->states[at] = m->n_nodes;
        if (code == HW_OK)
            code = hw_claim_order_peak(m, order, &s->peak[at], err);
    }
    free(order);
    return code;
}

static hw_code run_case(hw_claim_run *run, hw_sheet *s, const hw_model *m, uint32_t stratum,
                        uint32_t index, hw_error *err)
{
    hw_answer a;
    if (!make_room(s))
        return hw_fail_memory(err, "a sheet");
    hw_code code = hw_claim_solve(run, m, "exact", NULL, &a, err);
    if (code == HW_OK && a.status != HW_OPTIMAL)
        code = hw_fail(err, HW_CHECK_FAILED, "the optimum of %s is not proven (%s)", m->graph->name,
                       hw_status_name(a.status));
    if (code != HW_OK)
        return code;
    s->cases[s->n] = (hw_sheet_case){stratum, index, m->accounting, a.peak};
    s->exact_seconds[s->n] = a.seconds;
    hw_answer_clear(&a);
    for (uint32_t k = 0; k < s->n_solvers; k++) {
        code = hw_claim_solve(run, m, s->solvers[k], NULL, &a, err);
        if (code == HW_OK && !a.has_order)
            code = hw_fail(err, HW_CHECK_FAILED, "%s has no order for %s", s->solvers[k],
                           m->graph->name);
        if (code != HW_OK)
            return code;
        size_t at = hw_sheet_at(s, s->n, k);
        s->peak[at] = a.peak;
        s->states[at] = a.states;
        s->seconds[at] = a.seconds;
        hw_answer_clear(&a);
    }
    code = run_rules(s, m, err);
    s->n += code == HW_OK;
    return code;
}

hw_code hw_sheet_graph(const hw_claim_run *run, const hw_sheet *s, size_t i, hw_graph **out,
                       hw_error *err)
{
    return hw_claim_generate(s->stratum[s->cases[i].stratum].spec, hw_claim_seed(run),
                             s->cases[i].index, out, err);
}

hw_code hw_sheet_take(hw_claim_run *run, hw_sheet *s, const hw_graph *g, uint32_t stratum,
                      uint32_t index, hw_error *err)
{
    hw_model *m[2] = {NULL, NULL};
    hw_code code = hw_claim_models(g, m, err);
    for (int a = HW_ALLOC_FIRST; code == HW_OK && a <= HW_FREE_FIRST; a++)
        code = run_case(run, s, m[a], stratum, index, err);
    hw_claim_models_free(m);
    return code;
}

hw_code hw_sheet_fill(hw_claim_run *run, hw_sheet *s, uint32_t count, hw_error *err)
{
    hw_code code = HW_OK;
    for (uint32_t t = 0; t < s->n_strata; t++)
        for (uint32_t i = 0; i < count; i++) {
            hw_graph *g = NULL;
            code = hw_claim_generate(s->stratum[t].spec, hw_claim_seed(run), i, &g, err);
            if (code == HW_OK)
                code = hw_sheet_take(run, s, g, t, i, err);
            hw_graph_free(g);
            if (code != HW_OK)
                return code;
        }
    return HW_OK;
}

bool hw_sheet_in(const hw_sheet *s, const hw_sheet_group *g, size_t i)
{
    const hw_sheet_case *c = &s->cases[i];
    bool in = g->accounting == HW_SHEET_ANY || g->accounting == (int)c->accounting;
    for (int k = 0; k < HW_SHEET_TAGS; k++)
        in = in && (g->tag[k] == HW_SHEET_ANY || g->tag[k] == s->stratum[c->stratum].tag[k]);
    return in;
}

hw_code hw_sheet_gaps(const hw_sheet *s, uint32_t solver, const hw_sheet_group *g, hw_gaps *out,
                      hw_error *err)
{
    double *gap = HW_NEW(double, s->n), *seconds = HW_NEW(double, s->n), sum = 0;
    uint64_t optimal = 0, within = 0, above = 0;
    size_t n = 0;
    *out = (hw_gaps){.worst = -1, .worst_case = SIZE_MAX};
    if (!gap || !seconds) {
        free(gap);
        free(seconds);
        return hw_fail_memory(err, "gaps");
    }
    for (size_t i = 0; i < s->n; i++) {
        if (!hw_sheet_in(s, g, i))
            continue;
        gap[n] = hw_sheet_gap(s, i, solver);
        seconds[n] = s->seconds[hw_sheet_at(s, i, solver)];
        sum += gap[n];
        optimal += s->peak[hw_sheet_at(s, i, solver)] == s->cases[i].optimum;
        within += gap[n] <= 5;
        above += gap[n] > 20;
        if (gap[n] > out->worst) {
            out->worst = gap[n];
            out->worst_case = i;
        }
        n++;
    }
    hw_sort_reals(gap, n);
    hw_sort_reals(seconds, n);
    out->optimal = hw_share_of(optimal, n);
    out->within_5 = hw_share_of(within, n);
    out->above_20 = hw_share_of(above, n);
    out->mean = n > 0 ? sum / (double)n : NAN;
    out->median = hw_quantile(gap, n, 0.5);
    out->high = hw_quantile(gap, n, 0.95);
    out->median_seconds = hw_quantile(seconds, n, 0.5);
    free(gap);
    free(seconds);
    return HW_OK;
}

hw_code hw_sheet_example(hw_claim_run *run, const hw_sheet *s, size_t i, const char *name,
                         const uint32_t *solvers, size_t n_solvers, hw_error *err)
{
    hw_graph *g = NULL;
    hw_model *m[2] = {NULL, NULL};
    hw_code code = hw_sheet_graph(run, s, i, &g, err);
    if (code == HW_OK)
        code = hw_claim_models(g, m, err);
    const hw_model *shown = m[s->cases[i].accounting];
    if (code == HW_OK)
        code = hw_claim_example(run, name, g, err);
    for (size_t k = 0; code == HW_OK && k < n_solvers; k++)
        if (solvers[k] < s->n_solvers)
            code = hw_claim_shows(run, shown, s->solvers[solvers[k]],
                                  s->peak[hw_sheet_at(s, i, solvers[k])], err);
    if (code == HW_OK)
        code = hw_claim_shows(run, shown, "exact", s->cases[i].optimum, err);
    hw_claim_models_free(m);
    hw_graph_free(g);
    return code;
}
