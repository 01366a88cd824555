/*
 * One byte of a proof or of an order changed: highwater-check rejects it, or
 * what it verifies is true all the same.  The proofs are of every kind that
 * there is: bounds, searches in both directions with steps of every kind,
 * optima and budgets that cannot be kept, both accountings, inputs pinned or
 * not, windows.
 *
 * HW_TAMPERED sets how many proofs are changed, and then every byte in every
 * way (support_tamper.h); without it, each byte of a few in one way, and under
 * the sanitizers, where a process takes long to start, one byte in SPARSE.
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

#include "model/check.h"
#include "tests/support_exact.h"
#include "tests/support_io.h"
#include "tests/support_proof.h"
#include "tests/support_random.h"
#include "tests/support_sanitized.h"
#include "tests/support_tamper.h"

enum { MOST_BYTES = 3000, FEW = 12, TRIES = 4000, SPARSE = 7 };

static proof_files files;

/* What a proof holds, a bit each. */
enum {
    HOLDS_FREE_FIRST = 1,
    HOLDS_PINNED = 2,
    HOLDS_BUDGET = 4,
    HOLDS_LIVE = 8,
    HOLDS_NODE = 16,
    HOLDS_BEFORE = 32,
    HOLDS_CROWD = 64,
    HOLDS_FORWARD = 128,
    HOLDS_REVERSE = 256,
    HOLDS_RULES = 512, /* and the other kinds of steps */
    HOLDS_ALL = 4096
};

typedef struct sample {
    hw_graph *g;
    hw_model *m;
    uint32_t *order; /* NULL: none is legal */
    uint64_t peak;   /* of the order; UINT64_MAX without one */
    char *proof;
    size_t n;
    unsigned holds;
} sample;

static void sample_free(sample *x)
{
    free(x->proof);
    free(x->order);
    hw_model_free(x->m);
    hw_graph_free(x->g);
}

static unsigned what_it_holds(const sample *x, bool budget)
{
    static const char *const words[] = {"\nbound live",     "\nbound node ",    "\nbound before ",
                                        "\nbound windows ", "\nsearch forward", "\nsearch reverse"};
    unsigned holds = (x->m->accounting == HW_FREE_FIRST ? HOLDS_FREE_FIRST : 0u) |
                     (x->m->pin_inputs ? HOLDS_PINNED : 0u) | (budget ? HOLDS_BUDGET : 0u);
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        for (size_t k = 0; k + strlen(words[i]) <= x->n; k++)
            if (memcmp(x->proof + k, words[i], strlen(words[i])) == 0)
                holds |= (unsigned)HOLDS_LIVE << i;
    proof_parts parts;
    if (proof_take_apart(x->proof, x->n, &parts))
        for (size_t i = 0; i < parts.n; i++)
            holds |= (unsigned)HOLDS_RULES << parts.record[i].kind;
    proof_parts_free(&parts);
    return holds;
}

/*
 * Backwards the rules leave all ready nodes: there a step by the rules is a
 * plain one too, which the solver writes for large graphs alone.
 */
static void make_plain(sample *x)
{
    proof_parts parts;
    if (proof_take_apart(x->proof, x->n, &parts)) {
        for (size_t i = 0; i < parts.n; i++)
            if (parts.record[i].kind == 0)
                parts.record[i].kind = 2;
        proof_write_parts(&files, &parts);
    }
    proof_parts_free(&parts);
    free(x->proof);
    x->proof = file_bytes(files.proof, &x->n);
    assert_non_null(x->proof);
}

/* Graph i of a series, and a proof of its optimum or that the byte below it is not enough. */
static bool make_sample(uint64_t i, sample *x)
{
    uint64_t draws = i, state = 0;
    bool windows = random_chance(&draws, 0.3), budget = random_chance(&draws, 0.3);
    bool pinned = random_chance(&draws, 0.2), free_first = random_chance(&draws, 0.5);
    uint32_t most = 6 + random_below(&draws, 9);
    hw_param_value values[HW_PARAM_LIMIT];
    hw_answer a;
    *x = (sample){.g = series_graph(i, most - 2, most, windows, &state)};
    if (!x->g || hw_model_new(x->g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pinned, &x->m,
                              NULL) != HW_OK)
        return false;
    exact_turn((uint32_t)(i / 4 % exact_turns()), &state, values);
    x->proof = proof_solve(x->m, values, (hw_request){0}, &a, &x->n);
    x->peak = a.status == HW_OPTIMAL ? a.peak : UINT64_MAX;
    if (a.status == HW_OPTIMAL) {
        x->order = calloc(x->m->n_nodes + 1u, sizeof *x->order);
        assert_non_null(x->order);
        memcpy(x->order, a.order, x->m->n_nodes * sizeof *x->order);
    }
    if (budget && x->order && x->peak) {
        hw_answer_clear(&a);
        free(x->proof);
        x->proof = proof_solve(
            x->m, values, (hw_request){.has_budget = true, .budget_bytes = x->peak - 1}, &a, &x->n);
    }
    hw_answer_clear(&a);
    x->holds = what_it_holds(x, budget);
    if ((x->holds & HOLDS_REVERSE) && random_chance(&draws, 0.5)) {
        make_plain(x);
        x->holds = what_it_holds(x, budget);
    }
    return x->n <= MOST_BYTES;
}

/* What the samples of a walk have held so far. */
typedef struct held {
    uint64_t at; /* in the series of graphs */
    unsigned bits;
    bool together[HOLDS_ALL];
} held;

/*
 * The next sample with something that none before it held; once there is
 * nothing left, with things that none held together; at last, any.
 */
static void next_sample(held *h, sample *x)
{
    for (uint64_t tries = 0;; tries++) {
        bool new_bit = false, new_set = false, small = make_sample(h->at++, x);
        if (small) {
            new_bit = (x->holds & ~h->bits) != 0;
            new_set = !h->together[x->holds];
        }
        if (small && (new_bit || (new_set && h->bits == HOLDS_ALL - 1) || tries > TRIES)) {
            h->bits |= x->holds;
            h->together[x->holds] = true;
            proof_write_graph(&files, x->g, HW_FORMAT_LINE);
            if (x->order)
                proof_write_order(&files, x->g, x->order);
            return;
        }
        sample_free(x);
    }
}

typedef struct tally {
    uint64_t rejected, same,
        weaker; /* same: the same claim verified; weaker: a smaller one, true */
} tally;

static void tell(const char *what, const tally *t)
{
    print_message("%s: %" PRIu64 " changes: %" PRIu64 " rejected, %" PRIu64
                  " verify the same, %" PRIu64 " a smaller bound that holds, 0 a false one\n",
                  what, t->rejected + t->same + t->weaker, t->rejected, t->same, t->weaker);
}

/* The changed proof is in the files. */
static void judge_proof(const sample *x, bool with_order, tally *t)
{
    uint64_t bytes = 0;
    proof_verdict verdict = proof_check(&files, with_order, &bytes);
    if (verdict == PROOF_REJECTED)
        t->rejected++;
    else if (verdict == PROOF_OPTIMUM ? bytes != x->peak : bytes > x->peak)
        fail_msg("a changed proof of %" PRIu64 " verifies %" PRIu64, x->peak, bytes);
    else if (bytes == x->peak)
        t->same++;
    else
        t->weaker++;
}

static tamper_walk walk_through(const char *bytes, size_t n, uint64_t *state)
{
    return environment_number("HW_TAMPERED", 0) ? tamper_all(bytes, n)
                                                : tamper_some(bytes, n, state);
}

/* Is change k of a walk left out? */
static bool is_left_out(uint64_t k)
{
    return SANITIZED && k % SPARSE != 0 && !environment_number("HW_TAMPERED", 0);
}

static void proofs(void **unused)
{
    (void)unused;
    held h = {0};
    uint64_t n = environment_number("HW_TAMPERED", FEW), state = 5;
    tally t = {0};
    for (uint64_t i = 0; i < n; i++) {
        sample x;
        uint64_t bytes = 0;
        next_sample(&h, &x);
        proof_write_bytes(&files, x.proof, x.n);
        assert_true(proof_check(&files, x.order != NULL, &bytes) != PROOF_REJECTED);
        tamper_walk w = walk_through(x.proof, x.n, &state);
        for (uint64_t k = 0; tamper_next(&w); k++) {
            if (is_left_out(k))
                continue;
            proof_write_bytes(&files, w.out, w.n_out);
            judge_proof(&x, x.order && k % 2, &t);
        }
        sample_free(&x);
    }
    tell("proofs", &t);
    assert_true(t.rejected > 5 * (t.same + t.weaker));
    assert_int_equal(h.bits, HOLDS_ALL - 1);
}

/* The list of an order file, from bracket to bracket; NULL: there is none. */
static const char *list_of(const char *text, size_t n, size_t *length)
{
    const char *first = memchr(text, '[', n), *last = memchr(text, ']', n);
    *length = first && last && last > first ? (size_t)(last - first) : 0;
    return *length ? first : NULL;
}

/*
 * The checker reads orders by code of its own.  What it verifies is legal and
 * has the claimed peak by the reader and the checker of the library, too; and
 * where these say so, it verifies.
 */
static void judge_order(const sample *x, const char *was, size_t n_was, const char *bytes, size_t n,
                        tally *t)
{
    uint32_t *order = calloc(x->m->n_nodes + 1u, sizeof *order);
    uint64_t claim = 0;
    hw_check c;
    assert_non_null(order);
    bool read = hw_order_load(files.order, x->g, order, NULL) == HW_OK;
    if (read)
        assert_int_equal(hw_check_order(x->g, x->m->accounting == HW_FREE_FIRST, x->m->pin_inputs,
                                        order, x->m->n_nodes, &c, NULL),
                         HW_OK);
    bool good = read && c.verdict == HW_ORDER_LEGAL && c.peak == x->peak;
    free(order);
    if (proof_check(&files, true, &claim) == PROOF_REJECTED) {
        if (good)
            fail_msg("rejected, although it is an order of that peak: %.*s", (int)n, bytes);
        t->rejected++;
        return;
    }
    size_t length, length_was;
    const char *list = list_of(bytes, n, &length), *list_was = list_of(was, n_was, &length_was);
    bool same_list = list && length == length_was && memcmp(list, list_was, length) == 0;
    if (claim != x->peak || !(good || (!read && same_list)))
        fail_msg("verified: %.*s", (int)n, bytes);
    t->same++;
}

static void orders(void **unused)
{
    (void)unused;
    held h = {0};
    uint64_t n = environment_number("HW_TAMPERED", FEW), state = 6;
    tally t = {0};
    for (uint64_t i = 0; i < n; i++) {
        sample x;
        size_t size;
        next_sample(&h, &x);
        if (x.order) {
            proof_write_bytes(&files, x.proof, x.n);
            char *order = file_bytes(files.order, &size);
            tamper_walk w = walk_through(order, size, &state);
            for (uint64_t k = 0; tamper_next(&w); k++) {
                if (is_left_out(k))
                    continue;
                FILE *out = fopen(files.order, "wb");
                assert_true(out && fwrite(w.out, 1, w.n_out, out) == w.n_out);
                assert_int_equal(fclose(out), 0);
                judge_order(&x, order, size, w.out, w.n_out, &t);
            }
            free(order);
        }
        sample_free(&x);
    }
    tell("orders", &t);
    assert_true(t.rejected > 0 && t.same > 0);
}

int main(int argc, char **argv)
{
    (void)argc;
    if (!proof_files_open(&files, argv[0]))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(proofs), cmocka_unit_test(orders)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    proof_files_close(&files);
    return failed != 0;
}
