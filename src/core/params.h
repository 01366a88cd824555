/*
 * Parameters of solvers and families: one table row each.
 *
 * The row holds name, type, default, range and help; parsing, range check,
 * canonical text, `--help` and `list --json` come from it.  A set of values
 * is written "name=value,name=value" ("k=5,depth=2"); what is left out keeps
 * its default.  A text, which may hold commas, comes last and takes all that
 * follows its '='.
 */
#ifndef HW_CORE_PARAMS_H
#define HW_CORE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What values a parameter has. */
typedef enum hw_param_type {
    HW_PARAM_INT,    /* low .. high, both integers               */
    HW_PARAM_REAL,   /* low .. high                              */
    HW_PARAM_BOOL,   /* "yes" or "no"                            */
    HW_PARAM_CHOICE, /* one of `choices`, kept as its index      */
    HW_PARAM_WORD,   /* letters, digits and ._+-, `high` at most */
    HW_PARAM_TEXT,   /* the rest of the set, `high` bytes at most; the last row */
} hw_param_type;

/* One parameter of a solver, family, allocator or step; a table of them is static. */
typedef struct hw_param_row {
    const char *name;    /* as it is written before the =              */
    hw_param_type type;  /* which of the fields below count            */
    double low, high;    /* INT and REAL: the range allowed, inclusive */
    double preset;       /* the default; CHOICE: an index; WORD and TEXT: none */
    const char *choices; /* CHOICE: words separated by '|', else NULL */
    const char *help;    /* a phrase, without full stop                */
} hw_param_row;

/*
 * Every integer of a row fits a double exactly: ranges stay below 2^53.  A word
 * or text stands in the set that it was parsed from, which must outlive the
 * value; a word ends at a comma or NUL.
 */
typedef union hw_param_value {
    int64_t i;        /* INT, BOOL (0 or 1), CHOICE (index)   */
    double r;         /* REAL                                 */
    const char *text; /* WORD, TEXT; NULL: none, the default  */
} hw_param_value;

/* What is sure to hold hw_params_spec() of a solver with a text, in most cases. */
enum { HW_SPEC_TEXT = 1024 };

/* The value of row n of a set, for use with an enum of row numbers. */
#define HW_PARAM_LIMIT 32 /* most rows a table may have */

/* Fill values[] with the defaults of rows[0 .. n_rows). */
void hw_params_preset(const hw_param_row *rows, size_t n_rows, hw_param_value *values);

/* Bytes of the word or text of a row: 0 where it has none. */
size_t hw_param_length(const hw_param_row *row, hw_param_value value);

/*
 * Set one parameter by name.  `owner` ("solver lookahead") begins the
 * message.  HW_USAGE: no such name (the nearest is suggested), not a number,
 * or out of range.
 */
hw_code hw_params_set(const hw_param_row *rows, size_t n_rows, const char *owner, const char *name,
                      const char *text, hw_param_value *values, hw_error *err);

/* Parse "name=value,..." over values that hold defaults.  Errors as above. */
hw_code hw_params_parse(const hw_param_row *rows, size_t n_rows, const char *owner,
                        const char *text, hw_param_value *values, hw_error *err);

/*
 * The canonical text of all values, in table order ("k=5,depth=2"), cut to
 * `size` bytes with its NUL; returns the length that the whole text has.
 */
size_t hw_params_text(const hw_param_row *rows, size_t n_rows, const hw_param_value *values,
                      char *text, size_t size);

/*
 * "owner:name=value,..." with only those values, in table order, that differ
 * from their default; "owner" alone where none does.  Cut as above.
 */
size_t hw_params_spec(const char *owner, const hw_param_row *rows, size_t n_rows,
                      const hw_param_value *values, char *text, size_t size);

/*
 * HW_USAGE: no `kind` ("solver") has the name that `spec` begins with, up to
 * its first ':'; the nearest of n names is suggested, and the command that
 * lists all of `kinds` ("solvers").
 */
hw_code hw_fail_no_such(const char *kind, const char *kinds, const char *spec,
                        const char *const *names, size_t n, hw_error *err);

/*
 * The values that `spec` ("NAME" or "NAME:param=value,...") gives: defaults
 * for what it leaves out.  Errors as of hw_params_parse().
 */
hw_code hw_params_of_spec(const char *kind, const hw_param_row *rows, size_t n_rows,
                          const char *spec, hw_param_value *values, hw_error *err);

/*
 * The name nearest to `wrong` by edit distance among n names, or NULL when
 * none is near.  O(n L^2) for names of length L.
 */
const char *hw_nearest_name(const char *wrong, const char *const *names, size_t n);

#ifdef __cplusplus
}
#endif

#endif
