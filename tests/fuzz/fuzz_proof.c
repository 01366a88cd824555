/*
 * Fuzz target: bytes are a graph and a proof.  The header fits the graph, and
 * the rest stands as it came, or is that of a true proof with changes.
 * highwater-check verifies what `exact` proves, and nothing above the optimum.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "solve/solver.h"
#include "tests/fuzz/check_inside.h"
#include "tests/fuzz/graphs.h"

typedef struct proven {
    hw_answer answer;
    char *proof;
    size_t n;
} proven;

static void prove(const hw_model *m, proven *p)
{
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_solver_row *row = hw_solver_find("exact", strlen("exact"));
    hw_error err = {0};
    p->proof = NULL;
    FILE *out = open_memstream(&p->proof, &p->n);
    hw_params_preset(row->params, row->n_params, values);
    const hw_request request = {.params = values, .proof = out};
    if (!out || hw_solve(m, row, &request, &p->answer, &err) != HW_OK || fclose(out) != 0)
        fuzz_fail("%s", err.message);
}

/* A file of the graph, as JSON or as lines. */
static const char *graph_file(const hw_graph *g, hw_format format)
{
    char *text = NULL;
    size_t n;
    hw_error err = {0};
    FILE *out = open_memstream(&text, &n);
    if (!out || hw_graph_write(g, format, out, &err) != HW_OK || fclose(out) != 0)
        fuzz_fail("%s", err.message);
    const char *path = fuzz_file(0, text, n);
    free(text);
    return path;
}

static const char *order_file(const hw_graph *g, const uint32_t *order)
{
    char *text = NULL;
    size_t n;
    hw_error err = {0};
    FILE *out = open_memstream(&text, &n);
    if (!out || hw_order_write(g, order, out, &err) != HW_OK || fclose(out) != 0)
        fuzz_fail("%s", err.message);
    const char *path = fuzz_file(1, text, n);
    free(text);
    return path;
}

/* What is verified is true; the bound of a graph without legal orders is any. */
static void is_sound(const proven *p, const char *graph, const char *order, const char *bytes,
                     size_t n)
{
    char said[CHECK_TEXT];
    uint64_t claim;
    const char *proof = fuzz_file(2, bytes, n);
    if (check_inside(graph, "-", proof, said) == 0 && p->answer.status == HW_OPTIMAL &&
        (sscanf(said, "s VERIFIED bound %" SCNu64, &claim) != 1 || claim > p->answer.peak))
        fuzz_fail("optimum %" PRIu64 ", and yet: %s", p->answer.peak, said);
    if (order && check_inside(graph, order, proof, said) == 0 &&
        (sscanf(said, "s VERIFIED optimum %" SCNu64, &claim) != 1 || claim != p->answer.peak))
        fuzz_fail("optimum %" PRIu64 ", and yet: %s", p->answer.peak, said);
}

/* Bytes at drawn places become others; the last draw may cut the end off. */
static void changed(fuzz_draws *d, const proven *p, const char *graph, const char *order)
{
    char *copy = malloc(p->n + 1);
    size_t n = p->n;
    if (!copy)
        fuzz_fail("out of memory");
    memcpy(copy, p->proof, n);
    for (uint32_t i = 1 + fuzz_below(d, 4); i > 0; i--) {
        size_t at = fuzz_byte(d);
        at = (at << 8 | fuzz_byte(d)) % n;
        copy[at] = (char)fuzz_byte(d);
    }
    if (fuzz_byte(d) > 200)
        n -= fuzz_byte(d) % n;
    is_sound(p, graph, order, copy, n);
    free(copy);
}

/* The header of the true proof with another claim, then the bytes that are left. */
static void own(const fuzz_draws *d, uint64_t claim, const proven *p, const char *graph,
                const char *order)
{
    char *text = NULL, *head = strstr(p->proof, "\nclaim ");
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (!head || !out)
        fuzz_fail("no claim in the proof, or no memory");
    (void)fprintf(out, "%.*s\nclaim %" PRIu64 "\n", (int)(head - p->proof), p->proof, claim);
    if (d->left)
        (void)fwrite(d->at, 1, d->left, out);
    if (fclose(out) != 0)
        fuzz_fail("out of memory");
    is_sound(p, graph, order, text, n);
    free(text);
}

static void go(fuzz_draws *d, unsigned setting, const hw_graph *g, const hw_model *m)
{
    char said[CHECK_TEXT];
    proven p;
    prove(m, &p);
    const char *graph = graph_file(g, setting & 4 ? HW_FORMAT_LINE : HW_FORMAT_JSON);
    bool optimal = p.answer.status == HW_OPTIMAL;
    const char *order = optimal ? order_file(g, p.answer.order) : NULL;
    if (p.answer.proof != HW_PROOF_COMPLETE || p.n == 0)
        fuzz_fail("no proof of status %s", hw_status_name(p.answer.status));
    if (check_inside(graph, order ? order : "-", fuzz_file(2, p.proof, p.n), said) != 0)
        fuzz_fail("a proof is refused: %s", said);
    if (setting & 8)
        changed(d, &p, graph, order);
    else
        own(d, p.answer.peak + fuzz_below(d, 3), &p, graph, order);
    hw_answer_clear(&p.answer);
    free(p.proof);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_draws d = {data, size};
    unsigned setting = fuzz_below(&d, 16);
    hw_graph *g = fuzz_draw_graph(&d, FUZZ_NODES - 2);
    hw_model *m = g ? fuzz_model(g, (hw_accounting)(setting & 1), setting >> 1 & 1) : NULL;
    if (m)
        go(&d, setting, g, m);
    hw_model_free(m);
    hw_graph_free(g);
    return 0;
}
