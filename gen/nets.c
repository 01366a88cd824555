/*
 * The family `nets`: real architectures by shape arithmetic (net.h), for
 * inference and for training.  Not random: all instances are equal.
 *
 * To add a net: its function in a nets_*.c, its declaration in nets.h, one line
 * below, a row in tests/generators_golden.inc.
 */
#include <inttypes.h>

#include "gen/family.h"
#include "gen/nets.h"

/* X(name, function, resolution, layers, width, sequence): the defaults; 0: the
 * net does not have this size. */
#define HW_NET_TABLE(X)                                                                            \
    X("resnet50", hw_net_resnet50, 224, 0, 0, 0)                                                   \
    X("resnet-cifar", hw_net_resnet_cifar, 32, 20, 0, 0)                                           \
    X("mobilenet-v1", hw_net_mobilenet_v1, 224, 0, 0, 0)                                           \
    X("mobilenet-v2", hw_net_mobilenet_v2, 224, 0, 0, 0)                                           \
    X("inception-v1", hw_net_inception_v1, 224, 0, 0, 0)                                           \
    X("densenet121", hw_net_densenet121, 224, 0, 0, 0)                                             \
    X("unet", hw_net_unet, 256, 0, 64, 0)                                                          \
    X("mlp", hw_net_mlp, 0, 3, 1024, 0)                                                            \
    X("transformer-block", hw_net_transformer_block, 0, 0, 768, 512)                               \
    X("gpt2", hw_net_gpt2, 0, 12, 768, 1024)                                                       \
    X("nasnet-a-normal-cell", hw_net_nasnet_normal, 28, 0, 44, 0)                                  \
    X("nasnet-a-reduction-cell", hw_net_nasnet_reduction, 28, 0, 88, 0)                            \
    X("darts-normal-cell", hw_net_darts_normal, 28, 0, 48, 0)                                      \
    X("darts-reduction-cell", hw_net_darts_reduction, 28, 0, 96, 0)                                \
    X("darts-cifar10", hw_net_darts_cifar10, 32, 20, 36, 0)                                        \
    X("gpt2-heads", hw_net_gpt2_heads, 0, 12, 768, 1024)

static const struct {
    const char *name;
    hw_net_function lay;
    hw_net_sizes usual;
} nets[] = {
#define ROW(name, lay, resolution, layers, width, sequence)                                        \
    {name, lay, {1, resolution, layers, width, sequence}},
    HW_NET_TABLE(ROW)};

#define CHOICE(name, ...) "|" name
static const char net_names[] = HW_NET_TABLE(CHOICE);

enum { NET, MODE, BATCH, RESOLUTION, LAYERS, WIDTH, SEQUENCE, OPTIMIZER, NORM, VIEWS, INPLACE };
enum { MODE_INFERENCE, MODE_TRAINING };
enum { NORM_NODE, NORM_FOLDED };

static const hw_param_row params[] = {
    {"net", HW_PARAM_CHOICE, 0, 0, 0, net_names + 1, "the architecture"},
    {"mode", HW_PARAM_CHOICE, 0, 0, MODE_INFERENCE, "inference|training",
     "training: with loss, backward pass and optimiser updates"},
    {"batch", HW_PARAM_INT, 1, 65536, 1, NULL, "images or sequences"},
    {"resolution", HW_PARAM_INT, 0, 8192, 0, NULL, "height and width of an image; 0: usual"},
    {"layers", HW_PARAM_INT, 0, 200, 0, NULL, "layers, blocks or cells; 0: usual"},
    {"width", HW_PARAM_INT, 0, 16384, 0, NULL, "features or channels; 0: usual"},
    {"sequence", HW_PARAM_INT, 0, 65536, 0, NULL, "tokens of a sequence; 0: usual"},
    {"optimizer", HW_PARAM_CHOICE, 0, 0, HW_MOMENTUM, "sgd|momentum|adam", "training: updates"},
    {"norm", HW_PARAM_CHOICE, 0, 0, NORM_NODE, "node|folded",
     "inference: batch norm as a node, or part of the convolution before it"},
    {"views", HW_PARAM_BOOL, 0, 1, 1, NULL, "reshapes are views"},
    {"inplace", HW_PARAM_BOOL, 0, 1, 1, NULL, "elementwise nodes may overwrite an input"},
};

static hw_code take_size(const char *net, const char *name, int64_t wanted, uint64_t *size,
                         hw_error *err)
{
    if (wanted && !*size)
        return hw_fail(err, HW_USAGE, "%s=%" PRId64 " has no meaning for net=%s: leave it out",
                       name, wanted, net);
    if (wanted)
        *size = (uint64_t)wanted;
    return HW_OK;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    (void)rng;
    const char *name = nets[v[NET].i].name;
    hw_net_sizes s = nets[v[NET].i].usual;
    s.batch = (uint64_t)v[BATCH].i;
    hw_code code = take_size(name, "resolution", v[RESOLUTION].i, &s.resolution, err);
    if (code == HW_OK)
        code = take_size(name, "layers", v[LAYERS].i, &s.layers, err);
    if (code == HW_OK)
        code = take_size(name, "width", v[WIDTH].i, &s.width, err);
    if (code == HW_OK)
        code = take_size(name, "sequence", v[SEQUENCE].i, &s.sequence, err);
    if (code != HW_OK)
        return code;
    hw_net net;
    hw_net_start(&net, v[MODE].i == MODE_TRAINING, (hw_optimizer)v[OPTIMIZER].i, err);
    net.fold_norm = v[NORM].i == NORM_FOLDED;
    net.views = v[VIEWS].i;
    net.inplace = v[INPLACE].i;
    nets[v[NET].i].lay(&net, &s);
    code = hw_net_finish(&net, out);
    hw_net_clear(&net);
    return code;
}

const hw_family_row hw_family_nets = {
    .name = "nets",
    .random = false,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "real architectures by shape arithmetic, inference and training",
    .source = "the papers named in gen/nets_*.c",
    .generate = generate,
};
