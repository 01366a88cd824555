/*
 * xla-list: XLA's ListScheduler, most bytes freed less bytes defined first.
 *
 * Source: XLA (OpenXLA), class ListScheduler in
 * xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc.
 *
 * Rule by rule, theirs and ours (what stands for what: xla_graph.h):
 * - Ready: an instruction whose operands and control predecessors have run.
 *   Parameters and constants are instructions that are ready at the start and
 *   compete like all others.  Here they are tensors; each one that is read gets
 *   a turn in the queue, before all nodes in the order of tensors, and a node
 *   is ready when those it reads have had theirs.  This decides ties alone.
 * - Priority, greatest first: the bytes of the values that the instruction is
 *   the last to use, less the bytes of the values it defines; then the number
 *   of its users.  Values of parameters and constants count neither as freed
 *   nor as defined.  A value that is returned has one more use, at the end, and
 *   is never freed.  Ours the same: a storage is a value, inputs and constants
 *   weigh nothing, pinned or not (though the model frees an input that is not).
 *   What dies with the step counts as defined, in theirs and ours.
 * - Workspace does not count.  (Their comment adds what called computations
 *   use to what an instruction defines; their code no longer does.)  Nor does
 *   in-place reuse.
 * - Ties: the instruction that was put into the queue last.  The source gives
 *   the order at the start; after a step its users that became ready enter in
 *   their order (here: source order), then its control successors.
 * - Last-use bookkeeping.  When a step leaves some value with one use, the
 *   users of the operands of that step get fresh priorities, operand by
 *   operand; one whose priority changed enters the queue anew, and so comes
 *   before its equals.  An instruction that reads the value through another
 *   operand (a view) keeps a stale priority until a step that leaves some value
 *   with one use shares an operand with it.  Ours the same, stale keys and all.
 *   An operand is a tensor here: of several outputs of a node each has its own
 *   users, as if each went through a get-tuple-element of its own.
 * - Effective scalars come first of all, outfeeds early and infeeds late in
 *   theirs.  A graph here has no shapes and no such operators: left out.
 * - Windows do not exist in theirs.  Ours takes the best that the gate lets
 *   through (ready.h).
 *
 * Theirs goes through all users of all operands at each refresh, which is
 * quadratic where one value has many users.  Ours keeps the XOR of the
 * remaining readers of each value, so that the one whose key changes is at
 * hand: at most one change a value, each O(log n).  Where several keys change
 * in one step, their places in the queue follow from the first operand that
 * each shares with the step, found by binary search.  Nodes with stale keys
 * are linked to the tensors they read.
 *
 * O((nodes + edges) log nodes) as a rule; in the worst case, many steps that
 * each leave many values with one reader, O(edges^1.5 log edges).
 */
#include "solvers/xla_list.h"

#include <stdlib.h>

/*
 * The queue numbers its entries from the top down, so that of equal keys the
 * one that entered last is the least.  net is bytes defined less bytes freed,
 * above -2^64 and below 2^64; users are fewer than 2^31: 65 + 31 + 31 bits.
 */
static void enter(hw_xla_listing *s, uint32_t item, hw_key upper)
{
    uint32_t entry = --s->entry;
    s->item_of[entry] = item;
    if (item < s->m->n_nodes)
        s->entry_of[item] = entry;
    hw_heap_push(&s->ready, upper << HW_HEAP_ITEM_BITS | entry);
}

static hw_key upper_key(uint64_t defined, uint64_t freed, uint32_t users)
{
    const hw_key net = ((hw_key)1 << 64) + defined - freed;
    return net << HW_HEAP_ITEM_BITS | (HW_HEAP_MOST - users);
}

static void enter_node(hw_xla_listing *s, uint32_t v)
{
    uint64_t freed = 0;
    for (uint32_t i = s->uses.offset[v]; i < s->uses.offset[v + 1]; i++) {
        const hw_xla_value *value = &s->value[s->uses.item[i]];
        freed += value->left == 1 ? value->bytes : 0;
    }
    enter(s, v, upper_key(s->m->new_bytes[v], freed, s->x.users[v]));
}

/* Put v into the queue anew if its key is stale. */
static void refresh(hw_xla_listing *s, uint32_t v)
{
    if (s->stale[v] == 0)
        return;
    const uint32_t entry = s->entry_of[v];
    const hw_key upper = hw_heap_key(&s->ready, entry) >> HW_HEAP_ITEM_BITS;
    hw_heap_remove(&s->ready, entry);
    enter(s, v, upper - ((hw_key)s->stale[v] << HW_HEAP_ITEM_BITS));
    s->stale[v] = 0;
}

static int by_place(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void note(hw_xla_listing *s, uint32_t operand, uint32_t v)
{
    s->changed[s->n_changed++] = (uint64_t)operand << 32 | v;
}

/*
 * v has run and left a value with one use.  changed[] holds the ready nodes
 * whose keys that made stale: say for each by which operand it comes, link
 * those that share none, add the linked ones that share one.
 */
static void place_changes(hw_xla_listing *s, uint32_t v)
{
    const hw_rows *inputs = &s->m->graph->inputs;
    const size_t fresh = s->n_changed;
    s->n_changed = 0;
    for (size_t i = 0; i < fresh; i++) {
        const uint32_t u = (uint32_t)s->changed[i], at = hw_xla_first_shared(s, v, u);
        if (at != HW_NONE)
            note(s, at, u);
        else
            hw_xla_link(s, u);
    }
    for (uint32_t i = inputs->offset[v]; s->links.head && i < inputs->offset[v + 1]; i++)
        for (uint32_t u; (u = hw_xla_unlink(s, inputs->item[i])) != HW_NONE;)
            note(s, i - inputs->offset[v], u);
    qsort(s->changed, s->n_changed, sizeof *s->changed, by_place);
}

/* Keys after v has run; `left_one`: some value was left with one use. */
static void refresh_changed(hw_xla_listing *s, uint32_t v, bool left_one)
{
    if (left_one && (s->links.head || s->n_changed > 1))
        place_changes(s, v);
    for (size_t i = 0; i < s->n_changed; i++)
        refresh(s, (uint32_t)s->changed[i]);
    s->n_changed = 0;
}

static void release(hw_xla_listing *s, uint32_t v)
{
    if (--s->waiting[v] == 0)
        enter_node(s, v);
}

static void run_source(hw_xla_listing *s, uint32_t tensor)
{
    for (uint32_t i = s->readers.offset[tensor]; i < s->readers.offset[tensor + 1]; i++)
        release(s, s->readers.item[i]);
}

static void run_node(hw_xla_listing *s, uint32_t v)
{
    const hw_rows *succs = &s->m->graph->succs;
    bool left_one = false;
    for (uint32_t i = s->uses.offset[v]; i < s->uses.offset[v + 1]; i++) {
        hw_xla_value *value = &s->value[s->uses.item[i]];
        value->last ^= v;
        if (--value->left != 1)
            continue;
        left_one = true;
        if (value->bytes == 0 || s->entry_of[value->last] == HW_NONE)
            continue; /* who is not ready yet looks when it is */
        if (s->stale[value->last] == 0 || s->links.head)
            note(s, 0, value->last);
        s->stale[value->last] += value->bytes;
    }
    for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++)
        if (!s->control || !s->control[i])
            release(s, succs->item[i]);
    for (uint32_t i = succs->offset[v]; s->control && i < succs->offset[v + 1]; i++)
        if (s->control[i])
            release(s, succs->item[i]);
    refresh_changed(s, v, left_one);
}

static bool allowed(const hw_xla_listing *s, uint32_t entry)
{
    const uint32_t item = s->item_of[entry];
    return item >= s->m->n_nodes || hw_gate_allows(&s->gate, item);
}

/*
 * Take the best entry that the gate lets through; false: there is none.  As
 * hw_gate_pop(), whose heaps hold nodes.
 */
static bool take(hw_xla_listing *s, uint32_t *item)
{
    hw_heap *ready = &s->ready;
    hw_key aside[HW_GATE_ASIDE], key = 0;
    uint32_t refused = 0;
    while (ready->count && key == 0 && refused < HW_GATE_ASIDE) {
        const hw_key top = hw_heap_pop(ready);
        if (allowed(s, hw_key_item(top)))
            key = top;
        else
            aside[refused++] = top;
    }
    if (key == 0) {
        for (uint32_t i = 0; i < ready->count; i++)
            if ((key == 0 || ready->slot[i] < key) && allowed(s, hw_key_item(ready->slot[i])))
                key = ready->slot[i];
        if (key)
            hw_heap_remove(ready, hw_key_item(key));
    }
    while (refused)
        hw_heap_push(ready, aside[--refused]);
    *item = key ? s->item_of[hw_key_item(key)] : HW_NONE;
    return key != 0;
}

static hw_code run(hw_xla_listing *s, hw_meter *meter, uint32_t *order, bool *over, hw_error *err)
{
    const uint32_t n = s->m->n_nodes;
    uint32_t step = 0;
    for (uint32_t i = 0; i < s->n_sources; i++)
        enter(s, n + i, upper_key(0, 0, hw_xla_n_readers(s, s->source[i])));
    for (uint32_t v = 0; v < n; v++)
        if (s->waiting[v] == 0)
            enter_node(s, v);
    while (step < n) {
        uint32_t item;
        if (!take(s, &item))
            return hw_gate_stuck(&s->gate, err);
        if (item >= n) {
            run_source(s, s->source[item - n]);
        } else {
            order[step++] = item;
            hw_gate_pass(&s->gate, item);
            s->entry_of[item] = HW_NONE;
            s->stale[item] = 0;
            run_node(s, item);
        }
        if (hw_meter_count(meter, 1) && step < n) {
            *over = true;
            break;
        }
    }
    return HW_OK;
}

hw_code hw_xla_list(const hw_model *m, hw_meter *meter, uint32_t *order, bool *over, hw_error *err)
{
    hw_xla_listing s;
    *over = false;
    hw_code code = hw_xla_listing_open(&s, m, err);
    if (code == HW_OK)
        code = run(&s, meter, order, over, err);
    hw_xla_listing_close(&s);
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_xla_solve(m, request, hw_xla_list, answer, err);
}

const hw_solver_row hw_solver_xla_list = {
    .name = "xla-list",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "instructions (nodes, inputs, constants)",
    .help = "XLA's list scheduler: most bytes freed less defined, then most users, then the latest",
    .source = "OpenXLA, xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc, ListScheduler",
    .solve = solve,
};
