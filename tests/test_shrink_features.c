/*
 * Shrinking graphs with everything that the model knows: what is still there is
 * needed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/io.h"
#include "model/builder.h"
#include "support_random.h"
#include "support_shrink.h"
#include "support_sanitized.h"

static const char *const rules[] = {"greedy", "level", "dfs", "by-output", "lpmf", "xla-list"};
enum { N_RULES = sizeof rules / sizeof rules[0] };

/* ---- Graphs with everything in them. ---- */

/* One thing to leave out, and whether it was there. */
typedef struct change {
    uint32_t node, at; /* a node; or of its inputs or pairs, or of all control edges, the one at */
    enum { NOTHING, FLAG, WINDOW, WORKSPACE, PAIR, READ, CONTROL, KEPT, N_CHANGES } what;
    uint8_t flag;
    bool done;
} change;

static hw_code copy_node(const hw_graph *g, uint32_t v, change *x, hw_builder *b)
{
    uint64_t inputs[64], outputs[64], pairs[128];
    bool here = x->node == v;
    uint8_t drop = here && x->what == FLAG ? x->flag : 0;
    bool windowed = g->node_window && g->node_window[v] != HW_NONE;
    hw_node_spec spec = {.id = v, .inputs = inputs, .outputs = outputs, .inplace = pairs};
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        if (here && x->what == READ && i - g->inputs.offset[v] == x->at)
            x->done = true;
        else
            inputs[spec.n_inputs++] = g->inputs.item[i];
    }
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
        outputs[spec.n_outputs++] = g->outputs.item[i];
    for (uint32_t i = g->inplace_offset ? g->inplace_offset[v] : 0;
         g->inplace_offset && i < g->inplace_offset[v + 1]; i++) {
        if (here && x->what == PAIR && i - g->inplace_offset[v] == x->at) {
            x->done = true;
            continue;
        }
        pairs[2 * spec.n_inplace] = g->inplace_pair[i].input;
        pairs[2 * spec.n_inplace++ + 1] = g->inplace_pair[i].output;
    }
    x->done = x->done || (g->node_flags[v] & drop);
    x->done = x->done || (here && x->what == WINDOW && windowed);
    x->done = x->done || (here && x->what == WORKSPACE && hw_node_workspace(g, v));
    spec.workspace = here && x->what == WORKSPACE ? 0 : hw_node_workspace(g, v);
    spec.view = g->node_flags[v] & HW_NODE_VIEW & ~drop;
    spec.locked = g->node_flags[v] & HW_NODE_LOCKED & ~drop;
    spec.inplace_required = g->node_flags[v] & HW_NODE_INPLACE_REQUIRED & ~drop;
    if (x->what == PAIR && here && spec.n_inplace != 1)
        spec.inplace_required = false;
    spec.has_window = windowed && !(here && x->what == WINDOW);
    spec.window = windowed ? g->node_window[v] : 0;
    return hw_builder_node(b, &spec, NULL);
}

/* A copy without it; NULL: there is none, or no graph is left of it. */
static hw_graph *changed(const hw_graph *g, change x)
{
    hw_builder *b = hw_builder_new();
    hw_graph *out = NULL;
    hw_code code = HW_OK;
    for (uint32_t t = 0; t < g->n_tensors && code == HW_OK; t++) {
        bool kept = g->tensor_kind[t] == HW_OUTPUT;
        bool drop = x.what == KEPT && x.at == t && kept;
        x.done = x.done || drop;
        code = hw_builder_tensor(b, t, g->tensor_size[t],
                                 drop ? HW_ACTIVATION : (hw_kind)g->tensor_kind[t], NULL, NULL);
    }
    for (uint32_t v = 0; v < g->n_nodes && code == HW_OK; v++)
        code = copy_node(g, v, &x, b);
    for (uint32_t i = 0; i < g->n_control && code == HW_OK; i++) {
        if (x.what == CONTROL && x.at == i && x.node == 0)
            x.done = true;
        else
            code = hw_builder_control(b, g->control[i].from, g->control[i].to, NULL);
    }
    if (code == HW_OK && x.done && hw_builder_finish(b, &out, NULL) != HW_OK)
        out = NULL;
    hw_builder_free(b);
    return out;
}

static bool is_read(const hw_graph *g, uint32_t tensor)
{
    for (uint32_t i = 0; i < g->inputs.offset[g->n_nodes]; i++)
        if (g->inputs.item[i] == tensor)
            return true;
    return false;
}

/* Does leaving it out change no more than it says?  Else what shrinking tries is another graph. */
static bool is_alone(const hw_graph *g, const change *x)
{
    if (x->what == KEPT)
        return is_read(g, x->at);
    if (x->what != READ)
        return true;
    uint32_t i = g->inputs.offset[x->node] + x->at, t = g->inputs.item[i], readers = 0;
    for (uint32_t k = 0; k < g->inputs.offset[g->n_nodes]; k++)
        readers += g->inputs.item[k] == t;
    bool pairs = g->inplace_offset && g->inplace_offset[x->node] < g->inplace_offset[x->node + 1];
    return readers > 1 && !pairs && !(g->node_flags[x->node] & HW_NODE_VIEW);
}

static void no_change_left(const hw_goal *goal, const hw_shrink_options *o, const hw_graph *g,
                           unsigned *tried)
{
    static const uint8_t flags[] = {HW_NODE_VIEW, HW_NODE_LOCKED, HW_NODE_INPLACE_REQUIRED};
    for (unsigned what = FLAG; what < N_CHANGES; what++)
        for (uint32_t v = 0; v < g->n_nodes; v++)
            for (uint32_t at = 0; at < 32; at++) {
                change x = {.node = v, .at = at, .flag = flags[at % 3]};
                x.what = what;
                if (what == READ && at >= g->inputs.offset[v + 1] - g->inputs.offset[v])
                    continue;
                if (what == KEPT && (v > 0 || at >= g->n_tensors))
                    continue;
                hw_graph *less = is_alone(g, &x) ? changed(g, x) : NULL;
                hw_rating r;
                hw_error err = {0};
                if (!less)
                    continue;
                if (hw_goal_rate(goal, less, &r, &err) == HW_OK && r.counts) {
                    ++*tried;
                    if (shrink_meets(r.ratio, o))
                        fail_msg("change %u of node %u at %u is left", what, v, at);
                }
                hw_graph_free(less);
            }
}

/* What is minimal is so for itself, whatever it was shrunk from. */
static void stays(const hw_goal *goal, const hw_graph *small, hw_shrink_options options)
{
    char before[HW_HASH_TEXT], after[HW_HASH_TEXT];
    hw_shrink_report report;
    hw_error err = {0};
    options.rounds = 0;
    hw_graph *again = shrink_graph(small, goal, &options, &report);
    assert_non_null(again);
    assert_int_equal(hw_graph_hash(small, before, &err), HW_OK);
    assert_int_equal(hw_graph_hash(again, after, &err), HW_OK);
    assert_string_equal(before, after);
    hw_graph_free(again);
}

/* What is still there is needed; the ratio holds by the other route. */
static void test_everything(void **state)
{
    (void)state;
    unsigned shrunk = 0, tried = 0, features = 0;
    for (uint64_t seed = 0; seed < FEWER(1000); seed++) {
        uint64_t draw = seed;
        random_shape shape = random_any_shape(&draw, 6, 14);
        shape.windows = random_chance(&draw, 0.3);
        hw_graph *g = random_graph(&draw, &shape);
        hw_goal goal = shrink_goal(rules[seed % N_RULES], NULL);
        hw_shrink_options options = {.least = {5, 4}, .rounds = seed % 2 ? 3 : 0, .seed = seed};
        hw_shrink_report report;
        if (!g)
            continue;
        goal.accounting = random_chance(&draw, 0.5) ? HW_FREE_FIRST : HW_ALLOC_FIRST;
        if (seed % 5 == 0) /* some that hang on a feature */
            options = (hw_shrink_options){.least = {1, 1}, .strictly = true};
        hw_graph *small = shrink_graph(g, &goal, &options, &report);
        if (small) {
            shrunk++;
            assert_true(report.minimal);
            assert_true(shrink_meets(shrink_ratio(&goal, small), &options));
            no_change_left(&goal, &options, small, &tried);
            stays(&goal, small, options);
            features += small->inplace_offset || small->n_control || small->node_workspace ||
                        small->node_window;
        }
        hw_graph_free(small);
        hw_graph_free(g);
    }
    print_message("%u graphs shrunk, %u with features, %u changes tried\n", shrunk, features,
                  tried);
    assert_true(shrunk > FEWER(150));
    assert_true(features > FEWER(16));
    assert_true(tried > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything),
    };
    return cmocka_run_group_tests_name("shrink_features", tests, NULL, NULL) != 0;
}
