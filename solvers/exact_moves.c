/*
 * Branches of the exact search.  See exact_moves.h.
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
#include "solvers/exact_moves.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum {
    MOST_CHOICES = 24,   /* inputs of a node that may be freed or not */
    MOST_SUBSETS = 4096, /* of one node; beyond, plain branches        */
    /* Scratch sets: the set of a macro, single-node macros seen, and one for
     * every level of choices. */
    SET = 0,
    SEEN = 1,
    LEVELS = 2,
    N_SETS = LEVELS + MOST_CHOICES + 1
};

hw_code exact_moves_init(exact_moves *list, const exact_problem *p, hw_error *err)
{
    memset(list, 0, sizeof *list);
    list->scratch = HW_NEW(uint64_t, (size_t)N_SETS * p->words);
    return list->scratch ? HW_OK : hw_fail_memory(err, "the branches of a search");
}

void exact_moves_free(exact_moves *list)
{
    free(list->item);
    free(list->scratch);
    memset(list, 0, sizeof *list);
}

static void append(exact_moves *list, exact_move move)
{
    void *array = list->item;
    if (!hw_grow(&array, &list->capacity, list->count + 1, sizeof *list->item)) {
        list->no_memory = true;
        return;
    }
    list->item = array;
    list->item[list->count++] = move;
}

/* The nodes of the set but `last`, ascending, then `last`. */
static void run_set(exact_walk *w, const uint64_t *set, uint32_t last)
{
    for (uint32_t i = 0; i < w->p->words; i++)
        for (uint64_t bits = set[i]; bits; bits &= bits - 1) {
            uint32_t v = i * 64 + (uint32_t)__builtin_ctzll(bits);
            if (v != last)
                exact_walk_do(w, v);
        }
    exact_walk_do(w, last);
}

void exact_move_set(const exact_walk *w, const exact_move *move, uint64_t *set)
{
    const exact_problem *p = w->p;
    memcpy(set, exact_above(p, move->last), p->words * sizeof *set);
    if (move->kind == EXACT_MOVE_BUFFER)
        memcpy(set, exact_closure(p, move->extra), p->words * sizeof *set);
    if (move->kind == EXACT_MOVE_INPUTS)
        for (uint32_t bits = move->extra; bits; bits &= bits - 1) {
            uint32_t k = p->uses.offset[move->last] + (uint32_t)__builtin_ctz(bits);
            const uint64_t *more = exact_closure(p, p->uses.item[k]);
            for (uint32_t i = 0; i < p->words; i++)
                set[i] |= more[i];
        }
    for (uint32_t i = 0; i < p->words; i++)
        set[i] &= ~w->done[i];
}

void exact_move_make(exact_moves *list, exact_walk *w, const exact_move *move)
{
    if (w->reverse) {
        exact_walk_do(w, move->last);
        return;
    }
    uint64_t *set = list->scratch + (size_t)SET * w->p->words;
    exact_move_set(w, move, set);
    run_set(w, set, move->last);
}

/* What all questions at one prefix share. */
typedef struct finder {
    exact_moves *list;
    exact_walk *w;
    const exact_problem *p;
    uint64_t budget;
    bool valley;
    bool committed; /* the last move appended is a commit */
} finder;

/* Are all nodes of the set but `last` pure here, and do their outputs fit? */
static bool may_be_pure(const finder *f, const uint64_t *set, uint32_t last)
{
    const exact_problem *p = f->p;
    uint64_t room = f->budget - f->w->live;
    for (uint32_t i = 0; i < p->words; i++) {
        uint64_t bits = set[i];
        if (last >> 6 == i)
            bits &= ~(UINT64_C(1) << (last & 63));
        if (bits & (p->impure[i] | f->w->frees[i]))
            return false;
        for (; bits; bits &= bits - 1) {
            uint64_t made = p->new_bytes[i * 64 + (uint32_t)__builtin_ctzll(bits)];
            if (made > room)
                return false;
            room -= made;
        }
    }
    return true;
}

/*
 * Try the macro (set \ {last}; last).  Purity holds at S; it has to hold as
 * the nodes of A run one after another, so they are run.
 */
static void try_macro(finder *f, const uint64_t *set, exact_move move)
{
    exact_walk *w = f->w;
    const exact_problem *p = f->p;
    if (!may_be_pure(f, set, move.last))
        return;
    uint64_t before = w->live;
    uint32_t count = w->count, last = move.last;
    bool good = true, only = true; /* only: `last` and its ancestors, no more */
    for (uint32_t i = 0; good && i < p->words; i++) {
        only = only && (set[i] & ~exact_above(p, last)[i]) == 0;
        for (uint64_t bits = set[i]; good && bits; bits &= bits - 1) {
            uint32_t v = i * 64 + (uint32_t)__builtin_ctzll(bits);
            if (v == last)
                continue;
            good = !exact_has(w->frees, v);
            if (good)
                exact_walk_do(w, v);
        }
    }
    uint64_t gain = w->gain[last];
    good = good && w->live <= f->budget && exact_walk_usage(w, last) <= f->budget &&
           (gain || exact_has(p->impure, last));
    move.after = exact_walk_after(w, last);
    while (w->count > count)
        (void)exact_walk_undo(w);
    if (!good)
        return;
    append(f->list, move);
    if (f->valley && move.after <= before)
        f->committed = only || (move.kind == EXACT_MOVE_BUFFER && gain == p->size[move.extra]);
}

static void find_alloc_first(finder *f)
{
    exact_walk *w = f->w;
    const exact_problem *p = f->p;
    uint64_t *set = f->list->scratch + (size_t)SET * p->words;
    uint64_t *seen = f->list->scratch + (size_t)SEEN * p->words;
    memset(seen, 0, p->words * sizeof *seen);
    for (uint32_t i = 0; i < p->words && !f->committed; i++)
        for (uint64_t bits = p->impure[i] & ~w->done[i]; bits && !f->committed; bits &= bits - 1) {
            exact_move move = {0, i * 64 + (uint32_t)__builtin_ctzll(bits), EXACT_MOVE_NODE, 0};
            if (exact_has(w->ready, move.last))
                exact_add(seen, move.last);
            exact_move_set(w, &move, set);
            try_macro(f, set, move);
        }
    for (uint32_t b = 0; b < p->n_buffers && !f->committed; b++) {
        if (w->left[b] == 0)
            continue;
        exact_move move = {0, w->last[b], EXACT_MOVE_BUFFER, b};
        if (w->left[b] == 1 && exact_has(w->ready, move.last)) {
            if (exact_has(seen, move.last))
                continue; /* the node alone, as before */
            exact_add(seen, move.last);
        }
        const uint64_t *closure = exact_closure(p, b);
        for (uint32_t i = 0; i < p->words; i++)
            set[i] = closure[i] & ~w->done[i];
        for (uint32_t i = p->users.offset[b]; i < p->users.offset[b + 1] && !f->committed; i++) {
            move.last = p->users.item[i];
            if (exact_has(w->done, move.last))
                continue;
            bool maximal = true; /* is no other user a descendant? */
            for (uint32_t k = i + 1; k < p->users.offset[b + 1] && maximal; k++)
                maximal = !exact_has(exact_above(p, p->users.item[k]), move.last);
            if (maximal)
                try_macro(f, set, move);
        }
    }
}

/*
 * All macros that node `last` ends: its ancestors, with the closures of every
 * subset of the buffers that it might be made to free.  False: too many.
 */
static bool find_subsets(finder *f, uint32_t last)
{
    exact_walk *w = f->w;
    const exact_problem *p = f->p;
    uint32_t words = p->words, row = p->uses.offset[last], n = 0, level = 0;
    uint32_t choice[MOST_CHOICES], taken[MOST_CHOICES + 1] = {0}, subsets = 0;
    uint8_t state[MOST_CHOICES + 1] = {0}; /* 0: try without; 1: try with; 2: back */
    uint64_t *set = f->list->scratch + (size_t)LEVELS * words;
    for (uint32_t i = 0; i < words; i++)
        set[i] = exact_above(p, last)[i] & ~w->done[i];
    if (!may_be_pure(f, set, last))
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
            try_macro(f, here, (exact_move){0, last, EXACT_MOVE_INPUTS, taken[level]});
            if (f->committed)
                return true;
        } else if (state[level] < 2) {
            bool with = state[level]++ == 1, more = !with;
            const uint64_t *closure = exact_closure(p, p->uses.item[row + choice[level]]);
            for (uint32_t i = 0; i < words; i++) {
                next[i] = here[i] | (with ? closure[i] & ~w->done[i] : 0);
                more = more || next[i] != here[i];
            }
            if (more && (!with || may_be_pure(f, next, last))) {
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

static bool find_free_first(finder *f)
{
    const exact_problem *p = f->p;
    for (uint32_t i = 0; i < p->words && !f->committed; i++) {
        uint64_t valid =
            i + 1 < p->words || p->n % 64 == 0 ? UINT64_MAX : (UINT64_C(1) << (p->n % 64)) - 1;
        for (uint64_t bits = valid & ~f->w->done[i]; bits && !f->committed; bits &= bits - 1)
            if (!find_subsets(f, i * 64 + (uint32_t)__builtin_ctzll(bits)))
                return false;
    }
    return true;
}

static void find_plain(finder *f)
{
    const exact_problem *p = f->p;
    uint32_t step = exact_walk_step(f->w);
    for (uint32_t i = 0; i < p->words; i++)
        for (uint64_t bits = f->w->ready[i]; bits; bits &= bits - 1) {
            uint32_t v = i * 64 + (uint32_t)__builtin_ctzll(bits);
            if (p->earliest && (step < p->earliest[v] || step > p->latest[v]))
                continue;
            if (exact_walk_usage(f->w, v) <= f->budget)
                append(f->list, (exact_move){exact_walk_after(f->w, v), v, EXACT_MOVE_NODE, 0});
        }
}

exact_how exact_moves_find(exact_moves *list, exact_walk *w, const exact_rules *rules,
                           uint64_t budget)
{
    size_t first = list->count;
    finder f = {list, w, w->p, budget, rules->valley, false};
    exact_how how = EXACT_HOW_RULES;
    if (w->reverse || !rules->macros) {
        find_plain(&f);
    } else if (!w->p->free_first) {
        find_alloc_first(&f);
    } else if (!find_free_first(&f)) {
        list->count = first; /* plain branches are complete at any prefix */
        find_plain(&f);
        how = EXACT_HOW_PLAIN;
    }
    if (f.committed) {
        list->item[first] = list->item[list->count - 1];
        list->count = first + 1;
        return EXACT_HOW_COMMIT;
    }
    for (size_t i = first + 1; i < list->count; i++) { /* stable: by insertion */
        exact_move move = list->item[i];
        size_t at = i;
        for (; at > first && list->item[at - 1].after > move.after; at--)
            list->item[at] = list->item[at - 1];
        list->item[at] = move;
    }
    return how;
}
