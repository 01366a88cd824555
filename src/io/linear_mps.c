/* The MPS file of a linear program.  See linear.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "io/linear.h"

/* Terms by column, rows ascending: entry k of column c is term by[first[c] + k]. */
typedef struct by_column {
    size_t *first; /* n_columns + 1 */
    size_t *row;   /* of each entry */
    int64_t *factor;
} by_column;

static bool turn(const hw_linear *l, by_column *t)
{
    t->first = HW_NEW0(size_t, l->n_columns + 2);
    t->row = HW_NEW(size_t, l->n_terms);
    t->factor = HW_NEW(int64_t, l->n_terms);
    if (!t->first || !t->row || !t->factor)
        return false;
    for (size_t i = 0; i < l->n_terms; i++)
        t->first[l->term[i].column + 2]++;
    for (size_t c = 2; c <= l->n_columns; c++)
        t->first[c] += t->first[c - 1];
    for (size_t r = 0; r < l->n_rows; r++)
        for (size_t i = l->row[r].first; i < l->row[r].first + l->row[r].n_terms; i++) {
            size_t at = t->first[l->term[i].column + 1]++;
            t->row[at] = r;
            t->factor[at] = l->term[i].factor;
        }
    return true;
}

static void put_rows(const hw_linear *l, FILE *out)
{
    static const char senses[] = {'L', 'G', 'E'};
    (void)fputs("ROWS\n N obj\n", out);
    for (size_t r = 0; r < l->n_rows; r++)
        (void)fprintf(out, " %c c%zu\n", senses[l->row[r].sense], r);
}

/* Every column is named here, at least with its cost: 0 is one. */
static void put_column(const hw_linear *l, const by_column *t, size_t c, FILE *out)
{
    const char *name = l->column[c].name;
    if (l->column[c].cost != 0 || t->first[c] == t->first[c + 1])
        (void)fprintf(out, " %s obj %" PRId64 "\n", name, l->column[c].cost);
    for (size_t i = t->first[c]; i < t->first[c + 1]; i++)
        (void)fprintf(out, " %s c%zu %" PRId64 "\n", name, t->row[i], t->factor[i]);
}

static void put_columns(const hw_linear *l, const by_column *t, FILE *out)
{
    size_t markers = 0;
    bool whole = false;
    (void)fputs("COLUMNS\n", out);
    for (size_t c = 0; c < l->n_columns; c++) {
        if (l->column[c].integer != whole) {
            whole = !whole;
            (void)fprintf(out, " M%zu 'MARKER' '%s'\n", markers++, whole ? "INTORG" : "INTEND");
        }
        put_column(l, t, c, out);
    }
    if (whole)
        (void)fprintf(out, " M%zu 'MARKER' 'INTEND'\n", markers);
}

/* Readers disagree on what is meant by a bound left out: none is. */
static void put_bounds(const hw_linear *l, FILE *out)
{
    (void)fputs("BOUNDS\n", out);
    for (size_t c = 0; c < l->n_columns; c++) {
        const hw_linear_column *column = &l->column[c];
        (void)fprintf(out, " LO BND %s %" PRId64 "\n", column->name, column->low);
        if (column->high == HW_LINEAR_ENDLESS)
            (void)fprintf(out, " PL BND %s\n", column->name);
        else
            (void)fprintf(out, " UP BND %s %" PRId64 "\n", column->name, column->high);
    }
}

hw_code hw_linear_write_mps(const hw_linear *l, FILE *out, hw_error *err)
{
    by_column t = {.first = NULL};
    bool turned = turn(l, &t);
    if (turned) {
        (void)fputs("NAME highwater\n", out);
        put_rows(l, out);
        put_columns(l, &t, out);
        (void)fputs("RHS\n", out);
        for (size_t r = 0; r < l->n_rows; r++)
            if (l->row[r].right != 0)
                (void)fprintf(out, " RHS c%zu %" PRId64 "\n", r, l->row[r].right);
        put_bounds(l, out);
        (void)fputs("ENDATA\n", out);
    }
    free(t.first);
    free(t.row);
    free(t.factor);
    return turned ? HW_OK : hw_fail_memory(err, "an MPS file");
}
