/* Changing the nodes of a genome.  See genome_edit.h. */
#include "small/genome_edit.h"

#include <string.h>

/* The mask of the same nodes after one with number v came in, without it. */
static uint64_t open_gap(uint64_t nodes, uint32_t v)
{
    uint64_t below = nodes & (HW_GENOME_BIT(v) - 1);
    return below | (nodes ^ below) << 1;
}

static uint64_t close_gap(uint64_t nodes, uint32_t v)
{
    uint64_t below = nodes & (HW_GENOME_BIT(v) - 1);
    return below | (nodes >> v >> 1 << v);
}

/* As hw_genome_start() leaves it. */
static void blank(hw_genome *g, uint32_t v)
{
    g->parents[v] = g->workspace[v] = 0;
    g->size[v] = 1;
    g->inplace[v] = HW_GENOME_NONE;
}

void hw_genome_insert(hw_genome *g, uint32_t v)
{
    for (uint32_t w = g->n; w-- > v;) {
        g->parents[w + 1] = open_gap(g->parents[w], v);
        g->size[w + 1] = g->size[w];
        g->workspace[w + 1] = g->workspace[w];
        uint8_t over = g->inplace[w];
        g->inplace[w + 1] = over != HW_GENOME_NONE && over >= v ? (uint8_t)(over + 1) : over;
    }
    blank(g, v);
    g->split = open_gap(g->split, v);
    g->n++;
}

void hw_genome_remove(hw_genome *g, uint32_t v)
{
    for (uint32_t w = v; w + 1 < g->n; w++) {
        g->parents[w] = close_gap(g->parents[w + 1], v);
        g->size[w] = g->size[w + 1];
        g->workspace[w] = g->workspace[w + 1];
        uint8_t over = g->inplace[w + 1];
        if (over == v)
            over = HW_GENOME_NONE;
        g->inplace[w] = over != HW_GENOME_NONE && over > v ? (uint8_t)(over - 1) : over;
    }
    g->split = close_gap(g->split, v);
    g->n--;
    blank(g, g->n);
}

static uint64_t renumber_mask(uint64_t nodes, const uint8_t *place)
{
    uint64_t moved = 0;
    for (; nodes; nodes &= nodes - 1)
        moved |= HW_GENOME_BIT(place[hw_genome_low(nodes)]);
    return moved;
}

void hw_genome_renumber(hw_genome *g, const uint8_t *place)
{
    const hw_genome from = *g;
    g->split = renumber_mask(from.split, place);
    for (uint32_t v = 0; v < g->n; v++) {
        uint32_t to = place[v];
        g->parents[to] = renumber_mask(from.parents[v], place);
        g->size[to] = from.size[v];
        g->workspace[to] = from.workspace[v];
        g->inplace[to] =
            from.inplace[v] == HW_GENOME_NONE ? HW_GENOME_NONE : place[from.inplace[v]];
    }
}

bool hw_genome_sort(hw_genome *g)
{
    uint8_t place[HW_GENOME_MOST];
    uint64_t done = 0;
    for (uint32_t next = 0; next < g->n; next++) {
        uint64_t left = hw_genome_all(g) & ~done;
        while (left && (g->parents[hw_genome_low(left)] & ~done))
            left &= left - 1;
        if (!left)
            return false;
        place[hw_genome_low(left)] = (uint8_t)next;
        done |= left & -left;
    }
    hw_genome_renumber(g, place);
    return true;
}

bool hw_genome_same(const hw_genome *a, const hw_genome *b)
{
    size_t words = a->n * sizeof a->size[0];
    return a->n == b->n && a->discard == b->discard && a->split == b->split &&
           memcmp(a->parents, b->parents, words) == 0 && memcmp(a->size, b->size, words) == 0 &&
           memcmp(a->workspace, b->workspace, words) == 0 &&
           memcmp(a->inplace, b->inplace, a->n) == 0;
}

void hw_genome_tidy(hw_genome *g)
{
    uint64_t once = 0, more = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        more |= once & g->parents[v];
        once |= g->parents[v];
        if (g->inplace[v] != HW_GENOME_NONE && !(g->parents[v] >> g->inplace[v] & 1))
            g->inplace[v] = HW_GENOME_NONE;
    }
    g->split &= more;
}
