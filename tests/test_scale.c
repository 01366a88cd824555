/*
 * The sweep over sizes: fates, figures that must be there and make sense, and
 * what is written of them.  Times themselves are not tested.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/scale.h"
#include "support_io.h"

static hw_suite *suite_of(const char *text)
{
    char *folder = make_folder(), *path = path_in(folder, "scale.suite");
    hw_error err = {.code = HW_OK};
    hw_suite *suite = NULL;
    assert_true(write_text(path, text));
    if (hw_suite_load(path, &suite, &err) != HW_OK)
        fail_msg("%s", err.message);
    remove_folder(folder);
    free(path);
    return suite;
}

static const char curve[] = "name = t\naccounting = alloc-first\nkill-after = 20\n"
                            "solver = greedy\nsolver = random:n=4000000000\nsolver = enumerate\n"
                            "solver = bound-footprint\noptimum = exact\n"
                            "kill-after random:n=4000000000 = 0.2\n"
                            "most-nodes exact = 100\n"
                            "[a]\nfamily = layered:n=100|500,width=5,degree=3\n"
                            "[b]\nsolver = greedy\nfamily = chains:n=200,branches=1,join=no\n"
                            "family = chains:n=200,branches=200,join=no\n";

typedef struct swept {
    hw_suite *suite;
    hw_scale_point *points;
    size_t n, told;
} swept;

static void count(void *context, const hw_scale_point *p)
{
    swept *s = context;
    s->told += p->solver != NULL;
}

static int sweep(void **state)
{
    static swept s;
    hw_error err = {.code = HW_OK};
    s.suite = suite_of(curve);
    if (hw_scale_measure(s.suite, count, &s, &s.points, &s.n, &err) != HW_OK)
        return -1;
    *state = &s;
    return 0;
}

static int forget(void **state)
{
    swept *s = *state;
    free(s->points);
    hw_suite_free(s->suite);
    return 0;
}

static const hw_scale_point *find(const swept *s, const char *section, uint64_t n,
                                  const char *solver)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->points[i].section->name, section) == 0 && s->points[i].n == n &&
            strncmp(s->points[i].solver->spec, solver, strlen(solver)) == 0)
            return &s->points[i];
    fail_msg("no point %s %s", section, solver);
    return NULL;
}

static void test_fates(void **state)
{
    const swept *s = *state;
    assert_int_equal(s->n, s->told);
    assert_int_equal(s->n, 5 + 4 + 2); /* exact is wanted on 100 nodes at most */
    assert_string_equal(hw_scale_fate(&find(s, "a", 100, "greedy")->run), "answered");
    assert_string_equal(hw_scale_fate(&find(s, "a", 100, "random")->run), "timeout");
    assert_string_equal(hw_scale_fate(&find(s, "a", 500, "random")->run), "not tried");
    assert_string_equal(hw_scale_fate(&find(s, "a", 500, "enumerate")->run), "refused");
    assert_non_null(strstr(find(s, "a", 500, "enumerate")->run.message, "up to 64 nodes"));
}

static void test_figures(void **state)
{
    const swept *s = *state;
    for (size_t i = 0; i < s->n; i++) {
        const hw_scale_point *p = &s->points[i];
        if (p->run.fate != HW_FATE_ANSWERED)
            continue;
        assert_true(p->run.n_nodes == p->n);
        assert_true(p->run.repeats >= 1);
        if (!(p->run.solve_seconds > 0 && p->run.solve_seconds < 20))
            fail_msg("%s, %" PRIu32 " nodes: %g s", p->solver->spec, p->run.n_nodes,
                     p->run.solve_seconds);
        assert_true(p->run.bound.known && p->best_bound.known);
        assert_true(p->run.bound.value <= p->best_bound.value);
        assert_true(hw_scale_rate(p) > 0);
        if (p->solver->row->kind == HW_SOLVER_BOUND) {
            assert_false(p->run.peak.known);
            assert_true(isnan(hw_scale_simulations(p)));
            continue;
        }
        assert_true(p->run.peak.value >= p->best_bound.value);
        assert_true(hw_scale_simulations(p) > 0);
        assert_true(p->run.simulate_seconds > 0);
        assert_true(p->run.check_seconds >= 0); /* taken once: the clock may stand still */
    }
    const hw_scale_point *exact = find(s, "a", 100, "exact"), *greedy = find(s, "a", 100, "greedy");
    assert_true(hw_scale_gap_percent(exact) == 0); /* its proof is the bound of all */
    assert_true(greedy->best_bound.value == exact->run.peak.value);
    hw_scale_point over = *greedy; /* a gap by hand */
    over.run.peak = hw_known(150);
    over.best_bound = hw_known(100);
    assert_true(fabs(hw_scale_gap_percent(&over) - 50) < 1e-12);
    assert_true(hw_scale_memory_aim(10, 20) == 2320);
}

/* A large graph must weigh at least what its arrays of nodes and edges do. */
static void test_memory(void **state)
{
    (void)state;
    hw_error err = {.code = HW_OK};
    hw_suite *suite = suite_of("name = m\naccounting = alloc-first\nsolver = greedy\n"
                               "family = erdos:n=60000,degree=3,span=100\n");
    hw_scale_point *p;
    size_t n;
    assert_int_equal(hw_scale_measure(suite, NULL, NULL, &p, &n, &err), HW_OK);
    assert_int_equal(n, 1);
    if (p->run.solve_bytes.known) { /* Linux */
        double least = 40.0 * p->run.n_nodes + 12.0 * p->run.n_edges;
        assert_true((double)p->run.graph_bytes.value > least);
        assert_true(p->run.solve_bytes.value > p->run.graph_bytes.value);
        assert_true(p->run.process_bytes.value >= p->run.solve_bytes.value);
    }
    free(p);
    hw_suite_free(suite);
}

static char *written(const swept *s,
                     hw_code (*put)(const hw_scale_point *, size_t, FILE *, hw_error *))
{
    char *text;
    size_t size;
    hw_error err = {.code = HW_OK};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(put(s->points, s->n, out, &err), HW_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_tables(void **state)
{
    const swept *s = *state;
    char *csv = written(s, hw_scale_write_csv);
    size_t lines = 0;
    for (const char *at = csv; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, s->n + 1);
    expect(csv, "section,family,params,nodes,edges,solver,fate,seconds,nodes_per_second");
    expect(csv, "a,layered,\"n=500,width=5,degree=3\",500,,random:n=4000000000,not tried,,");
    expect(csv, "b,chains,\"n=200,branches=1,join=no\",200,199,greedy,answered,");
    free(csv);
    char *text = written(s, hw_scale_write_markdown);
    expect(text, "| solver | n = 100 | n = 500 | exponent |");
    expect(text, "| random:n=4000000000 | timeout | not tried | - | - | - | - |");
    expect(text, "| graph | solver | speed | bytes a node | gap at most |");
    expect(text, "| chains:n=200,branches=200,join=no | greedy | ");
    expect(text, "| layered:n=500,width=5,degree=3 | ");
    free(text);
}

/* A clock that stood still all the while tells no time, and the fields are empty. */
static void test_no_time(void **state)
{
    const swept *s = *state;
    hw_scale_point still = *find(s, "a", 100, "greedy");
    still.run.solve_seconds = still.run.simulate_seconds = 0;
    still.run.bound = still.best_bound = hw_known(1);
    char *csv = written(&(swept){.points = &still, .n = 1}, hw_scale_write_csv);
    expect(csv, ",greedy,answered,,,,,");
    free(csv);
}

static void test_plots(void **state)
{
    const swept *s = *state;
    hw_error err = {.code = HW_OK};
    char *script;
    unsigned width, height;
    for (int memory = 0; memory < 2; memory++) {
        assert_int_equal(hw_scale_plot(s->points, s->n, s->points[0].section, memory, &script,
                                       &width, &height, &err),
                         HW_OK);
        expect(script, "title 'greedy'");
        expect(script, "set logscale xy");
        assert_null(strstr(script, "title 'enumerate'"));
        free(script);
    }
    /* Shapes of one size are no curve. */
    const hw_suite_section *last = s->points[s->n - 1].section;
    assert_int_equal(hw_scale_plot(s->points + 9, 1, last, false, &script, &width, &height, &err),
                     HW_BAD_INPUT);
    assert_null(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fates),   cmocka_unit_test(test_figures),
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_tables),
        cmocka_unit_test(test_no_time), cmocka_unit_test(test_plots),
    };
    return cmocka_run_group_tests(tests, sweep, forget) != 0;
}
