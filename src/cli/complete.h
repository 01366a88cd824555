/*
 * What may stand next on a command line, told to shells by `highwater complete`.
 *
 * All of it comes from the rows of commands, options, parameters and
 * registries: a new row is completed without a line here.  The scripts of the
 * shells are scripts/completions/, which know nothing of the commands.
 */
#ifndef HW_CLI_COMPLETE_H
#define HW_CLI_COMPLETE_H

#include "cli/cli.h"

/* What a value or an argument is. */
typedef enum hw_value_kind {
    HW_TAKES_NOTHING_KNOWN, /* a number, a text                              */
    HW_TAKES_WORDS,         /* one of `words`                                */
    HW_TAKES_LIST,          /* several of `words`, with commas               */
    HW_TAKES_FIELDS,        /* columns of results, with commas               */
    HW_TAKES_SOLVERS,       /* NAME[:K=V,...], and so the next three         */
    HW_TAKES_FAMILIES,
    HW_TAKES_ALLOCATORS,
    HW_TAKES_STEPS,
    HW_TAKES_FORMATS, /* of files of graphs                            */
    HW_TAKES_COMMANDS,
    HW_TAKES_CLAIMS,
    HW_TAKES_FILE,
    HW_TAKES_FOLDER,
    HW_TAKES_ORDER, /* a file or a solver                            */
    HW_TAKES_PARAMS /* K=V,... of `params`                           */
} hw_value_kind;

typedef struct hw_value_taken {
    hw_value_kind kind;
    const char *words; /* "a|b|c", of the first n_words bytes */
    size_t n_words;
    const hw_param_row *params;
    size_t n_params;
} hw_value_taken;

/* What stands in --help for a value or an argument ("FILE"), of n bytes. */
hw_value_taken hw_value_by_name(const char *name, size_t n);

/* Of an option of this command that takes a value; of a parameter. */
hw_value_taken hw_value_of_option(const hw_command *command, const hw_option *option);
hw_value_taken hw_value_of_param(const hw_param_row *row);

/*
 * Print the values that begin with `given`, each as "KEPT VALUE<tab>what it is"
 * without the blank, in a line.
 */
void hw_complete_value(FILE *out, const hw_value_taken *taken, const char *kept, const char *given);

/* One candidate, if it begins with `given`; help: NULL, or cut at its first full stop. */
void hw_complete_candidate(FILE *out, const char *kept, const char *name, const char *end,
                           const char *given, const char *help);

/*
 * What may stand in place of the last of n words behind `highwater`, which may
 * be begun or empty.  First a line: files, folders or none, what else the shell
 * may put there; then the candidates.  HW_NO_MEMORY.
 */
hw_code hw_complete(const char *const *words, size_t n, FILE *out, hw_error *err);

#endif
