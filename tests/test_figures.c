/* Tables and macros of figures: rounding, the best, marks, names, LaTeX. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stats/figures.h"

enum { SHARE, MEAN = 3, TIME, P, SIZE, WORD, N_COLUMNS };

static const hw_figure_column columns[N_COLUMNS] = {
    [SHARE] = {"a_share", "a", "Share", HW_FIGURE_SHARE, 1, true},
    HW_FIGURE_ENDS("a", "Share", HW_FIGURE_SHARE),
    [MEAN] = {"mean", "mean", "Mean", HW_FIGURE_PERCENT, -1, false},
    [TIME] = {"seconds", "time", "Time", HW_FIGURE_SECONDS, -1, false},
    [P] = {"p", "p", "P", HW_FIGURE_P, 0, false},
    [SIZE] = {"size", NULL, "Size", HW_FIGURE_LARGE, 0, false},
    [WORD] = {"word", NULL, "Word", HW_FIGURE_TEXT, 0, false},
};

static const hw_record first = {.suite = "s", .family = "fan_in", .n_nodes = 10};
static const hw_field fields[] = {HW_FIELD_FAMILY, HW_FIELD_NODES};

/* Four solvers of one stratum; the last is the reference. */
static hw_figures make(void)
{
    static const char *const solvers[] = {"by-output", "%hostile\\_{$x}^~#&[|\"<>", "worse",
                                          "exact"};
    hw_figures f;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_figures_make(&f, columns, N_COLUMNS, 4, fields, 2, &err), HW_OK);
    f.title = "Title";
    f.name = "name";
    f.note = "a 100 % note";
    for (size_t row = 0; row < 4; row++) {
        f.row[row] =
            (hw_figure_row){.first = &first, .solver = solvers[row], .is_reference = row == 3};
        hw_figures_put_three(&f, row, SHARE, row == 2 ? 0.1 : 0.25 + 0.5 * (double)row, 0.125,
                             0.99);
        hw_figures_put(&f, row, MEAN, row == 3 ? 0 : row == 2 ? 20 : 12.34 + 1e-4 * (double)row);
        hw_figures_put(&f, row, TIME, row == 1 ? NAN : 1.5e-5 * (double)(row + 1));
        hw_figures_put(&f, row, P, row ? 1e-9 : 0.04251);
        hw_figures_put(&f, row, SIZE, row ? 123456 : 7);
    }
    f.dagger[MEAN] = true;
    assert_true(hw_figures_put_text(&f, 0, WORD, "50 %"));
    return f;
}

static char *written(const hw_figures *f, const hw_figures_style *style)
{
    char *text = NULL;
    size_t size;
    hw_error err = {.code = HW_OK};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(hw_figures_write(f, style, out, &err), HW_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void expect(char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_tables(void **state)
{
    (void)state;
    hw_figures f = make();
    hw_figures_style style = {.format = HW_TABLE_MARKDOWN};
    char *text = written(&f, &style);
    /* Both means read 12.3, so both are best; the reference is out of the race. */
    expect(text, "| fan\\_in | 10 | by-output | 25.0 % [12.5, 99.0] | **12.3 %**\xE2\x80\xA0 |");
    expect(text, "| **75.0 % [12.5, 99.0]** | **12.3 %** | - | \\<0.001 |");
    expect(text, "| exact | 175.0 % [12.5, 99.0] | 0.0 % |");
    expect(text, "\n\xE2\x80\xA0 a 100");
    free(text);
    style = (hw_figures_style){.format = HW_TABLE_TEXT, .columns = "size,mean"};
    text = written(&f, &style);
    expect(text, "family  nodes  solver");
    expect(text, "1.23e5  12.3 %*\n");
    expect(text, "     7  12.3 %*\xE2\x80\xA0\n");
    expect(text, "* best of its stratum\n");
    free(text);
    style = (hw_figures_style){.format = HW_TABLE_CSV};
    text = written(&f, &style);
    expect(text, "family,nodes,solver,a_share,a_low,a_high,mean,seconds,p,size,word\n");
    expect(text, "fan_in,10,by-output,0.25,0.125,0.99,12.34,1.5e-05,0.04251,7,50 %\n");
    free(text);
    style = (hw_figures_style){.format = HW_TABLE_JSON, .columns = "seconds,word"};
    text = written(&f, &style);
    expect(text, "{\"family\":\"fan_in\",\"nodes\":10,\"solver\":\"by-output\","
                 "\"seconds\":1.5e-05,\"word\":\"50 %\"}");
    expect(text, "\"seconds\":null,\"word\":null}");
    free(text);
    hw_figures_free(&f);
}

static void test_no_best_among_equals(void **state)
{
    (void)state;
    hw_figures f = make();
    for (size_t row = 0; row < 3; row++)
        hw_figures_put(&f, row, MEAN, 5);
    hw_figures_style style = {.format = HW_TABLE_TEXT, .columns = "mean"};
    char *text = written(&f, &style);
    assert_null(strchr(text, '*'));
    free(text);
    hw_figures_free(&f);
}

static void test_columns(void **state)
{
    (void)state;
    hw_figures f = make();
    hw_error err = {.code = HW_OK};
    hw_figures_style style = {.format = HW_TABLE_CSV, .columns = "seconds,mear"};
    assert_int_equal(hw_figures_write(&f, &style, stdout, &err), HW_USAGE);
    expect(err.message, "no column 'mear'; did you mean 'mean'?");
    style.columns = "mean,,p";
    assert_int_equal(hw_figures_write(&f, &style, stdout, &err), HW_USAGE);
    style.columns = "p,p";
    assert_int_equal(hw_figures_write(&f, &style, stdout, &err), HW_USAGE);
    hw_figures_free(&f);
}

/* ---- Macros. ---- */

static void word(const char *text, const char *wanted)
{
    char *made = hw_macro_word(text);
    assert_string_equal(made, wanted);
    free(made);
}

static void test_macros(void **state)
{
    (void)state;
    word("by-output", "ByOutput");
    word("lookahead:k=5,depth=2", "LookaheadKFiveDepthTwo");
    word("10", "OneZero");
    word("2.5", "TwoPointFive");
    word("n=6..9", "NSixNine");
    word("", "Plain");
    word("\\}%\xC3\xA9", "Plain");
    word("5.", "Five");
    hw_figures f = make();
    f.n_rows = 1;
    hw_error err = {.code = HW_OK};
    hw_macro_names *names = hw_macro_names_new();
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(hw_figures_write_macros(&f, "Pre", names, out, &err), HW_OK);
    assert_int_equal(fclose(out), 0);
    expect(text, "\\newcommand{\\hwPreByOutputShareFanInNodesOneZero}{25.0}\n");
    expect(text, "\\newcommand{\\hwPreByOutputShareLowFanInNodesOneZero}{12.5}\n");
    expect(text, "\\newcommand{\\hwPreByOutputTimeFanInNodesOneZero}{0.0150}\n");
    expect(text, "\\newcommand{\\hwPreByOutputWordFanInNodesOneZero}{50 \\%}\n");
    free(text);
    out = open_memstream(&text, &size);
    assert_int_equal(hw_figures_write_macros(&f, "Pre", names, out, &err), HW_CHECK_FAILED);
    expect(err.message, "\\hwPreByOutputShareFanInNodesOneZero");
    assert_int_equal(fclose(out), 0);
    free(text);
    f.n_rows = 4;
    hw_macro_names_free(names);
    hw_figures_free(&f);
}

static void test_rounding(void **state)
{
    (void)state;
    static const struct {
        double value;
        hw_figure_kind kind;
        const char *plain, *latex;
    } rows[] = {
        {0.6249, HW_FIGURE_SHARE, "62.5", "62.5"},
        {1234, HW_FIGURE_COUNT, "1234", "1234"},
        {INFINITY, HW_FIGURE_PERCENT, "\xE2\x88\x9E", "\\ensuremath{\\infty}"},
        {9.96e-4, HW_FIGURE_P, "<0.001", "\\ensuremath{<0.001}"},
        {1e-3, HW_FIGURE_P, "0.001", "0.001"},
        {12.345, HW_FIGURE_SECONDS, "12345", "12345"},
        {1.2345e-5, HW_FIGURE_SECONDS, "0.0123", "0.0123"},
        {9999.6, HW_FIGURE_LARGE, "10000", "10000"},
        {999999, HW_FIGURE_LARGE, "1.00e6", "\\ensuremath{1.00\\times10^{6}}"},
        {0, HW_FIGURE_LARGE, "0", "0"},
        {2.5, HW_FIGURE_LARGE, "2.50", "2.50"},
        {NAN, HW_FIGURE_REAL, "", ""},
        {-0.125, HW_FIGURE_FINE, "-0.125", "-0.125"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[HW_FIGURE_CELL];
        hw_figure_text(rows[i].value, rows[i].kind, false, text);
        assert_string_equal(text, rows[i].plain);
        hw_figure_text(rows[i].value, rows[i].kind, true, text);
        assert_string_equal(text, rows[i].latex);
    }
}

/* ---- LaTeX. ---- */

static void test_latex(void **state)
{
    (void)state;
    hw_figures f = make();
    const hw_figures_style style = {.format = HW_TABLE_LATEX};
    char *text = written(&f, &style);
    expect(text, "{a (\\%)} & 95 \\% interval & {mean (\\%)} & {time (ms)}");
    expect(text, "table-space-text-post=\\textsuperscript{\\textdagger}");
    expect(text, "S[table-format=<1.3,detect-weight]");
    expect(text, "\\bfseries 12.3{\\textsuperscript{\\textdagger}}");
    expect(text,
           "\\%hostile\\textbackslash{}\\_\\{\\$x\\}\\textasciicircum{}\\textasciitilde{}\\#\\&"
           "[\\textbar{}\\textquotedbl{}\\textless{}\\textgreater{}");
    expect(text, "& {--} &");
    expect(text, "& [12.5, 99.0] &");
    free(text);
    hw_figures_put_three(&f, 0, SHARE, -0.2, -0.25, -0.1);
    text = written(&f, &style);
    expect(text, "& -20.0 & [$-$25.0, $-$10.0] &");
    free(text);
    hw_figures_free(&f);
}

/* Whether pdflatex takes the table; skipped where there is none. */
static void test_latex_compiles(void **state)
{
    (void)state;
    if (system("command -v pdflatex >/dev/null && kpsewhich siunitx.sty >/dev/null") != 0) {
        print_message("skipped: no pdflatex with siunitx here\n");
        skip();
    }
    char folder[] = "/tmp/highwater-latex-XXXXXX", path[64], command[256];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/t.tex", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    hw_figures f = make();
    hw_error err = {.code = HW_OK};
    const hw_figures_style style = {.format = HW_TABLE_LATEX};
    hw_macro_names *names = hw_macro_names_new();
    (void)fputs("\\documentclass{article}\\usepackage{booktabs,siunitx,textcomp}\n"
                "\\usepackage[T1]{fontenc}\n",
                out);
    assert_int_equal(hw_figures_write_macros(&f, "", names, out, &err), HW_OK);
    (void)fputs("\\begin{document}\n\\hwExactSizeFanInNodesOneZero\n", out);
    assert_int_equal(hw_figures_write(&f, &style, out, &err), HW_OK);
    (void)fputs("\\end{document}\n", out);
    assert_int_equal(fclose(out), 0);
    hw_macro_names_free(names);
    hw_figures_free(&f);
    (void)snprintf(command, sizeof command,
                   "cd %s && pdflatex -interaction=nonstopmode -halt-on-error t.tex >log 2>&1 || "
                   "{ tail -n 30 log; exit 1; }",
                   folder);
    int status = system(command);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    (void)system(command);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),         cmocka_unit_test(test_no_best_among_equals),
        cmocka_unit_test(test_columns),        cmocka_unit_test(test_macros),
        cmocka_unit_test(test_rounding),       cmocka_unit_test(test_latex),
        cmocka_unit_test(test_latex_compiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
