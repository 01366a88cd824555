/* Writing answers.  See solve_text.h. */
#include "cli/solve_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/shared.h"

enum { PARAMS_TEXT = 1024, MOST_SHOWN = 128 };

static const char *const proof_words[] = {
    [HW_PROOF_NONE] = "none", [HW_PROOF_COMPLETE] = "complete", [HW_PROOF_CUT] = "cut"};

static uint64_t added(const hw_solved *s)
{
    return s->with_resident ? s->model->resident_bytes : 0;
}

/*
 * (peak - bound) / bound as a percentage, both without constants
 * (highwater-model(7)); false where it is undefined.
 */
static bool gap_percent(const hw_answer *a, double *percent)
{
    if (!a->has_order || !a->has_bound || (a->bound == 0 && a->peak > 0))
        return false;
    *percent = a->peak == a->bound ? 0 : 100.0 * (double)(a->peak - a->bound) / (double)a->bound;
    return true;
}

/* To two digits, so that "at most" holds; the slack is for what binary fractions add. */
static double rounded_up(double percent)
{
    return percent > 0 ? ceil(percent * 100 - 1e-9) / 100 : 0;
}

/* Rounded to what a clock tells, so that no meaningless digits are written. */
static double nanoseconds(double seconds)
{
    return round(seconds * 1e9) / 1e9;
}

static void order_json(hw_json_out *j, const hw_solved *s)
{
    if (!s->answer->has_order) {
        hw_json_put_null(j, "order");
        return;
    }
    hw_json_open(j, "order", '[');
    for (uint32_t i = 0; i < s->model->n_nodes; i++)
        hw_json_put_u64(j, NULL, hw_node_id(s->model->graph, s->answer->order[i]));
    hw_json_close(j, ']');
}

void hw_solved_json(const hw_solved *s, FILE *out)
{
    const hw_answer *a = s->answer;
    const hw_model *m = s->model;
    char params[PARAMS_TEXT];
    double gap;
    (void)hw_params_text(s->row->params, s->row->n_params, s->values, params, sizeof params);
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "graph", m->graph->name);
    hw_json_put_string(&j, "hash", s->hash);
    hw_json_put_u64(&j, "nodes", m->n_nodes);
    hw_json_put_string(&j, "solver", s->row->name);
    hw_json_put_string(&j, "params", params);
    hw_json_put_string(&j, "accounting", hw_accounting_name(m->accounting));
    hw_json_put_bool(&j, "pin_inputs", m->pin_inputs);
    hw_json_put_bool(&j, "with_resident", s->with_resident);
    hw_json_put_u64(&j, "resident", m->resident_bytes);
    hw_json_put_u64_or_null(&j, "budget", s->has_budget, s->budget_bytes);
    hw_json_put_string(&j, "status", hw_status_name(a->status));
    hw_json_put_u64_or_null(&j, "peak", a->has_order, a->peak + added(s));
    hw_json_put_u64_or_null(&j, "bound", a->has_bound, a->bound + added(s));
    if (gap_percent(a, &gap))
        hw_json_put_real(&j, "gap_bound_percent", gap);
    else
        hw_json_put_null(&j, "gap_bound_percent");
    hw_json_put_string(&j, "bound_by", s->bound.by);
    hw_json_put_bool(&j, "bound_cut_short", s->bound.cut_short);
    if (s->then) {
        char cost[HW_COST_TEXT];
        hw_json_put_string(&j, "then", hw_second_name(s->then->kind));
        hw_json_put_digits(&j, "then_value", hw_cost_text(s->then->cost, cost));
        hw_json_put_bool(&j, "then_proven", s->then->proven);
    }
    order_json(&j, s);
    hw_json_put_string(&j, "proof", s->has_proof ? proof_words[s->proof] : NULL);
    hw_json_put_string(&j, "proof_check", s->check_command);
    hw_json_put_u64_or_null(&j, "orders", a->has_orders, a->orders);
    hw_json_put_u64(&j, "states", a->states);
    hw_json_put_bool(&j, "limit_reached", a->limit_reached);
    hw_json_put_real(&j, "seconds", nanoseconds(a->seconds));
    hw_json_put_real(&j, "cpu_seconds", nanoseconds(a->cpu_seconds));
    hw_json_put_hex(&j, "seed", s->seed);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

void hw_solved_head(const hw_solved *s, FILE *out)
{
    const hw_model *m = s->model;
    char resident[HW_BYTES_TEXT], name[HW_SHOWN_TEXT];
    hw_bytes_text(m->resident_bytes, resident);
    (void)fprintf(out, "%s: %" PRIu32 " nodes, %s%s, resident %s%s, hash %.12s\n",
                  hw_cli_graph_name(m->graph, name), m->n_nodes, hw_accounting_name(m->accounting),
                  m->pin_inputs ? ", pinned inputs" : "", resident,
                  s->with_resident ? " (in every figure)" : "", s->hash);
}

static void order_text(const hw_solved *s, FILE *out)
{
    uint32_t n = s->model->n_nodes;
    if (n > MOST_SHOWN) {
        (void)fprintf(out, "    order   %" PRIu32 " nodes: --order-out or --json writes it\n", n);
        return;
    }
    (void)fputs("    order  ", out);
    for (uint32_t i = 0; i < n; i++)
        (void)fprintf(out, " %" PRIu32, hw_node_id(s->model->graph, s->answer->order[i]));
    (void)fputc('\n', out);
}

/*
 * Rows name what they count in the plural ("prefixes, or as much work
 * elsewhere"): one of it is its first word in the singular.  A sum of several
 * ("steps and prefixes") has none.
 */
static void effort_text(const hw_answer *a, const char *counts, FILE *out)
{
    size_t word = strcspn(counts, " ,"), cut = 0;
    if (a->states == 1 && word > 2 && counts[word - 1] == 's' &&
        strncmp(counts + word, " and ", strlen(" and ")) != 0)
        cut = strncmp(counts + word - 3, "xes", 3) == 0 ? 2 : 1;
    (void)fprintf(out, "    effort  %" PRIu64 " %.*s%s, %.6f s\n", a->states, (int)(word - cut),
                  counts, counts + word, a->seconds);
}

void hw_solved_text(const hw_solved *s, FILE *out)
{
    const hw_answer *a = s->answer;
    char params[PARAMS_TEXT], bytes[HW_BYTES_TEXT];
    double gap;
    (void)hw_params_spec(s->row->name, s->row->params, s->row->n_params, s->values, params,
                         sizeof params);
    (void)fprintf(out, "  %s: %s%s\n", params, hw_status_name(a->status),
                  a->limit_reached ? " (a limit was reached)" : "");
    bool least = a->has_order && (a->status == HW_OPTIMAL || (a->has_bound && a->bound == a->peak));
    if (a->has_order) {
        hw_bytes_text(a->peak + added(s), bytes);
        (void)fprintf(out, "    peak    %s%s\n", bytes, least ? ", no order has less" : "");
    }
    if (s->has_budget) {
        hw_bytes_text(s->budget_bytes, bytes);
        (void)fprintf(out, "    budget  %s%s\n", bytes,
                      a->status == HW_INFEASIBLE ? ", no order keeps it: proven"
                      : a->status == HW_UNKNOWN  ? ", no order in hand keeps it"
                                                 : "");
    }
    bool own = s->bound.by && strcmp(s->bound.by, s->row->name) == 0;
    if (a->has_bound && (a->status != HW_OPTIMAL || !own)) {
        hw_bytes_text(a->bound + added(s), bytes);
        (void)fprintf(out, "    bound   %s", bytes);
        if (!own)
            (void)fprintf(out, " (%s%s)", s->bound.by, s->bound.cut_short ? ", cut short" : "");
        if (!least && gap_percent(a, &gap))
            (void)fprintf(out, ", gap at most %.2f %%", rounded_up(gap));
        (void)fputc('\n', out);
    }
    if (s->then) {
        char cost[HW_COST_TEXT];
        (void)fprintf(out, "    then    %s %s %s%s\n", hw_second_name(s->then->kind),
                      hw_cost_text(s->then->cost, cost), hw_second_unit(s->then->kind),
                      s->then->proven ? s->has_budget ? ", no order within the budget has less"
                                                      : ", no order of this peak has less"
                                      : "");
    }
    if (a->has_order)
        order_text(s, out);
    if (s->has_proof && s->check_command)
        (void)fprintf(out, "    proof   %s\n", s->check_command);
    else if (s->has_proof)
        (void)fprintf(out, "    proof   %s\n",
                      s->proof == HW_PROOF_CUT        ? "not whole: no file"
                      : s->proof != HW_PROOF_COMPLETE ? "none"
                      : s->proof_at_stdout            ? "on standard output"
                                           : "of the graph as `highwater import` writes it");
    if (a->has_orders)
        (void)fprintf(out, "    orders  %" PRIu64 "\n", a->orders);
    effort_text(a, s->row->counts ? s->row->counts : "states", out);
}
