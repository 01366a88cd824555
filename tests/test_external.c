/*
 * external: programs of the user's as solvers - the protocol, and what is left
 * behind when one is ended.  (tests/cli/external-ten-ways: in a bench.)
 */
#define _DEFAULT_SOURCE /* usleep */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/command.h"
#include "io/io.h"
#include "solve/called.h"
#include "support_lines.h"
#include "support_solve.h"

/* 5 -> 7 -> 9: one order alone is legal, of peak 12 + 30. */
static const char chain[] = "t 0 10 a; t 1 30 a; t 2 12 o; v 5 - > 0; v 7 0 > 1; v 9 1 > 2";

static hw_code run(const char *lines, const char *spec, hw_request request, hw_answer *answer,
                   hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_graph *g = lines_graph(lines);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    *err = (hw_error){.code = HW_OK};
    assert_int_equal(hw_solver_parse(spec, &row, values, err), HW_OK);
    request.params = values;
    hw_code code = hw_solve(m, row, &request, answer, err);
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

/* The chain is solved by the command. */
static void good(const char *command)
{
    char spec[600];
    hw_answer a;
    hw_error err;
    (void)snprintf(spec, sizeof spec, "external:name=it,command=%s", command);
    hw_code code = run(chain, spec, (hw_request){0}, &a, &err);
    if (code != HW_OK)
        fail_msg("%s: %s", command, err.message);
    assert_true(a.has_order && a.peak == 42 && a.states == 1);
    assert_true(a.order[0] == 0 && a.order[1] == 1 && a.order[2] == 2);
    assert_true(a.program_bytes > 0);
    hw_answer_clear(&a);
}

/* It fails so, and the message holds the words; seconds: the limit, 0: none. */
static void bad(const char *command, double seconds, hw_code wanted, const char *words)
{
    char spec[600];
    hw_answer a;
    hw_error err;
    hw_request request = {.limits = {.seconds = seconds}};
    (void)snprintf(spec, sizeof spec, "external:name=it,command=%s", command);
    hw_code code = run(chain, spec, request, &a, &err);
    if (code != wanted || err.code != wanted)
        fail_msg("%s: code %d, message %s", command, (int)code, err.message);
    if (!strstr(err.message, words) || strncmp(err.message, "it: ", 4) != 0)
        fail_msg("%s: %s", command, err.message);
    assert_false(a.has_order);
}

static void orders_in_every_notation(void **state)
{
    (void)state;
    good("echo 5 7 9");
    good("printf '5\\n7\\n9\\n'");
    good("printf '5\\n7\\n9'"); /* the last line without its end */
    good("printf ' 5,\\t7 ,\\r\\n\\n# a word\\n9'");
    good("printf '[5, 7,\\n 9]\\n'");
    good("printf 'peak 42\\n5 7 9\\n'");
    good("printf '5 7 9\\n peak \\t42 \\r\\n'");
    good("echo '{\"format\":\"highwater-order\",\"version\":1,\"order\":[5,7,9]}'");
    /* The graph is there in full. */
    good("python3 -c 'import json, sys; print(*[v[\"id\"] for v in "
         "json.load(sys.stdin)[\"nodes\"]])'");
    hw_answer a;
    hw_error err;
    assert_int_equal(
        run(chain, "external:format=line,command=awk '/^v/ {print $2}'", (hw_request){0}, &a, &err),
        HW_OK);
    assert_int_equal(a.peak, 42);
    hw_answer_clear(&a);
}

static void what_is_no_order(void **state)
{
    (void)state;
    bad("true", 0, HW_CHECK_FAILED, "no order: ");
    bad("echo '# nothing'", 0, HW_CHECK_FAILED, "no order: ");
    bad("sh -c 'echo first >&2; echo last word >&2; echo >&2'", 0, HW_CHECK_FAILED,
        "; it said: last word");
    bad("echo 5 9 7", 0, HW_CHECK_FAILED, "illegal order: node 9 runs at step 1 before node 7");
    bad("echo 5 7", 0, HW_CHECK_FAILED, "incomplete order: 2 of 3 nodes, node 9 is missing");
    bad("echo 5 7 7", 0, HW_CHECK_FAILED, "not an order: line 1: node 7 a second time");
    bad("echo 5 7 9 5", 0, HW_CHECK_FAILED, "node 5 a second time");
    bad("echo 5 7 6", 0, HW_CHECK_FAILED, "the graph has no node 6");
    bad("echo 18446744073709551621 7 9", 0, HW_CHECK_FAILED, "is no id of a node"); /* 2^64 + 5 */
    bad("echo 5 -7 9", 0, HW_CHECK_FAILED, "-7 is no id of a node");
    bad("printf '5 7\\n9x'", 0, HW_CHECK_FAILED, "line 2: 9x is no id of a node");
    bad("printf '5 \\000 7 9'", 0, HW_CHECK_FAILED, "is no id of a node");
    bad("printf 'peak 42\\npeak 42\\n5 7 9'", 0, HW_CHECK_FAILED, "a second peak");
    bad("printf 'peak much\\n5 7 9'", 0, HW_CHECK_FAILED, "much is no peak");
    bad("printf 'peak 41\\n5 7 9'", 0, HW_CHECK_FAILED, "it claims 41, its order has 42");
    bad("echo '{\"format\":\"highwater-order\",\"version\":1,\"order\":[5,7]}'", 0, HW_CHECK_FAILED,
        "not an order: order lists 2 nodes");
    bad("echo '{\"order\": 5'", 0, HW_CHECK_FAILED, "not an order: ");
    bad("yes 5", 0, HW_CHECK_FAILED, "bytes of output");
}

static void ends_and_their_codes(void **state)
{
    (void)state;
    hw_answer a;
    hw_error err;
    bad("sh -c 'exit 77'", 0, HW_USAGE, "takes no such graph");
    bad("sh -c 'echo 5 7 9; exit 1'", 0, HW_CRASHED, "exit status 1");
    bad("sh -c 'echo 5 7 9; echo dear me >&2; kill -FPE $$'", 0, HW_CRASHED, "signal 8");
    bad("sh -c 'echo MemoryError >&2; exit 1'", 0, HW_NO_MEMORY, "out of memory: exit status 1");
    bad("sh -c 'echo 5 7 9; sleep 50'", 0.2, HW_LIMIT, "time limit: ended after 0.2 seconds");
    bad("sh -c 'trap : TERM; while :; do :; done'", 0.2, HW_LIMIT, "time limit"); /* is killed */
    bad("sh -c 'kill -STOP $PPID; sleep 50'", 0.2, HW_LIMIT, "time limit"); /* its keeper sleeps */
    bad("sh -c 'kill -KILL $PPID; sleep 50'", 0, HW_IO, "lost sight of sh");
    bad("sh -c 'printf \"a\\033b\\302\\233c\\303\\274\" >&2; exit 1'", 0, HW_CRASHED,
        "it said: a?b?c\303\274");
    bad("no-such-program-anywhere", 0, HW_IO, "it is not in PATH");
    bad("./no-such-program", 0, HW_IO, "No such file");
    bad("tests/cases/random-plain-05.json", 0, HW_IO, "cannot start");
    assert_int_equal(run(chain, "external:command=sh -c 'exit 75'", (hw_request){0}, &a, &err),
                     HW_OK);
    assert_true(a.status == HW_UNKNOWN && !a.has_order && !a.limit_reached);
    hw_answer_clear(&a);
    /* Asked to end, it writes the best that it has. */
    hw_request brief = {.limits = {.seconds = 0.3}};
    assert_int_equal(run(chain,
                         "external:command=sh -c 'trap \"echo 5 7 9; exit 0\" TERM; "
                         "while :; do sleep 0.05; done'",
                         brief, &a, &err),
                     HW_OK);
    assert_true(a.has_order && a.limit_reached && a.seconds >= 0.3);
    hw_answer_clear(&a);
}

static void what_it_is_told(void **state)
{
    (void)state;
    hw_graph *g = lines_graph(chain);
    hw_model *m = lines_model(g, HW_FREE_FIRST, true);
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_answer a;
    hw_error err;
    const struct {
        const char *command, *words;
    } cases[] = {
        {"echo $HIGHWATER_PROTOCOL $HIGHWATER_FORMAT $HIGHWATER_ACCOUNTING $HIGHWATER_PIN_INPUTS",
         "it said: 1 json free-first yes"},
        {"echo $HIGHWATER_SEED $HIGHWATER_THREADS $HIGHWATER_TIME_LIMIT",
         "it said: 18446744073709551615 3 7.5"},
        {"echo $HIGHWATER_MEMORY_LIMIT $HIGHWATER_STATE_LIMIT $HIGHWATER_BUDGET",
         "it said: 4294967296 12 40"},
        {"echo [$HIGHWATER_SECRET] $OTHER_SECRET", "it said: [] seen"},
    };
    assert_int_equal(setenv("HIGHWATER_SECRET", "seen", 1), 0);
    assert_int_equal(setenv("OTHER_SECRET", "seen", 1), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[300];
        (void)snprintf(spec, sizeof spec, "external:command=sh -c '%s >&2'", cases[i].command);
        assert_int_equal(hw_solver_parse(spec, &row, values, &err), HW_OK);
        hw_request request = {
            .params = values,
            .seed = UINT64_MAX,
            .threads = 3,
            .has_budget = true,
            .budget_bytes = 40,
            .limits = {.seconds = 7.5, .memory_bytes = UINT64_C(1) << 32, .states = 12}};
        assert_int_equal(hw_solve(m, row, &request, &a, &err), HW_CHECK_FAILED);
        if (!strstr(err.message, cases[i].words))
            fail_msg("%s", err.message);
    }
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- Processes and files. ---- */

/* Alive, and no zombie that nobody has buried yet. */
static bool is_alive(pid_t pid)
{
    char path[64], text[512] = "";
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *in = fopen(path, "r");
    if (!in)
        return false;
    char *line = fgets(text, sizeof text, in);
    (void)fclose(in);
    char *end = line ? strrchr(text, ')') : NULL;
    return end && end[2] != 'Z' && end[2] != 'X';
}

static bool ends_soon(pid_t pid)
{
    enum { LOOKS = 500, LOOK_MICROSECONDS = 10000 };
    for (int i = 0; i < LOOKS && is_alive(pid); i++)
        (void)usleep(LOOK_MICROSECONDS);
    return !is_alive(pid);
}

static pid_t said_pid(const hw_error *err)
{
    const char *said = strstr(err->message, "it said: ");
    assert_non_null(said);
    long pid = strtol(said + strlen("it said: "), NULL, 10);
    assert_true(pid > 1);
    return (pid_t)pid;
}

static void nothing_stays_behind(void **state)
{
    (void)state;
    hw_answer a;
    hw_error err;
    hw_request brief = {.limits = {.seconds = 0.2}};
    /* What it started ends with it: at its time, and when it ends by itself. */
    assert_int_equal(run(chain,
                         "external:command=sh -c 'sleep 99 & echo $! >&2; trap : TERM; "
                         "while :; do :; done'",
                         brief, &a, &err),
                     HW_LIMIT);
    assert_true(ends_soon(said_pid(&err)));
    assert_int_equal(run(chain, "external:command=sh -c 'sleep 99 & echo $! >&2'", brief, &a, &err),
                     HW_CHECK_FAILED);
    assert_true(ends_soon(said_pid(&err)));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no children of ours are left */
    assert_int_equal(errno, ECHILD);
}

static void it_ends_when_its_caller_is_killed(void **state)
{
    (void)state;
    int ends[2];
    char line[32] = "", spec[200];
    assert_int_equal(pipe(ends), 0);
    pid_t caller = fork();
    assert_true(caller >= 0);
    if (caller == 0) {
        hw_answer a;
        hw_error err;
        /* The pipe is not handed down, so through /proc of this process. */
        (void)snprintf(spec, sizeof spec,
                       "external:command=sh -c 'sleep 99 & echo $! >/proc/%ld/fd/%d; wait'",
                       (long)getpid(), ends[1]);
        (void)run(chain, spec, (hw_request){0}, &a, &err);
        _exit(0);
    }
    (void)close(ends[1]);
    assert_true(read(ends[0], line, sizeof line - 1) > 0);
    pid_t sleeper = (pid_t)strtol(line, NULL, 10);
    assert_true(sleeper > 1 && is_alive(sleeper));
    assert_int_equal(kill(caller, SIGKILL), 0);
    assert_int_equal(waitpid(caller, NULL, 0), caller);
    assert_true(ends_soon(sleeper));
    (void)close(ends[0]);
}

static volatile sig_atomic_t stop;

static void *stop_soon(void *unused)
{
    (void)unused;
    (void)usleep(200000);
    stop = 1;
    return NULL;
}

static void it_ends_on_a_stop(void **state)
{
    (void)state;
    hw_answer a;
    hw_error err;
    pthread_t thread;
    stop = 0;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, NULL), 0);
    assert_int_equal(run(chain, "external:command=sleep 99", (hw_request){.stop = &stop}, &a, &err),
                     HW_OK);
    assert_true(a.status == HW_UNKNOWN && a.limit_reached && a.seconds < 50);
    hw_answer_clear(&a);
    (void)pthread_join(thread, NULL);
}

static void it_gets_three_files_and_free_signals(void **state)
{
    (void)state;
    int open_file = open("/dev/null", O_RDONLY); /* not closed on exec */
    void (*before)(int) = signal(SIGINT, SIG_IGN);
    assert_true(open_file >= 0);
    /* The fourth is the folder that ls reads. */
    bad("sh -c 'echo $(ls /proc/self/fd) >&2'", 0, HW_CHECK_FAILED, "it said: 0 1 2 3");
    bad("grep SigIgn /proc/self/status", 0, HW_CHECK_FAILED, "SigIgn: is no id");
    /* Of the first 28: 32 and 33 are the C library's own, and whoever started us may ignore them.
     */
    bad("sh -c 'grep SigIgn /proc/self/status | tail -c 8 | sed s/^/low-/ >&2'", 0, HW_CHECK_FAILED,
        "low-0000000");
    bad("sh -c 'grep SigBlk /proc/self/status >&2'", 0, HW_CHECK_FAILED, "0000000000000000");
    (void)signal(SIGINT, before);
    (void)close(open_file);
}

static void large_graphs_pass_both_ways(void **state)
{
    (void)state;
    enum { N = 60000 };
    hw_graph *g;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    (void)fprintf(out, "p highwater 1 %d %d 0\n", N, N);
    for (int i = 0; i < N; i++)
        (void)fprintf(out, "t %d 1 a\n", i);
    (void)fputs("v 0 - > 0\n", out);
    for (int i = 1; i < N; i++)
        (void)fprintf(out, "v %d %d > %d\n", i, i - 1, i);
    (void)fclose(out);
    assert_int_equal(hw_graph_parse(text, size, "chain", &g, NULL), HW_OK);
    free(text);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    static const char *const specs[] = {
        "external:command=seq 0 59999",                         /* does not read      */
        "external:command=sh -c 'cat >/dev/null; seq 0 59999'", /* reads, then writes */
        "external:command=sh -c 'seq 0 59999; cat >/dev/null'", /* writes, then reads */
        "external:format=line,command=sed -n 's/^v \\([0-9]*\\).*/\\1/p'",
        "external:command=sh -c 'yes >&2 & seq 0 59999'", /* and is noisy       */
    };
    sigset_t pending;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        hw_answer a = test_solve(m, specs[i]);
        assert_true(a.has_order && a.peak == 2);
        hw_answer_clear(&a);
        /* Nothing is left of the pipe that broke. */
        assert_int_equal(sigpending(&pending), 0);
        assert_int_equal(sigismember(&pending, SIGPIPE), 0);
    }
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- Texts. ---- */

static void commands_are_split(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words; /* the words, each followed by '|' */
    } cases[] = {
        {"a", "a|"},
        {"  a\tb  c ", "a|b|c|"},
        {"a 'b c' \"d 'e'\"", "a|b c|d 'e'|"},
        {"a'b'\"c\"d ''", "abcd||"},
        {"a $HOME * ; | `b` \\n", "a|$HOME|*|;|||`b`|\\n|"},
    };
    char **words;
    hw_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100] = "";
        assert_int_equal(hw_command_split(cases[i].text, &words, &err), HW_OK);
        for (size_t k = 0; words[k]; k++) {
            size_t used = strlen(text);
            int n = snprintf(text + used, sizeof text - used, "%s|", words[k]);
            assert_true(n > 0 && (size_t)n < sizeof text - used);
        }
        assert_string_equal(text, cases[i].words);
        free((void *)words);
    }
    static const char *const wrong[] = {"", " \t", "''", "a 'b", "a \"b'", "'"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(hw_command_split(wrong[i], &words, &err), HW_USAGE);
        assert_null(words);
    }
}

static void digests_are_of_files(void **state)
{
    (void)state;
    char digest[HW_COMMAND_DIGEST], other[HW_COMMAND_DIGEST];
    char *const none[] = {"sh", "-c", "tests", NULL}; /* tests is a folder */
    char *const file[] = {"sh", "tests/external/misbehave.py", NULL};
    char *const same[] = {"python3", "tests/external/misbehave.py", "--more", NULL};
    char *const two[] = {"sh", "tests/external/misbehave.py", "tests/test_external.c", NULL};
    assert_int_equal(hw_command_digest(none, digest, NULL), HW_OK);
    assert_string_equal(digest, "");
    assert_int_equal(hw_command_digest(file, digest, NULL), HW_OK);
    assert_int_equal(strlen(digest), HW_COMMAND_DIGEST - 1);
    assert_int_equal(hw_command_digest(same, other, NULL), HW_OK);
    assert_string_equal(digest, other);
    assert_int_equal(hw_command_digest(two, other, NULL), HW_OK);
    assert_string_not_equal(digest, other);
}

static void specs_read_back(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "external:command=a",
        "external:name=my.rule-2,command=python3 a.py --x=1,name=other",
        "external:name=it,format=line,patience=5,command=sh -c 'a,b'",
    };
    static const char *const wrong[] = {
        "external",
        "external:name=it",
        "external:command=",
        "external:command= ",
        "external:command='a",
        "external:name=,command=a",
        "external:name=a b,command=a",
        "external:name=greedy,command=a",
        "external:name=external,command=a",
        "external:name=a/../b,command=a",
        "external:patience=-1,command=true",
        "external:commando=a",
    };
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_error err;
    char text[HW_SPEC_TEXT], name[HW_FOREIGN_NAME];
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        assert_int_equal(hw_solver_parse(specs[i], &row, values, &err), HW_OK);
        size_t n = hw_params_spec(row->name, row->params, row->n_params, values, text, sizeof text);
        assert_string_equal(text, specs[i]);
        assert_int_equal(n, strlen(text));
        assert_int_equal(hw_foreign_name(row, values, name), i > 0);
        /* Cut, and never written behind its end. */
        memset(text, 'x', sizeof text);
        assert_int_equal(hw_params_spec(row->name, row->params, row->n_params, values, text, 12),
                         n);
        assert_true(strlen(text) == 11 && text[12] == 'x');
    }
    assert_string_equal(name, "it");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (hw_solver_parse(wrong[i], &row, values, &err) != HW_USAGE)
            fail_msg("%s is taken", wrong[i]);
    char longest[700] = "external:command=";
    memset(longest + strlen(longest), 'a', 513);
    assert_int_equal(hw_solver_parse(longest, &row, values, &err), HW_USAGE);
    longest[strlen(longest) - 1] = '\0';
    assert_int_equal(hw_solver_parse(longest, &row, values, &err), HW_OK);
}

/* What a solver is called in data, in sentences and in names of files. */
static void names_come_first(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *called, *brief, *word;
    } rows[] = {
        {"greedy", "greedy", "greedy", "greedy"},
        {"lookahead:k=5", "lookahead:k=5", "lookahead", "lookahead-k5"},
        {"external:name=my.rule-2,command=a --name=b", "my.rule-2", "my.rule-2", "my-rule-2"},
        {"external:command=./a -x", "external:command=./a -x", "./a -x", "external-command--a--x"},
        {"external:command=0123456789012345678901234567890123456789",
         "external:command=0123456789012345678901234567890123456789",
         "0123456789012345678901234567890123456789",
         "external-command0123456789012345678901234567890123456789"},
        {"external:command=01234567890123456789012345678901234567890",
         "external:command=01234567890123456789012345678901234567890",
         "0123456789012345678901234567890123456...",
         "external-command01234567890123456789012345678901234567890"},
        /* Never cut inside a character. */
        {"external:command=012345678901234567890123456789012345\xc3\xa9 and more",
         "external:command=012345678901234567890123456789012345\xc3\xa9 and more",
         "012345678901234567890123456789012345...",
         "external-command012345678901234567890123456789012345---and-more"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const hw_solver_row *row;
        hw_param_value values[HW_PARAM_LIMIT];
        char called[HW_SPEC_TEXT], brief[HW_FOREIGN_NAME], word[HW_SPEC_TEXT];
        assert_int_equal(hw_solver_parse(rows[i].spec, &row, values, NULL), HW_OK);
        assert_string_equal(hw_solver_called(row, values, called), rows[i].called);
        assert_string_equal(hw_solver_short(row, values, brief), rows[i].brief);
        assert_string_equal(hw_solver_word(called, word, sizeof word), rows[i].word);
        assert_string_equal(hw_solver_word("greedy", word, 4), "gre");
    }
}

/* ---- A row outside the table. ---- */

static hw_code backwards(const hw_model *m, const hw_request *request, hw_answer *answer,
                         hw_error *err)
{
    (void)m;
    (void)err;
    for (uint32_t i = 0; i < m->n_nodes; i++)
        answer->order[i] = request->params ? m->n_nodes - 1 - i : i;
    answer->has_order = true;
    answer->peak = 42;
    return HW_OK;
}

static void a_row_outside_the_table_is_solved(void **state)
{
    (void)state;
    static const hw_solver_row own = {
        .name = "own", .kind = HW_SOLVER_HEURISTIC, .solve = backwards};
    hw_graph *g = lines_graph(chain);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_answer a;
    assert_int_equal(hw_solve(m, &own, &(hw_request){0}, &a, NULL), HW_OK);
    assert_true(a.has_order && a.peak == 42);
    hw_answer_clear(&a);
    assert_null(hw_solver_find("own", 3));
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_in_every_notation),
        cmocka_unit_test(what_is_no_order),
        cmocka_unit_test(ends_and_their_codes),
        cmocka_unit_test(what_it_is_told),
        cmocka_unit_test(nothing_stays_behind),
        cmocka_unit_test(it_ends_when_its_caller_is_killed),
        cmocka_unit_test(it_ends_on_a_stop),
        cmocka_unit_test(it_gets_three_files_and_free_signals),
        cmocka_unit_test(large_graphs_pass_both_ways),
        cmocka_unit_test(commands_are_split),
        cmocka_unit_test(digests_are_of_files),
        cmocka_unit_test(specs_read_back),
        cmocka_unit_test(names_come_first),
        cmocka_unit_test(a_row_outside_the_table_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
