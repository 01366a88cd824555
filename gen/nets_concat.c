/*
 * Nets whose blocks end in a concatenation: Inception-v1, DenseNet-121, U-Net.
 *
 * Trained weights: Inception-v1 (with 5x5 convolutions and response
 * normalisation, without auxiliary heads) 6,998,552; DenseNet-121 7,978,856;
 * U-Net (3 channels, 2 classes, padded, batch norm) 31,037,698.
 * Sources: Szegedy and others 2015; Huang, Liu, van der Maaten and Weinberger
 * 2017; Ronneberger, Fischer and Brox 2015.
 */
#include "gen/nets.h"

static hw_value conv_relu(hw_net *net, hw_value x, uint64_t out, uint64_t k)
{
    return hw_relu(net,
                   hw_conv(net, x, (hw_conv_spec){.out = out, .k = k, .pad = k / 2, .bias = true}));
}

static hw_value inception(hw_net *net, hw_value x, const uint64_t width[6])
{
    hw_value part[4];
    part[0] = conv_relu(net, x, width[0], 1);
    part[1] = conv_relu(net, conv_relu(net, x, width[1], 1), width[2], 3);
    part[2] = conv_relu(net, conv_relu(net, x, width[3], 1), width[4], 5);
    hw_value pooled = hw_max_pool(net, x, (hw_pool_spec){.k = 3, .pad = 1});
    part[3] = conv_relu(net, pooled, width[5], 1);
    return hw_concat(net, part, 4);
}

void hw_net_inception_v1(hw_net *net, const hw_net_sizes *s)
{
    static const uint64_t width[9][6] = {
        {64, 96, 128, 16, 32, 32},     {128, 128, 192, 32, 96, 64},   {192, 96, 208, 16, 48, 64},
        {160, 112, 224, 24, 64, 64},   {128, 128, 256, 24, 64, 64},   {112, 144, 288, 32, 64, 64},
        {256, 160, 320, 32, 128, 128}, {256, 160, 320, 32, 128, 128}, {384, 192, 384, 48, 128, 128},
    };
    const hw_pool_spec pool = {.k = 3, .stride = 2, .ceil = true};
    hw_value x = hw_net_image(net, s, 3);
    x = hw_relu(
        net,
        hw_conv(net, x, (hw_conv_spec){.out = 64, .k = 7, .stride = 2, .pad = 3, .bias = true}));
    x = hw_response_norm(net, hw_max_pool(net, x, pool));
    x = conv_relu(net, conv_relu(net, x, 64, 1), 192, 3);
    x = hw_max_pool(net, hw_response_norm(net, x), pool);
    for (unsigned i = 0; i < 9; i++) {
        if (i == 2 || i == 7)
            x = hw_max_pool(net, x, pool);
        x = inception(net, x, width[i]);
    }
    hw_net_head(net, x, 1000);
}

enum { MOST_DENSE = 24 };

/* `depth` layers, each reading the concatenation of all before it. */
static hw_value dense_block(hw_net *net, hw_value x, unsigned depth)
{
    const uint64_t growth = 32;
    hw_value feature[MOST_DENSE + 1] = {x};
    for (unsigned i = 0; i < depth; i++) {
        hw_value y = i ? hw_concat(net, feature, i + 1) : x;
        y = hw_relu(net, hw_batch_norm(net, y));
        y = hw_conv_norm_relu(net, y, (hw_conv_spec){.out = 4 * growth, .k = 1});
        feature[i + 1] = hw_conv(net, y, (hw_conv_spec){.out = growth, .k = 3, .pad = 1});
    }
    return hw_concat(net, feature, depth + 1);
}

void hw_net_densenet121(hw_net *net, const hw_net_sizes *s)
{
    static const unsigned depth[] = {6, 12, MOST_DENSE, 16};
    hw_value x = hw_net_image(net, s, 3);
    x = hw_conv_norm_relu(net, x, (hw_conv_spec){.out = 64, .k = 7, .stride = 2, .pad = 3});
    x = hw_max_pool(net, x, (hw_pool_spec){.k = 3, .stride = 2, .pad = 1});
    for (unsigned i = 0; i < 4; i++) {
        x = hw_relu(net, hw_batch_norm(net, dense_block(net, x, depth[i])));
        if (i == 3)
            break;
        x = hw_conv(net, x, (hw_conv_spec){.out = hw_net_shape(net, x).c / 2, .k = 1});
        x = hw_mean_pool(net, x, (hw_pool_spec){.k = 2, .stride = 2});
    }
    hw_net_head(net, x, 1000);
}

static hw_value double_conv(hw_net *net, hw_value x, uint64_t out)
{
    const hw_conv_spec conv = {.out = out, .k = 3, .pad = 1};
    return hw_conv_norm_relu(net, hw_conv_norm_relu(net, x, conv), conv);
}

void hw_net_unet(hw_net *net, const hw_net_sizes *s)
{
    enum { LEVELS = 4 };
    const uint64_t width = s->width;
    if (s->resolution % (1 << LEVELS)) {
        hw_net_refuse(net, "U-Net halves the image 4 times: give a resolution that 16 divides");
        return;
    }
    hw_value skip[LEVELS], x = hw_net_image(net, s, 3);
    for (unsigned i = 0; i < LEVELS; i++) {
        skip[i] = double_conv(net, x, width << i);
        x = hw_max_pool(net, skip[i], (hw_pool_spec){.k = 2, .stride = 2});
    }
    x = double_conv(net, x, width << LEVELS);
    for (unsigned i = LEVELS; i-- > 0;) {
        const hw_conv_spec up = {
            .out = width << i, .k = 2, .stride = 2, .bias = true, .transposed = true};
        hw_value both[2] = {skip[i], hw_conv(net, x, up)};
        x = double_conv(net, hw_concat(net, both, 2), width << i);
    }
    hw_net_classify(net, hw_conv(net, x, (hw_conv_spec){.out = 2, .k = 1, .bias = true}));
}
