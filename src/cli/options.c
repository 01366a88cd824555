/*
 * Reading the command line against the rows of a command.  See cli.h.
 *
 * "--name value", "--name=value", "-o value", "-ovalue", "-qv"; "--" ends the
 * options and "-" is an argument (standard input).
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/common.h"
#include "core/memory.h"
#include "core/rng.h"

enum { MOST_NAMES = 96, MOST_JOBS = 4096, NAME_BYTES = 64 };

const hw_common_option hw_common_options[] = {
    {HW_CLI_JSON, '\0', {"json", NULL, NULL, "Write JSON instead of text."}},
    {HW_CLI_SEED,
     '\0',
     {"seed", "S", "20240229", "The seed of all that is drawn, decimal or 0x...: 64 bits."}},
    {HW_CLI_JOBS, 'j', {"jobs", "N", "the processors", "Work in N processes."}},
    {HW_CLI_THREADS,
     'j',
     {"jobs", "N", "1", "Search on N processors, where the solver can; the answer is the same."}},
    {HW_CLI_OUTPUT,
     'o',
     {"output", "FILE", NULL,
      "Write to FILE, which appears whole or not at all; - is standard output."}},
    {HW_CLI_OWN_FILE, 'o', {"output", "FILE", NULL, "Write to FILE."}},
    {HW_CLI_FOLDER, 'o', {"output", "FOLDER", NULL, "Keep the search in FOLDER, made if need be."}},
    {HW_CLI_IMPORT,
     '\0',
     {"from", "FORMAT", "told by content",
      "The format of the graph's file: `highwater list formats`."}},
    {HW_CLI_IMPORT,
     '\0',
     {"dim", "NAME=N", NULL, "The value of a symbolic dimension of the file; may be repeated."}},
    {HW_CLI_IMPORT,
     '\0',
     {"lock", "OP", NULL, "Nodes of this operator type keep their order; may be repeated."}},
    {HW_CLI_IMPORT,
     '\0',
     {"window", "W", NULL, "No node may move by more than W from its place in the file."}},
    {HW_CLI_IMPORT,
     '\0',
     {"view", "OP", NULL,
      "Nodes of this operator type (Transpose, ...) make views; may be repeated."}},
    {HW_CLI_IMPORT,
     '\0',
     {"operators", "FILE", NULL,
      "More rows for the table of operator types: lines 'NAME TRAIT...'."}},
    {HW_CLI_IMPORT,
     '\0',
     {"stage-in", NULL, NULL,
      "Raw inputs of a workflow are nodes that bring them in, not inputs."}},
    {0, 'q', {"quiet", NULL, NULL, "No notes on standard error, only errors."}},
    {0, 'v', {"verbose", NULL, NULL, "More notes on standard error."}},
    {0, 'h', {"help", NULL, NULL, "This help."}},
};
const size_t hw_n_common_options = sizeof hw_common_options / sizeof hw_common_options[0];

bool hw_common_applies(const hw_common_option *row, const hw_command *command)
{
    return row->flag == 0 || (row->flag & command->common) != 0;
}

/* Where reading stands. */
typedef struct scan {
    hw_cli *c;
    int at, argc;
    char **argv;
} scan;

static hw_code need_value(scan *s, const char *shown, const hw_option *row, const char **value,
                          hw_error *err)
{
    if (*value)
        return HW_OK;
    if (s->at + 1 >= s->argc)
        return hw_fail(err, HW_USAGE, "option %s needs a value: %s %s", shown, shown, row->value);
    *value = s->argv[++s->at];
    return HW_OK;
}

static void keep(hw_cli *c, const char *name, const char *value, bool is_parameter)
{
    c->given[c->n_given++] = (hw_given){.name = name, .value = value, .is_parameter = is_parameter};
}

static hw_code set_common(hw_cli *c, const hw_common_option *row, const char *value, hw_error *err)
{
    const char *name = row->option.name;
    if (strcmp(name, "json") == 0) {
        c->json = true;
    } else if (strcmp(name, "quiet") == 0) {
        c->quiet = true;
    } else if (strcmp(name, "verbose") == 0) {
        c->verbose++;
    } else if (strcmp(name, "help") == 0) {
        c->help = true;
    } else if (strcmp(name, "output") == 0) {
        c->output_path = value;
    } else if (row->flag == HW_CLI_IMPORT) {
        keep(c, name, value, false);
    } else if (strcmp(name, "seed") == 0) {
        if (!hw_read_u64(value, &c->seed))
            return hw_fail(err, HW_USAGE,
                           "option --seed: '%s' is no 64-bit number: give 0 to 2^64-1, "
                           "decimal or 0x...",
                           value);
        keep(c, name, value, false); /* a suite has a seed of its own, but for one that is given */
    } else {
        uint64_t jobs;
        if (!hw_read_u64(value, &jobs) || jobs < 1 || jobs > MOST_JOBS)
            return hw_fail(err, HW_USAGE, "option --jobs: '%s' is no number of %s: 1 to %d", value,
                           row->flag == HW_CLI_THREADS ? "processors" : "processes",
                           (int)MOST_JOBS);
        c->jobs = (unsigned)jobs;
    }
    return HW_OK;
}

/* A picture is --plot in one command and --draw in another: the word that this one has, or NULL. */
static const char *other_word(const char *name, const char *const *names, size_t n)
{
    const char *other = strcmp(name, "plot") == 0   ? "draw"
                        : strcmp(name, "draw") == 0 ? "plot"
                                                    : NULL;
    for (size_t i = 0; other && i < n; i++)
        if (strcmp(names[i], other) == 0)
            return other;
    return NULL;
}

static hw_code unknown_option(const hw_cli *c, const char *name, hw_error *err)
{
    const char *names[MOST_NAMES];
    size_t n = 0, n_params = 0;
    const hw_command *command = c->command;
    for (size_t i = 0; i < command->n_options && n < MOST_NAMES; i++)
        names[n++] = command->options[i].name;
    for (size_t i = 0; i < hw_n_common_options && n < MOST_NAMES; i++)
        if (hw_common_applies(&hw_common_options[i], command))
            names[n++] = hw_common_options[i].option.name;
    const hw_param_row *rows = command->parameters ? command->parameters(c, &n_params) : NULL;
    for (size_t i = 0; rows && i < n_params && n < MOST_NAMES; i++)
        names[n++] = rows[i].name;
    const char *near = other_word(name, names, n);
    if (!near)
        near = hw_nearest_name(name, names, n);
    char after[128] = "";
    if (command->parameters && !rows && c->n_args)
        (void)snprintf(after, sizeof after, " ('%.60s' is no %s)", c->args[0], command->arguments);
    else if (command->parameters && !rows)
        (void)snprintf(after, sizeof after, " (options of a family come after its name)");
    return hw_fail(err, HW_USAGE,
                   "%s has no option --%s%s%s%s%s `highwater %s%s%.60s --help` shows all",
                   command->name, name, after, near ? "; did you mean --" : "", near ? near : "",
                   near ? "?" : ":", command->name, rows ? " " : "", rows ? c->args[0] : "");
}

static hw_code read_long(scan *s, hw_error *err)
{
    hw_cli *c = s->c;
    const hw_command *command = c->command;
    const char *text = s->argv[s->at] + 2;
    size_t length = strcspn(text, "=");
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    char name[NAME_BYTES], shown[NAME_BYTES + 2] = "--";
    if (length >= sizeof name)
        return hw_fail(err, HW_USAGE, "%s has no option %.40s...: `highwater %s --help` shows all",
                       command->name, s->argv[s->at], command->name);
    memcpy(name, text, length);
    name[length] = '\0';
    memcpy(shown + 2, name, length + 1);

    const hw_option *row = NULL;
    const hw_common_option *common = NULL;
    for (size_t i = 0; !row && i < command->n_options; i++)
        if (strcmp(command->options[i].name, name) == 0)
            row = &command->options[i];
    for (size_t i = 0; !row && i < hw_n_common_options; i++)
        if (hw_common_applies(&hw_common_options[i], command) &&
            strcmp(hw_common_options[i].option.name, name) == 0) {
            common = &hw_common_options[i];
            row = &common->option;
        }
    if (row) {
        if (!row->value && value)
            return hw_fail(err, HW_USAGE, "option %s takes no value, and so not '%s'", shown,
                           value);
        hw_code code = row->value ? need_value(s, shown, row, &value, err) : HW_OK;
        if (code != HW_OK)
            return code;
        if (common)
            return set_common(c, common, value, err);
        keep(c, row->name, value, false);
        return HW_OK;
    }
    size_t n_params = 0;
    const hw_param_row *params = command->parameters ? command->parameters(c, &n_params) : NULL;
    for (size_t i = 0; params && i < n_params; i++)
        if (strcmp(params[i].name, name) == 0) {
            const hw_option as_option = {.name = params[i].name, .value = "VALUE"};
            hw_code code = need_value(s, shown, &as_option, &value, err);
            if (code == HW_OK)
                keep(c, params[i].name, value, true);
            return code;
        }
    return unknown_option(c, name, err);
}

/* "-qv", "-j4", "-o FILE": letters of common options. */
static hw_code read_letters(scan *s, hw_error *err)
{
    const char *word = s->argv[s->at];
    for (const char *p = word + 1; *p; p++) {
        const hw_common_option *row = NULL;
        for (size_t i = 0; i < hw_n_common_options; i++)
            if (hw_common_options[i].letter == *p &&
                hw_common_applies(&hw_common_options[i], s->c->command))
                row = &hw_common_options[i];
        if (!row)
            return hw_fail(err, HW_USAGE,
                           "%s has no option -%c (in '%s'): `highwater %s --help` shows all",
                           s->c->command->name, *p, word, s->c->command->name);
        const char shown[3] = {'-', *p, '\0'};
        const char *value = row->option.value && p[1] ? p + 1 : NULL;
        hw_code code = row->option.value ? need_value(s, shown, &row->option, &value, err) : HW_OK;
        if (code == HW_OK)
            code = set_common(s->c, row, value, err);
        if (code != HW_OK || row->option.value)
            return code;
    }
    return HW_OK;
}

hw_code hw_cli_read(hw_cli *c, const hw_command *command, int argc, char **argv, hw_error *err)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *c = (hw_cli){.command = command, .seed = HW_DEFAULT_SEED, .out = stdout};
    c->jobs = processors < 1 ? 1 : processors > MOST_JOBS ? MOST_JOBS : (unsigned)processors;
    if (command->common & HW_CLI_THREADS)
        c->jobs = 1;
    c->args = HW_NEW(const char *, argc + 1);
    c->given = HW_NEW(hw_given, argc + 1);
    if (!c->args || !c->given)
        return hw_fail_memory(err, "the command line");

    scan s = {.c = c, .argc = argc, .argv = argv};
    bool options = true;
    for (; s.at < argc; s.at++) {
        const char *word = argv[s.at];
        hw_code code = HW_OK;
        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (options && word[0] == '-' && word[1] == '-')
            code = read_long(&s, err);
        else if (options && word[0] == '-' && word[1] != '\0')
            code = read_letters(&s, err);
        else
            c->args[c->n_args++] = word;
        if (code != HW_OK)
            return code;
    }
    if (c->help)
        return HW_OK;
    if (c->n_args < (size_t)command->least_args)
        return hw_fail(err, HW_USAGE, "an argument is missing: highwater %s [OPTION]... %s",
                       command->name, command->arguments);
    if (c->n_args > (size_t)command->most_args)
        return hw_fail(err, HW_USAGE, "'%s' is one argument too many: highwater %s [OPTION]... %s",
                       c->args[command->most_args], command->name, command->arguments);
    return HW_OK;
}

void hw_cli_clear(hw_cli *c)
{
    free(c->args);
    free(c->given);
    c->args = NULL;
    c->given = NULL;
    c->n_args = c->n_given = 0;
}
