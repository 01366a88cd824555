/*
 * The beam inside `exact` against the definitions: as wide as all prefixes of a
 * level it finds the least peak, both ways; as narrow as one prefix it finds an
 * order all the same where there is a legal one, whatever the windows.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/check.h"
#include "solvers/exact_beam.h"
#include "tests/support_draft.h"
#include "tests/support_piece.h"
#include "tests/support_sanitized.h"
#include "tests/support_solve.h"

enum { MOST_NODES = 10, ALL_PREFIXES = 252 }; /* of a level: ten nodes, five of them done */

/* The peak of the order that a beam finds, below the limit; UINT64_MAX: none. */
static uint64_t found_peak(const hw_model *m, const exact_problem *p, bool reverse, uint32_t width,
                           uint64_t limit)
{
    static const hw_request request = {.limits = {0}};
    hw_meter meter;
    hw_check check;
    uint32_t local[MOST_NODES], order[MOST_NODES];
    bool found;
    hw_meter_start(&meter, &request);
    assert_int_equal(exact_beam(p, reverse, width, limit, &meter, local, &found, NULL), HW_OK);
    if (!found)
        return UINT64_MAX;
    for (uint32_t i = 0; i < p->n; i++)
        order[i] = p->node[local[i]];
    assert_int_equal(hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, order,
                                    p->n, &check, NULL),
                     HW_OK);
    assert_int_equal(check.verdict, HW_ORDER_LEGAL);
    assert_true(check.peak < limit);
    return check.peak;
}

static void as_wide_as_all(const hw_model *m, const exact_problem *p, uint64_t optimum)
{
    for (int reverse = 0; reverse < 2; reverse++) {
        assert_int_equal(found_peak(m, p, reverse, ALL_PREFIXES, UINT64_MAX), optimum);
        assert_int_equal(found_peak(m, p, reverse, ALL_PREFIXES, optimum + 1), optimum);
        assert_int_equal(found_peak(m, p, reverse, ALL_PREFIXES, optimum), UINT64_MAX);
    }
}

static void as_narrow_as_one(const hw_model *m, const exact_problem *p, uint64_t optimum)
{
    for (int reverse = 0; reverse < 2; reverse++)
        for (uint32_t width = 1; width < 4; width++) {
            uint64_t peak = found_peak(m, p, reverse, width, UINT64_MAX);
            assert_true(peak >= optimum && peak < UINT64_MAX);
        }
}

/* Both, on a graph with a legal order: without one no solver is asked. */
static void ask(const hw_model *m, unsigned *windows)
{
    exact_problem *p = piece_of_all(m);
    hw_answer dp = test_solve(m, "dp");
    assert_int_equal(dp.status, HW_OPTIMAL);
    as_wide_as_all(m, p, dp.peak);
    as_narrow_as_one(m, p, dp.peak);
    *windows += m->earliest != NULL;
    hw_answer_clear(&dp);
    exact_problem_free(p);
}

static void beams(void **state)
{
    (void)state;
    unsigned windows = 0;
    for (uint64_t seed = 0; seed < FEWER(400); seed++) {
        hw_graph *g =
            draft_graph(seed, 3 + seed % (MOST_NODES - 2), seed % 4 ? DRAW_ALL : DRAW_RICH);
        hw_model *m = test_model(g, seed % 3 ? HW_ALLOC_FIRST : HW_FREE_FIRST, seed % 5 == 0);
        if (m && m->legal)
            ask(m, &windows);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(windows > FEWER(100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(beams)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
