/* What `highwater shrink` says.  See shrink_text.h. */
#include "cli/shrink_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/shared.h"
#include "core/json_out.h"

enum { SPEC_TEXT = HW_SPEC_TEXT, LINE_TEXT = 4096 };

static const char *spec_of(const hw_solver_row *row, const hw_param_value *values,
                           char text[SPEC_TEXT])
{
    (void)hw_params_spec(row->name, row->params, row->n_params, values, text, SPEC_TEXT);
    return text;
}

/* "3/2", or "3" where it is whole. */
static const char *ratio_text(hw_ratio r, char *text, size_t size)
{
    r = hw_ratio_lowest(r);
    if (r.over == r.under)
        (void)snprintf(text, size, "1");
    else if (r.under == 1)
        (void)snprintf(text, size, "%" PRIu64, r.over);
    else
        (void)snprintf(text, size, "%" PRIu64 "/%" PRIu64, r.over, r.under);
    return text;
}

const char *hw_shrink_wanted(const hw_shrink_options *options, char text[HW_WANTED_TEXT])
{
    char ratio[48];
    (void)snprintf(text, HW_WANTED_TEXT, "%s %s", options->strictly ? "more than" : "at least",
                   ratio_text(options->least, ratio, sizeof ratio));
    return text;
}

/* ---- For a person. ---- */

static void text_of_sizes(const hw_shrunk *s, char text[LINE_TEXT])
{
    char name[HW_SHOWN_TEXT];
    (void)snprintf(text, LINE_TEXT,
                   "%s: %" PRIu32 " nodes, %" PRIu32 " edges, %" PRIu32 " tensors of %" PRIu64
                   " bytes; it had %" PRIu32 ", %" PRIu32 ", %" PRIu32 " of %" PRIu64,
                   hw_cli_graph_name(s->graph, name), s->graph->n_nodes, s->graph->n_edges,
                   s->graph->n_tensors, hw_graph_total_bytes(s->graph), s->from->n_nodes,
                   s->from->n_edges, s->from->n_tensors, hw_graph_total_bytes(s->from));
}

static void text_of_goal(const hw_shrunk *s, char text[LINE_TEXT])
{
    const hw_rating *r = &s->report->rating;
    char solver[SPEC_TEXT], other[SPEC_TEXT], ratio[48], wanted[HW_WANTED_TEXT];
    (void)spec_of(s->goal->row, s->goal->values, solver);
    if (s->goal->kind == HW_GOAL_HARD) {
        (void)snprintf(text, LINE_TEXT, "%s: %" PRIu64 " %s (%s wanted)", solver, r->states,
                       s->goal->row->counts, hw_shrink_wanted(s->options, wanted));
        return;
    }
    (void)snprintf(
        text, LINE_TEXT, "%s: peak of %s %" PRIu64 ", %s%s %" PRIu64 ", ratio %s (%s wanted)",
        hw_accounting_name(s->goal->accounting), solver, r->peak,
        s->goal->kind == HW_GOAL_GAP ? "optimum" : "of ",
        s->goal->kind == HW_GOAL_GAP ? "" : spec_of(s->goal->other, s->goal->other_values, other),
        r->reference, ratio_text(r->ratio, ratio, sizeof ratio),
        hw_shrink_wanted(s->options, wanted));
}

static void text_of_end(const hw_shrunk *s, char text[LINE_TEXT])
{
    const hw_shrink_report *r = s->report;
    const char *what = s->stopped ? "a signal" : "a limit";
    if (r->minimal && r->limit_reached)
        (void)snprintf(
            text, LINE_TEXT,
            "minimal: each single step was tried on it and breaks the goal; %s ended the "
            "rounds after it (%" PRIu64 " ratings)",
            what, r->evaluations);
    else if (r->minimal)
        (void)snprintf(text, LINE_TEXT,
                       "minimal: each single step was tried on it and breaks the goal (%" PRIu64
                       " ratings)",
                       r->evaluations);
    else
        (void)snprintf(text, LINE_TEXT,
                       "not known to be minimal: %s came first (%" PRIu64 " ratings)", what,
                       r->evaluations);
}

typedef void (*write_part)(const hw_shrunk *s, char text[LINE_TEXT]);
static const write_part parts[] = {text_of_sizes, text_of_goal, text_of_end};
enum { N_PARTS = sizeof parts / sizeof parts[0] };

void hw_shrunk_text(const hw_shrunk *s, FILE *out)
{
    char text[LINE_TEXT];
    for (unsigned i = 0; i < N_PARTS; i++) {
        parts[i](s, text);
        (void)fprintf(out, "%s\n", text);
    }
}

void hw_shrunk_notes(const hw_cli *c, const hw_shrunk *s)
{
    char text[LINE_TEXT];
    for (unsigned i = 0; i < N_PARTS; i++) {
        parts[i](s, text);
        hw_cli_note(c, "%s", text);
    }
}

/* ---- For programs. ---- */

static hw_code put_graph(hw_json_out *j, const char *key, const hw_graph *g, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_code code = hw_graph_hash(g, hash, err);
    hw_json_open(j, key, '{');
    hw_json_put_string(j, "graph", g->name);
    hw_json_put_string(j, "hash", code == HW_OK ? hash : NULL);
    hw_json_put_u64(j, "nodes", g->n_nodes);
    hw_json_put_u64(j, "edges", g->n_edges);
    hw_json_put_u64(j, "tensors", g->n_tensors);
    hw_json_put_u64(j, "bytes", hw_graph_total_bytes(g));
    hw_json_close(j, '}');
    return code;
}

hw_code hw_shrunk_json(const hw_shrunk *s, FILE *out, hw_error *err)
{
    char spec[SPEC_TEXT], ratio[48];
    const hw_goal *goal = s->goal;
    const hw_shrink_report *r = s->report;
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_code code = put_graph(&j, "from", s->from, err);
    if (code == HW_OK)
        code = put_graph(&j, "to", s->graph, err);
    hw_json_put_string(&j, "goal",
                       goal->kind == HW_GOAL_GAP       ? "gap"
                       : goal->kind == HW_GOAL_AGAINST ? "against"
                                                       : "hard");
    hw_json_put_string(&j, "solver", spec_of(goal->row, goal->values, spec));
    hw_json_put_string(
        &j, "against",
        goal->kind == HW_GOAL_AGAINST ? spec_of(goal->other, goal->other_values, spec) : NULL);
    hw_json_put_string(&j, "accounting", hw_accounting_name(goal->accounting));
    hw_json_put_bool(&j, "pin_inputs", goal->pin_inputs);
    hw_json_put_hex(&j, "seed", goal->seed);
    hw_json_put_string(&j, "least", ratio_text(s->options->least, ratio, sizeof ratio));
    hw_json_put_bool(&j, "strictly", s->options->strictly);
    hw_json_put_string(&j, "ratio", ratio_text(r->rating.ratio, ratio, sizeof ratio));
    if (goal->kind != HW_GOAL_HARD) {
        hw_json_put_u64(&j, "peak", r->rating.peak);
        hw_json_put_u64(&j, "reference", r->rating.reference);
    }
    hw_json_put_u64(&j, "states", r->rating.states);
    hw_json_put_u64(&j, "evaluations", r->evaluations);
    hw_json_put_bool(&j, "minimal", r->minimal);
    hw_json_put_bool(&j, "limit_reached", r->limit_reached);
    hw_json_close(&j, '}');
    hw_json_line(&j);
    return code;
}

/* ---- On the way. ---- */

void hw_shrink_show(void *context, const hw_graph *now, const hw_rating *rating,
                    uint64_t evaluations)
{
    hw_shrink_line *line = context;
    double seconds = hw_wall_seconds();
    if (line->shown && seconds - line->shown_seconds < 0.2)
        return;
    line->shown_seconds = seconds;
    line->shown = true;
    (void)fprintf(stderr,
                  "\r\033[K%" PRIu32 " nodes, %" PRIu32 " edges, ratio %.3f, %" PRIu64 " ratings",
                  now->n_nodes, now->n_edges, hw_ratio_value(rating->ratio), evaluations);
    (void)fflush(stderr);
}

void hw_shrink_show_end(hw_shrink_line *line)
{
    if (line->shown)
        (void)fputc('\n', stderr);
}
