/* highwater list: the rows of the registries, for persons and other tools. */
#include <inttypes.h>
#include <string.h>

#include "arena/arena.h"
#include "cli/list_details.h"
#include "cli/shared.h"
#include "gen/family.h"
#include "import/importers.h"
#include "import/onnx.h"

static const char *const examples[] = {
    "highwater list solvers",        "highwater list solvers lpmf xla-list",
    "highwater list solvers --json", "highwater list families",
    "highwater list allocators",
};

static const struct {
    const char *name, *ending, *help;
    bool read;
} formats[] = {
    {"json", ".json", "one graph, the canonical format", true},
    {"line", ".hwl", "p, t, v and e lines; any number of graphs, for pipes and large graphs", true},
    {"graphml", ".graphml", "one graph, for igraph, NetworkX and others; sizes as strings", true},
    {"dot", ".dot", "one graph, for graphviz; written only", false},
};

static void param_json(hw_json_out *j, const hw_param_row *row)
{
    static const char *const types[] = {"integer", "real", "yes-no", "choice", "word", "text"};
    char text[128];
    hw_param_value value;
    hw_params_preset(row, 1, &value);
    (void)hw_params_text(row, 1, &value, text, sizeof text);
    hw_json_open(j, NULL, '{');
    hw_json_put_string(j, "name", row->name);
    hw_json_put_string(j, "type", types[row->type]);
    hw_json_put_string(j, "default", text + strcspn(text, "=") + 1);
    if (row->type == HW_PARAM_INT || row->type == HW_PARAM_REAL) {
        hw_json_put_real(j, "low", row->low);
        hw_json_put_real(j, "high", row->high);
    }
    if (row->choices)
        hw_json_put_string(j, "choices", row->choices);
    hw_json_put_string(j, "help", row->help);
    hw_json_close(j, '}');
}

static void params_json(hw_json_out *j, const hw_param_row *rows, size_t n)
{
    hw_json_open(j, "params", '[');
    for (size_t i = 0; i < n; i++)
        param_json(j, &rows[i]);
    hw_json_close(j, ']');
}

static void params_text(const hw_param_row *rows, size_t n, FILE *out)
{
    char text[1024];
    hw_param_value values[HW_PARAM_LIMIT];
    hw_params_preset(rows, n, values);
    (void)hw_params_text(rows, n, values, text, sizeof text);
    if (n)
        (void)fprintf(out, "      %s\n", text);
}

/* Is it listed: all are, or those that are named behind the word. */
static bool is_wanted(const hw_cli *c, const char *name)
{
    for (size_t i = 1; i < c->n_args; i++)
        if (strcspn(c->args[i], ":") == strlen(name) &&
            strncmp(c->args[i], name, strlen(name)) == 0)
            return true;
    return c->n_args == 1;
}

static void solver_text(const hw_cli *c, const hw_solver_row *row)
{
    if (c->n_args > 1) {
        hw_list_solver_details(row, c->out);
        return;
    }
    (void)fprintf(c->out, "  %-16s %-9s  %s\n", row->name, hw_solver_kind_name(row->kind),
                  row->help);
    params_text(row->params, row->n_params, c->out);
}

static void list_solvers(const hw_cli *c, hw_json_out *j)
{
    for (size_t i = 0; i < hw_n_solvers; i++) {
        const hw_solver_row *row = hw_solvers[i];
        if (!is_wanted(c, row->name))
            continue;
        if (!j) {
            solver_text(c, row);
            continue;
        }
        hw_json_open(j, NULL, '{');
        hw_json_put_string(j, "name", row->name);
        hw_json_put_string(j, "kind", hw_solver_kind_name(row->kind));
        hw_json_put_string(j, "source", row->source);
        hw_json_put_string(j, "help", row->help);
        hw_json_put_bool(j, "random", row->random);
        hw_json_put_bool(j, "proves", row->proves);
        hw_json_put_bool(j, "foreign", row->foreign);
        hw_json_put_u64_or_null(j, "most_nodes", row->most_nodes != 0, row->most_nodes);
        hw_json_put_string(j, "state", row->counts);
        params_json(j, row->params, row->n_params);
        hw_json_close(j, '}');
    }
}

static void list_families(const hw_cli *c, hw_json_out *j)
{
    for (size_t i = 0; i < hw_n_families; i++) {
        const hw_family_row *row = hw_families[i];
        if (!is_wanted(c, row->name))
            continue;
        if (!j && c->n_args > 1) {
            hw_list_family_details(row, c->out);
            continue;
        }
        if (!j) {
            (void)fprintf(c->out, "  %-21s %s\n", row->name, row->help);
            params_text(row->params, row->n_params, c->out);
            continue;
        }
        hw_json_open(j, NULL, '{');
        hw_json_put_string(j, "name", row->name);
        hw_json_put_string(j, "source", row->source);
        hw_json_put_string(j, "help", row->help);
        hw_json_put_bool(j, "random", row->random);
        params_json(j, row->params, row->n_params);
        hw_json_close(j, '}');
    }
}

static void list_allocators(const hw_cli *c, hw_json_out *j)
{
    for (size_t i = 0; i < hw_n_allocators; i++) {
        const hw_allocator *row = hw_allocators[i];
        if (!is_wanted(c, row->name))
            continue;
        if (!j && c->n_args > 1) {
            hw_list_allocator_details(row, c->out);
            continue;
        }
        if (!j) {
            (void)fprintf(c->out, "  %-20s %s\n", row->name, row->help);
            params_text(row->params, row->n_params, c->out);
            continue;
        }
        hw_json_open(j, NULL, '{');
        hw_json_put_string(j, "name", row->name);
        hw_json_put_string(j, "source", row->source);
        hw_json_put_string(j, "help", row->help);
        hw_json_put_bool(j, "random", row->random);
        hw_json_put_bool(j, "proves", row->proves);
        hw_json_put_bool(j, "in_time_order", row->in_time_order);
        params_json(j, row->params, row->n_params);
        hw_json_close(j, '}');
    }
}

static void list_commands(const hw_cli *c, hw_json_out *j)
{
    for (size_t i = 0; i < hw_n_commands; i++) {
        const hw_command *row = hw_commands[i];
        if (!j) {
            (void)fprintf(c->out, "  %-16s %s\n", row->name, row->help);
            continue;
        }
        hw_json_open(j, NULL, '{');
        hw_json_put_string(j, "name", row->name);
        hw_json_put_string(j, "arguments", row->arguments);
        hw_json_put_string(j, "help", row->help);
        hw_json_open(j, "options", '[');
        for (size_t k = 0; k < row->n_options; k++)
            hw_json_put_string(j, NULL, row->options[k].name);
        hw_json_close(j, ']');
        hw_json_open(j, "examples", '[');
        for (size_t k = 0; k < row->n_examples; k++)
            hw_json_put_string(j, NULL, row->examples[k]);
        hw_json_close(j, ']');
        hw_json_close(j, '}');
    }
}

static void format_row(const hw_cli *c, hw_json_out *j, const char *name, const char *ending,
                       bool read, bool write, const char *help)
{
    if (!j) {
        (void)fprintf(c->out, "  %-16s %-10s %s\n", name, ending ? ending : "", help);
        return;
    }
    hw_json_open(j, NULL, '{');
    hw_json_put_string(j, "name", name);
    hw_json_put_string(j, "ending", ending);
    hw_json_put_bool(j, "read", read);
    hw_json_put_bool(j, "write", write);
    hw_json_put_string(j, "help", help);
    hw_json_close(j, '}');
}

static bool is_read(const hw_importer *row)
{
    return !row->refused && (row != &hw_importer_onnx || hw_onnx_readable);
}

/* Those of highwater, which it writes, then what it reads, then what it knows and refuses. */
static void list_formats(const hw_cli *c, hw_json_out *j)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        format_row(c, j, formats[i].name, formats[i].ending, formats[i].read, true,
                   formats[i].help);
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < hw_n_importers; i++) {
            const hw_importer *row = hw_importers[i];
            if (is_read(row) == (pass == 0))
                format_row(c, j, row->name, NULL, is_read(row), false,
                           is_read(row) || row->refused
                               ? row->help
                               : "not read: built without protobuf-c or the schema of ONNX");
        }
}

static hw_code check_solver(const char *spec, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    if (hw_solver_find(spec, strlen(spec))) /* by its name alone it need not be fit to run */
        return HW_OK;
    return hw_solver_parse(spec, &row, values, err);
}

static hw_code check_family(const char *spec, hw_error *err)
{
    const hw_family_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    return hw_family_parse(spec, &row, values, err);
}

static hw_code check_allocator(const char *spec, hw_error *err)
{
    const hw_allocator *row;
    hw_param_value values[HW_PARAM_LIMIT];
    return hw_allocator_parse(spec, &row, values, err);
}

/* Names of rows behind the word; check: NULL where none may stand. */
static hw_code check_names(const hw_cli *c, hw_code (*check)(const char *spec, hw_error *err),
                           hw_error *err)
{
    hw_code code = HW_OK;
    if (c->n_args > 1 && !check)
        return hw_fail(err, HW_USAGE,
                       "'%s' is one argument too many: only solvers, families and allocators "
                       "are told of one by one",
                       c->args[1]);
    for (size_t i = 1; i < c->n_args && code == HW_OK; i++)
        code = check(c->args[i], err);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    static const struct {
        const char *name;
        void (*list)(const hw_cli *c, hw_json_out *j);
        hw_code (*check)(const char *spec, hw_error *err);
    } lists[] = {
        {"solvers", list_solvers, check_solver},
        {"families", list_families, check_family},
        {"allocators", list_allocators, check_allocator},
        {"commands", list_commands, NULL},
        {"formats", list_formats, NULL},
    };
    enum { N_LISTS = sizeof lists / sizeof lists[0] };
    const char *names[N_LISTS];
    for (size_t i = 0; i < N_LISTS; i++) {
        names[i] = lists[i].name;
        if (strcmp(lists[i].name, c->args[0]) != 0)
            continue;
        hw_code code = check_names(c, lists[i].check, err);
        if (code != HW_OK)
            return code;
        if (!c->json) {
            lists[i].list(c, NULL);
            return HW_OK;
        }
        hw_json_out j = hw_json_on(c->out);
        j.break_items = true;
        hw_json_open(&j, NULL, '[');
        lists[i].list(c, &j);
        hw_json_close(&j, ']');
        hw_json_line(&j);
        return HW_OK;
    }
    const char *near = hw_nearest_name(c->args[0], names, N_LISTS);
    return hw_fail(
        err, HW_USAGE,
        "there is no list of '%s'%s%s%s there are solvers, families, allocators, commands and "
        "formats",
        c->args[0], near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ":");
}

const hw_command hw_command_list = {
    .name = "list",
    .arguments = "solvers|families|allocators|commands|formats [NAME]...",
    .least_args = 1,
    .most_args = INT32_MAX,
    .help = "List solvers, families, allocators, commands or formats.",
    .details = "Of solvers, families and allocators that are named, all is told: the source of the "
               "rule, the "
               "file whose head compares ours with it, what one state of --state-limit is, and "
               "each parameter. With --json an array of objects, one a line.",
    .common = HW_CLI_JSON | HW_CLI_OUTPUT,
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
