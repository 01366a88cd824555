/* A CSV file as a table.  See html_table.h. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "report/html.h"
#include "report/html_table.h"

enum { MOST_COLUMNS = 256, OPEN_ROWS = 24 };

/* The cells of one row, unquoted into a copy of the text. */
typedef struct csv {
    char *text, *at, *end;
    char *cell[MOST_COLUMNS];
    size_t length[MOST_COLUMNS];
    size_t n;
    uint64_t row;
} csv;

static hw_code broken(const csv *c, const char *why, hw_error *err)
{
    return hw_fail(err, HW_BAD_INPUT, "row %" PRIu64 ": %s", c->row, why);
}

/* A cell in quotes: "" within is one; *to is where its bytes go. */
static hw_code read_quoted(csv *c, char **to, hw_error *err)
{
    for (c->at++;; c->at++) {
        if (c->at == c->end)
            return broken(c, "a quote has no end", err);
        if (*c->at == '"') {
            if (c->at + 1 == c->end || c->at[1] != '"')
                break;
            c->at++;
        }
        *(*to)++ = *c->at;
    }
    c->at++;
    return HW_OK;
}

static hw_code read_cell(csv *c, hw_error *err)
{
    if (c->n == MOST_COLUMNS)
        return broken(c, "more columns than a page can show", err);
    char *to = c->at;
    c->cell[c->n] = to;
    hw_code code = HW_OK;
    if (c->at < c->end && *c->at == '"')
        code = read_quoted(c, &to, err);
    while (code == HW_OK && c->at < c->end && *c->at != ',' && *c->at != '\n') {
        if (*c->at != '\r')
            *to++ = *c->at;
        c->at++;
    }
    c->length[c->n] = (size_t)(to - c->cell[c->n]);
    c->n++;
    return code;
}

/* The next row; n is 0 at the end. */
static hw_code read_row(csv *c, hw_error *err)
{
    c->n = 0;
    c->row++;
    if (c->at == c->end)
        return HW_OK;
    hw_code code = read_cell(c, err);
    while (code == HW_OK && c->at < c->end && *c->at == ',') {
        c->at++;
        code = read_cell(c, err);
    }
    c->at += c->at < c->end; /* the end of the line */
    return code;
}

/* "-0.25", "3e-07", "12": digits first, so no word that strtod() would take. */
static bool is_number(const char *text, size_t n, double *value)
{
    char copy[48], *end;
    if (n == 0 || n >= sizeof copy)
        return false;
    memcpy(copy, text, n);
    copy[n] = '\0';
    const char *first = copy + (*copy == '-' || *copy == '+');
    if (!isdigit((unsigned char)*first) && *first != '.')
        return false;
    *value = strtod(copy, &end);
    return end == copy + n && isfinite(*value) && !strpbrk(copy, "xX");
}

/* Rounded where it has more digits than anyone compares; whole numbers stay. */
static void put_number(FILE *out, const char *text, size_t n, double value)
{
    enum { SHOWN = 7 };
    bool is_long = n > SHOWN && (memchr(text, '.', n) || memchr(text, 'e', n));
    (void)fputs(is_long ? "<td class=\"n\" data-v=\"" : "<td class=\"n\">", out);
    hw_html_bytes(out, text, n);
    if (is_long)
        (void)fprintf(out, "\">%.4g", value);
    (void)fputs("</td>", out);
}

static void put_row(FILE *out, const csv *c, const bool *numeric)
{
    hw_html_row_open(out);
    for (size_t i = 0; i < c->n; i++) {
        double value;
        if (is_number(c->cell[i], c->length[i], &value)) {
            put_number(out, c->cell[i], c->length[i], value);
            continue;
        }
        (void)fprintf(out, "<td%s>", numeric[i] ? " class=\"n\"" : "");
        if (c->length[i] == 0 && numeric[i])
            (void)fputs("\xE2\x80\x93", out);
        hw_html_bytes(out, c->cell[i], c->length[i]);
        (void)fputs("</td>", out);
    }
    hw_html_row_close(out);
}

/* All rows once: how many, of how many cells, and in which columns all that is there is a number.
 */
static hw_code measure(csv *c, size_t *n_columns, bool *numeric, uint64_t *n_rows, hw_error *err)
{
    bool filled[MOST_COLUMNS] = {false};
    hw_code code = read_row(c, err);
    if (code == HW_OK && c->n == 0)
        code = hw_fail(err, HW_BAD_INPUT, "it is empty: a row of names is expected");
    *n_columns = c->n;
    for (size_t i = 0; i < c->n; i++)
        numeric[i] = true;
    for (*n_rows = 0; code == HW_OK; ++*n_rows) {
        code = read_row(c, err);
        if (code != HW_OK || c->n == 0)
            break;
        if (c->n != *n_columns)
            code = broken(c, "more or fewer cells than the first row has", err);
        for (size_t i = 0; code == HW_OK && i < c->n; i++) {
            double value;
            filled[i] = filled[i] || c->length[i] > 0;
            numeric[i] =
                numeric[i] && (c->length[i] == 0 || is_number(c->cell[i], c->length[i], &value));
        }
    }
    for (size_t i = 0; i < *n_columns; i++)
        numeric[i] = numeric[i] && filled[i];
    return code;
}

static void put_caption(FILE *out, const char *caption, const char *file, uint64_t n_rows,
                        uint64_t shown)
{
    hw_html_text(out, caption);
    (void)fputs(" <span class=\"file\">", out);
    hw_html_text(out, file);
    (void)fputs(", ", out);
    if (shown < n_rows) {
        (void)fputs("the first ", out);
        hw_html_count(out, shown);
        (void)fputs(" of ", out);
    }
    hw_html_count(out, n_rows);
    (void)fprintf(out, " %s</span>", n_rows == 1 ? "row" : "rows");
}

static hw_code put_rows(FILE *out, csv *c, const char *caption, const bool *numeric, uint64_t shown,
                        hw_error *err)
{
    hw_html_column columns[MOST_COLUMNS];
    hw_code code = read_row(c, err);
    for (size_t i = 0; i < c->n; i++) {
        c->cell[i][c->length[i]] = '\0'; /* the comma, a quote, or the room after the end */
        columns[i] = (hw_html_column){.name = c->cell[i], .is_number = numeric[i]};
    }
    hw_html_table_open(out, caption, columns, c->n);
    for (uint64_t i = 0; code == HW_OK && i < shown; i++) {
        code = read_row(c, err);
        if (code == HW_OK)
            put_row(out, c, numeric);
    }
    hw_html_table_close(out);
    return code;
}

hw_code hw_html_csv(FILE *out, const char *caption, const char *file, const char *text, size_t n,
                    uint64_t most_rows, uint64_t *n_rows, hw_error *err)
{
    bool numeric[MOST_COLUMNS] = {false};
    size_t n_columns;
    csv *c = HW_NEW0(csv, 1);
    char *copy = HW_NEW(char, n + 1);
    hw_code code = c && copy ? HW_OK : hw_fail_memory(err, "a table");
    if (code == HW_OK) {
        memcpy(copy, text, n);
        *c = (csv){.text = copy, .at = copy, .end = copy + n};
        code = measure(c, &n_columns, numeric, n_rows, err);
    }
    if (code == HW_OK) {
        uint64_t shown = *n_rows < most_rows ? *n_rows : most_rows;
        memcpy(copy, text, n); /* unquoting changed it */
        *c = (csv){.text = copy, .at = copy, .end = copy + n};
        (void)fprintf(out, "<details class=\"csv\"%s><summary>", shown <= OPEN_ROWS ? " open" : "");
        put_caption(out, caption, file, *n_rows, shown);
        (void)fputs("</summary>\n", out);
        code = put_rows(out, c, caption, numeric, shown, err);
        (void)fputs("</details>\n", out);
    }
    free(c);
    free(copy);
    return code;
}
