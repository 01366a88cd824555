/* highwater transform: graphs changed step by step, and a fusion undone. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "cli/transform_each.h"
#include "core/memory.h"
#include "transform/record.h"
#include "transform/steps.h"

static const hw_option options[] = {
    {"format", "WORD", "by the ending of FILE, else json",
     "json, line, graphml or dot; only line takes several graphs."},
    {"each", "FILE", NULL,
     "Write every graph to a file of its own: {} in its name stands for the value of the dimension "
     "that varies, or for the number of the graph, from 0."},
    {"record", "FILE", NULL,
     "Write what was fused, and what it takes to undo it, as JSON; fuse is then the last step."},
    {"patterns", "FILE", "built in",
     "What fuse joins, lines 'NAME: ITEM ITEM...', in place of the patterns below."},
    {"order", "ORDER", NULL,
     "The new source order for relabel: a solver with its parameters or an order file."},
    {"unfuse", "FILE", NULL, "Instead of steps: the graph that went into the fusion so recorded."},
    {"expand", "ORDER", NULL,
     "With --unfuse: this order of the fused graph (source, a solver or an order file) as an order "
     "of the original, in place of the graph."},
    {"scale", "RULE", "the file or family knows the dimension",
     "How sizes grow with a dimension that varies, as for buckets."},
    {"base", "N", "the first value",
     "With --scale: the value that the graph's own sizes hold for."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
};

static const char *const examples[] = {
    "highwater gen nets:net=resnet50 -o net.json",
    "highwater transform net.json fuse:residual=yes --record net.fusion -o fused.json",
    "highwater transform fused.json --unfuse net.fusion | highwater info -",
    "highwater transform fused.json --unfuse net.fusion --expand greedy -o long.json",
    "highwater transform net.json split-constants strip-inplace --format line",
    "highwater transform graph.json relabel:ids=random,order=random --seed 7",
    "highwater transform nets:net=unet --dim resolution=64,128 fuse --each unet-{}.json",
};

enum { MOST_STEPS = 32 };

typedef struct job {
    hw_cli *c;
    hw_step step[MOST_STEPS];
    size_t n_steps;
    hw_step_context context;
    hw_memory_options memory; /* of the solver that gives an order */
    hw_format format;
    const char *record, *order, *each;
    uint64_t value; /* of the dimension that varies */
    bool varies;
    hw_output record_file;
    size_t n_graphs;
    hw_operators *operators;
    hw_patterns *patterns;
} job;

/* ---- What steps ask for. ---- */

static hw_code make_order(const job *j, const hw_graph *g, const char *text, uint32_t *order,
                          hw_error *err)
{
    hw_model *m;
    hw_code code = hw_cli_model(g, &j->memory, &m, err);
    if (code == HW_OK)
        code = hw_cli_order(j->c, m, text, NULL, order, err);
    hw_model_free(m);
    return code;
}

static hw_code give_order(void *context, const hw_graph *g, uint32_t *order, hw_error *err)
{
    const job *j = context;
    return make_order(j, g, j->order, order, err);
}

static hw_code tell_fusion(void *context, const hw_graph *g, const hw_fusion *f,
                           const hw_graph *fused, const hw_patterns *patterns, hw_error *err)
{
    job *j = context;
    char bytes[HW_BYTES_TEXT];
    hw_bytes_text(f->inner_bytes, bytes);
    hw_cli_note(j->c,
                "fused %" PRIu32 " nodes into %" PRIu32 ", %" PRIu32 " are left; %" PRIu32 "%s, %s",
                f->offset[f->n_groups], f->n_groups, fused->n_nodes, f->n_inner,
                f->n_inner == 1 ? " tensor is gone" : " tensors are gone", bytes);
    for (size_t p = 0; p < hw_patterns_count(patterns); p++) {
        uint32_t groups = 0;
        for (uint32_t i = 0; i < f->n_groups; i++)
            groups += f->pattern[i] == p;
        hw_cli_detail(j->c, "pattern %s: %" PRIu32, hw_pattern_name(patterns, p), groups);
    }
    if (!j->record)
        return HW_OK;
    hw_code code = hw_record_write(g, f, fused, patterns, j->record_file.stream, err);
    if (code == HW_IO)
        hw_error_prefix(err, "%s: ", j->record);
    return code;
}

/* ---- Steps. ---- */

/* How many graphs there may be is known when a second one comes. */
static hw_code check_second(const job *j, hw_error *err)
{
    const char *name = hw_cli_input_name(j->c->args[0]);
    if (j->record)
        return hw_fail(err, HW_BAD_INPUT, "%s: holds several graphs: --record is for one", name);
    if (!j->each && j->format != HW_FORMAT_LINE)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: holds several graphs: only --format line can take them, or --each",
                       name);
    return HW_OK;
}

static hw_code write_result(const job *j, const hw_graph *g, hw_error *err)
{
    uint64_t label = j->varies ? j->value : j->n_graphs - 1;
    return j->each ? hw_transform_write_each(j->c, g, j->each, label, j->format, err)
                   : hw_cli_write_graph(j->c, g, j->format, err);
}

static hw_code transform(hw_cli *c, const hw_graph *g, void *context, hw_error *err)
{
    job *j = context;
    hw_graph *at = NULL;
    hw_code code = j->n_graphs++ > 0 ? check_second(j, err) : HW_OK;
    (void)c;
    for (size_t i = 0; i < j->n_steps && code == HW_OK; i++) {
        hw_graph *next;
        code = hw_step_run(&j->step[i], at ? at : g, &j->context, &next, err);
        hw_graph_free(at);
        at = next;
        char name[HW_SHOWN_TEXT];
        if (code == HW_BAD_INPUT)
            hw_error_prefix(err, "%s: ", hw_cli_graph_name(g, name));
    }
    if (code == HW_OK)
        code = write_result(j, at ? at : g, err);
    hw_graph_free(at);
    return code;
}

static hw_code take_value(void *context, const hw_graph *g, uint64_t value, hw_error *err)
{
    job *j = context;
    j->value = value;
    return transform(j->c, g, j, err);
}

static hw_code read_steps(job *j, hw_error *err)
{
    const hw_cli *c = j->c;
    bool takes_order = false;
    if (c->n_args == 1 && j->varies)
        return j->record || j->order || hw_cli_has(c, "patterns")
                   ? hw_fail(err, HW_USAGE, "--record, --order and --patterns go with steps")
                   : HW_OK;
    if (c->n_args == 1)
        return hw_fail(err, HW_USAGE,
                       "no step is given: `highwater transform --help` shows all, such as fuse");
    if (c->n_args - 1 > MOST_STEPS)
        return hw_fail(err, HW_USAGE, "more than %d steps: transform in two goes", (int)MOST_STEPS);
    hw_code code = HW_OK;
    for (size_t i = 1; i < c->n_args && code == HW_OK; i++) {
        code = hw_step_parse(c->args[i], &j->step[j->n_steps], err);
        if (code == HW_OK)
            takes_order = takes_order || j->step[j->n_steps++].row->takes_order;
    }
    if (code != HW_OK)
        return code;
    bool fuses_last = j->step[j->n_steps - 1].row->fuses;
    bool fuses = false;
    for (size_t i = 0; i < j->n_steps; i++)
        fuses = fuses || j->step[i].row->fuses;
    if (j->record && !fuses_last)
        return hw_fail(err, HW_USAGE,
                       "--record tells how to undo a fusion: make fuse the last step, once");
    for (size_t i = 0; j->record && i + 1 < j->n_steps; i++)
        if (j->step[i].row->fuses)
            return hw_fail(err, HW_USAGE, "--record is of one fusion: give fuse once, as the last");
    if (hw_cli_has(c, "patterns") && !fuses)
        return hw_fail(err, HW_USAGE, "--patterns goes with the step fuse");
    if (j->order && !takes_order)
        return hw_fail(err, HW_USAGE, "--order goes with the step relabel");
    return HW_OK;
}

static hw_code read_tables(job *j, hw_error *err)
{
    const char *operators = hw_cli_value(j->c, "operators");
    const char *patterns = hw_cli_value(j->c, "patterns");
    j->operators = hw_operators_new();
    j->patterns = patterns ? hw_patterns_new() : NULL;
    if (!j->operators || (patterns && !j->patterns))
        return hw_fail_memory(err, "the table of operators");
    hw_code code = operators ? hw_operators_read(j->operators, operators, err) : HW_OK;
    if (code == HW_OK && patterns)
        code = hw_patterns_read(j->patterns, patterns, err);
    if (code == HW_OK && patterns && hw_patterns_count(j->patterns) == 0)
        code = hw_fail(err, HW_BAD_INPUT, "%s: holds no pattern: write lines NAME: ITEM ITEM...",
                       patterns);
    j->context = (hw_step_context){.operators = j->operators,
                                   .patterns = j->patterns,
                                   .seed = j->c->seed,
                                   .stop = j->c->stop,
                                   .context = j,
                                   .order = j->order ? give_order : NULL,
                                   .fused = tell_fusion};
    return code;
}

static hw_code run_steps(job *j, hw_error *err)
{
    hw_cli *c = j->c;
    if (hw_cli_has(c, "expand"))
        return hw_fail(err, HW_USAGE, "--expand goes with --unfuse");
    hw_code code = read_steps(j, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "--record", j->record, err);
    if (code == HW_OK)
        code = hw_cli_two_files("--record", j->record, "-o", c->output_path, err);
    if (code == HW_OK && j->each)
        code = hw_transform_check_each(c, j->each, err);
    if (code == HW_OK && j->record && strcmp(j->record, "-") == 0 && !c->output_path)
        code =
            hw_fail(err, HW_USAGE, "--record - and the graph both take standard output: -o FILE");
    if (code == HW_OK)
        code = read_tables(j, err);
    if (code == HW_OK && j->record)
        code = hw_cli_open(j->record, &j->record_file, err);
    if (code != HW_OK)
        return code;
    code = j->varies ? hw_transform_sweep(c, take_value, j, err)
                     : hw_cli_each_graph(c, c->args, 1, transform, j, err);
    if (code == HW_OK)
        code = hw_cli_flush(c, err);
    if (j->record && code == HW_OK)
        code = hw_cli_commit(&j->record_file, err);
    else if (j->record)
        hw_cli_abandon(&j->record_file);
    return code;
}

/* ---- A fusion undone. ---- */

static hw_code write_expanded(const job *j, const hw_graph *fused, const hw_record *r,
                              const hw_graph *original, const char *text, hw_error *err)
{
    uint32_t *order = HW_NEW(uint32_t, fused->n_nodes);
    uint32_t *expanded = HW_NEW(uint32_t, original->n_nodes);
    hw_code code = order && expanded ? HW_OK : hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = make_order(j, fused, text, order, err);
    if (code == HW_OK)
        code = hw_unfuse_order(fused, r, original, order, expanded, err);
    if (code == HW_OK)
        code = hw_order_write(original, expanded, j->c->out, err);
    free(order);
    free(expanded);
    return code;
}

static hw_code run_unfuse(job *j, const char *path, hw_error *err)
{
    hw_cli *c = j->c;
    const char *expand = hw_cli_value(c, "expand");
    if (c->n_args > 1)
        return hw_fail(err, HW_USAGE, "--unfuse takes no steps: transform what comes out of it");
    if (j->record || j->order || hw_cli_has(c, "patterns"))
        return hw_fail(err, HW_USAGE,
                       "--record, --order and --patterns go with steps, not with "
                       "--unfuse");
    if (expand && hw_cli_has(c, "format"))
        return hw_fail(err, HW_USAGE, "--format is of graphs, and --expand writes an order");
    hw_graph *fused = NULL, *original = NULL;
    hw_record *r = NULL;
    hw_code code = hw_cli_one_graph(c, c->args[0], &fused, err);
    if (code == HW_OK)
        code = hw_record_load(path, &r, err);
    if (code == HW_OK)
        code = hw_unfuse(fused, r, &original, err);
    if (code == HW_OK)
        code = expand ? write_expanded(j, fused, r, original, expand, err)
                      : hw_cli_write_graph(c, original, j->format, err);
    if (code == HW_OK)
        code = hw_cli_flush(c, err);
    hw_graph_free(fused);
    hw_graph_free(original);
    hw_record_free(r);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    job j = {.c = c,
             .format = HW_FORMAT_JSON,
             .record = hw_cli_value(c, "record"),
             .order = hw_cli_value(c, "order"),
             .each = hw_cli_value(c, "each"),
             .varies = hw_transform_varies(c)};
    const char *format = hw_cli_value(c, "format"), *unfuse = hw_cli_value(c, "unfuse");
    hw_code code = hw_cli_memory_options(c, &j.memory, err);
    if (code == HW_OK && format)
        code = hw_format_parse(format, &j.format, err);
    else if (code == HW_OK && (j.each || c->output_path))
        j.format = hw_format_of_name(j.each ? j.each : c->output_path, j.format);
    else if (j.varies)
        j.format = HW_FORMAT_LINE;
    if (code == HW_OK && (hw_cli_has(c, "scale") || hw_cli_has(c, "base")) && !j.varies)
        code = hw_fail(err, HW_USAGE,
                       "--scale and --base go with a dimension that varies, as --dim H=1:4");
    if (code == HW_OK)
        code = unfuse ? run_unfuse(&j, unfuse, err) : run_steps(&j, err);
    hw_operators_free(j.operators);
    hw_patterns_free(j.patterns);
    return code;
}

static void list_steps(const hw_cli *c, FILE *out)
{
    (void)c;
    (void)fputs("\nSteps:\n", out);
    for (size_t i = 0; i < hw_n_steps; i++) {
        const hw_step_row *row = &hw_step_rows[i];
        (void)fprintf(out, "  %-16s %s\n", row->name, row->help);
        for (size_t k = 0; k < row->n_params; k++) {
            char text[64];
            hw_param_value value;
            hw_params_preset(&row->params[k], 1, &value);
            (void)hw_params_text(&row->params[k], 1, &value, text, sizeof text);
            (void)fprintf(out, "      %-14s ", text);
            hw_cli_wrap(out, 21, 21, row->params[k].help);
        }
    }
    (void)fputs("\nPatterns of fuse, in this order (classes: highwater(1)):\n", out);
    const char *line;
    bool asked;
    for (size_t i = 0; (line = hw_fuse_pattern(i, &asked)); i++)
        (void)fprintf(out, "  %s%s\n", line, asked ? " (on request)" : "");
}

static const hw_option_values values[] = {
    {"format", HW_FORMAT_WORDS},
};

const hw_command hw_command_transform = {
    .name = "transform",
    .arguments = "GRAPH [STEP...]",
    .least_args = 1,
    .most_args = 1 + MOST_STEPS,
    .help = "Change graphs step by step: fuse, relabel, split constants, leave parts out.",
    .details = "Steps are applied in the order given, each a name with or without parameters, "
               "NAME:param=value,...\n\n"
               "Ids and names stay, but for relabel; a fused node has those of its last member. "
               "With --record a fusion can be undone, to the same bytes, and an order of the fused "
               "graph read as one of the original.\n\n"
               "A --dim with several values, NAME=LOW:HIGH:STEP or NAME=A,B,C, makes one graph for "
               "each, out of a file with symbolic dimensions, a family (nets:net=unet) or, with "
               "--scale, any graph; they go out as lines or by --each. No step is needed then.",
    .common = HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_IMPORT | HW_CLI_SWEEP,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .more_help = list_steps,
    .run = run,
};
