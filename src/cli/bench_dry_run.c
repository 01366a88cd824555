/* The plan of a sweep and what it will take.  See bench_dry_run.h. */
#include "cli/bench_dry_run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/estimate.h"
#include "bench/machine.h"
#include "cli/shared.h"
#include "core/control.h"

enum { TIME_TEXT = 32 };

/* "0.05 s", "12 s", "3.4 min", "2.6 h". */
static void put_time(double seconds, char text[TIME_TEXT])
{
    const double minute = 60, hour = 3600, many = 100;
    if (isnan(seconds))
        (void)snprintf(text, TIME_TEXT, "unknown time");
    else if (seconds < 1e-2)
        (void)snprintf(text, TIME_TEXT, "%.2g ms", seconds * 1e3);
    else if (seconds < many)
        (void)snprintf(text, TIME_TEXT, "%.2g s", seconds);
    else if (seconds < many * minute)
        (void)snprintf(text, TIME_TEXT, "%.3g min", seconds / minute);
    else
        (void)snprintf(text, TIME_TEXT, "%.3g h", seconds / hour);
}

static void put_section(const hw_cli *c, const hw_suite_section *s, const hw_estimate_section *e)
{
    char all[TIME_TEXT], each[TIME_TEXT], name[HW_SHOWN_TEXT];
    (void)hw_cli_shown(s->name, name);
    (void)fprintf(c->out,
                  "[%s] %" PRIu64 " instances, %" PRIu64 " units, %" PRIu64 " runs by each of",
                  name, e->instances, e->units, e->units);
    for (size_t i = 0; i < s->n_solvers; i++) {
        (void)fputc(' ', c->out);
        hw_control_put(c->out, s->solvers[i].spec);
    }
    put_time(e->seconds, all);
    put_time(e->unit_seconds, each);
    (void)fprintf(c->out, "\n[%s] %s%s of work, %s a unit, by %" PRIu64 " units", name,
                  e->sampled && e->sampled == e->unfinished ? "at least " : "", all, each,
                  e->sampled - e->unfinished);
    if (e->sampled == 0)
        (void)fputs(": taken to be as the others", c->out);
    (void)fputc('\n', c->out);
}

static void put_estimate(const hw_cli *c, const hw_suite *suite, const hw_estimate *e)
{
    char work[TIME_TEXT], wall[TIME_TEXT], bytes[HW_BYTES_TEXT] = "unknown bytes";
    char name[HW_SHOWN_TEXT];
    unsigned cores = hw_machine_cores(), at_once = c->jobs < cores ? c->jobs : cores;
    (void)fprintf(c->out, "%s: seed %" PRIu64 ", %" PRIu64 " units, %" PRIu64 " runs\n",
                  hw_cli_shown(suite->name, name), suite->seed, e->units, e->runs);
    for (size_t k = 0; k < e->n_sections; k++)
        if (e->sections[k].units)
            put_section(c, &suite->sections[k], &e->sections[k]);
    put_time(e->seconds, work);
    put_time(e->seconds / at_once, wall);
    if (!isnan(e->bytes))
        hw_bytes_text((uint64_t)e->bytes, bytes);
    (void)fprintf(c->out, "expected: %s%s of work, so %s by %u processes; results of %s\n",
                  e->is_least ? "at least " : "", work, wall, at_once, bytes);
}

static hw_code by_results(hw_cli *c, const hw_suite *suite, const hw_plan_choice *choice,
                          hw_estimate *e, hw_error *err)
{
    hw_results *results;
    hw_code code = hw_results_load(hw_cli_value(c, "times"), false, &results, err);
    if (code != HW_OK)
        return code;
    code = hw_estimate_by_results(suite, choice, results, results->whole_bytes, e, err);
    if (code == HW_OK)
        hw_cli_note(c, "times of solvers on %" PRIu64 " of %" PRIu64 " units are those of %s",
                    e->sampled, e->units, hw_cli_value(c, "times"));
    hw_results_free(results);
    return code;
}

hw_code hw_bench_dry_run(hw_cli *c, const hw_suite *suite, const hw_plan_choice *choice,
                         hw_error *err)
{
    double seconds = 2;
    hw_estimate e = {.sections = NULL};
    hw_code code = hw_cli_seconds(c, "try-for", &seconds, err);
    if (code != HW_OK)
        return code;
    if (hw_cli_has(c, "times")) {
        code = by_results(c, suite, choice, &e, err);
    } else {
        if (hw_machine_load() > hw_machine_cores())
            hw_cli_note(c,
                        "warning: %.1f processes are at work on %u processors: it seems to take "
                        "longer than it will",
                        hw_machine_load(), hw_machine_cores());
        code = hw_estimate_by_sample(suite, choice, c->jobs, seconds, c->stop, &e, err);
        if (code == HW_OK)
            hw_cli_note(c, "tried %" PRIu64 " of %" PRIu64 " units for %.1f s, drawn at random",
                        e.sampled, e.units, e.sample_seconds);
    }
    if (code == HW_OK)
        put_estimate(c, suite, &e);
    hw_estimate_free(&e);
    return code;
}
