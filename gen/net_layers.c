/*
 * Layers of neural networks: shapes in, shapes out, weights by their counts.
 * See net.h.  What may overwrite what follows the kernels of common
 * frameworks: relu, softmax, sums and, in inference, batch norm work in place;
 * reshapes are views; transposes and concatenations copy.
 */
#include "gen/net.h"

static uint64_t at_least_one(uint64_t x)
{
    return x ? x : 1;
}

/* Length of a row after a window passed over it; 0 and an error: too short. */
static uint64_t slide(hw_net *net, uint64_t length, uint64_t window, uint64_t stride, uint64_t pad,
                      bool ceil)
{
    if (length + 2 * pad < window) {
        hw_net_refuse(net, "an image becomes smaller than a window of the net: give a greater "
                           "resolution");
        return 1;
    }
    uint64_t room = length + 2 * pad - window;
    return (ceil ? room + stride - 1 : room) / stride + 1;
}

static hw_shape conv_shape(hw_net *net, hw_shape x, hw_conv_spec s)
{
    hw_shape y = {x.n, s.out, x.h * s.stride, x.w * s.stride};
    if (!s.transposed) {
        uint64_t window = (s.k - 1) * s.dilation + 1;
        y.h = slide(net, x.h, window, s.stride, s.pad, false);
        y.w = slide(net, x.w, window, s.stride, s.pad, false);
    }
    return y;
}

hw_value hw_conv(hw_net *net, hw_value x, hw_conv_spec s)
{
    hw_shape in = hw_net_shape(net, x);
    s.stride = at_least_one(s.stride);
    s.groups = at_least_one(s.groups);
    s.dilation = at_least_one(s.dilation);
    const char *op = s.transposed                       ? "ConvTranspose"
                     : s.groups > 1 && s.groups == in.c ? "DepthwiseConv"
                                                        : "Conv";
    hw_net_begin(net, op, HW_RULE_LINEAR, NULL);
    hw_net_in(net, x);
    hw_net_in(net, hw_net_param(net, s.out * (in.c / s.groups) * s.k * s.k, ".W"));
    if (s.bias)
        hw_net_in(net, hw_net_param(net, s.out, ".b"));
    return hw_net_out(net, conv_shape(net, in, s), HW_FLOAT_BYTES, "");
}

static hw_value norm(hw_net *net, hw_value x, const char *op, bool batch)
{
    hw_shape s = hw_net_shape(net, x);
    hw_net_begin(net, op, HW_RULE_NORM, NULL);
    hw_net_in(net, x);
    hw_net_in(net, hw_net_param(net, s.c, ".gamma"));
    hw_net_in(net, hw_net_param(net, s.c, ".beta"));
    if (batch && !net->training) {
        hw_net_in(net, hw_net_param(net, s.c, ".mean"));
        hw_net_in(net, hw_net_param(net, s.c, ".var"));
    }
    hw_value y = hw_net_out(net, s, HW_FLOAT_BYTES, "");
    if (net->training) { /* saved for the backward pass */
        hw_shape stat = batch ? (hw_shape){1, s.c, 1, 1} : (hw_shape){s.n, 1, s.h, s.w};
        (void)hw_net_out(net, stat, HW_FLOAT_BYTES, ".mean");
        (void)hw_net_out(net, stat, HW_FLOAT_BYTES, ".rstd");
    } else if (batch) {
        hw_net_may_overwrite(net, x, y);
    }
    return y;
}

hw_value hw_batch_norm(hw_net *net, hw_value x)
{
    return norm(net, x, "BatchNorm", true);
}

hw_value hw_layer_norm(hw_net *net, hw_value x)
{
    return norm(net, x, "LayerNorm", false);
}

hw_value hw_conv_norm(hw_net *net, hw_value x, hw_conv_spec s)
{
    bool fold = net->fold_norm && !net->training;
    s.bias = fold;
    hw_value y = hw_conv(net, x, s);
    return fold ? y : hw_batch_norm(net, y);
}

hw_value hw_conv_norm_relu(hw_net *net, hw_value x, hw_conv_spec s)
{
    return hw_relu(net, hw_conv_norm(net, x, s));
}

/* One input, one output of a shape. */
static hw_value unary(hw_net *net, hw_value x, const char *op, hw_rule rule, hw_shape shape,
                      bool overwrites)
{
    hw_net_begin(net, op, rule, NULL);
    hw_net_in(net, x);
    hw_value y = hw_net_out(net, shape, HW_FLOAT_BYTES, "");
    if (overwrites)
        hw_net_may_overwrite(net, x, y);
    return y;
}

hw_value hw_relu(hw_net *net, hw_value x)
{
    return unary(net, x, "Relu", HW_RULE_FROM_OUTPUT, hw_net_shape(net, x), true);
}

hw_value hw_gelu(hw_net *net, hw_value x)
{
    return unary(net, x, "Gelu", HW_RULE_FROM_INPUT, hw_net_shape(net, x), false);
}

hw_value hw_softmax(hw_net *net, hw_value x)
{
    return unary(net, x, "Softmax", HW_RULE_FROM_OUTPUT, hw_net_shape(net, x), true);
}

hw_value hw_response_norm(hw_net *net, hw_value x)
{
    return unary(net, x, "LRN", HW_RULE_FROM_BOTH, hw_net_shape(net, x), false);
}

hw_value hw_add(hw_net *net, hw_value a, hw_value b)
{
    hw_net_begin(net, "Add", HW_RULE_ADD, NULL);
    hw_net_in(net, a);
    hw_net_in(net, b);
    hw_value y = hw_net_out(net, hw_net_shape(net, a), HW_FLOAT_BYTES, "");
    hw_net_may_overwrite(net, a, y);
    hw_net_may_overwrite(net, b, y);
    return y;
}

static hw_shape pool_shape(hw_net *net, hw_shape x, hw_pool_spec s)
{
    uint64_t stride = at_least_one(s.stride);
    x.h = slide(net, x.h, s.k, stride, s.pad, s.ceil);
    x.w = slide(net, x.w, s.k, stride, s.pad, s.ceil);
    return x;
}

hw_value hw_max_pool(hw_net *net, hw_value x, hw_pool_spec s)
{
    hw_shape shape = pool_shape(net, hw_net_shape(net, x), s);
    hw_value y = unary(net, x, "MaxPool", HW_RULE_FROM_INDICES, shape, false);
    if (net->training)
        (void)hw_net_out(net, shape, HW_INDEX_BYTES, ".indices");
    return y;
}

hw_value hw_mean_pool(hw_net *net, hw_value x, hw_pool_spec s)
{
    hw_shape shape = pool_shape(net, hw_net_shape(net, x), s);
    return unary(net, x, "AveragePool", HW_RULE_FROM_SHAPE, shape, false);
}

hw_value hw_global_pool(hw_net *net, hw_value x)
{
    hw_shape s = hw_net_shape(net, x);
    return unary(net, x, "GlobalAveragePool", HW_RULE_FROM_SHAPE, (hw_shape){s.n, s.c, 1, 1},
                 false);
}

hw_value hw_crop(hw_net *net, hw_value x, uint64_t h, uint64_t w)
{
    hw_shape s = hw_net_shape(net, x);
    return unary(net, x, "Slice", HW_RULE_FROM_SHAPE, (hw_shape){s.n, s.c, h, w}, false);
}

hw_value hw_concat(hw_net *net, const hw_value *x, size_t n)
{
    hw_shape s = hw_net_shape(net, x[0]);
    hw_net_begin(net, "Concat", HW_RULE_CONCAT, NULL);
    s.c = 0;
    for (size_t i = 0; i < n; i++) {
        hw_net_in(net, x[i]);
        s.c += hw_net_shape(net, x[i]).c;
    }
    return hw_net_out(net, s, HW_FLOAT_BYTES, "");
}

void hw_split(hw_net *net, hw_value x, hw_value *part, size_t n)
{
    hw_shape s = hw_net_shape(net, x);
    hw_net_begin(net, "Split", HW_RULE_SPLIT, NULL);
    hw_net_in(net, x);
    s.c /= n;
    for (size_t i = 0; i < n; i++) {
        char suffix[] = {'.', (char)('0' + i % 10), '\0'};
        part[i] = hw_net_out(net, s, HW_FLOAT_BYTES, suffix);
    }
}

hw_value hw_reshape(hw_net *net, hw_value x, hw_shape shape)
{
    hw_value y = unary(net, x, "Reshape", HW_RULE_VIEW, shape, false);
    hw_net_is_view(net);
    return y;
}

hw_value hw_flatten(hw_net *net, hw_value x)
{
    hw_shape s = hw_net_shape(net, x);
    hw_value y =
        unary(net, x, "Flatten", HW_RULE_VIEW, (hw_shape){s.n, s.c * s.h * s.w, 1, 1}, false);
    hw_net_is_view(net);
    return y;
}

hw_value hw_transpose(hw_net *net, hw_value x, hw_shape shape)
{
    return unary(net, x, "Transpose", HW_RULE_TRANSPOSE, shape, false);
}

hw_value hw_matmul(hw_net *net, hw_value a, hw_value b, hw_shape shape)
{
    hw_net_begin(net, "MatMul", HW_RULE_MATMUL, NULL);
    hw_net_in(net, a);
    hw_net_in(net, b);
    return hw_net_out(net, shape, HW_FLOAT_BYTES, "");
}

hw_value hw_linear(hw_net *net, hw_value x, uint64_t out)
{
    hw_shape s = hw_net_shape(net, x);
    hw_net_begin(net, "Linear", HW_RULE_LINEAR, NULL);
    hw_net_in(net, x);
    hw_net_in(net, hw_net_param(net, s.c * out, ".W"));
    hw_net_in(net, hw_net_param(net, out, ".b"));
    s.c = out;
    return hw_net_out(net, s, HW_FLOAT_BYTES, "");
}

hw_value hw_linear_tied(hw_net *net, hw_value x, hw_value table, uint64_t out)
{
    hw_shape s = hw_net_shape(net, x);
    hw_net_begin(net, "LinearTied", HW_RULE_LINEAR, NULL);
    hw_net_in(net, x);
    hw_net_in(net, table);
    s.c = out;
    return hw_net_out(net, s, HW_FLOAT_BYTES, "");
}

hw_value hw_embedding(hw_net *net, hw_value ids, hw_value table, uint64_t width)
{
    hw_shape s = hw_net_shape(net, ids);
    hw_net_begin(net, "Gather", HW_RULE_EMBEDDING, NULL);
    hw_net_in(net, table);
    hw_net_in(net, ids);
    s.c = width;
    return hw_net_out(net, s, HW_FLOAT_BYTES, "");
}

hw_value hw_add_param(hw_net *net, hw_value x, hw_value param)
{
    hw_net_begin(net, "Add", HW_RULE_ADD_PARAM, NULL);
    hw_net_in(net, x);
    hw_net_in(net, param);
    hw_value y = hw_net_out(net, hw_net_shape(net, x), HW_FLOAT_BYTES, "");
    hw_net_may_overwrite(net, x, y);
    return y;
}
