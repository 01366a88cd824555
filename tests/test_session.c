/*
 * Runs in steps: every solver of the registry, stopped at many ticks, gives
 * what it gives in one piece; what it holds in between is legal, only gets
 * better, and is what a limit of so many ticks leaves.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "model/check.h"
#include "solve/session.h"
#include "support_draft.h"
#include "support_solve.h"

enum { N_GRAPHS = 12, N_NODES = 9 };

/* The solver takes this graph. */
static bool applies(const hw_model *m, const hw_solver_row *row, const hw_request *request)
{
    hw_answer a;
    hw_error err;
    hw_code code = hw_solve(m, row, request, &a, &err);
    hw_answer_clear(&a);
    if (code != HW_OK && code != HW_USAGE)
        fail_msg("%s: %s", row->name, err.message);
    return code == HW_OK;
}

static void same(const hw_model *m, const char *name, const hw_answer *a, const hw_answer *b)
{
    if (a->status != b->status || a->has_order != b->has_order || a->states != b->states)
        fail_msg("%s: %s after %llu ticks in steps, %s after %llu at once", name,
                 hw_status_name(a->status), (unsigned long long)a->states,
                 hw_status_name(b->status), (unsigned long long)b->states);
    if (a->has_order) {
        assert_true(a->peak == b->peak);
        assert_memory_equal(a->order, b->order, m->n_nodes * sizeof *a->order);
    }
    if (a->has_bound)
        assert_true(a->bound == b->bound);
}

/* Step to the end, looking at what is in hand after each. */
static void step_through(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                         uint64_t ticks)
{
    hw_session *s;
    hw_error err;
    bool done = false;
    uint64_t before = UINT64_MAX, bound = 0;
    assert_int_equal(hw_session_open(m, row, request, &s, &err), HW_OK);
    for (uint64_t k = 1; !done; k++) {
        const uint32_t *order;
        uint64_t peak = 0;
        if (hw_session_step(s, ticks, &done, &err) != HW_OK)
            fail_msg("%s: %s", row->name, err.message);
        if (!done)
            assert_true(hw_session_ticks(s) >= k * ticks);
        if (hw_session_best(s, &order, &peak, &err) != HW_OK)
            fail_msg("%s: %s", row->name, err.message);
        if (order) {
            assert_true(peak <= before && peak >= hw_session_bound(s));
            before = peak;
        }
        assert_true(hw_session_bound(s) >= bound);
        bound = hw_session_bound(s);
    }
    hw_answer a, whole;
    assert_int_equal(hw_session_finish(s, &a, &err), HW_OK);
    hw_session_close(s);
    assert_int_equal(hw_solve(m, row, request, &whole, &err), HW_OK);
    same(m, row->name, &a, &whole);
    hw_answer_clear(&a);
    hw_answer_clear(&whole);
}

/* Stop for good after one step: what is left is a whole answer. */
static void stop_after(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                       uint64_t ticks)
{
    hw_session *s;
    hw_error err;
    hw_answer a;
    assert_int_equal(hw_session_open(m, row, request, &s, &err), HW_OK);
    if (ticks)
        assert_int_equal(hw_session_step(s, ticks, NULL, &err), HW_OK);
    if (hw_session_finish(s, &a, &err) != HW_OK)
        fail_msg("%s: %s", row->name, err.message);
    if (a.has_order) {
        hw_check check;
        assert_int_equal(hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                        a.order, m->n_nodes, &check, &err),
                         HW_OK);
        assert_int_equal(check.verdict, HW_ORDER_LEGAL);
        assert_true(check.peak == a.peak);
    }
    hw_answer_clear(&a);
    hw_session_close(s);
}

static void steps_of_every_solver(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {1, 7, 100, 1u << 20};
    hw_param_value values[HW_PARAM_LIMIT];
    for (uint64_t seed = 0; seed < N_GRAPHS; seed++) {
        hw_graph *g = draft_graph(seed, N_NODES, seed % 3 ? DRAW_PLAIN : DRAW_ALL);
        hw_model *m = test_model(g, seed % 2 ? HW_FREE_FIRST : HW_ALLOC_FIRST, false);
        for (size_t i = 0; i < hw_n_solvers; i++) {
            const hw_solver_row *row = hw_solvers[i];
            hw_request request = {.params = values, .seed = seed, .limits = {.states = 20000}};
            hw_params_preset(row->params, row->n_params, values);
            if (!applies(m, row, &request))
                continue;
            step_through(m, row, &request, lengths[(seed + i) % 4]);
            stop_after(m, row, &request, (seed + i) % 5 * 3);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* A session stopped at k ticks holds what a limit of k ticks leaves. */
static void steps_are_limits(void **state)
{
    (void)state;
    static const char *const specs[] = {"random:n=40", "exact", "enumerate"};
    hw_graph *g = draft_graph(5, 12, DRAW_PLAIN);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        for (uint64_t ticks = 1; ticks < 300; ticks += 23) {
            const hw_solver_row *row;
            hw_param_value values[HW_PARAM_LIMIT];
            hw_error err;
            hw_session *s;
            const uint32_t *order;
            uint64_t peak = 0;
            assert_int_equal(hw_solver_parse(specs[i], &row, values, &err), HW_OK);
            hw_request request = {.params = values, .seed = 3};
            assert_int_equal(hw_session_open(m, row, &request, &s, &err), HW_OK);
            assert_int_equal(hw_session_step(s, ticks, NULL, &err), HW_OK);
            assert_int_equal(hw_session_best(s, &order, &peak, &err), HW_OK);
            request.limits.states = ticks;
            hw_answer a = test_solve_with(m, specs[i], request);
            assert_int_equal(a.has_order, order != NULL);
            if (order)
                assert_true(peak == a.peak);
            hw_answer_clear(&a);
            hw_session_close(s);
        }
    hw_model_free(m);
    hw_graph_free(g);
}

static void may_be_closed_at_any_time(void **state)
{
    (void)state;
    hw_graph *g = draft_graph(1, 12, DRAW_PLAIN);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_solver_row *row = hw_solver_find("random", 6);
    hw_request request = {.params = values};
    hw_error err;
    hw_session *s;
    hw_params_preset(row->params, row->n_params, values);
    hw_session_close(NULL);
    assert_int_equal(hw_session_open(m, row, &request, &s, &err), HW_OK);
    hw_session_close(s); /* before the first step */
    assert_int_equal(hw_session_open(m, row, &request, &s, &err), HW_OK);
    assert_int_equal(hw_session_step(s, 5, NULL, &err), HW_OK);
    assert_int_equal(hw_session_ticks(s), 5);
    hw_session_close(s); /* in the middle */
    row = hw_solver_find("enumerate", 9);
    hw_graph *large = draft_graph(1, DRAFT_NODES, DRAW_PLAIN);
    hw_model *too_large = test_model(large, HW_ALLOC_FIRST, false);
    if (row->most_nodes && row->most_nodes < DRAFT_NODES)
        assert_int_equal(hw_session_open(too_large, row, &request, &s, &err), HW_USAGE);
    hw_model_free(too_large);
    hw_graph_free(large);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_every_solver),
        cmocka_unit_test(steps_are_limits),
        cmocka_unit_test(may_be_closed_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
