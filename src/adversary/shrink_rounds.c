/*
 * Out of a dead end of shrinking: a graph that no single step makes smaller is
 * shaken, by random changes that keep the goal and the number of nodes, and
 * shrunk again.  See shrink_internal.h.
 */
#include "adversary/shrink_internal.h"

#include "core/rng.h"

enum { SHAKES = 6, TRIES = 20 };

/* Some tensor that nodes may read, or HW_NONE. */
static uint32_t any_tensor(const hw_edit *e, gsl_rng *rng)
{
    return e->n_tensors ? (uint32_t)hw_rng_below(rng, e->n_tensors) : HW_NONE;
}

/* A result that is read from now on is none any more. */
static void note_reader(hw_edit *e, uint32_t tensor)
{
    if (e->keeps_results && e->tensor[tensor].readers == 0 && e->tensor[tensor].kind == HW_OUTPUT)
        e->tensor[tensor].kind = HW_ACTIVATION;
}

static void move_read(hw_edit *e, gsl_rng *rng)
{
    if (e->n_reads == 0)
        return;
    hw_edit_read *r = &e->read[hw_rng_below(rng, e->n_reads)];
    uint32_t tensor = any_tensor(e, rng);
    if (hw_edit_reads(e, r->node, tensor))
        return;
    note_reader(e, tensor);
    r->tensor = tensor;
}

static hw_code add_read(hw_edit *e, gsl_rng *rng, hw_error *err)
{
    uint32_t tensor = any_tensor(e, rng);
    if (tensor == HW_NONE)
        return HW_OK;
    note_reader(e, tensor);
    return hw_edit_read_too(e, (uint32_t)hw_rng_below(rng, e->n_nodes), tensor, err);
}

/* A size becomes another's, or twice it, or half of it. */
static void move_size(hw_edit *e, gsl_rng *rng)
{
    uint32_t at = any_tensor(e, rng), from = any_tensor(e, rng);
    if (at == HW_NONE)
        return;
    uint64_t size = e->tensor[from].size, law = hw_rng_below(rng, 3);
    if (law == 1 && size <= INT64_MAX / 2)
        size *= 2;
    if (law == 2 && size > 1)
        size /= 2;
    e->tensor[at].size = size;
}

static void change_places(uint32_t *node, uint32_t u, uint32_t v)
{
    *node = *node == u ? v : *node == v ? u : *node;
}

/* Two nodes change places in the source order. */
static void move_nodes(hw_edit *e, gsl_rng *rng)
{
    if (e->n_nodes < 2)
        return;
    uint32_t u = (uint32_t)hw_rng_below(rng, e->n_nodes);
    uint32_t v = (uint32_t)hw_rng_below(rng, e->n_nodes);
    hw_edit_node kept = e->node[u];
    e->node[u] = e->node[v];
    e->node[v] = kept;
    for (size_t t = 0; t < e->n_tensors; t++)
        change_places(&e->tensor[t].maker, u, v);
    for (size_t i = 0; i < e->n_reads; i++)
        change_places(&e->read[i].node, u, v);
    for (size_t i = 0; i < e->n_pairs; i++)
        change_places(&e->pair[i].node, u, v);
    for (size_t i = 0; i < e->n_controls; i++) {
        change_places(&e->control[i].from, u, v);
        change_places(&e->control[i].to, u, v);
    }
}

static hw_code shake_trial(hw_shrinking *s, gsl_rng *rng, hw_error *err)
{
    hw_code code = hw_edit_copy(&s->trial, &s->now.edit, err);
    hw_edit *e = &s->trial;
    if (code != HW_OK || e->n_nodes == 0)
        return code;
    switch (hw_rng_below(rng, 4)) {
    case 0:
        move_read(e, rng);
        break;
    case 1:
        move_size(e, rng);
        break;
    case 2:
        move_nodes(e, rng);
        break;
    default:
        code = add_read(e, rng, err);
    }
    hw_edit_sweep(e);
    return code;
}

/* Some random changes, each of which keeps the goal. */
static hw_code shake(hw_shrinking *s, gsl_rng *rng, hw_error *err)
{
    uint64_t wanted = 1 + hw_rng_below(rng, SHAKES);
    hw_code code = HW_OK;
    for (unsigned i = 0; i < TRIES && wanted && code == HW_OK && !s->over; i++) {
        bool accepted = false;
        code = shake_trial(s, rng, err);
        if (code == HW_OK)
            code = hw_shrink_try(s, false, &accepted, err);
        wanted -= accepted;
    }
    return code;
}

static hw_code hold(hw_shrinking *s, hw_shrink_held *best, hw_error *err)
{
    hw_shrink_release(best);
    best->measure = s->now.measure;
    best->rating = s->now.rating;
    hw_code code = hw_edit_copy(&best->edit, &s->now.edit, err);
    return code == HW_OK ? hw_edit_graph(&best->edit, s->name, &best->graph, err) : code;
}

static hw_code go_back(hw_shrinking *s, const hw_shrink_held *best, hw_error *err)
{
    hw_shrink_release(&s->now);
    s->now.measure = best->measure;
    s->now.rating = best->rating;
    hw_code code = hw_edit_copy(&s->now.edit, &best->edit, err);
    if (code == HW_OK)
        code = hw_edit_graph(&s->now.edit, s->name, &s->now.graph, err);
    return code == HW_OK ? hw_shrink_note_values(s, err) : code;
}

hw_code hw_shrink_rounds(hw_shrinking *s, hw_error *err)
{
    if (s->options->rounds == 0)
        return HW_OK;
    hw_shrink_held best = {0};
    gsl_rng *rng = hw_rng_new(s->options->seed);
    hw_code code = rng ? hold(s, &best, err) : hw_fail_memory(err, "random numbers");
    for (uint32_t i = 0; i < s->options->rounds && code == HW_OK && !s->over; i++) {
        code = shake(s, rng, err);
        if (code == HW_OK)
            code = hw_shrink_fully(s, err);
        if (code != HW_OK)
            break;
        /* what a limit cut short is not known to be minimal */
        int than = hw_shrink_compare(&s->now.measure, &best.measure);
        if (!s->over && than < 0)
            code = hold(s, &best, err);
        else if (s->over || than > 0)
            code = go_back(s, &best, err);
    }
    hw_shrink_release(&best);
    gsl_rng_free(rng);
    return code;
}
