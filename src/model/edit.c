/* A graph that can be changed.  See edit.h. */
#include "model/edit.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void hw_edit_clear(hw_edit *e)
{
    free(e->node);
    free(e->tensor);
    free(e->read);
    free(e->pair);
    free(e->control);
    memset(e, 0, sizeof *e);
}

/* ---- From a graph. ---- */

/* Room for n items in a list that is to be written anew. */
#define ROOM(e, list, room, n) hw_grow((void **)&(e)->list, &(e)->room, (n), sizeof *(e)->list)

static bool make_room(hw_edit *e, size_t nodes, size_t tensors, size_t reads, size_t pairs,
                      size_t controls)
{
    /* one more each, so that no list is NULL */
    return ROOM(e, node, node_room, nodes + 1) && ROOM(e, tensor, tensor_room, tensors + 1) &&
           ROOM(e, read, read_room, reads + 1) && ROOM(e, pair, pair_room, pairs + 1) &&
           ROOM(e, control, control_room, controls + 1);
}

static void count_all(hw_edit *e)
{
    for (size_t v = 0; v < e->n_nodes; v++)
        e->node[v].inputs = e->node[v].outputs = 0;
    for (size_t t = 0; t < e->n_tensors; t++) {
        e->tensor[t].readers = 0;
        if (e->tensor[t].maker != HW_NONE)
            e->node[e->tensor[t].maker].outputs++;
    }
    for (size_t i = 0; i < e->n_reads; i++) {
        e->tensor[e->read[i].tensor].readers++;
        e->node[e->read[i].node].inputs++;
    }
}

static void take_node(hw_edit *e, const hw_graph *g, uint32_t v)
{
    e->node[v] = (hw_edit_node){.workspace = hw_node_workspace(g, v),
                                .origin = v,
                                .window = g->node_window ? g->node_window[v] : HW_NONE,
                                .flags = g->node_flags[v]};
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        e->read[e->n_reads++] = (hw_edit_read){.node = v, .tensor = g->inputs.item[i]};
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++) {
        e->tensor[g->outputs.item[i]].maker = v;
        e->tensor[g->outputs.item[i]].slot = i - g->outputs.offset[v];
    }
    for (uint32_t i = g->inplace_offset ? g->inplace_offset[v] : 0;
         g->inplace_offset && i < g->inplace_offset[v + 1]; i++)
        e->pair[e->n_pairs++] = (hw_edit_pair){
            .node = v, .input = g->inplace_pair[i].input, .output = g->inplace_pair[i].output};
}

static void note_results(hw_edit *e)
{
    e->keeps_results = true;
    for (size_t t = 0; t < e->n_tensors; t++)
        if (e->tensor[t].readers == 0 && e->tensor[t].kind == HW_ACTIVATION)
            e->keeps_results = false;
}

hw_code hw_edit_open(hw_edit *e, const hw_graph *g, hw_error *err)
{
    memset(e, 0, sizeof *e);
    if (!make_room(e, g->n_nodes, g->n_tensors, g->inputs.offset[g->n_nodes],
                   g->inplace_offset ? g->inplace_offset[g->n_nodes] : 0, g->n_control))
        return hw_fail_memory(err, "a graph to change");
    e->origin = g;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        e->tensor[t] = (hw_edit_tensor){
            .size = g->tensor_size[t], .origin = t, .maker = HW_NONE, .kind = g->tensor_kind[t]};
    for (uint32_t v = 0; v < g->n_nodes; v++)
        take_node(e, g, v);
    for (uint32_t i = 0; i < g->n_control; i++)
        e->control[i] = (hw_edit_control){.from = g->control[i].from, .to = g->control[i].to};
    e->n_nodes = g->n_nodes;
    e->n_tensors = g->n_tensors;
    e->n_controls = g->n_control;
    count_all(e);
    note_results(e);
    return HW_OK;
}

hw_code hw_edit_copy(hw_edit *to, const hw_edit *from, hw_error *err)
{
    if (!make_room(to, from->n_nodes, from->n_tensors, from->n_reads, from->n_pairs,
                   from->n_controls))
        return hw_fail_memory(err, "a graph to change");
    memcpy(to->node, from->node, from->n_nodes * sizeof *to->node);
    memcpy(to->tensor, from->tensor, from->n_tensors * sizeof *to->tensor);
    memcpy(to->read, from->read, from->n_reads * sizeof *to->read);
    memcpy(to->pair, from->pair, from->n_pairs * sizeof *to->pair);
    memcpy(to->control, from->control, from->n_controls * sizeof *to->control);
    to->n_nodes = from->n_nodes;
    to->n_tensors = from->n_tensors;
    to->n_reads = from->n_reads;
    to->n_pairs = from->n_pairs;
    to->n_controls = from->n_controls;
    to->origin = from->origin;
    to->keeps_results = from->keeps_results;
    return HW_OK;
}

/* ---- Changes. ---- */

bool hw_edit_reads(const hw_edit *e, uint32_t node, uint32_t tensor)
{
    for (size_t i = 0; i < e->n_reads; i++)
        if (e->read[i].node == node && e->read[i].tensor == tensor && !e->read[i].gone)
            return true;
    return false;
}

hw_code hw_edit_read_too(hw_edit *e, uint32_t node, uint32_t tensor, hw_error *err)
{
    if (hw_edit_reads(e, node, tensor))
        return HW_OK;
    if (!ROOM(e, read, read_room, e->n_reads + 1))
        return hw_fail_memory(err, "a graph to change");
    e->read[e->n_reads++] = (hw_edit_read){.node = node, .tensor = tensor};
    return HW_OK;
}

void hw_edit_redirect(hw_edit *e, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < e->n_reads; i++) {
        if (e->read[i].tensor != from || e->read[i].gone)
            continue;
        if (hw_edit_reads(e, e->read[i].node, to))
            e->read[i].gone = true;
        else
            e->read[i].tensor = to;
    }
    for (size_t i = 0; i < e->n_pairs; i++)
        if (e->pair[i].input == from)
            e->pair[i].input = to;
}

/* The first input of every view, HW_NONE of the others, in node.scratch. */
static void note_bases(hw_edit *e)
{
    for (size_t v = 0; v < e->n_nodes; v++)
        e->node[v].scratch = HW_NONE;
    for (size_t i = e->n_reads; i-- > 0;)
        if (e->node[e->read[i].node].flags & HW_NODE_VIEW)
            e->node[e->read[i].node].scratch = (uint32_t)i;
}

static void mark_what_leans(hw_edit *e)
{
    note_bases(e);
    for (size_t t = 0; t < e->n_tensors; t++)
        if (e->tensor[t].maker != HW_NONE && e->node[e->tensor[t].maker].gone)
            e->tensor[t].gone = true;
    for (size_t i = 0; i < e->n_reads; i++) {
        hw_edit_read *r = &e->read[i];
        r->gone = r->gone || e->node[r->node].gone || e->tensor[r->tensor].gone ||
                  e->tensor[r->tensor].maker == r->node;
    }
    for (size_t v = 0; v < e->n_nodes; v++)
        if ((e->node[v].flags & HW_NODE_VIEW) &&
            (e->node[v].scratch == HW_NONE || e->read[e->node[v].scratch].gone))
            e->node[v].flags &= (uint8_t)~HW_NODE_VIEW;
    for (size_t i = 0; i < e->n_controls; i++) {
        hw_edit_control *c = &e->control[i];
        c->gone = c->gone || c->from == c->to || e->node[c->from].gone || e->node[c->to].gone;
    }
}

/* Tensors that lost their last reader; node.scratch: how many tensors each makes. */
static void settle_unread(hw_edit *e)
{
    for (size_t v = 0; v < e->n_nodes; v++)
        e->node[v].scratch = 0;
    for (size_t t = 0; t < e->n_tensors; t++) {
        e->tensor[t].scratch = e->tensor[t].readers; /* before */
        e->tensor[t].readers = 0;
        if (!e->tensor[t].gone && e->tensor[t].maker != HW_NONE)
            e->node[e->tensor[t].maker].scratch++;
    }
    for (size_t i = 0; i < e->n_reads; i++)
        if (!e->read[i].gone)
            e->tensor[e->read[i].tensor].readers++;
    for (size_t t = 0; t < e->n_tensors; t++) {
        hw_edit_tensor *x = &e->tensor[t];
        if (x->gone || x->readers || x->kind == HW_OUTPUT)
            continue;
        uint32_t *makes = x->maker == HW_NONE ? NULL : &e->node[x->maker].scratch;
        if (x->scratch && (!makes || *makes > 1)) {
            x->gone = true;
            if (makes)
                --*makes;
        } else if (makes && e->keeps_results) {
            x->kind = HW_OUTPUT;
        }
    }
}

/* node.scratch: how many pairs stay. */
static void settle_pairs(hw_edit *e)
{
    for (size_t v = 0; v < e->n_nodes; v++)
        e->node[v].scratch = 0;
    for (size_t i = 0; i < e->n_pairs; i++) {
        hw_edit_pair *p = &e->pair[i];
        p->gone = p->gone || e->node[p->node].gone || e->tensor[p->input].gone ||
                  e->tensor[p->output].gone || e->tensor[p->output].maker != p->node ||
                  !hw_edit_reads(e, p->node, p->input);
        if (!p->gone)
            e->node[p->node].scratch++;
    }
    for (size_t v = 0; v < e->n_nodes; v++) {
        if (e->node[v].scratch != 1)
            e->node[v].flags &= (uint8_t)~HW_NODE_INPLACE_REQUIRED;
        if (e->node[v].scratch)
            e->node[v].flags &= (uint8_t)~HW_NODE_VIEW;
    }
}

/* Take out and number anew; scratch holds the new numbers. */
static void close_ranks(hw_edit *e)
{
    size_t kept = 0;
    for (size_t v = 0; v < e->n_nodes; v++) {
        e->node[v].scratch = (uint32_t)kept;
        kept += !e->node[v].gone;
    }
    size_t tensors = 0;
    for (size_t t = 0; t < e->n_tensors; t++) {
        hw_edit_tensor *x = &e->tensor[t];
        x->scratch = (uint32_t)tensors;
        tensors += !x->gone;
        if (x->maker != HW_NONE)
            x->maker = e->node[x->maker].scratch;
    }
    size_t n = 0;
    for (size_t i = 0; i < e->n_reads; i++)
        if (!e->read[i].gone)
            e->read[n++] = (hw_edit_read){.node = e->node[e->read[i].node].scratch,
                                          .tensor = e->tensor[e->read[i].tensor].scratch};
    e->n_reads = n;
    n = 0;
    for (size_t i = 0; i < e->n_pairs; i++)
        if (!e->pair[i].gone)
            e->pair[n++] = (hw_edit_pair){.node = e->node[e->pair[i].node].scratch,
                                          .input = e->tensor[e->pair[i].input].scratch,
                                          .output = e->tensor[e->pair[i].output].scratch};
    e->n_pairs = n;
    n = 0;
    for (size_t i = 0; i < e->n_controls; i++)
        if (!e->control[i].gone)
            e->control[n++] = (hw_edit_control){.from = e->node[e->control[i].from].scratch,
                                                .to = e->node[e->control[i].to].scratch};
    e->n_controls = n;
    n = 0;
    for (size_t v = 0; v < e->n_nodes; v++)
        if (!e->node[v].gone)
            e->node[n++] = e->node[v];
    e->n_nodes = n;
    n = 0;
    for (size_t t = 0; t < e->n_tensors; t++)
        if (!e->tensor[t].gone)
            e->tensor[n++] = e->tensor[t];
    e->n_tensors = n;
}

void hw_edit_sweep(hw_edit *e)
{
    mark_what_leans(e);
    settle_unread(e);
    settle_pairs(e);
    close_ranks(e);
    count_all(e);
    note_results(e);
}
