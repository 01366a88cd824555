/*
 * Features of graphs and orders: worked by hand, and against slow twins that
 * follow the definitions word by word.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "traits/branches.h"
#include "traits/features.h"
#include "support_draft.h"
#include "support_lines.h"
#include "support_models.h"
#include "support_sanitized.h"
#include "support_solve.h"

static void near(const char *name, double value, double wanted)
{
    if (isnan(wanted) ? !isnan(value) : !(fabs(value - wanted) <= 1e-12))
        fail_msg("%s: %.12g, not %.12g", name, value, wanted);
}

static hw_features features_of(const hw_model *m, const hw_feature_orders *orders)
{
    hw_features f;
    hw_error err = {0};
    if (hw_features_of(m, orders, &f, &err) != HW_OK)
        fail_msg("%s", err.message);
    return f;
}

typedef struct expected {
    hw_feature id;
    double value;
} expected;

static void expect(const hw_features *f, const expected *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        near(hw_feature_rows[e[i].id].name, f->value[e[i].id], e[i].value);
}
#define EXPECT(f, e) expect(f, e, sizeof(e) / sizeof(e)[0])

/* ---- By hand. ---- */

/* Two branches of 100 and 80 between node 0 and node 5, 10 bytes the rest. */
static const char *const diamond =
    "t 0 10 a; t 1 100 a; t 2 80 a; t 3 10 a; t 4 10 a; t 5 10 o;"
    "v 0 - > 0; v 1 0 > 1; v 2 0 > 2; v 3 1 > 3; v 4 2 > 4; v 5 3,4 > 5 workspace=22";

static void test_diamond(void **state)
{
    (void)state;
    hw_graph *g = lines_graph(diamond);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    const uint32_t both[] = {0, 2, 1, 3, 4, 5}, one[] = {0, 1, 3, 2, 4, 5};
    hw_feature_orders orders = {.order = both, .optimum = one, .wrong_turn = 1};
    hw_features f = features_of(m, &orders);
    const expected e[] = {
        {HW_FEATURE_NODES, 6},
        {HW_FEATURE_EDGES, 6},
        {HW_FEATURE_WIDTH, 2},
        {HW_FEATURE_DEPTH, 4},
        {HW_FEATURE_SOURCES, 1},
        {HW_FEATURE_SINKS, 1},
        {HW_FEATURE_FAN_OUT, 2},
        {HW_FEATURE_FAN_IN, 2},
        {HW_FEATURE_UNORDERED, 4 / 15.0}, /* {1, 3} x {2, 4} */
        {HW_FEATURE_TOTAL, 220},
        {HW_FEATURE_LARGEST, 100 / 220.0},
        {HW_FEATURE_TWO_LARGEST, 180 / 220.0},
        /* 10 four times, 80, 100: (-5 - 3 - 1 + 1) 10 + 3 80 + 5 100 over 6 times 220 */
        {HW_FEATURE_GINI, 660 / 1320.0},
        {HW_FEATURE_RESULTS, 10 / 220.0},
        {HW_FEATURE_SHARED, 10 / 220.0},
        {HW_FEATURE_WORKSPACE, 0.1},
        {HW_FEATURE_DELAY_LEVELS, 1},
        {HW_FEATURE_LARGE_BLOCKS, 2},
        {HW_FEATURE_FORK_BRANCHES, 2},
        {HW_FEATURE_FORK_BALANCE, 0.8},
        {HW_FEATURE_PART_BRANCHES, 2},
        {HW_FEATURE_PART_BALANCE, 0.8},
        {HW_FEATURE_BLOCK_BRANCHES, 2},
        {HW_FEATURE_BLOCK_BALANCE, 0.8},
        /* block 0 for 2 steps, 1 for 1, 2 for 3, 3 for 2, 4 for 1 */
        {HW_FEATURE_DELAY_STEPS, (20 + 100 + 240 + 20 + 10) / 210.0},
        /* 0 for 3, 1 for 1, 2 for 1, 3 for 3, 4 for 1 */
        {HW_FEATURE_DELAY_OPTIMUM, (30 + 100 + 80 + 30 + 10) / 210.0},
        {HW_FEATURE_SWAPPED, 0.5}, /* 2 before 1, 2 before 3 */
        {HW_FEATURE_PEAK_AT, 0.5},
        {HW_FEATURE_ALIVE_LARGE, 2},
        {HW_FEATURE_ALIVE_BALANCE, 0.8},
        {HW_FEATURE_SECOND_BLOCK, 80 / 120.0},
        {HW_FEATURE_WRONG_AT, 1 / 6.0},
        {HW_FEATURE_WRONG_BALANCE, 0.8},
    };
    assert_int_equal(sizeof e / sizeof e[0], HW_N_FEATURES); /* none is left out */
    EXPECT(&f, e);

    /* The wrong turn at node 3, which neither makes a block nor precedes its maker. */
    orders.wrong_turn = 3;
    f = features_of(m, &orders);
    near("wrong-balance", f.value[HW_FEATURE_WRONG_BALANCE], 0);
    /* Without an order its rows are unknown; the rest stands. */
    f = features_of(m, NULL);
    for (int i = 0; i < HW_N_FEATURES; i++)
        assert_true(isnan(f.value[i]) == (hw_feature_rows[i].kind != HW_FEATURE_OF_GRAPH));
    hw_model_free(m);
    hw_graph_free(g);
}

/*
 * A ladder: 0, 1, 2 make 90 each; 3 reads 0, 4 reads 1 and 3, 5 reads 2 and 4,
 * each to 1 byte.  Node 5 is last; before it 2 lies apart, and of what is left
 * 4 is last with 1 apart from 0 and 3.
 */
static void test_ladder(void **state)
{
    (void)state;
    hw_graph *g =
        lines_graph("t 0 90 a; t 1 90 a; t 2 90 a; t 3 1 a; t 4 1 a; t 5 1 o;"
                    "v 0 - > 0; v 1 - > 1; v 2 - > 2; v 3 0 > 3; v 4 1,3 > 4; v 5 2,4 > 5");
    hw_model *m = lines_model(g, HW_FREE_FIRST, false);
    const uint32_t all[] = {0, 1, 2, 3, 4, 5}, turns[] = {0, 3, 1, 4, 2, 5};
    hw_feature_orders orders = {.order = all, .optimum = turns, .wrong_turn = 1};
    hw_features f = features_of(m, &orders);
    const expected e[] = {
        {HW_FEATURE_WIDTH, 3},         {HW_FEATURE_FORK_BRANCHES, 2},
        {HW_FEATURE_FORK_BALANCE, 1},  {HW_FEATURE_PART_BRANCHES, 2},
        {HW_FEATURE_PART_BALANCE, 1},  {HW_FEATURE_BLOCK_BRANCHES, 3},
        {HW_FEATURE_BLOCK_BALANCE, 1}, {HW_FEATURE_PEAK_AT, 0.5},
        {HW_FEATURE_ALIVE_LARGE, 3},   {HW_FEATURE_ALIVE_BALANCE, 1},
        {HW_FEATURE_WRONG_BALANCE, 1}, {HW_FEATURE_SECOND_BLOCK, 90 / 91.0},
    };
    EXPECT(&f, e);
    hw_model_free(m);
    hw_graph_free(g);
}

/* The pattern N is no composition; one maker's blocks are no two branches; a chain has none. */
static void test_without_branches(void **state)
{
    (void)state;
    static const struct {
        const char *lines;
        double fork, part, block, antichain;
    } cases[] = {
        {"t 0 5 a; t 1 5 a; t 2 5 o; t 3 5 o; v 0 - > 0; v 1 - > 1; v 2 0,1 > 2; v 3 1 > 3", 1, 0,
         1, 2},
        {"t 0 5 a; t 1 5 a; t 2 1 o; v 0 - > 0,1; v 1 0,1 > 2", 0, 0, 0, 1},
        {"t 0 5 a; t 1 5 a; t 2 5 o; v 0 - > 0; v 1 0 > 1; v 2 1 > 2", 0, 0, 0, 1},
        {"t 0 9 i; t 1 9 i; t 2 1 o; v 0 0,1 > 2", 0, 0, 0, 1},
        {"t 0 9 c; t 1 3 o; t 2 4 o; v 0 0 > 1; v 1 0 > 2", 0.75, 0.75, 0.75, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hw_graph *g = lines_graph(cases[i].lines);
        hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
        hw_features f = features_of(m, NULL);
        const expected e[] = {{HW_FEATURE_FORK_BALANCE, cases[i].fork},
                              {HW_FEATURE_PART_BALANCE, cases[i].part},
                              {HW_FEATURE_BLOCK_BALANCE, cases[i].block},
                              {HW_FEATURE_BLOCK_BRANCHES, cases[i].antichain}};
        EXPECT(&f, e);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

static void test_empty(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, true);
    uint32_t none[1] = {0};
    hw_feature_orders orders = {.order = none, .optimum = none, .wrong_turn = 0};
    hw_features f = features_of(m, &orders);
    assert_true(f.value[HW_FEATURE_NODES] == 0 && f.value[HW_FEATURE_BLOCK_BRANCHES] == 0);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- Twins. ---- */

enum { MOST = 12 };

typedef struct closure {
    uint32_t n;
    bool before[MOST][MOST], edge[MOST][MOST];
} closure;

static closure close_graph(const hw_graph *g)
{
    closure c = {.n = g->n_nodes};
    for (uint32_t v = 0; v < c.n; v++)
        for (uint32_t k = g->succs.offset[v]; k < g->succs.offset[v + 1]; k++)
            c.edge[v][g->succs.item[k]] = c.before[v][g->succs.item[k]] = true;
    for (uint32_t k = 0; k < c.n; k++)
        for (uint32_t u = 0; u < c.n; u++)
            for (uint32_t v = 0; v < c.n; v++)
                c.before[u][v] |= c.before[u][k] && c.before[k][v];
    return c;
}

/* Nodes that can be reached from `from` (in the other direction with `back`) past `without`. */
static uint32_t reach_without(const closure *c, uint32_t from, bool back, uint32_t without)
{
    uint32_t seen = UINT32_C(1) << from, old;
    do {
        old = seen;
        for (uint32_t u = 0; u < c->n; u++)
            for (uint32_t v = 0; v < c->n; v++)
                if ((seen >> u & 1) && v != without && (back ? c->edge[v][u] : c->edge[u][v]))
                    seen |= UINT32_C(1) << v;
    } while (seen != old);
    return seen;
}

/* The nearest node behind v (before it with `back`) that is on every path to an end; n: none. */
static uint32_t nearest_cut(const closure *c, uint32_t v, bool back)
{
    uint32_t best = c->n;
    for (uint32_t x = 0; x < c->n; x++) {
        if (x == v || !(back ? c->before[x][v] : c->before[v][x]))
            continue;
        uint32_t seen = reach_without(c, v, back, x);
        bool cut = true;
        for (uint32_t u = 0; u < c->n; u++) {
            bool end = true;
            for (uint32_t w = 0; w < c->n; w++)
                end = end && !(back ? c->edge[w][u] : c->edge[u][w]);
            cut = cut && !((seen >> u & 1) && end);
        }
        if (cut && (best == c->n || (back ? c->before[best][x] : c->before[x][best])))
            best = x;
    }
    return best;
}

typedef struct twin {
    closure c;
    const hw_blocks *b;
    uint64_t largest[MOST];
    hw_likeness found;
} twin;

static uint64_t weight(const twin *t, uint32_t set)
{
    uint64_t w = 0;
    for (uint32_t v = 0; v < t->c.n; v++)
        if ((set >> v & 1) && t->largest[v] > w)
            w = t->largest[v];
    return w;
}

/* The pieces of a set under a relation of its nodes. */
static size_t split(const twin *t, uint32_t set,
                    bool (*joined)(const closure *, uint32_t, uint32_t), uint32_t *piece)
{
    size_t n = 0;
    while (set) {
        uint32_t grown = set & (~set + 1), old;
        do {
            old = grown;
            for (uint32_t u = 0; u < t->c.n; u++)
                for (uint32_t v = 0; v < t->c.n; v++)
                    if ((old >> u & 1) && (set >> v & 1) && u != v && joined(&t->c, u, v))
                        grown |= UINT32_C(1) << v;
        } while (grown != old);
        piece[n++] = grown;
        set &= ~grown;
    }
    return n;
}

static bool edge_joins(const closure *c, uint32_t u, uint32_t v)
{
    return c->edge[u][v] || c->edge[v][u];
}

static bool ordered(const closure *c, uint32_t u, uint32_t v)
{
    return c->before[u][v] || c->before[v][u];
}

static bool not_ordered(const closure *c, uint32_t u, uint32_t v)
{
    return !ordered(c, u, v);
}

static void judge(twin *t, const uint32_t *piece, size_t n)
{
    uint32_t large = 0;
    double least = (double)t->b->largest / 2;
    for (size_t i = 0; i < n; i++) {
        uint64_t w = weight(t, piece[i]);
        large += w > 0 && (double)w >= least;
        for (size_t k = 0; k < i; k++) {
            uint64_t x = weight(t, piece[k]);
            if (w > 0 && x > 0 && (double)w >= least && (double)x >= least)
                t->found.balance = fmax(t->found.balance, hw_balance_of(w, x));
        }
    }
    if (n > 1 && large > t->found.most)
        t->found.most = large;
}

static void twin_fork(twin *t, uint32_t f, uint32_t j)
{
    uint32_t set = 0, piece[MOST], n = t->c.n;
    for (uint32_t v = 0; v < n; v++)
        if ((f == n || t->c.before[f][v]) && (j == n || t->c.before[v][j]))
            set |= UINT32_C(1) << v;
    judge(t, piece, split(t, set, edge_joins, piece));
}

static void twin_parts(twin *t, uint32_t set)
{
    uint32_t piece[MOST];
    size_t n = split(t, set, ordered, piece);
    if (n > 1)
        judge(t, piece, n);
    else
        n = split(t, set, not_ordered, piece);
    for (size_t i = 0; i < n && n > 1; i++)
        twin_parts(t, piece[i]);
}

/* Largest set of large blocks, each two unordered, by trying all sets. */
static uint32_t twin_antichain(const twin *t)
{
    uint32_t large[16], n = 0, most = 0;
    for (uint32_t i = 0; i < t->b->n; i++)
        if (hw_block_large(t->b, i)) {
            if (n == 16)
                return HW_NONE;
            large[n++] = i;
        }
    for (uint32_t set = 1; set < UINT32_C(1) << n; set++) {
        bool fine = true;
        for (uint32_t i = 0; i < n && fine; i++)
            for (uint32_t k = 0; k < i && fine; k++)
                if ((set >> i & 1) && (set >> k & 1)) {
                    uint32_t u = t->b->block[large[i]].maker, v = t->b->block[large[k]].maker;
                    fine = u != HW_NONE && v != HW_NONE && u != v && not_ordered(&t->c, u, v);
                }
        uint32_t size = (uint32_t)__builtin_popcount(set);
        most = fine && size > most ? size : most;
    }
    return most;
}

/* ---- Lives of blocks by prefixes. ---- */

static bool reads(const hw_graph *g, uint32_t v, const hw_blocks *b, uint32_t i)
{
    for (uint32_t k = g->inputs.offset[v]; k < g->inputs.offset[v + 1]; k++)
        if (b->of_storage[g->tensor_storage[g->inputs.item[k]]] == i)
            return true;
    return false;
}

/* Is block i in memory after exactly the nodes of the set? */
static bool lives(const hw_blocks *b, uint32_t i, uint32_t set)
{
    const hw_block *x = &b->block[i];
    if (x->maker != HW_NONE && !(set >> x->maker & 1))
        return false;
    for (uint32_t v = 0; v < b->model->n_nodes; v++)
        if (!(set >> v & 1) && reads(b->model->graph, v, b, i))
            return true;
    return x->kept;
}

static bool lives_in_step(const hw_blocks *b, uint32_t i, uint32_t before, uint32_t v)
{
    uint32_t after = before | UINT32_C(1) << v;
    if (b->block[i].maker == v)
        return true;
    return lives(b, i, b->model->accounting == HW_ALLOC_FIRST ? before : after);
}

static void check_lives(const hw_blocks *b, const uint32_t *order)
{
    uint32_t n = b->model->n_nodes, position[MOST], last[DRAFT_TENSORS], set = 0;
    hw_order_positions(order, n, position);
    hw_blocks_last_readers(b, position, last);
    for (uint32_t step = 0; step < n; step++) {
        for (uint32_t i = 0; i < b->n; i++) {
            uint32_t first, end;
            bool alive =
                hw_block_alive(b, i, position, last, &first, &end) && first <= step && step <= end;
            assert_true(alive == lives_in_step(b, i, set, order[step]));
        }
        set |= UINT32_C(1) << order[step];
    }
}

static uint32_t n_balances;

static void check_model(const hw_model *m)
{
    hw_blocks b;
    assert_int_equal(hw_blocks_open(&b, m, NULL), HW_OK);
    twin t = {.c = close_graph(m->graph), .b = &b};
    for (uint32_t i = 0; i < b.n; i++)
        if (b.block[i].maker != HW_NONE && b.block[i].bytes > t.largest[b.block[i].maker])
            t.largest[b.block[i].maker] = b.block[i].bytes;
    hw_features f = features_of(m, NULL);
    uint32_t n = t.c.n;
    twin_fork(&t, n, n);
    for (uint32_t v = 0; v < n; v++) {
        twin_fork(&t, v, nearest_cut(&t.c, v, false));
        twin_fork(&t, nearest_cut(&t.c, v, true), v);
    }
    near("fork-branches", f.value[HW_FEATURE_FORK_BRANCHES], t.found.most);
    near("fork-balance", f.value[HW_FEATURE_FORK_BALANCE], t.found.balance);
    n_balances += t.found.balance > 0 && t.found.balance < 1;
    t.found = (hw_likeness){0};
    twin_parts(&t, (UINT32_C(1) << n) - 1);
    near("part-branches", f.value[HW_FEATURE_PART_BRANCHES], t.found.most);
    near("part-balance", f.value[HW_FEATURE_PART_BALANCE], t.found.balance);
    uint32_t antichain = twin_antichain(&t);
    if (antichain != HW_NONE)
        near("block-branches", f.value[HW_FEATURE_BLOCK_BRANCHES], b.n ? antichain : 0);
    uint64_t state = n + b.total;
    uint32_t order[MOST];
    assert_true(draft_order(m, &state, order));
    check_lives(&b, order);
    hw_blocks_close(&b);
}

static void test_twins(void **state)
{
    (void)state;
    n_balances = 0;
    each_model(400, MOST, DRAW_ALL - DRAW_WINDOWS, check_model);
    assert_true(n_balances > FEWER(100));
}

/* A likeness asks for its least number of bytes and takes totals when told. */
static void test_likeness(void **state)
{
    (void)state;
    hw_branch branch[] = {{0, 10, 100}, {0, 90, 90}, {0, 60, 95}, {1, 100, 100}, {1, 50, 50}};
    hw_branches b = {.n_groups = 2, .n = 5, .branch = branch};
    hw_likeness l = hw_branches_likeness(&b, false, 50);
    near("most", l.most, 2);
    near("balance", l.balance, 60 / 90.0);
    l = hw_branches_likeness(&b, true, 50);
    near("most", l.most, 3);
    near("balance", l.balance, 0.95);
    l = hw_branches_likeness(&b, false, 95);
    near("most", l.most, 1);
    near("balance", l.balance, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diamond),          cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_without_branches), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_likeness),         cmocka_unit_test(test_twins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
