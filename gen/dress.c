/* From a bare DAG to a graph.  See dress.h. */
#include "gen/dress.h"

#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "gen/draw.h"
#include "model/builder.h"

/* In the order of HW_SIZE_LAWS. */
enum { LAW_CONSTANT, LAW_UNIFORM, LAW_LOGNORMAL, LAW_PARETO, LAW_BIMODAL };
enum { OUTPUTS_KEPT, OUTPUTS_DISCARDED };
enum { INPUTS_NONE, INPUTS_OWN, INPUTS_SHARED };

static uint64_t whole_size(double size)
{
    if (!(size < HW_MOST_SIZE))
        return HW_MOST_SIZE;
    return size < 1 ? 1 : (uint64_t)llround(size);
}

static uint64_t draw_size(const hw_param_value *p, int64_t law, gsl_rng *rng)
{
    uint64_t low = (uint64_t)p[HW_DRESS_LOW].i, high = (uint64_t)p[HW_DRESS_HIGH].i;
    double sigma = p[HW_DRESS_SIGMA].r;
    switch (law) {
    case LAW_UNIFORM:
        return low + hw_rng_below(rng, high - low + 1);
    case LAW_LOGNORMAL:
        return whole_size(gsl_ran_lognormal(rng, log((double)p[HW_DRESS_MEDIAN].i), sigma));
    case LAW_PARETO:
        return whole_size(gsl_ran_pareto(rng, p[HW_DRESS_ALPHA].r, (double)low));
    case LAW_BIMODAL: {
        double peak = (double)(hw_draw_chance(rng, p[HW_DRESS_MIX].r) ? high : low);
        return whole_size(gsl_ran_lognormal(rng, log(peak), sigma / 4));
    }
    default:
        return (uint64_t)p[HW_DRESS_MEDIAN].i;
    }
}

hw_code hw_dress_check(const hw_param_value *values, hw_error *err)
{
    int64_t low = values[HW_DRESS_LOW].i, high = values[HW_DRESS_HIGH].i;
    if (low > high)
        return hw_fail(err, HW_USAGE,
                       "low=%" PRId64 " is above high=%" PRId64 ": give low at most high", low,
                       high);
    return HW_OK;
}

/* A dressing under way: numbering of tensors and rows of inputs. */
typedef struct dressing {
    const hw_dag *dag;
    const hw_param_value *p;
    gsl_rng *rng;
    hw_builder *builder;
    uint64_t *first;     /* by node: id of its first output               */
    uint64_t *input;     /* by edge: tensor ids, grouped by consumer      */
    size_t *input_row;   /* by node: where its inputs begin; n + 1        */
    uint32_t *n_outputs; /* by node                                       */
    uint64_t *size;      /* by tensor                                     */
    uint64_t *id;        /* 0, 1, 2, ...: outputs of a node are a slice   */
    uint64_t n_tensors;
} dressing;

static void dressing_free(dressing *w)
{
    hw_builder_free(w->builder);
    free(w->first);
    free(w->input);
    free(w->input_row);
    free(w->n_outputs);
    free(w->size);
    free(w->id);
}

static bool is_source(const dressing *w, uint32_t v)
{
    return w->input_row[v] == w->input_row[v + 1];
}

/* Count outputs and inputs of every node; tensors get their ids node by node:
 * the node's own graph input, if any, then its outputs.  False: no memory. */
static bool number(dressing *w)
{
    const hw_dag *d = w->dag;
    bool share = w->p[HW_DRESS_SHARE].i;
    int64_t inputs = w->p[HW_DRESS_INPUTS].i;
    w->first = HW_NEW(uint64_t, d->n);
    w->n_outputs = HW_NEW0(uint32_t, d->n);
    w->input_row = HW_NEW0(size_t, (size_t)d->n + 1);
    w->input = HW_NEW(uint64_t, d->m);
    if (!w->first || !w->n_outputs || !w->input_row || !w->input)
        return false;
    for (size_t i = 0; i < d->m; i++) {
        w->n_outputs[d->edge[i].from]++;
        w->input_row[d->edge[i].to + 1]++;
    }
    for (uint32_t v = 0; v < d->n; v++)
        w->input_row[v + 1] += w->input_row[v];

    uint64_t next = inputs == INPUTS_SHARED;
    for (uint32_t v = 0; v < d->n; v++) {
        next += inputs == INPUTS_OWN && is_source(w, v);
        w->first[v] = next;
        next += share || !w->n_outputs[v] ? 1 : w->n_outputs[v];
    }
    w->n_tensors = next;

    size_t *at = hw_copy(w->input_row, d->n, sizeof *at);
    w->size = HW_NEW0(uint64_t, next);
    w->id = HW_NEW(uint64_t, next);
    if (!at || !w->size || !w->id) {
        free(at);
        return false;
    }
    for (uint64_t t = 0; t < next; t++)
        w->id[t] = t;
    uint64_t t = 0;
    for (size_t i = 0; i < d->m; i++) { /* sorted by producer: so is every row */
        hw_edge e = d->edge[i];
        bool again = i && d->edge[i - 1].from == e.from;
        t = !again ? w->first[e.from] : share ? t : t + 1;
        w->input[at[e.to]++] = t;
    }
    free(at);
    return true;
}

static hw_code add_node(dressing *w, uint32_t v, hw_error *err)
{
    const hw_param_value *p = w->p;
    const int64_t law = p[HW_DRESS_SIZES].i;
    const bool sink = w->n_outputs[v] == 0;
    uint64_t own, pair[2];
    hw_node_spec spec = {
        .id = v,
        .op = w->dag->op ? w->dag->op[v] : NULL,
        .inputs = w->input + w->input_row[v],
        .n_inputs = w->input_row[v + 1] - w->input_row[v],
        .outputs = w->id + w->first[v],
        .n_outputs = p[HW_DRESS_SHARE].i || sink ? 1 : w->n_outputs[v],
        .inplace = pair,
    };
    if (is_source(w, v) && p[HW_DRESS_INPUTS].i != INPUTS_NONE) {
        own = p[HW_DRESS_INPUTS].i == INPUTS_OWN ? w->first[v] - 1 : 0;
        spec.inputs = &own;
        spec.n_inputs = 1;
        if (p[HW_DRESS_INPUTS].i == INPUTS_OWN) {
            w->size[own] = draw_size(p, law, w->rng);
            hw_code code = hw_builder_tensor(w->builder, own, w->size[own], HW_INPUT, NULL, err);
            if (code != HW_OK)
                return code;
        }
    }
    spec.view = spec.n_inputs && hw_draw_chance(w->rng, p[HW_DRESS_VIEWS].r);
    hw_kind kind = sink && p[HW_DRESS_OUTPUTS].i == OUTPUTS_KEPT ? HW_OUTPUT : HW_ACTIVATION;
    for (size_t i = 0; i < spec.n_outputs; i++) {
        uint64_t t = spec.outputs[i];
        w->size[t] = spec.view ? w->size[spec.inputs[0]] : draw_size(p, law, w->rng);
        hw_code code = hw_builder_tensor(w->builder, t, w->size[t], kind, NULL, err);
        if (code != HW_OK)
            return code;
    }
    if (hw_draw_chance(w->rng, p[HW_DRESS_WORKSPACE].r))
        spec.workspace = draw_size(p, p[HW_DRESS_WORKSPACE_SIZES].i, w->rng);
    if (spec.n_inputs && !spec.view && hw_draw_chance(w->rng, p[HW_DRESS_INPLACE].r)) {
        pair[0] = spec.inputs[hw_rng_below(w->rng, spec.n_inputs)];
        pair[1] = spec.outputs[0];
        spec.n_inplace = 1;
    }
    return hw_builder_node(w->builder, &spec, err);
}

static hw_code dress(dressing *w, hw_graph **out, hw_error *err)
{
    if (!number(w))
        return hw_fail_memory(err, "the tensors of a generated graph");
    w->builder = hw_builder_new();
    if (!w->builder)
        return hw_fail_memory(err, "a generated graph");
    hw_code code = hw_builder_reserve(w->builder, w->n_tensors, w->dag->n, err);
    if (code == HW_OK && w->p[HW_DRESS_INPUTS].i == INPUTS_SHARED) {
        w->size[0] = draw_size(w->p, w->p[HW_DRESS_SIZES].i, w->rng);
        code = hw_builder_tensor(w->builder, 0, w->size[0], HW_INPUT, NULL, err);
    }
    for (uint32_t v = 0; code == HW_OK && v < w->dag->n; v++)
        code = add_node(w, v, err);
    return code == HW_OK ? hw_builder_finish(w->builder, out, err) : code;
}

hw_code hw_dress(hw_dag *d, const hw_param_value *values, gsl_rng *rng, hw_graph **out,
                 hw_error *err)
{
    hw_code code = hw_dress_check(values, err);
    if (code == HW_OK)
        code = hw_dag_sort(d, err);
    if (code != HW_OK)
        return code;
    dressing w = {.dag = d, .p = values, .rng = rng};
    code = dress(&w, out, err);
    dressing_free(&w);
    return code;
}
