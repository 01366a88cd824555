/* The files that `solve` writes beside its answers.  See solve_files.h. */
#include "cli/solve_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/shared.h"
#include "core/memory.h"
#include "core/text_stream.h"
#include "io/io.h"

static bool is_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

/* Two that go to standard output would mix. */
static hw_code check_stdout(const hw_cli *c, const char *option, const char *path,
                            const char *what_else, hw_error *err)
{
    if (!path || strcmp(path, "-") != 0)
        return HW_OK;
    bool answer_too = is_stdout(c->output_path);
    if (!answer_too && !what_else)
        return HW_OK;
    const char *other = what_else ? what_else : "answer";
    return hw_fail(err, HW_USAGE,
                   "%s - and the %s would mix on standard output: give the %s a file by %s", option,
                   other, other, what_else ? "--order-out" : "-o");
}

hw_code hw_solve_files_check(const hw_cli *c, const char *order_path, const char *proof_path,
                             const char *trace_path, hw_error *err)
{
    const struct {
        const char *option, *path;
    } file[] = {{"--proof", proof_path},
                {"--trace-out", trace_path},
                {"--order-out", order_path},
                {"-o", c->output_path}};
    enum { N_FILES = sizeof file / sizeof file[0] };
    hw_code code = HW_OK;
    for (size_t i = 0; i < N_FILES && code == HW_OK; i++)
        code = hw_cli_check_output(c, file[i].option, file[i].path, err);
    for (size_t i = 0; i < N_FILES; i++)
        for (size_t k = i + 1; k < N_FILES && code == HW_OK; k++)
            code =
                hw_cli_two_files(file[i].option, file[i].path, file[k].option, file[k].path, err);
    const char *order = order_path && is_stdout(order_path) ? "order" : NULL;
    if (code == HW_OK)
        code = check_stdout(c, "--proof", proof_path, order, err);
    if (code == HW_OK)
        code = check_stdout(c, "--trace-out", trace_path, order, err);
    return code;
}

const char *hw_solve_proving_solver(void)
{
    for (size_t i = 0; i < hw_n_solvers; i++)
        if (hw_solvers[i]->proves)
            return hw_solvers[i]->name;
    return NULL;
}

hw_code hw_solve_can_prove(const hw_solver_row *row, hw_error *err)
{
    const char *proving = hw_solve_proving_solver();
    if (row->proves)
        return HW_OK;
    return hw_fail(err, HW_USAGE, "solver %s writes no proofs: --proof needs --solver %s",
                   row->name, proving ? proving : "NAME of one that does");
}

hw_code hw_solve_write_order(const char *path, const hw_graph *g, const uint32_t *order,
                             hw_error *err)
{
    hw_output o;
    hw_code code = hw_cli_open(path, &o, err);
    if (code != HW_OK)
        return code;
    code = hw_order_write(g, order, o.stream, err);
    if (code == HW_OK)
        return hw_cli_commit(&o, err);
    hw_error_prefix(err, "%s: ", path);
    hw_cli_abandon(&o);
    return code;
}

/* Why there is no proof, though nothing failed. */
static const char *why_not(const hw_answer *answer)
{
    if (answer->proof == HW_PROOF_CUT)
        return "a limit or a signal ended its writing; the answer stands";
    if (answer->status == HW_INFEASIBLE && !answer->limit_reached)
        return "the constants alone exceed the budget";
    if (answer->status == HW_OPTIMAL || answer->status == HW_INFEASIBLE)
        return "a limit ended the solver before it wrote one";
    return "nothing is proven";
}

hw_code hw_solve_end_proof(const hw_cli *c, const char *path, const hw_answer *answer, hw_output *o,
                           bool *written, hw_error *err)
{
    *written = false;
    if (ferror(o->stream)) { /* the solver left its message in err */
        hw_error_prefix(err, "%s: ", path);
        err->code = HW_IO;
        hw_cli_abandon(o);
        return HW_IO;
    }
    if (answer->proof == HW_PROOF_COMPLETE) {
        hw_code code = hw_cli_commit(o, err);
        *written = code == HW_OK;
        return code;
    }
    if (o->temporary)
        hw_cli_note(c, "no proof: %s: %s is not written", why_not(answer), path);
    else
        hw_cli_note(c, "no proof: %s", why_not(answer));
    hw_cli_abandon(o);
    return HW_OK;
}

/* GraphML, which highwater reads as it is and highwater-check does not. */
static bool is_xml(const char *path)
{
    FILE *file = fopen(path, "r");
    int c = file ? getc(file) : EOF;
    while (c == ' ' || c == '\t' || c == '\r' || c == '\n')
        c = getc(file);
    if (file)
        (void)fclose(file);
    return c == '<';
}

hw_code hw_solve_checkable(const char *path, const char *hash, bool *checkable, hw_error *err)
{
    struct stat status;
    hw_graph *g = NULL;
    char found[HW_HASH_TEXT] = "";
    *checkable = false;
    if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
        is_xml(path))
        return HW_OK;
    hw_error refused = {0};
    hw_code code = hw_graph_load(path, &g, &refused);
    if (code == HW_OK)
        code = hw_graph_hash(g, found, &refused);
    *checkable = code == HW_OK && strcmp(found, hash) == 0;
    hw_graph_free(g);
    return code == HW_NO_MEMORY ? hw_fail_memory(err, "the command that checks a proof") : HW_OK;
}

/* A word of a shell command, in quotes where it needs them. */
static void put_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=+@%,-";
    (void)fputc(' ', out);
    if (*word && strspn(word, plain) == strlen(word)) {
        (void)fputs(word, out);
        return;
    }
    (void)fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            (void)fputs("'\\''", out);
        else
            (void)fputc(*word, out);
    (void)fputc('\'', out);
}

char *hw_solve_check_command(const char *graph_path, const char *order_path, const char *proof_path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = hw_text_stream(&text, &size);
    if (!out)
        return NULL;
    (void)fputs("highwater-check", out);
    put_word(out, graph_path);
    put_word(out, order_path ? order_path : "-");
    put_word(out, proof_path);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
