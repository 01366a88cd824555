/* See sentence.h. */
#include "claims/sentence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cells.h"
#include "core/text_stream.h"

void hw_claim_number_text(const hw_claim_value *v, char text[HW_CLAIM_NUMBER_TEXT])
{
    if (strcmp(v->unit, "seconds") == 0)
        hw_duration_text(v->value, text);
    else if (strcmp(v->unit, "share") == 0)
        (void)snprintf(text, HW_CLAIM_NUMBER_TEXT, "%.1f %%", 100 * v->value);
    else if (strcmp(v->unit, "per cent") == 0)
        (void)snprintf(text, HW_CLAIM_NUMBER_TEXT, "%.1f %%", v->value);
    else if (strcmp(v->unit, "count") == 0)
        (void)snprintf(text, HW_CLAIM_NUMBER_TEXT, "%.10g", v->value);
    else
        (void)snprintf(text, HW_CLAIM_NUMBER_TEXT,
                       fabs(v->value) < 1e6 ? "%.4g %.40s" : "%.10g %.40s", v->value, v->unit);
}

char *hw_claim_sentence(const hw_claim_finding *f, const char *sentence)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = hw_text_stream(&text, &length);
    if (!out)
        return NULL;
    for (const char *at = sentence; *at;) {
        size_t name = *at == '{' ? strcspn(at + 1, "{}") : 0;
        const hw_claim_value *v =
            name > 0 && at[1 + name] == '}' ? hw_claim_value_find(f, at + 1, name) : NULL;
        char number[HW_CLAIM_NUMBER_TEXT];
        if (v) {
            hw_claim_number_text(v, number);
            (void)fputs(number, out);
            at += name + 2;
        } else {
            (void)fputc(*at++, out);
        }
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* What stands for some bytes; a prefix that several share has the longest first. */
typedef struct stand_in {
    const char *bytes, *instead;
} stand_in;

static char *replace(char *sentence, const stand_in *table, size_t n)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = sentence ? hw_text_stream(&text, &length) : NULL;
    if (!out) {
        free(sentence);
        return NULL;
    }
    for (const char *at = sentence; *at;) {
        size_t i = 0;
        while (i < n && strncmp(at, table[i].bytes, strlen(table[i].bytes)) != 0)
            i++;
        if (i < n)
            (void)fputs(table[i].instead, out);
        else
            (void)fputc(*at, out);
        at += i < n ? strlen(table[i].bytes) : 1;
    }
    free(sentence);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* "10^9.1" as "10$^{9.1}$"; a ^ before anything else stands for itself. */
static char *raise_powers(char *sentence)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = sentence ? hw_text_stream(&text, &length) : NULL;
    for (const char *at = sentence; out && *at;) {
        size_t digits = *at == '^' ? strspn(at + 1, "0123456789.") : 0;
        if (digits > 0)
            (void)fprintf(out, "$^{%.*s}$", (int)digits, at + 1);
        else if (*at == '^')
            (void)fputs("\\textasciicircum{}", out);
        else
            (void)fputc(*at, out);
        at += digits + 1;
    }
    free(sentence);
    if (out && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

char *hw_claim_latex(const hw_claim_finding *f, const char *sentence)
{
    static const stand_in table[] = {
        {" %", "\\,\\%"},
        {"%", "\\%"},
        {"&", "\\&"},
        {"#", "\\#"},
        {"_", "\\_"},
        {"$", "\\$"},
        {"{", "\\{"},
        {"}", "\\}"},
        {"~", "\\textasciitilde{}"},
        {"\\", "\\textbackslash{}"},
        {"<=", "$\\le$"},
        {">=", "$\\ge$"},
        {"<", "$<$"},
        {">", "$>$"},
        {"µ", "\\textmu{}"},
        {" x ", " $\\times$ "},
        {" -", " $-$"},
        {"(-", "($-$"},
    };
    return raise_powers(
        replace(hw_claim_sentence(f, sentence), table, sizeof table / sizeof table[0]));
}

char *hw_claim_markdown(const hw_claim_finding *f, const char *sentence)
{
    static const stand_in table[] = {
        {"|", "\\|"}, {"*", "\\*"}, {"_", "\\_"}, {"<", "&lt;"}, {"`", "\\`"},
    };
    return replace(hw_claim_sentence(f, sentence), table, sizeof table / sizeof table[0]);
}
