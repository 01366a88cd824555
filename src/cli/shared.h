/* What several commands do alike: accounting options, orders, graphs. */
#ifndef HW_CLI_SHARED_H
#define HW_CLI_SHARED_H

#include "cli/cli.h"
#include "core/json_out.h"
#include "import/import.h"
#include "import/sweep.h"
#include "solve/solver.h"

/* Rows for commands that look at memory. */
#define HW_OPTION_ACCOUNTING                                                                       \
    {                                                                                              \
        "accounting", "WORD", "alloc-first",                                                       \
            "How a step is measured: alloc-first (outputs are made while the inputs are still "    \
            "there) or free-first (dying inputs go first)."                                        \
    }
#define HW_OPTION_PIN_INPUTS                                                                       \
    {                                                                                              \
        "pin-inputs", NULL, NULL, "Inputs stay to the end: the caller owns their buffers."         \
    }
#define HW_OPTION_WITH_RESIDENT                                                                    \
    {                                                                                              \
        "with-resident", NULL, NULL, "Add the constants to every figure of memory."                \
    }

typedef struct hw_memory_options {
    hw_accounting accounting;
    bool pin_inputs, with_resident;
} hw_memory_options;

/* The model of g under those options; a refusal names the graph. */
hw_code hw_cli_model(const hw_graph *g, const hw_memory_options *options, hw_model **out,
                     hw_error *err);

/* Read those three options.  HW_USAGE. */
hw_code hw_cli_memory_options(const hw_cli *c, hw_memory_options *options, hw_error *err);

/* The solver taken where none was named: the best answer that is in time, proven if it can be. */
const char *hw_cli_default_solver(void);

/* The memory that a solver may take unless told: half of the machine's. */
uint64_t hw_cli_default_memory(void);

/*
 * Fill order[0 .. n_nodes) as `text` says: "source", a solver with or without
 * parameters (which keeps to `limits`; NULL: the preset ones), or an order file.
 * HW_USAGE, HW_BAD_INPUT, HW_IO; HW_LIMIT: the solver has no order;
 * HW_CHECK_FAILED: no order is legal.
 */
hw_code hw_cli_order(const hw_cli *c, const hw_model *m, const char *text, const hw_limits *limits,
                     uint32_t *order, hw_error *err);

/*
 * What the options of HW_CLI_IMPORT ask for; released by hw_cli_import_clear(), also after a
 * failure.  HW_USAGE, HW_IO, HW_BAD_INPUT (the table of operators), HW_NO_MEMORY.
 */
typedef struct hw_cli_import {
    hw_import_options options;
    hw_dim *dims;
    char *names; /* of the dimensions */
    const char **locked, **views;
    hw_operators *operators;
} hw_cli_import;
hw_code hw_cli_import_options(const hw_cli *c, hw_cli_import *import, hw_error *err);
void hw_cli_import_clear(hw_cli_import *import);

/* The one --dim that gives several values, with HW_CLI_SWEEP; HW_USAGE: there is none, or two. */
hw_code hw_cli_sweep_axis(const hw_cli *c, hw_sweep_axis *out, hw_error *err);

/* Call visit() for every graph of every file; stops at the first failure and,
 * with HW_STOPPED, at a signal.  Notes of the readers are passed on. */
typedef hw_code (*hw_visit_graph)(hw_cli *c, const hw_graph *g, void *context, hw_error *err);
hw_code hw_cli_each_graph(hw_cli *c, const char *const *paths, size_t n_paths, hw_visit_graph visit,
                          void *context, hw_error *err);

/* Pass on the notes of a reader that has read its file. */
void hw_cli_reader_notes(const hw_cli *c, const hw_reader *r, const hw_import_report *report,
                         const char *path);

/* The only graph of a file, of any format, with the reader's notes passed on. */
hw_code hw_cli_one_graph(const hw_cli *c, const char *path, hw_graph **out, hw_error *err);

/* A file for messages: "standard input" for -. */
const char *hw_cli_input_name(const char *path);

/* Write a graph or flush what was written to c->out; HW_IO names the file. */
hw_code hw_cli_write_graph(const hw_cli *c, const hw_graph *g, hw_format format, hw_error *err);
hw_code hw_cli_flush(const hw_cli *c, hw_error *err);

/*
 * A text out of a file as one line of a terminal or a message can show it:
 * control characters as '?', cut after HW_SHOWN_TEXT - 4 bytes.  Returns out.
 */
enum { HW_SHOWN_TEXT = 124 };
const char *hw_cli_shown(const char *text, char out[HW_SHOWN_TEXT]);

/* The name of a graph so shown, or "graph" where it has none. */
const char *hw_cli_graph_name(const hw_graph *g, char out[HW_SHOWN_TEXT]);

/*
 * A file that an option writes may not be one of the arguments, which are read
 * and would be lost.  path: NULL, not given.  HW_USAGE.
 */
hw_code hw_cli_not_input(const hw_cli *c, const char *option, const char *path, hw_error *err);

/* The same, and HW_IO: it cannot be written, as far as that shows before anything is computed. */
hw_code hw_cli_check_output(const hw_cli *c, const char *option, const char *path, hw_error *err);

/*
 * Two options that write files may not name the same one, which would lose one
 * of them.  Either may be NULL, not given.  HW_USAGE.
 */
hw_code hw_cli_two_files(const char *first_name, const char *first, const char *second_name,
                         const char *second, hw_error *err);

#endif
