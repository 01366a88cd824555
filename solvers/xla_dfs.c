/*
 * xla-dfs: XLA's DFSMemoryScheduler, a post-order that visits first the
 * operands with most users and most bytes behind them.
 *
 * Source: XLA (OpenXLA), DFSMemoryScheduler::Run in
 * xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc; the walk is
 * HloComputation::AcceptWithOperandOrder (xla/hlo/ir/hlo_computation.cc) and
 * PostOrderDFS (xla/hlo/ir/hlo_instruction.cc).
 *
 * Rule by rule, theirs and ours (what stands for what: xla_graph.h):
 * - Each instruction gets two figures, in post-order: `users`, its users less
 *   one (0 without users), and `bytes`, what it defines; to both are added the
 *   figures of its operands, each operand once.  So instructions reached on
 *   several paths count several times.  Parameters and constants: 0 and 0.
 *   Control predecessors are not added.  Ours the same; bytes are those of all
 *   storages that the node creates, so a view has 0 of its own.
 * - Both figures are then cut: `users` to the number of instructions, `bytes`
 *   to the bytes defined by all instructions so far *in the post-order*.  Ours
 *   the same, with parameters, constants and the tuple counted among the
 *   instructions.  Theirs can overflow 63 bits between sum and cut; ours stops
 *   at 2^64 - 1, which the cut never exceeds.
 * - Starts.  Theirs: instructions without users or control successors other
 *   than the root, as they stand in the computation; then the root.  Ours the
 *   same in source order; of several outputs the root is the imagined tuple,
 *   which visits what it holds by the rule for operands.  A dead end behind a
 *   control edge is visited from there.
 * - From a start, depth first, operands and control predecessors together: more
 *   `users` first, then more `bytes`, then the lesser name.  Ours: then the
 *   lesser source position, since names here may be missing or repeat.
 * - Windows do not exist in theirs.  Ours goes by this order as far as they
 *   allow (windowed.h).
 *
 * O(nodes + edges log(inputs of a node)), under windows
 * O((nodes + edges) log nodes).
 */
#include <stdlib.h>

#include "core/memory.h"
#include "solvers/windowed.h"
#include "solvers/xla_graph.h"

typedef struct ranking {
    const hw_model *m;
    hw_xla_graph x;
    hw_key *key;  /* by node: its figures and itself, smaller is earlier */
    hw_key *room; /* for the keys of the longest row                     */
} ranking;

/*
 * `users` is at most nodes + tensors + 1 < 2^33, so that 33 + 64 + 31 bits hold
 * all.
 */
#define MOST_USERS ((UINT64_C(1) << 33) - 1)

static hw_key make_key(uint64_t users, uint64_t bytes, uint32_t v)
{
    return (hw_key)(MOST_USERS - users) << 95 | (hw_key)~bytes << HW_HEAP_ITEM_BITS | v;
}

static uint64_t key_users(hw_key key)
{
    return MOST_USERS - (uint64_t)(key >> 95);
}

static uint64_t key_bytes(hw_key key)
{
    return ~(uint64_t)(key >> HW_HEAP_ITEM_BITS);
}

/* Cut to `most`, which is what makes a sum that stopped at 2^64 - 1 right. */
static uint64_t add_up_to(uint64_t a, uint64_t b, uint64_t most)
{
    uint64_t sum;
    return hw_add_u64(a, b, &sum) && sum < most ? sum : most;
}

static uint64_t count_instructions(const ranking *r)
{
    const hw_graph *g = r->m->graph;
    uint64_t count = (uint64_t)g->n_nodes + (r->x.tuple ? 1 : 0);
    for (uint32_t t = 0; t < g->n_tensors; t++)
        count += g->tensor_producer[t] == HW_NONE;
    return count;
}

static void find_keys(ranking *r, const uint32_t *post_order)
{
    const hw_graph *g = r->m->graph;
    const uint64_t instructions = count_instructions(r);
    uint64_t defined = 0;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const uint32_t v = post_order[i], *pred = g->preds.item + g->preds.offset[v];
        const uint32_t count = hw_xla_data_preds(&r->x, v);
        uint64_t users = r->x.users[v] ? r->x.users[v] - 1 : 0, bytes = r->m->new_bytes[v];
        defined += bytes;
        users = add_up_to(users, 0, instructions);
        for (uint32_t k = 0; k < count; k++) {
            users = add_up_to(users, key_users(r->key[pred[k]]), instructions);
            bytes = add_up_to(bytes, key_bytes(r->key[pred[k]]), defined);
        }
        r->key[v] = make_key(users, bytes, v);
    }
}

static void walk_ranked(ranking *r, hw_xla_walk *w)
{
    const hw_graph *g = r->m->graph;
    const hw_rows *succs = &g->succs;
    w->key = r->key;
    w->room = r->room;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        bool root = !r->x.tuple && r->x.n_held && r->x.held[0] == v;
        if (succs->offset[v] == succs->offset[v + 1] && r->x.users[v] == 0 && !root)
            hw_xla_walk_from(w, v);
    }
    hw_xla_sort_down(r->x.held, r->x.n_held, r->key, r->room);
    for (uint32_t i = r->x.n_held; i-- > 0;)
        hw_xla_walk_from(w, r->x.held[i]);
}

static hw_code open_ranking(ranking *r, const hw_model *m, hw_error *err)
{
    const hw_rows *preds = &m->graph->preds;
    hw_code code = hw_xla_open(&r->x, m->graph, err);
    if (code != HW_OK)
        return code;
    uint32_t longest = r->x.n_held;
    for (uint32_t v = 0; v < m->n_nodes; v++)
        if (preds->offset[v + 1] - preds->offset[v] > longest)
            longest = preds->offset[v + 1] - preds->offset[v];
    r->m = m;
    r->key = HW_NEW(hw_key, m->n_nodes);
    r->room = HW_NEW(hw_key, longest);
    return r->key && r->room ? HW_OK : hw_fail_memory(err, "ranks of operands");
}

hw_code hw_xla_dfs(const hw_model *m, hw_meter *meter, uint32_t *order, bool *over, hw_error *err)
{
    ranking r = {0};
    hw_xla_walk w = {0};
    *over = false;
    hw_code code = open_ranking(&r, m, err);
    if (code == HW_OK)
        code = hw_xla_walk_open(&w, &r.x, meter, order, err);
    if (code == HW_OK) {
        hw_xla_post_order(&w);
        *over = w.over;
    }
    if (code == HW_OK && !*over) {
        find_keys(&r, order);
        hw_xla_walk_close(&w);
        code = hw_xla_walk_open(&w, &r.x, meter, order, err);
    }
    if (code == HW_OK && !*over) {
        walk_ranked(&r, &w);
        *over = w.placed < m->n_nodes;
        if (!*over)
            code = hw_order_into_windows(m, order, err);
    }
    hw_xla_walk_close(&w);
    hw_xla_close(&r.x);
    free(r.key);
    free(r.room);
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_xla_solve(m, request, hw_xla_dfs, answer, err);
}

const hw_solver_row hw_solver_xla_dfs = {
    .name = "xla-dfs",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps of its two walks",
    .help =
        "XLA's post-order that visits the inputs with most users, then bytes, behind them first",
    .source = "OpenXLA, xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc, "
              "DFSMemoryScheduler",
    .solve = solve,
};
