/* Symbolic dimensions of a model.  See onnx_internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/params.h"
#include "import/onnx_internal.h"
#include "io/text.h"

typedef Onnx__TensorShapeProto__Dimension dimension;

#define SYMBOL ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM
#define VALUE  ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE

typedef void visitor(hw_onnx_job *job, dimension *d, void *context);

static void visit_values(hw_onnx_job *job, Onnx__ValueInfoProto **value, size_t n, visitor *visit,
                         void *context)
{
    for (size_t i = 0; i < n; i++) {
        Onnx__TypeProto *type = value[i]->type;
        if (!type || type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE ||
            !type->tensor_type || !type->tensor_type->shape)
            continue;
        for (size_t k = 0; k < type->tensor_type->shape->n_dim; k++)
            visit(job, type->tensor_type->shape->dim[k], context);
    }
}

/* Every dimension of a graph and of the graphs inside it. */
static void visit_graph(hw_onnx_job *job, Onnx__GraphProto *g, visitor *visit, void *context)
{
    visit_values(job, g->input, g->n_input, visit, context);
    visit_values(job, g->output, g->n_output, visit, context);
    visit_values(job, g->value_info, g->n_value_info, visit, context);
    for (size_t v = 0; v < g->n_node; v++)
        for (size_t i = 0; i < g->node[v]->n_attribute; i++) {
            Onnx__AttributeProto *a = g->node[v]->attribute[i];
            if (a->g)
                visit_graph(job, a->g, visit, context);
            for (size_t k = 0; k < a->n_graphs; k++)
                visit_graph(job, a->graphs[k], visit, context);
        }
}

static bool has_symbol(const dimension *d)
{
    return d->value_case == SYMBOL && d->dim_param && *d->dim_param;
}

static void set_value(hw_onnx_job *job, dimension *d, void *context)
{
    bool *changed = context;
    const hw_import_options *o = job->in->options;
    for (size_t i = 0; has_symbol(d) && i < o->n_dims; i++) {
        if (strcmp(o->dims[i].name, d->dim_param) != 0)
            continue;
        free(d->dim_param);
        d->value_case = VALUE;
        d->dim_value = (int64_t)o->dims[i].value;
        job->dim_used[i] = true;
        *changed = true;
    }
}

void hw_onnx_dims_set(hw_onnx_job *job, bool *changed)
{
    *changed = false;
    visit_graph(job, job->model->graph, set_value, changed);
}

/* How the file writes dimensions of inputs that are not known. */
typedef struct unknowns {
    bool zero, negative;
} unknowns;

static void forget(hw_onnx_job *job, dimension *d, void *context)
{
    const unknowns *as = context;
    (void)job;
    if (d->value_case == VALUE &&
        ((d->dim_value == 0 && as->zero) || (d->dim_value < 0 && as->negative)))
        d->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE__NOT_SET;
}

hw_code hw_onnx_dims_name(hw_onnx_job *job, hw_error *err)
{
    Onnx__GraphProto *g = job->model->graph;
    hw_onnx_names weights = {0};
    unknowns as = {0};
    hw_code code = HW_OK;
    bool is_new;
    for (size_t i = 0; code == HW_OK && i < g->n_initializer; i++)
        if (g->initializer[i]->name &&
            hw_onnx_names_add(&weights, g->initializer[i]->name, &is_new) == HW_NONE)
            code = hw_fail_memory(err, "the names of weights");
    for (size_t i = 0; code == HW_OK && i < g->n_input; i++) {
        const Onnx__TypeProto *type = g->input[i]->type;
        const char *name = g->input[i]->name ? g->input[i]->name : "";
        if (!type || type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE ||
            !type->tensor_type || !type->tensor_type->shape ||
            hw_onnx_names_find(&weights, name) != HW_NONE)
            continue;
        for (size_t k = 0; code == HW_OK && k < type->tensor_type->shape->n_dim; k++) {
            dimension *d = type->tensor_type->shape->dim[k];
            if (has_symbol(d) || (d->value_case == VALUE && d->dim_value > 0))
                continue;
            as.zero = as.zero || (d->value_case == VALUE && d->dim_value == 0);
            as.negative = as.negative || (d->value_case == VALUE && d->dim_value < 0);
            size_t room = strlen(name) + 24;
            char *symbol = HW_NEW(char, room);
            if (!symbol) {
                code = hw_fail_memory(err, "the names of dimensions");
                continue;
            }
            (void)snprintf(symbol, room, "%s[%zu]", name, k);
            if (d->value_case == SYMBOL && d->dim_param != protobuf_c_empty_string)
                free(d->dim_param);
            d->value_case = SYMBOL;
            d->dim_param = symbol;
        }
    }
    hw_onnx_names_clear(&weights);
    /* What stands for "not known" there does so elsewhere: the inference tells what it is. */
    if (as.zero || as.negative)
        visit_graph(job, g, forget, &as);
    return code;
}

static void collect(hw_onnx_job *job, dimension *d, void *context)
{
    bool is_new;
    (void)job;
    if (has_symbol(d))
        (void)hw_onnx_names_add(context, d->dim_param, &is_new);
}

enum { LIST_BYTES = 240, LIST_ROOM = LIST_BYTES - 8 };

/* The names as "'batch', 'height'", cut where the room ends.  Returns out. */
static const char *list_names(const hw_onnx_names *names, char out[LIST_BYTES])
{
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < names->n; i++) {
        char quoted[HW_QUOTE_BYTES];
        const char *text = hw_quote(names->name[i], strlen(names->name[i]), quoted);
        bool fits = at + strlen(text) + sizeof ", ''" <= LIST_ROOM;
        int added = fits ? snprintf(out + at, LIST_BYTES - at, "%s'%s'", i ? ", " : "", text)
                         : snprintf(out + at, LIST_BYTES - at, "%s...", i ? ", " : "");
        at += added > 0 ? (size_t)added : 0;
        if (!fits)
            break;
    }
    return out;
}

hw_code hw_onnx_dims_check(hw_onnx_job *job, hw_error *err)
{
    const hw_import_options *o = job->in->options;
    for (size_t i = 0; i < o->n_dims; i++) {
        if (job->dim_used[i])
            continue;
        hw_onnx_names names = {0};
        visit_graph(job, job->model->graph, collect, &names);
        for (size_t k = 0; k < o->n_dims; k++) {
            bool is_new;
            if (job->dim_used[k])
                (void)hw_onnx_names_add(&names, o->dims[k].name, &is_new);
        }
        const char *near = hw_nearest_name(o->dims[i].name, names.name, names.n);
        char all[LIST_BYTES];
        hw_code code = hw_fail(err, HW_USAGE, "there is no dimension '%s'%s%s%s", o->dims[i].name,
                               near      ? ": did you mean '"
                               : names.n ? ": the model has "
                                         : ": all dimensions of the model have values",
                               near      ? near
                               : names.n ? list_names(&names, all)
                                         : "",
                               near ? "'?" : "");
        hw_onnx_names_clear(&names);
        return code;
    }
    return HW_OK;
}
