/* What the names of a graph and of the graphs inside it stand for.  See onnx_internal.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "import/onnx_internal.h"

hw_onnx_value *hw_onnx_scope_append(hw_onnx_scope *s, const char *name)
{
    if (s->n_values + 1 >= HW_NONE ||
        !hw_grow((void **)&s->value, &s->room, s->n_values + 1, sizeof *s->value))
        return NULL;
    hw_onnx_value *x = &s->value[s->n_values++];
    *x = (hw_onnx_value){.name = name, .maker = HW_NONE, .outside = HW_NONE};
    return x;
}

const char *hw_onnx_node_name(const hw_onnx_scope *s, size_t v)
{
    const Onnx__NodeProto *node = s->graph->node[v];
    if (node->name && *node->name)
        return node->name;
    for (size_t i = 0; i < node->n_output; i++)
        if (*node->output[i])
            return node->output[i];
    return node->op_type ? node->op_type : "";
}

/* A value under a name, which may be there already; NULL: no memory. */
static hw_onnx_value *declare(hw_onnx_scope *s, const char *name, bool *is_new)
{
    uint32_t i = hw_onnx_names_add(&s->names, name, is_new);
    if (i == HW_NONE)
        return NULL;
    return *is_new ? hw_onnx_scope_append(s, name) : &s->value[i];
}

static hw_code no_memory(hw_error *err)
{
    return hw_fail_memory(err, "the tensors of a model");
}

static bool is_static(const Onnx__TypeProto *type)
{
    if (!type || type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE || !type->tensor_type ||
        !type->tensor_type->shape || type->tensor_type->elem_type == 0)
        return false;
    for (size_t i = 0; i < type->tensor_type->shape->n_dim; i++)
        if (type->tensor_type->shape->dim[i]->value_case !=
            ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE)
            return false;
    return true;
}

/* Of two accounts of one value, the one that tells its size counts. */
static void learn(hw_onnx_value *x, const Onnx__TypeProto *type)
{
    if (!x->type || (!is_static(x->type) && is_static(type)))
        x->type = type;
}

static hw_code declare_inputs(hw_onnx_scope *s, hw_error *err)
{
    const Onnx__GraphProto *g = s->graph;
    bool is_new;
    for (size_t i = 0; i < g->n_input; i++) {
        const char *name = g->input[i]->name;
        if (!name || !*name)
            return hw_fail(err, HW_BAD_INPUT, "input %zu has no name: every input needs one", i);
        hw_onnx_value *x = declare(s, name, &is_new);
        if (!x)
            return no_memory(err);
        if (!is_new)
            return hw_fail(err, HW_BAD_INPUT, "there are two inputs '%s': names must differ", name);
        x->input = true;
        learn(x, g->input[i]->type);
    }
    return HW_OK;
}

/* An initializer: a weight, whose name may stand among the inputs too. */
static hw_code declare_weight(hw_onnx_scope *s, const char *name, const Onnx__TensorProto *weight,
                              const Onnx__SparseTensorProto *sparse, hw_error *err)
{
    bool is_new;
    if (!name || !*name)
        return hw_fail(err, HW_BAD_INPUT, "an initializer has no name: every one needs one");
    hw_onnx_value *x = declare(s, name, &is_new);
    if (!x)
        return no_memory(err);
    if (x->constant)
        return hw_fail(err, HW_BAD_INPUT, "there are two initializers '%s': names must differ",
                       name);
    s->job->n_defaults += x->input && !s->around;
    s->job->n_sparse += sparse != NULL;
    x->constant = true;
    x->input = false;
    x->weight = weight;
    x->sparse = sparse;
    return HW_OK;
}

static hw_code declare_weights(hw_onnx_scope *s, hw_error *err)
{
    const Onnx__GraphProto *g = s->graph;
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < g->n_initializer; i++)
        code = declare_weight(s, g->initializer[i]->name, g->initializer[i], NULL, err);
    for (size_t i = 0; code == HW_OK && i < g->n_sparse_initializer; i++) {
        const Onnx__SparseTensorProto *sparse = g->sparse_initializer[i];
        code = declare_weight(s, sparse->values ? sparse->values->name : NULL, NULL, sparse, err);
    }
    return code;
}

static hw_code declare_outputs(hw_onnx_scope *s, size_t v, hw_error *err)
{
    const Onnx__NodeProto *node = s->graph->node[v];
    bool is_new;
    if (!node->op_type || !*node->op_type)
        return hw_fail(err, HW_BAD_INPUT, "node '%s' has no operator type: the file is damaged",
                       hw_onnx_node_name(s, v));
    for (size_t i = 0; i < node->n_output; i++) {
        if (!*node->output[i])
            continue;
        hw_onnx_value *x = declare(s, node->output[i], &is_new);
        if (!x)
            return no_memory(err);
        if (!is_new)
            return hw_fail(err, HW_BAD_INPUT,
                           "the tensor '%s' is made twice: by node '%s' and by %s%s%s: each name "
                           "must be given once",
                           x->name, hw_onnx_node_name(s, v),
                           x->maker == HW_NONE ? "the caller or the file" : "node '",
                           x->maker == HW_NONE ? "" : hw_onnx_node_name(s, x->maker),
                           x->maker == HW_NONE ? "" : "'");
        x->maker = (uint32_t)v;
    }
    return HW_OK;
}

/* The value that a name means here; HW_NONE: none, or no memory (*no_room). */
static uint32_t look_up(hw_onnx_scope *s, const char *name, bool *no_room)
{
    uint32_t here = hw_onnx_names_find(&s->names, name), outside;
    bool is_new;
    if (here != HW_NONE || !s->around)
        return here;
    outside = look_up(s->around, name, no_room);
    if (outside == HW_NONE)
        return HW_NONE;
    hw_onnx_value *x = declare(s, name, &is_new);
    if (!x) {
        *no_room = true;
        return HW_NONE;
    }
    x->outside = outside;
    x->constant = true; /* nothing in here frees it */
    return (uint32_t)(x - s->value);
}

static hw_code resolve_outputs(hw_onnx_scope *s, hw_error *err)
{
    const Onnx__GraphProto *g = s->graph;
    for (size_t i = 0; i < g->n_output; i++) {
        const char *name = g->output[i]->name ? g->output[i]->name : "";
        bool no_room = false;
        uint32_t at = look_up(s, name, &no_room);
        if (no_room)
            return no_memory(err);
        if (at == HW_NONE)
            return hw_fail(err, HW_BAD_INPUT,
                           "the output '%s' is made by no node: the file is damaged or no whole "
                           "model",
                           name);
        s->value[at].output = true;
        learn(&s->value[at], g->output[i]->type);
    }
    for (size_t i = 0; i < g->n_value_info; i++) {
        const char *name = g->value_info[i]->name;
        uint32_t at = name ? hw_onnx_names_find(&s->names, name) : HW_NONE;
        if (at != HW_NONE && g->value_info[i]->type)
            learn(&s->value[at], g->value_info[i]->type);
    }
    return HW_OK;
}

static hw_code resolve_reads(hw_onnx_scope *s, hw_error *err)
{
    const Onnx__GraphProto *g = s->graph;
    size_t n = 0;
    for (size_t v = 0; v < g->n_node; v++)
        n += g->node[v]->n_input;
    s->read = n < HW_NONE ? HW_NEW(uint32_t, n) : NULL;
    if (!s->read)
        return no_memory(err);
    n = 0;
    for (size_t v = 0; v < g->n_node; v++) {
        s->read_offset[v] = (uint32_t)n;
        for (size_t i = 0; i < g->node[v]->n_input; i++) {
            const char *name = g->node[v]->input[i];
            bool no_room = false;
            if (!*name)
                continue;
            uint32_t at = look_up(s, name, &no_room);
            if (no_room)
                return no_memory(err);
            if (at == HW_NONE)
                return hw_fail(err, HW_BAD_INPUT,
                               "node '%s' reads the tensor '%s', which nothing makes: the file is "
                               "damaged or no whole model",
                               hw_onnx_node_name(s, v), name);
            s->read[n++] = at;
        }
    }
    s->read_offset[g->n_node] = (uint32_t)n;
    return HW_OK;
}

/* Open the graphs among the attributes of a node. */
static hw_code open_branches(hw_onnx_scope *s, size_t v, hw_error *err)
{
    const Onnx__NodeProto *node = s->graph->node[v];
    hw_onnx_node *here = &s->node[v];
    size_t n = 0;
    for (size_t i = 0; i < node->n_attribute; i++)
        n += (node->attribute[i]->g != NULL) + node->attribute[i]->n_graphs;
    if (n == 0)
        return HW_OK;
    here->branch = HW_NEW0(hw_onnx_scope *, n);
    if (!here->branch)
        return no_memory(err);
    for (size_t i = 0; i < node->n_attribute; i++) {
        const Onnx__AttributeProto *a = node->attribute[i];
        for (size_t k = 0; k < a->n_graphs + (a->g != NULL); k++) {
            hw_onnx_scope *inner = NULL;
            hw_code code =
                hw_onnx_scope_open(s->job, k < a->n_graphs ? a->graphs[k] : a->g, s, &inner, err);
            here->branch[here->n_branches++] = inner;
            if (code != HW_OK) {
                hw_error_prefix(err, "in node '%.64s', %.32s: ", hw_onnx_node_name(s, v),
                                a->name ? a->name : "");
                return code;
            }
            for (size_t u = 0; u < inner->graph->n_node; u++)
                here->locked = here->locked || inner->node[u].locked;
        }
    }
    return HW_OK;
}

bool hw_onnx_listed(const char *const *names, size_t n, const char *op)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(names[i], op) == 0)
            return true;
    return false;
}

static void note_traits(hw_onnx_scope *s, size_t v)
{
    const hw_import_options *o = s->job->in->options;
    const char *op = s->graph->node[v]->op_type;
    hw_onnx_node *node = &s->node[v];
    node->traits = hw_operators_traits(o->operators, op);
    if (!op)
        return;
    if (hw_onnx_listed(o->views, o->n_views, op))
        node->traits |= HW_OPERATOR_VIEW;
    node->locked =
        (node->traits & HW_OPERATOR_LOCKED) || hw_onnx_listed(o->locked, o->n_locked, op);
}

/* What a value holds: a weight, or the tensor of a Constant, here or around; NULL: not told. */
static const Onnx__TensorProto *held(const hw_onnx_scope *s, uint32_t i)
{
    while (s->value[i].outside != HW_NONE) {
        i = s->value[i].outside;
        s = s->around;
    }
    const hw_onnx_value *x = &s->value[i];
    if (x->maker == HW_NONE)
        return x->weight;
    const Onnx__NodeProto *node = s->graph->node[x->maker];
    return strcmp(node->op_type, "Constant") == 0 && node->n_attribute == 1 ? node->attribute[0]->t
                                                                            : NULL;
}

/* Is value i a constant whose only element is false, as far as the file tells? */
static bool is_false(const hw_onnx_scope *s, uint32_t i)
{
    const Onnx__TensorProto *w = held(s, i);
    if (!w)
        return false;
    if (w->has_raw_data)
        return w->raw_data.len == 1 && w->raw_data.data[0] == 0;
    return w->n_int32_data == 1 && w->int32_data[0] == 0;
}

/* Operators that do something else in training, and are told to: Dropout by its third input. */
static void note_training(hw_onnx_scope *s, size_t v)
{
    const Onnx__NodeProto *node = s->graph->node[v];
    hw_onnx_node *here = &s->node[v];
    for (size_t i = 0; i < node->n_attribute; i++) {
        const Onnx__AttributeProto *a = node->attribute[i];
        here->trains = here->trains || (a->name && strcmp(a->name, "training_mode") == 0 && a->i);
    }
    if (strcmp(node->op_type, "Dropout") != 0 || node->n_input < 3 || !*node->input[2])
        return;
    here->trains = !is_false(s, hw_onnx_names_find(&s->names, node->input[2]));
    here->locked = here->locked || here->trains; /* it draws random numbers */
}

static hw_code open_scope(hw_onnx_scope *s, hw_error *err)
{
    size_t n = s->graph->n_node;
    if (n >= HW_NONE)
        return hw_fail(err, HW_BAD_INPUT, "a graph has more than 2^32 - 2 nodes");
    s->node = HW_NEW0(hw_onnx_node, n);
    s->read_offset = HW_NEW0(uint32_t, n + 1);
    if (!s->node || !s->read_offset)
        return no_memory(err);
    hw_code code = declare_inputs(s, err);
    if (code == HW_OK)
        code = declare_weights(s, err);
    for (size_t v = 0; code == HW_OK && v < n; v++) {
        note_traits(s, v);
        code = declare_outputs(s, v, err);
    }
    if (code == HW_OK)
        code = resolve_reads(s, err);
    for (size_t v = 0; code == HW_OK && v < n; v++) {
        note_training(s, v);
        code = open_branches(s, v, err);
    }
    return code == HW_OK ? resolve_outputs(s, err) : code;
}

hw_code hw_onnx_scope_open(hw_onnx_job *job, const Onnx__GraphProto *graph, hw_onnx_scope *around,
                           hw_onnx_scope **out, hw_error *err)
{
    hw_onnx_scope *s = HW_NEW0(hw_onnx_scope, 1);
    *out = NULL;
    if (!s)
        return no_memory(err);
    s->job = job;
    s->graph = graph;
    s->around = around;
    hw_code code = open_scope(s, err);
    if (code == HW_OK)
        *out = s;
    else
        hw_onnx_scope_close(s);
    return code;
}

void hw_onnx_scope_close(hw_onnx_scope *s)
{
    if (!s)
        return;
    for (size_t v = 0; s->node && v < s->graph->n_node; v++) {
        for (size_t i = 0; i < s->node[v].n_branches; i++)
            hw_onnx_scope_close(s->node[v].branch[i]);
        free((void *)s->node[v].branch);
        free(s->node[v].hoisted);
    }
    hw_onnx_names_clear(&s->names);
    free(s->node);
    free(s->value);
    free(s->read_offset);
    free(s->read);
    free(s->order);
    free(s);
}
