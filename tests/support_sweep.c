/* Sweeps in tests.  See support_sweep.h. */
#include "tests/support_sweep.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "tests/support_io.h"

void sweep_open(sweep_bench *b, const hw_graph *g, const char *dims, const char *rule,
                uint64_t seed)
{
    hw_error err = {0};
    size_t n;
    char *bytes = graph_bytes(g, HW_FORMAT_JSON, &n);
    b->folder = make_folder();
    assert_non_null(bytes);
    assert_non_null(b->folder);
    b->path = path_in(b->folder, "graph.json");
    assert_true(b->path && write_text(b->path, bytes));
    free(bytes);
    if (hw_sweep_axis_read(dims, &b->axis, &err) != HW_OK)
        fail_msg("%s", err.message);
    hw_sweep_request request = {.source = b->path, .axis = &b->axis, .seed = seed, .scale = rule};
    if (hw_sweep_open(&request, NULL, &b->sweep, &err) != HW_OK)
        fail_msg("%s", err.message);
}

void sweep_close(sweep_bench *b)
{
    hw_sweep_close(b->sweep);
    hw_sweep_axis_clear(&b->axis);
    free(b->path);
    remove_folder(b->folder);
}

hw_regret sweep_regret(const sweep_bench *b, const char *solver, hw_accounting accounting,
                       bool pin_inputs)
{
    hw_param_value values[HW_PARAM_LIMIT];
    hw_error err = {0};
    hw_regret r = {0};
    hw_regret_request request = {.sweep = b->sweep,
                                 .axis = &b->axis,
                                 .accounting = accounting,
                                 .pin_inputs = pin_inputs,
                                 .params = values,
                                 .seed = 1};
    if (hw_solver_parse(solver, &request.solver, values, &err) != HW_OK ||
        hw_regret_find(&request, &r, &err) != HW_OK)
        fail_msg("%s", err.message);
    return r;
}
