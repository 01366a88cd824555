/*
 * lpmf: least peak memory first.
 *
 * At each step, of the ready nodes, the one with the least
 *
 *     (max(usage of its step, peak so far), net change, source position)
 *
 * where the peak so far begins at the larger of live(empty) and live(all).
 * That is: among the nodes that fit below the peak so far the one that leaves
 * the least alive; where none fits, the one that raises the peak least.
 *
 * Source: topological_sort_lpmf in torch/_inductor/memory.py of PyTorch, which
 * names S.-I. Han, X. Guerin, S.-I. Chae, A. Jerraya, Buffer memory
 * optimization for video codec application modeled in Simulink, DAC 2006,
 * 10.1145/1146909.1147084.  Rule by rule, theirs and ours:
 *
 * - Candidates: nodes whose predecessors have run.  The same; under windows
 *   only those after which the rest can still be completed.
 * - Usage of a step: live + the sizes of the node's outputs.  Ours is usage of
 *   MODEL section 3: under alloc-first the same plus workspace less in-place
 *   reuse, which theirs does not know; under free-first the step's own.
 * - Peak so far at the start: the larger of the freeable inputs together and
 *   the graph outputs together.  The same: live(empty), live(all).  Their
 *   inputs that may not be freed are in neither sum; ours, pinned, are in both,
 *   which changes no comparison.
 * - Net change: outputs less buffers of which the node is the last consumer,
 *   less its own outputs that nobody reads.  The same, in storages: a view
 *   makes nothing and keeps its storage alive (theirs: aliases by mutation).
 * - A buffer that is a graph output counts one consumer more than it has.
 *   The same effect: it is never freed.
 * - Ties: the position in the given list of nodes.  The same.
 * - A later release writes the first part as "its outputs if they exceed the
 *   gap between peak and live, else 0": the same order.
 * - Another rule for graphs whose ready outputs are all above a size
 *   (size_threshold_for_succ_based_strategy) is off there unless it is
 *   configured, and left out here.
 * - The first release subtracted what the last node of the input list frees
 *   instead of the selected one (since corrected); ours is the corrected rule.
 *
 * Theirs looks at all ready nodes at each step, O(nodes^2).  Here the ready
 * nodes are in a search tree by need = max(0, usage - live), each subtree with
 * its least (net change, position).  As usage <= peak means need <= peak -
 * live, a step asks for the best of a prefix of that order: one look at the
 * root when the best of all fits, else one descent.  Two heaps, one of the
 * nodes that fit and one of the others, would be simpler, but nothing bounds how
 * often a node whose need lies between two levels of room changes heaps while
 * other steps take and free.
 *
 * Keys are kept fresh: a buffer left with one consumer lowers the net change of
 * that node (its need too under free-first, and where it may be overwritten):
 * at most once a buffer and, for needs, once a use.  O((nodes + uses) log nodes)
 * expected, and under windows a look at each ready node where the first choice
 * may not run.
 */
#include <stddef.h>
#include <string.h>

#include "solvers/inductor.h"
#include "solvers/net_change.h"
#include "solvers/treap.h"

/* A node; the link has one cache line with what the tree needs of it. */
typedef struct lpmf_node {
    hw_key net;  /* HW_NET_BIAS + net change * HW_NET_UNIT + v */
    hw_key best; /* the least net in the subtree of v          */
    uint64_t need;
    hw_treap_link link;
} lpmf_node;

typedef struct lpmf {
    const hw_model *m;
    lpmf_node *node;
    hw_net_buffer *buffer;
    uint32_t *waiting; /* predecessors yet to run                          */
    uint32_t *scratch; /* room for the buffers or the successors of a node */
    hw_treap ready;
    hw_gate gate;
    bool needs_fall;    /* a need may change while the node is ready */
    bool out_of_memory; /* in a matching                             */
} lpmf;

static inline bool before(const void *records, uint32_t a, uint32_t b)
{
    const lpmf_node *node = ((const lpmf *)records)->node;
    return node[a].need != node[b].need ? node[a].need < node[b].need : a < b;
}

static inline bool pull(void *records, uint32_t v)
{
    lpmf_node *node = ((lpmf *)records)->node, *x = &node[v];
    hw_key best = x->net;
    if (x->link.left != HW_NONE && node[x->link.left].best < best)
        best = node[x->link.left].best;
    if (x->link.right != HW_NONE && node[x->link.right].best < best)
        best = node[x->link.right].best;
    bool changed = best != x->best;
    x->best = best;
    return changed;
}

static const hw_treap_kind by_need = {sizeof(lpmf_node), before, pull};

static bool dying(const void *context, uint32_t buffer)
{
    return ((const lpmf *)context)->buffer[buffer].left == 1;
}

static uint64_t reuse(lpmf *s, uint32_t v)
{
    if (!s->m->reuse_offset)
        return 0;
    uint64_t saved = hw_reuse(s->m, v, dying, s);
    s->out_of_memory |= saved == UINT64_MAX;
    return s->out_of_memory ? 0 : saved;
}

/* What v needs above live while it runs; nothing where the step shrinks it. */
static uint64_t find_need(lpmf *s, uint32_t v)
{
    const hw_model *m = s->m;
    uint64_t need = m->new_bytes[v] + hw_workspace(m, v);
    if (m->accounting == HW_ALLOC_FIRST)
        return need - reuse(s, v);
    hw_key unfreed = HW_NET_BIAS + (m->new_bytes[v] - m->dead_bytes[v]) * HW_NET_UNIT + v;
    uint64_t freed = (uint64_t)((unfreed - s->node[v].net) / HW_NET_UNIT);
    return need > freed ? need - freed : 0;
}

static void lay_nodes(lpmf *s)
{
    const hw_model *m = s->m;
    for (uint32_t v = 0; v < m->n_nodes; v++)
        s->node[v].net = HW_NET_BIAS + (m->new_bytes[v] - m->dead_bytes[v]) * HW_NET_UNIT + v;
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        uint32_t last = 0, left = m->users.offset[b + 1] - m->users.offset[b];
        for (uint32_t i = m->users.offset[b]; i < m->users.offset[b + 1]; i++)
            last ^= m->users.item[i];
        s->buffer[b] = (hw_net_buffer){left, last};
        if (left == 1)
            s->node[last].net -= m->buffer_size[b] * HW_NET_UNIT;
    }
}

static void make_ready(lpmf *s, uint32_t v)
{
    s->node[v].need = find_need(s, v);
    hw_treap_insert(&s->ready, &by_need, v);
}

/* A buffer of `size` bytes has v as its last consumer now. */
static void lower_net(lpmf *s, uint32_t v, uint64_t size)
{
    s->node[v].net -= size * HW_NET_UNIT;
    if (!hw_treap_holds(&s->ready, &by_need, v))
        return;
    uint64_t need = s->needs_fall ? find_need(s, v) : s->node[v].need;
    if (need == s->node[v].need) {
        hw_treap_pull_up(&s->ready, &by_need, v);
    } else {
        hw_treap_remove(&s->ready, &by_need, v);
        s->node[v].need = need;
        hw_treap_insert(&s->ready, &by_need, v);
    }
}

/* The least net of the nodes that need at most `room`; 0: none does. */
static hw_key best_within(const lpmf *s, uint64_t room)
{
    const lpmf_node *node = s->node;
    hw_key best = 0;
    uint32_t v = s->ready.root;
    while (v != HW_NONE) {
        const lpmf_node *x = &node[v];
        if (x->need > room) {
            v = x->link.left;
            continue;
        }
        if (best == 0 || x->net < best)
            best = x->net;
        if (x->link.left != HW_NONE && node[x->link.left].best < best)
            best = node[x->link.left].best;
        v = x->link.right;
    }
    return best;
}

/* Of those that the gate lets through, by a look at each. */
static uint32_t choose_allowed(const lpmf *s, uint64_t room)
{
    uint32_t chosen = HW_NONE;
    uint64_t chosen_need = 0;
    for (uint32_t v = hw_treap_first(&s->ready, &by_need); v != HW_NONE;
         v = hw_treap_next(&s->ready, &by_need, v)) {
        uint64_t need = s->node[v].need > room ? s->node[v].need : 0;
        if (chosen != HW_NONE && need > chosen_need)
            break; /* needs only rise from here */
        if (hw_gate_allows(&s->gate, v) &&
            (chosen == HW_NONE || s->node[v].net < s->node[chosen].net)) {
            chosen = v;
            chosen_need = need;
        }
    }
    return chosen;
}

static uint32_t choose(const lpmf *s, uint64_t room)
{
    hw_key best = s->node[s->ready.root].best;
    if (s->node[hw_key_item(best)].need > room)
        best = best_within(s, room);
    if (best == 0)
        best = best_within(s, s->node[hw_treap_first(&s->ready, &by_need)].need);
    uint32_t v = hw_key_item(best);
    return hw_gate_allows(&s->gate, v) ? v : choose_allowed(s, room);
}

/*
 * Account for v, which has just left the tree.  Which buffers are left with one
 * consumer and which nodes become ready is as good as random: both are first
 * collected without a branch (as in net_change.h).
 */
static void run(lpmf *s, uint32_t v)
{
    const hw_model *m = s->m;
    const hw_rows *uses = &m->uses, *succs = &m->graph->succs;
    uint32_t *found = s->scratch, count = 0;
    hw_gate_pass(&s->gate, v);
    for (uint32_t i = uses->offset[v], end = uses->offset[v + 1]; i < end; i++) {
        uint32_t b = uses->item[i], left = s->buffer[b].left - 1;
        s->buffer[b] = (hw_net_buffer){left, s->buffer[b].last ^ v};
        found[count] = b;
        count += left == 1;
    }
    for (uint32_t i = 0; i < count; i++)
        lower_net(s, s->buffer[found[i]].last, m->buffer_size[found[i]]);
    count = 0;
    for (uint32_t i = succs->offset[v], end = succs->offset[v + 1]; i < end; i++) {
        uint32_t u = succs->item[i], left = --s->waiting[u];
        __builtin_prefetch(&s->node[u], 1);
        found[count] = u;
        count += left == 0;
    }
    for (uint32_t i = 0; i < count; i++)
        make_ready(s, found[i]);
}

static hw_code lay_order(lpmf *s, hw_meter *meter, uint32_t *order, uint64_t *peak, bool *done,
                         hw_error *err)
{
    const hw_model *m = s->m;
    uint32_t n = m->n_nodes, step = 0;
    uint64_t live = m->live_empty, top = live > m->live_full ? live : m->live_full;
    hw_count_preds(m, s->waiting);
    for (uint32_t v = 0; v < n; v++) {
        if (s->waiting[v] == 0)
            make_ready(s, v);
    }
    while (s->ready.count) {
        uint32_t v = choose(s, top - live);
        if (v == HW_NONE)
            return hw_gate_stuck(&s->gate, err);
        hw_treap_remove(&s->ready, &by_need, v);
        order[step++] = v;
        uint64_t usage = live + m->new_bytes[v] + hw_workspace(m, v) - reuse(s, v);
        live += (uint64_t)((s->node[v].net - HW_NET_BIAS) / HW_NET_UNIT);
        if (m->accounting == HW_FREE_FIRST)
            usage = live + m->dead_bytes[v] + hw_workspace(m, v);
        if (usage > top)
            top = usage;
        run(s, v);
        if (hw_meter_count(meter, 1) && step < n)
            return HW_OK;
    }
    if (s->out_of_memory)
        return hw_fail_memory(err, "in-place pairs");
    *peak = top; /* the last step's usage is at least live(all) */
    *done = true;
    return HW_OK;
}

hw_code hw_inductor_lpmf(const hw_model *m, hw_meter *meter, uint32_t *order, uint64_t *peak,
                         bool *done, hw_error *err)
{
    lpmf s = {.m = m,
              .node = HW_NEW(lpmf_node, m->n_nodes),
              .buffer = HW_NEW(hw_net_buffer, m->n_buffers),
              .waiting = HW_NEW(uint32_t, m->n_nodes),
              .scratch = HW_NEW(uint32_t, (size_t)m->n_nodes + m->n_buffers + 1),
              .needs_fall = m->accounting == HW_FREE_FIRST || m->reuse_offset};
    *done = false;
    hw_code code = hw_gate_open(&s.gate, m, false, err);
    if (!s.node || !s.buffer || !s.waiting || !s.scratch) {
        code = hw_fail_memory(err, "the ready nodes");
    } else if (code == HW_OK) {
        hw_treap_open(&s.ready, &by_need, &s.node->link, &s, m->n_nodes);
        lay_nodes(&s);
        code = lay_order(&s, meter, order, peak, done, err);
    }
    hw_gate_close(&s.gate);
    free(s.node);
    free(s.buffer);
    free(s.waiting);
    free(s.scratch);
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_solve_by_rule(m, request, hw_inductor_lpmf, answer, err);
}

const hw_solver_row hw_solver_lpmf = {
    .name = "lpmf",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "least peak first: what fits below the peak so far by net change, else least usage",
    .source = "PyTorch Inductor, torch/_inductor/memory.py, topological_sort_lpmf; Han et al., "
              "DAC 2006, 10.1145/1146909.1147084",
    .solve = solve,
};
