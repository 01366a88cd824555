/*
 * The k-th allocation fails, for every k, in what makes graphs and models and
 * in the solvers: each time the call says so and leaves nothing behind, or it
 * can do without and its answer is right.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "model/edit.h"
#include "model/log.h"
#include "model/second.h"
#include "model/sim.h"
#include "model/slice.h"
#include "model/structure.h"
#include "model/width.h"
#include "tests/support_exact.h"
#include "tests/support_generate.h"
#include "tests/support_io.h"
#include "tests/support_random.h"
#include "tests/support_sanitized.h"
#include "tests/support_solve.h"

/* An allocator in front of that of the C library: none where the sanitizers have theirs. */
#if defined __GLIBC__ && !SANITIZED
#define OWN_ALLOCATOR 1

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void __libc_free(void *block);

static bool armed;
static int64_t left; /* until one fails */
static bool failed;
static int64_t blocks; /* in use */

static bool refuse(void)
{
    if (!armed || left-- != 0)
        return false;
    failed = true;
    errno = ENOMEM;
    return true;
}

static void *counted(void *block)
{
    blocks += block != NULL;
    return block;
}

void *malloc(size_t bytes)
{
    return refuse() ? NULL : counted(__libc_malloc(bytes));
}

void *calloc(size_t count, size_t bytes)
{
    return refuse() ? NULL : counted(__libc_calloc(count, bytes));
}

void *realloc(void *old, size_t bytes)
{
    if (refuse())
        return NULL;
    void *block = __libc_realloc(old, bytes);
    blocks += block && !old ? 1 : old && !block && !bytes ? -1 : 0;
    return block;
}

void free(void *block)
{
    blocks -= block != NULL;
    __libc_free(block);
}
#else
#define OWN_ALLOCATOR 0
static bool armed, failed;
static int64_t left, blocks;
#endif

/* What is tried: a graph, its bytes, a model and an order. */
typedef struct trial {
    const char *what; /* for messages; of solvers, which and with what */
    hw_graph *g;
    hw_model *m;
    char *bytes;
    size_t n_bytes;
    uint32_t *order;
    uint64_t optimum; /* UINT64_MAX: no order is legal */
    FILE *nowhere;
    bool proof;
} trial;

static int64_t n_failed;

typedef hw_code (*attempt)(const trial *t, hw_error *err);

/* Fail each allocation of the attempt in turn, until none is left that could. */
static void without_memory(const trial *t, attempt call)
{
    hw_error warm = {.code = HW_OK};
    assert_int_equal(call(t, &warm), HW_OK); /* what is allocated once and kept */
    for (int64_t k = 0;; k++) {
        hw_error err = {.code = HW_OK};
        int64_t before = blocks;
        left = k;
        failed = false;
        armed = true;
        hw_code code = call(t, &err);
        armed = false;
        if (blocks != before)
            fail_msg("%s: allocation %" PRId64 " fails, %" PRId64 " blocks are left", t->what, k,
                     blocks - before);
        if (code != HW_OK &&
            (code != HW_NO_MEMORY || !failed || err.code != code || !strstr(err.message, "memory")))
            fail_msg("%s: allocation %" PRId64 " fails, and what is said is %d, '%s'", t->what, k,
                     (int)code, err.message);
        if (code == HW_OK && err.code != HW_OK)
            fail_msg("%s: allocation %" PRId64 " fails, '%s' is said, and all is well", t->what, k,
                     err.message);
        if (!failed) {
            assert_int_equal(code, HW_OK);
            assert_true(k > 0);
            n_failed += k;
            return;
        }
    }
}

static trial begin_unsettled(hw_graph *g, bool free_first)
{
    trial t = {.g = g, .nowhere = fopen("/dev/null", "w"), .optimum = UINT64_MAX};
    assert_non_null(g);
    assert_non_null(t.nowhere);
    t.m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, false);
    t.bytes = graph_bytes(g, HW_FORMAT_JSON, &t.n_bytes);
    t.order = calloc(g->n_nodes + 1u, sizeof *t.order);
    assert_true(t.bytes && t.order);
    return t;
}

/* With its optimum, and an order of that. */
static trial begin(hw_graph *g, bool free_first)
{
    trial t = begin_unsettled(g, free_first);
    hw_answer a = test_solve(t.m, "exact");
    if (a.has_order) {
        t.optimum = a.peak;
        memcpy(t.order, a.order, g->n_nodes * sizeof *t.order);
    }
    hw_answer_clear(&a);
    return t;
}

static void end(trial *t)
{
    free(t->order);
    free(t->bytes);
    hw_model_free(t->m);
    hw_graph_free(t->g);
    assert_int_equal(fclose(t->nowhere), 0);
}

/* A graph with something of everything. */
static hw_graph *rich(uint64_t seed, uint32_t nodes, bool windows)
{
    random_shape shape = {.nodes = nodes, .edge = 0.25, .largest = 20};
    shape.views = shape.inplace = shape.workspace = shape.control = shape.locks = true;
    shape.windows = windows;
    for (hw_graph *g;; seed++) {
        uint64_t state = seed;
        if ((g = random_graph(&state, &shape)))
            return g;
    }
}

/* ---- Graphs and models. ---- */

static hw_code parse(const trial *t, hw_error *err)
{
    hw_graph *g = NULL;
    hw_code code = hw_graph_parse(t->bytes, t->n_bytes, "bytes", &g, err);
    if (code == HW_OK)
        assert_int_equal(g->n_nodes, t->g->n_nodes);
    hw_graph_free(g);
    return code;
}

static hw_code model(const trial *t, hw_error *err)
{
    hw_model *m = NULL;
    hw_code code = hw_model_new(t->g, t->m->accounting, false, &m, err);
    if (code == HW_OK) {
        hw_model_find_bound(m);
        assert_int_equal(m->simple_bound, t->m->simple_bound);
    }
    hw_model_free(m);
    return code;
}

static hw_code copies(const trial *t, hw_error *err)
{
    hw_graph *stripped = NULL, *resized = NULL, *marked = NULL;
    hw_code code = hw_graph_strip(t->g, true, true, &stripped, err);
    if (code == HW_OK)
        code = hw_graph_resized(t->g, t->g->tensor_size, NULL, &resized, err);
    if (code == HW_OK)
        code = hw_graph_mark(t->g, &(hw_marks){0}, &marked, err);
    if (code == HW_OK)
        code = hw_graph_rename(marked, "a name", "a source", err);
    if (code == HW_OK)
        assert_string_equal(marked->name, "a name");
    hw_graph_free(stripped);
    hw_graph_free(resized);
    hw_graph_free(marked);
    return code;
}

static hw_code edited(const trial *t, hw_error *err)
{
    hw_edit e, copy = {0};
    hw_graph *g = NULL;
    hw_code code = hw_edit_open(&e, t->g, err);
    if (code == HW_OK)
        code = hw_edit_copy(&copy, &e, err);
    if (code == HW_OK)
        code = hw_edit_graph(&copy, "edited", &g, err);
    if (code == HW_OK)
        assert_int_equal(g->n_nodes, t->g->n_nodes);
    hw_graph_free(g);
    hw_edit_clear(&copy);
    hw_edit_clear(&e);
    return code;
}

static hw_code looked_at(const trial *t, hw_error *err)
{
    hw_structure s;
    hw_check c = {0};
    hw_cost cost;
    uint32_t width = 0;
    uint64_t peak = 0;
    hw_structure_limits limits = {.width_nodes = 100, .down_sets = 10000};
    hw_code code = hw_structure_find(t->g, limits, &s, err);
    if (code == HW_OK)
        code = hw_find_width(t->g, t->order, &width, err);
    if (code == HW_OK)
        code = hw_second_value(t->m, HW_SECOND_AREA, t->order, &cost, err);
    if (code == HW_OK)
        code = hw_second_value(t->m, HW_SECOND_CRITICAL_PATH, t->order, &cost, err);
    if (code == HW_OK)
        code = hw_peak(t->m, t->order, &peak, err);
    if (code == HW_OK)
        code = hw_check_order(t->g, t->m->accounting == HW_FREE_FIRST, false, t->order,
                              t->g->n_nodes, &c, err);
    if (code == HW_OK)
        assert_true(c.verdict == HW_ORDER_LEGAL && c.peak == t->optimum && peak == t->optimum);
    return code;
}

static hw_code logged(const trial *t, hw_error *err)
{
    hw_log *log = NULL;
    hw_code code = hw_log_new(t->m, t->order, true, &log, err);
    if (code == HW_OK)
        code = hw_log_print(log, true, t->nowhere, err);
    hw_log_free(log);
    return code;
}

static hw_code sliced(const trial *t, hw_error *err)
{
    hw_slicer s;
    hw_model *slice = NULL;
    hw_code code = hw_slicer_open(&s, t->m, t->order, err);
    if (code == HW_OK)
        code = hw_slice_new(&s, 0, t->g->n_nodes, t->m->live_empty, &slice, err);
    uint32_t in_turn[64];
    uint64_t peak, of_slice;
    assert_true(t->g->n_nodes <= 64);
    for (uint32_t i = 0; i < t->g->n_nodes; i++)
        in_turn[i] = i;
    if (code == HW_OK)
        code = hw_peak(t->m, t->order, &peak, err);
    if (code == HW_OK)
        code = hw_peak(slice, in_turn, &of_slice, err);
    if (code == HW_OK)
        assert_int_equal(of_slice, peak); /* all of it is there */
    if (slice)
        hw_slice_free(slice);
    hw_slicer_close(&s);
    return code;
}

static void graphs(void **unused)
{
    (void)unused;
    if (!OWN_ALLOCATOR)
        skip();
    static const struct {
        const char *what;
        attempt call;
    } attempts[] = {{"hw_graph_parse", parse}, {"hw_model_new", model}, {"copies", copies},
                    {"hw_edit", edited},       {"looks", looked_at},    {"hw_log", logged},
                    {"hw_slice", sliced}};
    for (int turn = 0; turn < 2; turn++) {
        trial t = begin(rich(turn ? 4 : 1, turn ? 9 : 12, turn), turn);
        assert_true(t.optimum != UINT64_MAX);
        for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
            t.what = attempts[i].what;
            without_memory(&t, attempts[i].call);
        }
        end(&t);
    }
    print_message("%" PRId64 " allocations failed\n", n_failed);
}

/* ---- Solvers. ---- */

static hw_code draw(const trial *t, hw_error *err)
{
    const hw_family_row *row = NULL;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_graph *g = NULL;
    hw_code code = hw_family_parse(t->what, &row, values, err);
    assert_int_equal(code, HW_OK);
    code = hw_generate(row, values, HW_DEFAULT_SEED, 0, &g, err);
    hw_graph_free(g);
    return code;
}

/* Whatever else the program has told GSL, whose own handler of errors ends it. */
static void instances(void **unused)
{
    (void)unused;
    if (!OWN_ALLOCATOR)
        skip();
    static const char *const specs[] = {"erdos:n=9", "layered:n=9,sizes=pareto", "tree:n=9",
                                        "nets:net=mlp"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        without_memory(&(trial){.what = specs[i]}, draw);
}

static hw_code solve(const trial *t, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_answer a = {0};
    hw_code code = hw_solver_parse(t->what, &row, values, err);
    assert_int_equal(code, HW_OK);
    hw_request request = {.params = values, .proof = t->proof ? t->nowhere : NULL};
    code = hw_solve(t->m, row, &request, &a, err);
    if (code == HW_OK) {
        assert_true(!a.has_order || a.peak >= t->optimum);
        assert_true(!a.has_bound || a.bound <= t->optimum);
        assert_true(a.status != HW_INFEASIBLE || t->optimum == UINT64_MAX);
        assert_true(a.status != HW_OPTIMAL || a.peak == t->optimum);
        if (!failed && row->kind == HW_SOLVER_EXACT)
            assert_true(a.status == (t->optimum == UINT64_MAX ? HW_INFEASIBLE : HW_OPTIMAL));
        if (row->kind == HW_SOLVER_EXACT && a.status != HW_OPTIMAL && a.status != HW_INFEASIBLE)
            assert_true(a.limit_reached); /* why nothing is proven */
        if (a.limit_reached ||
            (t->proof &&
             a.proof != HW_PROOF_COMPLETE)) /* said there: it went on with what it had */
            err->code = HW_OK;
    }
    hw_answer_clear(&a);
    return code;
}

static void all_of(trial *t, const char *const *specs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        t->what = specs[i];
        without_memory(t, solve);
    }
}

/* Every solver of the table that takes the graph, those that run programs apart. */
static void all_solvers(void **unused)
{
    (void)unused;
    if (!OWN_ALLOCATOR)
        skip();
    trial t = begin(test_instance("erdos:n=12", 1), false);
    size_t tried = 0;
    for (size_t i = 0; i < hw_n_solvers; i++) {
        hw_error refused;
        t.what = hw_solvers[i]->name;
        if (hw_solvers[i]->foreign || strcmp(t.what, "milp") == 0 || solve(&t, &refused) != HW_OK)
            continue;
        without_memory(&t, solve);
        tried++;
    }
    assert_true(tried > hw_n_solvers / 2);
    end(&t);
}

static void solvers(void **unused)
{
    (void)unused;
    if (!OWN_ALLOCATOR)
        skip();
    static const char *const on_any[] = {
        "exact",     "exact:direction=forward,contract=no", "dp",           "enumerate",
        "backtrack", "backtrack:direction=reverse",         "bound-mincut", "bound-footprint"};
    static const char *const on_trees[] = {"liu", "series-parallel"};
    for (int graph = 0; graph < 5; graph++) {
        hw_graph *g = graph == 0   ? rich(7, 11, false)
                      : graph == 1 ? rich(9, 9, true)
                      : graph == 2 ? test_instance("erdos:n=16", 1)
                      : graph == 3 ? test_instance("tree:n=12,share=no", 2)
                                   : test_instance("chains:n=16,branches=3,join=no", 1);
        trial t = begin(g, graph % 2 == 1);
        all_of(&t, on_any, sizeof on_any / sizeof on_any[0]);
        if (graph == 3)
            all_of(&t, on_trees, sizeof on_trees / sizeof on_trees[0]);
        t.what = on_any[0];
        t.proof = true;
        without_memory(&t, solve);
        end(&t);
    }
    /* Larger ones, which bounds and quick rules do not settle, so that both directions are begun.
     */
    static const char *const on_large[] = {"backtrack:direction=better", "exact:beam=1"};
    for (uint64_t index = 0; index < 4; index++) { /* and one of several components */
        hw_graph *g = index < 3 ? test_instance("erdos:n=40", index)
                                : test_instance("erdos:n=60,degree=1.5,workspace=0.3", 0);
        trial t = begin(g, index % 2 == 1);
        all_of(&t, on_large, sizeof on_large / sizeof on_large[0]);
        end(&t);
    }
    /* So large that footprints are found all at once. */
    static const char *const bounds[] = {"bound-footprint", "bound-mincut"};
    trial t = begin_unsettled(test_instance("random-order:n=300", 0), false);
    all_of(&t, bounds, sizeof bounds / sizeof bounds[0]);
    end(&t);
    print_message("%" PRId64 " allocations failed\n", n_failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(graphs), cmocka_unit_test(instances),
                                       cmocka_unit_test(all_solvers), cmocka_unit_test(solvers)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
