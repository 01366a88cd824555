/* Growth of tensors with a dimension.  See scale.h. */
#include "import/scale.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/ratio.h"
#include "core/rng.h"
#include "import/scale_internal.h"

__extension__ typedef unsigned __int128 wide;

bool hw_scale_bytes(uint64_t bytes, unsigned growth, uint64_t base, uint64_t value, uint64_t *out)
{
    uint64_t over = 1, under = 1;
    for (unsigned i = 0; i < growth; i++) {
        over *= value;
        under *= base;
    }
    wide product = (wide)bytes * over;
    wide scaled = product / under + (product % under != 0);
    *out = (uint64_t)scaled;
    return scaled <= INT64_MAX;
}

static bool is_constant(const hw_graph *g, uint32_t tensor)
{
    return g->tensor_kind[g->storage_root[g->tensor_storage[tensor]]] == HW_CONSTANT;
}

static uint32_t leader(uint32_t *parent, uint32_t s)
{
    while (parent[s] != s) {
        parent[s] = parent[parent[s]];
        s = parent[s];
    }
    return s;
}

/* Join storages of in-place pairs of equal sizes: a buffer fits both or none. */
static void join_pairs(const hw_graph *g, uint32_t *parent)
{
    uint32_t n_pairs = g->inplace_offset ? g->inplace_offset[g->n_nodes] : 0;
    for (uint32_t i = 0; i < n_pairs; i++) {
        uint32_t a = g->tensor_storage[g->inplace_pair[i].input];
        uint32_t b = g->tensor_storage[g->inplace_pair[i].output];
        if (g->tensor_size[g->storage_root[a]] != g->tensor_size[g->storage_root[b]])
            continue;
        a = leader(parent, a);
        b = leader(parent, b);
        parent[a > b ? a : b] = a < b ? a : b;
    }
}

static hw_code draw_some(const hw_graph *g, hw_ratio share, uint64_t seed, hw_scale *s,
                         hw_error *err)
{
    uint32_t *parent = HW_NEW(uint32_t, g->n_storages);
    uint8_t *growth = HW_NEW(uint8_t, g->n_storages);
    gsl_rng *rng = hw_rng_new(seed);
    hw_code code = parent && growth && rng ? HW_OK : hw_fail_memory(err, "a rule of growth");
    for (uint32_t i = 0; code == HW_OK && i < g->n_storages; i++)
        parent[i] = i;
    if (code == HW_OK)
        join_pairs(g, parent);
    for (uint32_t i = 0; code == HW_OK && i < g->n_storages; i++) {
        bool grows = hw_rng_below(rng, share.under) < share.over;
        bool square = hw_rng_below(rng, 2) == 1;
        growth[i] = grows ? square ? HW_GROWTH_QUADRATIC : HW_GROWTH_LINEAR : HW_GROWTH_FIXED;
    }
    for (uint32_t t = 0; code == HW_OK && t < g->n_tensors; t++)
        s->tensor[t] = growth[leader(parent, g->tensor_storage[t])];
    free(parent);
    free(growth);
    if (rng)
        gsl_rng_free(rng);
    return code;
}

/* A storage as its root, constants not at all; and the counts. */
static void settle(const hw_graph *g, hw_scale *s)
{
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        uint32_t root = g->storage_root[g->tensor_storage[t]];
        s->tensor[t] = is_constant(g, t) ? HW_GROWTH_FIXED : s->tensor[root];
    }
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        s->grow += s->tensor[t] != HW_GROWTH_FIXED;
        s->stay += s->tensor[t] == HW_GROWTH_FIXED && !is_constant(g, t);
    }
    uint32_t n_pairs = g->inplace_offset ? g->inplace_offset[g->n_nodes] : 0;
    for (uint32_t i = 0; i < n_pairs; i++) {
        uint32_t a = g->storage_root[g->tensor_storage[g->inplace_pair[i].input]];
        uint32_t b = g->storage_root[g->tensor_storage[g->inplace_pair[i].output]];
        if (!is_constant(g, a)) /* which no node overwrites */
            s->parted += g->tensor_size[a] == g->tensor_size[b] && s->tensor[a] != s->tensor[b];
    }
}

hw_code hw_scale_new(const hw_graph *g, const char *text, uint64_t seed, hw_scale *out,
                     hw_error *err)
{
    hw_code code = HW_OK;
    *out = (hw_scale){.tensor = HW_NEW0(uint8_t, g->n_tensors),
                      .workspace = HW_NEW0(uint8_t, g->n_nodes)};
    if (!out->tensor || !out->workspace) {
        code = hw_fail_memory(err, "a rule of growth");
    } else if (strcmp(text, "all") == 0) {
        memset(out->tensor, HW_GROWTH_LINEAR, g->n_tensors);
        memset(out->workspace, HW_GROWTH_LINEAR, g->n_nodes);
    } else if (strncmp(text, "some=", 5) == 0) {
        hw_ratio share;
        if (!hw_ratio_read(text + 5, &share) || share.over > share.under)
            code = hw_fail(err, HW_USAGE, "'%s' is no share: give some=P with P from 0 to 1", text);
        else
            code = draw_some(g, share, seed, out, err);
    } else {
        code = hw_scale_read_file(g, text, out, err);
    }
    if (code == HW_OK)
        settle(g, out);
    else
        hw_scale_clear(out);
    return code;
}

void hw_scale_clear(hw_scale *s)
{
    free(s->tensor);
    free(s->workspace);
    *s = (hw_scale){0};
}

static hw_code too_large(const char *what, uint32_t id, uint64_t bytes, uint64_t value,
                         hw_error *err)
{
    return hw_fail(err, HW_BAD_INPUT,
                   "%s %" PRIu32 " of %" PRIu64 " bytes would pass 2^63-1 bytes at %" PRIu64
                   ": give smaller values",
                   what, id, bytes, value);
}

hw_code hw_scale_graph(const hw_graph *g, const hw_scale *s, uint64_t base, uint64_t value,
                       hw_graph **out, hw_error *err)
{
    uint64_t *size = HW_NEW(uint64_t, g->n_tensors), *workspace = HW_NEW(uint64_t, g->n_nodes);
    hw_code code = HW_OK;
    *out = NULL;
    if (!size || !workspace)
        code = hw_fail_memory(err, "sizes");
    else if (base < 1 || base > HW_SCALE_MOST || value < 1 || value > HW_SCALE_MOST)
        code = hw_fail(err, HW_USAGE,
                       "a rule of growth takes dimensions from 1 to %" PRIu32 ", not %" PRIu64,
                       HW_SCALE_MOST, base < 1 || base > HW_SCALE_MOST ? base : value);
    for (uint32_t t = 0; code == HW_OK && t < g->n_tensors; t++)
        if (!hw_scale_bytes(g->tensor_size[t], s->tensor[t], base, value, &size[t]))
            code = too_large("tensor", hw_tensor_id(g, t), g->tensor_size[t], value, err);
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        if (!hw_scale_bytes(hw_node_workspace(g, v), s->workspace[v], base, value, &workspace[v]))
            code = too_large("the workspace of node", hw_node_id(g, v), hw_node_workspace(g, v),
                             value, err);
    if (code == HW_OK)
        code = hw_graph_resized(g, size, workspace, out, err);
    free(size);
    free(workspace);
    return code;
}
