/* The same graph under other rules.  See what_if.h. */
#include "advise/what_if.h"

#include <stdlib.h>

#include "core/memory.h"
#include "model/edit.h"

const char *hw_what_if_text(hw_what_if kind)
{
    static const char *const text[HW_IF_KINDS] = {
        [HW_IF_NO_INPLACE] = "without in-place",
        [HW_IF_ALL_INPLACE] = "in-place wherever it can be",
        [HW_IF_NO_VIEWS] = "without views",
    };
    return text[kind];
}

/* By storage: may it be overwritten? */
static bool *overwritable(const hw_graph *g, bool pin_inputs)
{
    bool *may = HW_NEW(bool, g->n_storages);
    if (!may)
        return NULL;
    for (uint32_t s = 0; s < g->n_storages; s++)
        may[s] = true;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (g->tensor_kind[t] == HW_CONSTANT || g->tensor_kind[t] == HW_OUTPUT ||
            (g->tensor_kind[t] == HW_INPUT && pin_inputs))
            may[g->tensor_storage[t]] = false;
    return may;
}

static bool has_pair(const hw_graph *g, uint32_t v, uint32_t input, uint32_t output)
{
    if (!g->inplace_offset)
        return false;
    for (uint32_t i = g->inplace_offset[v]; i < g->inplace_offset[v + 1]; i++)
        if (g->inplace_pair[i].input == input && g->inplace_pair[i].output == output)
            return true;
    return false;
}

/* Pairs of node v that it has not: each input of its first output's size. */
static hw_code add_pairs(hw_edit *e, const hw_graph *g, uint32_t v, const bool *may,
                         uint32_t *added, hw_error *err)
{
    const uint32_t first = g->inputs.offset[v], end = g->inputs.offset[v + 1];
    if (g->outputs.offset[v] == g->outputs.offset[v + 1])
        return HW_OK;
    uint32_t output = g->outputs.item[g->outputs.offset[v]];
    for (uint32_t i = first; i < end; i++) {
        uint32_t input = g->inputs.item[i];
        bool repeats = false;
        for (uint32_t k = first; k < i; k++)
            repeats = repeats || g->inputs.item[k] == input;
        if (repeats || !may[g->tensor_storage[input]] ||
            g->tensor_size[input] != g->tensor_size[output] || has_pair(g, v, input, output))
            continue;
        if (!hw_grow((void **)&e->pair, &e->pair_room, e->n_pairs + 1, sizeof *e->pair))
            return hw_fail_memory(err, "in-place pairs");
        e->pair[e->n_pairs++] = (hw_edit_pair){.node = v, .input = input, .output = output};
        ++*added;
    }
    return HW_OK;
}

static hw_code all_in_place(const hw_graph *g, bool pin_inputs, const hw_operators *operators,
                            hw_graph **out, uint32_t *added, hw_error *err)
{
    hw_edit e;
    bool *may = overwritable(g, pin_inputs);
    hw_code code = hw_edit_open(&e, g, err);
    if (code == HW_OK && !may)
        code = hw_fail_memory(err, "in-place pairs");
    for (uint32_t v = 0; v < g->n_nodes && code == HW_OK; v++)
        if ((hw_operators_traits(operators, hw_node_op(g, v)) & HW_OPERATOR_OVERWRITES) &&
            !(g->node_flags[v] & (HW_NODE_VIEW | HW_NODE_INPLACE_REQUIRED)))
            code = add_pairs(&e, g, v, may, added, err);
    if (code == HW_OK && *added)
        code = hw_edit_graph(&e, g->name, out, err);
    hw_edit_clear(&e);
    free(may);
    return code;
}

hw_code hw_what_if_graph(const hw_graph *g, hw_what_if kind, bool pin_inputs,
                         const hw_operators *operators, hw_graph **out, uint32_t *changed,
                         hw_error *err)
{
    *out = NULL;
    *changed = 0;
    if (kind == HW_IF_ALL_INPLACE)
        return operators ? all_in_place(g, pin_inputs, operators, out, changed, err) : HW_OK;
    if (kind == HW_IF_NO_INPLACE)
        *changed = g->inplace_offset ? g->inplace_offset[g->n_nodes] : 0;
    for (uint32_t v = 0; v < g->n_nodes && kind == HW_IF_NO_VIEWS; v++)
        *changed += (g->node_flags[v] & HW_NODE_VIEW) != 0;
    if (!*changed)
        return HW_OK;
    return hw_graph_strip(g, kind == HW_IF_NO_VIEWS, kind == HW_IF_NO_INPLACE, out, err);
}
