/* See tools.h. */
#include "claims/tools.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "gen/family.h"
#include "io/folder.h"
#include "io/io.h"
#include "model/builder.h"
#include "model/check.h"

hw_code hw_claim_generate(const char *spec, uint64_t seed, uint64_t index, hw_graph **out,
                          hw_error *err)
{
    const hw_family_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    *out = NULL;
    hw_code code = hw_family_parse(spec, &row, values, err);
    return code == HW_OK ? hw_generate(row, values, seed, index, out, err) : code;
}

hw_code hw_claim_two_candidates(hw_graph **out, hw_error *err)
{
    static const struct {
        uint64_t size;
        hw_kind kind;
    } tensor[] = {{50, HW_INPUT}, {200, HW_OUTPUT}, {500, HW_INPUT}, {100, HW_OUTPUT}};
    static const char *const names[] = {"Q", "P"};
    hw_builder *b = hw_builder_new();
    if (!b)
        return hw_fail_memory(err, "an example");
    hw_code code = hw_builder_describe(b, "two-candidates", "section 3.1", "bytes", err);
    for (uint64_t t = 0; code == HW_OK && t < 4; t++)
        code = hw_builder_tensor(b, t, tensor[t].size, tensor[t].kind, NULL, err);
    for (uint64_t v = 0; code == HW_OK && v < 2; v++) {
        uint64_t in = 2 * v, made = 2 * v + 1;
        hw_node_spec spec = {.id = v,
                             .name = names[v],
                             .inputs = &in,
                             .n_inputs = 1,
                             .outputs = &made,
                             .n_outputs = 1};
        code = hw_builder_node(b, &spec, err);
    }
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    return code;
}

/* ---- Real graphs. ---- */

static hw_code add_graph(hw_claim_set *set, hw_graph *g, hw_error *err)
{
    if (!hw_grow((void **)&set->graph, &set->room, set->n + 1, sizeof(hw_graph *))) {
        hw_graph_free(g);
        return hw_fail_memory(err, "real graphs");
    }
    set->graph[set->n++] = g;
    return HW_OK;
}

static hw_code add_net(hw_claim_set *set, const char *net, int length, const char *mode,
                       hw_error *err)
{
    char spec[96];
    hw_graph *g;
    (void)snprintf(spec, sizeof spec, "nets:net=%.*s,mode=%s", length, net, mode);
    hw_code code = hw_claim_generate(spec, 0, 0, &g, err);
    if (code != HW_OK)
        return code;
    (void)snprintf(spec, sizeof spec, "%.*s-%s", length, net, mode);
    code = hw_graph_rename(g, spec, g->source, err);
    if (code == HW_OK)
        return add_graph(set, g, err);
    hw_graph_free(g);
    return code;
}

/* Every choice of the parameter `net`, as its row lists them. */
static hw_code add_nets(const hw_claim_run *run, uint32_t quick, hw_claim_set *set, hw_error *err)
{
    const hw_family_row *row = hw_family_find("nets", strlen("nets"));
    const char *net = NULL;
    for (size_t i = 0; row && i < row->n_params; i++)
        if (strcmp(row->params[i].name, "net") == 0)
            net = row->params[i].choices;
    if (!net)
        return hw_fail(err, HW_INTERNAL, "the family nets lists no nets");
    uint32_t most = hw_claim_effort(run, quick, UINT32_MAX);
    hw_code code = HW_OK;
    for (uint32_t i = 0; code == HW_OK && *net && i < most; i++) {
        int length = (int)strcspn(net, "|");
        code = add_net(set, net, length, "inference", err);
        if (code == HW_OK && most == UINT32_MAX)
            code = add_net(set, net, length, "training", err);
        net += length + (net[length] == '|');
        if (code == HW_OK && hw_claim_stopped(run))
            code = hw_fail(err, HW_STOPPED, "stopped by a signal");
    }
    return code;
}

static int is_graph_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static hw_code add_file(hw_claim_set *set, const char *folder, const char *name, hw_error *err)
{
    char *path = hw_folder_path(folder, name);
    hw_graph *g = NULL;
    if (!path)
        return hw_fail_memory(err, "a path");
    hw_code code = hw_graph_load(path, &g, err);
    free(path);
    return code == HW_OK ? add_graph(set, g, err) : code;
}

static hw_code add_folder(const hw_claim_run *run, hw_claim_set *set, hw_error *err)
{
    const char *folder = hw_claim_graphs(run);
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_graph_file, alphasort);
    if (n < 0)
        return hw_fail(err, HW_IO, "%s: cannot read the folder: %s", folder, strerror(errno));
    hw_code code = HW_OK;
    for (int i = 0; i < n; i++) {
        if (code == HW_OK)
            code = hw_claim_stopped(run) ? hw_fail(err, HW_STOPPED, "stopped by a signal")
                                         : add_file(set, folder, entries[i]->d_name, err);
        free(entries[i]);
    }
    free(entries);
    return code;
}

hw_code hw_claim_real_graphs(const hw_claim_run *run, uint32_t quick, hw_claim_set *set,
                             hw_error *err)
{
    *set = (hw_claim_set){0};
    hw_code code = add_nets(run, quick, set, err);
    if (code == HW_OK && hw_claim_graphs(run) && hw_claim_effort(run, 0, 1))
        code = add_folder(run, set, err);
    if (code != HW_OK)
        hw_claim_set_clear(set);
    return code;
}

void hw_claim_set_clear(hw_claim_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        hw_graph_free(set->graph[i]);
    free(set->graph);
    *set = (hw_claim_set){0};
}

/* ---- Solvers. ---- */

hw_code hw_claim_solve(const hw_claim_run *run, const hw_model *m, const char *spec,
                       const hw_limits *limits, hw_answer *answer, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_request request = {
        .params = values, .seed = hw_claim_seed(run), .stop = hw_claim_stop_flag(run)};
    if (limits)
        request.limits = *limits;
    *answer = (hw_answer){0};
    hw_code code = hw_solver_parse(spec, &row, values, err);
    if (code == HW_OK)
        code = hw_solve(m, row, &request, answer, err);
    if (code == HW_OK && hw_claim_stopped(run)) {
        hw_answer_clear(answer);
        code = hw_fail(err, HW_STOPPED, "stopped by a signal");
    }
    return code;
}

hw_code hw_claim_peak(const hw_claim_run *run, const hw_model *m, const char *spec, uint64_t *peak,
                      hw_error *err)
{
    hw_answer a;
    hw_code code = hw_claim_solve(run, m, spec, NULL, &a, err);
    if (code != HW_OK)
        return code;
    if (a.has_order)
        *peak = a.peak;
    else
        code = hw_fail(err, HW_CHECK_FAILED, "%s has no order for %s (%s)", spec, m->graph->name,
                       hw_status_name(a.status));
    hw_answer_clear(&a);
    return code;
}

hw_code hw_claim_optimum(const hw_claim_run *run, const hw_model *m, uint64_t *optimum,
                         hw_error *err)
{
    hw_answer a;
    hw_code code = hw_claim_solve(run, m, "exact", NULL, &a, err);
    if (code != HW_OK)
        return code;
    if (a.status == HW_OPTIMAL)
        *optimum = a.peak;
    else
        code = hw_fail(err, HW_CHECK_FAILED, "the optimum of %s is not proven (%s)", m->graph->name,
                       hw_status_name(a.status));
    hw_answer_clear(&a);
    return code;
}

hw_code hw_claim_order_peak(const hw_model *m, const uint32_t *order, uint64_t *peak, hw_error *err)
{
    hw_check check;
    hw_code code = hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, order,
                                  m->n_nodes, &check, err);
    if (code == HW_OK && check.verdict != HW_ORDER_LEGAL) {
        char why[160];
        hw_check_message(m->graph, &check, why, sizeof why);
        return hw_fail(err, HW_INTERNAL, "an order of %s is illegal: %s", m->graph->name, why);
    }
    if (code == HW_OK)
        *peak = check.peak;
    return code;
}

hw_code hw_claim_show(hw_claim_run *run, const hw_graph *g, hw_accounting accounting,
                      const char *spec, hw_error *err)
{
    hw_model *m = NULL;
    uint64_t peak = 0;
    hw_code code = hw_model_new(g, accounting, false, &m, err);
    if (code == HW_OK)
        code = hw_claim_peak(run, m, spec, &peak, err);
    if (code == HW_OK)
        code = hw_claim_shows(run, m, spec, peak, err);
    hw_model_free(m);
    return code;
}

double hw_claim_gap(uint64_t peak, uint64_t optimum)
{
    if (optimum == 0)
        return peak == 0 ? 0 : INFINITY;
    return 100 * ((double)peak - (double)optimum) / (double)optimum;
}

hw_code hw_claim_models(const hw_graph *g, hw_model *model[2], hw_error *err)
{
    model[0] = model[1] = NULL;
    hw_code code = hw_model_new(g, HW_ALLOC_FIRST, false, &model[HW_ALLOC_FIRST], err);
    if (code == HW_OK)
        code = hw_model_new(g, HW_FREE_FIRST, false, &model[HW_FREE_FIRST], err);
    if (code != HW_OK)
        hw_claim_models_free(model);
    return code;
}

void hw_claim_models_free(hw_model *model[2])
{
    hw_model_free(model[0]);
    hw_model_free(model[1]);
    model[0] = model[1] = NULL;
}
