/* Writing a grid of cells as text, CSV, Markdown, JSON.  See grid.h. */
#include "bench/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/control.h"
#include "core/json_out.h"
#include "core/memory.h"
#include "core/text_stream.h"

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
    g->room = HW_NEW0(size_t, n_columns);
    g->apart = HW_NEW0(bool, n_rows);
    if (n_columns && n_rows <= SIZE_MAX / n_columns) {
        g->cell = HW_NEW0(char *, n_columns *n_rows);
        g->mark = HW_NEW0(unsigned char, n_columns *n_rows);
    }
    if (g->is_number && g->width && g->room && g->apart && g->cell && g->mark)
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
    free(g->mark);
    free(g->apart);
    free(g->room);
    *g = (hw_grid){.cell = NULL};
}

bool hw_grid_put(hw_grid *g, size_t row, size_t column, const char *format, ...)
{
    char *text = NULL;
    size_t size;
    FILE *out = hw_text_stream(&text, &size);
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

const char *hw_grid_cell(const hw_grid *g, size_t row, size_t column)
{
    const char *text = g->cell[row * g->n_columns + column];
    return text ? text : "";
}

/* ---- Text. ---- */

/* What stands behind the text of a cell. */
static const char *marks_of(const hw_grid *g, size_t row, size_t column)
{
    static const char *const marks[] = {"", "*", "\xE2\x80\xA0", "*\xE2\x80\xA0"};
    return marks[g->mark[row * g->n_columns + column] & (HW_GRID_BOLD | HW_GRID_DAGGER)];
}

/* Columns that the marks take, so that numbers stay one below the other. */
static size_t room_for_marks(const hw_grid *g, size_t column)
{
    size_t room = 0;
    for (size_t row = 0; row < g->n_rows; row++) {
        size_t width = width_of(marks_of(g, row, column));
        room = width > room ? width : room;
    }
    return room;
}

static void put_padded(const hw_grid *g, size_t row, size_t column, size_t room, FILE *out)
{
    const char *text = hw_grid_cell(g, row, column), *marks = marks_of(g, row, column);
    int fill = (int)(g->width[column] - width_of(text)), rest = (int)(room - width_of(marks));
    bool last = column + 1 == g->n_columns, number = g->is_number[column];
    (void)fprintf(out, "%*s", number ? fill : 0, "");
    hw_control_put(out, text);
    (void)fprintf(out, "%s%*s", marks, last ? 0 : rest + (number ? 0 : fill), "");
    (void)fputs(last ? "\n" : "  ", out);
}

void hw_grid_write_text(const hw_grid *g, FILE *out)
{
    for (size_t column = 0; column < g->n_columns; column++)
        g->room[column] = room_for_marks(g, column);
    for (size_t row = 0; row < g->n_rows; row++)
        for (size_t column = 0; column < g->n_columns; column++)
            put_padded(g, row, column, g->room[column], out);
}

void hw_grid_write_csv(const hw_grid *g, FILE *out)
{
    for (size_t row = 0; row < g->n_rows; row++)
        for (size_t column = 0; column < g->n_columns; column++) {
            const char *text = hw_grid_cell(g, row, column);
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

/* No cell, emphasis, code, tag or link begins or ends in a text. */
static void put_markdown(const char *text, FILE *out)
{
    for (char before = '\0'; *text; before = *text++) {
        size_t control = hw_control_bytes(text);
        if (strchr("|*_`\\<", *text) || (*text == '(' && before == ']'))
            (void)fputc('\\', out);
        (void)fputc(*text == '\n' ? ' ' : control ? '?' : *text, out);
        text += control ? control - 1 : 0;
    }
}

void hw_grid_write_markdown(const hw_grid *g, FILE *out)
{
    for (size_t row = 0; row < g->n_rows; row++) {
        for (size_t column = 0; column < g->n_columns; column++) {
            unsigned mark = g->mark[row * g->n_columns + column];
            (void)fputs(mark & HW_GRID_BOLD ? "| **" : "| ", out);
            put_markdown(hw_grid_cell(g, row, column), out);
            (void)fputs(mark & HW_GRID_BOLD ? "**" : "", out);
            (void)fputs(mark & HW_GRID_DAGGER ? "\xE2\x80\xA0 " : " ", out);
        }
        (void)fputs("|\n", out);
        for (size_t column = 0; row == 0 && column < g->n_columns; column++)
            (void)fputs(g->is_number[column] ? "| ---: " : "| --- ", out);
        if (row == 0)
            (void)fputs("|\n", out);
    }
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
            const char *key = hw_grid_cell(g, 0, column), *text = hw_grid_cell(g, row, column);
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
