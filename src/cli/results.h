/* What the commands that read results share. */
#ifndef HW_CLI_RESULTS_H
#define HW_CLI_RESULTS_H

#include "bench/groups.h"
#include "bench/results.h"
#include "cli/cli.h"

#define HW_OPTION_WHERE                                                                            \
    {                                                                                              \
        "where", "FIELD=VALUE", NULL,                                                              \
            "Only results with this value of suite, section, family, params, nodes, accounting, "  \
            "pinned (yes, no) or solver; of nodes a range too, as nodes=1..255. Repeated for one " \
            "field: any of the values."                                                            \
    }
#define HW_OPTION_SKIP_BROKEN                                                                      \
    {                                                                                              \
        "skip-broken", NULL, NULL, "Leave out lines that are no results, and say how many."        \
    }

/* What --where asks for: conditions[0 .. *n), which have room for so many.  HW_USAGE. */
enum { HW_CLI_MOST_CONDITIONS = 64 };
hw_code hw_cli_conditions(const hw_cli *c, hw_condition *conditions, size_t *n, hw_error *err);

/*
 * Load the results of c->args[0] and keep those that --where chooses, of runs
 * of one solver on one unit the last.
 * HW_BAD_INPUT also when none is left.  Released by hw_results_free().
 */
hw_code hw_cli_results(const hw_cli *c, hw_results **out, hw_error *err);

/* The same of all of c->args together, one file after the other. */
typedef struct hw_cli_all_results {
    hw_results **file;
    size_t n_files;
    hw_record *records;
    size_t n_records;
} hw_cli_all_results;
hw_code hw_cli_all_results_load(const hw_cli *c, hw_cli_all_results *all, hw_error *err);
void hw_cli_all_results_free(hw_cli_all_results *all);

#endif
