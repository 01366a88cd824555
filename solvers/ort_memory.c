/*
 * ort-memory: forward nodes depth first, then the backward path from the node
 * that parts them, with what it needs from the side run when it asks for it.
 *
 * Source: ONNX Runtime, Graph::MemoryEfficientTopologicalSort in
 * onnxruntime/core/graph/graph.cc (ExecutionOrder::MEMORY_EFFICIENT, builds for
 * training; pull requests 20258, 20480 and 20497 of 2024).  Rule by rule, theirs
 * and ours:
 *
 * - The last node of operator YieldOp parts forward from backward.  The same.
 *   Their further YieldOps start the backward path too; ours are nodes as any.
 * - Forward nodes: what YieldOp's predecessors need, depth first against the
 *   edges from the last of them to the first; of several predecessors the one
 *   at the end of the longest path of edges goes first, then the greater index.
 *   Without a YieldOp: what the graph's outputs need, from the last output on.
 *   The same, through all edges of highwater-model(7).
 * - A Shape or Size node that is not among them goes right behind its parent, if
 *   that is; several of one parent stand in reverse.  The same, for such nodes
 *   with one predecessor; parents are asked in source order (theirs: in the
 *   order of a hash table).
 * - Main nodes: YieldOp and what depends on it.  Branch nodes: the rest.  The
 *   same.
 * - Branch nodes are in groups: together those from which the same branch ends
 *   (nodes with an edge to a main node, or without any) can be reached.  The
 *   same.  Within a group: the order of a breadth-first sort of all branch nodes,
 *   those that need only forward nodes first, by index.  The same.
 * - Main nodes run first in, first out, from YieldOp on, as their main
 *   predecessors have run.  Before one runs, its predecessors' groups run, by
 *   index, and before a group those that it needs, in the order of its inputs.
 *   The same, also along edges that carry no memory.
 * - Groups that nobody asked for come last: there in the order of the names of
 *   their outputs, here in that of their first node in the source (names may
 *   repeat here).
 * - Sizes play no part.
 * - Windows do not exist there.  Here the finished order is followed as far as
 *   they allow: at each step its first node that may run.
 *
 * On a graph without YieldOp all of whose nodes lead to an output only the
 * first part is left.  O(nodes + edges) and the grouping (ort_memory_groups.h),
 * with windows as in ready.h.
 */
#include <stdlib.h>
#include <string.h>

#include "core/heap.h"
#include "core/memory.h"
#include "model/paths.h"
#include "model/sim.h"
#include "solvers/order_rule.h"
#include "solvers/ort_memory_groups.h"
#include "solvers/reverse_dfs.h"
#include "solvers/windowed.h"

typedef struct ort {
    const hw_graph *g;
    hw_meter *meter;
    uint8_t *part; /* hw_ort_part by node                                  */
    uint32_t *order, step;
    uint32_t *next;    /* forward: list of the order; groups: who asks     */
    uint32_t *pred;    /* by row of predecessors, ascending                */
    uint32_t *waiting; /* branch or main predecessors yet to run           */
    uint32_t *queue;   /* branch nodes, then main nodes, in their order    */
    uint32_t *cursor;  /* by group: member, then within its predecessors   */
    uint32_t *inner;
    hw_ort_groups groups;
    bool *asked; /* by group */
} ort;

static bool has_op(const hw_graph *g, uint32_t v, const char *op)
{
    return strcmp(hw_node_op(g, v), op) == 0;
}

static uint32_t find_yield(const hw_graph *g)
{
    for (uint32_t v = g->n_nodes; g->node_op && v-- > 0;)
        if (has_op(g, v, "YieldOp"))
            return v;
    return HW_NONE;
}

/* Nodes by descending (longest path that ends there, position), by counting. */
static hw_code sort_by_path(const hw_graph *g, uint32_t *sorted, hw_error *err)
{
    uint32_t n = g->n_nodes, *path = HW_NEW(uint32_t, n);
    uint32_t *first = HW_NEW0(uint32_t, (size_t)n + 2);
    hw_code code = path && first ? hw_paths_up(g, path, err) : hw_fail_memory(err, "paths");
    if (code == HW_OK) { /* lengths are 1 .. n; slot n - length counts the longer ones */
        for (uint32_t v = 0; v < n; v++)
            first[n - path[v] + 1]++;
        for (uint32_t k = 1; k <= n; k++)
            first[k] += first[k - 1];
        for (uint32_t v = n; v-- > 0;)
            sorted[first[n - path[v]]++] = v;
    }
    free(path);
    free(first);
    return code;
}

/* Visit from the last root to the first; false: the meter ended it. */
static bool visit_roots(ort *s, hw_reverse_dfs *dfs, uint32_t yield)
{
    const hw_graph *g = s->g;
    bool going = true;
    if (yield != HW_NONE)
        for (uint32_t i = g->preds.offset[yield + 1]; going && i-- > g->preds.offset[yield];)
            going = hw_reverse_dfs_visit(dfs, s->pred[i], s->meter, s->order, &s->step);
    for (uint32_t t = g->n_tensors; going && yield == HW_NONE && t-- > 0;)
        if (g->tensor_kind[t] == HW_OUTPUT)
            going = hw_reverse_dfs_visit(dfs, g->tensor_producer[t], s->meter, s->order, &s->step);
    return going;
}

/*
 * Shape and Size nodes behind their parents.  The order becomes a list for
 * that: next[v] is the node behind v, or v itself behind the last.
 */
static void insert_shapes(ort *s)
{
    const hw_graph *g = s->g;
    const hw_rows *preds = &g->preds, *succs = &g->succs;
    if (s->step == 0 || !g->node_op)
        return;
    for (uint32_t i = 0; i < s->step; i++)
        s->next[s->order[i]] = s->order[i + 1 < s->step ? i + 1 : i];
    for (uint32_t p = 0; p < g->n_nodes; p++) {
        for (uint32_t i = succs->offset[p]; i < succs->offset[p + 1]; i++) {
            uint32_t v = succs->item[i];
            bool moves = s->part[p] == HW_ORT_FORWARD && s->part[v] != HW_ORT_FORWARD &&
                         preds->offset[v + 1] - preds->offset[v] == 1;
            if (!moves || !(has_op(g, v, "Shape") || has_op(g, v, "Size")))
                continue;
            s->part[v] = HW_ORT_FORWARD;
            s->next[v] = s->next[p] == p ? v : s->next[p];
            s->next[p] = v;
        }
    }
    uint32_t v = s->order[0];
    for (s->step = 1; s->next[v] != v; s->step++)
        s->order[s->step] = v = s->next[v];
}

static hw_code lay_forward(ort *s, uint32_t yield, bool *going, hw_error *err)
{
    const hw_graph *g = s->g;
    hw_reverse_dfs dfs = {0};
    uint32_t *sorted = HW_NEW(uint32_t, g->n_nodes);
    hw_code code = sorted ? sort_by_path(g, sorted, err) : hw_fail_memory(err, "paths");
    if (code == HW_OK)
        code = hw_reverse_dfs_open(&dfs, g, sorted, NULL, err);
    *going = code == HW_OK && visit_roots(s, &dfs, yield);
    hw_reverse_dfs_close(&dfs);
    free(sorted);
    for (uint32_t i = 0; i < s->step; i++)
        s->part[s->order[i]] = HW_ORT_FORWARD;
    if (*going)
        insert_shapes(s);
    return code;
}

/* The predecessors of each node by ascending position. */
static void sort_preds(ort *s)
{
    const hw_rows *succs = &s->g->succs;
    memcpy(s->waiting, s->g->preds.offset, (size_t)s->g->n_nodes * sizeof *s->waiting);
    for (uint32_t u = 0; u < s->g->n_nodes; u++)
        for (uint32_t i = succs->offset[u]; i < succs->offset[u + 1]; i++)
            s->pred[s->waiting[succs->item[i]]++] = u;
}

/* Everything that depends on YieldOp. */
static void mark_main(ort *s, uint32_t yield)
{
    const hw_rows *succs = &s->g->succs;
    uint32_t head = 0, tail = 0;
    if (yield == HW_NONE)
        return;
    s->part[yield] = HW_ORT_MAIN;
    s->queue[tail++] = yield;
    while (head < tail) {
        uint32_t v = s->queue[head++];
        for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++)
            if (s->part[succs->item[i]] != HW_ORT_MAIN) {
                s->part[succs->item[i]] = HW_ORT_MAIN;
                s->queue[tail++] = succs->item[i];
            }
    }
}

/* A breadth-first sort of the nodes of one part; returns how many. */
static uint32_t sort_part(ort *s, hw_ort_part part, uint32_t *queue)
{
    const hw_rows *preds = &s->g->preds, *succs = &s->g->succs;
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < s->g->n_nodes; v++) {
        s->waiting[v] = 0;
        for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
            s->waiting[v] += s->part[preds->item[i]] == part;
        if (s->part[v] == part && s->waiting[v] == 0)
            queue[tail++] = v;
    }
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++)
            if (s->part[succs->item[i]] == part && --s->waiting[succs->item[i]] == 0)
                queue[tail++] = succs->item[i];
    }
    return tail;
}

/* Count a node; false: the meter ended it before the last. */
static bool append(ort *s, uint32_t v)
{
    s->order[s->step++] = v;
    return !hw_meter_count(s->meter, 1) || s->step == s->g->n_nodes;
}

/*
 * The i-th node that v needs: by its inputs as listed, then by all edges (which
 * adds those that carry no memory).  False: there is none.
 */
static bool needed(const ort *s, uint32_t v, uint32_t i, uint32_t *u)
{
    const hw_graph *g = s->g;
    uint32_t inputs = g->inputs.offset[v + 1] - g->inputs.offset[v];
    if (i < inputs) {
        *u = g->tensor_producer[g->inputs.item[g->inputs.offset[v] + i]];
        return true;
    }
    i = i - inputs + g->preds.offset[v];
    if (i >= g->preds.offset[v + 1])
        return false;
    *u = s->pred[i];
    return true;
}

/* A group that `group` needs and nobody asked for yet, HW_NONE: none is left. */
static uint32_t next_needed(ort *s, uint32_t group)
{
    const hw_ort_groups *q = &s->groups;
    uint32_t size = q->offset[group + 1] - q->offset[group], u;
    while (s->cursor[group] < size) {
        uint32_t v = q->member[q->offset[group] + s->cursor[group]];
        if (!needed(s, v, s->inner[group]++, &u)) {
            s->inner[group] = 0;
            s->cursor[group]++;
        } else if (u != HW_NONE && s->part[u] == HW_ORT_BRANCH && !s->asked[q->of[u]]) {
            return q->of[u];
        }
    }
    return HW_NONE;
}

/*
 * Run a group, those it needs before it.  Groups need each other in no circle:
 * along an edge the set of ends that can be reached only shrinks.
 */
static bool run_group(ort *s, uint32_t group)
{
    const hw_ort_groups *q = &s->groups;
    if (s->asked[group])
        return true;
    s->asked[group] = true;
    s->next[group] = HW_NONE;
    while (group != HW_NONE) {
        uint32_t before = next_needed(s, group);
        if (before != HW_NONE) {
            s->asked[before] = true;
            s->next[before] = group;
            group = before;
            continue;
        }
        for (uint32_t i = q->offset[group]; i < q->offset[group + 1]; i++)
            if (!append(s, q->member[i]))
                return false;
        group = s->next[group];
    }
    return true;
}

/* The backward part; false: the meter ended it. */
static bool lay_backward(ort *s, const uint32_t *path, uint32_t n_path)
{
    const uint32_t *offset = s->g->preds.offset;
    for (uint32_t k = 0; k < n_path; k++) {
        uint32_t v = path[k];
        for (uint32_t i = offset[v]; i < offset[v + 1]; i++)
            if (s->part[s->pred[i]] == HW_ORT_BRANCH && !run_group(s, s->groups.of[s->pred[i]]))
                return false;
        if (!append(s, v))
            return false;
    }
    for (uint32_t v = 0; v < s->g->n_nodes; v++)
        if (s->part[v] == HW_ORT_BRANCH && !run_group(s, s->groups.of[v]))
            return false;
    return true;
}

static hw_code lay_parts(ort *s, bool *done, hw_error *err)
{
    uint32_t yield = find_yield(s->g);
    sort_preds(s);
    hw_code code = lay_forward(s, yield, done, err);
    if (code != HW_OK || !*done || s->step == s->g->n_nodes)
        return code;
    mark_main(s, yield);
    uint32_t n_branch = sort_part(s, HW_ORT_BRANCH, s->queue);
    uint32_t n_path = sort_part(s, HW_ORT_MAIN, s->queue + n_branch);
    code = hw_ort_groups_open(&s->groups, s->g, s->part, s->queue, n_branch, s->meter, done, err);
    if (code != HW_OK || !*done)
        return code;
    s->cursor = HW_NEW0(uint32_t, s->groups.count);
    s->inner = HW_NEW0(uint32_t, s->groups.count);
    s->asked = HW_NEW0(bool, s->groups.count);
    if (!s->cursor || !s->inner || !s->asked)
        return hw_fail_memory(err, "groups of nodes");
    *done = lay_backward(s, s->queue + n_branch, n_path);
    return HW_OK;
}

static hw_code lay_order(const hw_model *m, hw_meter *meter, uint32_t *order, uint64_t *peak,
                         bool *done, hw_error *err)
{
    uint32_t n = m->n_nodes;
    ort s = {.g = m->graph,
             .meter = meter,
             .order = order,
             .part = HW_NEW0(uint8_t, n),
             .next = HW_NEW(uint32_t, n),
             .pred = HW_NEW(uint32_t, m->graph->preds.offset[n]),
             .waiting = HW_NEW(uint32_t, n),
             .queue = HW_NEW(uint32_t, n)};
    hw_code code = HW_OK;
    *done = false;
    if (!s.part || !s.next || !s.pred || !s.waiting || !s.queue)
        code = hw_fail_memory(err, "the parts of the graph");
    else
        code = lay_parts(&s, done, err);
    if (code == HW_OK && *done)
        code = hw_order_into_windows(m, order, err);
    hw_ort_groups_close(&s.groups);
    free(s.part);
    free(s.next);
    free(s.pred);
    free(s.waiting);
    free(s.queue);
    free(s.cursor);
    free(s.inner);
    free(s.asked);
    return code == HW_OK && *done ? hw_peak(m, order, peak, err) : code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_solve_by_rule(m, request, lay_order, answer, err);
}

const hw_solver_row hw_solver_ort_memory = {
    .name = "ort-memory",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST / 2, /* numbers of classes reach three times this */
    .counts = "steps and nodes looked at while grouping",
    .help = "ONNX Runtime's order for training: forward depth first, side branches when needed",
    .source = "ONNX Runtime, onnxruntime/core/graph/graph.cc, MemoryEfficientTopologicalSort",
    .solve = solve,
};
