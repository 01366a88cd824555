/* What becomes of a piece in one round: which pairs join.  See exact_round.h. */
#include "solvers/exact_round.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static uint64_t net(const exact_problem *p, uint32_t v)
{
    return p->new_bytes[v] - p->dead_bytes[v];
}

static uint64_t add(const exact_problem *p, uint32_t v)
{
    return p->new_bytes[v] + p->workspace[v];
}

bool exact_round_uses(const exact_round *r, uint32_t v, uint32_t b)
{
    for (uint32_t k = r->uses.offset[v]; k < r->uses.offset[v + 1]; k++)
        if (r->uses.item[k] == b)
            return true;
    return false;
}

/* What v saves when it frees the buffers that are its alone, or all of its. */
static bool find_reuse(const exact_round *r, uint32_t v, hw_weighted_pair *pairs, bool all,
                       uint64_t *saved)
{
    const exact_problem *p = r->p;
    size_t n = 0;
    for (uint32_t k = p->reuse_offset[v]; k < p->reuse_offset[v + 1]; k++) {
        uint32_t b = p->reuse_pair[k].left;
        if (exact_round_uses(r, v, b) && (all || r->n_users[b] == 1))
            pairs[n++] = p->reuse_pair[k];
    }
    *saved = hw_matching(pairs, n);
    return *saved != UINT64_MAX;
}

static bool find_all_reuse(exact_round *r)
{
    const exact_problem *p = r->p;
    if (!p->reuse_offset)
        return true;
    hw_weighted_pair *pairs = HW_NEW(hw_weighted_pair, p->reuse_offset[p->n]);
    bool good = pairs != NULL;
    for (uint32_t v = 0; good && v < p->n; v++)
        good = find_reuse(r, v, pairs, false, &r->least_reuse[v]) &&
               find_reuse(r, v, pairs, true, &r->most_reuse[v]);
    free(pairs);
    return good;
}

/* Uses that may free, and the sums of them. */
static bool look(exact_round *r)
{
    const exact_problem *p = r->p;
    uint32_t count = 0;
    for (uint32_t v = 0; v < p->n; v++) {
        r->uses.offset[v] = count;
        for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++)
            if (p->last_ok[k]) {
                r->uses.item[count++] = p->uses.item[k];
                r->n_users[p->uses.item[k]]++;
            }
    }
    r->uses.offset[p->n] = count;
    for (uint32_t v = 0; v < p->n; v++)
        for (uint32_t k = r->uses.offset[v]; k < r->uses.offset[v + 1]; k++) {
            uint32_t b = r->uses.item[k];
            r->all[v] += p->size[b];
            r->alone[v] += r->n_users[b] == 1 ? p->size[b] : 0;
        }
    memcpy(r->size, p->size, p->n_buffers * sizeof *r->size);
    return find_all_reuse(r);
}

/* The predecessor of v that all others precede, or HW_NONE. */
static uint32_t last_pred(const exact_problem *p, uint32_t v)
{
    uint32_t last = HW_NONE;
    for (uint32_t k = p->preds.offset[v]; k < p->preds.offset[v + 1]; k++)
        if (last == HW_NONE || p->preds.item[k] > last)
            last = p->preds.item[k];
    for (uint32_t k = p->preds.offset[v]; k < p->preds.offset[v + 1]; k++)
        if (!exact_has(exact_above(p, last), p->preds.item[k]))
            return HW_NONE;
    return last;
}

/* The successor of u that all others follow, or HW_NONE. */
static uint32_t first_succ(const exact_problem *p, uint32_t u)
{
    uint32_t first = HW_NONE;
    for (uint32_t k = p->succs.offset[u]; k < p->succs.offset[u + 1]; k++)
        if (p->succs.item[k] < first)
            first = p->succs.item[k];
    for (uint32_t k = p->succs.offset[u]; k < p->succs.offset[u + 1]; k++)
        if (!exact_has(exact_above(p, p->succs.item[k]), first))
            return HW_NONE;
    return first;
}

/*
 * In-place pairs of v that may save anything in the node that v is part of.
 * One alone, of a buffer that nobody else uses, always does.
 */
static void settle_pairs(const exact_round *r, uint32_t v, uint32_t other, exact_figures *f)
{
    const exact_problem *p = r->p;
    f->pairs_of = v;
    f->n_pairs = 0;
    uint32_t only = 0;
    for (uint32_t k = p->reuse_offset ? p->reuse_offset[v] : 0;
         p->reuse_offset && k < p->reuse_offset[v + 1]; k++)
        if (exact_round_uses(r, v, p->reuse_pair[k].left)) {
            only = k;
            f->n_pairs++;
        }
    if (f->n_pairs != 1)
        return;
    uint32_t b = p->reuse_pair[only].left;
    uint32_t others = r->n_users[b] - 1 - (other != HW_NONE && exact_round_uses(r, other, b));
    if (others == 0) {
        f->add -= p->reuse_pair[only].weight;
        f->n_pairs = 0;
    }
}

exact_figures exact_round_figures(const exact_round *r, uint32_t u, uint32_t v)
{
    const exact_problem *p = r->p;
    exact_figures f = {.net = net(p, u), .add = add(p, u)};
    uint32_t leads = u, other = v;
    if (v != HW_NONE && r->backwards[u]) {
        f.add = f.net + add(p, v) - (p->free_first ? 0 : r->alone[u]);
        leads = v;
        other = u;
    } else if (v != HW_NONE && p->free_first) {
        f.add += r->alone[v];
    }
    if (v != HW_NONE)
        f.net += net(p, v);
    settle_pairs(r, leads, other, &f);
    return f;
}

static bool may_join_forwards(const exact_round *r, uint32_t u, uint32_t v)
{
    const exact_problem *p = r->p;
    uint64_t room = p->workspace[u] + p->dead_bytes[u];
    if (net(p, v) > r->alone[v])
        return false;
    if (p->free_first)
        return r->alone[v] == r->all[v] && room + r->alone[v] >= add(p, v);
    return room + (r->alone[u] - r->least_reuse[u]) >= add(p, v) - r->least_reuse[v];
}

static bool may_join_backwards(const exact_round *r, uint32_t u, uint32_t v)
{
    const exact_problem *p = r->p;
    uint64_t room = p->workspace[u] + p->dead_bytes[u];
    if (net(p, u) < r->all[u])
        return false;
    if (p->free_first)
        return room + r->all[v] <= add(p, v);
    return r->alone[u] == r->all[u] &&
           room + (r->all[u] - r->most_reuse[u]) <= add(p, v) - r->most_reuse[v];
}

/* With in-place pairs left nothing is folded: it has to be a node as it is. */
static bool is_ordinary(const exact_round *r, uint32_t u, uint32_t v)
{
    exact_figures f = exact_round_figures(r, u, v);
    return f.n_pairs == 0 || f.net <= f.add;
}

/* Unless no ordinary node does what both do. */
static void pair_up(exact_round *r, uint32_t u, uint32_t v, bool backwards)
{
    r->backwards[u] = backwards;
    if (!is_ordinary(r, u, v))
        return;
    r->partner[u] = v;
    r->partner[v] = u;
    r->n_pairs++;
}

static void choose_pairs(exact_round *r)
{
    const exact_problem *p = r->p;
    memset(r->partner, 0xff, p->n * sizeof *r->partner);
    for (uint32_t v = 0; v < p->n; v++) {
        uint32_t u = r->partner[v] == HW_NONE ? last_pred(p, v) : HW_NONE;
        if (u != HW_NONE && r->partner[u] == HW_NONE && may_join_forwards(r, u, v))
            pair_up(r, u, v, false);
    }
    for (uint32_t u = p->n; u-- > 0;) {
        uint32_t v = r->partner[u] == HW_NONE ? first_succ(p, u) : HW_NONE;
        if (v != HW_NONE && r->partner[v] == HW_NONE && may_join_backwards(r, u, v))
            pair_up(r, u, v, true);
    }
}

void exact_round_free(exact_round *r)
{
    free(r->uses.offset);
    free(r->uses.item);
    free(r->n_users);
    free(r->n_users_after);
    free(r->alone);
    free(r->all);
    free(r->least_reuse);
    free(r->most_reuse);
    free(r->partner);
    free(r->backwards);
    free(r->first);
    free(r->second);
    free(r->name);
    free(r->buffer_name);
    free(r->size);
    free(r->stamp);
}

static bool allocate(exact_round *r, const exact_problem *p)
{
    *r = (exact_round){.p = p};
    r->uses.offset = HW_NEW(uint32_t, (size_t)p->n + 1);
    r->uses.item = HW_NEW(uint32_t, p->uses.offset[p->n]);
    r->n_users = HW_NEW0(uint32_t, p->n_buffers);
    r->n_users_after = HW_NEW0(uint32_t, p->n_buffers);
    r->alone = HW_NEW0(uint64_t, p->n);
    r->all = HW_NEW0(uint64_t, p->n);
    r->least_reuse = HW_NEW0(uint64_t, p->n);
    r->most_reuse = HW_NEW0(uint64_t, p->n);
    r->partner = HW_NEW(uint32_t, p->n);
    r->backwards = HW_NEW0(bool, p->n);
    r->first = HW_NEW(uint32_t, p->n);
    r->second = HW_NEW(uint32_t, p->n);
    r->name = HW_NEW(uint32_t, p->n);
    r->buffer_name = HW_NEW(uint32_t, p->n_buffers);
    r->size = HW_NEW(uint64_t, p->n_buffers);
    r->stamp = HW_NEW(uint32_t, (size_t)p->n + p->n_buffers);
    return r->uses.offset && r->uses.item && r->n_users && r->n_users_after && r->alone && r->all &&
           r->least_reuse && r->most_reuse && r->partner && r->backwards && r->first && r->second &&
           r->name && r->buffer_name && r->size && r->stamp;
}

bool exact_round_start(exact_round *r, const exact_problem *p)
{
    if (!allocate(r, p) || !look(r))
        return false;
    choose_pairs(r);
    return true;
}
