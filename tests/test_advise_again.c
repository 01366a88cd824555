/*
 * Nodes that run again: the changed graph computes what the first one did; the
 * best choice of one and of two is what trying all of them finds, with graphs
 * changed by other code (drafts) and optima from the definitions.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advise/advise.h"
#include "model/check.h"
#include "tests/support_draft.h"
#include "tests/support_lines.h"
#include "tests/support_random.h"
#include "tests/support_solve.h"

static uint64_t environment_graphs(uint64_t usual)
{
    const char *text = getenv("HW_ADVISE_GRAPHS");
    return usual * (text ? strtoull(text, NULL, 10) : 1);
}

/* ---- What a graph computes: each value is a number made of node, slot and inputs. ---- */

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t state = a * 31 + b;
    return draft_u64(&state);
}

/* value[] by tensor; origin: NULL, nodes and tensors are themselves. */
static void compute(const hw_graph *g, const uint32_t *order, const uint32_t *node_origin,
                    const uint32_t *tensor_origin, uint64_t *value)
{
    for (uint32_t t = 0; t < g->n_tensors; t++)
        value[t] = tensor_origin ? tensor_origin[t] : t;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t v = order[i];
        uint64_t sum = node_origin ? node_origin[v] : v;
        for (uint32_t k = g->inputs.offset[v]; k < g->inputs.offset[v + 1]; k++)
            sum = mix(sum, value[g->inputs.item[k]]);
        for (uint32_t k = g->outputs.offset[v]; k < g->outputs.offset[v + 1]; k++)
            value[g->outputs.item[k]] = mix(sum, k - g->outputs.offset[v]);
    }
}

static uint32_t outputs_of(const hw_graph *g, const uint64_t *value, uint64_t wanted)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        n += g->tensor_kind[t] == HW_OUTPUT && value[t] == wanted;
    return n;
}

/* Same values, same outputs, the same things about each node; the order is legal but for windows.
 */
static void check_same(const hw_graph *g, const hw_again *a, bool pin)
{
    uint64_t before[DRAFT_TENSORS], after[2 * DRAFT_TENSORS];
    uint32_t order[DRAFT_NODES];
    const hw_graph *h = a->graph;
    assert_int_equal(hw_graph_level_order(g, order, NULL), HW_OK);
    compute(g, order, NULL, NULL, before);
    compute(h, a->order, a->node_origin, a->tensor_origin, after);
    for (uint32_t t = 0; t < h->n_tensors; t++) {
        uint32_t old = a->tensor_origin[t];
        assert_int_equal(after[t], before[old]);
        assert_int_equal(h->tensor_size[t], g->tensor_size[old]);
        assert_true(h->tensor_kind[t] == g->tensor_kind[old] ||
                    (g->tensor_kind[old] == HW_OUTPUT && h->tensor_kind[t] == HW_ACTIVATION));
    }
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (g->tensor_kind[t] == HW_OUTPUT)
            assert_int_equal(outputs_of(h, after, before[t]), outputs_of(g, before, before[t]));
    for (uint32_t v = 0; v < h->n_nodes; v++) {
        uint32_t old = a->node_origin[v];
        assert_int_equal(hw_node_workspace(h, v), hw_node_workspace(g, old));
        assert_int_equal(h->node_flags[v], g->node_flags[old]);
        if (a->node_copied[v] && !(h->node_flags[v] & HW_NODE_VIEW))
            assert_true(!(h->node_flags[v] & (HW_NODE_LOCKED | HW_NODE_INPLACE_REQUIRED)));
    }
    hw_check check;
    assert_int_equal(hw_check_order(h, false, pin, a->order, h->n_nodes, &check, NULL), HW_OK);
    assert_true(check.verdict == HW_ORDER_LEGAL || check.verdict == HW_ORDER_WINDOW ||
                check.verdict == HW_ORDER_INPLACE || check.verdict == HW_ORDER_LOCK);
}

typedef struct counts {
    uint32_t models, changes, refused, views, legal, better, better_two, proven, two_steps, named;
} counts;

/* Split at random once or twice; every result computes the same. */
static void split_at_random(const hw_model *m, uint64_t *state, counts *c)
{
    uint32_t order[DRAFT_NODES];
    bool late[4 * DRAFT_NODES];
    hw_again a, next;
    assert_true(draft_order(m, state, order));
    assert_int_equal(hw_again_first(m->graph, order, &a, NULL), HW_OK);
    for (int times = 0; times < 8; times++) {
        hw_users users;
        bool possible;
        assert_int_equal(hw_users_find(a.graph, NULL, &users, NULL), HW_OK);
        uint32_t v = (uint32_t)draft_below(state, a.graph->n_nodes);
        memset(late, 0, sizeof late);
        for (uint32_t i = users.rows.offset[v]; i < users.rows.offset[v + 1]; i++)
            late[users.rows.item[i]] = draft_below(state, 2);
        if (users.may[v] && hw_users_count(&users, v) > 1) {
            assert_int_equal(hw_again_split(&a, &users, v, late, &next, &possible, NULL), HW_OK);
            c->refused += !possible;
            if (possible) {
                uint32_t added = next.graph->n_nodes - a.graph->n_nodes;
                hw_again_clear(&a);
                a = next;
                c->changes++;
                c->views += added > 1;
                c->two_steps += times > 0 && a.n_copies > 1;
                check_same(m->graph, &a, m->pin_inputs);
            }
        }
        hw_users_clear(&users);
    }
    hw_again_clear(&a);
}

static void changed_graphs_compute_the_same(void **unused)
{
    (void)unused;
    counts c = {0};
    uint64_t state = 5;
    for (uint64_t seed = 0; seed < environment_graphs(3000); seed++) {
        hw_graph *g = draft_graph(seed, 2 + seed % 18, DRAW_ALL);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, seed % 7 == 0);
        if (m && m->legal)
            split_at_random(m, &state, &c);
        hw_model_free(m);
        hw_graph_free(g);
    }
    print_message("%u changes, %u refused, %u with views, %u on top of others\n", c.changes,
                  c.refused, c.views, c.two_steps);
    assert_true(c.changes > 1000 && c.refused > 10 && c.views > 100 && c.two_steps > 300);
}

/* ---- The best of all changes, by drafts. ---- */

static bool reads(const draft_node *w, uint64_t tensor)
{
    for (size_t i = 0; i < w->n_inputs; i++)
        if (w->input[i] == tensor)
            return true;
    return false;
}

static bool uses(const draft *d, size_t w, size_t v)
{
    for (size_t k = 0; k < d->node[v].n_outputs; k++)
        if (reads(&d->node[w], d->node[v].output[k]))
            return true;
    return false;
}

static bool may_run_again(const draft *d, size_t v)
{
    const draft_node *x = &d->node[v];
    for (size_t i = 0; i < d->n_control; i++)
        if (d->control[2 * i] == x->id)
            return false;
    return !x->view && !x->locked && !x->required;
}

static draft_tensor *tensor_of(draft *d, uint64_t id)
{
    for (size_t t = 0; t < d->n_tensors; t++)
        if (d->tensor[t].id == id)
            return &d->tensor[t];
    return NULL;
}

/* No views: v once more, at the end of the source, for the users in the set and for the end. */
static void run_again(draft *d, size_t v, uint32_t set)
{
    size_t n = d->n_nodes, user = 0;
    draft_node *copy = &d->node[d->n_nodes++];
    *copy = d->node[v];
    copy->id = 1000 + n;
    for (size_t i = 0, controls = d->n_control; i < controls; i++)
        if (d->control[2 * i + 1] == d->node[v].id) {
            d->control[2 * d->n_control] = d->control[2 * i];
            d->control[2 * d->n_control++ + 1] = copy->id;
        }
    bool takes_over[DRAFT_NODES] = {false};
    for (size_t w = 0; w < n; w++)
        if (uses(d, w, v))
            takes_over[w] = set >> user++ & 1;
    for (size_t k = 0; k < copy->n_outputs; k++) {
        uint64_t old = copy->output[k], id = 1000 + d->n_tensors;
        draft_tensor *first = tensor_of(d, old);
        d->tensor[d->n_tensors++] = (draft_tensor){id, first->size, first->kind};
        if (first->kind == HW_OUTPUT)
            first->kind = HW_ACTIVATION;
        copy->output[k] = id;
        for (size_t i = 0; i < copy->n_pairs; i++)
            if (copy->pair[2 * i + 1] == old)
                copy->pair[2 * i + 1] = id;
        for (size_t w = 0; w < n; w++) {
            draft_node *x = &d->node[w];
            for (size_t i = 0; i < x->n_inputs && takes_over[w]; i++)
                if (x->input[i] == old)
                    x->input[i] = id;
            for (size_t i = 0; i < x->n_pairs && takes_over[w]; i++)
                if (x->pair[2 * i] == old)
                    x->pair[2 * i] = id;
        }
    }
}

/* The least optimum with at most `copies` nodes that run again. */
static uint64_t defined_best(const draft *d, uint32_t copies, bool free_first, bool pin)
{
    hw_graph *g;
    if (draft_build(d, &g, NULL) != HW_OK)
        return UINT64_MAX;
    uint64_t best = defined_optimum(g, free_first, pin);
    hw_graph_free(g);
    for (size_t v = 0; v < d->n_nodes && copies; v++) {
        size_t users = 0;
        for (size_t w = 0; w < d->n_nodes; w++)
            users += uses(d, w, v);
        if (!may_run_again(d, v))
            continue;
        for (uint32_t set = 0; set < UINT32_C(1) << users; set++) {
            draft *e = malloc(sizeof *e);
            assert_non_null(e);
            *e = *d;
            run_again(e, v, set);
            uint64_t peak = defined_best(e, copies - 1, free_first, pin);
            best = peak < best ? peak : best;
            free(e);
        }
    }
    return best;
}

/* The levels of the search, from the optimum. */
static void search(const hw_model *m, uint32_t copies, hw_level *level)
{
    hw_answer best = test_solve(m, "dp");
    hw_limit limit[HW_LIMIT_KINDS];
    hw_request none = {.limits = {.states = 0}};
    const hw_again_ask ask = {
        .accounting = m->accounting, .pin_inputs = m->pin_inputs, .copies = copies};
    assert_int_equal(best.status, HW_OPTIMAL);
    assert_int_equal(hw_limits_find(m, &none, limit, NULL), HW_OK);
    assert_true(limit[HW_LIMIT_ORDER].bytes <= best.peak);
    assert_true(limit[HW_LIMIT_AGAIN].bytes <= limit[HW_LIMIT_ORDER].bytes);
    assert_int_equal(hw_again_search(m->graph, best.order, best.peak, best.peak,
                                     limit[HW_LIMIT_AGAIN].bytes, &ask, level, NULL),
                     HW_OK);
    for (uint32_t k = 0; k <= copies; k++)
        assert_true(level[k].peak >= limit[HW_LIMIT_AGAIN].bytes);
    hw_answer_clear(&best);
}

/* The promised order is legal on the graph as written, has that peak, and computes the same. */
static void check_level(const hw_model *m, const hw_level *level, counts *c)
{
    hw_graph *named;
    hw_check check;
    if (!level->found)
        return;
    check_same(m->graph, &level->best, m->pin_inputs);
    assert_int_equal(hw_again_named(&level->best, m->graph, &named, NULL), HW_OK);
    assert_int_equal(hw_check_order(named, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                    level->best.order, named->n_nodes, &check, NULL),
                     HW_OK);
    assert_true(check.verdict == HW_ORDER_LEGAL && check.peak == level->peak);
    assert_true(level->best.n_copies <= level->copies);
    for (uint32_t v = 0; v < named->n_nodes; v++) {
        uint32_t old = hw_node_id(m->graph, level->best.node_origin[v]);
        bool first_id = false;
        for (uint32_t w = 0; w < m->n_nodes; w++)
            first_id = first_id || hw_node_id(m->graph, w) == hw_node_id(named, v);
        assert_int_equal(first_id, !level->best.node_copied[v]);
        assert_true(level->best.node_copied[v] || old == hw_node_id(named, v));
    }
    hw_graph_free(named);
    c->named++;
}

static void compare_best(const draft *d, uint32_t copies, bool free_first, bool pin, counts *c)
{
    hw_graph *g;
    hw_level level[3];
    assert_int_equal(draft_build(d, &g, NULL), HW_OK);
    hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin);
    if (m) {
        search(m, copies, level);
        for (uint32_t k = 0; k <= copies; k++) {
            uint64_t peak = defined_best(d, k, free_first, pin);
            if (level[k].peak != peak)
                fail_msg("with %" PRIu32 ": %" PRIu64 ", not %" PRIu64, k, level[k].peak, peak);
            assert_true(level[k].proven && level[k].every && level[k].bound == peak);
            check_level(m, &level[k], c);
        }
        c->better += level[1].found;
        c->better_two += copies > 1 && level[2].found;
        c->models++;
        hw_levels_clear(level, copies);
    }
    hw_model_free(m);
    hw_graph_free(g);
}

static void compare_draft(uint64_t seed, counts *c)
{
    uint32_t copies = seed % 8 == 0 ? 2 : 1;
    unsigned features = DRAW_ALL & ~(unsigned)(DRAW_VIEWS | DRAW_WINDOWS | DRAW_IDS);
    if (seed % 2)
        features &= ~(unsigned)(DRAW_LOCKS | DRAW_CONTROL | DRAW_REQUIRED);
    draft *d = draft_random(seed, copies == 2 ? 3 + seed / 8 % 4 : 4 + seed % 5, features);
    assert_non_null(d);
    compare_best(d, copies, seed % 4 >= 2, seed % 5 == 0, c);
    free(d);
}

static void best_of_one_and_two(void **unused)
{
    (void)unused;
    counts c = {0};
    for (uint64_t seed = 0; seed < environment_graphs(400); seed++)
        compare_draft(seed, &c);
    compare_draft(5688, &c); /* two nodes; the first makes nothing, for one that must overwrite */
    print_message("%u models, %u better with one, %u with two\n", c.models, c.better, c.better_two);
    assert_true(c.models > 300 && c.better > 30 && c.better_two > 0 && c.named > 30);
}

/* ---- With views: all sets, closed or not, by hw_again_split(), and optima by definition. ---- */

static uint64_t best_of_sets(const hw_model *m)
{
    bool late[DRAFT_NODES];
    uint32_t order[DRAFT_NODES];
    hw_again first, next;
    hw_users users;
    uint64_t best = defined_optimum(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs);
    assert_int_equal(hw_graph_level_order(m->graph, order, NULL), HW_OK);
    assert_int_equal(hw_again_first(m->graph, order, &first, NULL), HW_OK);
    assert_int_equal(hw_users_find(m->graph, NULL, &users, NULL), HW_OK);
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        uint32_t k = users.rows.offset[v + 1] - users.rows.offset[v];
        for (uint32_t set = 0; users.may[v] && set < UINT32_C(1) << k; set++) {
            bool possible;
            memset(late, 0, sizeof late);
            for (uint32_t i = 0; i < k; i++)
                late[users.rows.item[users.rows.offset[v] + i]] = set >> i & 1;
            assert_int_equal(hw_again_split(&first, &users, v, late, &next, &possible, NULL),
                             HW_OK);
            if (!possible || next.graph->n_nodes > 14) {
                hw_again_clear(&next);
                continue;
            }
            uint64_t peak =
                defined_optimum(next.graph, m->accounting == HW_FREE_FIRST, m->pin_inputs);
            best = peak < best ? peak : best;
            hw_again_clear(&next);
        }
    }
    hw_users_clear(&users);
    hw_again_clear(&first);
    return best;
}

static void compare_sets(uint64_t seed, counts *c)
{
    hw_level level[2];
    hw_graph *g =
        draft_graph(seed + 5000, 3 + seed % 6, DRAW_ALL & ~(unsigned)(seed % 3 ? DRAW_WINDOWS : 0));
    hw_model *m = test_model(g, (hw_accounting)(seed % 2), seed % 5 == 0);
    if (m && m->legal) {
        search(m, 1, level);
        uint64_t best = best_of_sets(m);
        if (best < level[1].bound || best > level[1].peak)
            fail_msg("seed %" PRIu64 ": best %" PRIu64 ", known %" PRIu64 ", bound %" PRIu64, seed,
                     best, level[1].peak, level[1].bound);
        if (!g->node_window)
            assert_true(level[1].proven);
        check_level(m, &level[1], c);
        c->better += level[1].found;
        c->models++;
        hw_levels_clear(level, 1);
    }
    hw_model_free(m);
    hw_graph_free(g);
}

static void best_of_one_with_views(void **unused)
{
    (void)unused;
    counts c = {0};
    for (uint64_t seed = 0; seed < environment_graphs(300); seed++)
        compare_sets(seed, &c);
    compare_sets(2717, &c); /* a user that must overwrite ties the others to its own side alone */
    print_message("%u models, %u better\n", c.models, c.better);
    assert_true(c.models > 200 && c.better > 5);
}

/* ---- What may not run again, and what may be overwritten. ---- */

static void operators_decide(void **unused)
{
    (void)unused;
    hw_graph *g = lines_graph("t 0 8 i; t 1 8 a; t 2 8 a; t 3 8 a; t 4 8 o; t 5 8 o;"
                              "v 0 0 > 1 op=relu; v 1 1 > 2 op=RandomNormalLike;"
                              "v 2 2 > 3 op=Conv; v 3 1,2,3 > 4 op=Add; v 4 2,3 > 5 op=Conv");
    hw_operators *table = hw_operators_new();
    hw_users users;
    assert_non_null(table);
    for (int with = 0; with < 2; with++) {
        assert_int_equal(hw_users_find(g, with ? table : NULL, &users, NULL), HW_OK);
        assert_true(users.may[0] && users.may[1] == !with && users.may[2]);
        assert_true(users.to_end[3] && users.to_end[4] && !users.to_end[2]);
        assert_int_equal(hw_users_count(&users, 1), 3);
        hw_users_clear(&users);
    }
    /* relu may overwrite the input, the sum what it reads; Conv nothing */
    const uint32_t pairs[HW_IF_KINDS] = {[HW_IF_ALL_INPLACE] = 4};
    for (int kind = 0; kind < HW_IF_KINDS; kind++)
        for (int pinned = 0; pinned < 2; pinned++) {
            hw_graph *other;
            uint32_t changed;
            assert_int_equal(
                hw_what_if_graph(g, (hw_what_if)kind, pinned, table, &other, &changed, NULL),
                HW_OK);
            assert_int_equal(changed, pairs[kind] - (pairs[kind] && pinned));
            assert_int_equal(other != NULL, changed > 0);
            if (other)
                assert_int_equal(other->inplace_offset[g->n_nodes], changed);
            hw_graph_free(other);
        }
    hw_operators_free(table);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_graphs_compute_the_same),
        cmocka_unit_test(best_of_one_and_two),
        cmocka_unit_test(best_of_one_with_views),
        cmocka_unit_test(operators_decide),
    };
    return cmocka_run_group_tests_name("advise_again", tests, NULL, NULL) != 0;
}
