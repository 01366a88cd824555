/*
 * The table of commands: one row each.
 *
 * To add a command: one file cmd_NAME.c in this folder that defines an
 * hw_command named hw_command_NAME, one line below in the group that it
 * belongs to, tests in tests/cli/.
 */
#include "cli/cli.h"

/*
 * X(name of the row), the groups and the commands in them in the order of
 * `highwater --help`; G(heading) begins a group.
 */
#define HW_COMMAND_TABLE(G, X)                                                                     \
    G("Graphs")                                                                                    \
    X(hw_command_gen)                                                                              \
    X(hw_command_info)                                                                             \
    X(hw_command_import)                                                                           \
    X(hw_command_convert)                                                                          \
    X(hw_command_transform)                                                                        \
    G("Orders of a graph")                                                                         \
    X(hw_command_solve)                                                                            \
    X(hw_command_tradeoff)                                                                         \
    X(hw_command_buckets)                                                                          \
    X(hw_command_simulate)                                                                         \
    X(hw_command_check)                                                                            \
    X(hw_command_explain)                                                                          \
    X(hw_command_advise)                                                                           \
    G("Addresses and resident memory")                                                             \
    X(hw_command_arena)                                                                            \
    X(hw_command_replay)                                                                           \
    G("Graphs on which a rule fails")                                                              \
    X(hw_command_adversary)                                                                        \
    X(hw_command_shrink)                                                                           \
    X(hw_command_traits)                                                                           \
    X(hw_command_census)                                                                           \
    X(hw_command_corpus)                                                                           \
    G("The seed article")                                                                          \
    X(hw_command_claims)                                                                           \
    G("Many solvers on many graphs")                                                               \
    X(hw_command_bench)                                                                            \
    X(hw_command_merge)                                                                            \
    X(hw_command_table)                                                                            \
    X(hw_command_stats)                                                                            \
    X(hw_command_plot)                                                                             \
    X(hw_command_report)                                                                           \
    G("What there is")                                                                             \
    X(hw_command_list)                                                                             \
    X(hw_command_complete)

#define NOTHING(text)
#define DECLARE(row) extern const hw_command row;
HW_COMMAND_TABLE(NOTHING, DECLARE)

#define LIST(row) &(row),
const hw_command *const hw_commands[] = {HW_COMMAND_TABLE(NOTHING, LIST)};
const size_t hw_n_commands = sizeof hw_commands / sizeof hw_commands[0];

/* A heading stands before the row that follows it. */
#define HEADING(text) {.heading = (text)},
#define ROW(row)      {.command = &(row)},
const hw_help_line hw_help_lines[] = {HW_COMMAND_TABLE(HEADING, ROW)};
const size_t hw_n_help_lines = sizeof hw_help_lines / sizeof hw_help_lines[0];
