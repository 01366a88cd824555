/* highwater simulate: the lifetime log of an order, and its picture. */
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "core/memory.h"
#include "io/gnuplot.h"
#include "io/timeline_plot.h"
#include "model/log.h"

static const hw_option options[] = {
    {"order", "ORDER", "source",
     "An order file, `source` (the order of the graph's file) or a solver with parameters."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    HW_OPTION_WITH_RESIDENT,
    {"live", NULL, NULL, "Add the tensors that are alive after each step."},
    {"plot", "FILE", NULL, "Draw memory and lifetimes over the steps: .svg, .pdf or .png."},
};

static const char *const examples[] = {
    "highwater simulate graph.json",
    "highwater simulate graph.json --order order.json --accounting free-first --json",
    "highwater simulate graph.json --order greedy-reverse --live --plot memory.svg",
};

static hw_code write_log(hw_cli *c, const hw_graph *g, const hw_log *log, const char *order_name,
                         hw_error *err)
{
    bool with_live_set = hw_cli_has(c, "live");
    if (c->json) {
        char hash[HW_HASH_TEXT];
        hw_code code = hw_graph_hash(g, hash, err);
        if (code != HW_OK)
            return code;
        hw_json_out j = hw_json_on(c->out);
        hw_json_open(&j, NULL, '{');
        hw_json_put_string(&j, "graph", g->name);
        hw_json_put_string(&j, "hash", hash);
        hw_json_put_string(&j, "order", order_name);
        code = hw_log_json(log, with_live_set, &j, err);
        hw_json_close(&j, '}');
        hw_json_line(&j);
        return code;
    }
    char name[HW_SHOWN_TEXT], order[HW_SHOWN_TEXT];
    (void)fprintf(c->out, "%s, order %s%s\n", hw_cli_graph_name(g, name),
                  hw_cli_shown(order_name, order), log->model->pin_inputs ? ", pinned inputs" : "");
    return hw_log_print(log, with_live_set, c->out, err);
}

static hw_code simulate_order(hw_cli *c, const hw_model *m, bool with_resident,
                              const char *order_name, hw_error *err)
{
    const char *plot = hw_cli_value(c, "plot");
    hw_log *log = NULL;
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = order ? HW_OK : hw_fail_memory(err, "an order");
    if (code == HW_OK && plot)
        code = hw_gnuplot_check_ending(plot, err);
    if (code == HW_OK)
        code = hw_cli_order(c, m, order_name, NULL, order, err);
    if (code == HW_OK)
        code = hw_log_new(m, order, with_resident, &log, err);
    if (code == HW_OK && plot)
        code = hw_timeline_plot(log, order_name, plot, err);
    if (code == HW_OK)
        code = write_log(c, m->graph, log, order_name, err);
    hw_log_free(log);
    free(order);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    hw_memory_options memory;
    const char *order_name = hw_cli_has(c, "order") ? hw_cli_value(c, "order") : "source";
    hw_graph *g = NULL;
    hw_model *m = NULL;
    hw_code code = hw_cli_memory_options(c, &memory, err);
    if (code == HW_OK && strcmp(c->args[0], "-") == 0 && strcmp(order_name, "-") == 0)
        code = hw_fail(err, HW_USAGE, "standard input cannot be both graph and order");
    if (code == HW_OK)
        code = hw_cli_two_files("--plot", hw_cli_value(c, "plot"), "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "--plot", hw_cli_value(c, "plot"), err);
    if (code == HW_OK)
        code = hw_cli_one_graph(c, c->args[0], &g, err);
    if (code == HW_OK)
        code = hw_cli_model(g, &memory, &m, err);
    if (code == HW_OK)
        code = simulate_order(c, m, memory.with_resident, order_name, err);
    if (code == HW_CHECK_FAILED)
        hw_error_prefix(err, "%s: ", hw_cli_input_name(c->args[0]));
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

const hw_command hw_command_simulate = {
    .name = "simulate",
    .arguments = "GRAPH",
    .least_args = 1,
    .most_args = 1,
    .help = "Run an order step by step and show why its peak is what it is.",
    .details = "A row a step: the node, the usage of the step, the bytes alive after it, the "
               "tensors that were born and those that died (by their ids; a view has no row of "
               "its own). The step of the peak is marked. Steps count from 0; an illegal order "
               "ends with exit status 1 and the reason.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
