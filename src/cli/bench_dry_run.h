/* What `highwater bench --dry-run` says. */
#ifndef HW_CLI_BENCH_DRY_RUN_H
#define HW_CLI_BENCH_DRY_RUN_H

#include "bench/plan.h"
#include "cli/cli.h"

/*
 * Instances, units and runs of what is chosen, and what they will take: by
 * running some of them for a while, or from the results named by --times.
 */
hw_code hw_bench_dry_run(hw_cli *c, const hw_suite *suite, const hw_plan_choice *choice,
                         hw_error *err);

#endif
