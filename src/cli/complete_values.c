/* Values of options and parameters, and names out of registries.  See complete.h. */
#include <string.h>

#include "arena/arena.h"
#include "bench/groups.h"
#include "claims/claims.h"
#include "cli/complete.h"
#include "core/control.h"
#include "gen/family.h"
#include "import/import.h"
#include "io/io.h"
#include "solve/solver.h"
#include "transform/steps.h"

static bool is_name(const char *name, size_t n, const char *word)
{
    return strlen(word) == n && strncmp(name, word, n) == 0;
}

hw_value_taken hw_value_by_name(const char *name, size_t n)
{
    static const struct {
        const char *name;
        hw_value_kind kind;
    } kinds[] = {
        {"FILE", HW_TAKES_FILE},       {"GRAPH", HW_TAKES_FILE},
        {"IN", HW_TAKES_FILE},         {"OUT", HW_TAKES_FILE},
        {"SUITE", HW_TAKES_FILE},      {"RESULTS", HW_TAKES_FILE},
        {"LIB", HW_TAKES_FILE},        {"FOLDER", HW_TAKES_FOLDER},
        {"DIR", HW_TAKES_FOLDER},      {"CORPUS", HW_TAKES_FOLDER},
        {"ORDER", HW_TAKES_ORDER},     {"SOLVER", HW_TAKES_SOLVERS},
        {"FAMILY", HW_TAKES_FAMILIES}, {"NAME[:K=V,...]", HW_TAKES_SOLVERS},
        {"STEP", HW_TAKES_STEPS},      {"FORMAT", HW_TAKES_FORMATS},
        {"C01", HW_TAKES_CLAIMS},      {"C05", HW_TAKES_CLAIMS},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (is_name(name, n, kinds[i].name))
            return (hw_value_taken){.kind = kinds[i].kind};
    return (hw_value_taken){.kind = HW_TAKES_NOTHING_KNOWN};
}

static hw_value_taken of_words(hw_value_kind kind, const char *words)
{
    return (hw_value_taken){.kind = kind, .words = words, .n_words = strlen(words)};
}

hw_value_taken hw_value_of_option(const hw_command *command, const hw_option *option)
{
    static const struct {
        const char *mark;
        hw_value_kind kind;
    } marks[] = {{HW_VALUES_SOLVERS, HW_TAKES_SOLVERS},
                 {HW_VALUES_FAMILIES, HW_TAKES_FAMILIES},
                 {HW_VALUES_ALLOCATORS, HW_TAKES_ALLOCATORS},
                 {HW_VALUES_FIELDS, HW_TAKES_FIELDS}};
    const char *values = hw_cli_values_of(command, option->name);
    if (!values)
        return hw_value_by_name(option->value, strlen(option->value));
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strcmp(values, marks[i].mark) == 0)
            return (hw_value_taken){.kind = marks[i].kind};
    return values[0] == ',' ? of_words(HW_TAKES_LIST, values + 1)
                            : of_words(HW_TAKES_WORDS, values);
}

hw_value_taken hw_value_of_param(const hw_param_row *row)
{
    if (row->type == HW_PARAM_BOOL)
        return of_words(HW_TAKES_WORDS, "yes|no");
    if (row->type == HW_PARAM_CHOICE)
        return of_words(HW_TAKES_WORDS, row->choices);
    return (hw_value_taken){.kind = HW_TAKES_NOTHING_KNOWN};
}

void hw_complete_candidate(FILE *out, const char *kept, const char *name, const char *end,
                           const char *given, const char *help)
{
    if (strncmp(name, given, strlen(given)) != 0)
        return;
    for (const char *k = kept; *k; k++) /* what was typed could end the line, or begin its help */
        if (hw_control_bytes(k))
            return;
    (void)fprintf(out, "%s%s%s", kept, name, end);
    if (help) {
        size_t n = strlen(help);
        const char *stop = strstr(help, ". ");
        if (stop)
            n = (size_t)(stop - help);
        else if (n > 1 && help[n - 1] == '.' && help[n - 2] != '.')
            n--;
        (void)fprintf(out, "\t%.*s", (int)n, help);
    }
    (void)fputc('\n', out);
}

/* Print `given` up to and without byte n, so that what follows can be completed alone. */
static const char *keep(char *text, size_t size, const char *kept, const char *given, size_t n)
{
    (void)snprintf(text, size, "%s%.*s", kept, (int)n, given);
    return text;
}

/* Is name one of the first n bytes of text, in which names stand between commas, up to a '='? */
static bool is_among(const char *text, size_t n, const char *name)
{
    for (size_t at = 0; at < n;) {
        size_t length = strcspn(text + at, ","), bare = strcspn(text + at, ",=");
        if (is_name(text + at, bare, name))
            return true;
        at += length + 1;
    }
    return false;
}

enum { KEPT_TEXT = 1024 };

/* Where the last part between commas begins. */
static size_t last_part(const char *given)
{
    const char *comma = strrchr(given, ',');
    return comma ? (size_t)(comma - given) + 1 : 0;
}

static void words(FILE *out, const char *text, size_t n, const char *kept, const char *given,
                  const char *taken, size_t n_taken)
{
    char word[64];
    for (size_t at = 0; at < n;) {
        size_t length = strcspn(text + at, "|");
        if (at + length > n)
            length = n - at;
        (void)snprintf(word, sizeof word, "%.*s", (int)length, text + at);
        if (!is_among(taken, n_taken, word))
            hw_complete_candidate(out, kept, word, "", given, NULL);
        at += length + 1;
    }
}

static void params(FILE *out, const hw_param_row *rows, size_t n, const char *kept,
                   const char *given)
{
    char text[KEPT_TEXT];
    size_t part = last_part(given);
    const char *name = given + part, *value = strchr(name, '=');
    for (size_t i = 0; i < n; i++) {
        if (value && is_name(name, (size_t)(value - name), rows[i].name)) {
            hw_value_taken taken = hw_value_of_param(&rows[i]);
            value++;
            hw_complete_value(out, &taken,
                              keep(text, sizeof text, kept, given, (size_t)(value - given)), value);
            return;
        }
        if (!value && !is_among(given, part, rows[i].name))
            hw_complete_candidate(out, keep(text, sizeof text, kept, given, part), rows[i].name,
                                  "=", name, rows[i].help);
    }
}

/* A row of a registry whose rows have parameters. */
typedef struct named_row {
    const char *name, *help;
    const hw_param_row *params;
    size_t n_params;
} named_row;

/* Row i of the registry; false: there are no more. */
static bool row_of(hw_value_kind kind, size_t i, named_row *row)
{
#define ROW(r)                                                                                     \
    *row = (named_row)                                                                             \
    {                                                                                              \
        (r)->name, (r)->help, (r)->params, (r)->n_params                                           \
    }
    if (kind == HW_TAKES_FAMILIES && i < hw_n_families)
        ROW(hw_families[i]);
    else if (kind == HW_TAKES_ALLOCATORS && i < hw_n_allocators)
        ROW(hw_allocators[i]);
    else if (kind == HW_TAKES_STEPS && i < hw_n_steps)
        ROW(&hw_step_rows[i]);
    else if (kind != HW_TAKES_FAMILIES && kind != HW_TAKES_ALLOCATORS && kind != HW_TAKES_STEPS &&
             i < hw_n_solvers)
        ROW(hw_solvers[i]);
    else
        return false;
    return true;
#undef ROW
}

/* "NAME" or "NAME:K=V,...". */
static void specs(FILE *out, hw_value_kind kind, const char *kept, const char *given)
{
    char text[KEPT_TEXT];
    const char *colon = strchr(given, ':');
    named_row row;
    for (size_t i = 0; row_of(kind, i, &row); i++)
        if (!colon)
            hw_complete_candidate(out, kept, row.name, "", given, row.help);
        else if (is_name(given, (size_t)(colon - given), row.name))
            params(out, row.params, row.n_params,
                   keep(text, sizeof text, kept, given, (size_t)(colon - given) + 1), colon + 1);
}

static void several(FILE *out, const hw_value_taken *taken, const char *kept, const char *given)
{
    char text[KEPT_TEXT];
    size_t part = last_part(given);
    (void)keep(text, sizeof text, kept, given, part);
    if (taken->kind == HW_TAKES_LIST)
        words(out, taken->words, taken->n_words, text, given + part, given, part);
    for (unsigned i = 0; taken->kind == HW_TAKES_FIELDS && i < HW_N_FIELDS; i++)
        if (!is_among(given, part, hw_field_name((hw_field)i)))
            hw_complete_candidate(out, text, hw_field_name((hw_field)i), "", given + part, NULL);
}

static void formats(FILE *out, const char *kept, const char *given)
{
    words(out, HW_FORMAT_WORDS, strlen(HW_FORMAT_WORDS) - strlen("|dot"), kept, given, "", 0);
    for (size_t i = 0; i < hw_n_importers; i++)
        if (!hw_importers[i]->refused)
            hw_complete_candidate(out, kept, hw_importers[i]->name, "", given,
                                  hw_importers[i]->help);
}

void hw_complete_value(FILE *out, const hw_value_taken *taken, const char *kept, const char *given)
{
    switch (taken->kind) {
    case HW_TAKES_WORDS:
        words(out, taken->words, taken->n_words, kept, given, "", 0);
        break;
    case HW_TAKES_LIST:
    case HW_TAKES_FIELDS:
        several(out, taken, kept, given);
        break;
    case HW_TAKES_SOLVERS:
    case HW_TAKES_ORDER:
    case HW_TAKES_FAMILIES:
    case HW_TAKES_ALLOCATORS:
    case HW_TAKES_STEPS:
        specs(out, taken->kind, kept, given);
        break;
    case HW_TAKES_FORMATS:
        formats(out, kept, given);
        break;
    case HW_TAKES_COMMANDS:
        for (size_t i = 0; i < hw_n_commands; i++)
            hw_complete_candidate(out, kept, hw_commands[i]->name, "", given, hw_commands[i]->help);
        break;
    case HW_TAKES_CLAIMS:
        for (size_t i = 0; i < hw_n_claim_rows; i++)
            hw_complete_candidate(out, kept, hw_claim_rows[i].id, "", given,
                                  hw_claim_rows[i].claim);
        break;
    case HW_TAKES_PARAMS:
        params(out, taken->params, taken->n_params, kept, given);
        break;
    case HW_TAKES_NOTHING_KNOWN:
    case HW_TAKES_FILE:
    case HW_TAKES_FOLDER:
        break;
    }
}
