/*
 * Two directions at once: orders, peaks, bounds and statuses are those of one
 * thread, whatever ends the search.
 *
 * The second thread is of use in long searches alone, so the searches of small
 * pieces are told that they are long.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/exact_search.h"
#include "support_draft.h"
#include "support_generate.h"
#include "support_solve.h"
#include "support_sanitized.h"

enum { LONG = 1000000 };

typedef struct piece {
    const hw_model *m;
    exact_map map;
    exact_problem *p;
    uint32_t order[DRAFT_NODES];
} piece;

static void open_piece(piece *x, const hw_model *m)
{
    x->m = m;
    assert_int_equal(hw_graph_level_order(m->graph, x->order, NULL), HW_OK);
    assert_int_equal(exact_map_init(&x->map, m, NULL), HW_OK);
    assert_int_equal(
        exact_problem_new(m, x->order, 0, m->n_nodes, m->live_empty, 0, &x->map, &x->p, NULL),
        HW_OK);
}

static void close_piece(piece *x)
{
    exact_problem_free(x->p);
    exact_map_free(&x->map);
}

/* The orders met on the way down and who proved the end, by one or two threads. */
typedef struct descent {
    uint32_t orders, order[64][DRAFT_NODES], threads;
    uint64_t states, optimum;
} descent;

static void descend(piece *x, uint32_t threads, bool is_long, descent *d)
{
    static const hw_request request = {.limits = {0}};
    const exact_options options = {.rules = {true, true, true, true, true},
                                   .symmetry = false,
                                   .threads = threads,
                                   .memory_bytes = UINT64_C(1) << 24};
    exact_search s;
    hw_meter meter;
    uint32_t local[DRAFT_NODES];
    hw_meter_start(&meter, &request);
    assert_int_equal(exact_search_init(&s, x->p, &options, NULL), HW_OK);
    s.states = is_long ? LONG : 0;
    s.share = is_long ? 3 : s.share; /* many turns, decided in all of them */
    assert_int_equal(hw_peak(x->m, x->order, &d->optimum, NULL), HW_OK);
    d->orders = 0;
    d->threads = threads;
    while (d->optimum && d->orders < 64) {
        exact_outcome outcome = exact_search_decide(&s, d->optimum - 1, &meter, local);
        if (outcome == EXACT_NONE)
            break;
        assert_int_equal(outcome, EXACT_FOUND);
        uint32_t *order = d->order[d->orders++];
        for (uint32_t i = 0; i < x->p->n; i++)
            order[i] = x->p->node[local[i]];
        uint64_t peak;
        assert_int_equal(hw_peak(x->m, order, &peak, NULL), HW_OK);
        assert_true(peak < d->optimum);
        d->optimum = peak;
    }
    assert_true(d->orders < 64);
    assert_true(threads < 2 || !is_long || s.pair || d->orders == 0);
    assert_true(threads > 1 || !s.pair); /* one thread is one thread */
    d->states = meter.states;
    exact_search_free(&s);
}

static void small_pieces(void **state)
{
    (void)state;
    static descent one, two;
    uint64_t descents = 0;
    for (uint64_t seed = 0; seed < FEWER(1500); seed++) {
        hw_graph *g = draft_graph(seed, 6 + seed % 15, DRAW_RICH);
        for (int a = 0; a < 2; a++) {
            hw_model *m = test_model(g, (hw_accounting)a, false);
            piece x;
            open_piece(&x, m);
            descend(&x, 1, true, &one);
            descend(&x, 2, true, &two);
            assert_int_equal(one.optimum, two.optimum);
            assert_int_equal(one.orders, two.orders);
            for (uint32_t i = 0; i < one.orders; i++)
                assert_memory_equal(one.order[i], two.order[i], m->n_nodes * sizeof(uint32_t));
            hw_answer dp = test_solve(m, "dp");
            assert_int_equal(dp.peak, two.optimum);
            hw_answer_clear(&dp);
            descents += one.orders > 0;
            close_piece(&x);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    assert_true(descents > 200);
}

static hw_answer run(const hw_model *m, uint32_t threads, hw_request request)
{
    request.threads = threads;
    return test_solve_with(m, "exact", request);
}

static void assert_same(const hw_model *m, const hw_answer *a, const hw_answer *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->has_order, b->has_order);
    assert_int_equal(a->peak, b->peak);
    assert_int_equal(a->bound, b->bound);
    assert_memory_equal(a->order, b->order, m->n_nodes * sizeof(uint32_t));
}

/* Whole answers of graphs that take thousands of states: optimum, budgets, state limits. */
static void answers_are_the_same(void **state)
{
    (void)state;
    static const char *const specs[] = {"randwire:n=70", "erdos:n=80,degree=2.5", "erdos:n=90"};
    uint64_t most_states = 0;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        for (uint64_t index = 0; index < 4; index++) {
            hw_graph *g = test_instance(specs[i], index);
            hw_model *m = test_model(g, index % 2 ? HW_FREE_FIRST : HW_ALLOC_FIRST, false);
            hw_answer one = run(m, 1, (hw_request){.seed = 0}),
                      two = run(m, 2, (hw_request){.seed = 0});
            assert_int_equal(one.status, HW_OPTIMAL);
            assert_same(m, &one, &two);
            most_states = one.states > most_states ? one.states : most_states;
            for (uint64_t part = 1; part < 4; part++) {
                hw_request limit = {.limits = {.states = one.states * part / 4 + 1}};
                hw_answer c = run(m, 1, limit), d = run(m, 2, limit);
                assert_same(m, &c, &d);
                assert_int_equal(c.states, d.states);
                hw_answer_clear(&c);
                hw_answer_clear(&d);
            }
            for (uint64_t less = 0; less < 2; less++) {
                hw_request budget = {.has_budget = true, .budget_bytes = one.peak - less};
                hw_answer c = run(m, 1, budget), d = run(m, 2, budget);
                assert_same(m, &c, &d);
                assert_int_equal(c.status == HW_INFEASIBLE, less == 1);
                hw_answer_clear(&c);
                hw_answer_clear(&d);
            }
            hw_answer_clear(&one);
            hw_answer_clear(&two);
            hw_model_free(m);
            hw_graph_free(g);
        }
    assert_true(most_states > 8000); /* or no second thread was ever begun */
}

static volatile sig_atomic_t stop;

/* A stop flag and a time limit end both directions soon. */
static void both_stop(void **state)
{
    (void)state;
    hw_graph *g = test_instance("erdos:n=250", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer a = run(m, 2, (hw_request){.limits = {.seconds = 0.3}});
    assert_true(a.limit_reached);
    assert_int_equal(a.status, HW_FEASIBLE);
    assert_true(a.seconds < 20);
    hw_answer_clear(&a);
    stop = 1;
    a = run(m, 2, (hw_request){.stop = &stop});
    assert_true(a.limit_reached);
    assert_true(a.seconds < 20);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
}

/* Turns ahead of time, which would go on for years, end when nobody wants them any more. */
static void turns_end(void **state)
{
    (void)state;
    static const hw_request request = {.limits = {0}};
    hw_meter meter;
    int progress;
    static const exact_rules none = {false};
    hw_graph *g = test_instance("erdos:n=60", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer best = test_solve(m, "exact");
    exact_pair *pair = exact_pair_new();
    exact_engine e;
    piece x;
    open_piece(&x, m);
    assert_non_null(pair);
    assert_int_equal(best.status, HW_OPTIMAL);
    assert_int_equal(exact_engine_init(&e, x.p, true, &none, 256, NULL), HW_OK);
    exact_pair_begin(pair, &e, best.peak - 1, 1000);
    hw_meter_start(&meter, &request);
    assert_int_equal(exact_pair_take(pair, 1, &meter, &progress), EXACT_PAUSED);
    assert_true(meter.states >= 1000); /* it is on its way */
    (void)alarm(60);                   /* the end of this program, if it goes on */
    exact_pair_stop(pair);
    (void)alarm(0);
    assert_false(exact_pair_runs(pair));
    exact_pair_free(pair);
    exact_engine_free(&e);
    hw_answer_clear(&best);
    close_piece(&x);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_pieces),
        cmocka_unit_test(answers_are_the_same),
        cmocka_unit_test(both_stop),
        cmocka_unit_test(turns_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
