/*
 * greedy-reverse: the greedy rule from the sinks backwards.
 *
 * R is the set of nodes not yet placed, at first all.  Of the nodes without a
 * successor in R, the one with the least reverse net change live(R - v) -
 * live(R) is taken off and placed before those taken off earlier; ties by the
 * longest path that ends at the node, in nodes (longest first), then the later
 * source position, so that equals end in source order.
 *
 * live(R - v) - live(R) = freed(v | R - v) - new(v) + dead(v), and v frees,
 * going forward from R - v, exactly those of its buffers of which no consumer
 * has been taken off: v is then the last one of R.  So all keys begin with all
 * buffers counted, and when the first consumer of a buffer is taken off, the
 * keys of its other consumers fall by its size: one change a use.  Keys only
 * fall.  Backwards, a buffer with many consumers comes alive at once and at
 * the cost of whoever is first, which the rule sees; forwards its end depends
 * on all of them, which the rule for a single step cannot see.
 *
 * Under windows the gate looks at the mirrored problem: position p from the
 * end, edges turned round.  O((nodes + edges) log nodes); for windows see
 * ready.h.
 */
#include "model/paths.h"
#include "solvers/net_change.h"

typedef struct taking {
    const hw_model *m;
    bool *alive;       /* by buffer: a consumer has been taken off       */
    hw_key *key;       /* by item; not kept up to date while in the heap */
    uint32_t *waiting; /* by item: successors yet to go, or heap place   */
    hw_heap maximal;
    hw_gate gate;
} taking;

/* Items of the heap are mirrored positions, so that ties go to the later node. */
static uint32_t mirror(const taking *t, uint32_t v)
{
    return t->m->n_nodes - 1 - v;
}

static void lay_keys(taking *t, const uint32_t *path)
{
    const hw_model *m = t->m;
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        uint64_t revived = m->dead_bytes[v];
        for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++)
            revived += m->buffer_size[m->uses.item[i]];
        uint32_t item = mirror(t, v);
        t->key[item] = HW_NET_BIAS + revived * HW_NET_UNIT - m->new_bytes[v] * HW_NET_UNIT -
                       path[v] * HW_NET_PATH_UNIT + item;
        t->waiting[item] = m->graph->succs.offset[v + 1] - m->graph->succs.offset[v];
    }
    for (uint32_t item = 0; item < m->n_nodes; item++)
        if (t->waiting[item] == 0)
            hw_heap_push(&t->maximal, t->key[item]);
}

/* Buffer b comes alive: its consumers no longer bring it back. */
static void revive(taking *t, uint32_t b, uint32_t taken)
{
    const hw_model *m = t->m;
    hw_key gain = m->buffer_size[b] * HW_NET_UNIT;
    t->alive[b] = true;
    for (uint32_t i = m->users.offset[b]; i < m->users.offset[b + 1]; i++) {
        uint32_t u = m->users.item[i], item = mirror(t, u);
        if (u == taken)
            continue;
        if (hw_heap_holds(&t->maximal, item))
            hw_heap_lower(&t->maximal, hw_heap_key(&t->maximal, item) - gain);
        else
            t->key[item] -= gain;
    }
}

static hw_code run(taking *t, const hw_request *request, hw_answer *answer, hw_error *err)
{
    const hw_model *m = t->m;
    const hw_rows *uses = &m->uses, *preds = &m->graph->preds;
    uint32_t left = m->n_nodes;
    hw_meter meter;
    hw_meter_start(&meter, request);
    while (t->maximal.count && !answer->limit_reached) {
        hw_key key = hw_gate_pop(&t->gate, &t->maximal);
        if (key == 0)
            return hw_gate_stuck(&t->gate, err);
        uint32_t v = mirror(t, hw_key_item(key));
        answer->order[--left] = v;
        for (uint32_t i = uses->offset[v]; i < uses->offset[v + 1]; i++)
            if (!t->alive[uses->item[i]])
                revive(t, uses->item[i], v);
        for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++) {
            uint32_t item = mirror(t, preds->item[i]);
            if (--t->waiting[item] == 0)
                hw_heap_push(&t->maximal, t->key[item]);
        }
        answer->limit_reached = hw_meter_count(&meter, 1) && left;
    }
    answer->states = meter.states;
    return answer->limit_reached ? HW_OK : hw_answer_finish(m, answer, err);
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    uint32_t n = m->n_nodes, *path = HW_NEW(uint32_t, n);
    taking t = {.m = m,
                .alive = HW_NEW0(bool, m->n_buffers),
                .key = HW_NEW(hw_key, n),
                .waiting = HW_NEW(uint32_t, n)};
    hw_code code = hw_gate_open(&t.gate, m, true, err);
    if (!path || !t.alive || !t.key || !t.waiting || !hw_heap_init(&t.maximal, n, t.waiting)) {
        code = hw_fail_memory(err, "the reverse net changes of the nodes");
    } else if (code == HW_OK) {
        code = hw_paths_up(m->graph, path, err);
        if (code == HW_OK) {
            lay_keys(&t, path);
            code = run(&t, request, answer, err);
        }
    }
    hw_gate_close(&t.gate);
    hw_heap_free(&t.maximal);
    free(t.alive);
    free(t.key);
    free(t.waiting);
    free(path);
    return code;
}

const hw_solver_row hw_solver_greedy_reverse = {
    .name = "greedy-reverse",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "from the sinks backwards: take off the node that leaves the least alive",
    .source = "this project: the seed article's rule on the reversed graph",
    .solve = solve,
};
