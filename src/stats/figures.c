/* Figures and their tables.  See figures.h. */
#include "stats/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cells.h"
#include "core/memory.h"
#include "core/params.h"

hw_code hw_figures_make(hw_figures *f, const hw_figure_column *columns, size_t n_columns,
                        size_t n_rows, const hw_field *fields, size_t n_fields, hw_error *err)
{
    *f = (hw_figures){.columns = columns,
                      .n_columns = n_columns,
                      .n_rows = n_rows,
                      .n_fields = n_fields,
                      .has_solver = true,
                      .row = HW_NEW0(hw_figure_row, n_rows),
                      .value = hw_alloc(n_rows, n_columns * sizeof(double)),
                      .text = hw_calloc(n_rows, n_columns * sizeof(char *)),
                      .dagger = hw_calloc(n_rows, n_columns * sizeof(bool))};
    if (!f->row || !f->value || !f->text || !f->dagger) {
        hw_figures_free(f);
        return hw_fail_memory(err, "figures");
    }
    for (size_t i = 0; i < n_fields; i++)
        f->fields[i] = fields[i];
    for (size_t i = 0; i < n_rows * n_columns; i++)
        f->value[i] = NAN;
    return HW_OK;
}

void hw_figures_free(hw_figures *f)
{
    for (size_t i = 0; f->text && i < f->n_rows * f->n_columns; i++)
        free(f->text[i]);
    free((void *)f->text);
    free(f->row);
    free(f->value);
    free(f->dagger);
    *f = (hw_figures){.n_rows = 0};
}

void hw_figures_cut(hw_figures *f, size_t n_rows)
{
    f->n_rows = n_rows;
}

void hw_figures_put(hw_figures *f, size_t row, size_t column, double value)
{
    f->value[row * f->n_columns + column] = value;
}

bool hw_figures_put_text(hw_figures *f, size_t row, size_t column, const char *text)
{
    char **cell = &f->text[row * f->n_columns + column];
    *cell = hw_copy(text, strlen(text) + 1, 1);
    return *cell != NULL;
}

void hw_figures_put_three(hw_figures *f, size_t row, size_t column, double value, double low,
                          double high)
{
    hw_figures_put(f, row, column, value);
    hw_figures_put(f, row, column + 1, low);
    hw_figures_put(f, row, column + 2, high);
}

void hw_figures_put_share(hw_figures *f, size_t row, size_t column, const hw_share *share)
{
    if (share->n)
        hw_figures_put_three(f, row, column, share->share, share->low, share->high);
}

/* ---- Tables. ---- */

/* A column of the grid: a figure; in LaTeX its interval is one of its own. */
typedef struct shown_column {
    size_t column;
    bool interval; /* with its interval; `alone`: nothing but that */
    bool alone;
} shown_column;

typedef struct sheet {
    const hw_figures *f;
    const hw_figures_style *style;
    shown_column *shown;
    size_t n_shown, n_labels;
    bool people;
} sheet;

static void show(sheet *s, size_t column)
{
    bool interval = s->people && s->f->columns[column].has_interval && !s->style->no_intervals;
    bool apart = interval && s->style->format == HW_TABLE_LATEX;
    s->shown[s->n_shown++] = (shown_column){.column = column, .interval = interval && !apart};
    if (apart)
        s->shown[s->n_shown++] = (shown_column){.column = column, .interval = true, .alone = true};
}

static hw_code show_named(sheet *s, hw_error *err)
{
    for (const char *at = s->style->columns;; at++) {
        char name[64];
        size_t length = strcspn(at, ","), c = 0;
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), at);
        while (c < s->f->n_columns && strcmp(s->f->columns[c].key, name) != 0)
            c++;
        for (size_t i = 0; c < s->f->n_columns && i < s->n_shown; i++)
            if (s->shown[i].column == c)
                return hw_fail(err, HW_USAGE, "--columns names %s twice", name);
        if (c == s->f->n_columns) {
            const char *keys[64] = {0};
            size_t n = s->f->n_columns < 64 ? s->f->n_columns : 64;
            for (size_t i = 0; i < n; i++)
                keys[i] = s->f->columns[i].key;
            const char *near = hw_nearest_name(name, keys, n);
            return hw_fail(err, HW_USAGE,
                           "the table '%s' has no column '%s'%s%s%s --format csv shows all that "
                           "it has",
                           s->f->name, name, near ? "; did you mean '" : "", near ? near : "",
                           near ? "'?" : ":");
        }
        show(s, c);
        at += length;
        if (*at == '\0')
            return HW_OK;
    }
}

static hw_code choose_columns(sheet *s, hw_error *err)
{
    s->shown = HW_NEW0(shown_column, 2 * s->f->n_columns + 2);
    if (!s->shown)
        return hw_fail_memory(err, "a table");
    if (s->style->columns)
        return show_named(s, err);
    for (size_t c = 0; c < s->f->n_columns; c++)
        if (!s->people || s->f->columns[c].head)
            show(s, c);
    return HW_OK;
}

static double value_of(const sheet *s, size_t row, size_t column)
{
    return s->f->value[row * s->f->n_columns + column];
}

static bool put_seconds_head(hw_grid *grid, size_t at, const char *head)
{
    return hw_grid_put(grid, 0, at, "%s (ms)", head);
}

static bool put_head(const sheet *s, hw_grid *grid, size_t at, const shown_column *shown)
{
    const hw_figure_column *c = &s->f->columns[shown->column];
    bool latex = s->style->format == HW_TABLE_LATEX;
    const char *head = c->head ? c->head : c->key;
    grid->is_number[at] = c->kind != HW_FIGURE_TEXT && !shown->alone;
    if (!s->people)
        return hw_grid_put(grid, 0, at, "%s", c->key);
    if (shown->alone)
        return hw_grid_put(grid, 0, at, "95 %% interval");
    if (latex && (c->kind == HW_FIGURE_SHARE || c->kind == HW_FIGURE_PERCENT))
        return hw_grid_put(grid, 0, at, strchr(head, '%') ? "%s" : "%s (%%)", head);
    if (latex && c->kind == HW_FIGURE_SECONDS)
        return put_seconds_head(grid, at, head);
    return hw_grid_put(grid, 0, at, "%s", head);
}

static bool put_for_programs(const sheet *s, hw_grid *grid, size_t row, size_t at, size_t column)
{
    const char *text = s->f->text[row * s->f->n_columns + column];
    if (text)
        return hw_grid_put(grid, row + 1, at, "%s", text);
    return hw_put_number(grid, row + 1, at, value_of(s, row, column));
}

/* A figure in text and Markdown: with its unit and interval. */
static bool put_with_unit(const sheet *s, hw_grid *grid, size_t row, size_t at,
                          const shown_column *shown)
{
    const hw_figure_column *c = &s->f->columns[shown->column];
    double value = value_of(s, row, shown->column);
    char text[HW_FIGURE_CELL], low[HW_FIGURE_CELL], high[HW_FIGURE_CELL];
    if (c->kind == HW_FIGURE_SECONDS)
        return hw_put_duration(grid, row + 1, at, value);
    hw_figure_text(value, c->kind, false, text);
    bool per_cent = c->kind == HW_FIGURE_SHARE || c->kind == HW_FIGURE_PERCENT;
    if (!shown->interval || isnan(value_of(s, row, shown->column + 1)))
        return hw_grid_put(grid, row + 1, at, per_cent ? "%s %%" : "%s", text);
    hw_figure_text(value_of(s, row, shown->column + 1), c->kind, false, low);
    hw_figure_text(value_of(s, row, shown->column + 2), c->kind, false, high);
    return hw_grid_put(grid, row + 1, at, per_cent ? "%s %% [%s, %s]" : "%s [%s, %s]", text, low,
                       high);
}

/* A minus as it is set in a text: not a hyphen. */
static bool put_ends(hw_grid *grid, size_t row, size_t at, const char *low, const char *high)
{
    static const char minus[] = "\xE2\x88\x92";
    bool below = *low == '-', both = *high == '-';
    return hw_grid_put(grid, row, at, "[%s%s, %s%s]", below ? minus : "", low + below,
                       both ? minus : "", high + both);
}

static bool put_for_latex(const sheet *s, hw_grid *grid, size_t row, size_t at,
                          const shown_column *shown)
{
    hw_figure_kind kind = s->f->columns[shown->column].kind;
    char text[HW_FIGURE_CELL], high[HW_FIGURE_CELL];
    if (!shown->alone) {
        hw_figure_text(value_of(s, row, shown->column), kind, false, text);
        return hw_grid_put(grid, row + 1, at, "%s", text);
    }
    hw_figure_text(value_of(s, row, shown->column + 1), kind, false, text);
    hw_figure_text(value_of(s, row, shown->column + 2), kind, false, high);
    return put_ends(grid, row + 1, at, text, high);
}

static bool put_for_people(const sheet *s, hw_grid *grid, size_t row, size_t at,
                           const shown_column *shown)
{
    const char *text = s->f->text[row * s->f->n_columns + shown->column];
    if (text)
        return hw_grid_put(grid, row + 1, at, "%s", text);
    if (isnan(value_of(s, row, shown->column + shown->alone)))
        return hw_grid_put(grid, row + 1, at, "-");
    return s->style->format == HW_TABLE_LATEX ? put_for_latex(s, grid, row, at, shown)
                                              : put_with_unit(s, grid, row, at, shown);
}

static bool put_labels(const sheet *s, hw_grid *grid)
{
    const hw_figures *f = s->f;
    size_t at = f->n_fields;
    bool fine = hw_put_fields(grid, 0, NULL, f->fields, f->n_fields);
    if (f->has_solver)
        fine = fine && hw_grid_put(grid, 0, at, "solver");
    if (f->has_against)
        fine = fine && hw_grid_put(grid, 0, at + 1, "against");
    for (size_t row = 0; fine && row < f->n_rows; row++) {
        const hw_figure_row *r = &f->row[row];
        fine = hw_put_fields(grid, row + 1, r->first, f->fields, f->n_fields);
        if (fine && f->has_solver && r->solver)
            fine = hw_grid_put(grid, row + 1, at, "%s", r->solver);
        if (fine && f->has_against && r->against)
            fine = hw_grid_put(grid, row + 1, at + 1, "%s", r->against);
        grid->apart[row + 1] = row && f->row[row - 1].stratum != r->stratum && f->has_solver;
    }
    return fine;
}

/* ---- The best of each stratum. ---- */

static bool is_rival(const hw_figure_row *row)
{
    return row->solver && !row->is_reference;
}

/* Figures that read alike are both best, for the table shows no difference; when
 * all of them do, none is. */
static void mark_stratum(const sheet *s, hw_grid *grid, size_t from, size_t to, size_t at)
{
    size_t column = s->shown[at].column, best = SIZE_MAX;
    const hw_figure_column *c = &s->f->columns[column];
    char text[HW_FIGURE_CELL], wanted[HW_FIGURE_CELL];
    for (size_t row = from; row < to; row++) {
        double value = value_of(s, row, column);
        if (is_rival(&s->f->row[row]) && !isnan(value) &&
            (best == SIZE_MAX || c->best * value > c->best * value_of(s, best, column)))
            best = row;
    }
    if (best == SIZE_MAX)
        return;
    hw_figure_text(value_of(s, best, column), c->kind, false, wanted);
    bool differ = false;
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t row = from; row < to; row++) {
            if (!is_rival(&s->f->row[row]))
                continue;
            hw_figure_text(value_of(s, row, column), c->kind, false, text);
            bool alike = strcmp(text, wanted) == 0;
            differ |= !alike;
            if (pass == 1 && differ && alike)
                grid->mark[(row + 1) * grid->n_columns + s->n_labels + at] |= HW_GRID_BOLD;
        }
}

static void mark_cells(const sheet *s, hw_grid *grid)
{
    for (size_t from = 0, to; from < s->f->n_rows; from = to) {
        for (to = from + 1; to < s->f->n_rows && s->f->row[to].stratum == s->f->row[from].stratum;)
            to++;
        for (size_t i = 0; i < s->n_shown; i++)
            if (s->f->columns[s->shown[i].column].best && !s->shown[i].alone && to - from > 1)
                mark_stratum(s, grid, from, to, i);
    }
    for (size_t row = 0; row < s->f->n_rows; row++)
        for (size_t i = 0; i < s->n_shown; i++)
            if (!s->shown[i].alone && s->f->dagger[row * s->f->n_columns + s->shown[i].column])
                grid->mark[(row + 1) * grid->n_columns + s->n_labels + i] |= HW_GRID_DAGGER;
}

static bool has_mark(const hw_grid *grid, unsigned mark)
{
    for (size_t i = 0; i < grid->n_rows * grid->n_columns; i++)
        if (grid->mark[i] & mark)
            return true;
    return false;
}

/* What the marks mean. */
static void put_legend(const sheet *s, const hw_grid *grid, FILE *out)
{
    bool dagger = s->f->note && has_mark(grid, HW_GRID_DAGGER);
    switch (s->style->format) {
    case HW_TABLE_TEXT:
        if (has_mark(grid, HW_GRID_BOLD))
            (void)fputs("* best of its stratum\n", out);
        if (dagger)
            (void)fprintf(out, "\xE2\x80\xA0 %s\n", s->f->note);
        break;
    case HW_TABLE_MARKDOWN:
        if (dagger)
            (void)fprintf(out, "\n\xE2\x80\xA0 %s\n", s->f->note);
        break;
    case HW_TABLE_LATEX:
        if (dagger) {
            (void)fputs("\\par\\smallskip{\\footnotesize\\textsuperscript{\\textdagger} ", out);
            hw_put_latex(s->f->note, out);
            (void)fputs("}\n", out);
        }
        break;
    case HW_TABLE_CSV:
    case HW_TABLE_JSON:
        break;
    }
}

static hw_code write_grid(sheet *s, FILE *out, hw_error *err)
{
    hw_grid grid;
    s->n_labels = s->f->n_fields + s->f->has_solver + s->f->has_against;
    hw_code code = hw_grid_make(&grid, s->n_labels + s->n_shown, s->f->n_rows + 1, err);
    if (code != HW_OK)
        return code;
    bool fine = put_labels(s, &grid);
    for (size_t i = 0; fine && i < s->n_shown; i++) {
        size_t at = s->n_labels + i;
        fine = put_head(s, &grid, at, &s->shown[i]);
        for (size_t row = 0; fine && row < s->f->n_rows; row++)
            fine = s->people ? put_for_people(s, &grid, row, at, &s->shown[i])
                             : put_for_programs(s, &grid, row, at, s->shown[i].column);
    }
    if (fine) {
        mark_cells(s, &grid);
        hw_grid_write(&grid, s->style->format, out);
        put_legend(s, &grid, out);
    }
    hw_grid_free(&grid);
    return fine ? HW_OK : hw_fail_memory(err, "a table");
}

hw_code hw_figures_write(const hw_figures *f, const hw_figures_style *style, FILE *out,
                         hw_error *err)
{
    sheet s = {.f = f, .style = style, .people = hw_table_for_people(style->format)};
    hw_code code = choose_columns(&s, err);
    if (code == HW_OK)
        code = write_grid(&s, out, err);
    free(s.shown);
    return code;
}
