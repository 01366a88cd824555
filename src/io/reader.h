/* What the reader (reader.c) shares with the readers of each format. */
#ifndef HW_IO_READER_H
#define HW_IO_READER_H

#include "io/input.h"
#include "io/io.h"

enum { HW_MOST_NOTES = 16 };

/* What a layer above adds to a reader: more formats, and a last hand at every graph. */
typedef struct hw_reader_hooks {
    void *context;
    /* Is the file, of which this is the head (all of it when whole), of a format of theirs? */
    bool (*tell)(void *context, const char *bytes, size_t n, bool whole);
    hw_code (*read)(void *context, hw_input *input, hw_graph **out, hw_error *err);
    /* *g is a graph that was read: it may be replaced by another. */
    hw_code (*finish)(void *context, hw_graph **g, hw_error *err);
    void (*close)(void *context); /* also when opening failed */
} hw_reader_hooks;

struct hw_reader {
    hw_input input;
    hw_format format;
    hw_reader_hooks hooks; /* zeros: none */
    bool foreign;          /* one graph, read by the hook */
    bool finished;         /* the stream has ended or failed */

    /* Keys that the model does not know, each once. */
    char *unknown[HW_MOST_NOTES];
    size_t n_unknown;
    char *notes; /* the sentence that tells them, or NULL */
};

/* Remember an unknown key of `where` ("nodes[]", or "" for the top level). */
hw_code hw_reader_unknown(hw_reader *r, const char *where, const char *key, hw_error *err);

/* As hw_reader_open(), with hooks. */
hw_code hw_reader_open_hooked(const char *path, const hw_reader_hooks *hooks, hw_reader **out,
                              hw_error *err);

/* The only graph that it reads, HW_BAD_INPUT if it holds none or several; the reader is closed. */
hw_code hw_reader_only(hw_reader *r, hw_graph **out, hw_error *err);

/* The next graph of the stream; *out is NULL at its end. */
hw_code hw_json_read(hw_reader *r, hw_graph **out, hw_error *err);
hw_code hw_line_read(hw_reader *r, hw_graph **out, hw_error *err);
hw_code hw_graphml_read(hw_reader *r, hw_graph **out, hw_error *err);

#endif
