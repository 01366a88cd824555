/*
 * lookahead: the greedy rule, looking a few steps ahead.
 */
#include "solvers/net_change.h"

#include <string.h>

enum { WIDTH, DEPTH, INNER, SCORE, N_PARAMS };
enum { MOST_WIDTH = 64, MOST_DEPTH = 8 };

static const hw_param_row params[N_PARAMS] = {
    [WIDTH] = {"k", HW_PARAM_INT, 1, MOST_WIDTH, 3, NULL, "candidates tried at each step"},
    [DEPTH] = {"depth", HW_PARAM_INT, 0, MOST_DEPTH, 1, NULL, "steps simulated after a candidate"},
    [INNER] = {"inner", HW_PARAM_INT, 1, MOST_WIDTH, 1, NULL, "x"},
    [SCORE] = {"score", HW_PARAM_INT, 0, 8, 0, NULL, "x"},
};

typedef struct outlook {
    uint64_t peak, live;
} outlook;

typedef struct looking {
    hw_net net;
    uint32_t *frontier; /* slots of the heap, best key first */
    uint32_t inner;
    int score;
} looking;

static bool better(const looking *l, outlook a, outlook b)
{
    if (l->score & 1)
        return a.live != b.live ? a.live < b.live : a.peak < b.peak;
    return a.peak != b.peak ? a.peak < b.peak : a.live < b.live;
}

/* The k best keys that may run, best first; returns how many there are. */
static uint32_t find_best(looking *l, uint32_t k, hw_key *best)
{
    const hw_heap *heap = &l->net.ready;
    uint32_t found = 0, count = 0, head = 0;
    if (heap->count)
        l->frontier[count++] = 0;
    while (head < count && found < k) {
        uint32_t at = l->frontier[head++];
        hw_key key = heap->slot[at];
        if (hw_gate_allows(&l->net.gate, hw_key_item(key)))
            best[found++] = key;
        for (uint64_t child = 4 * (uint64_t)at + 1;
             child <= 4 * (uint64_t)at + 4 && child < heap->count; child++) {
            uint32_t i = count++;
            for (; i > head && heap->slot[child] < heap->slot[l->frontier[i - 1]]; i--)
                l->frontier[i] = l->frontier[i - 1];
            l->frontier[i] = (uint32_t)child;
        }
    }
    return found;
}

static void apply(hw_net *s, uint32_t v)
{
    hw_heap_remove(&s->ready, v);
    hw_gate_pass(&s->gate, v);
    hw_net_run(s, HW_NET_UNIT, HW_NET_PATH_UNIT, v, false);
}

static void undo(hw_net *s, hw_key key)
{
    uint32_t v = hw_key_item(key);
    const hw_rows *uses = &s->m->uses, *succs = &s->m->graph->succs;
    for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++) {
        uint32_t u = succs->item[i];
        if (hw_heap_holds(&s->ready, u))
            hw_heap_remove(&s->ready, u);
        s->waiting[u]++;
    }
    for (uint32_t i = uses->offset[v]; i < uses->offset[v + 1]; i++) {
        hw_net_buffer *b = &s->buffer[uses->item[i]];
        if (b->left == 1) {
            hw_key gain = s->m->buffer_size[uses->item[i]] * HW_NET_UNIT;
            if (hw_heap_holds(&s->ready, b->last))
                hw_heap_raise(&s->ready, hw_heap_key(&s->ready, b->last) + gain);
        }
        b->left++;
        b->last ^= v;
    }
    hw_heap_push(&s->ready, key);
    if (s->gate.search) {
        s->gate.done[v] = false;
        s->gate.step--;
    }
}

static outlook after(const looking *l, outlook now, hw_key key)
{
    const hw_model *m = l->net.m;
    uint32_t v = hw_key_item(key);
    uint64_t usage = now.live + m->new_bytes[v] + hw_workspace(m, v);
    if (m->reuse_offset)
        usage -= hw_net_reuse(&l->net, v);
    now.live += hw_net_of_key(key);
    if (m->accounting == HW_FREE_FIRST)
        usage = now.live + m->dead_bytes[v] + hw_workspace(m, v);
    if (usage > now.peak)
        now.peak = usage;
    return now;
}

static outlook explore(looking *l, outlook now, uint32_t depth)
{
    hw_key best[MOST_WIDTH];
    uint32_t n = find_best(l, l->inner, best);
    if (n == 0)
        return now;
    outlook least = {UINT64_MAX, UINT64_MAX};
    for (uint32_t i = 0; i < n; i++) {
        outlook o = after(l, now, best[i]);
        if (depth > 1) {
            apply(&l->net, hw_key_item(best[i]));
            o = explore(l, o, depth - 1);
            undo(&l->net, best[i]);
        }
        if (better(l, o, least))
            least = o;
    }
    return least;
}

static hw_code run(looking *l, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_net *s = &l->net;
    uint32_t n = s->m->n_nodes, step = 0;
    uint32_t k = (uint32_t)request->params[WIDTH].i, depth = (uint32_t)request->params[DEPTH].i;
    outlook now = {s->m->live_empty, s->m->live_empty};
    hw_meter meter;
    hw_meter_start(&meter, request);
    l->inner = (uint32_t)request->params[INNER].i;
    l->score = (int)request->params[SCORE].i;
    while (s->ready.count && !answer->limit_reached) {
        hw_key best[MOST_WIDTH];
        uint32_t found = find_best(l, k, best), chosen = 0;
        if (found == 0)
            return hw_gate_stuck(&s->gate, err);
        if (found > 1) {
            outlook least = {UINT64_MAX, UINT64_MAX};
            for (uint32_t i = 0; i < found; i++) {
                outlook o = now;
                if (l->score & 2)
                    o.peak = 0;
                o = after(l, o, best[i]);
                if (depth) {
                    apply(s, hw_key_item(best[i]));
                    o = explore(l, o, depth);
                    undo(s, best[i]);
                }
                if (better(l, o, least)) {
                    least = o;
                    chosen = i;
                }
            }
        }
        now = after(l, now, best[chosen]);
        apply(s, hw_key_item(best[chosen]));
        answer->order[step++] = hw_key_item(best[chosen]);
        answer->limit_reached = hw_meter_count(&meter, found) && step < n;
    }
    answer->states = meter.states;
    if (!answer->limit_reached)
        (void)hw_answer_improve(s->m, answer, answer->order, now.peak);
    return HW_OK;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    looking l;
    memset(&l, 0, sizeof l);
    l.frontier = HW_NEW(uint32_t, (size_t)m->n_nodes + 4);
    hw_code code = hw_net_open(&l.net, m, err);
    if (code == HW_OK && !l.frontier)
        code = hw_fail_memory(err, "looking ahead");
    if (code == HW_OK) {
        hw_net_start(&l.net, HW_NET_UNIT, HW_NET_PATH_UNIT);
        code = run(&l, request, answer, err);
    }
    hw_net_close(&l.net);
    free(l.frontier);
    return code;
}

const hw_solver_row hw_solver_lookahead = {
    .name = "lookahead",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "candidates",
    .params = params,
    .n_params = N_PARAMS,
    .help = "the greedy rule over the k best candidates, simulated a few steps ahead",
    .source = "seed article, section 3.4",
    .solve = solve,
};
