/*
 * Why an order is not series-parallel: the pattern N.  See
 * series_parallel_tree.h.
 *
 * Pieces of a topological order are convex, so the edges inside a piece tell
 * its order.  A larger piece of an order that is not series-parallel is not
 * either: bisection finds the first place behind which no such piece is whole,
 * then the last place from which on it is none.  Both ends x .. y of what is
 * left belong to every N in it: x is a or b, y is c or d.  The other two follow
 * from how the nodes between compare with x and y.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "solvers/series_parallel_tree.h"

static sp_verdict judge(const sp_places *p, uint32_t low, uint32_t high, hw_meter *meter)
{
    sp_tree t;
    sp_verdict verdict = sp_tree_open(&t, p, low, high, meter);
    if (verdict == SP_YES)
        sp_tree_close(&t);
    return verdict;
}

/*
 * The least length, up to `most`, of a piece that is not series-parallel: from
 * place 0 on, or up to the place before `end` if that is not 0.  Lengths double
 * first, so that the cost follows the answer.  SP_NO: found.
 */
static sp_verdict least_length(const sp_places *p, uint32_t end, uint32_t most, hw_meter *meter,
                               uint32_t *length)
{
    uint32_t good = 0, bad = most, next = most < 4 ? most : 4;
    bool found = false;
    while (!found || bad - good > 1) {
        sp_verdict verdict = judge(p, end ? end - next : 0, end ? end : next, meter);
        if (verdict == SP_YES) {
            if (next == most)
                return SP_YES;
            good = next;
        } else if (verdict == SP_NO) {
            bad = next;
            found = true;
        } else {
            return verdict;
        }
        next = found ? good + (bad - good) / 2 : next > most / 2 ? most : 2 * next;
    }
    *length = bad;
    return SP_NO;
}

/* How a node compares with both ends. */
enum { ABOVE_X = 1, BELOW_Y = 2 };

static void compare_with_ends(const sp_places *p, uint32_t x, uint32_t y, uint8_t *how)
{
    const hw_rows *preds = &p->preds;
    how[0] = ABOVE_X;
    for (uint32_t i = x + 1; i <= y; i++) {
        how[i - x] = 0;
        for (uint32_t k = preds->offset[i]; k < preds->offset[i + 1]; k++)
            if (preds->item[k] >= x && (how[preds->item[k] - x] & ABOVE_X))
                how[i - x] = ABOVE_X;
    }
    how[y - x] |= BELOW_Y;
    for (uint32_t i = y; i > x; i--)
        for (uint32_t k = preds->offset[i]; k < preds->offset[i + 1]; k++)
            if (preds->item[k] >= x && (how[i - x] & BELOW_Y))
                how[preds->item[k] - x] |= BELOW_Y;
}

/* The first edge from a node of kind `from` to one of kind `to`, ends apart. */
static bool find_edge(const sp_places *p, uint32_t x, uint32_t y, const uint8_t *how, uint8_t from,
                      uint8_t to, uint32_t *tail, uint32_t *head)
{
    const hw_rows *preds = &p->preds;
    for (uint32_t i = x + 1; i < y; i++)
        for (uint32_t k = preds->offset[i]; how[i - x] == to && k < preds->offset[i + 1]; k++)
            if (preds->item[k] > x && how[preds->item[k] - x] == from) {
                *tail = preds->item[k];
                *head = i;
                return true;
            }
    return false;
}

/*
 * x, y = a, d: a path leads from some b below y to some c above x; its nodes
 * between are neither.  origin[i]: a b that precedes place x + i.
 */
static sp_verdict find_path(const sp_places *p, uint32_t x, uint32_t y, const uint8_t *how,
                            uint32_t *b, uint32_t *c)
{
    const hw_rows *preds = &p->preds;
    sp_verdict verdict = SP_YES;
    uint32_t *origin = HW_NEW(uint32_t, y - x + 1);
    if (!origin)
        return SP_NO_MEMORY;
    for (uint32_t i = x + 1; i < y && verdict == SP_YES; i++) {
        origin[i - x] = how[i - x] == BELOW_Y ? i : HW_NONE;
        for (uint32_t k = preds->offset[i]; k < preds->offset[i + 1]; k++)
            if (preds->item[k] > x && !(how[i - x] & BELOW_Y) &&
                origin[preds->item[k] - x] != HW_NONE)
                origin[i - x] = origin[preds->item[k] - x];
        if (how[i - x] == ABOVE_X && origin[i - x] != HW_NONE) {
            *b = origin[i - x];
            *c = i;
            verdict = SP_NO;
        }
    }
    free(origin);
    return verdict;
}

/*
 * x, y = b, c: some a below y, not above x, and some d above x, not below y,
 * where a does not precede d.  Any a and d will do, because an N needs both
 * ends.  Say a' precedes d and a does not: if a and a' are not comparable,
 * (a, a', y, d) is an N without x; if a' precedes a, (x, a', d, a) is one
 * without y.  Say a precedes d' and not d: if these are not comparable,
 * (a, x, d', d) is an N without y; if d precedes d', (d, a, d', y) is one
 * without x.  So all a precede all d or none does.
 */
static sp_verdict find_apart(uint32_t x, uint32_t y, const uint8_t *how, uint32_t *a, uint32_t *d)
{
    *a = *d = HW_NONE;
    for (uint32_t i = y; i-- > x + 1;) {
        if (how[i - x] == BELOW_Y)
            *a = i;
        if (how[i - x] == ABOVE_X)
            *d = i;
    }
    return *a == HW_NONE || *d == HW_NONE ? SP_YES : SP_NO;
}

static sp_verdict complete(const sp_places *p, uint32_t x, uint32_t y, uint32_t at[4])
{
    uint8_t *how = HW_NEW(uint8_t, y - x + 1);
    if (!how)
        return SP_NO_MEMORY;
    compare_with_ends(p, x, y, how);
    sp_verdict verdict;
    if (!(how[y - x] & ABOVE_X)) {
        at[0] = x;
        at[3] = y;
        verdict = find_path(p, x, y, how, &at[1], &at[2]);
    } else if (find_edge(p, x, y, how, BELOW_Y, 0, &at[1], &at[3])) {
        at[0] = x;
        at[2] = y;
        verdict = SP_NO;
    } else if (find_edge(p, x, y, how, 0, ABOVE_X, &at[0], &at[2])) {
        at[1] = x;
        at[3] = y;
        verdict = SP_NO;
    } else {
        at[1] = x;
        at[2] = y;
        verdict = find_apart(x, y, how, &at[0], &at[3]);
    }
    free(how);
    return verdict;
}

sp_verdict sp_find_pattern(const sp_places *p, hw_meter *meter, uint32_t pattern[4])
{
    uint32_t end = 0, length = 0, at[4] = {0};
    sp_verdict verdict = least_length(p, 0, p->n, meter, &end);
    if (verdict == SP_NO)
        verdict = least_length(p, end, end, meter, &length);
    if (verdict == SP_NO)
        verdict = complete(p, end - length, end - 1, at);
    for (int i = 0; i < 4 && verdict == SP_NO; i++)
        pattern[i] = p->node[at[i]];
    return verdict;
}
