/* The instances that a page shows over time: made anew, solved, logged. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text_stream.h"
#include "gen/family.h"
#include "import/import.h"
#include "report/html.h"
#include "report/page_internal.h"
#include "report/timeline.h"

enum { NAME_BYTES = 256 };

/* The rule of the page and what settles the optimum. */
typedef struct solvers {
    const hw_solver_row *row, *exact;
    hw_param_value values[HW_PARAM_LIMIT], exact_values[HW_PARAM_LIMIT];
} solvers;

/* One graph under one accounting, with two orders. */
typedef struct shown {
    hw_graph *graph;
    hw_model *model;
    hw_answer rule, best;
    hw_log *rule_log, *best_log;
} shown;

static void shown_clear(shown *s)
{
    hw_log_free(s->rule_log);
    hw_log_free(s->best_log);
    hw_answer_clear(&s->rule);
    hw_answer_clear(&s->best);
    hw_model_free(s->model);
    hw_graph_free(s->graph);
    *s = (shown){.graph = NULL};
}

/* Orders of a rule and of `exact`, and their logs; *why: what there is not, or "". */
static hw_code solve(const hw_page *p, const solvers *both, shown *s, const char **why,
                     hw_error *err)
{
    hw_request request = {.params = both->values, .stop = p->o->stop};
    *why = s->graph->n_nodes ? "" : "it has no nodes";
    if (**why)
        return HW_OK;
    hw_code code = hw_solve(s->model, both->row, &request, &s->rule, err);
    if (code == HW_USAGE) { /* it takes no such graph */
        *why = "the solver refuses it";
        return HW_OK;
    }
    if (code == HW_OK) {
        request.params = both->exact_values;
        request.limits.states = p->o->states;
        code = hw_solve(s->model, both->exact, &request, &s->best, err);
    }
    if (code == HW_OK && p->o->stop && *p->o->stop)
        code = hw_fail(err, HW_STOPPED, "stopped by a signal");
    if (code == HW_OK && !s->rule.has_order)
        *why = "the solver has no order";
    else if (code == HW_OK && !s->best.has_order)
        *why = "exact has no order";
    if (code != HW_OK || **why)
        return code;
    code = hw_log_new(s->model, s->rule.order, false, &s->rule_log, err);
    if (code == HW_OK)
        code = hw_log_new(s->model, s->best.order, false, &s->best_log, err);
    return code;
}

static void put_shown(const hw_page *p, const shown *s, const char *name, const char *family,
                      hw_json_out *j)
{
    bool proven = s->best.status == HW_OPTIMAL;
    const hw_timeline_order orders[] = {{p->solver, s->rule_log},
                                        {proven ? "optimum" : "best found", s->best_log}};
    hw_json_open(j, NULL, '{');
    hw_json_put_string(j, "name", name);
    hw_json_put_string(j, "family", family);
    hw_json_put_bool(j, "proven", proven);
    hw_json_put_real(j, "gap", hw_gap_percent(s->rule.peak, s->best.peak));
    hw_timeline_json(orders, sizeof orders / sizeof orders[0], j);
    hw_json_close(j, '}');
}

/* ---- Instances of the results. ---- */

static hw_code make_anew(const hw_record *r, shown *s, const char **why, hw_error *err)
{
    char spec[1024], hash[HW_HASH_TEXT];
    const hw_family_row *family;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_accounting accounting = strcmp(r->accounting, hw_accounting_name(HW_FREE_FIRST)) == 0
                                   ? HW_FREE_FIRST
                                   : HW_ALLOC_FIRST;
    *why = "";
    int n = snprintf(spec, sizeof spec, "%s%s%s", r->family, *r->params ? ":" : "", r->params);
    hw_code code =
        n < 0 || (size_t)n >= sizeof spec ? HW_USAGE : hw_family_parse(spec, &family, values, err);
    if (code == HW_OK)
        code = hw_generate(family, values, r->seed, r->index, &s->graph, err);
    if (code == HW_USAGE) { /* words that another version of the program wrote */
        *why = "its family takes no such parameters";
        return HW_OK;
    }
    if (code == HW_OK)
        code = hw_graph_hash(s->graph, hash, err);
    if (code == HW_OK && strcmp(hash, r->graph) != 0) {
        *why = "made anew it is another graph: the results are of another version";
        return HW_OK;
    }
    return code == HW_OK ? hw_model_new(s->graph, accounting, r->pinned, &s->model, err) : code;
}

/* What is found now against what the results say. */
static const char *disagreement(const hw_record *r, const shown *s)
{
    if (s->rule.peak != r->checked_peak.value)
        return "the solver's peak is another than in the results";
    if (s->best.status == HW_OPTIMAL && s->best.peak != r->optimum.value)
        return "the optimum is another than in the results";
    return "";
}

static hw_code put_picked(const hw_page *p, const solvers *both, const hw_record *r, hw_json_out *j,
                          hw_error *err)
{
    shown s = {.graph = NULL};
    const char *why;
    char name[NAME_BYTES];
    hw_record_instance(r, name, sizeof name);
    hw_code code = make_anew(r, &s, &why, err);
    if (code == HW_OK && !*why)
        code = solve(p, both, &s, &why, err);
    if (code == HW_OK && !*why)
        why = disagreement(r, &s);
    if (code == HW_OK && *why)
        hw_page_missing(p, "%s under %s is not shown: %s", name, r->accounting, why);
    else if (code == HW_OK)
        put_shown(p, &s, name, r->family, j);
    shown_clear(&s);
    return code;
}

/* ---- Graphs of files. ---- */

static hw_code put_file(const hw_page *p, const solvers *both, const char *path, hw_json_out *j,
                        hw_error *err)
{
    shown s = {.graph = NULL};
    const char *why = "";
    hw_code code = hw_import_load(path, NULL, NULL, &s.graph, err);
    if (code == HW_OK)
        code = hw_model_new(s.graph, p->o->accounting, p->o->pin_inputs, &s.model, err);
    if (code == HW_OK)
        code = solve(p, both, &s, &why, err);
    if (code == HW_OK && *why)
        hw_page_missing(p, "%s is not shown: %s", path, why);
    else if (code == HW_OK)
        put_shown(p, &s, *s.graph->name ? s.graph->name : path, "file", j);
    shown_clear(&s);
    return code;
}

static hw_code put_all(const hw_page *p, const solvers *both, const hw_record *const *picked,
                       size_t n_picked, FILE *out, hw_error *err)
{
    hw_json_out j = hw_json_on(out);
    hw_code code = HW_OK;
    j.break_items = true;
    hw_json_open(&j, NULL, '[');
    for (size_t i = 0; code == HW_OK && i < p->o->n_graphs; i++)
        code = put_file(p, both, p->o->graphs[i], &j, err);
    for (size_t i = 0; code == HW_OK && i < n_picked; i++)
        code = put_picked(p, both, picked[i], &j, err);
    hw_json_close(&j, ']');
    return code;
}

/* Into memory first: JSON within HTML is escaped as a whole. */
static hw_code put_data(const hw_page *p, const solvers *both, const hw_record *const *picked,
                        size_t n_picked, hw_error *err)
{
    char *json = NULL;
    size_t n = 0;
    FILE *memory = hw_text_stream(&json, &n);
    if (!memory)
        return hw_fail_memory(err, "the timelines of a page");
    hw_code code = put_all(p, both, picked, n_picked, memory, err);
    if (fclose(memory) != 0 && code == HW_OK)
        code = hw_fail_memory(err, "the timelines of a page");
    if (code == HW_OK) {
        (void)fputs("<div id=\"viewer\" hidden></div>\n"
                    "<noscript><p>The viewer needs scripts.</p></noscript>\n"
                    "<script type=\"application/json\" id=\"timelines-data\">\n",
                    p->out);
        hw_html_json(p->out, json, n);
        (void)fputs("\n</script>\n", p->out);
    }
    free(json);
    return code;
}

hw_code hw_page_put_timelines(const hw_page *p, hw_error *err)
{
    solvers both = {.row = NULL};
    size_t most = (size_t)p->o->most_timelines, n = 0;
    hw_code code = hw_solver_parse(p->o->solver, &both.row, both.values, err);
    if (code == HW_OK)
        code = hw_solver_parse("exact", &both.exact, both.exact_values, err);
    if (code != HW_OK)
        return code;
    const hw_record **picked = HW_NEW(const hw_record *, most);
    if (!picked)
        return hw_fail_memory(err, "the timelines of a page");
    if (p->results)
        n = hw_page_pick(p->sums.chosen, p->sums.n_chosen, p->o->most_nodes, picked, most);
    if (n + p->o->n_graphs == 0)
        hw_page_missing(p,
                        "no instance to show: none of the results has a gap of %s, and no "
                        "graph is given by --graph",
                        p->solver);
    else
        code = put_data(p, &both, picked, n, err);
    free((void *)picked);
    return code;
}
