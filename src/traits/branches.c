/* How alike branches are, and branches between forks and joins.  See branches.h. */
#include "traits/branches.h"

#include <stdlib.h>

#include "traits/branches_internal.h"

void hw_branches_close(hw_branches *b)
{
    free(b->branch);
    *b = (hw_branches){0};
}

/* ---- Pieces of a set. ---- */

hw_code pieces_open(pieces *x, const hw_precedence *p, const hw_blocks *b, hw_branches *out,
                    hw_error *err)
{
    *out = (hw_branches){0};
    *x = (pieces){.p = p, .out = out};
    x->block = HW_NEW0(uint64_t, p->n);
    x->total = HW_NEW0(uint64_t, p->n);
    x->stack = HW_NEW(uint32_t, p->n);
    x->left = HW_NEW(uint64_t, p->words);
    if (!x->block || !x->total || !x->stack || !x->left)
        return hw_fail_memory(err, "the branches of a graph");
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t v = b->block[i].maker;
        if (v == HW_NONE)
            continue;
        x->total[v] += b->block[i].bytes;
        if (b->block[i].bytes > x->block[v])
            x->block[v] = b->block[i].bytes;
    }
    return HW_OK;
}

void pieces_close(pieces *x)
{
    free(x->block);
    free(x->total);
    free(x->stack);
    free(x->left);
}

bool pieces_add(pieces *x, hw_branch branch)
{
    hw_branches *out = x->out;
    if (!hw_grow((void **)&out->branch, &out->capacity, out->n + 1, sizeof *out->branch))
        return false;
    out->branch[out->n++] = branch;
    return true;
}

/* ---- Forks. ---- */

/* The nearest common ancestor of a and b in a tree of dominators. */
static uint32_t meet(const uint32_t *up, const uint32_t *depth, uint32_t a, uint32_t b)
{
    while (a != b)
        if (depth[a] >= depth[b])
            a = up[a];
        else
            b = up[b];
    return a;
}

/*
 * Immediate dominators, node n standing before all others (Cooper, Harvey and
 * Kennedy 2001, which one pass settles on a DAG); backwards: post-dominators.
 */
static void find_dominators(const hw_precedence *p, const hw_rows *edges, bool backwards,
                            uint32_t *up, uint32_t *depth)
{
    uint32_t n = p->n;
    up[n] = n;
    depth[n] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = p->order[backwards ? n - 1 - i : i], first = edges->offset[v];
        uint32_t at = first == edges->offset[v + 1] ? n : edges->item[first];
        for (uint32_t k = first; k < edges->offset[v + 1]; k++)
            at = meet(up, depth, at, edges->item[k]);
        up[v] = at;
        depth[v] = depth[at] + 1;
    }
}

/* The piece of v inside x->left, which it leaves; its edges join nodes inside. */
static hw_branch take_piece(pieces *x, const hw_graph *g, uint32_t v)
{
    hw_branch b = {.group = x->out->n_groups};
    uint32_t n = 0;
    hw_bits_remove(x->left, v);
    x->stack[n++] = v;
    while (n > 0) {
        v = x->stack[--n];
        pieces_weigh(x, v, &b);
        const hw_rows *rows[] = {&g->preds, &g->succs};
        for (int side = 0; side < 2; side++)
            for (uint32_t k = rows[side]->offset[v]; k < rows[side]->offset[v + 1]; k++)
                if (hw_bits_have(x->left, rows[side]->item[k])) {
                    hw_bits_remove(x->left, rows[side]->item[k]);
                    x->stack[n++] = rows[side]->item[k];
                }
    }
    return b;
}

/* The branches between f and j, either of which may be n: outside. */
static bool add_fork(pieces *x, const hw_graph *g, uint32_t f, uint32_t j)
{
    const hw_precedence *p = x->p;
    size_t begin = x->out->n;
    for (size_t w = 0; w < p->words; w++)
        x->left[w] = (f == p->n ? UINT64_MAX : hw_after(p, f)[w]) &
                     (j == p->n ? UINT64_MAX : hw_before(p, j)[w]);
    if (p->n % 64 && f == p->n && j == p->n)
        x->left[p->words - 1] &= hw_bit(p->n) - 1;
    for (size_t w = 0; w < p->words; w++)
        while (x->left[w])
            if (!pieces_add(x, take_piece(x, g, (uint32_t)(w * 64) + hw_lowest_bit(x->left[w]))))
                return false;
    pieces_end_group(x, begin);
    return true;
}

hw_code hw_branches_of_forks(const hw_precedence *p, const hw_blocks *b, hw_branches *out,
                             hw_error *err)
{
    const hw_graph *g = b->model->graph;
    uint32_t n = p->n;
    pieces x;
    hw_code code = pieces_open(&x, p, b, out, err);
    uint32_t *up = HW_NEW(uint32_t, n + 1), *down = HW_NEW(uint32_t, n + 1);
    uint32_t *depth = HW_NEW(uint32_t, n + 1);
    bool fine = code == HW_OK && up && down && depth;
    if (fine) {
        find_dominators(p, &g->preds, false, up, depth);
        find_dominators(p, &g->succs, true, down, depth);
        fine = add_fork(&x, g, n, n);
    }
    /* A join whose fork has it for its join would come twice. */
    for (uint32_t v = 0; v < n && fine; v++) {
        fine = add_fork(&x, g, v, down[v]);
        if (fine && (up[v] == n || down[up[v]] != v))
            fine = add_fork(&x, g, up[v], v);
    }
    free(up);
    free(down);
    free(depth);
    pieces_close(&x);
    return code == HW_OK && !fine ? hw_fail_memory(err, "the branches of a graph") : code;
}

/* ---- Likeness. ---- */

static int compare_blocks(const void *a, const void *b)
{
    const hw_branch *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->block < y->block) - (x->block > y->block);
}

static int compare_totals(const void *a, const void *b)
{
    const hw_branch *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->total < y->total) - (x->total > y->total);
}

hw_likeness hw_branches_likeness(hw_branches *b, bool totals, double least)
{
    hw_likeness l = {0};
    uint32_t in_group = 0;
    if (b->n)
        qsort(b->branch, b->n, sizeof *b->branch, totals ? compare_totals : compare_blocks);
    for (size_t i = 0; i < b->n; i++) {
        const hw_branch *x = &b->branch[i];
        uint64_t bytes = totals ? x->total : x->block;
        in_group = i > 0 && x[-1].group == x->group ? in_group : 0;
        if ((double)bytes < least || bytes == 0)
            continue;
        if (++in_group > l.most)
            l.most = in_group;
        /* Sorted, the most alike pair are neighbours. */
        double balance =
            in_group > 1 ? hw_balance_of(bytes, totals ? x[-1].total : x[-1].block) : 0;
        if (balance > l.balance)
            l.balance = balance;
    }
    return l;
}
