/*
 * What all families have in common: instances that never change (golden
 * hashes), identity by seed and index alone, legal graphs on which both
 * simulators agree, and refusals that name parameter and cure.
 *
 * A hash below changes only with a deliberate change of a family; then every
 * published figure on that family is void.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/io.h"
#include "model/check.h"
#include "model/sim.h"
#include "tests/support_generate.h"

/* SHA-256 of instances 0 and 1 under the default campaign seed. */
static const struct golden {
    const char *spec, *hash[2];
} golden[] = {
#include "tests/generators_golden.inc"
};
enum { N_GOLDEN = sizeof golden / sizeof golden[0] };

static void hash_of(const char *spec, uint64_t index, char text[HW_HASH_TEXT])
{
    hw_graph *g = test_instance(spec, index);
    hw_error err = {0};
    assert_int_equal(hw_graph_hash(g, text, &err), HW_OK);
    hw_graph_free(g);
}

static void test_golden(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < N_GOLDEN; i++)
        for (unsigned k = 0; k < 2; k++) {
            char text[HW_HASH_TEXT];
            hash_of(golden[i].spec, k, text);
            if (strcmp(text, golden[i].hash[k]) != 0) {
                print_error("%s instance %u is now %s\n", golden[i].spec, k, text);
                wrong++;
            }
        }
    assert_int_equal(wrong, 0);
}

static void test_every_family_is_golden(void **state)
{
    (void)state;
    for (size_t f = 0; f < hw_n_families; f++) {
        const char *name = hw_families[f]->name;
        size_t rows = 0, n = strlen(name);
        for (size_t i = 0; i < N_GOLDEN; i++)
            rows += strncmp(golden[i].spec, name, n) == 0 && strchr(":", golden[i].spec[n]);
        if (rows < 2)
            fail_msg("family %s has %zu golden rows: give the defaults and another", name, rows);
        assert_true(hw_families[f]->n_params <= HW_PARAM_LIMIT);
        assert_ptr_equal(hw_family_find(name, n), hw_families[f]);
    }
}

static void test_identity(void **state)
{
    (void)state;
    for (size_t f = 0; f < hw_n_families; f++) {
        const hw_family_row *row = hw_families[f];
        char first[HW_HASH_TEXT], again[HW_HASH_TEXT], other[HW_HASH_TEXT], text[64];
        hw_param_value values[HW_PARAM_LIMIT];
        hw_error err = {0};
        hw_graph *g = NULL;
        hash_of(row->name, 7, first);
        hash_of(row->name, 8, other);
        hash_of(row->name, 7, again);
        assert_string_equal(first, again);
        assert_int_equal(strcmp(first, other) != 0, row->random);
        assert_int_equal(hw_family_parse(row->name, &row, values, &err), HW_OK);
        assert_int_equal(hw_generate(row, values, HW_DEFAULT_SEED + 1, 7, &g, &err), HW_OK);
        assert_int_equal(hw_graph_hash(g, other, &err), HW_OK);
        assert_int_equal(strcmp(first, other) != 0, row->random);
        (void)snprintf(text, sizeof text, "%s-7", row->name);
        assert_string_equal(g->name, text);
        assert_non_null(strstr(g->source, row->name));
        hw_graph_free(g);
    }
}

/* A parameter at its default does not change the instance; written in another
 * order neither. */
static void test_canonical_parameters(void **state)
{
    (void)state;
    char a[HW_HASH_TEXT], b[HW_HASH_TEXT];
    hash_of("erdos:n=20,degree=2.0", 3, a);
    hash_of("erdos", 3, b);
    assert_string_equal(a, b);
    hash_of("layered:width=4,n=16", 3, a);
    hash_of("layered:n=16,width=4", 3, b);
    assert_string_equal(a, b);
    hash_of("layered:n=16,width=5", 3, b);
    assert_string_not_equal(a, b);
}

static void check_graph(const char *spec, const hw_graph *g)
{
    uint32_t *order = HW_NEW(uint32_t, g->n_nodes);
    assert_non_null(order);
    assert_true(g->source_order_legal_edges);
    for (unsigned accounting = 0; accounting < 2; accounting++)
        for (unsigned level = 0; level < 2; level++) {
            hw_error err = {0};
            hw_check check;
            hw_model *m = NULL;
            uint64_t peak = 0;
            for (uint32_t v = 0; v < g->n_nodes; v++)
                order[v] = v;
            if (level)
                assert_int_equal(hw_graph_level_order(g, order, &err), HW_OK);
            assert_int_equal(hw_model_new(g, (hw_accounting)accounting, false, &m, &err), HW_OK);
            assert_int_equal(hw_peak(m, order, &peak, &err), HW_OK);
            assert_int_equal(hw_check_order(g, accounting == HW_FREE_FIRST, false, order,
                                            g->n_nodes, &check, &err),
                             HW_OK);
            if (check.verdict != HW_ORDER_LEGAL || check.peak != peak)
                fail_msg("%s: verdict %d, peaks %llu and %llu", spec, (int)check.verdict,
                         (unsigned long long)check.peak, (unsigned long long)peak);
            hw_model_free(m);
        }
    free(order);
}

static void test_all_legal(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_GOLDEN; i++) {
        hw_graph *g = test_instance(golden[i].spec, 0);
        check_graph(golden[i].spec, g);
        hw_graph_free(g);
    }
}

static void test_smallest(void **state)
{
    (void)state;
    static const char *const spec[] = {
        "layered:n=1",
        "erdos:n=1",
        "erdos:n=2,p=1",
        "random-order:n=1",
        "tree:n=1",
        "series-parallel:n=1",
        "series-parallel:n=2",
        "fan:n=3,width=1",
        "chains:n=2,branches=1",
        "randwire:n=1",
        "randwire:n=5,k=4",
        "daggen:n=1",
        "chains:n=1,branches=1,join=no",
    };
    for (size_t i = 0; i < sizeof spec / sizeof spec[0]; i++) {
        hw_graph *g = test_instance(spec[i], 0);
        check_graph(spec[i], g);
        hw_graph_free(g);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *word[2]; /* of the message: the parameter, the cure */
    } row[] = {
        {"layred", {"layred", "layered"}},
        {"layered:widht=3", {"widht", "width"}},
        {"layered:n=0", {"n=0", "1"}},
        {"layered:n=5,layers=6", {"layers=6", "at most"}},
        {"layered:n=5,width=6", {"width=6", "at most"}},
        {"layered:n=9,width=3,layers=3", {"width=3", "give one"}},
        {"layered:low=7,high=6", {"low=7", "low at most high"}},
        {"erdos:n=6,degree=3", {"degree=3", "at most 2.5"}},
        {"erdos:n=100,degree=3,span=2", {"degree=3", "span"}},
        {"erdos:p=1.5", {"p=1.5", "0 to 1"}},
        {"random-order:n=20001,dimension=3", {"n=20001", "dimension=2"}},
        {"tree:shape=complete,reach=3", {"reach=3", "leave it out"}},
        {"tree:direction=up", {"direction=up", "in|out"}},
        {"fan:n=5", {"n=5", "smaller width"}},
        {"fan:n=5,stages=6", {"stages", "fewer stages"}},
        {"chains:n=4", {"branches=4", "greater n"}},
        {"chains:n=1,branches=1", {"branches=1", "greater n"}},
        {"randwire:k=5", {"k=5", "even"}},
        {"randwire:n=4", {"k=4", "smaller k"}},
        {"randwire:stages=2", {"stages=2", "ends=yes"}},
        {"randwire:n=100000,ops=4,stages=1000,ends=yes", {"stages", "give fewer"}},
        {"nets:net=resnet51", {"resnet51", "resnet50"}},
        {"nets:net=mlp,resolution=32", {"resolution=32", "leave it out"}},
        {"nets:net=resnet50,layers=3", {"layers=3", "leave it out"}},
        {"nets:net=resnet50,width=3", {"width=3", "leave it out"}},
        {"nets:net=resnet50,sequence=3", {"sequence=3", "leave it out"}},
        {"nets:net=resnet-cifar,layers=21", {"6 k + 2", "layers=8"}},
        {"nets:net=unet,resolution=40", {"U-Net", "16 divides"}},
        {"nets:net=gpt2,width=100", {"64 wide", "64 divides"}},
        {"nets:net=transformer-block,width=100", {"64 wide", "64 divides"}},
        {"nets:net=inception-v1,resolution=2", {"smaller", "greater resolution"}},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const hw_family_row *family = NULL;
        hw_param_value values[HW_PARAM_LIMIT];
        hw_graph *g = NULL;
        hw_error err = {0};
        hw_code code = hw_family_parse(row[i].spec, &family, values, &err);
        if (code == HW_OK)
            code = hw_generate(family, values, HW_DEFAULT_SEED, 0, &g, &err);
        if (code != HW_USAGE || !strstr(err.message, row[i].word[0]) ||
            !strstr(err.message, row[i].word[1]))
            fail_msg("%s: code %d, '%s'", row[i].spec, (int)code, err.message);
        assert_null(g);
    }
}

/* `--print SPEC...` writes golden rows, for a family that is new. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),    cmocka_unit_test(test_every_family_is_golden),
        cmocka_unit_test(test_identity),  cmocka_unit_test(test_canonical_parameters),
        cmocka_unit_test(test_all_legal), cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_refusals),
    };
    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        for (int i = 2; i < argc; i++) {
            char zero[HW_HASH_TEXT], one[HW_HASH_TEXT];
            hash_of(argv[i], 0, zero);
            hash_of(argv[i], 1, one);
            printf("{\"%s\",\n {\"%s\",\n  \"%s\"}},\n", argv[i], zero, one);
        }
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
