/* The tape of a neural network.  See net.h.  Each call is amortised O(1), but
 * for a node's number: O(nodes of the net). */
#include "gen/net.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/builder.h"

void hw_net_start(hw_net *net, bool training, hw_optimizer optimizer, hw_error *err)
{
    *net = (hw_net){.training = training,
                    .views = true,
                    .inplace = true,
                    .optimizer = optimizer,
                    .code = HW_OK,
                    .err = err};
}

void hw_net_clear(hw_net *net)
{
    free(net->value);
    free(net->node);
    free(net->item);
    free(net->pair);
    hw_net_start(net, false, HW_SGD, NULL);
}

void hw_net_refuse(hw_net *net, const char *what)
{
    if (net->code == HW_OK)
        net->code = hw_fail(net->err, HW_USAGE, "%s", what);
}

static bool room(hw_net *net, void **array, size_t *capacity, size_t need, size_t item_bytes)
{
    if (net->code == HW_OK && need > *capacity && !hw_grow(array, capacity, need, item_bytes))
        net->code = hw_fail_memory(net->err, "a neural network");
    return net->code == HW_OK;
}

static hw_value add_value(hw_net *net, hw_shape shape, uint64_t item_bytes, hw_kind kind,
                          const char *name, const char *suffix)
{
    if (!room(net, (void **)&net->value, &net->value_capacity, net->n_values + 1,
              sizeof *net->value))
        return 0;
    hw_net_value *v = &net->value[net->n_values];
    *v = (hw_net_value){
        .shape = shape,
        .bytes = hw_shape_count(shape) * item_bytes,
        .kind = kind,
        .grad = HW_NONE,
    };
    (void)snprintf(v->name, sizeof v->name, "%s%s", name, suffix);
    return (hw_value)net->n_values++;
}

hw_value hw_net_input(hw_net *net, hw_shape shape, uint64_t item_bytes, const char *name)
{
    return add_value(net, shape, item_bytes, HW_INPUT, name, "");
}

static hw_value add_param(hw_net *net, uint64_t count, const char *name, const char *suffix)
{
    hw_value v = add_value(net, (hw_shape){count, 1, 1, 1}, HW_FLOAT_BYTES,
                           net->training ? HW_INPUT : HW_CONSTANT, name, suffix);
    if (net->code == HW_OK)
        net->value[v].param = net->value[v].needs_grad = true;
    return v;
}

hw_value hw_net_param(hw_net *net, uint64_t count, const char *suffix)
{
    return net->code == HW_OK ? add_param(net, count, net->node[net->n_nodes - 1].name, suffix) : 0;
}

hw_value hw_net_named_param(hw_net *net, uint64_t count, const char *name)
{
    return add_param(net, count, name, "");
}

void hw_net_output(hw_net *net, hw_value x)
{
    if (net->code == HW_OK)
        net->value[x].kind = HW_OUTPUT;
}

hw_shape hw_net_shape(const hw_net *net, hw_value x)
{
    return net->code == HW_OK ? net->value[x].shape : (hw_shape){1, 1, 1, 1};
}

/* "conv_12": the operator in small letters and its count so far. */
static void name_node(const hw_net *net, hw_net_node *node)
{
    size_t count = 1;
    for (size_t i = 0; i < net->n_nodes; i++)
        count += net->node[i].op == node->op || strcmp(net->node[i].op, node->op) == 0;
    (void)snprintf(node->name, sizeof node->name, "%s_%zu", node->op, count);
    for (char *c = node->name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
}

void hw_net_begin(hw_net *net, const char *op, hw_rule rule, const char *name)
{
    if (!room(net, (void **)&net->node, &net->node_capacity, net->n_nodes + 1, sizeof *net->node))
        return;
    hw_net_node *node = &net->node[net->n_nodes];
    *node = (hw_net_node){
        .op = op,
        .rule = rule,
        .in = (uint32_t)net->n_items,
        .pair = (uint32_t)net->n_pairs,
    };
    if (name)
        (void)snprintf(node->name, sizeof node->name, "%s", name);
    else
        name_node(net, node);
    net->n_nodes++;
}

static bool add_item(hw_net *net, uint32_t item)
{
    if (!room(net, (void **)&net->item, &net->item_capacity, net->n_items + 1, sizeof *net->item))
        return false;
    net->item[net->n_items++] = item;
    return true;
}

void hw_net_in(hw_net *net, hw_value x)
{
    if (add_item(net, x)) {
        hw_net_node *node = &net->node[net->n_nodes - 1];
        node->n_in++;
        node->out = (uint32_t)net->n_items;
    }
}

hw_value hw_net_out(hw_net *net, hw_shape shape, uint64_t item_bytes, const char *suffix)
{
    if (net->code != HW_OK)
        return 0;
    hw_net_node *node = &net->node[net->n_nodes - 1];
    hw_value y = add_value(net, shape, item_bytes, HW_ACTIVATION, node->name, suffix);
    if (!add_item(net, y))
        return 0;
    node->n_out++;
    for (uint32_t i = 0; i < node->n_in; i++)
        net->value[y].needs_grad |= net->value[net->item[node->in + i]].needs_grad;
    return y;
}

void hw_net_may_overwrite(hw_net *net, hw_value x, hw_value y)
{
    /* What the caller of an inference gave stays as it is. */
    if (net->code != HW_OK || !net->inplace || (!net->training && net->value[x].kind == HW_INPUT) ||
        !room(net, (void **)&net->pair, &net->pair_capacity, net->n_pairs + 1, sizeof *net->pair))
        return;
    net->pair[net->n_pairs++] = (hw_inplace_pair){x, y};
    net->node[net->n_nodes - 1].n_pairs++;
}

void hw_net_is_view(hw_net *net)
{
    if (net->code == HW_OK)
        net->node[net->n_nodes - 1].view = net->views;
}

/* The tape's 32-bit items and pairs as the 64-bit ids that the builder takes. */
static hw_code build_nodes(const hw_net *net, uint64_t *id, uint64_t *pair, hw_builder *b)
{
    for (size_t i = 0; i < net->n_items; i++)
        id[i] = net->item[i];
    for (size_t i = 0; i < net->n_pairs; i++) {
        pair[2 * i] = net->pair[i].input;
        pair[2 * i + 1] = net->pair[i].output;
    }
    hw_code code = HW_OK;
    for (size_t i = 0; i < net->n_nodes && code == HW_OK; i++) {
        const hw_net_node *node = &net->node[i];
        hw_node_spec spec = {
            .id = i,
            .name = node->name,
            .op = node->op,
            .inputs = id + node->in,
            .n_inputs = node->n_in,
            .outputs = id + node->out,
            .n_outputs = node->n_out,
            .inplace = pair + 2 * (size_t)node->pair,
            .n_inplace = node->n_pairs,
            .view = node->view,
        };
        code = hw_builder_node(b, &spec, net->err);
    }
    return code;
}

hw_code hw_net_finish(hw_net *net, hw_graph **out)
{
    if (net->code != HW_OK)
        return net->code;
    hw_builder *b = hw_builder_new();
    uint64_t *id = HW_NEW(uint64_t, net->n_items), *pair = HW_NEW(uint64_t, 2 * net->n_pairs);
    hw_code code = b && id && pair ? HW_OK : hw_fail_memory(net->err, "a neural network");
    for (size_t i = 0; i < net->n_values && code == HW_OK; i++) {
        const hw_net_value *v = &net->value[i];
        code = hw_builder_tensor(b, i, v->bytes, v->kind, v->name, net->err);
    }
    if (code == HW_OK)
        code = build_nodes(net, id, pair, b);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, net->err);
    free(id);
    free(pair);
    hw_builder_free(b);
    return code;
}
