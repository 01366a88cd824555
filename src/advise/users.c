/* The users of every node's results.  See again.h. */
#include <stdlib.h>
#include <string.h>

#include "advise/again.h"
#include "core/memory.h"

void hw_users_clear(hw_users *users)
{
    free(users->rows.offset);
    free(users->rows.item);
    free(users->to_end);
    free(users->may);
    free(users->bytes);
    memset(users, 0, sizeof *users);
}

/* The node that makes the storage of t; HW_NONE: an input or a constant. */
static uint32_t maker_of(const hw_graph *g, uint32_t t)
{
    return g->tensor_producer[g->storage_root[g->tensor_storage[t]]];
}

typedef struct scan {
    const hw_graph *g;
    bool *read;       /* by tensor: some node reads it */
    uint32_t *seen;   /* by node: the last user that was counted for it */
    uint32_t *listed; /* by tensor: the last node whose bytes it was counted for */
} scan;

static bool is_leaf_view(const scan *s, uint32_t w)
{
    const hw_graph *g = s->g;
    for (uint32_t i = g->outputs.offset[w]; i < g->outputs.offset[w + 1]; i++)
        if (s->read[g->outputs.item[i]] || g->tensor_kind[g->outputs.item[i]] == HW_OUTPUT)
            return false;
    return true;
}

/* Call for every (maker, user): counts the users, then lists them. */
static void each_user(const scan *s, hw_users *users, bool list)
{
    const hw_graph *g = s->g;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        s->seen[v] = HW_NONE;
    for (uint32_t w = 0; w < g->n_nodes; w++) {
        const uint32_t first = g->inputs.offset[w], end = g->inputs.offset[w + 1];
        bool view = (g->node_flags[w] & HW_NODE_VIEW) && first < end;
        uint32_t root = view ? maker_of(g, g->inputs.item[first]) : HW_NONE;
        bool passes_on = view && !is_leaf_view(s, w);
        for (uint32_t i = first; i < end; i++) {
            uint32_t v = maker_of(g, g->inputs.item[i]);
            if (v == HW_NONE || s->seen[v] == w || (passes_on && v == root))
                continue;
            s->seen[v] = w;
            if (list)
                users->rows.item[users->rows.offset[v + 1]++] = w;
            else
                users->rows.offset[v + 2]++;
        }
    }
}

static void add_bytes(const scan *s, const hw_rows *rows, uint32_t v, uint64_t *bytes)
{
    for (uint32_t i = rows->offset[v]; i < rows->offset[v + 1]; i++) {
        uint32_t t = rows->item[i];
        if (s->listed[t] == v)
            continue;
        s->listed[t] = v;
        *bytes += s->g->tensor_size[t]; /* all sums of a graph fit */
    }
}

static void find_facts(const scan *s, const hw_operators *operators, hw_users *users)
{
    const hw_graph *g = s->g;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        add_bytes(s, &g->inputs, v, &users->bytes[v]);
        add_bytes(s, &g->outputs, v, &users->bytes[v]);
        users->may[v] =
            !(g->node_flags[v] & (HW_NODE_VIEW | HW_NODE_LOCKED | HW_NODE_INPLACE_REQUIRED)) &&
            !(operators && (hw_operators_traits(operators, hw_node_op(g, v)) & HW_OPERATOR_LOCKED));
    }
    for (uint32_t i = 0; i < g->n_control; i++)
        users->may[g->control[i].from] = false;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (g->tensor_kind[t] == HW_OUTPUT && maker_of(g, t) != HW_NONE)
            users->to_end[maker_of(g, t)] = true;
}

static bool rows_open(hw_rows *rows, uint32_t n)
{
    rows->offset = HW_NEW0(uint32_t, (size_t)n + 2);
    return rows->offset;
}

hw_code hw_users_find(const hw_graph *g, const hw_operators *operators, hw_users *out,
                      hw_error *err)
{
    const uint32_t n = g->n_nodes;
    memset(out, 0, sizeof *out);
    scan s = {g, HW_NEW0(bool, g->n_tensors), HW_NEW(uint32_t, n), HW_NEW(uint32_t, g->n_tensors)};
    out->to_end = HW_NEW0(bool, n);
    out->may = HW_NEW0(bool, n);
    out->bytes = HW_NEW0(uint64_t, n);
    bool room = s.read && s.seen && s.listed && out->to_end && out->may && out->bytes &&
                rows_open(&out->rows, n);
    if (room) {
        for (uint32_t i = 0; i < g->inputs.offset[n]; i++)
            s.read[g->inputs.item[i]] = true;
        for (uint32_t t = 0; t < g->n_tensors; t++)
            s.listed[t] = HW_NONE;
        find_facts(&s, operators, out);
        each_user(&s, out, false);
        for (uint32_t v = 1; v <= n; v++)
            out->rows.offset[v + 1] += out->rows.offset[v];
        out->rows.item = HW_NEW(uint32_t, out->rows.offset[n + 1]);
        room = out->rows.item;
        if (room)
            each_user(&s, out, true);
    }
    free(s.read);
    free(s.seen);
    free(s.listed);
    return room ? HW_OK : hw_fail_memory(err, "the users of results");
}
