/* highwater check: the independent checker's verdict on an order. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "core/memory.h"
#include "model/check.h"

static const hw_option options[] = {
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    HW_OPTION_WITH_RESIDENT,
    {"peak", "BYTES", NULL, "The peak that the order is said to have; another one fails."},
};

static const char *const examples[] = {
    "highwater check graph.json order.json",
    "highwater check graph.json source --accounting free-first --json",
};

typedef struct claim {
    bool has_peak;
    uint64_t peak;
} claim;

static void verdict_json(const hw_cli *c, const hw_graph *g, const hw_memory_options *memory,
                         const hw_check *check, const claim *said, const char *reason)
{
    bool legal = check->verdict == HW_ORDER_LEGAL;
    uint64_t added = memory->with_resident ? check->resident_bytes : 0;
    hw_json_out j = hw_json_on(c->out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "graph", g->name);
    hw_json_put_string(&j, "accounting", hw_accounting_name(memory->accounting));
    hw_json_put_bool(&j, "pin_inputs", memory->pin_inputs);
    hw_json_put_bool(&j, "with_resident", memory->with_resident);
    hw_json_put_bool(&j, "legal", legal);
    hw_json_put_string(&j, "reason", legal ? NULL : reason);
    hw_json_put_u64_or_null(&j, "peak", legal, check->peak + added);
    if (legal)
        hw_json_put_i64(&j, "peak_step", check->peak_step);
    else
        hw_json_put_null(&j, "peak_step");
    hw_json_put_u64_or_null(&j, "resident", legal, check->resident_bytes);
    hw_json_put_u64_or_null(&j, "claimed_peak", said->has_peak, said->peak);
    if (legal && said->has_peak)
        hw_json_put_bool(&j, "agrees", said->peak == check->peak + added);
    else
        hw_json_put_null(&j, "agrees");
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

static hw_code report(hw_cli *c, const hw_graph *g, const hw_memory_options *memory,
                      const hw_check *check, const claim *said, hw_error *err)
{
    char reason[512];
    bool legal = check->verdict == HW_ORDER_LEGAL;
    hw_check_message(g, check, reason, sizeof reason);
    if (c->json)
        verdict_json(c, g, memory, check, said, reason);
    c->keep_output = true;
    if (!legal)
        return hw_fail(err, HW_CHECK_FAILED, "the order is illegal: %s", reason);
    uint64_t peak = check->peak + (memory->with_resident ? check->resident_bytes : 0);
    if (!c->json) {
        char bytes[HW_BYTES_TEXT];
        hw_bytes_text(peak, bytes);
        (void)fprintf(c->out, "legal, peak %s ", bytes);
        if (check->peak_step < 0)
            (void)fputs("before the first step\n", c->out);
        else
            (void)fprintf(c->out, "at step %" PRId64 "\n", check->peak_step);
    }
    if (said->has_peak && said->peak != peak)
        return hw_fail(err, HW_CHECK_FAILED,
                       "the peak is %" PRIu64 ", not %" PRIu64 ": look at accounting, pinned "
                       "inputs and resident bytes",
                       peak, said->peak);
    return HW_OK;
}

static hw_code check_graph(hw_cli *c, const hw_graph *g, const hw_memory_options *memory,
                           const claim *said, hw_error *err)
{
    hw_model *m;
    hw_check check;
    hw_code code = hw_cli_model(g, memory, &m, err);
    if (code != HW_OK)
        return code;
    uint32_t *order = HW_NEW(uint32_t, g->n_nodes);
    if (!order)
        code = hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = hw_cli_order(c, m, c->args[1], NULL, order, err);
    if (code == HW_OK)
        code = hw_check_order(g, memory->accounting == HW_FREE_FIRST, memory->pin_inputs, order,
                              g->n_nodes, &check, err);
    if (code == HW_OK)
        code = report(c, g, memory, &check, said, err);
    free(order);
    hw_model_free(m);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    hw_memory_options memory;
    claim said = {.has_peak = hw_cli_has(c, "peak")};
    hw_graph *g = NULL;
    hw_code code = hw_cli_memory_options(c, &memory, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "peak", &said.peak, err);
    if (code == HW_OK && strcmp(c->args[0], "-") == 0 && strcmp(c->args[1], "-") == 0)
        code = hw_fail(err, HW_USAGE, "standard input cannot be both graph and order");
    if (code == HW_OK)
        code = hw_cli_check_output(c, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_one_graph(c, c->args[0], &g, err);
    if (code == HW_OK)
        code = check_graph(c, g, &memory, &said, err);
    hw_graph_free(g);
    return code;
}

const hw_command hw_command_check = {
    .name = "check",
    .arguments = "GRAPH ORDER",
    .least_args = 2,
    .most_args = 2,
    .help = "Check an order and its peak by the independent checker.",
    .details = "ORDER is a file, `source` or the name of a solver. The exit status is 1 when the "
               "order is illegal or its peak is not the one given by --peak.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
