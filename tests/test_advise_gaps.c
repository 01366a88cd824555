/*
 * What dropping a storage leaves, against a small simulator that works from the
 * definitions alone: every storage is a list of stays, each from a step to a step.
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
#include "support_sanitized.h"

enum { MOST = 64, STAYS = 1024 };

/* In memory from the moment that step `first` needs it; freed after step `last`. */
typedef struct stay {
    uint32_t root;
    int64_t first, last;
    bool back; /* brought back right before step `first`, not made by it */
} stay;

typedef struct world {
    const hw_graph *g;
    const hw_model *m;
    const uint32_t *order;
    int64_t n;
    stay stay[STAYS];
    size_t n_stays;
    bool again; /* the order has one node twice, see lay_again() */
} world;

static bool touches(const world *w, int64_t step, uint32_t storage)
{
    const hw_graph *g = w->g;
    uint32_t v = w->order[step];
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        if (g->tensor_storage[g->inputs.item[i]] == storage)
            return true;
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
        if (g->storage_root[storage] == g->outputs.item[i])
            return true;
    return false;
}

static bool holds(const world *w, uint32_t storage, hw_kind kind)
{
    for (uint32_t t = 0; t < w->g->n_tensors; t++)
        if (w->g->tensor_storage[t] == storage && w->g->tensor_kind[t] == kind)
            return true;
    return false;
}

static bool to_end(const world *w, uint32_t storage)
{
    return holds(w, storage, HW_OUTPUT) || (w->m->pin_inputs && holds(w, storage, HW_INPUT));
}

/* The steps that touch a storage, -1 for one that is given, n for one that is kept. */
static size_t touched(const world *w, uint32_t storage, int64_t *at)
{
    size_t n = 0;
    if (holds(w, storage, HW_INPUT))
        at[n++] = -1;
    for (int64_t i = 0; i < w->n; i++)
        if (touches(w, i, storage))
            at[n++] = i;
    if (to_end(w, storage))
        at[n++] = w->n;
    return n;
}

/* A gap of the list that begins at that touch of the storage. */
static bool is_dropped(const hw_gaps *gaps, const uint32_t *chosen, size_t n, uint32_t root,
                       int64_t from)
{
    for (size_t i = 0; i < n; i++) {
        const hw_gap *gap = &gaps->gap[chosen[i]];
        if (gaps->log->life[gap->life].tensor == root && gap->from == from)
            return true;
    }
    return false;
}

static void lay_stays(world *w, const hw_gaps *gaps, const uint32_t *chosen, size_t n)
{
    int64_t at[MOST + 2];
    w->n_stays = 0;
    for (uint32_t s = 0; s < w->g->n_storages; s++) {
        uint32_t root = w->g->storage_root[s];
        size_t count = touched(w, s, at);
        if (w->g->tensor_kind[root] == HW_CONSTANT || count == 0 ||
            (count == 1 && at[0] == -1)) /* an input that nobody wants */
            continue;
        stay now = {root, at[0], at[0], false};
        bool never = false; /* an input that is given late */
        for (size_t i = 1; i < count; i++) {
            if (is_dropped(gaps, chosen, n, root, at[i - 1])) {
                never = at[i - 1] == -1;
                if (!never)
                    w->stay[w->n_stays++] = now;
                now = (stay){root, at[i], at[i], true};
            }
            now.last = at[i];
        }
        w->stay[w->n_stays++] = now;
    }
}

/* ---- Usage of a step. ---- */

static bool may_be_overwritten(const world *w, uint32_t storage)
{
    /* of what is made twice only the second, which is kept, is the output */
    return (w->again || !holds(w, storage, HW_OUTPUT)) && !holds(w, storage, HW_CONSTANT) &&
           !(w->m->pin_inputs && holds(w, storage, HW_INPUT));
}

static bool ends_at(const world *w, uint32_t storage, int64_t step)
{
    for (size_t i = 0; i < w->n_stays; i++)
        if (w->g->tensor_storage[w->stay[i].root] == storage && w->stay[i].last == step)
            return true;
    return false;
}

/* The most that pairs from number `pair` on save, with storages and outputs already taken. */
static uint64_t best_pairs(const world *w, int64_t step, uint32_t pair, bool *taken)
{
    const hw_graph *g = w->g;
    uint32_t v = w->order[step];
    if (!g->inplace_offset || pair == g->inplace_offset[v + 1])
        return 0;
    uint64_t best = best_pairs(w, step, pair + 1, taken);
    hw_inplace_pair p = g->inplace_pair[pair];
    uint32_t in = g->storage_root[g->tensor_storage[p.input]];
    if (taken[in] || taken[p.output] || !may_be_overwritten(w, g->tensor_storage[in]) ||
        !ends_at(w, g->tensor_storage[in], step))
        return best;
    taken[in] = taken[p.output] = true;
    uint64_t size = g->tensor_size[in] < g->tensor_size[p.output] ? g->tensor_size[in]
                                                                  : g->tensor_size[p.output];
    uint64_t with = size + best_pairs(w, step, pair + 1, taken);
    taken[in] = taken[p.output] = false;
    return with > best ? with : best;
}

/* After step `step` and, with_back, with what is brought back for the next one. */
static uint64_t live_after(const world *w, int64_t step, bool with_back)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < w->n_stays; i++) {
        const stay *s = &w->stay[i];
        if (s->last <= step)
            continue;
        if (s->first <= step || (with_back && s->back && s->first == step + 1))
            sum += w->g->tensor_size[s->root];
    }
    return sum;
}

static uint64_t usage_of(const world *w, int64_t step)
{
    bool taken[DRAFT_TENSORS] = {false};
    uint32_t v = w->order[step];
    uint64_t sum = hw_node_workspace(w->g, v);
    for (size_t i = 0; i < w->n_stays; i++) {
        const stay *s = &w->stay[i];
        bool there = s->first <= step && step <= s->last;
        bool made = s->first == step && !s->back;
        if (w->m->accounting == HW_FREE_FIRST)
            there = there && (s->last > step || made);
        if (there)
            sum += w->g->tensor_size[s->root];
    }
    if (w->m->accounting == HW_ALLOC_FIRST)
        sum -= best_pairs(w, step, w->g->inplace_offset ? w->g->inplace_offset[v] : 0, taken);
    return sum;
}

static uint64_t peak_of_stays(const world *w)
{
    uint64_t peak = live_after(w, -1, true);
    for (int64_t i = 0; i < w->n; i++) {
        uint64_t usage = usage_of(w, i), back = live_after(w, i, true);
        peak = usage > peak ? usage : peak;
        peak = back > peak ? back : peak;
    }
    return peak;
}

static uint64_t defined_peak(world *w, const hw_gaps *gaps, const uint32_t *chosen, size_t n)
{
    lay_stays(w, gaps, chosen, n);
    return peak_of_stays(w);
}

/* ---- The gaps of an order, one by one and together. ---- */

typedef struct counts {
    uint32_t models, gaps, useful, several, sets, stuck, unborn, ends, in_place, before;
} counts;

/* All gaps over a step of the peak, counted from the touches. */
static size_t defined_gaps(const world *w, const hw_log *log)
{
    int64_t at[MOST + 2];
    size_t found = 0;
    for (uint32_t s = 0; s < w->g->n_storages; s++) {
        size_t count = touched(w, s, at);
        bool given = holds(w, s, HW_INPUT);
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

static void check_gaps(world *w, const hw_gaps *gaps, uint64_t *state, counts *c)
{
    uint32_t chosen[STAYS];
    uint64_t peak;
    assert_int_equal(gaps->n_gaps, defined_gaps(w, gaps->log));
    for (uint32_t i = 0; i < gaps->n_gaps; i++) {
        const hw_gap *gap = &gaps->gap[i];
        assert_int_equal(gap->peak, defined_peak(w, gaps, &i, 1));
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
        assert_int_equal(peak, defined_peak(w, gaps, chosen, n));
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
    uint32_t chosen[MOST + 1], fewest = 0;
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

static void check_held(world *w, const hw_gaps *gaps, counts *c)
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
                        touches(w, log->peak_step, w->g->tensor_storage[h->life->tensor]);
            assert_true(h->state == HW_HELD_PINNED ? !used : used);
            continue;
        }
        idle++;
        uint32_t index = (uint32_t)(h->gap - gaps->gap);
        assert_true(hw_gap_covers(h->gap, log->peak_step));
        assert_int_equal(h->dropped, defined_peak(w, gaps, &index, 1));
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

/* ---- The maker of what is held runs again. ---- */

/* Step v runs once more right before step `to`, for what reads its results from there on. */
static void lay_again(world *w, uint32_t v, int64_t to)
{
    int64_t at[MOST + 2];
    w->n_stays = 0;
    w->again = true;
    for (uint32_t s = 0; s < w->g->n_storages; s++) {
        uint32_t root = w->g->storage_root[s];
        size_t count = touched(w, s, at);
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
    world w = {.g = m->graph, .m = m, .order = twice, .n = m->n_nodes + 1};
    memcpy(twice, order, (size_t)to * sizeof *order);
    twice[to] = v;
    memcpy(twice + to + 1, order + to, ((size_t)m->n_nodes - (size_t)to) * sizeof *order);
    lay_again(&w, v, to);
    return peak_of_stays(&w);
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

static counts seen;

static void visit(const hw_model *m)
{
    uint32_t order[DRAFT_NODES];
    world w = {.g = m->graph, .m = m, .order = order, .n = m->n_nodes};
    for (int draw = 0; draw < 2; draw++) {
        hw_log *log;
        hw_gaps gaps;
        assert_true(draft_order(m, &random_state, order));
        assert_int_equal(hw_log_new(m, order, false, &log, NULL), HW_OK);
        assert_int_equal(hw_gaps_find(log, &gaps, NULL), HW_OK);
        assert_int_equal(defined_peak(&w, &gaps, NULL, 0), log->peak);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_of_random_graphs), cmocka_unit_test(chains_of_random_graphs),
        cmocka_unit_test(steps_that_reach_the_peak), cmocka_unit_test(a_set_of_the_large_ones)};
    return cmocka_run_group_tests_name("advise_gaps", tests, NULL, NULL) != 0;
}
