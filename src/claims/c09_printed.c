/*
 * C09: the printed simulation gives the peak of an order.
 *
 * The listing of section 3.3 to the letter against the independent checker,
 * on random graphs with one feature at a time, in orders of several rules,
 * under both accountings.  Where they differ, the smallest graph is kept.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "claims/printed.h"
#include "claims/tools.h"
#include "core/memory.h"
#include "core/rng.h"
#include "model/builder.h"

/* What is done to a plain graph. */
typedef enum twist { AS_DRAWN, OUTPUT_READ, NAMED_TWICE, READS_CONSTANTS } twist;

static const struct feature {
    const char *name, *file, *params; /* of the families; file: of the example */
    twist twist;
} features[] = {
    {"plain: results kept, nothing else", "plain", "", AS_DRAWN},
    {"tensors without consumers that nobody keeps", "dead-outputs", ",outputs=discarded", AS_DRAWN},
    {"inputs of the graph", "inputs", ",inputs=own", AS_DRAWN},
    {"results that are read as well", "results-read", "", OUTPUT_READ},
    {"a tensor named twice by one node", "named-twice", "", NAMED_TWICE},
    {"views", "views", ",views=0.4", AS_DRAWN},
    {"in-place operators", "in-place", ",inplace=0.6", AS_DRAWN},
    {"workspace", "workspace", ",workspace=0.5", AS_DRAWN},
    {"constants", "constants", "", READS_CONSTANTS},
};
enum { N_FEATURES = sizeof features / sizeof features[0] };

static const char *const families[] = {"erdos:degree=1.5", "layered:degree=2", "tree:direction=in"};
static const char *const rules[] = {"source", "level", "dfs", "greedy", "by-output"};
static const uint32_t nodes[] = {4, 8, 16};
enum {
    N_FAMILIES = sizeof families / sizeof families[0],
    N_RULES = sizeof rules / sizeof rules[0],
    N_NODES = sizeof nodes / sizeof nodes[0]
};

hw_code hw_claim_c09(hw_claim_run *run, hw_error *err);

typedef struct counts {
    uint64_t n, right[2], low[2], high[2]; /* by accounting          */
    uint64_t right_by_use[2];              /* consumers a use each   */
    uint32_t nodes;                        /* of the smallest example */
    char spec[96], rule[16];
    uint32_t index;
    uint64_t said, is;
} counts;

/* ---- Graphs. ---- */

static hw_code copy_tensors(const hw_graph *g, twist how, gsl_rng *rng, hw_builder *b,
                            hw_error *err)
{
    hw_code code = HW_OK;
    for (uint32_t t = 0; code == HW_OK && t < g->n_tensors; t++) {
        hw_kind kind = (hw_kind)g->tensor_kind[t];
        if (how == OUTPUT_READ && kind == HW_ACTIVATION && hw_rng_below(rng, 3) == 0)
            kind = HW_OUTPUT;
        code = hw_builder_tensor(b, t, g->tensor_size[t], kind, NULL, err);
    }
    for (uint32_t v = 0; code == HW_OK && how == READS_CONSTANTS && v < g->n_nodes; v++)
        code = hw_builder_tensor(b, g->n_tensors + (uint64_t)v, 1 + hw_rng_below(rng, 100),
                                 HW_CONSTANT, NULL, err);
    return code;
}

/* Every other node names its first input twice, or reads a constant of its own. */
static hw_code copy_nodes(const hw_graph *g, twist how, gsl_rng *rng, hw_builder *b, hw_error *err)
{
    uint64_t *item = HW_NEW(uint64_t, (size_t)2 * g->n_tensors + 1);
    hw_code code = item ? HW_OK : hw_fail_memory(err, "inputs");
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++) {
        size_t n_in = 0, n_out = 0;
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
            item[n_in++] = g->inputs.item[i];
        bool chosen = hw_rng_below(rng, 2) == 0;
        if (how == NAMED_TWICE && chosen && n_in > 0)
            item[n_in++] = item[0];
        if (how == READS_CONSTANTS && chosen)
            item[n_in++] = g->n_tensors + (uint64_t)v;
        for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
            item[n_in + n_out++] = g->outputs.item[i];
        hw_node_spec spec = {
            .id = v, .inputs = item, .n_inputs = n_in, .outputs = item + n_in, .n_outputs = n_out};
        code = hw_builder_node(b, &spec, err);
    }
    free(item);
    return code;
}

static hw_code twisted(const hw_graph *g, twist how, uint64_t seed, hw_graph **out, hw_error *err)
{
    hw_builder *b = hw_builder_new();
    gsl_rng *rng = hw_rng_new(seed);
    hw_code code = b && rng ? hw_builder_describe(b, g->name, g->source, g->unit, err)
                            : hw_fail_memory(err, "a graph");
    if (code == HW_OK)
        code = copy_tensors(g, how, rng, b, err);
    if (code == HW_OK)
        code = copy_nodes(g, how, rng, b, err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    if (rng)
        gsl_rng_free(rng);
    hw_builder_free(b);
    return code;
}

static hw_code make_graph(const hw_claim_run *run, const char *spec, uint32_t index, twist how,
                          hw_graph **out, hw_error *err)
{
    hw_graph *plain = NULL;
    *out = NULL;
    hw_code code = hw_claim_generate(spec, hw_claim_seed(run), index, &plain, err);
    if (code != HW_OK || how == AS_DRAWN) {
        *out = plain;
        return code;
    }
    code = twisted(plain, how, hw_claim_seed(run) + index, out, err);
    hw_graph_free(plain);
    return code;
}

/* ---- Comparing. ---- */

static hw_code compare(hw_claim_run *run, const hw_graph *g, const char *rule, counts *c,
                       const char *spec, uint32_t index, hw_error *err)
{
    hw_model *m[2] = {NULL, NULL};
    hw_answer a = {0};
    uint64_t said = 0, said_by_use = 0, is = 0;
    hw_code code = hw_claim_models(g, m, err);
    if (code == HW_OK)
        code = hw_claim_solve(run, m[0], rule, NULL, &a, err);
    if (code == HW_OK)
        code = hw_printed_peak(g, a.order, false, &said, err);
    if (code == HW_OK)
        code = hw_printed_peak(g, a.order, true, &said_by_use, err);
    for (int k = 0; code == HW_OK && k < 2; k++) {
        code = hw_claim_order_peak(m[k], a.order, &is, err);
        c->right[k] += said == is;
        c->right_by_use[k] += said_by_use == is;
        c->low[k] += said < is;
        c->high[k] += said > is;
    }
    c->n++;
    /* `is` is that of free-first, which the listing means. */
    if (code == HW_OK && said != is && (c->nodes == 0 || g->n_nodes < c->nodes)) {
        c->nodes = g->n_nodes;
        c->index = index;
        c->said = said;
        c->is = is;
        (void)snprintf(c->spec, sizeof c->spec, "%s", spec);
        (void)snprintf(c->rule, sizeof c->rule, "%s", rule);
    }
    hw_answer_clear(&a);
    hw_claim_models_free(m);
    return code;
}

static hw_code try_feature(hw_claim_run *run, size_t f, counts *c, hw_error *err)
{
    uint32_t each = hw_claim_effort(run, 10, 100);
    hw_code code = HW_OK;
    for (size_t k = 0; k < N_NODES; k++)
        for (size_t j = 0; j < N_FAMILIES; j++)
            for (uint32_t i = 0; code == HW_OK && i < each; i++) {
                char spec[96];
                hw_graph *g = NULL;
                (void)snprintf(spec, sizeof spec, "%s,n=%u%s", families[j], (unsigned)nodes[k],
                               features[f].params);
                code = make_graph(run, spec, i, features[f].twist, &g, err);
                for (size_t r = 0; code == HW_OK && r < N_RULES; r++)
                    code = compare(run, g, rules[r], c, spec, i, err);
                hw_graph_free(g);
            }
    return code;
}

/* The smallest graph on which the listing is wrong, with the peak that the rule's order has. */
static hw_code show(hw_claim_run *run, size_t f, const counts *c, hw_error *err)
{
    hw_graph *g = NULL;
    hw_model *m[2] = {NULL, NULL};
    hw_code code = make_graph(run, c->spec, c->index, features[f].twist, &g, err);
    if (code == HW_OK)
        code = hw_claim_models(g, m, err);
    if (code == HW_OK)
        code = hw_claim_example(run, features[f].file, g, err);
    if (code == HW_OK)
        code = hw_claim_shows(run, m[HW_FREE_FIRST], c->rule, c->is, err);
    hw_claim_models_free(m);
    hw_graph_free(g);
    return code;
}

static double per_cent(uint64_t k, uint64_t n)
{
    return n > 0 ? 100 * (double)k / (double)n : 0;
}

static hw_code tell(hw_claim_run *run, size_t f, const counts *c, hw_error *err)
{
    char name[60], example[120] = "";
    if (c->nodes > 0)
        (void)snprintf(example, sizeof example,
                       "; %u nodes, %s order: it says %" PRIu64 ", the peak is %" PRIu64,
                       (unsigned)c->nodes, c->rule, c->said, c->is);
    hw_code code = hw_claim_reading(
        run, features[f].name, c->right[HW_FREE_FIRST] == c->n, err,
        "right on %.1f %% free-first (too low on %.1f %%, too high on %.1f %%), on %.1f %% "
        "alloc-first; counting a consumer for each use, on %.1f %% free-first%s",
        per_cent(c->right[HW_FREE_FIRST], c->n), per_cent(c->low[HW_FREE_FIRST], c->n),
        per_cent(c->high[HW_FREE_FIRST], c->n), per_cent(c->right[HW_ALLOC_FIRST], c->n),
        per_cent(c->right_by_use[HW_FREE_FIRST], c->n), example);
    (void)snprintf(name, sizeof name, "right-%s", features[f].file);
    if (code == HW_OK)
        code = hw_claim_number(run, name, (double)c->right[HW_FREE_FIRST] / (double)c->n, "share",
                               err);
    if (code == HW_OK && c->nodes > 0)
        code = show(run, f, c, err);
    return code;
}

hw_code hw_claim_c09(hw_claim_run *run, hw_error *err)
{
    counts c[N_FEATURES];
    char breaks[300] = "";
    size_t length = 0, n_right = 0;
    bool plain = false;
    hw_code code = HW_OK;
    memset(c, 0, sizeof c);
    for (size_t f = 0; code == HW_OK && f < N_FEATURES; f++) {
        code = try_feature(run, f, &c[f], err);
        if (code == HW_OK)
            code = tell(run, f, &c[f], err);
        bool right = c[f].n > 0 && c[f].right[HW_FREE_FIRST] == c[f].n;
        plain = plain || (f == 0 && right);
        n_right += right;
        if (!right && length < sizeof breaks)
            length += (size_t)snprintf(breaks + length, sizeof breaks - length, "%s%s",
                                       length ? ", " : "", features[f].name);
    }
    double alloc = per_cent(c[0].right[HW_ALLOC_FIRST], c[0].n);
    if (code == HW_OK)
        code = hw_claim_number(run, "right-plain-alloc-first", alloc / 100, "share", err);
    bool holds = n_right == N_FEATURES && c[0].right[HW_ALLOC_FIRST] == c[0].n;
    if (code == HW_OK && plain && !holds)
        code = hw_claim_condition(run, err, "memory is counted free-first and the graph has no %s",
                                  breaks);
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(run,
                             holds   ? HW_VERDICT_HOLDS
                             : plain ? HW_VERDICT_HOLDS_ONLY_IF
                                     : HW_VERDICT_FAILS,
                             err,
                             "On plain graphs it gives the free-first peak of %.1f %% and the "
                             "alloc-first peak of %.1f %% of %" PRIu64
                             " orders; %zu of %d features break it",
                             per_cent(c[0].right[HW_FREE_FIRST], c[0].n), alloc, c[0].n,
                             N_FEATURES - n_right, N_FEATURES);
}
