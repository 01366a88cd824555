/* Which nodes go together.  See fuse.h. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "transform/fuse.h"
#include "transform/recast.h"

void hw_fusion_free(hw_fusion *f)
{
    if (!f)
        return;
    free(f->offset);
    free(f->member);
    free(f->pattern);
    free(f->group);
    free(f->inner);
    free(f);
}

static const struct {
    unsigned asked; /* HW_FUSE_*: on request alone */
    const char *line;
} built_in[] = {
    {HW_FUSE_ATTENTION, "attention: <convolution> <elementwise>* Softmax <convolution>"},
    {HW_FUSE_RESIDUAL, "residual: <convolution> <norm>? <bias>* Add|AddV2|Sum|AddN <activation>?"},
    {0, "convolution: <convolution> <norm>? <bias>* <activation>?"},
    {0, "norm: <norm> <bias>* <activation>"},
    {0, "chain: <elementwise> <elementwise>+"},
};
enum { N_BUILT_IN = sizeof built_in / sizeof built_in[0] };

hw_patterns *hw_fuse_patterns(unsigned asked)
{
    hw_patterns *p = hw_patterns_new();
    for (size_t i = 0; p && i < N_BUILT_IN; i++)
        if ((built_in[i].asked & asked) == built_in[i].asked &&
            hw_patterns_add(p, built_in[i].line, NULL, NULL) != HW_OK) {
            hw_patterns_free(p);
            return NULL;
        }
    return p;
}

const char *hw_fuse_pattern(size_t i, bool *asked)
{
    if (i >= N_BUILT_IN)
        return NULL;
    *asked = built_in[i].asked != 0;
    return built_in[i].line;
}

typedef struct planning {
    const hw_graph *g;
    const hw_patterns *patterns;
    hw_fusion *f;
    uint32_t most;
    size_t pattern;     /* at hand */
    uint32_t n_members; /* of all groups                                               */
    uint32_t *topological;
    uint32_t *next;    /* the node that u may be joined to, or HW_NONE                */
    uint32_t *fits;    /* items of the pattern at hand                                */
    uint32_t *hopeful; /* those from which a match can still come to its end */
    uint32_t *main;    /* the node that v is to follow, or HW_NONE                    */
    uint32_t *forward; /* the inverse of main                                         */
    const volatile sig_atomic_t *stop;
    unsigned *traits;
    bool *single;      /* reads at most one thing that is not constant                */
    uint32_t *readers; /* of a tensor, mentions                                       */
} planning;

static bool is_view(const hw_graph *g, uint32_t v)
{
    return g->node_flags[v] & HW_NODE_VIEW;
}

static uint32_t first_input(const hw_graph *g, uint32_t v)
{
    return g->inputs.item[g->inputs.offset[v]];
}

/* Nothing but whole images of its first input, all of them read. */
static bool is_plain_view(const planning *p, uint32_t v)
{
    const hw_graph *g = p->g;
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++) {
        uint32_t t = g->outputs.item[i];
        if (g->tensor_size[t] != g->tensor_size[first_input(g, v)] || !p->readers[t])
            return false;
    }
    return true;
}

static uint32_t next_of(const planning *p, uint32_t u)
{
    const uint8_t fixed = HW_NODE_LOCKED | HW_NODE_INPLACE_REQUIRED;
    const hw_graph *g = p->g;
    if (g->succs.offset[u + 1] - g->succs.offset[u] != 1)
        return HW_NONE;
    uint32_t v = g->succs.item[g->succs.offset[u]];
    if ((g->node_flags[u] | g->node_flags[v]) & fixed || (is_view(g, u) && !is_plain_view(p, u)) ||
        (is_view(g, v) && g->tensor_producer[first_input(g, v)] != u))
        return HW_NONE;
    bool reads = false;
    for (uint32_t i = g->outputs.offset[u]; i < g->outputs.offset[u + 1]; i++) {
        uint32_t t = g->outputs.item[i];
        if (p->readers[t] && g->tensor_kind[t] != HW_ACTIVATION)
            return HW_NONE;
        reads = reads || p->readers[t];
    }
    return reads ? v : HW_NONE;
}

/* Does v read at most one thing beside constants: a tensor that is given, or what one node makes?
 */
static bool reads_one(const hw_graph *g, uint32_t v)
{
    uint32_t tensor = HW_NONE;
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        uint32_t t = g->inputs.item[i];
        if (g->tensor_kind[g->storage_root[g->tensor_storage[t]]] == HW_CONSTANT || t == tensor)
            continue;
        bool together = tensor != HW_NONE && g->tensor_producer[t] != HW_NONE &&
                        g->tensor_producer[t] == g->tensor_producer[tensor];
        if (tensor != HW_NONE && !together)
            return false;
        tensor = t;
    }
    return true;
}

static bool stays(const planning *p, uint32_t v)
{
    return p->f->group[v] == HW_NONE;
}

/*
 * Whom each node follows in the pattern at hand: the last in the source of
 * those that could stand before it.  A view follows what it shows, and what
 * follows it has to fit what stands before it: fits[] of a view is that of its
 * base.
 */
static void link_chains(planning *p)
{
    const hw_graph *g = p->g;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        p->main[v] = p->forward[v] = HW_NONE;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t v = p->topological[i];
        p->fits[v] = 0;
        if (!stays(p, v))
            continue;
        if (!is_view(g, v))
            p->fits[v] = hw_pattern_fits(p->patterns, p->pattern, hw_node_op(g, v), p->traits[v],
                                         p->single[v]);
        for (uint32_t k = g->preds.offset[v]; k < g->preds.offset[v + 1]; k++) {
            uint32_t u = g->preds.item[k];
            bool later = p->main[v] == HW_NONE || u > p->main[v];
            if (!stays(p, u) || p->next[u] != v || !later)
                continue;
            if (is_view(g, v)
                    ? p->fits[u] != 0
                    : (hw_pattern_after(p->patterns, p->pattern, p->fits[u]) & p->fits[v]) != 0)
                p->main[v] = u;
        }
        if (is_view(g, v) && p->main[v] != HW_NONE)
            p->fits[v] = p->fits[p->main[v]];
        if (p->main[v] != HW_NONE)
            p->forward[p->main[v]] = v;
    }
}

static void claim(planning *p, uint32_t head, uint32_t last)
{
    hw_fusion *f = p->f;
    for (uint32_t v = head;; v = p->forward[v]) {
        f->member[p->n_members++] = v;
        f->group[v] = f->n_groups;
        if (v == last)
            break;
    }
    f->pattern[f->n_groups++] = (uint32_t)p->pattern;
    f->offset[f->n_groups] = p->n_members;
}

/*
 * From the ends of the chains back: an item of a node is hopeful where a match
 * may end with it or go on with a hopeful one.  So a match that is followed
 * along hopeful items is never followed in vain, unless it grows too long.
 */
static void find_hopeful(planning *p)
{
    const hw_graph *g = p->g;
    for (uint32_t i = g->n_nodes; i-- > 0;) {
        uint32_t v = p->topological[i], next = p->forward[v];
        uint32_t then = next == HW_NONE ? 0 : p->hopeful[next];
        p->hopeful[v] = 0;
        for (uint32_t item = 0; item < HW_PATTERN_ITEMS && p->fits[v] >> item; item++) {
            uint32_t one = UINT32_C(1) << item;
            if (!(p->fits[v] & one))
                continue;
            /* a view stands for what is before it, and none ends a match */
            bool here = !is_view(g, v) && hw_pattern_ends(p->patterns, p->pattern, one);
            bool later = next != HW_NONE && is_view(g, next)
                             ? then & one
                             : hw_pattern_after(p->patterns, p->pattern, one) & then;
            if (here || later)
                p->hopeful[v] |= one;
        }
    }
}

/* The last node of the longest match that begins with `head`, or HW_NONE. */
static uint32_t match(const planning *p, uint32_t head)
{
    const hw_graph *g = p->g;
    uint32_t last = HW_NONE, count = 1;
    uint32_t items =
        is_view(g, head) ? 0 : p->hopeful[head] & hw_pattern_first(p->patterns, p->pattern);
    for (uint32_t v = p->forward[head]; items && v != HW_NONE && count < p->most;
         v = p->forward[v], count++) {
        items = (is_view(g, v) ? items : hw_pattern_after(p->patterns, p->pattern, items)) &
                p->hopeful[v];
        if (items && !is_view(g, v) && hw_pattern_ends(p->patterns, p->pattern, items))
            last = v;
    }
    return last;
}

static bool stopped(const planning *p)
{
    return p->stop && *p->stop;
}

/* Every chain from its beginning on; true: something was claimed. */
static bool claim_chains(planning *p)
{
    uint32_t before = p->f->n_groups;
    for (uint32_t i = 0; i < p->g->n_nodes; i++) {
        uint32_t v = p->topological[i];
        if (p->main[v] != HW_NONE || !stays(p, v))
            continue;
        while (v != HW_NONE && !stopped(p)) {
            uint32_t last = match(p, v);
            if (last != HW_NONE)
                claim(p, v, last);
            v = p->forward[last == HW_NONE ? v : last];
        }
    }
    return p->f->n_groups > before;
}

static hw_code claim_all(planning *p, hw_error *err)
{
    for (bool more = true; more;) {
        more = false;
        for (p->pattern = 0; p->pattern < hw_patterns_count(p->patterns); p->pattern++) {
            link_chains(p);
            find_hopeful(p);
            more = claim_chains(p) || more;
            if (stopped(p))
                return hw_fail(err, HW_STOPPED, "stopped by a signal");
        }
    }
    return HW_OK;
}

static void find_inner(planning *p)
{
    const hw_graph *g = p->g;
    hw_fusion *f = p->f;
    for (uint32_t i = 0; i < f->n_groups; i++)
        for (uint32_t k = f->offset[i]; k + 1 < f->offset[i + 1]; k++) {
            uint32_t v = f->member[k];
            for (uint32_t j = g->outputs.offset[v]; j < g->outputs.offset[v + 1]; j++) {
                uint32_t t = g->outputs.item[j];
                f->inner[t] = p->readers[t] != 0;
                f->n_inner += f->inner[t];
                if (f->inner[t] && !is_view(g, v))
                    f->inner_bytes += g->tensor_size[t];
            }
        }
}

static hw_code prepare(planning *p, const hw_operators *operators, hw_error *err)
{
    const hw_graph *g = p->g;
    uint32_t n = g->n_nodes;
    p->f = HW_NEW0(hw_fusion, 1);
    p->topological = HW_NEW(uint32_t, n);
    p->next = HW_NEW(uint32_t, n);
    p->fits = HW_NEW(uint32_t, n);
    p->hopeful = HW_NEW(uint32_t, n);
    p->main = HW_NEW(uint32_t, n);
    p->forward = HW_NEW(uint32_t, n);
    p->traits = HW_NEW(unsigned, n);
    p->single = HW_NEW(bool, n);
    p->readers = HW_NEW0(uint32_t, g->n_tensors);
    if (!p->f || !p->topological || !p->next || !p->fits || !p->hopeful || !p->main ||
        !p->forward || !p->traits || !p->single || !p->readers)
        return hw_fail_memory(err, "fusion");
    p->f->offset = HW_NEW0(uint32_t, n / 2 + 1);
    p->f->member = HW_NEW(uint32_t, n);
    p->f->pattern = HW_NEW(uint32_t, n / 2);
    p->f->group = HW_NEW(uint32_t, n);
    p->f->inner = HW_NEW0(bool, g->n_tensors);
    if (!p->f->offset || !p->f->member || !p->f->pattern || !p->f->group || !p->f->inner)
        return hw_fail_memory(err, "fusion");
    for (uint32_t i = 0; i < g->inputs.offset[n]; i++)
        p->readers[g->inputs.item[i]]++;
    for (uint32_t v = 0; v < n; v++) {
        p->f->group[v] = HW_NONE;
        p->traits[v] = hw_operators_traits(operators, hw_node_op(g, v));
        p->single[v] = reads_one(g, v);
        p->next[v] = next_of(p, v);
    }
    return hw_graph_level_order(g, p->topological, err);
}

static void clear(planning *p)
{
    free(p->topological);
    free(p->next);
    free(p->fits);
    free(p->hopeful);
    free(p->main);
    free(p->forward);
    free(p->traits);
    free(p->single);
    free(p->readers);
}

hw_code hw_fuse_plan(const hw_graph *g, const hw_patterns *patterns, const hw_operators *operators,
                     uint32_t most, const volatile sig_atomic_t *stop, hw_fusion **out,
                     hw_error *err)
{
    *out = NULL;
    planning p = {.g = g, .patterns = patterns, .most = most, .stop = stop};
    hw_code code = hw_refuse_windows(g, err);
    if (code == HW_OK)
        code = prepare(&p, operators, err);
    if (code == HW_OK)
        code = claim_all(&p, err);
    if (code == HW_OK) {
        find_inner(&p);
        *out = p.f;
    } else {
        hw_fusion_free(p.f);
    }
    clear(&p);
    return code;
}
