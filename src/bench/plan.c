/* Runs of a suite: keys, places, parts, samples.  See plan.h. */
#include "bench/plan.h"

#include <sys/types.h>

#include <inttypes.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"

static const hw_suite_section *section_of(const hw_suite *suite, const hw_suite_source *source)
{
    return &suite->sections[source->section];
}

hw_record hw_plan_run(const hw_suite *suite, size_t unit, size_t solver)
{
    const hw_suite_unit *u = &suite->units[unit];
    const hw_suite_source *source = &suite->sources[u->source];
    const hw_suite_section *section = section_of(suite, source);
    const hw_suite_solver *s = &section->solvers[solver];
    return (hw_record){
        .suite = suite->name,
        .section = section->name,
        .family = source->family ? source->family->name : HW_SUITE_FILE,
        .params = source->label,
        .index = u->index,
        .seed = suite->seed,
        .sizes = source->sizes,
        .accounting = hw_accounting_name((hw_accounting)u->accounting),
        .pinned = u->pinned,
        .solver = s->spec,
        .command = s->command,
        .command_digest = s->digest[0] ? s->digest : NULL,
        .exact = s->row->kind == HW_SOLVER_EXACT,
        .state_limit = s->limits.solver.states,
        .memory_limit = s->limits.solver.memory_bytes,
        .time_limit = s->limits.solver.seconds,
    };
}

uint64_t hw_plan_seed(const hw_suite *suite, const hw_suite_unit *unit, size_t solver)
{
    const hw_suite_source *source = &suite->sources[unit->source];
    char text[1024];
    (void)snprintf(text, sizeof text, "%s on %s:%s",
                   section_of(suite, source)->solvers[solver].spec,
                   source->family ? source->family->name : HW_SUITE_FILE, source->label);
    return hw_instance_seed(suite->seed, text, unit->index);
}

static void digest(SHA2_CTX *context, const char *text)
{
    /* With its end, so that two texts are not one of another cut. */
    SHA256Update(context, (const uint8_t *)text, strlen(text) + 1);
}

void hw_plan_key(const hw_suite *suite, size_t unit, size_t solver, const char *graph,
                 const char *version, char key[HW_KEY_TEXT])
{
    hw_record r = hw_plan_run(suite, unit, solver);
    const hw_suite_solver *s =
        &section_of(suite, &suite->sources[suite->units[unit].source])->solvers[solver];
    uint64_t seed =
        s->row->random || s->row->foreign ? hw_plan_seed(suite, &suite->units[unit], solver) : 0;
    char numbers[160];
    (void)snprintf(numbers, sizeof numbers,
                   "%" PRIu64 " states, %.17g seconds, %" PRIu64 " bytes, pinned %d, seed %" PRIu64,
                   r.state_limit, r.time_limit, r.memory_limit, r.pinned, seed);
    SHA2_CTX context;
    uint8_t bytes[SHA256_DIGEST_LENGTH];
    SHA256Init(&context);
    digest(&context, graph);
    digest(&context, r.solver);
    digest(&context, r.accounting);
    digest(&context, numbers);
    digest(&context, version);
    if (s->command) {
        digest(&context, s->written);
        digest(&context, s->digest);
    }
    SHA256Final(bytes, &context);
    for (size_t i = 0; i < HW_KEY_TEXT / 2; i++)
        (void)snprintf(key + 2 * i, 3, "%02x", bytes[i]);
}

/* ---- Finding. ---- */

/* The name of a source; no two of a suite have the same. */
typedef struct place {
    const char *section, *family, *params;
    size_t source;
} place;

struct hw_plan {
    const hw_suite *suite;
    place *places;       /* of the sources, by name          */
    size_t *first_unit;  /* of each source                   */
    uint64_t *first_run; /* of each source: runs before its own */
};

static int compare_places(const void *x, const void *y)
{
    const place *a = x, *b = y;
    int d = strcmp(a->section, b->section);
    d = d ? d : strcmp(a->family, b->family);
    return d ? d : strcmp(a->params, b->params);
}

static place place_of(const hw_suite *suite, size_t i)
{
    const hw_suite_source *source = &suite->sources[i];
    return (place){.section = section_of(suite, source)->name,
                   .family = source->family ? source->family->name : HW_SUITE_FILE,
                   .params = source->label,
                   .source = i};
}

hw_code hw_plan_new(const hw_suite *suite, hw_plan **out, hw_error *err)
{
    size_t n = suite->n_sources;
    hw_plan *p = HW_NEW0(hw_plan, 1);
    *out = NULL;
    if (!p)
        return hw_fail_memory(err, "a plan");
    p->suite = suite;
    p->places = HW_NEW(place, n);
    p->first_unit = HW_NEW(size_t, n);
    p->first_run = HW_NEW(uint64_t, n);
    if (!p->places || !p->first_unit || !p->first_run) {
        hw_plan_free(p);
        return hw_fail_memory(err, "a plan");
    }
    for (size_t i = 0; i < n; i++)
        p->places[i] = place_of(suite, i);
    qsort(p->places, n, sizeof *p->places, compare_places);
    uint64_t run = 0;
    for (size_t u = 0; u < suite->n_units; u++) {
        uint32_t source = suite->units[u].source;
        if (u == 0 || suite->units[u - 1].source != source) {
            p->first_unit[source] = u;
            p->first_run[source] = run;
        }
        run += section_of(suite, &suite->sources[source])->n_solvers;
    }
    *out = p;
    return HW_OK;
}

void hw_plan_free(hw_plan *plan)
{
    if (!plan)
        return;
    free(plan->places);
    free(plan->first_unit);
    free(plan->first_run);
    free(plan);
}

/* The units of an instance follow each other, in the order in which the plan was made. */
static bool find_unit(const hw_plan *plan, size_t source, const hw_record *record, size_t *unit)
{
    const hw_suite *suite = plan->suite;
    if (record->index >= suite->sources[source].n_instances)
        return false;
    const hw_suite_section *s = section_of(suite, &suite->sources[source]);
    size_t each =
        (size_t)(s->accounting[0] + s->accounting[1]) * (size_t)(s->pinned[0] + s->pinned[1]);
    size_t first = plan->first_unit[source] + (size_t)record->index * each;
    for (size_t u = first; u < first + each; u++)
        if (suite->units[u].pinned == record->pinned &&
            strcmp(hw_accounting_name((hw_accounting)suite->units[u].accounting),
                   record->accounting) == 0) {
            *unit = u;
            return true;
        }
    return false;
}

bool hw_plan_find_source(const hw_plan *plan, const hw_record *record, size_t *source)
{
    const place like = {record->section, record->family, record->params, 0};
    const place *found = plan->suite->n_sources
                             ? bsearch(&like, plan->places, plan->suite->n_sources,
                                       sizeof *plan->places, compare_places)
                             : NULL;
    if (found)
        *source = found->source;
    return found != NULL;
}

bool hw_plan_find(const hw_plan *plan, const hw_record *record, size_t *unit, size_t *solver)
{
    const hw_suite *suite = plan->suite;
    size_t source;
    if (!hw_plan_find_source(plan, record, &source) || !find_unit(plan, source, record, unit))
        return false;
    const hw_suite_section *s = section_of(suite, &suite->sources[source]);
    for (size_t i = 0; i < s->n_solvers; i++)
        if (strcmp(s->solvers[i].spec, record->solver) == 0) {
            hw_record key = hw_plan_run(suite, *unit, i);
            *solver = i;
            return hw_record_compare_keys(&key, record) == 0;
        }
    return false;
}

uint64_t hw_plan_position(const hw_plan *plan, size_t unit, size_t solver)
{
    uint32_t source = plan->suite->units[unit].source;
    uint64_t each = section_of(plan->suite, &plan->suite->sources[source])->n_solvers;
    return plan->first_run[source] + (unit - plan->first_unit[source]) * each + solver;
}

/* ---- Choosing. ---- */

/* A random permutation of 0 .. n - 1 (Fisher and Yates). */
static bool shuffle(uint64_t seed, const char *what, uint64_t index, size_t *order, size_t n)
{
    gsl_rng *rng = hw_rng_new(hw_instance_seed(seed, what, index));
    if (!rng)
        return false;
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)hw_rng_below(rng, i), moved = order[i - 1];
        order[i - 1] = order[k];
        order[k] = moved;
    }
    gsl_rng_free(rng);
    return true;
}

/* Keep, in place and in their order, the units of a sample. */
static bool draw_sample(const hw_plan_choice *choice, size_t *units, size_t *n)
{
    size_t all = *n, kept = 0, most = (size_t)choice->sample;
    size_t *drawn = HW_NEW(size_t, all);
    bool *taken = HW_NEW0(bool, all);
    bool done = drawn && taken && shuffle(choice->sample_seed, "sample of units", 0, drawn, all);
    if (done) {
        for (size_t i = 0; i < most; i++)
            taken[drawn[i]] = true;
        for (size_t i = 0; i < all; i++)
            if (taken[units[i]])
                units[kept++] = units[i];
        *n = kept;
    }
    free(drawn);
    free(taken);
    return done;
}

hw_code hw_plan_choose(const hw_suite *suite, const hw_plan_choice *choice, size_t **units,
                       size_t *n, hw_error *err)
{
    static const hw_plan_choice everything = {.parts = 0};
    const hw_plan_choice *c = choice ? choice : &everything;
    *units = NULL;
    *n = suite->n_units;
    if (c->parts && (c->part < 1 || c->part > c->parts))
        return hw_fail(err, HW_USAGE, "there is no part %" PRIu64 " of %" PRIu64 ": 1 is the first",
                       c->part, c->parts);
    size_t *order = HW_NEW(size_t, *n);
    if (!order || !shuffle(suite->seed, "order of the units", 0, order, *n) ||
        (c->sample && c->sample < *n && !draw_sample(c, order, n))) {
        free(order);
        return hw_fail_memory(err, "the plan of a sweep");
    }
    size_t kept = 0;
    for (size_t i = 0; c->parts && i < *n; i++)
        if (i % c->parts == c->part - 1)
            order[kept++] = order[i];
    if (c->parts)
        *n = kept;
    *units = order;
    return HW_OK;
}

hw_code hw_plan_solvers(const hw_suite *suite, size_t unit, uint32_t *order, hw_error *err)
{
    size_t n = section_of(suite, &suite->sources[suite->units[unit].source])->n_solvers;
    size_t *drawn = HW_NEW(size_t, n);
    bool done = drawn && shuffle(suite->seed, "order of the solvers", unit, drawn, n);
    for (size_t i = 0; done && i < n; i++)
        order[i] = (uint32_t)drawn[i];
    free(drawn);
    return done ? HW_OK : hw_fail_memory(err, "the solvers of a unit");
}
