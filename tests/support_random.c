/* Random graphs and their optimum from the definitions.  See support_random.h. */
#include "tests/support_random.h"

#include <stdlib.h>
#include <string.h>

#include "model/builder.h"

uint64_t random_u64(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

uint32_t random_below(uint64_t *state, uint32_t bound)
{
    return bound ? (uint32_t)(random_u64(state) % bound) : 0;
}

bool random_chance(uint64_t *state, double probability)
{
    return (double)(random_u64(state) >> 11) * 0x1p-53 < probability;
}

random_shape random_any_shape(uint64_t *state, uint32_t least, uint32_t most)
{
    static const double edges[] = {0.05, 0.12, 0.2, 0.3, 0.45};
    static const uint32_t sizes[] = {1, 3, 10, 100};
    random_shape s = {.nodes = least + random_below(state, most - least + 1)};
    s.edge = edges[random_below(state, 5)];
    s.largest = sizes[random_below(state, 4)];
    s.views = random_chance(state, 0.3);
    s.inplace = random_chance(state, 0.5);
    s.workspace = random_chance(state, 0.4);
    s.control = random_chance(state, 0.3);
    s.locks = random_chance(state, 0.1);
    s.required = random_chance(state, 0.05);
    return s;
}

enum { MOST_TENSORS = 256, MOST_PER_NODE = 24 };

typedef struct drawing {
    hw_builder *b;
    uint64_t *state;
    const random_shape *shape;
    uint32_t n_tensors;
    hw_kind kind[MOST_TENSORS];
} drawing;

static bool add_tensor(drawing *d, hw_kind kind)
{
    if (d->n_tensors == MOST_TENSORS)
        return false;
    uint64_t size = random_below(d->state, d->shape->largest + 1);
    d->kind[d->n_tensors] = kind;
    return hw_builder_tensor(d->b, d->n_tensors++, size, kind, NULL, NULL) == HW_OK;
}

static bool add_node(drawing *d, uint32_t v)
{
    uint64_t inputs[MOST_PER_NODE], outputs[4], pairs[8];
    uint32_t before = d->n_tensors;
    hw_node_spec spec = {.id = v, .inputs = inputs, .outputs = outputs, .inplace = pairs};
    const random_shape *s = d->shape;
    for (uint32_t t = 0; t < before && spec.n_inputs < MOST_PER_NODE - 1; t++)
        if (random_chance(d->state, s->edge))
            inputs[spec.n_inputs++] = t;
    if (spec.n_inputs && random_chance(d->state, 0.1)) {
        inputs[spec.n_inputs] = inputs[0];
        spec.n_inputs++;
    }
    uint32_t wanted = random_chance(d->state, 0.6) ? 1 : random_below(d->state, 4);
    for (uint32_t i = 0; i < wanted; i++) {
        outputs[spec.n_outputs++] = d->n_tensors;
        if (!add_tensor(d, random_chance(d->state, 0.15) ? HW_OUTPUT : HW_ACTIVATION))
            return false;
    }
    spec.view = s->views && spec.n_inputs && spec.n_outputs && random_chance(d->state, 0.25);
    if (s->workspace && random_chance(d->state, 0.3))
        spec.workspace = random_below(d->state, s->largest + 1);
    for (uint32_t i = 0; s->inplace && !spec.view && i < spec.n_inputs; i++)
        for (uint32_t k = 0; k < spec.n_outputs && spec.n_inplace < 4; k++)
            if (random_chance(d->state, 0.5)) {
                pairs[2 * spec.n_inplace] = inputs[i];
                pairs[2 * spec.n_inplace + 1] = outputs[k];
                spec.n_inplace++;
            }
    spec.inplace_required = s->required && spec.n_inplace == 1 && random_chance(d->state, 0.3);
    spec.locked = s->locks && random_chance(d->state, 0.4);
    if (s->windows && random_chance(d->state, 0.5)) {
        spec.has_window = true;
        spec.window = random_below(d->state, s->nodes / 2 + 2);
    }
    return hw_builder_node(d->b, &spec, NULL) == HW_OK;
}

hw_graph *random_graph(uint64_t *state, const random_shape *shape)
{
    drawing d = {.b = hw_builder_new(), .state = state, .shape = shape};
    hw_graph *g = NULL;
    bool good = d.b != NULL;
    uint32_t given = random_below(state, 4);
    for (uint32_t i = 0; i < given && good; i++)
        good = add_tensor(&d, random_chance(state, 0.2) ? HW_CONSTANT : HW_INPUT);
    for (uint32_t v = 0; v < shape->nodes && good; v++)
        good = add_node(&d, v);
    for (uint32_t i = 0; shape->control && i < 2 && good && shape->nodes > 1; i++) {
        uint32_t to = 1 + random_below(state, shape->nodes - 1);
        good = hw_builder_control(d.b, random_below(state, to), to, NULL) == HW_OK;
    }
    if (good && hw_builder_finish(d.b, &g, NULL) != HW_OK)
        g = NULL;
    hw_builder_free(d.b);
    return g;
}

/* ---- The optimum from the definitions. ---- */

static bool has(uint32_t set, uint32_t v)
{
    return set >> v & 1;
}

/* Node sets and flags of a storage, from its tensors. */
typedef struct storage {
    uint64_t size;
    uint32_t users;
    uint32_t maker; /* HW_NONE */
    bool constant, stays;
} storage;

static void describe(const hw_graph *g, bool pin_inputs, storage *s)
{
    for (uint32_t i = 0; i < g->n_storages; i++) {
        uint32_t root = g->storage_root[i];
        s[i] = (storage){.size = g->tensor_size[root], .maker = g->tensor_producer[root]};
    }
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        storage *own = &s[g->tensor_storage[t]];
        own->constant = own->constant || g->tensor_kind[t] == HW_CONSTANT;
        own->stays = own->stays || g->tensor_kind[t] == HW_OUTPUT ||
                     (pin_inputs && g->tensor_kind[t] == HW_INPUT);
    }
    for (uint32_t v = 0; v < g->n_nodes; v++)
        for (uint32_t k = g->inputs.offset[v]; k < g->inputs.offset[v + 1]; k++)
            s[g->tensor_storage[g->inputs.item[k]]].users |= UINT32_C(1) << v;
}

static uint64_t live_of(const hw_graph *g, const storage *s, uint32_t set)
{
    uint64_t live = 0;
    for (uint32_t i = 0; i < g->n_storages; i++) {
        bool born = s[i].maker == HW_NONE || has(set, s[i].maker);
        if (!s[i].constant && born && (s[i].stays || (s[i].users & ~set) != 0))
            live += s[i].size;
    }
    return live;
}

/* The best choice of pairs first .. of v; `used` are pairs already taken. */
static uint64_t best_reuse(const hw_graph *g, const storage *s, uint32_t v, uint32_t set)
{
    if (!g->inplace_offset)
        return 0;
    uint32_t first = g->inplace_offset[v], n = g->inplace_offset[v + 1] - first;
    uint64_t best = 0;
    for (uint32_t choice = 0; choice < UINT32_C(1) << n; choice++) {
        uint64_t saved = 0;
        bool good = true;
        for (uint32_t i = 0; i < n && good; i++) {
            if (!has(choice, i))
                continue;
            hw_inplace_pair pair = g->inplace_pair[first + i];
            uint32_t own = g->tensor_storage[pair.input];
            good = !s[own].stays && !s[own].constant && (s[own].users & ~set) == UINT32_C(1) << v;
            for (uint32_t k = 0; k < i && good; k++)
                if (has(choice, k))
                    good = g->tensor_storage[g->inplace_pair[first + k].input] != own &&
                           g->inplace_pair[first + k].output != pair.output;
            uint64_t in = s[own].size, out = g->tensor_size[pair.output];
            saved += in < out ? in : out;
        }
        if (good && saved > best)
            best = saved;
    }
    return best;
}

/* A search for the least peak; arrays have an entry for every set of nodes. */
typedef struct backtrack {
    const hw_graph *g;
    bool free_first;
    storage *storage;
    uint64_t *live;  /* UNKNOWN: not asked for yet */
    uint64_t *least; /* of all completions of the set; UNKNOWN */
} backtrack;

/* No sum comes near it in graphs of tests; UINT64_MAX: no completion. */
#define UNKNOWN (UINT64_MAX - 1)

static uint64_t live_at(const backtrack *b, uint32_t set)
{
    if (b->live[set] == UNKNOWN)
        b->live[set] = live_of(b->g, b->storage, set);
    return b->live[set];
}

static uint64_t usage_of(const backtrack *b, uint32_t set, uint32_t v)
{
    const storage *s = b->storage;
    uint64_t made = 0, dead = 0, workspace = hw_node_workspace(b->g, v);
    for (uint32_t i = 0; i < b->g->n_storages; i++)
        if (s[i].maker == v) {
            made += s[i].size;
            if (s[i].users == 0 && !s[i].stays)
                dead += s[i].size;
        }
    if (b->free_first)
        return live_at(b, set | UINT32_C(1) << v) + dead + workspace;
    return live_at(b, set) + made + workspace - best_reuse(b->g, s, v, set);
}

static bool allowed(const hw_graph *g, uint32_t set, uint32_t v)
{
    for (uint32_t k = g->preds.offset[v]; k < g->preds.offset[v + 1]; k++)
        if (!has(set, g->preds.item[k]))
            return false;
    uint32_t w = g->node_window ? g->node_window[v] : HW_NONE;
    int64_t moved = (int64_t)__builtin_popcount(set) - (int64_t)v;
    return w == HW_NONE || (moved < 0 ? -moved : moved) <= (int64_t)w;
}

/* Depth first; the recursion is as deep as nodes are left. */
static uint64_t complete(const backtrack *b, uint32_t set)
{
    if (b->least[set] != UNKNOWN)
        return b->least[set];
    uint64_t best = UINT64_MAX;
    for (uint32_t v = 0; v < b->g->n_nodes; v++) {
        if (has(set, v) || !allowed(b->g, set, v))
            continue;
        uint64_t usage = usage_of(b, set, v), rest = complete(b, set | UINT32_C(1) << v);
        uint64_t peak = rest > usage ? rest : usage;
        best = peak < best ? peak : best;
    }
    return b->least[set] = best;
}

uint64_t *defined_completions(const hw_graph *g, bool free_first, bool pin_inputs)
{
    size_t sets = (size_t)1 << g->n_nodes;
    backtrack b = {.g = g, .free_first = free_first};
    b.storage = calloc(g->n_storages + 1, sizeof *b.storage);
    b.live = malloc(sets * sizeof *b.live);
    b.least = malloc(sets * sizeof *b.least);
    if (!b.storage || !b.live || !b.least)
        abort();
    describe(g, pin_inputs, b.storage);
    for (size_t set = 0; set < sets; set++)
        b.live[set] = b.least[set] = UNKNOWN;
    b.least[sets - 1] = 0;
    (void)complete(&b, 0);
    /* An input that nobody wants is freed before step 0. */
    if (b.least[0] < live_at(&b, 0))
        b.least[0] = live_at(&b, 0);
    free(b.storage);
    free(b.live);
    return b.least;
}

uint64_t defined_optimum(const hw_graph *g, bool free_first, bool pin_inputs)
{
    uint64_t *least = defined_completions(g, free_first, pin_inputs), optimum = least[0];
    free(least);
    return optimum;
}
