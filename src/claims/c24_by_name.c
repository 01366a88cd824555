/* Tensors kept by name.  See c24_names.h. */
#include "claims/c24_names.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "model/builder.h"

typedef struct tables {
    int64_t *count, *truth; /* consumers yet to come: by name; by tensor          */
    uint64_t *live;         /* by name: bytes                                     */
    bool *there, *exists;   /* by name; by tensor: made and with consumers to come */
} tables;

static void tables_free(tables *t)
{
    free(t->count);
    free(t->truth);
    free(t->live);
    free(t->there);
    free(t->exists);
}

/* Compare with the truth after a step. */
static void compare(const hw_graph *g, const uint32_t *name, const tables *t, uint64_t live,
                    by_name *out)
{
    bool wrong = false;
    uint64_t right = 0;
    for (uint32_t i = 0; i < g->n_tensors; i++) {
        if (!t->exists[i])
            continue;
        right += g->tensor_size[i];
        wrong |= t->count[name[i]] != t->truth[i];
    }
    out->wrong_steps += wrong;
    out->wrong_bytes += live != right;
}

static void run_step(const hw_graph *g, uint32_t v, const uint32_t *name, tables *t, uint64_t *live)
{
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        uint32_t tensor = g->inputs.item[i], label = name[tensor];
        if (--t->count[label] == 0 && t->there[label]) {
            *live -= t->live[label];
            t->there[label] = false;
        }
        if (--t->truth[tensor] == 0)
            t->exists[tensor] = false;
    }
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++) {
        uint32_t tensor = g->outputs.item[i], label = name[tensor];
        *live -= t->there[label] ? t->live[label] : 0; /* a table has one entry a key */
        t->live[label] = g->tensor_size[tensor];
        t->there[label] = true;
        *live += g->tensor_size[tensor];
        t->exists[tensor] = true;
    }
}

hw_code by_name_run(const hw_graph *g, const uint32_t *order, const uint32_t *name, bool added,
                    by_name *out, hw_error *err)
{
    tables t = {HW_NEW0(int64_t, g->n_tensors), HW_NEW0(int64_t, g->n_tensors),
                HW_NEW0(uint64_t, g->n_tensors), HW_NEW0(bool, g->n_tensors),
                HW_NEW0(bool, g->n_tensors)};
    uint64_t live = 0;
    *out = (by_name){0};
    if (!t.count || !t.truth || !t.live || !t.there || !t.exists) {
        tables_free(&t);
        return hw_fail_memory(err, "tables by name");
    }
    for (uint32_t i = 0; i < g->inputs.offset[g->n_nodes]; i++)
        t.truth[g->inputs.item[i]]++;
    for (uint32_t i = 0; i < g->n_tensors; i++)
        t.count[name[i]] = t.truth[i] + (added ? t.count[name[i]] : 0);
    for (uint32_t step = 0; step < g->n_nodes; step++) {
        run_step(g, order[step], name, &t, &live);
        compare(g, name, &t, live, out);
        out->peak = live > out->peak ? live : out->peak;
    }
    tables_free(&t);
    return HW_OK;
}

/* ---- Names that repeat. ---- */

static uint32_t slot_of(const hw_graph *g, uint32_t v, uint32_t t)
{
    uint32_t slot = 0;
    while (g->outputs.item[g->outputs.offset[v] + slot] != t)
        slot++;
    return slot;
}

static hw_code add_tensor(hw_builder *b, const hw_graph *g, uint32_t part, uint32_t t,
                          uint32_t *name, hw_error *err)
{
    uint32_t v = g->tensor_producer[t];
    char text[48];
    *name = t;
    if (v == HW_NONE)
        (void)snprintf(text, sizeof text, "input%u", t);
    else { /* the label is the tensor of the first part at the same place, if there is one */
        uint32_t slot = slot_of(g, v, t), at = g->outputs.offset[v % part] + slot;
        (void)snprintf(text, sizeof text, "op%u_%u", v % part, slot);
        if (at < g->outputs.offset[v % part + 1])
            *name = g->outputs.item[at];
    }
    return hw_builder_tensor(b, t, g->tensor_size[t], (hw_kind)g->tensor_kind[t], text, err);
}

static hw_code add_node(hw_builder *b, const hw_graph *g, uint32_t part, uint32_t v, hw_error *err)
{
    uint32_t n_in = g->inputs.offset[v + 1] - g->inputs.offset[v];
    uint32_t n_out = g->outputs.offset[v + 1] - g->outputs.offset[v];
    uint64_t *list = HW_NEW(uint64_t, (size_t)n_in + n_out);
    char text[48];
    if (!list)
        return hw_fail_memory(err, "a node");
    for (uint32_t i = 0; i < n_in; i++)
        list[i] = g->inputs.item[g->inputs.offset[v] + i];
    for (uint32_t i = 0; i < n_out; i++)
        list[n_in + i] = g->outputs.item[g->outputs.offset[v] + i];
    (void)snprintf(text, sizeof text, "op%u", v % part);
    hw_node_spec spec = {.id = v,
                         .name = text,
                         .inputs = list,
                         .n_inputs = n_in,
                         .outputs = list + n_in,
                         .n_outputs = n_out};
    hw_code code = hw_builder_node(b, &spec, err);
    free(list);
    return code;
}

hw_code by_name_rename(const hw_graph *g, uint32_t copies, uint32_t *name, hw_graph **out,
                       hw_error *err)
{
    hw_builder *b = hw_builder_new();
    uint32_t part = (g->n_nodes + copies - 1) / copies;
    hw_code code = b ? hw_builder_describe(b, "names that repeat", "claim C24", NULL, err)
                     : hw_fail_memory(err, "a graph with names");
    for (uint32_t t = 0; code == HW_OK && t < g->n_tensors; t++)
        code = add_tensor(b, g, part, t, &name[t], err);
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        code = add_node(b, g, part, v, err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    return code;
}
