/* Fuzz target: files of suites. */
#include "bench/plan.h"
#include "bench/suite.h"
#include "tests/fuzz/fuzz.h"

/* Where a run stands in the plan can be asked in two ways. */
static void find_runs(const hw_suite *suite)
{
    enum { SOME = 64 };
    hw_plan *plan;
    hw_error err = {0};
    if (hw_plan_new(suite, &plan, &err) != HW_OK)
        fuzz_fail("no plan: %s", err.message);
    for (size_t i = 0; i < SOME && i < suite->n_units; i++) {
        size_t unit, solver;
        hw_record r = hw_plan_run(suite, i, 0);
        if (!hw_plan_find(plan, &r, &unit, &solver) || unit != i || solver != 0)
            fuzz_fail("the first run of unit %zu is not found", i);
        if (hw_plan_position(plan, unit, solver) >= suite->n_runs)
            fuzz_fail("the first run of unit %zu stands outside", i);
    }
    hw_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hw_suite *suite;
    hw_error err = {0};
    if (fuzz_ended_well(hw_suite_load(fuzz_file(0, data, size), &suite, &err), &err)) {
        find_runs(suite);
        hw_suite_free(suite);
    }
    return 0;
}
