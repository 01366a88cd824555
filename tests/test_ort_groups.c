/*
 * The groups of ort-memory against their definition, on graphs with more ends
 * than are looked at in one turn.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "solvers/ort_memory_groups.h"
#include "support_draft.h"
#include "support_generate.h"

/* Which ends each node reaches, as rows of bytes; branch[] in topological order. */
static uint8_t *reach_ends(const hw_graph *g, const uint8_t *part, const uint32_t *branch)
{
    uint32_t n = g->n_nodes;
    uint8_t *reach = calloc((size_t)n * n + 1, 1);
    assert_non_null(reach);
    for (uint32_t k = n; k-- > 0;) {
        uint32_t v = branch[k];
        bool end = g->succs.offset[v] == g->succs.offset[v + 1];
        for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++) {
            uint32_t w = g->succs.item[i];
            end = end || part[w] != HW_ORT_BRANCH;
            for (uint32_t e = 0; part[w] == HW_ORT_BRANCH && e < n; e++)
                reach[(size_t)v * n + e] |= reach[(size_t)w * n + e];
        }
        reach[(size_t)v * n + v] |= end;
    }
    return reach;
}

/* Two branch nodes are in one group if and only if they reach the same ends. */
static void check_groups(const hw_graph *g, uint64_t *state, uint32_t *ends_most)
{
    uint32_t n = g->n_nodes, count = 0, ends = 0;
    uint32_t *order = calloc(n, sizeof *order), *branch = calloc(n, sizeof *branch);
    uint8_t *part = calloc(n, 1);
    bool done = false;
    hw_ort_groups groups;
    hw_meter meter;
    hw_request request = {0};
    assert_true(order && branch && part);
    assert_int_equal(hw_graph_level_order(g, order, NULL), HW_OK);
    uint64_t main_share = draft_below(state, 3);
    for (uint32_t k = 0; k < n; k++) { /* what a main node feeds is main */
        uint32_t v = order[k];
        bool main = draft_below(state, 100) < main_share;
        for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
            main = main || part[g->preds.item[i]] == HW_ORT_MAIN;
        part[v] = main ? HW_ORT_MAIN : HW_ORT_BRANCH;
        if (!main)
            branch[count++] = v;
    }
    uint8_t *reach = reach_ends(g, part, order);
    hw_meter_start(&meter, &request);
    assert_int_equal(hw_ort_groups_open(&groups, g, part, branch, count, &meter, &done, NULL),
                     HW_OK);
    assert_true(done);
    for (uint32_t a = 0; a < count; a++) {
        const uint8_t *x = reach + (size_t)branch[a] * n;
        ends += x[branch[a]];
        for (uint32_t b = 0; b < a; b++) {
            bool same = memcmp(x, reach + (size_t)branch[b] * n, n) == 0;
            assert_true(same == (groups.of[branch[a]] == groups.of[branch[b]]));
        }
    }
    *ends_most = ends > *ends_most ? ends : *ends_most;
    hw_ort_groups_close(&groups);
    free(order);
    free(branch);
    free(part);
    free(reach);
}

static void groups_reach_the_same_ends(void **state)
{
    (void)state;
    static const char *const specs[] = {"erdos:n=300,p=0.01", "erdos:n=300,p=0.003",
                                        "erdos:n=90,p=0.05", "layered:n=400,width=150,degree=2"};
    uint64_t random = 1;
    uint32_t ends_most = 0;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        for (uint64_t index = 0; index < 12; index++) {
            hw_graph *g = test_instance(specs[i], index);
            check_groups(g, &random, &ends_most);
            hw_graph_free(g);
        }
    assert_true(ends_most > 130); /* in three turns at least */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_reach_the_same_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
