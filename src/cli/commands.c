/*
 * The table of commands: one row each.
 *
 * To add a command: one file cmd_NAME.c in this folder that defines an
 * hw_command named hw_command_NAME, one line below, tests in tests/cli/.
 */
#include "cli/cli.h"

/* X(name of the row); the order is that of `highwater --help`. */
#define HW_COMMAND_TABLE(X)                                                                        \
    X(hw_command_gen)                                                                              \
    X(hw_command_info)                                                                             \
    X(hw_command_solve)                                                                            \
    X(hw_command_tradeoff)                                                                         \
    X(hw_command_buckets)                                                                          \
    X(hw_command_simulate)                                                                         \
    X(hw_command_check)                                                                            \
    X(hw_command_arena)                                                                            \
    X(hw_command_replay)                                                                           \
    X(hw_command_explain)                                                                          \
    X(hw_command_advise)                                                                          \
    X(hw_command_adversary)                                                                        \
    X(hw_command_shrink)                                                                           \
    X(hw_command_traits)                                                                           \
    X(hw_command_census)                                                                           \
    X(hw_command_corpus)                                                                           \
    X(hw_command_bench)                                                                            \
    X(hw_command_table)                                                                            \
    X(hw_command_plot)                                                                             \
    X(hw_command_import)                                                                           \
    X(hw_command_list)                                                                             \
    X(hw_command_convert)                                                                          \
    X(hw_command_transform)

#define DECLARE(row) extern const hw_command row;
HW_COMMAND_TABLE(DECLARE)

#define LIST(row) &(row),
const hw_command *const hw_commands[] = {HW_COMMAND_TABLE(LIST)};
const size_t hw_n_commands = sizeof hw_commands / sizeof hw_commands[0];
