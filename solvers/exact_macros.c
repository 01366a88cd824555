/*
 * Lazy macro-steps, the branches of the forward search.  See exact_macros.h.
 *
 * R3, lazy macros.  Let v be pure at S when it frees nothing there, has no
 * workspace and no dead output.  A pure node only adds to what is live, so it
 * can wait: take any completion of S, let w be its first node that is not pure
 * when it runs, and run after w those pure nodes before it that w does not
 * need.  Their steps then see at most what w's step saw, and w's step sees
 * less.  What w needs is
 *   - its ancestors, when it has workspace or dead outputs;
 *   - alloc-first: one buffer x that it frees is enough of a reason: all users
 *     of x and their ancestors.  What else w freed is freed a little later, by
 *     the last postponed user, still below the usage of w's step, which held
 *     everything;
 *   - free-first: the usage of w's step counts what it frees, so the set Y of
 *     its inputs that it frees matters: one macro for every subset Y.  Already
 *     ready nodes are no exception.
 * w is maximal in the set and ranges over all its maximal nodes.  A macro
 * whose A is not pure throughout is skipped: the first impure node of A ends a
 * shorter macro that is listed too.  When no buffer is left to be freed, no
 * workspace and no dead output, every order of the rest ends at live(Q).
 * In-place: a node that reads a buffer which another node may overwrite is
 * never pure (exact_problem.c).
 *
 * R2, valley commits.  A macro to T within the budget with live(T) <= live(S)
 * is made at once when no prefix Y between S and T is lower than T.  If w is
 * not in Y then Y adds only pure nodes: live(Y) >= live(S).  If w is in Y and
 * w is the only maximal node, Y = T.  If the macro frees nothing but its
 * buffer x, a Y other than T lacks a user of x and frees nothing.
 */
#include "solvers/exact_macros.h"

#include <string.h>

enum {
    MOST_CHOICES = EXACT_MOST_CHOICES,
    MOST_SUBSETS = 4096, /* of one node; beyond, plain branches */
    /* Scratch sets: the set of a macro, single-node macros seen, the prefix
     * that a macro leads to, and one for every level of choices. */
    SET = 0,
    SEEN = 1,
    TARGET = 2,
    LEVELS = 3
};
_Static_assert(EXACT_SCRATCH_SETS >= LEVELS + MOST_CHOICES + 1, "scratch sets");

/* What all questions at one prefix share. */
typedef struct finder {
    exact_moves *list;
    exact_walk *w;
    const exact_problem *p;
    const exact_dead *dead;
    uint64_t room; /* of the budget, above what is live */
    uint64_t budget;
    bool valley;
    bool committed; /* the last move appended is a commit */
} finder;

static inline uint64_t *scratch(const finder *f, uint32_t words, uint32_t i)
{
    return f->list->scratch + (size_t)i * words;
}

/* The bytes that the nodes of the set make, `most` or more when they exceed it. */
HW_SPECIALIZE uint64_t made_bytes(const finder *f, const uint64_t *set, uint64_t most,
                                  uint32_t words)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t bits = set[i]; bits; bits &= bits - 1) {
            uint64_t made = f->p->new_bytes[i * 64 + hw_lowest_bit(bits)];
            if (made > most - sum)
                return most;
            sum += made;
        }
    return sum;
}

/* Would a buffer that `v` uses die with it, as the counts stand?  Counts v. */
static inline bool count_uses(const finder *f, uint32_t v)
{
    const exact_problem *p = f->p;
    bool frees = false;
    for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++) {
        uint32_t b = p->uses.item[k];
        frees |= --f->w->left[b] == 0 && p->size[b];
    }
    return frees;
}

static inline void uncount_uses(const finder *f, uint32_t v)
{
    const exact_problem *p = f->p;
    for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++)
        f->w->left[p->uses.item[k]]++;
}

/*
 * Run the nodes of A in thought: true when each is pure as it runs.  Then
 * *gain is what `last` would free after them.  The counts of the walk are as
 * before afterwards.
 */
HW_SPECIALIZE bool rehearse(finder *f, const uint64_t *set, uint32_t last, uint64_t *gain,
                            uint64_t *reuse, uint32_t words)
{
    const exact_problem *p = f->p;
    bool pure = true;
    uint32_t stop = UINT32_MAX; /* the first node that is not counted */
    for (uint32_t i = 0; pure && i < words; i++)
        for (uint64_t bits = set[i]; pure && bits; bits &= bits - 1) {
            uint32_t v = i * 64 + hw_lowest_bit(bits);
            if (v == last)
                continue;
            pure = !count_uses(f, v);
            stop = v;
        }
    if (pure) {
        *gain = 0;
        for (uint32_t k = p->uses.offset[last]; k < p->uses.offset[last + 1]; k++)
            if (f->w->left[p->uses.item[k]] == 1)
                *gain += p->size[p->uses.item[k]];
        *reuse = p->reuse_offset ? exact_walk_reuse(f->w, last) : 0;
    }
    for (uint32_t i = 0; i < words && stop != UINT32_MAX; i++)
        for (uint64_t bits = set[i]; bits; bits &= bits - 1) {
            uint32_t v = i * 64 + hw_lowest_bit(bits);
            if (v != last)
                uncount_uses(f, v);
            if (v == stop) {
                stop = UINT32_MAX;
                break;
            }
        }
    return pure;
}

/*
 * List the macro (set \ {last}; last) if it keeps within the budget, A being
 * pure and making `made` bytes.
 */
HW_SPECIALIZE void try_macro(finder *f, const uint64_t *set, exact_move move, uint64_t made,
                             uint32_t words)
{
    exact_walk *w = f->w;
    const exact_problem *p = f->p;
    uint32_t last = move.last;
    uint64_t gain, reuse, *target = scratch(f, words, TARGET);
    if (!rehearse(f, set, last, &gain, &reuse, words))
        return;
    uint64_t live = w->live + made;
    uint64_t usage = live + p->new_bytes[last] + p->workspace[last];
    usage -= p->free_first ? gain : reuse;
    if (usage > f->budget || (gain == 0 && !exact_has(p->impure, last)))
        return;
    for (uint32_t i = 0; i < words; i++)
        target[i] = w->done[i] | set[i];
    exact_dead_expect(f->dead, target);
    move.after = live + p->new_bytes[last] - p->dead_bytes[last] - gain;
    exact_moves_append(f->list, move);
    if (!f->valley || move.after > w->live)
        return;
    bool only = true; /* `last` and its ancestors, no more */
    for (uint32_t i = 0; i < words; i++)
        only = only && (set[i] & ~exact_above(p, last)[i]) == 0;
    f->committed = only || (move.kind == EXACT_MOVE_BUFFER && gain == p->size[move.extra]);
}

/* The macros of all nodes with workspace or dead outputs. */
HW_SPECIALIZE void find_impure(finder *f, uint32_t words)
{
    const exact_problem *p = f->p;
    const exact_walk *w = f->w;
    uint64_t *set = scratch(f, words, SET), *seen = scratch(f, words, SEEN);
    for (uint32_t i = 0; i < words && !f->committed; i++)
        for (uint64_t bits = p->impure[i] & ~w->done[i]; bits && !f->committed; bits &= bits - 1) {
            uint32_t v = i * 64 + hw_lowest_bit(bits);
            bool pure = true;
            if (exact_has(w->ready, v))
                exact_add(seen, v);
            for (uint32_t k = 0; k < words; k++) {
                set[k] = exact_above(p, v)[k] & ~w->done[k];
                pure = pure &&
                       !((set[k] & (p->impure[k] | w->frees[k])) & ~(v >> 6 == k ? hw_bit(v) : 0));
            }
            if (!pure)
                continue;
            uint64_t most =
                f->room < UINT64_MAX - p->new_bytes[v] ? f->room + p->new_bytes[v] + 1 : UINT64_MAX;
            uint64_t made = made_bytes(f, set, most, words);
            if (made < most)
                try_macro(f, set, (exact_move){0, v, EXACT_MOVE_NODE, 0}, made - p->new_bytes[v],
                          words);
        }
}

/* The macros that free buffer b.  `set` holds what is left of its closure. */
HW_SPECIALIZE void find_of_buffer(finder *f, uint32_t b, const uint64_t *set, uint32_t words)
{
    const exact_problem *p = f->p;
    const exact_walk *w = f->w;
    const uint64_t *tops = exact_tops(p, b);
    uint64_t *seen = scratch(f, words, SEEN);
    uint64_t most = p->top_bytes[b]; /* room, what the last node makes, and 1 */
    most = f->room < UINT64_MAX - 1 - most ? f->room + most + 1 : UINT64_MAX;
    bool bad = false;
    for (uint32_t i = 0; i < words; i++) {
        uint64_t bits = set[i] & (p->impure[i] | w->frees[i]);
        if (bits & (bits - 1) || (bits && bad)) /* only the last need not be pure */
            return;
        bad = bad || bits;
    }
    uint64_t made = made_bytes(f, set, most, words);
    if (made == most)
        return;
    for (uint32_t i = 0; i < words && !f->committed; i++) {
        uint64_t lasts = set[i] & tops[i];
        if (bad)
            lasts &= p->impure[i] | w->frees[i];
        for (; lasts && !f->committed; lasts &= lasts - 1) {
            uint32_t v = i * 64 + hw_lowest_bit(lasts);
            if (made - p->new_bytes[v] > f->room)
                continue;
            if (w->left[b] == 1 && exact_has(w->ready, v)) {
                if (exact_has(seen, v))
                    continue; /* the node alone, as before */
                exact_add(seen, v);
            }
            size_t count = f->list->count;
            try_macro(f, set, (exact_move){0, v, EXACT_MOVE_BUFFER, b}, made - p->new_bytes[v],
                      words);
            /* Another last node leads to the same prefix, past the same usage
             * unless it reuses more. */
            if (f->list->count > count && !p->reuse_offset)
                return;
        }
    }
}

HW_SPECIALIZE void find_alloc_first(finder *f, uint32_t words)
{
    const exact_walk *w = f->w;
    uint64_t *set = scratch(f, words, SET);
    memset(scratch(f, words, SEEN), 0, words * sizeof *set);
    find_impure(f, words);
    for (uint32_t b = 0; b < f->p->n_buffers && !f->committed; b++) {
        if (w->left[b] == 0)
            continue;
        const uint64_t *closure = exact_closure(f->p, b);
        for (uint32_t i = 0; i < words; i++)
            set[i] = closure[i] & ~w->done[i];
        find_of_buffer(f, b, set, words);
    }
}

/* Are all nodes of the set but `last` pure here, and do their outputs fit? */
HW_SPECIALIZE bool may_be_pure(const finder *f, const uint64_t *set, uint32_t last, uint64_t *made,
                               uint32_t words)
{
    const exact_problem *p = f->p;
    for (uint32_t i = 0; i < words; i++)
        if (set[i] & (p->impure[i] | f->w->frees[i]) & ~(last >> 6 == i ? hw_bit(last) : 0))
            return false;
    *made = made_bytes(f, set, UINT64_MAX, words) - p->new_bytes[last];
    return *made <= f->room;
}

/*
 * All macros that node `last` ends: its ancestors, with the closures of every
 * subset of the buffers that it might be made to free.  False: too many.
 */
HW_SPECIALIZE bool find_subsets(finder *f, uint32_t last, uint32_t words)
{
    exact_walk *w = f->w;
    const exact_problem *p = f->p;
    uint32_t row = p->uses.offset[last], n = 0, level = 0;
    uint32_t choice[MOST_CHOICES], taken[MOST_CHOICES + 1] = {0}, subsets = 0;
    uint64_t made[MOST_CHOICES + 1];
    uint8_t state[MOST_CHOICES + 1] = {0}; /* 0: try without; 1: try with; 2: back */
    uint64_t *set = scratch(f, words, LEVELS);
    for (uint32_t i = 0; i < words; i++)
        set[i] = exact_above(p, last)[i] & ~w->done[i];
    if (!may_be_pure(f, set, last, &made[0], words))
        return true;
    for (uint32_t k = row; k < p->uses.offset[last + 1]; k++) {
        if (!p->last_ok[k])
            continue;
        bool more = false;
        const uint64_t *closure = exact_closure(p, p->uses.item[k]);
        for (uint32_t i = 0; i < words; i++)
            more = more || (closure[i] & ~w->done[i] & ~set[i]);
        if (!more)
            continue;
        if (n == MOST_CHOICES || k - row >= 32)
            return false;
        choice[n++] = k - row;
    }
    for (;;) {
        uint64_t *here = set + (size_t)level * words, *next = here + words;
        if (level == n) {
            if (++subsets > MOST_SUBSETS)
                return false;
            try_macro(f, here, (exact_move){0, last, EXACT_MOVE_INPUTS, taken[level]}, made[level],
                      words);
            if (f->committed)
                return true;
        } else if (state[level] < 2) {
            bool with = state[level]++ == 1, more = !with;
            const uint64_t *closure = exact_closure(p, p->uses.item[row + choice[level]]);
            for (uint32_t i = 0; i < words; i++) {
                next[i] = here[i] | (with ? closure[i] & ~w->done[i] : 0);
                more = more || next[i] != here[i];
            }
            made[level + 1] = made[level];
            if (more && (!with || may_be_pure(f, next, last, &made[level + 1], words))) {
                taken[level + 1] = taken[level] | (with ? UINT32_C(1) << choice[level] : 0);
                state[++level] = 0;
            }
            continue;
        }
        if (level == 0)
            return true;
        level--;
    }
}

HW_SPECIALIZE bool find_free_first(finder *f, uint32_t words)
{
    const exact_problem *p = f->p;
    for (uint32_t i = 0; i < words && !f->committed; i++) {
        uint64_t valid = i + 1 < words || p->n % 64 == 0 ? UINT64_MAX : hw_bit(p->n) - 1;
        for (uint64_t bits = valid & ~f->w->done[i]; bits && !f->committed; bits &= bits - 1)
            if (!find_subsets(f, i * 64 + hw_lowest_bit(bits), words))
                return false;
    }
    return true;
}

HW_SPECIALIZE bool find(finder *f, uint32_t words)
{
    if (f->p->free_first)
        return find_free_first(f, words);
    find_alloc_first(f, words);
    return true;
}

bool exact_macros_find(exact_moves *list, exact_walk *w, const exact_dead *dead, bool valley,
                       uint64_t budget, bool *committed)
{
    finder f = {list, w, w->p, dead, budget - w->live, budget, valley, false};
    bool complete;
    switch (w->p->words) { /* straight code for the usual sizes */
    case 1:
        complete = find(&f, 1);
        break;
    case 2:
        complete = find(&f, 2);
        break;
    default:
        complete = find(&f, w->p->words);
        break;
    }
    *committed = f.committed;
    return complete;
}
