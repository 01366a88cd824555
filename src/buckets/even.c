/* Evenly spread buckets, and no buckets at all.  See cuts.h. */
#include "buckets/cuts.h"

/* The size that stands for part i of k: its middle, or its end. */
static size_t representative(size_t n, size_t k, size_t i, hw_bucket_rule rule)
{
    return rule == HW_RULE_NEXT ? ((i + 1) * n + k - 1) / k - 1 : (2 * i + 1) * n / (2 * k);
}

static size_t choose(const hw_regret *r, size_t k, size_t size, hw_bucket_rule rule)
{
    uint64_t value = r->size[size].value, least = UINT64_MAX;
    size_t chosen = r->n_sizes - 1;
    for (size_t i = 0; i < k; i++) {
        size_t at = representative(r->n_sizes, k, i, rule);
        uint64_t there = r->size[at].value;
        uint64_t far = there > value ? there - value : value - there;
        if (rule == HW_RULE_NEXT && there < value)
            continue;
        if (far < least) {
            least = far;
            chosen = at;
        }
    }
    return chosen;
}

hw_bucket_cost hw_buckets_even(const hw_regret *r, size_t k, hw_bucket_rule rule, size_t *chosen)
{
    hw_bucket_cost cost = hw_bucket_no_cost();
    for (size_t i = 0; i < r->n_sizes; i++) {
        size_t at = choose(r, k, i, rule);
        if (chosen)
            chosen[i] = at;
        cost = hw_bucket_cost_join(cost, hw_bucket_cost_at(r, r->size[at].order, i));
    }
    return cost;
}

hw_bucket_cost hw_buckets_unlucky(const hw_regret *r)
{
    hw_bucket_cost cost = hw_bucket_no_cost();
    for (size_t i = 0; i < r->n_sizes; i++) {
        size_t least = r->size[i].order;
        for (size_t a = 0; a < r->n_sizes; a++) {
            size_t order = r->size[a].order;
            if (hw_regret_peak(r, order, i) > hw_regret_peak(r, least, i))
                least = order;
        }
        cost = hw_bucket_cost_join(cost, hw_bucket_cost_at(r, least, i));
    }
    return cost;
}

hw_bucket_cost hw_buckets_again(const hw_regret *r)
{
    hw_bucket_cost cost = hw_bucket_no_cost();
    for (size_t i = 0; i < r->n_sizes; i++) {
        const hw_size_answer *s = &r->size[i];
        uint64_t more = s->has_again ? s->again_peak - s->best : 0;
        if (s->has_again)
            cost = hw_bucket_cost_join(
                cost,
                (hw_bucket_cost){.ratio = {s->again_peak, s->best}, .bytes = more, .total = more});
    }
    return cost;
}
