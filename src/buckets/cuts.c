/* The best ranges of sizes for shared orders.  See cuts.h. */
#include "buckets/cuts.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

const char *hw_bucket_goal_name(hw_bucket_goal goal)
{
    static const char *const name[] = {"worst", "worst-bytes", "total-bytes"};
    return name[goal];
}

hw_bucket_cost hw_bucket_cost_at(const hw_regret *r, size_t order, size_t size)
{
    uint64_t peak = hw_regret_peak(r, order, size), best = r->size[size].best;
    return (hw_bucket_cost){.ratio = {peak, best}, .bytes = peak - best, .total = peak - best};
}

hw_bucket_cost hw_bucket_cost_join(hw_bucket_cost a, hw_bucket_cost b)
{
    return (hw_bucket_cost){.ratio = hw_ratio_compare(a.ratio, b.ratio) >= 0 ? a.ratio : b.ratio,
                            .bytes = a.bytes > b.bytes ? a.bytes : b.bytes,
                            .total = a.total + b.total};
}

int hw_bucket_cost_compare(hw_bucket_cost a, hw_bucket_cost b, hw_bucket_goal goal)
{
    switch (goal) {
    case HW_GOAL_WORST:
        return hw_ratio_compare(a.ratio, b.ratio);
    case HW_GOAL_WORST_BYTES:
        return (a.bytes > b.bytes) - (a.bytes < b.bytes);
    case HW_GOAL_TOTAL_BYTES:
        break;
    }
    return (a.total > b.total) - (a.total < b.total);
}

/* Everything that the search for cuts keeps; n sizes. */
typedef struct search {
    const hw_regret *r;
    hw_bucket_goal goal;
    const volatile sig_atomic_t *stop;
    size_t n;
    hw_bucket *range;       /* range[i * n + j]: sizes i to j with their best order */
    hw_bucket_cost *before; /* the best of the first j sizes in k - 1 buckets; n + 1 */
    hw_bucket_cost *now;    /* ... in k buckets */
    uint32_t *start;        /* start[k * (n + 1) + j]: where the last of them begins */
} search;

static bool is_stopped(const search *s)
{
    return s->stop && *s->stop;
}

static bool found_within(const search *s, const hw_bucket *b)
{
    size_t at = s->r->found_at[b->order];
    return b->first <= at && at <= b->last;
}

/* Is `a` the better choice for the same range? */
static bool better_order(const search *s, const hw_bucket *a, const hw_bucket *b)
{
    int by_goal = hw_bucket_cost_compare(a->cost, b->cost, s->goal);
    if (by_goal != 0)
        return by_goal < 0;
    if (found_within(s, a) != found_within(s, b))
        return found_within(s, a);
    if (a->cost.total != b->cost.total)
        return a->cost.total < b->cost.total;
    return a->order < b->order;
}

static void fill_ranges(search *s)
{
    size_t n = s->n;
    for (size_t order = 0; order < s->r->n_orders && !is_stopped(s); order++)
        for (size_t i = 0; i < n; i++) {
            hw_bucket b = {.first = i, .order = order, .cost = hw_bucket_no_cost()};
            for (size_t j = i; j < n; j++) {
                b.last = j;
                b.cost = hw_bucket_cost_join(b.cost, hw_bucket_cost_at(s->r, order, j));
                if (order == 0 || better_order(s, &b, &s->range[i * n + j]))
                    s->range[i * n + j] = b;
            }
        }
}

/* One bucket more: `now` from `before`. */
static void add_bucket(search *s, size_t k)
{
    size_t n = s->n;
    for (size_t j = k + 1; j <= n; j++) {
        bool any = false;
        for (size_t i = k; i < j; i++) {
            hw_bucket_cost cost = hw_bucket_cost_join(s->before[i], s->range[i * n + j - 1].cost);
            if (any && hw_bucket_cost_compare(cost, s->now[j], s->goal) >= 0)
                continue;
            any = true;
            s->now[j] = cost;
            s->start[k * (n + 1) + j] = (uint32_t)i;
        }
    }
}

static hw_code keep_row(const search *s, size_t k, hw_cuts *row, hw_error *err)
{
    size_t n = s->n, end = n;
    *row = (hw_cuts){.n_buckets = k + 1, .bucket = HW_NEW(hw_bucket, k + 1), .cost = s->now[n]};
    if (!row->bucket)
        return hw_fail_memory(err, "buckets");
    for (size_t b = k + 1; b-- > 0;) {
        size_t first = s->start[b * (n + 1) + end];
        row->bucket[b] = s->range[first * n + end - 1];
        end = first;
    }
    return HW_OK;
}

/* Ranges without regret are closed under taking parts, so the longest ones first are fewest. */
static size_t fewest_free(const search *s)
{
    size_t n = s->n, count = 0;
    for (size_t i = 0; i < n; count++) {
        size_t j = i;
        while (j + 1 < n && s->range[i * n + j + 1].cost.total == 0)
            j++;
        i = j + 1;
    }
    return count;
}

static hw_code find_rows(search *s, size_t most, hw_cuts_table *out, hw_error *err)
{
    size_t n = s->n;
    hw_code code = HW_OK;
    s->now[0] = s->before[0] = hw_bucket_no_cost();
    for (size_t k = 0; k < most && code == HW_OK; k++) {
        if (is_stopped(s))
            return hw_fail(err, HW_STOPPED, "stopped while cutting");
        for (size_t j = 1; k == 0 && j <= n; j++) {
            s->now[j] = s->range[j - 1].cost;
            s->start[j] = 0;
        }
        if (k > 0)
            add_bucket(s, k);
        code = keep_row(s, k, &out->row[k], err);
        out->n = k + 1;
        if (s->now[n].total == 0)
            break;
        hw_bucket_cost *other = s->before;
        s->before = s->now;
        s->now = other;
    }
    return code;
}

hw_code hw_cuts_find(const hw_regret *r, hw_bucket_goal goal, size_t most,
                     const volatile sig_atomic_t *stop, hw_cuts_table *out, hw_error *err)
{
    size_t n = r->n_sizes;
    most = most < n ? most : n;
    *out = (hw_cuts_table){.row = HW_NEW0(hw_cuts, most)};
    search s = {.r = r,
                .goal = goal,
                .stop = stop,
                .n = n,
                .range = HW_NEW(hw_bucket, n * n),
                .before = HW_NEW(hw_bucket_cost, n + 1),
                .now = HW_NEW(hw_bucket_cost, n + 1),
                .start = HW_NEW(uint32_t, most * (n + 1))};
    hw_code code = HW_OK;
    if (!out->row || !s.range || !s.before || !s.now || !s.start)
        code = hw_fail_memory(err, "the search for cuts");
    if (code == HW_OK)
        fill_ranges(&s);
    if (code == HW_OK)
        code = find_rows(&s, most, out, err);
    if (code == HW_OK)
        out->least_free = fewest_free(&s);
    free(s.range);
    free(s.before);
    free(s.now);
    free(s.start);
    if (code != HW_OK)
        hw_cuts_clear(out);
    return code;
}

void hw_cuts_clear(hw_cuts_table *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->row[i].bucket);
    free(t->row);
    *t = (hw_cuts_table){0};
}
