/* Runs inside runs: what they count, and limits that end both. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support_draft.h"
#include "support_solve.h"

typedef struct outer_run {
    hw_graph *g;
    hw_model *m;
    hw_answer answer; /* holds the best order from the start */
    hw_meter meter;
} outer_run;

static void begin(outer_run *r, const hw_request *request)
{
    r->g = draft_graph(4, 12, DRAW_PLAIN);
    r->m = test_model(r->g, HW_ALLOC_FIRST, false);
    r->answer = test_solve(r->m, "exact");
    assert_true(r->answer.has_order);
    hw_meter_start(&r->meter, request);
}

static void end(outer_run *r)
{
    hw_answer_clear(&r->answer);
    hw_model_free(r->m);
    hw_graph_free(r->g);
}

/* Also those behind its last better order, too few for a look at the clock. */
static void all_states_are_counted(void **state)
{
    (void)state;
    static const char *const specs[] = {"greedy", "random:n=90", "dp", "exact", "xla-best"};
    const hw_request request = {0};
    outer_run r;
    begin(&r, &request);
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        hw_answer inner;
        hw_error err;
        assert_int_equal(hw_solve_inside(r.m, specs[i], &(hw_limits){0}, &r.meter, &request,
                                         &r.answer, &inner, &err),
                         HW_OK);
        assert_true(inner.states > 0);
        sum += inner.states;
        assert_true(r.meter.states == sum);
    }
    end(&r);
}

/* Whoever asks one solver after another need not look at the clock itself. */
static void time_ends_both(void **state)
{
    (void)state;
    const hw_request request = {.limits.seconds = 1e-9};
    outer_run r;
    hw_error err;
    begin(&r, &request);
    assert_false(r.meter.over);
    assert_int_equal(
        hw_solve_inside(r.m, "greedy", &(hw_limits){0}, &r.meter, &request, &r.answer, NULL, &err),
        HW_OK);
    assert_true(r.meter.over);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_states_are_counted),
        cmocka_unit_test(time_ends_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
