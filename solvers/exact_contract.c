/* Pairs of nodes that become one.  See exact_contract.h. */
#include "solvers/exact_contract.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* One round: p is looked at, q is made of it. */
typedef struct round {
    const exact_problem *p;
    exact_problem *q;
    /* Of p, with useless uses left out. */
    hw_rows uses;
    uint32_t *n_users;                  /* of a buffer                    */
    uint32_t *n_users_after;            /* nodes of q                     */
    uint64_t *alone, *all;              /* of a node: bytes, see the head */
    uint64_t *least_reuse, *most_reuse; /* of a node                      */
    uint32_t *partner;                  /* HW_NONE: none                  */
    bool *backwards;                    /* of the first of a pair: B      */
    uint32_t *first, *second;           /* of a node of q: nodes of p     */
    uint32_t *name;                     /* of a node of p in q            */
    uint32_t *buffer_name;              /* of a buffer of p in q          */
    uint64_t *size;                     /* of a buffer of p, in q         */
    uint32_t *stamp;
    uint32_t n_pairs;
} round;

static uint64_t net(const exact_problem *p, uint32_t v)
{
    return p->new_bytes[v] - p->dead_bytes[v];
}

static uint64_t add(const exact_problem *p, uint32_t v)
{
    return p->new_bytes[v] + p->workspace[v];
}

static bool uses(const round *r, uint32_t v, uint32_t b)
{
    for (uint32_t k = r->uses.offset[v]; k < r->uses.offset[v + 1]; k++)
        if (r->uses.item[k] == b)
            return true;
    return false;
}

/* What v saves when it frees the buffers that are its alone, or all of its. */
static bool find_reuse(const round *r, uint32_t v, hw_weighted_pair *pairs, bool all,
                       uint64_t *saved)
{
    const exact_problem *p = r->p;
    size_t n = 0;
    for (uint32_t k = p->reuse_offset[v]; k < p->reuse_offset[v + 1]; k++) {
        uint32_t b = p->reuse_pair[k].left;
        if (uses(r, v, b) && (all || r->n_users[b] == 1))
            pairs[n++] = p->reuse_pair[k];
    }
    *saved = hw_matching(pairs, n);
    return *saved != UINT64_MAX;
}

static bool find_all_reuse(round *r)
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
static bool look(round *r)
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

/* What a node of q is: one node of p, or two in a row. */
typedef struct figures {
    uint64_t net, add;
    uint32_t pairs_of; /* whose in-place pairs stay */
    uint32_t n_pairs;  /* of them                   */
} figures;

/*
 * In-place pairs of v that may save anything in the node that v is part of.
 * One alone, of a buffer that nobody else uses, always does.
 */
static void settle_pairs(const round *r, uint32_t v, uint32_t other, figures *f)
{
    const exact_problem *p = r->p;
    f->pairs_of = v;
    f->n_pairs = 0;
    uint32_t only = 0;
    for (uint32_t k = p->reuse_offset ? p->reuse_offset[v] : 0;
         p->reuse_offset && k < p->reuse_offset[v + 1]; k++)
        if (uses(r, v, p->reuse_pair[k].left)) {
            only = k;
            f->n_pairs++;
        }
    if (f->n_pairs != 1)
        return;
    uint32_t b = p->reuse_pair[only].left;
    uint32_t others = r->n_users[b] - 1 - (other != HW_NONE && uses(r, other, b));
    if (others == 0) {
        f->add -= p->reuse_pair[only].weight;
        f->n_pairs = 0;
    }
}

static figures join(const round *r, uint32_t u, uint32_t v, bool backwards)
{
    const exact_problem *p = r->p;
    figures f = {.net = net(p, u) + net(p, v)};
    if (backwards)
        f.add = net(p, u) + add(p, v) - (p->free_first ? 0 : r->alone[u]);
    else
        f.add = add(p, u) + (p->free_first ? r->alone[v] : 0);
    settle_pairs(r, backwards ? v : u, backwards ? u : v, &f);
    return f;
}

static bool may_join_forwards(const round *r, uint32_t u, uint32_t v)
{
    const exact_problem *p = r->p;
    uint64_t room = p->workspace[u] + p->dead_bytes[u];
    if (net(p, v) > r->alone[v])
        return false;
    if (p->free_first)
        return r->alone[v] == r->all[v] && room + r->alone[v] >= add(p, v);
    return room + (r->alone[u] - r->least_reuse[u]) >= add(p, v) - r->least_reuse[v];
}

static bool may_join_backwards(const round *r, uint32_t u, uint32_t v)
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
static bool is_ordinary(const round *r, uint32_t u, uint32_t v, bool backwards)
{
    figures f = join(r, u, v, backwards);
    return f.n_pairs == 0 || f.net <= f.add;
}

static void pair_up(round *r, uint32_t u, uint32_t v, bool backwards)
{
    r->partner[u] = v;
    r->partner[v] = u;
    r->backwards[u] = backwards;
    r->n_pairs++;
}

static void choose_pairs(round *r)
{
    const exact_problem *p = r->p;
    memset(r->partner, 0xff, p->n * sizeof *r->partner);
    for (uint32_t v = 0; v < p->n; v++) {
        uint32_t u = r->partner[v] == HW_NONE ? last_pred(p, v) : HW_NONE;
        if (u != HW_NONE && r->partner[u] == HW_NONE && may_join_forwards(r, u, v) &&
            is_ordinary(r, u, v, false))
            pair_up(r, u, v, false);
    }
    for (uint32_t u = p->n; u-- > 0;) {
        uint32_t v = r->partner[u] == HW_NONE ? first_succ(p, u) : HW_NONE;
        if (v != HW_NONE && r->partner[v] == HW_NONE && may_join_backwards(r, u, v) &&
            is_ordinary(r, u, v, true))
            pair_up(r, u, v, true);
    }
}

/* Nodes of q: a pair stands where its leading node (F: first, B: second) stood. */
static void number(round *r)
{
    const exact_problem *p = r->p;
    uint32_t n = 0;
    for (uint32_t v = 0; v < p->n; v++) {
        uint32_t with = r->partner[v], first = v, second = HW_NONE;
        if (with != HW_NONE) {
            first = v < with ? v : with;
            second = v < with ? with : v;
            if (v != (r->backwards[first] ? second : first))
                continue;
            r->name[with] = n;
        }
        r->name[v] = n;
        r->first[n] = first;
        r->second[n++] = second;
    }
    r->q->n = n;
    r->q->words = n ? (n + 63) / 64 : 1;
}

/* Rows of both members, renamed, each item once, `self` left out. */
static void gather(round *r, const hw_rows *from, const uint32_t *name, uint32_t i, uint32_t self,
                   uint32_t mark, hw_rows *to)
{
    uint32_t member[2] = {r->first[i], r->second[i]};
    for (int m = 0; m < 2 && member[m] != HW_NONE; m++)
        for (uint32_t k = from->offset[member[m]]; k < from->offset[member[m] + 1]; k++) {
            uint32_t item = name[from->item[k]];
            if (item == HW_NONE || item == self || r->stamp[item] == mark)
                continue;
            r->stamp[item] = mark;
            to->item[to->offset[i + 1]++] = item;
        }
}

static bool new_rows(hw_rows *rows, uint32_t n, size_t items)
{
    rows->offset = HW_NEW0(uint32_t, (size_t)n + 1);
    rows->item = HW_NEW(uint32_t, items);
    return rows->offset && rows->item;
}

static bool gather_all(round *r, const hw_rows *from, const uint32_t *name, bool nodes, hw_rows *to)
{
    exact_problem *q = r->q;
    if (!new_rows(to, q->n, from->offset[r->p->n]))
        return false;
    memset(r->stamp, 0xff, ((size_t)r->p->n + r->p->n_buffers) * sizeof *r->stamp);
    for (uint32_t i = 0; i < q->n; i++) {
        to->offset[i + 1] = to->offset[i];
        gather(r, from, name, i, nodes ? i : HW_NONE, i, to);
    }
    return true;
}

/* How many nodes of q use each buffer of p. */
static void count_users(round *r)
{
    const exact_problem *p = r->p;
    memset(r->stamp, 0xff, p->n_buffers * sizeof *r->stamp);
    for (uint32_t i = 0; i < r->q->n; i++)
        for (uint32_t v = r->first[i]; v != HW_NONE; v = v == r->first[i] ? r->second[i] : HW_NONE)
            for (uint32_t k = r->uses.offset[v]; k < r->uses.offset[v + 1]; k++) {
                uint32_t b = r->uses.item[k];
                r->n_users_after[b] += r->stamp[b] != i;
                r->stamp[b] = i;
            }
}

/* Take what can be taken from the buffers that node i of q frees in every order. */
static void fold(round *r, uint32_t i, figures *f)
{
    for (uint32_t v = r->first[i]; v != HW_NONE; v = v == r->first[i] ? r->second[i] : HW_NONE)
        for (uint32_t k = r->uses.offset[v]; k < r->uses.offset[v + 1]; k++) {
            uint32_t b = r->uses.item[k];
            if (r->n_users_after[b] != 1)
                continue;
            uint64_t part = r->size[b] < f->net ? r->size[b] : f->net;
            f->net -= part;
            f->add -= r->p->free_first ? part : 0;
            r->size[b] -= part;
        }
}

static bool lay_figures(round *r)
{
    const exact_problem *p = r->p;
    exact_problem *q = r->q;
    size_t n_pairs = p->reuse_offset ? p->reuse_offset[p->n] : 0;
    q->node = HW_NEW(uint32_t, q->n);
    q->new_bytes = HW_NEW(uint64_t, q->n);
    q->dead_bytes = HW_NEW0(uint64_t, q->n);
    q->workspace = HW_NEW(uint64_t, q->n);
    q->reuse_offset = HW_NEW0(uint32_t, (size_t)q->n + 1);
    q->reuse_pair = HW_NEW(hw_weighted_pair, n_pairs);
    if (!q->node || !q->new_bytes || !q->dead_bytes || !q->workspace || !q->reuse_offset ||
        !q->reuse_pair)
        return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < q->n; i++) {
        uint32_t u = r->first[i], v = r->second[i];
        figures f = {.net = net(p, u), .add = add(p, u)};
        if (v != HW_NONE)
            f = join(r, u, v, r->backwards[u]);
        else
            settle_pairs(r, u, HW_NONE, &f);
        q->node[i] = p->node[u];
        for (uint32_t k = f.n_pairs ? p->reuse_offset[f.pairs_of] : 0;
             f.n_pairs && k < p->reuse_offset[f.pairs_of + 1]; k++)
            if (uses(r, f.pairs_of, p->reuse_pair[k].left))
                q->reuse_pair[count++] = p->reuse_pair[k];
        q->reuse_offset[i + 1] = count;
        if (f.n_pairs == 0)
            fold(r, i, &f);
        q->new_bytes[i] = f.net;
        q->workspace[i] = f.add - f.net;
    }
    return true;
}

/* Buffers of which something is left. */
static bool lay_buffers(round *r)
{
    const exact_problem *p = r->p;
    exact_problem *q = r->q;
    q->size = HW_NEW(uint64_t, p->n_buffers);
    if (!q->size)
        return false;
    for (uint32_t b = 0; b < p->n_buffers; b++) {
        r->buffer_name[b] = r->size[b] ? q->n_buffers : HW_NONE;
        if (r->size[b])
            q->size[q->n_buffers++] = r->size[b];
    }
    uint32_t n_pairs = q->reuse_offset[q->n];
    for (uint32_t k = 0; k < n_pairs; k++)
        q->reuse_pair[k].left = r->buffer_name[q->reuse_pair[k].left];
    if (n_pairs == 0) {
        free(q->reuse_offset);
        free(q->reuse_pair);
        q->reuse_offset = NULL;
        q->reuse_pair = NULL;
    }
    return gather_all(r, &r->uses, r->buffer_name, false, &q->uses);
}

static bool make(round *r)
{
    exact_problem *q = r->q;
    q->free_first = r->p->free_first;
    q->first_step = r->p->first_step;
    q->live_start = q->live_end = r->p->live_start;
    number(r);
    if (!gather_all(r, &r->p->preds, r->name, true, &q->preds) ||
        !gather_all(r, &r->p->succs, r->name, true, &q->succs))
        return false;
    count_users(r);
    if (!lay_figures(r) || !lay_buffers(r))
        return false;
    for (uint32_t i = 0; i < q->n; i++)
        q->live_end += q->new_bytes[i];
    for (uint32_t b = 0; b < q->n_buffers; b++)
        q->live_end -= q->size[b];
    return exact_problem_lay(q);
}

static void free_round(round *r)
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

static bool start_round(round *r, const exact_problem *p)
{
    *r = (round){.p = p};
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
    return new_rows(&r->uses, p->n, p->uses.offset[p->n]) && r->n_users && r->n_users_after &&
           r->alone && r->all && r->least_reuse && r->most_reuse && r->partner && r->backwards &&
           r->first && r->second && r->name && r->buffer_name && r->size && r->stamp;
}

/* The members of the nodes of q, by those of the nodes of p (NULL: themselves). */
static bool compose(const round *r, exact_contraction *c, uint32_t n)
{
    uint32_t *offset = HW_NEW(uint32_t, (size_t)r->q->n + 1), *member = HW_NEW(uint32_t, n);
    if (!offset || !member) {
        free(offset);
        free(member);
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->q->n; i++) {
        offset[i] = count;
        for (uint32_t v = r->first[i]; v != HW_NONE; v = v == r->first[i] ? r->second[i] : HW_NONE)
            if (c->offset)
                for (uint32_t k = c->offset[v]; k < c->offset[v + 1]; k++)
                    member[count++] = c->member[k];
            else
                member[count++] = v;
    }
    offset[r->q->n] = count;
    free(c->offset);
    free(c->member);
    c->offset = offset;
    c->member = member;
    return true;
}

void exact_contract_free(exact_contraction *c)
{
    exact_problem_free(c->small);
    free(c->offset);
    free(c->member);
    *c = (exact_contraction){NULL, NULL, NULL};
}

hw_code exact_contract(const exact_problem *p, exact_contraction *c, hw_error *err)
{
    *c = (exact_contraction){NULL, NULL, NULL};
    bool good = true, more = !p->earliest;
    while (good && more) {
        round r;
        good = start_round(&r, c->small ? c->small : p) && look(&r);
        if (good)
            choose_pairs(&r);
        more = r.n_pairs > 0;
        if (good && more) {
            r.q = HW_NEW0(exact_problem, 1);
            good = r.q && make(&r) && compose(&r, c, p->n);
            exact_problem_free(good ? c->small : r.q);
            c->small = good ? r.q : c->small;
        }
        free_round(&r);
    }
    if (good)
        return HW_OK;
    exact_contract_free(c);
    return hw_fail_memory(err, "contracting a piece");
}

void exact_contract_expand(const exact_contraction *c, const uint32_t *order, uint32_t *expanded)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->small->n; i++)
        for (uint32_t k = c->offset[order[i]]; k < c->offset[order[i] + 1]; k++)
            expanded[count++] = c->member[k];
}
