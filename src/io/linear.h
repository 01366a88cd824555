/*
 * A mixed-integer linear program with whole coefficients, and its LP and MPS files.
 *
 * Columns and rows are added one by one; memory that runs out is remembered
 * and reported once, by hw_linear_finish().  All columns are minimised over
 * with the coefficient that they were given.
 */
#ifndef HW_IO_LINEAR_H
#define HW_IO_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

/* No upper bound. */
#define HW_LINEAR_ENDLESS INT64_MAX

enum { HW_LINEAR_NAME = 32 };

typedef struct hw_linear_column {
    char name[HW_LINEAR_NAME]; /* letters, digits, "_"; begins with neither digit nor e */
    int64_t low, high;
    int64_t cost;
    bool integer;
} hw_linear_column;

typedef enum hw_linear_sense {
    HW_LINEAR_AT_MOST,
    HW_LINEAR_AT_LEAST,
    HW_LINEAR_EQUAL
} hw_linear_sense;

typedef struct hw_linear_row {
    size_t first; /* term */
    size_t n_terms;
    hw_linear_sense sense;
    int64_t right; /* hand side */
} hw_linear_row;

typedef struct hw_linear_term {
    size_t column;
    int64_t factor;
} hw_linear_term;

typedef struct hw_linear {
    hw_linear_column *column;
    hw_linear_row *row;
    hw_linear_term *term;
    size_t n_columns, n_rows, n_terms;
    size_t columns_capacity, rows_capacity, terms_capacity;
    size_t open_term; /* first of the row that is under way */
    bool failed;      /* memory ran out                     */
} hw_linear;

/* NULL: out of memory.  Released by hw_linear_free(). */
hw_linear *hw_linear_new(void);
void hw_linear_free(hw_linear *l);

/* The number of a new column; its name is `letter`_first, or letter_first_second. */
enum { HW_LINEAR_NO_INDEX = -1 };
size_t hw_linear_add_column(hw_linear *l, char letter, int64_t first, int64_t second, int64_t low,
                            int64_t high, int64_t cost, bool integer);

/*
 * A row: terms, each column at most once and factors of 0 left out, then its
 * end.  A row without terms is kept and written with a column of factor 0.
 */
void hw_linear_add_term(hw_linear *l, size_t column, int64_t factor);
void hw_linear_end_row(hw_linear *l, hw_linear_sense sense, int64_t right);

/* HW_NO_MEMORY: some column, term or row is missing. */
hw_code hw_linear_finish(const hw_linear *l, hw_error *err);

/*
 * Write the program in CPLEX LP format, as CBC, GLPK, HiGHS and SCIP read it.
 * Write errors stay in the stream.  O(size).
 */
void hw_linear_write_lp(const hw_linear *l, FILE *out);

/*
 * The columns in the order in which the LP file first names them, which is how
 * readers number them: place[i] is the column named i-th.  Both arrays have an
 * entry a column; seen[] is work space.  O(size).
 */
void hw_linear_lp_order(const hw_linear *l, size_t *place, bool *seen);

/*
 * Write it in free MPS format, columns and rows in their order.  Write errors
 * stay in the stream.  HW_NO_MEMORY.  O(size).
 */
hw_code hw_linear_write_mps(const hw_linear *l, FILE *out, hw_error *err);

#endif
