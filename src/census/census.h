/*
 * The census: every graph on n nodes with every vector of sizes 1 .. m, solved
 * by every rule, so that the worst ratio of a rule is known and not sampled.
 *
 * The graphs are plain: a node makes one tensor for all its readers, and those
 * that nobody reads are kept.  "A graph" is one with sizes, up to renaming;
 * "a case" is one with a source order too, up to what renaming leaves the
 * order as it is, since most rules break ties by source position.  With all
 * numberings there are 2^(n(n-1)/2) m^n cases; with one, each graph is a case:
 * in the least of its topological numberings, with the least of the vectors
 * that its automorphisms make of each other.
 *
 * Of a rule the census tells
 *   worst   the greatest peak / optimum over all cases, exactly, with the
 *           first case that has it (graphs by edges and code, then numbering,
 *           then sizes);
 *   fails   the number of graphs with a case on which it misses the optimum,
 *           or, which is much quicker, of those whose first case is such (least
 *           numbering, least vector).
 * Both are exact although most runs are left out: a rule need not run on a case
 * that has no bad order, nor where no order is worse than the worst so far and
 * `fails` would not grow.
 *
 * Exact solvers are controls: they run on the cases of one graph for each
 * acyclic graph and accounting, the one where a bad order is worst, and the
 * census fails when they miss the optimum.
 *
 * Dependencies: igraph makes the list of graphs, so work is shared out by
 * processes (census_run.h).
 */
#ifndef HW_CENSUS_CENSUS_H
#define HW_CENSUS_CENSUS_H

#include "census/dags.h"
#include "small/genome.h"
#include "adversary/goal.h"

enum {
    HW_CENSUS_SIZES = 9,    /* the greatest m */
    HW_CENSUS_SOLVERS = 63, /* and one bit for any order */
    HW_CENSUS_SPEC = 64
};

typedef struct hw_census_solver {
    char spec[HW_CENSUS_SPEC];
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
} hw_census_solver;

typedef struct hw_census_plan {
    uint32_t least_nodes, most_nodes; /* 1 .. HW_DAGS_MOST    */
    uint32_t most_size;               /* 1 .. HW_CENSUS_SIZES */
    bool all_numberings;
    bool all_fails;       /* `fails` looks at all cases of a graph; false: at the first */
    uint32_t part, parts; /* blocks b with b % parts == part - 1 */
    hw_census_solver solver[HW_CENSUS_SOLVERS];
    size_t n_solvers;
} hw_census_plan;

/*
 * The solvers of a plan: those of `specs`, or, where n is 0, every
 * deterministic one of the registry with its presets but bounds and `milp`, which starts a
 * program, and some with other widths and depths.  HW_USAGE: unknown, a bound,
 * one that draws at random, too many, the same one twice.
 */
hw_code hw_census_solvers(hw_census_plan *plan, const char *const *specs, size_t n, hw_error *err);

/* The worst case of a rule; found is false where none is worse than the optimum. */
typedef struct hw_census_worst {
    bool found;
    hw_ratio ratio;
    uint32_t dag;    /* its place in the list of hw_dags_make() */
    uint32_t code;   /* of the numbering                         */
    uint32_t vector; /* digits size - 1 to the base m, node 0 at the top */
} hw_census_worst;

/* The first of two, as the head of this file orders them; greater ratios before all. */
bool hw_census_worse(const hw_census_worst *a, const hw_census_worst *b);

typedef struct hw_census_cell {
    uint64_t taken; /* graphs that the rule does not refuse */
    uint64_t fails; /* of them, those that it misses        */
    hw_census_worst worst;
} hw_census_cell;

/*
 * What is known of n nodes, by accounting and by the greatest size in the
 * vector (index size - 1).  Slot plan.n_solvers of `cell` is the worst order:
 * the ratio that no rule can pass.
 */
typedef struct hw_census_tally {
    uint64_t graphs[HW_CENSUS_SIZES], cases[HW_CENSUS_SIZES];
    uint64_t runs; /* of solvers; depends on what was known before */
    hw_census_cell cell[2][HW_CENSUS_SIZES][HW_CENSUS_SOLVERS + 1];
} hw_census_tally;

/* Add what `more` holds, for solvers 0 .. n_solvers and the slot behind them. */
void hw_census_add(const hw_census_plan *plan, hw_census_tally *tally, const hw_census_tally *more);

/* Of a tally by greatest size: everything with sizes up to m, slot n_solvers too. */
hw_census_cell hw_census_up_to(const hw_census_tally *tally, hw_accounting accounting, size_t slot,
                               uint32_t m);

/* The graphs are cut into blocks, each a mixture of few and many edges. */
size_t hw_census_blocks(uint32_t n, size_t n_dags);

/*
 * Take the census of one block of the list of all DAGs on n nodes into *out.
 * `known`: the tally of what was found before, NULL: nothing; its worst cases
 * are not looked for again.  HW_STOPPED; HW_NO_MEMORY; HW_INTERNAL: an order
 * is illegal or of another peak than its solver says, or an exact solver
 * missed the optimum.
 */
hw_code hw_census_block(const hw_census_plan *plan, uint32_t n, const uint32_t *codes,
                        size_t n_dags, size_t block, const hw_census_tally *known,
                        const volatile sig_atomic_t *stop, hw_census_tally *out, hw_error *err);

/* The graph of a worst case, its sizes from `plan`. */
void hw_census_genome(const hw_census_plan *plan, uint32_t n, const hw_census_worst *worst,
                      hw_genome *out);

#endif
