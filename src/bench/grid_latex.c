/* A grid as a LaTeX tabular, with booktabs and siunitx.  See grid.h. */
#include <string.h>

#include "bench/grid.h"
#include "core/control.h"

static const char dagger[] = "\\textsuperscript{\\textdagger}";

/* Characters that are commands, and those that the fonts of old lack. */
static const struct {
    const char *text, *latex;
} replaced[] = {
    {"\\", "\\textbackslash{}"},
    {"~", "\\textasciitilde{}"},
    {"n^a", "$n^a$"}, /* the laws that heads of tables name */
    {"2^(cn)", "$2^{cn}$"},
    {"^", "\\textasciicircum{}"},
    {"%", "\\%"},
    {"#", "\\#"},
    {"&", "\\&"},
    {"_", "\\_"},
    {"$", "\\$"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"\"", "\\textquotedbl{}"},
    {"\xC2\xB5", "\\textmu{}"},    /* micro         */
    {"\xC2\xB1", "\\textpm{}"},    /* plus or minus */
    {"\xE2\x89\xA4", "$\\leq$"},   /* at most       */
    {"\xE2\x88\x9E", "$\\infty$"}, /* infinity      */
    {"\xE2\x88\x92", "$-$"},       /* minus         */
    {"\xE2\x80\xA0", "\\textdagger{}"},
};

void hw_put_latex(const char *text, FILE *out)
{
    while (*text) {
        size_t i = 0, n = sizeof replaced / sizeof replaced[0];
        while (i < n && strncmp(text, replaced[i].text, strlen(replaced[i].text)) != 0)
            i++;
        if (i < n) {
            (void)fputs(replaced[i].latex, out);
            text += strlen(replaced[i].text);
        } else if ((unsigned char)*text >= 0xC4) { /* beyond Latin-1: pdflatex would stop */
            for (text++; ((unsigned char)*text & 0xC0) == 0x80;)
                text++;
            (void)fputc('?', out);
        } else {
            size_t control = hw_control_bytes(text);
            (void)fputc(control ? ' ' : *text, out);
            text += control ? control : 1;
        }
    }
}

/* ---- Columns of numbers. ---- */

/* Digits that a number has before and behind its point, and in its exponent. */
typedef struct shape {
    size_t whole, decimals, exponent;
    bool negative, negative_exponent, below;
} shape;

static size_t count_digits(const char **at)
{
    size_t n = strspn(*at, "0123456789");
    *at += n;
    return n;
}

static bool shape_of(const char *text, shape *s)
{
    *s = (shape){.below = *text == '<'};
    text += s->below;
    s->negative = *text == '-';
    text += s->negative;
    s->whole = count_digits(&text);
    if (s->whole == 0)
        return false;
    if (*text == '.') {
        text++;
        s->decimals = count_digits(&text);
    }
    if (*text == 'e') {
        text++;
        s->negative_exponent = *text == '-';
        text += s->negative_exponent;
        s->exponent = count_digits(&text);
        if (s->exponent == 0)
            return false;
    }
    return *text == '\0';
}

static bool is_nothing(const char *text)
{
    return *text == '\0' || strcmp(text, "-") == 0 || strcmp(text, "\xE2\x88\x9E") == 0;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Whether siunitx can set the column; `all` is the room that it needs. */
static bool is_numeric(const hw_grid *g, size_t column, shape *all)
{
    bool any = false;
    *all = (shape){.whole = 1};
    for (size_t row = 1; row < g->n_rows; row++) {
        const char *text = hw_grid_cell(g, row, column);
        shape s;
        if (is_nothing(text))
            continue;
        if (!shape_of(text, &s))
            return false;
        any = true;
        all->whole = larger(all->whole, s.whole);
        all->decimals = larger(all->decimals, s.decimals);
        all->exponent = larger(all->exponent, s.exponent);
        all->negative |= s.negative;
        all->negative_exponent |= s.negative_exponent;
        all->below |= s.below;
    }
    return any && g->is_number[column];
}

static bool has_dagger(const hw_grid *g, size_t column)
{
    for (size_t row = 1; row < g->n_rows; row++)
        if (g->mark[row * g->n_columns + column] & HW_GRID_DAGGER)
            return true;
    return false;
}

static void put_column(const hw_grid *g, size_t column, const shape *s, FILE *out)
{
    (void)fprintf(out, "S[table-format=%s%s%zu", s->below ? "<" : "", s->negative ? "-" : "",
                  s->whole);
    if (s->decimals)
        (void)fprintf(out, ".%zu", s->decimals);
    if (s->exponent)
        (void)fprintf(out, "e%s%zu", s->negative_exponent ? "-" : "", s->exponent);
    (void)fputs(",detect-weight", out);
    if (has_dagger(g, column))
        (void)fprintf(out, ",table-space-text-post=%s", dagger);
    (void)fputc(']', out);
}

/* ---- The whole. ---- */

static void put_cell(const hw_grid *g, size_t row, size_t column, FILE *out)
{
    const char *text = hw_grid_cell(g, row, column);
    unsigned mark = g->mark[row * g->n_columns + column];
    bool numeric = g->room[column] > 0, braces = numeric && (row == 0 || is_nothing(text));
    if (mark & HW_GRID_BOLD)
        (void)fputs("\\bfseries ", out);
    if (column == 0 && (*text == '[' || *text == '*')) /* an argument of \\ else */
        (void)fputs("{}", out);
    (void)fputs(braces ? "{" : "", out);
    if (numeric && !braces)
        (void)fputs(text, out);
    else
        hw_put_latex(strcmp(text, "-") == 0 ? "--" : text, out);
    (void)fputs(braces ? "}" : "", out);
    if (mark & HW_GRID_DAGGER)
        (void)fprintf(out, "{%s}", dagger);
}

void hw_grid_write_latex(const hw_grid *g, FILE *out)
{
    (void)fputs("% needs \\usepackage{booktabs,siunitx,textcomp} and \\usepackage[T1]{fontenc}\n"
                "\\begin{tabular}{@{}",
                out);
    for (size_t column = 0; column < g->n_columns; column++) {
        shape s;
        g->room[column] = is_numeric(g, column, &s);
        if (g->room[column])
            put_column(g, column, &s, out);
        else
            (void)fputc(g->is_number[column] ? 'r' : 'l', out);
    }
    (void)fputs("@{}}\n\\toprule\n", out);
    for (size_t row = 0; row < g->n_rows; row++) {
        if (g->apart[row])
            (void)fputs("\\addlinespace\n", out);
        for (size_t column = 0; column < g->n_columns; column++) {
            put_cell(g, row, column, out);
            (void)fputs(column + 1 == g->n_columns ? " \\\\\n" : " & ", out);
        }
        if (row == 0)
            (void)fputs("\\midrule\n", out);
    }
    (void)fputs("\\bottomrule\n\\end{tabular}\n", out);
}
