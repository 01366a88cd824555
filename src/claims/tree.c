/* See tree.h. */
#include "claims/tree.h"

#include <inttypes.h>
#include <stdio.h>

#include "claims/tools.h"
#include "model/builder.h"

size_t hw_tree_readings(hw_tree t[HW_TREE_MOST])
{
    size_t n = 0;
    for (int root = 0; root < HW_TREE_ROOTS; root++)
        for (int outputs = 0; outputs < HW_TREE_OUTPUTS; outputs++)
            for (int shape = 0; shape < HW_TREE_SHAPES; shape++)
                for (int kept = 1; kept >= 0; kept--)
                    t[n++] = (hw_tree){.shape = (hw_tree_shape)shape,
                                       .leaves_kept = kept != 0,
                                       .root = (hw_tree_root)root,
                                       .outputs = (hw_tree_outputs)outputs};
    for (int shape = 0; shape < HW_TREE_SHAPES; shape++) {
        for (int kept = 1; kept >= 0; kept--)
            t[n++] = (hw_tree){.shape = (hw_tree_shape)shape,
                               .leaves_kept = kept != 0,
                               .release = HW_TREE_BY_LAYER};
        t[n++] =
            (hw_tree){.shape = (hw_tree_shape)shape, .leaves_kept = true, .release = HW_TREE_NEVER};
    }
    return n;
}

void hw_tree_name(const hw_tree *t, char text[HW_TREE_TEXT])
{
    static const char *const shapes[] = {"2+2", "1+3", "1+1"};
    static const char *const roots[] = {"", ", root an input", ", root a pinned input"};
    static const char *const outputs[] = {"", ", a copy of the output for each consumer",
                                          ", a part of the output for each consumer"};
    static const char *const releases[] = {"", ", freed when a layer ends", ", nothing freed"};
    (void)snprintf(text, HW_TREE_TEXT, "leaves %s, %s%s%s%s", shapes[t->shape],
                   t->leaves_kept ? "kept" : "discarded", roots[t->root], outputs[t->outputs],
                   releases[t->release]);
}

bool hw_tree_is_plain(const hw_tree *t)
{
    return t->shape != HW_TREE_1_1 && t->root == HW_TREE_COMPUTED && t->outputs == HW_TREE_SHARED &&
           t->release == HW_TREE_BY_COUNT;
}

/* The text as it stands, as far as the article walks it: a leaf a branch. */
static bool is_walk(const hw_tree *t)
{
    hw_tree whole = *t;
    whole.shape = HW_TREE_2_2;
    return t->shape == HW_TREE_1_1 && hw_tree_is_plain(&whole);
}

/* ---- Building.  Errors stick in `code`. ---- */

enum { MOST_READS = 8 };

typedef struct site {
    hw_builder *b;
    const hw_tree *t;
    uint64_t tensors, nodes;
    uint64_t layer[3][MOST_READS]; /* release by layer: what each makes */
    size_t n_layer[3];
    hw_code code;
    hw_error *err;
} site;

static uint64_t add_tensor(site *s, uint64_t bytes, hw_kind kind)
{
    if (s->t->release == HW_TREE_NEVER)
        kind = HW_OUTPUT;
    if (s->code == HW_OK)
        s->code = hw_builder_tensor(s->b, s->tensors, bytes, kind, NULL, s->err);
    return s->tensors++;
}

static void add_node(site *s, const uint64_t *reads, size_t n_reads, const uint64_t *makes,
                     size_t n_makes)
{
    hw_node_spec spec = {.id = s->nodes++,
                         .op = "op",
                         .inputs = reads,
                         .n_inputs = n_reads,
                         .outputs = makes,
                         .n_outputs = n_makes};
    if (s->code == HW_OK)
        s->code = hw_builder_node(s->b, &spec, s->err);
}

/* What one operator makes for its n consumers: consumer i reads made[i]. */
static size_t add_outputs(site *s, uint64_t bytes, hw_kind kind, size_t n, uint64_t *made)
{
    if (s->t->outputs == HW_TREE_SHARED || n <= 1) {
        uint64_t id = add_tensor(s, bytes, kind);
        for (size_t i = 0; i < n; i++)
            made[i] = id;
        return 1;
    }
    for (size_t i = 0; i < n; i++)
        made[i] = add_tensor(
            s, s->t->outputs == HW_TREE_COPIES ? bytes : bytes / n + (i < bytes % n), kind);
    return n;
}

/* A node of `layer`: on its own, or a part of the layer's one node. */
static void place(site *s, size_t layer, const uint64_t *read, const uint64_t *makes,
                  size_t n_makes)
{
    if (s->t->release != HW_TREE_BY_LAYER) {
        add_node(s, read, read ? 1 : 0, makes, n_makes);
        return;
    }
    for (size_t i = 0; i < n_makes; i++)
        s->layer[layer][s->n_layer[layer]++] = makes[i];
}

static void build(site *s)
{
    static const size_t leaves[][2] = {{2, 2}, {1, 3}, {1, 1}};
    hw_kind root_kind = s->t->root == HW_TREE_COMPUTED ? HW_ACTIVATION : HW_INPUT;
    hw_kind leaf_kind = s->t->leaves_kept ? HW_OUTPUT : HW_ACTIVATION;
    uint64_t from_root[2] = {0}, from_branch[2][3] = {{0}}, leaf;
    size_t n = add_outputs(s, 100 * HW_TREE_MB, root_kind, 2, from_root);
    if (s->t->root == HW_TREE_COMPUTED)
        place(s, 0, NULL, from_root, n);
    for (size_t i = 0; i < 2; i++) {
        size_t n_leaves = leaves[s->t->shape][i];
        n = add_outputs(s, 80 * HW_TREE_MB, HW_ACTIVATION, n_leaves, from_branch[i]);
        place(s, 1, &from_root[i], from_branch[i], n);
    }
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < leaves[s->t->shape][i]; k++) {
            leaf = add_tensor(s, 50 * HW_TREE_MB, leaf_kind);
            place(s, 2, &from_branch[i][k], &leaf, 1);
        }
    for (size_t i = 0; s->t->release == HW_TREE_BY_LAYER && i < 3; i++)
        add_node(s, i > 0 ? s->layer[i - 1] : NULL, i > 0 ? s->n_layer[i - 1] : 0, s->layer[i],
                 s->n_layer[i]);
}

hw_code hw_tree_graph(const hw_tree *t, hw_graph **out, hw_error *err)
{
    site s = {.b = hw_builder_new(), .t = t, .err = err};
    char name[HW_TREE_TEXT];
    if (!s.b)
        return hw_fail_memory(err, "the tree of section 1.3");
    hw_tree_name(t, name);
    s.code = hw_builder_describe(s.b, "article-tree", name, "bytes", err);
    build(&s);
    if (s.code == HW_OK)
        s.code = hw_builder_finish(s.b, out, err);
    hw_builder_free(s.b);
    return s.code;
}

/* ---- Peaks. ---- */

hw_code hw_tree_peaks(hw_claim_run *run, const hw_tree *t, const char *spec, uint64_t mb[2],
                      hw_error *err)
{
    hw_graph *g = NULL;
    hw_code code = hw_tree_graph(t, &g, err);
    for (int a = HW_ALLOC_FIRST; code == HW_OK && a <= HW_FREE_FIRST; a++) {
        hw_model *m = NULL;
        code = hw_model_new(g, (hw_accounting)a, t->root == HW_TREE_PINNED, &m, err);
        if (code == HW_OK)
            code = hw_claim_peak(run, m, spec, &mb[a], err);
        mb[a] /= HW_TREE_MB;
        hw_model_free(m);
    }
    hw_graph_free(g);
    return code;
}

static void add_where(hw_tree_tally *tally, const hw_tree *t, const bool gives[2])
{
    char name[HW_TREE_TEXT];
    size_t room = sizeof tally->where - tally->length;
    hw_tree_name(t, name);
    int n =
        snprintf(tally->where + tally->length, room, "%s%s%s", tally->length ? "; or " : "", name,
                 gives[0] && gives[1] ? ""
                 : gives[0]           ? ", alloc-first"
                                      : ", free-first");
    if (n > 0 && (size_t)n < room)
        tally->length += (size_t)n;
    else
        tally->where[tally->length] = '\0'; /* no room for more cases */
}

bool hw_tree_count(hw_tree_tally *tally, const hw_tree *t, const uint64_t mb[2])
{
    bool gives[2] = {mb[0] == tally->article_mb, mb[1] == tally->article_mb};
    bool plain = hw_tree_is_plain(t), some = gives[0] || gives[1];
    if (tally->readings++ == 0)
        tally->least = UINT64_MAX;
    tally->giving += some;
    tally->beyond += some && !plain;
    tally->walk = tally->walk || (some && is_walk(t));
    for (int a = 0; plain && a < 2; a++) {
        tally->plain++;
        tally->plain_giving += gives[a];
        tally->least = mb[a] < tally->least ? mb[a] : tally->least;
        tally->most = mb[a] > tally->most ? mb[a] : tally->most;
    }
    if (some && plain && !tally->where_plain) {
        tally->where_plain = true;
        tally->length = 0;
    }
    if (some && plain == tally->where_plain)
        add_where(tally, t, gives);
    return some;
}

hw_claim_verdict hw_tree_verdict(const hw_tree_tally *tally)
{
    if (tally->plain_giving == tally->plain)
        return HW_VERDICT_HOLDS;
    return tally->giving > 0 ? HW_VERDICT_HOLDS_ONLY_IF : HW_VERDICT_FAILS;
}

hw_code hw_tree_tell(hw_claim_run *run, const hw_tree_tally *tally, hw_error *err)
{
    hw_code code = hw_claim_number(run, "readings", (double)tally->readings, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "readings-giving", (double)tally->giving, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "least", (double)tally->least, "MB", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "most", (double)tally->most, "MB", err);
    if (code != HW_OK || hw_tree_verdict(tally) != HW_VERDICT_HOLDS_ONLY_IF)
        return code;
    if (tally->where_plain && tally->beyond > 0)
        return hw_claim_condition(
            run, err, "%s; or in one of %zu readings beyond the text as it stands%s", tally->where,
            tally->beyond, tally->walk ? " (the article's walk, one leaf a branch, is one)" : "");
    return hw_claim_condition(run, err, "%s", tally->where);
}

hw_code hw_tree_example(hw_claim_run *run, const hw_tree *t, const char *name,
                        hw_accounting accounting, const char *const *specs, size_t n_specs,
                        hw_error *err)
{
    hw_graph *g = NULL;
    hw_model *m = NULL;
    hw_code code = hw_tree_graph(t, &g, err);
    if (code == HW_OK)
        code = hw_model_new(g, accounting, t->root == HW_TREE_PINNED, &m, err);
    if (code == HW_OK)
        code = hw_claim_example(run, name, g, err);
    for (size_t i = 0; code == HW_OK && i < n_specs; i++) {
        uint64_t peak;
        code = hw_claim_peak(run, m, specs[i], &peak, err);
        if (code == HW_OK)
            code = hw_claim_shows(run, m, specs[i], peak, err);
    }
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}
