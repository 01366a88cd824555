/*
 * The greedy family against slow twins, order for order, on random graphs rich
 * in everything: greedy, greedy-mixed, greedy-reverse, lookahead.
 *
 * The twins know no heap and no kept-up keys: at each step they ask the
 * definitions what every candidate would change.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "model/sim.h"
#include "model/windows.h"
#include "support_draft.h"
#include "support_solve.h"
#include "support_sanitized.h"

__extension__ typedef __int128 wide;

/* A prefix that grows and shrinks, and who may run after it. */
typedef struct slow {
    const hw_model *m;
    hw_sim sim;
    bool done[DRAFT_NODES];
    uint32_t path[DRAFT_NODES];
    hw_window_search *windows;
} slow;

static void slow_open(slow *s, const hw_model *m)
{
    memset(s, 0, sizeof *s);
    s->m = m;
    assert_int_equal(hw_sim_init(&s->sim, m, NULL), HW_OK);
    if (m->earliest) {
        s->windows = hw_window_search_new(m->graph, m->earliest, m->latest);
        assert_non_null(s->windows);
    }
}

static void slow_close(slow *s)
{
    hw_sim_free(&s->sim);
    hw_window_search_free(s->windows);
}

/* Longest paths along `next` by relaxing until nothing changes. */
static void find_paths(slow *s, const hw_rows *next)
{
    bool changed = true;
    for (uint32_t v = 0; v < s->m->n_nodes; v++)
        s->path[v] = 1;
    while (changed) {
        changed = false;
        for (uint32_t v = 0; v < s->m->n_nodes; v++)
            for (uint32_t i = next->offset[v]; i < next->offset[v + 1]; i++)
                if (s->path[v] < s->path[next->item[i]] + 1) {
                    s->path[v] = s->path[next->item[i]] + 1;
                    changed = true;
                }
    }
}

static bool may_run(slow *s, uint32_t v)
{
    const hw_rows *preds = &s->m->graph->preds;
    for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
        if (!s->done[preds->item[i]])
            return false;
    return !s->done[v] && (!s->windows || hw_window_allows(s->windows, s->done, s->sim.steps, v));
}

/* live(S + v) - live(S), found by running v and taking it back. */
static wide net_change(slow *s, uint32_t v)
{
    uint64_t before = s->sim.live, peak = s->sim.peak;
    int64_t peak_step = s->sim.peak_step;
    (void)hw_sim_step(&s->sim, v);
    wide net = (wide)s->sim.live - (wide)before;
    hw_sim_undo(&s->sim, v, peak, peak_step);
    return net;
}

/* What the twins minimise; `tie` after it, then the position. */
typedef struct merit {
    wide first, second;
    uint32_t node;
} merit;

static bool precedes(merit a, merit b)
{
    if (a.first != b.first)
        return a.first < b.first;
    return a.second != b.second ? a.second < b.second : a.node < b.node;
}

/* The candidates of the rule, best first; returns how many. */
static uint32_t sort_candidates(slow *s, wide net_worth, wide path_worth, bool path_breaks_ties,
                                merit *sorted)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < s->m->n_nodes; v++) {
        if (!may_run(s, v))
            continue;
        merit c = {net_worth * net_change(s, v) - path_worth * s->path[v],
                   path_breaks_ties ? -(wide)s->path[v] : 0, v};
        uint32_t at = count++;
        for (; at && precedes(c, sorted[at - 1]); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = c;
    }
    return count;
}

static void slow_greedy(const hw_model *m, wide net_worth, wide path_worth, bool path_breaks_ties,
                        uint32_t *order)
{
    slow s;
    merit sorted[DRAFT_NODES];
    slow_open(&s, m);
    find_paths(&s, &m->graph->succs);
    for (uint32_t step = 0; step < m->n_nodes; step++) {
        assert_true(sort_candidates(&s, net_worth, path_worth, path_breaks_ties, sorted) > 0);
        order[step] = sorted[0].node;
        s.done[order[step]] = true;
        (void)hw_sim_step(&s.sim, order[step]);
    }
    slow_close(&s);
}

/* live of a down-set, from the model's definition. */
static uint64_t live_of(const hw_model *m, const bool *in)
{
    uint64_t live = m->live_empty;
    for (uint32_t v = 0; v < m->n_nodes; v++)
        live += in[v] ? m->new_bytes[v] - m->dead_bytes[v] : 0;
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        bool wanted = false;
        for (uint32_t i = m->users.offset[b]; i < m->users.offset[b + 1]; i++)
            wanted = wanted || !in[m->users.item[i]];
        live -= wanted ? 0 : m->buffer_size[b];
    }
    return live;
}

static void slow_reverse(const hw_model *m, uint32_t *order)
{
    slow s;
    bool in[DRAFT_NODES];
    const hw_rows *succs = &m->graph->succs;
    slow_open(&s, m);
    find_paths(&s, &m->graph->preds);
    for (uint32_t v = 0; v < m->n_nodes; v++)
        in[v] = true;
    for (uint32_t left = m->n_nodes; left-- > 0;) {
        merit best = {0, 0, HW_NONE};
        for (uint32_t v = m->n_nodes; v-- > 0;) {
            bool maximal = in[v];
            for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++)
                maximal = maximal && !in[succs->item[i]];
            if (!maximal)
                continue;
            wide before = (wide)live_of(m, in);
            in[v] = false;
            merit c = {(wide)live_of(m, in) - before, -(wide)s.path[v], m->n_nodes - 1 - v};
            in[v] = true;
            if (best.node == HW_NONE || precedes(c, best))
                best = c;
        }
        order[left] = m->n_nodes - 1 - best.node;
        in[order[left]] = false;
    }
    slow_close(&s);
}

typedef struct horizon {
    uint64_t live, usage;
} horizon;

static bool nearer(horizon a, horizon b)
{
    return a.live != b.live ? a.live < b.live : a.usage < b.usage;
}

/* The best horizon after `steps` more steps, of which the last is the best key. */
static horizon slow_look(slow *s, horizon now, uint32_t k, uint32_t steps, uint32_t *chosen)
{
    merit sorted[DRAFT_NODES];
    uint32_t count = sort_candidates(s, 1, 0, true, sorted);
    uint32_t tried = steps == 1 ? 1 : k;
    horizon best = {UINT64_MAX, UINT64_MAX};
    if (count == 0 || steps == 0)
        return now;
    for (uint32_t i = 0; i < tried && i < count; i++) {
        uint32_t v = sorted[i].node;
        uint64_t peak = s->sim.peak;
        int64_t peak_step = s->sim.peak_step;
        uint64_t usage = hw_sim_step(&s->sim, v);
        s->done[v] = true;
        horizon after = {s->sim.live, usage > now.usage ? usage : now.usage};
        after = slow_look(s, after, k, steps - 1, NULL);
        s->done[v] = false;
        hw_sim_undo(&s->sim, v, peak, peak_step);
        if (nearer(after, best)) {
            best = after;
            if (chosen)
                *chosen = v;
        }
    }
    return best;
}

static void slow_lookahead(const hw_model *m, uint32_t k, uint32_t depth, uint32_t *order)
{
    slow s;
    slow_open(&s, m);
    find_paths(&s, &m->graph->succs);
    for (uint32_t step = 0; step < m->n_nodes; step++) {
        (void)slow_look(&s, (horizon){0, 0}, k, depth + 1, &order[step]);
        s.done[order[step]] = true;
        (void)hw_sim_step(&s.sim, order[step]);
    }
    slow_close(&s);
}

static void expect_order(const hw_model *m, const char *spec, const uint32_t *order)
{
    hw_answer answer = test_solve(m, spec);
    assert_true(answer.has_order);
    for (uint32_t i = 0; i < m->n_nodes; i++)
        if (answer.order[i] != order[i])
            fail_msg("%s: step %u runs node %u, its slow twin %u", spec, i, answer.order[i],
                     order[i]);
    hw_answer_clear(&answer);
}

/* Call visit on legal models of random graphs, both accountings, some pinned. */
static void each_model(uint64_t graphs, uint64_t n_most, unsigned features,
                       void (*visit)(const hw_model *m))
{
    for (uint64_t seed = 0; seed < graphs; seed++) {
        uint64_t state = seed * 2 + 1;
        size_t n = 1 + draft_below(&state, n_most);
        hw_graph *g = draft_graph(seed, n, seed % 2 ? DRAW_PLAIN | DRAW_ZERO : features);
        assert_non_null(g);
        for (int accounting = 0; accounting < 2; accounting++) {
            hw_model *m = test_model(g, (hw_accounting)accounting, seed % 5 == 0);
            if (m && m->legal)
                visit(m);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

static void check_greedy(const hw_model *m)
{
    uint32_t order[DRAFT_NODES];
    slow_greedy(m, 1, 0, true, order);
    expect_order(m, "greedy", order);
}

static void greedy_is_its_twin(void **state)
{
    (void)state;
    each_model(20000, 30, DRAW_RICH, check_greedy);
    each_model(4000, 16, DRAW_ALL, check_greedy);
}

static void check_reverse(const hw_model *m)
{
    uint32_t order[DRAFT_NODES];
    slow_reverse(m, order);
    expect_order(m, "greedy-reverse", order);
}

static void greedy_reverse_is_its_twin(void **state)
{
    (void)state;
    each_model(15000, 24, DRAW_RICH, check_reverse);
}

static void check_lookahead(const hw_model *m)
{
    static const struct {
        const char *spec;
        uint32_t k, depth;
    } cases[] = {{"lookahead", 3, 1},
                 {"lookahead:k=1", 1, 1},
                 {"lookahead:k=2", 2, 1},
                 {"lookahead:k=3,depth=2", 3, 2},
                 {"lookahead:k=2,depth=3", 2, 3},
                 {"lookahead:k=64", 64, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t order[DRAFT_NODES];
        slow_lookahead(m, cases[i].k, cases[i].depth, order);
        expect_order(m, cases[i].spec, order);
    }
}

static void lookahead_is_its_twin(void **state)
{
    (void)state;
    each_model(4000, 14, DRAW_RICH, check_lookahead);
    each_model(2000, 10, DRAW_ALL, check_lookahead);
}

/* As the solver's head defines it: N, P and the worth of a node of path. */
static void check_mixed(const hw_model *m)
{
    slow s;
    uint32_t order[DRAFT_NODES];
    wide n = 1, p = 1;
    slow_open(&s, m);
    find_paths(&s, &m->graph->succs);
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        wide grows = (wide)(m->new_bytes[v] - m->dead_bytes[v]), frees = 0;
        for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++)
            frees += m->buffer_size[m->uses.item[i]];
        n = grows > n ? grows : n;
        n = frees > n ? frees : n;
        p = s.path[v] > p ? s.path[v] : p;
    }
    slow_close(&s);
    for (wide weight = 0; weight <= 1000; weight += 125) {
        char spec[64];
        (void)snprintf(spec, sizeof spec, "greedy-mixed:weight=0.%03d", (int)weight);
        slow_greedy(m, weight << 20, ((1000 - weight) << 20) * n / p, false, order);
        expect_order(m, weight == 1000 ? "greedy-mixed:weight=1" : spec, order);
    }
}

static void greedy_mixed_is_its_twin(void **state)
{
    (void)state;
    each_model(2000, 24, DRAW_RICH, check_mixed);
    each_model(1000, 12, DRAW_ALL, check_mixed);
}

/* Sizes near the limit: the same graph with all sizes times a factor. */
static void huge_sizes_order_alike(void **state)
{
    (void)state;
    static const char *const specs[] = {"greedy", "greedy-reverse", "by-output", "lookahead:k=5",
                                        "greedy-listing"};
    uint64_t past_signed = 0;
    for (uint64_t seed = 0; seed < FEWER(600); seed++) {
        hw_graph *small, *huge;
        uint64_t sum = 0, most = 1;
        draft *d = draft_random(seed, 2 + seed % 20, DRAW_OUTPUTS | DRAW_DEAD | DRAW_CONTROL);
        assert_non_null(d);
        assert_int_equal(draft_build(d, &small, NULL), HW_OK);
        for (size_t t = 0; t < d->n_tensors; t++) {
            sum += d->tensor[t].size;
            most = d->tensor[t].size > most ? d->tensor[t].size : most;
        }
        uint64_t factor = UINT64_MAX / (sum + 1);
        if (factor > (uint64_t)INT64_MAX / most)
            factor = (uint64_t)INT64_MAX / most;
        for (size_t t = 0; t < d->n_tensors; t++)
            d->tensor[t].size *= factor;
        assert_int_equal(draft_build(d, &huge, NULL), HW_OK);
        hw_model *a = test_model(small, HW_ALLOC_FIRST, false);
        hw_model *b = test_model(huge, HW_ALLOC_FIRST, false);
        for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
            hw_answer answer = test_solve(a, specs[i]);
            if (answer.has_order)
                expect_order(b, specs[i], answer.order);
            past_signed += answer.has_order && answer.peak > INT64_MAX / factor;
            hw_answer_clear(&answer);
        }
        hw_model_free(a);
        hw_model_free(b);
        hw_graph_free(small);
        hw_graph_free(huge);
        free(d);
    }
    assert_true(past_signed > 100);
}

/* The article's section 3.1: P (-400) goes before Q (+150). */
static void article_example(void **state)
{
    (void)state;
    hw_graph *g;
    assert_int_equal(hw_graph_load("tests/cases/article-two-candidates.json", &g, NULL), HW_OK);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    expect_order(m, "greedy", (const uint32_t[]){1, 0});
    expect_order(m, "greedy-mixed:weight=0.9", (const uint32_t[]){1, 0});
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_is_its_twin),     cmocka_unit_test(greedy_reverse_is_its_twin),
        cmocka_unit_test(lookahead_is_its_twin),  cmocka_unit_test(greedy_mixed_is_its_twin),
        cmocka_unit_test(huge_sizes_order_alike), cmocka_unit_test(article_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
