/*
 * How bad can an order be?  The theorem of the paper, on every small graph.
 *
 * Of a graph with n nodes no order has a peak above floor((n + c) / 2) times
 * the optimum.  c counts the kinds of memory that one node alone can hold, of
 * three: graph inputs, kept results, and what lives for one step (workspace and
 * dead outputs).  Views, shared tensors, in-place pairs and control edges change
 * nothing.  The paper has the proof.  Ladders with the same three ends show that
 * the bound cannot be lowered for any n and c.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>

#include "small/small.h"
#include "core/ratio.h"
#include "model/builder.h"
#include "tests/support_draft.h"
#include "tests/support_exact.h"
#include "tests/support_prefixes.h"
#include "support_sanitized.h"

static bool has_steps(const hw_model *m)
{
    for (uint32_t v = 0; v < m->n_nodes; v++)
        if (m->dead_bytes[v] + hw_workspace(m, v))
            return true;
    return false;
}

static uint64_t most_times(const hw_model *m)
{
    return (m->n_nodes + (uint64_t)(m->live_empty > 0) + (m->live_full > 0) + has_steps(m)) / 2;
}

/* Every prefix begins some order, so the worst order has the greatest usage of any step. */
static uint64_t worst_of(const prefixes *all)
{
    uint32_t n = all->m->n_nodes;
    uint64_t worst = all->m->live_empty;
    for (uint32_t set = 0; set < UINT32_C(1) << n; set++)
        for (uint32_t v = 0; v < n && all->legal[set]; v++) {
            uint32_t next = set | UINT32_C(1) << v;
            if (next != set && all->legal[next] && all->usage[set][v] > worst)
                worst = all->usage[set][v];
        }
    return worst;
}

static prefixes room; /* too large for the stack */

static void check_model(const hw_model *m, uint64_t *worst, uint64_t *best)
{
    prefixes_lay(&room, m);
    *worst = worst_of(&room);
    *best = prefixes_best(&room, NULL, 0);
}

static hw_model *model_or_null(const hw_graph *g, unsigned setting)
{
    hw_model *m = NULL;
    hw_code code = hw_model_new(g, (hw_accounting)(setting & 1), setting >> 1, &m, NULL);
    assert_true(code == HW_OK || (code == HW_BAD_INPUT && setting >> 1));
    return m;
}

/* Random graphs with everything but windows. */
static void no_order_is_worse(void **unused)
{
    (void)unused;
    uint64_t graphs = environment_number("HW_BOUND_GRAPHS", FEWER(3000)), met = 0;
    for (uint64_t i = 0; i < graphs; i++) {
        hw_graph *g = draft_graph(i, 1 + i % 8, i / 8 % 4 ? DRAW_RICH : DRAW_PLAIN);
        assert_non_null(g);
        for (unsigned setting = 0; setting < 4; setting++) {
            uint64_t worst, best;
            hw_model *m = model_or_null(g, setting);
            if (!m)
                continue;
            check_model(m, &worst, &best);
            uint64_t most = most_times(m);
            if (worst > most * best)
                fail_msg("graph %" PRIu64 ", setting %u: worst %" PRIu64 ", optimum %" PRIu64
                         ", at most %" PRIu64 " times that",
                         i, setting, worst, best, most);
            met += best > 0 && worst == most * best;
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    assert_true(met > 0); /* graphs of one or two nodes at least meet it */
}

/* ---- Ladders with three kinds of ends. ---- */

enum { BIG = 1000000 };

typedef struct ends {
    bool input, kept, step;
} ends;

/*
 * Rungs as in gen/adversarial_ladder.c.  input: a node reads BIG bytes from
 * outside before the first; kept: a node makes BIG bytes that stay; step: one
 * needs BIG bytes of workspace while it runs.
 */
static hw_graph *ladder(uint32_t rungs, ends e)
{
    hw_builder *b = hw_builder_new();
    hw_graph *g = NULL;
    uint64_t tensor = 0, node = 0, last = UINT64_MAX;
    assert_non_null(b);
    if (e.input) {
        uint64_t in = tensor++, out = tensor;
        assert_int_equal(hw_builder_tensor(b, in, BIG, HW_INPUT, NULL, NULL), HW_OK);
        if (rungs) /* somebody reads it */
            assert_int_equal(hw_builder_tensor(b, last = tensor++, 1, HW_ACTIVATION, NULL, NULL),
                             HW_OK);
        hw_node_spec spec = {
            .id = node++, .inputs = &in, .n_inputs = 1, .outputs = &out, .n_outputs = rungs > 0};
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    for (uint32_t i = 0; i < rungs; i++, tensor += 2) {
        uint64_t in[2] = {tensor, last}, out = tensor + 1;
        bool ends_here = i + 1 == rungs;
        assert_int_equal(hw_builder_tensor(b, tensor, BIG, HW_ACTIVATION, NULL, NULL), HW_OK);
        if (!ends_here)
            assert_int_equal(hw_builder_tensor(b, out, 1, HW_ACTIVATION, NULL, NULL), HW_OK);
        hw_node_spec begin = {.id = node++, .outputs = in, .n_outputs = 1};
        hw_node_spec end = {.id = node++,
                            .inputs = in,
                            .n_inputs = last == UINT64_MAX ? 1 : 2,
                            .outputs = &out,
                            .n_outputs = !ends_here};
        assert_int_equal(hw_builder_node(b, &begin, NULL), HW_OK);
        assert_int_equal(hw_builder_node(b, &end, NULL), HW_OK);
        last = out;
    }
    if (e.kept) {
        hw_node_spec spec = {.id = node++, .outputs = &tensor, .n_outputs = 1};
        assert_int_equal(hw_builder_tensor(b, tensor, BIG, HW_OUTPUT, NULL, NULL), HW_OK);
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    if (e.step) {
        hw_node_spec spec = {.id = node++, .workspace = BIG};
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    return g;
}

/* For every n and c some order is as bad as the bound allows, but for a few bytes. */
static void the_bound_is_reached(void **unused)
{
    (void)unused;
    for (uint32_t rungs = 0; rungs <= 3; rungs++)
        for (unsigned kinds = 0; kinds < 8; kinds++)
            for (unsigned accounting = 0; accounting < 2; accounting++) {
                ends e = {kinds & 1, kinds & 2, kinds & 4};
                uint64_t c = (uint64_t)e.input + e.kept + e.step, worst, best;
                if (rungs + c == 0)
                    continue;
                hw_graph *g = ladder(rungs, e);
                hw_model *m = model_or_null(g, accounting);
                assert_int_equal(most_times(m), rungs + c);
                assert_int_equal(g->n_nodes, 2 * rungs + c);
                check_model(m, &worst, &best);
                assert_true(best <= BIG + 2);
                assert_true(worst >= (rungs + c) * BIG);
                hw_model_free(m);
                hw_graph_free(g);
            }
}

/* ---- Every graph of at most five nodes, with few sizes. ---- */

static void set_parents(hw_genome *g, uint32_t edges)
{
    uint32_t bit = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        g->parents[v] = 0;
        for (uint32_t u = 0; u < v; u++, bit++)
            g->parents[v] |= (uint64_t)(edges >> bit & 1) << u;
    }
}

static void every_small_graph(void **unused)
{
    static const uint64_t size[] = {0, 1, 3};
    enum { N_SIZES = sizeof size / sizeof size[0] };
    static hw_small s;
    (void)unused;
    for (uint32_t n = 1; n <= 5; n++) {
        uint32_t vectors = 1;
        hw_ratio worst = {1, 1};
        for (uint32_t v = 0; v < n; v++)
            vectors *= N_SIZES;
        for (uint32_t turn = 0; turn < 2 * vectors << n * (n - 1) / 2; turn++) {
            hw_genome g;
            hw_genome_start(&g, n);
            set_parents(&g, turn / 2 / vectors);
            g.split = turn % 2 ? UINT64_C(31) : 0;
            for (uint32_t v = 0, left = turn / 2 % vectors; v < n; v++) {
                g.size[v] = size[left % N_SIZES];
                left /= N_SIZES;
            }
            for (unsigned accounting = 0; accounting < 2; accounting++) {
                hw_small_set(&s, &g, (hw_accounting)accounting);
                hw_ratio ratio = {hw_small_worst(&s), hw_small_optimum(&s)};
                if (hw_ratio_compare(ratio, worst) > 0)
                    worst = ratio;
            }
        }
        print_message("# %" PRIu32 " nodes: worst order %" PRIu64 " / %" PRIu64 "\n", n, worst.over,
                      worst.under);
        /* With sizes of 0 it is reached, not only in the limit. */
        assert_true(hw_ratio_compare(worst, (hw_ratio){(n + 1) / 2, 1}) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_order_is_worse),
        cmocka_unit_test(the_bound_is_reached),
        cmocka_unit_test(every_small_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
