/*
 * series-parallel on large graphs: every shape, limits, and why one that is not
 * series-parallel is not.
 *
 * HW_SP_NODES sets the size of the large graphs (200,000).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "solvers/series_parallel_tree.h"
#include "support_exact.h"
#include "support_generate.h"
#include "support_random.h"
#include "support_solve.h"

/* A limit leaves a legal order, the same one each time. */
static void limits_leave_an_order(void **state)
{
    (void)state;
    hw_graph *g = test_instance("series-parallel:n=3000,share=no", 3);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer whole = test_solve(m, "series-parallel");
    assert_int_equal(whole.status, HW_OPTIMAL);
    assert_false(whole.limit_reached);
    for (uint64_t states = 1; states < whole.states; states += 997) {
        const hw_request request = {.limits = {.states = states}};
        hw_answer one = test_solve_with(m, "series-parallel", request);
        hw_answer two = test_solve_with(m, "series-parallel", request);
        assert_true(one.limit_reached && one.has_order && one.peak >= whole.peak);
        assert_true(one.states == two.states && one.peak == two.peak);
        assert_memory_equal(one.order, two.order, m->n_nodes * sizeof *one.order);
        hw_answer_clear(&one);
        hw_answer_clear(&two);
    }
    const hw_request none = {.has_budget = true, .budget_bytes = whole.peak - 1};
    hw_answer below = test_solve_with(m, "series-parallel", none);
    assert_int_equal(below.status, HW_INFEASIBLE);
    hw_answer_clear(&below);
    hw_answer_clear(&whole);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- Shapes. ---- */

/* A shape as a set of edges u -> v, one tensor each, u < v. */
typedef struct shape {
    uint32_t *from, *to;
    uint32_t n, m;
} shape;

static void join(shape *s, uint32_t u, uint32_t v)
{
    s->from[s->m] = u;
    s->to[s->m++] = v;
}

enum { PATH, ISOLATED, BRANCHES, LADDER, NESTED, BIPARTITE, N_SHAPES };

static void draw_shape(shape *s, int which)
{
    uint32_t n = s->n;
    for (uint32_t v = 1; v < n; v++)
        switch (which) {
        case PATH:
            join(s, v - 1, v);
            break;
        case BRANCHES: /* from node 0 through each other node to the last */
            if (v < n - 1) {
                join(s, 0, v);
                join(s, v, n - 1);
            }
            break;
        case LADDER: /* triangles one after the other, sharing a node */
            join(s, v - 1, v);
            if (v % 2 == 0)
                join(s, v - 2, v);
            break;
        case NESTED: /* from v to n - 1 - v, a third of the nodes deep: one
                        node, beside it the same again */
            if (v <= n / 3) {
                if (v < n / 3) {
                    join(s, v - 1, v);
                    join(s, n - 1 - v, n - v);
                }
                join(s, v - 1, n / 3 + v - 1);
                join(s, n / 3 + v - 1, n - v);
            }
            break;
        case BIPARTITE: /* blocks of 4, each complete to the next */
            for (uint32_t u = v / 4 * 4 - 4; v >= 4 && u < v / 4 * 4; u++)
                join(s, u, v);
            break;
        default:
            break;
        }
}

static hw_graph *shape_graph(int which, uint32_t n)
{
    size_t room = 4 * (size_t)n + 4;
    shape s = {.n = n, .from = malloc(room * sizeof *s.from), .to = malloc(room * sizeof *s.to)};
    uint64_t seed = 11, *by_node = malloc(room * sizeof *by_node);
    uint32_t *offset = calloc((size_t)n + 2, sizeof *offset);
    hw_graph *g = NULL;
    hw_error err = {0};
    assert_true(s.from && s.to && by_node && offset);
    draw_shape(&s, which);
    hw_builder *b = hw_builder_new();
    assert_non_null(b);
    /* Tensors are numbered as edges by tail, the inputs of a node by head. */
    uint32_t *number = malloc(room * sizeof *number), *rank = calloc((size_t)n + 1, sizeof *rank);
    assert_true(number && rank);
    for (uint32_t k = 0; k < s.m; k++)
        rank[s.from[k] + 1]++;
    for (uint32_t v = 0; v < n; v++)
        rank[v + 1] += rank[v];
    for (uint32_t k = 0; k < s.m; k++) {
        number[k] = rank[s.from[k]]++;
        offset[s.to[k] + 1]++;
    }
    for (uint32_t v = 0; v < n; v++)
        offset[v + 1] += offset[v];
    for (uint32_t k = 0; k < s.m; k++)
        by_node[offset[s.to[k]]++] = number[k];
    uint64_t *id = malloc(room * sizeof *id);
    assert_non_null(id);
    for (uint32_t k = 0; k < s.m; k++) {
        id[k] = k;
        assert_int_equal(
            hw_builder_tensor(b, k, 1 + random_below(&seed, 1000), HW_ACTIVATION, NULL, &err),
            HW_OK);
    }
    for (uint32_t v = 0; v < n; v++) { /* rank[v], offset[v]: ends by now */
        uint32_t made = v ? rank[v - 1] : 0, read = v ? offset[v - 1] : 0;
        hw_node_spec spec = {.id = v,
                             .inputs = by_node + read,
                             .n_inputs = offset[v] - read,
                             .outputs = id + made,
                             .n_outputs = rank[v] - made,
                             .workspace = random_below(&seed, 500)};
        assert_int_equal(hw_builder_node(b, &spec, &err), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, &err), HW_OK);
    hw_builder_free(b);
    free(s.from);
    free(s.to);
    free(by_node);
    free(offset);
    free(number);
    free(rank);
    free(id);
    return g;
}

static void check_shape(int which, uint32_t n, bool small)
{
    hw_graph *g = shape_graph(which, n);
    for (int a = 0; a < 2; a++) {
        hw_model *m = test_model(g, (hw_accounting)a, false);
        hw_answer answer = test_solve(m, "series-parallel");
        assert_int_equal(answer.status, HW_OPTIMAL);
        if (small) {
            hw_answer exact = test_solve(m, "exact");
            assert_true(exact.status == HW_OPTIMAL && exact.peak == answer.peak);
            hw_answer_clear(&exact);
        } else {
            print_message("# shape %d, %s: %" PRIu32 " nodes, %" PRIu32 " edges, %.3f s\n", which,
                          hw_accounting_name(m->accounting), n, g->n_edges, answer.seconds);
        }
        hw_answer_clear(&answer);
        hw_model_free(m);
    }
    hw_graph_free(g);
}

static void shapes_small_and_large(void **state)
{
    (void)state;
    uint32_t large = (uint32_t)environment_number("HW_SP_NODES", 200000);
    for (int which = 0; which < N_SHAPES; which++) {
        for (uint32_t n = 1; n <= 24; n++)
            check_shape(which, n, true);
        check_shape(which, large, false);
    }
}

/* One edge too many in a large graph, early, late or across: the pattern is found. */
static void a_late_fault_is_found(void **state)
{
    (void)state;
    enum { N = 4000 };
    uint64_t seed = 5;
    uint32_t faults = 0;
    hw_meter meter;
    uint8_t *reach = malloc((size_t)4 * N);
    assert_non_null(reach);
    for (uint32_t turn = 0; turn < 40; turn++) {
        hw_graph *g = turn % 2 ? test_instance("series-parallel:n=4000,share=no", turn)
                               : shape_graph(NESTED, N);
        uint32_t u = random_below(&seed, N - 1), v = u + 1 + random_below(&seed, N - 1 - u);
        sp_places p;
        uint32_t at[4];
        assert_int_equal(sp_places_open(&p, g, NULL), HW_OK);
        uint32_t m = p.preds.offset[N];
        p.preds.item = realloc(p.preds.item, ((size_t)m + 1) * sizeof *p.preds.item);
        assert_non_null(p.preds.item);
        uint32_t row = p.preds.offset[v];
        memmove(p.preds.item + row + 1, p.preds.item + row, (m - row) * sizeof *p.preds.item);
        p.preds.item[row] = u;
        for (uint32_t w = v + 1; w <= N; w++)
            p.preds.offset[w]++;
        hw_meter_start(&meter, &(hw_request){0});
        sp_verdict verdict = sp_find_pattern(&p, &meter, at);
        assert_true(verdict == SP_YES || verdict == SP_NO);
        faults += verdict == SP_NO;
        for (uint32_t i = 0; i < 4 && verdict == SP_NO; i++) { /* reach[i]: after at[i] */
            uint8_t *own = reach + (size_t)i * N;
            memset(own, 0, N);
            own[at[i]] = 1;
            for (uint32_t w = at[i] + 1; w < N; w++)
                for (uint32_t k = p.preds.offset[w]; k < p.preds.offset[w + 1]; k++)
                    own[w] |= own[p.preds.item[k]];
            own[at[i]] = 0;
        }
        for (uint32_t i = 0; i < 4 && verdict == SP_NO; i++)
            for (uint32_t k = 0; k < 4; k++)
                assert_true(reach[(size_t)i * N + at[k]] ==
                            ((k == 2 && i < 2) || (i == 1 && k == 3)));
        sp_places_close(&p);
        hw_graph_free(g);
    }
    assert_true(faults > 10);
    free(reach);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_leave_an_order),
        cmocka_unit_test(shapes_small_and_large),
        cmocka_unit_test(a_late_fault_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
