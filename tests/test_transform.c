/*
 * Fusion: the orders of the fused graph are those of the original in which
 * each chain stays together; in-place pairs hold for kernels that run element
 * by element; nothing more is found the second time; and it can be undone to
 * the same bytes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "tests/support_chains.h"
#include "tests/support_io.h"
#include "tests/support_random.h"
#include "transform/record.h"
#include "support_sanitized.h"

enum { GRAPHS = FEWER(4000) };

typedef struct fixture {
    hw_operators *operators;
    hw_patterns *plain, *all;
    char *folder, *path;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->operators = hw_operators_new();
    f->plain = hw_fuse_patterns(0);
    f->all = hw_fuse_patterns(HW_FUSE_RESIDUAL | HW_FUSE_ATTENTION);
    f->folder = make_folder();
    f->path = path_in(f->folder, "record");
    *state = f;
    return f->operators && f->plain && f->all && f->path ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    hw_operators_free(f->operators);
    hw_patterns_free(f->plain);
    hw_patterns_free(f->all);
    free(f->path);
    remove_folder(f->folder);
    free(f);
    return 0;
}

static const hw_patterns *patterns_of(const fixture *x, uint64_t seed)
{
    return seed % 2 ? x->plain : x->all;
}

static hw_fusion *plan(const fixture *x, const hw_graph *g, uint64_t seed)
{
    hw_fusion *f = NULL;
    hw_error err = {0};
    uint32_t most = seed % 5 == 0 ? 2 + (uint32_t)(seed / 5 % 3) : 256;
    if (hw_fuse_plan(g, patterns_of(x, seed), x->operators, most, NULL, &f, &err))
        fail_msg("%s", err.message);
    return f;
}

static hw_graph *fused_of(const hw_graph *g, const hw_fusion *f)
{
    hw_graph *fused = NULL;
    hw_error err = {0};
    if (hw_fuse(g, f, &fused, &err))
        fail_msg("%s", err.message);
    return fused;
}

/* ---- Orders. ---- */

enum { MOST_ORDERS = 40320, FEW_NODES = 8 };

typedef struct orders {
    const hw_graph *g;
    const hw_fusion *f;       /* each group stays together; NULL: any order        */
    const hw_fusion *expand;  /* every fused node is written as its members        */
    const uint32_t *original; /* node of the original by node of g, with expand    */
    uint32_t run[FEW_NODES];
    uint32_t n;
    uint64_t found[MOST_ORDERS];
} orders;

static void keep_order(orders *o)
{
    uint64_t code = 1;
    for (uint32_t i = 0; i < o->g->n_nodes; i++) {
        uint32_t v = o->original ? o->original[o->run[i]] : o->run[i];
        uint32_t group = o->expand ? o->expand->group[v] : HW_NONE;
        if (group == HW_NONE)
            code = code << 4 | v;
        else
            for (uint32_t k = o->expand->offset[group]; k < o->expand->offset[group + 1]; k++)
                code = code << 4 | o->expand->member[k];
    }
    assert_true(o->n < MOST_ORDERS);
    o->found[o->n++] = code;
}

/* Where the group of the node before is not at its end, its next member has to follow. */
static uint32_t wanted_next(const orders *o, uint32_t at)
{
    if (!o->f || at == 0 || o->f->group[o->run[at - 1]] == HW_NONE)
        return HW_NONE;
    uint32_t v = o->run[at - 1], group = o->f->group[v], k = o->f->offset[group];
    while (o->f->member[k] != v)
        k++;
    return k + 1 < o->f->offset[group + 1] ? o->f->member[k + 1] : HW_NONE;
}

static bool starts_late(const orders *o, uint32_t v)
{
    return o->f && o->f->group[v] != HW_NONE && o->f->member[o->f->offset[o->f->group[v]]] != v;
}

static void walk(orders *o, uint32_t done, uint32_t at)
{
    const hw_graph *g = o->g;
    if (at == g->n_nodes) {
        keep_order(o);
        return;
    }
    uint32_t next = wanted_next(o, at);
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        bool good = !(done >> v & 1) && (next == HW_NONE ? !starts_late(o, v) : v == next);
        for (uint32_t k = g->preds.offset[v]; good && k < g->preds.offset[v + 1]; k++)
            good = done >> g->preds.item[k] & 1;
        if (!good)
            continue;
        o->run[at] = v;
        walk(o, done | UINT32_C(1) << v, at + 1);
    }
}

static int by_code(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The node of the original that a fused node has its id from. */
static void origins(const hw_graph *g, const hw_graph *fused, uint32_t *original)
{
    for (uint32_t v = 0; v < fused->n_nodes; v++)
        for (uint32_t u = 0; u < g->n_nodes; u++)
            if (hw_node_id(g, u) == hw_node_id(fused, v))
                original[v] = u;
}

static void test_orders(void **state)
{
    const fixture *x = *state;
    orders *apart = calloc(1, sizeof *apart), *joined = calloc(1, sizeof *joined);
    uint64_t groups = 0, compared = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_graph *g = chain_graph(seed, 2 + (uint32_t)(seed % 6));
        if (!g)
            continue;
        hw_fusion *f = plan(x, g, seed);
        hw_graph *fused = fused_of(g, f);
        uint32_t original[FEW_NODES];
        origins(g, fused, original);
        *apart = (orders){.g = g, .f = f};
        *joined = (orders){.g = fused, .expand = f, .original = original};
        walk(apart, 0, 0);
        walk(joined, 0, 0);
        assert_int_equal(apart->n, joined->n);
        qsort(apart->found, apart->n, sizeof *apart->found, by_code);
        qsort(joined->found, joined->n, sizeof *joined->found, by_code);
        assert_memory_equal(apart->found, joined->found, apart->n * sizeof *apart->found);
        groups += f->n_groups;
        compared += apart->n;
        hw_graph_free(fused);
        hw_fusion_free(f);
        hw_graph_free(g);
    }
    print_message("%" PRIu64 " orders, %" PRIu64 " groups\n", compared, groups);
    assert_true(groups > GRAPHS / 4);
    free(apart);
    free(joined);
}

/* ---- In-place pairs, by what a kernel would compute. ---- */

enum { ELEMENTS = 4 };

typedef struct machine {
    const hw_graph *g;
    const hw_fusion *f;
    uint64_t (*memory)[ELEMENTS]; /* of a storage */
} machine;

static bool pairs(const hw_graph *g, uint32_t v, uint32_t input, uint32_t output)
{
    for (uint32_t i = g->inplace_offset[v]; i < g->inplace_offset[v + 1]; i++)
        if (g->inplace_pair[i].input == input && g->inplace_pair[i].output == output)
            return true;
    return false;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t state = a * 31 + b;
    return random_u64(&state);
}

/*
 * Element e of a tensor, as late as can be: inner ones are computed anew, one
 * element from one where a pair says so, and otherwise from the whole input.
 */
static uint64_t element(const machine *m, uint32_t t, uint32_t e)
{
    const hw_graph *g = m->g;
    if (!m->f->inner[t])
        return m->memory[g->tensor_storage[t]][e];
    uint32_t v = g->tensor_producer[t];
    uint64_t value = mix(v, t);
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        uint32_t input = g->inputs.item[i];
        if (pairs(g, v, input, t) && g->tensor_size[input] == g->tensor_size[t]) {
            value = mix(value, element(m, input, e));
            continue;
        }
        for (uint32_t k = 0; k < ELEMENTS; k++)
            value = mix(value, element(m, input, k));
    }
    return value;
}

/* Element e of an output of member v, which is not inner. */
static uint64_t result(const machine *m, uint32_t v, uint32_t output, uint32_t e)
{
    const hw_graph *g = m->g;
    uint64_t value = mix(v, output);
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        uint32_t input = g->inputs.item[i];
        bool whole = !pairs(g, v, input, output);
        for (uint32_t k = whole ? 0 : e; k < (whole ? ELEMENTS : e + 1); k++)
            value = mix(value, element(m, input, k));
    }
    return value;
}

/*
 * One pair of a fused node: the kernel writes the output over the input,
 * element by element, and every output comes out as if it did not; but those
 * of the last member that stood beside the pair's before, which are its own
 * affair.
 */
static void check_pair(machine *m, uint32_t group, uint32_t input, uint32_t output)
{
    const hw_graph *g = m->g;
    const hw_fusion *f = m->f;
    uint32_t last = f->member[f->offset[group + 1] - 1];
    uint64_t right[64][ELEMENTS];
    for (uint32_t s = 0; s < g->n_storages; s++)
        for (uint32_t e = 0; e < ELEMENTS; e++)
            m->memory[s][e] = mix(s, e);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t e = 0; e < ELEMENTS; e++) {
            uint32_t n = 0;
            uint64_t written = result(m, last, output, e);
            for (uint32_t k = f->offset[group]; k < f->offset[group + 1]; k++)
                for (uint32_t i = g->outputs.offset[f->member[k]];
                     i < g->outputs.offset[f->member[k] + 1]; i++) {
                    uint32_t t = g->outputs.item[i];
                    if (f->inner[t] || (f->member[k] == last && t != output))
                        continue;
                    uint64_t value = result(m, f->member[k], t, e);
                    assert_true(n < 64);
                    if (pass == 0)
                        right[n][e] = value;
                    assert_true(right[n++][e] == value);
                }
            if (pass == 1)
                m->memory[g->tensor_storage[input]][e] = written;
        }
}

static uint32_t tensor_of(const hw_graph *g, uint32_t id)
{
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (hw_tensor_id(g, t) == id)
            return t;
    fail_msg("no tensor %" PRIu32, id);
    return HW_NONE;
}

/* Pairs of one node of the fused graph; how many. */
static uint64_t check_pairs(machine *m, const hw_graph *fused, uint32_t v, uint32_t group)
{
    uint64_t checked = 0;
    for (uint32_t i = fused->inplace_offset[v]; i < fused->inplace_offset[v + 1]; i++) {
        hw_inplace_pair pair = fused->inplace_pair[i];
        uint32_t input = tensor_of(m->g, hw_tensor_id(fused, pair.input));
        uint32_t output = tensor_of(m->g, hw_tensor_id(fused, pair.output));
        check_pair(m, group, input, output);
        checked++;
    }
    return checked;
}

static void test_pairs(void **state)
{
    const fixture *x = *state;
    uint64_t kept = 0, beyond = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_graph *g = chain_graph(seed, 4 + (uint32_t)(seed % 12));
        if (!g)
            continue;
        hw_fusion *f = plan(x, g, seed);
        hw_graph *fused = fused_of(g, f);
        machine m = {.g = g, .f = f, .memory = calloc(g->n_storages, sizeof *m.memory)};
        uint32_t original[CHAIN_NODES];
        origins(g, fused, original);
        for (uint32_t v = 0; fused->inplace_offset && v < fused->n_nodes; v++) {
            uint32_t group = f->group[original[v]];
            if (group == HW_NONE)
                continue;
            kept += check_pairs(&m, fused, v, group);
            for (uint32_t i = fused->inplace_offset[v]; i < fused->inplace_offset[v + 1]; i++) {
                uint32_t t = tensor_of(g, hw_tensor_id(fused, fused->inplace_pair[i].input));
                uint32_t o = tensor_of(g, hw_tensor_id(fused, fused->inplace_pair[i].output));
                beyond += !pairs(g, original[v], t, o); /* through a tensor that is gone */
            }
        }
        free(m.memory);
        hw_graph_free(fused);
        hw_fusion_free(f);
        hw_graph_free(g);
    }
    print_message("%" PRIu64 " pairs, %" PRIu64 " of them through inner tensors\n", kept, beyond);
    assert_true(kept > FEWER(1000) && beyond > FEWER(300));
}

/* ---- What stays the same, and the way back. ---- */

static void same_bytes(const hw_graph *a, const hw_graph *b)
{
    size_t n_a, n_b;
    char *bytes_a = graph_bytes(a, HW_FORMAT_JSON, &n_a);
    char *bytes_b = graph_bytes(b, HW_FORMAT_JSON, &n_b);
    assert_int_equal(n_a, n_b);
    assert_memory_equal(bytes_a, bytes_b, n_a);
    free(bytes_a);
    free(bytes_b);
}

static hw_record *record_of(const fixture *x, const hw_graph *g, const hw_fusion *f,
                            const hw_graph *fused, uint64_t seed)
{
    hw_record *r = NULL;
    hw_error err = {0};
    FILE *out = fopen(x->path, "w");
    if (hw_record_write(g, f, fused, patterns_of(x, seed), out, &err))
        fail_msg("%s", err.message);
    assert_int_equal(fclose(out), 0);
    if (hw_record_load(x->path, &r, &err))
        fail_msg("%s", err.message);
    return r;
}

static uint64_t peak_of(const hw_graph *g, const uint32_t *order, bool free_first)
{
    hw_check check;
    assert_int_equal(hw_check_order(g, free_first, false, order, g->n_nodes, &check, NULL), HW_OK);
    assert_int_equal(check.verdict, HW_ORDER_LEGAL);
    return check.peak;
}

/* How the peak of an order and of its expansion compare. */
typedef struct relation {
    uint64_t less, equal, more;
} relation;

static void check_expansion(const hw_graph *g, const hw_graph *fused, const hw_record *r,
                            relation *seen)
{
    uint32_t order[CHAIN_NODES], expanded[CHAIN_NODES];
    assert_int_equal(hw_graph_level_order(fused, order, NULL), HW_OK);
    assert_int_equal(hw_unfuse_order(fused, r, g, order, expanded, NULL), HW_OK);
    for (int free_first = 0; free_first < 2; free_first++) {
        uint64_t apart = peak_of(g, expanded, free_first);
        uint64_t joined = peak_of(fused, order, free_first);
        seen->less += joined < apart;
        seen->equal += joined == apart;
        seen->more += joined > apart;
    }
}

static void test_way_back(void **state)
{
    const fixture *x = *state;
    relation seen = {0};
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_graph *g = chain_graph(seed, 1 + (uint32_t)(seed % CHAIN_NODES)), *back = NULL;
        if (!g)
            continue;
        hw_fusion *f = plan(x, g, seed), *again;
        hw_graph *fused = fused_of(g, f);
        hw_record *r = record_of(x, g, f, fused, seed);
        hw_error err = {0};
        if (hw_unfuse(fused, r, &back, &err))
            fail_msg("graph %" PRIu64 ": %s", seed, err.message);
        same_bytes(g, back);
        check_expansion(g, fused, r, &seen);
        assert_true(hw_graph_resident_bytes(g) == hw_graph_resident_bytes(fused));
        assert_int_equal(fused->n_nodes + f->offset[f->n_groups] - f->n_groups, g->n_nodes);
        assert_int_equal(fused->n_tensors + f->n_inner, g->n_tensors);
        if (g->source_order_legal_edges)
            assert_true(fused->source_order_legal_edges);
        again = plan(x, fused, seed);
        assert_int_equal(again->n_groups, 0);
        hw_fusion_free(again);
        hw_record_free(r);
        hw_graph_free(back);
        hw_graph_free(fused);
        hw_fusion_free(f);
        hw_graph_free(g);
    }
    print_message("fused peak against that of the expanded order: less %" PRIu64 ", equal %" PRIu64
                  ", more %" PRIu64 "\n",
                  seen.less, seen.equal, seen.more);
    assert_true(seen.less > 0 && seen.equal > 0);
}

/* Real graphs, where there are some. */
static void test_real(void **state)
{
    const fixture *x = *state;
    const char *shared = getenv("HW_SHARED");
    char folder[512];
    (void)snprintf(folder, sizeof folder, "%s/graphs", shared ? shared : "tests");
    char **paths = folder_files(folder, ".json");
    assert_non_null(paths);
    uint64_t groups = 0;
    for (size_t i = 0; paths[i]; i++) {
        hw_graph *g = NULL, *back = NULL;
        hw_error err = {0};
        if (hw_graph_load(paths[i], &g, &err) != HW_OK)
            fail_msg("%s", err.message);
        for (uint64_t seed = 1; seed < 3; seed++) {
            hw_fusion *f = plan(x, g, seed);
            hw_graph *fused = fused_of(g, f);
            hw_record *r = record_of(x, g, f, fused, seed);
            if (hw_unfuse(fused, r, &back, &err))
                fail_msg("%s: %s", paths[i], err.message);
            same_bytes(g, back);
            groups += f->n_groups;
            hw_graph_free(back);
            hw_record_free(r);
            hw_graph_free(fused);
            hw_fusion_free(f);
        }
        hw_graph_free(g);
    }
    assert_true(groups > 0);
    free_paths(paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_way_back),
        cmocka_unit_test(test_real),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
