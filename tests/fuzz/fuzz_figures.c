/* Fuzz target: results and traces as plots, figures and tables have them. */
#include <stdlib.h>

#include "bench/results.h"
#include "bench/trace.h"
#include "plot/plot.h"
#include "stats/tables.h"
#include "tests/fuzz/fuzz.h"

static void plot(const hw_plot_data *data)
{
    static const hw_plot_options options = {.all_solvers = true};
    for (int kind = 0; kind < HW_PLOT_KINDS; kind++) {
        hw_plot_script script;
        hw_error err = {0};
        if (kind == HW_PLOT_COUNTS) /* makes graphs anew, for a second a family */
            continue;
        if (fuzz_ended_well(hw_plot_make(data, (hw_plot_kind)kind, &options, &script, &err), &err))
            hw_plot_script_free(&script);
    }
}

static void tell(const hw_strata *strata)
{
    static hw_code (*const tables[])(const hw_strata *s, const hw_stats_options *o, hw_figures *f,
                                     hw_error *err) = {
        hw_stats_gaps, hw_stats_tests, hw_stats_times, hw_stats_best, hw_stats_growth};
    static const hw_stats_options options = {.resamples = 20, .seed = 1, .shift_seconds = 1e-5};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        hw_figures f;
        hw_error err = {0};
        if (fuzz_ended_well(tables[i](strata, &options, &f, &err), &err))
            hw_figures_free(&f);
    }
}

static void use(hw_results *results, hw_field by)
{
    hw_plot_data *data;
    hw_strata strata;
    hw_group *groups;
    size_t replaced, n_groups;
    const hw_field fields[] = {by, HW_FIELD_NODES};
    hw_error err = {0};
    if (hw_records_latest(results->records, &results->n_records, &replaced, &err) != HW_OK)
        fuzz_fail("%s", err.message);
    if (fuzz_ended_well(hw_plot_data_make(results->records, results->n_records, by, &data, &err),
                        &err)) {
        plot(data);
        hw_plot_data_free(data);
    }
    if (fuzz_ended_well(
            hw_strata_make(results->records, results->n_records, fields, 2, &strata, &err), &err)) {
        tell(&strata);
        hw_strata_free(&strata);
    }
    if (hw_groups_make(results->records, results->n_records, fields, 2, &groups, &n_groups, &err) !=
        HW_OK)
        fuzz_fail("%s", err.message);
    free(groups);
}

static void read_trace(fuzz_draws part)
{
    const char *path = fuzz_file(1, part.at, part.left);
    hw_trace *trace;
    hw_plot_script script;
    hw_error err = {0};
    if (!fuzz_ended_well(hw_trace_load(&path, 1, &trace, &err), &err))
        return;
    for (unsigned ticks = 0; ticks < 2; ticks++)
        if (fuzz_ended_well(hw_plot_anytime(trace, ticks, HW_PLOT_WEB, &script, &err), &err))
            hw_plot_script_free(&script);
    hw_trace_free(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_draws d = {data, size};
    hw_field by = (hw_field)fuzz_below(&d, HW_FIELD_SOLVER);
    fuzz_draws part = fuzz_part(&d);
    hw_results *results;
    hw_error err = {0};
    if (fuzz_ended_well(hw_results_load(fuzz_file(0, part.at, part.left), true, &results, &err),
                        &err)) {
        use(results, by);
        hw_results_free(results);
    }
    read_trace(d);
    return 0;
}
