/*
 * Sums near 2^64: every reader takes a graph whose sizes add up to 2^64-1 and
 * refuses one byte more, and every command says of a graph scaled up to that
 * brink what it says of the small one, times the scale.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/input.h"
#include "tests/support_import.h"
#include "tests/support_io.h"

__extension__ typedef unsigned __int128 wide;

/* ---- Readers. ---- */

/* A chain of three tensors whose sizes stand as 11111, 22222 and 33333. */
static const struct {
    const char *format, *text; /* format NULL: highwater's own, told by what is in it */
} readers[] = {
    {NULL, "p highwater 1 3 3 0\nt 0 11111 a\nt 1 22222 a\nt 2 33333 o\nv 0 - > 0\nv 1 0 > 1\n"
           "v 2 1 > 2\n"},
    {NULL, "p highwater 1 2 2 0\nt 0 11111 a\nt 1 22222 o\nv 0 - > 0\n"
           "v 1 0 > 1 workspace=33333\n"},
    {NULL, "{\"format\":\"highwater-graph\",\"version\":1,\"tensors\":["
           "{\"id\":0,\"size\":11111,\"kind\":\"constant\"},"
           "{\"id\":1,\"size\":22222,\"kind\":\"input\"},"
           "{\"id\":2,\"size\":33333,\"kind\":\"output\"}],"
           "\"nodes\":[{\"id\":0,\"inputs\":[0,1],\"outputs\":[2]}]}"},
    {NULL, "{\"format\":\"highwater-graph\",\"version\":1,\"tensors\":["
           "{\"id\":0,\"size\":11111,\"kind\":\"input\"},"
           "{\"id\":1,\"size\":22222,\"kind\":\"output\"}],"
           "\"nodes\":[{\"id\":0,\"inputs\":[0],\"outputs\":[1],\"workspace\":33333}]}"},
    {"dagmem", "3 2\n11111 22222 33333\n0 1\n1 2\n"},
    {"adamem", "4 3\n0 1 11111\n1 2 22222\n2 3 33333\n"},
    {"edges", "a b 11111\nb c 22222\nc d 33333\n"},
    {"digraph", "digraph G { a [size=11111]; b [size=22222]; c [size=33333]; a -> b -> c }"},
    {"digraph", "digraph G { a -> b [size=11111]; b -> c [size=22222]; c -> d [size=33333] }"},
    {"wfcommons", "{\"workflow\":{\"tasks\":["
                  "{\"id\":\"a\",\"files\":[{\"link\":\"output\",\"name\":\"x\",\"size\":11111}]},"
                  "{\"id\":\"b\",\"parents\":[\"a\"],\"files\":["
                  "{\"link\":\"input\",\"name\":\"x\",\"size\":11111},"
                  "{\"link\":\"output\",\"name\":\"y\",\"size\":22222}]},"
                  "{\"id\":\"c\",\"parents\":[\"b\"],\"files\":["
                  "{\"link\":\"input\",\"name\":\"y\",\"size\":22222},"
                  "{\"link\":\"output\",\"name\":\"z\",\"size\":33333}]}]}}"},
};

/* The text with other sizes; released by free(). */
static char *resized(const char *text, const uint64_t size[3])
{
    static const char *const marks[] = {"11111", "22222", "33333"};
    char *changed = NULL;
    size_t n;
    FILE *out = open_memstream(&changed, &n);
    assert_non_null(out);
    while (*text) {
        size_t i = 0;
        while (i < 3 && strncmp(text, marks[i], 5) != 0)
            i++;
        if (i < 3)
            (void)fprintf(out, "%" PRIu64, size[i]);
        else
            (void)fputc(*text, out);
        text += i < 3 ? 5 : 1;
    }
    assert_int_equal(fclose(out), 0);
    return changed;
}

static hw_code read_sizes(size_t reader, wide total, hw_graph **g, hw_error *err)
{
    wide left = total;
    uint64_t size[3];
    for (size_t i = 0; i < 3; i++) {
        size[i] = left < INT64_MAX ? (uint64_t)left : INT64_MAX;
        left -= size[i];
    }
    char *text = resized(readers[reader].text, size);
    hw_code code = readers[reader].format ? import_bytes(importer_named(readers[reader].format),
                                                         text, strlen(text), NULL, NULL, g, err)
                                          : parse_text(text, g, err);
    free(text);
    return code;
}

static void test_readers(void **state)
{
    (void)state;
    const wide half = (wide)1 << 63, full = (wide)1 << 64;
    const wide fits[] = {3, half - 1, half, half + 1, full - 2, full - 1};
    const wide passes[] = {full, full + 1, full + INT64_MAX - 2};
    for (size_t r = 0; r < sizeof readers / sizeof readers[0]; r++) {
        hw_graph *g;
        hw_error err = {0};
        for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++) {
            if (read_sizes(r, fits[i], &g, &err) != HW_OK)
                fail_msg("reader %zu, sum %zu: %s", r, i, err.message);
            uint64_t sum = hw_graph_total_bytes(g) + hw_graph_resident_bytes(g), work = 0;
            for (uint32_t v = 0; v < g->n_nodes; v++)
                work = hw_node_workspace(g, v) > work ? hw_node_workspace(g, v) : work;
            if (sum + work != fits[i])
                fail_msg("reader %zu, sum %zu: %" PRIu64 " and %" PRIu64, r, i, sum, work);
            hw_graph_free(g);
        }
        for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
            if (read_sizes(r, passes[i], &g, &err) != HW_BAD_INPUT ||
                !strstr(err.message, "more than 2^64-1"))
                fail_msg("reader %zu, sum %zu was not refused: %s", r, i, err.message);
            assert_null(g);
        }
    }
}

/* GraphML is written by igraph: its text is what a small graph gives. */
static void test_graphml(void **state)
{
    (void)state;
    hw_graph *g;
    hw_error err = {0};
    assert_int_equal(parse_text(readers[0].text, &g, &err), HW_OK);
    size_t n;
    char *small = graph_bytes(g, HW_FORMAT_GRAPHML, &n);
    assert_non_null(small);
    hw_graph_free(g);
    for (uint64_t more = 0; more < 3; more++) {
        const uint64_t size[] = {INT64_MAX, INT64_MAX - 1000, 1001 + more};
        char *text = resized(small, size);
        hw_code code = parse_text(text, &g, &err);
        if (code != (more ? HW_BAD_INPUT : HW_OK) ||
            (more && !strstr(err.message, "more than 2^64-1")))
            fail_msg("%" PRIu64 " more: %s", more, err.message);
        if (!more)
            assert_true(hw_graph_total_bytes(g) == UINT64_MAX);
        hw_graph_free(g);
        free(text);
    }
    free(small);
}

/* ---- Commands. ---- */

static char *program;

/* Peaks, an area, an optimum with its proof, heights, byte for byte in plain digits. */
static const char *const commands[] = {
    "info g.hwl --json",
    "check g.hwl source --json",
    "simulate g.hwl --order source --json",
    "simulate g.hwl --order greedy --accounting free-first --json",
    "solve g.hwl --solver portfolio --json",
    "solve g.hwl --solver exact --pin-inputs --json",
    "solve g.hwl --solver exact --accounting free-first --json",
    "solve g.hwl --solver dp --json",
    "solve g.hwl --solver enumerate --state-limit 100000 --json",
    "solve g.hwl --solver hmcos --json",
    "solve g.hwl --solver serenity --json",
    "solve g.hwl --solver tflite-tools --json",
    "solve g.hwl --solver backtrack --json",
    "solve g.hwl --solver anneal:sweeps=5 --json",
    "solve g.hwl --solver lns --json",
    "solve g.hwl --solver beam --solver beam-reverse --solver best-of-both --json",
    "solve g.hwl --solver greedy-mixed --solver lookahead --solver lpmf --solver by-output --json",
    "solve g.hwl --solver inductor-best --solver ort-memory --solver xla-best --json",
    "solve g.hwl --solver bound-footprint --solver bound-mincut --json",
    "solve g.hwl --then area --json",
    "solve g.hwl --then critical-path --json",
    "tradeoff g.hwl --json",
    "explain g.hwl --solver level --json",
    "transform g.hwl fuse -o f.hwl -q && \"$P\" info f.hwl --json",
    "convert g.hwl g.json && \"$P\" solve g.json --json",
    "solve g.hwl --proof p --order-out o -q >s && \"$P-check\" g.hwl o p",
    "solve tree.hwl --solver liu --solver best-postorder --json",
};

static char *output_of(const char *folder, const char *command)
{
    char *text = NULL, line[512];
    size_t size;
    assert_true(snprintf(line, sizeof line, "cd '%s' && P='%s' && \"$P\" %s 2>messages", folder,
                         program, command) < (int)sizeof line);
    FILE *in = popen(line, "r"), *out = open_memstream(&text, &size); // NOLINT(cert-env33-c)
    assert_non_null(in);
    assert_non_null(out);
    for (int c; (c = getc(in)) != EOF;)
        (void)putc(c, out);
    assert_int_equal(fclose(out), 0);
    int status = pclose(in);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: status %d: %s", line, status, text);
    return text;
}

/* The value of what stands after this key is of the machine or of the file's name and bytes. */
static bool is_free(const char *key, size_t n)
{
    static const char *const keys[] = {"seconds", "memory", "hash", "digest"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        for (size_t k = 0; k + strlen(keys[i]) <= n; k++)
            if (strncmp(key + k, keys[i], strlen(keys[i])) == 0)
                return true;
    return false;
}

/* A number in plain digits at *at, which moves behind it; false: it has a fraction or an exponent.
 */
static bool whole(const char **at, wide *value)
{
    const char *c = *at;
    bool plain = true;
    for (*value = 0; isdigit((unsigned char)*c); c++)
        *value = *value * 10 + (unsigned)(*c - '0');
    bool fraction = *c == '.' && isdigit((unsigned char)c[1]);
    bool exponent = *c == 'e' && (c[1] == '-' || c[1] == '+'); /* 9e-05, of a time */
    if (fraction || exponent) {
        plain = false;
        for (c++;
             isdigit((unsigned char)*c) || *c == 'e' || ((*c == '-' || *c == '+') && c[-1] == 'e');
             c++)
            continue;
    }
    *at = c;
    return plain;
}

/* The same texts, numbers the same or `scale` times as large; how many are the latter. */
static size_t compare(const char *command, const char *small, const char *large, uint64_t scale)
{
    const char *a = small, *b = large, *key = a;
    size_t scaled = 0, length = 0; /* of the key */
    for (bool quoted = false; *a || *b;) {
        const char *from = a, *other = b;
        wide x = 0, y = 0;
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            bool plain = whole(&a, &x), too = whole(&b, &y);
            if (!plain || !too || x == y || is_free(key, length))
                continue;
            if (x * scale != y)
                fail_msg("%s: at '%.60s', with sizes %" PRIu64 " times as large '%.60s'", command,
                         from - (from - small < 20 ? from - small : 20), scale, other);
            scaled++;
        } else if (*a == '"' && !quoted && is_free(key, length)) { /* a text, passed over */
            a += 2 + strcspn(a + 1, "\"");
            b += 2 + strcspn(b + 1, "\"");
            length = 0;
        } else if (*a == *b) {
            quoted = quoted != (*a == '"');
            if (*a == '"' && quoted) { /* a key, or a text, after which no number is asked about */
                key = a + 1;
                length = strcspn(key, "\"");
            }
            a++;
            b++;
        } else {
            fail_msg("%s: '%.60s', with larger sizes '%.60s'", command, a, b);
        }
    }
    return scaled;
}

/* Graphs of a family as they are, and with sizes up to 2^64-1 in sum, in two folders. */
static uint64_t write_scaled(const char *from, const char *to, const char *name)
{
    char *path = path_in(from, name), *other = path_in(to, name);
    hw_graph *g;
    hw_error err = {0};
    size_t n;
    assert_int_equal(hw_graph_load(path, &g, &err), HW_OK);
    uint64_t scale = UINT64_MAX / (hw_graph_total_bytes(g) + hw_graph_resident_bytes(g));
    hw_graph_free(g);
    char *text = file_bytes(path, &n), *rest;
    FILE *out = fopen(other, "w");
    assert_non_null(out);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        uint64_t id, size;
        int end;
        if (sscanf(line, "t %" SCNu64 " %" SCNu64 "%n", &id, &size, &end) == 2)
            (void)fprintf(out, "t %" PRIu64 " %" PRIu64 "%s\n", id, size * scale, line + end);
        else
            (void)fprintf(out, "%s\n", line);
    }
    assert_int_equal(fclose(out), 0);
    free(text);
    free(path);
    free(other);
    return scale;
}

static void test_commands(void **state)
{
    (void)state;
    char *small = make_folder(), *large = make_folder();
    free(output_of(small, "gen layered --n 9 --seed 3 -q -o g.hwl"));
    free(output_of(small, "gen tree --n 9 --share no -q -o tree.hwl"));
    const uint64_t scale = write_scaled(small, large, "g.hwl");
    const uint64_t of_tree = write_scaled(small, large, "tree.hwl");
    size_t scaled = 0;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char *a = output_of(small, commands[i]), *b = output_of(large, commands[i]);
        size_t n = compare(commands[i], a, b, strstr(commands[i], "tree.hwl") ? of_tree : scale);
        if (n == 0)
            fail_msg("%s: no number grew: %s", commands[i], b);
        scaled += n;
        free(a);
        free(b);
    }
    print_message("%zu numbers near 2^64, each what the small graph has times the scale\n", scaled);
    remove_folder(small);
    remove_folder(large);
}

/* ---- What is held at once. ---- */

static void test_most_bytes(void **state)
{
    (void)state;
    char *folder = make_folder(), *path = path_in(folder, "endless");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    for (unsigned i = 0; i < 2000000; i++)
        (void)putc(i == 1 ? '\n' : 'x', out);
    assert_int_equal(fclose(out), 0);
    for (unsigned lines = 0; lines < 2; lines++) {
        hw_input in;
        hw_error err = {0};
        hw_code code;
        assert_int_equal(hw_input_open(&in, path, &err), HW_OK);
        in.most = 1000000;
        if (lines) {
            char *line;
            size_t n;
            assert_int_equal(hw_input_line(&in, &line, &n, &err), HW_OK);
            assert_int_equal(n, 1);
            code = hw_input_line(&in, &line, &n, &err);
        } else {
            code = hw_input_all(&in, &err);
        }
        assert_int_equal(code, HW_BAD_INPUT);
        assert_non_null(strstr(err.message, lines ? "after 1 lines, 1000000 bytes without an end"
                                                  : "after 0 lines, 1000000 bytes"));
        hw_input_close(&in);
    }
    free(path);
    remove_folder(folder);
}

int main(int argc, char **argv)
{
    (void)argc;
    char path[512];
    const char *slash = strrchr(argv[0], '/');
    (void)snprintf(path, sizeof path, "%.*s/../highwater", slash ? (int)(slash - argv[0]) : 1,
                   slash ? argv[0] : ".");
    program = realpath(path, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_graphml),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_most_bytes),
    };
    int failed = program ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    free(program);
    return failed;
}
