/* The largest antichain of a graph.  See width.h. */
#include "model/width.h"

#include <stdlib.h>
#include <string.h>

#include "core/bitset.h"
#include "core/memory.h"

typedef struct matching {
    uint32_t n;
    size_t words;
    uint64_t *after;   /* row u: the nodes that come after u            */
    uint64_t *unseen;  /* right nodes that no search has come to yet    */
    uint64_t *layer;   /* row d: right nodes first reached in step d    */
    uint32_t *match_u; /* by left node: its right node, or HW_NONE      */
    uint32_t *match_v; /* by right node: its left node, or HW_NONE      */
    uint32_t *path_u;  /* stack of left nodes of the path being tried   */
    uint32_t *path_v;  /* right node taken from each                    */
    uint32_t n_layers; /* the last layer holds free right nodes         */
    size_t layer_rows;
} matching;

static void close_relation(matching *x, const hw_graph *g, const uint32_t *order)
{
    for (uint32_t i = x->n; i-- > 0;) {
        uint64_t *row = x->after + order[i] * x->words;
        for (uint32_t k = g->succs.offset[order[i]]; k < g->succs.offset[order[i] + 1]; k++) {
            const uint64_t *next = x->after + g->succs.item[k] * x->words;
            hw_bits_add(row, g->succs.item[k]);
            for (size_t w = 0; w < x->words; w++)
                row[w] |= next[w];
        }
    }
}

static void all_unseen(matching *x)
{
    memset(x->unseen, 0, x->words * sizeof *x->unseen);
    for (uint32_t v = 0; v < x->n; v++)
        hw_bits_add(x->unseen, v);
}

static bool add_layer(matching *x, hw_error *err)
{
    size_t rows = x->layer_rows * x->words;
    if (!hw_grow((void **)&x->layer, &rows, ((size_t)x->n_layers + 1) * x->words,
                 sizeof *x->layer)) {
        (void)hw_fail_memory(err, "the width of a graph");
        return false;
    }
    x->layer_rows = rows / x->words;
    memset(x->layer + x->n_layers * x->words, 0, x->words * sizeof *x->layer);
    x->n_layers++;
    return true;
}

/*
 * Right nodes by their distance from the free left nodes, up to the first
 * layer with a free right node.  *found is false when no path is left.
 */
static bool lay_layers(matching *x, bool *found, hw_error *err)
{
    uint32_t *front = x->path_u, n_front = 0;
    *found = false;
    x->n_layers = 0;
    all_unseen(x);
    for (uint32_t u = 0; u < x->n; u++)
        if (x->match_u[u] == HW_NONE)
            front[n_front++] = u;
    while (n_front && !*found) {
        if (!add_layer(x, err))
            return false;
        uint64_t *layer = x->layer + (x->n_layers - 1) * x->words;
        for (uint32_t i = 0; i < n_front; i++)
            for (size_t w = 0; w < x->words; w++) {
                uint64_t fresh = x->after[front[i] * x->words + w] & x->unseen[w];
                layer[w] |= fresh;
                x->unseen[w] ^= fresh;
            }
        n_front = 0;
        for (size_t w = 0; w < x->words; w++)
            for (uint64_t bits = layer[w]; bits; bits &= bits - 1) {
                uint32_t v = (uint32_t)(64 * w) + hw_lowest_bit(bits);
                if (x->match_v[v] == HW_NONE)
                    *found = true;
                else
                    front[n_front++] = x->match_v[v];
            }
    }
    return true;
}

/* A right node of layer `depth` next to u that no path of this phase has tried. */
static uint32_t take_next(matching *x, uint32_t u, uint32_t depth)
{
    uint64_t *layer = x->layer + depth * x->words;
    for (size_t w = 0; w < x->words; w++) {
        uint64_t bits = x->after[u * x->words + w] & layer[w];
        if (bits) {
            uint32_t v = (uint32_t)(64 * w) + hw_lowest_bit(bits);
            hw_bits_remove(layer, v);
            return v;
        }
    }
    return HW_NONE;
}

/* One path from a free left node through the layers, flipped when it is found. */
static bool augment(matching *x, uint32_t start)
{
    uint32_t depth = 0;
    x->path_u[0] = start;
    for (;;) {
        uint32_t v = take_next(x, x->path_u[depth], depth);
        if (v == HW_NONE) {
            if (depth == 0)
                return false;
            depth--;
            continue;
        }
        x->path_v[depth] = v;
        if (x->match_v[v] == HW_NONE)
            break;
        if (depth + 1 == x->n_layers)
            continue; /* matched, and no layer follows */
        x->path_u[++depth] = x->match_v[v];
    }
    for (uint32_t d = 0; d <= depth; d++) {
        x->match_u[x->path_u[d]] = x->path_v[d];
        x->match_v[x->path_v[d]] = x->path_u[d];
    }
    return true;
}

static hw_code match(matching *x, uint32_t *pairs, hw_error *err)
{
    memset(x->match_u, 0xff, x->n * sizeof *x->match_u);
    memset(x->match_v, 0xff, x->n * sizeof *x->match_v);
    *pairs = 0;
    for (;;) {
        bool found;
        if (!lay_layers(x, &found, err))
            return HW_NO_MEMORY;
        if (!found)
            return HW_OK;
        for (uint32_t u = 0; u < x->n; u++)
            if (x->match_u[u] == HW_NONE && augment(x, u))
                ++*pairs;
    }
}

hw_code hw_find_width(const hw_graph *g, const uint32_t *order, uint32_t *width, hw_error *err)
{
    uint32_t n = g->n_nodes, pairs = 0;
    size_t words = hw_words(n);
    matching x = {.n = n,
                  .words = words,
                  .after = HW_NEW0(uint64_t, n * words),
                  .unseen = HW_NEW(uint64_t, words),
                  .match_u = HW_NEW(uint32_t, n),
                  .match_v = HW_NEW(uint32_t, n),
                  .path_u = HW_NEW(uint32_t, n),
                  .path_v = HW_NEW(uint32_t, n)};
    hw_code code = HW_OK;
    if (!x.after || !x.unseen || !x.match_u || !x.match_v || !x.path_u || !x.path_v) {
        code = hw_fail_memory(err, "the width of a graph");
    } else {
        close_relation(&x, g, order);
        code = match(&x, &pairs, err);
    }
    *width = n - pairs;
    free(x.after);
    free(x.unseen);
    free(x.layer);
    free(x.match_u);
    free(x.match_v);
    free(x.path_u);
    free(x.path_v);
    return code;
}
