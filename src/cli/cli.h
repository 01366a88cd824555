/*
 * The frame of the command line: commands are rows, options are rows.
 *
 * To add a command: one file src/cli/cmd_NAME.c that defines an hw_command
 * named hw_command_NAME, one line in the table of src/cli/commands.c, tests in
 * tests/cli/.  `--help`, `highwater --help` and `highwater list commands` come
 * from the row.  A run function
 *
 *   - finds its arguments in c->args and asks for options by name;
 *   - writes data to c->out: standard output or, with -o, a file that appears
 *     whole when the command succeeds and not at all when it fails;
 *   - says everything else by hw_cli_note() or hw_cli_detail();
 *   - returns a code and leaves the message in err; the frame prints it and
 *     turns it into the exit status.  With c->keep_output set, what was written
 *     stays when a check failed (HW_CHECK_FAILED), for a verdict is data, and
 *     when a part of the answers was refused (HW_USAGE).
 *
 * Dependencies run from here to the library, never back.
 */
#ifndef HW_CLI_CLI_H
#define HW_CLI_CLI_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"
#include "core/params.h"
#include "io/io.h"

/* One option of a command. */
typedef struct hw_option {
    const char *name;   /* long name, without dashes              */
    const char *value;  /* what --help calls its value ("FILE");
                           NULL: a switch that takes none         */
    const char *preset; /* the default, for --help; NULL: none    */
    const char *help;   /* a sentence; --help wraps it            */
} hw_option;

/*
 * The values that an option takes: words "a|b|c", which hw_cli_choice() goes
 * by; ",a|b|c": several of them, with commas; or a mark.  An option that has no
 * such row takes what --help calls its value (complete.h).
 */
typedef struct hw_option_values {
    const char *option, *values;
} hw_option_values;

#define HW_VALUES_SOLVERS    "@solvers"    /* NAME[:K=V,...]           */
#define HW_VALUES_FAMILIES   "@families"   /* the same                 */
#define HW_VALUES_ALLOCATORS "@allocators" /* the same                 */
#define HW_VALUES_FIELDS     "@fields"     /* columns of results, with commas */

/* Options that several commands share; --help, -q and -v all have. */
enum {
    HW_CLI_JSON = 1,      /* --json: c->json                                    */
    HW_CLI_SEED = 2,      /* --seed S: c->seed                                  */
    HW_CLI_JOBS = 4,      /* -j N: c->jobs                                      */
    HW_CLI_OUTPUT = 8,    /* -o FILE: c->out goes there                         */
    HW_CLI_OWN_FILE = 16, /* -o FILE: left to the command, as c->output_path   */
    HW_CLI_THREADS = 32,  /* -j N: c->jobs, 1 unless given                     */
    HW_CLI_FOLDER = 64,   /* -o FOLDER: left to the command, as c->output_path */
    HW_CLI_IMPORT = 128,  /* how graphs of other formats are read (shared.h)    */
    HW_CLI_SWEEP = 256    /* with it: a --dim may give a range, left to the
                             command (hw_cli_sweep_axis)                        */
};

typedef struct hw_cli hw_cli;

typedef struct hw_command {
    const char *name;
    const char *arguments; /* for the usage line: "GRAPH ORDER"   */
    int least_args, most_args;
    const char *help;    /* one line                              */
    const char *details; /* paragraphs split by "\n\n", or NULL   */
    unsigned common;     /* HW_CLI_*                              */
    const hw_option *options;
    size_t n_options;
    const hw_option_values *values; /* of options, where there is more to know; NULL: none */
    size_t n_values;
    const char *const *examples; /* whole shell commands; the tests run those of
                                    all commands in one folder, where
                                    graph.json, order.json and suites are */
    size_t n_examples;
    size_t output_arg; /* with HW_CLI_OUTPUT: this argument names the file
                          too, counted from 0; 0: none does */

    /*
     * Parameters that become options, once the arguments so far choose their
     * rows (`gen FAMILY`); NULL: none.  Returns NULL while nothing is chosen.
     */
    const hw_param_row *(*parameters)(const hw_cli *c, size_t *n);

    /* More text under --help; NULL: none. */
    void (*more_help)(const hw_cli *c, FILE *out);

    hw_code (*run)(hw_cli *c, hw_error *err);
} hw_command;

/* What the user gave: one option, or one parameter of `parameters`. */
typedef struct hw_given {
    const char *name;
    const char *value; /* NULL: a switch */
    bool is_parameter;
} hw_given;

struct hw_cli {
    const hw_command *command;
    const char **args;
    size_t n_args;
    hw_given *given;
    size_t n_given;

    bool json, quiet, help, keep_output;
    unsigned verbose;
    uint64_t seed;           /* HW_DEFAULT_SEED unless given              */
    unsigned jobs;           /* the number of processors unless given, with
                                HW_CLI_THREADS 1                          */
    const char *output_path; /* of -o, or NULL                            */

    FILE *out; /* where data goes */
    hw_output output;
    const volatile sig_atomic_t *stop; /* set by SIGINT, SIGTERM, SIGHUP */
};

/* All commands, in the order of commands.c. */
extern const hw_command *const hw_commands[];
extern const size_t hw_n_commands;

/* The same as `highwater --help` shows them: a heading, or a command under it. */
typedef struct hw_help_line {
    const char *heading;
    const hw_command *command; /* NULL: a heading */
} hw_help_line;
extern const hw_help_line hw_help_lines[];
extern const size_t hw_n_help_lines;

/* ---- Options asked for by name (the last one given counts). ---- */

bool hw_cli_has(const hw_cli *c, const char *name);
const char *hw_cli_value(const hw_cli *c, const char *name); /* NULL: not given */

/*
 * The values of an option that may be repeated, one a call; *cursor begins at
 * 0.  NULL: no more.
 */
const char *hw_cli_next(const hw_cli *c, const char *name, size_t *cursor);

/*
 * Checked values; *value stays as it is when the option was not given.
 * HW_USAGE: not a number, out of range, not one of the words.
 */
hw_code hw_cli_u64(const hw_cli *c, const char *name, uint64_t low, uint64_t high, uint64_t *value,
                   hw_error *err);
hw_code hw_cli_seconds(const hw_cli *c, const char *name, double *value, hw_error *err);
/* "1536", "64kB", "2GiB": a whole number of B, kB, MB, GB, TB or KiB, MiB, … */
hw_code hw_cli_bytes(const hw_cli *c, const char *name, uint64_t *value, hw_error *err);
/* *value is the index of the word in the option's row of values. */
hw_code hw_cli_choice(const hw_cli *c, const char *name, unsigned *value, hw_error *err);

/* The row of values of an option, those that commands share included; NULL: it has none. */
const char *hw_cli_values_of(const hw_command *command, const char *option);

/* ---- Messages on standard error, each one line after "highwater: ". ---- */

/* Unless --quiet. */
void hw_cli_note(const hw_cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Always: an error that does not end the command. */
void hw_cli_complain(const hw_error *err);
/* Only with --verbose. */
void hw_cli_detail(const hw_cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "1610612736 (1.50 GiB)" for a person; NUL-terminated in text. */
enum { HW_BYTES_TEXT = 48 };
void hw_bytes_text(uint64_t bytes, char text[HW_BYTES_TEXT]);

/* ---- Files that appear whole or not at all (io.h), and never stay half-written. ---- */

/* As hw_output_*(); a second signal, which ends the program, removes the temporary file. */
hw_code hw_cli_open(const char *path, hw_output *o, hw_error *err);
hw_code hw_cli_open_inside(const char *path, hw_output *o, hw_error *err);
hw_code hw_cli_commit(hw_output *o, hw_error *err);
void hw_cli_abandon(hw_output *o);

/* ---- For main.c. ---- */

/* Remove what hw_cli_open() has open; may be called from a signal handler. */
void hw_cli_remove_unfinished(void);

/*
 * Read argv[1 ..] after the command's name into c.  HW_USAGE with the nearest
 * name; HW_NO_MEMORY.  Arrays in c are released by hw_cli_clear().
 */
hw_code hw_cli_read(hw_cli *c, const hw_command *command, int argc, char **argv, hw_error *err);
void hw_cli_clear(hw_cli *c);

/* Print --help of c->command; of the program when c is NULL. */
void hw_cli_help(const hw_cli *c, FILE *out);

/*
 * Print words of `text` from column `at`, later lines from column `indent`;
 * "\n" begins a new line, so that paragraphs stay apart.
 */
void hw_cli_wrap(FILE *out, size_t at, size_t indent, const char *text);
void hw_cli_short_help(FILE *out);

/* "text" as a 64-bit number, decimal or 0x…; false: it is none. */
bool hw_read_u64(const char *text, uint64_t *value);

#endif
