/* Laying adversarial graphs node by node.  See adversarial.h. */
#include "gen/adversarial.h"

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
    hw_node_spec spec = {.id = s->nodes++, .op = op, .inputs = node->reads, .outputs = node->makes};
    uint64_t reads[HW_SKETCH_MOST], makes[HW_SKETCH_MOST];
    for (uint32_t i = 0; i < node->n_reads; i++)
        if (node->reads[i] != HW_NONE_HERE)
            reads[spec.n_inputs++] = node->reads[i];
    for (uint32_t i = 0; i < node->n_makes; i++)
        if (node->makes[i] != HW_NONE_HERE)
            makes[spec.n_outputs++] = node->makes[i];
    spec.inputs = reads;
    spec.outputs = makes;
    if (s->code == HW_OK)
        s->code = hw_builder_node(s->builder, &spec, s->err);
}

hw_code hw_sketch_finish(hw_sketch *s, hw_graph **out)
{
    if (s->code == HW_OK)
        s->code = hw_builder_finish(s->builder, out, s->err);
    hw_builder_free(s->builder);
    s->builder = NULL;
    return s->code;
}
