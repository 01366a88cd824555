/* One graph at several sizes.  See sizes.h. */
#include "claims/sizes.h"

static hw_code find(const hw_claim_run *run, hw_accounting accounting, const hw_claim_sizes *sizes,
                    const hw_sweep *sweep, const hw_sweep_axis *axis, hw_regret *out, hw_error *err)
{
    const hw_solver_row *exact = NULL, *again = NULL;
    hw_param_value params[HW_PARAM_LIMIT], again_params[HW_PARAM_LIMIT];
    hw_code code = hw_solver_parse("exact", &exact, params, err);
    if (code == HW_OK && sizes->again)
        code = hw_solver_parse(sizes->again, &again, again_params, err);
    hw_regret_request ask = {.sweep = sweep,
                             .axis = axis,
                             .accounting = accounting,
                             .solver = exact,
                             .params = params,
                             .again = again,
                             .again_params = again_params,
                             .limits.states = 2000000,
                             .seed = hw_claim_seed(run),
                             .threads = 1,
                             .stop = hw_claim_stop_flag(run)};
    if (code == HW_OK)
        code = hw_regret_find(&ask, out, err);
    if (code == HW_OK && out->cut)
        code = hw_fail(err, HW_STOPPED, "stopped by a signal");
    for (size_t i = 0; code == HW_OK && i < out->n_sizes; i++)
        if (out->size[i].status != HW_OPTIMAL)
            code = hw_fail(err, HW_CHECK_FAILED, "a size has no proven optimum to compare with");
    return code;
}

hw_code hw_claim_regret(const hw_claim_run *run, hw_accounting accounting,
                        const hw_claim_sizes *sizes, hw_regret *out, hw_error *err)
{
    hw_sweep_axis axis = {0};
    hw_sweep *sweep = NULL;
    *out = (hw_regret){0};
    if (hw_claim_stopped(run))
        return hw_fail(err, HW_STOPPED, "stopped by a signal");
    hw_code code = hw_sweep_axis_read(sizes->values, &axis, err);
    hw_sweep_request request = {.source = sizes->source,
                                .axis = &axis,
                                .seed = hw_claim_seed(run),
                                .index = sizes->index,
                                .scale = sizes->scale,
                                .base = sizes->scale ? 1 : 0};
    if (code == HW_OK)
        code = hw_sweep_open(&request, NULL, &sweep, err);
    if (code == HW_OK)
        code = find(run, accounting, sizes, sweep, &axis, out, err);
    if (code == HW_CHECK_FAILED)
        hw_error_prefix(err, "%s: ", sizes->source);
    if (sweep)
        hw_sweep_close(sweep);
    hw_sweep_axis_clear(&axis);
    return code;
}
