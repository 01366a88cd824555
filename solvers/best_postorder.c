/*
 * best-postorder: the best of the orders that finish each subtree before they
 * begin the next one.
 *
 * Rule (Liu 1986): the subtrees of a node come in the order of peak - residue,
 * what a subtree needs beyond what it leaves, largest first; the peak of a
 * subtree follows from theirs.  This is the traversal that sparse direct
 * solvers use, because a stack is all the memory it needs.
 *
 * Ours differs where trees are not Liu's.  A subtree is one segment
 * (segments.h): those that leave less in memory than they find, which reading
 * graph inputs brings about, go first, lowest peak first.  The roots of a
 * forest are ordered like children.  Out-trees are the mirror image: the node,
 * then its subtrees.  What is taken and refused is as for liu (forest.h).
 * No post-order has a smaller peak, by the exchange of neighbours; other orders
 * may need as many times less as one likes (Jacquelin, Marchal, Robert and
 * Ucar 2011; tests/test_best_postorder.c builds their trees).
 *
 * Time O(edges + nodes log nodes), memory O(nodes); no recursion.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "solvers/forest.h"
#include "solve/solver.h"

/* Children of all nodes in rows, one a node; row n holds the roots. */
typedef struct rows {
    uint32_t n;
    hw_segment_item *child; /* a child and its subtree as one segment */
    uint32_t *offset;       /* n + 2                                  */
    uint32_t *end;          /* n + 1: of the children known so far    */
    uint32_t *size;         /* n: nodes of the subtree                */
    uint32_t *start;        /* n: its place in the order              */
} rows;

static uint32_t row_above(const hw_forest *f, uint32_t v)
{
    return f->parent[v] == HW_NONE ? f->n : f->parent[v];
}

static hw_code open_rows(rows *r, const hw_forest *f, hw_error *err)
{
    r->n = f->n;
    r->child = HW_NEW(hw_segment_item, f->n);
    r->offset = HW_NEW0(uint32_t, (size_t)f->n + 2);
    r->end = HW_NEW(uint32_t, (size_t)f->n + 1);
    r->size = HW_NEW(uint32_t, f->n);
    r->start = HW_NEW(uint32_t, f->n);
    if (!r->child || !r->offset || !r->end || !r->size || !r->start)
        return hw_fail_memory(err, "the subtrees of a forest");
    for (uint32_t v = 0; v < f->n; v++)
        r->offset[row_above(f, v) + 1]++;
    for (uint32_t row = 0; row <= f->n; row++) {
        r->offset[row + 1] += r->offset[row];
        r->end[row] = r->offset[row];
    }
    return HW_OK;
}

static void close_rows(rows *r)
{
    free(r->child);
    free(r->offset);
    free(r->end);
    free(r->size);
    free(r->start);
}

/* The children of v are known: put v's subtree as one segment into the row above. */
static void climb(rows *r, const hw_forest *f, uint32_t v)
{
    hw_segment_item *child = r->child + r->offset[v];
    uint32_t count = r->end[v] - r->offset[v], above = row_above(f, v);
    hw_segment below = {0, 0};
    r->size[v] = 1;
    hw_segments_sort(child, count);
    for (uint32_t i = 0; i < count; i++) {
        below = hw_segment_join(below, child[i].segment);
        r->size[v] += r->size[child[i].node];
    }
    hw_segment tree =
        f->out[v] ? hw_segment_join(f->step[v], below) : hw_segment_join(below, f->step[v]);
    r->child[r->end[above]++] = (hw_segment_item){tree, v};
}

/* The subtrees of a row, one after another from `place` on. */
static inline void place(const rows *r, uint32_t row, uint32_t place_of_first)
{
    for (uint32_t i = r->offset[row]; i < r->offset[row + 1]; i++) {
        r->start[r->child[i].node] = place_of_first;
        place_of_first += r->size[r->child[i].node];
    }
}

/* All roots as one segment, and the order. */
static hw_segment lay(const rows *r, const hw_forest *f, uint32_t *order)
{
    hw_segment whole = {0, 0};
    hw_segments_sort(r->child + r->offset[r->n], r->offset[r->n + 1] - r->offset[r->n]);
    for (uint32_t i = r->offset[r->n]; i < r->offset[r->n + 1]; i++)
        whole = hw_segment_join(whole, r->child[i].segment);
    place(r, r->n, 0);
    for (uint32_t i = r->n; i-- > 0;) {
        uint32_t v = f->sequence[i];
        place(r, v, r->start[v] + f->out[v]);
        order[r->start[v] + (f->out[v] ? 0 : r->size[v] - 1)] = v;
    }
    return whole;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_forest f;
    rows r = {0};
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_code code = hw_forest_open(&f, m, "best-postorder", err);
    if (code == HW_OK)
        code = open_rows(&r, &f, err);
    if (code == HW_OK) {
        for (uint32_t i = 0; i < f.n && !answer->limit_reached; i++) {
            climb(&r, &f, f.sequence[i]);
            answer->limit_reached = hw_meter_count(&meter, 1) && i + 1 < f.n;
        }
        answer->states = meter.states;
    }
    if (code == HW_OK && !answer->limit_reached) {
        hw_segment whole = lay(&r, &f, answer->order);
        (void)hw_answer_improve(m, answer, answer->order, m->live_empty + whole.rise);
    }
    close_rows(&r);
    hw_forest_close(&f);
    return code;
}

const hw_solver_row hw_solver_best_postorder = {
    .name = "best-postorder",
    .kind = HW_SOLVER_HEURISTIC,
    .counts = "nodes",
    .help = "in-trees and out-trees, subtree by subtree: peak - residue, largest first",
    .source = "J. Liu, On the storage requirement in the out-of-core multifrontal method for "
              "sparse factorization, ACM TOMS 12 (1986), doi:10.1145/7921.11325",
    .solve = solve,
};
