/*
 * Figures by solver and stratum: computed once, then written as a table of any
 * format or as LaTeX macros.
 */
#ifndef HW_STATS_FIGURES_H
#define HW_STATS_FIGURES_H

#include <stdio.h>

#include "bench/grid.h"
#include "bench/groups.h"

typedef enum hw_figure_kind {
    HW_FIGURE_TEXT,
    HW_FIGURE_COUNT,   /* a whole number                                     */
    HW_FIGURE_SHARE,   /* 0 to 1, for people in per cent                     */
    HW_FIGURE_PERCENT, /* for people with one decimal                        */
    HW_FIGURE_SECONDS, /* for people in the unit that fits                   */
    HW_FIGURE_P,       /* of a test                                          */
    HW_FIGURE_REAL,    /* for people with two decimals                       */
    HW_FIGURE_FINE,    /* for people with three decimals                     */
    HW_FIGURE_LARGE    /* any size; for people three digits that count       */
} hw_figure_kind;

typedef struct hw_figure_column {
    const char *key;   /* in CSV and JSON, and for --columns                     */
    const char *head;  /* of the tables for people; NULL: not shown unless named */
    const char *macro; /* its part of the name of a macro, letters; NULL: none   */
    hw_figure_kind kind;
    int best;          /* the best of a stratum is its greatest (1) or smallest (-1); 0: none */
    bool has_interval; /* the two columns behind are its ends                    */
} hw_figure_column;

/* The ends of an interval, behind the column that they belong to. */
#define HW_FIGURE_ENDS(key, macro, kind)                                                           \
    {key "_low", NULL, macro "Low", kind, 0, false},                                               \
    {                                                                                              \
        key "_high", NULL, macro "High", kind, 0, false                                            \
    }

typedef struct hw_figure_row {
    const hw_record *first; /* stands for the fields of the stratum          */
    size_t stratum;         /* rows of a stratum stand together              */
    const char *solver;     /* NULL: a row of the stratum itself             */
    const char *against;    /* with it: of a pair                            */
    bool is_reference;      /* never the best: the others are measured by it */
} hw_figure_row;

/* Made by the functions of tables.h. */
typedef struct hw_figures {
    const char *title, *name;     /* "Gaps to the optimum", "gaps"                        */
    const char *note;             /* what a dagger says; NULL: there is none              */
    hw_field fields[HW_N_FIELDS]; /* of the strata */
    size_t n_fields;
    const hw_figure_column *columns;
    size_t n_columns, n_rows;
    bool has_solver, has_against;
    hw_figure_row *row;
    double *value; /* row by row; NaN: unknown, or text */
    char **text;   /* row by row; NULL: none            */
    bool *dagger;  /* row by row                        */
} hw_figures;

/* Everything unknown.  HW_NO_MEMORY. */
hw_code hw_figures_make(hw_figures *f, const hw_figure_column *columns, size_t n_columns,
                        size_t n_rows, const hw_field *fields, size_t n_fields, hw_error *err);
void hw_figures_free(hw_figures *f);

/* Keep the first n_rows rows: the others were never filled. */
void hw_figures_cut(hw_figures *f, size_t n_rows);

/* Values of a row from a column on: one; a share and its interval. */
void hw_figures_put(hw_figures *f, size_t row, size_t column, double value);
void hw_figures_put_share(hw_figures *f, size_t row, size_t column, const hw_share *share);
/* Text is copied; false: no memory. */
bool hw_figures_put_text(hw_figures *f, size_t row, size_t column, const char *text);
void hw_figures_put_three(hw_figures *f, size_t row, size_t column, double value, double low,
                          double high);

/* How to write. */
typedef struct hw_figures_style {
    hw_table_format format;
    const char *columns; /* keys with commas between; NULL: those for people or all, by format */
    bool no_intervals;   /* in tables for people */
} hw_figures_style;

/*
 * A table.  For people (text, Markdown, LaTeX) figures are rounded, the best of
 * a stratum and all that look the same are bold (in text: an asterisk behind).
 * Write errors stay in the stream.  HW_USAGE: a key that is none, with the
 * nearest; HW_NO_MEMORY.  O(cells).
 */
hw_code hw_figures_write(const hw_figures *f, const hw_figures_style *style, FILE *out,
                         hw_error *err);

/*
 * A \newcommand for every figure that is known, named
 *
 *     \hw PREFIX SOLVER [Against SOLVER] FIGURE STRATUM
 *
 * Words begin with a capital and have letters alone (hw_macro_word()); the
 * stratum is the values of its fields in their order; before one that begins
 * with a digit, and before yes and no, the field's name.
 */
typedef struct hw_macro_names hw_macro_names;

/* Names that are taken, over several calls.  NULL: no memory. */
hw_macro_names *hw_macro_names_new(void);
void hw_macro_names_free(hw_macro_names *names);

/*
 * HW_CHECK_FAILED: two figures would have one name; says which.  HW_NO_MEMORY.
 * Expected O(cells).
 */
hw_code hw_figures_write_macros(const hw_figures *f, const char *prefix, hw_macro_names *names,
                                FILE *out, hw_error *err);

/*
 * text as a word of a macro's name: "by-output" ByOutput, "10" OneZero, "2.5"
 * TwoPointFive, "" Plain; all else that is no letter ends a word.  To be freed;
 * NULL: no memory.
 */
char *hw_macro_word(const char *text);

/*
 * A value as people read it, without its unit (a share in per cent, seconds in
 * milliseconds); NaN is "".  `latex`: powers of ten as mathematics.
 */
enum { HW_FIGURE_CELL = 64 };
void hw_figure_text(double value, hw_figure_kind kind, bool latex, char text[HW_FIGURE_CELL]);

#endif
