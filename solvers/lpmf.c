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
 *   highwater-model(7): under alloc-first the same plus workspace less in-place
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
 * Theirs looks at all ready nodes at each step, O(nodes^2).  Here a node that is
 * ready waits in a heap by (net change, position), as under greedy.  A step looks
 * at the top: if it fits below the peak so far, it is the best of the heap that
 * does; if not, it leaves the heap for good and goes into a search tree by need =
 * max(0, usage - live), each subtree with its least (net change, position).  As
 * usage <= peak means need <= peak - live, the best of the tree that fits is the
 * best of a prefix of that order: one look at the root when the best of all
 * fits, else one descent.  Each node changes from heap to tree at most once; if it
 * were let back, nothing would bound how often one whose need lies between two
 * levels of room changes places while other steps take and free.  Where most
 * nodes fit, the tree stays small or empty.
 *
 * Keys are kept fresh: a buffer left with one consumer lowers the net change of
 * that node (its need too under free-first, and where it may be overwritten):
 * at most once a buffer and, for needs, once a use.  O((nodes + uses) log nodes)
 * expected.  Under windows all wait in the tree, where a step looks at each ready
 * node if the first choice may not run.
 */
#include <stddef.h>
#include <string.h>

#include "solvers/inductor.h"
#include "solvers/net_change.h"
#include "solvers/treap.h"

/* A node that did not fit; the link has one cache line with what the tree needs of it. */
typedef struct lpmf_node {
    hw_key net;  /* HW_NET_BIAS + net change * HW_NET_UNIT + v */
    hw_key best; /* the least net in the subtree of v          */
    uint64_t need;
    hw_treap_link link;
} lpmf_node;

/* In waiting[], of a node in the tree: more than any number of predecessors. */
#define LPMF_IN_TREE (HW_HEAP_IN - 1)

typedef struct lpmf {
    const hw_model *m;
    lpmf_node *node; /* laid for those in the tree alone                       */
    hw_net_buffer *buffer;
    uint32_t *waiting; /* predecessors yet to run, place in the heap, or in tree */
    uint32_t *scratch; /* room for the buffers or the successors of a node       */
    hw_heap fitting;   /* by net; not known not to fit                           */
    hw_treap others;   /* by need                                                */
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

/* The net change in a key, as a wrapped number. */
static inline uint64_t net_of(hw_key key)
{
    return (uint64_t)((key - HW_NET_BIAS) / HW_NET_UNIT);
}

/* What a node needs above live while it runs; nothing where the step shrinks it. */
static inline uint64_t find_need(lpmf *s, hw_key net)
{
    const hw_model *m = s->m;
    uint32_t v = hw_key_item(net);
    uint64_t need = m->new_bytes[v] + hw_workspace(m, v);
    if (m->accounting == HW_ALLOC_FIRST)
        return need - reuse(s, v);
    uint64_t freed = m->new_bytes[v] - m->dead_bytes[v] - net_of(net);
    return need > freed ? need - freed : 0;
}

static inline hw_key find_net(const lpmf *s, uint32_t v)
{
    const hw_model *m = s->m;
    uint64_t freed = 0;
    for (uint32_t i = m->uses.offset[v], end = m->uses.offset[v + 1]; i < end; i++) {
        uint32_t b = m->uses.item[i];
        freed += m->buffer_size[b] & -(uint64_t)(s->buffer[b].left == 1);
    }
    return HW_NET_BIAS + (m->new_bytes[v] - m->dead_bytes[v]) * HW_NET_UNIT - freed * HW_NET_UNIT +
           v;
}

static void lay_buffers(lpmf *s)
{
    const hw_rows *users = &s->m->users;
    for (uint32_t b = 0; b < s->m->n_buffers; b++) {
        uint32_t last = 0;
        for (uint32_t i = users->offset[b]; i < users->offset[b + 1]; i++)
            last ^= users->item[i];
        s->buffer[b] = (hw_net_buffer){users->offset[b + 1] - users->offset[b], last};
    }
}

/* Into the tree. */
static void set_aside(lpmf *s, hw_key net, uint64_t need)
{
    uint32_t v = hw_key_item(net);
    s->node[v].net = net;
    s->node[v].need = need;
    s->waiting[v] = LPMF_IN_TREE;
    hw_treap_insert(&s->others, &by_need, v);
}

/* `hole`: there is one in the heap, to be filled first.  False: it still is there. */
static inline bool make_ready(lpmf *s, uint32_t v, bool hole)
{
    hw_key net = find_net(s, v);
    if (s->gate.windows) {
        set_aside(s, net, find_need(s, net));
        return false;
    }
    if (hole)
        hw_heap_fill(&s->fitting, net);
    else
        hw_heap_push(&s->fitting, net);
    return true;
}

static void lower_in_tree(lpmf *s, uint32_t v, uint64_t size)
{
    lpmf_node *x = &s->node[v];
    x->net -= size * HW_NET_UNIT;
    uint64_t need = s->needs_fall ? find_need(s, x->net) : x->need;
    if (need == x->need) {
        hw_treap_pull_up(&s->others, &by_need, v);
    } else {
        hw_treap_remove(&s->others, &by_need, v);
        x->need = need;
        hw_treap_insert(&s->others, &by_need, v);
    }
}

/* A buffer of `size` bytes has v as its last consumer now. */
static inline void lower_net(lpmf *s, uint32_t v, uint64_t size)
{
    if (hw_heap_holds(&s->fitting, v))
        hw_heap_lower(&s->fitting, hw_heap_key(&s->fitting, v) - size * HW_NET_UNIT);
    else if (s->waiting[v] == LPMF_IN_TREE)
        lower_in_tree(s, v, size); /* who is not ready yet looks when it is */
}

/* The least net of those in the tree that need at most `room`; 0: none does. */
static hw_key best_within(const lpmf *s, uint64_t room)
{
    const lpmf_node *node = s->node;
    hw_key best = 0;
    uint32_t v = s->others.root;
    if (v != HW_NONE && node[hw_key_item(node[v].best)].need <= room)
        return node[v].best;
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
    for (uint32_t v = hw_treap_first(&s->others, &by_need); v != HW_NONE;
         v = hw_treap_next(&s->others, &by_need, v)) {
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

/* Below all keys of nodes whose net change is at least this. */
static inline hw_key least_key(hw_key net)
{
    return HW_NET_BIAS + net * HW_NET_UNIT;
}

/*
 * Nobody fits: out of the heap those who may need less than the least in the
 * tree, or as much and come first.  The best of them, not in the tree, and
 * *least, what it needs, or what the tree needs; 0: the tree has the best.
 */
static hw_key find_least_need(lpmf *s, uint64_t *least)
{
    hw_key best = 0, first = ~(hw_key)0; /* of those who need *least */
    bool known = s->others.count > 0;
    *least = UINT64_MAX;
    if (known) {
        *least = s->node[hw_treap_first(&s->others, &by_need)].need;
        first = best_within(s, *least);
    }
    while (s->fitting.count) {
        hw_key top = s->fitting.slot[0];
        if (known && top >= least_key((hw_key)*least + (top > first ? 0 : 1)))
            break; /* need >= net change */
        (void)hw_heap_pop(&s->fitting);
        uint64_t need = find_need(s, top);
        if (known && (need > *least || (need == *least && top > first))) {
            set_aside(s, top, need);
            continue;
        }
        if (best)
            set_aside(s, best, *least);
        known = true;
        *least = need;
        first = best = top;
    }
    return best;
}

/*
 * The key of the node to run next, which is taken out; 0: the gate lets nobody
 * through.  *hole: it has left a hole in the heap.
 */
static hw_key choose(lpmf *s, uint64_t room, bool *hole)
{
    hw_key limit = least_key((hw_key)room + 1); /* who fits is below: need >= net change */
    bool fits = false;
    while (s->fitting.count && !fits && s->fitting.slot[0] < limit) {
        hw_key top = s->fitting.slot[0];
        uint64_t need = find_need(s, top);
        fits = need <= room;
        if (!fits) {
            (void)hw_heap_pop(&s->fitting);
            set_aside(s, top, need);
        }
    }
    hw_key best = s->others.count ? best_within(s, room) : 0;
    *hole = fits && (best == 0 || s->fitting.slot[0] < best);
    if (*hole)
        return hw_heap_open(&s->fitting);
    if (best == 0) {
        uint64_t least;
        hw_key first = find_least_need(s, &least);
        if (first) {
            s->waiting[hw_key_item(first)] = 0;
            return first;
        }
        best = best_within(s, least);
    }
    uint32_t v = hw_key_item(best);
    if (!hw_gate_allows(&s->gate, v)) {
        v = choose_allowed(s, room);
        if (v == HW_NONE)
            return 0;
        best = s->node[v].net;
    }
    hw_treap_remove(&s->others, &by_need, v);
    s->waiting[v] = 0;
    hw_gate_pass(&s->gate, v);
    return best;
}

/*
 * Account for v, which has been taken out.  Which buffers are left with one
 * consumer and which nodes become ready is as good as random: both are first
 * collected without a branch (as in net_change.h).
 */
static inline void run(lpmf *s, uint32_t v, bool hole)
{
    const hw_model *m = s->m;
    const hw_rows *uses = &m->uses, *succs = &m->graph->succs;
    uint32_t *found = s->scratch, count = 0;
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
        found[count] = u;
        count += left == 0;
    }
    for (uint32_t i = 0; i < count; i++)
        if (make_ready(s, found[i], hole))
            hole = false;
    if (hole)
        hw_heap_close(&s->fitting);
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
            (void)make_ready(s, v, false);
    }
    while (s->fitting.count || s->others.count) {
        bool hole;
        hw_key key = choose(s, top - live, &hole);
        if (key == 0)
            return hw_gate_stuck(&s->gate, err);
        uint32_t v = hw_key_item(key);
        order[step++] = v;
        uint64_t usage = live + m->new_bytes[v] + hw_workspace(m, v) - reuse(s, v);
        live += net_of(key);
        if (m->accounting == HW_FREE_FIRST)
            usage = live + m->dead_bytes[v] + hw_workspace(m, v);
        if (usage > top)
            top = usage;
        run(s, v, hole);
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
    if (!s.node || !s.buffer || !s.waiting || !s.scratch ||
        !hw_heap_init(&s.fitting, m->n_nodes, s.waiting)) {
        code = hw_fail_memory(err, "the ready nodes");
    } else if (code == HW_OK) {
        s.others = (hw_treap){(char *)&s.node->link, &s, HW_NONE, 0};
        lay_buffers(&s);
        code = lay_order(&s, meter, order, peak, done, err);
    }
    hw_gate_close(&s.gate);
    hw_heap_free(&s.fitting);
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
