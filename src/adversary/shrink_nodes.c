/* Steps of shrinking that take nodes away.  See shrink_steps.h. */
#include "adversary/shrink_steps.h"

HW_STEP_COUNT(hw_count_nodes)
{
    (void)view;
    return e->n_nodes;
}

HW_STEP_COUNT(hw_count_node_pairs)
{
    (void)view;
    return e->n_nodes * e->n_nodes;
}

HW_STEP_COUNT(hw_count_reads)
{
    (void)view;
    return e->n_reads;
}

/* The node and all that it makes; who read that reads less. */
HW_STEP_TAKE(hw_take_drop_node)
{
    (void)view;
    (void)err;
    e->node[index].gone = true;
    *taken = true;
    return HW_OK;
}

/* The node; who read what it made reads what it read. */
HW_STEP_TAKE(hw_take_bypass)
{
    (void)view;
    hw_code code = HW_OK;
    size_t reads = e->n_reads;
    *taken = false;
    e->node[index].gone = true;
    for (size_t i = 0; i < reads; i++) {
        uint32_t reader = e->read[i].node;
        if (e->tensor[e->read[i].tensor].maker != index)
            continue;
        for (size_t k = 0; k < reads && code == HW_OK; k++) {
            if (e->read[k].node != index)
                continue;
            code = hw_edit_read_too(e, reader, e->read[k].tensor, err);
            *taken = true;
        }
    }
    return code; /* not taken: the same as dropping it */
}

/* Does a node other than `reader` read the tensor? */
static bool read_elsewhere(const hw_edit *e, uint32_t tensor, uint32_t reader)
{
    for (size_t i = 0; i < e->n_reads; i++)
        if (e->read[i].tensor == tensor && e->read[i].node != reader)
            return true;
    return false;
}

/* Reads, pairs and control edges of one node become those of another. */
static hw_code move_to(hw_edit *e, uint32_t from, uint32_t to, hw_error *err)
{
    size_t reads = e->n_reads;
    hw_code code = HW_OK;
    for (size_t i = 0; i < reads && code == HW_OK; i++)
        if (e->read[i].node == from)
            code = hw_edit_read_too(e, to, e->read[i].tensor, err);
    for (size_t i = 0; i < e->n_pairs; i++)
        if (e->pair[i].node == from)
            e->pair[i].node = to;
    for (size_t i = 0; i < e->n_controls; i++) {
        if (e->control[i].from == from)
            e->control[i].from = to;
        if (e->control[i].to == from)
            e->control[i].to = to;
    }
    if (e->node[to].workspace < e->node[from].workspace)
        e->node[to].workspace = e->node[from].workspace;
    return code;
}

static uint32_t slots(const hw_edit *e, uint32_t node)
{
    uint32_t next = 0;
    for (size_t t = 0; t < e->n_tensors; t++)
        if (e->tensor[t].maker == node && e->tensor[t].slot >= next)
            next = e->tensor[t].slot + 1;
    return next;
}

/*
 * Maker and reader in one, in the place of the reader: what only passes
 * between them is gone, and the rest of what the maker made is made by both.
 */
HW_STEP_TAKE(hw_take_merge_into_reader)
{
    (void)view;
    uint32_t reader = e->read[index].node, maker = e->tensor[e->read[index].tensor].maker;
    *taken = maker != HW_NONE;
    if (!*taken)
        return HW_OK;
    uint32_t slot = slots(e, reader);
    for (uint32_t t = 0; t < e->n_tensors; t++) {
        if (e->tensor[t].maker != maker)
            continue;
        if (e->tensor[t].kind != HW_OUTPUT && !read_elsewhere(e, t, reader)) {
            e->tensor[t].gone = true;
        } else {
            e->tensor[t].maker = reader;
            e->tensor[t].slot = slot++;
        }
    }
    e->node[reader].flags &= (uint8_t)~HW_NODE_VIEW;
    e->node[maker].gone = true;
    return move_to(e, maker, reader, err);
}

/*
 * The same in the place of the maker, and the tensor between them is what is
 * left: who read what the reader made reads that.
 */
HW_STEP_TAKE(hw_take_merge_into_maker)
{
    (void)view;
    uint32_t reader = e->read[index].node, tensor = e->read[index].tensor;
    uint32_t maker = e->tensor[tensor].maker;
    *taken = maker != HW_NONE;
    if (!*taken)
        return HW_OK;
    e->node[maker].flags &= (uint8_t)~HW_NODE_VIEW;
    e->node[reader].gone = true;
    for (uint32_t t = 0; t < e->n_tensors; t++)
        if (e->tensor[t].maker == reader)
            hw_edit_redirect(e, t, tensor);
    return move_to(e, reader, maker, err);
}

/* A tensor that the node makes; it makes one. */
static uint32_t tensor_of(const hw_edit *e, size_t node)
{
    uint32_t t = 0;
    while (e->tensor[t].maker != node)
        t++;
    return t;
}

/* Every read of the one is matched by one of the other, by node or by tensor. */
static bool reads_match(const hw_edit *e, size_t u, size_t v, uint32_t made_by_u,
                        uint32_t made_by_v)
{
    for (size_t i = 0; i < e->n_reads; i++) {
        const hw_edit_read *r = &e->read[i];
        if (r->node == u && !hw_edit_reads(e, (uint32_t)v, r->tensor))
            return false;
        if (r->tensor == made_by_u && !hw_edit_reads(e, r->node, made_by_v))
            return false;
    }
    return true;
}

bool hw_may_be_twins(const hw_edit *e, size_t index)
{
    size_t u = index / e->n_nodes, v = index % e->n_nodes;
    return u < v && e->node[u].outputs == 1 && e->node[v].outputs == 1 &&
           (e->node[u].inputs == 0) == (e->node[v].inputs == 0);
}

/* Two nodes with the same inputs and readers: one that makes what both made. */
HW_STEP_TAKE(hw_take_merge_twins)
{
    (void)view;
    (void)err;
    size_t u = index / e->n_nodes, v = index % e->n_nodes;
    *taken = false;
    uint32_t a = tensor_of(e, u), b = tensor_of(e, v);
    if (e->tensor[a].kind != e->tensor[b].kind || !reads_match(e, u, v, a, b) ||
        !reads_match(e, v, u, b, a) || e->tensor[a].size > INT64_MAX - e->tensor[b].size)
        return HW_OK;
    e->tensor[a].size += e->tensor[b].size;
    if (e->node[u].workspace < e->node[v].workspace)
        e->node[u].workspace = e->node[v].workspace;
    e->node[v].gone = true;
    *taken = true;
    return HW_OK;
}
