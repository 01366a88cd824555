/* Constraints as edges, and windows that are none.  See c16_locks.h. */
#include "claims/c16_locks.h"

#include <string.h>

#include "model/builder.h"
#include "transform/recast.h"

/* g as it is in a builder, to which edges can be added. */
static hw_code open_all(hw_recast *r, const hw_graph *g, hw_error *err)
{
    hw_code code = hw_recast_open(r, g, err);
    if (code == HW_OK)
        code = hw_recast_tensors(r, err);
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        code = hw_recast_node(r, v, err);
    return code == HW_OK ? hw_recast_control(r, err) : code;
}

static hw_code join(hw_recast *r, uint32_t from, uint32_t to, hw_error *err)
{
    return hw_builder_control(r->builder, hw_node_id(r->from, from), hw_node_id(r->from, to), err);
}

hw_code locks_fold(const hw_graph *g, const uint8_t *flags, hw_graph **out, hw_error *err)
{
    hw_recast r = {0};
    uint32_t last = HW_NONE;
    hw_code code = open_all(&r, g, err);
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        if (flags[v] & HW_NODE_LOCKED) {
            if (last != HW_NONE)
                code = join(&r, last, v, err);
            last = v;
        }
    if (code == HW_OK)
        code = hw_recast_finish(&r, out, err);
    hw_recast_close(&r);
    return code;
}

/* Edges from the other readers of what v overwrites, which stand before it in the source: so no
 * cycle is closed. */
static hw_code after_readers(hw_recast *r, uint32_t v, hw_error *err)
{
    const hw_graph *g = r->from;
    uint32_t x = g->inplace_pair[g->inplace_offset[v]].input;
    hw_code code = HW_OK;
    for (uint32_t u = 0; code == HW_OK && u < v; u++)
        for (uint32_t i = g->inputs.offset[u]; code == HW_OK && i < g->inputs.offset[u + 1]; i++)
            if (g->inputs.item[i] == x) {
                code = join(r, u, v, err);
                break;
            }
    return code;
}

/* Does a node other than v read tensor x?  O(inputs). */
static bool others_read(const hw_graph *g, uint32_t v, uint32_t x)
{
    for (uint32_t u = 0; u < g->n_nodes; u++)
        for (uint32_t i = g->inputs.offset[u]; u != v && i < g->inputs.offset[u + 1]; i++)
            if (g->inputs.item[i] == x)
                return true;
    return false;
}

void locks_count_pairs(const hw_graph *g, uint64_t *pairs, uint64_t *shared)
{
    for (uint32_t v = 0; g->inplace_offset && v < g->n_nodes; v++)
        for (uint32_t p = g->inplace_offset[v]; p < g->inplace_offset[v + 1]; p++) {
            ++*pairs;
            *shared += others_read(g, v, g->inplace_pair[p].input);
        }
}

hw_code locks_extra_edges(const hw_graph *g, bool readers, hw_graph **out, hw_error *err)
{
    hw_recast r = {0};
    hw_code code = open_all(&r, g, err);
    for (uint32_t v = 1; code == HW_OK && g->inplace_offset && v < g->n_nodes; v++)
        if (g->inplace_offset[v] < g->inplace_offset[v + 1])
            code = readers ? after_readers(&r, v, err) : join(&r, v - 1, v, err);
    if (code == HW_OK)
        code = hw_recast_finish(&r, out, err);
    hw_recast_close(&r);
    return code;
}

/* ---- Windows. ---- */

enum { MOST = 5 };

typedef struct permuter {
    lock_orders *o;
    uint32_t place[MOST], used; /* node i stands at place[i] */
    bool ahead[MOST][MOST];     /* some allowed order has i before k */
    bool counts_edges;
} permuter;

/* Give node i each free place. */
static void permute(permuter *p, uint32_t i)
{
    uint32_t n = p->o->n;
    if (i == n) {
        if (p->counts_edges)
            p->o->by_edges++;
        else
            p->o->allowed++;
        for (uint32_t a = 0; a < n && !p->counts_edges; a++)
            for (uint32_t b = 0; b < n; b++)
                p->ahead[a][b] |= p->place[a] < p->place[b];
        return;
    }
    for (uint32_t at = 0; at < n; at++) {
        bool fits = !(p->used >> at & 1);
        if (!p->counts_edges)
            fits = fits && at + p->o->width >= i && at <= i + p->o->width;
        for (uint32_t k = 0; p->counts_edges && k < i; k++) {
            bool before = p->place[k] < at;
            fits = fits && (before ? p->ahead[k][i] : p->ahead[i][k]);
        }
        if (!fits)
            continue;
        p->place[i] = at;
        p->used |= UINT32_C(1) << at;
        permute(p, i + 1);
        p->used &= ~(UINT32_C(1) << at);
    }
}

static hw_code free_nodes(uint32_t n, uint32_t width, hw_graph **out, hw_error *err)
{
    hw_builder *b = hw_builder_new();
    hw_code code = b ? hw_builder_describe(b, "windows that are no edges", "claim C16", NULL, err)
                     : hw_fail_memory(err, "an example");
    for (uint32_t v = 0; code == HW_OK && v < n; v++) {
        uint64_t tensor = v;
        hw_node_spec spec = {
            .id = v, .outputs = &tensor, .n_outputs = 1, .has_window = true, .window = width};
        code = hw_builder_tensor(b, v, 1, HW_OUTPUT, NULL, err);
        if (code == HW_OK)
            code = hw_builder_node(b, &spec, err);
    }
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    return code;
}

hw_code locks_window_example(lock_orders *o, hw_graph **out, hw_error *err)
{
    for (uint32_t n = 2; n <= MOST; n++)
        for (uint32_t width = 0; width < n; width++) {
            permuter p = {.o = o};
            *o = (lock_orders){.n = n, .width = width};
            permute(&p, 0);
            p.counts_edges = true;
            permute(&p, 0);
            if (o->allowed != o->by_edges)
                return free_nodes(n, width, out, err);
        }
    return hw_fail(err, HW_CHECK_FAILED,
                   "every set of windows on up to %d free nodes is a set of edges: larger ones "
                   "would have to be tried",
                   MOST);
}
