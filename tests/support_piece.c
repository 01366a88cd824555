/* Pieces by their definitions.  See support_piece.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support_piece.h"

#include <stdlib.h>
#include <string.h>

#include "support_draft.h"

exact_problem *piece_of_all(const hw_model *m)
{
    exact_map map;
    exact_problem *p;
    uint32_t *order = malloc(((size_t)m->n_nodes + 1) * sizeof *order);
    assert_non_null(order);
    assert_int_equal(hw_graph_level_order(m->graph, order, NULL), HW_OK);
    assert_int_equal(exact_map_init(&map, m, NULL), HW_OK);
    assert_int_equal(exact_problem_new(m, order, 0, m->n_nodes, m->live_empty, 0, &map, &p, NULL),
                     HW_OK);
    exact_map_free(&map);
    free(order);
    return p;
}

static uint32_t users_of(const exact_problem *p, uint32_t b)
{
    uint32_t set = 0;
    for (uint32_t v = 0; v < p->n; v++)
        for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++)
            if (p->uses.item[k] == b)
                set |= UINT32_C(1) << v;
    return set;
}

uint64_t piece_live(const exact_problem *p, uint32_t set)
{
    uint64_t live = p->live_start;
    for (uint32_t v = 0; v < p->n; v++)
        if (set >> v & 1)
            live += p->new_bytes[v] - p->dead_bytes[v];
    for (uint32_t b = 0; b < p->n_buffers; b++)
        if ((users_of(p, b) & ~set) == 0)
            live -= p->size[b];
    return live;
}

/* The most that pairs from k on save, with the buffers and outputs taken so far. */
static uint64_t best_reuse(const exact_problem *p, uint32_t v, uint32_t set, uint32_t k,
                           uint64_t buffers, uint32_t *outputs, uint32_t n_outputs)
{
    if (!p->reuse_offset || k == p->reuse_offset[v + 1])
        return 0;
    uint64_t best = best_reuse(p, v, set, k + 1, buffers, outputs, n_outputs);
    const hw_weighted_pair *pair = &p->reuse_pair[k];
    bool good =
        (users_of(p, pair->left) & ~set) == UINT32_C(1) << v && !(buffers >> pair->left & 1);
    for (uint32_t i = 0; i < n_outputs; i++)
        good = good && outputs[i] != pair->right;
    if (good) {
        outputs[n_outputs] = pair->right;
        uint64_t with =
            pair->weight + best_reuse(p, v, set, k + 1, buffers | UINT64_C(1) << pair->left,
                                      outputs, n_outputs + 1);
        best = with > best ? with : best;
    }
    return best;
}

uint64_t piece_usage(const exact_problem *p, uint32_t set, uint32_t v)
{
    uint32_t outputs[DRAFT_PAIRS + 1];
    if (p->free_first)
        return piece_live(p, set | UINT32_C(1) << v) + p->dead_bytes[v] + p->workspace[v];
    return piece_live(p, set) + p->new_bytes[v] + p->workspace[v] -
           best_reuse(p, v, set, p->reuse_offset ? p->reuse_offset[v] : 0, 0, outputs, 0);
}

bool piece_ready(const exact_problem *p, uint32_t set, uint32_t v)
{
    bool ready = !(set >> v & 1);
    for (uint32_t k = p->preds.offset[v]; k < p->preds.offset[v + 1]; k++)
        ready = ready && set >> p->preds.item[k] & 1;
    return ready;
}

void piece_needs(const exact_problem *p, uint64_t *needs)
{
    uint32_t sets = UINT32_C(1) << p->n;
    memset(needs, 0xff, sets * sizeof *needs);
    needs[sets - 1] = piece_live(p, sets - 1);
    for (uint32_t set = sets - 1; set-- > 0;)
        for (uint32_t v = 0; v < p->n; v++) {
            if (!piece_ready(p, set, v))
                continue;
            uint64_t usage = piece_usage(p, set, v), rest = needs[set | UINT32_C(1) << v];
            usage = usage > rest ? usage : rest;
            needs[set] = usage < needs[set] ? usage : needs[set];
        }
}

uint64_t piece_least_peak(const exact_problem *p)
{
    uint64_t *needs = malloc((size_t)8 << p->n);
    if (!needs)
        abort();
    piece_needs(p, needs);
    uint64_t peak = needs[0] > p->live_start ? needs[0] : p->live_start;
    free(needs);
    return peak;
}

bool piece_decide(const exact_problem *p, const exact_images *images, bool reverse, uint64_t budget,
                  uint64_t *state)
{
    exact_engine e;
    hw_request request = {0};
    hw_meter meter;
    uint64_t bits = draft_below(state, 2) ? 31 : draft_below(state, 32);
    exact_rules rules = {bits & 1, bits & 2, bits & 4, bits & 8, bits & 16};
    hw_meter_start(&meter, &request);
    if (exact_engine_init(&e, p, reverse, &rules, 0, NULL) != HW_OK)
        abort();
    e.images = images;
    exact_outcome outcome = exact_engine_run(&e, budget, UINT64_MAX / 2, &meter);
    exact_engine_free(&e);
    if (outcome != EXACT_FOUND && outcome != EXACT_NONE)
        abort();
    return outcome == EXACT_FOUND;
}
