/* Where a command line stands, and what may come next.  See complete.h. */
#include "cli/complete.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"
#include "core/memory.h"

/* A command line read up to its last word. */
typedef struct reading {
    const hw_command *command;
    hw_cli c;          /* args alone are filled */
    bool options_over; /* behind "--"           */
    bool has_value;    /* the last word is the value of an option: */
    hw_value_taken value;
} reading;

static const hw_command *command_named(const char *name)
{
    for (size_t i = 0; i < hw_n_commands; i++)
        if (strcmp(hw_commands[i]->name, name) == 0)
            return hw_commands[i];
    return NULL;
}

/* What option "name" of n bytes takes; false: there is none, or it is a switch. */
static bool find_option(const reading *r, const char *name, size_t n, hw_value_taken *value)
{
    const hw_option *row = NULL;
    const hw_command *command = r->command;
    for (size_t i = 0; !row && i < command->n_options; i++)
        if (strlen(command->options[i].name) == n &&
            strncmp(command->options[i].name, name, n) == 0)
            row = &command->options[i];
    for (size_t i = 0; !row && i < hw_n_common_options; i++)
        if (hw_common_applies(&hw_common_options[i], command) &&
            strlen(hw_common_options[i].option.name) == n &&
            strncmp(hw_common_options[i].option.name, name, n) == 0)
            row = &hw_common_options[i].option;
    size_t n_params = 0;
    const hw_param_row *params = command->parameters ? command->parameters(&r->c, &n_params) : NULL;
    if (row && row->value && params && strcmp(row->name, "params") == 0) {
        *value = (hw_value_taken){.kind = HW_TAKES_PARAMS, .params = params, .n_params = n_params};
        return true;
    }
    if (row && row->value)
        *value = hw_value_of_option(command, row);
    for (size_t i = 0; !row && params && i < n_params; i++)
        if (strlen(params[i].name) == n && strncmp(params[i].name, name, n) == 0) {
            *value = hw_value_of_param(&params[i]);
            return true;
        }
    return row && row->value;
}

/* "-o": does its last letter take the word behind it? */
static bool letters_take_next(const reading *r, const char *word, hw_value_taken *value)
{
    for (const char *p = word + 1; *p; p++)
        for (size_t i = 0; i < hw_n_common_options; i++) {
            const hw_common_option *row = &hw_common_options[i];
            if (row->letter != *p || !hw_common_applies(row, r->command) || !row->option.value)
                continue;
            *value = hw_value_of_option(r->command, &row->option);
            return p[1] == '\0';
        }
    return false;
}

/* Read words[0 .. n), all but the last of the line; args has room for them. */
static void read_words(reading *r, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *word = words[i];
        bool takes = false;
        if (r->options_over || word[0] != '-' || word[1] == '\0')
            r->c.args[r->c.n_args++] = word;
        else if (strcmp(word, "--") == 0)
            r->options_over = true;
        else if (word[1] == '-')
            takes = !strchr(word, '=') && find_option(r, word + 2, strlen(word + 2), &r->value);
        else
            takes = letters_take_next(r, word, &r->value);
        if (takes && i + 1 == n)
            r->has_value = true;
        i += takes;
    }
}

/* One alternative of a command's arguments ("add CORPUS GRAPH"), of n bytes. */
typedef struct alternative {
    const char *text;
    size_t n;
} alternative;

/* Word k of it, brackets and dots removed; the last one again where it may be repeated. */
static bool word_of(alternative a, size_t k, alternative *word)
{
    bool found = false, again = false;
    for (size_t at = 0, i = 0; at < a.n; i++) {
        size_t n = strcspn(a.text + at, " ");
        if (at + n > a.n)
            n = a.n - at;
        if (i == k || (i < k && n >= 3 && memchr(a.text + at, '.', n))) {
            *word = (alternative){a.text + at, n};
            found = i == k;
            again = true;
        }
        if (found)
            break;
        at += n + 1;
    }
    if (!again)
        return false;
    while (word->n && word->text[0] == '[')
        word->text++, word->n--;
    word->n = strcspn(word->text, " ].") < word->n ? strcspn(word->text, " ].") : word->n;
    return true;
}

/* `list solvers NAME`: names of what the first argument says. */
static bool named_by_first(const reading *r, hw_value_taken *value)
{
    static const struct {
        const char *word;
        hw_value_kind kind;
    } kinds[] = {{"solvers", HW_TAKES_SOLVERS},
                 {"families", HW_TAKES_FAMILIES},
                 {"allocators", HW_TAKES_ALLOCATORS}};
    for (size_t i = 0; r->c.n_args && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(r->c.args[0], kinds[i].word) == 0) {
            *value = (hw_value_taken){.kind = kinds[i].kind};
            return true;
        }
    return false;
}

/* What the word is if it is no option; the values of choices are printed at once. */
static hw_value_kind complete_argument(const reading *r, const char *given, FILE *out)
{
    hw_value_kind kind = HW_TAKES_NOTHING_KNOWN;
    const char *text = r->command->arguments;
    for (const char *next; text; text = next) {
        const char *bar = strstr(text, " | ");
        next = bar ? bar + 3 : NULL;
        const alternative a = {text, bar ? (size_t)(bar - text) : strlen(text)};
        alternative first, word;
        if (!word_of(a, 0, &first) || !word_of(a, r->c.n_args, &word))
            continue;
        bool literal = islower((unsigned char)first.text[0]) && !memchr(first.text, '|', first.n);
        if (literal && r->c.n_args &&
            (strlen(r->c.args[0]) != first.n || strncmp(r->c.args[0], first.text, first.n) != 0))
            continue;
        hw_value_taken value = hw_value_by_name(word.text, word.n);
        if (islower((unsigned char)word.text[0]))
            value = (hw_value_taken){.kind = HW_TAKES_WORDS, .words = word.text, .n_words = word.n};
        else if (memchr(word.text, '|', word.n))
            value.kind = HW_TAKES_FILE; /* GRAPH|FOLDER */
        else if (value.kind == HW_TAKES_NOTHING_KNOWN)
            (void)named_by_first(r, &value);
        if (kind == HW_TAKES_NOTHING_KNOWN)
            kind = value.kind;
        if (out)
            hw_complete_value(out, &value, "", given);
    }
    return kind;
}

static void complete_options(const reading *r, const char *given, FILE *out)
{
    const hw_command *command = r->command;
    if (strcmp(given, "-") == 0)
        given = "--";
    else if (given[1] != '-')
        return; /* letters */
    for (size_t i = 0; i < command->n_options; i++)
        hw_complete_candidate(out, "--", command->options[i].name, "", given + 2,
                              command->options[i].help);
    for (size_t i = 0; i < hw_n_common_options; i++)
        if (hw_common_applies(&hw_common_options[i], command))
            hw_complete_candidate(out, "--", hw_common_options[i].option.name, "", given + 2,
                                  hw_common_options[i].option.help);
    size_t n = 0;
    const hw_param_row *params = command->parameters ? command->parameters(&r->c, &n) : NULL;
    for (size_t i = 0; params && i < n; i++)
        hw_complete_candidate(out, "--", params[i].name, "", given + 2, params[i].help);
}

static void say_kind(hw_value_kind kind, FILE *out)
{
    (void)fputs(kind == HW_TAKES_FILE || kind == HW_TAKES_ORDER ? "files\n"
                : kind == HW_TAKES_FOLDER                       ? "folders\n"
                                                                : "none\n",
                out);
}

/* The last word, behind a command. */
static void complete_word(reading *r, const char *given, FILE *out)
{
    char kept[128];
    const char *equals = strchr(given, '=');
    if (r->has_value) {
        say_kind(r->value.kind, out);
        hw_complete_value(out, &r->value, "", given);
    } else if (!r->options_over && strncmp(given, "--", 2) == 0 && equals) {
        size_t n = (size_t)(equals - given) + 1;
        bool known = find_option(r, given + 2, n - 3, &r->value) && n < sizeof kept;
        say_kind(known ? r->value.kind : HW_TAKES_NOTHING_KNOWN, out);
        (void)snprintf(kept, sizeof kept, "%.*s", (int)n, given);
        if (known)
            hw_complete_value(out, &r->value, kept, given + n);
    } else if (!r->options_over && given[0] == '-') {
        say_kind(HW_TAKES_NOTHING_KNOWN, out);
        complete_options(r, given, out);
    } else {
        say_kind(complete_argument(r, given, NULL), out);
        (void)complete_argument(r, given, out);
    }
}

/* The first word, or what follows `help`. */
static void complete_command(const char *given, bool is_first, FILE *out)
{
    const hw_value_taken commands = {.kind = HW_TAKES_COMMANDS};
    say_kind(HW_TAKES_COMMANDS, out);
    hw_complete_value(out, &commands, "", given);
    if (is_first && given[0] == '-') {
        hw_complete_candidate(out, "", "--help", "", given, "What there is");
        hw_complete_candidate(out, "", "--version", "", given, "Versions");
    }
}

hw_code hw_complete(const char *const *words, size_t n, FILE *out, hw_error *err)
{
    const char *given = n ? words[n - 1] : "";
    if (n < 2 || (n == 2 && strcmp(words[0], "help") == 0)) {
        complete_command(given, n < 2, out);
        return HW_OK;
    }
    reading r = {.command = command_named(words[0])};
    if (!r.command) {
        say_kind(HW_TAKES_NOTHING_KNOWN, out);
        return HW_OK;
    }
    r.c = (hw_cli){.command = r.command, .args = HW_NEW(const char *, n)};
    if (!r.c.args)
        return hw_fail_memory(err, "the command line");
    read_words(&r, words + 1, n - 2);
    complete_word(&r, given, out);
    free(r.c.args);
    return HW_OK;
}
