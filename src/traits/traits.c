/* Scoring graphs.  See traits.h. */
#include "traits/traits.h"

#include <math.h>
#include <stdlib.h>

#include "explain/turn.h"
#include "core/memory.h"

const double hw_trait_large[HW_TRAIT_LARGE] = {0.5, 0.25, 0.75};
const double hw_trait_similar[HW_TRAIT_SIMILAR] = {0.8, 0.5, 0.9};

/* One run; *answer is cleared where it is of no use, and *useful tells. */
static hw_code run(const hw_trait_sample *s, const hw_model *m, const hw_solver_row *row,
                   const hw_param_value *values, hw_answer *answer, bool *useful, hw_error *err)
{
    hw_request request = {.params = values, .limits = s->limits, .seed = s->seed, .stop = s->stop};
    hw_error refusal = {0};
    hw_code code = hw_solve(m, row, &request, answer, &refusal);
    *useful = false;
    if (code == HW_USAGE) /* a solver for other graphs */
        return HW_OK;
    if (code != HW_OK)
        return hw_fail(err, code, "%s: %s", m->graph->name, refusal.message);
    *useful = answer->has_order;
    if (!*useful)
        hw_answer_clear(answer);
    return HW_OK;
}

/* Wrong turn, features, balances; both answers have orders, best's is optimal. */
static hw_code score(const hw_trait_sample *s, const hw_model *m, const hw_answer *answer,
                     const hw_answer *best, hw_trait_case *c, bool *whole, hw_error *err)
{
    hw_turn turn;
    hw_request request = {.limits = s->limits, .seed = s->seed, .stop = s->stop};
    uint32_t *completion = HW_NEW(uint32_t, m->n_nodes);
    if (!completion)
        return hw_fail_memory(err, "an optimal order");
    hw_code code =
        hw_turn_find(m, answer->order, best->order, best->peak, &request, &turn, completion, err);
    *whole = code == HW_OK && turn.lost == turn.kept + 1;
    if (*whole) {
        hw_feature_orders orders = {answer->order, completion, turn.kept};
        c->peak = answer->peak;
        c->optimum = best->peak;
        c->gap_percent = c->peak == c->optimum ? 0
                         : c->optimum == 0
                             ? (double)INFINITY
                             : 100 * (double)(c->peak - c->optimum) / (double)c->optimum;
        code = hw_features_of(m, &orders, &c->features, err);
        if (code == HW_OK)
            code = hw_readings_of(m, &orders, hw_trait_large, HW_TRAIT_LARGE, c->balance, err);
    }
    free(completion);
    return code;
}

static hw_code look_at(hw_trait_sample *s, const hw_graph *g, hw_trait_case *c, bool *whole,
                       hw_error *err)
{
    hw_model *m = NULL;
    hw_answer answer, best;
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_solver_row *exact = NULL;
    bool has_order = false, has_best = false;
    hw_code code = hw_solver_parse("exact", &exact, values, err);
    if (code == HW_OK)
        code = hw_model_new(g, s->accounting, s->pin_inputs, &m, err);
    if (code == HW_BAD_INPUT) /* pinned inputs that must be overwritten */
        return HW_OK;
    if (code == HW_OK)
        code = run(s, m, s->row, s->values, &answer, &has_order, err);
    if (code == HW_OK && has_order)
        code = run(s, m, exact, values, &best, &has_best, err);
    if (code == HW_OK && has_best && best.status == HW_OPTIMAL)
        code = score(s, m, &answer, &best, c, whole, err);
    if (has_order)
        hw_answer_clear(&answer);
    if (has_best)
        hw_answer_clear(&best);
    hw_model_free(m);
    return code;
}

hw_code hw_trait_add(hw_trait_sample *s, hw_graph *g, const uint32_t group[HW_TRAIT_GROUPINGS],
                     hw_error *err)
{
    bool whole = false;
    hw_code code = HW_OK;
    if (!hw_grow((void **)&s->cases, &s->capacity, s->n + 1, sizeof *s->cases)) {
        hw_graph_free(g);
        return hw_fail_memory(err, "the cases of a sample");
    }
    hw_trait_case *c = &s->cases[s->n];
    *c = (hw_trait_case){.graph = g};
    for (size_t i = 0; i < HW_TRAIT_GROUPINGS; i++)
        c->group[i] = group[i];
    if (g->n_nodes > 0 && g->n_nodes <= HW_FEATURES_MOST)
        code = look_at(s, g, c, &whole, err);
    if (code == HW_OK && whole) {
        s->n++;
        return HW_OK;
    }
    s->left_out++;
    hw_graph_free(g);
    return code;
}

void hw_trait_clear(hw_trait_sample *s)
{
    for (size_t i = 0; i < s->n; i++)
        hw_graph_free(s->cases[i].graph);
    free(s->cases);
    s->cases = NULL;
    s->n = s->capacity = s->left_out = 0;
}
