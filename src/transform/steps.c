/* The table of steps.  See steps.h. */
#include "transform/steps.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "transform/leave_out.h"
#include "transform/relabel.h"
#include "transform/sources.h"

/* ---- Fusion. ---- */

enum { FUSE_RESIDUAL, FUSE_ATTENTION, FUSE_MOST };

static const hw_param_row fuse_params[] = {
    {"residual", HW_PARAM_BOOL, 0, 1, 0, NULL,
     "the addition of another branch goes with the convolution before it"},
    {"attention", HW_PARAM_BOOL, 0, 1, 0, NULL,
     "scores, softmax and weighted sum of attention go together"},
    {"most", HW_PARAM_INT, 2, 4096, 256, NULL, "most nodes that become one"},
};

static hw_code fuse(const hw_graph *g, const hw_param_value *values, const hw_step_context *context,
                    hw_graph **out, hw_error *err)
{
    hw_patterns *own = NULL;
    const hw_patterns *patterns = context->patterns;
    if (!patterns) {
        own = hw_fuse_patterns((values[FUSE_RESIDUAL].i ? HW_FUSE_RESIDUAL : 0) |
                               (values[FUSE_ATTENTION].i ? HW_FUSE_ATTENTION : 0));
        if (!own)
            return hw_fail_memory(err, "patterns of fusion");
        patterns = own;
    }
    hw_fusion *f = NULL;
    hw_code code = hw_fuse_plan(g, patterns, context->operators, (uint32_t)values[FUSE_MOST].i,
                                context->stop, &f, err);
    if (code == HW_OK)
        code = hw_fuse(g, f, out, err);
    if (code == HW_OK && context->fused)
        code = context->fused(context->context, g, f, *out, patterns, err);
    hw_fusion_free(f);
    hw_patterns_free(own);
    return code;
}

/* ---- Sources. ---- */

static const hw_param_row place_params[] = {
    {"place", HW_PARAM_CHOICE, 0, 0, 0, "use|start",
     "in the source: right before the first use, or before all nodes"},
};

static hw_code split_constants(const hw_graph *g, const hw_param_value *values,
                               const hw_step_context *context, hw_graph **out, hw_error *err)
{
    (void)context;
    return hw_add_sources(g, HW_CONSTANT, "load-constant",
                          values[0].i ? HW_AT_START : HW_BEFORE_USE, out, err);
}

static hw_code live_constants(const hw_graph *g, const hw_param_value *values,
                              const hw_step_context *context, hw_graph **out, hw_error *err)
{
    (void)values, (void)context;
    return hw_live_constants(g, out, err);
}

static hw_code stage_in(const hw_graph *g, const hw_param_value *values,
                        const hw_step_context *context, hw_graph **out, hw_error *err)
{
    (void)context;
    return hw_add_sources(g, HW_INPUT, "stage-in", values[0].i ? HW_AT_START : HW_BEFORE_USE, out,
                          err);
}

/* ---- Labels. ---- */

enum { RELABEL_IDS, RELABEL_ORDER, RELABEL_NAMES };

static const hw_param_row relabel_params[] = {
    {"ids", HW_PARAM_CHOICE, 0, 0, 0, "dense|random", "0, 1, 2, ... as things stand, or shuffled"},
    {"order", HW_PARAM_CHOICE, 0, 0, 0, "keep|random",
     "of the nodes: as it is, or a random topological one; --order gives another"},
    {"names", HW_PARAM_CHOICE, 0, 0, 0, "keep|drop", "of nodes and tensors"},
};

static hw_code relabel(const hw_graph *g, const hw_param_value *values,
                       const hw_step_context *context, hw_graph **out, hw_error *err)
{
    uint32_t *order = HW_NEW(uint32_t, g->n_nodes);
    hw_relabel_options options = {.random_ids = values[RELABEL_IDS].i,
                                  .drop_names = values[RELABEL_NAMES].i,
                                  .seed = context->seed};
    hw_code code = order ? HW_OK : hw_fail_memory(err, "an order");
    if (code == HW_OK && context->order) {
        code = context->order(context->context, g, order, err);
        options.order = order;
    } else if (code == HW_OK && values[RELABEL_ORDER].i) {
        code = hw_random_order(g, context->seed, order, err);
        options.order = order;
    }
    if (code == HW_OK)
        code = hw_relabel(g, &options, out, err);
    free(order);
    return code;
}

/* ---- Parts of the model left out. ---- */

static const hw_param_row view_params[] = {
    {"outputs", HW_PARAM_CHOICE, 0, 0, 0, "copies|nothing",
     "copies: of the size that they have; nothing: 0 bytes, so that what they show dies too soon"},
};

static hw_code strip_views(const hw_graph *g, const hw_param_value *values,
                           const hw_step_context *context, hw_graph **out, hw_error *err)
{
    (void)context;
    return values[0].i ? hw_empty_views(g, out, err) : hw_graph_strip(g, true, false, out, err);
}

static hw_code strip_inplace(const hw_graph *g, const hw_param_value *values,
                             const hw_step_context *context, hw_graph **out, hw_error *err)
{
    (void)values, (void)context;
    return hw_graph_strip(g, false, true, out, err);
}

static hw_code strip_windows(const hw_graph *g, const hw_param_value *values,
                             const hw_step_context *context, hw_graph **out, hw_error *err)
{
    (void)values, (void)context;
    return hw_strip_ties(g, true, false, out, err);
}

static hw_code strip_locks(const hw_graph *g, const hw_param_value *values,
                           const hw_step_context *context, hw_graph **out, hw_error *err)
{
    (void)values, (void)context;
    return hw_strip_ties(g, false, true, out, err);
}

#define PARAMS(rows) .params = (rows), .n_params = sizeof(rows) / sizeof(rows)[0]

const hw_step_row hw_step_rows[] = {
    {.name = "fuse",
     .help = "join chains that a backend runs as one kernel; what is between vanishes",
     PARAMS(fuse_params),
     .fuses = true,
     .run = fuse},
    {.name = "split-constants",
     .help = "a node loads each constant, which is freed after its last use",
     PARAMS(place_params),
     .run = split_constants},
    {.name = "live-constants",
     .help = "constants become inputs: alive from the start to their last use",
     .run = live_constants},
    {.name = "stage-in",
     .help = "a node brings in each input",
     PARAMS(place_params),
     .run = stage_in},
    {.name = "relabel",
     .help = "other ids, another source order, no names",
     PARAMS(relabel_params),
     .takes_order = true,
     .run = relabel},
    {.name = "strip-views",
     .help = "views become ordinary nodes with outputs of their own",
     PARAMS(view_params),
     .run = strip_views},
    {.name = "strip-inplace", .help = "in-place pairs go", .run = strip_inplace},
    {.name = "strip-windows", .help = "windows go", .run = strip_windows},
    {.name = "strip-locks", .help = "no node is locked", .run = strip_locks},
};
const size_t hw_n_steps = sizeof hw_step_rows / sizeof hw_step_rows[0];

hw_code hw_step_parse(const char *text, hw_step *out, hw_error *err)
{
    const char *names[sizeof hw_step_rows / sizeof hw_step_rows[0]];
    size_t length = strcspn(text, ":");
    char name[64];
    *out = (hw_step){0};
    for (size_t i = 0; i < hw_n_steps; i++) {
        names[i] = hw_step_rows[i].name;
        if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0)
            out->row = &hw_step_rows[i];
    }
    if (out->row)
        return hw_params_of_spec("step", out->row->params, out->row->n_params, text, out->values,
                                 err);
    size_t kept = length < sizeof name ? length : sizeof name - 1;
    memcpy(name, text, kept);
    name[kept] = '\0';
    const char *near = hw_nearest_name(name, names, hw_n_steps);
    return hw_fail(err, HW_USAGE,
                   "no step is named '%s'%s%s%s `highwater transform --help` shows all", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ":");
}

hw_code hw_step_run(const hw_step *step, const hw_graph *g, const hw_step_context *context,
                    hw_graph **out, hw_error *err)
{
    *out = NULL;
    hw_code code = step->row->run(g, step->values, context, out, err);
    if (code == HW_OK)
        return HW_OK;
    hw_graph_free(*out);
    *out = NULL;
    if (code == HW_BAD_INPUT)
        hw_error_prefix(err, "step %s: ", step->row->name);
    return code;
}
