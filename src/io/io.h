/*
 * Graphs, orders and hashes: files in and out.
 *
 * Formats are told apart by content.  Every message of a load error names the
 * file, the place (line, or the path inside the JSON), the cause and the cure.
 */
#ifndef HW_IO_IO_H
#define HW_IO_IO_H

#include <stdio.h>

#include "model/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Formats of graph files that are highwater's own (highwater-formats(5)). */
typedef enum hw_format {
    HW_FORMAT_JSON,    /* one object, read by jansson                  */
    HW_FORMAT_LINE,    /* p/t/v/e lines, many graphs a file            */
    HW_FORMAT_GRAPHML, /* through igraph, sizes as strings             */
    HW_FORMAT_DOT      /* out only, for graphviz                       */
} hw_format;

/* The names, in the order of the enumeration. */
#define HW_FORMAT_WORDS "json|line|graphml|dot"

/* A name to the format; HW_USAGE with the nearest. */
hw_code hw_format_parse(const char *name, hw_format *format, hw_error *err);

/* The format that a file name's ending tells (.json .hwl .graphml .dot), or `otherwise`. */
hw_format hw_format_of_name(const char *path, hw_format otherwise);

/* A stream of graphs: one from JSON or GraphML, any number from lines. */
typedef struct hw_reader hw_reader;

/*
 * Open a stream, the caller's, for hw_reader_close().  path "-" is standard
 * input.  HW_IO: no such file, a folder, unreadable.
 * HW_BAD_INPUT: an empty file.  HW_STOPPED: a signal came while reading.
 */
hw_code hw_reader_open(const char *path, hw_reader **out, hw_error *err);

/*
 * The next graph, the caller's; *out is NULL at the end of the stream, which
 * an error ends too.  HW_BAD_INPUT, HW_IO, HW_STOPPED, HW_NO_MEMORY.
 * O(size of the graph); a stream of lines holds one graph at a time.
 */
hw_code hw_reader_next(hw_reader *r, hw_graph **out, hw_error *err);

/*
 * One sentence, for a person, about keys of the file that are no part of the
 * format and were left out; NULL: there were none so far.  The reader's.
 */
const char *hw_reader_notes(const hw_reader *r);

/* Close and release it; NULL is allowed. */
void hw_reader_close(hw_reader *r);

/* The only graph of a file; HW_BAD_INPUT if it holds none or several. */
hw_code hw_graph_load(const char *path, hw_graph **out, hw_error *err);

/* A graph from bytes in memory; `name` stands for the file in messages. */
hw_code hw_graph_parse(const char *bytes, size_t n_bytes, const char *name, hw_graph **out,
                       hw_error *err);

/* Write one graph and flush.  HW_IO on a full disk, or a closed pipe where the caller ignores
 * SIGPIPE.  O(size of the graph). */
hw_code hw_graph_write(const hw_graph *g, hw_format format, FILE *out, hw_error *err);

enum { HW_HASH_TEXT = 65 }; /* 64 hex digits and NUL */

/*
 * SHA-256 of the graph's canonical bytes: the line format without names and
 * comments, tensors by ascending id, nodes in source order, control edges and
 * in-place pairs sorted and without repeats.  Two graphs with the same hash have the same
 * orders, peaks and optima.
 */
hw_code hw_graph_hash(const hw_graph *g, char text[HW_HASH_TEXT], hw_error *err);

/*
 * Read an order file ({"format":"highwater-order",...}) for g into order[]
 * (n_nodes node indices; MAY hold an illegal order: check it).  HW_BAD_INPUT:
 * not an order file, not a permutation of the graph's node ids, or `graph` is
 * present and is not g's hash.
 */
hw_code hw_order_load(const char *path, const hw_graph *g, uint32_t *order, hw_error *err);

/* The same from n bytes in memory; `name` stands for the file in messages. */
hw_code hw_order_parse(const char *bytes, size_t n, const char *name, const hw_graph *g,
                       uint32_t *order, hw_error *err);

/*
 * Write an order (n_nodes node indices) as such a file, with the hash of g, and
 * flush.  HW_IO, HW_NO_MEMORY.
 */
hw_code hw_order_write(const hw_graph *g, const uint32_t *order, FILE *out, hw_error *err);

/* ---- Files that appear whole or not at all. ---- */

/* A file that is being written; all zeros: none. */
typedef struct hw_output {
    FILE *stream;           /* to write to              */
    char *path, *temporary; /* NULL for standard output */
} hw_output;

/*
 * What can be known before there is anything to write: that the path (NULL or
 * "-": standard output) names no folder, and a file in one that is there.
 * HW_IO: it does not, and hw_output_open() would fail.
 */
hw_code hw_output_check(const char *path, hw_error *err);

/*
 * Open a temporary file beside `path` for writing; path "-" or NULL is
 * standard output.  HW_IO, HW_NO_MEMORY.
 */
hw_code hw_output_open(const char *path, hw_output *o, hw_error *err);

/*
 * The same for a file that the program names in a folder of the user's, which
 * others may have filled: a link, a pipe or a device of that name is replaced,
 * not written through.
 */
hw_code hw_output_open_inside(const char *path, hw_output *o, hw_error *err);

/* Flush, check and rename it into place.  HW_IO: it is then removed. */
hw_code hw_output_commit(hw_output *o, hw_error *err);

/* Remove what was written. */
void hw_output_abandon(hw_output *o);

#ifdef __cplusplus
}
#endif

#endif
