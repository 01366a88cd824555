/*
 * The corpus: graphs on which a rule fails, each with all that proves how
 * badly.
 *
 * An entry is a folder CORPUS/NAME, NAME made of solver, nodes and accounting:
 *
 *   graph.json    the graph
 *   order.json    the order that the solver gives
 *   optimum.json  an order of the least peak
 *   proof         why no order has less, for highwater-check
 *   entry.json    solver, peaks, features, wrong turn, how it was found
 *
 * A corpus holds the worst graph of each name.  Everything but the line that
 * says how a graph was found can be computed anew from the graph, and is,
 * whenever an entry is verified.
 */
#ifndef HW_CORPUS_CORPUS_H
#define HW_CORPUS_CORPUS_H

#include "traits/features.h"
#include "adversary/goal.h"

enum { HW_ENTRY_NAME = 128 };

typedef struct hw_entry {
    char name[HW_ENTRY_NAME];
    char *solver; /* as hw_solver_parse() reads it */
    char *found;  /* the command that found the graph */
    hw_goal goal; /* of `solver` with the default seed, against the optimum */
    hw_graph *graph;
    hw_rating rating;
    uint32_t *order;   /* the solver's       */
    uint32_t *optimum; /* of the least peak  */
    hw_features features;
    uint32_t kept; /* steps of `order` from which the optimum is still within reach */
    bool minimal;  /* every single step of shrinking was tried and loses the ratio  */
} hw_entry;

void hw_entry_free(hw_entry *e);

/*
 * The entry of a graph, which it takes over and names (also on failure).
 * `found` is kept as it is.  HW_CHECK_FAILED: the solver reaches the optimum,
 * has no order, or the optimum is not proven.  HW_USAGE: unknown solver, or a
 * `found` of several lines.
 */
hw_code hw_entry_make(hw_graph *graph, const char *solver, hw_accounting accounting,
                      const char *found, const volatile sig_atomic_t *stop, hw_entry *out,
                      hw_error *err);

/*
 * Into the corpus, a folder that is made where it is missing; *kept is false
 * where it holds an entry of that name whose ratio is as great, which then
 * stays.  entry.json is written last: a folder without one is unfinished, and
 * written anew.  HW_IO.
 */
hw_code hw_entry_write(const hw_entry *e, const char *corpus, bool *kept, hw_error *err);

/* The line of JSON that is entry.json. */
hw_code hw_entry_describe(const hw_entry *e, FILE *out, hw_error *err);

/*
 * Read CORPUS/NAME and compute it anew.  HW_CHECK_FAILED, with the file and
 * what differs: other bytes in entry.json than what comes out now, another
 * order of the solver, an optimum that is illegal or has another peak.  The
 * proof is left to highwater-check, which shares no code with this.
 * HW_BAD_INPUT, HW_IO: files that are missing or no such files.
 *
 * An entry of an external solver names a program, and a corpus may come from
 * others: it is run only if `program` is the solver as the entry has it, or
 * HW_ANY_PROGRAM; NULL: none is.  HW_USAGE: it is another.
 */
#define HW_ANY_PROGRAM "*"
hw_code hw_entry_verify(const char *corpus, const char *name, const char *program,
                        const volatile sig_atomic_t *stop, hw_entry *out, hw_error *err);

/*
 * The names in a corpus, in order of bytes; *names is released by the caller,
 * and each of them.  HW_IO: no such folder; HW_BAD_INPUT: something that is no
 * entry.
 */
hw_code hw_corpus_list(const char *corpus, char ***names, size_t *n, hw_error *err);

#endif
