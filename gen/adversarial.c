/* Laying adversarial graphs node by node.  See adversarial.h. */
#include "gen/adversarial.h"

#include <stdlib.h>

#include "core/memory.h"

void hw_sketch_start(hw_sketch *s, hw_error *err)
{
    *s = (hw_sketch){.builder = hw_builder_new(), .err = err};
    if (!s->builder)
        s->code = hw_fail_memory(err, "a graph");
}

uint64_t hw_sketch_tensor(hw_sketch *s, uint64_t size, bool kept)
{
    if (s->code == HW_OK)
        s->code = hw_builder_tensor(s->builder, s->tensors, size, kept ? HW_OUTPUT : HW_ACTIVATION,
                                    NULL, s->err);
    return s->tensors++;
}

void hw_sketch_add(hw_sketch *s, const char *op, const hw_sketch_node *node)
{
    uint64_t makes[HW_SKETCH_MOST];
    hw_node_spec spec = {.id = s->nodes++, .op = op, .outputs = makes};
    void *array = s->reads;
    if (s->code == HW_OK &&
        !hw_grow(&array, &s->room, node->n_joined + HW_SKETCH_MOST, sizeof *s->reads))
        s->code = hw_fail_memory(s->err, "a graph");
    s->reads = array;
    if (s->code != HW_OK)
        return;
    for (uint64_t i = 0; i < node->n_joined; i++)
        s->reads[spec.n_inputs++] = node->joined + i;
    for (uint32_t i = 0; i < node->n_reads; i++)
        if (node->reads[i] != HW_NO_TENSOR)
            s->reads[spec.n_inputs++] = node->reads[i];
    for (uint32_t i = 0; i < node->n_makes; i++)
        if (node->makes[i] != HW_NO_TENSOR)
            makes[spec.n_outputs++] = node->makes[i];
    spec.inputs = s->reads;
    s->code = hw_builder_node(s->builder, &spec, s->err);
}

void hw_sketch_step(hw_sketch *s, const char *op, uint64_t read, uint64_t made)
{
    hw_sketch_add(s, op,
                  &(hw_sketch_node){.reads = {read}, .n_reads = 1, .makes = {made}, .n_makes = 1});
}

hw_code hw_sketch_finish(hw_sketch *s, hw_graph **out)
{
    if (s->code == HW_OK)
        s->code = hw_builder_finish(s->builder, out, s->err);
    hw_builder_free(s->builder);
    free(s->reads);
    s->builder = NULL;
    s->reads = NULL;
    return s->code;
}
