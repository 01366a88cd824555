/*
 * Campaigns: the order of a sweep, parts and samples, hard limits, times, and
 * files that something has happened to.
 *
 * Solvers that misbehave are planted into a suite that has been read.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/unit.h"
#include "core/memory.h"
#include "model/check.h"
#include "support_bench.h"
#include "support_sanitized.h"

static const char plain[] = "name = t\nsolver = level\nsolver = greedy\nsolver = random:n=20\n"
                            "optimum = enumerate\noptimum = dp\n"
                            "family = layered:n=6..8 x3\nfamily = tree:n=7 x4\n";

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

static hw_code run(const hw_suite *suite, const hw_bench_options *o, hw_bench_counts *counts,
                   hw_error *err)
{
    return hw_bench_run(suite, o, counts, err);
}

static void run_well(const hw_suite *suite, const hw_bench_options *o, hw_bench_counts *counts)
{
    hw_error err = {.code = HW_OK};
    if (run(suite, o, counts, &err) != HW_OK)
        fail_msg("%s", err.message);
}

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
    hw_suite *suite = support_suite(plain);
    hw_bench_counts counts;
    run_well(suite, &(hw_bench_options){.output = "o.jsonl", .jobs = 3, .overwrite = true},
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

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The lines of a text, sorted; the text is cut into them. */
static char **sorted_lines(char *text, size_t *n)
{
    size_t capacity = 0;
    char **line = NULL;
    *n = 0;
    for (char *at = text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        *end = '\0';
        assert_true(hw_grow((void **)&line, &capacity, *n + 1, sizeof *line));
        line[(*n)++] = at;
    }
    qsort((void *)line, *n, sizeof *line, compare_lines);
    return line;
}

/* Two texts hold the same lines, whatever their order; both are cut, and freed. */
static void check_same_lines(char *one, char *other)
{
    size_t n, n_other;
    char **line = sorted_lines(one, &n), **again = sorted_lines(other, &n_other);
    assert_int_equal(n, n_other);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(line[i], again[i]);
    free((void *)line);
    free((void *)again);
    free(one);
    free(other);
}

/* All parts together are the whole, in one file or in many; so is a sample of its parts. */
static void test_parts(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(plain);
    hw_bench_counts counts;
    hw_bench_options o = {.output = "w.jsonl", .jobs = 2, .overwrite = true};
    run_well(suite, &o, &counts);
    o = (hw_bench_options){.output = "p.jsonl", .jobs = 2, .overwrite = true};
    uint64_t total = 0;
    for (o.choice.parts = 3; o.choice.part < 3;) {
        o.choice.part++;
        run_well(suite, &o, &counts);
        assert_int_equal(counts.runs_done, counts.runs_total);
        total += counts.runs_total;
        o.overwrite = false;
        o.resume = true;
        assert_int_equal(counts.runs_kept, 0);
    }
    assert_int_equal(total, suite->n_runs);
    check_same_lines(support_content("w.jsonl"), support_content("p.jsonl"));
    /* A sample: so many units, and the lines that the whole has. */
    o = (hw_bench_options){.output = "s.jsonl",
                           .jobs = 2,
                           .overwrite = true,
                           .choice = {.sample = 4, .sample_seed = 9}};
    run_well(suite, &o, &counts);
    assert_int_equal(counts.runs_total, 20);
    run_well(suite, &(hw_bench_options){.output = "s.jsonl", .jobs = 1, .resume = true}, &counts);
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
    run_well(suite, &(hw_bench_options){.output = "l.jsonl", .jobs = 2, .overwrite = true},
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
        run_well(suite, &(hw_bench_options){.output = "e.jsonl", .jobs = 1, .overwrite = true},
                 &counts);
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
    run_well(suite, &(hw_bench_options){.output = "l.jsonl", .jobs = 1, .overwrite = true},
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
        run_well(suite, &(hw_bench_options){.output = "n.jsonl", .jobs = 1, .overwrite = true},
                 &counts);
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
    assert_int_equal(run(suite,
                         &(hw_bench_options){.output = "v.jsonl", .jobs = 1, .overwrite = true},
                         &counts, &err),
                     HW_CHECK_FAILED);
    assert_int_equal(counts.wrong, 1);
    hw_results *r = support_results("v.jsonl");
    assert_string_equal(record_of(r, "dfs")->status, "wrong");
    assert_non_null(strstr(record_of(r, "dfs")->message, "gives another answer"));
    hw_results_free(r);
    /* It is remembered when the sweep is resumed. */
    assert_int_equal(run(suite, &(hw_bench_options){.output = "v.jsonl", .jobs = 1, .resume = true},
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
    run_well(suite, &(hw_bench_options){.output = "c.jsonl", .jobs = 1, .overwrite = true},
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

/* ---- Files that something has happened to. ---- */

static void put_file(const char *path, const char *mode, const char *text)
{
    FILE *out = fopen(path, mode);
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static char *get_file(const char *path)
{
    FILE *in = fopen(path, "r"), *out;
    char *text;
    size_t size;
    assert_non_null(in);
    out = open_memstream(&text, &size);
    assert_non_null(out);
    for (int c; (c = fgetc(in)) != EOF;)
        (void)fputc(c, out);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void check_refused(const hw_suite *suite, const char *path, hw_code want, const char *words)
{
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    char *before = get_file(path);
    hw_code code =
        run(suite, &(hw_bench_options){.output = path, .jobs = 2, .resume = true}, &counts, &err);
    assert_int_equal(code, want);
    if (!strstr(err.message, words))
        fail_msg("'%s' is not in: %s", words, err.message);
    char *after = get_file(path);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* Replace the first `from` by `to`, of the same length. */
static void alter(const char *path, const char *from, const char *to)
{
    char *text = get_file(path), *at = strstr(text, from);
    assert_non_null(at);
    assert_int_equal(strlen(from), strlen(to));
    memcpy(at, to, strlen(to));
    put_file(path, "w", text);
    free(text);
}

static void test_broken_lines(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(plain);
    hw_bench_counts counts;
    hw_bench_options o = {.output = "b.jsonl", .jobs = 2, .overwrite = true};
    run_well(suite, &o, &counts);
    char *whole = support_content("b.jsonl");
    alter("b.jsonl", "\"status\":", "\"stutas\":");
    /* The last line lacks its newline and nothing else: the broken one is the first all the same.
     */
    char *text = get_file("b.jsonl");
    text[strlen(text) - 1] = '\0';
    put_file("b.jsonl", "w", text);
    check_refused(suite, "b.jsonl", HW_BAD_INPUT, "b.jsonl:1: ");
    put_file("b.jsonl", "a", "\n");
    free(text);
    put_file("b.jsonl", "a", "{\"suite\":\"t\",\"torn");
    check_refused(suite, "b.jsonl", HW_BAD_INPUT, "b.jsonl:1: ");
    check_refused(suite, "b.jsonl", HW_BAD_INPUT, "--drop-broken");
    o = (hw_bench_options){.output = "b.jsonl", .jobs = 2, .resume = true, .drop_broken = true};
    run_well(suite, &o, &counts);
    assert_int_equal(counts.lines_dropped, 2);
    assert_int_equal(counts.runs_kept, suite->n_runs - 1);
    char *aside = get_file("b.jsonl.broken");
    assert_non_null(strstr(aside, "stutas"));
    assert_non_null(strstr(aside, "torn\n"));
    free(aside);
    check_same_lines(whole, support_content("b.jsonl"));
    hw_suite_free(suite);
}

static void test_lines_that_do_not_fit(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(plain);
    hw_bench_counts counts;
    hw_bench_options o = {.output = "f.jsonl", .jobs = 2, .overwrite = true};
    run_well(suite, &o, &counts);
    char *whole = get_file("f.jsonl");
    alter("f.jsonl", "\"version\":\"0", "\"version\":\"9");
    check_refused(suite, "f.jsonl", HW_BAD_INPUT, "its seal does not fit");
    support_unseal(whole);
    put_file("f.jsonl", "w", whole);
    alter("f.jsonl", "\"version\":\"0", "\"version\":\"9");
    check_refused(suite, "f.jsonl", HW_BAD_INPUT, "f.jsonl:1: written by version 9");
    char *key = whole + strlen("{\"key\":\""), of_key = *key;
    *key = *key == '9' ? '1' : '9';
    put_file("f.jsonl", "w", whole);
    check_refused(suite, "f.jsonl", HW_BAD_INPUT, "f.jsonl:1: key ");
    *key = of_key;
    /* One run twice: the same answer is no matter, another is. */
    char *end = strchr(whole, '\n');
    assert_non_null(end);
    put_file("f.jsonl", "w", whole);
    char first[2048];
    (void)snprintf(first, sizeof first, "%.*s", (int)(end + 1 - whole), whole);
    put_file("f.jsonl", "a", first);
    o = (hw_bench_options){.output = "f.jsonl", .jobs = 2, .resume = true};
    run_well(suite, &o, &counts);
    assert_int_equal(counts.runs_kept, suite->n_runs);
    char *digit = strstr(first, "\"checked_peak\":");
    assert_non_null(digit);
    digit += strlen("\"checked_peak\":");
    *digit = *digit == '9' ? '1' : (char)(*digit + 1);
    put_file("f.jsonl", "w", whole);
    put_file("f.jsonl", "a", first);
    check_refused(suite, "f.jsonl", HW_BAD_INPUT, "the line was changed");
    (void)snprintf(first, sizeof first, "%.*s", (int)(end + 1 - whole), whole);
    char *status = strstr(first, "\"status\":\"");
    assert_non_null(status);
    status += strlen("\"status\":\"");
    assert_int_equal(strncmp(status, "feasible", strlen("feasible")), 0);
    memcpy(status, "optimal", strlen("optimal"));
    memmove(status + strlen("optimal"), status + strlen("feasible"),
            strlen(status + strlen("feasible")) + 1);
    put_file("f.jsonl", "w", whole);
    put_file("f.jsonl", "a", first);
    check_refused(suite, "f.jsonl", HW_BAD_INPUT, "give the same run");
    free(whole);
    hw_suite_free(suite);
}

/* A graph file that is another by now: whether its unit is whole in the results or not. */
static void test_changed_graph(void **state)
{
    (void)state;
    hw_bench_counts counts;
    for (int whole = 0; whole < 2; whole++) {
        put_file("g.dot", "w", "digraph { a [size=1]; b [size=2]; c [size=3]; a -> b; a -> c }\n");
        hw_suite *suite = support_suite("name = t\nsolver = level\nsolver = dfs\ngraph = g.dot\n");
        hw_bench_options o = {.output = "g.jsonl", .jobs = 2, .overwrite = true};
        run_well(suite, &o, &counts);
        o = (hw_bench_options){.output = "g.jsonl", .jobs = 2, .resume = true};
        run_well(suite, &o, &counts);
        assert_int_equal(counts.runs_kept, 4);
        if (!whole) {
            char *text = get_file("g.jsonl"), *last = strrchr(text, '{');
            *last = '\0';
            put_file("g.jsonl", "w", text);
            free(text);
        }
        put_file("g.dot", "w", "digraph { a [size=1]; b [size=2]; c [size=4]; a -> b; a -> c }\n");
        check_refused(suite, "g.jsonl", HW_BAD_INPUT, "it has changed since");
        hw_suite_free(suite);
    }
}

static void test_two_sweeps(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(plain);
    put_file("two.jsonl", "w", "");
    int other = open("two.jsonl", O_RDWR);
    assert_true(other >= 0);
    assert_int_equal(flock(other, LOCK_EX), 0);
    check_refused(suite, "two.jsonl", HW_USAGE, "another sweep is writing it");
    assert_int_equal(close(other), 0);
    hw_bench_counts counts;
    run_well(suite, &(hw_bench_options){.output = "two.jsonl", .jobs = 1, .resume = true}, &counts);
    hw_suite_free(suite);
}

/* No more than so many bytes fit: what is written is whole lines, and the rest comes later. */
static void test_file_size_limit(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(plain);
    hw_bench_counts counts;
    hw_bench_options o = {.output = "z.jsonl", .jobs = 2, .overwrite = true};
    run_well(suite, &o, &counts);
    char *whole = support_content("z.jsonl");
    size_t *units, n;
    assert_int_equal(hw_plan_choose(suite, NULL, &units, &n, NULL), HW_OK);
    struct rlimit before, low;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    low = before;
    o.output = "y.jsonl";
    for (rlim_t bytes = 1000; bytes < 30000; bytes = bytes * 3 + 77) {
        hw_error err = {.code = HW_OK};
        low.rlim_cur = bytes;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
        hw_code code = run(suite, &o, &counts, &err);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(code, HW_IO);
        assert_non_null(strstr(err.message, "limit of file sizes"));
        /* Whole units, in the order of the sweep. */
        hw_results *r = support_results("y.jsonl");
        assert_true(r->n_records % 5 == 0 && r->n_records < suite->n_runs);
        for (size_t i = 0; i < r->n_records; i++) {
            hw_record want = hw_plan_run(suite, units[i / 5], i % 5);
            assert_int_equal(hw_record_compare_keys(&want, &r->records[i]), 0);
        }
        hw_results_free(r);
        o.overwrite = false;
        o.resume = true;
    }
    run_well(suite, &o, &counts);
    char *again = support_content("y.jsonl");
    assert_string_equal(whole, again);
    free(units);
    free(whole);
    free(again);
    hw_suite_free(suite);
}

/* Lines of other runs stay, behind those of the plan; what a killed sweep left beside is removed.
 */
static void test_other_lines(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(plain);
    hw_bench_counts counts;
    suite->seed = 5;
    hw_bench_options o = {.output = "x.jsonl", .jobs = 2, .overwrite = true};
    run_well(suite, &o, &counts);
    char *other = support_content("x.jsonl");
    suite->seed = 6;
    o = (hw_bench_options){.output = "x.jsonl", .jobs = 2, .resume = true};
    put_file("x.jsonl.12345-0.tmp", "w", "half a file");
    run_well(suite, &o, &counts);
    assert_int_equal(counts.runs_kept, 0);
    assert_int_equal(access("x.jsonl.12345-0.tmp", F_OK), -1);
    char *both = support_content("x.jsonl");
    assert_int_equal(strlen(both) > strlen(other), 1);
    assert_string_equal(both + strlen(both) - strlen(other), other);
    free(both);
    free(other);
    hw_suite_free(suite);
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
    run_well(suite, &o, &counts);
    assert_true(counts.warnings >= 1);
    o.jobs = 1;
    *heard = '\0';
    run_well(suite, &o, &counts);
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
        cmocka_unit_test(test_broken_lines),      cmocka_unit_test(test_lines_that_do_not_fit),
        cmocka_unit_test(test_changed_graph),     cmocka_unit_test(test_two_sweeps),
        cmocka_unit_test(test_file_size_limit),   cmocka_unit_test(test_other_lines),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, support_bench_enter, support_bench_leave) != 0;
}
