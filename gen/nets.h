/* The nets of the family `nets` (nets.c), each a function that lays its tape. */
#ifndef HW_GEN_NETS_H
#define HW_GEN_NETS_H

#include "gen/net.h"

/* Sizes asked for; one that a net does not have is 0. */
typedef struct hw_net_sizes {
    uint64_t batch, resolution, layers, width, sequence;
} hw_net_sizes;

typedef void (*hw_net_function)(hw_net *net, const hw_net_sizes *s);

/* nets_residual.c */
void hw_net_resnet50(hw_net *net, const hw_net_sizes *s);
void hw_net_resnet_cifar(hw_net *net, const hw_net_sizes *s);
void hw_net_mobilenet_v1(hw_net *net, const hw_net_sizes *s);
void hw_net_mobilenet_v2(hw_net *net, const hw_net_sizes *s);

/* nets_concat.c */
void hw_net_inception_v1(hw_net *net, const hw_net_sizes *s);
void hw_net_densenet121(hw_net *net, const hw_net_sizes *s);
void hw_net_unet(hw_net *net, const hw_net_sizes *s);

/* nets_text.c */
void hw_net_mlp(hw_net *net, const hw_net_sizes *s);
void hw_net_transformer_block(hw_net *net, const hw_net_sizes *s);
void hw_net_gpt2(hw_net *net, const hw_net_sizes *s);
void hw_net_gpt2_heads(hw_net *net, const hw_net_sizes *s);

/* nets_cells.c */
void hw_net_nasnet_normal(hw_net *net, const hw_net_sizes *s);
void hw_net_nasnet_reduction(hw_net *net, const hw_net_sizes *s);
void hw_net_darts_normal(hw_net *net, const hw_net_sizes *s);
void hw_net_darts_reduction(hw_net *net, const hw_net_sizes *s);
void hw_net_darts_cifar10(hw_net *net, const hw_net_sizes *s);

/* An image of `channels` as the net's input. */
static inline hw_value hw_net_image(hw_net *net, const hw_net_sizes *s, uint64_t channels)
{
    return hw_net_input(net, (hw_shape){s->batch, channels, s->resolution, s->resolution},
                        HW_FLOAT_BYTES, "x");
}

/* The common head: mean over the image, fully connected, loss or softmax. */
static inline void hw_net_head(hw_net *net, hw_value x, uint64_t classes)
{
    hw_net_classify(net, hw_linear(net, hw_flatten(net, hw_global_pool(net, x)), classes));
}

#endif
