/* What `transform` does for several graphs: sizes that vary, a file for each. */
#ifndef HW_CLI_TRANSFORM_EACH_H
#define HW_CLI_TRANSFORM_EACH_H

#include "cli/shared.h"

/* Does a --dim give several values? */
bool hw_transform_varies(const hw_cli *c);

/* Call take() for the graph at every value, ascending.  Errors of the sweep (sweep.h) and of
 * take(); HW_STOPPED at a signal. */
typedef hw_code (*hw_take_value)(void *context, const hw_graph *g, uint64_t value, hw_error *err);
hw_code hw_transform_sweep(hw_cli *c, hw_take_value take, void *context, hw_error *err);

/* HW_USAGE: the file name has not one {}, or there is an -o beside it. */
hw_code hw_transform_check_each(const hw_cli *c, const char *pattern, hw_error *err);

/* Write g to the file that the pattern names for `label`.  HW_USAGE: it is the one that is read;
 * HW_IO, HW_NO_MEMORY. */
hw_code hw_transform_write_each(const hw_cli *c, const hw_graph *g, const char *pattern,
                                uint64_t label, hw_format format, hw_error *err);

#endif
