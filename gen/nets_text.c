/*
 * Fully connected nets and decoders: an MLP for MNIST, one pre-norm transformer
 * block, GPT-2 with tied embedding and attention matrices written out, and the
 * same with a node for each head of attention, as graphs have it that were
 * written head by head.
 *
 * Trained weights: GPT-2 small (12 layers, width 768, 1024 places) 124,439,808.
 * Sources: Vaswani and others 2017; Radford and others 2019.
 */
#include "gen/nets.h"

enum { HEAD_WIDTH = 64, VOCABULARY = 50257 };

void hw_net_mlp(hw_net *net, const hw_net_sizes *s)
{
    hw_value x = hw_net_input(net, (hw_shape){s->batch, 784, 1, 1}, HW_FLOAT_BYTES, "x");
    for (uint64_t i = 0; i < s->layers; i++)
        x = hw_relu(net, hw_linear(net, x, s->width));
    hw_net_classify(net, hw_linear(net, x, 10));
}

/* Batch, heads, tokens, width of a head: a view and a copy. */
static hw_value to_heads(hw_net *net, hw_value x)
{
    hw_shape s = hw_net_shape(net, x);
    uint64_t heads = s.c / HEAD_WIDTH;
    x = hw_reshape(net, x, (hw_shape){s.n, s.h, heads, HEAD_WIDTH});
    return hw_transpose(net, x, (hw_shape){s.n, heads, s.h, HEAD_WIDTH});
}

static hw_value attention(hw_net *net, hw_value x)
{
    hw_shape s = hw_net_shape(net, x);
    uint64_t heads = s.c / HEAD_WIDTH;
    hw_value part[3];
    hw_split(net, hw_linear(net, x, 3 * s.c), part, 3);
    for (unsigned i = 0; i < 3; i++)
        part[i] = to_heads(net, part[i]);
    hw_value a = hw_matmul(net, part[0], part[1], (hw_shape){s.n, heads, s.h, s.h});
    a = hw_softmax(net, a);
    a = hw_matmul(net, a, part[2], (hw_shape){s.n, heads, s.h, HEAD_WIDTH});
    a = hw_transpose(net, a, (hw_shape){s.n, s.h, heads, HEAD_WIDTH});
    return hw_linear(net, hw_reshape(net, a, s), s.c);
}

enum { MOST_HEADS = 16384 / HEAD_WIDTH };

/* One head after the other, which nothing but the source order asks for. */
static hw_value attention_by_head(hw_net *net, hw_value x)
{
    hw_shape s = hw_net_shape(net, x);
    uint64_t heads = s.c / HEAD_WIDTH;
    hw_value part[3], head[3][MOST_HEADS], out[MOST_HEADS];
    if (heads > MOST_HEADS) {
        hw_net_refuse(net, "too many heads: give a width of 16384 or less");
        return x;
    }
    hw_split(net, hw_linear(net, x, 3 * s.c), part, 3);
    for (unsigned i = 0; i < 3; i++)
        hw_split(net, part[i], head[i], heads);
    for (uint64_t h = 0; h < heads; h++) {
        hw_value a = hw_matmul(net, head[0][h], head[1][h], (hw_shape){s.n, 1, s.h, s.h});
        a = hw_softmax(net, a);
        out[h] = hw_matmul(net, a, head[2][h], (hw_shape){s.n, HEAD_WIDTH, s.h, 1});
    }
    return hw_linear(net, hw_concat(net, out, heads), s.c);
}

static hw_value block(hw_net *net, hw_value x, bool by_head)
{
    uint64_t width = hw_net_shape(net, x).c;
    hw_value y = hw_layer_norm(net, x);
    x = hw_add(net, x, by_head ? attention_by_head(net, y) : attention(net, y));
    y = hw_gelu(net, hw_linear(net, hw_layer_norm(net, x), 4 * width));
    return hw_add(net, x, hw_linear(net, y, width));
}

static bool refuse_width(hw_net *net, const hw_net_sizes *s)
{
    if (s->width % HEAD_WIDTH)
        hw_net_refuse(net, "an attention head is 64 wide: give a width that 64 divides");
    return s->width % HEAD_WIDTH;
}

void hw_net_transformer_block(hw_net *net, const hw_net_sizes *s)
{
    if (refuse_width(net, s))
        return;
    hw_shape shape = {s->batch, s->width, s->sequence, 1};
    hw_net_regress(net, block(net, hw_net_input(net, shape, HW_FLOAT_BYTES, "x"), false));
}

static void gpt2(hw_net *net, const hw_net_sizes *s, bool by_head)
{
    if (refuse_width(net, s))
        return;
    hw_value ids =
        hw_net_input(net, (hw_shape){s->batch, 1, s->sequence, 1}, HW_INDEX_BYTES, "ids");
    hw_value table = hw_net_named_param(net, VOCABULARY * s->width, "wte");
    hw_value places = hw_net_named_param(net, s->sequence * s->width, "wpe");
    hw_value x = hw_add_param(net, hw_embedding(net, ids, table, s->width), places);
    for (uint64_t i = 0; i < s->layers; i++)
        x = block(net, x, by_head);
    hw_net_classify(net, hw_linear_tied(net, hw_layer_norm(net, x), table, VOCABULARY));
}

void hw_net_gpt2(hw_net *net, const hw_net_sizes *s)
{
    gpt2(net, s, false);
}

void hw_net_gpt2_heads(hw_net *net, const hw_net_sizes *s)
{
    gpt2(net, s, true);
}
