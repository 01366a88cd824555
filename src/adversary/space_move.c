/*
 * Random changes of a genome that stay inside a space.  See space.h.
 *
 * Each kind of change is one function on a copy of the genome, which need not
 * look at the limits: what it leaves is tidied up and then either inside, and
 * different, or dropped.
 */
#include "adversary/space_internal.h"

uint32_t hw_space_pick_of(gsl_rng *rng, uint64_t nodes)
{
    for (uint32_t skip = hw_space_pick(rng, hw_genome_count(nodes)); skip; skip--)
        nodes &= nodes - 1;
    return hw_genome_low(nodes);
}

bool hw_space_pick_edge(gsl_rng *rng, const hw_genome *g, uint32_t *from, uint32_t *to)
{
    uint32_t edges = hw_genome_edges(g), v = 0;
    if (edges == 0)
        return false;
    uint32_t skip = hw_space_pick(rng, edges);
    for (uint32_t count; skip >= (count = hw_genome_count(g->parents[v])); v++)
        skip -= count;
    uint64_t parents = g->parents[v];
    for (; skip; skip--)
        parents &= parents - 1;
    *from = hw_genome_low(parents);
    *to = v;
    return true;
}

static uint64_t within(const hw_space *s, uint64_t size)
{
    return size < s->low ? s->low : size > s->high ? s->high : size;
}

uint64_t hw_space_size(const hw_space *s, gsl_rng *rng, const hw_genome *g)
{
    uint64_t range = s->high - s->low;
    switch (hw_space_pick(rng, 8)) {
    case 0:
        return s->low;
    case 1:
        return s->high;
    case 2:
    case 3: { /* of another, just above or just below */
        uint64_t size = g->size[hw_space_pick(rng, g->n)];
        size += hw_rng_below(rng, 3);
        return within(s, size ? size - 1 : 0);
    }
    case 4: { /* even in scale: as many bits as are drawn */
        uint64_t bits = hw_rng_u64(rng);
        return s->low + (bits >> hw_space_pick(rng, 64)) % (range + 1);
    }
    default:
        return s->low + hw_rng_below(rng, range + 1);
    }
}

/* ---- Edges. ---- */

static bool edge_add(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    (void)s;
    if (g->n < 2)
        return false;
    uint32_t v = 1 + hw_space_pick(rng, g->n - 1);
    g->parents[v] |= HW_GENOME_BIT(hw_space_pick(rng, v));
    return true;
}

static bool edge_remove(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    (void)s;
    uint32_t u = 0, v = 0;
    if (!hw_space_pick_edge(rng, g, &u, &v))
        return false;
    g->parents[v] &= ~HW_GENOME_BIT(u);
    return true;
}

static bool edge_end(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    (void)s;
    uint32_t u = 0, v = 0;
    if (!hw_space_pick_edge(rng, g, &u, &v))
        return false;
    g->parents[v] &= ~HW_GENOME_BIT(u);
    if (hw_space_coin(rng))
        u = hw_space_pick(rng, v);
    else
        v = u + 1 + hw_space_pick(rng, g->n - u - 1);
    g->parents[v] |= HW_GENOME_BIT(u);
    return true;
}

/* ---- Sizes. ---- */

static uint64_t *any_size(gsl_rng *rng, hw_genome *g)
{
    return &g->size[hw_space_pick(rng, g->n)];
}

static bool size_draw(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint64_t size = hw_space_size(s, rng, g);
    *any_size(rng, g) = size;
    return true;
}

static bool size_step(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint64_t *size = any_size(rng, g);
    if (hw_space_coin(rng))
        *size += *size < s->high;
    else
        *size -= *size > s->low;
    return true;
}

static bool size_twice(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint64_t *size = any_size(rng, g);
    *size = within(s, 2 * *size);
    return true;
}

static bool size_half(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint64_t *size = any_size(rng, g);
    *size = within(s, *size / 2);
    return true;
}

static bool size_copy(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    (void)s;
    uint64_t size = *any_size(rng, g);
    *any_size(rng, g) = size;
    return true;
}

static bool size_limit(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint64_t size = hw_space_coin(rng) ? s->high : s->low;
    *any_size(rng, g) = size;
    return true;
}

/* ---- Nodes. ---- */

/* Where that turns an edge round it is not inside. */
static bool exchange(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    (void)s;
    uint8_t place[HW_GENOME_MOST];
    uint32_t u = hw_space_pick(rng, g->n), v = hw_space_pick(rng, g->n);
    for (uint32_t w = 0; w < g->n; w++)
        place[w] = (uint8_t)w;
    place[u] = (uint8_t)v;
    place[v] = (uint8_t)u;
    hw_genome_renumber(g, place);
    return true;
}

/* Room for one more node, which gets number v and a size. */
static bool insert(const hw_space *s, gsl_rng *rng, hw_genome *g, uint32_t v)
{
    if (g->n == HW_GENOME_MOST)
        return false;
    uint64_t size = hw_space_size(s, rng, g);
    hw_genome_insert(g, v);
    g->size[v] = size;
    return true;
}

/* Node w takes over readers of v, all of them or each by chance; `keep`: v keeps them too. */
static void take_readers(gsl_rng *rng, hw_genome *g, uint32_t v, uint32_t w, bool keep)
{
    bool all = hw_space_coin(rng);
    for (uint64_t readers = hw_genome_readers(g, v); readers; readers &= readers - 1) {
        uint32_t x = hw_genome_low(readers);
        if (x == w || !(all || hw_space_coin(rng)))
            continue;
        g->parents[x] |= HW_GENOME_BIT(w);
        if (!keep)
            g->parents[x] &= ~HW_GENOME_BIT(v);
    }
}

static bool node_series(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint32_t v = hw_space_pick(rng, g->n), w = v + 1;
    if (!insert(s, rng, g, w))
        return false;
    g->parents[w] = HW_GENOME_BIT(v);
    take_readers(rng, g, v, w, false);
    return true;
}

static bool node_twin(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint32_t v = hw_space_pick(rng, g->n), w = v + 1;
    if (!insert(s, rng, g, w))
        return false;
    g->parents[w] = g->parents[v];
    g->workspace[w] = g->workspace[v];
    if (hw_space_coin(rng))
        g->size[w] = g->size[v];
    take_readers(rng, g, v, w, hw_space_coin(rng));
    return true;
}

static bool node_add(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint32_t v = hw_space_pick(rng, g->n + 1);
    if (!insert(s, rng, g, v))
        return false;
    for (uint32_t i = hw_space_pick(rng, 3); v > 0 && i; i--)
        g->parents[v] |= HW_GENOME_BIT(hw_space_pick(rng, v));
    for (uint32_t i = hw_space_pick(rng, 3); v + 1 < g->n && i; i--)
        g->parents[v + 1 + hw_space_pick(rng, g->n - v - 1)] |= HW_GENOME_BIT(v);
    return true;
}

static bool node_merge(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    (void)s;
    uint32_t u = 0, v = 0;
    if (!hw_space_pick_edge(rng, g, &u, &v))
        return false;
    g->parents[v] = (g->parents[v] & ~HW_GENOME_BIT(u)) | g->parents[u];
    for (uint32_t w = u + 1; w < g->n; w++)
        if (g->parents[w] >> u & 1)
            g->parents[w] = (g->parents[w] & ~HW_GENOME_BIT(u)) | HW_GENOME_BIT(v);
    if (hw_space_coin(rng))
        g->size[v] = g->size[u];
    hw_genome_remove(g, u);
    return hw_genome_sort(g); /* a second path between the two has become a cycle */
}

static bool node_drop(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    (void)s;
    uint32_t v = hw_space_pick(rng, g->n);
    if (g->n == 1)
        return false;
    if (hw_space_coin(rng))
        for (uint64_t readers = hw_genome_readers(g, v); readers; readers &= readers - 1)
            g->parents[hw_genome_low(readers)] |= g->parents[v];
    hw_genome_remove(g, v);
    return true;
}

/* ---- Features. ---- */

static bool workspace(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint32_t v = hw_space_pick(rng, g->n);
    g->workspace[v] = s->workspace && hw_space_coin(rng) ? hw_space_size(s, rng, g) : 0;
    return true;
}

static bool inplace(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint32_t v = hw_space_pick(rng, g->n);
    bool pair = s->inplace && g->parents[v] && hw_space_coin(rng);
    g->inplace[v] = pair ? (uint8_t)hw_space_pick_of(rng, g->parents[v]) : HW_GENOME_NONE;
    return true;
}

static bool sharing(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    g->split ^= HW_GENOME_BIT(hw_space_pick(rng, g->n));
    return s->split;
}

/* ---- The table. ---- */

typedef struct move_row {
    bool (*change)(const hw_space *s, gsl_rng *rng, hw_genome *g);
    uint32_t weight;
    int nodes; /* by how many the number of nodes changes */
} move_row;

static const move_row rows[HW_MOVES] = {
    [HW_MOVE_EDGE_ADD] = {edge_add, 3, 0},       [HW_MOVE_EDGE_REMOVE] = {edge_remove, 3, 0},
    [HW_MOVE_EDGE_END] = {edge_end, 4, 0},       [HW_MOVE_SIZE_DRAW] = {size_draw, 5, 0},
    [HW_MOVE_SIZE_STEP] = {size_step, 2, 0},     [HW_MOVE_SIZE_TWICE] = {size_twice, 1, 0},
    [HW_MOVE_SIZE_HALF] = {size_half, 1, 0},     [HW_MOVE_SIZE_COPY] = {size_copy, 3, 0},
    [HW_MOVE_SIZE_LIMIT] = {size_limit, 3, 0},   [HW_MOVE_EXCHANGE] = {exchange, 4, 0},
    [HW_MOVE_NODE_SERIES] = {node_series, 2, 1}, [HW_MOVE_NODE_TWIN] = {node_twin, 1, 1},
    [HW_MOVE_NODE_ADD] = {node_add, 2, 1},       [HW_MOVE_NODE_MERGE] = {node_merge, 2, -1},
    [HW_MOVE_NODE_DROP] = {node_drop, 2, -1},    [HW_MOVE_WORKSPACE] = {workspace, 2, 0},
    [HW_MOVE_INPLACE] = {inplace, 2, 0},         [HW_MOVE_SHARING] = {sharing, 2, 0},
};

static bool allowed(const hw_space *s, hw_move kind)
{
    return kind == HW_MOVE_WORKSPACE ? s->workspace
           : kind == HW_MOVE_INPLACE ? s->inplace
           : kind == HW_MOVE_SHARING ? s->split
                                     : true;
}

/* A kind by weight; nodes != 0: one that changes their number so. */
static hw_move pick_kind(const hw_space *s, gsl_rng *rng, int nodes)
{
    uint32_t total = 0;
    for (int kind = 0; kind < HW_MOVES; kind++)
        if (allowed(s, (hw_move)kind) && (nodes == 0 || rows[kind].nodes == nodes))
            total += rows[kind].weight;
    uint32_t left = hw_space_pick(rng, total);
    for (int kind = 0;; kind++) {
        if (!allowed(s, (hw_move)kind) || (nodes != 0 && rows[kind].nodes != nodes))
            continue;
        if (left < rows[kind].weight)
            return (hw_move)kind;
        left -= rows[kind].weight;
    }
}

bool hw_space_move_kind(const hw_space *s, gsl_rng *rng, hw_move kind, hw_genome *g)
{
    hw_genome next = *g;
    int nodes = rows[kind].nodes;
    if ((nodes > 0 && g->n >= s->most_nodes) || (nodes < 0 && g->n <= s->least_nodes)) {
        /* The other way too, what takes away first, so that there is room. */
        hw_move other = pick_kind(s, rng, -nodes);
        if (!rows[nodes < 0 ? kind : other].change(s, rng, &next))
            return false;
        kind = nodes < 0 ? other : kind;
    }
    if (!rows[kind].change(s, rng, &next))
        return false;
    hw_genome_tidy(&next);
    if (!hw_space_admits(s, &next) || hw_genome_same(&next, g))
        return false;
    *g = next;
    return true;
}

bool hw_space_move(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    for (int i = 0; i < HW_SPACE_TRIES; i++)
        if (hw_space_move_kind(s, rng, pick_kind(s, rng, 0), g))
            return true;
    return false;
}
