/*
 * The end of a net: its output in inference; loss, backward pass and optimiser
 * updates in training.
 *
 * The backward pass is a reverse-mode tape: nodes in reverse order, each
 * turning the gradient of its output into those of its inputs.  A second
 * gradient of a value is added to the first as soon as it comes.  Weights are
 * updated at the end, in order of appearance, each update overwriting the
 * weight and the optimiser's state.  O(nodes + inputs).
 * Source: Linnainmaa 1970 (reverse mode); momentum: Polyak 1964; Adam: Kingma
 * and Ba 2015.
 */
#include <stdio.h>

#include "gen/net.h"

/* The node under differentiation; copied, for the tape grows meanwhile. */
typedef struct step {
    hw_net *net;
    hw_net_node node;
    hw_value gy; /* gradient of output 0 */
} step;

static hw_value input_of(const step *s, uint32_t i)
{
    return s->net->item[s->node.in + i];
}

static hw_value output_of(const step *s, uint32_t i)
{
    return s->net->item[s->node.out + i];
}

/* Begin a node of the backward pass: NAME of the forward node + suffix. */
static void begin(const step *s, const char *op, const char *suffix)
{
    char name[2 * HW_NET_NAME];
    (void)snprintf(name, sizeof name, "%s%s", s->node.name, suffix);
    hw_net_begin(s->net, op, HW_RULE_NONE, name);
}

/* An output with the shape and size of x, the node's own name. */
static hw_value out_like(hw_net *net, hw_value x, const char *suffix)
{
    uint64_t count = net->code == HW_OK ? hw_shape_count(net->value[x].shape) : 1;
    uint64_t bytes = net->code == HW_OK ? net->value[x].bytes : 0;
    return hw_net_out(net, hw_net_shape(net, x), count ? bytes / count : 0, suffix);
}

/* Take g as a gradient of x. */
static void give(hw_net *net, hw_value x, hw_value g)
{
    if (net->code != HW_OK || !net->value[x].needs_grad)
        return;
    hw_value before = net->value[x].grad;
    if (before != HW_NONE) {
        hw_net_begin(net, "AddGrad", HW_RULE_NONE, NULL);
        hw_net_in(net, before);
        hw_net_in(net, g);
        hw_value sum = out_like(net, x, "");
        hw_net_may_overwrite(net, before, sum);
        hw_net_may_overwrite(net, g, sum);
        g = sum;
    }
    if (net->code == HW_OK)
        net->value[x].grad = g;
}

static bool needs_grad(const step *s, uint32_t input)
{
    return s->net->code == HW_OK && s->net->value[input_of(s, input)].needs_grad;
}

/* Gradient of input `i` from gy and, unless HW_NONE, one or two more values. */
static void pass(const step *s, uint32_t i, const char *op, const char *suffix, hw_value with,
                 hw_value with_too, bool overwrites)
{
    if (!needs_grad(s, i))
        return;
    begin(s, op, suffix);
    hw_net_in(s->net, s->gy);
    if (with != HW_NONE)
        hw_net_in(s->net, with);
    if (with_too != HW_NONE)
        hw_net_in(s->net, with_too);
    hw_value g = out_like(s->net, input_of(s, i), "");
    if (overwrites)
        hw_net_may_overwrite(s->net, s->gy, g);
    give(s->net, input_of(s, i), g);
}

/* x, W and maybe b of a convolution or a fully connected layer. */
static void pass_linear(const step *s)
{
    const char *op = s->node.op;
    bool conv = op[0] == 'C' || op[0] == 'D'; /* Conv, ConvTranspose, DepthwiseConv */
    pass(s, 0, conv ? "ConvGradInput" : "LinearGradInput", ".gx", input_of(s, 1), HW_NONE, false);
    pass(s, 1, conv ? "ConvGradWeight" : "LinearGradWeight", ".gW", input_of(s, 0), HW_NONE, false);
    if (s->node.n_in > 2)
        pass(s, 2, "ReduceSum", ".gb", HW_NONE, HW_NONE, false);
}

static void pass_norm(const step *s)
{
    begin(s, s->node.op[0] == 'B' ? "BatchNormGrad" : "LayerNormGrad", ".bwd");
    hw_net_in(s->net, s->gy);
    hw_net_in(s->net, input_of(s, 0));
    hw_net_in(s->net, input_of(s, 1));
    hw_net_in(s->net, output_of(s, 1));
    hw_net_in(s->net, output_of(s, 2));
    hw_value gx = out_like(s->net, input_of(s, 0), ".gx");
    hw_value ggamma = out_like(s->net, input_of(s, 1), ".ggamma");
    hw_value gbeta = out_like(s->net, input_of(s, 2), ".gbeta");
    hw_net_may_overwrite(s->net, s->gy, gx);
    give(s->net, input_of(s, 0), gx);
    give(s->net, input_of(s, 1), ggamma);
    give(s->net, input_of(s, 2), gbeta);
}

static void pass_concat(const step *s)
{
    begin(s, "Split", ".gx");
    hw_net_in(s->net, s->gy);
    uint32_t first = (uint32_t)s->net->n_items;
    for (uint32_t i = 0; i < s->node.n_in; i++) {
        char suffix[16];
        (void)snprintf(suffix, sizeof suffix, ".%u", i);
        (void)out_like(s->net, input_of(s, i), suffix);
    }
    for (uint32_t i = 0; i < s->node.n_in && s->net->code == HW_OK; i++)
        give(s->net, input_of(s, i), s->net->item[first + i]);
}

/* Every part of a split is used in the nets here, and so has a gradient. */
static void pass_split(const step *s)
{
    begin(s, "Concat", ".gx");
    for (uint32_t i = 0; i < s->node.n_out && s->net->code == HW_OK; i++)
        hw_net_in(s->net, s->net->value[output_of(s, i)].grad);
    give(s->net, input_of(s, 0), out_like(s->net, input_of(s, 0), ""));
}

static void pass_view(const step *s)
{
    begin(s, s->node.op, ".gx");
    hw_net_in(s->net, s->gy);
    hw_value g = out_like(s->net, input_of(s, 0), "");
    hw_net_is_view(s->net);
    give(s->net, input_of(s, 0), g);
}

static const char *elementwise_grad(const char *op)
{
    return op[0] == 'R' ? "ReluGrad" : op[0] == 'G' ? "GeluGrad" : "SoftmaxGrad";
}

static const char *shape_grad(const char *op)
{
    return op[0] == 'G' ? "GlobalAveragePoolGrad" : op[0] == 'A' ? "AveragePoolGrad" : "SliceGrad";
}

static void pass_back(const step *s)
{
    switch (s->node.rule) {
    case HW_RULE_NONE:
        break;
    case HW_RULE_LINEAR:
        pass_linear(s);
        break;
    case HW_RULE_NORM:
        pass_norm(s);
        break;
    case HW_RULE_FROM_OUTPUT:
        pass(s, 0, elementwise_grad(s->node.op), ".gx", output_of(s, 0), HW_NONE, true);
        break;
    case HW_RULE_FROM_INPUT:
        pass(s, 0, elementwise_grad(s->node.op), ".gx", input_of(s, 0), HW_NONE, true);
        break;
    case HW_RULE_FROM_BOTH:
        pass(s, 0, "LRNGrad", ".gx", input_of(s, 0), output_of(s, 0), false);
        break;
    case HW_RULE_FROM_SHAPE:
        pass(s, 0, shape_grad(s->node.op), ".gx", HW_NONE, HW_NONE, false);
        break;
    case HW_RULE_FROM_INDICES:
        pass(s, 0, "MaxPoolGrad", ".gx", output_of(s, 1), HW_NONE, false);
        break;
    case HW_RULE_ADD:
        for (uint32_t i = 0; i < s->node.n_in; i++)
            give(s->net, input_of(s, i), s->gy);
        break;
    case HW_RULE_ADD_PARAM:
        give(s->net, input_of(s, 0), s->gy);
        pass(s, 1, "ReduceSum", ".gb", HW_NONE, HW_NONE, false);
        break;
    case HW_RULE_CONCAT:
        pass_concat(s);
        break;
    case HW_RULE_SPLIT:
        pass_split(s);
        break;
    case HW_RULE_VIEW:
        pass_view(s);
        break;
    case HW_RULE_TRANSPOSE:
        pass(s, 0, "Transpose", ".gx", HW_NONE, HW_NONE, false);
        break;
    case HW_RULE_MATMUL:
        pass(s, 0, "MatMulGradA", ".ga", input_of(s, 1), HW_NONE, false);
        pass(s, 1, "MatMulGradB", ".gb", input_of(s, 0), HW_NONE, false);
        break;
    case HW_RULE_EMBEDDING:
        pass(s, 0, "EmbeddingGrad", ".gW", input_of(s, 1), HW_NONE, false);
        break;
    }
}

static void backward(hw_net *net, size_t n_forward)
{
    for (size_t i = n_forward; i-- > 0 && net->code == HW_OK;) {
        step s = {net, net->node[i], HW_NONE};
        hw_value y = output_of(&s, 0);
        s.gy = net->value[y].grad;
        if (s.gy != HW_NONE)
            pass_back(&s);
    }
}

/* New weight and state from the old ones and the gradient, each in its place. */
static void update(hw_net *net, hw_value param)
{
    static const struct {
        const char *op;
        uint32_t n_states;
        const char *state[2];
    } rules[] = {
        [HW_SGD] = {"Sgd", 0, {NULL, NULL}},
        [HW_MOMENTUM] = {"SgdMomentum", 1, {".momentum", NULL}},
        [HW_ADAM] = {"Adam", 2, {".exp_avg", ".exp_avg_sq"}},
    };
    const uint32_t n_states = rules[net->optimizer].n_states;
    const char *const *state = rules[net->optimizer].state;
    hw_value old[3] = {param};
    char name[HW_NET_NAME + 16], label[HW_NET_NAME];
    (void)snprintf(label, sizeof label, "%s", net->value[param].name);
    hw_shape shape = net->value[param].shape;
    for (uint32_t k = 0; k < n_states; k++) {
        (void)snprintf(name, sizeof name, "%s%s", label, state[k]);
        old[k + 1] = hw_net_input(net, shape, HW_FLOAT_BYTES, name);
    }
    (void)snprintf(name, sizeof name, "%s.update", label);
    hw_net_begin(net, rules[net->optimizer].op, HW_RULE_NONE, name);
    for (uint32_t k = 0; k <= n_states; k++)
        hw_net_in(net, old[k]);
    if (net->code == HW_OK)
        hw_net_in(net, net->value[param].grad);
    for (uint32_t k = 0; k <= n_states; k++) {
        (void)snprintf(name, sizeof name, "%s.new", k ? state[k - 1] : "");
        hw_value fresh = hw_net_out(net, shape, HW_FLOAT_BYTES, name);
        hw_net_may_overwrite(net, old[k], fresh);
        hw_net_output(net, fresh);
    }
}

/* Gradient `seed` of `x`, the last value of n_forward nodes, backwards. */
static void train(hw_net *net, size_t n_forward, hw_value x, hw_value seed)
{
    give(net, x, seed);
    backward(net, n_forward);
    size_t n_values = net->n_values;
    for (size_t v = 0; v < n_values && net->code == HW_OK; v++)
        if (net->value[v].param && net->value[v].grad != HW_NONE)
            update(net, (hw_value)v);
}

void hw_net_classify(hw_net *net, hw_value logits)
{
    if (!net->training) {
        hw_net_output(net, hw_softmax(net, logits));
        return;
    }
    size_t n_forward = net->n_nodes;
    hw_shape s = hw_net_shape(net, logits);
    hw_value labels = hw_net_input(net, (hw_shape){s.n, 1, s.h, s.w}, HW_INDEX_BYTES, "labels");
    hw_net_begin(net, "CrossEntropy", HW_RULE_NONE, "loss");
    hw_net_in(net, logits);
    hw_net_in(net, labels);
    hw_net_output(net, hw_net_out(net, (hw_shape){1, 1, 1, 1}, HW_FLOAT_BYTES, ""));
    hw_value logprob = hw_net_out(net, s, HW_FLOAT_BYTES, ".logprob");
    hw_net_begin(net, "CrossEntropyGrad", HW_RULE_NONE, "loss.gx");
    hw_net_in(net, logprob);
    hw_net_in(net, labels);
    hw_value seed = hw_net_out(net, s, HW_FLOAT_BYTES, "");
    hw_net_may_overwrite(net, logprob, seed);
    train(net, n_forward, logits, seed);
}

void hw_net_regress(hw_net *net, hw_value x)
{
    if (!net->training) {
        hw_net_output(net, x);
        return;
    }
    size_t n_forward = net->n_nodes;
    hw_shape s = hw_net_shape(net, x);
    hw_value target = hw_net_input(net, s, HW_FLOAT_BYTES, "target");
    hw_net_begin(net, "Sub", HW_RULE_NONE, "diff");
    hw_net_in(net, x);
    hw_net_in(net, target);
    hw_value diff = hw_net_out(net, s, HW_FLOAT_BYTES, "");
    hw_net_begin(net, "MeanSquare", HW_RULE_NONE, "loss");
    hw_net_in(net, diff);
    hw_net_output(net, hw_net_out(net, (hw_shape){1, 1, 1, 1}, HW_FLOAT_BYTES, ""));
    hw_net_begin(net, "Scale", HW_RULE_NONE, "loss.gx");
    hw_net_in(net, diff);
    hw_value seed = hw_net_out(net, s, HW_FLOAT_BYTES, "");
    hw_net_may_overwrite(net, diff, seed);
    train(net, n_forward, x, seed);
}
