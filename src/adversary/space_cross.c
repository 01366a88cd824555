/* Crossing two genomes over blocks of their nodes.  See space.h. */
#include "adversary/space_internal.h"

/* By number: a range of b's nodes takes the place of a's, or is added at the end. */
static void by_number(gsl_rng *rng, const hw_genome *a, const hw_genome *b, hw_genome *out)
{
    uint32_t first = hw_space_pick(rng, b->n);
    uint32_t last = first + 1 + hw_space_pick(rng, b->n - first);
    *out = *a;
    for (uint32_t v = first < a->n ? first : a->n; v < last; v++) {
        out->parents[v] = b->parents[v];
        out->size[v] = b->size[v];
        out->workspace[v] = b->workspace[v];
        out->inplace[v] = b->inplace[v];
        out->split = (out->split & ~HW_GENOME_BIT(v)) | (b->split & HW_GENOME_BIT(v));
    }
    out->n = last > a->n ? last : a->n;
}

/* `count` nodes: neighbours in number, nodes with all that they stand on, or any. */
static uint64_t pick_block(gsl_rng *rng, const hw_genome *g, uint32_t count)
{
    uint64_t nodes = 0;
    uint32_t law = hw_space_pick(rng, 3);
    if (law == 0)
        return UINT64_MAX >> (HW_GENOME_MOST - count) << hw_space_pick(rng, g->n - count + 1);
    for (uint32_t i = 0; law == 1 && i < g->n; i++) {
        uint64_t more = HW_GENOME_BIT(hw_space_pick(rng, g->n));
        for (uint32_t v = g->n; v-- > 0;)
            more |= more >> v & 1 ? g->parents[v] : 0;
        if (hw_genome_count(nodes | more) <= count)
            nodes |= more;
    }
    while (hw_genome_count(nodes) < count)
        nodes |= HW_GENOME_BIT(hw_space_pick_of(rng, hw_genome_all(g) & ~nodes));
    return nodes;
}

static void cut_to(hw_genome *g, uint64_t nodes)
{
    for (uint32_t v = g->n; v-- > 0;)
        if (!(nodes >> v & 1))
            hw_genome_remove(g, v);
}

static uint64_t sources(const hw_genome *g)
{
    uint64_t found = 0;
    for (uint32_t v = 0; v < g->n && v < HW_GENOME_MOST; v++) /* as gcc cannot know */
        found |= (uint64_t)(g->parents[v] == 0) << v;
    return found;
}

static uint64_t sinks(const hw_genome *g)
{
    uint64_t read = 0;
    for (uint32_t v = 0; v < g->n; v++)
        read |= g->parents[v];
    return hw_genome_all(g) & ~read;
}

/* The nodes of `tail` behind those of `g`. */
static void append(hw_genome *g, const hw_genome *tail)
{
    uint32_t n = g->n;
    for (uint32_t v = 0; v < tail->n; v++) {
        g->parents[n + v] = tail->parents[v] << n;
        g->size[n + v] = tail->size[v];
        g->workspace[n + v] = tail->workspace[v];
        g->inplace[n + v] =
            tail->inplace[v] == HW_GENOME_NONE ? HW_GENOME_NONE : (uint8_t)(tail->inplace[v] + n);
    }
    g->split |= tail->split << n;
    g->n += tail->n;
}

/* A block of each, b's behind a's; side by side, in series, or with a few edges between. */
static void joined(const hw_space *s, gsl_rng *rng, const hw_genome *a, const hw_genome *b,
                   hw_genome *out)
{
    uint32_t most = a->n + b->n < s->most_nodes ? a->n + b->n : s->most_nodes;
    uint32_t least = s->least_nodes > 2 ? s->least_nodes : 2;
    uint32_t n = least + hw_space_pick(rng, most - least + 1);
    uint32_t fewest = n > b->n ? n - b->n : 1, mostly = n - 1 < a->n ? n - 1 : a->n;
    uint32_t of_a = fewest + hw_space_pick(rng, mostly - fewest + 1);
    hw_genome tail = *b;
    *out = *a;
    cut_to(out, pick_block(rng, a, of_a));
    cut_to(&tail, pick_block(rng, b, n - of_a));
    uint64_t all = hw_genome_all(out), above = sinks(out), below = sources(&tail) << out->n;
    append(out, &tail);
    uint64_t after = hw_genome_all(out) & ~all;
    switch (hw_space_pick(rng, 3)) {
    case 0:
        break;
    case 1:
        for (; below; below &= below - 1)
            out->parents[hw_genome_low(below)] |= above;
        break;
    default: {
        bool ends = hw_space_coin(rng); /* most likely to stay inside a shape */
        for (uint32_t i = 1 + hw_space_pick(rng, 3); i; i--) {
            uint32_t u = hw_space_pick_of(rng, ends ? above : all);
            out->parents[hw_space_pick_of(rng, ends ? below : after)] |= HW_GENOME_BIT(u);
        }
    }
    }
}

bool hw_space_cross(const hw_space *s, gsl_rng *rng, const hw_genome *a, const hw_genome *b,
                    hw_genome *out)
{
    for (int i = 0; i < HW_SPACE_TRIES; i++) {
        hw_genome child;
        if (s->most_nodes < 2 || hw_space_coin(rng))
            by_number(rng, a, b, &child);
        else
            joined(s, rng, a, b, &child);
        hw_genome_tidy(&child);
        if (!hw_space_fit_edges(s, rng, &child))
            continue;
        hw_genome_tidy(&child);
        if (!hw_space_holds(s, &child))
            continue;
        *out = child;
        return true;
    }
    return false;
}
