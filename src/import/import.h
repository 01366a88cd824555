/*
 * Graphs out of the formats of others: ONNX, workflows, text formats.
 *
 * An importer is a row of importers.c: it tells its format by content and
 * makes one graph.  What holds for every format is done around it
 * (import.c): locks, windows and views that were asked for, and the report of
 * what came in and what was approximated.  Graphs of highwater's own formats
 * pass through the same door, so that a command can take any file:
 * hw_import_open() is hw_reader_open() for every format there is.
 */
#ifndef HW_IMPORT_IMPORT_H
#define HW_IMPORT_IMPORT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/operators.h"
#include "io/input.h"
#include "io/io.h"
#include "model/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A symbolic dimension and the value that stands for it. */
typedef struct hw_dim {
    const char *name; /* as the file has it            */
    uint64_t value;   /* elements along this dimension */
} hw_dim;

/* What the user asks for; all zeros: nothing.  The caller's. */
typedef struct hw_import_options {
    const char *format; /* name of an importer, or a format of highwater; NULL: told by content */
    const hw_dim *dims; /* values of symbolic dimensions                                   */
    size_t n_dims;      /* how many */
    const char *const *locked;     /* operator types that must not move, beside the table's */
    size_t n_locked;               /* how many */
    const char *const *views;      /* operator types that make views, beside the table's */
    size_t n_views;                /* how many */
    bool has_window;               /* `window` is asked for */
    uint32_t window;               /* positions that a node may move by, of every node */
    bool stage_in;                 /* raw inputs of a workflow: as nodes that make them */
    const hw_operators *operators; /* NULL: the built-in table */
} hw_import_options;

/* What came in.  Released by hw_import_report_clear(); all zeros: an empty one. */
typedef struct hw_import_report {
    const char *format;             /* static: "ONNX" */
    uint32_t nodes, tensors, edges; /* how many the graph has */
    uint32_t views, inplace_pairs, constants, dead_outputs, locked, windows; /* the same */
    uint64_t resident_bytes;                                                 /* of the constants */
    uint32_t folded;            /* nodes that work on constants alone, taken out          */
    char **notes;               /* sentences: what was approximated, replaced, left out   */
    size_t n_notes, notes_room; /* how many there are, and have room */
} hw_import_report;

/* Release the notes; the report is then empty. */
void hw_import_report_clear(hw_import_report *report);

/* Keep a sentence, formatted; once, however often it comes.  report: NULL, nobody asks.
 * HW_NO_MEMORY. */
hw_code hw_import_note(hw_import_report *report, hw_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fill the counts out of a graph.  HW_NO_MEMORY. */
hw_code hw_import_report_count(hw_import_report *report, const hw_graph *g, hw_error *err);

/* What an importer gets. */
typedef struct hw_import {
    hw_input *input;  /* begins with the first byte of the file; hw_input_all() reads the rest */
    const char *path; /* for messages and the names of graphs: input->name */
    const hw_import_options *options; /* never NULL; options->operators neither */
    hw_import_report *report;         /* never NULL */
} hw_import;

/* A format that is read: a static row. */
typedef struct hw_importer {
    const char *name;  /* as --from has it: "onnx" */
    const char *title; /* "ONNX"                   */
    const char *help;  /* one line                 */
    bool refused;      /* known only to say where such a file belongs: read() fails */
    bool has_dims;     /* its sizes may hang on symbolic dimensions                 */
    bool stages_in;    /* it has raw inputs                                         */

    /* Is it this format?  bytes: the head of the file, all of it when whole.  Strict: a file of
     * highwater's own formats is none. */
    bool (*tell)(const char *bytes, size_t n, bool whole);

    /*
     * The graph, the caller's.  HW_BAD_INPUT (file, place, cause, cure), HW_IO, HW_STOPPED,
     * HW_NO_MEMORY, HW_USAGE for options that cannot be (a dimension that the file has not).
     */
    hw_code (*read)(hw_import *in, hw_graph **out, hw_error *err);
} hw_importer;

/* All importers, in the order in which they are asked. */
extern const hw_importer *const hw_importers[];
extern const size_t hw_n_importers; /* how many */

/*
 * As hw_reader_open(), for every format.  options: NULL, nothing is asked for;
 * must outlive the reader.  report: NULL, nobody asks; filled with the first graph.
 * HW_USAGE: a dimension or stage_in for a format that has no such thing.
 */
hw_code hw_import_open(const char *path, const hw_import_options *options, hw_import_report *report,
                       hw_reader **out, hw_error *err);

/* As hw_graph_load(), for every format. */
hw_code hw_import_load(const char *path, const hw_import_options *options, hw_import_report *report,
                       hw_graph **out, hw_error *err);

/*
 * *g with what the options ask of any format: locks by operator type, windows, views; where
 * something changes it is replaced, with its ids.  foreign: it came from an importer, and the locks
 * of the table count too (a file of highwater says itself what is locked).  A window that is asked
 * for takes the place of those of the file.  A node that cannot be a view stays what it is, with a
 * note.  HW_USAGE: no node has the operator type of a lock or a view; HW_BAD_INPUT: locks that
 * close a cycle; HW_NO_MEMORY.  report: NULL, nobody asks.  O(size of the graph).
 */
hw_code hw_import_apply(hw_graph **g, const hw_import_options *options, bool foreign,
                        hw_import_report *report, hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
