/*
 * Symmetry against the definitions: on random graphs with planted twins the
 * optimum is the same with the edges and without, every map keeps edges and
 * usages, and where igraph (BLISS) knows a map that moves a node, one is found.
 *
 * HW_SYMMETRY_GRAPHS sets how many graphs are drawn, HW_SYMMETRY_SEED where
 * they begin.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <igraph.h>
#include <stdlib.h>
#include <string.h>

#include "model/sim.h"
#include "solvers/exact_structure.h"
#include "solvers/exact_symmetry.h"
#include "support_random.h"
#include "support_twins.h"

enum { MOST = 10 };

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* ---- Maps ---- */

/* Edges of an instance as a matrix of bits. */
typedef struct edges {
    uint64_t after[DRAFT_NODES];
} edges;

static edges edges_of(const hw_graph *g)
{
    edges e = {{0}};
    for (uint32_t v = 0; v < g->n_nodes; v++)
        for (uint32_t k = g->preds.offset[v]; k < g->preds.offset[v + 1]; k++)
            e.after[g->preds.item[k]] |= UINT64_C(1) << v;
    return e;
}

static edges closure_of(const edges *e, uint32_t n)
{
    edges c = *e;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t u = 0; u < n; u++)
            if (c.after[u] >> k & 1)
                c.after[u] |= c.after[k];
    return c;
}

static void check_edges(const edges *e, const uint32_t *image, uint32_t n)
{
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < n; v++)
            assert_int_equal(e->after[u] >> v & 1, e->after[image[u]] >> image[v] & 1);
}

/* Any order and its image have the same usages. */
static void check_usages(const hw_model *m, const uint32_t *image, uint64_t *state)
{
    uint32_t order[DRAFT_NODES];
    hw_sim a, b;
    assert_true(draft_order(m, state, order));
    assert_int_equal(hw_sim_init(&a, m, NULL), HW_OK);
    assert_int_equal(hw_sim_init(&b, m, NULL), HW_OK);
    for (uint32_t i = 0; i < m->n_nodes; i++)
        assert_true(hw_sim_step(&a, order[i]) == hw_sim_step(&b, image[order[i]]) &&
                    a.live == b.live);
    hw_sim_free(&a);
    hw_sim_free(&b);
}

/* The edges that a map stands for, by the rules of exact_symmetry.h alone. */
static void lay_map(const exact_symmetry_map *map, const uint32_t *image, const edges *closure,
                    uint32_t n, edges *e)
{
    uint32_t a = 0;
    while (image[a] == a)
        a++;
    assert_true(a < n && a < image[a]);
    e->after[a] |= UINT64_C(1) << image[a];
    for (uint32_t u = 0; map->chain && u < n; u++) {
        assert_int_equal(image[image[u]], u);
        if (image[u] <= u)
            continue;
        e->after[u] |= UINT64_C(1) << image[u];
        for (uint32_t v = 0; v < n; v++)
            if (v != u && image[v] > v)
                assert_true((closure->after[u] >> v & 1) != (closure->after[v] >> u & 1));
    }
}

/* Replay all maps; the edges laid must be those of the result, up to paths. */
static void check_maps(const hw_model *m, const exact_symmetry *s, uint64_t *state)
{
    uint32_t n = m->n_nodes, round = 0;
    edges laid = edges_of(m->graph), now = laid, closure = closure_of(&laid, n);
    for (size_t i = 0; i < s->n_maps; i++) {
        uint32_t image[DRAFT_NODES];
        for (uint32_t v = 0; v < n; v++)
            image[v] = v;
        size_t end = i + 1 < s->n_maps ? s->map[i + 1].first : s->n_pairs;
        for (size_t k = s->map[i].first; k < end; k++)
            image[s->pair[k].from] = s->pair[k].to;
        if (s->map[i].round != round) {
            assert_int_equal(s->map[i].round, round + 1);
            round++;
            laid = now;
            closure = closure_of(&laid, n);
        }
        check_edges(&laid, image, n);
        check_usages(m, image, state);
        lay_map(&s->map[i], image, &closure, n, &now);
    }
    edges got = edges_of(&s->graph);
    got = closure_of(&got, n);
    now = closure_of(&now, n);
    assert_memory_equal(&got, &now, sizeof got);
}

/* Does BLISS know a map that moves a node? */
static bool igraph_moves_a_node(const hw_model *m)
{
    exact_structure s;
    igraph_t g;
    igraph_vector_int_t ends, colour;
    igraph_vector_int_list_t maps;
    assert_int_equal(exact_structure_of_graph(m->graph, m->pin_inputs, &s, NULL), HW_OK);
    assert_int_equal(igraph_vector_int_init(&ends, 0), 0);
    assert_int_equal(igraph_vector_int_init(&colour, s.n), 0);
    assert_int_equal(igraph_vector_int_list_init(&maps, 0), 0);
    for (uint32_t x = 0; x < s.n; x++) {
        VECTOR(colour)[x] = s.kind[x];
        for (uint32_t k = s.out.offset[x]; k < s.out.offset[x + 1]; k++) {
            assert_int_equal(igraph_vector_int_push_back(&ends, x), 0);
            assert_int_equal(igraph_vector_int_push_back(&ends, s.out.item[k]), 0);
        }
    }
    assert_int_equal(igraph_create(&g, &ends, s.n, IGRAPH_DIRECTED), 0);
    assert_int_equal(igraph_automorphism_group(&g, &colour, &maps, IGRAPH_BLISS_F, NULL), 0);
    bool moves = false;
    for (igraph_integer_t i = 0; i < igraph_vector_int_list_size(&maps); i++)
        for (uint32_t v = 0; v < m->n_nodes; v++)
            moves = moves || VECTOR(*igraph_vector_int_list_get_ptr(&maps, i))[v] != v;
    igraph_destroy(&g);
    igraph_vector_int_list_destroy(&maps);
    igraph_vector_int_destroy(&colour);
    igraph_vector_int_destroy(&ends);
    exact_structure_free(&s);
    return moves;
}

/* ---- Random graphs ---- */

typedef struct tally {
    uint64_t models, with_maps, chains, later_rounds;
} tally;

static void check_use(const hw_model *m, exact_symmetry_use use, uint64_t optimum, uint64_t *state,
                      tally *t)
{
    exact_symmetry s;
    assert_int_equal(exact_symmetry_find(m, use, &s, NULL), HW_OK);
    assert_true(s.complete);
    assert_true((s.n_maps > 0) == igraph_moves_a_node(m));
    check_maps(m, &s, state);
    for (size_t i = 0; i < s.n_maps; i++) {
        assert_true(use == EXACT_SYMMETRY_ALL || (s.map[i].round == 0 && !s.map[i].chain));
        t->chains += s.map[i].chain;
        t->later_rounds += s.map[i].round > 0;
    }
    t->models++;
    t->with_maps += s.n_maps > 0;
    if (s.n_maps && defined_optimum(&s.graph, m->accounting, m->pin_inputs) != optimum)
        fail_msg("the edges of %zu maps change the optimum", s.n_maps);
    exact_symmetry_free(&s);
}

static void check_graph(const hw_graph *g, uint64_t *state, tally *t)
{
    bool pin = draft_below(state, 5) == 0;
    for (int free_first = 0; free_first < 2; free_first++) {
        hw_model *m;
        if (hw_model_new(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin, &m, NULL) != HW_OK)
            return; /* a must-in-place pair on a pinned input */
        uint64_t optimum = defined_optimum(g, free_first, pin);
        check_use(m, EXACT_SYMMETRY_ALL, optimum, state, t);
        check_use(m, EXACT_SYMMETRY_FIRST, optimum, state, t);
        hw_model_free(m);
    }
}

static void twins_keep_the_optimum(void **unused)
{
    (void)unused;
    uint64_t graphs = from_environment("HW_SYMMETRY_GRAPHS", 3000);
    uint64_t seed = from_environment("HW_SYMMETRY_SEED", 1);
    tally t = {0};
    for (uint64_t i = 0; i < graphs; i++) {
        uint64_t state = (seed + i) * 1000003;
        unsigned features = (unsigned)draft_u64(&state) & DRAW_RICH;
        draft *d = draft_with_twins(seed + i, MOST, features);
        hw_graph *g = NULL;
        assert_non_null(d);
        if (draft_build(d, &g, NULL) == HW_OK)
            check_graph(g, &state, &t);
        hw_graph_free(g);
        free(d);
    }
    /* The draws are of the kind that they are meant to be. */
    assert_true(t.models >= graphs && t.with_maps * 2 > t.models && t.chains * 3 > t.with_maps &&
                (graphs < 1000 || t.later_rounds > 0));
}

/* ---- Known cases ---- */

/* `branches` branches of `length` nodes between a source and a sink. */
static hw_graph *fan(size_t branches, size_t length)
{
    draft *d = calloc(1, sizeof *d);
    hw_graph *g = NULL;
    assert_non_null(d);
    for (size_t v = 0; v < branches * length + 2; v++) {
        d->node[v] = (draft_node){.id = v, .n_outputs = 1, .output = {v}};
        d->tensor[v] = (draft_tensor){.id = v, .size = 1 + (v - 1) % length};
    }
    d->n_nodes = d->n_tensors = branches * length + 2;
    d->tensor[0].size = 5;
    draft_node *sink = &d->node[d->n_nodes - 1];
    d->tensor[d->n_nodes - 1].kind = HW_OUTPUT;
    for (size_t b = 0; b < branches; b++) {
        for (size_t i = 0; i < length; i++) {
            draft_node *node = &d->node[1 + b * length + i];
            node->n_inputs = 1;
            node->input[0] = i ? node->id - 1 : 0;
        }
        sink->input[sink->n_inputs++] = (b + 1) * length;
    }
    assert_int_equal(draft_build(d, &g, NULL), HW_OK);
    free(d);
    return g;
}

/* k chains: k - 1 maps, every node before its twin in the next chain. */
static void chains_are_sorted(void **unused)
{
    (void)unused;
    for (uint32_t k = 2; k <= 8; k++)
        for (uint32_t length = 1; length <= 5; length++) {
            hw_graph *g = fan(k, length);
            hw_model *m;
            exact_symmetry s;
            assert_int_equal(hw_model_new(g, HW_ALLOC_FIRST, false, &m, NULL), HW_OK);
            assert_int_equal(exact_symmetry_find(m, EXACT_SYMMETRY_ALL, &s, NULL), HW_OK);
            assert_int_equal(s.n_maps, k - 1);
            assert_int_equal(s.n_edges, (k - 1) * length);
            edges e = edges_of(&s.graph);
            for (uint32_t v = 1; v + length <= k * length; v++)
                assert_true(e.after[v] >> (v + length) & 1);
            exact_symmetry_free(&s);
            hw_model_free(m);
            hw_graph_free(g);
        }
}

/*
 * Rings: source i is read by sinks i and i + 1 of its ring.  Refinement alone
 * cannot tell a ring of 4 from two rings of 2; maps must.
 */
static void rings_are_told_apart(void **unused)
{
    (void)unused;
    static const size_t lengths[] = {4, 2, 2};
    draft *d = calloc(1, sizeof *d);
    hw_graph *g;
    hw_model *m;
    exact_symmetry s;
    uint64_t state = 1;
    assert_non_null(d);
    d->n_nodes = d->n_tensors = 16;
    for (size_t r = 0, at = 0; r < 3; at += lengths[r++])
        for (size_t i = 0; i < lengths[r]; i++) {
            size_t next = at + (i + 1) % lengths[r];
            d->tensor[at + i] = (draft_tensor){at + i, 3, HW_ACTIVATION};
            d->tensor[8 + at + i] = (draft_tensor){8 + at + i, 2, HW_OUTPUT};
            d->node[at + i] = (draft_node){.id = at + i, .output = {at + i}, .n_outputs = 1};
            d->node[8 + at + i] = (draft_node){.id = 8 + at + i,
                                               .input = {at + i, next},
                                               .n_inputs = 2,
                                               .output = {8 + at + i},
                                               .n_outputs = 1};
        }
    assert_int_equal(draft_build(d, &g, NULL), HW_OK);
    assert_int_equal(hw_model_new(g, HW_ALLOC_FIRST, false, &m, NULL), HW_OK);
    assert_int_equal(exact_symmetry_find(m, EXACT_SYMMETRY_ALL, &s, NULL), HW_OK);
    assert_true(s.n_maps > 0);
    check_maps(m, &s, &state);
    assert_true(defined_optimum(g, false, false) == defined_optimum(&s.graph, false, false));
    exact_symmetry_free(&s);
    hw_model_free(m);
    hw_graph_free(g);
    free(d);
}

/* Windows give every node a place of its own. */
static void windows_are_left_alone(void **unused)
{
    (void)unused;
    draft *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->n_nodes = d->n_tensors = 2;
    for (uint64_t v = 0; v < 2; v++) {
        d->tensor[v] = (draft_tensor){v, 3, HW_OUTPUT};
        d->node[v] =
            (draft_node){.id = v, .output = {v}, .n_outputs = 1, .has_window = v == 1, .window = 1};
    }
    for (int windows = 1; windows >= 0; windows--) {
        hw_graph *g;
        hw_model *m;
        exact_symmetry s;
        d->node[1].has_window = windows;
        assert_int_equal(draft_build(d, &g, NULL), HW_OK);
        assert_int_equal(hw_model_new(g, HW_ALLOC_FIRST, false, &m, NULL), HW_OK);
        assert_int_equal(exact_symmetry_find(m, EXACT_SYMMETRY_ALL, &s, NULL), HW_OK);
        assert_int_equal(s.n_edges, windows ? 0 : 1);
        exact_symmetry_free(&s);
        hw_model_free(m);
        hw_graph_free(g);
    }
    free(d);
}

int main(void)
{
    igraph_set_error_handler(igraph_error_handler_ignore);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_are_sorted),
        cmocka_unit_test(rings_are_told_apart),
        cmocka_unit_test(windows_are_left_alone),
        cmocka_unit_test(twins_keep_the_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
