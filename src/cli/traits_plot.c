/* Picture of `highwater traits`: how often cases are bad, by their balance.  See traits_write.h. */
#include <stdlib.h>

#include "cli/traits_write.h"
#include "core/memory.h"
#include "core/text_stream.h"
#include "io/gnuplot.h"
#include "io/gnuplot_text.h"
#include "solve/called.h"

enum {
    PANEL_WIDTH = 280,
    PANEL_HEIGHT = 250,
    HEAD = 64,
    COLUMNS = 4,
    NAME_COLUMNS = 48,
    ROWS = (HW_N_READINGS + COLUMNS - 1) / COLUMNS,
    BINS = 6 /* no pair; then balances from 0.5 on in tenths */
};

/* Large is half of the largest at least, so a balance is 0 or at least one half; sums: any. */
static size_t bin_of(double balance)
{
    if (balance <= 0)
        return 0;
    if (balance < 0.5)
        return 1;
    size_t bin = 1 + (size_t)((balance - 0.5) * 10);
    return bin < BINS ? bin : BINS - 1;
}

static void put_panel(FILE *out, const traits_page *p, const traits_set *s, hw_reading reading)
{
    uint64_t bad[BINS] = {0}, all[BINS] = {0};
    const hw_trait_sample *x = &s->sample;
    for (size_t i = 0; i < x->n; i++) {
        size_t bin = bin_of(x->cases[i].balance[0][reading]);
        all[bin]++;
        bad[bin] += x->cases[i].gap_percent > p->options.bad_percent;
    }
    (void)fprintf(out, "set title '%s' font ',13' offset 0,-0.4\n", hw_reading_rows[reading].name);
    (void)fputs("$cases << END\n", out);
    for (int i = 0; i < BINS; i++) {
        hw_share share = hw_share_of(bad[i], all[i]);
        if (share.n > 0)
            (void)fprintf(out, "%d %.6f %.6f %.6f %llu\n", i, 100 * share.share, 100 * share.low,
                          100 * share.high, (unsigned long long)share.n);
    }
    (void)fprintf(out, "END\nbase = %.6f\n",
                  x->n ? 100.0 * (double)s->report.n_bad / (double)x->n : 0);
    (void)fputs("plot base with lines linecolor rgb other dashtype 2 linewidth 1.2, \\\n"
                " $cases using 1:2:(0.7) with boxes linecolor rgb other_area, \\\n"
                " '' using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.5 linewidth 1.3 "
                "linecolor rgb live, \\\n"
                " '' using 1:(107):5 with labels font ',9' textcolor rgb ink\n",
                out);
}

hw_code traits_plot(const traits_page *p, const char *path, hw_error *err)
{
    const traits_set *s = p->sets[0];
    char *script = NULL, solver[HW_SPEC_TEXT];
    size_t size;
    FILE *out = hw_text_stream(&script, &size);
    unsigned width = COLUMNS * PANEL_WIDTH, height = ROWS * PANEL_HEIGHT + HEAD;
    if (!out)
        return hw_fail_memory(err, "a plot");
    (void)fprintf(out,
                  "set multiplot layout %d,%d margins %.4f,0.99,%.4f,%.4f spacing 0.04,%.4f title "
                  "'How often a graph is bad for ",
                  ROWS, COLUMNS, 68.0 / width, 62.0 / height, 1 - (HEAD + 40.0) / height,
                  90.0 / height);
    hw_gnuplot_put_text(out, hw_solver_called(s->sample.row, s->sample.values, solver),
                        NAME_COLUMNS);
    (void)fputs(", by the balance of its branches' font ',15'\n", out);
    (void)fprintf(
        out,
        "set label 1 '%s graphs, %s; bad: a gap above %g %%; bars: 95 %% intervals; "
        "dashed: all graphs; above: number of graphs' at screen 0.5, screen %.4f center font "
        "',11' textcolor rgb faint\n",
        s->title, hw_accounting_name(s->sample.accounting), p->options.bad_percent,
        1 - 48.0 / height);
    (void)fputs("unset key\nset style fill solid 0.55 noborder\nset yrange [0:112]\n"
                "set xrange [-0.6:5.6]\n"
                "set tics font ',10'\n"
                "set xtics ('none' 0, '< .6' 1, '.6' 2, '.7' 3, '.8' 4, '.9 - 1' 5)\n"
                "set ytics 25\nset grid noxtics\n",
                out);
    for (int i = 0; i < HW_N_READINGS; i++) {
        (void)fprintf(out, "%s\n%s\n",
                      i % COLUMNS ? "unset ylabel" : "set ylabel 'bad graphs, %' font ',11'",
                      i / COLUMNS == ROWS - 1 ? "set xlabel 'balance' font ',11'" : "unset xlabel");
        put_panel(out, p, s, (hw_reading)i);
        (void)fputs("unset label 1\n", out);
    }
    (void)fputs("unset multiplot\n", out);
    if (fclose(out) != 0) {
        free(script);
        return hw_fail_memory(err, "a plot");
    }
    hw_code code = hw_gnuplot_render(script, width, height, path, err);
    free(script);
    return code;
}
