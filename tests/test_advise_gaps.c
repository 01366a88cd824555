/*
 * What dropping a storage leaves, against a small simulator that works from the
 * definitions alone (support_stays.h).
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
#include "tests/support_lines.h"
#include "tests/support_models.h"
#include "tests/support_solve.h"
#include "tests/support_stays.h"
#include "support_sanitized.h"

/* ---- The gaps of an order, one by one and together. ---- */

typedef struct counts {
    uint32_t models, gaps, useful, several, sets, stuck, unborn, ends, in_place, before;
} counts;

/* All gaps over a step of the peak, counted from the touches. */
static size_t defined_gaps(const stays_world *w, const hw_log *log)
{
    int64_t at[STAYS_STEPS + 2];
    size_t found = 0;
    for (uint32_t s = 0; s < w->g->n_storages; s++) {
        size_t count = stays_touches(w, s, at);
        bool given = stays_hold(w, s, HW_INPUT);
        if (w->g->tensor_kind[w->g->storage_root[s]] == HW_CONSTANT || (given && w->m->pin_inputs))
            continue;
        for (size_t i = 1; i < count; i++) {
            bool over = at[i - 1] < 0 && log->live_empty == log->peak;
            /* free-first: what step at[i - 1] reads is gone before it is measured */
            bool frees = w->m->accounting == HW_FREE_FIRST && i > 1;
            for (int64_t k = at[i - 1] + !frees; k < at[i]; k++)
                over = over || log->usage[k] == log->peak;
            found += over;
        }
    }
    return found;
}

static void check_gaps(stays_world *w, const hw_gaps *gaps, uint64_t *state, counts *c)
{
    uint32_t chosen[STAYS_MOST];
    uint64_t peak;
    assert_int_equal(gaps->n_gaps, defined_gaps(w, gaps->log));
    for (uint32_t i = 0; i < gaps->n_gaps; i++) {
        const hw_gap *gap = &gaps->gap[i];
        assert_int_equal(gap->peak, stays_peak_without(w, gaps, &i, 1));
        assert_int_equal(hw_gaps_peak(gaps, &i, 1, &peak, NULL), HW_OK);
        assert_int_equal(peak, gap->peak);
        c->useful += gap->peak < gaps->log->peak;
        c->unborn += gap->unborn;
        c->ends += gap->to == w->n;
    }
    for (int draw = 0; draw < 4; draw++) {
        size_t n = 0;
        for (uint32_t i = 0; i < gaps->n_gaps; i++)
            if (draft_below(state, 2))
                chosen[n++] = i;
        assert_int_equal(hw_gaps_peak(gaps, chosen, n, &peak, NULL), HW_OK);
        assert_int_equal(peak, stays_peak_without(w, gaps, chosen, n));
        c->several += n > 1;
    }
    c->gaps += (uint32_t)gaps->n_gaps;
}

/* ---- Sets that lower every step of the peak. ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What a gap takes off each step of the peak that it covers. */
static uint64_t saving(const hw_gaps *gaps, const hw_gap *gap)
{
    const hw_log *log = gaps->log;
    uint64_t back = gap->to > 0 ? log->live[gap->to - 1] : log->live_empty;
    return least(gap->size, least(log->peak - gaps->next_usage, log->peak - back));
}

/* By trying all sets: the greatest least saving, and the fewest gaps that have it. */
static bool defined_cover(const hw_gaps *gaps, uint64_t *most, uint32_t *fewest)
{
    bool any = false;
    for (uint32_t set = 1; set < UINT32_C(1) << gaps->n_gaps; set++) {
        uint64_t smallest = UINT64_MAX;
        uint32_t n = 0;
        bool all = true;
        for (uint32_t i = 0; i < gaps->n_gaps; i++)
            if (set >> i & 1) {
                smallest = least(smallest, saving(gaps, &gaps->gap[i]));
                n++;
            }
        for (size_t k = 0; k < gaps->n_peak_steps && all; k++) {
            bool covered = false;
            for (uint32_t i = 0; i < gaps->n_gaps; i++)
                covered =
                    covered || ((set >> i & 1) && hw_gap_covers(&gaps->gap[i], gaps->peak_step[k]));
            all = covered;
        }
        if (!all || smallest == 0)
            continue;
        if (!any || smallest > *most || (smallest == *most && n < *fewest)) {
            *most = smallest;
            *fewest = n;
        }
        any = true;
    }
    return any;
}

static void check_cover(const hw_gaps *gaps, counts *c)
{
    uint32_t chosen[STAYS_STEPS + 1], fewest = 0;
    uint64_t most = 0, smallest = UINT64_MAX, peak;
    size_t n;
    int64_t stuck;
    assert_int_equal(hw_gaps_cover(gaps, chosen, &n, &stuck, NULL), HW_OK);
    if (gaps->n_gaps > 12)
        return;
    bool any = defined_cover(gaps, &most, &fewest);
    c->stuck += n == 0;
    assert_true(n > 0 || !any);
    assert_true(n <= 1 || any); /* one may lower the step where it begins, by an in-place pair */
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        smallest = least(smallest, saving(gaps, &gaps->gap[chosen[i]]));
    assert_int_equal(hw_gaps_peak(gaps, chosen, n, &peak, NULL), HW_OK);
    assert_true(peak < gaps->log->peak);
    for (size_t i = 0; i < gaps->n_gaps; i++)
        assert_true(peak <= gaps->gap[i].peak);
    if (n > 1) {
        assert_int_equal(n, fewest);
        assert_int_equal(smallest, most);
    }
    for (size_t k = 0; k < gaps->n_peak_steps && n > 1; k++) {
        bool covered = false;
        for (size_t i = 0; i < n; i++)
            covered = covered || hw_gap_covers(&gaps->gap[chosen[i]], gaps->peak_step[k]);
        assert_true(covered);
    }
    c->sets += n > 1;
}

/* ---- What is held at the peak. ---- */

static void check_held(stays_world *w, const hw_gaps *gaps, counts *c)
{
    hw_held *held;
    size_t n, idle = 0;
    uint64_t bytes = 0, before = 0;
    const hw_log *log = gaps->log;
    assert_int_equal(hw_held_find(gaps, &held, &n, NULL), HW_OK);
    for (size_t i = 0; i < n; i++) {
        const hw_held *h = &held[i];
        bytes += h->life->size;
        assert_true(h->dropped >= before && h->dropped <= log->peak);
        before = h->dropped;
        if (!h->gap) {
            bool used = log->peak_step >= 0 &&
                        stays_touch(w, log->peak_step, w->g->tensor_storage[h->life->tensor]);
            assert_true(h->state == HW_HELD_PINNED ? !used : used);
            continue;
        }
        idle++;
        uint32_t index = (uint32_t)(h->gap - gaps->gap);
        assert_true(hw_gap_covers(h->gap, log->peak_step));
        assert_int_equal(h->dropped, stays_peak_without(w, gaps, &index, 1));
        assert_int_equal(h->moved_bytes, h->gap->unborn ? h->life->size : 2 * h->life->size);
    }
    /* the peak is what is held there, and workspace, less what is overwritten */
    uint64_t around = log->peak_step < 0 ? 0 : hw_node_workspace(w->g, log->order[log->peak_step]);
    assert_true(bytes + around >= log->peak);
    c->in_place += bytes + around > log->peak;
    c->before += log->peak_step < 0;
    size_t over = 0;
    for (size_t i = 0; i < gaps->n_gaps; i++)
        over += hw_gap_covers(&gaps->gap[i], log->peak_step);
    assert_int_equal(idle, over);
    hw_held_free(held, n);
}

static counts seen;

static uint64_t random_state = 20;

static void visit(const hw_model *m)
{
    uint32_t order[DRAFT_NODES];
    stays_world w = {.g = m->graph, .m = m, .order = order, .n = m->n_nodes};
    for (int draw = 0; draw < 2; draw++) {
        hw_log *log;
        hw_gaps gaps;
        assert_true(draft_order(m, &random_state, order));
        assert_int_equal(hw_log_new(m, order, false, &log, NULL), HW_OK);
        assert_int_equal(hw_gaps_find(log, &gaps, NULL), HW_OK);
        assert_int_equal(stays_peak_without(&w, &gaps, NULL, 0), log->peak);
        check_gaps(&w, &gaps, &random_state, &seen);
        check_cover(&gaps, &seen);
        check_held(&w, &gaps, &seen);
        hw_gaps_clear(&gaps);
        hw_log_free(log);
    }
    seen.models++;
}

static void gaps_of_random_graphs(void **unused)
{
    (void)unused;
    each_model(1200, 14, DRAW_ALL, visit);
    print_message("%u models, %u gaps, %u useful, %u several, %u sets, %u stuck, %u unborn, %u to "
                  "the end, %u in-place, %u before step 0\n",
                  seen.models, seen.gaps, seen.useful, seen.several, seen.sets, seen.stuck,
                  seen.unborn, seen.ends, seen.in_place, seen.before);
    assert_true(seen.models > FEWER(1000) && seen.gaps > FEWER(1000));
    assert_true(seen.useful > FEWER(200) && seen.several > FEWER(200));
    assert_true(seen.stuck > 20 && seen.unborn > 50 && seen.ends > 50);
    assert_true(seen.in_place > FEWER(80) && seen.before > FEWER(40));
}

/* Sizes all alike, so that many steps reach the peak. */
static void steps_that_reach_the_peak(void **unused)
{
    (void)unused;
    memset(&seen, 0, sizeof seen);
    for (uint64_t seed = 0; seed < 1500; seed++) {
        draft *d = draft_random(seed, 6 + seed % 12, DRAW_OUTPUTS | DRAW_INPLACE);
        hw_graph *g;
        assert_non_null(d);
        for (size_t t = 0; t < d->n_tensors; t++)
            d->tensor[t].size = 1 + seed % 3 * (t % 2);
        for (size_t v = 0; v < d->n_nodes; v++)
            d->node[v].workspace = 0;
        assert_int_equal(draft_build(d, &g, NULL), HW_OK);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), false);
        visit(m);
        hw_model_free(m);
        hw_graph_free(g);
        free(d);
    }
    print_message("%u sets, %u stuck\n", seen.sets, seen.stuck);
    assert_true(seen.sets > 30 && seen.stuck > 50);
}

/* A small tensor is idle on both hills, a large one on each: the large ones save more. */
static void a_set_of_the_large_ones(void **unused)
{
    (void)unused;
    const uint32_t order[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    hw_graph *g = lines_graph("t 0 5 a; t 1 30 a; t 2 20 a; t 3 20 a; t 4 0 a; t 5 30 a; t 6 20 a;"
                              "t 7 20 a; t 8 0 o; v 0 - > 0; v 1 - > 1; v 2 - > 2; v 3 2 > 3;"
                              "v 4 1,3 > 4; v 5 - > 5; v 6 - > 6; v 7 6 > 7; v 8 0,4,5,7 > 8");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_log *log;
    hw_gaps gaps;
    uint32_t chosen[2];
    size_t n;
    int64_t stuck;
    uint64_t peak;
    assert_int_equal(hw_log_new(m, order, false, &log, NULL), HW_OK);
    assert_int_equal(hw_gaps_find(log, &gaps, NULL), HW_OK);
    assert_true(log->peak == 75 && gaps.n_peak_steps == 2 && gaps.next_usage == 55);
    assert_int_equal(hw_gaps_cover(&gaps, chosen, &n, &stuck, NULL), HW_OK);
    assert_int_equal(n, 2);
    assert_int_equal(hw_gaps_peak(&gaps, chosen, n, &peak, NULL), HW_OK);
    assert_int_equal(peak, 55);
    hw_gaps_clear(&gaps);
    hw_log_free(log);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gaps_of_random_graphs),
                                       cmocka_unit_test(steps_that_reach_the_peak),
                                       cmocka_unit_test(a_set_of_the_large_ones)};
    return cmocka_run_group_tests_name("advise_gaps", tests, NULL, NULL) != 0;
}
