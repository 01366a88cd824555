/* Formats: round trips, hashes, streams, names, notes, edges of ranges. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/builder.h"
#include "tests/support_io.h"
#include "tests/support_random.h"

static const hw_format readable[] = {HW_FORMAT_JSON, HW_FORMAT_LINE, HW_FORMAT_GRAPHML};

static hw_graph *must_parse(const char *text)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    if (parse_text(text, &g, &err) != HW_OK)
        fail_msg("%s", err.message);
    return g;
}

static void hash_of(const hw_graph *g, char text[HW_HASH_TEXT])
{
    assert_int_equal(hw_graph_hash(g, text, NULL), HW_OK);
    assert_int_equal(strlen(text), HW_HASH_TEXT - 1);
}

/* Write, read, write: the same hash and the same bytes, names and all. */
static void round_trip(const hw_graph *g, const char *what)
{
    char hash[HW_HASH_TEXT], again[HW_HASH_TEXT];
    size_t n_json = 0, n_back = 0;
    hash_of(g, hash);
    char *json = graph_bytes(g, HW_FORMAT_JSON, &n_json);
    assert_non_null(json);
    for (size_t f = 0; f < 3; f++) {
        size_t n_bytes = 0;
        char *bytes = graph_bytes(g, readable[f], &n_bytes);
        assert_non_null(bytes);
        hw_graph *back = NULL;
        hw_error err = {0};
        if (hw_graph_parse(bytes, n_bytes, what, &back, &err) != HW_OK)
            fail_msg("%s through format %zu: %s", what, f, err.message);
        hash_of(back, again);
        assert_string_equal(hash, again);
        char *json_back = graph_bytes(back, HW_FORMAT_JSON, &n_back);
        assert_string_equal(json, json_back);
        free(json_back);
        hw_graph_free(back);
        free(bytes);
    }
    free(json);
}

static void test_cases_round_trip(void **state)
{
    (void)state;
    char **paths = folder_files("tests/cases", ".json");
    assert_non_null(paths);
    size_t n = 0;
    for (; paths[n]; n++) {
        hw_graph *g = NULL;
        hw_error err = {0};
        if (hw_graph_load(paths[n], &g, &err) != HW_OK)
            fail_msg("%s", err.message);
        round_trip(g, paths[n]);
        hw_graph_free(g);
    }
    assert_true(n >= 60);
    free_paths(paths);
}

static void test_random_round_trip(void **state)
{
    (void)state;
    uint64_t seed = 7;
    size_t n = 0;
    for (int i = 0; i < 300; i++) {
        random_shape shape = random_any_shape(&seed, 1, 30);
        shape.windows = random_chance(&seed, 0.3);
        hw_graph *g = random_graph(&seed, &shape);
        if (!g)
            continue;
        round_trip(g, "random");
        hw_graph_free(g);
        n++;
    }
    assert_true(n >= 150);
}

/* Names with everything that some format gives a meaning. */
static void test_odd_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "plain",
        "two words",
        " leading",
        "trailing ",
        "100%",
        "%41",
        "a=b,c:d",
        "view",
        "ws=3",
        "quote\"back\\slash",
        "<tag attr='1'>&amp;",
        "tab\there",
        "line\nfeed",
        "cr\r",
        "\x01\x1f\x7f",
        "h\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\x8a",
        "-",
        ">",
        "c",
        "]]>",
        "#",
        "{}",
        "",
    };
    enum { N = sizeof names / sizeof *names };
    hw_builder *b = hw_builder_new();
    assert_int_equal(hw_builder_describe(b, " odd graph\n", "  from\r", " \tunit", NULL), HW_OK);
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(hw_builder_tensor(b, i, i, HW_ACTIVATION, names[i], NULL), HW_OK);
    for (uint64_t i = 0; i < N; i++) {
        hw_node_spec spec = {
            .id = i, .name = names[i], .op = names[N - 1 - i], .outputs = &i, .n_outputs = 1};
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    hw_graph *g = NULL;
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    round_trip(g, "odd names");
    for (size_t f = 0; f < 3; f++) {
        size_t n_bytes = 0;
        char *bytes = graph_bytes(g, readable[f], &n_bytes);
        hw_graph *back = must_parse(bytes);
        for (uint32_t i = 0; i < N; i++) {
            assert_string_equal(hw_tensor_name(back, i), names[i]);
            assert_string_equal(hw_node_name(back, i), names[i]);
            assert_string_equal(hw_node_op(back, i), names[N - 1 - i]);
        }
        assert_string_equal(back->name, g->name);
        assert_string_equal(back->source, g->source);
        assert_string_equal(back->unit, g->unit);
        hw_graph_free(back);
        free(bytes);
    }
    size_t n_dot = 0;
    char *dot = graph_bytes(g, HW_FORMAT_DOT, &n_dot);
    assert_non_null(strstr(dot, "quote\\\"back\\\\slash"));
    assert_null(strchr(dot, '\r'));
    free(dot);
    hw_graph_free(g);
}

static const char base[] = "p highwater 1 4 3 1\n"
                           "t 7 10 i\nt 3 20 a\nt 5 30 a\nt 9 40 o\n"
                           "v 1 7 > 3,5\nv 2 3 > -\nv 4 5,3 > 9 inplace=5:9,3:9\ne 1 2\n";

/* What the hash must not see. */
static void test_hash_ignores(void **state)
{
    (void)state;
    static const char *const same[] = {
        "p highwater 1 4 3 1 named\ns somewhere\nu pages\n"
        "t 7 10 i x\nt 3 20 a y\nt 5 30 a\nt 9 40 o\n"
        "v 1 7 > 3,5 op=Conv name=n\nv 2 3 > -\nv 4 5,3 > 9 inplace=5:9,3:9\ne 1 2\n",
        "p highwater 1 4 3 2\n"
        "t 9 40 o\nt 5 30 a\nt 3 20 a\nt 7 10 i\n"
        "v 1 7 > 3,5\nv 2 3 > -\nv 4 5,3 > 9 inplace=3:9,5:9,3:9 workspace=0\ne 1 2\ne 1 2\n",
    };
    char hash[HW_HASH_TEXT], other[HW_HASH_TEXT];
    hw_graph *g = must_parse(base);
    hash_of(g, hash);
    /* Fixed: a change of the canonical bytes would orphan every order file. */
    assert_string_equal(hash, "d5e8c93234ec90885cab1a9f7035920208cde0010624cf406073048057de824a");
    hw_graph_free(g);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        g = must_parse(same[i]);
        hash_of(g, other);
        assert_string_equal(hash, other);
        hw_graph_free(g);
    }
}

/* What it must see: each replacement changes the model. */
static void test_hash_sees(void **state)
{
    (void)state;
    static const char *const change[][2] = {
        {"t 7 10 i", "t 7 11 i"},
        {"t 7 10 i", "t 7 10 c"},
        {"t 5 30 a", "t 5 30 o"},
        {"v 1 7 > 3,5", "v 1 7 > 5,3"},
        {"v 1 7 > 3,5", "v 1 7,7 > 3,5"},
        {"v 1 7 > 3,5", "v 1 7 > 3,5 workspace=1"},
        {"v 1 7 > 3,5", "v 1 7 > 3,5 locked"},
        {"v 1 7 > 3,5", "v 1 7 > 3,5 view"},
        {"v 1 7 > 3,5", "v 1 7 > 3,5 window=2"},
        {"v 4 5,3", "v 4 3,5"},
        {"inplace=5:9,3:9", "inplace=5:9"},
        {"inplace=5:9,3:9", "inplace=5:9 inplace_required"},
        {"e 1 2", "e 1 4"},
        {"v 2 3 > -\nv 4 5,3 > 9 inplace=5:9,3:9", "v 4 5,3 > 9 inplace=5:9,3:9\nv 2 3 > -"},
    };
    enum { N = sizeof change / sizeof *change };
    char hash[N + 1][HW_HASH_TEXT];
    for (size_t i = 0; i <= N; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "%s", base);
        if (i < N) {
            const char *at = strstr(base, change[i][0]);
            assert_non_null(at);
            (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - base), base, change[i][1],
                           at + strlen(change[i][0]));
        }
        hw_graph *g = must_parse(text);
        hash_of(g, hash[i]);
        hw_graph_free(g);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(hash[i], hash[j]);
    }
}

static void test_stream(void **state)
{
    (void)state;
    static const char text[] = "c a comment\r\n\n  \t\np highwater 1 1 1 0 first\r\nt 0 5 o\r\n"
                               "v 0 - > 0\r\np highwater 1 0 0 0\np highwater 1 1 0 0 third\n"
                               "c in the middle\n\tt  4\t6  i \n";
    char *folder = make_folder(), *path = path_in(folder, "stream.hwl");
    assert_true(write_text(path, text));
    hw_reader *r = NULL;
    assert_int_equal(hw_reader_open(path, &r, NULL), HW_OK);
    const char *const names[] = {"first", "", "third"};
    for (size_t i = 0; i < 3; i++) {
        hw_graph *g = NULL;
        hw_error err = {0};
        if (hw_reader_next(r, &g, &err) != HW_OK)
            fail_msg("%s", err.message);
        assert_non_null(g);
        assert_string_equal(g->name, names[i]);
        assert_int_equal(g->n_tensors, i == 1 ? 0 : 1);
        hw_graph_free(g);
    }
    for (int i = 0; i < 2; i++) { /* the end stays the end */
        hw_graph *g = NULL;
        assert_int_equal(hw_reader_next(r, &g, NULL), HW_OK);
        assert_null(g);
    }
    hw_reader_close(r);
    hw_graph *g = NULL;
    hw_error err = {0};
    assert_int_equal(hw_graph_load(path, &g, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "several"));
    assert_true(write_text(path, "c only this\n"));
    assert_int_equal(hw_graph_load(path, &g, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "no graph"));
    free(path);
    remove_folder(folder);
}

/* Graphs from a pipe on standard input, in pieces of a few bytes. */
static void test_standard_input(void **state)
{
    (void)state;
    int ends[2], kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
    (void)close(ends[0]);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int copy = 0; copy < 2; copy++)
            for (size_t i = 0; i < sizeof base - 1; i += 5) {
                size_t n = sizeof base - 1 - i < 5 ? sizeof base - 1 - i : 5;
                if (write(ends[1], base + i, n) < 0)
                    _exit(1);
            }
        _exit(0);
    }
    (void)close(ends[1]);
    hw_reader *r = NULL;
    hw_graph *g = NULL;
    assert_int_equal(hw_reader_open("-", &r, NULL), HW_OK);
    size_t n = 0;
    while (hw_reader_next(r, &g, NULL) == HW_OK && g) {
        assert_int_equal(g->n_nodes, 3);
        hw_graph_free(g);
        n++;
    }
    hw_reader_close(r);
    (void)dup2(kept, STDIN_FILENO);
    (void)close(kept);
    assert_int_equal(n, 2);
}

/* One line longer than any block that is read at once. */
static void test_long_line(void **state)
{
    (void)state;
    enum { N = 300000 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    (void)fprintf(out, "p highwater 1 1 1 0\nt 0 1 i\nv 0 0");
    for (int i = 1; i < N; i++)
        (void)fprintf(out, ",0");
    (void)fprintf(out, " > -\n");
    (void)fclose(out);
    char *folder = make_folder(), *path = path_in(folder, "long");
    assert_true(write_text(path, text));
    hw_graph *g = NULL;
    assert_int_equal(hw_graph_load(path, &g, NULL), HW_OK);
    assert_int_equal(g->inputs.offset[1], N);
    hw_graph_free(g);
    free(text);
    free(path);
    remove_folder(folder);
}

static void test_ranges(void **state)
{
    (void)state;
    static const char text[] =
        "{\"format\":\"highwater-graph\",\"version\":1,\"tensors\":["
        "{\"id\":4294967295,\"size\":9223372036854775807,\"kind\":\"input\"},"
        "{\"id\":0,\"size\":9223372036854775807,\"kind\":\"output\"}],"
        "\"nodes\":[{\"id\":4294967295,\"inputs\":[4294967295],\"outputs\":[0],"
        "\"window\":9223372036854775807,\"workspace\":1}]}";
    hw_graph *g = must_parse(text);
    assert_int_equal(hw_tensor_id(g, 0), UINT32_MAX);
    assert_int_equal(hw_node_id(g, 0), UINT32_MAX);
    assert_true(g->tensor_size[0] == INT64_MAX && g->tensor_size[1] == INT64_MAX);
    round_trip(g, "ranges");
    hw_graph_free(g);
    g = must_parse("\xef\xbb\xbf {\"format\":\"highwater-graph\",\"version\":1,\"tensors\":[],"
                   "\"nodes\":[]}\n"); /* byte order mark, blank */
    assert_int_equal(g->n_nodes, 0);
    assert_string_equal(g->unit, "bytes");
    round_trip(g, "empty");
    hw_graph_free(g);
}

static void test_notes(void **state)
{
    (void)state;
    static const char text[] =
        "{\"format\":\"highwater-graph\",\"version\":1,\"author\":[1,{}],\"tensors\":["
        "{\"id\":0,\"size\":1,\"kind\":\"input\",\"dtype\":\"f32\"},"
        "{\"id\":1,\"size\":1,\"kind\":\"input\",\"dtype\":\"f32\"}],"
        "\"nodes\":[{\"id\":0,\"inputs\":[0],\"outputs\":[],\"na\\u0007me\":1}]}";
    char *folder = make_folder(), *path = path_in(folder, "notes.json");
    assert_true(write_text(path, text));
    hw_reader *r = NULL;
    hw_graph *g = NULL;
    assert_int_equal(hw_reader_open(path, &r, NULL), HW_OK);
    assert_null(hw_reader_notes(r));
    assert_int_equal(hw_reader_next(r, &g, NULL), HW_OK);
    const char *notes = hw_reader_notes(r);
    assert_non_null(notes);
    assert_non_null(strstr(notes, path));
    assert_non_null(strstr(notes, "author"));
    const char *once = strstr(notes, "tensors[].dtype");
    assert_non_null(once);
    assert_null(strstr(once + strlen("tensors[].dtype"), "dtype"));
    assert_non_null(strstr(notes, "nodes[].na?me"));
    hw_graph_free(g);
    hw_reader_close(r);
    free(path);
    remove_folder(folder);
}

static void test_many_notes(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    (void)fprintf(out, "{\"format\":\"highwater-graph\",\"version\":1,\"tensors\":[]");
    for (int i = 0; i < 40; i++)
        (void)fprintf(out, ",\"key%d\":null", i);
    (void)fprintf(out, ",\"nodes\":[]}");
    (void)fclose(out);
    char *folder = make_folder(), *path = path_in(folder, "notes.json");
    assert_true(write_text(path, text));
    hw_reader *r = NULL;
    hw_graph *g = NULL;
    assert_int_equal(hw_reader_open(path, &r, NULL), HW_OK);
    assert_int_equal(hw_reader_next(r, &g, NULL), HW_OK);
    assert_non_null(strstr(hw_reader_notes(r), ", and others"));
    hw_graph_free(g);
    hw_reader_close(r);
    free(text);
    free(path);
    remove_folder(folder);
}

static void test_format_names(void **state)
{
    (void)state;
    hw_format format = HW_FORMAT_DOT;
    hw_error err = {0};
    assert_int_equal(hw_format_parse("graphml", &format, &err), HW_OK);
    assert_int_equal(format, HW_FORMAT_GRAPHML);
    assert_int_equal(hw_format_parse("jsn", &format, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "did you mean 'json'"));
    assert_int_equal(hw_format_of_name("a/b.hwl", HW_FORMAT_DOT), HW_FORMAT_LINE);
    assert_int_equal(hw_format_of_name("b.graphml", HW_FORMAT_DOT), HW_FORMAT_GRAPHML);
    assert_int_equal(hw_format_of_name("json", HW_FORMAT_DOT), HW_FORMAT_DOT);
    assert_int_equal(hw_format_of_name(".json", HW_FORMAT_DOT), HW_FORMAT_DOT);
}

static void test_dot(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "digraph \"d\" {",
        "v0 [label=\"Relu\"];",
        "v1 [label=\"node 1\\nworkspace 9\"];",
        "t0 [shape=ellipse label=\"x\\n1\"];",
        "t2 [shape=ellipse label=\"y\\n3\" peripheries=2];",
        "t3 [shape=ellipse label=\"dead\\n4\" style=dotted];",
        "v0 -> v1 [label=\"tensor 1\\n2\"];",
        "v0 -> v2 [style=dashed color=grey];",
        "t0 -> v0;",
        "v1 -> t3;",
    };
    hw_graph *g = must_parse("p highwater 1 4 3 1 d\nt 0 1 i x\nt 1 2 a\nt 2 3 o y\nt 3 4 a dead\n"
                             "v 0 0 > 1 op=Relu\nv 1 1 > 2,3 workspace=9\nv 2 - > - locked\n"
                             "e 0 2\n");
    size_t n_bytes = 0;
    char *dot = graph_bytes(g, HW_FORMAT_DOT, &n_bytes);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(dot, lines[i]))
            fail_msg("no line '%s' in\n%s", lines[i], dot);
    free(dot);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_round_trip),
        cmocka_unit_test(test_random_round_trip),
        cmocka_unit_test(test_odd_names),
        cmocka_unit_test(test_hash_ignores),
        cmocka_unit_test(test_hash_sees),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_standard_input),
        cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_many_notes),
        cmocka_unit_test(test_format_names),
        cmocka_unit_test(test_dot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
