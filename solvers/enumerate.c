/*
 * enumerate: every topological order, one by one (Knuth and Szwarcfiter, 1974:
 * backtracking over the nodes that are ready).
 *
 * The walk keeps a stack of prefixes; taking a step adds to the frame below
 * what it changes, and undo is dropping a frame.  Three things make it quick:
 *
 * - a prefix is one 64-bit word, so graphs have up to 64 nodes;
 * - how many predecessors a node waits for is kept in bit planes (bit v of
 *   plane k is bit k of the count of v): one subtraction with borrow over the
 *   planes updates all successors of a node at once;
 * - what a step frees is a constant of the node but for buffers with several
 *   users, and those are asked by one mask each.
 *
 * The plain walk (no in-place pairs, no windows) leaves the stack three steps
 * early: the three nodes left make up to six orders, each stepped through and
 * counted.
 *
 * With prune=yes a prefix whose peak is no better than the best order known is
 * not followed.  Time O(orders x nodes) at worst, memory O(nodes + uses).
 */
#include <stdlib.h>

#include "core/bitset.h"
#include "core/memory.h"
#include "solve/solver.h"

enum { MOST_NODES = 64, MOST_PLANES = 6 /* counts below 64 */ };

enum { PARAM_PRUNE };

static const hw_param_row params[] = {
    {"prune", HW_PARAM_BOOL, 0, 1, 1, NULL, "leave a prefix that is no better than the best order"},
};

/* A buffer with several users: freed by v when only v of them is left. */
typedef struct shared_use {
    uint64_t users, size;
} shared_use;

typedef struct node_facts {
    uint64_t net;  /* new - dead - buffers that v alone uses (wraps)     */
    uint64_t cost; /* alloc-first: new + workspace; free-first: dead + workspace */
    uint64_t succs;
} node_facts;

typedef struct frame {
    uint64_t todo; /* ready nodes not yet tried from here */
    uint64_t ready, done;
    uint64_t live, peak;
    uint64_t plane[MOST_PLANES];
} frame;

typedef struct walk {
    const hw_model *m;
    const hw_request *request;
    hw_answer *answer;
    hw_meter meter;
    uint32_t n, shared_each;
    uint64_t allow; /* the greatest peak still of interest        */
    bool finished;  /* the answer cannot get better: stop         */
    uint64_t orders;
    shared_use *shared; /* shared_each rows a node, the rest empty    */
    uint64_t *window;   /* nodes that may stand at a position, or NULL */
    uint64_t *due;      /* nodes that must have run after it          */
    uint32_t order[MOST_NODES];
    node_facts node[MOST_NODES];
    frame stack[MOST_NODES + 1];
} walk;

static hw_code prepare(walk *w, hw_error *err)
{
    const hw_model *m = w->m;
    const hw_graph *g = m->graph;
    uint32_t n = w->n;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t count = 0;
        for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++) {
            uint32_t b = m->uses.item[i];
            count += m->users.offset[b + 1] - m->users.offset[b] > 1;
        }
        w->shared_each = count > w->shared_each ? count : w->shared_each;
    }
    w->shared = HW_NEW0(shared_use, (size_t)n * w->shared_each);
    if (m->earliest) {
        w->window = HW_NEW0(uint64_t, n);
        w->due = HW_NEW0(uint64_t, n);
    }
    if (!w->shared || (m->earliest && (!w->window || !w->due)))
        return hw_fail_memory(err, "enumerating orders");
    for (uint32_t v = 0; v < n; v++) {
        node_facts *f = &w->node[v];
        f->net = m->new_bytes[v] - m->dead_bytes[v];
        f->cost = hw_workspace(m, v) +
                  (m->accounting == HW_ALLOC_FIRST ? m->new_bytes[v] : m->dead_bytes[v]);
        shared_use *shared = w->shared + (size_t)v * w->shared_each;
        for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++) {
            uint32_t b = m->uses.item[i], begin = m->users.offset[b], end = m->users.offset[b + 1];
            if (end - begin == 1) {
                f->net -= m->buffer_size[b];
                continue;
            }
            shared->size = m->buffer_size[b];
            for (uint32_t k = begin; k < end; k++)
                shared->users |= hw_bit(m->users.item[k]);
            shared++;
        }
        for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
            f->succs |= hw_bit(g->succs.item[i]);
        for (uint32_t p = 0; m->earliest && p < n; p++) {
            w->window[p] |= p >= m->earliest[v] && p <= m->latest[v] ? hw_bit(v) : 0;
            w->due[p] |= p >= m->latest[v] ? hw_bit(v) : 0;
        }
    }
    frame *root = &w->stack[0];
    *root = (frame){.live = m->live_empty, .peak = m->live_empty};
    for (uint32_t v = 0; v < n; v++) {
        uint32_t waits = g->preds.offset[v + 1] - g->preds.offset[v];
        root->ready |= waits == 0 ? hw_bit(v) : 0;
        for (uint32_t k = 0; k < MOST_PLANES; k++)
            root->plane[k] |= (waits >> k) & 1 ? hw_bit(v) : 0;
    }
    root->todo = m->earliest ? root->ready & w->window[0] : root->ready;
    return HW_OK;
}

/* A whole order with a peak that is allowed: the best so far. */
static void found(walk *w, uint64_t peak)
{
    const hw_request *r = w->request;
    (void)hw_answer_improve(w->m, w->answer, w->order, peak);
    if (r->has_budget ? peak <= r->budget_bytes : peak == 0 && r->params[PARAM_PRUNE].i)
        w->finished = true;
    w->allow = peak ? peak - 1 : 0;
}

/* Bytes of buffers with several users that v frees after `done`. */
static inline uint64_t freed_shared(const walk *w, uint32_t v, uint64_t done)
{
    uint64_t freed = 0;
    const shared_use *use = w->shared + (size_t)v * w->shared_each;
    for (uint32_t i = 0; i < w->shared_each; i++)
        freed += (use[i].users & ~done) == hw_bit(v) ? use[i].size : 0;
    return freed;
}

typedef struct prefix_question {
    const walk *w;
    uint32_t v;
    uint64_t done;
} prefix_question;

static bool dying(const void *context, uint32_t buffer)
{
    const prefix_question *q = context;
    const hw_model *m = q->w->m;
    for (uint32_t i = m->users.offset[buffer]; i < m->users.offset[buffer + 1]; i++)
        if (m->users.item[i] != q->v && !((q->done >> m->users.item[i]) & 1))
            return false;
    return true;
}

static uint64_t reuse(const walk *w, uint32_t v, uint64_t done)
{
    prefix_question q = {w, v, done};
    uint64_t saved = hw_reuse(w->m, v, dying, &q);
    return saved == UINT64_MAX ? 0 : saved; /* no memory: claim no saving */
}

/* The last two steps of an order: first, then last. */
HW_SPECIALIZE void end_order(walk *w, const frame *f, uint32_t first, uint32_t last,
                             bool free_first)
{
    const node_facts *a = &w->node[first], *b = &w->node[last];
    uint64_t live = f->live + a->net - freed_shared(w, first, f->done), peak = f->peak;
    uint64_t usage = (free_first ? live : f->live) + a->cost;
    peak = usage > peak ? usage : peak;
    /* The last node frees every buffer that is left. */
    usage = (free_first ? w->m->live_full : live) + b->cost;
    peak = usage > peak ? usage : peak;
    w->orders++;
    if (peak <= w->allow) {
        w->order[w->n - 2] = first;
        w->order[w->n - 1] = last;
        found(w, peak);
    }
}

HW_SPECIALIZE void end_orders(walk *w, const frame *f, uint64_t left, bool free_first)
{
    uint32_t a = hw_lowest_bit(f->ready), b = hw_lowest_bit(left & ~hw_bit(a));
    end_order(w, f, a, b, free_first);
    w->meter.states += 2;
    if (f->ready == left && !w->finished) {
        end_order(w, f, b, a, free_first);
        w->meter.states += 2;
    }
}

/* The frame after running v from f; false: the prefix need not be followed. */
HW_SPECIALIZE bool take_step(walk *w, const frame *f, uint32_t v, frame *next, bool prune,
                             bool free_first, bool has_reuse, uint32_t planes)
{
    const node_facts *facts = &w->node[v];
    next->done = f->done | hw_bit(v);
    next->live = f->live + facts->net - freed_shared(w, v, f->done);
    uint64_t usage = (free_first ? next->live : f->live) + facts->cost;
    if (has_reuse)
        usage -= reuse(w, v, f->done);
    next->peak = usage > f->peak ? usage : f->peak;
    if (prune && next->peak > w->allow)
        return false;
    uint64_t borrow = facts->succs, waiting = 0;
    for (uint32_t k = 0; k < planes; k++) {
        uint64_t plane = f->plane[k];
        next->plane[k] = plane ^ borrow;
        borrow &= ~plane;
        waiting |= next->plane[k];
    }
    next->ready = (f->ready ^ hw_bit(v)) | (facts->succs & ~waiting);
    return true;
}

/* All orders of the last three nodes, in registers. */
HW_SPECIALIZE void end_three(walk *w, const frame *f, uint64_t left, bool prune, bool free_first,
                             uint32_t planes)
{
    for (uint64_t todo = f->ready; todo && !w->finished; todo &= todo - 1) {
        frame next;
        uint32_t v = hw_lowest_bit(todo);
        w->meter.states++;
        if (!take_step(w, f, v, &next, prune, free_first, false, planes))
            continue;
        w->order[w->n - 3] = v;
        end_orders(w, &next, left ^ hw_bit(v), free_first);
    }
}

/* The walk; constants: prune, free_first, special (in-place or windows), planes. */
HW_SPECIALIZE void follow(walk *w, bool prune, bool free_first, bool special, uint32_t planes)
{
    const uint32_t n = w->n;
    const uint64_t all = n == 64 ? ~UINT64_C(0) : hw_bit(n) - 1;
    const bool has_reuse = special && w->m->reuse_offset, has_windows = special && w->window;
    uint32_t depth = 0;
    if (prune && w->stack[0].peak > w->allow)
        return;
    while (!w->finished) {
        frame *f = &w->stack[depth], *next = f + 1;
        if (f->todo == 0) {
            if (depth == 0)
                return;
            depth--;
            continue;
        }
        const uint32_t v = hw_lowest_bit(f->todo), left = n - depth - 1;
        f->todo ^= hw_bit(v);
        if (hw_meter_count(&w->meter, 1))
            return;
        if (has_windows && (w->due[depth] & ~(f->done | hw_bit(v))))
            continue; /* a node that had to stand here or before is left out */
        if (!take_step(w, f, v, next, prune, free_first, has_reuse, planes))
            continue;
        w->order[depth] = v;
        if (!special && left == 3) {
            end_three(w, next, all ^ next->done, prune, free_first, planes);
        } else if (left == 0) {
            w->orders++;
            if (next->peak <= w->allow)
                found(w, next->peak);
        } else {
            next->todo = has_windows ? next->ready & w->window[depth + 1] : next->ready;
            depth++;
        }
    }
}

/* One compiled walk for each choice of constants. */
static void follow_any(walk *w)
{
    const hw_graph *g = w->m->graph;
    const bool prune = w->request->params[PARAM_PRUNE].i;
    const bool free_first = w->m->accounting == HW_FREE_FIRST;
    uint32_t most = 0;
    for (uint32_t v = 0; v < w->n; v++) {
        uint32_t waits = g->preds.offset[v + 1] - g->preds.offset[v];
        most = waits > most ? waits : most;
    }
    if (w->window || w->m->reuse_offset)
        follow(w, prune, free_first, true, MOST_PLANES);
    else if (prune)
        follow(w, true, free_first, false, MOST_PLANES);
    else if (most <= 3 && free_first)
        follow(w, false, true, false, 2);
    else if (most <= 3)
        follow(w, false, false, false, 2);
    else
        follow(w, false, free_first, false, MOST_PLANES);
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    walk *w = HW_NEW0(walk, 1);
    if (!w)
        return hw_fail_memory(err, "enumerating orders");
    w->m = m;
    w->request = request;
    w->answer = answer;
    w->n = m->n_nodes;
    w->allow = request->has_budget ? request->budget_bytes : UINT64_MAX;
    hw_meter_start(&w->meter, request);
    hw_code code = prepare(w, err);
    if (code == HW_OK) {
        follow_any(w);
        answer->states = w->meter.states;
        answer->has_orders = true;
        answer->orders = w->orders;
        answer->limit_reached = w->meter.over;
        if (w->meter.over)
            answer->status = answer->has_order ? HW_FEASIBLE : HW_UNKNOWN;
        else if (request->has_budget)
            answer->status = answer->has_order ? HW_FEASIBLE : HW_INFEASIBLE;
        else
            answer->status = answer->has_order ? HW_OPTIMAL : HW_INFEASIBLE;
    }
    free(w->shared);
    free(w->window);
    free(w->due);
    free(w);
    return code;
}

const hw_solver_row hw_solver_enumerate = {
    .name = "enumerate",
    .kind = HW_SOLVER_EXACT,
    .budget_aware = true,
    .most_nodes = MOST_NODES,
    .counts = "steps",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "every topological order, one by one; prune=no follows hopeless prefixes too",
    .source = "Knuth and Szwarcfiter 1974, doi:10.1016/0020-0190(74)90001-5",
    .solve = solve,
};
