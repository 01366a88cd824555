/* Reports of `highwater traits` for people.  See traits_write.h. */
#include "cli/traits_write.h"

#include <math.h>

#include "cli/shared.h"
#include "solve/called.h"

/* ---- Texts. ---- */

const char *traits_condition_text(const traits_set *s, const hw_trait_condition *c,
                                  char text[TRAITS_CONDITION_TEXT])
{
    static const char *const groupings[HW_TRAIT_GROUPINGS] = {"family", "sizes"};
    if (c->kind == HW_TRAIT_IF_GAP)
        (void)snprintf(text, TRAITS_CONDITION_TEXT, "bad is a gap above %g %%", c->gap_percent);
    else if (c->kind == HW_TRAIT_IF_WORDS)
        (void)snprintf(text, TRAITS_CONDITION_TEXT, "large is %g %%, similar %g %%",
                       100 * hw_trait_large[c->at_large], 100 * hw_trait_similar[c->at_similar]);
    else
        (void)snprintf(text, TRAITS_CONDITION_TEXT, "%s %s", groupings[c->grouping],
                       s->names[c->grouping].name[c->group]);
    return text;
}

enum { NUMBER_TEXT = 48 };

static const char *share_text(const hw_share *s, char text[NUMBER_TEXT])
{
    if (s->n == 0)
        (void)snprintf(text, NUMBER_TEXT, "-");
    else
        (void)snprintf(text, NUMBER_TEXT, "%.1f %% [%.1f, %.1f]", 100 * s->share, 100 * s->low,
                       100 * s->high);
    return text;
}

/* A value with an interval; NaN is "-". */
static const char *interval_text(double value, double low, double high, char text[NUMBER_TEXT])
{
    if (isnan(value))
        (void)snprintf(text, NUMBER_TEXT, "-");
    else if (isnan(low))
        (void)snprintf(text, NUMBER_TEXT, "%.2f", value);
    else
        (void)snprintf(text, NUMBER_TEXT, "%.2f [%.2f, %.2f]", value, low, high);
    return text;
}

static const char *p_text(double p, char text[NUMBER_TEXT])
{
    if (isnan(p))
        (void)snprintf(text, NUMBER_TEXT, "-");
    else if (p < 0.0001)
        (void)snprintf(text, NUMBER_TEXT, "< 0.0001");
    else
        (void)snprintf(text, NUMBER_TEXT, "%.4f", p);
    return text;
}

static const char *odds_text(double log_odds, double error, char text[NUMBER_TEXT])
{
    return interval_text(exp(log_odds), exp(log_odds - 1.96 * error), exp(log_odds + 1.96 * error),
                         text);
}

static void put_heading(FILE *out, hw_table_format format, const char *text)
{
    (void)fprintf(out, "\n%s%s\n\n", format == HW_TABLE_MARKDOWN ? "### " : "", text);
}

static void put_item(FILE *out, hw_table_format format)
{
    (void)fputs(format == HW_TABLE_MARKDOWN ? "- " : "  ", out);
}

/* ---- Tables. ---- */

static hw_code finish(hw_grid *g, bool fine, hw_table_format format, FILE *out, hw_error *err)
{
    if (fine)
        hw_grid_write(g, format, out);
    hw_grid_free(g);
    return fine ? HW_OK : hw_fail_memory(err, "a table");
}

static hw_code put_readings(const traits_set *s, hw_table_format format, FILE *out, hw_error *err)
{
    static const char *const head[] = {
        "reading", "bad that have it", "slightly off", "optimal", "odds ratio", "AUC", "verdict"};
    enum { COLUMNS = sizeof head / sizeof head[0] };
    char text[NUMBER_TEXT];
    hw_grid g;
    hw_code code = hw_grid_make(&g, COLUMNS, HW_N_READINGS + 1, err);
    if (code != HW_OK)
        return code;
    bool fine = true;
    for (size_t i = 0; i < COLUMNS; i++)
        fine = fine && hw_grid_put(&g, 0, i, "%s", head[i]);
    for (size_t i = 0; i < HW_N_READINGS && fine; i++) {
        const hw_trait_answer *a = &s->report.answer[i];
        const hw_trait_table *t = &a->words[0][0];
        fine = hw_grid_put(&g, i + 1, 0, "%s", hw_reading_rows[i].name) &&
               hw_grid_put(&g, i + 1, 1, "%s", share_text(&t->bad, text)) &&
               hw_grid_put(&g, i + 1, 2, "%s", share_text(&t->slight, text)) &&
               hw_grid_put(&g, i + 1, 3, "%s", share_text(&t->optimal, text)) &&
               hw_grid_put(&g, i + 1, 4, "%s",
                           interval_text(t->odds.ratio, t->odds.low, t->odds.high, text)) &&
               hw_grid_put(&g, i + 1, 5, "%s", interval_text(a->auc, NAN, NAN, text)) &&
               hw_grid_put(&g, i + 1, 6, "%s", hw_trait_verdict_name(a->verdict));
    }
    return finish(&g, fine, format, out, err);
}

/* Share of the bad that have it, and odds ratio, under each meaning of the words. */
static hw_code put_words(const traits_set *s, hw_table_format format, FILE *out, hw_error *err)
{
    enum { MEANINGS = HW_TRAIT_LARGE * HW_TRAIT_SIMILAR };
    hw_grid g;
    hw_code code = hw_grid_make(&g, MEANINGS + 1, HW_N_READINGS + 1, err);
    if (code != HW_OK)
        return code;
    bool fine = hw_grid_put(&g, 0, 0, "large / similar");
    for (size_t k = 0; k < MEANINGS && fine; k++)
        fine = hw_grid_put(&g, 0, k + 1, "%g / %g", hw_trait_large[k / HW_TRAIT_SIMILAR],
                           hw_trait_similar[k % HW_TRAIT_SIMILAR]);
    for (size_t i = 0; i < HW_N_READINGS && fine; i++) {
        fine = hw_grid_put(&g, i + 1, 0, "%s", hw_reading_rows[i].name);
        for (size_t k = 0; k < MEANINGS && fine; k++) {
            const hw_trait_table *t =
                &s->report.answer[i].words[k / HW_TRAIT_SIMILAR][k % HW_TRAIT_SIMILAR];
            if (t->bad.n == 0)
                fine = hw_grid_put(&g, i + 1, k + 1, "-");
            else if (isnan(t->odds.ratio))
                fine = hw_grid_put(&g, i + 1, k + 1, "%.0f %%", 100 * t->bad.share);
            else
                fine = hw_grid_put(&g, i + 1, k + 1, "%.0f %%, %.2f", 100 * t->bad.share,
                                   t->odds.ratio);
        }
    }
    return finish(&g, fine, format, out, err);
}

static void put_verdicts(const traits_set *s, hw_table_format format, FILE *out)
{
    char text[TRAITS_CONDITION_TEXT], share[NUMBER_TEXT], ratio[NUMBER_TEXT];
    for (size_t i = 0; i < HW_N_READINGS; i++) {
        const hw_trait_answer *a = &s->report.answer[i];
        const hw_trait_table *t = &a->words[0][0];
        put_item(out, format);
        (void)fprintf(out, "%s (%s): %s", hw_reading_rows[i].name, hw_reading_rows[i].meaning,
                      hw_trait_verdict_name(a->verdict));
        if (a->verdict == HW_TRAIT_OPEN)
            (void)fprintf(out, ", only %llu bad cases", (unsigned long long)t->bad.n);
        else
            (void)fprintf(out, "; %s of the bad have it", share_text(&t->bad, share));
        if (a->verdict != HW_TRAIT_OPEN && !t->compared)
            (void)fputs(", and there is no other graph to compare them with", out);
        else if (a->verdict != HW_TRAIT_OPEN)
            (void)fprintf(out, ", and %s mark them: odds ratio %s",
                          t->marks ? "it does" : "it does not",
                          interval_text(t->odds.ratio, t->odds.low, t->odds.high, ratio));
        for (size_t k = 0; k < a->n_conditions && a->verdict == HW_TRAIT_ONLY_IF; k++)
            (void)fprintf(out, "%s %s", k == 0 ? ". Only if" : ";",
                          traits_condition_text(s, &a->condition[k], text));
        (void)fputs(".\n", out);
    }
}

static hw_code put_correlations(const traits_set *s, hw_table_format format, FILE *out,
                                hw_error *err)
{
    static const char *const head[] = {"feature",       "graphs",   "Spearman's rho", "p (Holm)",
                                       "Kendall's tau", "p (Holm)", "odds ratio"};
    enum { COLUMNS = sizeof head / sizeof head[0] };
    char text[NUMBER_TEXT];
    const hw_trait_report *r = &s->report;
    hw_grid g;
    hw_code code = hw_grid_make(&g, COLUMNS, HW_N_FEATURES + 1, err);
    if (code != HW_OK)
        return code;
    bool fine = true;
    for (size_t i = 0; i < COLUMNS; i++)
        fine = fine && hw_grid_put(&g, 0, i, "%s", head[i]);
    g.is_number[1] = true;
    for (size_t f = 0; f < HW_N_FEATURES && fine; f++) {
        const hw_rank_correlation *k = &r->correlation[f];
        fine =
            hw_grid_put(&g, f + 1, 0, "%s", hw_feature_rows[f].name) &&
            hw_grid_put(&g, f + 1, 1, "%zu", k->n) &&
            hw_grid_put(&g, f + 1, 2, "%s",
                        interval_text(k->rho.value, k->rho.low, k->rho.high, text)) &&
            hw_grid_put(&g, f + 1, 3, "%s", p_text(r->rho_holm[f], text)) &&
            hw_grid_put(&g, f + 1, 4, "%s",
                        interval_text(k->tau_b.value, k->tau_b.low, k->tau_b.high, text)) &&
            hw_grid_put(&g, f + 1, 5, "%s", p_text(r->tau_holm[f], text)) &&
            hw_grid_put(&g, f + 1, 6, "%s", odds_text(r->term[f].log_odds, r->term[f].error, text));
    }
    return finish(&g, fine, format, out, err);
}

static void put_fit(const hw_trait_report *r, FILE *out)
{
    if (!r->fitted) {
        (void)fputs("\nNo regression: the cases are all bad, or none is, or its steps did not "
                    "come to rest.\n",
                    out);
        return;
    }
    (void)fprintf(out,
                  "\nThe last column is of a logistic regression of \"bad\" on the features of the "
                  "graph alone, each a standard deviation more, the others held (fitted to half of "
                  "the graphs, drawn by the seed%s): McFadden's pseudo-R2 %.3f, AUC %.3f, and %.3f "
                  "on the half "
                  "that was not fitted.\n",
                  r->penalised ? ", by Firth's penalty, since the cases are separated" : "", r->r2,
                  r->auc, r->auc_held_out);
}

/* ---- Examples. ---- */

static void put_example(const traits_set *s, size_t at, const char *what, FILE *out)
{
    char name[HW_SHOWN_TEXT];
    if (at == SIZE_MAX) {
        (void)fprintf(out, "no %s", what);
        return;
    }
    const hw_trait_case *c = &s->sample.cases[at];
    (void)fprintf(out, "smallest %s: %s, %u nodes, %llu of %llu bytes", what,
                  hw_cli_graph_name(c->graph, name), (unsigned)c->graph->n_nodes,
                  (unsigned long long)c->peak, (unsigned long long)c->optimum);
}

static void put_examples(const traits_set *s, hw_table_format format, FILE *out)
{
    for (size_t i = 0; i < HW_N_READINGS; i++) {
        const hw_trait_answer *a = &s->report.answer[i];
        put_item(out, format);
        (void)fprintf(out, "%s: ", hw_reading_rows[i].name);
        put_example(s, a->bad_without, "bad graph without it", out);
        (void)fputs("; ", out);
        put_example(s, a->optimal_with, "graph with it that is solved best", out);
        (void)fputs("\n", out);
    }
}

/* ---- The page. ---- */

static hw_code put_set(const traits_page *p, const traits_set *s, hw_table_format format, FILE *out,
                       hw_error *err)
{
    const hw_trait_report *r = &s->report;
    char solver[HW_SPEC_TEXT];
    bool markdown = format == HW_TABLE_MARKDOWN;
    (void)fprintf(out, "\n%s%s graphs: %s, %s%s\n\n", markdown ? "## " : "", s->title,
                  hw_solver_called(s->sample.row, s->sample.values, solver),
                  hw_accounting_name(s->sample.accounting),
                  s->sample.pin_inputs ? ", pinned inputs" : "");
    (void)fprintf(out,
                  "%zu graphs with a proven optimum (%zu left out): %zu solved best, %zu with a "
                  "gap up to %g %%, %zu bad ones above; median gap %.1f %%, worst %.1f %%.\n",
                  r->n, s->sample.left_out, r->n_optimal, r->n_slight, p->options.bad_percent,
                  r->n_bad, r->median_gap, r->worst_gap);
    if (p->stopped)
        (void)fprintf(out, "A signal ended the scoring: %zu of %zu graphs were looked at.\n",
                      s->sample.n + s->sample.left_out, s->asked);
    put_heading(out, format, "Two branches with large blocks of similar size");
    (void)fprintf(
        out,
        "Large: at least %g %% of the largest block (sums: of half of all bytes; peak: of "
        "the optimum); "
        "similar: the smaller at least %g %% of the larger. Shared by the bad: at least "
        "%g %% have it. Marks them: the exact 95 %% interval of the odds ratio is above "
        "1; for the last two among graphs not solved best, as no other can have them.\n\n",
        100 * hw_trait_large[0], 100 * hw_trait_similar[0], 100 * hw_trait_shared);
    hw_code code = put_readings(s, format, out, err);
    (void)fputs("\n", out);
    put_verdicts(s, format, out);
    put_heading(out, format, "Other meanings of the words: share of the bad, odds ratio");
    if (code == HW_OK)
        code = put_words(s, format, out, err);
    put_heading(out, format, "Counter-examples");
    put_examples(s, format, out);
    put_heading(out, format, "Features and the gap");
    if (code == HW_OK)
        code = put_correlations(s, format, out, err);
    put_fit(r, out);
    return code;
}

hw_code traits_write(const traits_page *p, hw_table_format format, FILE *out, hw_error *err)
{
    hw_code code = HW_OK;
    (void)fprintf(out, "%sWhat bad cases share\n", format == HW_TABLE_MARKDOWN ? "# " : "");
    for (size_t i = 0; i < p->n_sets && code == HW_OK; i++)
        code = put_set(p, p->sets[i], format, out, err);
    return code;
}
