/* The piece that a round of contraction makes.  See exact_round.h. */
#include "solvers/exact_round.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Nodes of q: a pair stands where its leading node (F: first, B: second) stood. */
static void number(exact_round *r)
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
static void gather(exact_round *r, const hw_rows *from, const uint32_t *name, uint32_t i,
                   uint32_t self, uint32_t mark, hw_rows *to)
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

static bool gather_all(exact_round *r, const hw_rows *from, const uint32_t *name, bool nodes,
                       hw_rows *to)
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
static void count_users(exact_round *r)
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
static void fold(exact_round *r, uint32_t i, exact_figures *f)
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

/* In-place pairs of v that stay, after the first `count` of q; how many there are then. */
static uint32_t copy_pairs(const exact_round *r, uint32_t v, uint32_t count)
{
    const exact_problem *p = r->p;
    if (!p->reuse_offset)
        return count;
    for (uint32_t k = p->reuse_offset[v]; k < p->reuse_offset[v + 1]; k++)
        if (exact_round_uses(r, v, p->reuse_pair[k].left))
            r->q->reuse_pair[count++] = p->reuse_pair[k];
    return count;
}

static bool lay_figures(exact_round *r)
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
        exact_figures f = exact_round_figures(r, u, v);
        q->node[i] = p->node[u];
        if (f.n_pairs)
            count = copy_pairs(r, f.pairs_of, count);
        q->reuse_offset[i + 1] = count;
        if (f.n_pairs == 0)
            fold(r, i, &f);
        q->new_bytes[i] = f.net;
        q->workspace[i] = f.add - f.net;
    }
    return true;
}

/* Buffers of which something is left. */
static bool lay_buffers(exact_round *r)
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

bool exact_round_make(exact_round *r)
{
    exact_problem *q = HW_NEW0(exact_problem, 1);
    r->q = q;
    if (!q)
        return false;
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
