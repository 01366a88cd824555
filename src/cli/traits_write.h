/* What `highwater traits` writes. */
#ifndef HW_CLI_TRAITS_WRITE_H
#define HW_CLI_TRAITS_WRITE_H

#include "bench/grid.h"
#include "cli/traits_sets.h"

typedef struct traits_page {
    hw_trait_options options;
    traits_set *sets[2]; /* those that have cases */
    size_t n_sets;
    bool stopped; /* a signal ended the scoring early */
} traits_page;

/* For people: HW_TABLE_TEXT or HW_TABLE_MARKDOWN.  HW_NO_MEMORY. */
hw_code traits_write(const traits_page *p, hw_table_format format, FILE *out, hw_error *err);

/* Everything that traits_write() writes, and all features of all cases' sums, for programs. */
void traits_write_json(const traits_page *p, FILE *out);

/* A line a case: its graph, figures, features and balances. */
void traits_write_csv(const traits_page *p, FILE *out);

/* A line a set, reading and meaning of its words: counts, odds, the verdict of the preset one. */
void traits_write_readings(const traits_page *p, FILE *out);

/* Share of bad cases against the balance, a panel a reading, of the first set. */
hw_code traits_plot(const traits_page *p, const char *path, hw_error *err);

/*
 * Counter-examples into a folder, which is made where it is missing: for each
 * set and reading the smallest bad graph without the trait and the smallest
 * optimal one with it.  Names begin with `accounting`.
 */
hw_code traits_write_examples(const traits_page *p, const char *folder, hw_error *err);

/* What a condition changes, in words ("bad means a gap above 50 %"). */
enum { TRAITS_CONDITION_TEXT = 160 };
const char *traits_condition_text(const traits_set *s, const hw_trait_condition *c,
                                  char text[TRAITS_CONDITION_TEXT]);

#endif
