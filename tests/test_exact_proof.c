/*
 * Certificates: what `exact` writes, highwater-check verifies; what is changed
 * it rejects, or the change is harmless (the same claim, still proven).
 *
 * The checker is looked for beside the folder of this program.  HW_PROOF_GRAPHS
 * sets how many graphs are drawn.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/io.h"
#include "solve/solver.h"
#include "tests/support_random.h"

extern const hw_solver_row hw_solver_exact;

enum { PATH_BYTES = 512, MOST_PROOF_BYTES = 1 << 16 };

static char checker[PATH_BYTES]; /* the program */
static char folder[] = "/tmp/highwater-proof-XXXXXX";

static void in_folder(char path[PATH_BYTES], const char *name)
{
    (void)snprintf(path, PATH_BYTES, "%s/%s", folder, name);
}

static FILE *create(const char *name, const char *mode)
{
    char path[PATH_BYTES];
    in_folder(path, name);
    FILE *f = fopen(path, mode);
    assert_non_null(f);
    return f;
}

/* Graph, order and proof into the folder; false: there is nothing to prove. */
static bool write_case(const hw_graph *g, bool free_first, bool pin, const char *params, bool lines,
                       uint64_t *optimum, char first[16])
{
    hw_model *m;
    if (hw_model_new(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin, &m, NULL) != HW_OK)
        return false;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_error err = {HW_OK, ""};
    hw_params_preset(hw_solver_exact.params, hw_solver_exact.n_params, values);
    assert_int_equal(hw_params_parse(hw_solver_exact.params, hw_solver_exact.n_params, "exact",
                                     params, values, &err),
                     HW_OK);
    FILE *proof = create("proof", "w+b");
    hw_request request = {.params = values, .proof = proof};
    hw_answer a;
    if (hw_solve(m, &hw_solver_exact, &request, &a, &err) != HW_OK)
        fail_msg("%s", err.message);
    bool proven = a.status == HW_OPTIMAL;
    if (proven) {
        char line[256] = "";
        *optimum = a.peak;
        rewind(proof);
        while (strncmp(line, "search", 6) != 0 && strncmp(line, "bound", 5) != 0)
            assert_non_null(fgets(line, sizeof line, proof));
        (void)snprintf(first, 16, "%.6s", line);
        FILE *f = create("graph", "w");
        assert_int_equal(hw_graph_write(g, lines ? HW_FORMAT_LINE : HW_FORMAT_JSON, f, &err),
                         HW_OK);
        (void)fclose(f);
        f = create("order", "w");
        assert_int_equal(hw_order_write(g, a.order, f, &err), HW_OK);
        (void)fclose(f);
    }
    (void)fclose(proof);
    hw_answer_clear(&a);
    hw_model_free(m);
    return proven;
}

/* Does the checker verify the optimum, or without the order the bound alone? */
static bool verifies(const char *what, uint64_t bytes)
{
    char command[4 * PATH_BYTES], order[PATH_BYTES] = "-", line[256] = "", wanted[64];
    if (strcmp(what, "optimum") == 0)
        in_folder(order, "order");
    (void)snprintf(command, sizeof command, "%s %s/graph %s %s/proof 2>/dev/null", checker, folder,
                   order, folder);
    FILE *p = popen(command, "r");
    assert_non_null(p);
    bool spoke = fgets(line, sizeof line, p) != NULL;
    int status = pclose(p);
    (void)snprintf(wanted, sizeof wanted, "s VERIFIED %s %" PRIu64 "\n", what, bytes);
    bool verified = spoke && strcmp(line, wanted) == 0;
    if (verified && status != 0)
        fail_msg("status %d with '%s'", status, line);
    return verified;
}

static const char *const variants[] = {
    "r1=yes",           "r1=no", "r1r=no", "r2=no", "r3=no", "r4=no", "direction=forward",
    "direction=reverse"};

static void proofs_verify(void **unused)
{
    (void)unused;
    const char *text = getenv("HW_PROOF_GRAPHS");
    uint64_t graphs = text ? strtoull(text, NULL, 10) : 250, searches = 0;
    for (uint64_t i = 0; i < graphs; i++) {
        uint64_t state = 4711 + i * 1000003, optimum;
        char first[16];
        random_shape shape = random_any_shape(&state, 1, i % 4 ? 10 : 24);
        shape.windows = i % 4 && random_chance(&state, 0.1);
        hw_graph *g = random_graph(&state, &shape);
        if (!g)
            continue;
        bool free_first = random_chance(&state, 0.5), pin = random_chance(&state, 0.2);
        const char *variant = variants[random_below(&state, i % 4 ? 8 : 1)];
        if (write_case(g, free_first, pin, variant, i % 2, &optimum, first)) {
            searches += strcmp(first, "search") == 0;
            if (!verifies("optimum", optimum))
                fail_msg("graph %" PRIu64 " (%s) is not verified", i, variant);
        }
        hw_graph_free(g);
    }
    assert_true(searches >= graphs / 20); /* not bounds alone */
}

static size_t read_proof(char *bytes)
{
    FILE *f = create("proof", "rb");
    size_t n = fread(bytes, 1, MOST_PROOF_BYTES, f);
    (void)fclose(f);
    return n;
}

static void write_proof(const char *bytes, size_t n)
{
    FILE *f = create("proof", "wb");
    assert_true(fwrite(bytes, 1, n, f) == n);
    (void)fclose(f);
}

/* A search proof of a random graph; the graph stays in the folder. */
static uint64_t find_search(uint64_t *state)
{
    for (;;) {
        uint64_t optimum;
        char first[16];
        random_shape shape = random_any_shape(state, 7, 9);
        hw_graph *g = random_graph(state, &shape);
        if (!g)
            continue;
        bool found =
            write_case(g, random_chance(state, 0.5), false, "r2=yes", false, &optimum, first) &&
            strcmp(first, "search") == 0 && optimum > 0;
        hw_graph_free(g);
        if (found)
            return optimum;
    }
}

static void changed_proofs_are_rejected_or_harmless(void **unused)
{
    (void)unused;
    static char bytes[MOST_PROOF_BYTES], raised[64];
    uint64_t state = 12;
    for (int i = 0; i < 3; i++) {
        uint64_t optimum = find_search(&state);
        assert_true(verifies("optimum", optimum));
        size_t n = read_proof(bytes), rejected = 0;
        for (size_t k = 0; k < n; k++) {
            bytes[k] = (char)(bytes[k] ^ (1 << k % 7));
            write_proof(bytes, n);
            rejected += !verifies("optimum", optimum); /* verified: the same claim, so harmless */
            bytes[k] = (char)(bytes[k] ^ (1 << k % 7));
        }
        assert_true(rejected > n / 2);
        for (size_t k = 1; k < n; k += 3) { /* cut short */
            write_proof(bytes, k);
            assert_false(verifies("optimum", optimum));
        }
        /* The bound raised by one, left to stand alone: an order refutes it. */
        (void)snprintf(raised, sizeof raised, "claim %" PRIu64 "\n", optimum + 1);
        char *claim = strstr(bytes, "claim "), *rest = strchr(claim, '\n') + 1;
        FILE *f = create("proof", "wb");
        (void)fwrite(bytes, 1, (size_t)(claim - bytes), f);
        (void)fputs(raised, f);
        (void)fwrite(rest, 1, n - (size_t)(rest - bytes), f);
        (void)fclose(f);
        assert_false(verifies("bound", optimum + 1));
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *slash = strrchr(argv[0], '/');
    (void)snprintf(checker, sizeof checker, "%.*s/../highwater-check",
                   slash ? (int)(slash - argv[0]) : 1, slash ? argv[0] : ".");
    if (access(checker, X_OK) != 0 || !mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_verify),
        cmocka_unit_test(changed_proofs_are_rejected_or_harmless),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const names[] = {"graph", "order", "proof"};
    for (size_t i = 0; i < 3; i++) {
        char path[PATH_BYTES];
        in_folder(path, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
    return failed != 0;
}
