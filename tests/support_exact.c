/* Shared by the tests of the exact solver.  See support_exact.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/support_exact.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support_draft.h"
#include "tests/support_random.h"

extern const hw_solver_row hw_solver_exact;

uint64_t environment_number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

hw_graph *series_graph(uint64_t i, uint32_t least, uint32_t most, bool windows, uint64_t *state)
{
    *state = 77 + i * 1000003 + ((uint64_t)most << 48) + (windows ? UINT64_C(1) << 47 : 0);
    if (i % 2) {
        unsigned features = (unsigned)random_u64(state) & DRAW_RICH;
        features |= windows ? DRAW_WINDOWS : 0;
        /* One after the other: in an argument list compilers take either first. */
        uint32_t n = least + random_below(state, most - least + 1);
        return draft_graph(random_u64(state), n, features);
    }
    random_shape shape = random_any_shape(state, least, most);
    shape.windows = windows;
    return random_graph(state, &shape);
}

static uint32_t count_switches(void)
{
    uint32_t count = 0;
    for (size_t k = 0; k < hw_solver_exact.n_params; k++)
        count += hw_solver_exact.params[k].type == HW_PARAM_BOOL;
    return count;
}

uint32_t exact_turns(void)
{
    return count_switches() + 2;
}

static uint32_t count_choices(const char *choices)
{
    uint32_t count = 1;
    for (; *choices; choices++)
        count += *choices == '|';
    return count;
}

void exact_turn(uint32_t turn, uint64_t *state, hw_param_value *values)
{
    const hw_solver_row *row = &hw_solver_exact;
    uint32_t flip = 0, all = count_switches() + 1;
    hw_params_preset(row->params, row->n_params, values);
    for (size_t k = 0; k < row->n_params && turn > 0; k++) {
        const hw_param_row *p = &row->params[k];
        if (p->type == HW_PARAM_BOOL) {
            if (++flip == turn || turn == all)
                values[k].i = !values[k].i;
        } else if (p->type == HW_PARAM_CHOICE) {
            values[k].i = (int64_t)random_below(state, count_choices(p->choices));
        } else if (p->type == HW_PARAM_INT && random_chance(state, 0.3)) {
            values[k].i = (int64_t)p->low;
        }
    }
}

hw_answer exact_answer(const hw_model *m, const hw_param_value *values, const uint64_t *budget)
{
    hw_request request = {.params = values};
    hw_answer answer;
    hw_error err = {0};
    if (budget) {
        request.has_budget = true;
        request.budget_bytes = *budget;
    }
    if (hw_solve(m, &hw_solver_exact, &request, &answer, &err) != HW_OK)
        fail_msg("exact: %s", err.message);
    return answer;
}

static bool right(const hw_answer *a, uint64_t optimum, const uint64_t *budget)
{
    bool proven = a->has_bound && a->bound <= optimum;
    if (optimum == UINT64_MAX || (budget && *budget < optimum))
        return a->status == HW_INFEASIBLE;
    if (!budget)
        return a->status == HW_OPTIMAL && a->peak == optimum && a->bound == optimum;
    return (a->status == HW_FEASIBLE || a->status == HW_OPTIMAL) && a->peak <= *budget &&
           a->peak >= optimum && proven;
}

void exact_agrees(const hw_model *m, uint64_t optimum, uint32_t turn, uint64_t *state,
                  const char *where)
{
    hw_param_value values[HW_PARAM_LIMIT];
    uint64_t below = optimum - 1;
    const uint64_t *budgets[] = {NULL, &optimum, optimum ? &below : NULL};
    int n_budgets = optimum == UINT64_MAX ? 1 : optimum ? 3 : 2;
    exact_turn(turn, state, values);
    for (int i = 0; i < n_budgets; i++) {
        hw_answer a = exact_answer(m, values, budgets[i]);
        if (!right(&a, optimum, budgets[i])) {
            char spec[512];
            (void)hw_params_spec("exact", hw_solver_exact.params, hw_solver_exact.n_params, values,
                                 spec, sizeof spec);
            fail_msg("%s, %s, %s, pin %d, question %d: optimum %" PRIu64
                     ", answer %s, peak %" PRIu64 ", bound %" PRIu64,
                     where, spec, hw_accounting_name(m->accounting), m->pin_inputs, i, optimum,
                     hw_status_name(a.status), a.peak, a.bound);
        }
        hw_answer_clear(&a);
    }
}
