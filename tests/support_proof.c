/* Proofs in tests.  See support_proof.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/io.h"
#include "tests/support_io.h"
#include "tests/support_proof.h"

extern char **environ;
extern const hw_solver_row hw_solver_exact;

bool proof_files_open(proof_files *f, const char *program)
{
    char path[512];
    const char *slash = strrchr(program, '/');
    (void)snprintf(path, sizeof path, "%.*s/../highwater-check", slash ? (int)(slash - program) : 1,
                   slash ? program : ".");
    *f = (proof_files){.folder = make_folder(), .checker = strdup(path)};
    if (!f->folder || !f->checker || access(f->checker, X_OK) != 0)
        return false;
    f->graph = path_in(f->folder, "graph");
    f->order = path_in(f->folder, "order");
    f->proof = path_in(f->folder, "proof");
    return f->graph && f->order && f->proof;
}

void proof_files_close(proof_files *f)
{
    free(f->graph);
    free(f->order);
    free(f->proof);
    free(f->checker);
    remove_folder(f->folder);
}

static FILE *create(const char *path)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    return f;
}

void proof_write_graph(const proof_files *f, const hw_graph *g, hw_format format)
{
    hw_error err = {0};
    FILE *out = create(f->graph);
    assert_int_equal(hw_graph_write(g, format, out, &err), HW_OK);
    (void)fclose(out);
}

void proof_write_order(const proof_files *f, const hw_graph *g, const uint32_t *order)
{
    hw_error err = {0};
    FILE *out = create(f->order);
    assert_int_equal(hw_order_write(g, order, out, &err), HW_OK);
    (void)fclose(out);
}

void proof_write_bytes(const proof_files *f, const char *bytes, size_t n)
{
    FILE *out = create(f->proof);
    assert_true(fwrite(bytes, 1, n, out) == n);
    (void)fclose(out);
}

static char text[512];

const char *proof_said(void)
{
    return text;
}

proof_verdict proof_check(const proof_files *f, bool with_order, uint64_t *bytes)
{
    char *const arguments[] = {f->checker, f->graph, with_order ? f->order : "-", f->proof, NULL};
    char what[16];
    int pipe_ends[2], status;
    pid_t child;
    posix_spawn_file_actions_t actions;
    assert_int_equal(pipe(pipe_ends), 0);
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    (void)posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
    (void)posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 2);
    (void)posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
    assert_int_equal(posix_spawn(&child, f->checker, &actions, NULL, arguments, environ), 0);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(pipe_ends[1]);
    size_t n = 0;
    for (ssize_t got; (got = read(pipe_ends[0], text + n, sizeof text - 1 - n)) > 0;)
        n += (size_t)got;
    text[n] = '\0';
    (void)close(pipe_ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status))
        fail_msg("the checker died of signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status) == 1 && strncmp(text, "s REJECTED: ", 12) == 0)
        return PROOF_REJECTED;
    if (WEXITSTATUS(status) == 3) /* a number that is none, and the like */
        return PROOF_REJECTED;
    if (WEXITSTATUS(status) != 0 || sscanf(text, "s VERIFIED %15s %" SCNu64, what, bytes) != 2)
        fail_msg("the checker ended with status %d and '%s'", WEXITSTATUS(status), text);
    return strcmp(what, "optimum") == 0 ? PROOF_OPTIMUM : PROOF_BOUND;
}

char *proof_solve(const hw_model *m, const hw_param_value *values, hw_request request,
                  hw_answer *answer, size_t *n_bytes)
{
    hw_param_value preset[HW_PARAM_LIMIT];
    hw_error err = {0};
    char *bytes = NULL;
    hw_params_preset(hw_solver_exact.params, hw_solver_exact.n_params, preset);
    request.params = values ? values : preset;
    request.proof = open_memstream(&bytes, n_bytes);
    assert_non_null(request.proof);
    if (hw_solve(m, &hw_solver_exact, &request, answer, &err) != HW_OK)
        fail_msg("%s", err.message);
    (void)fclose(request.proof);
    assert_non_null(bytes);
    return bytes;
}

/* ---- Records. ---- */

static uint64_t take_number(const char *bytes, size_t n, size_t *at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert_true(*at < n && shift < 63);
        unsigned char byte = (unsigned char)bytes[(*at)++];
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

static uint32_t *take_nodes(const char *bytes, size_t n_bytes, size_t *at, uint32_t n)
{
    uint32_t *nodes = calloc(n + 1u, sizeof *nodes);
    assert_non_null(nodes);
    for (uint32_t i = 0; i < n; i++)
        nodes[i] = (uint32_t)take_number(bytes, n_bytes, at);
    return nodes;
}

bool proof_take_apart(const char *bytes, size_t n_bytes, proof_parts *parts)
{
    size_t at = 0, room = 0;
    *parts = (proof_parts){.head = bytes};
    for (bool found = false; !found;) {
        const char *line = bytes + at, *end = memchr(line, '\n', n_bytes - at);
        if (!end)
            return false; /* a bound was the last line */
        found = strncmp(line, "search ", 7) == 0;
        at = (size_t)(end + 1 - bytes);
    }
    parts->head_length = at;
    for (uint64_t head; (head = take_number(bytes, n_bytes, &at)); parts->n++) {
        if (parts->n == room) {
            room = room ? 2 * room : 64;
            parts->record = realloc(parts->record, room * sizeof *parts->record);
            assert_non_null(parts->record);
        }
        proof_record *r = &parts->record[parts->n];
        r->kind = (uint32_t)((head - 1) % 3);
        r->n = (uint32_t)((head - 1) / 3);
        r->flip = take_nodes(bytes, n_bytes, &at, r->n);
        r->n_path = r->kind == PROOF_COMMIT ? (uint32_t)take_number(bytes, n_bytes, &at) : 0;
        r->path = take_nodes(bytes, n_bytes, &at, r->n_path);
    }
    assert_true(at == n_bytes);
    return true;
}

void proof_parts_free(proof_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++) {
        free(parts->record[i].flip);
        free(parts->record[i].path);
    }
    free(parts->record);
}

static void put_number(FILE *out, uint64_t value)
{
    for (; value > 127; value >>= 7)
        (void)putc((int)(value & 127) | 128, out);
    (void)putc((int)value, out);
}

void proof_write_parts(const proof_files *f, const proof_parts *parts)
{
    FILE *out = create(f->proof);
    (void)fwrite(parts->head, 1, parts->head_length, out);
    for (size_t i = 0; i < parts->n; i++) {
        const proof_record *r = &parts->record[i];
        put_number(out, 3 * (uint64_t)r->n + r->kind + 1);
        for (uint32_t k = 0; k < r->n; k++)
            put_number(out, r->flip[k]);
        if (r->kind == PROOF_COMMIT)
            put_number(out, r->n_path);
        for (uint32_t k = 0; k < r->n_path && r->kind == PROOF_COMMIT; k++)
            put_number(out, r->path[k]);
    }
    put_number(out, 0);
    (void)fclose(out);
}
