/*
 * Campaigns: the order of a sweep, parts and samples, hard limits and times.
 *
 * Solvers that misbehave are planted into a suite that has been read.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/unit.h"
#include "model/check.h"
#include "support_bench.h"
#include "support_sanitized.h"

/* ---- Planted solvers. ---- */

static hw_code level_order(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)r;
    hw_check check;
    hw_code code = hw_graph_level_order(m->graph, a->order, err);
    if (code == HW_OK)
        code = hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, a->order,
                              m->n_nodes, &check, err);
    a->has_order = code == HW_OK;
    a->peak = code == HW_OK ? check.peak : 0;
    a->status = HW_FEASIBLE;
    return code;
}

static volatile sig_atomic_t poisoned; /* in a worker: something has run here before */

static hw_code poison(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    poisoned = 1;
    return level_order(m, r, a, err);
}

static hw_code die_of_poison(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    if (poisoned)
        (void)raise(SIGKILL); /* others are handled by cmocka, which would go on in the worker */
    return level_order(m, r, a, err);
}

static hw_code burn(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a, (void)err;
    for (volatile unsigned i = 0;; i++)
        ;
    return HW_OK;
}

static hw_code gobble(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a;
    enum { BLOCK = 1 << 24, MOST = 1024 };
    void *block[MOST];
    size_t n = 0;
    while (n < MOST && (block[n] = malloc(BLOCK)) != NULL)
        memset(block[n++], 1, BLOCK);
    for (size_t i = 0; i < n; i++)
        free(block[i]);
    return n < MOST ? hw_fail_memory(err, "a table of down-sets") : HW_OK;
}

static unsigned calls;

static hw_code waver(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    a->states = ++calls;
    return level_order(m, r, a, err);
}

/* As a solver does that runs a program: a folder, a child. */
static void litter(void)
{
    char name[64], file[96];
    (void)snprintf(name, sizeof name, "./highwater-cbc-%ld-XXXXXX", (long)getpid());
    if (!mkdtemp(name))
        _exit(1);
    (void)snprintf(file, sizeof file, "%s/model.mps", name);
    FILE *out = fopen(file, "w");
    if (!out || fclose(out) != 0)
        _exit(1);
    pid_t child = fork();
    out = child > 0 ? fopen("child.txt", "w") : NULL;
    if (out && (fprintf(out, "%ld\n", (long)child) < 0 || fclose(out) != 0))
        _exit(1);
    if (child == 0)
        for (;;)
            (void)pause();
}

static hw_code litter_and_hang(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a, (void)err;
    litter();
    for (;;)
        (void)pause();
    return HW_OK;
}

static hw_code litter_and_die(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a, (void)err;
    litter();
    (void)raise(SIGKILL);
    return HW_OK;
}

static hw_code need_room(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    enum { ROOM = 1 << 27 };
    char *room = malloc(ROOM);
    if (!room)
        return hw_fail_memory(err, "a run that has no limit");
    room[m->n_nodes] = 1;
    free(room);
    return level_order(m, r, a, err);
}

#define PLANTED(id, function)                                                                      \
    static const hw_solver_row id = {.name = #id,                                                  \
                                     .kind = HW_SOLVER_HEURISTIC,                                  \
                                     .counts = "none",                                             \
                                     .help = "",                                                   \
                                     .source = "",                                                 \
                                     .solve = function}
PLANTED(row_poison, poison);
PLANTED(row_victim, die_of_poison);
PLANTED(row_burn, burn);
PLANTED(row_gobble, gobble);
PLANTED(row_waver, waver);
PLANTED(row_hang, litter_and_hang);
PLANTED(row_die, litter_and_die);
PLANTED(row_room, need_room);

/* One instance under one accounting: level, greedy, dfs, dp. */
static hw_suite *planted(size_t at, const hw_solver_row *row)
{
    hw_suite *suite =
        support_suite("name = t\naccounting = alloc-first\nsolver = level\nsolver = greedy\n"
                      "solver = dfs\noptimum = dp\nfamily = tree:n=8,direction=in\n");
    suite->sections[0].solvers[at].row = row;
    return suite;
}

/* ---- Running. ---- */

static const hw_record *record_of(const hw_results *r, const char *solver)
{
    for (size_t i = 0; i < r->n_records; i++)
        if (strcmp(r->records[i].solver, solver) == 0)
            return &r->records[i];
    fail_msg("no line of %s", solver);
    return NULL;
}

/* ---- The order. ---- */

/* A whole file is in the order of the plan. */
static void test_order_of_lines(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(support_plain_suite);
    hw_bench_counts counts;
    support_run_well(suite, &(hw_bench_options){.output = "o.jsonl", .jobs = 3, .overwrite = true},
                     &counts);
    hw_results *r = support_results("o.jsonl");
    assert_int_equal(r->n_records, suite->n_runs);
    for (size_t i = 0; i < r->n_records; i++) {
        hw_record want = hw_plan_run(suite, i / 5, i % 5);
        char key[HW_KEY_TEXT];
        assert_int_equal(hw_record_compare_keys(&want, &r->records[i]), 0);
        hw_plan_key(suite, i / 5, i % 5, r->records[i].graph, HW_VERSION, key);
        assert_string_equal(r->records[i].key, key);
        assert_string_equal(r->records[i].sizes, "uniform");
        assert_string_equal(r->records[i].features, "");
    }
    hw_results_free(r);
    assert_string_equal(counts.untidy, "");
    hw_suite_free(suite);
}

/* All parts together are the whole, in one file or in many; so is a sample of its parts. */
static void test_parts(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(support_plain_suite);
    hw_bench_counts counts;
    hw_bench_options o = {.output = "w.jsonl", .jobs = 2, .overwrite = true};
    support_run_well(suite, &o, &counts);
    o = (hw_bench_options){.output = "p.jsonl", .jobs = 2, .overwrite = true};
    uint64_t total = 0;
    for (o.choice.parts = 3; o.choice.part < 3;) {
        o.choice.part++;
        support_run_well(suite, &o, &counts);
        assert_int_equal(counts.runs_done, counts.runs_total);
        total += counts.runs_total;
        o.overwrite = false;
        o.resume = true;
        assert_int_equal(counts.runs_kept, 0);
    }
    assert_int_equal(total, suite->n_runs);
    support_same_lines(support_content("w.jsonl"), support_content("p.jsonl"));
    /* A sample: so many units, and the lines that the whole has. */
    o = (hw_bench_options){.output = "s.jsonl",
                           .jobs = 2,
                           .overwrite = true,
                           .choice = {.sample = 4, .sample_seed = 9}};
    support_run_well(suite, &o, &counts);
    assert_int_equal(counts.runs_total, 20);
    support_run_well(suite, &(hw_bench_options){.output = "s.jsonl", .jobs = 1, .resume = true},
                     &counts);
    assert_int_equal(counts.runs_kept, 20);
    assert_int_equal(counts.runs_done, suite->n_runs);
    hw_suite_free(suite);
}

/* ---- Hard limits. ---- */

static void check_limited(size_t at, const hw_solver_row *row, hw_suite_limits limits,
                          const char *status, const char *message)
{
    hw_suite *suite = planted(at, row);
    suite->sections[0].solvers[at].limits = limits;
    hw_bench_counts counts;
    support_run_well(suite, &(hw_bench_options){.output = "l.jsonl", .jobs = 2, .overwrite = true},
                     &counts);
    assert_int_equal(counts.runs_done, 4);
    hw_results *r = support_results("l.jsonl");
    assert_int_equal(r->n_records, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(r->records[i].checked_peak.known == (i != at));
        assert_true(r->records[i].optimum.known);
    }
    assert_string_equal(r->records[at].status, status);
    if (!strstr(r->records[at].message, message))
        fail_msg("'%s' is not in: %s", message, r->records[at].message);
    hw_results_free(r);
    hw_suite_free(suite);
}

static void test_hard_limits(void **state)
{
    (void)state;
    check_limited(1, &row_burn, (hw_suite_limits){.cpu_seconds = 0.2}, "timeout",
                  "ended after 0.2 seconds of CPU time");
    check_limited(2, &row_burn, (hw_suite_limits){.kill_after_seconds = 0.2}, "timeout",
                  "killed after 0.2 seconds");
    if (!SANITIZED)
        check_limited(0, &row_gobble, (hw_suite_limits){.memory_kill_bytes = 200 << 20},
                      "out-of-memory", "out of memory for a table of down-sets");
}

/* The limit of one run is none of its neighbours'. */
static void test_limits_end(void **state)
{
    (void)state;
    hw_suite *suite = planted(0, &row_gobble);
    hw_bench_counts counts;
    suite->sections[0].solvers[0].limits.memory_kill_bytes = 40 << 20;
    suite->sections[0].solvers[1].row = &row_room;
    for (suite->seed = 0; !SANITIZED && suite->seed < 6; suite->seed++) {
        support_run_well(
            suite, &(hw_bench_options){.output = "e.jsonl", .jobs = 1, .overwrite = true}, &counts);
        assert_int_equal(counts.out_of_memory, 1);
        hw_results *r = support_results("e.jsonl");
        assert_string_equal(record_of(r, "level")->status, "out-of-memory");
        hw_results_free(r);
    }
    hw_suite_free(suite);
}

/* What a suite says reaches the solvers, and what they answer within it stays. */
static void test_limits_of_a_suite(void **state)
{
    (void)state;
    hw_suite *suite = support_suite("solver = level\ncpu-limit = 5\nmemory-kill = 1GiB\n"
                                    "measure-for level = 0\nsolver = dfs\nfamily = tree:n=6 x2\n");
    const hw_suite_solver *s = suite->sections[0].solvers;
    assert_true(s[0].limits.cpu_seconds > 4 && s[0].limits.memory_kill_bytes == 1 << 30);
    assert_true(s[0].limits.measure_seconds <= 0 && s[1].limits.measure_seconds > 0);
    hw_bench_counts counts;
    support_run_well(suite, &(hw_bench_options){.output = "l.jsonl", .jobs = 1, .overwrite = true},
                     &counts);
    hw_results *r = support_results("l.jsonl");
    for (size_t i = 0; i < r->n_records; i++) {
        assert_true(r->records[i].checked_peak.known && r->records[i].repeats.known);
        bool once = strcmp(r->records[i].solver, "level") == 0;
        assert_true((r->records[i].repeats.value == 1) == once);
        assert_true(r->records[i].repeats.value <= 256);
        assert_true(once || r->records[i].repeats.value == 256 ||
                    r->records[i].wall_seconds * (double)r->records[i].repeats.value > 0.99e-4);
    }
    hw_results_free(r);
    hw_suite_free(suite);
}

/* A run that dies of what another left behind is made again where there was none. */
static void test_neighbours(void **state)
{
    (void)state;
    hw_suite *suite = planted(0, &row_poison);
    hw_bench_counts counts;
    suite->sections[0].solvers[1].row = &row_victim;
    for (uint64_t seed = 0; seed < 6; seed++) { /* in another order each time */
        suite->seed = seed;
        support_run_well(
            suite, &(hw_bench_options){.output = "n.jsonl", .jobs = 1, .overwrite = true}, &counts);
        assert_int_equal(counts.crashed, 0);
        hw_results *r = support_results("n.jsonl");
        assert_int_equal(r->n_records, 4);
        assert_true(record_of(r, "greedy")->checked_peak.known);
        hw_results_free(r);
    }
    hw_suite_free(suite);
}

/* One call and the next disagree: what is written would depend on how fast the machine is. */
static void test_wavering(void **state)
{
    (void)state;
    hw_suite *suite = planted(2, &row_waver);
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    assert_int_equal(
        hw_bench_run(suite, &(hw_bench_options){.output = "v.jsonl", .jobs = 1, .overwrite = true},
                     &counts, &err),
        HW_CHECK_FAILED);
    assert_int_equal(counts.wrong, 1);
    hw_results *r = support_results("v.jsonl");
    assert_string_equal(record_of(r, "dfs")->status, "wrong");
    assert_non_null(strstr(record_of(r, "dfs")->message, "gives another answer"));
    hw_results_free(r);
    /* It is remembered when the sweep is resumed. */
    assert_int_equal(
        hw_bench_run(suite, &(hw_bench_options){.output = "v.jsonl", .jobs = 1, .resume = true},
                     &counts, &err),
        HW_CHECK_FAILED);
    assert_int_equal(counts.runs_kept, 4);
    assert_int_equal(counts.conflicts, 1);
    hw_suite_free(suite);
}

static bool is_alive(pid_t pid)
{
    char path[64], text[256];
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *in = fopen(path, "r");
    bool alive = in && fgets(text, sizeof text, in) && !strstr(text, ") Z ");
    if (in)
        (void)fclose(in);
    return alive;
}

static void check_nothing_left(const hw_solver_row *row, double kill_after)
{
    hw_suite *suite = planted(0, row);
    hw_bench_counts counts;
    suite->sections[0].solvers[0].limits.kill_after_seconds = kill_after;
    assert_int_equal(setenv("TMPDIR", ".", 1), 0);
    support_run_well(suite, &(hw_bench_options){.output = "c.jsonl", .jobs = 1, .overwrite = true},
                     &counts);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_int_equal(counts.timeouts + counts.crashed, 1);
    glob_t found;
    assert_int_equal(glob("highwater-cbc-*", 0, NULL, &found), GLOB_NOMATCH);
    FILE *in = fopen("child.txt", "r");
    long child = 0;
    assert_true(in && fscanf(in, "%ld", &child) == 1 && child > 0);
    assert_int_equal(fclose(in), 0);
    for (int i = 0; i < 100 && is_alive((pid_t)child); i++)
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_false(is_alive((pid_t)child));
    hw_suite_free(suite);
}

static void test_nothing_left_behind(void **state)
{
    (void)state;
    check_nothing_left(&row_hang, 0.3);
    check_nothing_left(&row_die, 0);
}

/* ---- Doubtful times. ---- */

static void hear(void *context, const char *sentence)
{
    char *heard = context;
    (void)snprintf(heard, 256, "%s", sentence);
}

static void test_warnings(void **state)
{
    (void)state;
    hw_suite *suite = support_suite("solver = level\nmeasure-for = 0\nfamily = tree:n=4 x3\n");
    hw_bench_counts counts;
    char heard[256] = "";
    hw_bench_options o = {
        .output = "w.jsonl", .jobs = 1000, .overwrite = true, .warn = hear, .warn_context = heard};
    support_run_well(suite, &o, &counts);
    assert_true(counts.warnings >= 1);
    o.jobs = 1;
    *heard = '\0';
    support_run_well(suite, &o, &counts);
    if (!SANITIZED) {
        assert_int_equal(counts.warnings, 1);
        assert_non_null(strstr(heard, "measure-for"));
    }
    hw_suite_free(suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_lines),    cmocka_unit_test(test_parts),
        cmocka_unit_test(test_hard_limits),       cmocka_unit_test(test_limits_end),
        cmocka_unit_test(test_limits_of_a_suite), cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_wavering),          cmocka_unit_test(test_nothing_left_behind),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, support_bench_enter, support_bench_leave) != 0;
}
