/* Figures as the cells of tables show them. */
#ifndef HW_BENCH_CELLS_H
#define HW_BENCH_CELLS_H

#include "bench/grid.h"
#include "bench/groups.h"

/* "12 µs", "3.40 ms", "1.5 s"; NaN is "-". */
enum { HW_DURATION_TEXT = 24 };
void hw_duration_text(double seconds, char text[HW_DURATION_TEXT]);

/* All return false when memory runs out.  For people; "-" where nothing is known: */
bool hw_put_share(hw_grid *grid, size_t row, size_t column, const hw_share *s);
bool hw_put_per_cent(hw_grid *grid, size_t row, size_t column, double value);
bool hw_put_duration(hw_grid *grid, size_t row, size_t column, double seconds);

/* For programs; empty where nothing is known; a share takes three columns: */
bool hw_put_number(hw_grid *grid, size_t row, size_t column, double value);
bool hw_put_three(hw_grid *grid, size_t row, size_t column, const hw_share *s);

/*
 * The fields of a group in columns 0 .. n_fields - 1 of a row; r NULL: their
 * names, and whether they hold numbers.
 */
bool hw_put_fields(hw_grid *grid, size_t row, const hw_record *r, const hw_field *fields,
                   size_t n_fields);

#endif
