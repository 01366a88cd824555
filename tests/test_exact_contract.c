/*
 * Contraction against the definitions: on random graphs full of chains the
 * contracted piece has the least peak of the graph, each of its orders has the
 * peak of the order that it stands for, and the search with all rules agrees.
 *
 * HW_CONTRACT_GRAPHS sets how many graphs are drawn, HW_CONTRACT_SEED where
 * they begin.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/sim.h"
#include "solvers/exact_contract.h"
#include "support_draft.h"
#include "support_exact.h"
#include "support_piece.h"
#include "support_random.h"
#include "support_sanitized.h"

enum { MOST = 10 };

/* A random order of the contracted piece and the one that it stands for. */
static void check_order(const hw_model *m, const exact_problem *p, const exact_contraction *c,
                        uint64_t *state)
{
    const exact_problem *q = c->small;
    uint32_t order[MOST], expanded[MOST], set = 0;
    uint64_t peak = q->live_start, usage, expected;
    for (uint32_t i = 0; i < q->n; i++) {
        uint32_t v = (uint32_t)draft_below(state, q->n);
        while (!piece_ready(q, set, v))
            v = (v + 1) % q->n;
        usage = piece_usage(q, set, v);
        peak = usage > peak ? usage : peak;
        set |= UINT32_C(1) << v;
        order[i] = v;
    }
    exact_contract_expand(c, order, expanded);
    for (uint32_t i = 0; i < p->n; i++)
        expanded[i] = p->node[expanded[i]];
    assert_int_equal(hw_peak(m, expanded, &expected, NULL), HW_OK);
    assert_true(peak == expected);
}

typedef struct tally {
    uint64_t models, contracted, nodes, left;
} tally;

static void check_model(const hw_model *m, uint64_t optimum, uint64_t *state, tally *t)
{
    exact_problem *p = piece_of_all(m);
    exact_contraction c;
    assert_int_equal(exact_contract(p, &c, NULL), HW_OK);
    t->models++;
    t->nodes += p->n;
    t->left += c.small ? c.small->n : p->n;
    t->contracted += c.small != NULL;
    if (c.small) {
        assert_true(c.small->n < p->n && c.small->live_start == p->live_start &&
                    c.small->live_end == p->live_end);
        uint64_t got = piece_least_peak(c.small);
        if (got != optimum)
            fail_msg("%u nodes of %u: %llu in place of %llu", c.small->n, p->n,
                     (unsigned long long)got, (unsigned long long)optimum);
        check_order(m, p, &c, state);
        check_order(m, p, &c, state);
        for (int reverse = 0; reverse < 2; reverse++) {
            assert_true(piece_decide(c.small, NULL, reverse, optimum, state));
            assert_false(optimum && piece_decide(c.small, NULL, reverse, optimum - 1, state));
        }
    }
    exact_contract_free(&c);
    exact_problem_free(p);
}

/* ---- Random graphs ---- */

/* Put a new node between an input of a node and the node. */
static void stretch(draft *d, uint64_t *state, unsigned features)
{
    draft_node *node = &d->node[draft_below(state, d->n_nodes)];
    if (node->n_inputs == 0 || node->n_pairs || node->view || d->n_tensors == DRAFT_TENSORS)
        return;
    draft_node *made = &d->node[d->n_nodes];
    uint64_t *input = &node->input[draft_below(state, node->n_inputs)];
    *made = (draft_node){.id = d->n_nodes, .n_inputs = 1, .n_outputs = 1};
    made->input[0] = *input;
    made->output[0] = d->n_tensors;
    if ((features & DRAW_WORKSPACE) && draft_below(state, 3) == 0)
        made->workspace = draft_below(state, 120);
    if ((features & DRAW_INPLACE) && draft_below(state, 2) == 0) {
        made->n_pairs = 1;
        made->pair[0] = *input;
        made->pair[1] = made->output[0];
    }
    uint64_t size = draft_below(state, 3) ? 1 + draft_below(state, 100) : d->tensor[*input].size;
    d->tensor[d->n_tensors] = (draft_tensor){d->n_tensors, size, HW_ACTIVATION};
    *input = d->n_tensors++;
    d->n_nodes++;
}

static hw_graph *draw(uint64_t seed, uint64_t *state)
{
    unsigned features = (unsigned)draft_u64(state) & DRAW_RICH &
                        ~(unsigned)(DRAW_IDS | DRAW_SHUFFLED | DRAW_REPEATS);
    hw_graph *g = NULL;
    draft *d = draft_random(seed, 1 + (size_t)draft_below(state, 7), features);
    assert_non_null(d);
    for (uint64_t i = draft_below(state, 8); i > 0 && d->n_nodes < MOST; i--) {
        draft *before = malloc(sizeof *before);
        assert_non_null(before);
        *before = *d;
        stretch(d, state, features);
        if (draft_build(d, &g, NULL) != HW_OK)
            *d = *before; /* an in-place pair on what must stay */
        hw_graph_free(g);
        g = NULL;
        free(before);
    }
    assert_int_equal(draft_build(d, &g, NULL), HW_OK);
    free(d);
    return g;
}

static void contraction_keeps_the_optimum(void **unused)
{
    (void)unused;
    uint64_t graphs = environment_number("HW_CONTRACT_GRAPHS", FEWER(3000));
    uint64_t seed = environment_number("HW_CONTRACT_SEED", 1);
    tally t = {0};
    for (uint64_t i = seed; i < seed + graphs; i++) {
        uint64_t state = i * 1000003;
        hw_graph *g = draw(i, &state);
        bool pin = draft_below(&state, 5) == 0;
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m;
            if (hw_model_new(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin, &m, NULL) !=
                HW_OK)
                continue; /* a must-in-place pair on a pinned input */
            check_model(m, defined_optimum(g, free_first, pin), &state, &t);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    print_message("%llu models, %llu contracted, %llu of %llu nodes left\n",
                  (unsigned long long)t.models, (unsigned long long)t.contracted,
                  (unsigned long long)t.left, (unsigned long long)t.nodes);
    assert_true(t.models >= graphs && t.contracted * 3 > t.models * 2 && t.left * 4 < t.nodes * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contraction_keeps_the_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
