/* highwater stats: results by solver and stratum, as tables and as macros. */
#include <ctype.h>
#include <string.h>

#include "cli/results.h"
#include "core/rng.h"
#include "stats/tables.h"

static const hw_option options[] = {
    {"by", "FIELDS", "accounting",
     "The strata: a set of rows for each set of values of these fields, of suite, section, family, "
     "params, nodes, density, sizes, features, accounting, pinned; solver: one stratum of all."},
    {"show", "LIST", "gaps",
     "What to compute, with commas between: gaps (to the optimum), times, tests (solvers two by "
     "two), best (the virtual best solver), growth (with the number of nodes), counts (of orders "
     "and down-sets), "
     "or "
     "all."},
    {"against", "SOLVER", NULL,
     "tests: every solver against this one; otherwise all pairs, but for solvers that prove."},
    {"shift", "SECONDS", "0.001", "times: the shift of the geometric mean."},
    {"columns", "KEYS", NULL,
     "Only these columns, in this order, by their keys in CSV; of one table alone."},
    {"no-intervals", NULL, NULL, "Text, Markdown and LaTeX without 95 % intervals."},
    {"format", "NAME", "text",
     "text, csv, markdown, latex (booktabs, siunitx), or macros: every figure as a LaTeX macro."},
    {"prefix", "LETTERS", NULL,
     "What the names of the macros have behind \\hw, to tell several files apart."},
    {"resamples", "N", "1000", "Draws of instances for the bootstrap intervals; 0: none."},
    HW_OPTION_WHERE,
    HW_OPTION_SKIP_BROKEN,
};

static const char *const examples[] = {
    "highwater stats results.jsonl",
    "highwater stats results.jsonl --by family,accounting --format latex",
    "highwater stats results.jsonl --by family --columns within_5_share,above_20_share",
    "highwater stats results.jsonl --show times,growth --by section",
    "highwater stats results.jsonl --show tests --against greedy --format markdown",
    "highwater stats results.jsonl --show all --against greedy --format macros -o figures.tex",
};

typedef hw_code (*make_figures)(const hw_strata *s, const hw_stats_options *o, hw_figures *f,
                                hw_error *err);

static const struct {
    const char *name;
    make_figures make;
} shows[] = {{"gaps", hw_stats_gaps}, {"times", hw_stats_times},   {"tests", hw_stats_tests},
             {"best", hw_stats_best}, {"growth", hw_stats_growth}, {"counts", hw_stats_counts}};
enum { N_SHOWS = sizeof shows / sizeof shows[0], MACROS = 4 };

typedef struct wishes {
    unsigned format; /* of hw_table_format but for JSON, or MACROS */
    hw_figures_style style;
    hw_field fields[HW_N_FIELDS];
    size_t n_fields;
    size_t show[N_SHOWS], n_shows;
    const char *prefix;
    hw_stats_options options;
} wishes;

static hw_code read_shows(const char *text, wishes *w, hw_error *err)
{
    const char *names[N_SHOWS + 1] = {[N_SHOWS] = "all"};
    for (size_t i = 0; i < N_SHOWS; i++)
        names[i] = shows[i].name;
    if (strcmp(text, "all") == 0) {
        for (w->n_shows = 0; w->n_shows < N_SHOWS; w->n_shows++)
            w->show[w->n_shows] = w->n_shows;
        return HW_OK;
    }
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ","), i = 0;
        while (i < N_SHOWS && (strlen(names[i]) != length || strncmp(names[i], at, length) != 0))
            i++;
        for (size_t k = 0; i < N_SHOWS && k < w->n_shows; k++)
            if (w->show[k] == i)
                return hw_fail(err, HW_USAGE, "--show names %s twice", names[i]);
        if (i == N_SHOWS) {
            char name[32];
            (void)snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), at);
            const char *near = hw_nearest_name(name, names, N_SHOWS + 1);
            return hw_fail(err, HW_USAGE,
                           "option --show: no table is named '%s'%s%s%s choose some of "
                           "gaps, times, tests, best, growth, counts, or all",
                           name, near ? "; did you mean '" : "", near ? near : "",
                           near ? "'?" : ":");
        }
        w->show[w->n_shows++] = i;
        at += length;
        if (*at == '\0')
            return HW_OK;
    }
}

/* Rows have solvers anyway: a stratum is of the other fields. */
static hw_code read_strata(const hw_cli *c, wishes *w, hw_error *err)
{
    const char *by = hw_cli_value(c, "by");
    hw_code code = hw_fields_parse(by ? by : "accounting", w->fields, &w->n_fields, err);
    size_t kept = 0;
    for (size_t i = 0; code == HW_OK && i < w->n_fields; i++)
        if (w->fields[i] != HW_FIELD_SOLVER)
            w->fields[kept++] = w->fields[i];
    w->n_fields = kept;
    return code;
}

static hw_code check_format(const hw_cli *c, wishes *w, hw_error *err)
{
    if (c->json && hw_cli_has(c, "format"))
        return hw_fail(err, HW_USAGE, "--json and --format exclude each other");
    w->style.format = c->json ? HW_TABLE_JSON : (hw_table_format)w->format;
    bool macros = !c->json && w->format == MACROS;
    if (w->n_shows > 1 && (c->json || w->format == HW_TABLE_CSV))
        return hw_fail(err, HW_USAGE, "CSV and JSON hold one table: --show names several");
    if (w->style.columns && (w->n_shows > 1 || macros))
        return hw_fail(err, HW_USAGE, "--columns goes with one table, and not with macros");
    if (hw_cli_has(c, "prefix") && !macros)
        return hw_fail(err, HW_USAGE, "--prefix goes with --format macros");
    for (const char *at = w->prefix; *at; at++)
        if (!isalpha((unsigned char)*at))
            return hw_fail(err, HW_USAGE,
                           "option --prefix: '%s' is no prefix: names of macros have letters alone",
                           w->prefix);
    return HW_OK;
}

static hw_code read_wishes(const hw_cli *c, wishes *w, hw_error *err)
{
    const char *show = hw_cli_value(c, "show"), *prefix = hw_cli_value(c, "prefix");
    uint64_t resamples = HW_STATS_RESAMPLES;
    *w = (wishes){.style = {.columns = hw_cli_value(c, "columns"),
                            .no_intervals = hw_cli_has(c, "no-intervals")},
                  .prefix = prefix ? prefix : ""};
    hw_code code = hw_cli_choice(c, "format", &w->format, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "resamples", 0, 1000000, &resamples, err);
    if (code == HW_OK)
        code = read_shows(show ? show : "gaps", w, err);
    if (code == HW_OK)
        code = read_strata(c, w, err);
    w->options = (hw_stats_options){.resamples = (size_t)resamples,
                                    .seed = c->seed,
                                    .against = hw_cli_value(c, "against"),
                                    .shift_seconds = 1e-3,
                                    .stop = c->stop};
    if (code == HW_OK)
        code = hw_cli_seconds(c, "shift", &w->options.shift_seconds, err);
    return code == HW_OK ? check_format(c, w, err) : code;
}

static void put_title(const wishes *w, const hw_figures *f, bool first, FILE *out)
{
    if (w->n_shows == 1)
        return;
    const char *gap = first ? "" : "\n";
    if (w->style.format == HW_TABLE_TEXT)
        (void)fprintf(out, "%s%s\n\n", gap, f->title);
    else if (w->style.format == HW_TABLE_MARKDOWN)
        (void)fprintf(out, "%s## %s\n\n", gap, f->title);
    else
        (void)fprintf(out, "%s%% %s\n", gap, f->title);
}

static hw_code put(hw_cli *c, const wishes *w, const hw_strata *strata, hw_macro_names *names,
                   hw_error *err)
{
    hw_code code = HW_OK;
    bool macros = !c->json && w->format == MACROS;
    for (size_t i = 0; code == HW_OK && i < w->n_shows; i++) {
        hw_figures f;
        code = shows[w->show[i]].make(strata, &w->options, &f, err);
        if (code != HW_OK)
            return code;
        if (macros) {
            code = hw_figures_write_macros(&f, w->prefix, names, c->out, err);
        } else {
            put_title(w, &f, i == 0, c->out);
            code = hw_figures_write(&f, &w->style, c->out, err);
        }
        hw_figures_free(&f);
        if (code == HW_OK && *c->stop)
            code = hw_fail(err, HW_STOPPED, "stopped by a signal");
    }
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    wishes w;
    hw_cli_all_results all;
    hw_code code = read_wishes(c, &w, err);
    if (code == HW_OK)
        code = hw_cli_all_results_load(c, &all, err);
    if (code != HW_OK)
        return code;
    hw_strata strata;
    code = hw_strata_make(all.records, all.n_records, w.fields, w.n_fields, &strata, err);
    if (code == HW_OK) {
        hw_macro_names *names = hw_macro_names_new();
        code = names ? put(c, &w, &strata, names, err) : hw_fail_memory(err, "macros");
        hw_macro_names_free(names);
        hw_strata_free(&strata);
    }
    hw_cli_all_results_free(&all);
    return code;
}

static const hw_option_values values[] = {
    {"by", HW_VALUES_FIELDS},
    {"format", "text|csv|markdown|latex|macros"},
    {"show", ",gaps|times|tests|best|growth|counts|all"},
};

const hw_command hw_command_stats = {
    .name = "stats",
    .arguments = "RESULTS...",
    .least_args = 1,
    .most_args = 1000,
    .help = "Statistics by solver and stratum: tables, intervals, LaTeX macros.",
    .details =
        "RESULTS are files written by `highwater bench`; - is standard input. Of two runs of a "
        "solver on a unit the later counts.\n\n"
        "gaps: runs; those solved (with an order, of a solver that proves with a proof); those "
        "whose instance has a proven optimum; of these the share of optimal orders, within 5 % and "
        "above 20 % of the optimum with 95 % Clopper-Pearson intervals, quantiles of the gap, and "
        "its mean with a bootstrap interval (BCa) over instances: the runs of an instance stay "
        "together.\n\n"
        "times: seconds; PAR2 takes an unsolved run as twice its limit, the shifted geometric mean "
        "as its limit: the time limit, or where states alone are limited the longest time in the "
        "stratum. Among solvers that prove: how often each is the fastest, PAR2 of the virtual "
        "best, "
        "and how much slower that would be without it.\n\n"
        "tests: Wilcoxon's signed rank test on the ratios of peaks, with Holm's correction over "
        "all "
        "rows; r, the matched-pairs rank-biserial correlation, and A of Vargha and Delaney on the "
        "gaps: above 0 and above 0.5 the solver is the better one.\n\n"
        "best: the virtual best of the solvers that do not prove: how often each has the best "
        "order, "
        "alone, and what it adds to the mean gap of the others. growth: exponents of n^a and c of "
        "2^(cn), fitted to medians; the law by Akaike's criterion.\n\n"
        "The best of each stratum, and all that read the same, are bold (in text: *); \xE2\x80\xA0 "
        "marks "
        "figures with runs that were not solved.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
