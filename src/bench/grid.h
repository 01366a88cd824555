/* Cells of text and the ways to write them. */
#ifndef HW_BENCH_GRID_H
#define HW_BENCH_GRID_H

#include <stdbool.h>
#include <stdio.h>

#include "core/error.h"

typedef struct hw_grid {
    size_t n_columns, n_rows; /* row 0 is the head */
    char **cell;              /* row by row; NULL: empty */
    bool *is_number;          /* by column: right aligned, no quotes in JSON */
    size_t *width;            /* by column: characters of the widest cell    */
    unsigned char *mark;      /* by cell: HW_GRID_BOLD and HW_GRID_DAGGER     */
    bool *apart;              /* by row: begins what stands apart (LaTeX)     */
    size_t *room;             /* by column, for the writers                   */
} hw_grid;

/* Marks: of text a bold cell has an asterisk behind; CSV and JSON have none. */
enum { HW_GRID_BOLD = 1, HW_GRID_DAGGER = 2 };

/* n_rows with the head.  HW_NO_MEMORY. */
hw_code hw_grid_make(hw_grid *g, size_t n_columns, size_t n_rows, hw_error *err);
void hw_grid_free(hw_grid *g);

/* Put formatted text into a cell that is empty so far; false: no memory. */
bool hw_grid_put(hw_grid *g, size_t row, size_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

typedef enum hw_table_format {
    HW_TABLE_TEXT,
    HW_TABLE_CSV,
    HW_TABLE_MARKDOWN,
    HW_TABLE_LATEX, /* a booktabs tabular, plain numbers in siunitx columns */
    HW_TABLE_JSON   /* an array of objects, keys as in CSV */
} hw_table_format;

/* Text, Markdown and LaTeX: rounded figures with units. */
static inline bool hw_table_for_people(hw_table_format format)
{
    return format != HW_TABLE_CSV && format != HW_TABLE_JSON;
}

/* The text of a cell; "" where there is none. */
const char *hw_grid_cell(const hw_grid *g, size_t row, size_t column);

void hw_grid_write(const hw_grid *g, hw_table_format format, FILE *out);

void hw_grid_write_text(const hw_grid *g, FILE *out);
void hw_grid_write_csv(const hw_grid *g, FILE *out); /* RFC 4180, but LF */
void hw_grid_write_markdown(const hw_grid *g, FILE *out);

/*
 * A column whose cells are all plain numbers (or "", "-", infinity) is an S
 * column of siunitx, as wide as its numbers ask for; heads are in braces then.
 * hw_put_latex() escapes every character that LaTeX would take for its own.
 */
void hw_put_latex(const char *text, FILE *out);
void hw_grid_write_latex(const hw_grid *g, FILE *out);
void hw_grid_write_json(const hw_grid *g, FILE *out);

#endif
