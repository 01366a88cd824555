/* Building a graph: adding tensors, nodes and control edges.  See builder.h. */
#include "model/builder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/builder_internal.h"

#define MOST_INDICES (UINT32_MAX - 1) /* HW_NONE is no index */

static bool push(hw_growing *list, uint32_t value)
{
    if (!hw_grow((void **)&list->item, &list->capacity, list->count + 1, sizeof *list->item))
        return false;
    list->item[list->count++] = value;
    return true;
}

hw_builder *hw_builder_new(void)
{
    hw_builder *b = HW_NEW0(hw_builder, 1);
    if (!b)
        return NULL;
    b->g = HW_NEW0(hw_graph, 1);
    b->pool = HW_NEW0(char, 1);
    b->pool_bytes = b->pool_capacity = 1;
    if (!b->g || !b->pool || !push(&b->input_offset, 0) || !push(&b->output_offset, 0) ||
        hw_builder_describe(b, NULL, NULL, NULL, NULL) != HW_OK) {
        hw_builder_free(b);
        return NULL;
    }
    return b;
}

void hw_builder_free(hw_builder *b)
{
    if (!b)
        return;
    hw_graph_free(b->g);
    hw_idmap_clear(&b->tensor_map);
    hw_idmap_clear(&b->node_map);
    free(b->input_offset.item);
    free(b->input_item.item);
    free(b->output_offset.item);
    free(b->output_item.item);
    free(b->pair_offset.item);
    free(b->pair);
    free(b->control);
    free(b->pool);
    free(b);
}

static bool replace(char **field, const char *text)
{
    char *copy = hw_copy(text ? text : "", strlen(text ? text : "") + 1, 1);
    if (!copy)
        return false;
    free(*field);
    *field = copy;
    return true;
}

hw_code hw_builder_describe(hw_builder *b, const char *name, const char *source, const char *unit,
                            hw_error *err)
{
    if (!replace(&b->g->name, name) || !replace(&b->g->source, source) ||
        !replace(&b->g->unit, unit ? unit : "bytes"))
        return hw_fail_memory(err, "the names of a graph");
    return HW_OK;
}

/* Offset of a copy of text in the pool; "" is offset 0. */
static hw_code intern(hw_builder *b, const char *text, uint32_t *offset, hw_error *err)
{
    *offset = 0;
    if (!text || !*text)
        return HW_OK;
    size_t bytes = strlen(text) + 1;
    if (b->pool_bytes + bytes > UINT32_MAX)
        return hw_fail(err, HW_BAD_INPUT, "the names together exceed 4 GiB: shorten them");
    if (!hw_grow((void **)&b->pool, &b->pool_capacity, b->pool_bytes + bytes, 1))
        return hw_fail_memory(err, "names");
    memcpy(b->pool + b->pool_bytes, text, bytes);
    *offset = (uint32_t)b->pool_bytes;
    b->pool_bytes += bytes;
    return HW_OK;
}

/* Operator types repeat from node to node: reuse the last one. */
static hw_code intern_op(hw_builder *b, const char *op, uint32_t *offset, hw_error *err)
{
    if (op && *op && strcmp(b->pool + b->last_op, op) == 0) {
        *offset = b->last_op;
        return HW_OK;
    }
    hw_code code = intern(b, op, offset, err);
    if (code == HW_OK && *offset)
        b->last_op = *offset;
    return code;
}

/* Set array[index], allocating the array (filled with `empty`) on first use. */
static bool set_sparse(uint32_t **array, size_t capacity, uint32_t index, uint32_t value,
                       uint32_t empty)
{
    if (value == empty && !*array)
        return true;
    if (!*array) {
        *array = HW_NEW(uint32_t, capacity);
        if (!*array)
            return false;
        for (size_t i = 0; i < capacity; i++)
            (*array)[i] = empty;
    }
    (*array)[index] = value;
    return true;
}

/* Grow an optional array of 32-bit items from `old` to `fresh` slots. */
static bool grow_sparse(uint32_t **array, size_t old, size_t fresh, uint32_t empty)
{
    if (!*array)
        return true;
    size_t capacity = old;
    if (!hw_grow((void **)array, &capacity, fresh, sizeof **array))
        return false;
    for (size_t i = old; i < fresh; i++)
        (*array)[i] = empty;
    return true;
}

static bool grow_exactly(void **array, size_t slots, size_t item_bytes)
{
    size_t none = 0;
    void *held = *array;
    bool grown = hw_grow(&held, &none, slots, item_bytes);
    *array = held;
    return grown;
}

static bool tensor_room(hw_builder *b, size_t need)
{
    if (need <= b->tensor_capacity)
        return true;
    hw_graph *g = b->g;
    size_t fresh = b->tensor_capacity + b->tensor_capacity / 2;
    fresh = fresh < need ? need : fresh;
    fresh = fresh < 16 ? 16 : fresh;
    if (!grow_exactly((void **)&g->tensor_size, fresh, sizeof *g->tensor_size) ||
        !grow_exactly((void **)&g->tensor_kind, fresh, sizeof *g->tensor_kind) ||
        !grow_exactly((void **)&g->tensor_producer, fresh, sizeof *g->tensor_producer) ||
        !grow_sparse(&g->tensor_name, b->tensor_capacity, fresh, 0))
        return false;
    b->tensor_capacity = fresh;
    return true;
}

static bool node_room(hw_builder *b, size_t need)
{
    if (need <= b->node_capacity)
        return true;
    hw_graph *g = b->g;
    size_t fresh = b->node_capacity + b->node_capacity / 2;
    fresh = fresh < need ? need : fresh;
    fresh = fresh < 16 ? 16 : fresh;
    if (!grow_exactly((void **)&g->node_flags, fresh, sizeof *g->node_flags) ||
        !grow_sparse(&g->node_name, b->node_capacity, fresh, 0) ||
        !grow_sparse(&g->node_op, b->node_capacity, fresh, 0) ||
        !grow_sparse(&g->node_window, b->node_capacity, fresh, HW_NONE))
        return false;
    if (g->node_workspace) {
        if (!grow_exactly((void **)&g->node_workspace, fresh, sizeof *g->node_workspace))
            return false;
        memset(g->node_workspace + b->node_capacity, 0,
               (fresh - b->node_capacity) * sizeof *g->node_workspace);
    }
    b->node_capacity = fresh;
    return true;
}

hw_code hw_builder_reserve(hw_builder *b, size_t tensors, size_t nodes, hw_error *err)
{
    if (!tensor_room(b, tensors) || !node_room(b, nodes))
        return hw_fail_memory(err, "a graph of the size that the file announces");
    return HW_OK;
}

static hw_code check_id(const char *what, uint64_t id, hw_error *err)
{
    if (id > UINT32_MAX)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s id %" PRIu64 " is too large: ids are integers below 4294967296", what,
                       id);
    return HW_OK;
}

static hw_code add_id(hw_idmap *map, const char *what, uint64_t id, hw_error *err)
{
    hw_code code = check_id(what, id, err);
    if (code != HW_OK)
        return code;
    switch (hw_idmap_add(map, (uint32_t)id)) {
    case HW_IDMAP_NEW:
        return HW_OK;
    case HW_IDMAP_REPEATED:
        return hw_fail(err, HW_BAD_INPUT, "%s id %" PRIu64 " stands twice: give each its own id",
                       what, id);
    case HW_IDMAP_NO_MEMORY:
        break;
    }
    return hw_fail_memory(err, "ids");
}

hw_code hw_builder_tensor(hw_builder *b, uint64_t id, uint64_t size, hw_kind kind, const char *name,
                          hw_error *err)
{
    hw_graph *g = b->g;
    uint32_t index = g->n_tensors;
    if (size > INT64_MAX)
        return hw_fail(err, HW_BAD_INPUT,
                       "tensor %" PRIu64 " has size %" PRIu64 ": sizes go from 0 to 2^63-1", id,
                       size);
    if (index == MOST_INDICES)
        return hw_fail(err, HW_BAD_INPUT, "more than %" PRIu32 " tensors: split the graph",
                       MOST_INDICES);
    uint32_t name_offset;
    hw_code code = intern(b, name, &name_offset, err);
    if (code == HW_OK)
        code = add_id(&b->tensor_map, "tensor", id, err);
    if (code != HW_OK)
        return code;
    if (!tensor_room(b, (size_t)index + 1) ||
        !set_sparse(&g->tensor_name, b->tensor_capacity, index, name_offset, 0))
        return hw_fail_memory(err, "tensors");
    g->tensor_size[index] = size;
    g->tensor_kind[index] = (uint8_t)kind;
    g->tensor_producer[index] = HW_NONE;
    g->n_tensors++;
    return HW_OK;
}

static hw_code find_tensor(const hw_builder *b, uint64_t node, uint64_t id, uint32_t *tensor,
                           hw_error *err)
{
    *tensor = hw_idmap_find(&b->tensor_map, id);
    if (*tensor == HW_NONE)
        return hw_fail(err, HW_BAD_INPUT,
                       "node %" PRIu64 " names tensor %" PRIu64
                       ", which does not exist: declare it or mend the id",
                       node, id);
    return HW_OK;
}

static hw_code add_output(hw_builder *b, uint32_t node, const hw_node_spec *spec, uint64_t id,
                          hw_error *err)
{
    hw_graph *g = b->g;
    uint32_t tensor;
    hw_code code = find_tensor(b, spec->id, id, &tensor, err);
    if (code != HW_OK)
        return code;
    if (g->tensor_kind[tensor] == HW_INPUT || g->tensor_kind[tensor] == HW_CONSTANT)
        return hw_fail(err, HW_BAD_INPUT,
                       "tensor %" PRIu64 " is %s but node %" PRIu64
                       " produces it: make it an activation or an output",
                       id, g->tensor_kind[tensor] == HW_INPUT ? "an input" : "a constant",
                       spec->id);
    if (g->tensor_producer[tensor] != HW_NONE)
        return hw_fail(err, HW_BAD_INPUT,
                       "tensor %" PRIu64 " has two producers, nodes %" PRIu64 " and %" PRIu64
                       ": a tensor has at most one",
                       id,
                       g->tensor_producer[tensor] == node
                           ? spec->id
                           : (b->node_map.id ? b->node_map.id[g->tensor_producer[tensor]]
                                             : g->tensor_producer[tensor]),
                       spec->id);
    g->tensor_producer[tensor] = node;
    return push(&b->output_item, tensor) ? HW_OK : hw_fail_memory(err, "outputs of nodes");
}

static hw_code add_input(hw_builder *b, uint32_t node, const hw_node_spec *spec, uint64_t id,
                         hw_error *err)
{
    uint32_t tensor;
    hw_code code = find_tensor(b, spec->id, id, &tensor, err);
    if (code != HW_OK)
        return code;
    if (b->g->tensor_producer[tensor] == node)
        return hw_fail(err, HW_BAD_INPUT,
                       "node %" PRIu64 " consumes tensor %" PRIu64
                       ", which it produces (a cycle of one node): use two tensors",
                       spec->id, id);
    return push(&b->input_item, tensor) ? HW_OK : hw_fail_memory(err, "inputs of nodes");
}

static bool lists(const uint64_t *ids, size_t n, uint64_t id)
{
    for (size_t i = 0; i < n; i++)
        if (ids[i] == id)
            return true;
    return false;
}

static hw_code add_pairs(hw_builder *b, uint32_t node, const hw_node_spec *spec, hw_error *err)
{
    if (spec->inplace_required && spec->n_inplace != 1)
        return hw_fail(err, HW_BAD_INPUT,
                       "node %" PRIu64 " has inplace_required with %zu in-place pairs: give one",
                       spec->id, spec->n_inplace);
    if (spec->n_inplace && spec->view)
        return hw_fail(err, HW_BAD_INPUT,
                       "node %" PRIu64
                       " is a view and has an in-place pair: a view creates nothing to place; "
                       "drop one of the two",
                       spec->id);
    if (!spec->n_inplace && !b->pair_offset.count)
        return HW_OK;
    while (b->pair_offset.count <= node) /* nodes before the first pair have none */
        if (!push(&b->pair_offset, (uint32_t)b->n_pairs))
            return hw_fail_memory(err, "in-place pairs");
    for (size_t i = 0; i < spec->n_inplace; i++) {
        uint64_t in = spec->inplace[2 * i], out = spec->inplace[2 * i + 1];
        if (!lists(spec->inputs, spec->n_inputs, in))
            return hw_fail(err, HW_BAD_INPUT,
                           "node %" PRIu64 " has an in-place pair [%" PRIu64 ", %" PRIu64
                           "], but tensor %" PRIu64 " is not an input of the node",
                           spec->id, in, out, in);
        if (!lists(spec->outputs, spec->n_outputs, out))
            return hw_fail(err, HW_BAD_INPUT,
                           "node %" PRIu64 " has an in-place pair [%" PRIu64 ", %" PRIu64
                           "], but tensor %" PRIu64 " is not an output of the node",
                           spec->id, in, out, out);
        if (!hw_grow((void **)&b->pair, &b->pair_capacity, b->n_pairs + 1, sizeof *b->pair))
            return hw_fail_memory(err, "in-place pairs");
        b->pair[b->n_pairs++] = (hw_inplace_pair){hw_idmap_find(&b->tensor_map, in),
                                                  hw_idmap_find(&b->tensor_map, out)};
    }
    return push(&b->pair_offset, (uint32_t)b->n_pairs) ? HW_OK
                                                       : hw_fail_memory(err, "in-place pairs");
}

static hw_code add_details(hw_builder *b, uint32_t node, const hw_node_spec *spec, hw_error *err)
{
    hw_graph *g = b->g;
    uint32_t name, op;
    hw_code code = intern(b, spec->name, &name, err);
    if (code == HW_OK)
        code = intern_op(b, spec->op, &op, err);
    if (code != HW_OK)
        return code;
    if (spec->workspace > INT64_MAX)
        return hw_fail(err, HW_BAD_INPUT,
                       "node %" PRIu64 " has workspace %" PRIu64 ": it goes from 0 to 2^63-1",
                       spec->id, spec->workspace);
    if (spec->workspace && !g->node_workspace) {
        g->node_workspace = HW_NEW0(uint64_t, b->node_capacity);
        if (!g->node_workspace)
            return hw_fail_memory(err, "workspaces");
    }
    if (g->node_workspace)
        g->node_workspace[node] = spec->workspace;
    uint32_t window = HW_NONE;
    if (spec->has_window) /* wider than any graph is as good as the widest */
        window = spec->window < MOST_INDICES ? (uint32_t)spec->window : MOST_INDICES;
    if (!set_sparse(&g->node_name, b->node_capacity, node, name, 0) ||
        !set_sparse(&g->node_op, b->node_capacity, node, op, 0) ||
        !set_sparse(&g->node_window, b->node_capacity, node, window, HW_NONE))
        return hw_fail_memory(err, "nodes");
    g->node_flags[node] =
        (uint8_t)((spec->view ? HW_NODE_VIEW : 0) | (spec->locked ? HW_NODE_LOCKED : 0) |
                  (spec->inplace_required ? HW_NODE_INPLACE_REQUIRED : 0));
    b->any_view |= spec->view;
    b->any_locked |= spec->locked;
    b->any_required |= spec->inplace_required;
    return HW_OK;
}

hw_code hw_builder_node(hw_builder *b, const hw_node_spec *spec, hw_error *err)
{
    hw_graph *g = b->g;
    uint32_t node = g->n_nodes;
    if (node == MOST_INDICES)
        return hw_fail(err, HW_BAD_INPUT, "more than %" PRIu32 " nodes: split the graph",
                       MOST_INDICES);
    hw_code code = add_id(&b->node_map, "node", spec->id, err);
    if (code == HW_OK && !node_room(b, (size_t)node + 1))
        code = hw_fail_memory(err, "nodes");
    if (code == HW_OK && spec->view && spec->n_inputs == 0)
        code = hw_fail(err, HW_BAD_INPUT,
                       "node %" PRIu64 " is a view without input: a view needs one to share",
                       spec->id);
    for (size_t i = 0; code == HW_OK && i < spec->n_outputs; i++)
        code = add_output(b, node, spec, spec->outputs[i], err);
    for (size_t i = 0; code == HW_OK && i < spec->n_inputs; i++)
        code = add_input(b, node, spec, spec->inputs[i], err);
    if (code == HW_OK)
        code = add_pairs(b, node, spec, err);
    if (code == HW_OK)
        code = add_details(b, node, spec, err);
    if (code != HW_OK)
        return code;
    if (b->input_item.count > MOST_INDICES || b->output_item.count > MOST_INDICES)
        return hw_fail(err, HW_BAD_INPUT, "more than %" PRIu32 " inputs in all: split the graph",
                       MOST_INDICES);
    if (!push(&b->input_offset, (uint32_t)b->input_item.count) ||
        !push(&b->output_offset, (uint32_t)b->output_item.count))
        return hw_fail_memory(err, "nodes");
    g->n_nodes++;
    return HW_OK;
}

hw_code hw_builder_control(hw_builder *b, uint64_t from, uint64_t to, hw_error *err)
{
    if (!hw_grow((void **)&b->control, &b->control_capacity, 2 * b->n_control + 2,
                 sizeof *b->control))
        return hw_fail_memory(err, "control edges");
    b->control[2 * b->n_control] = from;
    b->control[2 * b->n_control + 1] = to;
    b->n_control++;
    return HW_OK;
}
