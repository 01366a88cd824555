/* Findings as text and Markdown, for people.  See claims.h. */
#include <stdlib.h>
#include <string.h>

#include "claims/claims_write.h"
#include "claims/sentence.h"

static void put_counts(const hw_claims_report *r, FILE *out)
{
    hw_claims_counts c = hw_claims_count(r->finding, r->n);
    (void)fprintf(out,
                  "%zu claim%s: %zu hold%s, %zu hold%s only under a condition, %zu fail%s, "
                  "%zu undecided.\n",
                  r->n, r->n == 1 ? "" : "s", c.holds, c.holds == 1 ? "s" : "", c.holds_only_if,
                  c.holds_only_if == 1 ? "s" : "", c.fails, c.fails == 1 ? "s" : "", c.undecided);
}

/* ---- Text. ---- */

enum { INDENT = 14, WIDTH = 96 };

/* Words of `text` after a label, wrapped and indented. */
static void put_words(FILE *out, const char *label, const char *text)
{
    size_t column = INDENT;
    (void)fprintf(out, "  %-*s", INDENT - 2, label);
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, " ");
        if (column > INDENT && column + 1 + length > WIDTH) {
            (void)fprintf(out, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > INDENT) {
            (void)fputc(' ', out);
            column++;
        }
        (void)fprintf(out, "%.*s", (int)length, at);
        column += length;
        at += length + (at[length] == ' ');
    }
    (void)fputc('\n', out);
}

static bool put_line(const hw_claim_finding *f, FILE *out, const char *label, const char *sentence)
{
    char *text = sentence ? hw_claim_sentence(f, sentence) : NULL;
    if (sentence && !text)
        return false;
    if (text)
        put_words(out, label, text);
    free(text);
    return true;
}

static bool put_tried(const hw_claim_finding *f, FILE *out)
{
    bool fine = true;
    for (size_t i = 0; fine && i < f->n_tried; i++) {
        const hw_claim_tried *t = &f->tried[i];
        size_t room = strlen(t->reading) + strlen(t->outcome) + sizeof ": ";
        char *both = malloc(room);
        if (both)
            (void)snprintf(both, room, "%s: %s", t->reading, t->outcome);
        fine = both && put_line(f, out, t->holds ? "  yes" : "  no", both);
        free(both);
    }
    return fine;
}

bool hw_claims_write_text(const hw_claims_report *r, FILE *out)
{
    bool fine = true;
    for (size_t i = 0; fine && i < r->n; i++) {
        const hw_claim_finding *f = &r->finding[i];
        (void)fprintf(out, "%s  section %-4s %-14s %.1f s\n", f->row->id, f->row->section,
                      hw_claim_verdict_name(f->verdict), f->seconds);
        fine = put_line(f, out, "claim", f->row->claim) &&
               put_line(f, out, "only if", f->condition) && put_line(f, out, "found", f->figure) &&
               put_line(f, out, "no verdict", f->message) &&
               put_line(f, out, "decided by", f->row->experiment) && put_tried(f, out);
        for (size_t k = 0; k < f->n_samples; k++)
            (void)fprintf(out, "  %-*s%s.json\n", INDENT - 2, k == 0 ? "examples" : "",
                          f->samples[k].name);
        (void)fputc('\n', out);
    }
    put_counts(r, out);
    return fine;
}

/* ---- Markdown. ---- */

static bool put_md(const hw_claim_finding *f, FILE *out, const char *before, const char *sentence,
                   const char *after)
{
    char *text = sentence ? hw_claim_markdown(f, sentence) : NULL;
    if (sentence && !text)
        return false;
    if (text)
        (void)fprintf(out, "%s%s%s", before, text, after);
    free(text);
    return true;
}

static bool put_md_row(const hw_claim_finding *f, FILE *out)
{
    (void)fprintf(out, "| [%s](#%c%s) | %s | ", f->row->id, f->row->id[0] - 'A' + 'a',
                  f->row->id + 1, f->row->section);
    bool fine = put_md(f, out, "", f->row->claim, "");
    (void)fprintf(out, " | **%s**", hw_claim_verdict_name(f->verdict));
    fine = fine && put_md(f, out, " ", f->condition, "") &&
           put_md(f, out, " | ", f->figure ? f->figure : f->message, " |\n");
    return fine;
}

static bool put_md_details(const hw_claim_finding *f, FILE *out)
{
    (void)fprintf(out, "\n## %s\n\nSection %s. ", f->row->id, f->row->section);
    bool fine = put_md(f, out, "", f->row->claim, "");
    (void)fprintf(out, " **%s**", hw_claim_verdict_name(f->verdict));
    fine = fine && put_md(f, out, " ", f->condition, "") && put_md(f, out, ". ", f->figure, "") &&
           put_md(f, out, ": ", f->message, "") &&
           put_md(f, out, "\n\nDecided by: ", f->row->experiment, "\n");
    if (f->n_tried > 0)
        (void)fputs("\n| reading | outcome | the article's |\n| --- | --- | --- |\n", out);
    for (size_t i = 0; fine && i < f->n_tried; i++)
        fine = put_md(f, out, "| ", f->tried[i].reading, "") &&
               put_md(f, out, " | ", f->tried[i].outcome,
                      f->tried[i].holds ? " | yes |\n" : " | no |\n");
    if (f->n_values > 0)
        (void)fputs("\nNumbers:", out);
    for (size_t i = 0; i < f->n_values; i++) {
        char text[HW_CLAIM_NUMBER_TEXT];
        hw_claim_number_text(&f->values[i], text);
        (void)fprintf(out, "%s %s %s%s", i > 0 ? ";" : "", f->values[i].name, text,
                      f->values[i].measured ? " (measured)" : "");
    }
    if (f->n_values > 0)
        (void)fputs(".\n", out);
    if (f->n_samples > 0)
        (void)fputs("\nExamples:", out);
    for (size_t i = 0; i < f->n_samples; i++)
        (void)fprintf(out, "%s [%s](claims/%s.json)", i > 0 ? "," : "", f->samples[i].name,
                      f->samples[i].name);
    if (f->n_samples > 0)
        (void)fputs(".\n", out);
    return fine;
}

bool hw_claims_write_markdown(const hw_claims_report *r, FILE *out)
{
    bool fine = true;
    (void)fputs("# The claims of the seed article\n\n", out);
    put_counts(r, out);
    (void)fputs("\n| id | section | claim | verdict | what was found |\n"
                "| --- | --- | --- | --- | --- |\n",
                out);
    for (size_t i = 0; fine && i < r->n; i++)
        fine = put_md_row(&r->finding[i], out);
    for (size_t i = 0; fine && i < r->n; i++)
        fine = put_md_details(&r->finding[i], out);
    return fine;
}

hw_code hw_claims_write(const hw_claims_report *r, hw_claims_format format, FILE *out,
                        hw_error *err)
{
    bool fine = true;
    switch (format) {
    case HW_CLAIMS_TEXT:
        fine = hw_claims_write_text(r, out);
        break;
    case HW_CLAIMS_JSON:
        hw_claims_write_json(r, out);
        break;
    case HW_CLAIMS_MARKDOWN:
        fine = hw_claims_write_markdown(r, out);
        break;
    case HW_CLAIMS_LATEX:
        fine = hw_claims_write_latex(r, out);
        break;
    case HW_CLAIMS_MACROS:
        fine = hw_claims_write_macros(r, out);
        break;
    }
    return fine ? HW_OK : hw_fail_memory(err, "the report on claims");
}
