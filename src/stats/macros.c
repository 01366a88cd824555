/* Figures as LaTeX macros.  See figures.h. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text_stream.h"
#include "stats/figures.h"

/* ---- Words. ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

char *hw_macro_word(const char *text)
{
    static const char *const digits[] = {"Zero", "One", "Two",   "Three", "Four",
                                         "Five", "Six", "Seven", "Eight", "Nine"};
    enum { LONGEST = 5 };
    size_t length = strlen(text), n = 0;
    char *word = HW_NEW(char, LONGEST *length + sizeof "Plain");
    if (!word)
        return NULL;
    bool first = true; /* of a word */
    for (size_t i = 0; i < length; i++) {
        const char *spelled = NULL;
        if (is_digit(text[i]))
            spelled = digits[text[i] - '0'];
        else if (text[i] == '.' && i && is_digit(text[i - 1]) && is_digit(text[i + 1]))
            spelled = "Point";
        if (spelled) {
            memcpy(word + n, spelled, strlen(spelled));
            n += strlen(spelled);
        } else if (is_letter(text[i])) {
            word[n++] = first ? (char)toupper((unsigned char)text[i]) : text[i];
        }
        first = !is_letter(text[i]);
    }
    if (n == 0) {
        memcpy(word, "Plain", 5);
        n = 5;
    }
    word[n] = '\0';
    return word;
}

/* ---- Names that are taken. ---- */

struct hw_macro_names {
    char **slot; /* NULL: empty */
    size_t n_slots, count;
};

hw_macro_names *hw_macro_names_new(void)
{
    return HW_NEW0(hw_macro_names, 1);
}

void hw_macro_names_free(hw_macro_names *names)
{
    for (size_t i = 0; names && i < names->n_slots; i++)
        free(names->slot[i]);
    if (names)
        free((void *)names->slot);
    free(names);
}

/* The slot of a name, or the empty one where it belongs. */
static char **find(const hw_macro_names *names, const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *at = name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    size_t i = hash & (names->n_slots - 1);
    while (names->slot[i] && strcmp(names->slot[i], name) != 0)
        i = (i + 1) & (names->n_slots - 1);
    return &names->slot[i];
}

static bool make_room(hw_macro_names *names)
{
    if (2 * (names->count + 1) <= names->n_slots)
        return true;
    hw_macro_names larger = {.n_slots = names->n_slots ? 2 * names->n_slots : 256};
    larger.slot = HW_NEW0(char *, larger.n_slots);
    if (!larger.slot)
        return false;
    for (size_t i = 0; i < names->n_slots; i++)
        if (names->slot[i])
            *find(&larger, names->slot[i]) = names->slot[i];
    free((void *)names->slot);
    names->slot = larger.slot;
    names->n_slots = larger.n_slots;
    return true;
}

/* Takes over `name`. */
static hw_code take(hw_macro_names *names, char *name, hw_error *err)
{
    char **slot = make_room(names) ? find(names, name) : NULL;
    hw_code code = HW_OK;
    if (!slot)
        code = hw_fail_memory(err, "macros");
    else if (*slot)
        code = hw_fail(err, HW_CHECK_FAILED,
                       "two figures would both be the macro \\%s: choose fewer results by --where, "
                       "or tell the tables apart by --prefix",
                       name);
    if (code != HW_OK) {
        free(name);
        return code;
    }
    *slot = name;
    names->count++;
    return HW_OK;
}

/* ---- The macros of a table. ---- */

static bool put_word(FILE *out, const char *text)
{
    char *word = hw_macro_word(text);
    if (word)
        (void)fputs(word, out);
    free(word);
    return word != NULL;
}

static bool put_value(FILE *out, hw_field field, const char *text)
{
    bool named = is_digit(text[0]) || strcmp(text, "yes") == 0 || strcmp(text, "no") == 0;
    return (!named || put_word(out, hw_field_name(field))) && put_word(out, text);
}

static char *name_of(const hw_figures *f, const char *prefix, const hw_figure_row *row,
                     const char *figure)
{
    char *name = NULL;
    size_t size;
    FILE *out = hw_text_stream(&name, &size);
    if (!out)
        return NULL;
    (void)fprintf(out, "hw%s", prefix);
    bool fine = !row->solver || put_word(out, row->solver);
    if (fine && row->against) {
        (void)fputs("Against", out);
        fine = put_word(out, row->against);
    }
    (void)fputs(figure, out);
    for (size_t i = 0; fine && i < f->n_fields; i++) {
        char buffer[HW_FIELD_TEXT];
        fine = put_value(out, f->fields[i], hw_field_text(row->first, f->fields[i], buffer));
    }
    if (fclose(out) != 0 || !fine) {
        free(name);
        return NULL;
    }
    return name;
}

hw_code hw_figures_write_macros(const hw_figures *f, const char *prefix, hw_macro_names *names,
                                FILE *out, hw_error *err)
{
    (void)fprintf(out, "%% %s\n", f->title);
    for (size_t row = 0; row < f->n_rows; row++)
        for (size_t c = 0; c < f->n_columns; c++) {
            double value = f->value[row * f->n_columns + c];
            const char *words = f->text[row * f->n_columns + c];
            if (!f->columns[c].macro || (isnan(value) && !words))
                continue;
            char *name = name_of(f, prefix, &f->row[row], f->columns[c].macro);
            char text[HW_FIGURE_CELL];
            if (!name)
                return hw_fail_memory(err, "macros");
            hw_figure_text(value, f->columns[c].kind, true, text);
            (void)fprintf(out, "\\newcommand{\\%s}{%s", name, words ? "" : text);
            if (words)
                hw_put_latex(words, out);
            (void)fputs("}\n", out);
            hw_code code = take(names, name, err);
            if (code != HW_OK)
                return code;
        }
    return HW_OK;
}
