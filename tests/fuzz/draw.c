/*
 * Graphs out of bytes.  See graphs.h.
 *
 * Every byte sequence is a graph or a refusal of the builder: a node reads
 * tensors of nodes drawn before it, so that most are accepted, and what can
 * contradict itself (locks, control edges, must-in-place, windows) is rare
 * enough to let many through.
 */
#include "tests/fuzz/graphs.h"

#include "model/builder.h"

enum { MOST_TENSORS = 64, MOST_INPUTS = 4, MOST_OUTPUTS = 2, MOST_PAIRS = 3, MOST_CONTROL = 4 };

typedef struct drawn {
    hw_builder *b;
    uint64_t tensor_id[MOST_TENSORS];
    uint32_t n_tensors;
    uint64_t step, start; /* ids are start + step * i */
    hw_code code;
} drawn;

typedef struct drawn_node {
    hw_node_spec spec;
    uint64_t input[MOST_INPUTS], output[MOST_OUTPUTS], pair[2 * MOST_PAIRS];
} drawn_node;

/* Small sizes, some zero and many equal; one in sixteen anywhere up to 2^63 - 1. */
static uint64_t draw_bytes(fuzz_draws *d)
{
    uint8_t kind = fuzz_byte(d);
    if (kind < 240)
        return kind % 24;
    unsigned bits = kind % 16U * 4 + 3;
    return (UINT64_C(1) << bits) - 1 - fuzz_below(d, 3);
}

static uint64_t add_tensor(drawn *w, fuzz_draws *d, hw_kind kind)
{
    uint64_t id = w->start + w->step * w->n_tensors;
    if (w->code == HW_OK)
        w->code = hw_builder_tensor(w->b, id, draw_bytes(d), kind, NULL, NULL);
    w->tensor_id[w->n_tensors++] = id;
    return id;
}

static void draw_inputs(drawn *w, fuzz_draws *d, drawn_node *v)
{
    if (w->n_tensors == 0)
        return;
    for (uint32_t i = fuzz_below(d, MOST_INPUTS + 1); i > 0; i--)
        v->input[v->spec.n_inputs++] = w->tensor_id[fuzz_below(d, w->n_tensors)];
}

static void draw_pairs(fuzz_draws *d, drawn_node *v)
{
    if (v->spec.n_inputs == 0 || v->spec.n_outputs == 0)
        return;
    for (uint32_t i = fuzz_below(d, MOST_PAIRS + 1); i > 0; i--) {
        uint64_t *pair = &v->pair[2 * v->spec.n_inplace++];
        pair[0] = v->input[fuzz_below(d, (uint32_t)v->spec.n_inputs)];
        pair[1] = v->output[fuzz_below(d, (uint32_t)v->spec.n_outputs)];
    }
}

/* What a node has beside inputs and outputs, by the bits of one byte. */
enum { HAS_WORKSPACE = 1, HAS_PAIRS = 2, HAS_LOCK = 4, HAS_VIEW = 8, HAS_WINDOW = 16 };

static void draw_node(drawn *w, fuzz_draws *d, drawn_node *v, uint64_t id)
{
    uint8_t flags = fuzz_byte(d), outputs = fuzz_byte(d);
    *v = (drawn_node){.spec = {.id = id}};
    draw_inputs(w, d, v);
    for (uint32_t i = outputs % 4 == 3 ? 0 : outputs % 4 == 2 ? 2 : 1; i > 0; i--)
        v->output[v->spec.n_outputs++] =
            add_tensor(w, d, outputs & (4U << i) ? HW_OUTPUT : HW_ACTIVATION);
    v->spec.view = (flags & HAS_VIEW) && v->spec.n_inputs;
    if ((flags & HAS_PAIRS) && !v->spec.view)
        draw_pairs(d, v);
    v->spec.inplace_required = v->spec.n_inplace == 1 && flags >= 128;
    if (flags & HAS_WORKSPACE)
        v->spec.workspace = draw_bytes(d);
    v->spec.locked = flags & HAS_LOCK;
    v->spec.has_window = flags & HAS_WINDOW;
    if (v->spec.has_window)
        v->spec.window = fuzz_below(d, 8);
}

/* In which order the nodes stand in the file: that of their draw, some of them swapped. */
static void add_nodes(drawn *w, fuzz_draws *d, drawn_node *node, uint32_t n)
{
    uint32_t place[FUZZ_NODES];
    for (uint32_t v = 0; v < n; v++)
        place[v] = v;
    for (uint32_t i = n ? fuzz_below(d, 4) : 0; i > 0; i--) {
        uint32_t a = fuzz_below(d, n), b = fuzz_below(d, n), held = place[a];
        place[a] = place[b];
        place[b] = held;
    }
    for (uint32_t v = 0; w->code == HW_OK && v < n; v++) {
        hw_node_spec *spec = &node[place[v]].spec;
        spec->inputs = node[place[v]].input;
        spec->outputs = node[place[v]].output;
        spec->inplace = node[place[v]].pair;
        w->code = hw_builder_node(w->b, spec, NULL);
    }
    for (uint32_t i = n ? fuzz_below(d, MOST_CONTROL + 1) : 0; w->code == HW_OK && i > 0; i--) {
        uint64_t from = node[fuzz_below(d, n)].spec.id, to = node[fuzz_below(d, n)].spec.id;
        w->code = hw_builder_control(w->b, from, to, NULL);
    }
}

hw_graph *fuzz_draw_graph(fuzz_draws *d, uint32_t most)
{
    drawn_node node[FUZZ_NODES];
    uint8_t shape = fuzz_byte(d);
    uint32_t n = fuzz_below(d, most + 1);
    drawn w = {.b = hw_builder_new(), .step = 1 + (shape >> 6) * UINT64_C(999)};
    hw_graph *g = NULL;
    if (!w.b)
        fuzz_fail("out of memory");
    w.start = (shape >> 5 & 1) * UINT64_C(70000);
    for (uint32_t i = shape % 4; i > 0; i--)
        (void)add_tensor(&w, d, HW_INPUT);
    for (uint32_t i = shape / 4 % 4; i > 1; i--)
        (void)add_tensor(&w, d, HW_CONSTANT);
    for (uint32_t v = 0; v < n; v++)
        draw_node(&w, d, &node[v], w.start / 7 + w.step * (n - v));
    add_nodes(&w, d, node, n);
    hw_error err = {0};
    if (w.code == HW_OK && !fuzz_ended_well(hw_builder_finish(w.b, &g, &err), &err))
        g = NULL;
    hw_builder_free(w.b);
    return g;
}
