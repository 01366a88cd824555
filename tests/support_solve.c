/* Solving in tests.  See support_solve.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support_solve.h"

hw_model *test_model(const hw_graph *g, hw_accounting accounting, bool pin_inputs)
{
    hw_model *m = NULL;
    hw_error err = {0};
    assert_non_null(g);
    if (hw_model_new(g, accounting, pin_inputs, &m, &err) != HW_OK &&
        !(pin_inputs && err.code == HW_BAD_INPUT))
        fail_msg("no model: %s", err.message);
    return m;
}

hw_answer test_solve_with(const hw_model *m, const char *spec, hw_request request)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_answer answer = {0};
    hw_error err = {0};
    assert_int_equal(hw_solver_parse(spec, &row, values, &err), HW_OK);
    request.params = values;
    if (hw_solve(m, row, &request, &answer, &err) != HW_OK)
        fail_msg("%s: %s", spec, err.message);
    return answer;
}

hw_answer test_solve(const hw_model *m, const char *spec)
{
    return test_solve_with(m, spec, (hw_request){0});
}
