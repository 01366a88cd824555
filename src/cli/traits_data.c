/* Reports of `highwater traits` for programs, and its counter-examples.  See traits_write.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "cli/traits_write.h"
#include "core/memory.h"
#include "io/folder.h"
#include "solve/called.h"

/* ---- JSON. ---- */

static void put_share(hw_json_out *j, const char *key, const hw_share *s)
{
    hw_json_open(j, key, '{');
    hw_json_put_u64(j, "with", s->k);
    hw_json_put_u64(j, "of", s->n);
    hw_json_put_real(j, "low", s->low);
    hw_json_put_real(j, "high", s->high);
    hw_json_close(j, '}');
}

static void put_table(hw_json_out *j, const hw_trait_table *t)
{
    put_share(j, "bad", &t->bad);
    put_share(j, "slight", &t->slight);
    put_share(j, "optimal", &t->optimal);
    hw_json_put_real(j, "odds_ratio", t->odds.ratio);
    hw_json_put_real(j, "odds_low", t->odds.low);
    hw_json_put_real(j, "odds_high", t->odds.high);
    hw_json_put_real(j, "p", t->odds.p);
    hw_json_put_bool(j, "shared", t->shared);
    hw_json_put_bool(j, "marks", t->marks);
}

static void put_example(hw_json_out *j, const char *key, const traits_set *s, size_t at)
{
    if (at == SIZE_MAX)
        hw_json_put_null(j, key);
    else
        hw_json_put_string(j, key, s->sample.cases[at].graph->name);
}

static void put_answer(hw_json_out *j, const traits_set *s, size_t reading)
{
    const hw_trait_answer *a = &s->report.answer[reading];
    char text[TRAITS_CONDITION_TEXT];
    hw_json_open(j, NULL, '{');
    hw_json_put_string(j, "reading", hw_reading_rows[reading].name);
    hw_json_put_string(j, "meaning", hw_reading_rows[reading].meaning);
    hw_json_put_string(j, "verdict", hw_trait_verdict_name(a->verdict));
    hw_json_open(j, "only_if", '[');
    for (size_t i = 0; i < a->n_conditions; i++)
        hw_json_put_string(j, NULL, traits_condition_text(s, &a->condition[i], text));
    hw_json_close(j, ']');
    hw_json_put_real(j, "auc", a->auc);
    hw_json_put_real(j, "log_odds", a->slope);
    hw_json_put_real(j, "log_odds_error", a->slope_error);
    hw_json_put_real(j, "pseudo_r2", a->r2);
    hw_json_put_bool(j, "penalised", a->penalised);
    put_example(j, "bad_without", s, a->bad_without);
    put_example(j, "optimal_with", s, a->optimal_with);
    hw_json_open(j, "meanings", '[');
    for (size_t l = 0; l < HW_TRAIT_LARGE; l++)
        for (size_t k = 0; k < HW_TRAIT_SIMILAR; k++) {
            hw_json_open(j, NULL, '{');
            hw_json_put_real(j, "large", hw_trait_large[l]);
            hw_json_put_real(j, "similar", hw_trait_similar[k]);
            put_table(j, &a->words[l][k]);
            hw_json_close(j, '}');
        }
    hw_json_close(j, ']');
    hw_json_close(j, '}');
}

static void put_correlation(hw_json_out *j, const char *key, const hw_correlation *c, double holm)
{
    hw_json_open(j, key, '{');
    hw_json_put_real(j, "value", c->value);
    hw_json_put_real(j, "low", c->low);
    hw_json_put_real(j, "high", c->high);
    hw_json_put_real(j, "p", c->p);
    hw_json_put_real(j, "p_holm", holm);
    hw_json_close(j, '}');
}

static void put_feature(hw_json_out *j, const hw_trait_report *r, size_t f)
{
    hw_json_open(j, NULL, '{');
    hw_json_put_string(j, "feature", hw_feature_rows[f].name);
    hw_json_put_u64(j, "graphs", r->correlation[f].n);
    put_correlation(j, "rho", &r->correlation[f].rho, r->rho_holm[f]);
    put_correlation(j, "tau", &r->correlation[f].tau_b, r->tau_holm[f]);
    hw_json_put_real(j, "log_odds", r->term[f].log_odds);
    hw_json_put_real(j, "log_odds_error", r->term[f].error);
    hw_json_close(j, '}');
}

static void put_set(hw_json_out *j, const traits_set *s)
{
    const hw_trait_report *r = &s->report;
    char solver[HW_SPEC_TEXT];
    hw_json_open(j, NULL, '{');
    hw_json_put_string(j, "graphs", s->title);
    hw_json_put_string(j, "solver", hw_solver_called(s->sample.row, s->sample.values, solver));
    hw_json_put_string(j, "accounting", hw_accounting_name(s->sample.accounting));
    hw_json_put_bool(j, "pin_inputs", s->sample.pin_inputs);
    hw_json_put_u64(j, "scored", r->n);
    hw_json_put_u64(j, "left_out", s->sample.left_out);
    hw_json_put_u64(j, "asked", s->asked);
    hw_json_put_u64(j, "bad", r->n_bad);
    hw_json_put_u64(j, "slight", r->n_slight);
    hw_json_put_u64(j, "optimal", r->n_optimal);
    hw_json_put_real(j, "median_gap_percent", r->median_gap);
    hw_json_put_real(j, "worst_gap_percent", r->worst_gap);
    hw_json_open(j, "readings", '[');
    for (size_t i = 0; i < HW_N_READINGS; i++)
        put_answer(j, s, i);
    hw_json_close(j, ']');
    hw_json_open(j, "features", '[');
    for (size_t f = 0; f < HW_N_FEATURES; f++)
        put_feature(j, r, f);
    hw_json_close(j, ']');
    hw_json_open(j, "regression", '{');
    hw_json_put_bool(j, "fitted", r->fitted);
    hw_json_put_bool(j, "penalised", r->penalised);
    hw_json_put_real(j, "pseudo_r2", r->r2);
    hw_json_put_real(j, "auc", r->auc);
    hw_json_put_real(j, "auc_held_out", r->auc_held_out);
    hw_json_close(j, '}');
    hw_json_close(j, '}');
}

void traits_write_json(const traits_page *p, FILE *out)
{
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_hex(&j, "seed", p->options.seed);
    hw_json_put_real(&j, "bad_percent", p->options.bad_percent);
    hw_json_put_u64(&j, "resamples", p->options.resamples);
    hw_json_put_bool(&j, "stopped", p->stopped);
    hw_json_open(&j, "sets", '[');
    for (size_t i = 0; i < p->n_sets; i++)
        put_set(&j, p->sets[i]);
    hw_json_close(&j, ']');
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

/* ---- CSV. ---- */

static void put_quoted(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            (void)fputc('"', out);
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

/* Its name or spec; between quotes where there are commas in it. */
static void put_solver(FILE *out, const traits_set *s)
{
    char text[HW_SPEC_TEXT];
    (void)hw_solver_called(s->sample.row, s->sample.values, text);
    if (strpbrk(text, ",\""))
        put_quoted(out, text);
    else
        (void)fputs(text, out);
}

static void put_case(FILE *out, const traits_set *s, const hw_trait_case *c)
{
    (void)fprintf(out, "%s,", s->title);
    for (size_t i = 0; i < HW_TRAIT_GROUPINGS; i++) {
        put_quoted(out, c->group[i] == HW_NONE ? "" : s->names[i].name[c->group[i]]);
        (void)fputc(',', out);
    }
    put_quoted(out, c->graph->name);
    (void)fputc(',', out);
    put_solver(out, s);
    (void)fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%.6g", hw_accounting_name(s->sample.accounting),
                  c->peak, c->optimum, c->gap_percent);
    for (size_t f = 0; f < HW_N_FEATURES; f++)
        if (c->features.value[f] == c->features.value[f])
            (void)fprintf(out, ",%.6g", c->features.value[f]);
        else
            (void)fputc(',', out);
    for (size_t i = 0; i < HW_N_READINGS; i++)
        (void)fprintf(out, ",%.6g", c->balance[0][i]);
    (void)fputc('\n', out);
}

void traits_write_csv(const traits_page *p, FILE *out)
{
    (void)fputs("graphs,family,sizes,graph,solver,accounting,peak,optimum,gap_percent", out);
    for (size_t f = 0; f < HW_N_FEATURES; f++)
        (void)fprintf(out, ",%s", hw_feature_rows[f].name);
    for (size_t i = 0; i < HW_N_READINGS; i++)
        (void)fprintf(out, ",balance-%s", hw_reading_rows[i].name);
    (void)fputc('\n', out);
    for (size_t i = 0; i < p->n_sets; i++)
        for (size_t k = 0; k < p->sets[i]->sample.n; k++)
            put_case(out, p->sets[i], &p->sets[i]->sample.cases[k]);
}

static void put_words(FILE *out, const traits_set *s, size_t reading, size_t l, size_t k)
{
    const hw_trait_answer *a = &s->report.answer[reading];
    const hw_trait_table *t = &a->words[l][k];
    bool preset = l == 0 && k == 0;
    char text[TRAITS_CONDITION_TEXT];
    (void)fprintf(out, "%s,", s->title);
    put_solver(out, s);
    (void)fprintf(out, ",%s,%s,%g,%g", hw_accounting_name(s->sample.accounting),
                  hw_reading_rows[reading].name, hw_trait_large[l], hw_trait_similar[k]);
    const hw_share *shares[] = {&t->bad, &t->slight, &t->optimal};
    for (size_t i = 0; i < 3; i++)
        (void)fprintf(out, ",%" PRIu64 ",%" PRIu64, shares[i]->k, shares[i]->n);
    if (t->odds.ratio == t->odds.ratio)
        (void)fprintf(out, ",%.6g,%.6g,%.6g,%.6g", t->odds.ratio, t->odds.low, t->odds.high,
                      t->odds.p);
    else
        (void)fputs(",,,,", out);
    (void)fprintf(out, ",%s,\"", preset ? hw_trait_verdict_name(a->verdict) : "");
    for (size_t i = 0; i < a->n_conditions && preset; i++)
        (void)fprintf(out, "%s%s", i ? "; " : "", traits_condition_text(s, &a->condition[i], text));
    (void)fputs("\"\n", out);
}

void traits_write_readings(const traits_page *p, FILE *out)
{
    (void)fputs("graphs,solver,accounting,reading,large,similar,bad_with,bad,slight_with,slight,"
                "optimal_with,optimal,odds_ratio,odds_low,odds_high,p,verdict,holds_if\n",
                out);
    for (size_t i = 0; i < p->n_sets; i++)
        for (size_t r = 0; r < HW_N_READINGS; r++)
            for (size_t l = 0; l < HW_TRAIT_LARGE; l++)
                for (size_t k = 0; k < HW_TRAIT_SIMILAR; k++)
                    put_words(out, p->sets[i], r, l, k);
}

/* ---- Counter-examples. ---- */

static hw_code write_example(const traits_set *s, size_t at, const char *folder,
                             const char *reading, const char *what, hw_error *err)
{
    if (at == SIZE_MAX)
        return HW_OK;
    char solver[HW_SPEC_TEXT], word[2 * HW_FOREIGN_NAME];
    size_t size = strlen(folder) + strlen(reading) + sizeof word + 64;
    char *path = HW_NEW(char, size);
    hw_output o;
    if (!path)
        return hw_fail_memory(err, "a path");
    (void)snprintf(path, size, "%s/%s-%s-%s-%s-%s.json", folder,
                   hw_solver_word(hw_solver_called(s->sample.row, s->sample.values, solver), word,
                                  sizeof word),
                   hw_accounting_name(s->sample.accounting), s->title, reading, what);
    hw_code code = hw_cli_open_inside(path, &o, err);
    if (code == HW_OK) {
        code = hw_graph_write(s->sample.cases[at].graph, HW_FORMAT_JSON, o.stream, err);
        if (code == HW_OK)
            code = hw_cli_commit(&o, err);
        else
            hw_cli_abandon(&o);
    }
    free(path);
    return code;
}

hw_code traits_write_examples(const traits_page *p, const char *folder, hw_error *err)
{
    hw_code code = hw_folder_make(folder, err);
    for (size_t i = 0; i < p->n_sets; i++)
        for (size_t k = 0; k < HW_N_READINGS && code == HW_OK; k++) {
            const traits_set *s = p->sets[i];
            const hw_trait_answer *a = &s->report.answer[k];
            const char *reading = hw_reading_rows[k].name;
            code = write_example(s, a->bad_without, folder, reading, "bad-without", err);
            if (code == HW_OK)
                code = write_example(s, a->optimal_with, folder, reading, "optimal-with", err);
        }
    return code;
}
