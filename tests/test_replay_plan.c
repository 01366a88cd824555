/* What a replay does, as a pure function of the order: blocks, moments, scaled sizes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "replay/plan.h"
#include "replay/scale.h"
#include "tests/support_draft.h"
#include "tests/support_exact.h"
#include "tests/support_lines.h"
#include "tests/support_models.h"

static hw_log *log_of(const hw_model *m, const uint32_t *order, bool with_resident)
{
    hw_log *log = NULL;
    hw_error err = {0};
    if (hw_log_new(m, order, with_resident, &log, &err) != HW_OK)
        fail_msg("%s", err.message);
    return log;
}

static hw_replay_plan *plan_of(const hw_log *log)
{
    hw_replay_plan *plan = NULL;
    hw_error err = {0};
    if (hw_replay_plan_new(log, &plan, &err) != HW_OK)
        fail_msg("%s", err.message);
    return plan;
}

/* ---- Given graphs: the events as a text. ---- */

/* "+0:10" taken, "~0:4" resized, "-0" given back, "|" a moment. */
static char *events_of(const char *lines, hw_accounting accounting, bool pinned, bool with_resident)
{
    static const uint32_t in_turn[] = {0, 1, 2, 3, 4, 5, 6, 7};
    hw_graph *g = lines_graph(lines);
    hw_model *m = lines_model(g, accounting, pinned);
    hw_log *log = log_of(m, in_turn, with_resident);
    hw_replay_plan *plan = plan_of(log);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < plan->n_events; i++) {
        const hw_replay_event *e = &plan->event[i];
        if (e->kind == HW_REPLAY_MOMENT)
            (void)fprintf(out, "| ");
        else if (e->kind == HW_REPLAY_DROP)
            (void)fprintf(out, "-%u ", e->block);
        else
            (void)fprintf(out, "%c%u:%u ", e->kind == HW_REPLAY_TAKE ? '+' : '~', e->block,
                          (unsigned)e->size);
    }
    assert_int_equal(fclose(out), 0);
    hw_replay_plan_free(plan);
    hw_log_free(log);
    hw_model_free(m);
    hw_graph_free(g);
    return text;
}

static void expect_events(const char *lines, hw_accounting accounting, bool pinned,
                          bool with_resident, const char *events)
{
    char *text = events_of(lines, accounting, pinned, with_resident);
    assert_string_equal(text, events);
    free(text);
}

#define CHAIN "t 0 10 i; t 1 20 a; t 2 5 o; v 0 0 > 1 workspace=3; v 1 1 > 2"

static void a_chain_in_both_accountings(void **state)
{
    (void)state;
    expect_events(CHAIN, HW_ALLOC_FIRST, false, false,
                  "+0:10 | +1:20 +2:3 | -2 -0 | +3:5 | -1 | -3 | ");
    expect_events(CHAIN, HW_FREE_FIRST, false, false,
                  "+0:10 | -0 +1:20 +2:3 | -2 | -1 +3:5 | | -3 | ");
    expect_events(CHAIN, HW_ALLOC_FIRST, true, false,
                  "+0:10 | +1:20 +2:3 | -2 | +3:5 | -1 | -0 -3 | ");
}

/* One block for a whole chain of in-place nodes: it grows before, and shrinks after a step. */
static void in_place_shares_a_block(void **state)
{
    (void)state;
    const char *lines = "t 0 10 a; t 1 16 a; t 2 16 a; t 3 7 o; v 0 - > 0; v 1 0 > 1 inplace=0:1; "
                        "v 2 1 > 2 inplace=1:2; v 3 2 > 3 inplace=2:3";
    expect_events(lines, HW_ALLOC_FIRST, false, false, "| +0:10 | | ~0:16 | | | | | ~0:7 | -0 | ");
    expect_events(lines, HW_FREE_FIRST, false, false,
                  "| +0:10 | | -0 +1:16 | | -1 +2:16 | | -2 +3:7 | | -3 | ");
}

/* An input that another node still wants is not overwritten. */
static void in_place_waits_for_the_last_reader(void **state)
{
    (void)state;
    expect_events("t 0 10 a; t 1 10 a; t 2 10 o; v 0 - > 0; v 1 0 > 1 inplace=0:1; "
                  "v 2 0,1 > 2 inplace=0:2,1:2",
                  HW_ALLOC_FIRST, false, false, "| +0:10 | | +1:10 | | | -1 | -0 | ");
}

/* A dead output that was placed in place goes with its block, unshrunk or not. */
static void in_place_of_a_dead_output(void **state)
{
    (void)state;
    expect_events("t 0 10 a; t 1 4 a; v 0 - > 0; v 1 0 > 1 inplace=0:1", HW_ALLOC_FIRST, false,
                  false, "| +0:10 | | | ~0:4 -0 | | ");
}

static void views_constants_and_nothing(void **state)
{
    (void)state;
    const char *lines = "t 0 10 i; t 1 10 a; t 2 0 a; t 3 64 c; t 4 6 o; t 5 9 i; "
                        "v 0 0 > 1 view; v 1 1,3 > 2; v 2 1,2 > 4";
    expect_events(lines, HW_ALLOC_FIRST, false, false, "+0:10 | | | | | +1:6 | -0 | -1 | ");
    expect_events(lines, HW_ALLOC_FIRST, false, true, "+0:64 +1:10 | | | | | +2:6 | -1 | -2 | ");
}

/* ---- Random graphs: what is held at every moment, by the lifetimes alone. ---- */

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Sizes of what lives at a moment, ascending; returns how many. */
static size_t list_living(const hw_replay_plan *plan, size_t moment, uint64_t *sizes)
{
    const hw_log *log = plan->log;
    int64_t step;
    bool running = hw_replay_runs(plan, moment, &step);
    bool ended = moment + 1 == plan->n_moments;
    size_t n = 0;
    for (uint32_t i = 0; !ended && i < log->n_lives; i++) {
        const hw_lifetime *life = &log->life[i];
        bool lives =
            running ? hw_log_holds(log, life, step) : life->birth <= step && life->death > step;
        if (lives && life->size > 0)
            sizes[n++] = life->size;
    }
    const hw_graph *g = log->model->graph;
    for (uint32_t s = 0; log->with_resident && s < g->n_storages; s++)
        if (g->tensor_kind[g->storage_root[s]] == HW_CONSTANT &&
            g->tensor_size[g->storage_root[s]] > 0)
            sizes[n++] = g->tensor_size[g->storage_root[s]];
    if (running && hw_workspace(log->model, log->order[step]) > 0)
        sizes[n++] = hw_workspace(log->model, log->order[step]);
    qsort(sizes, n, sizeof *sizes, by_size);
    return n;
}

static size_t list_held(const uint64_t *held, uint32_t n_blocks, uint64_t *sizes, uint64_t *sum)
{
    size_t n = 0;
    *sum = 0;
    for (uint32_t b = 0; b < n_blocks; b++)
        if (held[b] > 0) {
            sizes[n++] = held[b];
            *sum += held[b];
        }
    qsort(sizes, n, sizeof *sizes, by_size);
    return n;
}

static uint64_t logged(const hw_replay_plan *plan, size_t moment)
{
    int64_t step;
    if (hw_replay_runs(plan, moment, &step))
        return plan->log->usage[step];
    if (moment + 1 == plan->n_moments)
        return plan->log->with_resident ? plan->log->resident_bytes : 0;
    return step < 0 ? plan->log->live_empty : plan->log->live[step];
}

/*
 * A moment has the bytes of the log.  What is held are the storages alive, one
 * block each; while an alloc-first step runs, blocks that an output shares with
 * a dying input stand for two.
 */
static void expect_moment(const hw_replay_plan *plan, size_t moment, const uint64_t *held,
                          uint32_t takeovers)
{
    uint64_t *living = HW_NEW(uint64_t, plan->log->model->graph->n_storages + 1);
    uint64_t *sizes = HW_NEW(uint64_t, plan->n_blocks), sum;
    assert_true(living && sizes);
    size_t n = list_living(plan, moment, living);
    size_t n_held = list_held(held, plan->n_blocks, sizes, &sum);
    assert_int_equal(sum, logged(plan, moment));
    assert_int_equal(plan->logical[moment], sum);
    assert_int_equal(n_held + takeovers, n);
    if (takeovers == 0)
        assert_memory_equal(sizes, living, n * sizeof *sizes);
    free(living);
    free(sizes);
}

/* How many outputs of a step have no block of their own: living ones, less those taken. */
static uint32_t count_takeovers(const hw_replay_plan *plan, size_t moment, uint32_t taken)
{
    int64_t step;
    uint32_t begin, end, born = 0;
    if (!hw_replay_runs(plan, moment, &step))
        return 0;
    hw_log_born(plan->log, step, &begin, &end);
    for (uint32_t k = begin; k < end; k++)
        born += plan->log->life[k].size > 0;
    born += hw_workspace(plan->log->model, plan->log->order[step]) > 0;
    assert_true(taken <= born);
    return born - taken;
}

static void expect_plan(const hw_log *log)
{
    hw_replay_plan *plan = plan_of(log);
    uint64_t *held = HW_NEW0(uint64_t, plan->n_blocks);
    size_t moment = 0;
    uint32_t taken = 0, fresh = 0;
    assert_non_null(held);
    for (size_t i = 0; i < plan->n_events; i++) {
        const hw_replay_event *e = &plan->event[i];
        if (e->kind == HW_REPLAY_MOMENT) {
            expect_moment(plan, moment, held, count_takeovers(plan, moment, taken));
            moment++;
            taken = 0;
            continue;
        }
        assert_true(e->block < plan->n_blocks);
        assert_int_equal(held[e->block] > 0, e->kind != HW_REPLAY_TAKE);
        assert_int_equal(e->size > 0, e->kind != HW_REPLAY_DROP);
        assert_true(e->size <= plan->block[e->block].size);
        assert_true(e->kind != HW_REPLAY_RESIZE || log->model->accounting == HW_ALLOC_FIRST);
        if (e->kind == HW_REPLAY_TAKE) {
            assert_int_equal(e->block, fresh++); /* each block is taken once */
            taken++;
        }
        held[e->block] = e->size;
    }
    assert_int_equal(moment, plan->n_moments);
    assert_int_equal(moment, 2 * (size_t)log->n_steps + 2);
    assert_int_equal(fresh, plan->n_blocks);
    assert_int_equal(hw_replay_peak(plan), log->peak);
    free(held);
    hw_replay_plan_free(plan);
}

static void plan_of_a_random_order(const hw_model *m)
{
    static uint64_t seed = 77;
    uint32_t order[DRAFT_NODES];
    if (!draft_order(m, &seed, order))
        return;
    for (int with_resident = 0; with_resident < 2; with_resident++) {
        hw_log *log = log_of(m, order, with_resident);
        expect_plan(log);
        hw_log_free(log);
    }
}

static void random_graphs(void **state)
{
    (void)state;
    each_model(1500, 14, DRAW_RICH, plan_of_a_random_order);
    each_model(150, DRAFT_NODES, DRAW_RICH | DRAW_WINDOWS, plan_of_a_random_order);
}

/* ---- Pages and scaled sizes. ---- */

static void whole_pages(void **state)
{
    (void)state;
    static const uint32_t in_turn[] = {0, 1};
    hw_graph *g = lines_graph("t 0 4096 i; t 1 4097 a; t 2 1 o; v 0 0 > 1 workspace=3; v 1 1 > 2");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_log *log = log_of(m, in_turn, false);
    hw_replay_plan *plan = plan_of(log);
    uint64_t peak;
    assert_int_equal(hw_replay_paged_peak(plan, 4096, &peak, NULL), HW_OK);
    assert_int_equal(peak, 4 * 4096);
    assert_int_equal(hw_replay_paged_peak(plan, 1, &peak, NULL), HW_OK);
    assert_int_equal(peak, log->peak);
    hw_replay_plan_free(plan);
    hw_log_free(log);
    hw_model_free(m);
    hw_graph_free(g);
}

static void sizes_are_divided_and_rounded_up(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 0 i; t 1 1 a; t 2 16 a; t 3 17 o; v 0 0 > 1 workspace=33; "
                              "v 1 1 > 2; v 2 2 > 3");
    hw_scaled s;
    assert_int_equal(hw_scaled_start(&s, g, 16, NULL), HW_OK);
    const uint64_t sizes[] = {0, 1, 1, 2};
    assert_memory_equal(s.graph.tensor_size, sizes, sizeof sizes);
    assert_int_equal(s.graph.node_workspace[0], 3);
    assert_int_equal(g->tensor_size[3], 17);
    hw_scaled_end(&s);
    hw_graph_free(g);
}

static uint64_t scaled_peak(const hw_model *m, const uint32_t *order, uint64_t divisor,
                            bool with_resident)
{
    hw_scaled s;
    hw_model *scaled = NULL;
    uint64_t peak;
    assert_int_equal(hw_scaled_start(&s, m->graph, divisor, NULL), HW_OK);
    assert_int_equal(hw_model_new(&s.graph, m->accounting, m->pin_inputs, &scaled, NULL), HW_OK);
    assert_int_equal(hw_peak(scaled, order, &peak, NULL), HW_OK);
    peak += with_resident ? scaled->resident_bytes : 0;
    hw_model_free(scaled);
    hw_scaled_end(&s);
    return peak;
}

/* The divisor fits, and one less does not. */
static void fit_a_random_order(const hw_model *m)
{
    static uint64_t seed = 78;
    uint32_t order[DRAFT_NODES];
    uint64_t divisor = 0;
    hw_error err = {0};
    if (!draft_order(m, &seed, order))
        return;
    bool with_resident = draft_below(&seed, 2);
    uint64_t peak = scaled_peak(m, order, 1, with_resident);
    uint64_t most = draft_below(&seed, peak + 2);
    hw_code code = hw_scale_to_fit(m->graph, m->accounting, m->pin_inputs, order, with_resident,
                                   most, &divisor, &err);
    if (code != HW_OK) {
        assert_int_equal(code, HW_USAGE);
        assert_true(scaled_peak(m, order, UINT64_C(1) << 63, with_resident) > most);
        return;
    }
    assert_true(scaled_peak(m, order, divisor, with_resident) <= most);
    assert_true(divisor == 1 || scaled_peak(m, order, divisor - 1, with_resident) > most);
}

static void the_least_divisor(void **state)
{
    (void)state;
    each_model(300, 14, DRAW_RICH, fit_a_random_order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_in_both_accountings),
        cmocka_unit_test(in_place_shares_a_block),
        cmocka_unit_test(in_place_waits_for_the_last_reader),
        cmocka_unit_test(in_place_of_a_dead_output),
        cmocka_unit_test(views_constants_and_nothing),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(whole_pages),
        cmocka_unit_test(sizes_are_divided_and_rounded_up),
        cmocka_unit_test(the_least_divisor),
    };
    return cmocka_run_group_tests_name("replay_plan", tests, NULL, NULL) != 0;
}
