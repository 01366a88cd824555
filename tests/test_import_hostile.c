/*
 * Broken and hostile files of other formats: each is refused with a message
 * that tells file, place, cause and cure, or read as what it still is; never a
 * crash, a hang or more memory than the file is worth.
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
#include "tests/support_import.h"
#include "tests/support_io.h"

/* Read the bytes by a row and ask all rows whether they are theirs.  state: the table. */
static void try_bytes(void **state, const hw_importer *row, const char *bytes, size_t n)
{
    const hw_import_options options = {.operators = *state};
    hw_graph *g;
    hw_error err = {0};
    (void)importer_of(bytes, n, true);
    (void)importer_of(bytes, n, false);
    hw_code code = import_bytes(row, bytes, n, &options, NULL, &g, &err);
    if (code == HW_OK) {
        assert_non_null(g);
        hw_graph_free(g);
        return;
    }
    assert_null(g);
    if (code != HW_BAD_INPUT || strncmp(err.message, "test:", 5) != 0)
        fail_msg("code %d: %s", (int)code, err.message);
}

static const struct {
    const char *file, *format;
} cases[] = {
    {"dagmem.txt", "dagmem"},
    {"adamem.txt", "adamem"},
    {"daggen.dot", "digraph"},
    {"sizes.dot", "digraph"},
    {"edges.txt", "edges"},
    {"producers.txt", "edges"},
    {"workflow-1.5.json", "wfcommons"},
    {"workflow-1.4.json", "wfcommons"},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static void cut_and_flipped(void **state)
{
    for (size_t i = 0; i < N_CASES; i++) {
        const hw_importer *row = importer_named(cases[i].format);
        char *path = path_in("tests/cases/import", cases[i].file);
        size_t n;
        char *bytes = file_bytes(path, &n);
        assert_non_null(bytes);
        for (size_t cut = 0; cut < n; cut++)
            try_bytes(state, row, bytes, cut);
        for (size_t at = 0; at < n; at++) {
            static const unsigned char masks[] = {0x01, 0x08, 0x10, 0x40, 0x80};
            char kept = bytes[at];
            for (size_t k = 0; k < sizeof masks; k++) {
                bytes[at] = (char)((unsigned char)kept ^ masks[k]);
                try_bytes(state, row, bytes, n);
            }
            bytes[at] = '\0';
            try_bytes(state, row, bytes, n);
            bytes[at] = kept;
        }
        free(bytes);
        free(path);
    }
}

static const struct {
    const char *format, *text, *says;
} refused[] = {
    {"dagmem", "1000000000000000000 1", "test:1: the number of nodes is 1000000000000000000"},
    {"dagmem", "4000000000 1\n5", "test:2: the file ends where the size of node 1 should stand"},
    {"dagmem", "2 18446744073709551616\n1 1", "the number of edges is"},
    {"dagmem", "2 1\n9223372036854775808 1\n0 1", "test:2: the size of node 0 is"},
    {"dagmem", "2 1\n9223372036854775807 9223372036854775807\n0 2", "test:3: the second node"},
    {"dagmem", "3 2\n9223372036854775807 9223372036854775807 9223372036854775807\n0 1\n1 2",
     "2^64"},
    {"dagmem", "2 1\n1 -1\n0 1", "test:2: '-1' stands where the size of node 1 should be"},
    {"dagmem", "2 1\n1 1\n1 1", "test:3: node 1 reads its own result"},
    {"dagmem", "2 2\n1 1\n0 1\n1 0", "test: a cycle of 2 nodes: 0 -> 1 -> 0: remove an edge"},
    {"dagmem", "2 1\n1 1\n0 1\n7", "test:4: '7' follows what its head announces"},
    {"dagmem", "0 3\n", "3 edges without a node"},
    {"adamem", "4294967290 0", "nodes would stand alone"},
    {"adamem", "1000000000000000000000000 3", "the number of nodes is"},
    {"adamem", "2 4000000000\n0 1 5\n", "test:3: the file ends where the first node of an edge"},
    {"adamem", "2 1\n0 2 5", "test:2: the second node of an edge is 2: it can be 1 at most"},
    {"adamem", "2 2\n0 1 9223372036854775807\n0 1 1", "more than 2^63 - 1"},
    {"adamem", "2 1\n1 1 5", "test:2: node 1 reads what it makes"},
    {"adamem", "3 3\n0 1 1\n1 2 1\n2 0 1", "a cycle of 3 nodes: 0 -> 1 -> 2 -> 0"},
    {"adamem", "2 1\n0 1 5.0", "'5.0' stands where the bytes of an edge should be"},
    {"edges", "a b 9223372036854775808\n", "test:1: the bytes are more than 2^63 - 1"},
    {"edges", "a b c\n", "test:1: the third word is no number"},
    {"edges", "# x\na b\n", "test:2: a line is 'u v bytes'"},
    {"edges", "a b 1 2\n", "a line is 'u v bytes'"},
    {"edges", "a a 1\n", "test:1: a node reads what it makes"},
    {"edges", "a b 1\nb c 1\nc a 1\n", "a cycle of 3 nodes: 'a' -> 'b' -> 'c' -> 'a'"},
    {"edges", "\xff b 1\n", "test:1: name '?' is not UTF-8"},
    {"edges", "a b 1", "test:1: the file ends in the middle of a line"},
    {"edges", "# tensors: per-node\n", "test:1: after '# tensors:' stands per-edge"},
    {"edges", "a b 1\n# tensors: per-edge\n", "test:2: '# tensors:' stands behind an edge"},
    {"edges", "# tensors: per-producer\na b 1\na c 2\n",
     "test:3: what node 'a' makes has 2 bytes here and 1 above"},
    {"digraph", "graph G { a -- b [size=1] }", "test:1: an undirected graph"},
    {"digraph", "digraph G { a -- b }", "-- in a digraph"},
    {"digraph", "digraph G { a -> b }", "no node and no edge has an attribute size"},
    {"digraph", "digraph G { a [size=1, alpha=0.1]\n a -> b }", "no edge has an attribute size"},
    {"digraph", "digraph G { a -> a [size=1] }", "test:1: a node reads what it makes"},
    {"digraph", "digraph G {\n a -> b [size=\"1.5\"] }", "test:2: a size is no number of bytes"},
    {"digraph", "digraph G { a -> b [size=\"\"] }", "a size is empty"},
    {"digraph", "digraph G { a -> b [size] }", "size has no value"},
    {"digraph", "digraph G { a -> b [size=99999999999999999999] }", "more than 2^63 - 1"},
    {"digraph", "digraph G { edge [size=4] a -> b }", "write it at each of them"},
    {"digraph", "digraph G { a -> { b c } [size=4] }", "behind -> stands no node"},
    {"digraph", "digraph G { subgraph s { a } -> b [size=4] }", "an edge from a group"},
    {"digraph", "digraph G { a -> b [size=4]", "the graph has no end"},
    {"digraph", "digraph G { a -> \"b [size=4] }", "a quoted text has no end"},
    {"digraph", "digraph G { a /* -> b [size=4] }", "a comment has no end"},
    {"digraph", "digraph G { a -> <b [size=4] }", "a text in <> has no end"},
    {"digraph", "digraph G { a -> b [size=4] } digraph H { }", "something follows the graph"},
    {"digraph", "digraph G { a -> b -> c -> a [size=4] }", "a cycle of 3 nodes"},
    {"digraph", "digraph G { % }", "a sign that DOT has not"},
    {"digraph", "digraph G { \"\xc3\" -> b [size=4] }", "is not UTF-8"},
    {"wfcommons", "{\"workflow\": {}}", "holds no workflow"},
    {"wfcommons", "{\"workflow\": {\"tasks\": 3}}", "holds no workflow"},
    {"wfcommons", "{\"workflow\": {\"tasks\": [3]}}", "test: tasks[0]: is no object"},
    {"wfcommons", "{\"workflow\": {\"tasks\": [{}]}}", "tasks[0]: has neither id nor name"},
    {"wfcommons", "{\"workflow\": {\"tasks\": [{\"id\": \"a\"}, {\"id\": \"a\"}]}}",
     "test: tasks[1]: the task 'a' is there already, as tasks[0]"},
    {"wfcommons", "{\"workflow\": {\"tasks\": [{\"id\": \"a\", \"parents\": [\"b\"]}]}}",
     "tasks[0].parents: there is no task 'b'"},
    {"wfcommons", "{\"workflow\": {\"tasks\": [{\"id\": \"a\", \"children\": [\"a\"]}]}}",
     "tasks[0].children: the task waits for itself"},
    {"wfcommons",
     "{\"workflow\": {\"tasks\": [{\"id\": \"a\", \"parents\": [\"b\"]}, {\"id\": \"b\", "
     "\"parents\": [\"a\"]}]}}",
     "test: a cycle of 2 nodes: 'a' -> 'b' -> 'a': remove an edge of it"},
    {"wfcommons", "{\"workflow\": {\"tasks\": [{\"id\": \"a\", \"inputFiles\": [\"f\", \"g\"]}]}}",
     "test: 2 files have no size, such as 'f': give each its sizeInBytes"},
    {"wfcommons",
     "{\"workflow\": {\"tasks\": [], \"files\": [{\"id\": \"f\", \"sizeInBytes\": -1}]}}",
     "files[0]: the size of a file is negative"},
    {"wfcommons",
     "{\"workflow\": {\"tasks\": [], \"files\": [{\"id\": \"f\", \"sizeInBytes\": 1e3}]}}",
     "files[0]: the size of a file is written with a fraction"},
    {"wfcommons",
     "{\"workflow\": {\"tasks\": [], \"files\": [{\"id\": \"f\", \"sizeInBytes\": "
     "9223372036854775808}]}}",
     "too large"},
    {"wfcommons",
     "{\"workflow\": {\"tasks\": [{\"id\": \"a\", \"files\": [{\"link\": \"in\", \"name\": "
     "\"f\"}]}]}}",
     "a link is neither input nor output"},
    {"wfcommons", "{\"workflow\": {\"tasks\": [], \"tasks\": []}}", "a key stands twice"},
    {"wfcommons", "{\"workflow\": {\"tasks\": [{\"id\": \"\\u0000\"}]}}", "NUL"},
    {"wfcommons", "{\"workflow\": {\"tasks\": [{\"id\": 7}]}}", "tasks[0].id is an integer"},
};

static void each_is_refused_with_its_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        hw_graph *g;
        hw_error err = {0};
        hw_code code = import_bytes(importer_named(refused[i].format), refused[i].text,
                                    strlen(refused[i].text), NULL, NULL, &g, &err);
        if (code != HW_BAD_INPUT || !strstr(err.message, refused[i].says))
            fail_msg("%s\ncode %d, expected '%s': %s", refused[i].text, (int)code, refused[i].says,
                     err.message);
    }
}

/* `before`, `inner` many times, `after`. */
static char *repeated(const char *before, const char *inner, size_t times, const char *after,
                      size_t *n)
{
    size_t a = strlen(before), b = strlen(inner), c = strlen(after);
    char *text = malloc(a + b * times + c + 1);
    assert_non_null(text);
    memcpy(text, before, a);
    for (size_t i = 0; i < times; i++)
        memcpy(text + a + b * i, inner, b);
    memcpy(text + a + b * times, after, c + 1);
    *n = a + b * times + c;
    return text;
}

static void deep_and_long(void **state)
{
    const struct {
        const char *format, *before, *inner, *after;
    } rows[] = {
        {"wfcommons", "{\"workflow\": {\"tasks\": ", "[", ""},
        {"wfcommons", "{\"workflow\": ", "{\"a\": ", ""},
        {"digraph", "digraph G ", "{", "}"},
        {"digraph", "digraph G { a", " -> b -> a", " [size=1] }"},
        {"digraph", "digraph G { ", "<", ""},
        {"digraph", "digraph G { a [size=1] ", "/* */", "}"},
        {"edges", "a b ", "0", "1\n"},
        {"edges", "", "x", " b 1\n"},
        {"dagmem", "2 1 1 ", "1", " 0 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t n;
        char *text = repeated(rows[i].before, rows[i].inner, 100000, rows[i].after, &n);
        try_bytes(state, importer_named(rows[i].format), text, n);
        free(text);
    }
}

static int make_table(void **state)
{
    *state = hw_operators_new();
    return *state ? 0 : -1;
}

static int drop_table(void **state)
{
    hw_operators_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_and_flipped),
        cmocka_unit_test(each_is_refused_with_its_reason),
        cmocka_unit_test(deep_and_long),
    };
    return cmocka_run_group_tests_name("import-hostile", tests, make_table, drop_table) != 0;
}
