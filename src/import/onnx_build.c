/* The graph of a model, or of a branch in it.  See onnx_internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/onnx_internal.h"
#include "model/builder.h"

/* In-place choices of a node that are kept: sums of hundreds are a rarity. */
enum { MOST_PAIRS = 256 };

typedef struct build {
    hw_onnx_scope *s;
    hw_builder *b;
    uint32_t *users;  /* of a value: nodes that stay and outputs of the graph, counted */
    uint64_t *inputs; /* of the node at hand, ids of tensors are indices of values */
    uint64_t *outputs, *pairs;
    size_t n_inputs, n_outputs, n_pairs;
    size_t inputs_room, outputs_room, pairs_room;
} build;

static bool push(uint64_t **list, size_t *n, size_t *room, uint64_t item)
{
    if (!hw_grow((void **)list, room, *n + 1, sizeof **list))
        return false;
    (*list)[(*n)++] = item;
    return true;
}

/*
 * What a node reads: its inputs, what its branches read outside of
 * themselves, and the constants in them.  A captured constant that folded
 * away inside is read by nobody.
 */
static hw_code list_inputs(build *b, size_t v, hw_error *err)
{
    hw_onnx_scope *s = b->s;
    const hw_onnx_node *node = &s->node[v];
    bool fine = true;
    b->n_inputs = 0;
    for (uint32_t i = s->read_offset[v]; i < s->read_offset[v + 1]; i++)
        fine = fine && push(&b->inputs, &b->n_inputs, &b->inputs_room, s->read[i]);
    for (size_t k = 0; k < node->n_branches; k++) {
        const hw_onnx_scope *inner = node->branch[k];
        for (size_t i = 0; i < inner->n_values; i++) {
            const hw_onnx_value *x = &inner->value[i];
            if (x->outside != HW_NONE && (x->wanted || !s->value[x->outside].constant))
                fine = fine && push(&b->inputs, &b->n_inputs, &b->inputs_room, x->outside);
        }
    }
    for (size_t i = 0; i < node->n_hoisted; i++)
        fine = fine && push(&b->inputs, &b->n_inputs, &b->inputs_room, node->hoisted[i]);
    return fine ? HW_OK : hw_fail_memory(err, "the inputs of a node");
}

static hw_code list_outputs(build *b, size_t v, hw_error *err)
{
    const Onnx__NodeProto *node = b->s->graph->node[v];
    b->n_outputs = 0;
    for (size_t i = 0; i < node->n_output; i++)
        if (*node->output[i] && !push(&b->outputs, &b->n_outputs, &b->outputs_room,
                                      hw_onnx_names_find(&b->s->names, node->output[i])))
            return hw_fail_memory(err, "the outputs of a node");
    return HW_OK;
}

static hw_code find_users(build *b, hw_error *err)
{
    hw_onnx_scope *s = b->s;
    b->users = HW_NEW0(uint32_t, s->n_values);
    if (!b->users)
        return hw_fail_memory(err, "the tensors of a model");
    for (size_t v = 0; v < s->graph->n_node; v++) {
        if (s->node[v].folded)
            continue;
        hw_code code = list_inputs(b, v, err);
        if (code != HW_OK)
            return code;
        for (size_t i = 0; i < b->n_inputs; i++)
            b->users[b->inputs[i]]++;
    }
    for (size_t i = 0; i < s->n_values; i++) {
        b->users[i] += s->value[i].output;
        s->value[i].wanted = b->users[i] > 0;
    }
    return HW_OK;
}

/* Is it a tensor of the graph? */
static bool is_there(const hw_onnx_value *x)
{
    return x->outside != HW_NONE || x->constant ? x->wanted : true;
}

static hw_code add_tensors(build *b, bool *whole, hw_error *err)
{
    hw_onnx_scope *s = b->s;
    hw_code code = HW_OK;
    size_t unsized = s->job->n_unsized;
    for (size_t i = 0; code == HW_OK && i < s->n_values; i++)
        if (is_there(&s->value[i]))
            code = hw_onnx_measure(s, &s->value[i], err);
    *whole = s->job->n_unsized == unsized;
    for (size_t i = 0; code == HW_OK && *whole && i < s->n_values; i++) {
        const hw_onnx_value *x = &s->value[i];
        hw_kind kind = x->outside != HW_NONE || x->constant ? HW_CONSTANT
                       : x->input                           ? HW_INPUT
                       : x->output                          ? HW_OUTPUT
                                                            : HW_ACTIVATION;
        if (is_there(x))
            code = hw_builder_tensor(b->b, i, x->outside != HW_NONE ? 0 : x->bytes, kind, x->name,
                                     err);
    }
    return code;
}

/* The first input and output as the file lists them: a place that is left out holds none. */
static bool has_first(char **names, size_t n)
{
    return n > 0 && *names[0];
}

/*
 * Is value i, from outside or not, known to be of another size?  What has none
 * yet is told by the graph that it belongs to.
 */
static bool differs(hw_onnx_scope *s, uint32_t i, uint64_t bytes)
{
    const size_t unsized = s->job->n_unsized;
    hw_error ignored;
    while (s->value[i].outside != HW_NONE) {
        i = s->value[i].outside;
        s = s->around;
    }
    (void)hw_onnx_measure(s, &s->value[i], &ignored);
    s->job->n_unsized = unsized;
    return s->value[i].measured && s->value[i].bytes != bytes;
}

/*
 * A view hands on its first input as its first output.  Where another output is
 * read as well (the mask of Dropout), or the shapes of the file do not agree on
 * the size, the node makes something.
 */
static bool is_view(const build *b, size_t v)
{
    hw_onnx_scope *s = b->s;
    const Onnx__NodeProto *node = s->graph->node[v];
    if (!(b->s->node[v].traits & HW_OPERATOR_VIEW) || b->s->node[v].trains ||
        !has_first(node->input, node->n_input) || !has_first(node->output, node->n_output))
        return false;
    for (size_t i = 1; i < b->n_outputs; i++)
        if (b->users[b->outputs[i]] > 0)
            return false;
    if (!differs(s, s->read[s->read_offset[v]], s->value[b->outputs[0]].bytes))
        return true;
    s->job->n_resized++;
    return false;
}

/* Normalisation by statistics of the batch at hand needs all of its input before it writes. */
static bool takes_statistics(const build *b, size_t v)
{
    const hw_onnx_node *node = &b->s->node[v];
    return (node->traits & HW_OPERATOR_NORM) && (b->n_outputs > 1 || node->trains);
}

/* The first output may take the place of each input of same size and type that can be freed. */
static hw_code list_pairs(build *b, size_t v, hw_error *err)
{
    hw_onnx_scope *s = b->s;
    const Onnx__NodeProto *node = s->graph->node[v];
    const unsigned may = HW_OPERATOR_OVERWRITES | HW_OPERATOR_VIEW;
    b->n_pairs = 0;
    if (!(s->node[v].traits & may) || !has_first(node->output, node->n_output) ||
        takes_statistics(b, v))
        return HW_OK;
    const hw_onnx_value *to = &s->value[b->outputs[0]];
    for (uint32_t i = s->read_offset[v]; i < s->read_offset[v + 1]; i++) {
        const hw_onnx_value *from = &s->value[s->read[i]];
        bool passed = from->constant || from->outside != HW_NONE || from->bytes == 0 ||
                      from->bytes != to->bytes || from->element != to->element;
        for (size_t k = 0; !passed && k < b->n_pairs; k++)
            passed = b->pairs[2 * k] == s->read[i];
        if (passed)
            continue;
        if (b->n_pairs == MOST_PAIRS) {
            s->job->n_crowded++;
            break;
        }
        size_t n = 2 * b->n_pairs;
        if (!push(&b->pairs, &n, &b->pairs_room, s->read[i]) ||
            !push(&b->pairs, &n, &b->pairs_room, b->outputs[0]))
            return hw_fail_memory(err, "the in-place pairs of a node");
        b->n_pairs++;
    }
    return HW_OK;
}

static hw_code add_node(build *b, size_t v, uint64_t id, hw_error *err)
{
    hw_code code = list_inputs(b, v, err);
    if (code == HW_OK)
        code = list_outputs(b, v, err);
    if (code != HW_OK)
        return code;
    bool view = is_view(b, v);
    b->n_pairs = 0;
    if (!view)
        code = list_pairs(b, v, err);
    if (code != HW_OK)
        return code;
    const hw_node_spec spec = {.id = id,
                               .name = hw_onnx_node_name(b->s, v),
                               .op = b->s->graph->node[v]->op_type,
                               .inputs = b->inputs,
                               .n_inputs = b->n_inputs,
                               .outputs = b->outputs,
                               .n_outputs = b->n_outputs,
                               .inplace = b->pairs,
                               .n_inplace = b->n_pairs,
                               .workspace = b->s->node[v].workspace,
                               .view = view,
                               .locked = b->s->node[v].locked};
    return hw_builder_node(b->b, &spec, err);
}

/*
 * An input that is handed back as an output stays to the end: a view of it,
 * which is an output, keeps it.  A constant does so by itself.
 */
static hw_code add_kept_inputs(build *b, uint64_t *id, hw_error *err)
{
    hw_onnx_scope *s = b->s;
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < s->n_values; i++) {
        const hw_onnx_value *x = &s->value[i];
        if (!x->input || !x->output)
            continue;
        const uint64_t from = i, to = s->n_values + i;
        code = hw_builder_tensor(b->b, to, x->bytes, HW_OUTPUT, x->name, err);
        const hw_node_spec spec = {.id = (*id)++,
                                   .name = x->name,
                                   .op = "Identity",
                                   .inputs = &from,
                                   .n_inputs = 1,
                                   .outputs = &to,
                                   .n_outputs = 1,
                                   .view = true};
        if (code == HW_OK)
            code = hw_builder_node(b->b, &spec, err);
        s->job->n_copies += !s->around;
    }
    return code;
}

static hw_code add_all(build *b, bool *whole, hw_error *err)
{
    hw_onnx_scope *s = b->s;
    uint64_t id = 0;
    hw_code code = find_users(b, err);
    if (code == HW_OK)
        code = add_tensors(b, whole, err);
    for (size_t v = 0; code == HW_OK && *whole && v < s->graph->n_node; v++)
        if (!s->node[v].folded)
            code = add_node(b, v, id++, err);
    return code == HW_OK && *whole ? add_kept_inputs(b, &id, err) : code;
}

/* The model's own name, else that of the file without its folder and ending. */
static hw_code describe(build *b, hw_error *err)
{
    const char *path = b->s->job->in->path, *name = b->s->graph->name;
    const char *producer = b->s->job->model->producer_name;
    const char *slash = strrchr(path, '/');
    char text[256];
    (void)snprintf(text, sizeof text, "%.200s", slash ? slash + 1 : path);
    char *dot = strrchr(text, '.');
    if (dot && dot != text)
        *dot = '\0';
    if (name && *name)
        return hw_builder_describe(b->b, name, producer && *producer ? producer : NULL, "bytes",
                                   err);
    return hw_builder_describe(b->b, text, producer && *producer ? producer : NULL, "bytes", err);
}

hw_code hw_onnx_build(hw_onnx_scope *s, hw_graph **out, hw_error *err)
{
    build b = {.s = s, .b = hw_builder_new()};
    bool whole = false;
    *out = NULL;
    if (!b.b)
        return hw_fail_memory(err, "a graph");
    hw_code code = describe(&b, err);
    if (code == HW_OK)
        code = add_all(&b, &whole, err);
    if (code == HW_OK && whole)
        code = hw_builder_finish(b.b, out, err);
    hw_builder_free(b.b);
    free(b.users);
    free(b.inputs);
    free(b.outputs);
    free(b.pairs);
    return code;
}
