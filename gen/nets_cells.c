/*
 * Cells found by architecture search: NASNet-A and DARTS (second order), a
 * normal and a reduction cell of each, and the whole DARTS net for CIFAR-10.
 *
 * A cell reads the outputs of the two cells before it.  A genotype lists, for
 * each inner state, two (operation, input) edges whose results are added;
 * inputs 0 and 1 are the two cells, 2, 3, ... the states; the cell's output is
 * a concatenation of states.
 *
 * Trained weights of the DARTS net (20 cells, width 36): 3,349,342.
 * Sources: Zoph, Vasudevan, Shlens and Le 2018; Liu, Simonyan and Yang 2019.
 */
#include "gen/nets.h"

typedef enum cell_op { SEP3, SEP5, SEP7, DIL3, MAX3, MEAN3, SKIP } cell_op;

enum { MOST_STATES = 5 };

typedef struct cell_plan {
    unsigned n_states;
    struct {
        cell_op op;
        unsigned from;
    } edge[2 * MOST_STATES];
    unsigned n_concat, concat[2 + MOST_STATES];
} cell_plan;

static const cell_plan nasnet_normal = {
    5,
    {{SEP5, 1},
     {SEP3, 0},
     {SEP5, 0},
     {SEP3, 0},
     {MEAN3, 1},
     {SKIP, 0},
     {MEAN3, 0},
     {MEAN3, 0},
     {SEP3, 1},
     {SKIP, 1}},
    6,
    {0, 2, 3, 4, 5, 6},
};

static const cell_plan nasnet_reduction = {
    5,
    {{SEP5, 1},
     {SEP7, 0},
     {MAX3, 1},
     {SEP7, 0},
     {MEAN3, 1},
     {SEP5, 0},
     {SKIP, 3},
     {MEAN3, 2},
     {SEP3, 2},
     {MAX3, 1}},
    4,
    {3, 4, 5, 6},
};

static const cell_plan darts_normal = {
    4,
    {{SEP3, 0}, {SEP3, 1}, {SEP3, 0}, {SEP3, 1}, {SEP3, 1}, {SKIP, 0}, {SKIP, 0}, {DIL3, 2}},
    4,
    {2, 3, 4, 5},
};

static const cell_plan darts_reduction = {
    4,
    {{MAX3, 0}, {MAX3, 1}, {SKIP, 2}, {MAX3, 1}, {MAX3, 0}, {SKIP, 2}, {SKIP, 2}, {MAX3, 1}},
    4,
    {2, 3, 4, 5},
};

static hw_value relu_conv(hw_net *net, hw_value x, uint64_t out)
{
    return hw_conv_norm(net, hw_relu(net, x), (hw_conv_spec){.out = out, .k = 1});
}

/* Halve an image by two strided convolutions, one of them shifted by a pixel. */
static hw_value halve(hw_net *net, hw_value x, uint64_t out)
{
    bool fold = net->fold_norm && !net->training;
    const hw_conv_spec conv = {.out = out / 2, .k = 1, .stride = 2, .bias = fold};
    x = hw_relu(net, x);
    hw_shape s = hw_net_shape(net, x);
    hw_value part[2];
    part[0] = hw_conv(net, x, conv);
    part[1] = hw_conv(net, hw_crop(net, x, s.h - 1, s.w - 1), conv);
    x = hw_concat(net, part, 2);
    return fold ? x : hw_batch_norm(net, x);
}

/* Relu, depthwise, pointwise, batch norm. */
static hw_value separable(hw_net *net, hw_value x, uint64_t k, uint64_t stride, uint64_t dilation)
{
    uint64_t c = hw_net_shape(net, x).c;
    x = hw_conv(net, hw_relu(net, x),
                (hw_conv_spec){.out = c,
                               .k = k,
                               .stride = stride,
                               .pad = dilation * (k - 1) / 2,
                               .groups = c,
                               .dilation = dilation});
    return hw_conv_norm(net, x, (hw_conv_spec){.out = c, .k = 1});
}

static hw_value apply(hw_net *net, cell_op op, hw_value x, uint64_t stride)
{
    const hw_pool_spec pool = {.k = 3, .stride = stride, .pad = 1};
    switch (op) {
    case SEP3:
        return separable(net, separable(net, x, 3, stride, 1), 3, 1, 1);
    case SEP5:
        return separable(net, separable(net, x, 5, stride, 1), 5, 1, 1);
    case SEP7:
        return separable(net, separable(net, x, 7, stride, 1), 7, 1, 1);
    case DIL3:
        return separable(net, x, 3, stride, 2);
    case MAX3:
        return hw_max_pool(net, x, pool);
    case MEAN3:
        return hw_mean_pool(net, x, pool);
    case SKIP:
        break;
    }
    return stride == 1 ? x : halve(net, x, hw_net_shape(net, x).c);
}

/* The cell `plan` of `width` channels a state.  `before` may still have the
 * size that images had before the last reduction. */
static hw_value cell(hw_net *net, const cell_plan *plan, bool reduction, hw_value before,
                     hw_value last, uint64_t width)
{
    bool larger = hw_net_shape(net, before).h > hw_net_shape(net, last).h;
    hw_value state[2 + MOST_STATES], out[2 + MOST_STATES];
    state[0] = larger ? halve(net, before, width) : relu_conv(net, before, width);
    state[1] = relu_conv(net, last, width);
    for (unsigned i = 0; i < plan->n_states; i++) {
        hw_value part[2];
        for (unsigned k = 0; k < 2; k++) {
            unsigned from = plan->edge[2 * i + k].from;
            uint64_t stride = reduction && from < 2 ? 2 : 1;
            part[k] = apply(net, plan->edge[2 * i + k].op, state[from], stride);
        }
        state[2 + i] = hw_add(net, part[0], part[1]);
    }
    for (unsigned i = 0; i < plan->n_concat; i++)
        out[i] = state[plan->concat[i]];
    return hw_concat(net, out, plan->n_concat);
}

/* A cell alone; `before` has `times_before` the resolution. */
static void lone_cell(hw_net *net, const hw_net_sizes *s, const cell_plan *plan, bool reduction,
                      uint64_t channels, uint64_t times_before)
{
    uint64_t r = s->resolution, side = r * times_before;
    hw_value before =
        hw_net_input(net, (hw_shape){s->batch, channels, side, side}, HW_FLOAT_BYTES, "before");
    hw_value last = hw_net_input(net, (hw_shape){s->batch, channels, r, r}, HW_FLOAT_BYTES, "last");
    hw_net_regress(net, cell(net, plan, reduction, before, last, s->width));
}

void hw_net_nasnet_normal(hw_net *net, const hw_net_sizes *s)
{
    lone_cell(net, s, &nasnet_normal, false, 2 * s->width, 1);
}

void hw_net_nasnet_reduction(hw_net *net, const hw_net_sizes *s)
{
    lone_cell(net, s, &nasnet_reduction, true, 3 * s->width, 1);
}

/* The first cell of the ImageNet net: the stem before it is twice as large. */
void hw_net_darts_normal(hw_net *net, const hw_net_sizes *s)
{
    lone_cell(net, s, &darts_normal, false, s->width, 2);
}

void hw_net_darts_reduction(hw_net *net, const hw_net_sizes *s)
{
    lone_cell(net, s, &darts_reduction, true, 2 * s->width, 1);
}

void hw_net_darts_cifar10(hw_net *net, const hw_net_sizes *s)
{
    uint64_t width = s->width;
    hw_value x = hw_net_image(net, s, 3);
    hw_value last = hw_conv_norm(net, x, (hw_conv_spec){.out = 3 * width, .k = 3, .pad = 1});
    hw_value before = last;
    for (uint64_t i = 0; i < s->layers; i++) {
        bool reduction = i == s->layers / 3 || i == 2 * s->layers / 3;
        width *= reduction ? 2 : 1;
        hw_value y =
            cell(net, reduction ? &darts_reduction : &darts_normal, reduction, before, last, width);
        before = last;
        last = y;
    }
    hw_net_head(net, last, 10);
}
