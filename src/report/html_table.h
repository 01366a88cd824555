/* Tables of a page: sortable, with a caption, in a frame that scrolls where they are wide. */
#ifndef HW_REPORT_HTML_TABLE_H
#define HW_REPORT_HTML_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/stats.h"
#include "core/error.h"

/*
 * Begin a table of n columns and end it; between them rows of n cells each,
 * numeric columns to the right.  Numbers carry their exact value beside what
 * is shown, by which the page sorts.
 */
typedef struct hw_html_column {
    const char *name;
    const char *help; /* a sentence; NULL: none */
    bool is_number;
} hw_html_column;

void hw_html_table_open(FILE *out, const char *caption, const hw_html_column *columns, size_t n);
void hw_html_table_close(FILE *out);
void hw_html_row_open(FILE *out);
void hw_html_row_close(FILE *out);

void hw_html_cell_text(FILE *out, const char *text);
void hw_html_cell_count(FILE *out, uint64_t value);
/* A number with one decimal and a unit after it; NaN: a dash. */
void hw_html_cell_real(FILE *out, double value, const char *unit);
void hw_html_cell_seconds(FILE *out, double seconds);
/* "61.2 %" with the interval under it and a bar behind it; a dash where n is 0. */
void hw_html_cell_share(FILE *out, const hw_share *share);

/*
 * The CSV text of n bytes (RFC 4180) as a table, folded away where it is long.
 * At most `most_rows` rows are shown; *n_rows is how many there are.  The first
 * row names the columns.  HW_BAD_INPUT: a row with more or fewer cells, a quote
 * without an end, no row at all, each with the row; the caller drops what was written.
 * HW_NO_MEMORY.  O(n).
 */
hw_code hw_html_csv(FILE *out, const char *caption, const char *file, const char *text, size_t n,
                    uint64_t most_rows, uint64_t *n_rows, hw_error *err);

#endif
