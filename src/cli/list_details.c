/* One solver or family at length.  See list_details.h. */
#include "cli/list_details.h"

#include <inttypes.h>
#include <string.h>

#include "cli/shared.h"

/* Columns of the texts beside the names of the lines. */
enum { TEXT = 12, PARAMETER = 28 };

static void put_line(FILE *out, const char *name, const char *text, size_t column)
{
    size_t at = column == TEXT ? 2 : 4;
    (void)fprintf(out, "%*s%s", (int)at, "", name);
    at += strlen(name);
    if (at + 2 > column) {
        (void)fputc('\n', out);
        at = 0;
    }
    hw_cli_wrap(out, at, column, text);
}

/* Sources stand in files of the row's name, with "_" for "-". */
static void put_file(FILE *out, const char *folder, const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s.c", folder, name);
    for (char *p = path + strlen(folder); *p; p++)
        if (*p == '-')
            *p = '_';
    put_line(out, "file", path, TEXT);
}

/* "  k=3  help (1 to 64)" */
static void put_parameter(const hw_param_row *row, FILE *out)
{
    char word[128], help[640];
    hw_param_value value;
    hw_params_preset(row, 1, &value);
    (void)hw_params_text(row, 1, &value, word, sizeof word);
    if (row->type == HW_PARAM_CHOICE)
        (void)snprintf(help, sizeof help, "%s (%s)", row->help, row->choices);
    else if (row->type == HW_PARAM_BOOL)
        (void)snprintf(help, sizeof help, "%s (yes or no)", row->help);
    else if (row->type == HW_PARAM_WORD || row->type == HW_PARAM_TEXT)
        (void)snprintf(help, sizeof help, "%s (at most %.0f bytes)", row->help, row->high);
    else
        (void)snprintf(help, sizeof help,
                       row->type == HW_PARAM_INT ? "%s (%.0f to %.0f)" : "%s (%g to %g)", row->help,
                       row->low, row->high);
    put_line(out, word, help, PARAMETER);
}

static void put_parameters(const hw_param_row *rows, size_t n, FILE *out)
{
    if (n)
        (void)fputs("  parameters and their defaults\n", out);
    for (size_t i = 0; i < n; i++)
        put_parameter(&rows[i], out);
}

const char *hw_solver_kind_name(hw_solver_kind kind)
{
    static const char *const names[] = {"heuristic", "exact", "bound"};
    return names[kind];
}

void hw_list_solver_details(const hw_solver_row *row, FILE *out)
{
    char text[256];
    (void)fprintf(out, "%s\n", row->name);
    put_line(out, "rule", row->help, TEXT);
    put_line(out, "kind", hw_solver_kind_name(row->kind), TEXT);
    put_line(out, "source", row->source, TEXT);
    put_file(out, "solvers", row->name);
    if (row->most_nodes && row->most_nodes < (uint32_t)INT32_MAX) {
        (void)snprintf(text, sizeof text, "of up to %" PRIu32 " nodes", row->most_nodes);
        put_line(out, "graphs", text, TEXT);
    }
    put_line(out, "states", row->counts ? row->counts : "states", TEXT);
    if (row->random)
        put_line(out, "seed", "the answer depends on --seed", TEXT);
    if (row->proves)
        put_line(out, "proofs", "written with --proof", TEXT);
    if (row->foreign)
        put_line(out, "seed", "handed over, as limits and accounting are", TEXT);
    put_parameters(row->params, row->n_params, out);
}

void hw_list_family_details(const hw_family_row *row, FILE *out)
{
    (void)fprintf(out, "%s\n", row->name);
    put_line(out, "graphs", row->help, TEXT);
    put_line(out, "source", row->source, TEXT);
    put_file(out, "gen", row->name);
    put_parameters(row->params, row->n_params, out);
}

void hw_list_allocator_details(const hw_allocator *row, FILE *out)
{
    (void)fprintf(out, "%s\n", row->name);
    put_line(out, "rule", row->help, TEXT);
    put_line(out, "source", row->source, TEXT);
    put_line(out, "serves",
             row->in_time_order ? "requests as they come, knowing nothing of later ones"
                                : "all buffers at once, in an order of its own",
             TEXT);
    if (row->random)
        put_line(out, "seed", "the outcome depends on --seed", TEXT);
    if (row->proves)
        put_line(out, "proves", "the least height, or that none fits a capacity", TEXT);
    put_parameters(row->params, row->n_params, out);
}
