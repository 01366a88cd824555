/*
 * Beam search through the prefixes of a whole graph.
 *
 * Level by level the `width` prefixes are kept that have the least peak so
 * far, then the least live, then the longest path from their last move; of two
 * ways to the same prefix the one with the smaller peak (dominance by equal
 * prefix).  A prefix is followed by the ready nodes of best key: least net
 * change, then longest path.
 *
 * Where the ready node of best key does not let live rise and its step fits
 * under the peak so far, it is the only one that follows: with it moved to the
 * front, any completion stays as good (the safe moves R1 and R1' of the exact
 * solver; exact_engine.c has the proofs).  So a beam as wide as the largest
 * level, with all ready nodes tried, still finds an optimum.  Not under
 * windows, which the argument does not cover.
 *
 * No prefix is stored.  One walk (beam_walk.h) goes from prefix to prefix by
 * the few moves on which they differ (beam_way.h), to and fro through the
 * level, and back the other way on the next; children are visited in the order
 * of their parents.  So memory is that of one greedy run, plus what the width
 * takes, and the time for each prefix is that of a few greedy steps: about
 * three on the families tried, whatever the width.
 *
 * Prefixes may keep far apart for long: two ends of one large graph, say.  The
 * work of the walk is therefore on account: each prefix tried pays for some
 * average moves, and while the account is overdrawn only the best prefix of a
 * level is kept.  Then each level costs one greedy step, and the account
 * recovers.  This bounds the whole by O((n + edges) width) moves.  It does not
 * happen while the beam is not full, so a search that leaves nothing out is
 * never cut.
 */
#include "solvers/beam_search.h"

#include <stdlib.h>
#include <string.h>

#include "solvers/beam_line.h"
#include "solvers/beam_pool.h"
#include "solvers/beam_way.h"

enum {
    MOVES_PAID = 32,     /* by each prefix tried              */
    GRACE = 8,           /* times the whole graph, before any */
    LOOK_EVERY = 262144, /* ready nodes tried, about          */
    LOOK_OVERHEAD = 64,  /* what a prefix costs without any   */
};

/* A prefix of the beam. */
typedef struct beam_state {
    uint64_t peak, live, hash;
    uint32_t line, item; /* how it was reached, its last move */
} beam_state;

typedef struct beam {
    const hw_model *m;
    const beam_options *options;
    uint32_t candidates;
    uint64_t limit; /* orders of this peak are of no use; UINT64_MAX: all are */
    hw_meter *meter;
    beam_walk walk;
    beam_router router;
    beam_lines lines;
    beam_pool pool;
    beam_state *now, *next; /* width each, in the order of visits */
    uint32_t n_now;
    uint32_t *start;  /* width + 1: where the children of a parent begin */
    hw_key *frontier; /* binary heap of keys, least first               */
    size_t n_frontier, frontier_room;
    uint64_t visits, graph_work; /* prefixes tried; work of moving every node once */
} beam;

static uint64_t item_hash(uint32_t item)
{
    uint64_t z = (item + UINT64_C(1)) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* ---- The children of a prefix, where the walk stands. ---- */

/* Offer the child that the ready item of this key leads to.  False: out of memory. */
static bool offer(beam *b, uint32_t parent, hw_key key)
{
    const beam_state *s = &b->now[parent];
    uint64_t live = s->live + hw_net_of_key(key), usage = beam_walk_usage(&b->walk, key);
    uint64_t peak = usage > s->peak ? usage : s->peak, limit = b->limit;
    if ((peak >= limit && limit < UINT64_MAX) || !beam_pool_wants(&b->pool, peak, live))
        return true;
    uint32_t item = hw_key_item(key);
    beam_child child = {.peak = peak,
                        .live = live,
                        .tie = (uint64_t)key & (HW_NET_UNIT - 1),
                        .hash = s->hash ^ item_hash(item),
                        .parent = parent,
                        .item = item};
    return beam_pool_offer(&b->pool, &child);
}

static bool push_frontier(beam *b, hw_key key)
{
    void *array = b->frontier;
    if (!hw_grow(&array, &b->frontier_room, b->n_frontier + 1, sizeof *b->frontier))
        return false;
    hw_key *heap = b->frontier = array;
    size_t at = b->n_frontier++;
    for (; at && key < heap[(at - 1) / 2]; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = key;
    return true;
}

static hw_key pop_frontier(beam *b)
{
    hw_key *heap = b->frontier, top = heap[0], key = heap[--b->n_frontier];
    size_t at = 0, child = 1, count = b->n_frontier;
    for (; child < count; child = 2 * at + 1) {
        child += child + 1 < count && heap[child + 1] < heap[child];
        if (key < heap[child])
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = key;
    return top;
}

/*
 * Offer the best of many ready nodes.  The heap of ready nodes stays as it is:
 * a slot is looked at after its parent.  Keys only grow on the way, so the
 * first whose live is too much for the pool is the last.
 */
static bool offer_best(beam *b, uint32_t parent)
{
    const hw_heap *ready = &b->walk.ready;
    const beam_state *s = &b->now[parent];
    b->n_frontier = 0;
    if (!push_frontier(b, ready->slot[0]))
        return false;
    for (uint32_t tried = 0; b->n_frontier && tried < b->candidates;) {
        hw_key key = pop_frontier(b);
        uint32_t item = hw_key_item(key);
        if (!beam_pool_wants(&b->pool, s->peak, s->live + hw_net_of_key(key)))
            break;
        if (hw_gate_allows(&b->walk.gate, item)) {
            tried++;
            if (!offer(b, parent, key))
                return false;
        }
        uint64_t child = 4 * (uint64_t)(ready->position[item] & HW_HEAP_MOST) + 1, end = child + 4;
        for (; child < end && child < ready->count; child++)
            if (!push_frontier(b, ready->slot[child]))
                return false;
    }
    return true;
}

static bool expand(beam *b, uint32_t parent)
{
    const hw_heap *ready = &b->walk.ready;
    const hw_gate *gate = &b->walk.gate;
    bool safe = !gate->windows && ready->slot[0] < HW_NET_BIAS && /* net change of at most 0 */
                beam_walk_usage(&b->walk, ready->slot[0]) <= b->now[parent].peak;
    if (safe)
        return offer(b, parent, ready->slot[0]);
    if (ready->count > b->candidates)
        return offer_best(b, parent);
    for (uint32_t i = 0; i < ready->count; i++)
        if (hw_gate_allows(gate, hw_key_item(ready->slot[i])) && !offer(b, parent, ready->slot[i]))
            return false;
    return true;
}

/* ---- From level to level. ---- */

static bool is_overdrawn(const beam *b)
{
    uint64_t n = b->m->n_nodes;
    return b->pool.overflowed &&
           (hw_key)b->walk.work * n > (hw_key)b->graph_work * (GRACE * n + MOVES_PAID * b->visits);
}

/* The children in the pool, those of the last parent first, into next[]. */
static bool take_children(beam *b)
{
    uint32_t n = (uint32_t)b->pool.count, last = b->n_now - 1;
    memset(b->start, 0, ((size_t)b->n_now + 1) * sizeof *b->start);
    for (uint32_t i = 0; i < n; i++)
        b->start[last - b->pool.child[i].parent + 1]++;
    for (uint32_t i = 0; i < b->n_now; i++)
        b->start[i + 1] += b->start[i];
    for (uint32_t i = 0; i < n; i++) {
        const beam_child *c = &b->pool.child[i];
        beam_state *s = &b->next[b->start[last - c->parent]++];
        *s = (beam_state){c->peak, c->live, c->hash, 0, c->item};
        if (!beam_lines_add(&b->lines, b->now[c->parent].line, c->item, &s->line))
            return false;
    }
    return true;
}

/* The ways to them; start[k] is now where the children of the k-th last parent end. */
static bool lay_ways(beam *b)
{
    uint32_t n = (uint32_t)b->pool.count, last = b->n_now - 1, at = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i && !beam_router_note(&b->router, b->next[i - 1].item, -1))
            return false;
        for (; i >= b->start[at]; at++)
            if (!beam_router_note_back(&b->router, last - at))
                return false;
        if (!beam_router_note(&b->router, b->next[i].item, 1) ||
            !beam_router_close(&b->router, &b->walk))
            return false;
    }
    beam_router_turn(&b->router);
    return true;
}

static bool descend(beam *b)
{
    beam_pool_settle(&b->pool, is_overdrawn(b) ? 1 : b->options->width);
    if (!take_children(b) || !lay_ways(b))
        return false;
    for (uint32_t i = 0; i < b->n_now; i++)
        beam_lines_drop(&b->lines, b->now[i].line);
    beam_state *swap = b->now;
    b->now = b->next;
    b->next = swap;
    b->n_now = (uint32_t)b->pool.count;
    beam_pool_clear(&b->pool);
    return true;
}

static bool is_too_large(const beam *b)
{
    uint64_t most = b->meter->request->limits.memory_bytes, n = b->m->n_nodes;
    uint64_t width = b->options->width;
    return most && most < beam_walk_bytes(&b->walk) + beam_pool_bytes(&b->pool) +
                              beam_router_bytes(&b->router, (uint32_t)n, b->options->width) +
                              b->lines.room * sizeof *b->lines.entry +
                              width * (2 * sizeof *b->now + sizeof *b->start) +
                              b->frontier_room * sizeof *b->frontier + n * sizeof(uint32_t);
}

/* The last level has one prefix, the whole graph. */
static void tell(const beam *b, uint32_t *order, hw_answer *answer)
{
    uint32_t n = b->m->n_nodes, line = b->now[0].line;
    for (uint32_t i = 0; i < n; i++) {
        const beam_entry *entry = &b->lines.entry[line];
        order[b->options->backwards ? i : n - 1 - i] = beam_walk_node(&b->walk, entry->item);
        line = entry->before;
    }
    (void)hw_answer_improve(b->m, answer, order, b->now[0].peak);
}

static hw_code run(beam *b, uint32_t *order, hw_answer *answer, hw_error *err)
{
    const hw_model *m = b->m;
    uint64_t least = m->live_empty > m->live_full ? m->live_empty : m->live_full;
    b->now[0] = (beam_state){.peak = least, .live = b->walk.live, .line = BEAM_ROOT};
    b->n_now = least < b->limit || b->limit == UINT64_MAX;
    if (!beam_router_close(&b->router, &b->walk))
        return hw_fail_memory(err, "a beam");
    beam_router_turn(&b->router);
    for (uint32_t level = 0; level < m->n_nodes && b->n_now; level++) {
        for (uint32_t i = 0; i < b->n_now; i++) {
            beam_router_go(&b->router, &b->walk, i);
            if (!expand(b, i))
                return hw_fail_memory(err, "a beam");
            b->visits++;
            if (is_too_large(b))
                b->meter->over = true;
            bool last = level + 1 == m->n_nodes && i + 1 == b->n_now;
            if (hw_meter_count(b->meter, 1) && !last) {
                answer->limit_reached = true;
                return HW_OK;
            }
        }
        if (!descend(b))
            return hw_fail_memory(err, "a beam");
    }
    if (b->n_now)
        tell(b, order, answer);
    return HW_OK;
}

/* Work of a walk that moves every node once, as beam_walk.c counts it. */
static uint64_t work_of_all(const hw_model *m)
{
    uint64_t n = m->n_nodes, edges = m->graph->succs.offset[n];
    return n * BEAM_MOVE_WORK + edges + m->uses.offset[n] + m->users.offset[m->n_buffers];
}

hw_code beam_search(const hw_model *m, const beam_options *options, hw_meter *meter,
                    uint32_t *order, hw_answer *answer, hw_error *err)
{
    enum { LEAST_CANDIDATES = 16 };
    uint32_t width = options->width;
    beam b = {.m = m,
              .options = options,
              .candidates = options->candidates        ? options->candidates
                            : width > LEAST_CANDIDATES ? width
                                                       : LEAST_CANDIDATES,
              .limit = answer->has_order ? answer->peak : UINT64_MAX,
              .meter = meter,
              .graph_work = work_of_all(m),
              .now = HW_NEW(beam_state, width),
              .next = HW_NEW(beam_state, width),
              .start = HW_NEW(uint32_t, (size_t)width + 1)};
    hw_meter_look_every(meter, LOOK_EVERY / (LOOK_OVERHEAD + b.candidates));
    beam_pool_init(&b.pool, width);
    hw_code code = beam_walk_open(&b.walk, m, options->backwards, err);
    if (code == HW_OK && (!b.now || !b.next || !b.start || !beam_lines_init(&b.lines) ||
                          !beam_router_init(&b.router, m->n_nodes, width)))
        code = hw_fail_memory(err, "a beam");
    if (code == HW_OK)
        code = run(&b, order, answer, err);
    beam_pool_free(&b.pool);
    beam_router_free(&b.router);
    beam_lines_free(&b.lines);
    beam_walk_close(&b.walk);
    free(b.now);
    free(b.next);
    free(b.start);
    free(b.frontier);
    return code;
}

bool beam_is_done(const hw_model *m, const hw_request *request, const hw_answer *answer)
{
    return answer->has_order && (answer->peak <= m->simple_bound ||
                                 (request->has_budget && answer->peak <= request->budget_bytes));
}
