/* Branches of the exact search.  See exact_moves.h. */
#include "solvers/exact_moves.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/exact_macros.h"

hw_code exact_moves_init(exact_moves *list, const exact_problem *p, hw_error *err)
{
    memset(list, 0, sizeof *list);
    list->scratch = HW_NEW(uint64_t, (size_t)EXACT_SCRATCH_SETS * p->words);
    return list->scratch ? HW_OK : hw_fail_memory(err, "the branches of a search");
}

void exact_moves_free(exact_moves *list)
{
    free(list->item);
    free(list->scratch);
    memset(list, 0, sizeof *list);
}

void exact_moves_append(exact_moves *list, exact_move move)
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
    if (w->reverse) {
        memset(set, 0, p->words * sizeof *set);
        exact_add(set, move->last);
        return;
    }
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
    uint64_t *set = list->scratch;
    exact_move_set(w, move, set);
    run_set(w, set, move->last);
}

static void find_plain(exact_moves *list, exact_walk *w, const exact_dead *dead, uint64_t budget)
{
    const exact_problem *p = w->p;
    uint32_t step = exact_walk_step(w);
    for (uint32_t i = 0; i < p->words; i++)
        for (uint64_t bits = w->ready[i]; bits; bits &= bits - 1) {
            uint32_t v = i * 64 + hw_lowest_bit(bits);
            if (p->earliest && (step < p->earliest[v] || step > p->latest[v]))
                continue;
            if (exact_walk_usage(w, v) > budget)
                continue;
            exact_add(w->done, v);
            if (!exact_dead_has(dead, w->done))
                exact_moves_append(list,
                                   (exact_move){exact_walk_after(w, v), v, EXACT_MOVE_NODE, 0});
            exact_drop(w->done, v);
        }
}

/* Leave out the moves from `first` on that lead to prefixes known dead. */
static void drop_dead(exact_moves *list, size_t first, const exact_walk *w, const exact_dead *dead)
{
    uint64_t *set = list->scratch;
    size_t kept = first;
    for (size_t i = first; i < list->count; i++) {
        exact_move_set(w, &list->item[i], set);
        for (uint32_t k = 0; k < w->p->words; k++)
            set[k] |= w->done[k];
        if (!exact_dead_has(dead, set))
            list->item[kept++] = list->item[i];
    }
    list->count = kept;
}

exact_how exact_moves_find(exact_moves *list, exact_walk *w, const exact_dead *dead,
                           const exact_rules *rules, uint64_t budget)
{
    size_t first = list->count;
    bool committed = false;
    exact_how how = EXACT_HOW_RULES;
    if (w->reverse || !rules->macros) {
        find_plain(list, w, dead, budget);
    } else if (!exact_macros_find(list, w, dead, rules->valley, budget, &committed)) {
        list->count = first; /* plain branches are complete at any prefix */
        find_plain(list, w, dead, budget);
        how = EXACT_HOW_PLAIN;
    }
    if (committed) {
        list->item[first] = list->item[list->count - 1];
        list->count = first + 1;
        return EXACT_HOW_COMMIT;
    }
    drop_dead(list, first, w, dead);
    for (size_t i = first + 1; i < list->count; i++) { /* stable: by insertion */
        exact_move move = list->item[i];
        size_t at = i;
        for (; at > first && list->item[at - 1].after > move.after; at--)
            list->item[at] = list->item[at - 1];
        list->item[at] = move;
    }
    return how;
}
