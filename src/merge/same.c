/*
 * Two lines of one run: do they say the same, is one better, or do they
 * contradict each other?  See merge_internal.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "merge/merge_internal.h"
#include "merge/strip.h"

/* FNV-1a (Fowler, Noll and Vo): lines are told apart by it, never trusted: where
 * two hashes are equal that should not be, nothing but a report is lost. */
uint64_t hw_hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* What a run answered, but for its status. */
typedef struct answer_column {
    const char *name;
    hw_maybe_u64 value[2];
} answer_column;

enum { ANSWER_COLUMNS = 6 };

static void answer_columns(const hw_record *a, const hw_record *b,
                           answer_column column[ANSWER_COLUMNS])
{
    const answer_column all[ANSWER_COLUMNS] = {
        {"peak", {a->peak, b->peak}},
        {"checked_peak", {a->checked_peak, b->checked_peak}},
        {"bound", {a->bound, b->bound}},
        {"states", {a->states, b->states}},
        {"orders", {a->orders, b->orders}},
        {"limit_reached", {hw_known(a->limit_reached), hw_known(b->limit_reached)}},
    };
    memcpy(column, all, sizeof all);
}

uint64_t hw_answer_hash(const hw_record *r)
{
    answer_column column[ANSWER_COLUMNS];
    answer_columns(r, r, column);
    uint64_t hash = hw_hash_bytes(HW_HASH_START, r->status, strlen(r->status) + 1);
    for (size_t i = 0; i < ANSWER_COLUMNS; i++) {
        uint64_t known = column[i].value[0].known, value = column[i].value[0].value;
        hash = hw_hash_bytes(hash, &known, sizeof known);
        hash = hw_hash_bytes(hash, &value, known ? sizeof value : 0);
    }
    return hash;
}

static bool is_less(hw_maybe_u64 a, hw_maybe_u64 b)
{
    return a.known && b.known && a.value < b.value;
}

static bool is_status(const hw_record *r, hw_status status)
{
    return strcmp(r->status, hw_status_name(status)) == 0;
}

/* Does what one of them proves deny the other? */
static const char *proof_against(const hw_record *a, const hw_record *b)
{
    if (is_less(b->checked_peak, a->bound) || is_less(a->checked_peak, b->bound))
        return "one has an order below the bound that the other proves";
    if ((is_status(a, HW_OPTIMAL) && is_less(b->checked_peak, a->checked_peak)) ||
        (is_status(b, HW_OPTIMAL) && is_less(a->checked_peak, b->checked_peak)))
        return "one has an order below the optimum that the other proves";
    if ((is_status(a, HW_INFEASIBLE) && b->checked_peak.known) ||
        (is_status(b, HW_INFEASIBLE) && a->checked_peak.known))
        return "one proves that no order is legal, the other has one";
    return NULL;
}

static void put_value(hw_maybe_u64 value, char text[24])
{
    if (value.known)
        (void)snprintf(text, 24, "%" PRIu64, value.value);
    else
        (void)snprintf(text, 24, "null");
}

/* The first column in which they differ, with both values. */
static void put_difference(const hw_record *a, const hw_record *b, char *why, size_t size)
{
    answer_column column[ANSWER_COLUMNS];
    answer_columns(a, b, column);
    (void)snprintf(why, size, "status is %s here, %s there", a->status, b->status);
    if (strcmp(a->status, b->status) != 0)
        return;
    for (size_t i = 0; i < ANSWER_COLUMNS; i++) {
        const hw_maybe_u64 *v = column[i].value;
        char x[24], y[24];
        put_value(v[0], x);
        put_value(v[1], y);
        if (strcmp(x, y) != 0) {
            (void)snprintf(why, size, "%s is %s here, %s there", column[i].name, x, y);
            return;
        }
    }
}

/* More settled is less: a proof, an order, an answer without one, none. */
static int rank_of_status(const hw_record *r)
{
    if (is_status(r, HW_OPTIMAL) || is_status(r, HW_INFEASIBLE))
        return 0;
    if (is_status(r, HW_FEASIBLE))
        return 1;
    return is_status(r, HW_UNKNOWN) || is_status(r, HW_STALLED) ? 2 : 3;
}

/* Negative: a is the better answer.  Equal hashes: the same. */
static int compare_answers(const hw_record *a, const hw_record *b)
{
    int d = hw_record_cut_short(a) - hw_record_cut_short(b);
    d = d ? d : rank_of_status(a) - rank_of_status(b);
    d = d ? d
          : is_less(b->checked_peak, a->checked_peak) - is_less(a->checked_peak, b->checked_peak);
    d = d ? d : is_less(a->bound, b->bound) - is_less(b->bound, a->bound);
    uint64_t x = hw_answer_hash(a), y = hw_answer_hash(b);
    return d ? d : (x > y) - (x < y);
}

bool hw_answers_agree(const hw_record *a, const hw_record *b, bool *first_is_better, char *why,
                      size_t size)
{
    const char *denied = proof_against(a, b);
    put_difference(a, b, why, size);
    *first_is_better = compare_answers(a, b) <= 0;
    if (denied) {
        size_t length = strlen(why);
        (void)snprintf(why + length, size - length, ": %s", denied);
        return false;
    }
    return hw_record_cut_short(a) || hw_record_cut_short(b);
}
