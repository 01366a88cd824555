/* `highwater adversary --shrink FILE`: the best graph, as small as its ratio allows. */
#ifndef HW_CLI_ADVERSARY_SHRINK_H
#define HW_CLI_ADVERSARY_SHRINK_H

#include "cli/adversary_options.h"

/*
 * Shrink the graph of a find inside the limits of its search, but for the
 * least numbers of nodes and edges, and with its ratio kept; into `file`, which
 * is committed.  Tells of it on c->out.  Errors as of hw_shrink().
 */
hw_code hw_adversary_shrink(const hw_cli *c, const hw_adversary_job *job,
                            const hw_search_state *state, hw_output *file, hw_error *err);

#endif
