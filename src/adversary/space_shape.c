/*
 * Shapes of graphs: who is of a shape, and how many edges it can have.
 *
 * Edges.  With c = the least of both degree limits and, in a tree, 1: a node
 * of number v has at most min(v, c) in-edges or, counted from the end,
 * out-edges, so there are at most sum min(v, c); the graph in which each node
 * reads the min(v, c) before it attains that, and its precedence order is a
 * chain.  In levels of w_0, w_1, ... nodes, with e_i edges from level i on:
 * say out-degrees have the limit c (else go backwards).  If all w_i < c, charge
 * e_i <= w_i w_(i+1) to the smaller side away from the widest level m: at most
 * m (n - m) in all.  Otherwise let j be the last level with w_j >= c; charge
 * e_i to level i before j, e_i <= w_i w_(i+1) <= c w_(i+1) after j, and at j
 * e_j <= w_j w_(j+1) <= c (w_j - c) + c w_(j+1), since (c - w_(j+1)) (w_j - c)
 * >= 0 (where j is the last of all, level j itself is charged nothing): at most
 * c (n - c) in all.  With k = min(c, n / 2) levels of k nodes and one of what
 * is left attain k (n - k).
 */
#include "small/genome_edit.h"
#include "adversary/space.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t hw_space_most_edges(const hw_space *s, uint32_t n)
{
    bool tree = s->shape == HW_SHAPE_IN_TREE || s->shape == HW_SHAPE_OUT_TREE;
    uint32_t degree = least(s->most_in, s->most_out), edges = 0;
    degree = tree ? least(degree, 1) : degree;
    if (s->shape == HW_SHAPE_LAYERED) {
        uint32_t width = least(degree, n / 2);
        return width * (n - width);
    }
    for (uint32_t v = 0; v < n; v++)
        edges += least(v, degree);
    return edges;
}

static bool in_tree(const hw_genome *g)
{
    uint64_t read = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        if (read & g->parents[v])
            return false;
        read |= g->parents[v];
    }
    return true;
}

static bool out_tree(const hw_genome *g)
{
    for (uint32_t v = 0; v < g->n; v++)
        if (g->parents[v] & (g->parents[v] - 1))
            return false;
    return true;
}

/* Levels of each piece, from one of its nodes on along edges in both directions. */
static bool layered(const hw_genome *g)
{
    int level[HW_GENOME_MOST] = {0};
    uint64_t reached = 0, readers[HW_GENOME_MOST] = {0};
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t parents = g->parents[v]; parents; parents &= parents - 1)
            readers[hw_genome_low(parents)] |= HW_GENOME_BIT(v);
    for (uint32_t root = 0; root < g->n; root++) {
        if (reached >> root & 1)
            continue;
        for (uint64_t todo = HW_GENOME_BIT(root); todo;) {
            uint32_t v = hw_genome_low(todo);
            reached |= HW_GENOME_BIT(v);
            todo &= todo - 1;
            todo |= (g->parents[v] | readers[v]) & ~reached;
            for (uint64_t up = g->parents[v] & ~reached; up; up &= up - 1)
                level[hw_genome_low(up)] = level[v] - 1;
            for (uint64_t down = readers[v] & ~reached; down; down &= down - 1)
                level[hw_genome_low(down)] = level[v] + 1;
        }
    }
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t parents = g->parents[v]; parents; parents &= parents - 1)
            if (level[hw_genome_low(parents)] + 1 != level[v])
                return false;
    return true;
}

/* ---- Series-parallel: the precedence order comes apart into single nodes. ---- */

/* The nodes of `within` that are joined to its first one; comparable or not by `related`. */
static uint64_t piece(const uint64_t *comparable, uint64_t within, bool related)
{
    uint64_t reached = within & -within, todo = reached;
    while (todo) {
        uint32_t v = hw_genome_low(todo);
        uint64_t next = related ? comparable[v] : ~comparable[v];
        next &= within & ~reached;
        reached |= next;
        todo = (todo & (todo - 1)) | next;
    }
    return reached;
}

/*
 * Nodes that no chain of comparable pairs joins stand in parallel; those that
 * no chain of incomparable pairs joins stand in series.  Where neither takes
 * apart two nodes or more the order holds an N, and so does the whole.
 */
static bool comes_apart(const uint64_t *comparable, uint64_t nodes)
{
    uint64_t waiting[HW_GENOME_MOST];
    uint32_t count = 0;
    waiting[count++] = nodes;
    while (count) {
        uint64_t within = waiting[--count];
        if ((within & (within - 1)) == 0)
            continue;
        uint64_t part = piece(comparable, within, true);
        if (part == within)
            part = piece(comparable, within, false);
        if (part == within)
            return false;
        waiting[count++] = part; /* disjoint sets: never more than there are nodes */
        waiting[count++] = within ^ part;
    }
    return true;
}

static bool series_parallel(const hw_genome *g)
{
    uint64_t comparable[HW_GENOME_MOST];
    for (uint32_t v = 0; v < g->n; v++) {
        uint64_t before = 0;
        for (uint64_t parents = g->parents[v]; parents; parents &= parents - 1) {
            uint32_t u = hw_genome_low(parents);
            before |= HW_GENOME_BIT(u) | (comparable[u] & (HW_GENOME_BIT(u) - 1));
        }
        comparable[v] = before | HW_GENOME_BIT(v);
        for (uint64_t up = before; up; up &= up - 1)
            comparable[hw_genome_low(up)] |= HW_GENOME_BIT(v);
    }
    return comes_apart(comparable, hw_genome_all(g));
}

bool hw_shape_holds(hw_shape shape, const hw_genome *g)
{
    switch (shape) {
    case HW_SHAPE_IN_TREE:
        return in_tree(g);
    case HW_SHAPE_OUT_TREE:
        return out_tree(g);
    case HW_SHAPE_SERIES_PARALLEL:
        return series_parallel(g);
    case HW_SHAPE_LAYERED:
        return layered(g);
    case HW_SHAPE_ANY:
        break;
    }
    return true;
}
