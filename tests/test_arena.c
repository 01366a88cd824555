/* Arenas, the checker of allocations, and every allocator on random arenas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena/arena.h"
#include "support_arena.h"
#include "support_random.h"

static const char EXAMPLE[] = "id,lower,upper,size\n"
                              "b1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n";

static void the_load_of_the_example_is_twelve(void **state)
{
    (void)state;
    hw_arena *a = text_arena(EXAMPLE);
    assert_int_equal(a->n_buffers, 5);
    assert_int_equal(a->load, 12);
    assert_int_equal(a->load_at, 0);
    assert_int_equal(defined_least_height(a), 12);
    hw_arena_free(a);
}

/* Load and distance from the definition: tick by tick. */
static uint64_t need(const hw_arena *a, uint32_t b, int64_t tick)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < a->buffer[b].n_spans; i++) {
        const hw_span *s = &a->span[a->buffer[b].first_span + i];
        n += tick >= s->first && tick < s->end ? s->size : 0;
    }
    return n;
}

static void load_and_distance_follow_the_definition(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 3000; round++) {
        const arena_shape shape = {
            1 + random_below(&seed, 8), 1 + random_below(&seed, 9), 5, true, false, true};
        hw_arena *a = random_arena(&seed, &shape);
        uint64_t load = 0;
        for (int64_t tick = 0; tick < 10; tick++) {
            uint64_t sum = 0;
            for (uint32_t i = 0; i < a->n_buffers; i++)
                sum += need(a, i, tick);
            load = sum > load ? sum : load;
        }
        assert_int_equal(a->load, load);
        for (uint32_t i = 0; i < a->n_buffers; i++)
            for (uint32_t j = 0; j < a->n_buffers; j++) {
                uint64_t most = 0;
                for (int64_t tick = 0; tick < 10; tick++)
                    if (i != j && need(a, j, tick) > 0 && need(a, i, tick) > most)
                        most = need(a, i, tick);
                if (i != j)
                    assert_int_equal(hw_arena_distance(a, i, j), most);
            }
        hw_arena_free(a);
    }
}

/* The checker against the definition, tick by tick and byte by byte. */
static bool holds(const hw_arena *a, const uint64_t *offset)
{
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        const hw_buffer *b = &a->buffer[i];
        if (offset[i] % b->alignment != 0 || (b->fixed != HW_ARENA_FREE && b->fixed != offset[i]))
            return false;
    }
    for (int64_t tick = 0; tick < 10; tick++) {
        unsigned char used[64] = {0};
        for (uint32_t i = 0; i < a->n_buffers; i++)
            for (uint64_t byte = 0; byte < need(a, i, tick); byte++)
                if (used[offset[i] + byte]++)
                    return false;
    }
    return true;
}

static void the_checker_follows_the_definition(void **state)
{
    (void)state;
    uint64_t seed = 12;
    unsigned good = 0, bad = 0;
    for (int round = 0; round < 20000; round++) {
        const arena_shape shape = {
            2 + random_below(&seed, 4), 1 + random_below(&seed, 9), 4,
            random_chance(&seed, 0.5),  random_chance(&seed, 0.3),  random_chance(&seed, 0.5)};
        hw_arena *a = random_arena(&seed, &shape);
        if (!a)
            continue;
        uint64_t offset[8], height, top = 0;
        hw_error err;
        for (uint32_t i = 0; i < a->n_buffers; i++) {
            const hw_buffer *b = &a->buffer[i];
            offset[i] = random_below(&seed, 10);
            if (random_chance(&seed, 0.8))
                offset[i] =
                    b->fixed == HW_ARENA_FREE ? offset[i] / b->alignment * b->alignment : b->fixed;
            top = offset[i] + b->size > top ? offset[i] + b->size : top;
        }
        hw_code code = hw_arena_check(a, offset, &height, &err);
        assert_int_equal(code, holds(a, offset) ? HW_OK : HW_CHECK_FAILED);
        if (code == HW_OK)
            assert_int_equal(height, top);
        good += code == HW_OK;
        bad += code != HW_OK;
        hw_arena_free(a);
    }
    assert_true(good > 1000 && bad > 1000);
}

static void an_end_past_all_addresses_is_refused(void **state)
{
    (void)state;
    hw_arena *a = text_arena("id,lower,upper,size\nx,0,1,10\n");
    uint64_t offset = UINT64_MAX - 9, height;
    hw_error err;
    assert_int_equal(hw_arena_check(a, &offset, &height, &err), HW_CHECK_FAILED);
    offset--;
    assert_int_equal(hw_arena_check(a, &offset, &height, &err), HW_OK);
    assert_true(height == UINT64_MAX);
    hw_arena_free(a);
}

/* Every allocator: a legal allocation (hw_arena_place checks it), never below the least height. */
static void every_allocator_is_legal_and_no_better_than_the_least(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (int round = 0; round < 600; round++) {
        const arena_shape shape = {
            1 + random_below(&seed, 6), 1 + random_below(&seed, 8), 5,
            random_chance(&seed, 0.3),  random_chance(&seed, 0.3),  random_chance(&seed, 0.4)};
        hw_arena *a = random_arena(&seed, &shape);
        if (!a)
            continue;
        uint64_t least = defined_least_height(a);
        for (size_t i = 0; i < hw_n_allocators; i++) {
            const hw_placement_request request = {.seed = 1};
            hw_placement p;
            hw_error err;
            hw_code code = hw_arena_place(a, hw_allocators[i], &request, &p, &err);
            if (code == HW_USAGE && shape.fixed)
                continue;
            if (code != HW_OK)
                fail_msg("%s: %s", hw_allocators[i]->name, err.message);
            assert_true(p.placed && p.height >= least && p.bound <= least);
            if (hw_allocators[i]->proves)
                assert_int_equal(p.height, least);
            hw_placement_clear(&p);
        }
        hw_arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_load_of_the_example_is_twelve),
        cmocka_unit_test(load_and_distance_follow_the_definition),
        cmocka_unit_test(the_checker_follows_the_definition),
        cmocka_unit_test(an_end_past_all_addresses_is_refused),
        cmocka_unit_test(every_allocator_is_legal_and_no_better_than_the_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
