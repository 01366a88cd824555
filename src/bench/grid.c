/* Writing a grid of cells as text, CSV, Markdown, LaTeX, JSON.  See grid.h. */
#include "bench/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/json_out.h"
#include "core/memory.h"

/* Columns of a terminal: UTF-8 characters. */
static size_t width_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

hw_code hw_grid_make(hw_grid *g, size_t n_columns, size_t n_rows, hw_error *err)
{
    *g = (hw_grid){.n_columns = n_columns, .n_rows = n_rows};
    g->is_number = HW_NEW0(bool, n_columns);
    g->width = HW_NEW0(size_t, n_columns);
    if (n_columns && n_rows <= SIZE_MAX / n_columns)
        g->cell = HW_NEW0(char *, n_columns *n_rows);
    if (g->is_number && g->width && g->cell)
        return HW_OK;
    hw_grid_free(g);
    return hw_fail_memory(err, "a table");
}

void hw_grid_free(hw_grid *g)
{
    for (size_t i = 0; g->cell && i < g->n_columns * g->n_rows; i++)
        free(g->cell[i]);
    free((void *)g->cell);
    free(g->is_number);
    free(g->width);
    *g = (hw_grid){.cell = NULL};
}

bool hw_grid_put(hw_grid *g, size_t row, size_t column, const char *format, ...)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return false;
    va_list args;
    va_start(args, format);
    int n = vfprintf(out, format, args);
    va_end(args);
    if (fclose(out) != 0 || n < 0) {
        free(text);
        return false;
    }
    g->cell[row * g->n_columns + column] = text;
    size_t width = width_of(text);
    if (width > g->width[column])
        g->width[column] = width;
    return true;
}

static const char *cell(const hw_grid *g, size_t row, size_t column)
{
    const char *text = g->cell[row * g->n_columns + column];
    return text ? text : "";
}

static void put_padded(const hw_grid *g, size_t row, size_t column, bool last, FILE *out)
{
    const char *text = cell(g, row, column);
    int fill = (int)(g->width[column] - width_of(text));
    if (g->is_number[column])
        (void)fprintf(out, "%*s%s", fill, "", text);
    else
        (void)fprintf(out, "%s%*s", text, last ? 0 : fill, "");
}

void hw_grid_write_text(const hw_grid *g, FILE *out)
{
    for (size_t row = 0; row < g->n_rows; row++)
        for (size_t column = 0; column < g->n_columns; column++) {
            bool last = column + 1 == g->n_columns;
            put_padded(g, row, column, last, out);
            (void)fputs(last ? "\n" : "  ", out);
        }
}

void hw_grid_write_csv(const hw_grid *g, FILE *out)
{
    for (size_t row = 0; row < g->n_rows; row++)
        for (size_t column = 0; column < g->n_columns; column++) {
            const char *text = cell(g, row, column);
            if (strpbrk(text, ",\"\n\r")) {
                (void)fputc('"', out);
                for (; *text; text++)
                    (void)fprintf(out, *text == '"' ? "%c\"" : "%c", *text);
                (void)fputc('"', out);
            } else {
                (void)fputs(text, out);
            }
            (void)fputc(column + 1 == g->n_columns ? '\n' : ',', out);
        }
}

/* ---- Markdown. ---- */

static void put_markdown(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (strchr("|*_`\\<", *text))
            (void)fputc('\\', out);
        (void)fputc(*text == '\n' ? ' ' : *text, out);
    }
}

void hw_grid_write_markdown(const hw_grid *g, FILE *out)
{
    for (size_t row = 0; row < g->n_rows; row++) {
        for (size_t column = 0; column < g->n_columns; column++) {
            (void)fputs("| ", out);
            put_markdown(cell(g, row, column), out);
            (void)fputc(' ', out);
        }
        (void)fputs("|\n", out);
        for (size_t column = 0; row == 0 && column < g->n_columns; column++)
            (void)fputs(g->is_number[column] ? "| ---: " : "| --- ", out);
        if (row == 0)
            (void)fputs("|\n", out);
    }
}

/* ---- LaTeX. ---- */

static void put_latex(const char *text, FILE *out)
{
    static const char micro[] = "\xC2\xB5";
    for (; *text; text++) {
        if (strncmp(text, micro, 2) == 0) {
            (void)fputs("\\textmu{}", out);
            text++;
        } else if (*text == '\\') {
            (void)fputs("\\textbackslash{}", out);
        } else if (*text == '~') {
            (void)fputs("\\textasciitilde{}", out);
        } else if (*text == '^') {
            (void)fputs("\\textasciicircum{}", out);
        } else {
            if (strchr("%#&_${}", *text))
                (void)fputc('\\', out);
            (void)fputc(*text == '\n' ? ' ' : *text, out);
        }
    }
}

void hw_grid_write_latex(const hw_grid *g, FILE *out)
{
    (void)fputs("% needs \\usepackage{booktabs}\n\\begin{tabular}{@{}", out);
    for (size_t column = 0; column < g->n_columns; column++)
        (void)fputc(g->is_number[column] ? 'r' : 'l', out);
    (void)fputs("@{}}\n\\toprule\n", out);
    for (size_t row = 0; row < g->n_rows; row++) {
        for (size_t column = 0; column < g->n_columns; column++) {
            put_latex(cell(g, row, column), out);
            (void)fputs(column + 1 == g->n_columns ? " \\\\\n" : " & ", out);
        }
        if (row == 0)
            (void)fputs("\\midrule\n", out);
    }
    (void)fputs("\\bottomrule\n\\end{tabular}\n", out);
}

/* ---- JSON. ---- */

void hw_grid_write_json(const hw_grid *g, FILE *out)
{
    hw_json_out j = hw_json_on(out);
    j.break_items = true;
    hw_json_open(&j, NULL, '[');
    for (size_t row = 1; row < g->n_rows; row++) {
        hw_json_open(&j, NULL, '{');
        for (size_t column = 0; column < g->n_columns; column++) {
            const char *key = cell(g, 0, column), *text = cell(g, row, column);
            if (*text && g->is_number[column])
                hw_json_put_digits(&j, key, text);
            else
                hw_json_put_string(&j, key, *text ? text : NULL);
        }
        hw_json_close(&j, '}');
    }
    hw_json_close(&j, ']');
    hw_json_line(&j);
}

void hw_grid_write(const hw_grid *g, hw_table_format format, FILE *out)
{
    switch (format) {
    case HW_TABLE_TEXT:
        hw_grid_write_text(g, out);
        break;
    case HW_TABLE_CSV:
        hw_grid_write_csv(g, out);
        break;
    case HW_TABLE_MARKDOWN:
        hw_grid_write_markdown(g, out);
        break;
    case HW_TABLE_LATEX:
        hw_grid_write_latex(g, out);
        break;
    case HW_TABLE_JSON:
        hw_grid_write_json(g, out);
        break;
    }
}
