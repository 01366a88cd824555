/* Bytes of the values of a model, and what has none.  See onnx_internal.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "import/onnx_internal.h"

static hw_code bad(const hw_onnx_value *x, hw_error *err, const char *what)
{
    return hw_fail(err, HW_BAD_INPUT, "the tensor '%.200s' %s", x->name, what);
}

static hw_code set_bytes(hw_onnx_value *x, int64_t type, uint64_t elements, bool overflows,
                         hw_error *err)
{
    const hw_onnx_element *e = hw_onnx_element_of(type);
    if (!e)
        return hw_fail(err, HW_BAD_INPUT,
                       "the tensor '%.200s' is of element type %" PRId64
                       ", which ONNX does not have",
                       x->name, type);
    if (e->bits == 0)
        return bad(x, err,
                   "holds strings, which have no size of their own: cut the model behind the "
                   "operators that read text");
    if (overflows || !hw_onnx_element_bytes(e, elements, &x->bytes))
        return bad(x, err, "has a shape of more than 2^63 - 1 bytes: the shape is damaged");
    x->element = (int32_t)type;
    x->measured = true;
    return HW_OK;
}

static hw_code of_dims(hw_onnx_value *x, const int64_t *dims, size_t n, int64_t type, hw_error *err)
{
    hw_onnx_payload p = {.elements = 1};
    for (size_t i = 0; i < n; i++)
        hw_onnx_payload_dim(&p, dims[i]);
    if (p.negative)
        return bad(x, err, "has a dimension below 0: the file is damaged");
    return set_bytes(x, type, p.elements, p.overflows, err);
}

/* A sparse weight is kept as its values and their places. */
static hw_code of_sparse(hw_onnx_value *x, hw_error *err)
{
    const Onnx__TensorProto *values = x->sparse->values, *places = x->sparse->indices;
    hw_onnx_value at = {.name = x->name};
    if (!places)
        return bad(x, err, "is sparse but has no indices: the file is damaged");
    hw_code code = of_dims(&at, places->dims, places->n_dims, places->data_type, err);
    if (code == HW_OK)
        code = of_dims(x, values->dims, values->n_dims, values->data_type, err);
    if (code == HW_OK && x->bytes > INT64_MAX - at.bytes)
        code = bad(x, err, "has more than 2^63 - 1 bytes");
    x->bytes += at.bytes;
    return code;
}

static void keep_symbol(hw_onnx_job *job, const char *name, bool of_input)
{
    size_t i = 0;
    while (i < job->n_symbols && strcmp(job->symbol[i], name) != 0)
        i++;
    if (i == HW_ONNX_MOST_SYMBOLS)
        return;
    job->of_input[i] = of_input || (i < job->n_symbols && job->of_input[i]);
    job->symbol[i] = name;
    job->n_symbols += i == job->n_symbols;
}

/* "'x' float[batch, 3, ?]", as far as there is room. */
static void tell(hw_onnx_scope *s, const hw_onnx_value *x, const Onnx__TypeProto__Tensor *t)
{
    hw_onnx_job *job = s->job;
    if (job->n_unsized++ >= HW_ONNX_MOST_TOLD)
        return;
    char *text = job->told[job->n_unsized - 1];
    const hw_onnx_element *e = t ? hw_onnx_element_of(t->elem_type) : NULL;
    const char *op = x->maker == HW_NONE ? NULL : s->graph->node[x->maker]->op_type;
    int wrote = snprintf(text, HW_ONNX_TOLD_BYTES, "'%.60s'%s%.24s %s", x->name, op ? " of " : "",
                         op ? op : "", e ? e->name : "of unknown type");
    size_t used = wrote > 0 ? (size_t)wrote : 0;
    if (!t || !t->shape) {
        (void)snprintf(text + used, HW_ONNX_TOLD_BYTES - used, "%s",
                       e ? " of unknown shape" : " and shape");
        return;
    }
    for (size_t i = 0; i < t->shape->n_dim && used + 40 < HW_ONNX_TOLD_BYTES; i++) {
        const Onnx__TensorShapeProto__Dimension *d = t->shape->dim[i];
        const char *before = i ? ", " : "[", *after = i + 1 < t->shape->n_dim ? "" : "]";
        if (d->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE)
            wrote = snprintf(text + used, HW_ONNX_TOLD_BYTES - used, "%s%" PRId64 "%s", before,
                             d->dim_value, after);
        else
            wrote = snprintf(text + used, HW_ONNX_TOLD_BYTES - used, "%s%.24s%s", before,
                             d->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM
                                 ? d->dim_param
                                 : "?",
                             after);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

static hw_code of_type(hw_onnx_scope *s, hw_onnx_value *x, hw_error *err)
{
    static const char *const kinds[] = {
        [ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE] = "is a sequence",
        [ONNX__TYPE_PROTO__VALUE_MAP_TYPE] = "is a map",
        [ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE] = "is an optional value",
        [ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE] = "is a sparse tensor",
    };
    const Onnx__TypeProto *type = x->type;
    if (type && type->value_case != ONNX__TYPE_PROTO__VALUE__NOT_SET &&
        type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
        return hw_fail(err, HW_BAD_INPUT,
                       "the tensor '%.200s' %s, whose size no type tells: cut the model so that "
                       "only plain tensors are left",
                       x->name, kinds[type->value_case]);
    const Onnx__TypeProto__Tensor *t =
        type && type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE ? type->tensor_type : NULL;
    bool whole = t && t->shape && t->elem_type != 0;
    hw_onnx_payload p = {.elements = 1};
    for (size_t i = 0; t && t->shape && i < t->shape->n_dim; i++) {
        const Onnx__TensorShapeProto__Dimension *d = t->shape->dim[i];
        if (d->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE) {
            if (d->dim_value < 0)
                return hw_fail(err, HW_BAD_INPUT,
                               "the tensor '%.200s' has the dimension %" PRId64
                               " at place %zu: a dimension is no less than 0, or has a name",
                               x->name, d->dim_value, i);
            hw_onnx_payload_dim(&p, d->dim_value);
            continue;
        }
        whole = false;
        if (d->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM && *d->dim_param)
            keep_symbol(s->job, d->dim_param, x->input && !s->around);
    }
    if (whole)
        return set_bytes(x, t->elem_type, p.elements, p.overflows, err);
    tell(s, x, t);
    return HW_OK;
}

/* The output of a Constant, out of the attribute that holds it; others: nothing happens. */
static hw_code of_constant(const hw_onnx_scope *s, hw_onnx_value *x, hw_error *err)
{
    const Onnx__NodeProto *node = s->graph->node[x->maker];
    if (strcmp(node->op_type, "Constant") != 0 || node->n_attribute != 1)
        return HW_OK;
    const Onnx__AttributeProto *a = node->attribute[0];
    const char *name = a->name ? a->name : "";
    enum { FLOAT = 1, INT64 = 7 };
    const int64_t floats = (int64_t)a->n_floats, ints = (int64_t)a->n_ints;
    if (a->t)
        return of_dims(x, a->t->dims, a->t->n_dims, a->t->data_type, err);
    if (strcmp(name, "value_float") == 0 || strcmp(name, "value_floats") == 0)
        return of_dims(x, &floats, name[11] == 's', FLOAT, err);
    if (strcmp(name, "value_int") == 0 || strcmp(name, "value_ints") == 0)
        return of_dims(x, &ints, name[9] == 's', INT64, err);
    return HW_OK;
}

/*
 * Outputs that the inference passes over in early versions of two operators,
 * and that are as large as an input by definition: the mask of Dropout, and
 * the statistics of BatchNormalization (as its fourth input, the mean).  They
 * are of the input's type then.
 */
static uint32_t same_as(const hw_onnx_scope *s, const hw_onnx_value *x)
{
    const Onnx__NodeProto *node = s->graph->node[x->maker];
    const char *op = node->op_type ? node->op_type : "";
    size_t input;
    if (node->n_output > 0 && strcmp(node->output[0], x->name) == 0)
        return HW_NONE;
    if (strcmp(op, "Dropout") == 0)
        input = 0;
    else if (strcmp(op, "BatchNormalization") == 0)
        input = 3;
    else
        return HW_NONE;
    return input < node->n_input ? hw_onnx_names_find(&s->names, node->input[input]) : HW_NONE;
}

hw_code hw_onnx_measure(hw_onnx_scope *s, hw_onnx_value *x, hw_error *err)
{
    if (x->measured || x->outside != HW_NONE)
        return HW_OK;
    if (x->weight)
        return of_dims(x, x->weight->dims, x->weight->n_dims, x->weight->data_type, err);
    if (x->sparse)
        return of_sparse(x, err);
    if (x->maker != HW_NONE) {
        hw_code code = of_constant(s, x, err);
        if (code != HW_OK || x->measured)
            return code;
    }
    if (!x->type && x->maker != HW_NONE) {
        uint32_t like = same_as(s, x);
        if (like != HW_NONE) {
            hw_onnx_value *other = &s->value[like];
            hw_code code = other->outside == HW_NONE ? hw_onnx_measure(s, other, err) : HW_OK;
            if (code != HW_OK || other->measured) {
                x->bytes = other->bytes;
                x->element = other->element;
                x->measured = other->measured;
                return code;
            }
        }
    }
    return of_type(s, x, err);
}

hw_code hw_onnx_tell_unsized(const hw_onnx_job *job, hw_error *err)
{
    char text[HW_MESSAGE_BYTES - 300], cure[400];
    size_t used = 0, told = job->n_unsized < HW_ONNX_MOST_TOLD ? job->n_unsized : HW_ONNX_MOST_TOLD;
    for (size_t i = 0; i < told && used < sizeof text; i++) {
        int wrote = snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "", job->told[i]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    size_t at = 0;
    bool of_input = false;
    for (size_t i = 0; i < job->n_symbols; i++)
        of_input = of_input || job->of_input[i];
    cure[0] = '\0';
    for (size_t i = 0; i < job->n_symbols && at < sizeof cure; i++) {
        if (of_input && !job->of_input[i])
            continue;
        int wrote = snprintf(cure + at, sizeof cure - at, "%s--dim '%s=N'",
                             at ? " " : ": give their dimensions values: ", job->symbol[i]);
        at += wrote > 0 ? (size_t)wrote : 0;
    }
    if (at == 0 && !job->no_shapes)
        (void)snprintf(cure, sizeof cure, ": give all tensors shapes (value_info) at the export");
    const char *why = job->no_shapes ? job->no_shapes : "";
    return hw_fail(err, HW_BAD_INPUT, "%zu tensors have no size: %s%s%s%s%s", job->n_unsized, text,
                   job->n_unsized > told ? ", ..." : "", cure, *why ? "; " : "", why);
}
