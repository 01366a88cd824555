/*
 * Fuzz target: a CSV file of buffers as MiniMalloc has them and, after a line
 * "---", one of their offsets.  What was read comes back the same; the
 * allocators keep every rule, and none is below a bound that is proven.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/arena.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_PLACED = 24, MOST_STATES = 2000 };

static char *written(const hw_arena *a, const uint64_t *offset)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        fuzz_fail("out of memory");
    hw_arena_write(a, offset, out);
    if (fclose(out) != 0)
        fuzz_fail("cannot be written");
    return text;
}

static void comes_back(const hw_arena *a)
{
    hw_arena *again;
    hw_error err = {0};
    char *text = written(a, NULL);
    if (hw_arena_read(fuzz_file(2, text, strlen(text)), &again, &err) != HW_OK)
        fuzz_fail("cannot be read again: %s\n%s", err.message, text);
    char *second = written(again, NULL);
    /* Fixed offsets are no part of it: they can only raise the bound. */
    if (strcmp(text, second) != 0 || again->load != a->load || again->bound > a->bound)
        fuzz_fail("another arena comes back:\n%s\n%s", text, second);
    hw_arena_free(again);
    free(text);
    free(second);
}

static void place(const hw_arena *a)
{
    uint64_t least = UINT64_MAX, bound = a->bound;
    for (size_t i = 0; i < hw_n_allocators; i++) {
        hw_param_value values[HW_PARAM_LIMIT];
        const hw_allocator *row = hw_allocators[i];
        hw_placement p = {0};
        hw_error err = {0};
        hw_params_preset(row->params, row->n_params, values);
        const hw_placement_request request = {.params = values, .states = MOST_STATES};
        hw_code code = hw_arena_place(a, row, &request, &p, &err);
        if (!fuzz_ended_well(code, &err))
            continue;
        least = p.placed && p.height < least ? p.height : least;
        bound = p.bound > bound ? p.bound : bound;
        hw_placement_clear(&p);
    }
    if (least < bound)
        fuzz_fail("height %" PRIu64 " below the bound %" PRIu64, least, bound);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_draws d = {data, size};
    hw_arena *a;
    hw_error err = {0};
    fuzz_draws part = fuzz_part(&d);
    if (!fuzz_ended_well(hw_arena_read(fuzz_file(0, part.at, part.left), &a, &err), &err))
        return 0;
    comes_back(a);
    if (a->n_buffers <= MOST_PLACED)
        place(a);
    uint64_t *offset = calloc(a->n_buffers + (size_t)1, sizeof *offset), height;
    if (!offset)
        fuzz_fail("out of memory");
    if (fuzz_ended_well(hw_arena_read_offsets(fuzz_file(1, d.at, d.left), a, offset, &err), &err) &&
        fuzz_ended_well(hw_arena_check(a, offset, &height, &err), &err) && height < a->load)
        fuzz_fail("a height of %" PRIu64 " below the load", height);
    free(offset);
    hw_arena_free(a);
    return 0;
}
