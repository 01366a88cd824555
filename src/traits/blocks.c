/* Storages, their makers and readers, their lives in an order.  See blocks.h. */
#include "traits/blocks.h"

#include <stdlib.h>

#include "core/memory.h"

/* Block i of storage s, without its readers. */
static hw_block block_of(const hw_model *m, uint32_t root)
{
    const hw_graph *g = m->graph;
    return (hw_block){.bytes = g->tensor_size[root],
                      .maker = g->tensor_producer[root],
                      .kept = g->tensor_kind[root] == HW_INPUT && m->pin_inputs};
}

static void add_readers(hw_blocks *b, uint32_t *seen)
{
    const hw_graph *g = b->model->graph;
    for (uint32_t i = 0; i < b->n; i++)
        seen[i] = HW_NONE;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        for (uint32_t k = g->inputs.offset[v]; k < g->inputs.offset[v + 1]; k++) {
            uint32_t i = b->of_storage[g->tensor_storage[g->inputs.item[k]]];
            if (i != HW_NONE && seen[i] != v) {
                seen[i] = v;
                b->block[i].n_readers++;
            }
        }
}

hw_code hw_blocks_open(hw_blocks *b, const hw_model *m, hw_error *err)
{
    const hw_graph *g = m->graph;
    *b = (hw_blocks){.model = m};
    b->block = HW_NEW(hw_block, g->n_storages);
    b->of_storage = HW_NEW(uint32_t, g->n_storages);
    uint32_t *seen = HW_NEW(uint32_t, g->n_storages);
    if (!b->block || !b->of_storage || !seen) {
        free(seen);
        return hw_fail_memory(err, "the blocks of a graph");
    }
    for (uint32_t s = 0; s < g->n_storages; s++) {
        uint32_t root = g->storage_root[s];
        b->of_storage[s] = HW_NONE;
        if (g->tensor_size[root] == 0 || g->tensor_kind[root] == HW_CONSTANT)
            continue;
        b->of_storage[s] = b->n;
        b->block[b->n++] = block_of(m, root);
        b->total += g->tensor_size[root];
        if (g->tensor_size[root] > b->largest)
            b->largest = g->tensor_size[root];
    }
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        uint32_t i = b->of_storage[g->tensor_storage[t]];
        if (i != HW_NONE && g->tensor_kind[t] == HW_OUTPUT)
            b->block[i].kept = true;
    }
    add_readers(b, seen);
    free(seen);
    return HW_OK;
}

void hw_blocks_close(hw_blocks *b)
{
    free(b->block);
    free(b->of_storage);
    *b = (hw_blocks){0};
}

void hw_blocks_last_readers(const hw_blocks *b, const uint32_t *position, uint32_t *last)
{
    const hw_graph *g = b->model->graph;
    for (uint32_t i = 0; i < b->n; i++)
        last[i] = HW_NONE;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        for (uint32_t k = g->inputs.offset[v]; k < g->inputs.offset[v + 1]; k++) {
            uint32_t i = b->of_storage[g->tensor_storage[g->inputs.item[k]]];
            if (i != HW_NONE && (last[i] == HW_NONE || last[i] < position[v]))
                last[i] = position[v];
        }
}

bool hw_block_alive(const hw_blocks *b, uint32_t i, const uint32_t *position, const uint32_t *last,
                    uint32_t *first, uint32_t *end)
{
    const hw_block *x = &b->block[i];
    bool free_first = b->model->accounting == HW_FREE_FIRST;
    *first = x->maker == HW_NONE ? 0 : position[x->maker];
    if (x->kept) {
        *end = b->model->n_nodes - 1;
        return true;
    }
    if (last[i] == HW_NONE) { /* a dead output; an input that nobody reads is never there */
        *end = *first;
        return x->maker != HW_NONE;
    }
    *end = last[i] - (free_first && last[i] > 0);
    return last[i] > 0 || !free_first; /* an input whose last reader is step 0 is gone in it */
}
