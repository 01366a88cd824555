/*
 * Properties that hold on every graph, tried on random ones: two simulators,
 * undo, and how the optimum answers to changes of the graph.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solve/solver.h"
#include "tests/support_draft.h"
#include "tests/support_lines.h"

/* A model, or NULL where pinned inputs forbid a must-in-place pair. */
static hw_model *model_or_null(const hw_graph *g, unsigned setting)
{
    hw_model *m = NULL;
    hw_code code = hw_model_new(g, (hw_accounting)(setting & 1), setting >> 1, &m, NULL);
    assert_true(code == HW_OK || (code == HW_BAD_INPUT && setting >> 1));
    return m;
}

/* ---- Orders. ---- */

enum { STEP_GRAPHS = 5000, MOST_STEPS = 24 };

static void same_state(const hw_sim *a, const hw_sim *b)
{
    assert_int_equal(a->live, b->live);
    assert_int_equal(a->peak, b->peak);
    assert_int_equal(a->peak_step, b->peak_step);
    assert_int_equal(a->steps, b->steps);
    assert_memory_equal(a->left, b->left, a->model->n_buffers * sizeof *a->left);
}

/* Run, look, take back and run again: every figure of the simulator agrees. */
static void walk(const hw_model *m, const uint32_t *order)
{
    hw_sim s, kept;
    assert_int_equal(hw_sim_init(&s, m, NULL), HW_OK);
    assert_int_equal(hw_sim_init(&kept, m, NULL), HW_OK);
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        uint64_t usage = hw_sim_usage(&s, order[i]), net = hw_sim_net(&s, order[i]);
        uint64_t live = s.live, peak = s.peak;
        int64_t peak_step = s.peak_step;
        assert_int_equal(hw_sim_step(&s, order[i]), usage);
        assert_int_equal(s.live, live + net);
        hw_sim_undo(&s, order[i], peak, peak_step);
        same_state(&s, &kept);
        (void)hw_sim_step(&s, order[i]);
        (void)hw_sim_step(&kept, order[i]);
    }
    assert_int_equal(s.live, m->live_full);
    for (uint32_t i = m->n_nodes; i-- > 0;)
        hw_sim_undo(&s, order[i], m->live_empty, -1);
    hw_sim_reset(&kept);
    same_state(&s, &kept);
    hw_sim_free(&s);
    hw_sim_free(&kept);
}

static void checker_and_simulator_agree(void **state)
{
    (void)state;
    unsigned orders = 0;
    for (uint64_t seed = 1; seed <= STEP_GRAPHS; seed++) {
        unsigned features = seed % 4 == 0   ? DRAW_ALL
                            : seed % 4 == 1 ? 0xfff & seed * 37
                                            : DRAW_RICH;
        hw_graph *g = draft_graph(seed, seed % (MOST_STEPS + 1), features);
        assert_non_null(g);
        for (unsigned setting = 0; setting < 4; setting++) {
            hw_model *m = model_or_null(g, setting);
            uint32_t order[MOST_STEPS + 1];
            uint64_t draws = seed * 4 + setting;
            if (m && draft_order(m, &draws, order)) {
                (void)agreed_peak(g, m->accounting, m->pin_inputs, order);
                walk(m, order);
                orders++;
            }
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    assert_true(orders >= 10000);
}

/* live(S) depends on S alone: two orders of one prefix end alike. */
static void live_depends_on_the_set_alone(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        hw_graph *g = draft_graph(seed, 12, DRAW_RICH);
        assert_non_null(g);
        hw_model *m = model_or_null(g, seed & 1);
        uint32_t order[16], again[16], rank[16];
        uint64_t draws = seed;
        hw_sim s, t;
        assert_true(draft_order(m, &draws, order) && draft_order(m, &draws, rank));
        uint32_t prefix = (uint32_t)draft_below(&draws, 13), count = 0;
        for (uint32_t i = 0; i < 12; i++) /* the same prefix as the other order has it */
            for (uint32_t k = 0; k < prefix; k++)
                if (order[k] == rank[i])
                    again[count++] = rank[i];
        assert_int_equal(count, prefix);
        assert_int_equal(hw_sim_init(&s, m, NULL), HW_OK);
        assert_int_equal(hw_sim_init(&t, m, NULL), HW_OK);
        for (uint32_t i = 0; i < prefix; i++) {
            (void)hw_sim_step(&s, order[i]);
            (void)hw_sim_step(&t, again[i]);
        }
        assert_int_equal(s.live, t.live);
        hw_sim_free(&s);
        hw_sim_free(&t);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* ---- Optima. ---- */

static uint64_t optimum_by(const hw_model *m, const char *name)
{
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_solver_row *row = hw_solver_find(name, strlen(name));
    hw_error err = {0};
    hw_answer answer;
    assert_non_null(row);
    hw_params_preset(row->params, row->n_params, values);
    const hw_request request = {.params = values};
    if (hw_solve(m, row, &request, &answer, &err) != HW_OK)
        fail_msg("%s: %s", name, err.message);
    uint64_t peak = answer.peak;
    assert_int_equal(answer.status, m->legal ? HW_OPTIMAL : HW_INFEASIBLE);
    hw_answer_clear(&answer);
    return m->legal ? peak : UINT64_MAX;
}

/* The least peak, UINT64_MAX when no order is legal; false: no such model. */
static bool optimum(const draft *d, unsigned setting, uint64_t *peak)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    if (draft_build(d, &g, &err) != HW_OK)
        fail_msg("%s", err.message);
    hw_model *m = model_or_null(g, setting);
    if (m) {
        *peak = optimum_by(m, "dp");
        if (g->n_nodes <= 8)
            assert_int_equal(*peak, optimum_by(m, "enumerate"));
    }
    hw_model_free(m);
    hw_graph_free(g);
    return m != NULL;
}

typedef bool (*change_function)(draft *d, uint64_t *draws);
typedef bool (*relation_function)(uint64_t before, uint64_t after);

static bool same(uint64_t before, uint64_t after)
{
    return after == before;
}

static bool not_raised(uint64_t before, uint64_t after)
{
    return after <= before;
}

enum { SCALE = 7 };

static bool scaled(uint64_t before, uint64_t after)
{
    return before == UINT64_MAX ? after == UINT64_MAX : after == SCALE * before;
}

/* Change random drafts with `features` and compare the optima before and after. */
static void compare(unsigned features, uint64_t graphs, change_function change,
                    relation_function holds)
{
    uint64_t changed = 0;
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        draft *before = draft_random(seed, 1 + seed % 9, features);
        assert_non_null(before);
        draft *after = hw_copy(before, 1, sizeof *before);
        uint64_t draws = seed, was, is;
        assert_non_null(after);
        if (change(after, &draws))
            for (unsigned setting = 0; setting < 4; setting++) {
                if (!optimum(before, setting, &was))
                    continue;
                assert_true(optimum(after, setting, &is));
                if (!holds(was, is))
                    fail_msg("seed %u, setting %u: %" PRIu64 " became %" PRIu64, (unsigned)seed,
                             setting, was, is);
                changed++;
            }
        free(before);
        free(after);
    }
    assert_true(changed > graphs);
}

/* Other ids and another sequence of tensors and nodes. */
static bool relabel(draft *d, uint64_t *draws)
{
    uint64_t step = 1 + 2 * draft_below(draws, 1000), start = draft_below(draws, 1000000);
    uint64_t greatest = 0;
    for (size_t t = 0; t < d->n_tensors; t++)
        greatest = d->tensor[t].id > greatest ? d->tensor[t].id : greatest;
    for (size_t v = 0; v < d->n_nodes; v++)
        greatest = d->node[v].id > greatest ? d->node[v].id : greatest;
    for (size_t t = 0; t < d->n_tensors; t++) /* turned round, so that the sequence changes too */
        d->tensor[t].id = start + step * (greatest - d->tensor[t].id);
    for (size_t v = 0; v < d->n_nodes; v++) {
        draft_node *node = &d->node[v];
        node->id = start + step * (greatest - node->id);
        for (size_t i = 0; i < node->n_inputs; i++)
            node->input[i] = start + step * (greatest - node->input[i]);
        for (size_t i = 0; i < node->n_outputs; i++)
            node->output[i] = start + step * (greatest - node->output[i]);
        for (size_t i = 0; i < 2 * node->n_pairs; i++)
            node->pair[i] = start + step * (greatest - node->pair[i]);
    }
    for (size_t i = 0; i < 2 * d->n_control; i++)
        d->control[i] = start + step * (greatest - d->control[i]);
    for (size_t i = d->n_tensors; i > 1; i--) {
        size_t k = (size_t)draft_below(draws, i);
        draft_tensor held = d->tensor[i - 1];
        d->tensor[i - 1] = d->tensor[k];
        d->tensor[k] = held;
    }
    for (size_t i = d->n_nodes; i > 1; i--) {
        size_t k = (size_t)draft_below(draws, i);
        draft_node held = d->node[i - 1];
        d->node[i - 1] = d->node[k];
        d->node[k] = held;
    }
    return true;
}

static void relabelling_changes_nothing(void **state)
{
    (void)state;
    compare(DRAW_RICH & ~(unsigned)DRAW_LOCKS, 1000, relabel, same);
}

/* One node forgets one of its input tensors, however often it names it. */
static bool remove_consumer(draft *d, uint64_t *draws)
{
    draft_node *node = &d->node[draft_below(draws, d->n_nodes)];
    if (!node->n_inputs)
        return false;
    uint64_t gone = node->input[draft_below(draws, node->n_inputs)];
    size_t kept = 0;
    for (size_t i = 0; i < node->n_inputs; i++)
        if (node->input[i] != gone)
            node->input[kept++] = node->input[i];
    node->n_inputs = kept;
    return true;
}

static void removing_a_consumer_never_raises(void **state)
{
    (void)state;
    compare(DRAW_ALL & ~(unsigned)(DRAW_VIEWS | DRAW_INPLACE | DRAW_REQUIRED), 1500,
            remove_consumer, not_raised);
}

static bool remove_control(draft *d, uint64_t *draws)
{
    if (!d->n_control)
        return false;
    size_t gone = (size_t)draft_below(draws, d->n_control);
    d->n_control--;
    memmove(&d->control[2 * gone], &d->control[2 * gone + 2],
            2 * (d->n_control - gone) * sizeof d->control[0]);
    return true;
}

static void removing_a_control_edge_never_raises(void **state)
{
    (void)state;
    compare(DRAW_ALL & ~(unsigned)(DRAW_VIEWS | DRAW_INPLACE | DRAW_REQUIRED), 1500, remove_control,
            not_raised);
}

/* A constant that some nodes read. */
static bool add_constant(draft *d, uint64_t *draws)
{
    uint64_t id = 0;
    for (size_t t = 0; t < d->n_tensors; t++)
        id = d->tensor[t].id >= id ? d->tensor[t].id + 1 : id;
    d->tensor[d->n_tensors++] = (draft_tensor){id, 1 + draft_below(draws, 1000), HW_CONSTANT};
    for (size_t v = 0; v < d->n_nodes; v++)
        if (d->node[v].n_inputs < DRAFT_INPUTS && draft_below(draws, 3) == 0)
            d->node[v].input[d->node[v].n_inputs++] = id;
    return true;
}

static void a_constant_changes_nothing(void **state)
{
    (void)state;
    compare(DRAW_ALL, 1000, add_constant, same);
}

static bool scale(draft *d, uint64_t *draws)
{
    (void)draws;
    for (size_t t = 0; t < d->n_tensors; t++)
        d->tensor[t].size *= SCALE;
    for (size_t v = 0; v < d->n_nodes; v++)
        d->node[v].workspace *= SCALE;
    return true;
}

static void scaling_scales_the_optimum(void **state)
{
    (void)state;
    compare(DRAW_ALL, 1000, scale, scaled);
}

/* Append b to a, its ids moved out of the way. */
static void unite(draft *a, const draft *b)
{
    enum { APART = 1 << 30 };
    for (size_t t = 0; t < b->n_tensors; t++) {
        a->tensor[a->n_tensors] = b->tensor[t];
        a->tensor[a->n_tensors++].id += APART;
    }
    for (size_t v = 0; v < b->n_nodes; v++) {
        draft_node *node = &a->node[a->n_nodes++];
        *node = b->node[v];
        node->id += APART;
        for (size_t i = 0; i < node->n_inputs; i++)
            node->input[i] += APART;
        for (size_t i = 0; i < node->n_outputs; i++)
            node->output[i] += APART;
        for (size_t i = 0; i < 2 * node->n_pairs; i++)
            node->pair[i] += APART;
    }
    for (size_t i = 0; i < 2 * b->n_control; i++)
        a->control[2 * a->n_control + i] = b->control[i] + APART;
    a->n_control += b->n_control;
}

static void disjoint_union_lies_between(void **state)
{
    (void)state;
    const unsigned features = DRAW_RICH & ~(unsigned)DRAW_LOCKS;
    unsigned united = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        draft *a = draft_random(seed, 1 + seed % 5, features);
        draft *b = draft_random(seed + 10000, 1 + seed % 4, features);
        assert_non_null(a);
        assert_non_null(b);
        draft *both = hw_copy(a, 1, sizeof *a);
        assert_non_null(both);
        unite(both, b);
        for (unsigned setting = 0; setting < 4; setting++) {
            uint64_t of_a, of_b, of_both;
            if (!optimum(a, setting, &of_a) || !optimum(b, setting, &of_b))
                continue;
            assert_true(optimum(both, setting, &of_both));
            assert_true(of_both >= of_a && of_both >= of_b && of_both <= of_a + of_b);
            united++;
        }
        free(a);
        free(b);
        free(both);
    }
    assert_true(united > 2000);
}

/* A bound that needs no search stays below every optimum. */
static void simple_bound_holds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 9, DRAW_ALL);
        assert_non_null(g);
        for (unsigned setting = 0; setting < 4; setting++) {
            hw_model *m = model_or_null(g, setting);
            if (m && m->legal)
                assert_true(m->simple_bound <= optimum_by(m, "dp"));
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checker_and_simulator_agree),
        cmocka_unit_test(live_depends_on_the_set_alone),
        cmocka_unit_test(relabelling_changes_nothing),
        cmocka_unit_test(removing_a_consumer_never_raises),
        cmocka_unit_test(removing_a_control_edge_never_raises),
        cmocka_unit_test(a_constant_changes_nothing),
        cmocka_unit_test(scaling_scales_the_optimum),
        cmocka_unit_test(disjoint_union_lies_between),
        cmocka_unit_test(simple_bound_holds),
    };
    return cmocka_run_group_tests_name("properties", tests, NULL, NULL) != 0;
}
