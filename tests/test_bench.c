/*
 * The evaluator: lines, workers that die, proofs that lie, resuming.
 *
 * Solvers that crash, hang or lie are planted into a suite that has been read.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/results.h"
#include "bench/unit.h"
#include "bench/worker.h"
#include "model/check.h"
#include "support_bench.h"

/* ---- Planted solvers. ---- */

static hw_code level_order(const hw_model *m, hw_answer *a, hw_error *err)
{
    hw_check check;
    hw_code code = hw_graph_level_order(m->graph, a->order, err);
    if (code == HW_OK)
        code = hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, a->order,
                              m->n_nodes, &check, err);
    a->has_order = code == HW_OK;
    a->peak = code == HW_OK ? check.peak : 0;
    return code;
}

static hw_code crash(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a, (void)err;
    (void)raise(SIGKILL);
    return HW_OK;
}

static hw_code leave_early(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a, (void)err;
    _exit(3);
}

static hw_code hang(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a, (void)err;
    for (;;)
        (void)pause();
    return HW_OK;
}

static hw_code refuse(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a;
    return hw_fail(err, HW_USAGE, "takes no such graph");
}

static hw_code exhaust(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a;
    return hw_fail_memory(err, "a table of down-sets");
}

static hw_code lie(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)r;
    hw_code code = level_order(m, a, err);
    a->peak--;
    a->status = HW_FEASIBLE;
    return code;
}

/* An exact solver that proves whatever level order has. */
static hw_code prove_anything(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)r;
    a->status = HW_OPTIMAL;
    return level_order(m, a, err);
}

static hw_code no_order_is_legal(const hw_model *m, const hw_request *r, hw_answer *a,
                                 hw_error *err)
{
    (void)m, (void)r, (void)err;
    a->status = HW_INFEASIBLE;
    return HW_OK;
}

/* A bound above every peak, without an order that could disprove it. */
static hw_code bound_too_high(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)err;
    a->has_bound = true;
    a->bound = UINT64_MAX;
    return HW_OK;
}

#define PLANTED(id, what, function)                                                                \
    static const hw_solver_row id = {                                                              \
        .name = #id, .kind = what, .counts = "none", .help = "", .source = "", .solve = function}
PLANTED(row_crash, HW_SOLVER_HEURISTIC, crash);
PLANTED(row_exit, HW_SOLVER_HEURISTIC, leave_early);
PLANTED(row_hang, HW_SOLVER_HEURISTIC, hang);
PLANTED(row_refuse, HW_SOLVER_HEURISTIC, refuse);
PLANTED(row_exhaust, HW_SOLVER_HEURISTIC, exhaust);
PLANTED(row_lie, HW_SOLVER_HEURISTIC, lie);
PLANTED(row_prove, HW_SOLVER_EXACT, prove_anything);
PLANTED(row_infeasible, HW_SOLVER_EXACT, no_order_is_legal);
PLANTED(row_bound, HW_SOLVER_BOUND, bound_too_high);

/* ---- Running. ---- */

static const char plain[] = "name = t\nsolver = level\nsolver = greedy\nsolver = random:n=20\n"
                            "optimum = enumerate\noptimum = dp\n"
                            "family = layered:n=6..8 x3\nfamily = tree:n=7 x4\n";

/* One instance under one accounting, and solver `at` of it planted. */
static hw_suite *planted(size_t at, const hw_solver_row *row)
{
    hw_suite *suite =
        support_suite("name = t\naccounting = alloc-first\nsolver = level\nsolver = greedy\n"
                      "solver = dfs\noptimum = dp\nfamily = tree:n=8,direction=in\n");
    suite->sections[0].solvers[at].row = row;
    return suite;
}

static hw_code run(const hw_suite *suite, const char *path, unsigned jobs, bool resume,
                   hw_bench_counts *counts, hw_error *err)
{
    hw_bench_options o = {.output = path, .jobs = jobs, .resume = resume, .overwrite = !resume};
    return hw_bench_run(suite, &o, counts, err);
}

static void test_same_for_any_jobs(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(plain);
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    assert_int_equal(run(suite, "one.jsonl", 1, false, &counts, &err), HW_OK);
    assert_int_equal(counts.runs_done, suite->n_runs);
    assert_int_equal(run(suite, "many.jsonl", 7, false, &counts, &err), HW_OK);
    char *one = support_content("one.jsonl"), *many = support_content("many.jsonl");
    assert_string_equal(one, many);
    free(one);
    free(many);

    hw_results *r = support_results("one.jsonl");
    assert_int_equal(r->n_records, suite->n_runs);
    for (size_t i = 0; i < r->n_records; i++) {
        const hw_record *x = &r->records[i];
        assert_true(x->optimum.known && x->checked_peak.known && x->bound.known);
        assert_true(x->peak.value == x->checked_peak.value);
        assert_true(x->checked_peak.value >= x->optimum.value);
        assert_string_equal(x->optimum_by, "enumerate");
        assert_false(x->conflict);
        assert_true(x->wall_seconds >= 0 && x->states.known);
        assert_int_equal(strlen(x->graph), 64);
        if (x->exact)
            assert_string_equal(x->status, "optimal");
    }
    /* Both accountings of an instance are of the same graph, others are not. */
    for (size_t i = 0; i < r->n_records; i += 5)
        for (size_t k = 0; k < i; k += 5) {
            const hw_record *x = &r->records[i], *y = &r->records[k];
            bool same = strcmp(x->family, y->family) == 0 && strcmp(x->params, y->params) == 0 &&
                        x->index == y->index;
            assert_true((strcmp(x->graph, y->graph) == 0) == same);
        }
    hw_results_free(r);

    suite->seed++;
    assert_int_equal(run(suite, "many.jsonl", 2, false, &counts, &err), HW_OK);
    one = support_content("one.jsonl");
    many = support_content("many.jsonl");
    assert_string_not_equal(one, many);
    free(one);
    free(many);
    hw_suite_free(suite);
}

static void check_planted(size_t at, const hw_solver_row *row, double kill_after,
                          const char *status, const char *message)
{
    hw_suite *suite = planted(at, row);
    suite->sections[0].solvers[at].limits.kill_after_seconds = kill_after;
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    assert_int_equal(run(suite, "p.jsonl", 2, false, &counts, &err), HW_OK);
    assert_int_equal(counts.runs_done, 4);
    assert_int_equal(counts.crashed + counts.timeouts + counts.refused + counts.out_of_memory, 1);
    hw_results *r = support_results("p.jsonl");
    assert_int_equal(r->n_records, 4);
    for (size_t i = 0; i < 4; i++) {
        const hw_record *x = &r->records[i];
        assert_true(x->optimum.known); /* dp has run all the same */
        if (i != at) {
            assert_true(x->checked_peak.known);
            continue;
        }
        assert_string_equal(x->status, status);
        assert_non_null(strstr(x->message, message));
        assert_false(x->peak.known);
    }
    hw_results_free(r);
    hw_suite_free(suite);
}

static void test_dying_workers(void **state)
{
    (void)state;
    for (size_t at = 0; at < 3; at++) {
        check_planted(at, &row_crash, 0, "crashed", "signal 9");
        check_planted(at, &row_exit, 0, "crashed", "exit status 3");
    }
    check_planted(1, &row_hang, 0.2, "timeout", "killed after 0.2 seconds");
    check_planted(2, &row_refuse, 0, "refused", "takes no such graph");
    check_planted(1, &row_exhaust, 0, "out-of-memory", "out of memory");
}

static void check_conflict(size_t at, const hw_solver_row *row, const char *words)
{
    hw_suite *suite = planted(at, row);
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    assert_int_equal(run(suite, "p.jsonl", 1, false, &counts, &err), HW_CHECK_FAILED);
    assert_int_equal(counts.conflicts, 1);
    if (!strstr(err.message, words) || !strstr(err.message, "tree:n=8,direction=in#0 under alloc"))
        fail_msg("'%s' is not in: %s", words, err.message);
    hw_results *r = support_results("p.jsonl");
    assert_int_equal(r->n_records, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(r->records[i].conflict);
        assert_true((strcmp(r->records[i].status, "wrong") == 0) == (row == &row_lie && i == at));
        assert_false(r->records[i].optimum.known); /* nothing is proven here */
    }
    hw_results_free(r);
    hw_suite_free(suite);
}

static void test_contradictions(void **state)
{
    (void)state;
    check_conflict(1, &row_prove, "but dp proves");
    check_conflict(3, &row_prove, "dp proves the optimum"); /* planted, it keeps the name */
    check_conflict(1, &row_infeasible, "no order is legal");
    check_conflict(1, &row_bound, "proves the bound");
    check_conflict(0, &row_lie, "the checker finds");
}

static void test_instances_that_fail(void **state)
{
    (void)state;
    hw_suite *suite = support_suite("name = t\nsolver = level\nfamily = layered:n=6,layers=20\n"
                                    "family = tree:n=6\n");
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    assert_int_equal(run(suite, "p.jsonl", 1, false, &counts, &err), HW_CHECK_FAILED);
    assert_int_equal(counts.failed, 2);
    assert_non_null(strstr(err.message, "2 runs failed; the first: layered:n=6,layers=20#0"));
    hw_results *r = support_results("p.jsonl");
    assert_int_equal(r->n_records, 4);
    for (size_t i = 0; i < 4; i++) {
        bool fails = strcmp(r->records[i].family, "layered") == 0;
        assert_string_equal(r->records[i].status, fails ? "error" : "feasible");
        assert_true((r->records[i].graph == NULL) == fails);
    }
    hw_results_free(r);
    hw_suite_free(suite);
}

/* ---- Going on. ---- */

static void cut_file(const char *path, long bytes)
{
    assert_int_equal(truncate(path, bytes), 0);
}

static long size_of(const char *path)
{
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    long size = ftell(in);
    assert_int_equal(fclose(in), 0);
    return size;
}

static void test_resume(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(plain);
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    assert_int_equal(run(suite, "r.jsonl", 2, false, &counts, &err), HW_OK);
    char *whole = support_content("r.jsonl");
    /* Nothing is left to do. */
    assert_int_equal(run(suite, "r.jsonl", 2, true, &counts, &err), HW_OK);
    assert_int_equal(counts.runs_kept, suite->n_runs);
    /* Cut off in the middle of a line, and right before a newline. */
    long size = size_of("r.jsonl");
    static const long numerators[] = {0, 1, 3, 7};
    for (size_t i = 0; i < sizeof numerators / sizeof numerators[0]; i++) {
        cut_file("r.jsonl", i == 3 ? size - 1 : size * numerators[i] / 8);
        assert_int_equal(run(suite, "r.jsonl", 3, true, &counts, &err), HW_OK);
        assert_true(counts.runs_kept < suite->n_runs);
        char *again = support_content("r.jsonl");
        assert_string_equal(again, whole);
        free(again);
        size = size_of("r.jsonl");
    }
    free(whole);
    /* Another limit is another run. */
    for (size_t i = 0; i < suite->sections[0].n_solvers; i++)
        suite->sections[0].solvers[i].limits.solver.states = 123456;
    assert_int_equal(run(suite, "r.jsonl", 2, true, &counts, &err), HW_OK);
    assert_int_equal(counts.runs_kept, 0);

    hw_bench_options o = {.output = "r.jsonl", .jobs = 1};
    assert_int_equal(hw_bench_run(suite, &o, &counts, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "--resume"));
    FILE *out = fopen("r.jsonl", "w");
    assert_non_null(out);
    assert_true(fputs("no results\n", out) >= 0);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(run(suite, "r.jsonl", 2, true, &counts, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "r.jsonl:1: "));
    hw_suite_free(suite);
}

static volatile sig_atomic_t stop_flag;

static void stop_soon(void *context, const hw_bench_counts *counts)
{
    (void)context, (void)counts;
    stop_flag = 1;
}

/* What is too large for a solver has no line, and is no obstacle to resuming. */
static void test_most_nodes(void **state)
{
    (void)state;
    hw_suite *suite =
        support_suite("name = t\naccounting = alloc-first\nsolver = level\noptimum = dp\n"
                      "most-nodes dp = 7\nstate-limit dp = 1000000\nfamily = tree:n=7|8 x2\n");
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    for (int resumed = 0; resumed < 2; resumed++) {
        assert_int_equal(run(suite, "m.jsonl", 2, resumed, &counts, &err), HW_OK);
        assert_int_equal(counts.runs_done, 8);
        assert_int_equal(counts.runs_kept, resumed ? 6 : 0);
        assert_int_equal(counts.left_out, 2);
        hw_results *r = support_results("m.jsonl");
        assert_int_equal(r->n_records, 6);
        for (size_t i = 0; i < r->n_records; i++) {
            const hw_record *x = &r->records[i];
            assert_true(x->n_nodes == 7 || strcmp(x->solver, "level") == 0);
            assert_int_equal(x->state_limit, strcmp(x->solver, "dp") == 0 ? 1000000 : 0);
            assert_true(x->optimum.known == (x->n_nodes == 7));
        }
        hw_results_free(r);
    }
    hw_suite_free(suite);
}

static void test_stop(void **state)
{
    (void)state;
    hw_suite *suite = support_suite("name = t\nsolver = level\naccounting = alloc-first\n"
                                    "family = tree:n=6 x3\nfamily = fan:n=6 x30\n");
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    hw_bench_options o = {.output = "s.jsonl",
                          .jobs = 2,
                          .overwrite = true,
                          .stop = &stop_flag,
                          .progress = stop_soon};
    /* The first unit hangs, so that later ones are finished before it. */
    suite->sections[0].solvers[0].row = &row_hang;
    assert_int_equal(hw_bench_run(suite, &o, &counts, &err), HW_STOPPED);
    assert_non_null(strstr(err.message, "--resume"));
    assert_int_equal(size_of("s.jsonl"), 0);
    stop_flag = 1;
    assert_int_equal(hw_bench_run(suite, &o, &counts, &err), HW_STOPPED);
    stop_flag = 0;
    hw_suite_free(suite);
}

static void test_full_disk(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(plain);
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    assert_int_equal(run(suite, "/dev/full", 2, false, &counts, &err), HW_IO);
    assert_non_null(strstr(err.message, "/dev/full"));
    assert_int_equal(run(suite, "no/such/folder.jsonl", 2, false, &counts, &err), HW_IO);
    hw_suite_free(suite);
}

/* ---- A unit in this very process. ---- */

typedef struct log {
    unsigned instances, starts, runs, give_up_after;
    hw_run last;
} log;

static bool keep(void *context, const hw_report *report)
{
    log *l = context;
    l->instances += report->kind == HW_REPORT_INSTANCE;
    l->starts += report->kind == HW_REPORT_START;
    l->runs += report->kind == HW_REPORT_RUN;
    if (report->kind == HW_REPORT_RUN)
        l->last = report->run;
    return l->give_up_after == 0 || l->instances + l->starts + l->runs < l->give_up_after;
}

static void test_unit(void **state)
{
    (void)state;
    hw_suite *suite = planted(1, &row_refuse);
    hw_run open[4] = {{.fate = HW_FATE_OPEN}};
    open[0].fate = HW_FATE_ANSWERED; /* is not run again */
    log l = {.instances = 0};
    hw_unit_run(suite, 0, open, HW_NONE, keep, &l);
    assert_int_equal(l.instances, 1);
    assert_int_equal(l.starts, 3);
    assert_int_equal(l.runs, 3);
    assert_int_equal(l.last.status, HW_OPTIMAL);
    assert_true(l.last.wall_seconds >= 0);
    for (unsigned after = 1; after <= 3; after++) {
        l = (log){.give_up_after = after};
        hw_unit_run(suite, 0, open, HW_NONE, keep, &l);
        assert_int_equal(l.instances + l.starts + l.runs, after);
    }
    suite->sections[0].solvers[1].row = &row_lie;
    l = (log){.give_up_after = 3};
    hw_unit_run(suite, 0, open, HW_NONE, keep, &l);
    assert_int_equal(l.last.fate, HW_FATE_INVALID);
    hw_suite_free(suite);
}

static void test_broken_file(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(plain);
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    assert_int_equal(run(suite, "b.jsonl", 2, false, &counts, &err), HW_OK);
    FILE *out = fopen("b.jsonl", "a");
    assert_non_null(out);
    assert_true(fputs("{\"suite\":\"t\",\"sec", out) >= 0);
    assert_int_equal(fclose(out), 0);
    hw_results *r;
    assert_int_equal(hw_results_load("b.jsonl", false, &r, &err), HW_BAD_INPUT);
    char where[64];
    (void)snprintf(where, sizeof where, "b.jsonl:%d: ", (int)suite->n_runs + 1);
    assert_non_null(strstr(err.message, where));
    assert_non_null(strstr(err.message, "--resume"));
    assert_int_equal(hw_results_load("b.jsonl", true, &r, &err), HW_OK);
    assert_int_equal(r->n_records, suite->n_runs);
    assert_int_equal(r->n_broken, 1);
    assert_true(r->torn_end);
    hw_results_free(r);
    assert_int_equal(hw_results_load("missing.jsonl", false, &r, &err), HW_IO);
    hw_suite_free(suite);
}

/* A worker that left ends no program, whatever that does about SIGPIPE, and takes none of its. */
static void test_a_worker_that_is_gone(void **state)
{
    (void)state;
    int ends[2];
    sigset_t broken, before, pending;
    void (*kept)(int) = signal(SIGPIPE, SIG_DFL);
    assert_int_equal(pipe(ends), 0);
    assert_true(hw_worker_send(ends[1], "12", 2));
    (void)close(ends[0]);
    errno = 0;
    assert_false(hw_worker_send(ends[1], "1", 1));
    assert_int_equal(errno, EPIPE);
    (void)sigemptyset(&broken);
    (void)sigaddset(&broken, SIGPIPE);
    assert_int_equal(sigprocmask(SIG_BLOCK, &broken, &before), 0);
    for (int own = 0; own < 2; own++) {
        if (own)
            (void)raise(SIGPIPE);
        assert_false(hw_worker_send(ends[1], "1", 1));
        assert_int_equal(sigpending(&pending), 0);
        assert_int_equal(sigismember(&pending, SIGPIPE), own);
    }
    (void)signal(SIGPIPE, SIG_IGN); /* drops it */
    assert_false(hw_worker_send(ends[1], "1", 1));
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    (void)close(ends[1]);
    (void)signal(SIGPIPE, kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_for_any_jobs),
        cmocka_unit_test(test_dying_workers),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_instances_that_fail),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_most_nodes),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_unit),
        cmocka_unit_test(test_broken_file),
        cmocka_unit_test(test_a_worker_that_is_gone),
    };
    return cmocka_run_group_tests(tests, support_bench_enter, support_bench_leave) != 0;
}
