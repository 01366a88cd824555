/*
 * Nets whose blocks end in a sum: ResNet-50, the ResNets for CIFAR-10,
 * MobileNet v1 (no sums, the same blocks) and v2.
 *
 * Trained weights, 1000 classes: ResNet-50 25,557,032, MobileNet v1 4,231,976,
 * v2 3,504,872; in inference unfolded batch norms hold two more constants, the
 * running mean and variance of each channel.
 * Sources: He, Zhang, Ren and Sun 2016 (in ResNet-50 the stride is in the 3x3,
 * as frameworks have it); Howard and others 2017; Sandler and others 2018.
 */
#include "gen/nets.h"

/* Three convolutions (deep) or two, and a projection where shapes differ. */
static hw_value residual_block(hw_net *net, hw_value x, uint64_t width, uint64_t out,
                               uint64_t stride, bool deep)
{
    hw_value y;
    if (deep) {
        y = hw_conv_norm_relu(net, x, (hw_conv_spec){.out = width, .k = 1});
        y = hw_conv_norm_relu(net, y,
                              (hw_conv_spec){.out = width, .k = 3, .stride = stride, .pad = 1});
        y = hw_conv_norm(net, y, (hw_conv_spec){.out = out, .k = 1});
    } else {
        y = hw_conv_norm_relu(net, x,
                              (hw_conv_spec){.out = width, .k = 3, .stride = stride, .pad = 1});
        y = hw_conv_norm(net, y, (hw_conv_spec){.out = out, .k = 3, .pad = 1});
    }
    if (stride > 1 || hw_net_shape(net, x).c != out)
        x = hw_conv_norm(net, x, (hw_conv_spec){.out = out, .k = 1, .stride = stride});
    return hw_relu(net, hw_add(net, y, x));
}

void hw_net_resnet50(hw_net *net, const hw_net_sizes *s)
{
    static const unsigned depth[] = {3, 4, 6, 3};
    hw_value x = hw_net_image(net, s, 3);
    x = hw_conv_norm_relu(net, x, (hw_conv_spec){.out = 64, .k = 7, .stride = 2, .pad = 3});
    x = hw_max_pool(net, x, (hw_pool_spec){.k = 3, .stride = 2, .pad = 1});
    for (unsigned stage = 0; stage < 4; stage++)
        for (unsigned block = 0; block < depth[stage]; block++) {
            uint64_t width = UINT64_C(64) << stage;
            x = residual_block(net, x, width, 4 * width, stage && !block ? 2 : 1, true);
        }
    hw_net_head(net, x, 1000);
}

void hw_net_resnet_cifar(hw_net *net, const hw_net_sizes *s)
{
    if (s->layers < 8 || s->layers % 6 != 2) {
        hw_net_refuse(net, "a ResNet for CIFAR-10 has 6 k + 2 layers: give layers=8, 14, 20, ...");
        return;
    }
    uint64_t depth = (s->layers - 2) / 6;
    hw_value x = hw_net_image(net, s, 3);
    x = hw_conv_norm_relu(net, x, (hw_conv_spec){.out = 16, .k = 3, .pad = 1});
    for (unsigned stage = 0; stage < 3; stage++)
        for (uint64_t block = 0; block < depth; block++) {
            uint64_t width = UINT64_C(16) << stage;
            x = residual_block(net, x, width, width, stage && !block ? 2 : 1, false);
        }
    hw_net_head(net, x, 10);
}

static hw_value depthwise(hw_net *net, hw_value x, uint64_t stride)
{
    uint64_t c = hw_net_shape(net, x).c;
    return hw_conv_norm_relu(
        net, x, (hw_conv_spec){.out = c, .k = 3, .stride = stride, .pad = 1, .groups = c});
}

void hw_net_mobilenet_v1(hw_net *net, const hw_net_sizes *s)
{
    static const struct {
        uint64_t out, stride;
    } block[] = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                 {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};
    hw_value x = hw_net_image(net, s, 3);
    x = hw_conv_norm_relu(net, x, (hw_conv_spec){.out = 32, .k = 3, .stride = 2, .pad = 1});
    for (size_t i = 0; i < sizeof block / sizeof block[0]; i++) {
        x = depthwise(net, x, block[i].stride);
        x = hw_conv_norm_relu(net, x, (hw_conv_spec){.out = block[i].out, .k = 1});
    }
    hw_net_head(net, x, 1000);
}

/* Inverted residual: widen, depthwise, narrow without relu. */
static hw_value inverted_block(hw_net *net, hw_value x, uint64_t expand, uint64_t out,
                               uint64_t stride)
{
    uint64_t in = hw_net_shape(net, x).c;
    hw_value y = x;
    if (expand > 1)
        y = hw_conv_norm_relu(net, y, (hw_conv_spec){.out = in * expand, .k = 1});
    y = depthwise(net, y, stride);
    y = hw_conv_norm(net, y, (hw_conv_spec){.out = out, .k = 1});
    return stride == 1 && in == out ? hw_add(net, x, y) : y;
}

void hw_net_mobilenet_v2(hw_net *net, const hw_net_sizes *s)
{
    static const struct {
        uint64_t expand, out, count, stride;
    } group[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                 {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    hw_value x = hw_net_image(net, s, 3);
    x = hw_conv_norm_relu(net, x, (hw_conv_spec){.out = 32, .k = 3, .stride = 2, .pad = 1});
    for (size_t i = 0; i < sizeof group / sizeof group[0]; i++)
        for (uint64_t k = 0; k < group[i].count; k++)
            x = inverted_block(net, x, group[i].expand, group[i].out, k ? 1 : group[i].stride);
    x = hw_conv_norm_relu(net, x, (hw_conv_spec){.out = 1280, .k = 1});
    hw_net_head(net, x, 1000);
}
