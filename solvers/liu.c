/*
 * liu: the best order of in-trees and out-trees, by Liu's segments.
 *
 * Rule (Liu 1987): the best order of a subtree is a chain of segments, from
 * one valley of its live bytes to the next.  The chains of the children are
 * merged by what a segment leaves below its hill (hill - valley), largest
 * first, the node is put behind, and segments that it makes one with are joined.
 *
 * Here, rule by rule:
 * - Liu's trees begin with nothing in memory, each node has one output and one
 *   consumer, and running a node holds its inputs and its output (alloc-first)
 *   or a given size.  Here a step is any climb and fall (fixed_steps.h): both
 *   accountings, workspace, several outputs, kept and dead ones, in-place
 *   pairs, views, zero sizes.
 * - Nodes that read graph inputs may leave less in memory than they found.
 *   Liu's order of segments is for rising ones; falling ones go first, lowest
 *   hill first (Abdel-Wahab and Kameda 1978), which is Liu's order seen from
 *   the other end.  The proof for all of them is in segments.h.
 * - Liu computes the valleys of each merged chain anew, in O(n^2) for a path
 *   of n nodes.  Here segments that stand in the right order are left apart,
 *   in a heap: O(n log n) for every shape.
 * - A forest is one more merge, of the roots.  Out-trees are the mirror image:
 *   the node is put before the merged chains.  With one consumer a tensor this
 *   is exact under both accountings, because costs of steps are fixed; where a
 *   tensor is shared by branches it is not, and the graph is refused
 *   (forest.h), as are windows.
 *
 * Time O((nodes + edges) + nodes log nodes), memory O(nodes); no recursion.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "solvers/forest.h"
#include "solve/solver.h"

/* The forest's nodes into segments; true: a limit was reached. */
static bool compose(const hw_forest *f, hw_segments *s, hw_segment_set *below, hw_meter *meter)
{
    for (uint32_t v = 0; v < f->n; v++)
        below[v] = HW_SEGMENT_SET_EMPTY;
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t v = f->sequence[i], p = f->parent[v];
        hw_segment_set node = hw_segments_node(s, v, s->segment[v]);
        hw_segment_set tree = f->out[v] ? hw_segments_series(s, node, below[v])
                                        : hw_segments_series(s, below[v], node);
        if (p != HW_NONE)
            below[p] = hw_segments_parallel(s, below[p], tree);
        if (hw_meter_count(meter, 1) && i + 1 < f->n)
            return true;
    }
    return false;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_forest f;
    hw_segments s = {0};
    hw_segment whole;
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_segment_set *below = HW_NEW(hw_segment_set, m->n_nodes);
    hw_code code = hw_forest_open(&f, m, "liu", err);
    if (code == HW_OK && !below)
        code = hw_fail_memory(err, "the segments of subtrees");
    if (code == HW_OK)
        code = hw_segments_open(&s, f.n, f.any_out, f.any_in, err);
    if (code == HW_OK) {
        hw_segments_take_steps(&s, &f.step);
        answer->limit_reached = compose(&f, &s, below, &meter);
    }
    answer->states = meter.states;
    if (code == HW_OK && !answer->limit_reached) {
        code = hw_segments_lay(&s, answer->order, &whole, err);
        if (code == HW_OK) {
            (void)hw_answer_improve(m, answer, answer->order, m->live_empty + whole.rise);
            answer->status = HW_OPTIMAL;
            (void)hw_answer_bound(m, answer, answer->peak);
        }
    }
    hw_segments_close(&s);
    hw_forest_close(&f);
    free(below);
    return code;
}

const hw_solver_row hw_solver_liu = {
    .name = "liu",
    .kind = HW_SOLVER_EXACT,
    .counts = "nodes",
    .help = "in-trees and out-trees, optimal: subtrees merged by their hills and valleys",
    .source = "J. Liu, An application of generalized tree pebbling to sparse matrix "
              "factorization, SIAM J. Alg. Disc. Meth. 8 (1987), doi:10.1137/0608031; "
              "Abdel-Wahab and Kameda 1978, doi:10.1287/opre.26.1.141",
    .solve = solve,
};
