/*
 * Arenas of many buffers: what is checked, placed and counted there keeps to
 * the time limit and to a signal, and nothing compares all with all that need
 * not be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena/arena.h"

/* n buffers of one byte, buffer i from tick i on and all of them to one end. */
static hw_arena *stairs(uint32_t n)
{
    hw_arena *a;
    hw_error err;
    assert_int_equal(hw_arena_start("stairs", &a, &err), HW_OK);
    for (uint32_t i = 0; i < n; i++) {
        const hw_span span = {i, n, 1};
        assert_int_equal(hw_arena_add(a, "x", &span, 1, 1, HW_ARENA_FREE, &err), HW_OK);
    }
    assert_int_equal(hw_arena_finish(a, &err), HW_OK);
    return a;
}

/* Compared pair by pair, these are 2 * 10^10: minutes. */
static void the_checker_sweeps(void **state)
{
    (void)state;
    enum { N = 200000 };
    hw_arena *a = stairs(N);
    uint64_t *offset = malloc(N * sizeof *offset), height;
    hw_error err;
    assert_non_null(offset);
    for (uint32_t i = 0; i < N; i++)
        offset[i] = (uint64_t)i * 7919 % N; /* a permutation: 7919 is prime to 200000 */
    assert_int_equal(hw_arena_check(a, offset, &height, &err), HW_OK);
    assert_true(height == N);
    offset[N - 1] = offset[77];
    assert_int_equal(hw_arena_check(a, offset, &height, &err), HW_CHECK_FAILED);
    free(offset);
    hw_arena_free(a);
}

/* What an allocator does with a clock that is over, or with a signal, before it begins. */
static void every_allocator_ends_when_told(void **state)
{
    (void)state;
    hw_arena *a = stairs(600);
    const volatile sig_atomic_t stop = 1;
    for (size_t i = 0; i < hw_n_allocators; i++) {
        const hw_allocator *row = hw_allocators[i];
        const hw_placement_request late = {.seconds = 1e-9}, stopped = {.stop = &stop};
        hw_placement p;
        hw_error err;
        hw_code code = hw_arena_place(a, row, &late, &p, &err);
        if (row->proves) { /* has its bound to tell */
            assert_int_equal(code, HW_OK);
            assert_false(p.placed);
            assert_true(p.bound == 600);
        } else if (!row->random) { /* a climb has its first round */
            assert_int_equal(code, HW_LIMIT);
        }
        hw_placement_clear(&p);
        code = hw_arena_place(a, row, &stopped, &p, &err);
        assert_int_equal(code, row->random ? HW_OK : HW_STOPPED);
        hw_placement_clear(&p);
    }
    hw_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_sweeps),
        cmocka_unit_test(every_allocator_ends_when_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
