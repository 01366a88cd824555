/* The files that `highwater arena` writes beside its table. */
#ifndef HW_CLI_ARENA_FILES_H
#define HW_CLI_ARENA_FILES_H

#include "arena/arena.h"
#include "cli/cli.h"

typedef struct hw_arena_files {
    const char *offsets, *draw, *order; /* paths; NULL: not wanted */
} hw_arena_files;

/* Read the options.  HW_USAGE: one file for two purposes, one that is read, a wrong ending. */
hw_code hw_arena_files_read(const hw_cli *c, hw_arena_files *files, hw_error *err);

/* An allocation, and where it comes from. */
typedef struct hw_arena_shown {
    const hw_arena *arena;
    const hw_placement *placement;
    const char *allocator;  /* its spec                  */
    const char *order_name; /* NULL: not out of a graph  */
    const hw_graph *graph;  /* NULL likewise             */
    const uint32_t *order;  /* n_nodes, for files->order */
} hw_arena_shown;

/* Write them.  HW_IO, HW_NO_MEMORY. */
hw_code hw_arena_files_write(const hw_arena_files *files, const hw_arena_shown *shown,
                             hw_error *err);

#endif
