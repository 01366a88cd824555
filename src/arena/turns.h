/* Time-order allocators: requests and releases as they come. */
#ifndef HW_ARENA_TURNS_H
#define HW_ARENA_TURNS_H

#include "arena/arena.h"

/*
 * What serves the requests: `take` gives a place, `give` gets it back.  A
 * buffer is asked for with the greatest size of its life and for the whole of
 * it, gaps too; what has its last tick before a tick is given back before
 * anything is taken at it.
 */
typedef struct hw_server {
    void *state;
    hw_code (*take)(void *state, uint32_t buffer, uint64_t *offset, hw_error *err);
    hw_code (*give)(void *state, uint32_t buffer, uint64_t offset, hw_error *err);
} hw_server;

/*
 * Serve all buffers of `a` in order of time.  HW_USAGE: an offset is fixed,
 * which nobody can keep free who does not know what comes.  HW_STOPPED,
 * HW_LIMIT (the time), HW_NO_MEMORY and what the server returns.
 */
hw_code hw_serve(const hw_arena *a, const hw_placement_request *request, const char *name,
                 const hw_server *server, hw_placement *out, hw_error *err);

#endif
