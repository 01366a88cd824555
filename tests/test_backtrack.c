/*
 * backtrack: its search around one peak against a slow twin, never worse than
 * greedy, never better than the optimum, starts, limits, large shapes.
 *
 * HW_MODELS_GRAPHS, HW_MODELS_FIRST: graphs, as support_models.h has it;
 * HW_SHAPE_NODES (20000): nodes of the large shapes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "model/paths.h"
#include "model/sim.h"
#include "solvers/backtrack_search.h"
#include "support_exact.h"
#include "support_generate.h"
#include "support_lines.h"
#include "support_models.h"
#include "support_solve.h"
#include "support_sanitized.h"

/* ---- A slow twin of one search, from the definitions. ---- */

typedef struct twin {
    const hw_model *m;
    bool backwards;
    uint32_t n, begin, peak_step;
    uint64_t peak;
    backtrack_options options;
    uint32_t order[DRAFT_NODES];        /* items of the order in hand */
    uint32_t item[DRAFT_NODES], length; /* items of the try           */
    uint32_t path[DRAFT_NODES];
} twin;

typedef struct choice {
    int64_t net;
    uint64_t usage;
    uint32_t path, item;
} choice;

static uint32_t node_of(const twin *t, uint32_t item)
{
    return t->backwards ? t->n - 1 - item : item;
}

static bool is_in(const uint32_t *list, uint32_t count, uint32_t item)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == item)
            return true;
    return false;
}

/* Net change and usage of the try's next move, by the simulator alone. */
static choice weigh(const twin *t, uint32_t item)
{
    static uint32_t order[DRAFT_NODES];
    uint32_t v = node_of(t, item);
    hw_sim s;
    choice c = {.item = item, .path = t->path[v]};
    assert_int_equal(hw_sim_init(&s, t->m, NULL), HW_OK);
    assert_int_equal(hw_graph_level_order(t->m->graph, order, NULL), HW_OK);
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t u = order[i], other = t->backwards ? t->n - 1 - u : u;
        bool moved = is_in(t->item, t->length, other);
        if (u != v && moved != t->backwards)
            (void)hw_sim_step(&s, u);
    }
    c.net = (int64_t)hw_sim_net(&s, v) * (t->backwards ? -1 : 1);
    c.usage = hw_sim_usage(&s, v);
    hw_sim_free(&s);
    return c;
}

static bool is_before(const choice *a, const choice *b)
{
    if (a->net != b->net)
        return a->net < b->net;
    if (a->path != b->path)
        return a->path > b->path;
    return a->item < b->item;
}

/* All that may move next, best first; returns how many. */
static uint32_t list_choices(const twin *t, choice *list)
{
    const hw_graph *g = t->m->graph;
    const hw_rows *previous = t->backwards ? &g->succs : &g->preds;
    hw_gate gate;
    uint32_t count = 0;
    assert_int_equal(hw_gate_open(&gate, t->m, t->backwards, NULL), HW_OK);
    for (uint32_t i = 0; i < t->length; i++)
        hw_gate_pass(&gate, t->item[i]);
    for (uint32_t item = 0; item < t->n; item++) {
        uint32_t v = node_of(t, item);
        bool ready = !is_in(t->item, t->length, item) && hw_gate_allows(&gate, item);
        for (uint32_t i = previous->offset[v]; i < previous->offset[v + 1]; i++)
            ready &= is_in(t->item, t->length, node_of(t, previous->item[i]));
        if (!ready)
            continue;
        choice c = weigh(t, item);
        uint32_t at = count++;
        for (; at && is_before(&c, &list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = c;
    }
    hw_gate_close(&gate);
    return count;
}

/* Is the try, as a set, the order's prefix? */
static bool meets_order(const twin *t)
{
    for (uint32_t i = 0; i < t->length; i++)
        if (!is_in(t->order, t->length, t->item[i]))
            return false;
    return true;
}

static bool try_from(twin *t, uint32_t left, bool with_order);

static bool try_move(twin *t, const choice *c, uint32_t left, bool with_order)
{
    bool found = false;
    with_order &= c->item == t->order[t->length];
    t->item[t->length++] = c->item;
    if (t->length > t->peak_step)
        found = meets_order(t) || try_from(t, 0, false);
    else if (with_order || !meets_order(t))
        found = try_from(t, left, with_order);
    t->length--;
    return found;
}

/* Does a try with at most `left` more discrepancies succeed? */
static bool try_from(twin *t, uint32_t left, bool with_order)
{
    choice list[DRAFT_NODES];
    uint32_t count = list_choices(t, list), others = 0;
    bool found = false, first = !with_order, after = t->length > t->peak_step;
    if (after)
        return count && list[0].usage <= t->peak && try_move(t, &list[0], 0, false);
    for (uint32_t i = 0; i < count && !found; i++) {
        if (with_order && list[i].item == t->order[t->length]) {
            found = t->length < t->peak_step && try_move(t, &list[i], left, true);
        } else if (list[i].usage < t->peak) {
            if (first)
                found = try_move(t, &list[i], left, with_order);
            else if (left && others++ < t->options.width)
                found = try_move(t, &list[i], left - 1, with_order);
            first = false;
        }
    }
    return found;
}

static bool twin_finds(const backtrack_search *s)
{
    twin t = {.m = s->walk.m,
              .backwards = s->walk.backwards,
              .n = s->walk.m->n_nodes,
              .peak = backtrack_order_peak(&s->order),
              .options = s->options};
    const hw_graph *g = t.m->graph;
    assert_int_equal(t.backwards ? hw_paths_up(g, t.path, NULL) : hw_paths_down(g, t.path, NULL),
                     HW_OK);
    while (backtrack_order_usage(&s->order, t.peak_step) < t.peak)
        t.peak_step++;
    memcpy(t.order, s->order.item, t.n * sizeof *t.order);
    memcpy(t.item, s->order.item, t.n * sizeof *t.item);
    t.length = t.peak_step < t.options.back ? 0 : t.peak_step - t.options.back;
    return try_from(&t, t.options.discrepancies, true);
}

/* What is in hand: a legal order, and its usages are those of the simulator. */
static void expect_order_in_hand(const backtrack_search *s)
{
    const hw_model *m = s->walk.m;
    uint32_t n = m->n_nodes, order[DRAFT_NODES];
    hw_check check;
    hw_sim sim;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = s->walk.backwards ? n - 1 - i : i;
        order[i] = beam_walk_node(&s->walk, s->order.item[at]);
    }
    assert_int_equal(hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, order,
                                    n, &check, NULL),
                     HW_OK);
    assert_int_equal(check.verdict, HW_ORDER_LEGAL);
    assert_int_equal(hw_sim_init(&sim, m, NULL), HW_OK);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t usage = hw_sim_step(&sim, order[i]);
        assert_true(usage == backtrack_order_usage(&s->order, s->walk.backwards ? n - 1 - i : i));
    }
    hw_sim_free(&sim);
}

static uint64_t searches, successes;

static void search_as_twin(const hw_model *m)
{
    static uint64_t draw;
    static const hw_request none;
    for (int backwards = 0; backwards < 2; backwards++) {
        backtrack_options options = {.back = (uint32_t)draft_below(&draw, 8),
                                     .width = 1 + (uint32_t)draft_below(&draw, 3),
                                     .discrepancies = (uint32_t)draft_below(&draw, 4)};
        backtrack_search s;
        hw_meter meter;
        hw_meter_start(&meter, &none);
        assert_int_equal(backtrack_open(&s, m, backwards, &options, &meter, NULL), HW_OK);
        assert_int_equal(backtrack_greedy(&s), BACKTRACK_BETTER);
        expect_order_in_hand(&s);
        for (backtrack_end end = BACKTRACK_BETTER; end == BACKTRACK_BETTER; searches++) {
            uint64_t peak = backtrack_order_peak(&s.order);
            uint32_t step = backtrack_order_peak_step(&s.order);
            bool found = twin_finds(&s);
            end = backtrack_around_peak(&s);
            if ((end == BACKTRACK_BETTER) != found)
                fail_msg("search %llu: %s found, not by its twin", (unsigned long long)searches,
                         found ? "nothing" : "something");
            if (!found)
                continue;
            successes++;
            expect_order_in_hand(&s);
            assert_true(backtrack_order_peak(&s.order) < peak ||
                        (backtrack_order_peak(&s.order) == peak &&
                         backtrack_order_peak_step(&s.order) > step));
        }
        backtrack_close(&s);
    }
}

static void searches_as_its_twin(void **state)
{
    (void)state;
    searches = successes = 0;
    each_model(600, 9, DRAW_ALL, search_as_twin);
    print_message("# backtrack: %llu searches as their twins, %llu found something better\n",
                  (unsigned long long)searches, (unsigned long long)successes);
    assert_true(searches < 1000 || successes > searches / 20);
}

/* ---- Never worse than greedy, never better than the optimum. ---- */

static uint64_t solve_peak(const hw_model *m, const char *spec)
{
    hw_answer a = test_solve(m, spec);
    assert_true(a.has_order);
    uint64_t peak = a.peak;
    hw_answer_clear(&a);
    return peak;
}

static uint64_t compared, better;

static void compare(const hw_model *m)
{
    uint64_t greedy = solve_peak(m, "greedy"), reverse = solve_peak(m, "greedy-reverse");
    uint64_t peak = solve_peak(m, "backtrack");
    compared++;
    better += peak < greedy;
    assert_true(peak <= greedy);
    assert_true(solve_peak(m, "backtrack:direction=reverse,back=5,width=2") <= reverse);
    peak = solve_peak(m, "backtrack:direction=better,discrepancies=2,effort=5");
    assert_true(peak <= greedy && peak <= reverse);
    assert_true(solve_peak(m, "backtrack:discrepancies=0") == greedy);
    assert_true(solve_peak(m, "backtrack:back=0,direction=reverse,discrepancies=0") == reverse);
}

static void compare_to_optimum(const hw_model *m)
{
    uint64_t least = solve_peak(m, "dp");
    compare(m);
    assert_true(solve_peak(m, "backtrack:effort=0") >= least);
    assert_true(solve_peak(m, "backtrack:direction=better,width=16,back=1000") >= least);
}

static void is_never_worse_than_greedy(void **state)
{
    (void)state;
    compared = better = 0;
    each_model(1500, 11, DRAW_ALL, compare_to_optimum);
    each_model(600, DRAFT_NODES, DRAW_ALL, compare);
    each_model(400, DRAFT_NODES, DRAW_PLAIN | DRAW_CONTROL | DRAW_WINDOWS, compare);
    print_message("# backtrack: %llu models, greedy is worse on %llu\n",
                  (unsigned long long)compared, (unsigned long long)better);
    assert_true(compared < 1000 || better > compared / 10);
}

/* ---- Starts and limits. ---- */

static void begins_with_an_order(void **state)
{
    (void)state;
    uint32_t first_kept = 0, improved = 0;
    for (uint64_t seed = 0; seed < FEWER(300); seed++) {
        hw_graph *g = draft_graph(seed, 10 + seed % 30, DRAW_RICH);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), false);
        hw_answer start = test_solve(m, seed % 3 ? "beam:width=4" : "level");
        hw_answer greedy = test_solve(m, "greedy");
        hw_request request = {.start = start.order};
        hw_answer a =
            test_solve_with(m, seed % 2 ? "backtrack" : "backtrack:direction=reverse", request);
        assert_true(a.has_order && a.peak <= start.peak);
        improved += seed % 2 && start.peak < greedy.peak && a.peak < start.peak;
        hw_answer_clear(&a);
        a = test_solve_with(m, "backtrack:discrepancies=0", request);
        assert_true(a.peak == (start.peak <= greedy.peak ? start.peak : greedy.peak));
        if (start.peak <= greedy.peak) {
            assert_memory_equal(a.order, start.order, m->n_nodes * sizeof *a.order);
            first_kept++;
        }
        hw_answer_clear(&a);
        hw_answer_clear(&greedy);
        hw_answer_clear(&start);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(first_kept > FEWER(200));
    assert_true(improved > 0); /* by moves around the start's peak, not around greedy's */
}

static void limits_stop(void **state)
{
    (void)state;
    static const char *const specs[] = {"backtrack", "backtrack:direction=better"};
    hw_graph *g = test_instance("erdos:n=60", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    for (size_t i = 0; i < 2; i++) {
        hw_answer whole = test_solve(m, specs[i]);
        assert_true(whole.has_order && !whole.limit_reached);
        uint64_t before = UINT64_MAX;
        for (uint64_t states = 1; states < whole.states; states += 1 + states / 8) {
            hw_request request = {.limits = {.states = states}};
            hw_answer cut = test_solve_with(m, specs[i], request);
            assert_true(cut.limit_reached && cut.states == states);
            assert_true(cut.has_order == (states >= m->n_nodes));
            if (cut.has_order) {
                assert_true(cut.peak <= before && cut.peak >= whole.peak);
                before = cut.peak;
            }
            hw_answer_clear(&cut);
        }
        hw_request budget = {.has_budget = true, .budget_bytes = whole.peak};
        hw_answer fits = test_solve_with(m, specs[i], budget);
        assert_true(fits.has_order && fits.peak <= whole.peak && fits.states < whole.states);
        hw_answer_clear(&fits);
        hw_answer_clear(&whole);
    }
    hw_model_free(m);
    hw_graph_free(g);
}

/*
 * From a tensor of 1 byte two branches over 5 (6), 100 and 1 bytes, joined to
 * the next tensor of 1 byte, and so on.  Greedy makes both the 5 and the 6
 * before a 100: 111 bytes; one branch after the other takes 107, but only when
 * all the equal peaks have been mended.
 */
static void mends_equal_peaks(void **state)
{
    (void)state;
    enum { REPEATS = 40, PER = 7 };
    char *lines = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&lines, &bytes);
    assert_non_null(out);
    assert_true(fprintf(out, "t 0 1 i") > 0);
    for (int x = 0; x < REPEATS * PER; x += PER) {
        static const int size[PER] = {5, 100, 1, 6, 100, 1, 1};
        for (int i = 0; i < PER; i++)
            assert_true(fprintf(out, "; t %d %d %c", x + i + 1, size[i],
                                x + i + 1 == REPEATS * PER ? 'o' : 'a') > 0);
    }
    for (int x = 0; x < REPEATS * PER; x += PER) {
        for (int i = 0; i < PER - 1; i++)
            assert_true(fprintf(out, "; v %d %d > %d", x + i, i % 3 ? x + i : x, x + i + 1) > 0);
        assert_true(fprintf(out, "; v %d %d,%d > %d", x + 6, x + 3, x + 6, x + 7) > 0);
    }
    assert_int_equal(fclose(out), 0);
    hw_graph *g = lines_graph(lines);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    assert_int_equal(solve_peak(m, "greedy"), 111);
    assert_int_equal(solve_peak(m, "backtrack:discrepancies=1"), 107);
    assert_int_equal(solve_peak(m, "backtrack"), 107);
    hw_model_free(m);
    hw_graph_free(g);
    free(lines);
}

static void large_shapes_are_solved(void **state)
{
    (void)state;
    static const char *const specs[] = {"backtrack", "backtrack:direction=reverse"};
    expect_shapes_solved(specs, 2, (uint32_t)environment_number("HW_SHAPE_NODES", 20000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_as_its_twin), cmocka_unit_test(is_never_worse_than_greedy),
        cmocka_unit_test(begins_with_an_order), cmocka_unit_test(limits_stop),
        cmocka_unit_test(mends_equal_peaks),    cmocka_unit_test(large_shapes_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
