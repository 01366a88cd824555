/*
 * Bad input: every file of cases/bad, and malformed text of every format, is
 * refused with its place and its reason; nothing crashes on cut or damaged
 * files.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support_io.h"
#include "tests/support_random.h"

/* Refused as bad input, the message holding both words. */
static void must_refuse(const char *text, size_t n, const char *name, const char *word,
                        const char *place)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    hw_code code = hw_graph_parse(text, n, name, &g, &err);
    if (code != HW_BAD_INPUT || g)
        fail_msg("%.300s\nwas not refused as bad input (code %d)", text, (int)code);
    if (!strstr(err.message, name) || !strstr(err.message, word) || !strstr(err.message, place))
        fail_msg("%.300s\nrefused as: %s\nexpected: %s ... %s ... %s", text, err.message, name,
                 place, word);
}

static void test_bad_cases(void **state)
{
    (void)state;
    static const struct {
        const char *name, *word, *place;
    } bad[] = {
        {"cycle", "0", "nodes form a cycle"},
        {"self-loop", "node 0 consumes", "which it produces"},
        {"duplicate-tensor-id", "tensor id 0 stands twice", "tensors[1]"},
        {"duplicate-node-id", "node id 0 stands twice", "nodes[1]"},
        {"two-producers", "tensor 0 has two producers", "nodes[1]"},
        {"unknown-tensor", "node 0 names tensor 77", "nodes[0]"},
        {"produced-input", "is an input but node 0 produces it", "nodes[0]"},
        {"orphan-activation", "without producer", "tensor 0"},
        {"negative-size", "-4", "tensors[0].size"},
        {"fractional-size", "fraction or exponent (1.5)", "tensors[0].size"},
        {"sum-overflows", "could exceed 64 bits", ""},
        {"unknown-kind", "'weight'", "tensors[0].kind"},
        {"missing-nodes", "no key 'nodes'", ""},
        {"future-version", "version 99 is newer than this program reads", ""},
        {"view-without-input", "is a view without input", "nodes[0]"},
        {"inplace-foreign", "tensor 1 is not an input of the node", "nodes[1]"},
        {"inplace-required-cycle", "2 -> 1 -> 2", "inplace_required"},
        {"control-unknown", "node 9, which does not exist", "control edge 0"},
        {"not-json", "not JSON", "line 1"},
        {"truncated", "ends in the middle", "line 1"},
        {"empty-file", "empty", "line 1"},
        {"wrong-format", "'something-else'", "format"},
        {"deep-nesting", "nesting", "line 1"},
    };
    char **paths = folder_files("tests/cases/bad", ".json");
    assert_non_null(paths);
    size_t n_files = 0;
    for (; paths[n_files]; n_files++)
        ;
    assert_int_equal(n_files, sizeof bad / sizeof *bad);
    free_paths(paths);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s.json", bad[i].name);
        char *path = path_in("tests/cases/bad", name);
        hw_graph *g = NULL;
        hw_error err = {0};
        assert_int_equal(hw_graph_load(path, &g, &err), HW_BAD_INPUT);
        assert_null(g);
        if (!strstr(err.message, path) || !strstr(err.message, bad[i].word) ||
            !strstr(err.message, bad[i].place))
            fail_msg("%s: %s", bad[i].name, err.message);
        free(path);
    }
}

static void test_bad_json(void **state)
{
    (void)state;
#define HEAD "{\"format\":\"highwater-graph\",\"version\":1,"
#define T0   "{\"id\":0,\"size\":1,\"kind\":\"input\"}"
#define NODE(more)                                                                                 \
    HEAD "\"tensors\":[" T0 "],\"nodes\":[{\"id\":0,\"inputs\":[0],\"outputs\":[]" more "}]}"
    static const struct {
        const char *text, *word, *place;
    } bad[] = {
        {"[1,2]", "an array", "top level"},
        {"{}", "no key 'format'", ""},
        {"{\"format\":1}", "format is an integer", ""},
        {"{\"format\":\"highwater-graph\"}", "no key 'version'", ""},
        {"{\"format\":\"highwater-graph\",\"version\":\"1\"}", "version is a string", ""},
        {"{\"format\":\"highwater-graph\",\"version\":1.5}", "fraction or exponent (1.5)",
         "version"},
        {"{\"format\":\"highwater-graph\",\"version\":0}", "version 0 does not exist", ""},
        {"{\"format\":\"highwater-graph\",\"version\":-1}", "negative (-1)", "version"},
        {HEAD "\"nodes\":[]}", "no key 'tensors'", ""},
        {HEAD "\"tensors\":{},\"nodes\":[]}", "tensors is an object", ""},
        {HEAD "\"tensors\":[],\"nodes\":null}", "nodes is null", ""},
        {HEAD "\"tensors\":[],\"nodes\":[],\"name\":3}", "name is an integer", ""},
        {HEAD "\"tensors\":[],\"nodes\":[],\"control\":3}", "control is an integer", ""},
        {HEAD "\"tensors\":[],\"nodes\":[],\"control\":[[1]]}", "not a pair", "control[0]"},
        {HEAD "\"tensors\":[],\"nodes\":[],\"control\":[[1,true]]}", "is true", "control[0][1]"},
        {HEAD "\"tensors\":[],\"nodes\":[],\"nodes\":[]}", "twice", "line 1"},
        {HEAD "\"tensors\":[],\"nodes\":[]} x", "holds one object", "line 1"},
        {HEAD "\n\"tensors\":[],\"nodes\":[,]}", "mend", "line 2"},
        {HEAD "\"tensors\":[3],\"nodes\":[]}", "an object", "tensors[0]"},
        {HEAD "\"tensors\":[{\"size\":1,\"kind\":\"input\"}],\"nodes\":[]}", "no 'id'",
         "tensors[0]"},
        {HEAD "\"tensors\":[" T0 ",{\"id\":1,\"kind\":\"input\"}],\"nodes\":[]}", "no 'size'",
         "tensors[1]"},
        {HEAD "\"tensors\":[{\"id\":1,\"size\":1}],\"nodes\":[]}", "no 'kind'", "tensors[0]"},
        {HEAD "\"tensors\":[{\"id\":1,\"size\":1,\"kind\":7}],\"nodes\":[]}", "is an integer",
         "tensors[0].kind"},
        {HEAD "\"tensors\":[{\"id\":1,\"size\":1,\"kind\":\"input\",\"name\":7}],\"nodes\":[]}",
         "is an integer", "tensors[0].name"},
        {HEAD "\"tensors\":[{\"id\":1,\"size\":\"1\",\"kind\":\"input\"}],\"nodes\":[]}",
         "a string, not an integer", "tensors[0].size"},
        {HEAD "\"tensors\":[{\"id\":1,\"size\":1e3,\"kind\":\"input\"}],\"nodes\":[]}",
         "fraction or exponent (1000)", "tensors[0].size"},
        {HEAD "\"tensors\":[{\"id\":4294967296,\"size\":1,\"kind\":\"input\"}],\"nodes\":[]}",
         "4294967296 is too large", "tensors[0]"},
        {HEAD "\n\"tensors\":[{\"id\":1,\"size\":9223372036854775808,\"kind\":\"input\"}],"
              "\"nodes\":[]}",
         "2^63-1", "line 2"},
        {HEAD "\"tensors\":[],\"nodes\":[{\"inputs\":[],\"outputs\":[]}]}", "no 'id'", "nodes[0]"},
        {HEAD "\"tensors\":[],\"nodes\":[{\"id\":0,\"outputs\":[]}]}", "no 'inputs'", "nodes[0]"},
        {HEAD "\"tensors\":[],\"nodes\":[{\"id\":0,\"inputs\":[]}]}", "no 'outputs'", "nodes[0]"},
        {HEAD "\"tensors\":[],\"nodes\":[{\"id\":0,\"inputs\":0,\"outputs\":[]}]}",
         "array of tensor ids", "nodes[0].inputs"},
        {HEAD "\"tensors\":[" T0 "],\"nodes\":[{\"id\":0,\"inputs\":[0,-1],\"outputs\":[]}]}",
         "negative (-1)", "nodes[0].inputs[1]"},
        {NODE(",\"workspace\":-1"), "negative", "nodes[0].workspace"},
        {NODE(",\"window\":-1"), "negative", "nodes[0].window"},
        {NODE(",\"window\":null"), "null", "nodes[0].window"},
        {NODE(",\"view\":1"), "true or false", "nodes[0].view"},
        {NODE(",\"locked\":\"yes\""), "true or false", "nodes[0].locked"},
        {NODE(",\"inplace\":3"), "array of pairs", "nodes[0].inplace"},
        {NODE(",\"inplace\":[[0]]"), "not a pair", "nodes[0].inplace[0]"},
        {NODE(",\"inplace\":[[0,\"1\"]]"), "a string", "nodes[0].inplace[0][1]"},
        {NODE(",\"inplace_required\":true"), "inplace_required with 0", "nodes[0]"},
        {NODE(",\"name\":\"\\u0000\""), "NUL", "line 1"},
        {NODE(",\"name\":\"\xff\""), "UTF-8", "line 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        must_refuse(bad[i].text, strlen(bad[i].text), "bad.json", bad[i].word, bad[i].place);
    static const char nul[] = HEAD "\"tensors\":[],\0\"nodes\":[]}";
    must_refuse(nul, sizeof nul - 1, "nul.json", "NUL byte", "line 1");
}

static void test_bad_lines(void **state)
{
    (void)state;
#define P "p highwater 1 2 1 0\n"
#define T "t 0 1 i\nt 1 2 a\n"
    static const struct {
        const char *text, *word, *place;
    } bad[] = {
        {"\xff\xfe", "middle of a line", ":1:"},
        {"hello\n", "not JSON", ":1:"},
        {"tt 0\n", "begins with 'tt'", ":1:"},
        {"t 0 1 i\n", "no graph has begun", ":1:"},
        {"p edge 3 2\n", "format 'edge'", ":1:"},
        {"p\n", "format ''", ":1:"},
        {"p highwater\n", "ends where the version", ":1:"},
        {"p highwater 2 0 0 0\n", "version 2 is newer", ":1:"},
        {"p highwater 0 0 0 0\n", "version 0 does not exist", ":1:"},
        {"p highwater 1 x 0 0\n", "'x' stands where the number of tensors", ":1:"},
        {"p highwater 1 0 0\n", "number of control edges", ":1:"},
        {"p highwater 1 0 0 0 a b\n", "'b' follows the name", ":1:"},
        {"p highwater 1 0 0 0 %zz\n", "two hexadecimal digits", ":1:"},
        {"p highwater 1 0 0 0 %4\n", "two hexadecimal digits", ":1:"},
        {"p highwater 1 0 0 0 %00\n", "NUL", ":1:"},
        {"p highwater 1 0 0 0 %ff\n", "UTF-8", ":1:"},
        {"c\np highwater 1 0 0 0\nu \xc0\xaf\n", "UTF-8", ":3:"},
        {P "t 0 1 i\n", "announces 2 tensors but has 1", ":1:"},
        {P T, "announces 1 nodes but has 0", ":1:"},
        {P T "v 0 0 > 1\ne 0 0\n", "one control edge more than the 0", ":5:"},
        {P T "v 0 0 > 1\nt 3 1 i\n", "one tensor more than the 2", ":5:"},
        {P T "v 0 0 > 1\nv 1 0 > -\n", "one node more than the 1", ":5:"},
        {P T "p highwater 1 0 0 0\n", "announces 1 nodes but has 0", ":1:"},
        {P "t 0 1 i\nt 0 1 i\n", "tensor id 0 stands twice", ":3:"},
        {P "t 0 1\n", "unknown kind ''", ":2:"},
        {P "t 0 1 x\n", "unknown kind 'x'", ":2:"},
        {P "t 0 1 input\n", "unknown kind 'input'", ":2:"},
        {P "t 0 -1 i\n", "'-1' stands where the tensor's size", ":2:"},
        {P "t 0 1.5 i\n", "'.5' cannot follow in the tensor's size", ":2:"},
        {P "t 0 18446744073709551616 i\n", "passes 2^64-1", ":2:"},
        {P "t 0 9223372036854775808 i\n", "2^63-1", ":2:"},
        {P "t 4294967296 1 i\n", "4294967296 is too large", ":2:"},
        {P "t\n", "ends where the tensor's id", ":2:"},
        {P T "v 0 0 1\n", "no '>'", ":4:"},
        {P T "v 0 0 >\n", "output ids", ":4:"},
        {P T "v 0 0,>1\n", "input ids", ":4:"},
        {P T "v 0 0,, > 1\n", "input ids", ":4:"},
        {P T "v 0 0 > 1;\n", "';' cannot follow", ":4:"},
        {P T "v 0 -0 > 1\n", "'0' cannot follow", ":4:"},
        {P T "v 0 5 > 1\n", "names tensor 5", ":4:"},
        {P T "v 0 0 > 1 shape=3\n", "unknown field 'shape=3'", ":4:"},
        {P T "v 0 0 > 1 views\n", "unknown field 'views'", ":4:"},
        {P T "v 0 0 > 1 view view\n", "stands twice", ":4:"},
        {P T "v 0 0 > 1 workspace=\n", "the workspace", ":4:"},
        {P T "v 0 0 > 1 workspace=1k\n", "'k' cannot follow", ":4:"},
        {P T "v 0 0 > 1 window=-1\n", "'-1' stands where the window", ":4:"},
        {P T "v 0 0 > 1 inplace=0\n", "no ':'", ":4:"},
        {P T "v 0 0 > 1 inplace=0:1,\n", "input of an in-place pair", ":4:"},
        {P T "v 0 0 > 1 inplace=0:\n", "output of an in-place pair", ":4:"},
        {P T "v 0 0 > 1 inplace=0:1x\n", "'x' cannot follow", ":4:"},
        {P T "v 0 0 > 1 inplace=1:0\n", "not an input", ":4:"},
        {P T "v 0 0 > 1 name=%0g\n", "two hexadecimal digits", ":4:"},
        {P T "v 0 - > 1 view\n", "view without input", ":4:"},
        {P T "v 0 0 > 1", "ends in the middle of a line", ":4:"},
        {"p highwater 1 0 0 1\ne 0\n", "goes second", ":2:"},
        {"p highwater 1 0 0 1\ne 0 1 2\n", "'2' follows the last field", ":2:"},
        {"p highwater 1 0 0 1\ne 0 1\n", "does not exist", "graph of line 1"},
        {"p highwater 1 2 2 0\nt 0 1 a\nt 1 1 a\nv 5 1 > 0\nv 6 0 > 1\n", "6 -> 5", "line 1"},
        {"p highwater 1 4294967296 4294967296 0\n", "announces 4294967296 tensors", ":1:"},
        {"p highwater 1 18446744073709551615 18446744073709551615 18446744073709551615\n",
         "announces 18446744073709551615 tensors", ":1:"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        must_refuse(bad[i].text, strlen(bad[i].text), "bad.hwl", bad[i].word, bad[i].place);
    static const char nul[] = "p highwater 1 0 0 0\n\0 3\n";
    must_refuse(nul, sizeof nul - 1, "nul.hwl", "begins with", ":2:");
}

/* A good GraphML file with one piece replaced. */
static void test_bad_graphml(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *word;
    } bad[] = {
        {"</graphml>", "", "not GraphML"},
        {"<graphml", "<html", "not GraphML"},
        {">highwater-graph<", ">other<", "'other'"},
        {"key=\"g_version\">1<", "key=\"g_version\">2<", "version '2'"},
        {">tensor<", ">thing<", "neither tensor nor node"},
        {"key=\"v_size\">8<", "key=\"v_size\">8.5<", "not an integer"},
        {"key=\"v_size\">8<", "key=\"v_size\">18446744073709551616<", "too large"},
        {"key=\"v_size\">8<", "key=\"v_size\">9223372036854775808<", "2^63-1"},
        {"key=\"v_number\">3<", "key=\"v_number\"><", "not an integer"},
        {">activation<", ">weight<", "'weight'"},
        {">input</data>\n      <data key=\"e_slot\">0<", ">input</data><data key=\"e_slot\">1<",
         "no slot 0"},
        {"key=\"e_slot\">0<", "key=\"e_slot\">x<", "not an integer"},
        {"key=\"e_role\">input<", "key=\"e_role\">output<", "does not fit"},
        {"key=\"e_role\">input<", "key=\"e_role\">weird<", "does not fit"},
        {"key=\"v_view\">true<", "key=\"v_view\">maybe<", "neither true nor false"},
        {"key=\"v_inplace\">5:7<", "key=\"v_inplace\">5<", "no list of pairs"},
        {"key=\"v_inplace\">5:7<", "key=\"v_inplace\">5:7;<", "no list of pairs"},
        {"key=\"v_inplace\">5:7<", "key=\"v_inplace\">7:5<", "not an input"},
        {"key=\"v_name\">x<", "key=\"v_name\">%zz<", "two hexadecimal digits"},
        {"attr.name=\"size\" attr.type=\"string\"", "attr.name=\"size\" attr.type=\"double\"",
         "'size' of node is no string"},
        {"attr.name=\"role\"", "attr.name=\"part\"", "no attribute 'role'"},
        {"attr.name=\"slot\"", "attr.name=\"place\"", "no attribute 'slot'"},
    };
    hw_graph *g = NULL;
    assert_int_equal(parse_text("p highwater 1 3 2 1 g\nt 3 8 i x\nt 5 8 a\nt 7 9 a\n"
                                "v 0 3 > 5 view window=1\nv 1 5,3 > 7 inplace=5:7\ne 0 1\n",
                                &g, NULL),
                     HW_OK);
    size_t n_good = 0;
    char *good = graph_bytes(g, HW_FORMAT_GRAPHML, &n_good);
    hw_graph_free(g);
    assert_int_equal(parse_text(good, &g, NULL), HW_OK);
    hw_graph_free(g);
    char *text = malloc(n_good + 256);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *at = strstr(good, bad[i].from);
        if (!at)
            fail_msg("no '%s' in\n%s", bad[i].from, good);
        (void)snprintf(text, n_good + 256, "%.*s%s%s", (int)(at - good), good, bad[i].to,
                       at + strlen(bad[i].from));
        must_refuse(text, strlen(text), "bad.graphml", bad[i].word, "");
    }
    must_refuse("<", 1, "bad.graphml", "not GraphML", "");
    free(text);
    free(good);
}

static const char rich[] = "p highwater 1 5 4 1 rich\ns from here\nu pages\n"
                           "t 7 10 i in\nt 3 20 a\nt 5 30 a two%20words\nt 9 40 o\nt 10 2 c w\n"
                           "v 11 7,10 > 3,5 workspace=8 op=Conv name=a\nv 2 3 > - locked window=3\n"
                           "v 4 5 > 9 inplace=5:9 inplace_required\nv 6 - > - locked\ne 11 2\n";

/* No prefix of a file passes for the whole. */
static void test_prefixes(void **state)
{
    (void)state;
    static const hw_format formats[] = {HW_FORMAT_LINE, HW_FORMAT_JSON, HW_FORMAT_GRAPHML};
    hw_graph *g = NULL;
    assert_int_equal(parse_text(rich, &g, NULL), HW_OK);
    for (size_t f = 0; f < 3; f++) {
        size_t n_bytes = 0;
        char *bytes = graph_bytes(g, formats[f], &n_bytes);
        while (n_bytes > 0 && bytes[n_bytes - 1] == '\n' && formats[f] != HW_FORMAT_LINE)
            n_bytes--; /* the whole stands without its last line end */
        for (size_t n = 0; n < n_bytes; n++)
            must_refuse(bytes, n, "prefix", "prefix", "");
        free(bytes);
    }
    hw_graph_free(g);
}

/* Damaged files are refused or read, never worse; what is read can be written. */
static void test_damage(void **state)
{
    (void)state;
    static const hw_format formats[] = {HW_FORMAT_LINE, HW_FORMAT_JSON, HW_FORMAT_GRAPHML};
    static const int rounds[] = {30000, 20000, 2500};
    static const char bytes_of_note[] = "0123456789-,:>=%\"{}[]<\n \tvteps\x80";
    hw_graph *g = NULL;
    uint64_t seed = 11;
    assert_int_equal(parse_text(rich, &g, NULL), HW_OK);
    for (size_t f = 0; f < 3; f++) {
        size_t n_bytes = 0;
        char *bytes = graph_bytes(g, formats[f], &n_bytes), *hurt = malloc(n_bytes);
        size_t read = 0;
        for (int round = 0; round < rounds[f]; round++) {
            memcpy(hurt, bytes, n_bytes);
            uint32_t changes = 1 + random_below(&seed, 3);
            for (uint32_t i = 0; i < changes; i++) {
                size_t at = random_below(&seed, (uint32_t)n_bytes);
                hurt[at] = random_chance(&seed, 0.7)
                               ? bytes_of_note[random_below(&seed, sizeof bytes_of_note - 1)]
                               : (char)random_below(&seed, 256);
            }
            hw_graph *back = NULL;
            hw_error err = {0};
            hw_code code = hw_graph_parse(hurt, n_bytes, "damaged", &back, &err);
            assert_true(code == HW_OK || (code == HW_BAD_INPUT && strstr(err.message, "damaged")));
            assert_true((code == HW_OK) == (back != NULL));
            if (!back)
                continue;
            size_t n_again = 0;
            char *again = graph_bytes(back, HW_FORMAT_JSON, &n_again);
            hw_graph_free(back);
            if (hw_graph_parse(again, n_again, "again", &back, &err) != HW_OK)
                fail_msg("%s: %.*s", err.message, (int)n_bytes, hurt);
            hw_graph_free(back);
            free(again);
            read++;
        }
        assert_true(read > 0);
        free(hurt);
        free(bytes);
    }
    hw_graph_free(g);
}

static void test_no_file(void **state)
{
    (void)state;
    hw_graph *g = NULL;
    hw_error err = {0};
    assert_int_equal(hw_graph_load("tests/no-such-file", &g, &err), HW_IO);
    assert_non_null(strstr(err.message, "tests/no-such-file: cannot open"));
    assert_int_equal(hw_graph_load("tests/cases", &g, &err), HW_IO);
    assert_non_null(strstr(err.message, "is a folder"));
    assert_int_equal(hw_graph_load("/dev/null", &g, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "empty"));
    assert_int_equal(hw_graph_load("/proc/self/mem", &g, &err), HW_IO);
    assert_non_null(strstr(err.message, "cannot read"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_cases), cmocka_unit_test(test_bad_json),
        cmocka_unit_test(test_bad_lines), cmocka_unit_test(test_bad_graphml),
        cmocka_unit_test(test_prefixes),  cmocka_unit_test(test_damage),
        cmocka_unit_test(test_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
