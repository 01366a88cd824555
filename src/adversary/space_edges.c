/*
 * Random edges of a space's shape: even, trees, chains, levels, series and
 * parallel pieces; and as many edges as there can be.
 */
#include "adversary/space_internal.h"

typedef struct weaver {
    const hw_space *s;
    gsl_rng *rng;
    hw_genome *g;
    uint8_t readers[HW_GENOME_MOST]; /* of each node so far */
} weaver;

/* Add an edge where the degree limits let it be. */
static void join(weaver *w, uint32_t u, uint32_t v)
{
    uint64_t *parents = &w->g->parents[v];
    if (w->readers[u] >= w->s->most_out || hw_genome_count(*parents) >= w->s->most_in ||
        (*parents >> u & 1))
        return;
    *parents |= HW_GENOME_BIT(u);
    w->readers[u]++;
}

static uint32_t pick(weaver *w, uint32_t bound)
{
    return hw_space_pick(w->rng, bound);
}

/* Each pair with one chance, which is drawn first. */
static void even(weaver *w)
{
    uint32_t of = 2 + pick(w, 9), chance = 1 + pick(w, of - 1);
    for (uint32_t v = 1; v < w->g->n; v++)
        for (uint32_t u = v; u-- > 0;)
            if (pick(w, of) < chance)
                join(w, u, v);
}

/* As many edges as are drawn, or as the limits ask for. */
static void counted(weaver *w)
{
    uint32_t n = w->g->n, edges = pick(w, 2 * n + 1);
    edges = edges < w->s->least_edges ? w->s->least_edges : edges;
    edges = edges > w->s->most_edges ? w->s->most_edges : edges;
    for (; n > 1 && edges; edges--) {
        uint32_t v = 1 + pick(w, n - 1);
        join(w, pick(w, v), v);
    }
}

/* Trees: of one root, or of about as many as are drawn; edges short or long. */
static void in_tree(weaver *w)
{
    uint32_t n = w->g->n, reach = 1 + pick(w, n), rarity = 4 * pick(w, 3);
    for (uint32_t u = 0; u + 1 < n; u++) {
        uint32_t far = n - 1 - u < reach ? n - 1 - u : reach;
        if (rarity == 0 || pick(w, rarity))
            join(w, u, u + 1 + pick(w, far));
    }
}

static void out_tree(weaver *w)
{
    uint32_t n = w->g->n, reach = 1 + pick(w, n), rarity = 4 * pick(w, 3);
    for (uint32_t v = 1; v < n; v++) {
        uint32_t far = v < reach ? v : reach;
        if (rarity == 0 || pick(w, rarity))
            join(w, v - 1 - pick(w, far), v);
    }
}

/* Chains side by side, numbered in turn or one after the other; at times one node reads them. */
static void chains(weaver *w)
{
    uint32_t n = w->g->n, count = 1 + pick(w, n), length = (n + count - 1) / count;
    bool in_turn = hw_space_coin(w->rng);
    uint32_t inner = w->s->shape != HW_SHAPE_OUT_TREE && hw_space_coin(w->rng) ? n - 1 : n;
    uint64_t ends = 0;
    for (uint32_t v = 0; v < inner; v++) {
        ends |= HW_GENOME_BIT(v);
        if (in_turn ? v < count : v % length == 0)
            continue;
        uint32_t before = in_turn ? v - count : v - 1;
        join(w, before, v);
        ends &= ~HW_GENOME_BIT(before);
    }
    for (; inner < n && ends; ends &= ends - 1)
        join(w, hw_genome_low(ends), inner);
}

static void levels(weaver *w)
{
    uint32_t level[HW_GENOME_MOST] = {0}, rarity = 1 + pick(w, 5), chance = 1 + pick(w, 4);
    for (uint32_t v = 1; v < w->g->n; v++) {
        level[v] = level[v - 1] + (pick(w, rarity) == 0);
        for (uint32_t u = v; u-- > 0 && level[u] + 1 >= level[v];)
            if (level[u] + 1 == level[v] && pick(w, 4) < chance)
                join(w, u, v);
    }
}

/* Nodes first .. last-1, of which those before `middle` come before the rest. */
typedef struct span {
    uint32_t first, middle, last;
} span;

/* Every sink of the first part is read by every source of the second. */
static void join_series(weaver *w, span p)
{
    uint64_t read = 0;
    for (uint32_t v = p.first; v < p.middle; v++)
        read |= w->g->parents[v];
    for (uint32_t v = p.middle; v < p.last; v++) {
        bool source = w->g->parents[v] >> p.middle == 0;
        for (uint32_t u = p.first; source && u < p.middle; u++)
            if (!(read >> u & 1))
                join(w, u, v);
    }
}

/* The nodes as two parts, side by side or in series, and so on inside them. */
static void pieces(weaver *w)
{
    span waiting[HW_GENOME_MOST + 1], series[HW_GENOME_MOST];
    uint32_t count = 0, n_series = 0, lean = 1 + pick(w, 4);
    waiting[count++] = (span){0, 0, w->g->n};
    while (count) {
        span p = waiting[--count];
        if (p.last - p.first < 2)
            continue;
        p.middle = p.first + 1 + pick(w, p.last - p.first - 1);
        if (pick(w, 5) < lean)
            series[n_series++] = p;
        waiting[count++] = (span){p.first, 0, p.middle};
        waiting[count++] = (span){p.middle, 0, p.last};
    }
    while (n_series) /* inner parts were met after the outer ones */
        join_series(w, series[--n_series]);
}

void hw_space_draw_edges(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    typedef void law(weaver * w);
    static law *const laws[] = {in_tree, out_tree, chains, pieces, levels, even, counted};
    static const struct {
        uint32_t count;
        uint8_t law[7]; /* those that lead to the shape, most of the time */
    } of_shape[] = {
        [HW_SHAPE_ANY] = {7, {0, 1, 2, 3, 4, 5, 6}}, [HW_SHAPE_IN_TREE] = {2, {0, 2}},
        [HW_SHAPE_OUT_TREE] = {2, {1, 2}},           [HW_SHAPE_SERIES_PARALLEL] = {4, {0, 1, 2, 3}},
        [HW_SHAPE_LAYERED] = {4, {0, 1, 2, 4}},
    };
    weaver w = {.s = s, .rng = rng, .g = g};
    laws[of_shape[s->shape].law[pick(&w, of_shape[s->shape].count)]](&w);
}

void hw_space_fill_edges(const hw_space *s, hw_genome *g)
{
    bool layered = s->shape == HW_SHAPE_LAYERED;
    bool tree = s->shape == HW_SHAPE_IN_TREE || s->shape == HW_SHAPE_OUT_TREE;
    uint32_t degree = s->most_in < s->most_out ? s->most_in : s->most_out;
    if (tree && degree > 1)
        degree = 1;
    if (layered && degree > g->n / 2)
        degree = g->n / 2;
    for (uint32_t v = 1; degree && v < g->n; v++)
        for (uint32_t u = 0; u < v; u++)
            if (layered ? u / degree + 1 == v / degree : v - u <= degree)
                g->parents[v] |= HW_GENOME_BIT(u);
}
