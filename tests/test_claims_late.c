/*
 * Claims C15 and later: the verdict of every experiment, and what their parts
 * rest on: the printed loop and its repairs, logs with faults, names, windows.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "claims/blocks.h"
#include "claims/c16_locks.h"
#include "claims/c24_names.h"
#include "claims/claims.h"
#include "claims/lifetimes.h"
#include "claims/listing.h"
#include "claims/tools.h"
#include "replay/replay.h"
#include "support_sanitized.h"

static hw_graph *draw(const char *spec, uint64_t index)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    if (hw_claim_generate(spec, 3, index, &g, &err) != HW_OK)
        fail_msg("%s: %s", spec, err.message);
    return g;
}

static hw_model *model_of(const hw_graph *g, hw_accounting accounting)
{
    hw_model *m = NULL;
    hw_error err = {0};
    assert_int_equal(hw_model_new(g, accounting, false, &m, &err), HW_OK);
    return m;
}

/* ---- Verdicts. ---- */

static const struct {
    const char *id;
    hw_claim_verdict verdict;
} expected[] = {
    {"C15", HW_VERDICT_FAILS},         {"C16", HW_VERDICT_HOLDS_ONLY_IF},
    {"C17", HW_VERDICT_HOLDS_ONLY_IF}, {"C19", HW_VERDICT_HOLDS_ONLY_IF},
    {"C20", HW_VERDICT_HOLDS_ONLY_IF}, {"C21", HW_VERDICT_HOLDS_ONLY_IF},
    {"C22", HW_VERDICT_HOLDS_ONLY_IF}, {"C23", HW_VERDICT_FAILS},
    {"C24", HW_VERDICT_HOLDS},         {"C25", HW_VERDICT_HOLDS},
    {"C26", HW_VERDICT_HOLDS_ONLY_IF}, {"C28", HW_VERDICT_HOLDS_ONLY_IF},
    {"C29", HW_VERDICT_HOLDS_ONLY_IF},
};

static void run_claim(const char *id, uint64_t seed, hw_claim_finding *f)
{
    const hw_claim_row *row = NULL;
    hw_error err = {0};
    hw_claims_options o = {.seed = seed, .quick = true, .jobs = 1};
    assert_int_equal(hw_claim_row_find(id, &row, &err), HW_OK);
    hw_claims_run_one(row, &o, f);
    if (f->code != HW_OK)
        fail_msg("%s: %s", id, f->message);
}

/* Not by chance of one seed. */
static void test_verdicts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            hw_claim_finding f;
            run_claim(expected[i].id, seed, &f);
            if (f.verdict != expected[i].verdict)
                fail_msg("%s, seed %d: %s (%s)", expected[i].id, (int)seed,
                         hw_claim_verdict_name(f.verdict), f.figure);
            assert_true(f.n_tried > 0 && f.n_values > 0);
            hw_claim_finding_clear(&f);
        }
}

/* Its times hang on the machine, and so may its verdict; what it tells does not. */
static void test_speed(void **state)
{
    (void)state;
    const hw_claim_row *row = NULL;
    hw_error err = {0};
    hw_claim_finding f;
    hw_claims_options o = {.seed = 1, .quick = true, .jobs = 1};
    assert_int_equal(hw_claim_row_find("C18", &row, &err), HW_OK);
    hw_claims_run_one(row, &o, &f);
    assert_true(f.code == HW_OK || f.code == HW_CHECK_FAILED);
    const hw_claim_value *few = hw_claim_value_find(&f, "greedy-200", strlen("greedy-200"));
    const hw_claim_value *many = hw_claim_value_find(&f, "greedy-1000", strlen("greedy-1000"));
    assert_true(few && many && few->measured && few->value > 0 && few->value < many->value);
    hw_claim_finding_clear(&f);
}

static void test_resident(void **state)
{
    (void)state;
    hw_claim_finding f;
    if (SANITIZED) /* whose allocator is none that the claim speaks of */
        skip();
    run_claim("C27", 1, &f);
    assert_int_equal(f.verdict, HW_VERDICT_HOLDS_ONLY_IF);
    const hw_claim_value *pool = hw_claim_value_find(&f, "malloc-lag", strlen("malloc-lag"));
    const hw_claim_value *map = hw_claim_value_find(&f, "mmap-lag", strlen("mmap-lag"));
    assert_true(pool && map && pool->measured && map->measured);
    assert_true(pool->value > 2 * map->value);
    hw_claim_finding_clear(&f);
}

/* ---- The printed loop. ---- */

static void expect_loop(const hw_model *m, unsigned repairs, const char *solver)
{
    const hw_solver_row *row = hw_solver_find(solver, strlen(solver));
    hw_request request = {.params = NULL};
    hw_answer answer = {0};
    hw_error err = {0};
    uint32_t *order = calloc(m->n_nodes, sizeof *order), n = 0;
    assert_non_null(row);
    assert_non_null(order);
    assert_int_equal(hw_solve(m, row, &request, &answer, &err), HW_OK);
    assert_int_equal(hw_listing_run(m, repairs, order, &n, &err), HW_OK);
    assert_int_equal(answer.status == HW_STALLED, n < m->n_nodes);
    if (answer.has_order)
        assert_memory_equal(order, answer.order, n * sizeof *order);
    free(order);
    hw_answer_clear(&answer);
}

static void test_loop_is_the_solvers(void **state)
{
    static const char *const specs[] = {"layered:n=20,inputs=shared,views=0.2,inplace=0.3",
                                        "erdos:n=20,share=no", "layered:n=20,sizes=bimodal",
                                        "nets:net=transformer-block,mode=training"};
    (void)state;
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++)
        for (uint64_t i = 0; i < 20; i++) {
            hw_graph *g = draw(specs[s], i);
            hw_model *m = model_of(g, (hw_accounting)(i % 2));
            expect_loop(m, 0, "greedy-listing");
            expect_loop(m, HW_LISTING_ALL, "greedy");
            hw_model_free(m);
            hw_graph_free(g);
        }
}

/* ---- Logs with faults. ---- */

static void test_faults_are_seen(void **state)
{
    (void)state;
    uint32_t blind = 0;
    for (uint64_t i = 0; i < 60; i++) {
        hw_graph *g = draw("layered:n=14,views=0.3,inputs=own", i);
        hw_model *m = model_of(g, (hw_accounting)(i % 2));
        hw_log *log = NULL;
        hw_error err = {0};
        uint32_t order[14], wrong = 1;
        bool changed = false;
        assert_int_equal(hw_graph_level_order(g, order, &err), HW_OK);
        assert_int_equal(hw_log_new(m, order, false, &log, &err), HW_OK);
        assert_int_equal(
            hw_lifetimes_wrong(g, order, log->life, log->n_lives, HW_RULE_STORAGES, &wrong, &err),
            HW_OK);
        assert_int_equal(wrong, 0);
        assert_true(hw_lifetimes_peak(log, log->life) == log->peak);

        hw_lifetime life[64];
        assert_true(log->n_lives <= 64);
        memcpy(life, log->life, log->n_lives * sizeof *life);
        assert_true(hw_lifetimes_free_late(log, i * 12345, life));
        assert_int_equal(
            hw_lifetimes_wrong(g, order, life, log->n_lives, HW_RULE_STORAGES, &wrong, &err),
            HW_OK);
        assert_int_equal(wrong, 1);
        assert_true(hw_lifetimes_peak(log, life) >= log->peak);

        memcpy(life, log->life, log->n_lives * sizeof *life);
        assert_int_equal(hw_lifetimes_forget_views(log, life, &changed, &err), HW_OK);
        assert_int_equal(
            hw_lifetimes_wrong(g, order, life, log->n_lives, HW_RULE_TENSORS, &wrong, &err), HW_OK);
        assert_int_equal(wrong, 0);
        blind += changed;
        assert_true(hw_lifetimes_peak(log, life) <= log->peak);
        hw_log_free(log);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(blind > 20);
}

/* Who reads freed memory has a storage that dies too soon. */
static void test_dangling(void **state)
{
    (void)state;
    uint32_t some = 0, none = 0;
    for (uint64_t i = 0; i < 60; i++) {
        hw_graph *g = draw(i % 3 ? "layered:n=12,views=0.3" : "layered:n=12", i);
        hw_model *m = model_of(g, HW_ALLOC_FIRST);
        hw_log *log = NULL;
        hw_error err = {0};
        hw_dangling d;
        uint32_t order[12];
        bool changed = false;
        assert_int_equal(hw_graph_level_order(g, order, &err), HW_OK);
        assert_int_equal(hw_log_new(m, order, false, &log, &err), HW_OK);
        assert_int_equal(hw_lifetimes_dangling(g, order, &d, &err), HW_OK);
        hw_lifetime life[64];
        assert_true(log->n_lives <= 64);
        memcpy(life, log->life, log->n_lives * sizeof *life);
        assert_int_equal(hw_lifetimes_forget_views(log, life, &changed, &err), HW_OK);
        assert_true(changed || d.nodes == 0);
        assert_int_equal(d.nodes > 0, d.bytes > 0);
        some += d.nodes > 0;
        none += i % 3 == 0 && d.nodes == 0;
        hw_log_free(log);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(some > 20);
    assert_int_equal(none, 20);
}

/* ---- Blocks. ---- */

/* The usage of every step with each tensor alive to the later of its last reader and the end of
 * its block, from nothing but the inputs and outputs. */
static uint64_t peak_by_blocks(const hw_graph *g, const uint32_t *order, const uint32_t *block,
                               hw_blocks_rule rule)
{
    uint64_t peak = 0, usage[32] = {0};
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        uint32_t made = 0, used = 0, end = 0;
        for (uint32_t i = 0; i < g->n_nodes; i++) {
            uint32_t v = order[i];
            if (g->tensor_producer[t] == v)
                made = used = i;
            for (uint32_t e = g->inputs.offset[v]; e < g->inputs.offset[v + 1]; e++)
                if (g->inputs.item[e] == t)
                    used = i;
        }
        for (uint32_t i = 0; i < g->n_nodes; i++)
            if (block[i] == block[rule == HW_BLOCKS_MAKER ? made : used])
                end = i;
        if (g->tensor_kind[t] == HW_OUTPUT)
            end = g->n_nodes - 1;
        for (uint32_t i = made; i <= (end > used ? end : used); i++)
            usage[i] += g->tensor_size[t];
    }
    for (uint32_t i = 0; i < g->n_nodes; i++)
        peak = usage[i] > peak ? usage[i] : peak;
    return peak;
}

static void test_blocks(void **state)
{
    (void)state;
    uint32_t dearer = 0;
    for (uint64_t i = 0; i < 60; i++) {
        hw_graph *g = draw("layered:n=20", i), *kept = NULL;
        hw_model *m = model_of(g, HW_ALLOC_FIRST);
        hw_error err = {0};
        uint32_t order[20], block[20];
        hw_check check, plain;
        hw_blocks_rule rule = i % 2 ? HW_BLOCKS_READER : HW_BLOCKS_MAKER;
        assert_int_equal(hw_graph_level_order(g, order, &err), HW_OK);
        if (i % 5 == 0)
            assert_int_equal(hw_blocks_narrow(m, order, block, &err), HW_OK);
        else
            hw_blocks_equal(20, (uint32_t)(i % 5), block);
        assert_int_equal(hw_blocks_release(g, order, block, rule, &kept, &err), HW_OK);
        assert_int_equal(hw_check_order(kept, false, false, order, 20, &check, &err), HW_OK);
        assert_int_equal(hw_check_order(g, false, false, order, 20, &plain, &err), HW_OK);
        assert_int_equal(check.verdict, HW_ORDER_LEGAL);
        assert_true(check.peak == peak_by_blocks(g, order, block, rule));
        assert_true(check.peak >= plain.peak);
        dearer += check.peak > plain.peak;
        hw_graph_free(kept);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(dearer > 30);
}

/* ---- Names. ---- */

static void test_names(void **state)
{
    (void)state;
    uint32_t wrong = 0;
    for (uint64_t i = 0; i < 40; i++) {
        hw_graph *g = draw("layered:n=12", i), *renamed = NULL;
        hw_error err = {0};
        uint32_t order[12], name[64], own[64];
        by_name told, right;
        assert_true(g->n_tensors <= 64);
        assert_int_equal(by_name_rename(g, 2, name, &renamed, &err), HW_OK);
        assert_string_equal(hw_tensor_name(renamed, g->outputs.item[g->outputs.offset[6]]),
                            "op0_0");
        for (uint32_t t = 0; t < g->n_tensors; t++)
            own[t] = t;
        assert_int_equal(hw_graph_level_order(g, order, &err), HW_OK);
        assert_int_equal(by_name_run(g, order, own, false, &right, &err), HW_OK);
        assert_int_equal(right.wrong_steps + right.wrong_bytes, 0);
        assert_int_equal(by_name_run(renamed, order, name, false, &told, &err), HW_OK);
        wrong += told.wrong_steps > 0;
        hw_graph_free(renamed);
        hw_graph_free(g);
    }
    assert_true(wrong > 30);
}

/* ---- Windows. ---- */

/* By hand: of the 24 orders of four nodes, 14 move none by more than 2. */
static void test_windows_are_no_edges(void **state)
{
    (void)state;
    lock_orders o;
    hw_graph *g = NULL;
    hw_error err = {0};
    assert_int_equal(locks_window_example(&o, &g, &err), HW_OK);
    assert_int_equal(o.n, 4);
    assert_int_equal(o.width, 2);
    assert_int_equal(o.allowed, 14);
    assert_int_equal(o.by_edges, 24);
    hw_graph_free(g);
}

int main(int argc, char **argv)
{
    int status;
    if (hw_replay_child(argc, argv, &status))
        return status;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_speed),
        cmocka_unit_test(test_resident),
        cmocka_unit_test(test_loop_is_the_solvers),
        cmocka_unit_test(test_faults_are_seen),
        cmocka_unit_test(test_dangling),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_windows_are_no_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
