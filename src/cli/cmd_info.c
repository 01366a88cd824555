/* highwater info: what graphs are made of, and figures that bound peaks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph_facts.h"
#include "cli/shared.h"

static const hw_option options[] = {
    HW_OPTION_PIN_INPUTS,
    {"down-sets", "N", "1000000",
     "Count down-sets and orders as long as there are at most N down-sets."},
};

static const char *const examples[] = {
    "highwater info graph.json",
    "highwater gen layered --n 30 | highwater info - --json",
};

/* A bound of nodes under both accountings, then whether each was cut short. */
static void part_json(hw_json_out *j, const hw_graph_facts *f, bound_kind kind)
{
    char key[64];
    (void)snprintf(key, sizeof key, "bound_%s", bound_kind_name(kind));
    hw_json_open(j, key, '{');
    for (int a = 0; a < 2; a++)
        hw_json_put_u64_or_null(j, hw_accounting_name((hw_accounting)a), f->any_legal,
                                f->bound[a].part[kind].bytes);
    hw_json_close(j, '}');
    (void)snprintf(key, sizeof key, "bound_%s_cut_short", bound_kind_name(kind));
    hw_json_open(j, key, '{');
    for (int a = 0; a < 2; a++)
        hw_json_put_bool(j, hw_accounting_name((hw_accounting)a), f->bound[a].part[kind].cut);
    hw_json_close(j, '}');
}

static void write_json(const hw_graph_facts *f, FILE *out)
{
    const hw_graph *g = f->graph;
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "graph", g->name);
    hw_json_put_string(&j, "source", g->source);
    hw_json_put_string(&j, "hash", f->hash);
    hw_json_put_u64(&j, "nodes", g->n_nodes);
    hw_json_put_u64(&j, "edges", g->n_edges);
    hw_json_put_u64(&j, "tensors", g->n_tensors);
    hw_json_put_u64(&j, "storages", g->n_storages);
    hw_json_put_u64(&j, "control_edges", g->n_control);
    hw_json_put_u64(&j, "sources", f->structure.sources);
    hw_json_put_u64(&j, "sinks", f->structure.sinks);
    hw_json_put_u64(&j, "depth", f->structure.depth);
    hw_json_put_u64_or_null(&j, "width", f->structure.has_width, f->structure.width);
    hw_json_put_u64_or_null(&j, "down_sets", f->structure.has_down_sets, f->structure.down_sets);
    const hw_structure *s = &f->structure;
    char orders[HW_COUNT_TEXT];
    if (s->has_orders)
        hw_json_put_digits(&j, "orders", hw_count_text(s->orders_high, s->orders_low, orders));
    else
        hw_json_put_null(&j, "orders");
    hw_json_put_u64(&j, "total_bytes", f->total_bytes);
    hw_json_put_u64(&j, "resident", f->resident_bytes);
    hw_json_put_u64(&j, "views", f->n_views);
    hw_json_put_u64(&j, "inplace_pairs", f->n_inplace_pairs);
    hw_json_put_u64(&j, "inplace_required", f->n_required);
    hw_json_put_u64(&j, "locked", f->n_locked);
    hw_json_put_u64(&j, "windows", f->n_windows);
    hw_json_put_bool(&j, "pin_inputs", f->pin_inputs);
    hw_json_put_bool(&j, "any_order_legal", f->any_legal);
    hw_json_put_bool(&j, "source_order_legal", f->source_legal);
    hw_json_put_string(&j, "source_order_reason", f->source_legal ? NULL : f->reason);
    hw_json_open(&j, "source_peak", '{');
    for (int a = 0; a < 2; a++)
        hw_json_put_u64_or_null(&j, hw_accounting_name((hw_accounting)a), f->source_legal,
                                f->source_peak[a]);
    hw_json_close(&j, '}');
    hw_json_open(&j, "bound", '{');
    for (int a = 0; a < 2; a++)
        hw_json_put_u64(&j, hw_accounting_name((hw_accounting)a), f->bound[a].simple);
    hw_json_close(&j, '}');
    for (int kind = 0; kind < BOUND_KINDS; kind++)
        part_json(&j, f, (bound_kind)kind);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

static void bytes_line(FILE *out, const char *label, uint64_t bytes)
{
    char text[HW_BYTES_TEXT];
    hw_bytes_text(bytes, text);
    (void)fprintf(out, "  %-22s %s\n", label, text);
}

static void part_line(FILE *out, bound_kind kind, const char *accounting, bound_part part)
{
    char text[HW_BYTES_TEXT], label[32];
    hw_bytes_text(part.bytes, text);
    (void)snprintf(label, sizeof label, "%s, %s", bound_kind_name(kind), accounting);
    (void)fprintf(out, "  %-22s %s%s\n", label, text, part.cut ? ", cut short" : "");
}

static void count_line(FILE *out, const char *label, uint64_t count)
{
    (void)fprintf(out, "  %-22s %" PRIu64 "\n", label, count);
}

static void write_text(const hw_graph_facts *f, FILE *out)
{
    const hw_graph *g = f->graph;
    const hw_structure *s = &f->structure;
    char title[HW_SHOWN_TEXT], source[HW_SHOWN_TEXT];
    (void)fprintf(out, "%s: %" PRIu32 " nodes, %" PRIu32 " edges, %" PRIu32 " tensors\n",
                  hw_cli_graph_name(g, title), g->n_nodes, g->n_edges, g->n_tensors);
    if (g->source[0])
        (void)fprintf(out, "  %-22s %s\n", "from", hw_cli_shown(g->source, source));
    (void)fprintf(out, "  %-22s %s\n", "hash", f->hash);
    (void)fprintf(out, "  %-22s %" PRIu32 " / %" PRIu32 "\n", "sources / sinks", s->sources,
                  s->sinks);
    count_line(out, "depth (nodes)", s->depth);
    if (s->has_width)
        count_line(out, "width (antichain)", s->width);
    else
        (void)fprintf(out, "  %-22s not computed: too many nodes\n", "width (antichain)");
    if (s->has_down_sets)
        count_line(out, "down-sets", s->down_sets);
    else
        (void)fprintf(out, "  %-22s more than the limit (--down-sets)\n", "down-sets");
    char orders[HW_COUNT_TEXT];
    if (s->has_orders)
        (void)fprintf(out, "  %-22s %s\n", "orders",
                      hw_count_text(s->orders_high, s->orders_low, orders));
    else if (s->has_down_sets)
        (void)fprintf(out, "  %-22s 2^128 or more\n", "orders");
    if (f->n_views)
        count_line(out, "views", f->n_views);
    if (f->n_inplace_pairs)
        count_line(out, "in-place pairs", f->n_inplace_pairs);
    if (f->n_required)
        count_line(out, "must-in-place nodes", f->n_required);
    if (f->n_locked)
        count_line(out, "locked nodes", f->n_locked);
    if (f->n_windows)
        count_line(out, "windows", f->n_windows);
    if (g->n_control)
        count_line(out, "control edges", g->n_control);
    bytes_line(out, "total, not resident", f->total_bytes);
    bytes_line(out, "resident", f->resident_bytes);
    if (!f->any_legal)
        (void)fputs("  no order is legal: the windows contradict the edges\n", out);
    if (!f->source_legal)
        (void)fprintf(out, "  the source order is illegal: %s\n", f->reason);
    for (int a = 0; a < 2; a++) {
        char label[32];
        const char *name = hw_accounting_name((hw_accounting)a);
        if (f->source_legal) {
            (void)snprintf(label, sizeof label, "source, %s", name);
            bytes_line(out, label, f->source_peak[a]);
        }
        (void)snprintf(label, sizeof label, "bound, %s", name);
        bytes_line(out, label, f->bound[a].simple);
        for (int kind = 0; f->any_legal && kind < BOUND_KINDS; kind++)
            part_line(out, (bound_kind)kind, name, f->bound[a].part[kind]);
    }
}

static hw_code show(hw_cli *c, const hw_graph *g, void *context, hw_error *err)
{
    const uint64_t *most_down_sets = context;
    hw_graph_facts facts;
    hw_code code =
        hw_graph_facts_of(g, hw_cli_has(c, "pin-inputs"), *most_down_sets, c->stop, &facts, err);
    if (code != HW_OK) {
        char name[HW_SHOWN_TEXT];
        if (code == HW_BAD_INPUT)
            hw_error_prefix(err, "%s: ", hw_cli_graph_name(g, name));
        return code;
    }
    if (c->json)
        write_json(&facts, c->out);
    else
        write_text(&facts, c->out);
    return hw_cli_flush(c, err);
}

static hw_code run(hw_cli *c, hw_error *err)
{
    uint64_t most_down_sets = 1000000;
    hw_code code = hw_cli_u64(c, "down-sets", 1, UINT64_C(1) << 32, &most_down_sets, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_each_graph(c, c->args, c->n_args, show, &most_down_sets, err);
    return code;
}

const hw_command hw_command_info = {
    .name = "info",
    .arguments = "GRAPH...",
    .least_args = 1,
    .most_args = INT32_MAX,
    .help = "Tell what a graph is made of and what bounds its peak.",
    .details = "Width is the largest antichain, a down-set a prefix of some order. Down-sets and "
               "orders are those of the edges alone, without regard to windows.\n\n"
               "No order has a peak below a bound. `bound` is a simple one; `footprint` is what "
               "must be live whenever some node runs, `mincut` the least that a node can run "
               "with, the most over all nodes. On large graphs these two are cut short after a "
               "fixed amount of work, and say so; the solvers bound-footprint and bound-mincut go "
               "on to the end.",
    .common = HW_CLI_JSON | HW_CLI_OUTPUT | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
