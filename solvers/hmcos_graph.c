/* The hierarchical graph of hmcos.  See hmcos_graph.h. */
#include "solvers/hmcos_graph.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"

/* Bytes above or below those at the start of a sequence, biased. */
__extension__ typedef unsigned __int128 level_bytes;
#define LEVEL_START ((level_bytes)1 << 100)

void hmcos_graph_close(hmcos_graph *h)
{
    free(h->nodes.offset);
    free(h->nodes.item);
    free(h->seq_of);
    free(h->preds.offset);
    free(h->preds.item);
    free(h->succs.offset);
    free(h->succs.item);
    free(h->members.offset);
    free(h->members.item);
    free(h->group_of);
}

static bool allocate_rows(hw_rows *rows, size_t n, size_t items)
{
    rows->offset = HW_NEW0(uint32_t, n + 1);
    rows->item = HW_NEW(uint32_t, items);
    return rows->offset && rows->item;
}

/* ---- Sequences. ---- */

/*
 * Nodes by the reverse of the order in which a depth-first walk leaves them;
 * earlier sources and successors come first.  Work space: three entries a node.
 */
static void reverse_post_order(const hw_graph *g, uint32_t *order, uint32_t *space)
{
    const uint32_t n = g->n_nodes;
    uint32_t *next = space, *stack = space + n, *seen = space + (size_t)2 * n, left = n;
    memset(seen, 0, n * sizeof *seen);
    for (uint32_t root = n; root-- > 0;) {
        uint32_t depth = 0;
        if (seen[root] || g->preds.offset[root] != g->preds.offset[root + 1])
            continue;
        stack[depth++] = root;
        seen[root] = 1;
        next[root] = g->succs.offset[root + 1];
        while (depth) {
            uint32_t v = stack[depth - 1];
            if (next[v] == g->succs.offset[v]) {
                order[--left] = v;
                depth--;
                continue;
            }
            uint32_t u = g->succs.item[--next[v]];
            if (seen[u])
                continue;
            seen[u] = 1;
            next[u] = g->succs.offset[u + 1];
            stack[depth++] = u;
        }
    }
}

/* Bytes that v frees wherever it stands: nobody else uses them. */
static uint64_t own_bytes(const hw_model *m, uint32_t v)
{
    uint64_t own = 0;
    for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++) {
        uint32_t b = m->uses.item[i];
        if (m->users.offset[b + 1] - m->users.offset[b] == 1)
            own += m->buffer_size[b];
    }
    return own;
}

/* What a sequence has used and left so far. */
typedef struct levels {
    level_bytes most, now;
} levels;

/* The levels after v; wherever else its inputs are used they count as alive. */
static levels levels_after(const hw_model *m, levels at, uint32_t v)
{
    uint64_t own = own_bytes(m, v);
    level_bytes top = at.now + m->new_bytes[v] + hw_workspace(m, v);
    if (m->accounting == HW_FREE_FIRST)
        top -= own;
    return (levels){top > at.most ? top : at.most,
                    at.now + m->new_bytes[v] - m->dead_bytes[v] - own};
}

static uint32_t row_length(const hw_rows *rows, uint32_t v)
{
    return rows->offset[v + 1] - rows->offset[v];
}

/* The node that may continue a sequence after v, or HW_NONE. */
static uint32_t only_successor(const hw_graph *g, uint32_t v)
{
    if (row_length(&g->succs, v) != 1)
        return HW_NONE;
    uint32_t u = g->succs.item[g->succs.offset[v]];
    return row_length(&g->preds, u) == 1 ? u : HW_NONE;
}

static void lay_sequences(hmcos_graph *h, const uint32_t *order)
{
    const hw_model *m = h->m;
    const hw_graph *g = m->graph;
    uint32_t count = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        h->seq_of[v] = HW_NONE;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t v = order[i];
        if (h->seq_of[v] != HW_NONE)
            continue;
        levels at = levels_after(m, (levels){0, LEVEL_START}, v);
        h->nodes.offset[h->n_seqs] = count;
        while (v != HW_NONE) {
            h->seq_of[v] = h->n_seqs;
            h->nodes.item[count++] = v;
            v = m->earliest ? HW_NONE : only_successor(g, v);
            if (v == HW_NONE)
                break;
            levels then = levels_after(m, at, v);
            if (then.most > at.most || then.now > at.now)
                break;
            at = then;
        }
        h->n_seqs++;
    }
    h->nodes.offset[h->n_seqs] = count;
}

/* Rows of sequences from rows of nodes, each once, itself left out. */
static void join_rows(const hmcos_graph *h, const hw_rows *from, hw_rows *to, uint32_t *seen)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < h->n_seqs; s++)
        seen[s] = HW_NONE;
    for (uint32_t s = 0; s < h->n_seqs; s++) {
        to->offset[s] = count;
        seen[s] = s;
        for (uint32_t i = h->nodes.offset[s]; i < h->nodes.offset[s + 1]; i++) {
            uint32_t v = h->nodes.item[i];
            for (uint32_t k = from->offset[v]; k < from->offset[v + 1]; k++) {
                uint32_t other = h->seq_of[from->item[k]];
                if (seen[other] != s)
                    to->item[count++] = other;
                seen[other] = s;
            }
        }
    }
    to->offset[h->n_seqs] = count;
}

/* ---- Groups. ---- */

static bool is_concat(const hmcos_graph *h, uint32_t s)
{
    uint32_t v = h->nodes.item[h->nodes.offset[s]];
    return strncasecmp(hw_node_op(h->m->graph, v), "concat", strlen("concat")) == 0;
}

static bool is_cell_output(const hmcos_graph *h, uint32_t s, hmcos_cells cells)
{
    return cells == HMCOS_CONCAT ? is_concat(h, s) : row_length(&h->preds, s) > 1;
}

/*
 * The tree of post-dominators: dom[s] is the nearest sequence that all ways
 * from s to the end pass through, the number n standing for the end.  Since
 * sequences have topological numbers, one pass from the last one is enough
 * (Cooper, Harvey and Kennedy 2001, on a graph without cycles).
 */
static void find_post_dominators(const hmcos_graph *h, uint32_t *dom, uint32_t *size)
{
    const uint32_t n = h->n_seqs;
    dom[n] = n;
    for (uint32_t s = n; s-- > 0;) {
        const hw_rows *succs = &h->succs;
        uint32_t at = succs->offset[s], common = n;
        if (at < succs->offset[s + 1])
            common = succs->item[at++];
        for (; at < succs->offset[s + 1]; at++)
            for (uint32_t other = succs->item[at]; other != common;) {
                if (other < common)
                    other = dom[other];
                else
                    common = dom[common];
            }
        dom[s] = common;
        size[s] = 1;
    }
    size[n] = 1;
    for (uint32_t s = 0; s < n; s++)
        size[dom[s]] += size[s];
}

/* From the end backwards: the largest cells that fit, each with all below it. */
static void lay_groups(hmcos_graph *h, hmcos_cells cells, uint32_t most, const uint32_t *dom,
                       const uint32_t *size)
{
    enum { LEAST = 3 };
    for (uint32_t s = h->n_seqs; s-- > 0;) {
        if (dom[s] != h->n_seqs && h->group_of[dom[s]] != HW_NONE)
            h->group_of[s] = h->group_of[dom[s]];
        else if (size[s] >= LEAST && size[s] <= most && is_cell_output(h, s, cells))
            h->group_of[s] = h->n_groups++;
    }
}

/* Rows of members by group, ascending. */
static bool list_members(hmcos_graph *h)
{
    if (!allocate_rows(&h->members, (size_t)h->n_groups + 1, h->n_seqs))
        return false;
    uint32_t *offset = h->members.offset;
    for (uint32_t s = 0; s < h->n_seqs; s++)
        if (h->group_of[s] != HW_NONE)
            offset[h->group_of[s] + 2]++;
    for (uint32_t k = 2; k <= h->n_groups; k++)
        offset[k] += offset[k - 1];
    for (uint32_t s = 0; s < h->n_seqs; s++)
        if (h->group_of[s] != HW_NONE)
            h->members.item[offset[h->group_of[s] + 1]++] = s;
    return true;
}

static hmcos_cells cells_of(const hmcos_graph *h, hmcos_cells cells)
{
    if (h->m->earliest)
        return HMCOS_NONE;
    if (cells != HMCOS_AUTO)
        return cells;
    for (uint32_t s = 0; s < h->n_seqs; s++)
        if (is_concat(h, s))
            return HMCOS_CONCAT;
    return HMCOS_JOINS;
}

hw_code hmcos_graph_open(hmcos_graph *h, const hw_model *m, hmcos_cells cells, uint32_t most,
                         hw_error *err)
{
    const hw_graph *g = m->graph;
    const uint32_t n = m->n_nodes;
    *h = (hmcos_graph){.m = m};
    uint32_t *order = HW_NEW(uint32_t, n), *space = HW_NEW(uint32_t, (size_t)3 * n + 2);
    h->seq_of = HW_NEW(uint32_t, n);
    h->group_of = HW_NEW(uint32_t, n);
    bool laid = order && space && h->seq_of && h->group_of && allocate_rows(&h->nodes, n, n) &&
                allocate_rows(&h->preds, n, g->n_edges) && allocate_rows(&h->succs, n, g->n_edges);
    if (laid) {
        reverse_post_order(g, order, space);
        lay_sequences(h, order);
        join_rows(h, &g->preds, &h->preds, space);
        join_rows(h, &g->succs, &h->succs, space);
        for (uint32_t s = 0; s < h->n_seqs; s++)
            h->group_of[s] = HW_NONE;
        cells = cells_of(h, cells);
        if (cells != HMCOS_NONE) {
            find_post_dominators(h, space, space + n + 1);
            lay_groups(h, cells, most, space, space + n + 1);
        }
        laid = list_members(h);
    }
    free(order);
    free(space);
    return laid ? HW_OK : hw_fail_memory(err, "the hierarchy of a graph");
}

void hmcos_ungroup(hmcos_graph *h, uint32_t group)
{
    for (uint32_t i = h->members.offset[group]; i < h->members.offset[group + 1]; i++)
        h->group_of[h->members.item[i]] = HW_NONE;
}
