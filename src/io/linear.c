/* A mixed-integer linear program and its LP file.  See linear.h. */
#include "io/linear.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"

enum { TERMS_A_LINE = 8 }; /* readers limit the length of a line */

hw_linear *hw_linear_new(void)
{
    return HW_NEW0(hw_linear, 1);
}

void hw_linear_free(hw_linear *l)
{
    if (!l)
        return;
    free(l->column);
    free(l->row);
    free(l->term);
    free(l);
}

size_t hw_linear_add_column(hw_linear *l, char letter, int64_t first, int64_t second, int64_t low,
                            int64_t high, int64_t cost, bool integer)
{
    if (!hw_grow((void **)&l->column, &l->columns_capacity, l->n_columns + 1, sizeof *l->column)) {
        l->failed = true;
        return 0;
    }
    hw_linear_column *c = &l->column[l->n_columns];
    *c = (hw_linear_column){.low = low, .high = high, .cost = cost, .integer = integer};
    if (second == HW_LINEAR_NO_INDEX)
        (void)snprintf(c->name, sizeof c->name, "%c_%" PRId64, letter, first);
    else
        (void)snprintf(c->name, sizeof c->name, "%c_%" PRId64 "_%" PRId64, letter, first, second);
    return l->n_columns++;
}

void hw_linear_add_term(hw_linear *l, size_t column, int64_t factor)
{
    if (factor == 0 || l->failed)
        return;
    if (!hw_grow((void **)&l->term, &l->terms_capacity, l->n_terms + 1, sizeof *l->term)) {
        l->failed = true;
        return;
    }
    l->term[l->n_terms++] = (hw_linear_term){column, factor};
}

void hw_linear_end_row(hw_linear *l, hw_linear_sense sense, int64_t right)
{
    if (l->failed)
        return;
    if (!hw_grow((void **)&l->row, &l->rows_capacity, l->n_rows + 1, sizeof *l->row)) {
        l->failed = true;
        return;
    }
    l->row[l->n_rows++] = (hw_linear_row){.first = l->open_term,
                                          .n_terms = l->n_terms - l->open_term,
                                          .sense = sense,
                                          .right = right};
    l->open_term = l->n_terms;
}

hw_code hw_linear_finish(const hw_linear *l, hw_error *err)
{
    return l->failed ? hw_fail_memory(err, "a linear program") : HW_OK;
}

/* ---- The LP file. ---- */

static void put_term(const hw_linear *l, size_t number, size_t column, int64_t factor, FILE *out)
{
    bool minus = factor < 0;
    uint64_t size = minus ? 0 - (uint64_t)factor : (uint64_t)factor;
    if (number > 0 && number % TERMS_A_LINE == 0)
        (void)fputs("\n ", out);
    (void)fprintf(out, " %c %" PRIu64 " %s", minus ? '-' : '+', size, l->column[column].name);
}

static void put_objective(const hw_linear *l, FILE *out)
{
    size_t number = 0;
    (void)fputs("Minimize\n obj:", out);
    for (size_t i = 0; i < l->n_columns; i++)
        if (l->column[i].cost != 0)
            put_term(l, number++, i, l->column[i].cost, out);
    (void)fputc('\n', out);
}

static void put_rows(const hw_linear *l, FILE *out)
{
    static const char *const senses[] = {"<=", ">=", "="};
    (void)fputs("Subject To\n", out);
    for (size_t r = 0; r < l->n_rows; r++) {
        const hw_linear_row *row = &l->row[r];
        (void)fprintf(out, " c%zu:", r);
        for (size_t i = 0; i < row->n_terms; i++) {
            const hw_linear_term *t = &l->term[row->first + i];
            put_term(l, i, t->column, t->factor, out);
        }
        if (row->n_terms == 0 && l->n_columns > 0)
            put_term(l, 0, 0, 0, out);
        (void)fprintf(out, " %s %" PRId64 "\n", senses[row->sense], row->right);
    }
}

static bool is_binary(const hw_linear_column *c)
{
    return c->integer && c->low == 0 && c->high == 1;
}

/* One name a line: some readers limit lines to 255 characters. */
static void put_names(const hw_linear *l, const char *head, bool binary, FILE *out)
{
    bool any = false;
    for (size_t i = 0; i < l->n_columns; i++) {
        const hw_linear_column *c = &l->column[i];
        if (!c->integer || is_binary(c) != binary)
            continue;
        (void)fprintf(out, "%s %s\n", any ? "" : head, c->name);
        any = true;
    }
}

void hw_linear_write_lp(const hw_linear *l, FILE *out)
{
    put_objective(l, out);
    put_rows(l, out);
    (void)fputs("Bounds\n", out);
    for (size_t i = 0; i < l->n_columns; i++) {
        const hw_linear_column *c = &l->column[i];
        if (c->high == HW_LINEAR_ENDLESS)
            (void)fprintf(out, " %s >= %" PRId64 "\n", c->name, c->low);
        else if (!is_binary(c))
            (void)fprintf(out, " %" PRId64 " <= %s <= %" PRId64 "\n", c->low, c->name, c->high);
    }
    put_names(l, "Generals\n", false, out);
    put_names(l, "Binaries\n", true, out);
    (void)fputs("End\n", out);
}

static void name_column(size_t column, size_t *place, bool *seen, size_t *count)
{
    if (!seen[column])
        place[(*count)++] = column;
    seen[column] = true;
}

void hw_linear_lp_order(const hw_linear *l, size_t *place, bool *seen)
{
    size_t count = 0;
    for (size_t i = 0; i < l->n_columns; i++)
        seen[i] = false;
    for (size_t i = 0; i < l->n_columns; i++)
        if (l->column[i].cost != 0)
            name_column(i, place, seen, &count);
    for (size_t r = 0; r < l->n_rows; r++) {
        const hw_linear_row *row = &l->row[r];
        for (size_t i = 0; i < row->n_terms; i++)
            name_column(l->term[row->first + i].column, place, seen, &count);
        if (row->n_terms == 0 && l->n_columns > 0)
            name_column(0, place, seen, &count);
    }
    for (size_t i = 0; i < l->n_columns; i++) /* the bounds */
        if (!is_binary(&l->column[i]))
            name_column(i, place, seen, &count);
    for (size_t i = 0; i < l->n_columns; i++) /* the binaries */
        name_column(i, place, seen, &count);
}
