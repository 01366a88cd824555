/*
 * tflite-tools: the memoised recursion over sets of tensors of Liberis and
 * Lane, from the outputs back to the inputs.
 *
 * Source: E. Liberis and N. D. Lane, Neural networks on microcontrollers:
 * saving memory at inference via operator reordering, 2019, arXiv:1910.05110,
 * algorithm 1; and the tool, eliberis/tflite-tools, tflite_tools/tflite_model.py,
 * compute_best_peak_memory_usage.
 *
 * Theirs.  MEM(X) is the least peak of computing all tensors of a set X.  For
 * each x of X that no other tensor of X is computed from, its operator v runs
 * last: before it the tensors X - x and the inputs of v must have been
 * computed, and while it runs these and x are in memory,
 *
 *   MEM(X) = min over x of max(MEM(X - x + inputs(v)), bytes(X + inputs(v)))
 *
 * and MEM of nothing is 0.  Values are kept by X, so that each set is solved
 * once.  The answer is MEM(outputs).
 *
 * Ours is the same recursion with the set S of nodes that have run in place of
 * X.  Where every node leads to an output, X is what lives after S, and S is
 * the producers of X and all that leads to them: one determines the other, and
 * "no other tensor of X is computed from x" says that v is a maximal element of
 * S.  The same sets are solved, one for each down-set.
 *
 *   MEM(S) = min over maximal v of S of max(MEM(S - v), usage(S - v, v))
 *
 * and MEM of the empty set is live(empty).  This is right for whatever the
 * model knows, since live and usage depend on S alone (highwater-model(7)), while
 * X does not tell S where a node makes nothing that is wanted later.  So:
 * - Several outputs, views, workspace, in-place reuse, dead outputs, control
 *   edges, free-first: in the usage of a step and in the maximal elements.
 *   Theirs knows one output a node and none of the others.
 * - Nodes that lead to no output: theirs never runs them, ours must.
 * - Windows: v may be last in S if it may stand at position |S| - 1; a set
 *   that no order reaches is worth infinity.
 * - Inputs: theirs takes a tensor without producer out of X at once and adds
 *   its bytes to the peak of all that ran before.  One that two operators read
 *   comes back into X and is added twice.  Ours counts it once, to its last
 *   reader.
 * - Nothing is pruned, in either: no bound, no order in hand from elsewhere.
 *   Ours takes maximal elements from the last source position to the first, so
 *   that the first descent ends at an order near that of the source; each
 *   later meeting with a set already solved completes the path to it, and is
 *   handed over when it is better.  So a limit leaves an order, but no bound.
 *   Under a budget the first order that fits ends it.
 * - Theirs recurses; ours keeps a stack of at most n frames.
 *
 * O(down-sets x maximal elements x (n / 64 + uses of a node)) time, and n / 8 +
 * 8 + 4 bytes a down-set and 16 to 32 for the table.
 */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/set_table.h"
#include "model/sim.h"
#include "solve/solver.h"

/* A set being solved, and the one of its maximal elements that is being tried. */
typedef struct frame {
    uint32_t state, node;
    uint64_t usage; /* of running node last            */
    uint64_t above; /* greatest usage of frames before */
} frame;

typedef struct recursion {
    const hw_model *m;
    const hw_request *request;
    hw_answer *answer;
    hw_meter meter;
    size_t words;

    hw_sim sim;           /* after the set at hand                */
    uint64_t *set;        /* the set at hand                      */
    uint64_t *maximal;    /* its maximal elements                 */
    uint32_t *succs_left; /* by node: successors in the set       */
    frame *stack;
    uint32_t depth;

    uint64_t *rows; /* by state: the set, then MEM of it          */
    uint32_t *last; /* by state: the node that runs last          */
    size_t count, capacity, last_capacity;
    hw_set_table table;

    uint64_t *order_set; /* room for rebuilding an order */
    uint32_t *order;
    uint64_t tries; /* maximal elements tried */
    bool stopped;
} recursion;

static const uint64_t never = UINT64_MAX; /* no order of the set is legal */

static uint64_t *value_of(const recursion *r, uint32_t state)
{
    return r->rows + state * (r->words + 1) + r->words;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Bytes held with room for `capacity` states, while a table of `slots` is filled. */
static uint64_t bytes_with(const recursion *r, size_t capacity, size_t slots)
{
    uint64_t bytes = capacity * (uint64_t)((r->words + 1) * sizeof *r->rows + sizeof *r->last);
    bytes += r->m->n_nodes * (uint64_t)(sizeof *r->stack + 2 * sizeof(uint32_t));
    return bytes + slots * sizeof *r->table.slot;
}

/* Room for one more state.  False: none is allowed, or none is there. */
static bool make_room(recursion *r)
{
    const size_t need = r->count + 1;
    if (need <= r->capacity)
        return true;
    const size_t capacity = need + need / 2 + 64, slots = hw_set_table_slots(capacity);
    const size_t held = slots > r->table.n_slots ? slots + r->table.n_slots : r->table.n_slots;
    if (capacity >= UINT32_MAX || (r->request->limits.memory_bytes &&
                                   bytes_with(r, capacity, held) > r->request->limits.memory_bytes))
        return false;
    void *rows = r->rows, *last = r->last;
    size_t none = 0;
    bool grown = hw_grow(&rows, &none, capacity, (r->words + 1) * sizeof *r->rows);
    r->rows = rows;
    none = 0;
    grown = grown && hw_grow(&last, &none, capacity, sizeof *r->last);
    r->last = last;
    if (!grown || !hw_set_table_grow(&r->table, capacity))
        return false;
    r->capacity = capacity;
    return true;
}

static uint32_t find_state(const recursion *r, const uint64_t *set, uint64_t hash, size_t *at)
{
    if (r->words == 1)
        return hw_set_table_find(&r->table, r->rows, 2, 1, set, hash, at);
    return hw_set_table_find(&r->table, r->rows, r->words + 1, r->words, set, hash, at);
}

/* Take v, a maximal element, out of the set at hand; put it back. */
static void take_off(recursion *r, uint32_t v)
{
    const hw_rows *preds = &r->m->graph->preds;
    hw_sim_undo(&r->sim, v, 0, -1);
    hw_bits_remove(r->set, v);
    hw_bits_remove(r->maximal, v);
    for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
        if (--r->succs_left[preds->item[i]] == 0)
            hw_bits_add(r->maximal, preds->item[i]);
}

static void put_back(recursion *r, uint32_t v)
{
    const hw_rows *preds = &r->m->graph->preds;
    (void)hw_sim_step(&r->sim, v);
    hw_bits_add(r->set, v);
    hw_bits_add(r->maximal, v);
    for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
        if (r->succs_left[preds->item[i]]++ == 0)
            hw_bits_remove(r->maximal, preds->item[i]);
}

/* The last maximal element before `before` that may run last; HW_NONE: none. */
static uint32_t next_last(const recursion *r, uint32_t before)
{
    const uint32_t position = r->sim.steps - 1;
    for (size_t k = ((size_t)before + 63) / 64; k-- > 0;) {
        uint64_t word = r->maximal[k];
        if (before / 64 == k)
            word &= hw_bit(before) - 1;
        for (; word; word &= ~(UINT64_C(1) << (63 - __builtin_clzll(word)))) {
            uint32_t v = (uint32_t)(64 * k) + 63 - (uint32_t)__builtin_clzll(word);
            if (!r->m->earliest || (r->m->earliest[v] <= position && position <= r->m->latest[v]))
                return v;
        }
    }
    return HW_NONE;
}

/* The order that goes through the set at hand by its best, then up the stack. */
static void hand_over(recursion *r, uint64_t peak)
{
    uint32_t at = r->m->n_nodes;
    for (uint32_t i = 0; i < r->depth; i++)
        r->order[--at] = r->stack[i].node;
    memcpy(r->order_set, r->set, r->words * sizeof *r->set);
    while (at) {
        size_t slot = 0;
        uint32_t state = find_state(r, r->order_set, hw_bits_hash(r->order_set, r->words), &slot);
        r->order[--at] = r->last[state];
        hw_bits_remove(r->order_set, r->last[state]);
    }
    (void)hw_answer_improve(r->m, r->answer, r->order, peak);
}

/* The set at hand, of which the top frame took off its node, is worth `value`. */
static void combine(recursion *r, uint64_t value)
{
    const frame *f = &r->stack[r->depth - 1];
    const uint64_t with = max_u64(value, f->usage);
    if (value == never)
        return;
    if (with < *value_of(r, f->state)) {
        *value_of(r, f->state) = with;
        r->last[f->state] = f->node;
    }
    const uint64_t peak = max_u64(with, f->above);
    if (!r->answer->has_order || peak < r->answer->peak)
        hand_over(r, peak);
}

/* Begin to solve the set at hand.  False: a limit. */
static bool descend(recursion *r, uint64_t hash, size_t at)
{
    const uint32_t state = (uint32_t)r->count++;
    uint64_t above = 0;
    if (r->depth)
        above = max_u64(r->stack[r->depth - 1].above, r->stack[r->depth - 1].usage);
    memcpy(r->rows + state * (r->words + 1), r->set, r->words * sizeof *r->set);
    *value_of(r, state) = never;
    r->last[state] = HW_NONE;
    hw_set_table_put(&r->table, at, hash, state);
    r->stack[r->depth++] = (frame){.state = state, .node = r->m->n_nodes, .above = above};
    return !hw_meter_count(&r->meter, 1);
}

/* The set at hand: known, empty, or one more frame.  False: a limit. */
static bool visit(recursion *r)
{
    size_t at = 0;
    if (r->sim.steps == 0) {
        combine(r, r->m->live_empty);
        put_back(r, r->stack[r->depth - 1].node);
        return true;
    }
    if (!make_room(r))
        return false;
    const uint64_t hash = hw_bits_hash(r->set, r->words);
    const uint32_t state = find_state(r, r->set, hash, &at);
    if (state == UINT32_MAX)
        return descend(r, hash, at);
    combine(r, *value_of(r, state));
    put_back(r, r->stack[r->depth - 1].node);
    return true;
}

static bool fits_budget(const recursion *r)
{
    return r->request->has_budget && r->answer->has_order &&
           r->answer->peak <= r->request->budget_bytes;
}

/* MEM(all nodes) into the first row.  False: a limit ended it. */
static bool recurse(recursion *r)
{
    /* The meter looks at the clock every few thousand states: seldom for sets so wide. */
    const uint64_t look_every = 1 + 4096 / r->words;
    bool within = visit(r);
    while (within && r->depth && !fits_budget(r)) {
        frame *f = &r->stack[r->depth - 1];
        const uint32_t v = next_last(r, f->node);
        if (v == HW_NONE) {
            const uint64_t value = *value_of(r, f->state);
            if (--r->depth) {
                combine(r, value);
                put_back(r, r->stack[r->depth - 1].node);
            }
            continue;
        }
        take_off(r, v);
        f->node = v;
        f->usage = hw_sim_usage(&r->sim, v);
        within = visit(r) && !(++r->tries % look_every == 0 && hw_meter_look(&r->meter));
    }
    return within;
}

/* The set of all nodes at hand. */
static hw_code start(recursion *r, hw_error *err)
{
    const hw_graph *g = r->m->graph;
    hw_code code = hw_graph_level_order(g, r->order, err);
    for (uint32_t i = 0; code == HW_OK && i < g->n_nodes; i++) {
        (void)hw_sim_step(&r->sim, r->order[i]);
        hw_bits_add(r->set, i);
        r->succs_left[i] = g->succs.offset[i + 1] - g->succs.offset[i];
        if (r->succs_left[i] == 0)
            hw_bits_add(r->maximal, i);
    }
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    const size_t words = hw_words(m->n_nodes), n = m->n_nodes;
    recursion r = {.m = m,
                   .request = request,
                   .answer = answer,
                   .words = words,
                   .set = HW_NEW0(uint64_t, words),
                   .maximal = HW_NEW0(uint64_t, words),
                   .order_set = HW_NEW(uint64_t, words),
                   .succs_left = HW_NEW(uint32_t, n),
                   .order = HW_NEW(uint32_t, n),
                   .stack = HW_NEW(frame, n)};
    hw_meter_start(&r.meter, request);
    hw_code code = hw_sim_init(&r.sim, m, err);
    if (code == HW_OK && (!r.set || !r.maximal || !r.order_set || !r.succs_left || !r.order ||
                          !r.stack || !hw_set_table_reset(&r.table, 1)))
        code = hw_fail_memory(err, "the recursion over sets of tensors");
    if (code == HW_OK)
        code = start(&r, err);
    if (code == HW_OK) {
        answer->limit_reached = !recurse(&r);
        answer->states = r.meter.states;
        if (!answer->limit_reached && r.depth == 0) {
            (void)hw_answer_bound(m, answer, *value_of(&r, 0));
            answer->status = HW_OPTIMAL;
        }
    }
    hw_sim_free(&r.sim);
    hw_set_table_free(&r.table);
    free(r.set);
    free(r.maximal);
    free(r.order_set);
    free(r.succs_left);
    free(r.order);
    free(r.stack);
    free(r.rows);
    free(r.last);
    return code;
}

const hw_solver_row hw_solver_tflite_tools = {
    .name = "tflite-tools",
    .kind = HW_SOLVER_EXACT,
    .budget_aware = true,
    .counts = "down-sets",
    .help = "memoised recursion from the outputs back, nothing pruned",
    .source = "Liberis and Lane 2019, arXiv:1910.05110; eliberis/tflite-tools, "
              "tflite_tools/tflite_model.py",
    .solve = solve,
};
