/*
 * Changed proofs are rejected, or harmless: what is verified is true all the
 * same.  Steps dropped, swapped, called by another kind; commits that lose
 * something; the bound raised by one; the order and the proof of another
 * graph; lines at the head changed.  (Single bytes: test_tampered_proofs.c.)
 *
 * HW_PROOF_TAMPERED sets how many proofs are changed (20 in the full run).
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

#include "tests/support_exact.h"
#include "tests/support_proof.h"
#include "tests/support_random.h"
#include "tests/support_sanitized.h"

enum { MOST_BYTES = 1 << 12 };

static proof_files files;

/* A graph, in the files, and the proof of its optimum by a search. */
typedef struct sample {
    hw_graph *g;
    hw_model *m;
    hw_answer answer;
    char *proof;
    size_t n;
} sample;

static void sample_free(sample *x)
{
    free(x->proof);
    hw_answer_clear(&x->answer);
    hw_model_free(x->m);
    hw_graph_free(x->g);
}

/* The next graph of a series that needs a search; of a small size on the whole. */
static sample next_of(uint64_t *i, bool windows)
{
    for (;; ++*i) {
        uint64_t state = 0;
        proof_parts parts;
        sample x = {.g = series_graph(*i, 8, 13, windows, &state)};
        if (x.g && hw_model_new(x.g, *i / 2 % 2 ? HW_FREE_FIRST : HW_ALLOC_FIRST, false, &x.m,
                                NULL) == HW_OK) {
            x.proof = proof_solve(x.m, NULL, (hw_request){0}, &x.answer, &x.n);
            bool good = proof_take_apart(x.proof, x.n, &parts);
            good = good && parts.n >= 3 && x.n <= MOST_BYTES;
            proof_parts_free(&parts);
            if (good) {
                ++*i;
                proof_write_graph(&files, x.g, HW_FORMAT_LINE);
                proof_write_order(&files, x.g, x.answer.order);
                return x;
            }
        }
        sample_free(&x);
    }
}

static sample next_sample(uint64_t *i)
{
    return next_of(i, false);
}

/*
 * Is the changed proof, in the files, rejected?  If not, what it says must be
 * true: with the order, that its peak is the optimum; alone, some bound that
 * the optimum reaches.
 */
static bool rejected(const sample *x, bool with_order)
{
    uint64_t bytes = 0;
    proof_verdict verdict = proof_check(&files, with_order, &bytes);
    if (verdict == PROOF_REJECTED)
        return true;
    if (verdict == PROOF_OPTIMUM ? bytes != x->answer.peak : bytes > x->answer.peak)
        fail_msg("a changed proof of %" PRIu64 " verifies %" PRIu64, x->answer.peak, bytes);
    return false;
}

/* Append the flips of b to those of a, or b's from the last to the first. */
static void append(proof_record *a, const proof_record *b, bool backwards)
{
    a->flip = realloc(a->flip, ((size_t)a->n + b->n + 1) * sizeof *a->flip);
    assert_non_null(a->flip);
    for (uint32_t i = 0; i < b->n; i++)
        a->flip[a->n + i] = b->flip[backwards ? b->n - 1 - i : i];
    a->n += b->n;
}

/* How record `to` is justified: as `from` was. */
static void justify(proof_record *to, const proof_record *from)
{
    to->kind = from->kind;
    to->n_path = from->n_path;
    to->path = from->path;
}

static proof_record copy(const proof_record *r)
{
    proof_record c = {0};
    justify(&c, r);
    append(&c, r, false);
    return c;
}

/* Leave record k out; the moves go on to the next. */
static void drop(proof_parts *p, size_t k)
{
    if (k + 1 < p->n) {
        append(&p->record[k], &p->record[k + 1], false);
        free(p->record[k + 1].flip);
        free(p->record[k].path);
        justify(&p->record[k], &p->record[k + 1]);
        memmove(&p->record[k + 1], &p->record[k + 2], (p->n - k - 2) * sizeof *p->record);
    } else {
        free(p->record[k].flip);
        free(p->record[k].path);
    }
    p->n--;
}

/* List prefixes k and k + 1 the other way round. */
static void swap(proof_parts *p, size_t k)
{
    proof_record first = copy(&p->record[k]), second = copy(&p->record[k + 1]);
    append(&p->record[k], &second, false);
    justify(&p->record[k], &second);
    p->record[k + 1].n = 0;
    append(&p->record[k + 1], &second, true);
    justify(&p->record[k + 1], &first);
    if (k + 2 < p->n) { /* the moves that follow begin where k + 1 ended */
        proof_record next = copy(&p->record[k + 2]);
        p->record[k + 2].n = 0;
        append(&p->record[k + 2], &second, false);
        append(&p->record[k + 2], &next, false);
        free(next.flip);
    }
    free(first.flip);
    free(second.flip);
}

static void steps(void **unused)
{
    (void)unused;
    uint64_t proofs = 4 * environment_number("HW_PROOF_TAMPERED", 3), at = 1000;
    /* Harmless, rejected. */
    uint64_t dropped[2] = {0}, swapped[2] = {0}, renamed[2] = {0}, pathless[2] = {0};
    for (uint64_t i = 0; i < proofs; i++) {
        sample x = next_sample(&at);
        proof_parts whole;
        assert_true(proof_take_apart(x.proof, x.n, &whole));
        size_t n = whole.n;
        proof_parts_free(&whole);
        for (size_t k = 0; k < n; k++)
            for (int how = 0; how < 4; how++) {
                proof_parts p;
                (void)proof_take_apart(x.proof, x.n, &p);
                if (how == 0)
                    drop(&p, k);
                else if (how == 1 && k + 1 < n)
                    swap(&p, k);
                else if (how == 2)
                    p.record[k].kind = (p.record[k].kind + 1) % 3;
                else if (p.record[k].n_path)
                    p.record[k].n_path = 0;
                else
                    how = 4;
                if (how < 4)
                    proof_write_parts(&files, &p);
                bool good = how < 4 && rejected(&x, true);
                if (how == 0)
                    dropped[good]++;
                else if (how == 1)
                    swapped[good]++;
                else if (how == 2)
                    renamed[good]++;
                else if (how == 3)
                    pathless[good]++;
                proof_parts_free(&p);
            }
        sample_free(&x);
    }
    print_message("steps dropped: %" PRIu64 " rejected, %" PRIu64 " harmless; swapped: %" PRIu64
                  ", %" PRIu64 "; of another kind: %" PRIu64 ", %" PRIu64
                  "; paths left out: %" PRIu64 ", %" PRIu64 "\n",
                  dropped[1], dropped[0], swapped[1], swapped[0], renamed[1], renamed[0],
                  pathless[1], pathless[0]);
    /* The solver lists no prefix in vain, but for those that a later one covers. */
    assert_true(dropped[1] > dropped[0] && swapped[1] > 0 && renamed[1] > 0 && pathless[1] > 0 &&
                pathless[0] == 0);
}

/* Replace the first `old` of the proof, by words of the caller's, into the files. */
static void write_replaced(const sample *x, const char *old, const char *new)
{
    char *hit = NULL;
    size_t length = strlen(old);
    for (size_t i = 0; i + length <= x->n && !hit; i++)
        if (memcmp(x->proof + i, old, length) == 0)
            hit = x->proof + i;
    assert_non_null(hit);
    char *bytes = malloc(x->n + strlen(new));
    assert_non_null(bytes);
    size_t before = (size_t)(hit - x->proof), after = x->n - before - length;
    memcpy(bytes, x->proof, before);
    memcpy(bytes + before, new, strlen(new));
    memcpy(bytes + before + strlen(new), hit + length, after);
    proof_write_bytes(&files, bytes, before + strlen(new) + after);
    free(bytes);
}

static void heads(void **unused)
{
    (void)unused;
    uint64_t proofs = 10 * environment_number("HW_PROOF_TAMPERED", 3), at = 2000;
    for (uint64_t i = 0; i < proofs; i++) {
        sample x = next_sample(&at);
        char old[64], new[64];
        bool free_first = x.m->accounting == HW_FREE_FIRST;
        /* The bound raised by one: a false statement, with the order and without. */
        (void)snprintf(old, sizeof old, "claim %" PRIu64 "\n", x.answer.peak);
        (void)snprintf(new, sizeof new, "claim %" PRIu64 "\n", x.answer.peak + 1);
        write_replaced(&x, old, new);
        assert_true(rejected(&x, false));
        assert_true(rejected(&x, true));
        /* The other accounting, where it has another optimum. */
        hw_model *other = NULL;
        hw_answer a;
        size_t n;
        assert_int_equal(
            hw_model_new(x.g, free_first ? HW_ALLOC_FIRST : HW_FREE_FIRST, false, &other, NULL),
            HW_OK);
        free(proof_solve(other, NULL, (hw_request){0}, &a, &n));
        write_replaced(&x, free_first ? "free-first" : "alloc-first",
                       free_first ? "alloc-first" : "free-first");
        if (a.peak < x.answer.peak)
            assert_true(rejected(&x, false));
        hw_answer_clear(&a);
        hw_model_free(other);
        /* A bound in place of the search, and in front of it. */
        write_replaced(&x, "\nsearch ", "\nbound live\nsearch ");
        assert_true(rejected(&x, false));
        write_replaced(&x, "\nsearch ", "\nbound node 0\nsearch ");
        assert_true(rejected(&x, false));
        write_replaced(&x, "\nsearch ", "\nbound windows 0 1\nsearch ");
        assert_true(rejected(&x, false));
        /* The other direction. */
        bool forward = strstr(x.proof, "search forward") != NULL;
        write_replaced(&x, forward ? "forward" : "reverse", forward ? "reverse" : "forward");
        (void)rejected(&x, false);
        write_replaced(&x, "\nclaim ", "\nclaim 1");
        assert_true(rejected(&x, true));
        sample_free(&x);
    }
}

/* From the start to where the flips lead: the last time that each node moved, if it stays so. */
static void find_path(const proof_record *all, proof_record *commit)
{
    commit->path = calloc(all->n + 1u, sizeof *commit->path);
    assert_non_null(commit->path);
    for (uint32_t i = 0; i < all->n; i++) {
        bool last = true;
        uint32_t times = 0;
        for (uint32_t j = 0; j < all->n; j++) {
            times += all->flip[j] == all->flip[i];
            last = last && (j <= i || all->flip[j] != all->flip[i]);
        }
        if (last && times % 2)
            commit->path[commit->n_path++] = all->flip[i];
    }
}

/*
 * For one byte more than the optimum, where the start of the search is not
 * dead: a commit from there to each prefix of the proof that decides itself.
 * Some of these prefixes are dead for that budget, too; then it is on the
 * commit alone that the proof has to fail.
 */
static void false_commits(void **unused)
{
    (void)unused;
    uint64_t proofs = 10 * environment_number("HW_PROOF_TAMPERED", 3), at = 3000, tried = 0,
             lost = 0;
    for (uint64_t i = 0; i < proofs; i++) {
        sample x = next_sample(&at);
        proof_parts whole;
        char claim[64], *text = NULL;
        size_t length;
        assert_true(proof_take_apart(x.proof, x.n, &whole));
        (void)snprintf(claim, sizeof claim, "claim %" PRIu64 "\n", x.answer.peak);
        const char *old = strstr(whole.head, claim);
        assert_non_null(old);
        FILE *head = open_memstream(&text, &length);
        assert_non_null(head);
        (void)fprintf(head, "%.*sclaim %" PRIu64 "\n%.*s", (int)(old - whole.head), whole.head,
                      x.answer.peak + 1,
                      (int)(whole.head_length - (size_t)(old - whole.head) - strlen(claim)),
                      old + strlen(claim));
        (void)fclose(head);
        proof_record all = {0};
        for (size_t k = 0; k < whole.n; k++) {
            append(&all, &whole.record[k], false);
            if (whole.record[k].kind == PROOF_COMMIT)
                continue;
            proof_record commit = {.kind = PROOF_COMMIT};
            append(&commit, &all, true);
            find_path(&all, &commit);
            all.kind = whole.record[k].kind;
            proof_record two[] = {all, commit};
            proof_write_parts(&files, &(proof_parts){text, length, two, 2});
            assert_true(rejected(&x, false));
            if (strstr(proof_said(), "loses")) { /* the path, of the second of two */
                assert_non_null(strstr(proof_said(), "the path from prefix 2 loses something"));
                lost++;
            }
            free(commit.flip);
            free(commit.path);
            tried++;
        }
        free(all.flip);
        free(text);
        proof_parts_free(&whole);
        sample_free(&x);
    }
    print_message("%" PRIu64 " false commits rejected, %" PRIu64 " for what they lose\n", tried,
                  lost);
    assert_true(tried > proofs && lost > 0);
}

/* Rejected, and for this reason. */
static void expect_said(const sample *x, bool with_order, const char *reason)
{
    assert_true(rejected(x, with_order));
    if (!strstr(proof_said(), reason))
        fail_msg("'%s' is not in '%s'", reason, proof_said());
}

/* Each step that fails is named: other checks behind it would reject most of these as well. */
static void reasons(void **unused)
{
    (void)unused;
    uint64_t at = 5000, exist = 0;
    for (int i = 0; i < 6; i++) {
        sample x = next_sample(&at);
        proof_parts p;
        char *bytes = malloc(x.n + 1), said[64];
        uint32_t n = x.m->n_nodes, all[64];
        assert_true(bytes && proof_take_apart(x.proof, x.n, &p));
        for (uint32_t v = 0; v < n; v++) /* by the order itself; backwards from its end */
            all[v] = x.answer.order[strstr(p.head, "search reverse") ? n - 1 - v : v];
        /* Cut anywhere in the list; a byte behind its end. */
        for (size_t k = p.head_length; k < x.n; k += SANITIZED ? 37 : 1) {
            proof_write_bytes(&files, x.proof, k);
            expect_said(&x, false, "the list is cut short or malformed after prefix ");
        }
        memcpy(bytes, x.proof, x.n);
        bytes[x.n] = 0;
        proof_write_bytes(&files, bytes, x.n + 1);
        expect_said(&x, false, "something follows the end of the list");
        /* Numbers of more than 63 bits. */
        memset(bytes, 0xff, x.n);
        memcpy(bytes, x.proof, p.head_length);
        proof_write_bytes(&files, bytes, x.n);
        expect_said(&x, false, "the list is cut short or malformed after prefix 0");
        /* Prefixes in front of the others: of a node that is not there, of one that is not
         * ready, one that takes a node out again from under another, and all nodes. */
        proof_record one = {.kind = 2, .n = 1, .flip = &n};
        proof_write_parts(&files, &(proof_parts){p.head, p.head_length, &one, 1});
        expect_said(&x, false, "after prefix 0 a node does not exist");
        one.flip = &all[n - 1];
        proof_write_parts(&files, &(proof_parts){p.head, p.head_length, &one, 1});
        expect_said(&x, false, "prefix 1 is none");
        one.flip = all;
        one.n = n;
        proof_write_parts(&files, &(proof_parts){p.head, p.head_length, &one, 1});
        expect_said(&x, false, "prefix 1 can be completed");
        /* No prefix at all. */
        proof_write_parts(&files, &(proof_parts){p.head, p.head_length, NULL, 0});
        expect_said(&x, false, "a successor of prefix 1 is not listed before it");
        /* A path that begins with a node that cannot. */
        one = (proof_record){.kind = PROOF_COMMIT, .n_path = 1, .path = &all[n - 1]};
        proof_write_parts(&files, &(proof_parts){p.head, p.head_length, &one, 1});
        expect_said(&x, false, "the path from prefix 1 leads through no prefixes");
        /* Prefixes of the order, whose successors are the rest of it or lead there. */
        for (uint32_t k = 1; k < n; k++) {
            one = (proof_record){.kind = 2, .n = k, .flip = all};
            proof_write_parts(&files, &(proof_parts){p.head, p.head_length, &one, 1});
            assert_true(rejected(&x, false));
            (void)snprintf(said, sizeof said, "an order within %" PRIu64 " exists",
                           x.answer.peak - 1);
            exist += strstr(proof_said(), said) != NULL;
        }
        free(bytes);
        proof_parts_free(&p);
        sample_free(&x);
    }
    assert_true(exist > 0);
}

/*
 * Nodes that stand at the first or the last place of their window are moves
 * like others: all first moves do, and what they lead to must be listed.
 */
static void windows(void **unused)
{
    (void)unused;
    uint64_t at = 6000, backwards = 0;
    proof_record start = {.kind = 2}; /* no node has moved */
    for (int i = 0; i < 12; i++) {
        sample x = next_of(&at, true);
        proof_parts p;
        assert_true(x.m->earliest && proof_take_apart(x.proof, x.n, &p));
        proof_write_bytes(&files, x.proof, x.n);
        assert_false(rejected(&x, true));
        char *head = strndup(p.head, p.head_length);
        assert_non_null(head);
        char *way = strstr(head, "search forward");
        assert_non_null(way); /* such small ones are */
        proof_write_parts(&files, &(proof_parts){head, p.head_length, &start, 1});
        expect_said(&x, false, "a successor of prefix 1 is not listed before it");
        memcpy(way, "search reverse", strlen("search reverse"));
        proof_write_parts(&files, &(proof_parts){head, p.head_length, &start, 1});
        if (rejected(&x, false)) /* if not, no step can be the last one */
            backwards += strstr(proof_said(), "a successor of prefix 1 is not listed") != NULL;
        free(head);
        proof_parts_free(&p);
        sample_free(&x);
    }
    assert_true(backwards > 0);
}

/* Order and proof of one graph do not go with another. */
static void other_graphs(void **unused)
{
    (void)unused;
    uint64_t at = 4000;
    for (int i = 0; i < 10; i++) {
        sample x = next_sample(&at), y = next_sample(&at); /* y is in the files */
        proof_write_bytes(&files, y.proof, y.n);
        assert_false(rejected(&y, true));
        proof_write_order(&files, x.g, x.answer.order);
        assert_true(rejected(&y, true));
        proof_write_order(&files, y.g, y.answer.order);
        proof_write_bytes(&files, x.proof, x.n);
        assert_true(rejected(&y, false));
        /* An order that is legal, and not the best, or not legal. */
        proof_write_bytes(&files, y.proof, y.n);
        for (uint32_t k = 0; k + 1 < y.m->n_nodes; k++) {
            uint32_t *order = y.answer.order, was = order[k];
            order[k] = order[k + 1];
            order[k + 1] = was;
            proof_write_order(&files, y.g, order);
            (void)rejected(&y, true); /* verified only as an optimum */
            order[k + 1] = order[k];
            order[k] = was;
        }
        sample_free(&x);
        sample_free(&y);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    if (!proof_files_open(&files, argv[0]))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),         cmocka_unit_test(reasons),      cmocka_unit_test(heads),
        cmocka_unit_test(false_commits), cmocka_unit_test(other_graphs), cmocka_unit_test(windows),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    proof_files_close(&files);
    return failed != 0;
}
