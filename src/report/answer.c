/* Results summed up, and the head of a page.  See page_internal.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cells.h"
#include "core/memory.h"
#include "report/html.h"
#include "report/html_table.h"
#include "report/page_internal.h"

/* ---- Summing up. ---- */

static bool same_panel(const hw_record *a, const hw_record *b)
{
    return a->pinned == b->pinned && strcmp(a->accounting, b->accounting) == 0;
}

static hw_page_panel *find_panel(hw_page_sums *sums, const hw_record *r)
{
    for (size_t i = 0; i < sums->n_panels; i++)
        if (same_panel(sums->panel[i].first, r))
            return &sums->panel[i];
    if (sums->n_panels == HW_PAGE_MOST_PANELS)
        return NULL;
    sums->panel[sums->n_panels] = (hw_page_panel){.first = r};
    return &sums->panel[sums->n_panels++];
}

static int compare_texts(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static uint64_t count_distinct(const char **texts, size_t n)
{
    uint64_t distinct = n > 0;
    qsort((void *)texts, n, sizeof *texts, compare_texts);
    for (size_t i = 1; i < n; i++)
        distinct += strcmp(texts[i - 1], texts[i]) != 0;
    return distinct;
}

/* Instances, and how many of them have a proven optimum. */
static hw_code count_units(const hw_record *records, size_t n, hw_page_sums *sums, hw_error *err)
{
    uint64_t proven[HW_PAGE_MOST_PANELS] = {0};
    hw_partition units;
    hw_code code = hw_partition_make(records, n, NULL, 0, &units, err);
    if (code != HW_OK)
        return code;
    const char **graph = HW_NEW(const char *, units.n_groups);
    size_t n_graphs = 0;
    for (size_t u = 0; graph && u < units.n_groups; u++) {
        const hw_record *first = units.member[units.start[u]];
        hw_page_panel *panel = find_panel(sums, first);
        bool is_proven = false;
        for (size_t i = units.start[u]; i < units.start[u + 1]; i++)
            is_proven = is_proven || units.member[i]->optimum.known;
        if (first->graph)
            graph[n_graphs++] = first->graph;
        if (panel) {
            panel->units++;
            proven[panel - sums->panel] += is_proven;
        }
    }
    for (size_t i = 0; i < sums->n_panels; i++)
        sums->panel[i].proven = hw_share_of(proven[i], sums->panel[i].units);
    if (graph)
        sums->instances = count_distinct(graph, n_graphs);
    else
        code = hw_fail_memory(err, "the instances of a page");
    free((void *)graph);
    hw_partition_free(&units);
    return code;
}

static void count_runs(const hw_record *records, size_t n, hw_page_sums *sums)
{
    static const char *const words[] = {"crashed", "timeout", "error", "out-of-memory", "wrong"};
    for (size_t i = 0; i < n; i++) {
        const hw_record *r = &records[i];
        sums->conflicts += r->conflict;
        sums->below +=
            r->checked_peak.known && r->optimum.known && r->checked_peak.value < r->optimum.value;
        sums->refused += strcmp(r->status, "refused") == 0;
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            sums->unfit += strcmp(r->status, words[w]) == 0;
        sums->cpu_seconds += r->cpu_seconds > 0 ? r->cpu_seconds : 0;
    }
}

static hw_code choose(const hw_record *records, size_t n, const char *solver, hw_page_sums *sums,
                      hw_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += strcmp(records[i].solver, solver) == 0;
    sums->chosen = HW_NEW(hw_record, count);
    if (!sums->chosen)
        return hw_fail_memory(err, "the results of a page");
    for (size_t i = 0; i < n; i++)
        if (strcmp(records[i].solver, solver) == 0)
            sums->chosen[sums->n_chosen++] = records[i];
    return HW_OK;
}

hw_code hw_page_sum_up(const hw_record *records, size_t n, const char *solver, hw_page_sums *sums,
                       hw_error *err)
{
    static const hw_field of_solvers[] = {HW_FIELD_SOLVER, HW_FIELD_ACCOUNTING, HW_FIELD_PINNED},
                          of_families[] = {HW_FIELD_FAMILY, HW_FIELD_ACCOUNTING, HW_FIELD_PINNED},
                          of_sections[] = {HW_FIELD_SECTION, HW_FIELD_ACCOUNTING, HW_FIELD_PINNED};
    enum { N_FIELDS = 3 };
    *sums = (hw_page_sums){.n_panels = 0};
    count_runs(records, n, sums);
    hw_code code = count_units(records, n, sums, err);
    if (code == HW_OK)
        code = hw_groups_make(records, n, of_solvers, N_FIELDS, &sums->by_solver,
                              &sums->n_by_solver, err);
    if (code == HW_OK)
        code = choose(records, n, solver, sums, err);
    if (code == HW_OK)
        code = hw_groups_make(sums->chosen, sums->n_chosen, of_families, N_FIELDS, &sums->by_family,
                              &sums->n_by_family, err);
    if (code == HW_OK)
        code = hw_groups_make(sums->chosen, sums->n_chosen, of_sections, N_FIELDS,
                              &sums->by_section, &sums->n_by_section, err);
    for (size_t i = 0; code == HW_OK && i < sums->n_by_solver; i++) {
        const hw_group *g = &sums->by_solver[i];
        hw_page_panel *panel = find_panel(sums, g->first);
        bool is_first = true;
        for (size_t k = 0; is_first && k < i; k++)
            is_first = strcmp(sums->by_solver[k].first->solver, g->first->solver) != 0;
        sums->solvers += is_first;
        if (panel && strcmp(g->first->solver, solver) == 0)
            panel->group = g;
    }
    return code;
}

void hw_page_sums_clear(hw_page_sums *sums)
{
    free(sums->by_solver);
    free(sums->by_family);
    free(sums->by_section);
    free(sums->chosen);
    *sums = (hw_page_sums){.n_panels = 0};
}

/* ---- The head. ---- */

void hw_page_put_panel(FILE *out, const hw_record *r)
{
    hw_html_text(out, r->accounting);
    if (r->pinned)
        (void)fputs(", inputs pinned", out);
}

/* Rounded, but never to all or nothing where it is neither. */
static void put_share(FILE *out, const hw_share *s)
{
    static const double least = 0.1, most = 99.9, half = 0.05;
    double shown = 100 * s->share;
    const char *sign = "";
    if (s->k > 0 && shown < half) {
        sign = "&lt;\xE2\x80\xAF";
        shown = least;
    } else if (s->k < s->n && shown > 100 - half) {
        sign = "&gt;\xE2\x80\xAF";
        shown = most;
    }
    (void)fprintf(out, "<b>%s%.1f\xE2\x80\xAF%%</b>", sign, shown);
}

/* The sentence that the page is about, in large letters for the first panel. */
static void put_lead(const hw_page *p, const hw_page_panel *panel, bool is_first)
{
    FILE *out = p->out;
    const hw_group *g = panel->group;
    (void)fprintf(out, "<p class=\"%s\">", is_first ? "lead" : "second");
    if (!is_first) {
        (void)fputs("Under ", out);
        hw_page_put_panel(out, panel->first);
        (void)fputs(": ", out);
    }
    if (!g || g->proven == 0) {
        hw_html_text(out, p->solver);
        (void)fputs(g ? " has no order for an instance with a proven optimum" : " did not run",
                    out);
    } else {
        (void)fputs("<strong>", out);
        hw_html_text(out, p->solver);
        (void)fputs("</strong> is within 5\xE2\x80\xAF% of the least peak on ", out);
        put_share(out, &g->within_5);
        (void)fputs(" of ", out);
        hw_html_count(out, g->proven);
        (void)fputs(" instances, and more than 20\xE2\x80\xAF% above it on ", out);
        put_share(out, &g->above_20);
    }
    if (panel->proven.n) {
        (void)fputs("; the optimum is proven on ", out);
        put_share(out, &panel->proven);
    }
    (void)fputs(".</p>\n", out);
}

static void put_tile(FILE *out, uint64_t value, const char *what)
{
    (void)fputs("<div><dt>", out);
    hw_html_text(out, what);
    (void)fputs("</dt><dd>", out);
    hw_html_count(out, value);
    (void)fputs("</dd></div>\n", out);
}

static void put_trust(const hw_page *p)
{
    const hw_page_sums *s = &p->sums;
    FILE *out = p->out;
    if (s->conflicts || s->below) {
        (void)fprintf(
            out,
            "<p class=\"bad\"><strong>The results contradict themselves:</strong> %" PRIu64
            " orders beat a proven optimum, %" PRIu64 " runs are in conflict.</p>\n",
            s->below, s->conflicts);
    } else {
        (void)fputs("<p class=\"quiet\">No order beats a proven optimum, and no two proofs "
                    "disagree. ",
                    out);
        if (s->unfit) {
            hw_html_count(out, s->unfit);
            (void)fputs(" runs ended without an answer (crash, time, memory, error). ", out);
        }
        if (s->refused) {
            hw_html_count(out, s->refused);
            (void)fputs(" runs were refused by a solver that takes no such graph.", out);
        }
        (void)fputs("</p>\n", out);
    }
}

static void put_fact(FILE *out, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    (void)fputs("<div><dt>", out);
    hw_html_text(out, name);
    (void)fputs("</dt><dd>", out);
    hw_html_text(out, value);
    (void)fputs("</dd></div>\n", out);
}

/* The conditions that results had to fulfil: the answer is about these alone. */
static void put_chosen(const hw_page *p)
{
    if (p->o->n_conditions == 0)
        return;
    (void)fputs("<div><dt>only</dt><dd>", p->out);
    for (size_t i = 0; i < p->o->n_conditions; i++) {
        const hw_condition *c = &p->o->conditions[i];
        (void)fputs(i ? ", " : "", p->out);
        hw_html_text(p->out, hw_field_name(c->field));
        (void)fputc('=', p->out);
        hw_html_text(p->out, c->value);
    }
    (void)fputs("</dd></div>\n", p->out);
}

/* What was run, by what, on what; of the first run, which stands for all. */
static void put_facts(const hw_page *p)
{
    static const double second_in_hours = 1.0 / 3600;
    const hw_record *r = p->results->records;
    char seed[32], program[96], time[HW_DURATION_TEXT + 16];
    double hours = p->sums.cpu_seconds * second_in_hours;
    (void)snprintf(seed, sizeof seed, "%" PRIu64, r->seed);
    (void)snprintf(program, sizeof program, "highwater %.30s, %.40s", r->version, r->compiler);
    if (hours >= 1)
        (void)snprintf(time, sizeof time, "%.1f core-hours", hours);
    else
        (void)snprintf(time, sizeof time, "%.*f core-seconds", p->sums.cpu_seconds < 9.95,
                       p->sums.cpu_seconds);
    (void)fputs("<dl class=\"facts\">\n", p->out);
    put_fact(p->out, "suite", r->suite);
    put_fact(p->out, "seed", seed);
    put_fact(p->out, "program", program);
    put_fact(p->out, "machine", p->o->machine);
    put_fact(p->out, "solving", time);
    put_chosen(p);
    (void)fputs("</dl>\n", p->out);
}

void hw_page_put_answer(const hw_page *p)
{
    const hw_page_sums *s = &p->sums;
    FILE *out = p->out;
    uint64_t units = 0;
    for (size_t i = 0; i < s->n_panels; i++)
        units += s->panel[i].units;
    put_facts(p);
    for (size_t i = 0; i < s->n_panels; i++)
        put_lead(p, &s->panel[i], i == 0);
    (void)fputs("<dl class=\"tiles\">\n", out);
    put_tile(out, s->instances, "graphs");
    put_tile(out, units, "instances: a graph under an accounting");
    put_tile(out, s->solvers, "solvers");
    put_tile(out, p->results->n_records, "runs");
    (void)fputs("</dl>\n", out);
    put_trust(p);
}

/* ---- The two tables. ---- */

static const hw_html_column figures[] = {
    {"of", "Answers to instances with a proven optimum: all shares and gaps are over these", true},
    {"optimal", "Share of answers that are optimal, with its 95 % Clopper-Pearson interval", true},
    {"\xE2\x89\xA4 5 %", "Share with a gap of at most 5 %, with the same interval", true},
    {"> 20 %", "Share with a gap of more than 20 %, with the same interval", true},
    {"median gap", NULL, true},
    {"worst gap", NULL, true},
    {"median time", "Wall time of a run", true},
};
enum { N_KEYS = 2, N_FIGURES = sizeof figures / sizeof figures[0] };

static void put_groups(const hw_page *p, const hw_group *groups, size_t n, const char *caption,
                       const char *key, hw_field field)
{
    hw_html_column columns[N_KEYS + N_FIGURES] = {{key, NULL, false}, {"accounting", NULL, false}};
    memcpy(columns + N_KEYS, figures, sizeof figures);
    hw_html_table_open(p->out, caption, columns, N_KEYS + N_FIGURES);
    for (size_t i = 0; i < n; i++) {
        const hw_group *g = &groups[i];
        char buffer[HW_FIELD_TEXT];
        hw_html_row_open(p->out);
        hw_html_cell_text(p->out, hw_field_text(g->first, field, buffer));
        (void)fputs("<td>", p->out);
        hw_page_put_panel(p->out, g->first);
        (void)fputs("</td>", p->out);
        hw_html_cell_count(p->out, g->proven);
        hw_html_cell_share(p->out, &g->optimal);
        hw_html_cell_share(p->out, &g->within_5);
        hw_html_cell_share(p->out, &g->above_20);
        hw_html_cell_real(p->out, g->median_gap, "\xE2\x80\xAF%");
        hw_html_cell_real(p->out, g->worst_gap, "\xE2\x80\xAF%");
        hw_html_cell_seconds(p->out, g->median_seconds);
        hw_html_row_close(p->out);
    }
    hw_html_table_close(p->out);
}

void hw_page_put_solvers(const hw_page *p)
{
    put_groups(p, p->sums.by_solver, p->sums.n_by_solver,
               "Every solver over all instances, against the proven optimum", "solver",
               HW_FIELD_SOLVER);
}

/* More than one: the sections of a suite are what its author looks at apart. */
static bool has_sections(const hw_page_sums *s)
{
    for (size_t i = 1; i < s->n_by_section; i++)
        if (strcmp(s->by_section[0].first->section, s->by_section[i].first->section) != 0)
            return true;
    return false;
}

void hw_page_put_families(const hw_page *p)
{
    const hw_page_sums *s = &p->sums;
    char caption[128];
    (void)snprintf(caption, sizeof caption, "%.60s by family, against the proven optimum",
                   p->solver);
    put_groups(p, s->by_family, s->n_by_family, caption, "family", HW_FIELD_FAMILY);
    if (!has_sections(s))
        return;
    (void)snprintf(caption, sizeof caption, "%.60s by section of the suite", p->solver);
    put_groups(p, s->by_section, s->n_by_section, caption, "section", HW_FIELD_SECTION);
}
