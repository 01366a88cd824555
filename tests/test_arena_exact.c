/*
 * The exact allocator: least heights against trying every offset, with every rule
 * on and off; capacities, limits, and the arenas of $HW_SHARED/arena.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena/arena.h"
#include "support_arena.h"
#include "support_random.h"
#include "support_sanitized.h"

static void place(const hw_arena *a, const char *spec, hw_placement_request request,
                  hw_placement *p)
{
    hw_error err = {0};
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_allocator *row = hw_allocator_find(spec, strcspn(spec, ":"));
    assert_non_null(row);
    if (hw_params_of_spec("allocator", row->params, row->n_params, spec, values, &err) != HW_OK)
        fail_msg("%s", err.message);
    request.params = values;
    if (hw_arena_place(a, row, &request, p, &err) != HW_OK)
        fail_msg("%s: %s", spec, err.message);
}

/* How many rounds: HW_ARENA_ROUNDS, a number from 1 on, or as many as a test takes by itself. */
static int rounds_or(int preset)
{
    const char *text = getenv("HW_ARENA_ROUNDS");
    char *end;
    if (!text)
        return preset;
    long rounds = strtol(text, &end, 10);
    if (end == text || *end || rounds < 1 || rounds > 10000000)
        fail_msg("HW_ARENA_ROUNDS: '%s' is no number of rounds", text);
    return (int)rounds;
}

/* The least height, proven. */
static uint64_t least(const hw_arena *a, const char *spec)
{
    hw_placement p;
    place(a, spec, (hw_placement_request){.seed = 7}, &p);
    assert_true(p.placed);
    assert_int_equal(p.height, p.bound);
    uint64_t height = p.height;
    hw_placement_clear(&p);
    return height;
}

/* Within a capacity: the bound where there is none, 0 where there is one. */
static uint64_t refused(const hw_arena *a, const char *spec, uint64_t capacity)
{
    hw_placement p;
    place(a, spec, (hw_placement_request){.capacity = capacity, .seed = 7}, &p);
    uint64_t bound = p.placed ? 0 : p.bound;
    assert_true(!p.placed || p.height <= capacity);
    assert_true(p.placed || p.bound > capacity);
    hw_placement_clear(&p);
    return bound;
}

static const char *const SPECS[] = {
    "exact",
    "exact:supports=no",
    "exact:sections=no",
    "exact:heads=no",
    "exact:holes=no",
    "exact:twins=no",
    "exact:cuts=no",
    "exact:supports=no,sections=no,heads=no,holes=no,twins=no,cuts=no",
    "exact:supports=yes,sections=no,heads=no,holes=no,twins=no,cuts=no",
    "exact:supports=no,sections=no,heads=no,holes=yes,twins=no,cuts=no",
    "exact:supports=no,sections=no,heads=no,holes=no,twins=yes,cuts=yes",
    "exact:next=lowest,slice=3",
    "exact:next=fewest,slice=3",
    "exact:next=relative,slice=3",
    "exact:next=fullest,slice=2",
    "exact:next=fullest,keys=zwa,twins=no,cuts=no",
    "exact:weights=no,keys=owt,slice=1",
};
enum { N_SPECS = sizeof SPECS / sizeof *SPECS };

/*
 * The definition on up to 7 buffers of every kind.  One spec after another, so that
 * each gets its share; all of them where the least height is above the bound.
 */
static void least_heights_are_those_of_the_definition(void **state)
{
    (void)state;
    int rounds = rounds_or(FEWER(1500)), above = 0;
    uint64_t seed = 2024;
    for (int round = 0; round < rounds; round++) {
        const arena_shape shape = {2 + random_below(&seed, 6),
                                   2 + random_below(&seed, 6),
                                   4,
                                   round % 4 == 1,
                                   round % 4 == 2,
                                   round % 4 == 3};
        hw_arena *a = random_arena(&seed, &shape);
        if (!a)
            continue;
        uint64_t defined = defined_least_height(a);
        bool gap = defined > a->bound;
        above += gap;
        for (int i = 0; i < N_SPECS; i++) {
            if (!gap && i != round % N_SPECS)
                continue;
            uint64_t found = least(a, SPECS[i]);
            if (found != defined)
                fail_msg("round %d: %s says %llu, least is %llu", round, SPECS[i],
                         (unsigned long long)found, (unsigned long long)defined);
            assert_int_equal(refused(a, SPECS[i], defined), 0);
            if (gap)
                assert_true(refused(a, SPECS[i], defined - 1) <= defined);
        }
        hw_arena_free(a);
    }
    assert_true(above > rounds / 100); /* else the proofs were idle */
}

/* Too many for the definition: every pair of rule sets is a second route to the other. */
static void rules_never_change_the_least_height(void **state)
{
    (void)state;
    int rounds = (rounds_or(FEWER(2400)) + 19) / 20, above = 0;
    uint64_t seed = 99;
    for (int round = 0; round < rounds; round++) {
        const arena_shape shape = {8 + random_below(&seed, 4),
                                   4 + random_below(&seed, 8),
                                   9,
                                   round % 4 == 1,
                                   round % 4 == 2,
                                   round % 4 == 3};
        hw_arena *a = random_arena(&seed, &shape);
        if (!a)
            continue;
        uint64_t plain = least(a, SPECS[7]);
        above += plain > a->bound;
        for (int i = 0; i < N_SPECS; i++)
            if ((plain > a->bound || i == round % N_SPECS) && least(a, SPECS[i]) != plain)
                fail_msg("round %d: %s differs from the search without rules", round, SPECS[i]);
        hw_arena_free(a);
    }
    assert_true(rounds < 100 || above > rounds / 100);
}

/* What is proven in units of 1000 bytes is said in bytes. */
static void bounds_in_bytes_keep_to_the_unit(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0, seen = 0; seen < 20; round++) {
        assert_true(round < 20000);
        const arena_shape shape = {6, 6, 4, false, false, true};
        hw_arena *a = random_arena(&seed, &shape);
        uint64_t low = least(a, "exact");
        if (low > a->bound) {
            seen++;
            for (uint32_t i = 0; i < a->n_buffers; i++)
                a->buffer[i].size *= 1000;
            for (uint32_t i = 0; i < a->n_spans; i++)
                a->span[i].size *= 1000;
            a->load *= 1000;
            a->bound *= 1000;
            a->stacked *= 1000;
            assert_int_equal(least(a, "exact"), 1000 * low);
            assert_int_equal(refused(a, "exact", 1000 * low - 1), 1000 * low);
        }
        hw_arena_free(a);
    }
}

static void limits_by_states_are_the_same_every_time(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int round = 0; round < 40; round++) {
        const arena_shape shape = {60, 40, 50, false, false, false};
        hw_arena *a = random_arena(&seed, &shape);
        hw_placement p, q;
        const hw_placement_request request = {.states = 200 + 50 * (uint64_t)round, .seed = 3};
        place(a, "exact:slice=20", request, &p);
        place(a, "exact:slice=20", request, &q);
        assert_true(p.placed);
        assert_true(p.states <= request.states);
        assert_int_equal(p.states, q.states);
        assert_int_equal(p.height, q.height);
        assert_int_equal(p.bound, q.bound);
        assert_memory_equal(p.offset, q.offset, a->n_buffers * sizeof *p.offset);
        hw_placement_clear(&p);
        hw_placement_clear(&q);
        hw_arena_free(a);
    }
}

static void time_over_leaves_what_is_known(void **state)
{
    (void)state;
    uint64_t seed = 23;
    const arena_shape shape = {60, 40, 50, false, false, false};
    hw_arena *a = random_arena(&seed, &shape);
    hw_placement p;
    place(a, "exact", (hw_placement_request){.seconds = 1e-9}, &p);
    assert_true(p.placed);
    assert_int_equal(p.bound, a->bound);
    hw_placement_clear(&p);
    place(a, "exact", (hw_placement_request){.seconds = 1e-9, .capacity = a->bound}, &p);
    assert_false(p.placed);
    assert_int_equal(p.bound, a->bound);
    hw_placement_clear(&p);
    hw_arena_free(a);
}

static void nothing_and_empty_buffers_have_height_zero(void **state)
{
    (void)state;
    hw_arena *a = text_arena("id,lower,upper,size\n");
    assert_int_equal(least(a, "exact"), 0);
    hw_arena_free(a);
    a = text_arena("id,lower,upper,size\na,0,4,0\nb,2,3,0\n");
    assert_int_equal(least(a, "exact"), 0);
    hw_arena_free(a);
    a = text_arena("id,lower,upper,size\na,0,4,0\nb,2,3,5\n");
    assert_int_equal(least(a, "exact"), 5);
    hw_arena_free(a);
}

/* Sizes near the limit of what an arena may hold. */
static void huge_sizes_do_not_wrap(void **state)
{
    (void)state;
    hw_arena *a = text_arena("id,lower,upper,size\na,0,2,4611686018427387905\n"
                             "b,1,3,4611686018427387907\nc,2,4,4611686018427387905\n");
    assert_int_equal(least(a, "exact"), UINT64_C(9223372036854775812));
    hw_arena_free(a);
}

/* Within the capacity that the name gives, by a limit of states. */
static void shared_arenas_fit_their_capacity(void **state)
{
    (void)state;
    static const char *const names[] = {"A", "C", "D", "F", "G", "H", "J", "K"};
    const char *shared = getenv("HW_SHARED");
    if (!shared) {
        print_message("skipped: HW_SHARED is not set\n");
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[4096];
        hw_arena *a;
        hw_error err;
        hw_placement p;
        (void)snprintf(path, sizeof path, "%s/arena/%s.1048576.csv", shared, names[i]);
        if (hw_arena_read(path, &a, &err) != HW_OK)
            fail_msg("%s", err.message);
        place(a, "exact", (hw_placement_request){.capacity = 1048576, .states = 1000000, .seed = 1},
              &p);
        assert_true(p.placed);
        hw_placement_clear(&p);
        hw_arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_heights_are_those_of_the_definition),
        cmocka_unit_test(rules_never_change_the_least_height),
        cmocka_unit_test(bounds_in_bytes_keep_to_the_unit),
        cmocka_unit_test(limits_by_states_are_the_same_every_time),
        cmocka_unit_test(time_over_leaves_what_is_known),
        cmocka_unit_test(nothing_and_empty_buffers_have_height_zero),
        cmocka_unit_test(huge_sizes_do_not_wrap),
        cmocka_unit_test(shared_arenas_fit_their_capacity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
