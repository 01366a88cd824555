/* Shrinking: one candidate, made, measured, rated and taken.  See shrink_internal.h. */
#include "adversary/shrink_internal.h"

#include <stdlib.h>

/* ---- Measure. ---- */

static size_t count_features(const hw_edit *e)
{
    size_t features = e->n_pairs;
    for (size_t v = 0; v < e->n_nodes; v++) {
        features += (size_t)__builtin_popcount(e->node[v].flags);
        features += e->node[v].window != HW_NONE;
        features += e->node[v].workspace != 0;
    }
    for (size_t t = 0; t < e->n_tensors; t++)
        features += e->tensor[t].kind == HW_OUTPUT && e->tensor[t].readers;
    return features;
}

static hw_code measure_of(hw_shrinking *s, const hw_edit *e, hw_shrink_measure *m, hw_error *err)
{
    m->nodes = e->n_nodes;
    m->parts = e->n_tensors + e->n_reads + e->n_controls;
    m->features = count_features(e);
    m->bytes = 0;
    for (size_t t = 0; t < e->n_tensors; t++)
        m->bytes += e->tensor[t].size;
    for (size_t v = 0; v < e->n_nodes; v++)
        m->bytes += e->node[v].workspace;
    return hw_edit_values(e, s->options->zero_sizes ? 0 : 1, &s->trial_value, &s->trial_value_room,
                          &m->values, err);
}

int hw_shrink_compare(const hw_shrink_measure *a, const hw_shrink_measure *b)
{
    if (a->nodes != b->nodes)
        return a->nodes < b->nodes ? -1 : 1;
    if (a->parts != b->parts)
        return a->parts < b->parts ? -1 : 1;
    if (a->features != b->features)
        return a->features < b->features ? -1 : 1;
    if (a->values != b->values)
        return a->values < b->values ? -1 : 1;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* ---- One candidate. ---- */

bool hw_shrink_meets(const hw_shrinking *s, const hw_rating *r)
{
    if (!r->counts)
        return false;
    int than = hw_ratio_compare(r->ratio, s->options->least);
    return s->options->strictly ? than > 0 : than >= 0;
}

/* Before each rating: may it begin, and how long may it take? */
static bool may_rate(hw_shrinking *s)
{
    const hw_shrink_options *o = s->options;
    double left = o->seconds > 0 ? o->seconds - (hw_wall_seconds() - s->begin_seconds) : 1;
    if ((s->goal.stop && *s->goal.stop) || left <= 0 ||
        (o->evaluations && s->evaluations >= o->evaluations))
        s->over = true;
    if (o->seconds > 0 && (s->given_seconds <= 0 || left < s->given_seconds))
        s->goal.limits.seconds = left;
    return !s->over;
}

/* Rate a graph; a rating that was cut short by a limit of the whole is none. */
static hw_code rate(hw_shrinking *s, const hw_graph *g, hw_rating *rating, hw_error *err)
{
    hw_error refusal = {0};
    s->evaluations++;
    hw_code code = hw_goal_rate(&s->goal, g, rating, &refusal);
    if (code == HW_BAD_INPUT) { /* pinned inputs that must be overwritten */
        rating->counts = false;
        return HW_OK;
    }
    if (code != HW_OK)
        return hw_fail(err, code, "%s", refusal.message);
    if (!rating->counts &&
        ((s->goal.stop && *s->goal.stop) ||
         (s->options->seconds > 0 && hw_wall_seconds() - s->begin_seconds >= s->options->seconds)))
        s->over = true;
    return HW_OK;
}

hw_code hw_shrink_begin(hw_shrinking *s, hw_error *err)
{
    hw_code code = hw_edit_graph(&s->now.edit, s->name, &s->now.graph, err);
    if (code == HW_OK)
        code = measure_of(s, &s->now.edit, &s->now.measure, err);
    if (code == HW_OK)
        code = hw_shrink_note_values(s, err);
    return code == HW_OK && may_rate(s) ? rate(s, s->now.graph, &s->now.rating, err) : code;
}

hw_code hw_shrink_rate_trial(hw_shrinking *s, bool smaller, hw_shrink_measure *m, hw_rating *rating,
                             hw_graph **graph, hw_error *err)
{
    hw_error refusal = {0};
    *graph = NULL;
    *rating = (hw_rating){.counts = false};
    hw_code code = measure_of(s, &s->trial, m, err);
    bool empty = s->trial.n_nodes == 0; /* which shows nothing, though it may meet a goal */
    if (code != HW_OK || empty || (smaller && hw_shrink_compare(m, &s->now.measure) >= 0) ||
        !may_rate(s))
        return code;
    code = hw_edit_graph(&s->trial, s->name, graph, &refusal);
    if (code == HW_BAD_INPUT)
        return HW_OK;
    if (code != HW_OK)
        return hw_fail(err, code, "%s", refusal.message);
    bool legal = (*graph)->source_order_legal_edges || !s->now.graph->source_order_legal_edges;
    if (legal && (!s->options->inside || s->options->inside(s->options->context, *graph)))
        code = rate(s, *graph, rating, err);
    if (code == HW_OK && hw_shrink_meets(s, rating))
        return HW_OK;
    hw_graph_free(*graph);
    *graph = NULL;
    return code;
}

hw_step_view hw_shrink_view(const hw_shrinking *s)
{
    return (hw_step_view){
        .value = s->value, .n_values = s->n_values, .least = s->options->zero_sizes ? 0 : 1};
}

hw_code hw_shrink_note_values(hw_shrinking *s, hw_error *err)
{
    return hw_edit_values(&s->now.edit, s->options->zero_sizes ? 0 : 1, &s->value, &s->value_room,
                          &s->n_values, err);
}

hw_code hw_shrink_make_trial(hw_shrinking *s, const hw_step_kind *kind, size_t index, bool *taken,
                             hw_error *err)
{
    hw_step_view view = hw_shrink_view(s);
    *taken = false;
    if (kind->may && !kind->may(&s->now.edit, index))
        return HW_OK;
    hw_code code = hw_edit_copy(&s->trial, &s->now.edit, err);
    if (code == HW_OK)
        code = kind->take(&s->trial, &view, index, taken, err);
    if (code == HW_OK && *taken)
        hw_edit_sweep(&s->trial);
    return code;
}

hw_code hw_shrink_try(hw_shrinking *s, bool smaller, bool *accepted, hw_error *err)
{
    hw_shrink_measure m;
    hw_rating rating;
    hw_graph *graph;
    *accepted = false;
    hw_code code = hw_shrink_rate_trial(s, smaller, &m, &rating, &graph, err);
    if (code != HW_OK || !graph)
        return code;
    *accepted = true;
    hw_edit before = s->now.edit;
    hw_graph_free(s->now.graph);
    s->now = (hw_shrink_held){.edit = s->trial, .measure = m, .graph = graph, .rating = rating};
    s->trial = before;
    return hw_shrink_note_values(s, err);
}

void hw_shrink_release(hw_shrink_held *h)
{
    hw_edit_clear(&h->edit);
    hw_graph_free(h->graph);
    h->graph = NULL;
}
