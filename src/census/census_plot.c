/*
 * The plot of a census: worst ratio against nodes, a panel an accounting.
 * See census_report.h.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "census/census_report.h"
#include "core/memory.h"
#include "core/text_stream.h"
#include "plot/frame.h"

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

enum { SERIES = HW_CENSUS_SOLVERS + 1, SUBTITLE = 400 };

/* Solvers that ever fail; those with the same ratios everywhere share a curve. */
typedef struct curves {
    hw_frame frame;
    size_t slot[SERIES], curve[SERIES]; /* by series; curves stand together */
    hw_frame_key key[SERIES + 1];       /* the limit first */
    size_t n_series, n_curves;
    uint64_t least_nodes, most_nodes;
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
static void find_curves(const hw_census_report *r, curves *c)
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
            c->slot[c->n_series] = other;
            c->curve[c->n_series++] = c->n_curves;
            c->key[c->n_series] = (hw_frame_key){
                .name = other < any->plan.n_solvers ? any->plan.solver[other].spec : "(any order)",
                .style = c->n_curves + 1};
        }
        c->n_curves++;
    }
}

static void put_data(const hw_census_report *r, const curves *c)
{
    FILE *out = c->frame.out;
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
        for (size_t s = 0; s < c->n_series; s++) {
            (void)fprintf(out, "$data_%d_%zu << EOD\n", a, s);
            for (uint32_t n = 1; n <= HW_DAGS_MOST; n++)
                if (r->at[n])
                    (void)fprintf(out, "%" PRIu32 " %.6g\n", n,
                                  hw_ratio_value(worst_at(r, n, (hw_accounting)a, c->slot[s])));
            (void)fputs("EOD\n", out);
        }
    (void)fputs("$limit << EOD\n", out);
    for (uint64_t n = c->least_nodes; n <= c->most_nodes; n++)
        (void)fprintf(out, "%" PRIu64 " %" PRIu64 "\n", n, (n + 1) / 2);
    (void)fputs("EOD\n", out);
}

#define LIMIT_LINE "linecolor rgb other linewidth 1.5 dashtype 13"
#define LIMIT_MARK "pointtype 2 pointsize 0.8"

/* One line a curve; the legend has one entry a solver. */
static void put_panel(const curves *c, size_t panel)
{
    FILE *out = c->frame.out;
    hw_frame_panel(&c->frame, panel, hw_accounting_name((hw_accounting)panel));
    (void)fputs("plot $limit using 1:2 with linespoints " LIMIT_LINE " " LIMIT_MARK " notitle",
                out);
    for (size_t s = 0; s < c->n_series; s++)
        if (s == 0 || c->curve[s] != c->curve[s - 1])
            (void)fprintf(out, ", $data_%zu_%zu using 1:2 with linespoints linestyle %zu notitle",
                          panel, s, c->curve[s] + 1);
    (void)fputc('\n', out);
}

static void put_script(const hw_census_report *r, curves *c)
{
    char subtitle[SUBTITLE];
    FILE *out = c->frame.out;
    const hw_census *last = r->at[c->most_nodes];
    (void)snprintf(subtitle, sizeof subtitle,
                   "every graph of %" PRIu64 " to %" PRIu64 " nodes with sizes up to %" PRIu32
                   " (at %" PRIu64 " nodes), %s; solvers with one mark share a curve, others "
                   "never miss the optimum",
                   c->least_nodes, c->most_nodes, last->plan.most_size, c->most_nodes,
                   last->plan.all_numberings ? "every source order" : "one source order each");
    c->key[0] = (hw_frame_key){
        .name = "proven limit",
        .look = "using 1:2 with lines " LIMIT_LINE " notitle, "
                "'' every ::1::1 using 1:2 with points linecolor rgb other " LIMIT_MARK};
    c->frame.title = "Worst ratio of peak to optimum";
    c->frame.caption = subtitle;
    c->frame.x_label = "nodes";
    c->frame.y_label = "peak / optimum, worst case";
    c->frame.keys = c->key;
    c->frame.n_keys = c->n_series + 1;
    c->frame.n_panels = 2;
    hw_frame_lay_out(&c->frame);
    hw_frame_begin(&c->frame);
    put_data(r, c);
    (void)fprintf(out,
                  "set xrange [%" PRIu64 ":%" PRIu64 ".2]\nset yrange [0.95:%" PRIu64 ".1]\n"
                  "set xtics 1\n",
                  c->least_nodes, c->most_nodes, (c->most_nodes + 1) / 2);
    for (size_t panel = 0; panel < 2; panel++)
        put_panel(c, panel);
    hw_frame_end(&c->frame);
}

hw_code hw_census_plot(const hw_census_report *r, char **script, unsigned *width_px,
                       unsigned *height_px, hw_error *err)
{
    size_t size = 0;
    *script = NULL;
    if (!hw_census_report_any(r))
        return hw_fail(err, HW_BAD_INPUT, "no number of nodes is whole yet: give all parts");
    curves *c = HW_NEW0(curves, 1);
    if (!c)
        return hw_fail_memory(err, "a plot");
    for (uint32_t n = HW_DAGS_MOST; n >= 1; n--)
        if (r->at[n]) {
            c->least_nodes = n;
            c->most_nodes = c->most_nodes ? c->most_nodes : n;
        }
    find_curves(r, c);
    hw_code code = HW_OK;
    c->frame.out = hw_text_stream(script, &size);
    if (c->frame.out)
        put_script(r, c);
    if (!c->frame.out || fclose(c->frame.out) != 0) {
        free(*script);
        *script = NULL;
        code = hw_fail_memory(err, "a plot");
    }
    *width_px = c->frame.width;
    *height_px = c->frame.height;
    free(c);
    return code;
}
