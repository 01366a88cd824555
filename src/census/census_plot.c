/*
 * The plot of a census: worst ratio against nodes, a panel an accounting.
 * See census_report.h.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "census/census_report.h"
#include "bench/plot_internal.h"

static hw_ratio worst_at(const hw_census_report *r, uint32_t n, hw_accounting accounting,
                         size_t slot)
{
    const hw_census *c = r->at[n];
    hw_census_cell cell = hw_census_up_to(c->tally[n], accounting, slot, c->plan.most_size);
    return cell.worst.found ? cell.worst.ratio : (hw_ratio){1, 1};
}

static bool ever_fails(const hw_census_report *r, size_t slot)
{
    bool fails = false;
    for (uint32_t n = 1; n <= HW_DAGS_MOST; n++)
        for (int a = HW_ALLOC_FIRST; r->at[n] && a <= HW_FREE_FIRST; a++) {
            hw_ratio worst = worst_at(r, n, (hw_accounting)a, slot);
            fails = fails || worst.over > worst.under;
        }
    return fails;
}

/* Solvers that ever fail; those with the same ratios everywhere share a curve. */
typedef struct curves {
    size_t slot[HW_PLOT_SERIES], curve[HW_PLOT_SERIES]; /* by series; curves stand together */
    size_t n_curves;
} curves;

static bool same_curve(const hw_census_report *r, size_t slot, size_t other)
{
    bool same = true;
    for (uint32_t n = 1; n <= HW_DAGS_MOST; n++)
        for (int a = HW_ALLOC_FIRST; r->at[n] && a <= HW_FREE_FIRST; a++)
            same = same && hw_ratio_compare(worst_at(r, n, (hw_accounting)a, slot),
                                            worst_at(r, n, (hw_accounting)a, other)) == 0;
    return same;
}

/* The worst order comes first, then solvers in their order, each with those of its curve. */
static void find_curves(hw_plot *p, const hw_census_report *r, curves *c)
{
    const hw_census *any = hw_census_report_any(r);
    size_t slots = any->plan.n_solvers + 1;
    bool taken[HW_CENSUS_SOLVERS + 1] = {false};
    for (size_t i = 0; i < slots; i++) {
        size_t slot = i == 0 ? slots - 1 : i - 1;
        if (taken[slot] || !ever_fails(r, slot))
            continue;
        for (size_t k = 0; k < slots; k++) {
            size_t other = k == 0 ? slots - 1 : k - 1;
            if (taken[other] || !same_curve(r, slot, other))
                continue;
            taken[other] = true;
            c->slot[p->n_series] = other;
            c->curve[p->n_series] = c->n_curves;
            p->series[p->n_series++] =
                other < any->plan.n_solvers ? any->plan.solver[other].spec : "(any order)";
        }
        c->n_curves++;
    }
}

static void put_data(const hw_plot *p, const hw_census_report *r, const curves *c)
{
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
        for (size_t s = 0; s < p->n_series; s++) {
            (void)fprintf(p->out, "$data_%d_%zu << EOD\n", a, s);
            for (uint32_t n = 1; n <= HW_DAGS_MOST; n++)
                if (r->at[n])
                    (void)fprintf(p->out, "%" PRIu32 " %.6g\n", n,
                                  hw_ratio_value(worst_at(r, n, (hw_accounting)a, c->slot[s])));
            (void)fputs("EOD\n", p->out);
        }
    (void)fputs("$limit << EOD\n", p->out);
    for (uint64_t n = p->least_nodes; n <= p->most_nodes; n++)
        (void)fprintf(p->out, "%" PRIu64 " %" PRIu64 "\n", n, (n + 1) / 2);
    (void)fputs("EOD\n", p->out);
}

/* One line a curve, one entry of the legend a solver. */
static void put_panel(const hw_plot *p, size_t panel, const curves *c)
{
    bool legend = panel + 1 == p->n_panels;
    hw_plot_panel(p, panel, legend);
    (void)fputs("plot $limit using 1:2 with linespoints linecolor rgb '#808080' linewidth 1.5 "
                "dashtype 3 pointtype 2 pointsize 0.8 title 'proven limit'",
                p->out);
    for (size_t s = 0; s < p->n_series; s++) {
        bool first = s == 0 || c->curve[s] != c->curve[s - 1];
        if (first)
            (void)fprintf(p->out, ", $data_%zu_%zu using 1:2 with linespoints", panel, s);
        else
            (void)fputs(", keyentry with linespoints", p->out);
        (void)fputs(" pointsize 0.9 linewidth 1.3 ", p->out);
        hw_plot_style(p, c->curve[s]);
        (void)fputs(" title ", p->out);
        hw_plot_put_name(p, p->series[s]);
    }
    (void)fputc('\n', p->out);
}

static void put_script(hw_plot *p, const hw_census_report *r, const curves *c)
{
    char subtitle[320];
    const hw_census *last = r->at[p->most_nodes];
    (void)snprintf(subtitle, sizeof subtitle,
                   "every graph of %" PRIu64 " to %" PRIu64 " nodes with sizes up to %" PRIu32
                   " (at %" PRIu64 " nodes), %s; solvers with one mark share a curve, others "
                   "never miss the optimum",
                   p->least_nodes, p->most_nodes, last->plan.most_size, p->most_nodes,
                   last->plan.all_numberings ? "every source order" : "one source order each");
    hw_plot_begin(p, "Worst ratio of peak to optimum", subtitle);
    put_data(p, r, c);
    (void)fprintf(p->out,
                  "set xrange [%" PRIu64 ":%" PRIu64 ".2]\nset yrange [0.95:*]\n"
                  "set xlabel 'nodes'\nset ylabel 'peak / optimum, worst case'\n"
                  "set xtics 1\nset grid ytics linestyle 100\n",
                  p->least_nodes, p->most_nodes);
    for (size_t panel = 0; panel < p->n_panels; panel++)
        put_panel(p, panel, c);
    (void)fputs("unset multiplot\n", p->out);
}

hw_code hw_census_plot(const hw_census_report *r, char **script, unsigned *width_px,
                       unsigned *height_px, hw_error *err)
{
    const hw_census *any = hw_census_report_any(r);
    *script = NULL;
    if (!any)
        return hw_fail(err, HW_BAD_INPUT, "no number of nodes is whole yet: give all parts");
    hw_plot *p = calloc(1, sizeof *p);
    size_t size = 0;
    curves c = {.n_curves = 0};
    if (!p)
        return hw_fail_memory(err, "a plot");
    for (uint32_t n = HW_DAGS_MOST; n >= 1; n--)
        if (r->at[n]) {
            p->least_nodes = n;
            p->most_nodes = p->most_nodes ? p->most_nodes : n;
        }
    p->n_panels = 2;
    for (size_t a = 0; a < 2; a++)
        (void)snprintf(p->panel[a], sizeof p->panel[a], "%s", hw_accounting_name((hw_accounting)a));
    find_curves(p, r, &c);
    *width_px = hw_plot_width(p);
    *height_px = hw_plot_height(p) + 24; /* a legend row more: the limit */
    hw_code code = HW_OK;
    p->out = open_memstream(script, &size);
    if (p->out)
        put_script(p, r, &c);
    if (!p->out || fclose(p->out) != 0) {
        free(*script);
        *script = NULL;
        code = hw_fail_memory(err, "a plot");
    }
    free(p);
    return code;
}
