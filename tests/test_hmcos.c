/*
 * hmcos: its hierarchy, its search, its rounds.
 *
 * HW_HMCOS_GRAPHS, HW_HMCOS_FIRST: how many random graphs (default 1500), and
 * the first of them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/hmcos_graph.h"
#include "support_draft.h"
#include "support_exact.h"
#include "support_generate.h"
#include "support_lines.h"
#include "support_solve.h"

static const char *const ways[] = {"hmcos", "hmcos:most=4,effort=40", "hmcos:cells=joins,most=7",
                                   "hmcos:cells=none,effort=1"};
enum { N_WAYS = sizeof ways / sizeof ways[0] };

/* ---- The hierarchy. ---- */

/* Every node in one unit, once; the units in some order that the edges allow. */
static void expect_units(const hmcos_graph *h, uint32_t group)
{
    const hw_graph *g = h->m->graph;
    hmcos_units u;
    uint32_t n = h->m->n_nodes, unit_of[DRAFT_NODES], waiting[DRAFT_NODES], run = 0;
    assert_int_equal(hmcos_units_open(&u, h, group, NULL), HW_OK);
    for (uint32_t v = 0; v < n; v++)
        unit_of[v] = HW_NONE;
    for (uint32_t k = 0; k < u.count; k++)
        for (uint32_t i = u.nodes.offset[k]; i < u.nodes.offset[k + 1]; i++) {
            uint32_t v = u.nodes.item[i];
            assert_true(unit_of[v] == HW_NONE);
            unit_of[v] = k;
            /* within a unit the nodes are in a topological order */
            for (uint32_t e = g->succs.offset[v]; e < g->succs.offset[v + 1]; e++)
                assert_true(unit_of[g->succs.item[e]] != k);
        }
    for (uint32_t v = 0; v < n; v++) {
        bool inside = group == HW_NONE || h->group_of[h->seq_of[v]] == group;
        assert_true((unit_of[v] != HW_NONE) == inside);
        if (inside && group == HW_NONE)
            assert_true(u.group[unit_of[v]] == h->group_of[h->seq_of[v]]);
    }
    for (uint32_t k = 0; k < u.count; k++)
        waiting[k] = u.preds.offset[k + 1] - u.preds.offset[k];
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < u.count; k++)
            if (waiting[k] == 0) {
                waiting[k] = HW_NONE;
                run++;
                more = true;
                for (uint32_t i = u.succs.offset[k]; i < u.succs.offset[k + 1]; i++)
                    waiting[u.succs.item[i]]--;
            }
    }
    assert_int_equal(run, u.count);
    hmcos_units_close(&u);
}

/* All ways out of a group leave by one sequence of it, its last. */
static void expect_one_output(const hmcos_graph *h, uint32_t group, uint32_t most)
{
    uint32_t begin = h->members.offset[group], end = h->members.offset[group + 1];
    assert_true(begin + 3 <= end && end - begin <= most);
    for (uint32_t i = begin; i < end; i++) {
        uint32_t s = h->members.item[i];
        assert_true(h->group_of[s] == group);
        for (uint32_t k = h->succs.offset[s]; k < h->succs.offset[s + 1]; k++)
            assert_true((h->group_of[h->succs.item[k]] == group) == (i + 1 < end));
        assert_true(i + 1 == end || h->succs.offset[s] < h->succs.offset[s + 1]);
    }
}

static void groups_run_as_one(void **unused)
{
    (void)unused;
    uint32_t groups = 0, joined = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 40, seed % 2 ? DRAW_RICH : DRAW_PLAIN);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), false);
        uint32_t most = 3 + (uint32_t)seed % 20;
        hmcos_graph h;
        assert_int_equal(hmcos_graph_open(&h, m, HMCOS_AUTO, most, NULL), HW_OK);
        for (uint32_t k = 0; k < h.n_groups; k++) {
            expect_one_output(&h, k, most);
            expect_units(&h, k);
        }
        expect_units(&h, HW_NONE);
        groups += h.n_groups;
        joined += m->n_nodes - h.n_seqs;
        for (uint32_t k = 0; k < h.n_groups; k += 2)
            hmcos_ungroup(&h, k);
        expect_units(&h, HW_NONE);
        hmcos_graph_close(&h);
        hw_model_free(m);
        hw_graph_free(g);
    }
    print_message("# %u groups, %u nodes joined\n", groups, joined);
    assert_true(groups > 1000 && joined > 300);
}

/*
 * Two cells: x -> a, b -> Concat, twice; the second reads the first one's input
 * too.  Of the branch 1, 2, 9 the first reads what others read and so frees
 * nothing: 2 would lift what it uses, but 9 shrinks what 2 leaves.  4 grows.
 */
static const char two_cells[] =
    "t 0 10 a; t 1 9 a; t 2 8 a; t 3 10 a; t 4 30 a; t 5 18 a; t 6 5 a; t 7 5 a; t 8 10 o; t 9 7 a;"
    "v 0 - > 0 op=Conv; v 1 0 > 1 op=Conv; v 2 1 > 2 op=Relu; v 3 0 > 3 op=Conv;"
    "v 4 3 > 4 op=Conv; v 5 9,4 > 5 op=Concat; v 6 5 > 6 op=Conv; v 7 0 > 7 op=Conv;"
    "v 8 6,7 > 8 op=concat_v2; v 9 2 > 9 op=Conv";

static void cells_are_found(void **unused)
{
    (void)unused;
    hw_graph *g = lines_graph(two_cells);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hmcos_graph h;
    assert_int_equal(hmcos_graph_open(&h, m, HMCOS_AUTO, 64, NULL), HW_OK);
    assert_true(h.seq_of[1] != h.seq_of[2] && h.seq_of[2] == h.seq_of[9]);
    assert_true(h.seq_of[3] != h.seq_of[4]);
    assert_int_equal(h.n_groups, 1); /* all ways lead through the end */
    hmcos_graph_close(&h);
    assert_int_equal(hmcos_graph_open(&h, m, HMCOS_CONCAT, 6, NULL), HW_OK);
    assert_int_equal(h.n_groups, 1); /* the whole is too large: the first cell */
    uint32_t cell = h.group_of[h.seq_of[5]];
    assert_true(cell != HW_NONE && h.group_of[h.seq_of[1]] == cell &&
                h.group_of[h.seq_of[3]] == cell && h.group_of[h.seq_of[4]] == cell);
    assert_true(h.group_of[h.seq_of[0]] == HW_NONE && h.group_of[h.seq_of[7]] == HW_NONE);
    hmcos_graph_close(&h);
    assert_int_equal(hmcos_graph_open(&h, m, HMCOS_NONE, 64, NULL), HW_OK);
    assert_int_equal(h.n_groups, 0);
    hmcos_graph_close(&h);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- The answers. ---- */

static void never_below_the_optimum(void **unused)
{
    (void)unused;
    uint64_t first = environment_number("HW_HMCOS_FIRST", 0);
    uint64_t graphs = environment_number("HW_HMCOS_GRAPHS", 1500), answers = 0, best = 0;
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        hw_graph *g = draft_graph(seed, seed % 16, seed % 3 ? DRAW_RICH : DRAW_ALL);
        for (int way = 0; way < 4; way++) {
            hw_model *m = test_model(g, (hw_accounting)(way % 2), way >= 2);
            if (!m)
                continue;
            hw_answer known = test_solve(m, "dp");
            for (int i = 0; i < N_WAYS; i++) {
                hw_answer a = test_solve(m, ways[i]);
                assert_true(a.has_order == m->legal && !a.limit_reached);
                assert_true(a.peak >= known.peak);
                answers++;
                best += a.peak == known.peak;
                hw_answer_clear(&a);
            }
            hw_answer_clear(&known);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    print_message("# hmcos: %" PRIu64 " graphs, %" PRIu64 " answers, %" PRIu64 " of them optimal\n",
                  graphs, answers, best);
    assert_true(best > answers / 2);
}

/* Under windows every node is a unit: with effort to spare the search is exact. */
static void exact_with_effort_to_spare(void **unused)
{
    (void)unused;
    uint32_t met = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 13, DRAW_ALL);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), false);
        if (m->legal && m->earliest) {
            hw_answer a = test_solve(m, "hmcos:effort=100000000"), b = test_solve(m, "dp");
            assert_true(a.peak == b.peak);
            met++;
            hw_answer_clear(&a);
            hw_answer_clear(&b);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(met > 300);
}

/* Networks made of cells: the optimum. */
static void optimal_on_cells(void **unused)
{
    (void)unused;
    static const char *const specs[] = {
        "nets:net=nasnet-a-normal-cell",
        "nets:net=nasnet-a-reduction-cell",
        "nets:net=darts-normal-cell",
        "nets:net=darts-reduction-cell",
        "nets:net=darts-cifar10",
        "nets:net=inception-v1",
        "nets:net=resnet50",
        "fan:n=40,stages=4",
        "chains:n=9,branches=1",
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        hw_graph *g = test_instance(specs[i], 0);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer a = test_solve(m, "hmcos"), b = test_solve(m, "exact");
        assert_int_equal(b.status, HW_OPTIMAL);
        if (a.peak != b.peak)
            fail_msg("%s: %" PRIu64 ", the optimum is %" PRIu64, specs[i], a.peak, b.peak);
        hw_answer_clear(&a);
        hw_answer_clear(&b);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* A run with more rounds goes on where one with fewer ended. */
static void rounds_never_lose(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"nets:net=darts-cifar10", "randwire:n=60,ends=yes",
                                        "layered:n=60", "series-parallel:n=80", "daggen:n=60"};
    uint32_t gained = 0;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        hw_graph *g = test_instance(specs[i], 1);
        hw_model *m = test_model(g, HW_FREE_FIRST, false);
        uint64_t before = UINT64_MAX;
        for (int rounds = 1; rounds <= 6; rounds++) {
            char spec[64];
            (void)snprintf(spec, sizeof spec, "hmcos:effort=20000,most=16,rounds=%d", rounds);
            hw_answer a = test_solve(m, spec);
            assert_true(a.has_order && a.peak <= before);
            gained += a.peak < before && rounds > 1;
            before = a.peak;
            hw_answer_clear(&a);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(gained > 0);
}

static void limits_are_kept(void **unused)
{
    (void)unused;
    hw_graph *g = test_instance("randwire:n=40,ends=yes", 3);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer whole = test_solve(m, "hmcos:effort=3000");
    for (uint64_t states = 1; states < whole.states + 200; states += 97) {
        hw_request request = {.limits = {.states = states}};
        hw_answer a = test_solve_with(m, "hmcos:effort=3000", request);
        hw_answer b = test_solve_with(m, "hmcos:effort=3000", request);
        assert_true(!a.has_order || a.peak >= whole.peak);
        assert_true(a.limit_reached == (states <= whole.states));
        assert_true(b.has_order == a.has_order && b.peak == a.peak && b.states == a.states);
        if (a.has_order)
            assert_memory_equal(a.order, b.order, m->n_nodes * sizeof *a.order);
        hw_answer_clear(&a);
        hw_answer_clear(&b);
    }
    for (uint64_t bytes = 1; bytes < 100000; bytes *= 7) {
        hw_answer a = test_solve_with(m, "hmcos", (hw_request){.limits = {.memory_bytes = bytes}});
        assert_true(a.has_order && !a.limit_reached);
        hw_answer_clear(&a);
    }
    hw_request fits = {.has_budget = true, .budget_bytes = whole.peak};
    hw_answer a = test_solve_with(m, "hmcos:effort=3000", fits);
    assert_true(a.status == HW_FEASIBLE && a.peak <= whole.peak);
    hw_answer_clear(&a);
    hw_answer_clear(&whole);
    hw_model_free(m);
    hw_graph_free(g);
}

/* Peaks of 0, sizes whose sum comes close to 2^64. */
static void corners(void **unused)
{
    (void)unused;
    static const char *const lines[] = {
        "t 0 0 a; t 1 0 o; v 0 - > 0; v 1 0 > 1",
        "t 0 9223372036854775807 a; t 1 9223372036854775807 o; v 0 - > 0; v 1 0 > 1",
        "t 0 9223372036854775807 i; t 1 1 a; t 2 9223372036854775803 o; v 0 0 > 1; v 1 0 > 2",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        hw_graph *g = lines_graph(lines[i]);
        for (int way = 0; way < 2; way++) {
            hw_model *m = lines_model(g, (hw_accounting)way, false);
            hw_answer a = test_solve(m, "hmcos"), b = test_solve(m, "dp");
            assert_true(a.has_order && a.peak == b.peak);
            hw_answer_clear(&a);
            hw_answer_clear(&b);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_run_as_one),       cmocka_unit_test(cells_are_found),
        cmocka_unit_test(never_below_the_optimum), cmocka_unit_test(exact_with_effort_to_spare),
        cmocka_unit_test(optimal_on_cells),        cmocka_unit_test(rounds_never_lose),
        cmocka_unit_test(limits_are_kept),         cmocka_unit_test(corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
