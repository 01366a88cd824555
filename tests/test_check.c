/*
 * The independent checker: every verdict and its message, legality against
 * the builder's edges over all permutations, planted faults, and solvers that
 * lie.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/io.h"
#include "model/sim.h"
#include "solve/solver.h"
#include "tests/support_draft.h"
#include "tests/support_io.h"
#include "tests/support_lines.h"

/* ---- Verdicts. ---- */

typedef struct verdict_case {
    const char *lines;
    uint32_t order[4];
    uint64_t length;
    hw_verdict verdict;
    int64_t step;
    uint32_t node, other;
    const char *message; /* a part of it */
} verdict_case;

#define PAIR   "t 50 4 a; t 51 6 o; v 70 - > 50; v 71 50 > 51"
#define TRIPLE "t 0 1 o; t 1 1 o; t 2 1 o; "

static const verdict_case verdict_cases[] = {
    {PAIR, {0, 1}, 2, HW_ORDER_LEGAL, -1, HW_NONE, HW_NONE, "peak is 10 bytes"},
    {PAIR, {0}, 1, HW_ORDER_WRONG_LENGTH, -1, HW_NONE, HW_NONE, "each of the 2 nodes once"},
    {PAIR, {0, 1, 0}, 3, HW_ORDER_WRONG_LENGTH, -1, HW_NONE, HW_NONE, "each of the 2 nodes once"},
    {PAIR, {0, 2}, 2, HW_ORDER_UNKNOWN_NODE, 1, 2, HW_NONE, "step 1 names node index 2"},
    {PAIR,
     {0, 0},
     2,
     HW_ORDER_REPEATED_NODE,
     1,
     0,
     HW_NONE,
     "node 70 runs a second time at step 1"},
    {PAIR,
     {1, 0},
     2,
     HW_ORDER_DATA_EDGE,
     0,
     1,
     0,
     "node 71 runs at step 0 before node 70, which makes its input tensor 50"},
    {TRIPLE "v 5 - > 0; v 6 - > 1; v 7 - > 2; e 7 5",
     {1, 0, 2},
     3,
     HW_ORDER_CONTROL_EDGE,
     1,
     0,
     2,
     "node 5 runs at step 1 before node 7, against a control edge"},
    {TRIPLE "v 5 - > 0 locked; v 6 - > 1; v 7 - > 2 locked",
     {2, 1, 0},
     3,
     HW_ORDER_LOCK,
     0,
     2,
     0,
     "locked node 7 runs at step 0 before locked node 5"},
    {TRIPLE "v 5 - > 0; v 6 - > 1 window=0; v 7 - > 2",
     {1, 0, 2},
     3,
     HW_ORDER_WINDOW,
     0,
     1,
     HW_NONE,
     "node 6 runs at step 0, but its window is 0 around its source position 1"},
    {TRIPLE "v 5 - > 0 window=1; v 6 - > 1; v 7 - > 2",
     {1, 2, 0},
     3,
     HW_ORDER_WINDOW,
     2,
     0,
     HW_NONE,
     "node 5 runs at step 2"},
    {TRIPLE "v 5 - > 0 window=1; v 6 - > 1; v 7 - > 2",
     {1, 0, 2},
     3,
     HW_ORDER_LEGAL,
     -1,
     HW_NONE,
     HW_NONE,
     "legal"},
    {"t 0 4 i; t 1 4 o; t 2 1 o; v 5 0 > 1 inplace=0:1 inplace_required; v 6 0 > 2",
     {0, 1},
     2,
     HW_ORDER_INPLACE,
     0,
     0,
     1,
     "node 5 must overwrite an input at step 0, but node 6 still reads it"},
};

static void every_verdict(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof verdict_cases / sizeof verdict_cases[0]; i++) {
        const verdict_case *c = &verdict_cases[i];
        hw_graph *g = lines_graph(c->lines);
        hw_check check;
        char text[256];
        assert_int_equal(hw_check_order(g, false, false, c->order, c->length, &check, NULL), HW_OK);
        hw_check_message(g, &check, text, sizeof text);
        if (check.verdict != c->verdict || check.step != c->step || check.node != c->node ||
            check.other != c->other || !strstr(text, c->message))
            fail_msg("case %zu: verdict %d, step %d, node %u, other %u: %s", i, (int)check.verdict,
                     (int)check.step, check.node, check.other, text);
        assert_null(strchr(text, '\n'));
        hw_graph_free(g);
    }
}

static void the_first_fault_is_named(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 1 a; t 1 1 a; t 2 1 o; t 3 1 o; v 0 - > 0; v 1 0 > 1; "
                              "v 2 1 > 2; v 3 - > 3 window=0; e 0 2");
    hw_check check = checked(g, (const uint32_t[]){3, 2, 1, 0});
    assert_int_equal(check.step, 0);
    assert_int_equal(check.verdict, HW_ORDER_WINDOW);
    /* Of two faults of one step, the data edge. */
    check = checked(g, (const uint32_t[]){2, 0, 1, 3});
    assert_int_equal(check.step, 0);
    assert_int_equal(check.verdict, HW_ORDER_DATA_EDGE);
    check = checked(g, (const uint32_t[]){0, 2, 1, 3});
    assert_int_equal(check.step, 1);
    assert_int_equal(check.verdict, HW_ORDER_DATA_EDGE);
    hw_graph_free(g);
}

/* A model of it is refused; the checker still gives no peak for it. */
static void must_overwrite_what_stays(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 4 i; t 1 4 o; v 5 0 > 1 inplace=0:1 inplace_required");
    hw_check check;
    char text[256];
    assert_int_equal(hw_check_order(g, false, true, (const uint32_t[]){0}, 1, &check, NULL), HW_OK);
    assert_int_equal(check.verdict, HW_ORDER_INPLACE);
    hw_check_message(g, &check, text, sizeof text);
    assert_non_null(strstr(text, "stays to the end"));
    hw_graph_free(g);
}

static void messages_fit_any_room(void **state)
{
    (void)state;
    hw_graph *g = lines_graph(PAIR);
    hw_check check = checked(g, (const uint32_t[]){1, 0});
    char text[9];
    hw_check_message(g, &check, text, sizeof text);
    assert_string_equal(text, "node 71 ");
    hw_graph_free(g);
}

static void the_step_of_the_peak(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 9 i; t 1 1 a; t 2 8 a; t 3 1 o; t 4 8 o; "
                              "v 0 0 > 1; v 1 1 > 2; v 2 2 > 3; v 3 3 > 4");
    const uint32_t order[] = {0, 1, 2, 3};
    hw_check check;
    assert_int_equal(hw_check_order(g, false, false, order, 4, &check, NULL), HW_OK);
    assert_int_equal(check.peak, 10);
    assert_int_equal(check.peak_step, 0);
    /* The input before the run, and 8 + 1 after the last step: the first counts. */
    assert_int_equal(hw_check_order(g, true, false, order, 4, &check, NULL), HW_OK);
    assert_int_equal(check.peak, 9);
    assert_int_equal(check.peak_step, -1);
    hw_graph_free(g);
}

/* ---- Legality: against the builder's edges and windows. ---- */

static bool follows_edges(const hw_graph *g, const uint32_t *order)
{
    uint32_t position[8];
    hw_order_positions(order, g->n_nodes, position);
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
            if (position[g->preds.item[i]] > position[v])
                return false;
        uint32_t moved = position[v] > v ? position[v] - v : v - position[v];
        if (g->node_window && moved > g->node_window[v])
            return false;
    }
    return true;
}

/* The next permutation in lexicographic order; false after the last. */
static bool next_permutation(uint32_t *order, uint32_t n)
{
    uint32_t i = n;
    while (i > 1 && order[i - 2] > order[i - 1])
        i--;
    if (i <= 1)
        return false;
    uint32_t k = n - 1;
    while (order[k] < order[i - 2])
        k--;
    uint32_t held = order[i - 2];
    order[i - 2] = order[k];
    order[k] = held;
    for (uint32_t a = i - 1, b = n - 1; a < b; a++, b--) {
        held = order[a];
        order[a] = order[b];
        order[b] = held;
    }
    return true;
}

static void legality_over_all_permutations(void **state)
{
    (void)state;
    uint64_t legal = 0, illegal = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 6, DRAW_ALL);
        assert_non_null(g);
        hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
        uint32_t order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        bool any = false;
        do {
            bool expected = follows_edges(g, order);
            assert_int_equal(checked(g, order).verdict == HW_ORDER_LEGAL, expected);
            any |= expected;
            legal += expected;
            illegal += !expected;
        } while (next_permutation(order, g->n_nodes));
        assert_int_equal(m->legal, any);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(legal > 500 && illegal > 5000);
}

/* ---- Planted faults: simulators that free at the wrong time. ---- */

typedef enum fault { FREES_LATE, FREES_EARLY, FORGETS_DEAD, FORGETS_WORKSPACE } fault;

/* The peak of a simulator with a fault, alloc-first without in-place. */
static uint64_t faulty_peak(const hw_model *m, const uint32_t *order, fault planted)
{
    uint64_t live = m->live_empty, peak = live, held = 0;
    uint32_t *left = calloc(m->n_buffers + 1, sizeof *left);
    assert_non_null(left);
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        left[b] = m->users.offset[b + 1] - m->users.offset[b];
        if (planted == FREES_EARLY && left[b] > 1)
            left[b]--;
    }
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        uint32_t v = order[i];
        uint64_t freed = 0;
        live += m->new_bytes[v];
        uint64_t usage = live + (planted == FORGETS_WORKSPACE ? 0 : hw_workspace(m, v));
        peak = usage > peak ? usage : peak;
        for (uint32_t k = m->uses.offset[v]; k < m->uses.offset[v + 1]; k++)
            if (left[m->uses.item[k]] && --left[m->uses.item[k]] == 0)
                freed += m->buffer_size[m->uses.item[k]];
        live -= planted == FORGETS_DEAD ? 0 : m->dead_bytes[v];
        live -= planted == FREES_LATE ? held : freed;
        held = freed;
    }
    free(left);
    return peak;
}

static void faults_show(void **state)
{
    (void)state;
    enum { GRAPHS = 300 };
    for (int planted = FREES_LATE; planted <= FORGETS_WORKSPACE; planted++) {
        int caught = 0;
        for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
            hw_graph *g = draft_graph(seed, 10, DRAW_OUTPUTS | DRAW_DEAD | DRAW_WORKSPACE);
            assert_non_null(g);
            hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
            uint32_t order[DRAFT_NODES];
            uint64_t draws = seed;
            assert_true(draft_order(m, &draws, order));
            caught += checked(g, order).peak != faulty_peak(m, order, (fault)planted);
            hw_model_free(m);
            hw_graph_free(g);
        }
        assert_true(caught > GRAPHS / 10);
    }
}

/* ---- Solvers that lie are found out, and leave a dump. ---- */

static hw_code order_as_it_stands(const hw_model *m, hw_answer *answer, uint64_t peak)
{
    for (uint32_t v = 0; v < m->n_nodes; v++)
        answer->order[v] = v;
    (void)hw_answer_improve(m, answer, answer->order, peak);
    return HW_OK;
}

static hw_code claim_true(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)r, (void)err;
    return order_as_it_stands(m, a, 10);
}

static hw_code claim_less(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)r, (void)err;
    return order_as_it_stands(m, a, 9);
}

static hw_code claim_more(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)r, (void)err;
    return order_as_it_stands(m, a, 11);
}

static hw_code claim_backwards(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)r, (void)err;
    hw_code code = order_as_it_stands(m, a, 10);
    a->order[0] = 1;
    a->order[1] = 0;
    return code;
}

static hw_code claim_twice(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)r, (void)err;
    hw_code code = order_as_it_stands(m, a, 10);
    a->order[1] = 0;
    return code;
}

static hw_code claim_unknown(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)r, (void)err;
    hw_code code = order_as_it_stands(m, a, 10);
    a->order[1] = 12345;
    return code;
}

static hw_code claim_bound(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)r, (void)err;
    a->has_bound = true;
    a->bound = 11;
    return order_as_it_stands(m, a, 10);
}

/* The only dump in the current folder; the path is the caller's. */
static char *find_dump(void)
{
    DIR *folder = opendir(".");
    char *found = NULL;
    assert_non_null(folder);
    for (const struct dirent *e; (e = readdir(folder));)
        if (strncmp(e->d_name, "highwater-bug-", 14) == 0) {
            assert_null(found);
            found = path_in(".", e->d_name);
        }
    (void)closedir(folder);
    return found;
}

static int enter_folder(void **state)
{
    char *folder = make_folder();
    *state = folder;
    return folder && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    int left = chdir("/");
    remove_folder(*state);
    return left;
}

static void expect_lie(const hw_model *m, hw_solve_function solve, const char *finding)
{
    const hw_solver_row row = {.name = "liar",
                               .kind = HW_SOLVER_EXACT,
                               .counts = "lies",
                               .help = "a solver of this test",
                               .source = "this test",
                               .solve = solve};
    const hw_request request = {0};
    hw_answer answer;
    hw_error err = {0};
    assert_int_equal(hw_solve(m, &row, &request, &answer, &err), HW_INTERNAL);
    assert_null(answer.order);
    assert_false(answer.has_order);
    assert_non_null(strstr(err.message, finding));
    char *dump = find_dump();
    assert_non_null(dump);
    assert_non_null(strstr(err.message, strrchr(dump, '/')));
    size_t n_bytes = 0;
    char *bytes = file_bytes(dump, &n_bytes);
    assert_non_null(bytes);
    assert_non_null(strstr(bytes, finding));
    assert_non_null(strstr(bytes, "liar"));
    hw_graph *again = NULL;
    char before[HW_HASH_TEXT], after[HW_HASH_TEXT];
    assert_int_equal(hw_graph_load(dump, &again, &err), HW_OK);
    assert_int_equal(hw_graph_hash(m->graph, before, NULL), HW_OK);
    assert_int_equal(hw_graph_hash(again, after, NULL), HW_OK);
    assert_string_equal(before, after);
    assert_int_equal(unlink(dump), 0);
    hw_graph_free(again);
    free(bytes);
    free(dump);
}

static void lying_solvers(void **state)
{
    (void)state;
    hw_graph *g = lines_graph(PAIR);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    const hw_solver_row honest = {.name = "honest", .solve = claim_true};
    const hw_request request = {0};
    hw_answer answer;
    assert_int_equal(hw_solve(m, &honest, &request, &answer, NULL), HW_OK);
    assert_int_equal(answer.peak, 10);
    hw_answer_clear(&answer);
    assert_null(find_dump());
    expect_lie(m, claim_less, "the checker finds 10");
    expect_lie(m, claim_more, "the checker finds 10");
    expect_lie(m, claim_backwards, "before node 70");
    expect_lie(m, claim_twice, "second time");
    expect_lie(m, claim_unknown, "12345");
    expect_lie(m, claim_bound, "bound 11");
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict),
        cmocka_unit_test(the_first_fault_is_named),
        cmocka_unit_test(must_overwrite_what_stays),
        cmocka_unit_test(messages_fit_any_room),
        cmocka_unit_test(the_step_of_the_peak),
        cmocka_unit_test(legality_over_all_permutations),
        cmocka_unit_test(faults_show),
        cmocka_unit_test_setup_teardown(lying_solvers, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL) != 0;
}
