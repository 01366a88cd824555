/*
 * Recognition of series-parallel orders.  See series_parallel_tree.h.
 *
 * Valdes, Tarjan and Lawler ("The recognition of series parallel digraphs",
 * SIAM J. Comput. 11, 1982, doi:10.1137/0211023): the transitive reduction of
 * such an order falls into complete bipartite pieces A x B; taking each piece
 * for a vertex (a junction) and each node for an edge, from the junction it
 * stands behind to the junction it stands before, gives a two-terminal
 * series-parallel multigraph.  That one shrinks to a single edge by merging
 * parallel edges and the two edges at a vertex of degrees 1 and 1; the merges
 * are the tree.
 *
 * Ours finds the junctions without the transitive reduction.  In topological
 * order, let s(u) be the first successor of u and p(v) the last predecessor of
 * v.  Nothing stands between u and s(u), nor between p(v) and v: the edges
 * u -> s(u) and p(v) -> v are in the reduction.  All of A have the same
 * reduced successors B, so the same s, the first of B; all of B have the same
 * p, in A.  So the first of B names the junction: u stands before s(u), and v
 * behind s(p(v)).
 *
 * That holds if the order is series-parallel.  In general the tree found is a
 * guess, and two checks prove it: the edges u -> v with equal junctions number
 * the sum of |A| |B|, so that all covering pairs of the tree are edges of the
 * graph; and every edge goes forward in both linear extensions of the tree.
 * Hence both orders are the same.
 */
#include "solvers/series_parallel_tree.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

hw_code sp_places_open(sp_places *p, const hw_graph *g, hw_error *err)
{
    uint32_t n = g->n_nodes;
    *p = (sp_places){.n = n,
                     .node = HW_NEW(uint32_t, n),
                     .place = HW_NEW(uint32_t, n),
                     .preds = {HW_NEW(uint32_t, (size_t)n + 1), HW_NEW(uint32_t, g->n_edges)}};
    if (!p->node || !p->place || !p->preds.offset || !p->preds.item)
        return hw_fail_memory(err, "a topological order");
    if (g->source_order_legal_edges) {
        for (uint32_t v = 0; v < n; v++)
            p->node[v] = v;
    } else {
        hw_code code = hw_graph_level_order(g, p->node, err);
        if (code != HW_OK)
            return code;
    }
    hw_order_positions(p->node, n, p->place);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = p->node[i];
        p->preds.offset[i] = count;
        for (uint32_t k = g->preds.offset[v]; k < g->preds.offset[v + 1]; k++)
            p->preds.item[count++] = p->place[g->preds.item[k]];
    }
    p->preds.offset[n] = count;
    return HW_OK;
}

void sp_places_close(sp_places *p)
{
    free(p->node);
    free(p->place);
    free(p->preds.offset);
    free(p->preds.item);
}

void sp_tree_close(sp_tree *t)
{
    free(t->left);
    free(t->right);
    free(t->series);
    free(t->first);
    free(t->second);
    memset(t, 0, sizeof *t);
}

/* The edges at one side of a vertex: their number and the XOR of their names. */
typedef struct sp_side {
    uint32_t count, names;
} sp_side;

/*
 * The multigraph.  Vertices 0 .. n - 1 are junctions, named by the first leaf
 * behind them; n is the source, n + 1 the sink.  Edges are named as the nodes
 * of the tree.
 */
typedef struct sp_shrink {
    sp_tree *tree;
    hw_meter *meter;
    uint32_t n, n_edges;   /* leaves; edges made so far, the merged ones too */
    uint32_t *tail, *head; /* by edge                                        */
    sp_side *in, *out;     /* by vertex                                      */
    uint32_t *ready;       /* stack of junctions of degrees 1 and 1          */
    uint32_t n_ready;
    uint32_t *table; /* hash table of the edges by (tail, head)   */
    unsigned shift;  /* 64 less the logarithm of the table's size */
} sp_shrink;

static bool open_shrink(sp_shrink *s, sp_tree *t, hw_meter *meter)
{
    uint32_t n = t->n;
    size_t nodes = 2 * (size_t)n, slots = 4;
    *s = (sp_shrink){.tree = t, .meter = meter, .n = n, .n_edges = n, .shift = 62};
    for (; slots < 2 * nodes; slots *= 2)
        s->shift--;
    s->tail = HW_NEW(uint32_t, nodes);
    s->head = HW_NEW(uint32_t, nodes);
    s->in = HW_NEW0(sp_side, (size_t)n + 2);
    s->out = HW_NEW0(sp_side, (size_t)n + 2);
    s->ready = HW_NEW(uint32_t, n);
    s->table = HW_NEW(uint32_t, slots);
    if (s->table)
        memset(s->table, 0xff, slots * sizeof *s->table);
    t->left = HW_NEW(uint32_t, n);
    t->right = HW_NEW(uint32_t, n);
    t->series = HW_NEW(bool, n);
    t->first = HW_NEW(uint32_t, nodes);
    t->second = HW_NEW(uint32_t, nodes);
    return s->tail && s->head && s->in && s->out && s->ready && s->table && t->left && t->right &&
           t->series && t->first && t->second;
}

static void close_shrink(sp_shrink *s)
{
    free(s->tail);
    free(s->head);
    free(s->in);
    free(s->out);
    free(s->ready);
    free(s->table);
}

/* The junctions of all leaves into tail and head.  SP_NO: a covering pair of
 * them is no edge. */
static sp_verdict find_junctions(sp_shrink *s, const sp_places *p)
{
    uint32_t n = s->n, low = s->tree->low;
    uint64_t covers = 0, expected = 0;
    for (uint32_t i = 0; i < n; i++)
        s->head[i] = HW_NONE;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t last = HW_NONE, begin = p->preds.offset[low + i];
        uint32_t end = p->preds.offset[low + i + 1];
        for (uint32_t k = begin; k < end; k++) {
            uint32_t u = p->preds.item[k] - low;
            if (p->preds.item[k] < low)
                continue;
            if (s->head[u] == HW_NONE)
                s->head[u] = i;
            if (last == HW_NONE || u > last)
                last = u;
        }
        s->tail[i] = last == HW_NONE ? n : s->head[last];
        for (uint32_t k = begin; k < end; k++)
            covers += p->preds.item[k] >= low && s->head[p->preds.item[k] - low] == s->tail[i];
        s->out[s->tail[i]].count++;
        if (hw_meter_count(s->meter, 1 + (uint64_t)(end - begin)))
            return SP_STOPPED;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (s->head[i] == HW_NONE)
            s->head[i] = n + 1;
        s->in[s->head[i]].count++;
    }
    for (uint32_t j = 0; j < n; j++)
        expected += (uint64_t)s->in[j].count * s->out[j].count;
    return covers == expected ? SP_YES : SP_NO;
}

static void note_ready(sp_shrink *s, uint32_t vertex)
{
    if (vertex < s->n && s->in[vertex].count == 1 && s->out[vertex].count == 1)
        s->ready[s->n_ready++] = vertex;
}

/* A new edge in the place of two; its ends are told by the caller. */
static uint32_t merge(sp_shrink *s, uint32_t left, uint32_t right, bool series)
{
    uint32_t edge = s->n_edges++;
    s->tree->left[edge - s->n] = left;
    s->tree->right[edge - s->n] = right;
    s->tree->series[edge - s->n] = series;
    s->tail[edge] = s->tail[left];
    s->head[edge] = s->head[right];
    return edge;
}

/*
 * Enter an edge, whose ends count it already, into the table; an edge with the
 * same ends is merged with it.  Edges that a series merge took away stay in
 * the table: they end at its vertex, where no edge ever ends again.
 */
static void enter(sp_shrink *s, uint32_t edge)
{
    uint32_t tail = s->tail[edge], head = s->head[edge];
    uint64_t key = (uint64_t)tail << 32 | head;
    size_t slots = (size_t)1 << (64 - s->shift);
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> s->shift);
    for (; s->table[at] != HW_NONE; at = (at + 1) & (slots - 1)) {
        uint32_t other = s->table[at];
        if (s->tail[other] != tail || s->head[other] != head)
            continue;
        uint32_t both = merge(s, other, edge, false);
        s->table[at] = both;
        s->out[tail].count--;
        s->out[tail].names ^= other ^ edge ^ both;
        s->in[head].count--;
        s->in[head].names ^= other ^ edge ^ both;
        note_ready(s, tail);
        note_ready(s, head);
        return;
    }
    s->table[at] = edge;
}

/*
 * Shrink to one edge from source to sink.  Degrees are known from the start and
 * never grow, so a junction gets ready once at most.
 */
static sp_verdict shrink(sp_shrink *s)
{
    uint32_t n = s->n;
    for (uint32_t i = 0; i < n; i++) {
        s->out[s->tail[i]].names ^= i;
        s->in[s->head[i]].names ^= i;
    }
    for (uint32_t i = 0; i < n; i++)
        note_ready(s, i);
    for (uint32_t i = 0; i < n; i++) {
        enter(s, i);
        if (hw_meter_count(s->meter, 1))
            return SP_STOPPED;
    }
    while (s->n_ready) {
        uint32_t vertex = s->ready[--s->n_ready];
        uint32_t before = s->in[vertex].names, after = s->out[vertex].names;
        uint32_t tail = s->tail[before], head = s->head[after];
        if (tail == head)
            return SP_NO; /* junctions in a cycle */
        uint32_t edge = merge(s, before, after, true);
        s->out[tail].names ^= before ^ edge;
        s->in[head].names ^= after ^ edge;
        enter(s, edge);
        if (hw_meter_count(s->meter, 1))
            return SP_STOPPED;
    }
    uint32_t last = s->n_edges - 1;
    return last == 2 * n - 2 && s->tail[last] == n && s->head[last] == n + 1 ? SP_YES : SP_NO;
}

/* Number the leaves from left to right: parallel children in order, and in
 * reverse.  Parents stand behind children: sizes upwards, numbers downwards. */
static void number_leaves(sp_tree *t, uint32_t *size)
{
    uint32_t n = t->n, root = 2 * n - 2;
    for (uint32_t i = 0; i <= root; i++)
        size[i] = i < n ? 1 : size[t->left[i - n]] + size[t->right[i - n]];
    t->first[root] = t->second[root] = 0;
    for (uint32_t i = root; i >= n; i--) {
        uint32_t left = t->left[i - n], right = t->right[i - n];
        bool series = t->series[i - n];
        t->first[left] = t->first[i];
        t->first[right] = t->first[i] + size[left];
        t->second[left] = t->second[i] + (series ? 0 : size[right]);
        t->second[right] = t->second[i] + (series ? size[left] : 0);
    }
}

static sp_verdict check_edges(const sp_tree *t, const sp_places *p, hw_meter *meter)
{
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t begin = p->preds.offset[t->low + i], end = p->preds.offset[t->low + i + 1];
        for (uint32_t k = begin; k < end; k++)
            if (p->preds.item[k] >= t->low && !sp_precedes(t, p->preds.item[k] - t->low, i))
                return SP_NO;
        if (hw_meter_count(meter, 1 + (uint64_t)(end - begin)))
            return SP_STOPPED;
    }
    return SP_YES;
}

sp_verdict sp_tree_open(sp_tree *t, const sp_places *p, uint32_t low, uint32_t high,
                        hw_meter *meter)
{
    sp_shrink s;
    *t = (sp_tree){.low = low, .n = high - low};
    sp_verdict verdict = open_shrink(&s, t, meter) ? SP_YES : SP_NO_MEMORY;
    if (verdict == SP_YES)
        verdict = find_junctions(&s, p);
    if (verdict == SP_YES)
        verdict = shrink(&s);
    if (verdict == SP_YES) {
        number_leaves(t, s.tail);
        verdict = check_edges(t, p, meter);
    }
    close_shrink(&s);
    if (verdict != SP_YES)
        sp_tree_close(t);
    return verdict;
}
