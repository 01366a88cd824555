/* Work on large pieces, which counts no states, ends with the time and the stop flag. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "model/flow.h"
#include "solvers/exact_problem.h"
#include "support_draft.h"
#include "support_generate.h"

typedef struct large {
    hw_graph *g;
    hw_model *m;
    uint32_t *order;
    exact_map map;
    exact_problem *p;
} large;

/* All but the first node, whose outputs are live then: otherwise nothing is less than nothing. */
static hw_code lay(large *x)
{
    uint32_t first = x->order[0];
    uint64_t live = x->m->live_empty + x->m->new_bytes[first] - x->m->dead_bytes[first];
    return exact_problem_new(x->m, x->order, 1, x->m->n_nodes, live, 0, &x->map, &x->p, NULL);
}

static void open_large(large *x, const char *spec)
{
    *x = (large){.g = test_instance(spec, 0)};
    assert_int_equal(hw_model_new(x->g, HW_ALLOC_FIRST, false, &x->m, NULL), HW_OK);
    x->order = calloc(x->m->n_nodes, sizeof *x->order);
    assert_non_null(x->order);
    assert_int_equal(hw_graph_level_order(x->g, x->order, NULL), HW_OK);
    assert_int_equal(exact_map_init(&x->map, x->m, NULL), HW_OK);
}

static void close_large(large *x)
{
    exact_problem_free(x->p);
    exact_map_free(&x->map);
    free(x->order);
    hw_model_free(x->m);
    hw_graph_free(x->g);
}

/* The sets of a large piece are not laid to the end; without the flag they are. */
static void laying_stops(void **unused)
{
    (void)unused;
    volatile sig_atomic_t stop = 0;
    hw_request request = {.stop = &stop};
    hw_meter meter;
    large x;
    open_large(&x, "erdos:n=5000");
    hw_meter_start(&meter, &request);
    x.map.meter = &meter;
    assert_int_equal(lay(&x), HW_OK);
    exact_problem_free(x.p);
    x.p = NULL;
    stop = 1;
    assert_int_equal(lay(&x), HW_NO_MEMORY);
    stop = 0;
    assert_int_equal(lay(&x), HW_OK); /* the map is as it was */
    close_large(&x);
}

/* A layered network, the same for every call with one seed. */
static void lay_network(hw_flow *f, uint64_t seed)
{
    enum { LAYERS = 8, WIDTH = 12 };
    hw_flow_clear(f);
    for (uint32_t i = 0; i < LAYERS * WIDTH; i++)
        (void)hw_flow_vertex(f);
    for (uint32_t i = 0; i < WIDTH; i++) {
        hw_flow_arc(f, 0, 2 + i, draft_below(&seed, 1000));
        hw_flow_arc(f, 2 + (LAYERS - 1) * WIDTH + i, 1, draft_below(&seed, 1000));
    }
    for (uint32_t layer = 0; layer + 1 < LAYERS; layer++)
        for (uint32_t i = 0; i < WIDTH; i++)
            for (uint32_t k = 0; k < 4; k++)
                hw_flow_arc(f, 2 + layer * WIDTH + i,
                            2 + (layer + 1) * WIDTH + (uint32_t)draft_below(&seed, WIDTH),
                            draft_below(&seed, 300));
}

/* A flow that is interrupted and taken up again, as that behind valleys, has the same value. */
static void flows_go_on(void **unused)
{
    (void)unused;
    hw_flow f;
    unsigned pauses = 0;
    assert_true(hw_flow_init(&f, 100, 400));
    for (uint64_t seed = 1; seed <= 200; seed++) {
        lay_network(&f, seed);
        f.most_steps = UINT64_MAX;
        uint64_t whole = hw_flow_max(&f), sum = 0;
        lay_network(&f, seed);
        do {
            f.most_steps = f.steps + 2 * (uint64_t)f.n_arcs;
            sum += hw_flow_max(&f);
            pauses += hw_flow_over(&f);
        } while (hw_flow_over(&f));
        assert_true(whole > 0 && sum == whole);
    }
    assert_true(pauses > 200);
    hw_flow_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laying_stops),
        cmocka_unit_test(flows_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
