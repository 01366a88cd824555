/* Parameters of solvers and families.  See params.h. */
#include "core/params.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/real.h"

enum { NAME_BYTES = 64, LIST_BYTES = 512 };

void hw_params_preset(const hw_param_row *rows, size_t n_rows, hw_param_value *values)
{
    for (size_t i = 0; i < n_rows; i++) {
        if (rows[i].type == HW_PARAM_REAL)
            values[i].r = rows[i].preset;
        else if (rows[i].type == HW_PARAM_WORD || rows[i].type == HW_PARAM_TEXT)
            values[i].text = NULL;
        else
            values[i].i = (int64_t)rows[i].preset;
    }
}

size_t hw_param_length(const hw_param_row *row, hw_param_value value)
{
    if (!value.text)
        return 0;
    return row->type == HW_PARAM_WORD ? strcspn(value.text, ",") : strlen(value.text);
}

/* The index of word `text` in "a|b|c", or -1. */
static int64_t choice_index(const char *choices, const char *text)
{
    size_t length = strlen(text);
    int64_t index = 0;
    for (const char *word = choices;; index++) {
        size_t n = strcspn(word, "|");
        if (n == length && strncmp(word, text, n) == 0)
            return index;
        if (word[n] == '\0')
            return -1;
        word += n + 1;
    }
}

/* A word or text, which stays where it stands. */
static hw_code set_text(const hw_param_row *row, const char *owner, const char *text,
                        hw_param_value *value, hw_error *err)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "._+-";
    *value = (hw_param_value){.text = text};
    size_t length = hw_param_length(row, *value);
    if (length == 0)
        return hw_fail(err, HW_USAGE, "%s: %s= is empty: give it a value, or leave it out", owner,
                       row->name);
    if ((double)length > row->high)
        return hw_fail(err, HW_USAGE, "%s: %s=%.40s... has %zu bytes: give %.0f at most", owner,
                       row->name, text, length, row->high);
    if (row->type == HW_PARAM_WORD && strspn(text, allowed) < length)
        return hw_fail(err, HW_USAGE,
                       "%s: %s=%.*s: give a word of letters, digits and . _ + - alone", owner,
                       row->name, (int)length, text);
    return HW_OK;
}

static hw_code set_value(const hw_param_row *row, const char *owner, const char *text,
                         hw_param_value *value, hw_error *err)
{
    char *end = NULL;
    errno = 0;
    switch (row->type) {
    case HW_PARAM_INT: {
        long long number = strtoll(text, &end, 10);
        if (end == text || *end != '\0' || errno == ERANGE)
            return hw_fail(err, HW_USAGE, "%s: %s=%s is not an integer: give one from %.0f to %.0f",
                           owner, row->name, text, row->low, row->high);
        if ((double)number < row->low || (double)number > row->high)
            return hw_fail(err, HW_USAGE, "%s: %s=%s is out of range: give %.0f to %.0f", owner,
                           row->name, text, row->low, row->high);
        value->i = number;
        return HW_OK;
    }
    case HW_PARAM_REAL: {
        double number = hw_real_read(text, &end);
        if (end == text || *end != '\0' || !isfinite(number))
            return hw_fail(err, HW_USAGE, "%s: %s=%s is not a number: give one from %g to %g",
                           owner, row->name, text, row->low, row->high);
        if (number < row->low || number > row->high)
            return hw_fail(err, HW_USAGE, "%s: %s=%s is out of range: give %g to %g", owner,
                           row->name, text, row->low, row->high);
        value->r = number;
        return HW_OK;
    }
    case HW_PARAM_BOOL:
        value->i = choice_index("no|yes", text);
        if (value->i < 0)
            return hw_fail(err, HW_USAGE, "%s: %s=%s: give yes or no", owner, row->name, text);
        return HW_OK;
    case HW_PARAM_CHOICE:
        value->i = choice_index(row->choices, text);
        if (value->i < 0)
            return hw_fail(err, HW_USAGE, "%s: %s=%s: give one of %s", owner, row->name, text,
                           row->choices);
        return HW_OK;
    case HW_PARAM_WORD:
    case HW_PARAM_TEXT:
        return set_text(row, owner, text, value, err);
    }
    return hw_fail(err, HW_INTERNAL, "%s: %s has an unknown type", owner, row->name);
}

/* "a, b, c": the names that begin with `start`, as many as there is room for. */
static size_t put_names(const char *const *names, size_t n, const char *start,
                        char text[LIST_BYTES])
{
    size_t length = 0, count = 0;
    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (strncmp(names[i], start, strlen(start)) != 0)
            continue;
        int put = snprintf(text + length, LIST_BYTES - length, "%s%s", count ? ", " : "", names[i]);
        if (put < 0 || (size_t)put >= LIST_BYTES - length) {
            text[length] = '\0';
            break;
        }
        length += (size_t)put;
        count++;
    }
    return count;
}

hw_code hw_params_set(const hw_param_row *rows, size_t n_rows, const char *owner, const char *name,
                      const char *text, hw_param_value *values, hw_error *err)
{
    const char *names[HW_PARAM_LIMIT] = {NULL};
    for (size_t i = 0; i < n_rows; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return set_value(&rows[i], owner, text, &values[i], err);
        names[i] = rows[i].name;
    }
    const char *near = hw_nearest_name(name, names, n_rows);
    if (n_rows == 0)
        return hw_fail(err, HW_USAGE, "%s takes no parameters, and so no '%s'", owner, name);
    if (near)
        return hw_fail(err, HW_USAGE, "%s has no parameter '%s'; did you mean '%s'?", owner, name,
                       near);
    char all[LIST_BYTES];
    put_names(names, n_rows, "", all);
    return hw_fail(err, HW_USAGE, "%s has no parameter '%s': it has %s", owner, name, all);
}

/* The row so named if its values stay where they stand; NULL: another kind, or none. */
static const hw_param_row *text_row(const hw_param_row *rows, size_t n_rows, const char *name)
{
    for (size_t i = 0; i < n_rows; i++)
        if (strcmp(rows[i].name, name) == 0 &&
            (rows[i].type == HW_PARAM_WORD || rows[i].type == HW_PARAM_TEXT))
            return &rows[i];
    return NULL;
}

hw_code hw_params_parse(const hw_param_row *rows, size_t n_rows, const char *owner,
                        const char *text, hw_param_value *values, hw_error *err)
{
    while (*text) {
        char name[NAME_BYTES], word[NAME_BYTES];
        size_t n_name = strcspn(text, "=,");
        size_t n_word = text[n_name] == '=' ? strcspn(text + n_name + 1, ",") : 0;
        memcpy(name, text, n_name < sizeof name ? n_name : 0);
        name[n_name < sizeof name ? n_name : 0] = '\0';
        const hw_param_row *in_place = text_row(rows, n_rows, name);
        if (text[n_name] != '=' || n_name == 0 || n_name >= sizeof name ||
            (n_word >= sizeof word && !in_place))
            return hw_fail(err, HW_USAGE,
                           "%s: cannot read parameters at '%s': write name=value,...", owner, text);
        if (in_place) {
            if (in_place->type == HW_PARAM_TEXT)
                n_word = strlen(text + n_name + 1);
        } else {
            memcpy(word, text + n_name + 1, n_word);
            word[n_word] = '\0';
        }
        hw_code code = hw_params_set(rows, n_rows, owner, name, in_place ? text + n_name + 1 : word,
                                     values, err);
        if (code != HW_OK)
            return code;
        text += n_name + 1 + n_word;
        if (*text == ',')
            text++;
    }
    return HW_OK;
}

size_t hw_params_text(const hw_param_row *rows, size_t n_rows, const hw_param_value *values,
                      char *text, size_t size)
{
    size_t length = 0;
    if (size)
        text[0] = '\0';
    for (size_t i = 0; i < n_rows; i++) {
        char word[NAME_BYTES], real[HW_REAL_TEXT];
        const char *shown = word;
        int n_shown = NAME_BYTES;
        switch (rows[i].type) {
        case HW_PARAM_INT:
            (void)snprintf(word, sizeof word, "%lld", (long long)values[i].i);
            break;
        case HW_PARAM_REAL:
            shown = hw_real_text(values[i].r, real);
            break;
        case HW_PARAM_BOOL:
            (void)snprintf(word, sizeof word, "%s", values[i].i ? "yes" : "no");
            break;
        case HW_PARAM_CHOICE: {
            const char *choice = rows[i].choices;
            for (int64_t skip = values[i].i; skip > 0; skip--)
                choice += strcspn(choice, "|") + 1;
            (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(choice, "|"), choice);
            break;
        }
        case HW_PARAM_WORD:
        case HW_PARAM_TEXT:
            n_shown = (int)hw_param_length(&rows[i], values[i]);
            shown = n_shown ? values[i].text : "";
            break;
        }
        size_t at = length < size ? length : size;
        int used = snprintf(size ? text + at : NULL, size - at, "%s%s=%.*s", length ? "," : "",
                            rows[i].name, n_shown, shown);
        length += used > 0 ? (size_t)used : 0;
    }
    return length;
}

size_t hw_params_spec(const char *owner, const hw_param_row *rows, size_t n_rows,
                      const hw_param_value *values, char *text, size_t size)
{
    int used = snprintf(text, size, "%s", owner);
    size_t length = used > 0 ? (size_t)used : 0, start = length;
    hw_param_value preset[HW_PARAM_LIMIT];
    hw_params_preset(rows, n_rows, preset);
    for (size_t i = 0; i < n_rows; i++) {
        bool is_text = rows[i].type == HW_PARAM_WORD || rows[i].type == HW_PARAM_TEXT;
        char word[2 * NAME_BYTES], usual[2 * NAME_BYTES];
        (void)hw_params_text(rows + i, 1, values + i, word, sizeof word);
        (void)hw_params_text(rows + i, 1, preset + i, usual, sizeof usual);
        if (is_text ? !values[i].text : strcmp(word, usual) == 0)
            continue;
        size_t at = length < size ? length : size;
        char *to = size ? text + at : NULL;
        char before = length == start ? ':' : ',';
        used = is_text ? snprintf(to, size - at, "%c%s=%.*s", before, rows[i].name,
                                  (int)hw_param_length(&rows[i], values[i]), values[i].text)
                       : snprintf(to, size - at, "%c%s", before, word);
        length += used > 0 ? (size_t)used : 0;
    }
    return length;
}

/* Levenshtein distance of two words of at most NAME_BYTES - 1 characters. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[NAME_BYTES];
    size_t n = strnlen(b, NAME_BYTES - 1);
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1] && i < NAME_BYTES; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < other ? change : other;
        }
    }
    return row[n];
}

const char *hw_nearest_name(const char *wrong, const char *const *names, size_t n)
{
    const char *best = NULL;
    size_t best_distance = strnlen(wrong, NAME_BYTES) / 2 + 1;
    for (size_t i = 0; i < n; i++) {
        size_t distance = edit_distance(wrong, names[i]);
        bool extends = wrong[0] && strncmp(names[i], wrong, strlen(wrong)) == 0;
        if (extends && distance > 1)
            distance = 1;
        if (distance < best_distance) {
            best_distance = distance;
            best = names[i];
        }
    }
    return best;
}

hw_code hw_fail_no_such(const char *kind, const char *kinds, const char *spec,
                        const char *const *names, size_t n, hw_error *err)
{
    char wrong[NAME_BYTES];
    (void)snprintf(wrong, sizeof wrong, "%.*s", (int)strcspn(spec, ":"), spec);
    char family[LIST_BYTES];
    if (wrong[0] && put_names(names, n, wrong, family) > 1)
        return hw_fail(err, HW_USAGE,
                       "no %s is named '%s', but these begin so: %s: `highwater list %s` shows all",
                       kind, wrong, family, kinds);
    const char *near = hw_nearest_name(wrong, names, n);
    return hw_fail(err, HW_USAGE, "no %s is named '%s'%s%s%s `highwater list %s` shows all", kind,
                   wrong, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ":",
                   kinds);
}

hw_code hw_params_of_spec(const char *kind, const hw_param_row *rows, size_t n_rows,
                          const char *spec, hw_param_value *values, hw_error *err)
{
    size_t length = strcspn(spec, ":");
    hw_params_preset(rows, n_rows, values);
    if (spec[length] == '\0')
        return HW_OK;
    char owner[2 * NAME_BYTES];
    (void)snprintf(owner, sizeof owner, "%s %.*s", kind, (int)length, spec);
    return hw_params_parse(rows, n_rows, owner, spec + length + 1, values, err);
}
