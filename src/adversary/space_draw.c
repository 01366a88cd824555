/* Random genomes inside a space: edges, then sizes, then features.  See space.h. */
#include "adversary/space_internal.h"

/* ---- Edges until their number is inside. ---- */

/* Try all changes of one edge, from a random one on, until one stays inside `loose`. */
static bool toggle_one(const hw_space *loose, gsl_rng *rng, hw_genome *g, bool add)
{
    uint32_t n = g->n, pairs = n * n, start = hw_space_pick(rng, pairs);
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t pair = (start + i) % pairs, u = pair % n, v = pair / n;
        if (u >= v || (g->parents[v] >> u & 1) == add)
            continue;
        g->parents[v] ^= HW_GENOME_BIT(u);
        if (hw_space_admits(loose, g))
            return true;
        g->parents[v] ^= HW_GENOME_BIT(u);
    }
    return false;
}

bool hw_space_fit_edges(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    hw_space loose = *s;
    loose.least_edges = 0;
    loose.most_edges = UINT32_MAX;
    if (!hw_space_admits(&loose, g))
        return false;
    uint32_t edges = hw_genome_edges(g);
    for (; edges < s->least_edges; edges++)
        if (!toggle_one(&loose, rng, g, true))
            return false;
    for (; edges > s->most_edges; edges--)
        if (!toggle_one(&loose, rng, g, false))
            return false;
    return true;
}

/* ---- Sizes and features. ---- */

/* One law for all nodes: even; by taste; two values; all equal but a few. */
static void draw_sizes(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    uint32_t law = hw_space_pick(rng, 4);
    for (uint32_t v = 0; v < g->n; v++)
        g->size[v] = s->low;
    uint64_t first = hw_space_size(s, rng, g), second = hw_space_size(s, rng, g);
    for (uint32_t v = 0; v < g->n; v++)
        switch (law) {
        case 0:
            g->size[v] = s->low + hw_rng_below(rng, s->high - s->low + 1);
            break;
        case 1:
            g->size[v] = hw_space_size(s, rng, g);
            break;
        case 2:
            g->size[v] = hw_space_coin(rng) ? first : second;
            break;
        default:
            g->size[v] = hw_space_pick(rng, 4) ? first : hw_space_size(s, rng, g);
        }
}

static void draw_features(const hw_space *s, gsl_rng *rng, hw_genome *g)
{
    bool workspace = s->workspace && hw_space_coin(rng), inplace = s->inplace && hw_space_coin(rng);
    for (uint32_t v = 0; v < g->n; v++) {
        if (workspace && hw_space_pick(rng, 3) == 0)
            g->workspace[v] = hw_space_size(s, rng, g);
        if (inplace && g->parents[v] && hw_space_coin(rng))
            g->inplace[v] = (uint8_t)hw_space_pick_of(rng, g->parents[v]);
    }
    if (s->split && hw_space_coin(rng))
        g->split = hw_rng_u64(rng) & hw_genome_all(g);
    g->discard = s->discard;
    hw_genome_tidy(g);
}

/* ---- The whole. ---- */

bool hw_space_draw(const hw_space *s, gsl_rng *rng, hw_genome *out)
{
    uint32_t least = s->least_nodes;
    while (least < s->most_nodes && hw_space_most_edges(s, least) < s->least_edges)
        least++;
    for (int i = 0; i <= HW_SPACE_TRIES; i++) {
        bool last = i == HW_SPACE_TRIES;
        hw_genome_start(out, last ? s->most_nodes
                                  : least + hw_space_pick(rng, s->most_nodes - least + 1));
        out->discard = s->discard;
        draw_sizes(s, rng, out);
        if (last) /* all that can be; what is too many then goes */
            hw_space_fill_edges(s, out);
        else
            hw_space_draw_edges(s, rng, out);
        if (!hw_space_fit_edges(s, rng, out))
            continue;
        draw_features(s, rng, out);
        if (hw_space_holds(s, out))
            return true;
    }
    return false;
}
