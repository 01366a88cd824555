/*
 * Graphs as lines (highwater-formats(5)).  O(tensors + nodes + edges), and
 * sorting where the canonical form asks for it.
 */
#include "io/write.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static const char kind_letters[] = {'a', 'i', 'o', 'c'}; /* by hw_kind */

/* Two numbers to sort by: (id, index) of tensors, (input, output) of pairs. */
typedef struct couple {
    uint32_t first, second;
} couple;

static int by_both(const void *a, const void *b)
{
    const couple *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

static void put_name(hw_sink *s, const char *key, const char *name)
{
    if (!*name)
        return;
    hw_put_char(s, ' ');
    hw_put_text(s, key);
    hw_put_percent(s, name, true);
}

/* A text to the end of the line; blanks before it would be skipped by a reader. */
static void put_line(hw_sink *s, const char *letter, const char *text)
{
    hw_put_text(s, letter);
    for (; *text == ' '; text++)
        hw_put_text(s, "%20");
    hw_put_percent(s, text, false);
    hw_put_char(s, '\n');
}

static void put_head(const hw_graph *g, bool canonical, hw_sink *s)
{
    hw_put_text(s, "p highwater 1 ");
    hw_put_u64(s, g->n_tensors);
    hw_put_char(s, ' ');
    hw_put_u64(s, g->n_nodes);
    hw_put_char(s, ' ');
    hw_put_u64(s, g->n_control);
    if (!canonical)
        put_name(s, "", g->name);
    hw_put_char(s, '\n');
    if (canonical)
        return;
    if (*g->source)
        put_line(s, "s ", g->source);
    if (strcmp(g->unit, "bytes") != 0)
        put_line(s, "u ", g->unit);
}

static void put_tensor(const hw_graph *g, uint32_t t, bool canonical, hw_sink *s)
{
    hw_put_text(s, "t ");
    hw_put_u64(s, hw_tensor_id(g, t));
    hw_put_char(s, ' ');
    hw_put_u64(s, g->tensor_size[t]);
    hw_put_char(s, ' ');
    hw_put_char(s, kind_letters[g->tensor_kind[t]]);
    if (!canonical)
        put_name(s, "", hw_tensor_name(g, t));
    hw_put_char(s, '\n');
}

static bool ascending(const hw_graph *g)
{
    for (uint32_t t = 1; g->tensor_id && t < g->n_tensors; t++)
        if (g->tensor_id[t] < g->tensor_id[t - 1])
            return false;
    return true;
}

static hw_code put_tensors(const hw_graph *g, bool canonical, hw_sink *s, hw_error *err)
{
    if (!canonical || ascending(g)) {
        for (uint32_t t = 0; t < g->n_tensors; t++)
            put_tensor(g, t, canonical, s);
        return HW_OK;
    }
    couple *by_id = HW_NEW(couple, g->n_tensors);
    if (!by_id)
        return hw_fail_memory(err, "sorting tensors");
    for (uint32_t t = 0; t < g->n_tensors; t++)
        by_id[t] = (couple){hw_tensor_id(g, t), t};
    qsort(by_id, g->n_tensors, sizeof *by_id, by_both);
    for (uint32_t i = 0; i < g->n_tensors; i++)
        put_tensor(g, by_id[i].second, canonical, s);
    free(by_id);
    return HW_OK;
}

static void put_ids(const hw_graph *g, const hw_rows *rows, uint32_t v, hw_sink *s)
{
    if (rows->offset[v] == rows->offset[v + 1])
        hw_put_char(s, '-');
    for (uint32_t i = rows->offset[v]; i < rows->offset[v + 1]; i++) {
        if (i > rows->offset[v])
            hw_put_char(s, ',');
        hw_put_u64(s, hw_tensor_id(g, rows->item[i]));
    }
}

static hw_code put_pairs(const hw_graph *g, uint32_t v, bool canonical, hw_sink *s, hw_error *err)
{
    uint32_t n = g->inplace_offset ? g->inplace_offset[v + 1] - g->inplace_offset[v] : 0;
    if (n == 0)
        return HW_OK;
    const hw_inplace_pair *pair = g->inplace_pair + g->inplace_offset[v];
    couple *ids = HW_NEW(couple, n);
    if (!ids)
        return hw_fail_memory(err, "in-place pairs");
    for (uint32_t i = 0; i < n; i++)
        ids[i] = (couple){hw_tensor_id(g, pair[i].input), hw_tensor_id(g, pair[i].output)};
    if (canonical)
        qsort(ids, n, sizeof *ids, by_both);
    hw_put_text(s, " inplace=");
    for (uint32_t i = 0; i < n; i++) {
        if (canonical && i > 0 && by_both(&ids[i], &ids[i - 1]) == 0)
            continue;
        if (i > 0)
            hw_put_char(s, ',');
        hw_put_u64(s, ids[i].first);
        hw_put_char(s, ':');
        hw_put_u64(s, ids[i].second);
    }
    free(ids);
    return HW_OK;
}

static hw_code put_node(const hw_graph *g, uint32_t v, bool canonical, hw_sink *s, hw_error *err)
{
    hw_put_text(s, "v ");
    hw_put_u64(s, hw_node_id(g, v));
    hw_put_char(s, ' ');
    put_ids(g, &g->inputs, v, s);
    hw_put_text(s, " > ");
    put_ids(g, &g->outputs, v, s);
    if (hw_node_workspace(g, v)) {
        hw_put_text(s, " workspace=");
        hw_put_u64(s, hw_node_workspace(g, v));
    }
    hw_code code = put_pairs(g, v, canonical, s, err);
    if (g->node_flags[v] & HW_NODE_INPLACE_REQUIRED)
        hw_put_text(s, " inplace_required");
    if (g->node_flags[v] & HW_NODE_VIEW)
        hw_put_text(s, " view");
    if (g->node_flags[v] & HW_NODE_LOCKED)
        hw_put_text(s, " locked");
    if (g->node_window && g->node_window[v] != HW_NONE) {
        hw_put_text(s, " window=");
        hw_put_u64(s, g->node_window[v]);
    }
    if (!canonical) {
        put_name(s, "op=", hw_node_op(g, v));
        put_name(s, "name=", hw_node_name(g, v));
    }
    hw_put_char(s, '\n');
    return code;
}

hw_code hw_line_put(const hw_graph *g, bool canonical, hw_sink *s, hw_error *err)
{
    put_head(g, canonical, s);
    hw_code code = put_tensors(g, canonical, s, err);
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        code = put_node(g, v, canonical, s, err);
    for (uint32_t i = 0; code == HW_OK && i < g->n_control; i++) {
        hw_put_text(s, "e ");
        hw_put_u64(s, hw_node_id(g, g->control[i].from));
        hw_put_char(s, ' ');
        hw_put_u64(s, hw_node_id(g, g->control[i].to));
        hw_put_char(s, '\n');
    }
    return code;
}
