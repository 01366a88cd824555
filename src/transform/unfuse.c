/* A fusion undone.  See record.h. */
#include <stdlib.h>
#include <string.h>

#include "core/idmap.h"
#include "core/memory.h"
#include "transform/recast.h"
#include "transform/record_internal.h"

/* Where the original's nodes or tensors come from: an index of the parts, or HW_NONE: the next of
 * the fused graph that is still there. */
typedef struct seats {
    uint32_t *part;
    size_t n;
} seats;

static hw_code changed(const hw_record *r, const char *what, hw_error *err)
{
    return hw_fail(err, HW_BAD_INPUT, "%s: %s: the record was changed, or is of another version",
                   r->file, what);
}

/* Give the `n` places of the record their seats among n + rest. */
static hw_code take_seats(seats *s, const hw_record *r, const record_place *places, size_t n,
                          size_t rest, const hw_idmap *ids, hw_error *err)
{
    s->n = n + rest;
    s->part = HW_NEW(uint32_t, s->n);
    if (!s->part)
        return hw_fail_memory(err, "undoing a fusion");
    memset(s->part, 0xff, s->n * sizeof *s->part);
    for (size_t i = 0; i < n; i++) {
        uint32_t part = hw_idmap_find(ids, places[i].id);
        if (part == HW_NONE)
            return changed(r, "a fusion names what its parts do not have", err);
        if (places[i].position >= s->n || s->part[places[i].position] != HW_NONE)
            return changed(r, "two nodes or tensors on one position, or one beyond the end", err);
        s->part[places[i].position] = part;
    }
    return HW_OK;
}

static hw_code map_nodes(hw_idmap *map, const hw_graph *g, hw_error *err)
{
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (hw_idmap_add(map, hw_node_id(g, v)) != HW_IDMAP_NEW)
            return hw_fail_memory(err, "undoing a fusion");
    return HW_OK;
}

static hw_code map_tensors(hw_idmap *map, const hw_graph *g, hw_error *err)
{
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (hw_idmap_add(map, hw_tensor_id(g, t)) != HW_IDMAP_NEW)
            return hw_fail_memory(err, "undoing a fusion");
    return HW_OK;
}

typedef struct undoing {
    const hw_graph *fused;
    const hw_record *r;
    hw_recast kept, parts; /* the nodes of either; both write into kept.builder */
    seats nodes, tensors;
    bool *was_fused; /* of a node of the fused graph */
} undoing;

static hw_code mark_fused(undoing *u, const hw_idmap *ids, hw_error *err)
{
    u->was_fused = HW_NEW0(bool, u->fused->n_nodes);
    if (!u->was_fused)
        return hw_fail_memory(err, "undoing a fusion");
    for (size_t i = 0; i < u->r->n_fusions; i++) {
        uint32_t v = hw_idmap_find(ids, u->r->fusion[i].node);
        if (v == HW_NONE || u->was_fused[v])
            return changed(u->r, "a fusion names a node that the graph has not, or names it twice",
                           err);
        u->was_fused[v] = true;
    }
    return HW_OK;
}

static hw_code seat_all(undoing *u, hw_error *err)
{
    hw_idmap fused_nodes = {0}, nodes = {0}, tensors = {0};
    const hw_record *r = u->r;
    hw_code code = map_nodes(&fused_nodes, u->fused, err);
    if (code == HW_OK)
        code = map_nodes(&nodes, r->parts, err);
    if (code == HW_OK)
        code = map_tensors(&tensors, r->parts, err);
    if (code == HW_OK)
        code = mark_fused(u, &fused_nodes, err);
    if (code == HW_OK)
        code = take_seats(&u->nodes, r, r->node, r->n_nodes, u->fused->n_nodes - r->n_fusions,
                          &nodes, err);
    if (code == HW_OK)
        code =
            take_seats(&u->tensors, r, r->tensor, r->n_tensors, u->fused->n_tensors, &tensors, err);
    hw_idmap_clear(&fused_nodes);
    hw_idmap_clear(&nodes);
    hw_idmap_clear(&tensors);
    return code;
}

static hw_code put_all(undoing *u, hw_error *err)
{
    hw_code code = HW_OK;
    hw_builder *b = u->kept.builder;
    uint32_t next = 0;
    for (size_t i = 0; i < u->tensors.n && code == HW_OK; i++) {
        uint32_t part = u->tensors.part[i];
        code = part == HW_NONE
                   ? hw_recast_tensor(&u->kept, next, (hw_kind)u->fused->tensor_kind[next], err)
                   : hw_builder_tensor(b, hw_tensor_id(u->r->parts, part),
                                       u->r->parts->tensor_size[part],
                                       (hw_kind)u->r->parts->tensor_kind[part],
                                       hw_tensor_name(u->r->parts, part), err);
        next += part == HW_NONE;
    }
    next = 0;
    for (size_t i = 0; i < u->nodes.n && code == HW_OK; i++) {
        uint32_t part = u->nodes.part[i];
        hw_node_spec spec;
        while (part == HW_NONE && u->was_fused[next])
            next++;
        code = part == HW_NONE ? hw_recast_spec(&u->kept, next++, &spec, err)
                               : hw_recast_spec(&u->parts, part, &spec, err);
        if (code == HW_OK)
            code = hw_builder_node(b, &spec, err);
    }
    for (size_t i = 0; i < u->r->n_control && code == HW_OK; i++)
        code = hw_builder_control(b, u->r->control[2 * i], u->r->control[2 * i + 1], err);
    return code;
}

static hw_code check_result(const undoing *u, const hw_graph *g, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_code code = hw_graph_hash(g, hash, err);
    if (code == HW_OK && strcmp(hash, u->r->original) != 0)
        code = changed(u->r, "what comes out is not the graph that went in", err);
    return code;
}

static hw_code undo(undoing *u, hw_graph **out, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_code code = hw_graph_hash(u->fused, hash, err);
    if (code == HW_OK && strcmp(hash, u->r->fused) != 0)
        code = hw_fail(err, HW_BAD_INPUT,
                       "%s: the record is of graph %s, this graph is %s: give the graph that came "
                       "with it",
                       u->r->file, u->r->fused, hash);
    if (code == HW_OK)
        code = hw_recast_open(&u->kept, u->fused, err);
    if (code == HW_OK)
        code = hw_recast_open(&u->parts, u->r->parts, err);
    if (code == HW_OK && u->r->n_fusions > u->fused->n_nodes)
        code = changed(u->r, "more fusions than nodes", err);
    if (code == HW_OK)
        code = seat_all(u, err);
    if (code == HW_OK)
        code = put_all(u, err);
    if (code == HW_OK)
        code = hw_recast_finish(&u->kept, out, err);
    if (code == HW_BAD_INPUT)
        hw_error_prefix(err, "undoing a fusion: ");
    return code;
}

hw_code hw_unfuse(const hw_graph *fused, const hw_record *r, hw_graph **out, hw_error *err)
{
    undoing u = {.fused = fused, .r = r};
    *out = NULL;
    hw_code code = undo(&u, out, err);
    if (code == HW_OK)
        code = check_result(&u, *out, err);
    if (code != HW_OK) {
        hw_graph_free(*out);
        *out = NULL;
    }
    hw_recast_close(&u.kept);
    hw_recast_close(&u.parts);
    free(u.nodes.part);
    free(u.tensors.part);
    free(u.was_fused);
    return code;
}

hw_code hw_unfuse_order(const hw_graph *fused, const hw_record *r, const hw_graph *original,
                        const uint32_t *order, uint32_t *expanded, hw_error *err)
{
    hw_idmap nodes = {0}, fusions = {0};
    hw_code code = map_nodes(&nodes, original, err);
    for (size_t i = 0; i < r->n_fusions && code == HW_OK; i++)
        if (hw_idmap_add(&fusions, r->fusion[i].node) != HW_IDMAP_NEW)
            code = hw_fail_memory(err, "undoing a fusion");
    uint32_t n = 0;
    for (uint32_t i = 0; i < fused->n_nodes && code == HW_OK; i++) {
        uint32_t id = hw_node_id(fused, order[i]), fusion = hw_idmap_find(&fusions, id);
        if (fusion == HW_NONE) {
            expanded[n++] = hw_idmap_find(&nodes, id);
            continue;
        }
        for (size_t k = r->fusion[fusion].begin; k < r->fusion[fusion].end; k++)
            expanded[n++] = hw_idmap_find(&nodes, r->node[k].id);
    }
    hw_idmap_clear(&nodes);
    hw_idmap_clear(&fusions);
    return code;
}
