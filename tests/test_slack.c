/* Windows step by step against the search from scratch, with steps taken back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/slack.h"
#include "model/windows.h"
#include "support_draft.h"
#include "support_solve.h"
#include "support_sanitized.h"

typedef struct walk {
    const hw_model *m;
    hw_slack slack;
    hw_window_search *search;
    bool done[DRAFT_NODES];
    uint32_t order[DRAFT_NODES], allowed[DRAFT_NODES], n_allowed;
    uint64_t asked, refused;
} walk;

static bool is_ready(const walk *w, uint32_t v)
{
    const hw_rows *preds = &w->m->graph->preds;
    for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
        if (!w->done[preds->item[i]])
            return false;
    return !w->done[v];
}

/* Both must say the same of every ready node. */
static void compare(walk *w, uint32_t step)
{
    w->n_allowed = 0;
    for (uint32_t v = 0; v < w->m->n_nodes; v++) {
        if (!is_ready(w, v))
            continue;
        bool allowed = hw_window_allows(w->search, w->done, step, v);
        assert_true(hw_slack_allows(&w->slack, v) == allowed);
        w->asked++;
        if (allowed)
            w->allowed[w->n_allowed++] = v;
        else
            w->refused++;
    }
    assert_true(step == w->m->n_nodes || w->n_allowed > 0);
}

/* A random walk to the end that often turns back a little. */
static void wander(walk *w, uint64_t *draw)
{
    uint32_t step = 0, n = w->m->n_nodes;
    for (compare(w, step); step < n; compare(w, step)) {
        if (step && draft_below(draw, 3) == 0) {
            uint32_t v = w->order[--step];
            w->done[v] = false;
            hw_slack_undo(&w->slack, v);
        } else {
            uint32_t v = w->allowed[draft_below(draw, w->n_allowed)];
            w->order[step++] = v;
            w->done[v] = true;
            hw_slack_run(&w->slack, v);
        }
    }
}

static void slack_is_the_search(void **state)
{
    (void)state;
    uint64_t asked = 0, refused = 0, draw = 1;
    for (uint64_t seed = 0; seed < FEWER(3000); seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 40, DRAW_ALL);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        if (m->legal && m->earliest) {
            walk w = {.m = m, .search = hw_window_search_new(g, m->earliest, m->latest)};
            assert_non_null(w.search);
            assert_true(hw_slack_init(&w.slack, g->n_nodes, m->earliest, m->latest));
            wander(&w, &draw);
            hw_slack_reset(&w.slack);
            for (uint32_t v = 0; v < g->n_nodes; v++)
                w.done[v] = false;
            compare(&w, 0);
            asked += w.asked;
            refused += w.refused;
            hw_slack_free(&w.slack);
            hw_window_search_free(w.search);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(asked > 20000 && refused > asked / 10 && refused < asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slack_is_the_search)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
