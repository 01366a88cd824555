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
 * has been taken off: v is then the last one of R.  So the key of a node counts
 * those when the node becomes one without successors, and falls by the size of
 * a buffer when another of its consumers is taken off first: one change a use.
 * Keys only fall.  Backwards, a buffer with many consumers comes alive at once
 * and at the cost of whoever is first, which the rule sees; forwards its end
 * depends on all of them, which the rule for a single step cannot see.
 *
 * The peak is found on the way, as in greedy.c: the key of a step tells what is
 * live before it.
 *
 * Under windows the gate looks at the mirrored problem: position p from the
 * end, edges turned round.  O((nodes + edges) log nodes); for windows see
 * ready.h.
 */
#include <string.h>

#include "model/paths.h"
#include "solvers/net_change.h"

/* A key that falls, or an item alone. */
typedef struct lowering {
    uint64_t size;
    uint32_t item;
} lowering;

typedef struct taking {
    const hw_model *m;
    uint64_t *revived; /* by buffer: its size until a consumer is taken off, then 0 */
    uint32_t *path;    /* by node: the longest that ends there                      */
    uint32_t *waiting; /* by item: successors yet to go, or heap place              */
    lowering *lowered; /* room for what one step changes, mostly untouched              */
    hw_heap maximal;
    hw_gate gate;
} taking;

/* Items of the heap are mirrored positions, so that ties go to the later node. */
static inline uint32_t mirror(const taking *t, uint32_t v)
{
    return t->m->n_nodes - 1 - v;
}

/* The key of an item without successors in R. */
static inline hw_key find_key(const taking *t, uint32_t item)
{
    const hw_model *m = t->m;
    uint32_t v = mirror(t, item);
    uint64_t revived = m->dead_bytes[v];
    for (uint32_t i = m->uses.offset[v], end = m->uses.offset[v + 1]; i < end; i++)
        revived += t->revived[m->uses.item[i]];
    return HW_NET_BIAS + revived * HW_NET_UNIT - m->new_bytes[v] * HW_NET_UNIT -
           t->path[v] * HW_NET_PATH_UNIT + item;
}

static void prime(taking *t)
{
    const hw_model *m = t->m;
    if (m->n_buffers)
        memcpy(t->revived, m->buffer_size, (size_t)m->n_buffers * sizeof *t->revived);
    for (uint32_t v = 0; v < m->n_nodes; v++)
        t->waiting[mirror(t, v)] = m->graph->succs.offset[v + 1] - m->graph->succs.offset[v];
    for (uint32_t item = 0; item < m->n_nodes; item++)
        if (t->waiting[item] == 0)
            hw_heap_push(&t->maximal, find_key(t, item));
}

/*
 * Account for v, which has just left the heap, with a hole in its place if
 * `hole` is set: what it uses comes alive, and consumers of that no longer
 * bring it back.  Branches that are as good as random are gone through in two
 * steps, as in net_change.h.
 */
static inline void take_off(taking *t, uint32_t v, bool hole)
{
    const hw_model *m = t->m;
    const hw_rows *uses = &m->uses, *users = &m->users, *preds = &m->graph->preds;
    const uint32_t last = m->n_nodes - 1;
    uint32_t *waiting = t->waiting;
    lowering *lowered = t->lowered;
    size_t count = 0;
    for (uint32_t i = uses->offset[v], end = uses->offset[v + 1]; i < end; i++) {
        uint32_t b = uses->item[i];
        uint64_t size = t->revived[b];
        if (size == 0)
            continue;
        t->revived[b] = 0;
        for (uint32_t k = users->offset[b], stop = users->offset[b + 1]; k < stop; k++) {
            uint32_t item = last - users->item[k];
            lowered[count] = (lowering){size, item};
            count += waiting[item] >> 31;
        }
    }
    for (size_t i = 0; i < count; i++)
        hw_heap_lower(&t->maximal,
                      hw_heap_key(&t->maximal, lowered[i].item) - lowered[i].size * HW_NET_UNIT);
    count = 0;
    for (uint32_t i = preds->offset[v], end = preds->offset[v + 1]; i < end; i++) {
        uint32_t item = last - preds->item[i], left = waiting[item] - 1;
        waiting[item] = left;
        lowered[count].item = item;
        count += left == 0;
    }
    for (size_t i = 0; i < count; i++) {
        hw_key key = find_key(t, lowered[i].item);
        if (hole && i == 0)
            hw_heap_fill(&t->maximal, key);
        else
            hw_heap_push(&t->maximal, key);
    }
    if (hole && count == 0)
        hw_heap_close(&t->maximal);
}

static bool dying(const void *context, uint32_t buffer)
{
    return ((const taking *)context)->revived[buffer] > 0;
}

/* reuse(R - v, v), with v yet to be taken off. */
static hw_code find_reuse(const taking *t, uint32_t v, uint64_t *saved, hw_error *err)
{
    *saved = hw_reuse(t->m, v, dying, t);
    return *saved == UINT64_MAX ? hw_fail_memory(err, "in-place pairs") : HW_OK;
}

static hw_code run(taking *t, const hw_request *request, hw_answer *answer, hw_error *err)
{
    const hw_model *m = t->m;
    uint32_t left = m->n_nodes;
    uint64_t live = m->live_full, peak = m->live_empty;
    hw_meter meter;
    hw_meter_start(&meter, request);
    while (t->maximal.count && !answer->limit_reached) {
        hw_key key;
        bool hole = hw_gate_take(&t->gate, &t->maximal, &key);
        if (key == 0)
            return hw_gate_stuck(&t->gate, err);
        uint32_t v = mirror(t, hw_key_item(key));
        answer->order[--left] = v;
        uint64_t usage = live + m->dead_bytes[v] + hw_workspace(m, v);
        live += hw_net_of_key(key);
        if (m->accounting == HW_ALLOC_FIRST)
            usage = live + m->new_bytes[v] + hw_workspace(m, v);
        if (m->reuse_offset) {
            uint64_t saved;
            hw_code code = find_reuse(t, v, &saved, err);
            if (code != HW_OK)
                return code;
            usage -= saved;
        }
        if (usage > peak)
            peak = usage;
        take_off(t, v, hole);
        answer->limit_reached = hw_meter_count(&meter, 1) && left;
    }
    answer->states = meter.states;
    if (!answer->limit_reached)
        (void)hw_answer_improve(m, answer, answer->order, peak);
    return HW_OK;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    uint32_t n = m->n_nodes;
    taking t = {.m = m,
                .revived = HW_NEW(uint64_t, m->n_buffers),
                .path = HW_NEW(uint32_t, n),
                .waiting = HW_NEW(uint32_t, n),
                .lowered = HW_NEW(lowering, (size_t)m->uses.offset[n] + n + 1)};
    hw_code code = hw_gate_open(&t.gate, m, true, err);
    if (!t.revived || !t.path || !t.waiting || !t.lowered ||
        !hw_heap_init(&t.maximal, n, t.waiting)) {
        code = hw_fail_memory(err, "the reverse net changes of the nodes");
    } else if (code == HW_OK) {
        code = hw_paths_up(m->graph, t.path, err);
        if (code == HW_OK) {
            prime(&t);
            code = run(&t, request, answer, err);
        }
    }
    hw_gate_close(&t.gate);
    hw_heap_free(&t.maximal);
    free(t.revived);
    free(t.path);
    free(t.waiting);
    free(t.lowered);
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
