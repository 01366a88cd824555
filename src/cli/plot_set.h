/* All plots of results at once. */
#ifndef HW_CLI_PLOT_SET_H
#define HW_CLI_PLOT_SET_H

#include "cli/cli.h"
#include "plot/plot.h"

/*
 * Write each kind of plot that the data allow into the folder c->output_path,
 * made if need be: KIND.svg, with `pdf` KIND.pdf of page size, and plots.json
 * with their titles and captions.  Plots without data are mentioned; HW_BAD_INPUT
 * when there is none at all.  HW_IO, HW_NO_MEMORY, HW_STOPPED.
 */
hw_code hw_cli_plot_set(const hw_cli *c, const hw_plot_data *data, const hw_plot_options *options,
                        bool pdf, hw_error *err);

#endif
