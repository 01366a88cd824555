/* Missing runs, for a person and for a script.  See merge_report.h. */
#include "cli/merge_report.h"

#include <inttypes.h>

#include "bench/unit.h"

enum { PARTS_SHOWN = 20 };

/* "highwater bench SUITE --seed 7", as far as it is the same for all. */
static void put_command(const hw_cli *c, char *text, size_t size)
{
    const char *seed = hw_cli_value(c, "seed");
    (void)snprintf(text, size, "highwater bench %.200s%s%.40s", c->args[0], seed ? " --seed " : "",
                   seed ? seed : "");
}

void hw_merge_note_missing(const hw_cli *c, const hw_suite *suite, const hw_missing *missing)
{
    for (size_t k = 0; k < suite->n_sections; k++)
        if (missing->by_section[k])
            hw_cli_note(c, "[%s] lacks %" PRIu64 " runs", suite->sections[k].name,
                        missing->by_section[k]);
    char command[300];
    put_command(c, command, sizeof command);
    uint64_t n = 0;
    for (uint64_t i = 0; i < missing->parts; i++) {
        if (!missing->by_part[i] || n++ >= PARTS_SHOWN)
            continue;
        const char *file = missing->file_of_part[i];
        hw_cli_note(c,
                    "part %" PRIu64 " lacks %" PRIu64 " runs: %s --part %" PRIu64 "/%" PRIu64
                    " -o %s --resume",
                    i + 1, missing->by_part[i], command, i + 1, missing->parts,
                    file ? file : "FILE");
    }
    if (n > PARTS_SHOWN)
        hw_cli_note(c, "and %" PRIu64 " more parts (--list-missing has all)", n - PARTS_SHOWN);
}

hw_code hw_merge_fail_missing(const hw_cli *c, const hw_suite *suite, const hw_missing *missing,
                              hw_error *err)
{
    char name[200], cure[400];
    hw_unit_name(suite, &suite->units[missing->first_unit], name, sizeof name);
    const hw_suite_unit *u = &suite->units[missing->first_unit];
    const char *solver =
        suite->sections[suite->sources[u->source].section].solvers[missing->first_solver].spec;
    char command[300];
    put_command(c, command, sizeof command);
    if (missing->parts)
        (void)snprintf(cure, sizeof cure, "the commands above run them");
    else if (c->n_args == 2)
        (void)snprintf(cure, sizeof cure, "%s -o %.60s --resume runs them", command, c->args[1]);
    else
        (void)snprintf(cure, sizeof cure, "--parts M says which parts of M lack them");
    return hw_fail(err, HW_CHECK_FAILED,
                   "%" PRIu64 " of %" PRIu64 " runs are missing, in %" PRIu64
                   " units, the first: %.80s on %s: %s; --partial takes what there is",
                   missing->runs, suite->n_runs, missing->units, solver, name, cure);
}

void hw_merge_list_missing(FILE *out, const hw_missing *missing)
{
    for (uint64_t i = 0; i < missing->parts; i++)
        if (missing->by_part[i])
            (void)fprintf(out, "%" PRIu64 "\n", i + 1);
}
