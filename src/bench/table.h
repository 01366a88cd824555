/* Tables of results: text, CSV, Markdown, LaTeX, JSON; and the summary. */
#ifndef HW_BENCH_TABLE_H
#define HW_BENCH_TABLE_H

#include <stdio.h>

#include "bench/cells.h"

/*
 * Write groups made by `fields`.  Text, Markdown and LaTeX are for people:
 * rounded, shares with their 95 % intervals, times with units.  CSV and JSON
 * are for programs: a column a number, shares from 0 to 1, seconds.
 * Write errors stay in the stream.  HW_NO_MEMORY.
 */
hw_code hw_table_write(const hw_group *groups, size_t n_groups, const hw_field *fields,
                       size_t n_fields, hw_table_format format, FILE *out, hw_error *err);

/*
 * The same groups as a verdict on solvers: graphs, those that the solver does
 * not take, those that it left without an order, shares optimal, within 5 % and
 * above 20 %, median and worst gap and where, median and longest time.
 */
hw_code hw_quality_write(const hw_group *groups, size_t n_groups, const hw_field *fields,
                         size_t n_fields, hw_table_format format, FILE *out, hw_error *err);

/*
 * The short summary: what ran, whether the exact solvers agree, and a section
 * each with within 5 %, above 20 %, worst case and time of every solver under
 * every accounting.  *agree is false when two proofs disagree or an order
 * beats an optimum.  HW_NO_MEMORY.
 */
hw_code hw_summary_write(const hw_record *records, size_t n, FILE *out, bool *agree, hw_error *err);

#endif
