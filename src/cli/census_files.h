/* The files that a census writes beside its table. */
#ifndef HW_CLI_CENSUS_FILES_H
#define HW_CLI_CENSUS_FILES_H

#include "census/census_report.h"
#include "cli/cli.h"

/* Before hours of work: can the files that options name be written at all?  HW_USAGE. */
hw_code hw_cli_census_check(const hw_cli *c, hw_error *err);

/* Draw the plot into a file. */
hw_code hw_cli_census_plot(const hw_census_report *r, const char *path, hw_error *err);

/* The worst graph of every solver, accounting and number of nodes into a folder. */
hw_code hw_cli_census_graphs(const hw_cli *c, const hw_census_report *r, const char *folder,
                             hw_error *err);

#endif
