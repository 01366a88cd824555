/*
 * Functions that a model defines: every call becomes the nodes of the body.
 *
 * The body's own tensors are named CALL/FUNCTION/NAME, where CALL is the first
 * output of the call, which no other node makes.  Copies are made by packing
 * and unpacking, under the same limit of memory as the model, with an
 * allowance: calls of calls can multiply without end.  See onnx_internal.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/onnx_internal.h"

enum { MOST_CALLS_DEEP = 64 };
static const size_t allowance_bytes = (size_t)128 << 20;

/* What the names of a body stand for at one call. */
typedef struct call {
    const Onnx__FunctionProto *function;
    const Onnx__NodeProto *node;
    hw_onnx_names names; /* of the function */
    char **meaning;      /* of each, owned */
    size_t room;
} call;

/* A list of nodes in the making. */
typedef struct nodes {
    Onnx__NodeProto **item;
    size_t n, room;
} nodes;

static hw_code no_memory(const hw_onnx_job *job, hw_error *err)
{
    if (job->memory.refused)
        return hw_fail(err, HW_BAD_INPUT,
                       "the functions of the model make more nodes than a model can have");
    return hw_fail_memory(err, "the functions of a model");
}

static const char *text(const char *maybe)
{
    return maybe ? maybe : "";
}

static const Onnx__FunctionProto *find_function(const hw_onnx_job *job, const Onnx__NodeProto *node)
{
    /* By the first of that name: most operators are no functions. */
    uint32_t at = hw_onnx_names_find(&job->functions, text(node->op_type));
    size_t i = at != HW_NONE && job->first_function ? job->first_function[at] : SIZE_MAX;
    for (; i < job->model->n_functions; i++) {
        const Onnx__FunctionProto *f = job->model->functions[i];
        if (strcmp(text(f->name), text(node->op_type)) == 0 &&
            strcmp(text(f->domain), text(node->domain)) == 0)
            return f;
    }
    return NULL;
}

static char *copied(const char *name)
{
    return hw_copy(name, strlen(name) + 1, 1);
}

/* Let a name of the function mean something; one that means something already keeps it. */
static bool mean(call *c, const char *name, const char *meaning)
{
    bool is_new;
    uint32_t at;
    if (!*name)
        return true;
    at = hw_onnx_names_add(&c->names, name, &is_new);
    if (at == HW_NONE || !hw_grow((void **)&c->meaning, &c->room, c->names.n, sizeof *c->meaning))
        return false;
    if (!is_new)
        return true;
    c->meaning[at] = copied(meaning);
    return c->meaning[at] != NULL;
}

static bool mean_own(call *c, const char *name)
{
    const char *from = c->node->n_output > 0 ? c->node->output[0] : "";
    size_t size = strlen(from) + strlen(text(c->function->name)) + strlen(name) + 3;
    char *own = HW_NEW(char, size);
    if (!own)
        return false;
    (void)snprintf(own, size, "%s/%s/%s", from, text(c->function->name), name);
    bool fine = mean(c, name, own);
    free(own);
    return fine;
}

/* Inputs and outputs stand for those of the call, everything else for itself. */
static bool open_call(call *c)
{
    const Onnx__FunctionProto *f = c->function;
    bool fine = true;
    for (size_t i = 0; fine && i < f->n_input; i++)
        fine = mean(c, f->input[i], i < c->node->n_input ? c->node->input[i] : "");
    for (size_t i = 0; fine && i < f->n_output; i++)
        if (i < c->node->n_output && *c->node->output[i])
            fine = mean(c, f->output[i], c->node->output[i]);
    for (size_t v = 0; fine && v < f->n_node; v++)
        for (size_t i = 0; fine && i < f->node[v]->n_output; i++)
            fine = mean_own(c, f->node[v]->output[i]);
    return fine;
}

static void close_call(call *c)
{
    for (size_t i = 0; i < c->names.n && i < c->room; i++)
        free(c->meaning[i]);
    free((void *)c->meaning);
    hw_onnx_names_clear(&c->names);
}

static bool rename_text(const call *c, char **name)
{
    uint32_t at = *name ? hw_onnx_names_find(&c->names, *name) : HW_NONE;
    if (at == HW_NONE || !c->meaning)
        return true;
    char *other = copied(c->meaning[at]);
    if (!other)
        return false;
    if (*name != protobuf_c_empty_string)
        free(*name);
    *name = other;
    return true;
}

/* A copy that the model can own. */
static void *duplicate(hw_onnx_job *job, const void *message)
{
    const ProtobufCMessage *from = message;
    size_t n = protobuf_c_message_get_packed_size(from);
    uint8_t *bytes = HW_NEW(uint8_t, n);
    void *copy = NULL;
    if (bytes) {
        (void)protobuf_c_message_pack(from, bytes);
        copy = protobuf_c_message_unpack(from->descriptor, &job->memory.allocator, n, bytes);
    }
    free(bytes);
    return copy;
}

static bool fill_node(hw_onnx_job *job, const call *c, Onnx__NodeProto *node);

static bool fill_graph(hw_onnx_job *job, const call *c, Onnx__GraphProto *g)
{
    bool fine = true;
    for (size_t v = 0; fine && v < g->n_node; v++)
        fine = fill_node(job, c, g->node[v]);
    for (size_t i = 0; fine && i < g->n_output; i++)
        fine = rename_text(c, &g->output[i]->name);
    return fine;
}

/* An attribute that the call gives takes the place of one that refers to it. */
static bool fill_attribute(hw_onnx_job *job, const call *c, Onnx__AttributeProto **a)
{
    const char *wanted = (*a)->ref_attr_name;
    for (size_t i = 0; wanted && *wanted && i < c->node->n_attribute; i++) {
        if (strcmp(text(c->node->attribute[i]->name), wanted) != 0)
            continue;
        Onnx__AttributeProto *given = duplicate(job, c->node->attribute[i]);
        char *name = given ? copied(text((*a)->name)) : NULL;
        if (!name) {
            if (given)
                onnx__attribute_proto__free_unpacked(given, &job->memory.allocator);
            return false;
        }
        if (given->name != protobuf_c_empty_string)
            free(given->name);
        given->name = name;
        onnx__attribute_proto__free_unpacked(*a, &job->memory.allocator);
        *a = given;
        return true;
    }
    bool fine = !(*a)->g || fill_graph(job, c, (*a)->g);
    for (size_t i = 0; fine && i < (*a)->n_graphs; i++)
        fine = fill_graph(job, c, (*a)->graphs[i]);
    return fine;
}

static bool fill_node(hw_onnx_job *job, const call *c, Onnx__NodeProto *node)
{
    bool fine = true;
    for (size_t i = 0; fine && i < node->n_input; i++)
        fine = rename_text(c, &node->input[i]);
    for (size_t i = 0; fine && i < node->n_output; i++)
        fine = rename_text(c, &node->output[i]);
    for (size_t i = 0; fine && i < node->n_attribute; i++)
        fine = fill_attribute(job, c, &node->attribute[i]);
    return fine;
}

static hw_code expand_graph(hw_onnx_job *job, Onnx__GraphProto *g, unsigned depth, hw_error *err);

/* Put a node, which becomes the list's, or what it stands for. */
static hw_code put(hw_onnx_job *job, nodes *to, Onnx__NodeProto *node, unsigned depth,
                   hw_error *err)
{
    const Onnx__FunctionProto *f = find_function(job, node);
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && !f && i < node->n_attribute; i++) {
        Onnx__AttributeProto *a = node->attribute[i];
        if (a->g)
            code = expand_graph(job, a->g, depth, err);
        for (size_t k = 0; code == HW_OK && k < a->n_graphs; k++)
            code = expand_graph(job, a->graphs[k], depth, err);
    }
    if (code == HW_OK && !f && !hw_grow((void **)&to->item, &to->room, to->n + 1, sizeof(void *)))
        code = no_memory(job, err);
    if (code == HW_OK && !f) {
        to->item[to->n++] = node;
        return HW_OK;
    }
    call c = {.function = f, .node = node};
    if (code == HW_OK && depth == MOST_CALLS_DEEP)
        code = hw_fail(err, HW_BAD_INPUT,
                       "the function '%.100s' calls itself, or calls are nested more than %d deep",
                       text(f->name), MOST_CALLS_DEEP);
    if (code == HW_OK && !open_call(&c))
        code = no_memory(job, err);
    for (size_t v = 0; code == HW_OK && v < f->n_node; v++) {
        Onnx__NodeProto *copy = duplicate(job, f->node[v]);
        if (!copy)
            code = no_memory(job, err);
        else if (!fill_node(job, &c, copy)) {
            onnx__node_proto__free_unpacked(copy, &job->memory.allocator);
            code = no_memory(job, err);
        } else {
            code = put(job, to, copy, depth + 1, err);
        }
    }
    if (f)
        close_call(&c);
    onnx__node_proto__free_unpacked(node, &job->memory.allocator);
    return code;
}

/* On failure the graph keeps what was not expanded; all of it can be released. */
static hw_code expand_graph(hw_onnx_job *job, Onnx__GraphProto *g, unsigned depth, hw_error *err)
{
    nodes list = {0};
    hw_code code = HW_OK;
    size_t v = 0;
    while (code == HW_OK && v < g->n_node) {
        Onnx__NodeProto *node = g->node[v++];
        code = put(job, &list, node, depth, err);
    }
    size_t left = g->n_node - v;
    for (size_t i = 0; i < left; i++)
        onnx__node_proto__free_unpacked(g->node[v + i], &job->memory.allocator);
    free((void *)g->node);
    g->node = list.item;
    g->n_node = list.n;
    return code;
}

/* The operator sets of the functions belong to the model now. */
static hw_code adopt_sets(hw_onnx_job *job, const Onnx__FunctionProto *f, hw_error *err)
{
    Onnx__ModelProto *m = job->model;
    for (size_t i = 0; i < f->n_opset_import; i++) {
        const char *domain = text(f->opset_import[i]->domain);
        bool known = false;
        for (size_t k = 0; k < m->n_opset_import; k++)
            known = known || strcmp(text(m->opset_import[k]->domain), domain) == 0;
        if (known)
            continue;
        size_t room = m->n_opset_import;
        void *sets = (void *)m->opset_import;
        Onnx__OperatorSetIdProto *set = duplicate(job, f->opset_import[i]);
        if (!set)
            return no_memory(job, err);
        if (!hw_grow(&sets, &room, m->n_opset_import + 1, sizeof(void *))) {
            onnx__operator_set_id_proto__free_unpacked(set, &job->memory.allocator);
            return no_memory(job, err);
        }
        m->opset_import = sets;
        m->opset_import[m->n_opset_import++] = set;
    }
    return HW_OK;
}

/* An output of a function that is one of its inputs would need a node that is not there. */
static hw_code check(const Onnx__FunctionProto *f, hw_error *err)
{
    for (size_t i = 0; i < f->n_output; i++)
        for (size_t k = 0; k < f->n_input; k++)
            if (strcmp(f->output[i], f->input[k]) == 0)
                return hw_fail(err, HW_BAD_INPUT,
                               "the function '%.100s' hands its input '%.100s' back as an output: "
                               "put an Identity between them",
                               text(f->name), f->input[k]);
    return HW_OK;
}

/* Index function i by its name, unless one before it has the same. */
static hw_code add_name(hw_onnx_job *job, uint32_t i, hw_error *err)
{
    bool is_new;
    const char *name = text(job->model->functions[i]->name);
    uint32_t at = hw_onnx_names_add(&job->functions, name, &is_new);
    if (at == HW_NONE || !hw_grow((void **)&job->first_function, &job->first_room, job->functions.n,
                                  sizeof *job->first_function))
        return no_memory(job, err);
    if (is_new)
        job->first_function[at] = i;
    return HW_OK;
}

hw_code hw_onnx_inline(hw_onnx_job *job, hw_error *err)
{
    Onnx__ModelProto *m = job->model;
    hw_code code = HW_OK;
    if (m->n_functions == 0)
        return HW_OK;
    job->memory.left += allowance_bytes;
    for (uint32_t i = 0; code == HW_OK && i < m->n_functions; i++) {
        code = add_name(job, i, err);
        if (code == HW_OK)
            code = check(m->functions[i], err);
        if (code == HW_OK)
            code = adopt_sets(job, m->functions[i], err);
    }
    if (code == HW_OK)
        code = expand_graph(job, m->graph, 0, err);
    if (code == HW_OK)
        code = hw_import_note(job->in->report, err,
                              "%zu functions that the model defines: each call became the nodes of "
                              "the function",
                              m->n_functions);
    for (size_t i = 0; i < m->n_functions; i++)
        onnx__function_proto__free_unpacked(m->functions[i], &job->memory.allocator);
    hw_onnx_names_clear(&job->functions);
    free(job->first_function);
    job->first_function = NULL;
    free((void *)m->functions);
    m->functions = NULL;
    m->n_functions = 0;
    return code;
}
