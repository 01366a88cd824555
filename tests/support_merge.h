/*
 * Sweeps cut into parts and put together again, for tests.  Files are in the
 * current folder; failures fail the running test.
 */
#ifndef HW_TESTS_SUPPORT_MERGE_H
#define HW_TESTS_SUPPORT_MERGE_H

#include "merge/digest.h"
#include "merge/merge.h"

/* Set-up and tear-down: a fresh folder to work in, and its removal. */
int enter_sweep_folder(void **state);
int leave_sweep_folder(void **state);

/* Write a suite to `path` and read it. */
hw_suite *suite_of_text(const char *path, const char *text);

/* Run it into a file. */
void run_sweep(const hw_suite *suite, const char *path);

/*
 * The lines of `from` that are of part 1 .. parts, in the order of `from`, into
 * part-1.jsonl and so on.
 */
void cut_sweep(const hw_suite *suite, const char *from, uint64_t parts);

/* Copy a file of lines; of line `number` (from 1; 0: every one) the first `old` becomes `new`. */
void edit_line(const char *from, const char *to, size_t number, const char *old, const char *new);

/* Copy a file of lines without line `number`. */
void drop_line(const char *from, const char *to, size_t number);

/* Number (from 1) of the n-th line (from 1) that holds `text`. */
size_t line_with(const char *path, const char *text, size_t n);

/* A merge of files whose names are parted by blanks; *texts collects contradictions ("" first). */
enum { TOLD_BYTES = 4096 };
hw_code merge_open(const hw_suite *suite, const char *paths, const hw_merge_options *options,
                   char told[TOLD_BYTES], hw_merge **out, hw_error *err);

/* All units of it into `to`; the code of the first failure. */
hw_code merge_write(const hw_suite *suite, hw_merge *merge, const char *to, hw_error *err);

/* Both together. */
hw_code merge_files(const hw_suite *suite, const char *paths, const char *to, char told[TOLD_BYTES],
                    hw_merge_counts *counts, hw_error *err);

/* Two files hold the same bytes. */
void assert_same_files(const char *a, const char *b);

#endif
