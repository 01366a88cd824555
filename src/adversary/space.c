/* Limits on graphs: are they sound, and is a graph inside?  See space.h. */
#include "adversary/space.h"

#include <inttypes.h>

#include "adversary/space_internal.h"

static hw_code check_nodes(const hw_space *s, hw_error *err)
{
    if (s->least_nodes > s->most_nodes)
        return hw_fail(err, HW_USAGE, "at least %u nodes, at most %u: no graph has both",
                       s->least_nodes, s->most_nodes);
    if (s->least_nodes == 0 || s->most_nodes > HW_GENOME_MOST)
        return hw_fail(err, HW_USAGE, "%u to %u nodes: give a range within 1 to %d", s->least_nodes,
                       s->most_nodes, HW_GENOME_MOST);
    return HW_OK;
}

static hw_code check_edges(const hw_space *s, hw_error *err)
{
    uint32_t most = hw_space_most_edges(s, s->most_nodes);
    if (s->least_edges > s->most_edges)
        return hw_fail(err, HW_USAGE, "at least %u edges, at most %u: no graph has both",
                       s->least_edges, s->most_edges);
    if (s->least_edges > most)
        return hw_fail(err, HW_USAGE,
                       "at least %u edges, but %u nodes of this shape and these degrees have %u at "
                       "most",
                       s->least_edges, s->most_nodes, most);
    return HW_OK;
}

static hw_code check_sizes(const hw_space *s, hw_error *err)
{
    if (s->low > s->high)
        return hw_fail(err, HW_USAGE,
                       "sizes from %" PRIu64 " to %" PRIu64 ": the first is above the second",
                       s->low, s->high);
    uint64_t edges = hw_space_most_edges(s, s->most_nodes), most = s->most_nodes;
    edges = s->most_edges < edges ? s->most_edges : edges;
    most += (s->split ? edges : 0) + (s->workspace ? s->most_nodes : 0);
    uint64_t limit = INT64_MAX / most;
    if (s->high > limit)
        return hw_fail(err, HW_USAGE,
                       "sizes up to %" PRIu64 ", but sums over %u nodes stay in range only up to "
                       "%" PRIu64,
                       s->high, s->most_nodes, limit);
    return HW_OK;
}

hw_code hw_space_check(const hw_space *s, hw_error *err)
{
    hw_code code = check_nodes(s, err);
    if (code == HW_OK)
        code = check_edges(s, err);
    return code == HW_OK ? check_sizes(s, err) : code;
}

static bool node_inside(const hw_space *s, const hw_genome *g, uint32_t v)
{
    uint64_t parents = g->parents[v], workspace = g->workspace[v];
    uint8_t over = g->inplace[v];
    return (parents & ~(HW_GENOME_BIT(v) - 1)) == 0 && hw_genome_count(parents) <= s->most_in &&
           g->size[v] >= s->low && g->size[v] <= s->high &&
           (workspace == 0 || (s->workspace && workspace >= s->low && workspace <= s->high)) &&
           (over == HW_GENOME_NONE || (s->inplace && over < v && parents >> over & 1));
}

/* Out-degrees, and what is split. */
static bool readers_inside(const hw_space *s, const hw_genome *g)
{
    uint8_t readers[HW_GENOME_MOST] = {0};
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t parents = g->parents[v]; parents; parents &= parents - 1)
            readers[hw_genome_low(parents)]++;
    for (uint32_t v = 0; v < g->n; v++)
        if (readers[v] > s->most_out || ((g->split >> v & 1) && (!s->split || readers[v] < 2)))
            return false;
    return true;
}

static bool blank_behind(const hw_genome *g)
{
    for (uint32_t v = g->n; v < HW_GENOME_MOST; v++)
        if (g->parents[v] || g->workspace[v] || g->size[v] != 1 || g->inplace[v] != HW_GENOME_NONE)
            return false;
    return (g->split & ~hw_genome_all(g)) == 0;
}

bool hw_space_admits(const hw_space *s, const hw_genome *g)
{
    if (g->n == 0 || g->n < s->least_nodes || g->n > s->most_nodes || g->discard != s->discard)
        return false;
    for (uint32_t v = 0; v < g->n; v++)
        if (!node_inside(s, g, v))
            return false;
    uint32_t edges = hw_genome_edges(g);
    return edges >= s->least_edges && edges <= s->most_edges && readers_inside(s, g) &&
           hw_shape_holds(s->shape, g);
}

bool hw_space_holds(const hw_space *s, const hw_genome *g)
{
    return g->n <= HW_GENOME_MOST && hw_space_admits(s, g) && blank_behind(g);
}
