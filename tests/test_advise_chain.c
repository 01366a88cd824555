/*
 * The maker of what is held at the peak runs again, and so do the nodes that
 * made what it reads: against a small simulator that works from the definitions
 * alone (support_stays.h).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "advise/held.h"
#include "tests/support_draft.h"
#include "tests/support_models.h"
#include "tests/support_stays.h"
#include "support_sanitized.h"

/* Step v runs once more right before step `to`, for what reads its results from there on. */
static void lay_again(stays_world *w, uint32_t v, int64_t to)
{
    int64_t at[STAYS_STEPS + 2];
    w->n_stays = 0;
    w->again = true;
    for (uint32_t s = 0; s < w->g->n_storages; s++) {
        uint32_t root = w->g->storage_root[s];
        size_t count = stays_touches(w, s, at);
        if (w->g->tensor_kind[root] == HW_CONSTANT || count == 0 || (count == 1 && at[0] == -1))
            continue;
        stay first = {root, at[0], at[0], false}, second = {root, to, to, false};
        if (w->g->tensor_producer[root] != v) {
            first.last = at[count - 1];
            w->stay[w->n_stays++] = first;
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            if (at[i] < to)
                first.last = at[i];
            else
                second.last = at[i];
        }
        w->stay[w->n_stays++] = first;
        w->stay[w->n_stays++] = second;
    }
}

/* The order with v twice; `touched` sees both, so that its inputs stay. */
static uint64_t peak_again(const hw_model *m, const uint32_t *order, uint32_t v, int64_t to)
{
    uint32_t twice[DRAFT_NODES + 1];
    stays_world w = {.g = m->graph, .m = m, .order = twice, .n = m->n_nodes + 1};
    memcpy(twice, order, (size_t)to * sizeof *order);
    twice[to] = v;
    memcpy(twice + to + 1, order + to, ((size_t)m->n_nodes - (size_t)to) * sizeof *order);
    lay_again(&w, v, to);
    return stays_peak(&w);
}

typedef struct chain_counts {
    uint32_t given, fixed, illegal, one, more, saves;
} chain_counts;

static bool has_overwriters(const hw_graph *g)
{
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (g->node_flags[v] & HW_NODE_INPLACE_REQUIRED)
            return true;
    return false;
}

static void check_chain(const hw_gaps *gaps, const hw_held *h, const hw_again *first,
                        chain_counts *c)
{
    const hw_model *m = gaps->log->model;
    const hw_chain *chain = &h->chain;
    uint32_t v = m->graph->tensor_producer[h->life->tensor];
    c->given += chain->state == HW_CHAIN_GIVEN;
    c->fixed += chain->state == HW_CHAIN_FIXED;
    c->illegal += chain->state == HW_CHAIN_ILLEGAL;
    assert_int_equal(chain->state == HW_CHAIN_GIVEN, v == HW_NONE);
    if (chain->state != HW_CHAIN_FOUND)
        return;
    hw_users users;
    uint64_t bytes = 0;
    assert_int_equal(hw_users_find(first->graph, NULL, &users, NULL), HW_OK);
    for (uint32_t i = 0; i < chain->n_nodes; i++)
        bytes += users.bytes[chain->node[i]];
    hw_users_clear(&users);
    uint64_t alone = peak_again(m, gaps->log->order, v, h->gap->to);
    assert_int_equal(chain->node[chain->n_nodes - 1], v);
    assert_int_equal(chain->bytes, bytes);
    bool one_result = m->graph->outputs.offset[v + 1] == m->graph->outputs.offset[v] + 1;
    if (chain->n_nodes == 1 && one_result && h->life->death < (int64_t)m->n_nodes)
        assert_true(chain->peak >= h->dropped); /* with other results more may be dropped */
    if (chain->n_nodes == 1)
        assert_int_equal(chain->peak, alone);
    else /* or the maker alone would read what was overwritten */
        assert_true(chain->peak < alone || has_overwriters(m->graph));
    c->one += chain->n_nodes == 1;
    c->more += chain->n_nodes > 1;
    c->saves += chain->peak < gaps->log->peak;
}

static chain_counts chains;

static uint64_t random_state = 20;

static void visit_chains(const hw_model *m)
{
    uint32_t order[DRAFT_NODES];
    hw_log *log;
    hw_gaps gaps;
    hw_held *held;
    hw_again first;
    size_t n;
    assert_true(draft_order(m, &random_state, order));
    assert_int_equal(hw_log_new(m, order, false, &log, NULL), HW_OK);
    assert_int_equal(hw_gaps_find(log, &gaps, NULL), HW_OK);
    assert_int_equal(hw_held_find(&gaps, &held, &n, NULL), HW_OK);
    assert_int_equal(hw_again_first(m->graph, order, &first, NULL), HW_OK);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(hw_chain_find(&gaps, &first, NULL, NULL, 0, &held[i], NULL), HW_OK);
        if (held[i].gap)
            check_chain(&gaps, &held[i], &first, &chains);
    }
    hw_again_clear(&first);
    hw_held_free(held, n);
    hw_gaps_clear(&gaps);
    hw_log_free(log);
}

static void chains_of_random_graphs(void **unused)
{
    (void)unused;
    each_model(1200, 16, DRAW_ALL & ~(unsigned)(DRAW_VIEWS | DRAW_WINDOWS), visit_chains);
    print_message("given %u, fixed %u, illegal %u, one node %u, more %u, saves %u\n", chains.given,
                  chains.fixed, chains.illegal, chains.one, chains.more, chains.saves);
    assert_true(chains.given > FEWER(400) && chains.fixed > FEWER(400) && chains.one > FEWER(2000));
    assert_true(chains.more > 20 && chains.saves > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains_of_random_graphs)};
    return cmocka_run_group_tests_name("advise_chain", tests, NULL, NULL) != 0;
}
