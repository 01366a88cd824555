/* Lines of a CSV file of buffers, for reading arenas and offsets. */
#ifndef HW_ARENA_CSV_INTERNAL_H
#define HW_ARENA_CSV_INTERNAL_H

#include "arena/arena.h"

typedef enum column {
    COLUMN_ID,
    COLUMN_LOWER,
    COLUMN_UPPER,
    COLUMN_SIZE,
    COLUMN_ALIGNMENT,
    COLUMN_GAPS,
    COLUMN_OFFSET,
    COLUMN_HINT,
    N_COLUMNS
} column;

enum { CSV_FIELDS = 64 };
#define CSV_NONE SIZE_MAX

typedef struct csv {
    hw_input *in;
    hw_error *err;
    size_t at[N_COLUMNS]; /* number of the field, or CSV_NONE */
    size_t n_columns;
    bool last_tick_in; /* the column is `end`: upper = end + 1 */
    char *field[CSV_FIELDS];
    size_t n_fields;
    hw_span *span; /* of the line */
    size_t n_spans, span_room;
} csv;

/* Read the head line.  csv_end() in every case. */
hw_code csv_start(csv *c, hw_input *in, hw_error *err);
void csv_end(csv *c);

/* HW_BAD_INPUT unless the head line names the column. */
hw_code csv_requires(const csv *c, column wanted);

/* The next line of a buffer, its fields counted and its id looked at. */
hw_code csv_next(csv *c, bool *more);

/* A field of the line; "" where the file has no such column. */
const char *csv_text(const csv *c, column wanted);
hw_code csv_u64(const csv *c, column wanted, uint64_t *out);

/* HW_BAD_INPUT: WHAT "TEXT": CURE, with file and line. */
hw_code csv_fail(const csv *c, const char *what, const char *text, const char *cure);

/* Buffers by name. */
typedef struct csv_name {
    const char *label;
    uint32_t buffer;
} csv_name;

/* All names of an arena, sorted; *out is the caller's, free().  O(n log n). */
hw_code csv_names(const hw_arena *a, csv_name **out, hw_error *err);

#endif
