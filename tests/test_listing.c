/*
 * greedy-listing against a literal transliteration of the printed loop, and on
 * small graphs worked by hand: stale keys and the three ways to stall.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "support_draft.h"
#include "support_solve.h"

enum { MOST = 4 };

typedef struct part {
    uint64_t size;
    hw_kind kind;
} part;

typedef struct step {
    uint64_t input[MOST], output[MOST];
    size_t n_inputs, n_outputs;
} step;

static hw_graph *build(const part *tensors, size_t n_tensors, const step *nodes, size_t n_nodes,
                       bool control_1_0)
{
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    assert_non_null(b);
    for (size_t t = 0; t < n_tensors; t++)
        assert_int_equal(hw_builder_tensor(b, t, tensors[t].size, tensors[t].kind, NULL, NULL),
                         HW_OK);
    for (size_t v = 0; v < n_nodes; v++) {
        hw_node_spec spec = {.id = v,
                             .inputs = nodes[v].input,
                             .outputs = nodes[v].output,
                             .n_inputs = nodes[v].n_inputs,
                             .n_outputs = nodes[v].n_outputs};
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    if (control_1_0)
        assert_int_equal(hw_builder_control(b, 1, 0, NULL), HW_OK);
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    return g;
}

/* The order, written as letters, and the peak. */
static void expect(hw_graph *g, const char *spec, const char *order, uint64_t peak)
{
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer answer = test_solve(m, spec);
    assert_true(answer.has_order);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        assert_int_equal(answer.order[i], (uint32_t)(order[i] - 'A'));
    assert_true(answer.peak == peak);
    hw_answer_clear(&answer);
    hw_model_free(m);
}

static void expect_status(hw_graph *g, hw_status status)
{
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer answer = test_solve(m, "greedy-listing");
    assert_false(answer.has_order);
    assert_int_equal(answer.status, status);
    hw_answer_clear(&answer);
    hw_model_free(m);
    hw_graph_free(g);
}

/*
 * A makes x (10) for B and C.  When both become ready each key counts x as not
 * freed: B 3, C 4.  B runs; C would now free x (4 - 10 = -6), but its key says
 * 4, and D (2), made ready by B, overtakes it.  Steps of the listing: A 10,
 * B 13, D 15, C 19, E 18; with fresh keys: A 10, B 13, C 17, D 9, E 18.
 */
static void stale_key(void **state)
{
    (void)state;
    const part tensors[] = {
        {10, HW_ACTIVATION}, {3, HW_ACTIVATION}, {4, HW_OUTPUT}, {2, HW_OUTPUT}, {9, HW_OUTPUT}};
    const step nodes[] = {{.output = {0}, .n_outputs = 1},
                          {{0}, {1}, 1, 1},
                          {{0}, {2}, 1, 1},
                          {{1}, {3}, 1, 1},
                          {{1}, {4}, 1, 1}};
    hw_graph *g = build(tensors, 5, nodes, 5, false);
    expect(g, "greedy-listing", "ABDCE", 19);
    expect(g, "greedy", "ABCDE", 18);
    hw_graph_free(g);
}

/* Equal net changes: the longer path first (here the later node), then the position. */
static void ties(void **state)
{
    (void)state;
    const part tensors[] = {{5, HW_OUTPUT}, {5, HW_ACTIVATION}, {5, HW_OUTPUT}, {5, HW_OUTPUT}};
    const step nodes[] = {{.output = {0}, .n_outputs = 1},
                          {.output = {1}, .n_outputs = 1},
                          {{1}, {2}, 1, 1},
                          {.output = {3}, .n_outputs = 1}};
    hw_graph *g = build(tensors, 4, nodes, 4, false);
    /* B (path 2) before A and D; then C changes nothing (5 - 5). */
    expect(g, "greedy-listing", "BCAD", 15);
    expect(g, "greedy", "BCAD", 15);
    hw_graph_free(g);
}

static void stalls_on_a_graph_input(void **state)
{
    (void)state;
    const part tensors[] = {{7, HW_INPUT}, {5, HW_OUTPUT}, {5, HW_OUTPUT}};
    const step nodes[] = {{.output = {1}, .n_outputs = 1}, {{0}, {2}, 1, 1}};
    expect_status(build(tensors, 3, nodes, 2, false), HW_STALLED);
    const part constant[] = {{7, HW_CONSTANT}, {5, HW_OUTPUT}, {5, HW_OUTPUT}};
    expect_status(build(constant, 3, nodes, 2, false), HW_STALLED);
}

static void stalls_on_two_tensors_of_one_producer(void **state)
{
    (void)state;
    const part tensors[] = {{7, HW_ACTIVATION}, {8, HW_ACTIVATION}, {5, HW_OUTPUT}};
    const step nodes[] = {{.output = {0, 1}, .n_outputs = 2}, {{0, 1}, {2}, 2, 1}};
    expect_status(build(tensors, 3, nodes, 2, false), HW_STALLED);
}

static void stalls_on_a_repeated_input(void **state)
{
    (void)state;
    const part tensors[] = {{7, HW_ACTIVATION}, {5, HW_OUTPUT}};
    const step nodes[] = {{.output = {0}, .n_outputs = 1}, {{0, 0}, {1}, 2, 1}};
    expect_status(build(tensors, 2, nodes, 2, false), HW_STALLED);
}

/* A (net 1) goes before B (net 2), against the control edge that it does not know. */
static void knows_no_control_edges(void **state)
{
    (void)state;
    const part tensors[] = {{1, HW_OUTPUT}, {2, HW_OUTPUT}};
    const step nodes[] = {{.output = {0}, .n_outputs = 1}, {.output = {1}, .n_outputs = 1}};
    hw_graph *g = build(tensors, 2, nodes, 2, false);
    expect(g, "greedy-listing", "AB", 3);
    hw_graph_free(g);
    expect_status(build(tensors, 2, nodes, 2, true), HW_UNKNOWN);
}

/* ---- The printed loop, line by line; lists searched from end to end. ---- */

__extension__ typedef __int128 wide;

typedef struct entry {
    wide net;
    uint32_t path, node;
} entry;

typedef struct printed {
    const hw_graph *g;
    uint32_t indegree[DRAFT_NODES], refcnt[DRAFT_TENSORS], path[DRAFT_NODES];
    entry ready[DRAFT_NODES];
    uint32_t n_ready;
} printed;

static uint32_t count(const uint32_t *item, uint32_t n, uint32_t what)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++)
        found += item[i] == what;
    return found;
}

static uint32_t row_length(const hw_rows *rows, uint32_t i)
{
    return rows->offset[i + 1] - rows->offset[i];
}

/* net = n.output_size() - n.freed_size(refcnt); heappush(ready, ...) */
static void heappush(printed *p, uint32_t n)
{
    const hw_graph *g = p->g;
    entry e = {0, p->path[n], n};
    for (uint32_t i = g->outputs.offset[n]; i < g->outputs.offset[n + 1]; i++)
        e.net += g->tensor_size[g->outputs.item[i]];
    for (uint32_t i = g->inputs.offset[n]; i < g->inputs.offset[n + 1]; i++)
        e.net -= p->refcnt[g->inputs.item[i]] == 1 ? g->tensor_size[g->inputs.item[i]] : 0;
    p->ready[p->n_ready++] = e;
}

static uint32_t heappop(printed *p)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < p->n_ready; i++) {
        const entry *a = &p->ready[i], *b = &p->ready[best];
        if (a->net != b->net     ? a->net < b->net
            : a->path != b->path ? a->path > b->path
                                 : a->node < b->node)
            best = i;
    }
    uint32_t node = p->ready[best].node;
    p->ready[best] = p->ready[--p->n_ready];
    return node;
}

/* Does s consume an output of n? */
static bool is_successor(const hw_graph *g, uint32_t n, uint32_t s)
{
    for (uint32_t i = g->outputs.offset[n]; i < g->outputs.offset[n + 1]; i++)
        if (count(g->inputs.item + g->inputs.offset[s], row_length(&g->inputs, s),
                  g->outputs.item[i]))
            return true;
    return false;
}

/* The order; its length tells whether the loop stalled. */
static uint32_t schedule(const hw_graph *g, uint32_t *order)
{
    printed p = {.g = g};
    uint32_t length = 0;
    for (uint32_t round = 0; round < g->n_nodes; round++)
        for (uint32_t v = 0; v < g->n_nodes; v++) {
            p.path[v] = p.path[v] ? p.path[v] : 1;
            for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
                if (p.path[v] < p.path[g->succs.item[i]] + 1)
                    p.path[v] = p.path[g->succs.item[i]] + 1;
        }
    for (uint32_t v = 0; v < g->n_nodes; v++)
        p.indegree[v] = row_length(&g->inputs, v);
    for (uint32_t t = 0; t < g->n_tensors; t++)
        p.refcnt[t] = count(g->inputs.item, g->inputs.offset[g->n_nodes], t);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (p.indegree[v] == 0)
            heappush(&p, v);
    while (p.n_ready) {
        uint32_t node = heappop(&p);
        order[length++] = node;
        for (uint32_t i = g->inputs.offset[node]; i < g->inputs.offset[node + 1]; i++)
            p.refcnt[g->inputs.item[i]]--;
        for (uint32_t s = 0; s < g->n_nodes; s++)
            if (is_successor(g, node, s) && --p.indegree[s] == 0)
                heappush(&p, s);
    }
    return length;
}

static void is_the_printed_loop(void **state)
{
    (void)state;
    uint32_t complete = 0, stalled = 0, illegal = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        uint32_t order[DRAFT_NODES];
        unsigned features = seed % 4 ? DRAW_OUTPUTS | DRAW_DEAD : DRAW_RICH;
        draft *d = draft_random(seed, 1 + seed % 14, features);
        assert_non_null(d);
        /* Inputs and constants stall it at once: let most nodes do without. */
        for (size_t v = 0; v < d->n_nodes && seed % 4; v++) {
            size_t kept = 0;
            for (size_t i = 0; i < d->node[v].n_inputs; i++) {
                uint64_t id = d->node[v].input[i];
                bool given = false;
                for (size_t t = 0; t < d->n_tensors; t++)
                    given = given || (d->tensor[t].id == id && (d->tensor[t].kind == HW_INPUT ||
                                                                d->tensor[t].kind == HW_CONSTANT));
                if (!given)
                    d->node[v].input[kept++] = id;
            }
            d->node[v].n_inputs = kept;
        }
        hw_graph *g;
        assert_int_equal(draft_build(d, &g, NULL), HW_OK);
        free(d);
        hw_model *m = test_model(g, HW_FREE_FIRST, false);
        hw_answer answer = test_solve(m, "greedy-listing");
        uint32_t length = schedule(g, order);
        if (length < g->n_nodes) {
            stalled++;
            assert_int_equal(answer.status, HW_STALLED);
        } else if (!answer.has_order) {
            illegal++;
            assert_int_equal(answer.status, HW_UNKNOWN);
        } else {
            complete++;
            for (uint32_t i = 0; i < length; i++)
                assert_int_equal(answer.order[i], order[i]);
        }
        hw_answer_clear(&answer);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(complete > 1000 && stalled > 1000 && illegal > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stale_key),
        cmocka_unit_test(ties),
        cmocka_unit_test(stalls_on_a_graph_input),
        cmocka_unit_test(stalls_on_two_tensors_of_one_producer),
        cmocka_unit_test(stalls_on_a_repeated_input),
        cmocka_unit_test(knows_no_control_edges),
        cmocka_unit_test(is_the_printed_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
