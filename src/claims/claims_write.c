/* Findings as JSON and LaTeX, for programs.  See claims.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "claims/claims_write.h"
#include "claims/sentence.h"
#include "core/json_out.h"

/* ---- JSON. ---- */

static void put_values(hw_json_out *j, const hw_claim_finding *f, bool measured)
{
    hw_json_open(j, measured ? "measured" : "numbers", '{');
    for (size_t i = 0; i < f->n_values; i++)
        if (f->values[i].measured == measured) {
            hw_json_open(j, f->values[i].name, '{');
            hw_json_put_real(j, "value", f->values[i].value);
            hw_json_put_string(j, "unit", f->values[i].unit);
            hw_json_close(j, '}');
        }
    hw_json_close(j, '}');
}

static void put_samples(hw_json_out *j, const hw_claim_finding *f)
{
    hw_json_open(j, "examples", '[');
    for (size_t i = 0; i < f->n_samples; i++) {
        const hw_claim_sample *s = &f->samples[i];
        char file[160];
        (void)snprintf(file, sizeof file, "%s.json", s->name);
        hw_json_open(j, NULL, '{');
        hw_json_put_string(j, "file", file);
        hw_json_open(j, "shows", '[');
        for (size_t k = 0; k < s->n_shows; k++) {
            hw_json_open(j, NULL, '{');
            hw_json_put_string(j, "solver", s->shows[k].spec);
            hw_json_put_string(j, "accounting", hw_accounting_name(s->shows[k].accounting));
            hw_json_put_bool(j, "pinned", s->shows[k].pinned);
            hw_json_put_u64(j, "peak", s->shows[k].peak);
            hw_json_close(j, '}');
        }
        hw_json_close(j, ']');
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
}

static void put_finding(hw_json_out *j, const hw_claim_finding *f)
{
    hw_json_open(j, NULL, '{');
    hw_json_put_string(j, "id", f->row->id);
    hw_json_put_string(j, "section", f->row->section);
    hw_json_put_string(j, "claim", f->row->claim);
    hw_json_put_string(j, "experiment", f->row->experiment);
    hw_json_put_string(j, "verdict", hw_claim_verdict_name(f->verdict));
    hw_json_put_string(j, "condition", f->condition);
    hw_json_put_string(j, "figure", f->figure);
    hw_json_put_string(j, "error", f->message);
    hw_json_open(j, "readings", '[');
    for (size_t i = 0; i < f->n_tried; i++) {
        hw_json_open(j, NULL, '{');
        hw_json_put_string(j, "reading", f->tried[i].reading);
        hw_json_put_string(j, "outcome", f->tried[i].outcome);
        hw_json_put_bool(j, "holds", f->tried[i].holds);
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
    put_values(j, f, false);
    put_samples(j, f);
    put_values(j, f, true);
    hw_json_put_real(j, "seconds", f->seconds);
    hw_json_close(j, '}');
}

void hw_claims_write_json(const hw_claims_report *r, FILE *out)
{
    hw_claims_counts counts = hw_claims_count(r->finding, r->n);
    hw_json_out j = hw_json_on(out);
    j.break_items = true;
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "format", "highwater-claims");
    hw_json_put_u64(&j, "version", 1);
    hw_json_put_hex(&j, "seed", r->seed);
    hw_json_put_string(&j, "effort", r->quick ? "quick" : "full");
    hw_json_put_bool(&j, "graph_files", r->graphs != NULL);
    hw_json_open(&j, "counts", '{');
    hw_json_put_u64(&j, "holds", counts.holds);
    hw_json_put_u64(&j, "holds only if", counts.holds_only_if);
    hw_json_put_u64(&j, "fails", counts.fails);
    hw_json_put_u64(&j, "undecided", counts.undecided);
    hw_json_close(&j, '}');
    hw_json_open(&j, "claims", '[');
    for (size_t i = 0; i < r->n; i++)
        put_finding(&j, &r->finding[i]);
    hw_json_close(&j, ']');
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

/* ---- LaTeX. ---- */

static bool put_latex(const hw_claim_finding *f, const char *before, const char *sentence,
                      FILE *out)
{
    char *text = sentence ? hw_claim_latex(f, sentence) : NULL;
    if (sentence && !text)
        return false;
    (void)fprintf(out, "%s%s", before, text ? text : "");
    free(text);
    return true;
}

bool hw_claims_write_latex(const hw_claims_report *r, FILE *out)
{
    bool fine = true;
    (void)fputs("% Needs booktabs, longtable and array.\n"
                "\\begin{longtable}{@{}l l >{\\raggedright\\arraybackslash}p{0.28\\textwidth} "
                "l >{\\raggedright\\arraybackslash}p{0.42\\textwidth}@{}}\n\\toprule\n"
                "& \\S & claim & verdict & what was found \\\\\n\\midrule\n\\endhead\n",
                out);
    for (size_t i = 0; fine && i < r->n; i++) {
        const hw_claim_finding *f = &r->finding[i];
        (void)fprintf(out, "%s & %s & ", f->row->id, f->row->section);
        fine = put_latex(f, "", f->row->claim, out);
        (void)fprintf(out, " & %s & ", hw_claim_verdict_name(f->verdict));
        fine = fine && put_latex(f, f->condition ? "\\emph{Only if} " : "", f->condition, out) &&
               put_latex(f, f->condition ? ". " : "", f->figure ? f->figure : f->message, out);
        (void)fputs(" \\\\\n", out);
    }
    (void)fputs("\\bottomrule\n\\end{longtable}\n", out);
    return fine;
}

static bool put_macro(const hw_claim_finding *f, const char *name, const char *text, FILE *out)
{
    (void)fprintf(out, "\\expandafter\\def\\csname hwclaim@%s@%s\\endcsname{", f->row->id, name);
    bool fine = put_latex(f, "", text, out);
    (void)fputs("}\n", out);
    return fine;
}

static void put_total(const char *name, size_t value, FILE *out)
{
    (void)fprintf(out, "\\expandafter\\def\\csname hwclaim@all@%s\\endcsname{%zu}\n", name, value);
}

bool hw_claims_write_macros(const hw_claims_report *r, FILE *out)
{
    hw_claims_counts counts = hw_claims_count(r->finding, r->n);
    bool fine = true;
    (void)fputs("% \\hwclaim{C10}{verdict}, {figure}, {condition}, or any of its numbers by name; "
                "with its\n"
                "% unit, but \\hwclaimraw has none.  {all}{holds} and so on count the verdicts.\n"
                "\\newcommand{\\hwclaim}[2]{\\ifcsname hwclaim@#1@#2\\endcsname\\csname "
                "hwclaim@#1@#2\\endcsname\\else\\PackageError{hwclaim}{no number #2 of #1}{}\\fi}\n"
                "\\newcommand{\\hwclaimraw}[2]{\\hwclaim{#1}{#2@raw}}\n",
                out);
    put_total("claims", r->n, out);
    put_total("holds", counts.holds, out);
    put_total("holds-only-if", counts.holds_only_if, out);
    put_total("fails", counts.fails, out);
    put_total("undecided", counts.undecided, out);
    for (size_t i = 0; fine && i < r->n; i++) {
        const hw_claim_finding *f = &r->finding[i];
        fine = put_macro(f, "verdict", hw_claim_verdict_name(f->verdict), out) &&
               put_macro(f, "condition", f->condition, out) &&
               put_macro(f, "figure", f->figure, out);
        for (size_t k = 0; fine && k < f->n_values; k++) {
            char text[HW_CLAIM_NUMBER_TEXT], name[96];
            hw_claim_number_text(&f->values[k], text);
            fine = put_macro(f, f->values[k].name, text, out);
            (void)snprintf(name, sizeof name, "%.80s@raw", f->values[k].name);
            (void)snprintf(text, sizeof text, "%.10g", f->values[k].value);
            fine = fine && put_macro(f, name, text, out);
        }
    }
    return fine;
}
