/*
 * The search for an allocation within a capacity, or the proof of none.
 *
 * What is looked for is one allocation S: of all within the capacity, one whose
 * sum of offsets is least, and of those that differ by an exchange of twins
 * (buffers alike in everything) the one with twins in ascending order.  In S no
 * free buffer can be moved down, so each lies at 0 or right upon another one.
 *
 * A state is a set of laid items, a lower bound `low` for each open one, and a
 * mark on those that were passed over.  Invariants:
 *
 *   I1  Laid items lie as in S.
 *   I2  In S an open item lies above every laid one that it meets; `low` is the
 *       least (aligned) offset that does, and free of all laid ones.
 *   I3  A passed item lies in S elsewhere than at its `low`.
 *
 * For every open item `least` is a lower bound of its offset in S: `low`, and
 * for a passed one by `supports`.  An item that is not passed, with least ==
 * low, and whose low is no greater than `least` of all open ones that it meets,
 * is a candidate.  One exists: among open items that with the smallest `least`
 * (a passed one is supported by a smaller one).  Branch on any candidate x:
 * either S(x) = low(x); then no open item that meets x lies below it in S, I2
 * holds with x laid; or x is passed (I3).  So every choice of candidates is
 * complete, and no S is met twice.
 *
 * Rules, each with a switch, each sound for alignment, fixed offsets and spans:
 *
 *   supports  A passed item that is free lies in S right upon an open one that
 *             it meets (upon a laid one it would lie at low, by I2): least(x) =
 *             min over open y that x meets of least(y) + above(y, x), rounded
 *             up.  Sizes are positive, so that the system has one solution.
 *             Without the rule least(x) is the smallest low of the items that are
 *             not passed: the lowest open item of S lies upon laid ones or at 0,
 *             at its low.  (The monotone floor of MiniMalloc.)
 *   sections  In a section all open items that need something there lie one
 *             upon another above the smallest of their `least`: that and the
 *             sum of needs must fit.
 *   heads     The same for those whose `least` is at least some value, for each
 *             value: the bound of one machine with release dates.
 *   holes     If low(x) + above(x, y) <= least(y) for all open y that x meets, then
 *             S(x) = low(x), as x could be moved there.  So x is laid without a
 *             branch; if it was passed, there is no S here.  (Dominance.)
 *   twins     The second of two open twins lies above the first.
 *   cuts      Where no open item lives on both sides of a border between
 *             sections, both sides are searched apart: items of one side do not
 *             appear in any rule for the other.
 *
 * A fixed item has its offset as `low`; raised above it, or passed, there is no
 * S.  Worst case exponential; O(sum over open items of the sections they live in)
 * a step, times the rounds of `supports`; memory O(items + sections).
 *
 * Sources: Moffitt, MiniMalloc, ASPLOS 2023 (canonical solutions, section
 * inference, dominance, decomposition); Carlier 1982 (heads).  That passing
 * marks replace the global order of MiniMalloc, so that items may be laid in any
 * order of candidates, and the rules supports, holes in this form and twins: this
 * project.
 */
#ifndef HW_ARENA_EXACT_OFFSET_SEARCH_H
#define HW_ARENA_EXACT_OFFSET_SEARCH_H

#include "arena/exact_offset_problem.h"

typedef struct offset_rules {
    bool supports, sections, heads, holes, twins, cuts;
} offset_rules;

/*
 * Which candidate is next: the smallest of all, or that with the smallest
 * `least` in a section, where open items below it come first.  The section: with
 * fewest items that may come next in it; fewest for the needs that are left in it;
 * most needs left.  All but the first take the rules supports, sections and heads.
 */
typedef enum offset_chooser {
    OFFSET_LOWEST,
    OFFSET_FEWEST,
    OFFSET_RELATIVE,
    OFFSET_FULLEST,
} offset_chooser;

/*
 * Ties of `least` are broken by keys, the largest first, then by the lower index.
 * T greatest load of a section of its life, R the same of open items only, W life,
 * A size times life, Z size, O number of items that it meets.
 */
typedef struct offset_strategy {
    const char *keys;
    offset_chooser chooser;
} offset_strategy;

typedef enum offset_outcome {
    OFFSET_FOUND,
    OFFSET_IMPOSSIBLE,
    OFFSET_CUT_SHORT, /* by the limit of steps or by look() */
    OFFSET_NO_MEMORY
} offset_outcome;

typedef struct offset_search offset_search;

/* Called every few steps; true: stop. */
typedef bool offset_look(void *context);

/* HW_NO_MEMORY.  The problem is the caller's and outlives the search. */
hw_code offset_search_new(const offset_problem *p, const offset_rules *rules, offset_look *look,
                          void *context, offset_search **out, hw_error *err);
void offset_search_free(offset_search *s);

/*
 * Look for an allocation of at most `capacity` units in at most `steps` steps
 * (0: no limit).  weight[item], in 1/1024, multiplies keys (NULL: none).
 * *used: steps taken.
 */
offset_outcome offset_search_run(offset_search *s, uint64_t capacity,
                                 const offset_strategy *strategy, const uint32_t *weight,
                                 uint64_t steps, uint64_t *used);

/* After OFFSET_FOUND: offsets of items, in units. */
const uint64_t *offset_search_offsets(const offset_search *s);

#endif
