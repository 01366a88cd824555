/* Why a result is none of a suite.  See foreign.h. */
#include "merge/foreign.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Texts of a file are cut to this in messages. */
#define SHOWN "%.60s"

static const hw_suite_section *find_section(const hw_suite *suite, const char *name,
                                            uint32_t *number)
{
    for (size_t i = 0; i < suite->n_sections; i++)
        if (strcmp(suite->sections[i].name, name) == 0) {
            *number = (uint32_t)i;
            return &suite->sections[i];
        }
    return NULL;
}

static const hw_suite_source *find_source(const hw_suite *suite, uint32_t section,
                                          const hw_record *r)
{
    for (size_t i = 0; i < suite->n_sources; i++) {
        const hw_suite_source *s = &suite->sources[i];
        const char *family = s->family ? s->family->name : HW_SUITE_FILE;
        if (s->section == section && strcmp(family, r->family) == 0 &&
            strcmp(s->label, r->params) == 0)
            return s;
    }
    return NULL;
}

static bool is_run_under(const hw_suite_section *s, const hw_record *r)
{
    for (unsigned a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
        if (s->accounting[a] && s->pinned[r->pinned] &&
            strcmp(hw_accounting_name((hw_accounting)a), r->accounting) == 0)
            return true;
    return false;
}

static const hw_suite_solver *find_solver(const hw_suite_section *s, const char *spec)
{
    for (size_t i = 0; i < s->n_solvers; i++)
        if (strcmp(s->solvers[i].spec, spec) == 0)
            return &s->solvers[i];
    return NULL;
}

static void put_limits(const hw_limits *wanted, const hw_record *r, char *why, size_t size)
{
    (void)snprintf(why, size,
                   "solver " SHOWN " with other limits (%" PRIu64 " states, %g s, %" PRIu64
                   " bytes; the suite has %" PRIu64 ", %g, %" PRIu64 "; 0: none)",
                   r->solver, r->state_limit, r->time_limit, r->memory_limit, wanted->states,
                   wanted->seconds, wanted->memory_bytes);
}

void hw_foreign_reason(const hw_suite *suite, const hw_record *r, char *why, size_t size)
{
    uint32_t number = 0;
    const hw_suite_section *section = find_section(suite, r->section, &number);
    const hw_suite_source *source = section ? find_source(suite, number, r) : NULL;
    const hw_suite_solver *solver = section ? find_solver(section, r->solver) : NULL;
    if (strcmp(r->suite, suite->name) != 0)
        (void)snprintf(why, size, "suite " SHOWN ", not " SHOWN, r->suite, suite->name);
    else if (r->seed != suite->seed)
        (void)snprintf(why, size, "seed %" PRIu64 ", not %" PRIu64, r->seed, suite->seed);
    else if (!section)
        (void)snprintf(why, size, "it has no section " SHOWN, r->section);
    else if (!source)
        (void)snprintf(why, size, "section " SHOWN " has no " SHOWN ":" SHOWN, r->section,
                       r->family, r->params);
    else if (r->index >= source->n_instances)
        (void)snprintf(why, size,
                       SHOWN ":" SHOWN " has %" PRIu64 " instances, and this is number %" PRIu64
                             " from 0",
                       r->family, r->params, source->n_instances, r->index);
    else if (!is_run_under(section, r))
        (void)snprintf(why, size, "section " SHOWN " is not run under " SHOWN "%s", r->section,
                       r->accounting, r->pinned ? ", inputs pinned" : ", inputs not pinned");
    else if (!solver)
        (void)snprintf(why, size, "section " SHOWN " has no solver " SHOWN, r->section, r->solver);
    else
        put_limits(&solver->limits.solver, r, why, size);
}
