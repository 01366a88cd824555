/* What each allocator does, on arenas worked by hand, and two routes to the same offsets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena/arena.h"
#include "support_arena.h"
#include "support_random.h"

#define HEAD "id,lower,upper,size\n"

static void place(const hw_arena *a, const char *spec, uint64_t seed, hw_placement *p)
{
    hw_error err = {0};
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_allocator *row = hw_allocator_find(spec, strcspn(spec, ":"));
    assert_non_null(row);
    assert_int_equal(hw_params_of_spec("allocator", row->params, row->n_params, spec, values, &err),
                     HW_OK);
    const hw_placement_request request = {.params = values, .seed = seed};
    if (hw_arena_place(a, row, &request, p, &err) != HW_OK)
        fail_msg("%s: %s", spec, err.message);
}

static void expect(const char *text, const char *spec, uint64_t height, const uint64_t *offset)
{
    hw_arena *a = text_arena(text);
    hw_placement p;
    place(a, spec, 1, &p);
    if (p.height != height)
        fail_msg("%s: height %llu", spec, (unsigned long long)p.height);
    for (uint32_t i = 0; i < a->n_buffers; i++)
        if (p.offset[i] != offset[i])
            fail_msg("%s: %s lies at %llu", spec, a->label[i], (unsigned long long)p.offset[i]);
    hw_placement_clear(&p);
    hw_arena_free(a);
}

#define OFFSETS(...) ((const uint64_t[]){__VA_ARGS__})

/* Holes of 6 bytes at 0 and of 3 at 10 when c (3) comes. */
static const char HOLES[] = HEAD "a,0,1,6\nk,0,9,4\nb,0,1,3\nl,0,9,4\nc,1,2,3\nd,2,3,6\n";

static void the_lowest_hole_or_the_tightest(void **state)
{
    (void)state;
    expect(HOLES, "first-fit", 17, OFFSETS(0, 6, 10, 13, 0, 0));
    expect(HOLES, "best-fit", 17, OFFSETS(0, 6, 10, 13, 10, 0));
    expect(HOLES, "free-list:policy=first", 17, OFFSETS(0, 6, 10, 13, 0, 0));
    expect(HOLES, "free-list:policy=best", 17, OFFSETS(0, 6, 10, 13, 10, 0));
    expect(HOLES, "free-list:policy=worst", 17, OFFSETS(0, 6, 10, 13, 0, 0));
}

static void a_free_list_joins_holes_and_grows_the_last_one(void **state)
{
    (void)state;
    /* a and b join into a hole of 5 for c; d takes the 2 left at the top, which grow to 3 */
    expect(HEAD "a,0,1,2\nb,0,1,3\nc,1,3,3\nd,1,3,3\n", "free-list", 6, OFFSETS(0, 2, 0, 3));
    /* next-fit goes on where c was placed, first-fit goes back to the hole of a */
    static const char holes[] = HEAD "a,0,1,4\nk,0,9,1\nb,0,1,10\nl,0,9,1\nc,1,9,6\nd,1,9,2\n";
    expect(holes, "free-list:policy=next", 16, OFFSETS(0, 4, 5, 15, 5, 11));
    expect(holes, "free-list:policy=first", 16, OFFSETS(0, 4, 5, 15, 5, 0));
}

static void a_free_list_has_headers_and_rounds(void **state)
{
    (void)state;
    expect(HEAD "a,0,2,5\nb,0,2,20\n", "free-list:header=8,round=16", 48, OFFSETS(8, 24));
}

static void a_pool_keeps_to_its_classes(void **state)
{
    (void)state;
    /* 5 and 6 are of class 8, 9 of class 16; b takes a's block, c finds none of its class */
    expect(HEAD "a,0,1,5\nb,1,2,6\nc,1,2,9\nd,2,3,3\n", "bucket-pool", 28, OFFSETS(0, 0, 8, 24));
    /* four classes a doubling: 5, 6 and 9 are classes, 9 becomes 10 */
    expect(HEAD "a,0,1,5\nb,1,2,6\nc,1,2,9\n", "bucket-pool:divisions=4", 21, OFFSETS(0, 5, 11));
    expect(HEAD "a,0,1,5\nb,1,2,6\n", "bucket-pool:least=512", 512, OFFSETS(0, 0));
}

static void greedy_orders(void **state)
{
    (void)state;
    /* by size: c (5), b (4), a (2) */
    static const char three[] = HEAD "a,0,2,2\nb,0,4,4\nc,3,6,5\n";
    expect(three, "greedy-by-size", 9, OFFSETS(0, 5, 0));
    /* b meets both: it is placed first */
    expect(three, "greedy-by-conflicts", 9, OFFSETS(4, 0, 4));
    /* step 3 is the fullest (9): c, then b; then a of step 0 */
    expect(three, "greedy-by-breadth", 9, OFFSETS(0, 5, 0));
    /* above all that a buffer meets, as TVM does it: the hole under d stays empty */
    static const char hole[] = HEAD "a,0,2,2\nb,1,4,4\nc,3,6,3\nd,5,7,2\n";
    expect(hole, "greedy-by-conflicts", 9, OFFSETS(4, 0, 4, 7));
    expect(hole, "greedy-by-conflicts:place=lowest", 7, OFFSETS(4, 0, 4, 0));
}

static bool same(const hw_arena *a, const hw_placement *p, const hw_placement *q)
{
    return p->height == q->height &&
           memcmp(p->offset, q->offset, a->n_buffers * sizeof *p->offset) == 0;
}

/* Where all are of one size for life, a malloc in order of time is first-fit, or best-fit. */
static void two_routes_to_first_fit_and_best_fit(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"first-fit", "free-list:policy=first"},
                                           {"best-fit", "free-list:policy=best"}};
    uint64_t seed = 41;
    unsigned differ = 0;
    for (int round = 0; round < 3000; round++) {
        const arena_shape shape = {
            1 + random_below(&seed, 30), 1 + random_below(&seed, 20), 20, false, false, false};
        hw_arena *a = random_arena(&seed, &shape);
        hw_placement one[2], other;
        for (int i = 0; i < 2; i++) {
            place(a, pairs[i][0], 1, &one[i]);
            place(a, pairs[i][1], 1, &other);
            assert_true(same(a, &one[i], &other));
            hw_placement_clear(&other);
        }
        differ += !same(a, &one[0], &one[1]);
        hw_placement_clear(&one[0]);
        hw_placement_clear(&one[1]);
        hw_arena_free(a);
    }
    assert_true(differ > 500);
}

static void climbing_is_seeded_and_never_above_its_start(void **state)
{
    (void)state;
    uint64_t seed = 42;
    unsigned better = 0;
    for (int round = 0; round < 100; round++) {
        const arena_shape shape = {30, 20, 20, false, false, false};
        hw_arena *a = random_arena(&seed, &shape);
        hw_placement start, climbed, again;
        place(a, "hill-climb:rounds=1", 5, &start);
        place(a, "hill-climb:rounds=100", 5, &climbed);
        place(a, "hill-climb:rounds=100", 5, &again);
        assert_true(same(a, &climbed, &again));
        assert_true(climbed.height <= start.height);
        better += climbed.height < start.height;
        hw_placement_clear(&start);
        hw_placement_clear(&climbed);
        hw_placement_clear(&again);
        hw_arena_free(a);
    }
    assert_true(better > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_hole_or_the_tightest),
        cmocka_unit_test(a_free_list_joins_holes_and_grows_the_last_one),
        cmocka_unit_test(a_free_list_has_headers_and_rounds),
        cmocka_unit_test(a_pool_keeps_to_its_classes),
        cmocka_unit_test(greedy_orders),
        cmocka_unit_test(two_routes_to_first_fit_and_best_fit),
        cmocka_unit_test(climbing_is_seeded_and_never_above_its_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
