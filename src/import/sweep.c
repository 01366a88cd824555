/* One graph at several sizes.  See sweep.h. */
#include "import/sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "core/text_stream.h"
#include "gen/family.h"
#include "import/scale.h"

struct hw_sweep {
    hw_sweep_request request;
    hw_import_options options; /* of a file: with the dimensions at one value */
    const hw_family_row *family;
    hw_param_value *values; /* of a family */
    hw_graph *base;         /* with a rule: as the source has it */
    hw_scale scale;
    hw_graph *first;
    hw_operators *operators; /* own; NULL: the caller's */
};

static hw_code set_parameter(const hw_sweep *s, const char *name, uint64_t value,
                             hw_param_value *values, hw_error *err)
{
    char owner[80], text[32];
    (void)snprintf(owner, sizeof owner, "family %s", s->family->name);
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    return hw_params_set(s->family->params, s->family->n_params, owner, name, text, values, err);
}

/* The source at one value; has_value: false, as it stands. */
static hw_code generate(const hw_sweep *s, bool has_value, uint64_t value, hw_graph **out,
                        hw_error *err)
{
    const hw_sweep_axis *axis = s->request.axis;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_code code = HW_OK;
    memcpy(values, s->values, sizeof values);
    for (size_t i = 0; i < s->options.n_dims && code == HW_OK; i++)
        code = set_parameter(s, s->options.dims[i].name, s->options.dims[i].value, values, err);
    for (size_t i = 0; has_value && i < axis->n_names && code == HW_OK; i++)
        code = set_parameter(s, axis->name[i], value, values, err);
    hw_graph *g = NULL;
    if (code == HW_OK)
        code = hw_generate(s->family, values, s->request.seed, s->request.index, &g, err);
    if (code == HW_OK)
        code = hw_import_apply(&g, &s->options, false, NULL, err);
    if (code != HW_OK)
        hw_graph_free(g);
    else
        *out = g;
    return code;
}

static hw_code read_file(const hw_sweep *s, bool has_value, uint64_t value,
                         hw_import_report *report, hw_graph **out, hw_error *err)
{
    const hw_sweep_axis *axis = s->request.axis;
    hw_import_options options = s->options;
    size_t n = options.n_dims;
    hw_dim *dims = HW_NEW(hw_dim, n + axis->n_names);
    if (!dims)
        return hw_fail_memory(err, "the dimensions of a graph");
    if (n)
        memcpy(dims, options.dims, n * sizeof *dims);
    for (size_t i = 0; has_value && i < axis->n_names; i++)
        dims[n++] = (hw_dim){.name = axis->name[i], .value = value};
    options.dims = dims;
    options.n_dims = n;
    hw_code code = hw_import_load(s->request.source, &options, report, out, err);
    free(dims);
    return code;
}

static hw_code take(const hw_sweep *s, bool has_value, uint64_t value, hw_import_report *report,
                    hw_graph **out, hw_error *err)
{
    return s->family ? generate(s, has_value, value, out, err)
                     : read_file(s, has_value, value, report, out, err);
}

/* "unet resolution=512" */
static hw_code rename_at(const hw_sweep *s, uint64_t value, hw_graph *g, hw_error *err)
{
    char *name = NULL;
    size_t size = 0;
    FILE *out = hw_text_stream(&name, &size);
    if (!out)
        return hw_fail_memory(err, "the name of a graph");
    (void)fprintf(out, "%s", g->name);
    for (size_t i = 0; i < s->request.axis->n_names; i++)
        (void)fprintf(out, " %s=%" PRIu64, s->request.axis->name[i], value);
    bool whole = !ferror(out);
    whole = fclose(out) == 0 && whole;
    hw_code code = whole ? hw_graph_rename(g, name, g->source, err)
                         : hw_fail_memory(err, "the name of a graph");
    free(name);
    return code;
}

static hw_code make(const hw_sweep *s, size_t i, hw_import_report *report, hw_graph **out,
                    hw_error *err)
{
    const hw_sweep_request *r = &s->request;
    uint64_t value = r->axis->value[i];
    hw_code code;
    *out = NULL;
    if (s->base)
        code = hw_scale_graph(s->base, &s->scale, r->base ? r->base : r->axis->value[0], value, out,
                              err);
    else
        code = take(s, true, value, report, out, err);
    if (code == HW_OK)
        code = rename_at(s, value, *out, err);
    if (code != HW_OK) {
        if (code == HW_BAD_INPUT || code == HW_USAGE)
            hw_error_prefix(err, "%s=%" PRIu64 ": ", r->axis->name[0], value);
        hw_graph_free(*out);
        *out = NULL;
    }
    return code;
}

/* What varies cannot be fixed as well. */
static hw_code check_dims(const hw_sweep *s, hw_error *err)
{
    const hw_sweep_axis *axis = s->request.axis;
    for (size_t i = 0; i < s->options.n_dims; i++)
        for (size_t k = 0; k < axis->n_names; k++)
            if (strcmp(s->options.dims[i].name, axis->name[k]) == 0)
                return hw_fail(err, HW_USAGE,
                               "dimension %s is given one value and several: leave out one of the "
                               "two",
                               axis->name[k]);
    return HW_OK;
}

static hw_code find_source(hw_sweep *s, hw_error *err)
{
    const char *source = s->request.source;
    struct stat about;
    bool standard = strcmp(source, "-") == 0;
    bool is_file = standard || stat(source, &about) == 0;
    bool is_pipe = standard || (is_file && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
    if (is_pipe && !s->request.scale && s->request.axis->n_values > 1)
        return hw_fail(err, HW_USAGE,
                       "%s cannot be read once for each size: give a file, or a rule of growth",
                       standard ? "standard input" : source);
    if (is_file || !hw_family_find(source, strcspn(source, ":")))
        return HW_OK;
    s->values = HW_NEW(hw_param_value, HW_PARAM_LIMIT);
    if (!s->values)
        return hw_fail_memory(err, "the parameters of a family");
    return hw_family_parse(source, &s->family, s->values, err);
}

static hw_code own_operators(hw_sweep *s, hw_error *err)
{
    if (s->options.operators)
        return HW_OK;
    s->operators = hw_operators_new();
    s->options.operators = s->operators;
    return s->operators ? HW_OK : hw_fail_memory(err, "the table of operators");
}

hw_code hw_sweep_open(const hw_sweep_request *request, hw_import_report *report, hw_sweep **out,
                      hw_error *err)
{
    *out = NULL;
    hw_sweep *s = HW_NEW0(hw_sweep, 1);
    if (!s)
        return hw_fail_memory(err, "a graph at several sizes");
    s->request = *request;
    if (request->options)
        s->options = *request->options;
    hw_import_report unread = {0}, *to = report ? report : &unread;
    hw_code code = own_operators(s, err);
    if (code == HW_OK)
        code = check_dims(s, err);
    if (code == HW_OK)
        code = find_source(s, err);
    if (code == HW_OK && request->scale)
        code = take(s, false, 0, to, &s->base, err);
    if (code == HW_OK && request->scale)
        code = hw_scale_new(s->base, request->scale, request->seed, &s->scale, err);
    if (code == HW_OK)
        code = make(s, 0, to, &s->first, err);
    hw_import_report_clear(&unread);
    if (code == HW_OK)
        *out = s;
    else
        hw_sweep_close(s);
    return code;
}

void hw_sweep_close(hw_sweep *s)
{
    if (!s)
        return;
    free(s->values);
    hw_scale_clear(&s->scale);
    hw_graph_free(s->base);
    hw_graph_free(s->first);
    hw_operators_free(s->operators);
    free(s);
}

const hw_graph *hw_sweep_first(const hw_sweep *s)
{
    return s->first;
}

hw_code hw_sweep_graph(const hw_sweep *s, size_t i, hw_graph **out, hw_error *err)
{
    const hw_sweep_axis *axis = s->request.axis;
    char difference[HW_SWEEP_DIFFERENCE];
    hw_import_report unread = {0};
    hw_code code = make(s, i, &unread, out, err);
    hw_import_report_clear(&unread);
    if (code != HW_OK || hw_sweep_same(s->first, *out, difference))
        return code;
    hw_graph_free(*out);
    *out = NULL;
    return hw_fail(err, HW_BAD_INPUT,
                   "the graphs at %s=%" PRIu64 " and %" PRIu64
                   " differ in more than sizes: %s; leave out the sizes where it changes",
                   axis->name[0], axis->value[0], axis->value[i], difference);
}
