/*
 * PyTorch Inductor's rules (lpmf, inductor-bfs, inductor-dfs, inductor-best)
 * against slow twins that ask the definitions at each step, order for order,
 * and on small graphs whose order is worked out by hand. HW_MODELS_GRAPHS and
 * HW_MODELS_FIRST (support_models.h) choose the graphs, HW_SHAPE_NODES the size
 * of the shapes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/sim.h"
#include "model/windows.h"
#include "support_exact.h"
#include "support_models.h"
#include "support_solve.h"
#include "support_sanitized.h"

__extension__ typedef __int128 wide;

/* A prefix that grows, and who may run after it. */
typedef struct slow {
    const hw_model *m;
    hw_sim sim;
    bool done[DRAFT_NODES];
    hw_window_search *windows;
} slow;

static void slow_open(slow *s, const hw_model *m)
{
    memset(s, 0, sizeof *s);
    s->m = m;
    assert_int_equal(hw_sim_init(&s->sim, m, NULL), HW_OK);
    if (m->earliest) {
        s->windows = hw_window_search_new(m->graph, m->earliest, m->latest);
        assert_non_null(s->windows);
    }
}

static void slow_close(slow *s)
{
    hw_sim_free(&s->sim);
    hw_window_search_free(s->windows);
}

static bool may_run(slow *s, uint32_t v)
{
    const hw_rows *preds = &s->m->graph->preds;
    for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
        if (!s->done[preds->item[i]])
            return false;
    return !s->done[v] && (!s->windows || hw_window_allows(s->windows, s->done, s->sim.steps, v));
}

static void slow_run(slow *s, uint32_t v, uint32_t *order)
{
    assert_int_not_equal(v, HW_NONE);
    order[s->sim.steps] = v;
    s->done[v] = true;
    (void)hw_sim_step(&s->sim, v);
}

/* live(S + v) - live(S), found by running v and taking it back. */
static wide net_change(slow *s, uint32_t v)
{
    uint64_t before = s->sim.live, peak = s->sim.peak;
    int64_t peak_step = s->sim.peak_step;
    (void)hw_sim_step(&s->sim, v);
    wide net = (wide)s->sim.live - (wide)before;
    hw_sim_undo(&s->sim, v, peak, peak_step);
    return net;
}

static void slow_lpmf(const hw_model *m, uint32_t *order)
{
    slow s;
    slow_open(&s, m);
    uint64_t top = m->live_empty > m->live_full ? m->live_empty : m->live_full;
    for (uint32_t step = 0; step < m->n_nodes; step++) {
        uint32_t best = HW_NONE;
        uint64_t best_top = 0;
        wide best_net = 0;
        for (uint32_t v = 0; v < m->n_nodes; v++) {
            if (!may_run(&s, v))
                continue;
            uint64_t usage = hw_sim_usage(&s.sim, v), raised = usage > top ? usage : top;
            wide net = net_change(&s, v);
            if (best == HW_NONE || raised < best_top || (raised == best_top && net < best_net)) {
                best = v;
                best_top = raised;
                best_net = net;
            }
        }
        top = best_top;
        slow_run(&s, best, order);
    }
    slow_close(&s);
}

static void check_lpmf(const hw_model *m)
{
    uint32_t order[DRAFT_NODES];
    slow_lpmf(m, order);
    expect_order(m, "lpmf", order);
}

static void lpmf_is_its_twin(void **state)
{
    (void)state;
    each_model(20000, 30, DRAW_RICH, check_lpmf);
    each_model(6000, 16, DRAW_ALL, check_lpmf);
    each_model(1000, DRAFT_NODES, DRAW_RICH, check_lpmf);
}

/* -1, 0, 1 as list a is before, equal to, after b. */
static int compare_lists(const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b)
{
    for (size_t i = 0; i < n_a && i < n_b; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return n_a == n_b ? 0 : n_a < n_b ? -1 : 1;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The ascending steps at which the predecessors of v ran. */
static size_t pred_steps(const hw_model *m, const uint32_t *position, uint32_t v, uint32_t *list)
{
    const hw_rows *preds = &m->graph->preds;
    size_t count = preds->offset[v + 1] - preds->offset[v];
    for (size_t i = 0; i < count; i++)
        list[i] = position[preds->item[preds->offset[v] + i]];
    qsort(list, count, sizeof *list, ascending);
    return count;
}

static void slow_bfs(const hw_model *m, uint32_t *order)
{
    slow s;
    uint32_t position[DRAFT_NODES] = {0}, list[DRAFT_NODES], best_list[DRAFT_NODES];
    slow_open(&s, m);
    for (uint32_t step = 0; step < m->n_nodes; step++) {
        uint32_t best = HW_NONE;
        size_t best_count = 0;
        for (uint32_t v = 0; v < m->n_nodes; v++) {
            if (!may_run(&s, v))
                continue;
            size_t count = pred_steps(m, position, v, list);
            if (best == HW_NONE || compare_lists(list, count, best_list, best_count) < 0) {
                best = v;
                best_count = count;
                memcpy(best_list, list, sizeof list);
            }
        }
        slow_run(&s, best, order);
        position[best] = step;
    }
    slow_close(&s);
}

static void check_bfs(const hw_model *m)
{
    uint32_t order[DRAFT_NODES];
    slow_bfs(m, order);
    expect_order(m, "inductor-bfs", order);
}

static void bfs_is_its_twin(void **state)
{
    (void)state;
    each_model(10000, 30, DRAW_RICH, check_bfs);
    each_model(3000, 16, DRAW_ALL, check_bfs);
    each_model(1000, DRAFT_NODES, DRAW_RICH, check_bfs);
}

/* From the tensors alone: what v makes and, each storage once, what it reads. */
static uint64_t slow_weight(const hw_model *m, uint32_t v)
{
    const hw_graph *g = m->graph;
    uint64_t weight = 0;
    for (uint32_t s = 0; s < g->n_storages; s++) {
        uint32_t root = g->storage_root[s];
        hw_kind kind = (hw_kind)g->tensor_kind[root];
        bool counts = g->tensor_producer[root] == v;
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
            counts |= g->tensor_storage[g->inputs.item[i]] == s && kind != HW_CONSTANT &&
                      !(kind == HW_INPUT && m->pin_inputs);
        weight += counts ? g->tensor_size[root] : 0;
    }
    return weight;
}

typedef struct visiting {
    const hw_model *m;
    uint64_t weight[DRAFT_NODES];
    bool seen[DRAFT_NODES];
    uint32_t order[DRAFT_NODES], count;
} visiting;

/* The lightest node not seen among the predecessors of v; of all for HW_NONE. */
static uint32_t lightest(const visiting *s, uint32_t v)
{
    const hw_rows *preds = &s->m->graph->preds;
    uint32_t best = HW_NONE;
    for (uint32_t u = 0; u < s->m->n_nodes; u++) {
        bool candidate = v == HW_NONE;
        for (uint32_t i = candidate ? 0 : preds->offset[v]; !candidate && i < preds->offset[v + 1];
             i++)
            candidate = preds->item[i] == u;
        if (candidate && !s->seen[u] && (best == HW_NONE || s->weight[u] < s->weight[best]))
            best = u;
    }
    return best;
}

static void slow_visit(visiting *s, uint32_t v)
{
    uint32_t u;
    s->seen[v] = true;
    while ((u = lightest(s, v)) != HW_NONE)
        slow_visit(s, u);
    s->order[s->count++] = v;
}

/* The order followed as far as windows allow. */
static void slow_follow(const hw_model *m, const uint32_t *wanted, uint32_t *order)
{
    slow s;
    slow_open(&s, m);
    for (uint32_t step = 0; step < m->n_nodes; step++) {
        uint32_t i = 0;
        while (i < m->n_nodes && !may_run(&s, wanted[i]))
            i++;
        slow_run(&s, i < m->n_nodes ? wanted[i] : HW_NONE, order);
    }
    slow_close(&s);
}

static void slow_dfs(const hw_model *m, uint32_t *order)
{
    visiting s = {.m = m};
    uint32_t v;
    for (uint32_t u = 0; u < m->n_nodes; u++)
        s.weight[u] = slow_weight(m, u);
    while ((v = lightest(&s, HW_NONE)) != HW_NONE)
        slow_visit(&s, v);
    slow_follow(m, s.order, order);
}

static void check_dfs(const hw_model *m)
{
    uint32_t order[DRAFT_NODES];
    slow_dfs(m, order);
    expect_order(m, "inductor-dfs", order);
}

static void dfs_is_its_twin(void **state)
{
    (void)state;
    each_model(10000, 30, DRAW_RICH, check_dfs);
    each_model(3000, 16, DRAW_ALL, check_dfs);
}

/* The first of the least peaks; the source order only where it is legal. */
static void check_best(const hw_model *m)
{
    uint32_t order[4][DRAFT_NODES], best = HW_NONE;
    uint64_t best_peak = 0;
    slow s;
    slow_open(&s, m);
    bool legal = true;
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        order[0][v] = v;
        legal = legal && may_run(&s, v);
        if (legal)
            slow_run(&s, v, order[0]);
    }
    slow_close(&s);
    slow_lpmf(m, order[1]);
    slow_bfs(m, order[2]);
    slow_dfs(m, order[3]);
    for (uint32_t i = legal ? 0 : 1; i < 4; i++) {
        uint64_t peak;
        assert_int_equal(hw_peak(m, order[i], &peak, NULL), HW_OK);
        if (best == HW_NONE || peak < best_peak) {
            best = i;
            best_peak = peak;
        }
    }
    expect_order(m, "inductor-best", order[best]);
}

static void best_is_the_first_of_the_least(void **state)
{
    (void)state;
    each_model(4000, 24, DRAW_RICH, check_best);
    each_model(3000, 14, DRAW_ALL, check_best);
}

/*
 * Orders worked out by hand.  Tensor t is made by node t; [net] and {usage} as
 * the rule sees them.
 */
static void lpmf_by_hand(void **state)
{
    (void)state;
    /* Outputs 1 + 2: the peak so far begins at 3.  live 0: node 0 {8} [8],
     * node 2 {3} [3]: 2 fits.  live 3: 0 {11}, 3 {5}: none fits, 3.  live 2, peak
     * 5: 0 alone {10}, then 1. */
    expect_lines_order("t 0 8 a; t 1 1 o; t 2 3 a; t 3 2 o;"
                       "v 0 - > 0; v 1 0 > 1; v 2 - > 2; v 3 2 > 3",
                       "lpmf", (const uint32_t[]){2, 3, 0, 1});
    /* Peak so far 8 + 7 + 7 = 22: all fits.  2 has the least net [6].  Then 3
     * {14} [2] goes before 0 {13} [7], though it uses more; 0 before 1 by
     * position. */
    expect_lines_order("t 0 7 o; t 1 7 o; t 2 6 a; t 3 8 o;"
                       "v 0 - > 0; v 1 - > 1; v 2 - > 2; v 3 2 > 3",
                       "lpmf", (const uint32_t[]){2, 3, 0, 1});
    /* Peak so far 2.  live 0: 0 {5}, 1 {5}, 4 {6}: none fits; equal usage, equal
     * net [5]: 0.  live 5, peak 5: 1 {10}, 4 {11}: 1.  live 10, peak 10: 2 {11}
     * [-9] is ready now, 4 {16}: 2.  live 1, peak 11: 3 {12}, 4 {7}: 4 fits and
     * is dead at once [0].  live 1: 3. */
    expect_lines_order("t 0 5 a; t 1 5 a; t 2 1 a; t 3 11 a; t 4 6 a; t 5 2 o;"
                       "v 0 - > 0; v 1 - > 1; v 2 0,1 > 2; v 3 2 > 3; v 4 - > 4; v 5 3 > 5",
                       "lpmf", (const uint32_t[]){0, 1, 2, 4, 3, 5});
}

static void bfs_by_hand(void **state)
{
    (void)state;
    /* Sources 3, 4 run at steps 0, 1; then 2 [0], 1 [0 1], 0 [1]. */
    expect_lines_order("t 0 1 o; t 1 1 o; t 2 1 o; t 3 1 a; t 4 1 a;"
                       "v 0 4 > 0; v 1 4,3 > 1; v 2 3 > 2; v 3 - > 3; v 4 - > 4",
                       "inductor-bfs", (const uint32_t[]){3, 4, 2, 1, 0});
    /* Sources 0, 1, 2 at steps 0, 1, 2 (6 is ready after step 1, but 2 has the
     * empty list); then 5 [0 1 2], 4 [0 2], 6 [1], 3 [1 2]. */
    expect_lines_order("t 0 1 a; t 1 1 a; t 2 1 a; t 3 1 o; t 4 1 o; t 5 1 o; t 6 1 o;"
                       "v 0 - > 0; v 1 - > 1; v 2 - > 2; v 3 1,2 > 3; v 4 2,0 > 4; v 5 2,1,0 > 5;"
                       "v 6 1 > 6",
                       "inductor-bfs", (const uint32_t[]){0, 1, 2, 5, 4, 6, 3});
    /* 0, 1 at steps 0, 1; 2 [1] and 4 [1]: 2 at step 2.  Then 5 [0 2] overtakes
     * 4 [1], which was ready before it; 3 [2] last. */
    expect_lines_order("t 0 1 a; t 1 1 a; t 2 1 a; t 3 1 o; t 4 1 o; t 5 1 o;"
                       "v 0 - > 0; v 1 - > 1; v 2 1 > 2; v 3 2 > 3; v 4 1 > 4; v 5 2,0 > 5",
                       "inductor-bfs", (const uint32_t[]){0, 1, 2, 5, 4, 3});
}

static void dfs_by_hand(void **state)
{
    (void)state;
    /* Weights 5, 3+5, 2, 1+2, 1+3+1: visits 2, 3, 0, then 4, which needs 1. */
    expect_lines_order("t 0 5 a; t 1 3 a; t 2 2 a; t 3 1 a; t 4 1 o;"
                       "v 0 - > 0; v 1 0 > 1; v 2 - > 2; v 3 2 > 3; v 4 1,3 > 4",
                       "inductor-dfs", (const uint32_t[]){2, 3, 0, 1, 4});
    /* Weights 9, 18, 10, 4, 12: 3, 0, then 2 pulls the heavy 1, then 4. */
    expect_lines_order("t 0 9 a; t 1 9 a; t 2 1 o; t 3 4 a; t 4 8 o;"
                       "v 0 - > 0; v 1 0 > 1; v 2 1 > 2; v 3 - > 3; v 4 3 > 4",
                       "inductor-dfs", (const uint32_t[]){3, 0, 1, 2, 4});
    /* Weights 10, 12, 11, 4, 4: 3 before 4 by position; it visits 2 (11) before
     * 1 (12), and 2 visits 0. */
    expect_lines_order("t 0 10 a; t 1 2 a; t 2 1 a; t 3 1 o; t 4 4 o;"
                       "v 0 - > 0; v 1 0 > 1; v 2 0 > 2; v 3 1,2 > 3; v 4 - > 4",
                       "inductor-dfs", (const uint32_t[]){0, 2, 1, 3, 4});
}

/* Near the size limit the orders are those of the same graph divided. */
static void huge_sizes_order_alike(void **state)
{
    (void)state;
    static const char *const specs[] = {"lpmf", "inductor-bfs", "inductor-dfs", "inductor-best"};
    uint64_t past_signed = 0;
    for (uint64_t seed = 0; seed < FEWER(400); seed++) {
        hw_graph *small, *huge;
        uint64_t sum = 0, most = 1;
        draft *d = draft_random(seed, 2 + seed % 20, DRAW_OUTPUTS | DRAW_DEAD | DRAW_CONTROL);
        assert_non_null(d);
        assert_int_equal(draft_build(d, &small, NULL), HW_OK);
        for (size_t t = 0; t < d->n_tensors; t++) {
            sum += d->tensor[t].size;
            most = d->tensor[t].size > most ? d->tensor[t].size : most;
        }
        uint64_t factor = UINT64_MAX / (sum + 1);
        if (factor > (uint64_t)INT64_MAX / most)
            factor = (uint64_t)INT64_MAX / most;
        for (size_t t = 0; t < d->n_tensors; t++)
            d->tensor[t].size *= factor;
        assert_int_equal(draft_build(d, &huge, NULL), HW_OK);
        hw_accounting accounting = seed % 2 ? HW_ALLOC_FIRST : HW_FREE_FIRST;
        hw_model *a = test_model(small, accounting, false);
        hw_model *b = test_model(huge, accounting, false);
        for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
            hw_answer answer = test_solve(a, specs[i]);
            expect_order(b, specs[i], answer.order);
            past_signed += answer.peak > INT64_MAX / factor;
            hw_answer_clear(&answer);
        }
        hw_model_free(a);
        hw_model_free(b);
        hw_graph_free(small);
        hw_graph_free(huge);
        free(d);
    }
    assert_true(past_signed > 100);
}

/* A limit leaves what was whole by then: for best, the source order first. */
static void limits_leave_the_best_so_far(void **state)
{
    (void)state;
    static const char *const rules[] = {"lpmf", "inductor-bfs", "inductor-dfs"};
    hw_graph *g = shape_graph(SHAPE_PATH, 100);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        hw_answer cut = test_solve_with(m, rules[i], (hw_request){.limits.states = 99});
        assert_true(cut.limit_reached && !cut.has_order && cut.states == 99);
        hw_answer_clear(&cut);
        hw_answer whole = test_solve_with(m, rules[i], (hw_request){.limits.states = 100});
        assert_true(!whole.limit_reached && whole.has_order && whole.states == 100);
        hw_answer_clear(&whole);
    }
    hw_answer best = test_solve_with(m, "inductor-best", (hw_request){.limits.states = 150});
    assert_true(best.limit_reached && best.has_order && best.states == 150);
    hw_answer_clear(&best);
    hw_model_free(m);
    hw_graph_free(g);
}

/* HW_SHAPE_NODES: of how many nodes (1,000,000 also prints the times). */
static void bad_shapes_are_solved(void **state)
{
    (void)state;
    static const char *const specs[] = {"lpmf", "inductor-bfs", "inductor-dfs", "inductor-best"};
    expect_shapes_solved(specs, sizeof specs / sizeof specs[0],
                         (uint32_t)environment_number("HW_SHAPE_NODES", 20000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lpmf_is_its_twin),
        cmocka_unit_test(bfs_is_its_twin),
        cmocka_unit_test(dfs_is_its_twin),
        cmocka_unit_test(best_is_the_first_of_the_least),
        cmocka_unit_test(lpmf_by_hand),
        cmocka_unit_test(bfs_by_hand),
        cmocka_unit_test(dfs_by_hand),
        cmocka_unit_test(huge_sizes_order_alike),
        cmocka_unit_test(limits_leave_the_best_so_far),
        cmocka_unit_test(bad_shapes_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
