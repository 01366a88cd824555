/*
 * Results as an SQLite file, for queries (highwater-results(5), SQLITE).  It is
 * derived: the lines stay the truth, and the file is made anew from them.
 *
 * Numbers of 2^63 and above, which SQLite cannot hold, stand as text of 20
 * digits with leading zeros: it sorts behind all smaller numbers and in the
 * right order.
 */
#ifndef HW_MERGE_INDEX_H
#define HW_MERGE_INDEX_H

#include "merge/merge.h"

typedef struct hw_index hw_index;

/*
 * Begin an index in an empty or missing file, all in one transaction; `name`
 * stands for the file in messages.  suite and name must outlive *out, which is
 * released by hw_index_close().  HW_IO, HW_NO_MEMORY.
 */
hw_code hw_index_open(const char *path, const char *name, const hw_suite *suite, hw_index **out,
                      hw_error *err);

/* The runs of the next unit, in the order of the plan.  O(runs).  HW_IO. */
hw_code hw_index_unit(hw_index *index, const hw_merged_unit *unit, hw_error *err);

/* Write what describes the whole, make the indices, commit.  O(runs log runs).  HW_IO. */
hw_code hw_index_finish(hw_index *index, const hw_merge *merge, hw_error *err);

/* Numbers that stand as text. */
uint64_t hw_index_large(const hw_index *index);

void hw_index_close(hw_index *index);

#endif
