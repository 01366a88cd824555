/*
 * Proofs in tests: written by `exact`, taken apart, put together again, and
 * checked by the program highwater-check.
 */
#ifndef HW_TESTS_SUPPORT_PROOF_H
#define HW_TESTS_SUPPORT_PROOF_H

#include "io/io.h"
#include "solve/solver.h"

/* Files of one case in a fresh folder. */
typedef struct proof_files {
    char *folder, *graph, *order, *proof, *checker;
} proof_files;

/* The checker is looked for in the folder above that of the test program.  False: not there. */
bool proof_files_open(proof_files *f, const char *program);
void proof_files_close(proof_files *f);

void proof_write_graph(const proof_files *f, const hw_graph *g, hw_format format);
void proof_write_order(const proof_files *f, const hw_graph *g, const uint32_t *order);
void proof_write_bytes(const proof_files *f, const char *bytes, size_t n);

typedef enum proof_verdict {
    PROOF_REJECTED, /* the first step that fails was named */
    PROOF_OPTIMUM,  /* verified, and the order has this peak */
    PROOF_BOUND     /* verified without an order             */
} proof_verdict;

/*
 * Run the checker on the files.  *bytes: the number verified.  A call that ends
 * in any other way fails the test.
 */
proof_verdict proof_check(const proof_files *f, bool with_order, uint64_t *bytes);

/* What the checker said last, both its verdict and its errors; static. */
const char *proof_said(void);

/* Solve with a proof, released by free().  The answer is released by hw_answer_clear(). */
char *proof_solve(const hw_model *m, const hw_param_value *values, hw_request request,
                  hw_answer *answer, size_t *n_bytes);

/* One record of a search: its kind, the nodes that go in or out and, of a commit, its path. */
typedef struct proof_record {
    uint32_t kind, n, n_path;
    uint32_t *flip, *path;
} proof_record;

enum { PROOF_COMMIT = 1 };

typedef struct proof_parts {
    const char *head; /* the lines of text, those of the proof itself */
    size_t head_length;
    proof_record *record;
    size_t n;
} proof_parts;

/* False: it ends in a bound, not in a search.  Released by proof_parts_free(). */
bool proof_take_apart(const char *bytes, size_t n_bytes, proof_parts *parts);
void proof_parts_free(proof_parts *parts);

/* The parts into the file of the proof. */
void proof_write_parts(const proof_files *f, const proof_parts *parts);

#endif
