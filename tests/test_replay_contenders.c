/*
 * Contenders of a replay: how they are written, where an arena's blocks lie,
 * what the samples say.  This program is the process of its replays too.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "replay/contender.h"
#include "replay/summary.h"
#include "tests/support_draft.h"
#include "tests/support_lines.h"
#include "tests/support_models.h"

/* ---- Words. ---- */

static hw_contender contender_of(const char *text)
{
    hw_contender c;
    hw_error err = {0};
    if (hw_contender_parse(text, &c, &err) != HW_OK)
        fail_msg("%s: %s", text, err.message);
    assert_string_equal(c.name, text);
    return c;
}

static void words_and_what_belongs_to_them(void **state)
{
    (void)state;
    hw_contender c = contender_of("malloc");
    assert_int_equal(c.way, HW_REPLAY_MALLOC);
    assert_null(c.preload);
    assert_int_equal(c.n_settings, 0);
    hw_contender_clear(&c);

    c = contender_of("malloc+MALLOC_ARENA_MAX=1+trim+preload=/x/y.so+A=b=c");
    assert_true(c.trim);
    assert_string_equal(c.preload, "/x/y.so");
    assert_null(c.package);
    assert_int_equal(c.n_settings, 2);
    assert_string_equal(c.setting[0], "MALLOC_ARENA_MAX=1");
    assert_string_equal(c.setting[1], "A=b=c");
    hw_contender_clear(&c);

    c = contender_of("mimalloc");
    assert_int_equal(c.way, HW_REPLAY_MALLOC);
    assert_string_equal(c.preload, "libmimalloc.so.2");
    assert_string_equal(c.package, "libmimalloc2.0");
    hw_contender_clear(&c);

    c = contender_of("mmap");
    assert_int_equal(c.way, HW_REPLAY_MMAP);
    hw_contender_clear(&c);

    c = contender_of("arena:first-fit+release");
    assert_int_equal(c.way, HW_REPLAY_ARENA);
    assert_string_equal(c.allocator->name, "first-fit");
    assert_true(c.release);
    hw_contender_clear(&c);

    c = contender_of("arena");
    assert_string_equal(c.allocator->name, hw_contender_default_allocator());
    assert_false(c.release);
    hw_contender_clear(&c);
}

static void words_that_are_none(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "slab",
        "malloc+",
        "malloc+release",
        "mmap+trim",
        "mmap+A=b",
        "arena+trim",
        "arena:",
        "arena:worst-fit",
        "arena:first-fit:x=1",
        "malloc+a=b",
        "malloc+LD_PRELOAD=x",
        "malloc+=x",
        "mimalloc+preload=x",
        "+trim",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        hw_contender c;
        hw_error err = {0};
        if (hw_contender_parse(wrong[i], &c, &err) != HW_USAGE)
            fail_msg("'%s' was taken", wrong[i]);
        assert_true(err.message[0] != '\0');
        hw_contender_clear(&c);
    }
}

static void parts_are_given_where_they_belong(void **state)
{
    (void)state;
    hw_contender c = contender_of("malloc");
    assert_int_equal(hw_contender_add(&c, "mimalloc", true, true, NULL), HW_OK);
    assert_string_equal(c.name, "malloc+preload=mimalloc+trim");
    assert_string_equal(c.preload, "libmimalloc.so.2");
    assert_true(c.trim && !c.release);
    hw_contender_clear(&c);
    c = contender_of("arena:first-fit");
    assert_int_equal(hw_contender_add(&c, "x", true, true, NULL), HW_OK);
    assert_string_equal(c.name, "arena:first-fit+release");
    assert_null(c.preload);
    hw_contender_clear(&c);
    c = contender_of("mmap");
    assert_int_equal(hw_contender_add(&c, "x", true, true, NULL), HW_OK);
    assert_string_equal(c.name, "mmap");
    hw_contender_clear(&c);
}

/* ---- Arenas: what lies where is looked for by the process that writes it. ---- */

typedef struct placed {
    hw_log *log;
    hw_replay_plan *plan;
    uint64_t *offset, height;
} placed;

static placed place(const hw_model *m, const uint32_t *order, const hw_allocator *allocator,
                    uint64_t alignment)
{
    placed p = {0};
    hw_error err = {0};
    hw_placement_request request = {.states = 1000, .seed = 1};
    if (hw_log_new(m, order, false, &p.log, &err) != HW_OK ||
        hw_replay_plan_new(p.log, &p.plan, &err) != HW_OK ||
        hw_replay_place(p.plan, allocator, &request, alignment, &p.offset, &p.height, &err) !=
            HW_OK)
        fail_msg("%s: %s", allocator->name, err.message);
    return p;
}

static void placed_end(placed *p)
{
    hw_replay_plan_free(p->plan);
    hw_log_free(p->log);
    free(p->offset);
}

static void expect_kept(const placed *p)
{
    hw_replay_request q = {.program = "/proc/self/exe",
                           .way = HW_REPLAY_ARENA,
                           .passes = 2,
                           .offset = p->offset,
                           .height = p->height,
                           .release = true};
    hw_replay_result result;
    hw_error err = {0};
    if (hw_replay_run(p->plan, &q, &result, &err) != HW_OK)
        fail_msg("%s", err.message);
    hw_replay_result_clear(&result);
}

static uint64_t turn; /* of models and allocators, so that each meets many */

static void place_a_random_order(const hw_model *m)
{
    uint64_t seed = 5 + turn;
    uint32_t order[DRAFT_NODES];
    if (!draft_order(m, &seed, order))
        return;
    const hw_allocator *allocator = hw_allocators[turn++ % hw_n_allocators];
    uint64_t alignment = draft_below(&seed, 2) ? 1 : 64;
    placed p = place(m, order, allocator, alignment);
    assert_true(p.height >= hw_replay_peak(p.plan));
    for (uint32_t b = 0; b < p.plan->n_blocks; b++) {
        assert_int_equal(p.offset[b] % alignment, 0);
        assert_true(p.offset[b] + p.plan->block[b].size <= p.height);
    }
    expect_kept(&p);
    placed_end(&p);
}

static void random_orders_in_arenas(void **state)
{
    (void)state;
    each_model(30, 14, DRAW_RICH, place_a_random_order);
}

/* A block that grows in place needs its room from then on, and not before. */
static void blocks_that_grow_have_their_room(void **state)
{
    (void)state;
    static const uint32_t in_turn[] = {0, 1, 2, 3};
    hw_graph *g = lines_graph("t 0 5000 a; t 1 9000 a; t 2 20000 a; t 3 7 o; v 0 - > 0; v 1 - > 1; "
                              "v 2 0 > 2 inplace=0:2; v 3 1,2 > 3");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    for (size_t i = 0; i < hw_n_allocators; i++) {
        placed p = place(m, in_turn, hw_allocators[i], 1);
        expect_kept(&p);
        placed_end(&p);
    }
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- Summaries. ---- */

static void peaks_and_lags(void **state)
{
    (void)state;
    static const uint32_t in_turn[] = {0, 1};
    hw_graph *g = lines_graph("t 0 10 i; t 1 20 a; t 2 5 o; v 0 0 > 1 workspace=3; v 1 1 > 2");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_log *log = NULL;
    hw_replay_plan *plan = NULL;
    assert_int_equal(hw_log_new(m, in_turn, false, &log, NULL), HW_OK);
    assert_int_equal(hw_replay_plan_new(log, &plan, NULL), HW_OK);
    /* logical: 10, 33, 20, 25, 5, 0 in each pass; a baseline of 100 */
    static const uint64_t resident[] = {110, 140, 135, 99, 130, 128, 128, 141, 135, 130, 133, 129};
    hw_replay_sample sample[12] = {{0}};
    for (size_t i = 0; i < 12; i++)
        sample[i].resident = resident[i];
    hw_replay_result r = {.sample = sample,
                          .before = {.resident = 100},
                          .n_moments = 6,
                          .n_samples = 12,
                          .passes = 2};
    assert_int_equal(plan->n_moments, 6);
    assert_int_equal(hw_replay_resident(&r, 1), 40);
    assert_int_equal(hw_replay_resident(&r, 3), 0);
    assert_int_equal(hw_replay_lag(plan, &r, 3), -25);
    hw_replay_summary s;
    hw_replay_summarize(plan, &r, 0, 1, &s);
    assert_int_equal(s.logical_peak, 33);
    assert_int_equal(s.logical_at, 1);
    assert_int_equal(s.resident_peak, 40);
    assert_int_equal(s.resident_at, 1);
    assert_int_equal(s.greatest_lag, 28);
    assert_int_equal(s.lag_at, 5);
    assert_int_equal(s.end_lag, 28);
    hw_replay_summarize(plan, &r, 0, 2, &s);
    assert_int_equal(s.resident_peak, 41);
    assert_int_equal(s.resident_at, 7);
    assert_int_equal(s.logical_at, 1);
    assert_int_equal(s.greatest_lag, 29);
    assert_int_equal(s.lag_at, 11);
    r.n_samples = 8; /* ended early */
    hw_replay_summarize(plan, &r, 0, 2, &s);
    assert_int_equal(s.greatest_lag, 28);
    assert_int_equal(s.end_lag, 18);
    hw_replay_plan_free(plan);
    hw_log_free(log);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(int argc, char **argv)
{
    int status;
    if (hw_replay_child(argc, argv, &status))
        return status;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_what_belongs_to_them),
        cmocka_unit_test(words_that_are_none),
        cmocka_unit_test(parts_are_given_where_they_belong),
        cmocka_unit_test(random_orders_in_arenas),
        cmocka_unit_test(blocks_that_grow_have_their_room),
        cmocka_unit_test(peaks_and_lags),
    };
    return cmocka_run_group_tests_name("replay_contenders", tests, NULL, NULL) != 0;
}
