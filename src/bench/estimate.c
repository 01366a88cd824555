/* Expected time and bytes of a sweep.  See estimate.h. */
#include "bench/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"

void hw_estimate_free(hw_estimate *e)
{
    free(e->sections);
    *e = (hw_estimate){.sections = NULL};
}

static uint32_t section_of(const hw_suite *suite, size_t unit)
{
    return suite->sources[suite->units[unit].source].section;
}

/* How much there is of each section. */
static hw_code count_units(const hw_suite *suite, const size_t *units, size_t n, hw_estimate *e,
                           hw_error *err)
{
    *e = (hw_estimate){.n_sections = suite->n_sections,
                       .sections = HW_NEW0(hw_estimate_section, suite->n_sections),
                       .units = n};
    /* The units of an instance follow each other in the plan. */
    bool *chosen = HW_NEW0(bool, suite->n_units);
    if (!e->sections || !chosen) {
        free(chosen);
        return hw_fail_memory(err, "an estimate");
    }
    for (size_t i = 0; i < n; i++)
        chosen[units[i]] = true;
    const hw_suite_unit *last = NULL;
    for (size_t u = 0; u < suite->n_units; u++) {
        if (!chosen[u])
            continue;
        hw_estimate_section *s = &e->sections[section_of(suite, u)];
        const hw_suite_unit *unit = &suite->units[u];
        s->instances += !last || last->source != unit->source || last->index != unit->index;
        s->units++;
        s->runs += suite->sections[section_of(suite, u)].n_solvers;
        e->runs += suite->sections[section_of(suite, u)].n_solvers;
        last = unit;
    }
    free(chosen);
    return HW_OK;
}

/* Means of sections that nothing is known about: that of all units. */
static void sum_up(hw_estimate *e)
{
    double seconds = 0;
    uint64_t units = 0;
    for (size_t k = 0; k < e->n_sections; k++) {
        const hw_estimate_section *s = &e->sections[k];
        if (s->sampled == 0)
            continue;
        seconds += s->seconds;
        units += s->units;
    }
    e->seconds = 0;
    for (size_t k = 0; k < e->n_sections; k++) {
        hw_estimate_section *s = &e->sections[k];
        if (s->sampled == 0)
            s->seconds = (double)s->units * (units ? seconds / (double)units : (double)NAN);
        s->unit_seconds = s->units ? s->seconds / (double)s->units : (double)NAN;
        if (s->units)
            e->seconds += s->seconds;
    }
}

/* ---- By a sample. ---- */

/*
 * The units of a section, as they are drawn by a seed of their own, so that
 * what the sweep does first is no part of it; how many.
 */
static size_t lay_sample(const hw_suite *suite, uint32_t section, const size_t *units, size_t n,
                         gsl_rng *rng, size_t *sample)
{
    size_t put = 0;
    for (size_t i = 0; i < n; i++) {
        if (section_of(suite, units[i]) != section)
            continue;
        size_t k = (size_t)hw_rng_below(rng, put + 1);
        sample[put++] = sample[k];
        sample[k] = units[i];
    }
    return put;
}

typedef struct tally {
    const hw_suite *suite;
    hw_estimate *e;
    uint64_t lines, bytes;
} tally;

static void note_unit(void *context, const hw_bench_unit *unit)
{
    tally *t = context;
    hw_estimate_section *s = &t->e->sections[section_of(t->suite, unit->unit)];
    s->sampled++;
    s->unfinished += !unit->finished;
    s->seconds += unit->seconds;
    t->e->sampled++;
    t->lines += unit->lines;
    t->bytes += unit->bytes;
}

static hw_code run_sample(tally *t, const size_t *sample, size_t n, unsigned jobs, double seconds,
                          const volatile sig_atomic_t *stop, hw_error *err)
{
    hw_bench_counts counts;
    hw_bench_options o = {.discard = true,
                          .jobs = jobs,
                          .units = sample,
                          .n_units = n,
                          .seconds = seconds,
                          .stop = stop,
                          .unit_done = note_unit,
                          .unit_context = t};
    hw_code code = hw_bench_run(t->suite, &o, &counts, err);
    t->e->sample_seconds += counts.seconds;
    /* Ended by its time, or by wrong answers: these are told where they are results. */
    return code == HW_CHECK_FAILED || (code == HW_STOPPED && !(stop && *stop)) ? HW_OK : code;
}

/* Every section for its share of the time; what one leaves is for those behind it. */
static hw_code run_samples(tally *t, const size_t *units, size_t n, unsigned jobs, double seconds,
                           const volatile sig_atomic_t *stop, hw_error *err)
{
    hw_estimate *e = t->e;
    gsl_rng *rng = hw_rng_new(hw_instance_seed(t->suite->seed, "sample of a dry run", 0));
    size_t *sample = HW_NEW(size_t, n);
    hw_code code = rng && sample ? HW_OK : hw_fail_memory(err, "an estimate");
    size_t left = 0;
    for (size_t k = 0; k < e->n_sections; k++)
        left += e->sections[k].units > 0;
    for (uint32_t k = 0; code == HW_OK && k < e->n_sections; k++) {
        hw_estimate_section *s = &e->sections[k];
        if (s->units == 0)
            continue;
        double share = (seconds - e->sample_seconds) / (double)left--;
        if (share > 0)
            code = run_sample(t, sample, lay_sample(t->suite, k, units, n, rng, sample), jobs,
                              share, stop, err);
        /* All the time by the units that ended: what was cut off took longer than it had. */
        uint64_t ended = s->sampled - s->unfinished;
        if (s->sampled)
            s->seconds *= (double)s->units / (double)(ended ? ended : 1);
        e->is_least = e->is_least || (s->sampled && !ended);
    }
    if (rng)
        gsl_rng_free(rng);
    free(sample);
    return code;
}

hw_code hw_estimate_by_sample(const hw_suite *suite, const hw_plan_choice *choice, unsigned jobs,
                              double seconds, const volatile sig_atomic_t *stop, hw_estimate *out,
                              hw_error *err)
{
    size_t *units, n;
    tally t = {.suite = suite, .e = out};
    *out = (hw_estimate){.sections = NULL};
    hw_code code = hw_plan_choose(suite, choice, &units, &n, err);
    if (code != HW_OK)
        return code;
    code = count_units(suite, units, n, out, err);
    if (code == HW_OK)
        code = run_samples(&t, units, n, jobs, seconds, stop, err);
    free(units);
    if (code != HW_OK)
        return code;
    out->bytes = t.lines ? (double)t.bytes / (double)t.lines * (double)out->runs : (double)NAN;
    sum_up(out);
    return HW_OK;
}

/* ---- By results. ---- */

/* What the results say of the units of a source. */
typedef struct known {
    double seconds;
    uint64_t runs;
} known;

static void count_result(const hw_suite *suite, const hw_plan *plan, const hw_record *r,
                         known *sources)
{
    size_t source;
    if (r->wall_seconds < 0 || !hw_plan_find_source(plan, r, &source))
        return;
    /* What was measured by one call is measured by more of them now. */
    double calls = r->repeats.known ? (double)r->repeats.value : 1;
    double enough = suite->sections[suite->sources[source].section].limits.measure_seconds;
    sources[source].seconds += fmax(r->wall_seconds * calls, enough);
    sources[source].runs++;
}

static hw_code sum_results(const hw_suite *suite, const size_t *units, size_t n,
                           const hw_results *results, hw_estimate *e, hw_error *err)
{
    hw_plan *plan;
    known *sources = HW_NEW0(known, suite->n_sources), *sections;
    sections = HW_NEW0(known, suite->n_sections);
    hw_code code =
        sources && sections ? hw_plan_new(suite, &plan, err) : hw_fail_memory(err, "an estimate");
    if (code == HW_OK) {
        for (size_t i = 0; i < results->n_records; i++)
            count_result(suite, plan, &results->records[i], sources);
        for (size_t i = 0; i < suite->n_sources; i++) {
            sections[suite->sources[i].section].seconds += sources[i].seconds;
            sections[suite->sources[i].section].runs += sources[i].runs;
        }
        for (size_t i = 0; i < n; i++) {
            uint32_t k = section_of(suite, units[i]);
            const known *own = &sources[suite->units[units[i]].source];
            const known *best = own->runs ? own : &sections[k];
            if (best->runs == 0)
                continue;
            e->sections[k].sampled += own->runs > 0;
            e->sampled += own->runs > 0;
            e->sections[k].seconds +=
                best->seconds / (double)best->runs * (double)suite->sections[k].n_solvers;
        }
        hw_plan_free(plan);
        sum_up(e);
    }
    free(sources);
    free(sections);
    return code;
}

hw_code hw_estimate_by_results(const hw_suite *suite, const hw_plan_choice *choice,
                               const hw_results *results, uint64_t bytes, hw_estimate *out,
                               hw_error *err)
{
    size_t *units, n;
    *out = (hw_estimate){.sections = NULL};
    hw_code code = hw_plan_choose(suite, choice, &units, &n, err);
    if (code != HW_OK)
        return code;
    code = count_units(suite, units, n, out, err);
    if (code == HW_OK)
        code = sum_results(suite, units, n, results, out, err);
    out->bytes = results->n_records ? (double)bytes / (double)results->n_records * (double)out->runs
                                    : (double)NAN;
    free(units);
    return code;
}
