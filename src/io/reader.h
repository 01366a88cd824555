/* What the reader (reader.c) shares with the readers of each format. */
#ifndef HW_IO_READER_H
#define HW_IO_READER_H

#include "io/input.h"
#include "io/io.h"

enum { HW_MOST_NOTES = 16 };

struct hw_reader {
    hw_input input;
    hw_format format;
    bool finished; /* the stream has ended or failed */

    /* Keys that the model does not know, each once. */
    char *unknown[HW_MOST_NOTES];
    size_t n_unknown;
    char *notes; /* the sentence that tells them, or NULL */
};

/* Remember an unknown key of `where` ("nodes[]", or "" for the top level). */
hw_code hw_reader_unknown(hw_reader *r, const char *where, const char *key, hw_error *err);

/* The next graph of the stream; *out is NULL at its end. */
hw_code hw_json_read(hw_reader *r, hw_graph **out, hw_error *err);
hw_code hw_line_read(hw_reader *r, hw_graph **out, hw_error *err);
hw_code hw_graphml_read(hw_reader *r, hw_graph **out, hw_error *err);

#endif
