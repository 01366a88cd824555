/* Random arenas and their least height from the definition, for tests. */
#ifndef HW_TESTS_SUPPORT_ARENA_H
#define HW_TESTS_SUPPORT_ARENA_H

#include "arena/arena.h"

typedef struct arena_shape {
    uint32_t buffers, ticks, largest; /* sizes 1 .. largest                        */
    bool alignment, fixed, spans;     /* some buffers are aligned, fixed, vary      */
} arena_shape;

/* NULL: the draw was refused (fixed offsets that collide). */
hw_arena *random_arena(uint64_t *state, const arena_shape *shape);

/* An arena out of a CSV text; a failure fails the running test. */
hw_arena *text_arena(const char *text);

/*
 * The least height by trying, for every buffer in turn, every offset up to the
 * height under test (few buffers, small sizes).
 */
uint64_t defined_least_height(const hw_arena *a);

/* An allocator that tries all: what a prover has to answer. */
extern const hw_allocator defined_allocator;

#endif
