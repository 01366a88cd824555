/* Random series-parallel graphs.  See support_series_parallel.h. */
#include "support_series_parallel.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "model/builder.h"
#include "support_random.h"

enum { MOST = SERIES_PARALLEL_MOST, MOST_TENSORS = 1024 };

typedef struct drawn_tensor {
    uint64_t size;
    hw_kind kind;
    uint32_t maker; /* HW_NONE */
    uint32_t users; /* set     */
} drawn_tensor;

typedef struct drawing {
    uint64_t *state;
    uint32_t n, largest;
    uint32_t after[MOST];
    bool control[MOST][MOST];
    drawn_tensor tensor[MOST_TENSORS];
    uint32_t n_tensors;
} drawing;

static bool has(uint32_t set, uint32_t v)
{
    return set >> v & 1;
}

static void draw_order(drawing *d)
{
    uint32_t part[MOST], left = d->n;
    for (uint32_t v = 0; v < d->n; v++)
        part[v] = UINT32_C(1) << v;
    while (left > 1) {
        uint32_t at = random_below(d->state, left - 1);
        if (random_chance(d->state, 0.5))
            for (uint32_t v = 0; v < d->n; v++)
                if (has(part[at], v))
                    d->after[v] |= part[at + 1];
        part[at] |= part[at + 1];
        memmove(part + at + 1, part + at + 2, (left - at - 2) * sizeof *part);
        left--;
    }
}

static void add(drawing *d, hw_kind kind, uint32_t maker, uint32_t users)
{
    assert_true(d->n_tensors < MOST_TENSORS);
    d->tensor[d->n_tensors++] =
        (drawn_tensor){random_below(d->state, d->largest + 1), kind, maker, users};
}

/* Some of the nodes of a set. */
static uint32_t some_of(drawing *d, uint32_t set, double share)
{
    uint32_t some = 0;
    for (uint32_t v = 0; v < d->n; v++)
        if (has(set, v) && random_chance(d->state, share))
            some |= UINT32_C(1) << v;
    return some;
}

/* Nodes that run after u and before v; u HW_NONE: before v. */
static uint32_t between(const drawing *d, uint32_t u, uint32_t v)
{
    uint32_t set = 0;
    for (uint32_t w = 0; w < d->n; w++)
        if ((u == HW_NONE || has(d->after[u], w)) && has(d->after[w], v))
            set |= UINT32_C(1) << w;
    return set;
}

/* What u makes for v, which runs later. */
static void draw_pair(drawing *d, uint32_t u, uint32_t v)
{
    uint32_t inside = between(d, u, v);
    if (inside && !random_chance(d->state, 0.15))
        return;
    uint32_t many = random_chance(d->state, 0.75) ? 1 : random_below(d->state, 3);
    d->control[u][v] = many == 0;
    for (uint32_t i = 0; i < many; i++)
        add(d, HW_ACTIVATION, u, some_of(d, inside, 0.4) | UINT32_C(1) << v);
}

static void draw_tensors(drawing *d)
{
    for (uint32_t u = 0; u < d->n; u++)
        for (uint32_t v = 0; v < d->n; v++)
            if (has(d->after[u], v))
                draw_pair(d, u, v);
    for (uint32_t v = 0; v < d->n; v++) {
        if (random_chance(d->state, 0.2))
            add(d, HW_INPUT, HW_NONE, some_of(d, between(d, HW_NONE, v), 0.3) | UINT32_C(1) << v);
        if (random_chance(d->state, 0.1))
            add(d, HW_OUTPUT, v, some_of(d, d->after[v], 0.3));
        if (random_chance(d->state, 0.15))
            add(d, HW_ACTIVATION, v, 0);
    }
    if (random_chance(d->state, 0.2))
        add(d, HW_CONSTANT, HW_NONE, some_of(d, (UINT32_C(1) << d->n) - 1, 0.5));
    if (random_chance(d->state, 0.1))
        add(d, HW_INPUT, HW_NONE, 0);
}

static void build_node(const drawing *d, hw_builder *b, uint32_t v, bool views)
{
    uint64_t inputs[MOST_TENSORS], outputs[MOST_TENSORS], pair[2];
    hw_node_spec spec = {.id = v, .inputs = inputs, .outputs = outputs, .inplace = pair};
    for (uint32_t t = 0; t < d->n_tensors; t++) {
        if (has(d->tensor[t].users, v))
            inputs[spec.n_inputs++] = t;
        if (d->tensor[t].maker == v)
            outputs[spec.n_outputs++] = t;
    }
    spec.view = views && spec.n_inputs && spec.n_outputs && random_chance(d->state, 0.2);
    if (random_chance(d->state, 0.3))
        spec.workspace = random_below(d->state, d->largest + 1);
    if (!spec.view && spec.n_inputs && spec.n_outputs && random_chance(d->state, 0.3)) {
        pair[0] = inputs[random_below(d->state, (uint32_t)spec.n_inputs)];
        pair[1] = outputs[random_below(d->state, (uint32_t)spec.n_outputs)];
        spec.n_inplace = 1;
    }
    assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
}

static hw_graph *build(const drawing *d, bool views)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    hw_builder *b = hw_builder_new();
    uint32_t name[MOST];
    bool shuffled = random_chance(d->state, 0.5);
    assert_non_null(b);
    for (uint32_t t = 0; t < d->n_tensors; t++)
        assert_int_equal(hw_builder_tensor(b, t, d->tensor[t].size, d->tensor[t].kind, NULL, NULL),
                         HW_OK);
    for (uint32_t v = 0; v < d->n; v++) {
        uint32_t at = shuffled ? random_below(d->state, v + 1) : v;
        name[v] = name[at];
        name[at] = v;
    }
    for (uint32_t i = 0; i < d->n; i++)
        build_node(d, b, name[i], views);
    for (uint32_t u = 0; u < d->n; u++)
        for (uint32_t v = 0; v < d->n; v++)
            if (d->control[u][v])
                assert_int_equal(hw_builder_control(b, u, v, NULL), HW_OK);
    if (hw_builder_finish(b, &g, &err) != HW_OK)
        fail_msg("%s", err.message);
    hw_builder_free(b);
    return g;
}

hw_graph *series_parallel_graph(uint64_t *state, uint32_t n, bool views)
{
    static const uint32_t sizes[] = {1, 3, 10, 100};
    drawing d = {.state = state, .n = n, .largest = sizes[random_below(state, 4)]};
    assert_true(n <= MOST);
    draw_order(&d);
    draw_tensors(&d);
    return build(&d, views);
}

/* ---- Properties. ---- */

void nodes_after(const hw_graph *g, uint32_t *after)
{
    memset(after, 0, g->n_nodes * sizeof *after);
    /* Paths of up to 2, 3, ... edges. */
    for (uint32_t round = 0; round < g->n_nodes; round++)
        for (uint32_t u = 0; u < g->n_nodes; u++)
            for (uint32_t k = g->succs.offset[u]; k < g->succs.offset[u + 1]; k++)
                after[u] |= UINT32_C(1) << g->succs.item[k] | after[g->succs.item[k]];
}

bool is_pattern(const uint32_t *after, const uint32_t at[4])
{
    static const bool wanted[4][4] = {{false, false, true, false}, {false, false, true, true}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            if (has(after[at[i]], at[k]) != wanted[i][k] || (i != k && at[i] == at[k]))
                return false;
    return true;
}

bool has_pattern(const uint32_t *after, uint32_t n)
{
    uint32_t at[4];
    for (at[0] = 0; at[0] < n; at[0]++)
        for (at[1] = 0; at[1] < n; at[1]++)
            for (at[2] = 0; at[2] < n; at[2]++)
                for (at[3] = 0; at[3] < n && has(after[at[0]], at[2]); at[3]++)
                    if (is_pattern(after, at))
                        return true;
    return false;
}

bool has_last_consumers(const hw_model *m, const uint32_t *after)
{
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        uint32_t begin = m->users.offset[b], end = m->users.offset[b + 1];
        bool found = false;
        for (uint32_t i = begin; i < end; i++) {
            uint32_t last = m->users.item[i];
            bool all = true;
            for (uint32_t k = begin; k < end; k++)
                all = all && (k == i || has(after[m->users.item[k]], last));
            found = found || all;
        }
        if (!found)
            return false;
    }
    return true;
}
