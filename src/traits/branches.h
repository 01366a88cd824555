/*
 * Branches of a graph, in three readings of the word, and how alike their
 * blocks are.
 *
 * FORKS.  With one node put before all others and one behind them, every node
 * f has an immediate post-dominator j, its join: the first node that every
 * path from f to the end passes; and every node j has an immediate dominator
 * f, the last fork that every path to j passed.  The branches between f and j
 * are the connected pieces of what f precedes and precedes j.
 *
 * PARTS.  A set of nodes whose pieces are unordered with each other is a
 * parallel composition of these pieces, its parts; a set whose pieces can be
 * put in a sequence, each node of one before each of the next, is their series
 * composition.  Beginning with all nodes, sets are taken apart so; one that is
 * neither (it holds the pattern N) is left whole.  The branches are the parts.
 *
 * BLOCKS.  Every two unordered blocks are branches of their own.
 */
#ifndef HW_TRAITS_BRANCHES_H
#define HW_TRAITS_BRANCHES_H

#include "traits/blocks.h"
#include "traits/precedence.h"

typedef struct hw_branch {
    uint32_t group; /* of the same fork and join, or of one composition */
    uint64_t block; /* bytes of the largest block that its nodes make   */
    uint64_t total; /* bytes of all of them                             */
} hw_branch;

typedef struct hw_branches {
    uint32_t n_groups; /* each of two branches and more */
    size_t n, capacity;
    hw_branch *branch; /* by group */
} hw_branches;

/* HW_NO_MEMORY.  O(n (n + edges)).  May be closed in any case. */
hw_code hw_branches_of_forks(const hw_precedence *p, const hw_blocks *b, hw_branches *out,
                             hw_error *err);
/* HW_NO_MEMORY.  O(n^3 / 64) words. */
hw_code hw_branches_of_parts(const hw_precedence *p, const hw_blocks *b, hw_branches *out,
                             hw_error *err);
void hw_branches_close(hw_branches *b);

/* How alike two branches of one group are. */
typedef struct hw_likeness {
    uint32_t most;  /* branches of `least` bytes and more in one group, where they are most */
    double balance; /* smaller / larger of two of them, where it is greatest; 0: no two     */
} hw_likeness;

/* By their largest blocks or, with `totals`, by all their bytes; sorts the branches.  O(n log n).
 */
hw_likeness hw_branches_likeness(hw_branches *b, bool totals, double least);

/*
 * The same of the unordered blocks; `most` is the size of a largest set of
 * blocks of least bytes of which each two are unordered (Dilworth 1950, by
 * augmenting paths).  HW_NO_MEMORY.  O(k^3) for k blocks of so many bytes.
 */
hw_code hw_blocks_likeness(const hw_precedence *p, const hw_blocks *b, double least,
                           hw_likeness *out, hw_error *err);

/* smaller / larger of two numbers of bytes; 0 / 0 is 0. */
static inline double hw_balance_of(uint64_t a, uint64_t b)
{
    uint64_t larger = a > b ? a : b;
    return larger == 0 ? 0 : (double)(a > b ? b : a) / (double)larger;
}

#endif
