/*
 * ONNX Runtime's orders (ort-dfs, ort-priority, ort-memory) against slow twins,
 * order for order, on random graphs whose nodes got operators, and on small
 * graphs whose order is worked out by hand.  HW_MODELS_GRAPHS and
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

#include "model/builder.h"
#include "model/windows.h"
#include "support_exact.h"
#include "support_models.h"
#include "support_solve.h"
#include "support_sanitized.h"

/* ---- Operators for random graphs. ---- */

/* The whole pool of names; offset 0 is "". */
static const char pool[] = "\0YieldOp\0Shape\0Size\0Conv";
enum { YIELD = 1, SHAPE = 9, SIZE = 15, CONV = 20 };

/* Give the nodes of m operators, as a function of the graph alone. */
static void draw_operators(hw_graph *g)
{
    uint64_t state = g->n_nodes + UINT64_C(1000) * g->n_tensors + g->n_edges;
    char *names = malloc(sizeof pool);
    free(g->node_op);
    g->node_op = calloc(g->n_nodes + 1, sizeof *g->node_op);
    assert_true(names && g->node_op && !g->node_name);
    memcpy(names, pool, sizeof pool);
    free(g->names);
    g->names = names;
    free(g->tensor_name);
    g->tensor_name = NULL;
    bool with_yield = draft_below(&state, 4) > 0;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        uint64_t kind = draft_below(&state, 8);
        g->node_op[v] = kind == 0                 ? SHAPE
                        : kind == 1               ? SIZE
                        : kind == 2 && with_yield ? YIELD
                                                  : CONV;
    }
}

static bool is_op(const hw_graph *g, uint32_t v, uint32_t op)
{
    return g->node_op && g->node_op[v] == op;
}

static bool is_shape(const hw_graph *g, uint32_t v)
{
    return is_op(g, v, SHAPE) || is_op(g, v, SIZE);
}

/* ---- Twins.  Sets are masks: bit v for node v. ---- */

static uint64_t bit(uint32_t v)
{
    return UINT64_C(1) << v;
}

static uint64_t row_mask(const hw_rows *rows, uint32_t v)
{
    uint64_t mask = 0;
    for (uint32_t i = rows->offset[v]; i < rows->offset[v + 1]; i++)
        mask |= bit(rows->item[i]);
    return mask;
}

typedef struct twin {
    const hw_model *m;
    const hw_graph *g;
    uint64_t pred[DRAFT_NODES], succ[DRAFT_NODES];
    uint32_t path[DRAFT_NODES]; /* longest that ends there; ort-memory */
    uint64_t seen, forward, main, branch, ends[DRAFT_NODES], out;
    uint32_t order[DRAFT_NODES], count;
    uint32_t sorted[DRAFT_NODES], n_sorted; /* branch nodes */
} twin;

static void twin_open(twin *t, const hw_model *m)
{
    memset(t, 0, sizeof *t);
    t->m = m;
    t->g = m->graph;
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        t->pred[v] = row_mask(&t->g->preds, v);
        t->succ[v] = row_mask(&t->g->succs, v);
    }
}

static void put(twin *t, uint32_t v)
{
    t->order[t->count++] = v;
    t->out |= bit(v);
}

/* The predecessor of v to visit next: by path, then the greatest. */
static void visit(twin *t, uint32_t v)
{
    if (t->seen & bit(v))
        return;
    t->seen |= bit(v);
    for (;;) {
        uint32_t next = HW_NONE;
        for (uint32_t u = 0; u < t->m->n_nodes; u++)
            if ((t->pred[v] & ~t->seen & bit(u)) &&
                (next == HW_NONE || t->path[u] >= t->path[next]))
                next = u;
        if (next == HW_NONE)
            break;
        visit(t, next);
    }
    put(t, v);
}

/* The order followed as far as windows allow. */
static void follow(const twin *t, uint32_t *order)
{
    const hw_model *m = t->m;
    bool done[DRAFT_NODES] = {false};
    hw_window_search *windows = NULL;
    assert_int_equal(t->count, m->n_nodes);
    if (m->earliest) {
        windows = hw_window_search_new(t->g, m->earliest, m->latest);
        assert_non_null(windows);
    }
    for (uint32_t step = 0; step < m->n_nodes; step++) {
        uint64_t run = 0;
        uint32_t i = 0;
        for (uint32_t v = 0; v < m->n_nodes; v++)
            run |= done[v] ? bit(v) : 0;
        while (i < m->n_nodes && (done[t->order[i]] || (t->pred[t->order[i]] & ~run) ||
                                  (windows && !hw_window_allows(windows, done, step, t->order[i]))))
            i++;
        assert_true(i < m->n_nodes);
        order[step] = t->order[i];
        done[t->order[i]] = true;
    }
    hw_window_search_free(windows);
}

static void check_dfs(const hw_model *m)
{
    twin t;
    uint32_t order[DRAFT_NODES];
    twin_open(&t, m);
    for (uint32_t v = m->n_nodes; v-- > 0;)
        if (t.succ[v] == 0)
            visit(&t, v);
    follow(&t, order);
    expect_order(m, "ort-dfs", order);
}

static void check_priority(const hw_model *m)
{
    uint32_t order[DRAFT_NODES];
    bool done[DRAFT_NODES] = {false};
    hw_window_search *windows = NULL;
    if (m->earliest)
        windows = hw_window_search_new(m->graph, m->earliest, m->latest);
    draw_operators((hw_graph *)(uintptr_t)m->graph);
    for (uint32_t step = 0; step < m->n_nodes; step++) {
        uint32_t best = HW_NONE;
        for (uint32_t v = 0; v < m->n_nodes; v++) {
            bool may = !done[v] && (!windows || hw_window_allows(windows, done, step, v));
            for (uint32_t u = 0; u < m->n_nodes; u++)
                may = may && (done[u] || !(row_mask(&m->graph->preds, v) & bit(u)));
            if (may && (best == HW_NONE || (is_shape(m->graph, v) && !is_shape(m->graph, best))))
                best = v;
        }
        assert_int_not_equal(best, HW_NONE);
        order[step] = best;
        done[best] = true;
    }
    hw_window_search_free(windows);
    expect_order(m, "ort-priority", order);
}

static void find_paths(twin *t)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t v = 0; v < t->m->n_nodes; v++)
            for (uint32_t u = 0; u < t->m->n_nodes; u++)
                if ((t->pred[v] & bit(u)) && t->path[v] < t->path[u] + 1) {
                    t->path[v] = t->path[u] + 1;
                    changed = true;
                }
    }
}

/* Behind its parent, wherever that stands. */
static void insert_behind(twin *t, uint32_t parent, uint32_t v)
{
    uint32_t at = 0;
    while (t->order[at] != parent)
        at++;
    for (uint32_t i = t->count++; i > at + 1; i--)
        t->order[i] = t->order[i - 1];
    t->order[at + 1] = v;
    t->out |= bit(v);
}

static uint32_t twin_forward(twin *t)
{
    const hw_graph *g = t->g;
    uint32_t yield = HW_NONE;
    for (uint32_t v = 0; v < t->m->n_nodes; v++)
        if (is_op(g, v, YIELD))
            yield = v;
    for (uint32_t u = t->m->n_nodes; yield != HW_NONE && u-- > 0;)
        if (t->pred[yield] & bit(u))
            visit(t, u);
    for (uint32_t i = g->n_tensors; yield == HW_NONE && i-- > 0;)
        if (g->tensor_kind[i] == HW_OUTPUT)
            visit(t, g->tensor_producer[i]);
    for (uint32_t p = 0; p < t->m->n_nodes; p++)
        for (uint32_t v = 0; v < t->m->n_nodes; v++)
            if ((t->out & bit(p)) && !(t->out & bit(v)) && t->pred[v] == bit(p) && is_shape(g, v))
                insert_behind(t, p, v);
    t->forward = t->out;
    return yield;
}

/* First in, first out, over the nodes of one set. */
static uint32_t sort_set(const twin *t, uint64_t set, uint32_t *sorted)
{
    uint32_t count = 0, left[DRAFT_NODES];
    for (uint32_t v = 0; v < t->m->n_nodes; v++) {
        left[v] = (uint32_t)__builtin_popcountll(t->pred[v] & set);
        if ((set & bit(v)) && left[v] == 0)
            sorted[count++] = v;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t v = 0; v < t->m->n_nodes; v++)
            if ((t->succ[sorted[i]] & set & bit(v)) && --left[v] == 0)
                sorted[count++] = v;
    return count;
}

/* Run the group of the branch node v, and before it what it needs. */
static void run_group(twin *t, uint32_t v)
{
    const hw_graph *g = t->g;
    uint64_t ends = t->ends[v];
    if (t->out & bit(v))
        return;
    for (uint32_t k = 0; k < t->n_sorted; k++) {
        uint32_t w = t->sorted[k];
        if (t->ends[w] != ends)
            continue;
        for (uint32_t i = g->inputs.offset[w]; i < g->inputs.offset[w + 1]; i++) {
            uint32_t u = g->tensor_producer[g->inputs.item[i]];
            if (u != HW_NONE && (t->branch & bit(u)) && t->ends[u] != ends)
                run_group(t, u);
        }
        for (uint32_t u = 0; u < t->m->n_nodes; u++)
            if ((t->pred[w] & t->branch & bit(u)) && t->ends[u] != ends)
                run_group(t, u);
    }
    for (uint32_t k = 0; k < t->n_sorted; k++)
        if (t->ends[t->sorted[k]] == ends)
            put(t, t->sorted[k]);
}

static uint32_t with_groups, with_several;

static void check_memory(const hw_model *m)
{
    twin t;
    uint32_t order[DRAFT_NODES], path[DRAFT_NODES], n = m->n_nodes;
    draw_operators((hw_graph *)(uintptr_t)m->graph);
    twin_open(&t, m);
    find_paths(&t);
    uint32_t yield = twin_forward(&t);
    t.main = yield == HW_NONE ? 0 : bit(yield);
    for (uint32_t turn = 0; turn < n; turn++)
        for (uint32_t v = 0; v < n; v++)
            if (t.pred[v] & t.main)
                t.main |= bit(v);
    t.branch = (n == 64 ? UINT64_MAX : bit(n) - 1) & ~t.forward & ~t.main;
    t.n_sorted = sort_set(&t, t.branch, t.sorted);
    for (uint32_t k = t.n_sorted; k-- > 0;) {
        uint32_t v = t.sorted[k];
        if (t.succ[v] == 0 || (t.succ[v] & ~t.branch))
            t.ends[v] |= bit(v);
        for (uint32_t u = 0; u < n; u++)
            if (t.succ[v] & t.branch & bit(u))
                t.ends[v] |= t.ends[u];
    }
    uint32_t n_path = sort_set(&t, t.main, path);
    for (uint32_t k = 0; k < n_path; k++) {
        for (uint32_t u = 0; u < n; u++)
            if (t.pred[path[k]] & t.branch & bit(u))
                run_group(&t, u);
        put(&t, path[k]);
    }
    for (uint32_t v = 0; v < n; v++)
        if (t.branch & bit(v))
            run_group(&t, v);
    with_groups += t.branch && t.main;
    for (uint32_t k = 1; k < t.n_sorted; k++)
        if (t.ends[t.sorted[k]] != t.ends[t.sorted[0]]) {
            with_several++;
            break;
        }
    follow(&t, order);
    expect_order(m, "ort-memory", order);
}

static void dfs_is_its_twin(void **state)
{
    (void)state;
    each_model(6000, 30, DRAW_RICH, check_dfs);
    each_model(2000, 16, DRAW_ALL, check_dfs);
}

static void priority_is_its_twin(void **state)
{
    (void)state;
    each_model(3000, 30, DRAW_RICH, check_priority);
    each_model(2000, 16, DRAW_ALL, check_priority);
}

static void memory_is_its_twin(void **state)
{
    (void)state;
    each_model(10000, 30, DRAW_RICH, check_memory);
    each_model(3000, 16, DRAW_ALL, check_memory);
    each_model(1000, DRAFT_NODES, DRAW_RICH, check_memory);
    if (environment_number("HW_MODELS_GRAPHS", FEWER(10000)) >= 1000)
        assert_true(with_groups > FEWER(500) && with_several > FEWER(500));
}

/*
 * More than 64 ends.  Main node k asks for joint JOINTS - 1 - k, joint i reads
 * makers i and i + 1: each maker leads to other ends than the others, so all
 * are groups of their own and run when asked for.
 */
static void many_ends_make_many_groups(void **state)
{
    (void)state;
    enum { JOINTS = 150, MAKER = 2, JOINT = MAKER + JOINTS + 1, MAIN = JOINT + JOINTS };
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    assert_non_null(b);
    for (uint64_t v = 0; v < MAIN + JOINTS; v++) {
        uint64_t k = v - MAIN, reads[2] = {0, 0};
        hw_node_spec spec = {.id = v, .inputs = reads, .outputs = &v, .n_outputs = 1};
        if (v >= MAIN) {
            reads[0] = k ? v - 1 : 1;
            reads[1] = JOINT + JOINTS - 1 - k;
            spec.n_inputs = 2;
        } else if (v >= JOINT) {
            reads[0] = MAKER + v - JOINT;
            reads[1] = reads[0] + 1;
            spec.n_inputs = 2;
        } else if (v == 1) {
            spec.op = "YieldOp";
            spec.n_inputs = 1;
        }
        hw_kind kind = v + 1 == MAIN + JOINTS ? HW_OUTPUT : HW_ACTIVATION;
        assert_int_equal(hw_builder_tensor(b, v, 1, kind, NULL, NULL), HW_OK);
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    static uint32_t order[MAIN + JOINTS];
    uint32_t count = 0;
    order[count++] = 0;
    order[count++] = 1;
    for (uint32_t k = 0; k < JOINTS; k++) {
        uint32_t i = JOINTS - 1 - k;
        order[count++] = MAKER + i;
        if (k == 0)
            order[count++] = MAKER + JOINTS;
        order[count++] = JOINT + i;
        order[count++] = MAIN + k;
    }
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    expect_order(m, "ort-memory", order);
    hw_model_free(m);
    hw_graph_free(g);
}

/* Orders worked out by hand. */
static void dfs_by_hand(void **state)
{
    (void)state;
    /* Sinks 4, then 3: 4 needs 0; 3 needs 2, then 1. */
    expect_lines_order("t 0 1 a; t 1 1 a; t 2 1 a; t 3 1 o; t 4 1 o;"
                       "v 0 - > 0; v 1 0 > 1; v 2 0 > 2; v 3 1,2 > 3; v 4 0 > 4",
                       "ort-dfs", (const uint32_t[]){0, 4, 2, 1, 3});
    /* Sinks 3, then 2: 3 needs 1, then 0. */
    expect_lines_order("t 0 1 a; t 1 1 a; t 2 1 o; t 3 1 o;"
                       "v 0 - > 0; v 1 - > 1; v 2 0 > 2; v 3 0,1 > 3",
                       "ort-dfs", (const uint32_t[]){1, 0, 3, 2});
    /* 4 needs 3 before the longer branch 0, 1, 2. */
    expect_lines_order("t 0 1 a; t 1 1 a; t 2 1 a; t 3 1 a; t 4 1 o;"
                       "v 0 - > 0; v 1 0 > 1; v 2 1 > 2; v 3 - > 3; v 4 2,3 > 4",
                       "ort-dfs", (const uint32_t[]){3, 0, 1, 2, 4});
}

static void priority_by_hand(void **state)
{
    (void)state;
    /* 3 is ready after 1 and is a Shape: before 2. */
    expect_lines_order("t 0 1 o; t 1 1 a; t 2 1 o; t 3 1 o;"
                       "v 0 - > 0; v 1 - > 1; v 2 - > 2; v 3 1 > 3 op=Shape",
                       "ort-priority", (const uint32_t[]){0, 1, 3, 2});
}

static void memory_by_hand(void **state)
{
    (void)state;
    /* No YieldOp: output 4 needs 2 (a path of three) before 3 (of one). */
    expect_lines_order("t 0 1 a; t 1 1 a; t 2 1 a; t 3 1 a; t 4 1 o;"
                       "v 0 - > 0; v 1 0 > 1; v 2 1 > 2; v 3 - > 3; v 4 2,3 > 4",
                       "ort-memory", (const uint32_t[]){0, 1, 2, 3, 4});
    /* Forward 0, 1; Shape 2 behind its parent 0.  Main 3, 6, 7.  Branch 4 (ends
     * 5, 8), 5 (end 5), 8 (end 8): three groups.  7 asks for 5, that for 4; nobody
     * asks for 8. */
    expect_lines_order("t 0 1 a; t 1 1 a; t 2 1 a; t 3 1 a; t 4 1 a; t 5 1 a; t 6 1 a; t 7 1 o;"
                       "t 8 1 a;"
                       "v 0 - > 0; v 1 0 > 1; v 2 0 > 2 op=Shape; v 3 1 > 3 op=YieldOp;"
                       "v 4 0 > 4; v 5 4 > 5; v 6 3 > 6; v 7 6,5,2 > 7; v 8 4 > 8",
                       "ort-memory", (const uint32_t[]){0, 2, 1, 3, 6, 4, 5, 7, 8});
}

static void limits_stop(void **state)
{
    (void)state;
    static const char *const rules[] = {"ort-dfs", "ort-priority", "ort-memory"};
    hw_graph *g = shape_graph(SHAPE_PATH, 100);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        hw_answer cut = test_solve_with(m, rules[i], (hw_request){.limits.states = 99});
        assert_true(cut.limit_reached && !cut.has_order);
        hw_answer_clear(&cut);
        hw_answer whole = test_solve_with(m, rules[i], (hw_request){.limits.states = 1000});
        assert_true(!whole.limit_reached && whole.has_order);
        hw_answer_clear(&whole);
    }
    hw_model_free(m);
    hw_graph_free(g);
}

/* HW_SHAPE_NODES: of how many nodes (1,000,000 also prints the times). */
static void bad_shapes_are_solved(void **state)
{
    (void)state;
    static const char *const specs[] = {"ort-dfs", "ort-priority", "ort-memory"};
    expect_shapes_solved(specs, sizeof specs / sizeof specs[0],
                         (uint32_t)environment_number("HW_SHAPE_NODES", 20000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dfs_is_its_twin),
        cmocka_unit_test(priority_is_its_twin),
        cmocka_unit_test(memory_is_its_twin),

        cmocka_unit_test(many_ends_make_many_groups),
        cmocka_unit_test(dfs_by_hand),
        cmocka_unit_test(priority_by_hand),
        cmocka_unit_test(memory_by_hand),
        cmocka_unit_test(limits_stop),
        cmocka_unit_test(bad_shapes_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
