/*
 * series-parallel: an optimal order of a graph whose precedence is
 * series-parallel and whose tensors each have a consumer that comes last.
 *
 * Source of the problem and of its solution: Kayaaslan, Lambert, Marchal and
 * Uçar, "Scheduling series-parallel task graphs to minimize peak memory",
 * Theoretical Computer Science 707, 2018, doi:10.1016/j.tcs.2017.09.037
 * (research report INRIA RR-8975).  Theirs, rule by rule, and ours:
 *
 * - Theirs takes two-terminal series-parallel graphs, one tensor an edge.  Ours
 *   takes every graph whose partial order of nodes is series-parallel (see
 *   series_parallel_tree.h): several sources and sinks, multiple edges,
 *   forests, complete bipartite pieces, superfluous edges, control edges.  A
 *   tensor may have several consumers if one of them comes after all others.
 * - Theirs composes two parts in series by putting the order of the second
 *   behind that of the first.  So does ours.
 * - Theirs composes parts in parallel by taking each, once solved, for a chain:
 *   it cuts all chains at their least live moment, orders what is before the
 *   cuts by Liu's algorithm run backwards (an out-tree) and what is behind by
 *   Liu's algorithm (an in-tree; Liu 1987, doi:10.1137/0608031).  Ours keeps
 *   each part as a set of segments and never cuts: the order of segments puts
 *   those that lower what is live before those that raise it, which is the same
 *   cut, and within each half it is Liu's.  Nothing is sorted again a level higher.
 *
 * Why it is optimal.
 *
 * (1) If x(b) comes after all other consumers of buffer b, then x(b) frees b in
 * every order.  So freed(v|S) and reuse(S, v) are constants of v, live(S) is
 * live(empty) plus a sum over S, and v is a segment: it climbs by `rise` from
 * what is live, then falls by `fall`.
 *   alloc-first: rise = new + workspace - reuse, and
 *                fall = rise - (new - dead - freed)
 *                     = workspace + dead + freed - reuse >= 0, as reuse <= freed.
 *   free-first:  the step's usage is live + new + workspace - freed, which may
 *                be less than live; live itself was the usage of an earlier
 *                step or live(empty), so rise = max(0, new + workspace - freed)
 *                gives the same peak; fall = rise - (new - dead - freed) >= 0.
 * So the theorem holds under both accountings (fixed_steps.h).
 *
 * (2) Every subtree of the decomposition tree is a set of nodes of which each
 * other node comes before all, comes after all or is unrelated to all.  The
 * theorem of segments.h composes such sets.
 *
 * Tensors without a last consumer break (1): then the problem is NP-hard even
 * on out-trees (Jin, Purohit, Svitkina, Vee and Wang 2023, "New tools for peak
 * memory scheduling", arXiv:2312.13526), and such graphs are refused; so are
 * windows, under which neighbours may not change places.  In-place pairs,
 * views, workspace, dead outputs, graph inputs and kept outputs are fine under
 * both accountings.
 *
 * Complexity: O((nodes + edges) + nodes log nodes), expected for hashing and
 * amortised; a refusal costs a logarithmic factor more.  About 130 bytes a node
 * and 4 an edge beside the graph.  No recursion.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/heap.h"
#include "core/memory.h"
#include "model/sim.h"
#include "solvers/fixed_steps.h"
#include "solvers/series_parallel_tree.h"

/* "node 7 ('conv')" */
enum { NAME_BYTES = 80 };
static const char *describe(const char *what, uint32_t id, const char *name, char text[NAME_BYTES])
{
    if (*name)
        (void)snprintf(text, NAME_BYTES, "%s %" PRIu32 " ('%.40s')", what, id, name);
    else
        (void)snprintf(text, NAME_BYTES, "%s %" PRIu32, what, id);
    return text;
}

static const char *describe_node(const hw_graph *g, uint32_t v, char text[NAME_BYTES])
{
    return describe("node", hw_node_id(g, v), hw_node_name(g, v), text);
}

/* Windows that hold a node back; one that lets it go anywhere is none. */
static hw_code refuse_windows(const hw_graph *g, hw_error *err)
{
    for (uint32_t v = 0; g->node_window && v < g->n_nodes; v++) {
        uint32_t w = g->node_window[v];
        if (w < v || w < g->n_nodes - 1 - v) {
            char node[NAME_BYTES];
            return hw_fail(err, HW_USAGE,
                           "series-parallel takes graphs without windows, and the window of %s "
                           "keeps it within %" PRIu32 " places of its own: drop the windows or "
                           "choose another solver (exact)",
                           describe_node(g, v, node), w);
        }
    }
    return HW_OK;
}

static hw_code refuse_pattern(const hw_graph *g, const uint32_t at[4], hw_error *err)
{
    char a[NAME_BYTES], b[NAME_BYTES], c[NAME_BYTES], d[NAME_BYTES];
    return hw_fail(err, HW_USAGE,
                   "series-parallel takes graphs whose precedence is series-parallel; here %s runs "
                   "before %s, and %s before that one and before %s, and no other two of these "
                   "four are ordered (the pattern N): choose another solver (exact)",
                   describe_node(g, at[0], a), describe_node(g, at[2], c),
                   describe_node(g, at[1], b), describe_node(g, at[3], d));
}

static hw_code refuse_tensor(const hw_model *m, uint32_t buffer, uint32_t u, uint32_t v,
                             hw_error *err)
{
    const hw_graph *g = m->graph;
    char tensor[NAME_BYTES], one[NAME_BYTES], other[NAME_BYTES];
    uint32_t root = g->storage_root[m->buffer_storage[buffer]];
    return hw_fail(err, HW_USAGE,
                   "series-parallel takes graphs in which one consumer of each tensor comes after "
                   "all others; the storage of %s may be read last by %s or by %s: give each "
                   "consumer a tensor of its own or choose another solver (exact)",
                   describe("tensor", hw_tensor_id(g, root), hw_tensor_name(g, root), tensor),
                   describe_node(g, u, one), describe_node(g, v, other));
}

/* The consumer of each buffer that comes after all others into last[]. */
static hw_code find_last(const hw_model *m, const sp_places *p, const sp_tree *t, uint32_t *last,
                         hw_error *err)
{
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        uint32_t begin = m->users.offset[b], end = m->users.offset[b + 1];
        last[b] = m->users.item[begin];
        for (uint32_t i = begin + 1; i < end; i++)
            if (p->place[m->users.item[i]] > p->place[last[b]])
                last[b] = m->users.item[i];
        for (uint32_t i = begin; i < end; i++) {
            uint32_t u = m->users.item[i];
            if (u == last[b] || sp_precedes(t, p->place[u], p->place[last[b]]))
                continue;
            for (uint32_t k = begin; k < end; k++) /* one that none comes after */
                if (sp_precedes(t, p->place[u], p->place[m->users.item[k]]))
                    u = m->users.item[k];
            return refuse_tensor(m, b, u, last[b], err);
        }
    }
    return HW_OK;
}

/* Children stand before parents, so one pass composes all. */
static hw_code compose(const sp_places *p, const sp_tree *t, const hw_segment *step, hw_segments *s,
                       hw_meter *meter, hw_answer *answer, hw_error *err)
{
    hw_segment_set *set = HW_NEW(hw_segment_set, 2 * (size_t)t->n);
    if (!set)
        return hw_fail_memory(err, "sets of segments");
    for (uint32_t i = 0; i < 2 * t->n - 1 && !answer->limit_reached; i++) {
        if (i < t->n) {
            set[i] = hw_segments_node(s, p->node[i], step[p->node[i]]);
        } else {
            hw_segment_set left = set[t->left[i - t->n]], right = set[t->right[i - t->n]];
            set[i] = t->series[i - t->n] ? hw_segments_series(s, left, right)
                                         : hw_segments_parallel(s, left, right);
        }
        answer->limit_reached = hw_meter_count(meter, 1);
    }
    free(set);
    return HW_OK;
}

static hw_code order_by_tree(const hw_model *m, const sp_places *p, const sp_tree *t,
                             hw_meter *meter, hw_answer *answer, hw_error *err)
{
    uint32_t *last = HW_NEW(uint32_t, m->n_buffers), *order = HW_NEW(uint32_t, m->n_nodes);
    hw_segment *step = HW_NEW(hw_segment, m->n_nodes), whole = {0, 0};
    hw_segments s;
    hw_code code = hw_segments_open(&s, m->n_nodes, true, true, err);
    if (code == HW_OK && (!last || !order || !step))
        code = hw_fail_memory(err, "segments");
    if (code == HW_OK)
        code = find_last(m, p, t, last, err);
    if (code == HW_OK)
        code = hw_fixed_steps(m, last, step, err);
    if (code == HW_OK)
        code = compose(p, t, step, &s, meter, answer, err);
    if (code == HW_OK && !answer->limit_reached)
        code = hw_segments_lay(&s, order, &whole, err);
    if (code == HW_OK && !answer->limit_reached) {
        (void)hw_answer_improve(m, answer, order, m->live_empty + whole.rise);
        (void)hw_answer_bound(m, answer, answer->peak);
        answer->status = HW_OPTIMAL;
    }
    free(last);
    free(order);
    free(step);
    hw_segments_close(&s);
    return code;
}

static hw_code by_verdict(sp_verdict verdict, hw_answer *answer, hw_error *err)
{
    answer->limit_reached = verdict == SP_STOPPED;
    return verdict == SP_NO_MEMORY ? hw_fail_memory(err, "the decomposition tree") : HW_OK;
}

static hw_code run(const hw_model *m, const sp_places *p, hw_meter *meter, hw_answer *answer,
                   hw_error *err)
{
    sp_tree t;
    sp_verdict verdict = sp_tree_open(&t, p, 0, p->n, meter);
    if (verdict == SP_YES) {
        hw_code code = order_by_tree(m, p, &t, meter, answer, err);
        sp_tree_close(&t);
        return code;
    }
    uint32_t pattern[4];
    if (verdict == SP_NO) {
        verdict = sp_find_pattern(p, meter, pattern);
        if (verdict == SP_NO)
            return refuse_pattern(m->graph, pattern, err);
        if (verdict == SP_YES)
            return hw_fail(err, HW_INTERNAL,
                           "series-parallel finds no reason why the precedence is not "
                           "series-parallel: please report this graph");
    }
    return by_verdict(verdict, answer, err);
}

/* The topological order that all else goes by is in hand from the start. */
static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_code code = refuse_windows(m->graph, err);
    if (code != HW_OK)
        return code;
    sp_places p;
    uint64_t peak;
    code = sp_places_open(&p, m->graph, err);
    if (code == HW_OK)
        code = hw_peak(m, p.node, &peak, err);
    if (code == HW_OK) {
        (void)hw_answer_improve(m, answer, p.node, peak);
        code = run(m, &p, &meter, answer, err);
    }
    sp_places_close(&p);
    answer->states = meter.states;
    return code;
}

const hw_solver_row hw_solver_series_parallel = {
    .name = "series-parallel",
    .kind = HW_SOLVER_EXACT,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "optimal where precedence is series-parallel and each tensor has a last consumer",
    .source = "Kayaaslan, Lambert, Marchal and Uçar 2018, doi:10.1016/j.tcs.2017.09.037",
    .solve = solve,
};
