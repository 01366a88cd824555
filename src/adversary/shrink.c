/*
 * Delta debugging of graphs.  See shrink.h.
 *
 * A candidate is taken when it still meets the goal and has less of the
 * measure: nodes, then what joins them, then features, then different sizes,
 * then bytes, compared in this order.  Each of the five is a natural number, so
 * every series of steps ends.
 */
#include "adversary/shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adversary/shrink_steps.h"
#include "core/memory.h"

__extension__ typedef unsigned __int128 wide;

const hw_step_kind hw_step_kinds[] = {
    {"drop a node", true, hw_count_nodes, hw_take_drop_node},
    {"bypass a node", true, hw_count_nodes, hw_take_bypass},
    {"merge a node into a reader", true, hw_count_reads, hw_take_merge_into_reader},
    {"merge a reader into a node", true, hw_count_reads, hw_take_merge_into_maker},
    {"merge twins", true, hw_count_node_pairs, hw_take_merge_twins},
    {"drop a tensor", false, hw_count_tensors, hw_take_drop_tensor},
    {"merge tensors", false, hw_count_tensor_pairs, hw_take_merge_tensors},
    {"drop a read", false, hw_count_reads, hw_take_drop_read},
    {"drop a control edge", false, hw_count_controls, hw_take_drop_control},
    {"drop an in-place pair", false, hw_count_pairs, hw_take_drop_pair},
    {"clear inplace_required", false, hw_count_nodes, hw_take_not_required},
    {"clear a view", false, hw_count_nodes, hw_take_no_view},
    {"clear a lock", false, hw_count_nodes, hw_take_no_lock},
    {"clear a window", false, hw_count_nodes, hw_take_no_window},
    {"clear a workspace", false, hw_count_nodes, hw_take_no_workspace},
    {"keep a tensor no more", false, hw_count_tensors, hw_take_not_kept},
    {"all sizes", false, hw_count_whole, hw_take_whole},
    {"all of one size", false, hw_count_values, hw_take_value},
    {"one size", false, hw_count_single_sizes, hw_take_single_size},
};
const size_t hw_n_step_kinds = sizeof hw_step_kinds / sizeof hw_step_kinds[0];

typedef struct measure {
    size_t nodes, parts, features, values;
    wide bytes;
} measure;

typedef struct shrinking {
    const hw_shrink_options *options;
    hw_goal goal;
    double given_seconds; /* of the caller's goal, a run */
    double begin_seconds;
    char *name; /* of the results */

    hw_edit now, trial;
    measure now_measure;
    hw_graph *graph; /* of `now` */
    hw_rating rating;

    uint64_t *value; /* of `now` */
    size_t value_room, n_values;
    uint64_t *trial_value;
    size_t trial_value_room;

    uint64_t evaluations;
    bool over; /* a limit or the stop flag: no more ratings */
} shrinking;

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

static hw_code take_measure(shrinking *s, const hw_edit *e, measure *m, hw_error *err)
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

static int compare(const measure *a, const measure *b)
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

static bool meets(const shrinking *s, const hw_rating *r)
{
    int than = hw_ratio_compare(r->ratio, s->options->least);
    return r->counts && (s->options->strictly ? than > 0 : than >= 0);
}

/* Before each rating: may it begin, and how long may it take? */
static bool may_rate(shrinking *s)
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
static hw_code rate(shrinking *s, const hw_graph *g, hw_rating *rating, hw_error *err)
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

/*
 * Rate s->trial, swept, if it is smaller than what is in hand.  *graph: where
 * it meets the goal, its graph, the caller's; else NULL.
 */
static hw_code rate_trial(shrinking *s, measure *m, hw_rating *rating, hw_graph **graph,
                          hw_error *err)
{
    hw_error refusal = {0};
    *graph = NULL;
    hw_code code = take_measure(s, &s->trial, m, err);
    if (code != HW_OK || compare(m, &s->now_measure) >= 0 || !may_rate(s))
        return code;
    code = hw_edit_graph(&s->trial, s->name, graph, &refusal);
    if (code == HW_BAD_INPUT)
        return HW_OK;
    if (code != HW_OK)
        return hw_fail(err, code, "%s", refusal.message);
    if ((s->graph->source_order_legal_edges && !(*graph)->source_order_legal_edges) ||
        (s->options->inside && !s->options->inside(s->options->context, *graph)))
        rating->counts = false;
    else
        code = rate(s, *graph, rating, err);
    if (code == HW_OK && meets(s, rating))
        return HW_OK;
    hw_graph_free(*graph);
    *graph = NULL;
    return code;
}

static hw_step_view view_of(const shrinking *s)
{
    return (hw_step_view){
        .value = s->value, .n_values = s->n_values, .least = s->options->zero_sizes ? 0 : 1};
}

/* The trial becomes what is in hand. */
static hw_code accept(shrinking *s, const measure *m, const hw_rating *rating, hw_graph *graph,
                      hw_error *err)
{
    hw_edit kept = s->now;
    s->now = s->trial;
    s->trial = kept;
    s->now_measure = *m;
    s->rating = *rating;
    hw_graph_free(s->graph);
    s->graph = graph;
    if (s->options->progress)
        s->options->progress(s->options->context, graph, rating, s->evaluations);
    return hw_edit_values(&s->now, s->options->zero_sizes ? 0 : 1, &s->value, &s->value_room,
                          &s->n_values, err);
}

/* Make candidate `index` of a kind the trial. */
static hw_code make_trial(shrinking *s, const hw_step_kind *kind, size_t index, bool *taken,
                          hw_error *err)
{
    hw_step_view view = view_of(s);
    *taken = false;
    hw_code code = hw_edit_copy(&s->trial, &s->now, err);
    if (code == HW_OK)
        code = kind->take(&s->trial, &view, index, taken, err);
    if (code == HW_OK && *taken)
        hw_edit_sweep(&s->trial);
    return code;
}

/* Rate the trial and take it if it meets the goal. */
static hw_code try_trial(shrinking *s, bool *accepted, hw_error *err)
{
    measure m;
    hw_rating rating;
    hw_graph *graph;
    *accepted = false;
    hw_code code = rate_trial(s, &m, &rating, &graph, err);
    if (code != HW_OK || !graph)
        return code;
    *accepted = true;
    return accept(s, &m, &rating, graph, err);
}

/* ---- Many candidates. ---- */

/* Every candidate of a kind, each taken as it comes. */
static hw_code walk_kind(shrinking *s, const hw_step_kind *kind, bool *changed, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && !s->over; i++) {
        hw_step_view view = view_of(s);
        bool taken, accepted = true;
        if (i >= kind->count(&s->now, &view))
            break;
        /* what stands at this place after a step is another candidate */
        while (code == HW_OK && accepted && !s->over && i < kind->count(&s->now, &view)) {
            accepted = false;
            code = make_trial(s, kind, i, &taken, err);
            if (code == HW_OK && taken)
                code = try_trial(s, &accepted, err);
            *changed = *changed || accepted;
            view = view_of(s);
        }
    }
    return code;
}

/* Stretches of nodes in source order, from halves down to pairs. */
static hw_code drop_stretches(shrinking *s, bool *changed, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t length = s->now.n_nodes / 2; length > 1; length /= 2)
        for (size_t at = 0; code == HW_OK && !s->over && at < s->now.n_nodes;) {
            bool accepted;
            code = hw_edit_copy(&s->trial, &s->now, err);
            if (code != HW_OK)
                return code;
            for (size_t v = at; v < at + length && v < s->trial.n_nodes; v++)
                s->trial.node[v].gone = true;
            hw_edit_sweep(&s->trial);
            code = try_trial(s, &accepted, err);
            *changed = *changed || accepted;
            at += accepted ? 0 : length;
        }
    return code;
}

/* Which step of those that take nodes away leaves most room for more? */
typedef struct best_step {
    const hw_step_kind *kind; /* NULL: none meets the goal */
    size_t index;
    hw_ratio ratio;
    measure m;
} best_step;

static void keep_better(best_step *best, const hw_step_kind *kind, size_t index, const measure *m,
                        const hw_rating *rating)
{
    int than = best->kind ? hw_ratio_compare(rating->ratio, best->ratio) : 1;
    if (than > 0 || (than == 0 && compare(m, &best->m) < 0))
        *best = (best_step){.kind = kind, .index = index, .ratio = rating->ratio, .m = *m};
}

static hw_code find_best(shrinking *s, best_step *best, hw_error *err)
{
    hw_step_view view = view_of(s);
    hw_code code = HW_OK;
    best->kind = NULL;
    for (size_t k = 0; k < hw_n_step_kinds; k++)
        for (size_t i = 0; hw_step_kinds[k].removes_nodes && code == HW_OK && !s->over &&
                           i < hw_step_kinds[k].count(&s->now, &view);
             i++) {
            bool taken;
            measure m;
            hw_rating rating;
            hw_graph *graph = NULL;
            code = make_trial(s, &hw_step_kinds[k], i, &taken, err);
            if (code == HW_OK && taken)
                code = rate_trial(s, &m, &rating, &graph, err);
            if (code == HW_OK && graph)
                keep_better(best, &hw_step_kinds[k], i, &m, &rating);
            hw_graph_free(graph);
        }
    return code;
}

/* Take nodes away, each time by the step that leaves the greatest ratio. */
static hw_code drop_steeply(shrinking *s, bool *changed, hw_error *err)
{
    for (;;) {
        best_step best;
        bool taken, accepted = false;
        hw_code code = find_best(s, &best, err);
        if (code != HW_OK || !best.kind || s->over)
            return code;
        code = make_trial(s, best.kind, best.index, &taken, err);
        if (code == HW_OK)
            code = try_trial(s, &accepted, err);
        if (code != HW_OK || !accepted)
            return code;
        *changed = true;
    }
}

enum { STEEP_MOST = 64 }; /* nodes: beyond, a rating of every step for each node is too much */

/* One pass over all kinds; without a change it has tried every single step. */
static hw_code pass(shrinking *s, bool *changed, hw_error *err)
{
    *changed = false;
    hw_code code = drop_stretches(s, changed, err);
    bool steep = s->now.n_nodes <= STEEP_MOST;
    if (code == HW_OK && steep)
        code = drop_steeply(s, changed, err);
    for (size_t k = 0; k < hw_n_step_kinds && code == HW_OK && !s->over; k++)
        if (!steep || !hw_step_kinds[k].removes_nodes)
            code = walk_kind(s, &hw_step_kinds[k], changed, err);
    return code;
}

static hw_code start(shrinking *s, const hw_graph *g, hw_error *err)
{
    static const char ending[] = "-shrunk";
    size_t length = strlen(g->name), tail = sizeof ending - 1;
    bool ended = length >= tail && strcmp(g->name + length - tail, ending) == 0;
    s->name = HW_NEW(char, length + sizeof ending);
    if (!s->name)
        return hw_fail_memory(err, "a graph to shrink");
    (void)snprintf(s->name, length + sizeof ending, "%s%s", g->name,
                   length == 0 ? ending + 1
                   : ended     ? ""
                               : ending);
    hw_code code = hw_edit_open(&s->now, g, err);
    if (code == HW_OK)
        code = hw_edit_graph(&s->now, s->name, &s->graph, err);
    if (code == HW_OK)
        code = take_measure(s, &s->now, &s->now_measure, err);
    if (code == HW_OK)
        code = hw_edit_values(&s->now, s->options->zero_sizes ? 0 : 1, &s->value, &s->value_room,
                              &s->n_values, err);
    if (code == HW_OK && may_rate(s))
        code = rate(s, s->graph, &s->rating, err);
    if (code == HW_OK && s->over)
        code = hw_fail(err, s->goal.stop && *s->goal.stop ? HW_STOPPED : HW_LIMIT,
                       "stopped before the graph itself was rated");
    if (code == HW_OK && !s->rating.counts)
        code = hw_fail(err, HW_CHECK_FAILED,
                       "the graph cannot be rated: a solver refuses it or has no order, or no "
                       "optimum is proven within the limits");
    if (code == HW_OK && !meets(s, &s->rating))
        code = hw_fail(err, HW_CHECK_FAILED,
                       "the graph does not meet the goal: its ratio is %" PRIu64 "/%" PRIu64
                       ", and %s %" PRIu64 "/%" PRIu64 " is wanted",
                       s->rating.ratio.over, s->rating.ratio.under,
                       s->options->strictly ? "more than" : "at least", s->options->least.over,
                       s->options->least.under);
    return code;
}

static void release(shrinking *s)
{
    hw_edit_clear(&s->now);
    hw_edit_clear(&s->trial);
    hw_graph_free(s->graph);
    free(s->value);
    free(s->trial_value);
    free(s->name);
}

hw_code hw_shrink(const hw_graph *g, const hw_goal *goal, const hw_shrink_options *options,
                  hw_graph **out, hw_shrink_report *report, hw_error *err)
{
    shrinking s = {.options = options,
                   .goal = *goal,
                   .given_seconds = goal->limits.seconds,
                   .begin_seconds = hw_wall_seconds()};
    bool changed = true;
    *out = NULL;
    memset(report, 0, sizeof *report);
    hw_code code = start(&s, g, err);
    while (code == HW_OK && changed && !s.over)
        code = pass(&s, &changed, err);
    report->rating = s.rating;
    report->evaluations = s.evaluations;
    report->minimal = code == HW_OK && !s.over;
    report->limit_reached = s.over;
    if (code == HW_OK) {
        *out = s.graph;
        s.graph = NULL;
    }
    release(&s);
    return code;
}
