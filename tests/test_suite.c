/* Suites as files: what they expand to, and what is refused with which words. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/suite.h"

static char folder[] = "/tmp/highwater-suite-XXXXXX";

static int enter(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 && mkdir("more", 0777) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    (void)remove("t.suite");
    (void)remove("more/b.json");
    (void)remove("more/a.json");
    (void)rmdir("more");
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void put_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static hw_suite *load(const char *text)
{
    hw_suite *suite;
    hw_error err = {.code = HW_OK};
    put_file("t.suite", text);
    if (hw_suite_load("t.suite", &suite, &err) != HW_OK)
        fail_msg("%s", err.message);
    return suite;
}

static void refused(const char *text, const char *words)
{
    hw_suite *suite;
    hw_error err = {.code = HW_OK};
    put_file("t.suite", text);
    assert_int_equal(hw_suite_load("t.suite", &suite, &err), HW_BAD_INPUT);
    assert_null(suite);
    if (!strstr(err.message, words))
        fail_msg("'%s' is not in: %s", words, err.message);
}

/* Names that a line of results could not say, and more of something than anyone means. */
static void test_absurd(void **state)
{
    (void)state;
    put_file("more/a\xff.json", "");
    refused("solver = greedy\ngraph = more/*.json\n", "name is not UTF-8");
    assert_int_equal(remove("more/a\xff.json"), 0);
    enum { MANY = 1025 };
    for (int what = 0; what < 2; what++) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        for (int i = 1; i <= MANY; i++)
            (void)fprintf(out, what ? "[%d]\n" : "solver = random:n=%d\n", i);
        assert_int_equal(fclose(out), 0);
        refused(text, what ? "more than 1024 sections" : "more than 1024 solvers");
        free(text);
    }
    /* A leading zero is no sign of base eight; the range ends where it would overflow. */
    hw_suite *s = load("seed = 010\nstate-limit = 0x10\nsolver = greedy\nfamily = tree:n=8\n");
    assert_int_equal(s->seed, 10);
    assert_int_equal(s->sections[0].limits.solver.states, 16);
    hw_suite_free(s);
    refused("family = tree:n=-9223372036854775808..9223372036854775807/9223372036854775807\n",
            "out of range");
}

static void test_expansion(void **state)
{
    (void)state;
    hw_suite *s = load("# a comment\n"
                       "solver = greedy\r\n"
                       "solver = lookahead:k=5   # another\n"
                       "optimum = dp\n"
                       "family = layered:n=6..8,degree=1|2 x3\n"
                       "family = erdos:n=12..30/6 x2\n"
                       "family = fan");
    assert_string_equal(s->name, "t");
    assert_int_equal(s->seed, HW_DEFAULT_SEED);
    assert_int_equal(s->n_sources, 6 + 4 + 1);
    assert_string_equal(s->sources[0].label, "n=6,degree=1");
    assert_string_equal(s->sources[1].label, "n=6,degree=2");
    assert_string_equal(s->sources[5].label, "n=8,degree=2");
    assert_string_equal(s->sources[9].label, "n=30");
    assert_string_equal(s->sources[10].label, "");
    assert_int_equal(s->sources[10].n_instances, 1);
    assert_int_equal(s->n_units, 2 * (6 * 3 + 4 * 2 + 1));
    assert_int_equal(s->n_runs, 3 * s->n_units);
    assert_int_equal(s->units[0].accounting, HW_ALLOC_FIRST);
    assert_int_equal(s->units[1].accounting, HW_FREE_FIRST);
    assert_int_equal(s->units[2].index, 1);
    assert_string_equal(s->sections[0].solvers[1].spec, "lookahead:k=5");
    assert_true(s->sections[0].solvers[2].proves);
    hw_suite_free(s);
    hw_suite_free(NULL);
}

static void test_sections(void **state)
{
    (void)state;
    hw_suite *s = load("name = whole\nseed = 0xffffffffffffffff\n"
                       "solver = greedy\noptimum = dp\n"
                       "accounting = free-first\ntime-limit = 1.5\n"
                       "[one]\nfamily = tree:n=6\n"
                       "[two]\noptimum = enumerate\nsolver = level\nsolver = dfs\n"
                       "accounting = alloc-first, free-first\npin-inputs = both\n"
                       "state-limit = 1000\nmemory-limit = 2GiB\nkill-after = 9\nfamily = tree\n"
                       "[three]\noptimum = enumerate\npin-inputs = yes\nfamily = tree x2\n");
    assert_string_equal(s->name, "whole");
    assert_true(s->seed == UINT64_MAX);
    assert_int_equal(s->n_sections, 4);
    const hw_suite_section *one = &s->sections[1], *two = &s->sections[2], *three = &s->sections[3];
    assert_int_equal(one->n_solvers, 2);
    assert_string_equal(one->solvers[1].spec, "dp");
    assert_int_equal(two->n_solvers, 3);
    assert_string_equal(two->solvers[0].spec, "level"); /* exact ones come last */
    assert_string_equal(two->solvers[2].spec, "enumerate");
    assert_int_equal(two->limits.solver.states, 1000);
    assert_true(two->limits.solver.memory_bytes == UINT64_C(2) << 30);
    assert_true(two->limits.solver.seconds > 1.4 && two->limits.kill_after_seconds > 8);
    assert_int_equal(three->n_solvers, 2); /* `solver` inherited, `optimum` its own */
    assert_string_equal(three->solvers[0].spec, "greedy");
    assert_int_equal(one->limits.solver.states, 0);
    assert_int_equal(s->n_units, 1 + 4 + 2);
    hw_suite_free(s);
}

static void test_all_solvers(void **state)
{
    (void)state;
    hw_suite *s = load("solver = random:n=7\nsolver = greedy\nsolver = all\noptimum = all\n"
                       "most-nodes dp = 9\nfamily = tree:n=5\n");
    const hw_suite_section *all = &s->sections[0];
    size_t heuristics = 0, exact = 0, listed = 0;
    for (size_t i = 0; i < hw_n_solvers; i++) {
        heuristics += hw_solvers[i]->kind == HW_SOLVER_HEURISTIC && !hw_solvers[i]->foreign;
        exact += hw_solvers[i]->kind == HW_SOLVER_EXACT;
    }
    assert_int_equal(all->n_solvers, heuristics + exact + 1); /* random with 7, and as it is */
    for (size_t i = 0; i < all->n_solvers; i++) {
        const hw_suite_solver *one = &all->solvers[i];
        assert_int_equal(one->proves, one->row->kind == HW_SOLVER_EXACT);
        listed += strcmp(one->spec, "greedy") == 0;
        if (strcmp(one->spec, "dp") == 0)
            assert_int_equal(one->limits.most_nodes, 9);
    }
    assert_int_equal(listed, 1);
    assert_string_equal(all->solvers[0].spec, "random:n=7");
    hw_suite_free(s);
}

static void test_limits_of_one_solver(void **state)
{
    (void)state;
    hw_suite *s = load("solver = lookahead:k=5\noptimum = dp\noptimum = exact\n"
                       "time-limit = 60\nmemory-limit = 8GiB\n"
                       "time-limit dp = 10\nstate-limit lookahead:k=5 = 7\n"
                       "[one]\nmost-nodes dp = 64\nkill-after dp = 20\nfamily = tree:n=6\n"
                       "[two]\ntime-limit = 5\ntime-limit dp = 3\ntime-limit\tdp = 2\n"
                       "memory-limit dp = 1500kB\nmost-nodes = 100\nfamily = tree:n=6\n"
                       "[three]\noptimum = enumerate\nfamily = tree:n=6\n");
    const hw_suite_solver *one = s->sections[1].solvers, *two = s->sections[2].solvers,
                          *three = s->sections[3].solvers;
    assert_string_equal(one[1].spec, "dp");
    assert_true(one[0].limits.solver.states == 7 && one[1].limits.solver.states == 0);
    assert_true(one[1].limits.solver.seconds < 11 && one[2].limits.solver.seconds > 59);
    assert_true(one[1].limits.most_nodes == 64 && one[2].limits.most_nodes == 0);
    assert_true(one[1].limits.kill_after_seconds > 19 && one[2].limits.kill_after_seconds < 1);
    assert_true(one[1].limits.solver.memory_bytes == UINT64_C(8) << 30);
    /* The later line counts, and the solver's own before the section's. */
    assert_true(two[1].limits.solver.seconds < 2.5 && two[2].limits.solver.seconds > 4);
    assert_true(two[1].limits.solver.memory_bytes == UINT64_C(1500000));
    assert_true(two[1].limits.most_nodes == 100 && two[0].limits.solver.states == 7);
    /* A limit of a solver that the section does not run is no harm. */
    assert_string_equal(three[1].spec, "enumerate");
    assert_true(three[1].limits.solver.seconds > 59);
    hw_suite_free(s);
    refused("time-limit dpp = 3\n", "time-limit dpp: no solver is named 'dpp'");
    refused("time-limit dp = soon\n", "give seconds");
    refused("most-nodes dp = -1\n", "whole number");
    /* A limit of a solver that is not run where it holds, or is written otherwise. */
    refused("solver = greedy\ntime-limit dp = 3\nfamily = tree\n", "t.suite:2: a limit of dp");
    refused("solver = greedy\n[one]\noptimum = dp\nfamily = tree\n[two]\ntime-limit dp = 3\n"
            "family = tree\n",
            "so named in section [two]");
    refused("solver = lookahead:k=5\ntime-limit lookahead:k=05 = 3\nfamily = tree\n",
            "a limit of lookahead:k=05");
    refused("seed dp = 3\n", "only limits are given to one solver");
    refused("family dp = tree\n", "only limits");
    refused("time-limits dp = 3\n", "no key 'time-limits'; did you mean 'time-limit'?");
}

static void test_files(void **state)
{
    (void)state;
    put_file("more/b.json", "{}");
    put_file("more/a.json", "{}");
    assert_int_equal(unsetenv("HW_TEST_FOLDER"), 0);
    hw_suite *s = load("solver = greedy\naccounting = alloc-first\n"
                       "graph = more/*.json\n"
                       "graph-if-present = $HW_TEST_FOLDER/*.json\n"
                       "graph-if-present = none/*.json\n");
    assert_int_equal(s->n_sources, 2);
    assert_string_equal(s->sources[0].label, "a");
    assert_string_equal(s->sources[1].path, "more/b.json");
    assert_int_equal(s->n_notes, 2);
    assert_non_null(strstr(s->notes[0], "HW_TEST_FOLDER"));
    hw_suite_free(s);
    assert_int_equal(setenv("HW_TEST_FOLDER", "more", 1), 0);
    s = load("solver = greedy\ngraph-if-present = $HW_TEST_FOLDER/*.json\n");
    assert_int_equal(s->n_sources, 2);
    assert_int_equal(s->n_notes, 0);
    hw_suite_free(s);
    refused("graph = $HW_NO_SUCH_VARIABLE/a.json\n", "HW_NO_SUCH_VARIABLE is not set");
    refused("graph = $/a.json\n", "$NAME");
    refused("graph = none.json\n", "no file is named none.json");
    refused("graph = /nowhere/none.json\n", "/nowhere/none.json");
}

static void test_refusals(void **state)
{
    (void)state;
    refused("", "nothing to run");
    refused("solver = greedy\n", "nothing to run");
    refused("family = tree\n", "no solver");
    refused("solver = greddy\n", "t.suite:1: no solver is named 'greddy'; did you mean 'greedy'?");
    refused("\n\nfamily = layerd:n=8\n", "t.suite:3: no family is named 'layerd'; did you mean");
    refused("family = tree:m=8\n", "has no parameter 'm'");
    refused("family = tree:n=0\n", "out of range");
    refused("family = tree:n\n", "write name=value");
    refused("family = tree:n=8..6\n", "is no range");
    refused("family = tree:n=6..\n", "is no range");
    refused("family = tree:n=6..8/0\n", "is no range");
    refused("family = tree:n=1..100000\n", "more than");
    refused("family = tree y3\n", "is no number of instances");
    refused("family = tree x0\n", "is no number of instances");
    refused("family = tree:n=8, arity=2 x3\n", "without blanks");
    refused("solver = greedy\nsolver = greedy\n", "listed twice");
    refused("optimum = greedy\n", "proves nothing");
    refused("solvers = greedy\n", "no key 'solvers'; did you mean 'solver'?");
    refused("greedy\n", "neither");
    refused("[one\n", "a section is written [name]");
    refused("[one]\n[one]\n", "given twice");
    refused("[one]\nname = x\n", "move it before");
    refused("name =\n", "name is empty");
    refused("seed = -3\n", "whole number");
    refused("seed = 99999999999999999999\n", "whole number");
    refused("seed = +3\n", "whole number");
    refused("seed = 08x\n", "whole number");
    refused("memory-limit = +3KiB\n", "GiB");
    refused("solver = greedy\nname = \xff\xfe\n", "t.suite:2: is not UTF-8");
    refused("time-limit = soon\n", "give seconds");
    refused("memory-limit = 3XB\n", "GiB");
    refused("memory-limit = 99999999999GiB\n", "exceeds 2^64-1 bytes");
    refused("accounting = both\n", "alloc-first");
    refused("accounting =\n", "empty");
    refused("pin-inputs = maybe\n", "no, yes or both");
    refused("solver = greedy\nfamily = tree\n[one]\n", "move them into");
    refused("solver = greedy\nfamily = tree:n=5..8 x10000000\n", "more than");
}

static void test_unreadable(void **state)
{
    (void)state;
    hw_suite *suite;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_suite_load("missing.suite", &suite, &err), HW_IO);
    assert_int_equal(hw_suite_load(".", &suite, &err), HW_IO);
    FILE *out = fopen("t.suite", "w");
    assert_non_null(out);
    assert_int_equal(fwrite("a\0b\n", 1, 4, out), 4);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(hw_suite_load("t.suite", &suite, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "NUL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expansion),   cmocka_unit_test(test_absurd),
        cmocka_unit_test(test_sections),    cmocka_unit_test(test_files),
        cmocka_unit_test(test_refusals),    cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_all_solvers), cmocka_unit_test(test_limits_of_one_solver),
    };
    return cmocka_run_group_tests(tests, enter, leave) != 0;
}
