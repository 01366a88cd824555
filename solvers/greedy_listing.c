/*
 * greedy-listing: the printed loop of the seed article's section 5.2, to the
 * letter.
 *
 *   indegree = number of the node's inputs, as listed: repeats, graph inputs
 *              and constants all count, though nobody ever produces the latter
 *   refcnt   = consumers of the tensor, one for each place in an input list
 *   key      = (output_size - freed_size, -critical path, id) on a min-heap,
 *              computed once, when the node becomes ready, and stale from then
 *              on; freed_size sums the inputs whose refcnt is 1
 *
 * What the listing leaves open is read as follows.  node.successors are the
 * distinct nodes that consume an output of the node: one entry each, so two
 * tensors from one producer, or one named twice, take one off an indegree of
 * two.  (One entry a tensor would repair this; section 5.1 gives tensors
 * consumers and graphs edges between operators.)  The critical path is the
 * longest path to a sink in nodes, the id the source position.
 *
 * The loop always ends, since a node is pushed at most once; where it ends
 * before all nodes ran, the printed code would return a partial order as if it
 * were whole, and the answer is `stalled`.  Views, kept outputs and in-place
 * pairs mean nothing to the listing: tensors are all alike.  Nor do control
 * edges, locks, must-in-place and windows: an order that breaks one is no
 * order, and the answer `unknown`.  The peak is ours (highwater-model(7)), not that of
 * the listing, which measures a step after it freed its inputs.
 * O((nodes + inputs) log nodes).
 */
#include "model/paths.h"
#include "solvers/net_change.h"

typedef struct listing {
    const hw_graph *g;
    uint32_t *path;
    uint32_t *indegree; /* by node; the place in the heap while ready    */
    uint32_t *refcnt;   /* by tensor                                     */
    uint32_t *seen;     /* by node: the node that last counted it, plus 1 */
    hw_rows consumers;  /* by tensor: nodes, one for each place in inputs */
    hw_heap ready;
} listing;

/* Views are tensors of their own here, and nobody bounds their sum: it stops at 2^64 - 1. */
static void add(uint64_t *sum, uint64_t bytes)
{
    if (!hw_add_u64(*sum, bytes, sum))
        *sum = UINT64_MAX;
}

static void push(listing *l, uint32_t v)
{
    const hw_graph *g = l->g;
    uint64_t created = 0, freed = 0;
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
        add(&created, g->tensor_size[g->outputs.item[i]]);
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        if (l->refcnt[g->inputs.item[i]] == 1)
            add(&freed, g->tensor_size[g->inputs.item[i]]);
    hw_heap_push(&l->ready, HW_NET_BIAS + created * HW_NET_UNIT - freed * HW_NET_UNIT -
                                l->path[v] * HW_NET_PATH_UNIT + v);
}

static void lay(listing *l)
{
    const hw_graph *g = l->g;
    uint32_t n = g->n_nodes, *offset = l->consumers.offset;
    for (uint32_t i = 0; i < g->inputs.offset[n]; i++)
        l->refcnt[g->inputs.item[i]]++;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        offset[t + 2] = offset[t + 1] + l->refcnt[t];
    for (uint32_t v = 0; v < n; v++) {
        l->indegree[v] = g->inputs.offset[v + 1] - g->inputs.offset[v];
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
            l->consumers.item[offset[g->inputs.item[i] + 1]++] = v;
    }
    for (uint32_t v = 0; v < n; v++)
        if (l->indegree[v] == 0)
            push(l, v);
}

static void run_node(listing *l, uint32_t v)
{
    const hw_graph *g = l->g;
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        l->refcnt[g->inputs.item[i]]--;
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++) {
        uint32_t t = g->outputs.item[i];
        for (uint32_t k = l->consumers.offset[t]; k < l->consumers.offset[t + 1]; k++) {
            uint32_t s = l->consumers.item[k];
            if (l->seen[s] == v + 1)
                continue;
            l->seen[s] = v + 1;
            if (--l->indegree[s] == 0)
                push(l, s);
        }
    }
}

/* Does the order keep what the listing does not know of? */
static bool is_legal(const hw_model *m, const uint32_t *order, uint32_t *position)
{
    const hw_rows *preds = &m->graph->preds;
    hw_order_positions(order, m->n_nodes, position);
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        if (m->earliest && (position[v] < m->earliest[v] || position[v] > m->latest[v]))
            return false;
        for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
            if (position[preds->item[i]] > position[v])
                return false;
    }
    return true;
}

static hw_code run(listing *l, const hw_model *m, const hw_request *request, hw_answer *answer,
                   hw_error *err)
{
    uint32_t step = 0;
    hw_meter meter;
    hw_meter_start(&meter, request);
    lay(l);
    while (l->ready.count && !answer->limit_reached) {
        uint32_t v = hw_key_item(hw_heap_pop(&l->ready));
        answer->order[step++] = v;
        run_node(l, v);
        answer->limit_reached = hw_meter_count(&meter, 1) && l->ready.count;
    }
    answer->states = meter.states;
    if (answer->limit_reached)
        return HW_OK;
    if (step < m->n_nodes) {
        answer->status = HW_STALLED;
        return HW_OK;
    }
    return is_legal(m, answer->order, l->seen) ? hw_answer_finish(m, answer, err) : HW_OK;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    const hw_graph *g = m->graph;
    uint32_t n = g->n_nodes;
    listing l = {.g = g,
                 .path = HW_NEW(uint32_t, n),
                 .indegree = HW_NEW(uint32_t, n),
                 .refcnt = HW_NEW0(uint32_t, g->n_tensors),
                 .seen = HW_NEW0(uint32_t, n),
                 .consumers = {HW_NEW0(uint32_t, (size_t)g->n_tensors + 2),
                               HW_NEW(uint32_t, g->inputs.offset[n])}};
    hw_code code = HW_OK;
    if (!l.path || !l.indegree || !l.refcnt || !l.seen || !l.consumers.offset ||
        !l.consumers.item || !hw_heap_init(&l.ready, n, l.indegree))
        code = hw_fail_memory(err, "the lists of the printed loop");
    if (code == HW_OK)
        code = hw_paths_down(g, l.path, err);
    if (code == HW_OK)
        code = run(&l, m, request, answer, err);
    hw_heap_free(&l.ready);
    free(l.path);
    free(l.indegree);
    free(l.refcnt);
    free(l.seen);
    free(l.consumers.offset);
    free(l.consumers.item);
    return code;
}

const hw_solver_row hw_solver_greedy_listing = {
    .name = "greedy-listing",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "the seed article's printed loop to the letter, stale keys and all",
    .source = "seed article, section 5.2",
    .solve = solve,
};
