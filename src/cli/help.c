/* The text of --help, from the rows of commands and options.  See cli.h. */
#include <string.h>

#include "cli/cli.h"
#include "cli/common.h"

enum { WIDTH = 79, OPTION_COLUMN = 28 };

void hw_cli_wrap(FILE *out, size_t at, size_t indent, const char *text)
{
    size_t column = at;
    bool line_has_words = false;
    while (*text) {
        if (*text == '\n') {
            (void)fputc('\n', out);
            column = 0;
            line_has_words = false;
            text++;
            continue;
        }
        if (*text == ' ') {
            text++;
            continue;
        }
        size_t word = strcspn(text, " \n");
        if (line_has_words && column + 1 + word > WIDTH) {
            (void)fputc('\n', out);
            column = 0;
            line_has_words = false;
        }
        if (line_has_words) {
            (void)fputc(' ', out);
            column++;
        } else if (column < indent) {
            (void)fprintf(out, "%*s", (int)(indent - column), "");
            column = indent;
        }
        (void)fwrite(text, 1, word, out);
        column += word;
        line_has_words = true;
        text += word;
    }
    (void)fputc('\n', out);
}

static void print_option(FILE *out, char letter, const hw_option *row)
{
    char left[96], help[640];
    const char shown[] = {'-', letter, ',', ' ', '\0'};
    (void)snprintf(left, sizeof left, "  %s--%s%s%s", letter ? shown : "    ", row->name,
                   row->value ? " " : "", row->value ? row->value : "");
    (void)snprintf(help, sizeof help, "%s%s%s%s", row->help, row->preset ? " (default: " : "",
                   row->preset ? row->preset : "", row->preset ? ")" : "");
    (void)fputs(left, out);
    size_t at = strlen(left);
    if (at + 2 > OPTION_COLUMN) {
        (void)fputc('\n', out);
        at = 0;
    }
    hw_cli_wrap(out, at, OPTION_COLUMN, help);
}

/* A parameter as an option: its range and default stand in the help. */
static void print_parameter(FILE *out, const hw_param_row *row)
{
    char help[640], preset[96];
    hw_param_value value;
    hw_params_preset(row, 1, &value);
    size_t skip = strlen(row->name) + 1; /* the text is "name=value" */
    (void)hw_params_text(row, 1, &value, preset, sizeof preset);
    const char *word = strlen(preset) > skip ? preset + skip : "";
    if (row->type == HW_PARAM_CHOICE)
        (void)snprintf(help, sizeof help, "%s (%s; default: %s)", row->help, row->choices, word);
    else if (row->type == HW_PARAM_BOOL)
        (void)snprintf(help, sizeof help, "%s (yes or no; default: %s)", row->help, word);
    else if (row->type == HW_PARAM_WORD || row->type == HW_PARAM_TEXT)
        (void)snprintf(help, sizeof help, "%s", row->help);
    else
        (void)snprintf(help, sizeof help,
                       row->type == HW_PARAM_INT ? "%s (%.0f to %.0f; default: %s)"
                                                 : "%s (%g to %g; default: %s)",
                       row->help, row->low, row->high, word);
    const hw_option option = {.name = row->name,
                              .value = row->type == HW_PARAM_INT    ? "N"
                                       : row->type == HW_PARAM_REAL ? "X"
                                                                    : "WORD",
                              .help = help};
    print_option(out, '\0', &option);
}

/* A shared option as this command takes it: where one --dim may give a range, help says so. */
static const hw_option *as_of_command(const hw_option *option, const hw_command *command)
{
    static const hw_option dims = {.name = "dim",
                                   .value = "NAME=VALUES",
                                   .help = "The value of a dimension; of one several: "
                                           "NAME=LOW:HIGH, NAME=LOW:HIGH:STEP or NAME=A,B,C. "
                                           "May be repeated."};
    return (command->common & HW_CLI_SWEEP) && strcmp(option->name, "dim") == 0 ? &dims : option;
}

static void command_help(const hw_cli *c, FILE *out)
{
    const hw_command *command = c->command;
    (void)fprintf(out, "Usage: highwater %s [OPTION]...%s%s\n\n", command->name,
                  command->arguments[0] ? " " : "", command->arguments);
    hw_cli_wrap(out, 0, 0, command->help);
    if (command->details) {
        (void)fputc('\n', out);
        hw_cli_wrap(out, 0, 0, command->details);
    }
    (void)fputs("\nOptions:\n", out);
    for (size_t i = 0; i < command->n_options; i++)
        print_option(out, '\0', &command->options[i]);
    for (size_t i = 0; i < hw_n_common_options; i++)
        if (hw_common_applies(&hw_common_options[i], command))
            print_option(out, hw_common_options[i].letter,
                         as_of_command(&hw_common_options[i].option, command));
    size_t n_params = 0;
    const hw_param_row *params = command->parameters ? command->parameters(c, &n_params) : NULL;
    if (params && n_params) {
        (void)fprintf(out, "\nParameters of %s:\n", c->args[0]);
        for (size_t i = 0; i < n_params; i++)
            print_parameter(out, &params[i]);
    }
    if (command->more_help)
        command->more_help(c, out);
    if (command->n_examples) {
        (void)fputs("\nExamples:\n", out);
        for (size_t i = 0; i < command->n_examples; i++)
            (void)fprintf(out, "  %s\n", command->examples[i]);
    }
}

static void list_commands(FILE *out)
{
    for (size_t i = 0; i < hw_n_help_lines; i++) {
        const hw_command *command = hw_help_lines[i].command;
        if (command)
            (void)fprintf(out, "  %-10s %s\n", command->name, command->help);
        else
            (void)fprintf(out, "%s%s:\n", i ? "\n" : "", hw_help_lines[i].heading);
    }
}

void hw_cli_short_help(FILE *out)
{
    (void)fputs("Usage: highwater COMMAND [OPTION]... [ARGUMENT]...\n\n", out);
    list_commands(out);
    (void)fputs("\n`highwater COMMAND --help` explains one, `highwater --help` the whole.\n", out);
}

void hw_cli_help(const hw_cli *c, FILE *out)
{
    if (c) {
        command_help(c, out);
        return;
    }
    (void)fputs("Usage: highwater COMMAND [OPTION]... [ARGUMENT]...\n\n"
                "Highwater finds execution orders of computation graphs whose peak of memory\n"
                "is least, and proves how far others are from it.\n\n",
                out);
    list_commands(out);
    (void)fputs("\nOptions of every command:\n", out);
    for (size_t i = 0; i < hw_n_common_options; i++)
        if (hw_common_options[i].flag == 0)
            print_option(out, hw_common_options[i].letter, &hw_common_options[i].option);
    const hw_option version = {.name = "version",
                               .help = "Versions of highwater and of its libraries, "
                                       "in place of a command."};
    print_option(out, '\0', &version);
    (void)fputs("\n"
                "Data goes to standard output, all else to standard error.  A file named -\n"
                "is standard input or output.\n\n"
                "Exit status:\n"
                "  0  fine; every answer of a solver is, `infeasible` and `unknown` too\n"
                "  1  a check failed: an illegal order, a peak that differs\n"
                "  2  usage: an unknown name, an impossible parameter\n"
                "  3  bad input, or a file that cannot be read or written\n"
                "  4  a limit, a lack of memory or a signal came before any answer\n"
                "  5  a disagreement inside the program: a bug, please report it\n\n"
                "Examples:\n"
                "  highwater gen layered --help\n"
                "  highwater gen layered | highwater solve - --solver dp\n",
                out);
}
