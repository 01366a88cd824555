/*
 * Depth that an input chooses, under a stack of 128 KiB: a function that called
 * itself as deep as a graph is would not come to its end.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support_io.h"
#include "tests/support_lines.h"
#include "tests/support_proof.h"
#include "traits/branches.h"

enum { STACK_BYTES = 128 << 10, STORAGES = 3000, NODES = 10000 };

static char *program_folder; /* of the programs that are tested */

static void limit_stack(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_STACK, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_STACK, &limit), 0);
}

/* ---- highwater-check. ---- */

/*
 * Node `last` frees the storage of every `make`, once every `read` has run;
 * what it makes fits in the budget only when it frees all of them.  So of the
 * sets that it may end only the one that is STORAGES levels deep is a step.
 */
static hw_graph *many_to_free(uint64_t *total)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    *total = UINT64_C(10) * STORAGES;
    for (unsigned i = 0; i < STORAGES; i++)
        (void)fprintf(out, "t %u 10 a; t %u 0 o; v %u - > %u; v %u %u > %u;", 2 * i, 2 * i + 1,
                      2 * i, 2 * i, 2 * i + 1, 2 * i, 2 * i + 1);
    (void)fprintf(out, "t %u %" PRIu64 " o; v %u ", 2 * STORAGES, *total, 2 * STORAGES);
    for (unsigned i = 0; i < STORAGES; i++)
        (void)fprintf(out, "%s%u", i ? "," : "", 2 * i);
    (void)fprintf(out, " > %u", 2 * STORAGES);
    assert_int_equal(fclose(out), 0);
    hw_graph *g = lines_graph(text);
    free(text);
    return g;
}

static void test_macros(void **state)
{
    proof_files *files = *state;
    uint64_t total, bytes;
    hw_graph *g = many_to_free(&total);
    hw_error err = {0};
    char hash[HW_HASH_TEXT], proof[512];
    assert_int_equal(hw_graph_hash(g, hash, &err), HW_OK);
    int n = snprintf(proof, sizeof proof,
                     "highwater-proof 3\ngraph %s\naccounting free-first\ninputs freed\n"
                     "claim %" PRIu64 "\nsearch forward\n\001%c",
                     hash, total + 1, 0); /* the end: whoever saw no step believes it */
    proof_write_graph(files, g, HW_FORMAT_LINE);
    proof_write_bytes(files, proof, (size_t)n);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_STACK, &before), 0);
    limit_stack(STACK_BYTES);
    assert_int_equal(proof_check(files, false, &bytes), PROOF_REJECTED);
    limit_stack(before.rlim_cur);
    hw_graph_free(g);
}

/* ---- Unordered blocks. ---- */

typedef struct likeness_task {
    hw_precedence p;
    hw_blocks b;
    hw_likeness likeness;
    hw_code code;
} likeness_task;

static void *find_likeness(void *context)
{
    likeness_task *t = context;
    hw_error err = {0};
    t->code = hw_blocks_likeness(&t->p, &t->b, 1, &t->likeness, &err);
    return NULL;
}

/*
 * Node i precedes readers i and i + 1, and the last node reader 0 alone: when
 * its turn comes, every other node has to give way.
 */
static void test_chains(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (unsigned i = 0; i <= STORAGES; i++)
        (void)fprintf(out, "%st %u 10 a; v %u - > %u", i ? ";" : "", i, i, i);
    for (unsigned i = 0; i <= STORAGES; i++)
        (void)fprintf(out, ";t %u 10 o; v %u %u,%u > %u", STORAGES + 1 + i, STORAGES + 1 + i,
                      i ? i - 1 : STORAGES, i < STORAGES ? i : i - 1, STORAGES + 1 + i);
    assert_int_equal(fclose(out), 0);
    hw_graph *g = lines_graph(text);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    likeness_task t = {.code = HW_NO_MEMORY};
    hw_error err = {0};
    assert_int_equal(hw_precedence_open(&t.p, g, &err), HW_OK);
    assert_int_equal(hw_blocks_open(&t.b, m, &err), HW_OK);
    pthread_attr_t small;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&small), 0);
    assert_int_equal(pthread_attr_setstacksize(&small, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &small, find_likeness, &t), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void)pthread_attr_destroy(&small);
    assert_int_equal(t.code, HW_OK);
    assert_int_equal(t.likeness.most, STORAGES + 1); /* all are matched */
    hw_blocks_close(&t.b);
    hw_precedence_close(&t.p);
    hw_model_free(m);
    hw_graph_free(g);
    free(text);
}

/* ---- Commands. ---- */

/* A chain, leaves at a spine, leaves at one node: a tree as deep, as wide as it has nodes. */
static void write_tree(FILE *out, int kind)
{
    (void)fprintf(out, "p highwater 1 %d %d 0\n", NODES, NODES);
    for (int i = 0; i < NODES; i++)
        (void)fprintf(out, "t %d %d %c\n", i, 10 + i % 7, i == NODES - 1 ? 'o' : 'a');
    for (int i = 0; i < NODES; i++) {
        (void)fprintf(out, "v %d ", i);
        if (kind == 0 && i > 0)
            (void)fprintf(out, "%d", i - 1);
        else if (kind == 1 && i % 2 == 1)
            (void)fprintf(out, i > 1 ? "%d,%d" : "%d", i - 1, i - 2);
        else if (kind == 2 && i == NODES - 1)
            for (int k = 0; k < i; k++)
                (void)fprintf(out, k ? ",%d" : "%d", k);
        else
            (void)fputc('-', out);
        (void)fprintf(out, " > %d\n", i);
    }
}

static void test_commands(void **state)
{
    static const char *const commands[] = {
        "info g.hwl",
        "check g.hwl source",
        "simulate g.hwl --order dfs",
        "convert g.hwl g.json && $P info g.json",
        "transform g.hwl fuse relabel:order=random -o f.hwl",
        "solve g.hwl --time-limit 1 --solver level --solver greedy --solver lpmf --solver ort-dfs",
        "solve g.hwl --time-limit 1 --solver xla-dfs --solver xla-postorder --solver inductor-dfs",
        "solve g.hwl --time-limit 1 --solver best-postorder --solver liu --solver series-parallel",
        "solve g.hwl --time-limit 1 --solver bound-footprint --solver hmcos",
        "solve g.hwl --time-limit 1 --solver exact",
        "arena g.hwl --time-limit 1 --allocator best-fit",
    };
    proof_files *files = *state;
    char line[2048];
    const char *slash = strrchr(program_folder, '/');
    for (int kind = 0; kind < 3; kind++) {
        char *graph = path_in(files->folder, "g.hwl");
        FILE *out = fopen(graph, "w");
        assert_non_null(out);
        write_tree(out, kind);
        assert_int_equal(fclose(out), 0);
        free(graph);
        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
            int n =
                snprintf(line, sizeof line,
                         "P=$(cd '%.*s/..' && pwd)/highwater && cd '%s' && ulimit -s %d && "
                         "$P %s >answer 2>&1",
                         slash ? (int)(slash - program_folder) : 1, slash ? program_folder : ".",
                         files->folder, STACK_BYTES >> 10, commands[i]);
            assert_true(n > 0 && n < (int)sizeof line);
            int status = system(line); // NOLINT(cert-env33-c)
            /* 1, 4: an answer that is none, or none, at a limit */
            if (!WIFEXITED(status) ||
                (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 1 && WEXITSTATUS(status) != 4))
                fail_msg("tree %d, %s: status %d", kind, commands[i], WEXITSTATUS(status));
        }
    }
}

static int open_files(void **state)
{
    static proof_files files;
    *state = &files;
    return proof_files_open(&files, program_folder) ? 0 : -1;
}

static int close_files(void **state)
{
    proof_files_close(*state);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    program_folder = argv[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_macros, open_files, close_files),
        cmocka_unit_test(test_chains),
        cmocka_unit_test_setup_teardown(test_commands, open_files, close_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
