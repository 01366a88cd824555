/* What the options ask of any format: locks, windows, views.  See import.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/params.h"
#include "import/import.h"
#include "io/text.h"

typedef struct marking {
    const hw_graph *g;
    const hw_import_options *options;
    hw_import_report *report;
    hw_error *err;
    uint8_t *flags;
    uint32_t *windows;
    bool changed;
} marking;

/* The first few types of the nodes, each once. */
static void list_types(const hw_graph *g, char *text, size_t room)
{
    enum { MOST = 5 };
    const char *shown[MOST];
    size_t n = 0, used = 0;
    text[0] = '\0';
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        const char *op = hw_node_op(g, v);
        char quoted[HW_QUOTE_BYTES];
        size_t i = 0;
        while (i < n && strcasecmp(shown[i], op) != 0)
            i++;
        if (i < n || !*op)
            continue;
        int wrote = snprintf(text + used, room - used, "%s%s", n ? ", " : "",
                             n < MOST ? hw_quote(op, strlen(op), quoted) : "...");
        used += wrote > 0 ? (size_t)wrote : 0;
        if (n == MOST)
            return;
        shown[n++] = op;
    }
}

/* No node has the operator type that `option` names. */
static hw_code fail_type(const marking *m, const char *option, const char *type)
{
    const hw_graph *g = m->g;
    const char **ops = HW_NEW(const char *, g->n_nodes);
    if (!ops)
        return hw_fail_memory(m->err, "the operator types of a graph");
    size_t n = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (*hw_node_op(g, v))
            ops[n++] = hw_node_op(g, v);
    char quoted[HW_QUOTE_BYTES], shown[HW_QUOTE_BYTES], types[6 * HW_QUOTE_BYTES + 16];
    const char *near = hw_nearest_name(type, ops, n);
    list_types(g, types, sizeof types);
    hw_code code =
        hw_fail(m->err, HW_USAGE, "option --%s: no node has the operator type '%s'%s%s%s", option,
                hw_quote(type, strlen(type), quoted),
                near     ? "; did you mean '"
                : n == 0 ? ": the nodes of this graph have none"
                         : ": there are ",
                near ? hw_quote(near, strlen(near), shown) : types, near ? "'?" : "");
    free(ops);
    return code;
}

static hw_code lock_type(marking *m, const char *type)
{
    bool found = false;
    for (uint32_t v = 0; v < m->g->n_nodes; v++) {
        if (strcasecmp(hw_node_op(m->g, v), type) != 0)
            continue;
        found = true;
        m->flags[v] |= HW_NODE_LOCKED;
    }
    return found ? HW_OK : fail_type(m, "lock", type);
}

/* Side effects that the table knows; one note names each type. */
static hw_code lock_by_table(marking *m)
{
    hw_code code = HW_OK;
    for (uint32_t v = 0; code == HW_OK && v < m->g->n_nodes; v++) {
        const char *op = hw_node_op(m->g, v);
        char quoted[HW_QUOTE_BYTES];
        unsigned traits = hw_operators_traits(m->options->operators, op);
        if (!(traits & HW_OPERATOR_LOCKED) || (m->flags[v] & HW_NODE_LOCKED))
            continue;
        m->flags[v] |= HW_NODE_LOCKED;
        code = hw_import_note(m->report, m->err, "nodes %s are locked: they %s",
                              hw_quote(op, strlen(op), quoted),
                              traits & HW_OPERATOR_RANDOM  ? "draw random numbers"
                              : traits & HW_OPERATOR_STATE ? "touch what outlives the run"
                                                           : "talk to the world");
    }
    return code;
}

/* Why node v cannot be a view; NULL: it can. */
static const char *no_view(const hw_graph *g, uint32_t v)
{
    uint32_t first_in = g->inputs.offset[v], first_out = g->outputs.offset[v];
    if (g->inputs.offset[v + 1] == first_in)
        return "reads nothing";
    if (g->outputs.offset[v + 1] != first_out + 1)
        return "makes not just one tensor";
    if (g->inplace_offset && g->inplace_offset[v + 1] > g->inplace_offset[v])
        return "works in place";
    if (g->tensor_size[g->inputs.item[first_in]] != g->tensor_size[g->outputs.item[first_out]])
        return "makes another size than it reads";
    return NULL;
}

static hw_code view_type(marking *m, const char *type)
{
    const hw_graph *g = m->g;
    bool found = false;
    hw_code code = HW_OK;
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++) {
        if (strcasecmp(hw_node_op(g, v), type) != 0)
            continue;
        found = true;
        const char *why = m->flags[v] & HW_NODE_VIEW ? NULL : no_view(g, v), *name;
        char quoted[HW_QUOTE_BYTES];
        name = hw_node_name(g, v);
        if (!why)
            m->flags[v] |= HW_NODE_VIEW;
        else
            code = hw_import_note(m->report, m->err, "node %" PRIu32 "%s%s%s is no view: it %s",
                                  hw_node_id(g, v), *name ? " (" : "",
                                  hw_quote(name, strlen(name), quoted), *name ? ")" : "", why);
    }
    return code == HW_OK && !found ? fail_type(m, "view", type) : code;
}

static hw_code set_windows(marking *m)
{
    const hw_graph *g = m->g;
    m->windows = HW_NEW(uint32_t, g->n_nodes);
    if (!m->windows)
        return hw_fail_memory(m->err, "the windows of a graph");
    for (uint32_t v = 0; v < g->n_nodes; v++)
        m->windows[v] = m->options->window;
    return HW_OK;
}

static hw_code mark(marking *m, bool foreign)
{
    const hw_import_options *o = m->options;
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < o->n_locked; i++)
        code = lock_type(m, o->locked[i]);
    if (code == HW_OK && foreign)
        code = lock_by_table(m);
    for (size_t i = 0; code == HW_OK && i < o->n_views; i++)
        code = view_type(m, o->views[i]);
    if (code == HW_OK && o->has_window)
        code = set_windows(m);
    m->changed = o->has_window ||
                 (m->g->n_nodes > 0 && memcmp(m->flags, m->g->node_flags, m->g->n_nodes) != 0);
    return code;
}

hw_code hw_import_apply(hw_graph **g, const hw_import_options *options, bool foreign,
                        hw_import_report *report, hw_error *err)
{
    if (!foreign && !options->n_locked && !options->n_views && !options->has_window)
        return HW_OK;
    marking m = {.g = *g, .options = options, .report = report, .err = err};
    m.flags = hw_copy((*g)->node_flags, (*g)->n_nodes, sizeof *m.flags);
    hw_code code = m.flags ? mark(&m, foreign) : hw_fail_memory(err, "the marks of a graph");
    if (code == HW_OK && m.changed) {
        hw_graph *marked;
        code = hw_graph_mark(*g, &(hw_marks){.flags = m.flags, .windows = m.windows}, &marked, err);
        if (code == HW_OK) {
            hw_graph_free(*g);
            *g = marked;
        } else if (code == HW_BAD_INPUT) {
            hw_error_prefix(err, "%s, with the locks and views asked for: ", (*g)->name);
        }
    }
    free(m.flags);
    free(m.windows);
    return code;
}
