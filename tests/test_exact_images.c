/*
 * Images of prefixes against the definitions: on random graphs with planted
 * twins, contracted or not, a prefix and its image need the same, and the
 * search that looks up images decides as the definitions do.
 *
 * HW_IMAGES_GRAPHS sets how many graphs are drawn, HW_IMAGES_SEED where they
 * begin.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "solve/solver.h"
#include "solvers/exact_contract.h"
#include "support_exact.h"
#include "support_generate.h"
#include "support_piece.h"
#include "support_proof.h"
#include "support_random.h"
#include "support_solve.h"
#include "support_twins.h"
#include "support_sanitized.h"

enum { MOST = 10 };

typedef struct tally {
    uint64_t pieces, with_maps, prefixes, moved;
} tally;

/* Prefixes, and backwards what was taken off. */
static void check_images(const exact_problem *p, const exact_images *images, tally *t)
{
    static uint64_t needs[1 << MOST];
    uint32_t all = (UINT32_C(1) << p->n) - 1;
    piece_needs(p, needs);
    for (uint32_t set = 0; set <= all; set++) {
        uint64_t image = set, scratch, again;
        bool moved = exact_images_settle(images, &image, &scratch);
        assert_true(moved == (image != set) && image <= all);
        again = image;
        assert_false(exact_images_settle(images, &again, &scratch));
        assert_true(needs[image] == needs[set] && needs[all & ~image] == needs[all & ~set]);
        if (needs[set] != UINT64_MAX)
            assert_true(piece_live(p, (uint32_t)image) == piece_live(p, set));
        t->prefixes++;
        t->moved += moved;
    }
}

static void check_piece(const exact_problem *p, uint64_t optimum, uint64_t *state, tally *t)
{
    exact_images images;
    assert_int_equal(exact_images_find(p, &images, NULL), HW_OK);
    t->pieces++;
    t->with_maps += images.n_maps > 0;
    if (images.n_maps)
        check_images(p, &images, t);
    for (int reverse = 0; images.n_maps && reverse < 2; reverse++) {
        assert_true(piece_decide(p, &images, reverse, optimum, state));
        assert_false(optimum && piece_decide(p, &images, reverse, optimum - 1, state));
    }
    exact_images_free(&images);
}

static void check_model(const hw_model *m, uint64_t optimum, uint64_t *state, tally *t)
{
    exact_problem *p = piece_of_all(m);
    exact_contraction c;
    check_piece(p, optimum, state, t);
    assert_int_equal(exact_contract(p, &c, NULL), HW_OK);
    if (c.small)
        check_piece(c.small, optimum, state, t);
    exact_contract_free(&c);
    exact_problem_free(p);
}

static void images_need_the_same(void **unused)
{
    (void)unused;
    uint64_t graphs = environment_number("HW_IMAGES_GRAPHS", FEWER(1500));
    uint64_t seed = environment_number("HW_IMAGES_SEED", 1);
    tally t = {0};
    for (uint64_t i = seed; i < seed + graphs; i++) {
        uint64_t state = i * 1000003;
        draft *d = draft_with_twins(i, MOST, (unsigned)draft_u64(&state) & DRAW_RICH);
        hw_graph *g = NULL;
        assert_non_null(d);
        assert_int_equal(draft_build(d, &g, NULL), HW_OK);
        bool pin = draft_below(&state, 5) == 0;
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin);
            if (m)
                check_model(m, defined_optimum(g, free_first, pin), &state, &t);
            hw_model_free(m);
        }
        hw_graph_free(g);
        free(d);
    }
    assert_true(t.pieces > graphs && t.with_maps * 3 > t.pieces && t.moved * 5 > t.prefixes);
}

static proof_files files;

/* The proof needs no symmetry: it holds whatever the search took as one. */
static void check_proof(const hw_graph *g, const hw_model *m)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_answer answer;
    size_t n;
    uint64_t bytes;
    assert_int_equal(hw_solver_parse("exact:direction=reverse,beam=0", &row, values, NULL), HW_OK);
    char *proof = proof_solve(m, values, (hw_request){0}, &answer, &n);
    assert_int_equal(answer.proof, HW_PROOF_COMPLETE);
    proof_write_graph(&files, g, HW_FORMAT_JSON);
    proof_write_order(&files, g, answer.order);
    proof_write_bytes(&files, proof, n);
    assert_int_equal(proof_check(&files, true, &bytes), PROOF_OPTIMUM);
    assert_true(bytes == answer.peak);
    free(proof);
    hw_answer_clear(&answer);
}

/*
 * Sources read two by two, every pair of them: all are alike, and the search
 * has to see that they are.
 */
static void alike_sources_are_taken_as_one(void **unused)
{
    (void)unused;
    enum { SOURCES = 10 };
    draft *d = calloc(1, sizeof *d);
    hw_graph *g;
    assert_non_null(d);
    for (uint64_t v = 0; v < SOURCES; v++) {
        d->tensor[v] = (draft_tensor){v, 3, HW_ACTIVATION};
        d->node[v] = (draft_node){.id = v, .output = {v}, .n_outputs = 1};
    }
    size_t n = SOURCES;
    for (uint64_t a = 0; a < SOURCES; a++)
        for (uint64_t b = 0; b < a; b++, n++) {
            d->tensor[n] = (draft_tensor){n, 1, HW_OUTPUT};
            d->node[n] = (draft_node){
                .id = n, .input = {a, b}, .n_inputs = 2, .output = {n}, .n_outputs = 1};
        }
    d->n_nodes = d->n_tensors = n;
    assert_int_equal(draft_build(d, &g, NULL), HW_OK);
    hw_model *m = test_model(g, HW_FREE_FIRST, false);
    hw_answer with = test_solve(m, "exact:direction=reverse,beam=0");
    hw_answer without = test_solve(m, "exact:direction=reverse,beam=0,symmetry=no");
    assert_int_equal(with.status, HW_OPTIMAL);
    assert_true(with.peak == without.peak && with.states * 2 < without.states);
    hw_answer_clear(&with);
    hw_answer_clear(&without);
    check_proof(g, m);
    hw_model_free(m);
    hw_graph_free(g);
    free(d);
}

/*
 * More maps than are kept: 300 nodes, all alike.  Those that were found first
 * make of any node one that comes before it.
 */
static void maps_end_at_their_limit(void **unused)
{
    (void)unused;
    enum { NODES = 300, MOST_MAPS = 256, WORDS = NODES / 64 + 1 };
    hw_graph *g = test_instance("chains:n=300,branches=300,join=no,low=5,high=5", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    exact_problem *p = piece_of_all(m);
    exact_images images;
    assert_int_equal(p->n, NODES);
    assert_int_equal(exact_images_find(p, &images, NULL), HW_OK);
    assert_int_equal(images.n_maps, MOST_MAPS);
    for (uint32_t v = 0; v < NODES; v++) {
        uint64_t set[WORDS] = {0}, scratch[WORDS];
        uint32_t members = 0;
        exact_add(set, v);
        bool moved = exact_images_settle(&images, set, scratch);
        for (uint32_t k = 0; k < NODES; k++)
            members += exact_has(set, k);
        assert_int_equal(members, 1);
        assert_true(moved == !exact_has(set, v));
    }
    exact_images_free(&images);
    exact_problem_free(p);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(int argc, char **argv)
{
    if (argc < 1 || !proof_files_open(&files, argv[0]))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_need_the_same),
        cmocka_unit_test(alike_sources_are_taken_as_one),
        cmocka_unit_test(maps_end_at_their_limit),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    proof_files_close(&files);
    return failed != 0;
}
