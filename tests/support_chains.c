/* Random graphs of chains.  See support_chains.h. */
#include "tests/support_chains.h"

#include <stdlib.h>

#include "model/builder.h"
#include "tests/support_random.h"

enum { MOST_TENSORS = 4 * CHAIN_NODES + 8, MOST_INPUTS = 4, MOST_OUTPUTS = 2 };

/* By what they are to a fusion: heads, a norm, activations, elementwise, a view, none. */
static const char *const ops[] = {
    "Conv",  "BatchNormalization", "Relu", "Sigmoid", "Add", "Mul", "Sub", "Reshape", "Softmax",
    "Custom"};
enum { ADD = 4, VIEW = 7, N_OPS = sizeof ops / sizeof ops[0], CONV = 0, LAST_ELEMENTWISE = 6 };

typedef struct chain_node {
    hw_node_spec spec;
    uint64_t input[MOST_INPUTS], output[MOST_OUTPUTS], pair[2 * MOST_INPUTS];
} chain_node;

typedef struct drawing {
    uint64_t state;
    hw_builder *b;
    uint64_t id_step; /* ids are index * step + step - 1 */
    uint32_t n_tensors, n_constants;
    uint64_t size[MOST_TENSORS];
    hw_kind kind[MOST_TENSORS];
    chain_node node[CHAIN_NODES];
} drawing;

static uint64_t id_of(const drawing *d, uint32_t index)
{
    return (uint64_t)index * d->id_step + d->id_step - 1;
}

static uint32_t add_tensor(drawing *d, hw_kind kind, uint64_t size)
{
    uint32_t t = d->n_tensors++;
    d->size[t] = size;
    d->kind[t] = kind;
    return hw_builder_tensor(d->b, id_of(d, t), size, kind, NULL, NULL) == HW_OK ? t : HW_NONE;
}

static uint64_t any_size(drawing *d)
{
    return random_chance(&d->state, 0.8) ? 8 : random_below(&d->state, 12);
}

/* Which output of an earlier node, or what is given. */
static uint32_t any_tensor(drawing *d, uint32_t v, const uint32_t *first_output)
{
    if (v > 0 && random_chance(&d->state, 0.7))
        return first_output[v - 1];
    return random_below(&d->state, d->n_tensors);
}

static void draw_pairs(drawing *d, chain_node *x, const uint32_t *input, uint32_t output)
{
    for (size_t i = 0; i < x->spec.n_inputs; i++)
        if (d->kind[input[i]] != HW_CONSTANT && random_chance(&d->state, 0.75) &&
            d->size[input[i]] == d->size[output]) {
            x->pair[2 * x->spec.n_inplace] = id_of(d, input[i]);
            x->pair[2 * x->spec.n_inplace++ + 1] = id_of(d, output);
        }
}

static void draw_node(drawing *d, uint32_t v, uint32_t *first_output)
{
    chain_node *x = &d->node[v];
    uint32_t op = random_below(&d->state, N_OPS), input[MOST_INPUTS];
    uint32_t wanted = op == ADD || random_chance(&d->state, 0.2) ? 2 : 1;
    x->spec = (hw_node_spec){.id = id_of(d, v),
                             .op = ops[op],
                             .inputs = x->input,
                             .outputs = x->output,
                             .inplace = x->pair,
                             .view = op == VIEW,
                             .locked = random_chance(&d->state, 0.03)};
    for (uint32_t i = 0; i < wanted; i++)
        input[x->spec.n_inputs++] = any_tensor(d, v, first_output);
    if (op <= 1 || random_chance(&d->state, 0.15)) /* weights, the first of the tensors */
        input[x->spec.n_inputs++] = random_below(&d->state, d->n_constants);
    for (size_t i = 0; i < x->spec.n_inputs; i++)
        x->input[i] = id_of(d, input[i]);
    uint32_t outputs = random_chance(&d->state, 0.12) ? 2 : 1;
    for (uint32_t i = 0; i < outputs; i++) {
        uint64_t size = op == VIEW ? d->size[input[0]] : any_size(d);
        uint32_t t =
            add_tensor(d, random_chance(&d->state, 0.06) ? HW_OUTPUT : HW_ACTIVATION, size);
        x->output[x->spec.n_outputs++] = id_of(d, t);
        if (i == 0 || random_chance(&d->state, 0.3))
            first_output[v] = t;
    }
    if (op != CONV && op <= LAST_ELEMENTWISE)
        draw_pairs(d, x, input, first_output[v]);
    x->spec.inplace_required = x->spec.n_inplace == 1 && random_chance(&d->state, 0.04);
    if (random_chance(&d->state, 0.2))
        x->spec.workspace = random_below(&d->state, 20);
}

static bool add_nodes(drawing *d, uint32_t n)
{
    uint32_t place[CHAIN_NODES];
    bool shuffled = random_chance(&d->state, 0.25), good = true;
    for (uint32_t v = 0; v < n; v++)
        place[v] = v;
    for (uint32_t i = n; shuffled && i > 1; i--) {
        uint32_t k = random_below(&d->state, i), last = place[i - 1];
        place[i - 1] = place[k];
        place[k] = last;
    }
    for (uint32_t i = 0; i < n && good; i++)
        good = hw_builder_node(d->b, &d->node[place[i]].spec, NULL) == HW_OK;
    for (uint32_t i = 0; i < 2 && n > 1 && good && random_chance(&d->state, 0.3); i++) {
        uint32_t to = 1 + random_below(&d->state, n - 1);
        good = hw_builder_control(d->b, id_of(d, random_below(&d->state, to)), id_of(d, to),
                                  NULL) == HW_OK;
    }
    return good;
}

hw_graph *chain_graph(uint64_t seed, uint32_t n_nodes)
{
    drawing *d = calloc(1, sizeof *d);
    uint32_t first_output[CHAIN_NODES];
    hw_graph *g = NULL;
    if (!d)
        return NULL;
    d->state = seed * UINT64_C(0x2545f4914f6cdd1d) + n_nodes;
    d->b = hw_builder_new();
    d->id_step = 1 + random_below(&d->state, 3);
    d->n_constants = 1 + random_below(&d->state, 2);
    for (uint32_t i = 0; i < d->n_constants; i++)
        (void)add_tensor(d, HW_CONSTANT, 1 + random_below(&d->state, 9));
    for (uint32_t i = 0; i < 2; i++)
        (void)add_tensor(d, HW_INPUT, any_size(d));
    for (uint32_t v = 0; v < n_nodes; v++)
        draw_node(d, v, first_output);
    if (!add_nodes(d, n_nodes) || hw_builder_finish(d->b, &g, NULL) != HW_OK)
        g = NULL;
    hw_builder_free(d->b);
    free(d);
    return g;
}
