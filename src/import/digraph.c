/*
 * DOT digraphs with sizes, such as daggen writes.
 *
 * Attributes that are read: `size` of an edge, bytes that its first node makes
 * for its second alone; `size` of a node, bytes that it makes for all that its
 * edges without a size lead to; `op` of a node, its operator type.  An edge
 * that gets no bytes from either is a control edge.  A node's tensor that no
 * node reads is kept to the end.
 *
 * A node with an attribute `alpha` is a task of daggen, whose `size` is a
 * number of operations: there the sizes of nodes are left out.  Nodes stand in
 * the order in which they are named first, each behind those that it waits for;
 * subgraphs only group.
 * Source: https://github.com/frs69wq/daggen, outputDOT() and
 * generateTransfers() ("costs are in bytes").
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/digraph_internal.h"
#include "import/draft.h"
#include "import/importers.h"

static bool tell(const char *bytes, size_t n, bool whole)
{
    hw_dot_scan s = {.file = "", .at = bytes, .end = bytes + n, .brief = true};
    bool is = false;
    (void)whole;
    if (hw_dot_next(&s, NULL) == HW_OK && hw_dot_is_word(&s, "strict"))
        (void)hw_dot_next(&s, NULL);
    if (hw_dot_is_word(&s, "digraph") || hw_dot_is_word(&s, "graph")) {
        is = hw_dot_next(&s, NULL) == HW_OK;
        if (is && s.token == HW_DOT_ID)
            is = hw_dot_next(&s, NULL) == HW_OK;
        is = is && hw_dot_is_sign(&s, '{');
    }
    hw_dot_scan_clear(&s);
    return is;
}

/* A text of `names` as a string, in `kept`. */
static const char *string_of(const hw_names *names, uint32_t i, char **kept, size_t *room)
{
    const hw_name *name = &names->name[i];
    if (!hw_grow((void **)kept, room, name->length + 1, 1))
        return NULL;
    memcpy(*kept, names->text + name->at, name->length);
    (*kept)[name->length] = '\0';
    return *kept;
}

static hw_code add_nodes(const hw_digraph *r, hw_draft *d)
{
    char *name = NULL, *op = NULL;
    size_t name_room = 0, op_room = 0;
    hw_code code = HW_OK;
    for (uint32_t v = 0; code == HW_OK && v < r->names.n_names; v++) {
        const char *text = string_of(&r->names, v, &name, &name_room), *type = "";
        if (r->node[v].op != HW_NONE)
            type = string_of(&r->ops, r->node[v].op, &op, &op_room);
        code = text && type ? hw_draft_node_add(d, text, type, NULL, r->err)
                            : hw_fail_memory(r->err, "the names of a graph");
    }
    free(name);
    free(op);
    if (code == HW_BAD_INPUT)
        hw_error_prefix(r->err, "%s: ", r->s.file);
    return code;
}

static hw_code fill(const hw_digraph *r, hw_import_report *report, hw_draft *d)
{
    hw_code code = add_nodes(r, d);
    bool daggen = false, sizes = false;
    uint32_t n_control = 0;
    for (size_t v = 0; v < r->names.n_names; v++)
        daggen = daggen || r->node[v].has_alpha;
    uint32_t *made = HW_NEW(uint32_t, r->names.n_names);
    if (code == HW_OK && !made)
        code = hw_fail_memory(r->err, "the nodes of a graph");
    for (uint32_t v = 0; code == HW_OK && v < r->names.n_names; v++) {
        made[v] = HW_NONE;
        if (r->node[v].has_size && !daggen)
            code =
                hw_draft_tensor_add(d, r->node[v].size, HW_ACTIVATION, v, NULL, &made[v], r->err);
        sizes = sizes || made[v] != HW_NONE;
    }
    for (size_t i = 0; code == HW_OK && i < r->n_edges; i++) {
        const hw_digraph_edge *e = &r->edges[i];
        uint32_t tensor = made[e->from];
        sizes = sizes || e->has_size;
        if (e->has_size)
            code = hw_draft_tensor_add(d, e->size, HW_ACTIVATION, e->from, NULL, &tensor, r->err);
        if (code != HW_OK)
            break;
        n_control += tensor == HW_NONE;
        code = tensor == HW_NONE ? hw_draft_control_add(d, e->from, e->to, r->err)
                                 : hw_draft_read_add(d, e->to, tensor, r->err);
    }
    free(made);
    if (code == HW_OK && !sizes)
        code =
            hw_fail(r->err, HW_BAD_INPUT,
                    "%s: no %s has an attribute size, in bytes: write e.g. 'a -> b "
                    "[size=\"64\"]' (what highwater writes as DOT is for drawing: give the graph "
                    "that it came from)",
                    r->s.file, daggen ? "edge" : "node and no edge");
    if (code == HW_OK && daggen)
        code = hw_import_note(report, r->err,
                              "the sizes of nodes, which daggen counts in operations, are left "
                              "out: memory is that of the edges");
    if (code == HW_OK && n_control)
        code = hw_import_note(report, r->err,
                              "%" PRIu32 " edge%s without bytes: control edges, which carry none",
                              n_control, n_control == 1 ? "" : "s");
    return code;
}

static hw_code read(hw_import *in, hw_graph **out, hw_error *err)
{
    *out = NULL;
    hw_code code = hw_input_all(in->input, err);
    if (code != HW_OK)
        return code;
    hw_digraph r = {.s = {.file = in->path,
                          .at = in->input->buffer + in->input->start,
                          .end = in->input->buffer + in->input->end,
                          .line = in->input->line + 1},
                    .err = err};
    hw_draft d = {0};
    code = hw_digraph_parse(&r);
    if (code == HW_OK)
        code = fill(&r, in->report, &d);
    if (code == HW_OK)
        code = hw_draft_sort(&d, err);
    if (code == HW_OK) {
        hw_draft_keep_results(&d);
        code = hw_draft_graph(&d, in->path, "DOT", NULL, out, err);
    }
    hw_draft_clear(&d);
    hw_dot_scan_clear(&r.s);
    hw_names_clear(&r.names);
    hw_names_clear(&r.ops);
    free(r.node);
    free(r.edges);
    return code;
}

const hw_importer hw_importer_digraph = {
    .name = "digraph",
    .title = "DOT digraph",
    .help = "daggen's DOT and others whose nodes or edges have a size",
    .tell = tell,
    .read = read,
};
