/*
 * Limits of a suite: of a section, and of one solver in it.
 *
 * What is given to a solver by name wins over what is given to all; of two
 * lines for the same solver, one in the section wins over one before the first
 * section, and a later over an earlier.  See suite_internal.h.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/suite_internal.h"
#include "core/memory.h"

static void put(hw_suite_limits *to, hw_suite_limit_key key, const hw_suite_limits *from)
{
    switch (key) {
    case HW_SUITE_STATE_LIMIT:
        to->solver.states = from->solver.states;
        break;
    case HW_SUITE_TIME_LIMIT:
        to->solver.seconds = from->solver.seconds;
        break;
    case HW_SUITE_MEMORY_LIMIT:
        to->solver.memory_bytes = from->solver.memory_bytes;
        break;
    case HW_SUITE_KILL_AFTER:
        to->kill_after_seconds = from->kill_after_seconds;
        break;
    case HW_SUITE_CPU_LIMIT:
        to->cpu_seconds = from->cpu_seconds;
        break;
    case HW_SUITE_MEMORY_KILL:
        to->memory_kill_bytes = from->memory_kill_bytes;
        break;
    case HW_SUITE_MEASURE_FOR:
        to->measure_seconds = from->measure_seconds;
        break;
    case HW_SUITE_MOST_NODES:
        to->most_nodes = from->most_nodes;
        break;
    }
}

static hw_code parse(const hw_suite_reader *r, hw_suite_limit_key key, const char *name,
                     const char *value, hw_suite_limits *out, hw_error *err)
{
    *out = (hw_suite_limits){.most_nodes = 0};
    switch (key) {
    case HW_SUITE_STATE_LIMIT:
        return hw_suite_count(r, name, value, &out->solver.states, err);
    case HW_SUITE_TIME_LIMIT:
        return hw_suite_seconds(r, name, value, &out->solver.seconds, err);
    case HW_SUITE_MEMORY_LIMIT:
        return hw_suite_bytes(r, name, value, &out->solver.memory_bytes, err);
    case HW_SUITE_KILL_AFTER:
        return hw_suite_seconds(r, name, value, &out->kill_after_seconds, err);
    case HW_SUITE_CPU_LIMIT:
        return hw_suite_seconds(r, name, value, &out->cpu_seconds, err);
    case HW_SUITE_MEMORY_KILL:
        return hw_suite_bytes(r, name, value, &out->memory_kill_bytes, err);
    case HW_SUITE_MEASURE_FOR:
        return hw_suite_seconds(r, name, value, &out->measure_seconds, err);
    case HW_SUITE_MOST_NODES:
        return hw_suite_count(r, name, value, &out->most_nodes, err);
    }
    return hw_fail(err, HW_INTERNAL, "limit %s of a suite is not handled", name);
}

hw_code hw_suite_set_limit(hw_suite_reader *r, uint32_t section, hw_suite_limit_key key,
                           const char *name, const char *spec, const char *value, hw_error *err)
{
    hw_suite_own_limit own = {.section = section, .key = key, .name = name, .line = r->line};
    hw_code code = parse(r, key, name, value, &own.value, err);
    if (code != HW_OK)
        return code;
    if (!*spec) {
        put(&r->suite->sections[section].limits, key, &own.value);
        return HW_OK;
    }
    const hw_solver_row *row;
    hw_param_value unused[HW_PARAM_LIMIT];
    hw_error why = {.code = HW_OK};
    own.is_name = hw_solver_parse(spec, &row, unused, &why) != HW_OK;
    if (own.is_name && strchr(spec, ':'))
        return hw_suite_fail(r, HW_BAD_INPUT, err, "%s %s: %s", name, spec, why.message);
    if (!hw_grow((void **)&r->own, &r->own_capacity, r->n_own + 1, sizeof *r->own))
        return hw_fail_memory(err, "a suite");
    own.spec = hw_copy_text(spec, strlen(spec));
    if (!own.spec)
        return hw_fail_memory(err, "a suite");
    r->own[r->n_own++] = own;
    return HW_OK;
}

/* Neither a solver of ours nor the name of a foreign one. */
static hw_code fail_no_name(const hw_suite_reader *r, const hw_suite_own_limit *own, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value unused[HW_PARAM_LIMIT];
    hw_error why = {.code = HW_OK};
    (void)hw_solver_parse(own->spec, &row, unused, &why);
    return hw_suite_fail(r, HW_BAD_INPUT, err, "%s %s: %s", own->name, own->spec, why.message);
}

hw_code hw_suite_settle_limits(hw_suite_reader *r, hw_error *err)
{
    for (size_t i = 0; i < r->suite->n_sections; i++) {
        hw_suite_section *s = &r->suite->sections[i];
        for (size_t k = 0; k < s->n_solvers; k++) {
            s->solvers[k].limits = s->limits;
            /* Section 0 holds what stands before the first, so it comes first here. */
            for (size_t o = 0; o < r->n_own; o++)
                if ((r->own[o].section == 0 || r->own[o].section == i) &&
                    strcmp(r->own[o].spec, s->solvers[k].spec) == 0) {
                    put(&s->solvers[k].limits, r->own[o].key, &r->own[o].value);
                    r->own[o].used = true;
                }
        }
    }
    for (size_t o = 0; o < r->n_own; o++) {
        const hw_suite_own_limit *own = &r->own[o];
        r->line = own->line;
        if (!own->used && own->is_name)
            return fail_no_name(r, own, err);
        if (!own->used)
            return hw_suite_fail(r, HW_BAD_INPUT, err,
                                 "a limit of %s, but no solver is so named in %s%s%s: write it as "
                                 "its line `solver` or `optimum` does, or leave the limit out",
                                 own->spec, own->section ? "section [" : "any section",
                                 own->section ? r->suite->sections[own->section].name : "",
                                 own->section ? "]" : "");
    }
    return HW_OK;
}

void hw_suite_forget_limits(hw_suite_reader *r)
{
    for (size_t i = 0; i < r->n_own; i++)
        free(r->own[i].spec);
    free(r->own);
    r->own = NULL;
    r->n_own = 0;
}
