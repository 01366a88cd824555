/* Delta debugging of graphs.  See shrink.h. */
#include "adversary/shrink_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

const hw_step_kind hw_step_kinds[] = {
    {"drop a node", true, hw_count_nodes, NULL, hw_take_drop_node},
    {"bypass a node", true, hw_count_nodes, NULL, hw_take_bypass},
    {"merge a node into a reader", true, hw_count_reads, NULL, hw_take_merge_into_reader},
    {"merge a reader into a node", true, hw_count_reads, NULL, hw_take_merge_into_maker},
    {"merge twins", true, hw_count_node_pairs, hw_may_be_twins, hw_take_merge_twins},
    {"drop a tensor", false, hw_count_tensors, NULL, hw_take_drop_tensor},
    {"merge tensors", false, hw_count_tensor_pairs, hw_may_be_one_tensor, hw_take_merge_tensors},
    {"drop a read", false, hw_count_reads, NULL, hw_take_drop_read},
    {"drop a control edge", false, hw_count_controls, NULL, hw_take_drop_control},
    {"drop an in-place pair", false, hw_count_pairs, NULL, hw_take_drop_pair},
    {"clear inplace_required", false, hw_count_nodes, NULL, hw_take_not_required},
    {"clear a view", false, hw_count_nodes, NULL, hw_take_no_view},
    {"clear a lock", false, hw_count_nodes, NULL, hw_take_no_lock},
    {"clear a window", false, hw_count_nodes, NULL, hw_take_no_window},
    {"clear a workspace", false, hw_count_nodes, NULL, hw_take_no_workspace},
    {"keep a tensor no more", false, hw_count_tensors, NULL, hw_take_not_kept},
    {"all sizes", false, hw_count_whole, NULL, hw_take_whole},
    {"all of one size", false, hw_count_values, NULL, hw_take_value},
    {"one size", false, hw_count_single_sizes, NULL, hw_take_single_size},
};
const size_t hw_n_step_kinds = sizeof hw_step_kinds / sizeof hw_step_kinds[0];

/* ---- Many candidates. ---- */

/* The trial, if it is smaller and meets the goal. */
static hw_code take_trial(hw_shrinking *s, bool *accepted, hw_error *err)
{
    hw_code code = hw_shrink_try(s, true, accepted, err);
    if (code == HW_OK && *accepted && s->options->progress)
        s->options->progress(s->options->context, s->now.graph, &s->now.rating, s->evaluations);
    return code;
}

/* Every candidate of a kind, each taken as it comes. */
static hw_code walk_kind(hw_shrinking *s, const hw_step_kind *kind, bool *changed, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && !s->over; i++) {
        hw_step_view view = hw_shrink_view(s);
        bool taken, accepted = true;
        if (i >= kind->count(&s->now.edit, &view))
            break;
        /* what stands at this place after a step is another candidate */
        while (code == HW_OK && accepted && !s->over && i < kind->count(&s->now.edit, &view)) {
            accepted = false;
            code = hw_shrink_make_trial(s, kind, i, &taken, err);
            if (code == HW_OK && taken)
                code = take_trial(s, &accepted, err);
            *changed = *changed || accepted;
            view = hw_shrink_view(s);
        }
    }
    return code;
}

/* Stretches of nodes in source order, from halves down to pairs. */
static hw_code drop_stretches(hw_shrinking *s, bool *changed, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t length = s->now.edit.n_nodes / 2; length > 1; length /= 2)
        for (size_t at = 0; code == HW_OK && !s->over && at < s->now.edit.n_nodes;) {
            bool accepted;
            code = hw_edit_copy(&s->trial, &s->now.edit, err);
            if (code != HW_OK)
                return code;
            for (size_t v = at; v < at + length && v < s->trial.n_nodes; v++)
                s->trial.node[v].gone = true;
            hw_edit_sweep(&s->trial);
            code = take_trial(s, &accepted, err);
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
    hw_shrink_measure m;
} best_step;

static void keep_better(best_step *best, const hw_step_kind *kind, size_t index,
                        const hw_shrink_measure *m, const hw_rating *rating)
{
    int than = best->kind ? hw_ratio_compare(rating->ratio, best->ratio) : 1;
    if (than > 0 || (than == 0 && hw_shrink_compare(m, &best->m) < 0))
        *best = (best_step){.kind = kind, .index = index, .ratio = rating->ratio, .m = *m};
}

static hw_code find_best(hw_shrinking *s, best_step *best, hw_error *err)
{
    hw_step_view view = hw_shrink_view(s);
    hw_code code = HW_OK;
    best->kind = NULL;
    for (size_t k = 0; k < hw_n_step_kinds; k++)
        for (size_t i = 0; hw_step_kinds[k].removes_nodes && code == HW_OK && !s->over &&
                           i < hw_step_kinds[k].count(&s->now.edit, &view);
             i++) {
            bool taken;
            hw_shrink_measure m;
            hw_rating rating;
            hw_graph *graph = NULL;
            code = hw_shrink_make_trial(s, &hw_step_kinds[k], i, &taken, err);
            if (code == HW_OK && taken)
                code = hw_shrink_rate_trial(s, true, &m, &rating, &graph, err);
            if (code == HW_OK && graph)
                keep_better(best, &hw_step_kinds[k], i, &m, &rating);
            hw_graph_free(graph);
        }
    return code;
}

/* Take nodes away, each time by the step that leaves the greatest ratio. */
static hw_code drop_steeply(hw_shrinking *s, bool *changed, hw_error *err)
{
    for (;;) {
        best_step best;
        bool taken, accepted = false;
        hw_code code = find_best(s, &best, err);
        if (code != HW_OK || !best.kind || s->over)
            return code;
        code = hw_shrink_make_trial(s, best.kind, best.index, &taken, err);
        if (code == HW_OK)
            code = take_trial(s, &accepted, err);
        if (code != HW_OK || !accepted)
            return code;
        *changed = true;
    }
}

enum { STEEP_MOST = 64 }; /* nodes: beyond, a rating of every step for each node is too much */

/* One pass over all kinds; without a change it has tried every single step. */
static hw_code pass(hw_shrinking *s, bool *changed, hw_error *err)
{
    *changed = false;
    hw_code code = drop_stretches(s, changed, err);
    bool steep = s->now.edit.n_nodes <= STEEP_MOST;
    if (code == HW_OK && steep)
        code = drop_steeply(s, changed, err);
    for (size_t k = 0; k < hw_n_step_kinds && code == HW_OK && !s->over; k++)
        if (!steep || !hw_step_kinds[k].removes_nodes)
            code = walk_kind(s, &hw_step_kinds[k], changed, err);
    return code;
}

hw_code hw_shrink_fully(hw_shrinking *s, hw_error *err)
{
    bool changed = true;
    hw_code code = HW_OK;
    while (code == HW_OK && changed && !s->over)
        code = pass(s, &changed, err);
    return code;
}

/* ---- The whole. ---- */

static hw_code check_goal(const hw_shrinking *s, hw_error *err)
{
    const hw_rating *r = &s->now.rating;
    if (s->over)
        return hw_fail(err, s->goal.stop && *s->goal.stop ? HW_STOPPED : HW_LIMIT,
                       "stopped before the graph itself was rated");
    if (!r->counts)
        return hw_fail(err, HW_CHECK_FAILED,
                       "the graph cannot be rated: a solver refuses it or has no order, or no "
                       "optimum is proven within the limits");
    if (!hw_shrink_meets(s, r) && s->goal.kind == HW_GOAL_HARD)
        return hw_fail(
            err, HW_CHECK_FAILED,
            "the graph does not meet the goal: %s counts %" PRIu64 " %s, and %s %.6g is wanted",
            s->goal.row->name, r->states, s->goal.row->counts,
            s->options->strictly ? "more than" : "at least", hw_ratio_value(s->options->least));
    if (!hw_shrink_meets(s, r))
        return hw_fail(err, HW_CHECK_FAILED,
                       "the graph does not meet the goal: its ratio is %" PRIu64 "/%" PRIu64
                       " (%.6g), and %s %" PRIu64 "/%" PRIu64 " (%.6g) is wanted",
                       r->ratio.over, r->ratio.under, hw_ratio_value(r->ratio),
                       s->options->strictly ? "more than" : "at least", s->options->least.over,
                       s->options->least.under, hw_ratio_value(s->options->least));
    return HW_OK;
}

/* The name of the results. */
static bool set_name(hw_shrinking *s, const char *from)
{
    static const char ending[] = "-shrunk";
    size_t length = strlen(from), tail = sizeof ending - 1;
    bool ended = length >= tail && strcmp(from + length - tail, ending) == 0;
    s->name = HW_NEW(char, length + sizeof ending);
    if (s->name && length)
        (void)snprintf(s->name, length + sizeof ending, "%s%s", from, ended ? "" : ending);
    else if (s->name)
        (void)snprintf(s->name, length + sizeof ending, "%s", ending + 1);
    return s->name;
}

hw_code hw_shrink(const hw_graph *g, const hw_goal *goal, const hw_shrink_options *options,
                  hw_graph **out, hw_shrink_report *report, hw_error *err)
{
    hw_shrinking s = {.options = options,
                      .goal = *goal,
                      .given_seconds = goal->limits.seconds,
                      .begin_seconds = hw_wall_seconds()};
    *out = NULL;
    memset(report, 0, sizeof *report);
    hw_code code = set_name(&s, g->name) ? HW_OK : hw_fail_memory(err, "the name of a graph");
    if (code == HW_OK)
        code = hw_edit_open(&s.now.edit, g, err);
    if (code == HW_OK)
        code = hw_shrink_begin(&s, err);
    if (code == HW_OK)
        code = check_goal(&s, err);
    if (code == HW_OK)
        code = hw_shrink_fully(&s, err);
    report->minimal = code == HW_OK && !s.over;
    if (report->minimal)
        code = hw_shrink_rounds(&s, err);
    report->rating = s.now.rating;
    report->evaluations = s.evaluations;
    report->limit_reached = s.over;
    if (code == HW_OK) {
        *out = s.now.graph;
        s.now.graph = NULL;
    }
    hw_shrink_release(&s.now);
    hw_edit_clear(&s.trial);
    free(s.value);
    free(s.trial_value);
    free(s.name);
    return code;
}
