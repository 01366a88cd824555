/* What `highwater arena` tells of allocations, for persons and as JSON. */
#ifndef HW_CLI_ARENA_TEXT_H
#define HW_CLI_ARENA_TEXT_H

#include "arena/arena.h"
#include "cli/cli.h"
#include "core/json_out.h"

enum { HW_ARENA_SPEC = 256 };

/* One allocator and what it did. */
typedef struct hw_arena_row {
    const hw_allocator *allocator; /* NULL: offsets out of a file        */
    hw_param_value values[HW_PARAM_LIMIT];
    char spec[HW_ARENA_SPEC];
    hw_placement placement; /* offset NULL: refused, not tried, none found */
    bool tried;
    char refusal[HW_MESSAGE_BYTES]; /* "": none */
    double seconds;
} hw_arena_row;

typedef struct hw_arena_told {
    const hw_arena *arena;
    const char *name;       /* of the graph or file, for a person */
    const char *order;      /* NULL: not out of a graph           */
    const char *accounting; /* with an order                      */
    bool pin_inputs;
    const char *hash;  /* of the graph; NULL: none */
    uint64_t capacity; /* 0: none                  */
    uint64_t alignment;
    const hw_arena_row *rows;
    size_t n_rows;
} hw_arena_told;

void hw_arena_text(const hw_arena_told *t, FILE *out);
void hw_arena_json(const hw_arena_told *t, hw_json_out *j);

#endif
