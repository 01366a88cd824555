/* Shrinking in tests.  See support_shrink.h. */
#include "tests/support_shrink.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/check.h"
#include "support_random.h"
#include "support_solve.h"

enum { OPTIMUM_MOST = 16 };

hw_goal shrink_goal(const char *solver, const char *against)
{
    hw_goal goal;
    hw_error err = {0};
    if (hw_goal_parse(solver, against, false, &goal, &err) != HW_OK)
        fail_msg("%s", err.message);
    return goal;
}

/* Peak of a solver's order, by the checker. */
uint64_t shrink_peak(const hw_goal *goal, const hw_solver_row *row, const hw_param_value *values,
                     const hw_graph *g)
{
    hw_model *m = test_model(g, goal->accounting, goal->pin_inputs);
    hw_request request = {.params = values, .seed = goal->seed};
    hw_answer answer;
    hw_check check;
    hw_error err = {0};
    assert_int_equal(hw_solve(m, row, &request, &answer, &err), HW_OK);
    assert_true(answer.has_order);
    assert_int_equal(hw_check_order(g, goal->accounting == HW_FREE_FIRST, goal->pin_inputs,
                                    answer.order, g->n_nodes, &check, &err),
                     HW_OK);
    assert_int_equal(check.verdict, HW_ORDER_LEGAL);
    hw_answer_clear(&answer);
    hw_model_free(m);
    return check.peak;
}

/* The ratio by the checker and, for the optimum, from the definitions. */
hw_ratio shrink_ratio(const hw_goal *goal, const hw_graph *g)
{
    hw_ratio r = {shrink_peak(goal, goal->row, goal->values, g), 0};
    assert_true(g->n_nodes <= OPTIMUM_MOST);
    r.under = goal->kind == HW_GOAL_GAP
                  ? defined_optimum(g, goal->accounting == HW_FREE_FIRST, goal->pin_inputs)
                  : shrink_peak(goal, goal->other, goal->other_values, g);
    return r;
}

bool shrink_meets(hw_ratio r, const hw_shrink_options *o)
{
    int than = hw_ratio_compare(r, o->least);
    return o->strictly ? than > 0 : than >= 0;
}

/* Shrink where the goal is met; NULL where it is not. */
hw_graph *shrink_graph(const hw_graph *g, const hw_goal *goal, const hw_shrink_options *o,
                       hw_shrink_report *report)
{
    hw_graph *out = NULL;
    hw_error err = {0};
    hw_code code = hw_shrink(g, goal, o, &out, report, &err);
    if (code == HW_CHECK_FAILED)
        assert_null(out);
    else if (code != HW_OK)
        fail_msg("%s", err.message);
    return out;
}

/* g without node v, whose readers lose it. */
hw_genome shrink_without(hw_genome g, uint32_t v)
{
    hw_genome less = g;
    less.n = g.n - 1;
    for (uint32_t u = 0, w = 0; u < g.n; u++) {
        if (u == v)
            continue;
        uint64_t low = g.parents[u] & (BIT(v) - 1);
        less.parents[w] = low | (g.parents[u] >> 1 & ~(BIT(v) - 1));
        less.size[w] = g.size[u];
        less.workspace[w] = g.workspace[u];
        uint8_t over = g.inplace[u];
        less.inplace[w++] = over == HW_GENOME_NONE || over == v ? HW_GENOME_NONE
                            : over > v                          ? (uint8_t)(over - 1)
                                                                : over;
    }
    return less;
}

hw_genome shrink_bypassed(const hw_genome *g, uint32_t v)
{
    hw_genome around = *g;
    for (uint32_t r = 0; r < g->n; r++)
        if (g->parents[r] & BIT(v))
            around.parents[r] |= g->parents[v];
    return shrink_without(around, v);
}

uint64_t shrink_most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}
