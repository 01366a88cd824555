/* Shapes of graphs by their definitions.  See support_shape.h. */
#include "support_shape.h"

static bool reads(const hw_genome *g, uint32_t v, uint32_t u)
{
    return g->parents[v] >> u & 1;
}

static void close_order(const hw_genome *g, bool before[HW_GENOME_MOST][HW_GENOME_MOST])
{
    for (uint32_t u = 0; u < g->n; u++)
        for (uint32_t v = 0; v < g->n; v++)
            before[u][v] = reads(g, v, u);
    for (uint32_t w = 0; w < g->n; w++)
        for (uint32_t u = 0; u < g->n; u++)
            for (uint32_t v = 0; v < g->n; v++)
                before[u][v] |= before[u][w] && before[w][v];
}

/* An order is series-parallel unless four nodes form an N: a < c, b < c, b < d and nothing else. */
static bool slow_series_parallel(const hw_genome *g)
{
    static bool before[HW_GENOME_MOST][HW_GENOME_MOST];
    close_order(g, before);
    for (uint32_t a = 0; a < g->n; a++)
        for (uint32_t b = 0; b < g->n; b++)
            for (uint32_t c = 0; c < g->n; c++)
                for (uint32_t d = 0; d < g->n; d++)
                    if (a != b && c != d && before[a][c] && before[b][c] && before[b][d] &&
                        !before[a][d] && !before[d][a] && !before[a][b] && !before[b][a] &&
                        !before[c][d] && !before[d][c])
                        return false;
    return true;
}

/* Levels by trying again until nothing moves; past n they would never stop. */
static bool slow_layered(const hw_genome *g)
{
    int level[HW_GENOME_MOST] = {0};
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t v = 0; v < g->n; v++)
            for (uint32_t u = 0; u < v; u++) {
                if (!reads(g, v, u) || level[v] == level[u] + 1)
                    continue;
                int *low = level[v] > level[u] + 1 ? &level[u] : &level[v];
                if (++*low > (int)g->n)
                    return false;
                moved = true;
            }
    }
    return true;
}

bool slow_shape(hw_shape shape, const hw_genome *g)
{
    for (uint32_t v = 0; v < g->n; v++) {
        uint32_t in = 0, out = 0;
        for (uint32_t u = 0; u < g->n; u++) {
            in += reads(g, v, u);
            out += reads(g, u, v);
        }
        if ((shape == HW_SHAPE_IN_TREE && out > 1) || (shape == HW_SHAPE_OUT_TREE && in > 1))
            return false;
    }
    return shape == HW_SHAPE_SERIES_PARALLEL ? slow_series_parallel(g)
           : shape == HW_SHAPE_LAYERED       ? slow_layered(g)
                                             : true;
}
