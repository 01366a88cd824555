/*
 * Segments against all orders: random series-parallel orders of a few nodes,
 * composed step by step, with costs that rise and fall.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "solvers/segments.h"
#include "support_exact.h"
#include "support_random.h"

enum { MOST = 9 };

/* A partial order under composition: the nodes from `low` to `high`. */
typedef struct composed {
    uint32_t low, high;
    hw_segment_set set;
} composed;

typedef struct space {
    hw_segments segments;
    hw_segment step[MOST];
    uint32_t preds[MOST]; /* sets of nodes */
    uint32_t n;
} space;

static uint32_t nodes_between(uint32_t low, uint32_t high)
{
    return ((UINT32_C(1) << high) - 1) & ~((UINT32_C(1) << low) - 1);
}

/* b stands right of a; in series either may be the first. */
static composed compose(space *w, composed a, composed b, uint64_t *state)
{
    composed both = {a.low, b.high, HW_SEGMENT_SET_EMPTY};
    if (random_chance(state, 0.5)) {
        both.set = hw_segments_parallel(&w->segments, a.set, b.set);
        return both;
    }
    if (random_chance(state, 0.5)) {
        composed held = a;
        a = b;
        b = held;
    }
    for (uint32_t v = b.low; v < b.high; v++)
        w->preds[v] |= nodes_between(a.low, a.high);
    both.set = hw_segments_series(&w->segments, a.set, b.set);
    return both;
}

static uint64_t draw_bytes(uint64_t *state, uint32_t largest)
{
    return random_below(state, largest + 1);
}

static void draw(space *w, uint64_t *state)
{
    memset(w, 0, sizeof *w);
    w->n = 1 + random_below(state, MOST);
    uint32_t largest = random_chance(state, 0.3) ? 4 : 50, left = w->n;
    composed part[MOST];
    assert_int_equal(hw_segments_open(&w->segments, w->n, true, true, NULL), HW_OK);
    for (uint32_t v = 0; v < w->n; v++) {
        w->step[v] = (hw_segment){draw_bytes(state, largest), draw_bytes(state, largest)};
        part[v] = (composed){v, v + 1, hw_segments_node(&w->segments, v, w->step[v])};
    }
    while (left > 1) {
        uint32_t at = random_below(state, left - 1);
        part[at] = compose(w, part[at], part[at + 1], state);
        memmove(part + at + 1, part + at + 2, (left - at - 2) * sizeof *part);
        left--;
    }
}

/* The least hill by all prefixes; live may be negative. */
static int64_t least_hill(const space *w)
{
    static int64_t hill[1 << MOST], live[1 << MOST];
    for (uint32_t set = 0; set < UINT32_C(1) << w->n; set++) {
        hill[set] = set ? INT64_MAX : 0;
        live[set] = 0;
        for (uint32_t v = 0; v < w->n; v++)
            if (set >> v & 1)
                live[set] += (int64_t)w->step[v].rise - (int64_t)w->step[v].fall;
        for (uint32_t v = 0; v < w->n; v++) {
            uint32_t before = set & ~(UINT32_C(1) << v);
            if (before == set || (w->preds[v] & ~before) || hill[before] == INT64_MAX)
                continue;
            int64_t usage = live[before] + (int64_t)w->step[v].rise;
            int64_t most = usage > hill[before] ? usage : hill[before];
            hill[set] = most < hill[set] ? most : hill[set];
        }
    }
    return hill[(1 << w->n) - 1];
}

static int64_t hill_of(const space *w, const uint32_t *order)
{
    int64_t live = 0, hill = 0;
    uint32_t done = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t v = order[i];
        assert_true(v < w->n && !(done >> v & 1) && !(w->preds[v] & ~done));
        done |= UINT32_C(1) << v;
        if (live + (int64_t)w->step[v].rise > hill)
            hill = live + (int64_t)w->step[v].rise;
        live += (int64_t)w->step[v].rise - (int64_t)w->step[v].fall;
    }
    return hill;
}

static void composed_orders_are_best(void **unused)
{
    (void)unused;
    uint64_t state = environment_number("HW_SEGMENTS_SEED", 1);
    uint64_t orders = environment_number("HW_SEGMENTS_ORDERS", 20000);
    for (uint64_t i = 0; i < orders; i++) {
        space w;
        uint32_t order[MOST];
        hw_segment whole;
        draw(&w, &state);
        assert_int_equal(hw_segments_lay(&w.segments, order, &whole, NULL), HW_OK);
        int64_t hill = hill_of(&w, order);
        assert_int_equal(hill, least_hill(&w));
        assert_true((int64_t)whole.rise == hill);
        hw_segments_close(&w.segments);
    }
}

/* Trees keep one end: the same order as with both. */
static void one_end_is_enough_for_trees(void **unused)
{
    (void)unused;
    uint64_t state = 5;
    for (uint32_t i = 0; i < 3000; i++) {
        enum { N = 30 };
        uint32_t parent[N], order[N];
        bool out = i % 2;
        hw_segment step[N], whole[2];
        for (uint32_t v = 0; v < N; v++) {
            step[v] = (hw_segment){draw_bytes(&state, 40), draw_bytes(&state, 40)};
            parent[v] = v + 1 + random_below(&state, N - 1 - v > 3 ? 3 : N - v);
        }
        for (int both = 0; both < 2; both++) {
            hw_segments s;
            hw_segment_set set[N + 1];
            for (uint32_t v = 0; v <= N; v++)
                set[v] = HW_SEGMENT_SET_EMPTY;
            assert_int_equal(hw_segments_open(&s, N, both || out, both || !out, NULL), HW_OK);
            for (uint32_t v = 0; v < N; v++) { /* children come before their parents */
                hw_segment_set node = hw_segments_node(&s, v, step[v]);
                set[v] = out ? hw_segments_series(&s, node, set[v])
                             : hw_segments_series(&s, set[v], node);
                uint32_t p = parent[v] < N ? parent[v] : N;
                set[p] = hw_segments_parallel(&s, set[p], set[v]);
            }
            assert_int_equal(hw_segments_lay(&s, order, &whole[both], NULL), HW_OK);
            hw_segments_close(&s);
        }
        assert_true(whole[0].rise == whole[1].rise && whole[0].fall == whole[1].fall);
    }
}

/* Bytes up to 2^64 - 1, and live that falls below where it began. */
static void joins_are_exact(void **unused)
{
    (void)unused;
    hw_segment huge = {UINT64_MAX, UINT64_MAX}, fall = {0, UINT64_MAX}, rise = {UINT64_MAX, 0};
    hw_segment s = hw_segment_join(huge, huge);
    assert_true(s.rise == UINT64_MAX && s.fall == UINT64_MAX);
    s = hw_segment_join(fall, rise);
    assert_true(s.rise == 0 && s.fall == 0);
    s = hw_segment_join(rise, fall);
    assert_true(s.rise == UINT64_MAX && s.fall == UINT64_MAX);
    s = hw_segment_join(fall, huge);
    assert_true(s.rise == 0 && s.fall == UINT64_MAX);
    assert_true(hw_segment_before(fall, huge) && hw_segment_before(huge, rise));
    assert_false(hw_segment_before(huge, huge));
}

/* Series at both ends, and shapes that go deep: nothing recurses. */
static void large_shapes_are_fast(void **unused)
{
    (void)unused;
    enum { N = 300000 };
    uint32_t *order = malloc(N * sizeof *order);
    assert_non_null(order);
    for (int shape = 0; shape < 4; shape++) {
        hw_segments s;
        hw_segment whole;
        hw_segment_set all = HW_SEGMENT_SET_EMPTY;
        uint64_t state = 3;
        assert_int_equal(hw_segments_open(&s, N, true, true, NULL), HW_OK);
        for (uint32_t v = 0; v < N; v++) {
            hw_segment step = {draw_bytes(&state, 1000), draw_bytes(&state, 1000)};
            if (shape == 3) /* a chain in which nothing joins */
                step = (hw_segment){v, N + v};
            hw_segment_set node = hw_segments_node(&s, v, step);
            bool series = shape == 1 || shape == 3 || (shape == 2 && random_chance(&state, 0.5));
            if (!series)
                all = hw_segments_parallel(&s, all, node);
            else if (shape != 3 && random_chance(&state, 0.5))
                all = hw_segments_series(&s, node, all);
            else
                all = hw_segments_series(&s, all, node);
        }
        assert_int_equal(hw_segments_lay(&s, order, &whole, NULL), HW_OK);
        for (uint32_t v = 0; shape == 3 && v < N; v++)
            assert_int_equal(order[v], v);
        hw_segments_close(&s);
    }
    free(order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_are_exact),
        cmocka_unit_test(composed_orders_are_best),
        cmocka_unit_test(one_end_is_enough_for_trees),
        cmocka_unit_test(large_shapes_are_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
