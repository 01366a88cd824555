/*
 * inductor-bfs: the ready node whose predecessors ran earliest.
 *
 * A node that becomes ready has the ascending list of the steps at which its
 * predecessors ran.  At each step the node with the lexicographically least
 * list runs (a list that is the beginning of another comes first; sources have
 * the empty list); ties by source position.
 *
 * Source: topological_sort_bfs in torch/_inductor/memory.py of PyTorch.  Rule by
 * rule, theirs and ours:
 *
 * - The list: steps of the distinct predecessors, through buffers and ordering
 *   dependencies.  The same, through all edges of highwater-model(7).
 * - Lexicographic order, then position.  The same.
 * - Sizes play no part.  The same.
 * - Windows do not exist there.  Here the first node in this order that may run
 *   goes next.
 *
 * Theirs keeps the lists in a binary heap, which compares the same two long
 * lists again each time something is taken from above them.  Here the ready
 * nodes are in a search tree that compares on insertion alone, and only with
 * the inserted node, whose list ends every comparison: O(log nodes) expected
 * times the length of its list.  Lists need no sorting: each step is appended
 * to the lists of its successors.  O((nodes + edges) log nodes) expected; under
 * windows a look at each ready node before the one that runs.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/inductor.h"
#include "solvers/ready.h"
#include "solvers/treap.h"

typedef struct bfs_node {
    hw_treap_link link;
    uint64_t head;   /* the first two of the list, plus 1 each; 0: it has no more */
    uint32_t length; /* of the list so far */
} bfs_node;

typedef struct bfs {
    const hw_model *m;
    bfs_node *node;
    uint32_t *list; /* by row of predecessors: steps, ascending */
    hw_treap ready;
    hw_gate gate;
} bfs;

static inline bool before(const void *records, uint32_t a, uint32_t b)
{
    const bfs *s = records;
    const bfs_node *x = &s->node[a], *y = &s->node[b];
    if (x->head != y->head)
        return x->head < y->head;
    uint32_t shorter = x->length < y->length ? x->length : y->length;
    const uint32_t *p = s->list + s->m->graph->preds.offset[a];
    const uint32_t *q = s->list + s->m->graph->preds.offset[b];
    for (uint32_t i = 2; i < shorter; i++)
        if (p[i] != q[i])
            return p[i] < q[i];
    return x->length != y->length ? x->length < y->length : a < b;
}

static const hw_treap_kind by_list = {sizeof(bfs_node), before, NULL};

/* Node u has seen one predecessor more run, at `step`. */
static void append(bfs *s, uint32_t u, uint32_t step)
{
    bfs_node *x = &s->node[u];
    const uint32_t *offset = s->m->graph->preds.offset;
    if (x->length == 0)
        x->head = (uint64_t)(step + 1) << 32;
    else if (x->length == 1)
        x->head |= step + 1;
    s->list[offset[u] + x->length++] = step;
    if (x->length == offset[u + 1] - offset[u])
        hw_treap_insert(&s->ready, &by_list, u);
}

static hw_code lay_order(bfs *s, hw_meter *meter, uint32_t *order, uint64_t *peak, bool *done,
                         hw_error *err)
{
    const hw_model *m = s->m;
    const hw_rows *preds = &m->graph->preds, *succs = &m->graph->succs;
    uint32_t n = m->n_nodes, step = 0;
    for (uint32_t v = 0; v < n; v++) {
        s->node[v].head = 0;
        s->node[v].length = 0;
    }
    for (uint32_t v = 0; v < n; v++)
        if (preds->offset[v] == preds->offset[v + 1])
            hw_treap_insert(&s->ready, &by_list, v);
    while (s->ready.count) {
        uint32_t v = hw_treap_first(&s->ready, &by_list);
        while (v != HW_NONE && !hw_gate_allows(&s->gate, v))
            v = hw_treap_next(&s->ready, &by_list, v);
        if (v == HW_NONE)
            return hw_gate_stuck(&s->gate, err);
        hw_treap_remove(&s->ready, &by_list, v);
        hw_gate_pass(&s->gate, v);
        order[step] = v;
        for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++)
            append(s, succs->item[i], step);
        if (hw_meter_count(meter, 1) && step + 1 < n)
            return HW_OK;
        step++;
    }
    *done = true;
    return hw_peak(m, order, peak, err);
}

hw_code hw_inductor_bfs(const hw_model *m, hw_meter *meter, uint32_t *order, uint64_t *peak,
                        bool *done, hw_error *err)
{
    bfs s = {.m = m,
             .node = HW_NEW(bfs_node, m->n_nodes),
             .list = HW_NEW(uint32_t, m->graph->preds.offset[m->n_nodes])};
    *done = false;
    hw_code code = hw_gate_open(&s.gate, m, false, err);
    if (!s.node || !s.list) {
        code = hw_fail_memory(err, "the ready nodes");
    } else if (code == HW_OK) {
        hw_treap_open(&s.ready, &by_list, &s.node->link, &s, m->n_nodes);
        code = lay_order(&s, meter, order, peak, done, err);
    }
    hw_gate_close(&s.gate);
    free(s.node);
    free(s.list);
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_solve_by_rule(m, request, hw_inductor_bfs, answer, err);
}

const hw_solver_row hw_solver_inductor_bfs = {
    .name = "inductor-bfs",
    .kind = HW_SOLVER_HEURISTIC,
    .counts = "steps",
    .help = "the ready node whose predecessors ran earliest, compared as sorted lists of steps",
    .source = "PyTorch Inductor, torch/_inductor/memory.py, topological_sort_bfs",
    .solve = solve,
};
