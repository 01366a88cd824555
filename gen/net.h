/*
 * Neural networks by shape arithmetic: a small tape on which the nets (nets_*.c)
 * are written layer by layer, in float32.
 *
 * In inference every weight is a constant.  In training weights are inputs
 * which an optimiser update overwrites at the end; loss, backward pass and
 * updates come from the tape (net_train.c), so a net is written once.
 *
 * Errors stick: after the first one every call does nothing, and
 * hw_net_finish() tells it.  So nets read as lists of layers.
 */
#ifndef HW_GEN_NET_H
#define HW_GEN_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "model/graph.h"

typedef uint32_t hw_value; /* a tensor of the net: its index */

/* Images: batch, channels, height, width.  Text: batch, features, tokens, 1. */
typedef struct hw_shape {
    uint64_t n, c, h, w;
} hw_shape;

/* How the gradient of a node's inputs comes from that of its output. */
typedef enum hw_rule {
    HW_RULE_NONE,         /* no gradient                                      */
    HW_RULE_LINEAR,       /* x, W, maybe b: convolutions, fully connected      */
    HW_RULE_NORM,         /* x, gamma, beta; outputs y, mean, rstd             */
    HW_RULE_FROM_OUTPUT,  /* elementwise by y: relu, softmax                   */
    HW_RULE_FROM_INPUT,   /* elementwise by x: gelu, silu                      */
    HW_RULE_FROM_BOTH,    /* by x and y: local response normalisation          */
    HW_RULE_FROM_SHAPE,   /* by the gradient alone: mean pools, slices         */
    HW_RULE_FROM_INDICES, /* by the saved places of the maxima                 */
    HW_RULE_ADD,          /* the gradient itself, to every input               */
    HW_RULE_ADD_PARAM,    /* the gradient itself; its sum over the batch       */
    HW_RULE_CONCAT,
    HW_RULE_SPLIT,
    HW_RULE_VIEW,
    HW_RULE_TRANSPOSE,
    HW_RULE_MATMUL,
    HW_RULE_EMBEDDING
} hw_rule;

enum { HW_NET_NAME = 48 };

typedef struct hw_net_value {
    char name[HW_NET_NAME];
    hw_shape shape;
    uint64_t bytes;
    hw_kind kind;
    bool param;      /* trained                                  */
    bool needs_grad; /* a param, or computed from one            */
    hw_value grad;   /* gradient so far; HW_NONE: none           */
} hw_net_value;

typedef struct hw_net_node {
    char name[HW_NET_NAME];
    const char *op; /* static text */
    hw_rule rule;
    bool view;
    uint32_t in, n_in, out, n_out; /* slices of net->item */
    uint32_t pair, n_pairs;        /* slice of net->pair  */
} hw_net_node;

typedef enum hw_optimizer { HW_SGD, HW_MOMENTUM, HW_ADAM } hw_optimizer;

typedef struct hw_net {
    bool training;
    bool fold_norm; /* inference: batch norm is part of the convolution */
    bool views, inplace;
    hw_optimizer optimizer;

    hw_code code;  /* the first error */
    hw_error *err; /* the caller's    */

    hw_net_value *value;
    size_t n_values, value_capacity;
    hw_net_node *node;
    size_t n_nodes, node_capacity;
    uint32_t *item;
    size_t n_items, item_capacity;
    hw_inplace_pair *pair;
    size_t n_pairs, pair_capacity;
} hw_net;

/* Start an empty net with these settings; released by hw_net_clear(). */
void hw_net_start(hw_net *net, bool training, hw_optimizer optimizer, hw_error *err);
void hw_net_clear(hw_net *net);

/* The graph of all nodes so far, or the error that stuck. */
hw_code hw_net_finish(hw_net *net, hw_graph **out);

/* Refuse the net: keeps the first error.  `what` tells cause and cure. */
void hw_net_refuse(hw_net *net, const char *what);

/* ---- The tape (net.c). ---- */

/* Begin a node named `name`, or after its operator and number (NULL). */
void hw_net_begin(hw_net *net, const char *op, hw_rule rule, const char *name);
/* To the node begun last: an input; an output called after the node with
 * `suffix`; "output may overwrite input"; "is a view". */
void hw_net_in(hw_net *net, hw_value x);
hw_value hw_net_out(hw_net *net, hw_shape shape, uint64_t item_bytes, const char *suffix);
void hw_net_may_overwrite(hw_net *net, hw_value x, hw_value y);
void hw_net_is_view(hw_net *net);

/* A tensor that the caller gives. */
hw_value hw_net_input(hw_net *net, hw_shape shape, uint64_t item_bytes, const char *name);
/* A weight of `count` numbers, named after the node begun last (NULL: alone). */
hw_value hw_net_param(hw_net *net, uint64_t count, const char *suffix);
hw_value hw_net_named_param(hw_net *net, uint64_t count, const char *name);
void hw_net_output(hw_net *net, hw_value x);
hw_shape hw_net_shape(const hw_net *net, hw_value x);

static inline uint64_t hw_shape_count(hw_shape s)
{
    return s.n * s.c * s.h * s.w;
}

enum { HW_FLOAT_BYTES = 4, HW_INDEX_BYTES = 8 };

/* ---- Layers (net_layers.c): each adds its nodes and returns its output. ---- */

typedef struct hw_conv_spec {
    uint64_t out;              /* channels */
    uint64_t k, stride, pad;   /* square; stride 0: 1 */
    uint64_t groups, dilation; /* 0: 1 */
    bool bias, transposed;
} hw_conv_spec;

typedef struct hw_pool_spec {
    uint64_t k, stride, pad; /* stride 0: 1 */
    bool ceil;               /* a last, partial window counts; without pad */
} hw_pool_spec;

hw_value hw_conv(hw_net *net, hw_value x, hw_conv_spec s);
hw_value hw_conv_norm(hw_net *net, hw_value x, hw_conv_spec s); /* without bias, batch norm */
hw_value hw_conv_norm_relu(hw_net *net, hw_value x, hw_conv_spec s);
hw_value hw_batch_norm(hw_net *net, hw_value x);
hw_value hw_layer_norm(hw_net *net, hw_value x);
hw_value hw_relu(hw_net *net, hw_value x);
hw_value hw_gelu(hw_net *net, hw_value x);
hw_value hw_softmax(hw_net *net, hw_value x);
hw_value hw_response_norm(hw_net *net, hw_value x);
hw_value hw_add(hw_net *net, hw_value a, hw_value b);
hw_value hw_max_pool(hw_net *net, hw_value x, hw_pool_spec s);
hw_value hw_mean_pool(hw_net *net, hw_value x, hw_pool_spec s);
hw_value hw_global_pool(hw_net *net, hw_value x);
hw_value hw_concat(hw_net *net, const hw_value *x, size_t n); /* along channels */
void hw_split(hw_net *net, hw_value x, hw_value *part, size_t n);
hw_value hw_crop(hw_net *net, hw_value x, uint64_t h, uint64_t w);
hw_value hw_reshape(hw_net *net, hw_value x, hw_shape shape);
hw_value hw_flatten(hw_net *net, hw_value x);
hw_value hw_transpose(hw_net *net, hw_value x, hw_shape shape);
hw_value hw_matmul(hw_net *net, hw_value a, hw_value b, hw_shape shape);
hw_value hw_linear(hw_net *net, hw_value x, uint64_t out);
hw_value hw_linear_tied(hw_net *net, hw_value x, hw_value table, uint64_t out);
hw_value hw_embedding(hw_net *net, hw_value ids, hw_value table, uint64_t width);
hw_value hw_add_param(hw_net *net, hw_value x, hw_value param);

/* ---- Ends of a net (net_train.c). ---- */

/* Inference: softmax (of logits) as the output; training: cross-entropy
 * against labels, backward pass, updates. */
void hw_net_classify(hw_net *net, hw_value logits);
/* Inference: x is the output; training: mean square against a target. */
void hw_net_regress(hw_net *net, hw_value x);

#endif
