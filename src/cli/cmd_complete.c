/* highwater complete: what may stand next on a command line, for shells. */
#include "cli/complete.h"

static hw_code run(hw_cli *c, hw_error *err)
{
    return hw_complete(c->args, c->n_args, c->out, err);
}

static const char *const examples[] = {
    "highwater complete -- sol",
    "highwater complete -- solve graph.json --solver exact:",
};

const hw_command hw_command_complete = {
    .name = "complete",
    .arguments = "[WORD...]",
    .most_args = INT32_MAX,
    .help = "Tell what may stand next on a command line, for the completion of shells.",
    .details =
        "WORDs are those behind `highwater`, put behind --; the last is the one that is being "
        "typed, and may be empty. The first line is files, folders or none: what else may stand "
        "there. Then follows a line a word, and behind a tab what it means.\n\n"
        "The completions of bash, zsh and fish that `make install` puts in place call this.",
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
