/* Regret as a heat map.  See heat.h. */
#include "buckets/heat.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/text_stream.h"
#include "io/gnuplot.h"
#include "io/gnuplot_text.h"
#include "io/memory_curve.h"

/* Pixels. */
enum { SIDE = 560, LEFT = 100, HEAD = 84, FOOT = 84, RIGHT = 130 };

/* Of the image along a side: viewers blur its pixels, so that each cell gets several. */
enum { PIXELS = 512 };

enum { MOST_TICS = 14, FLAT_TICS = 8, NAME_COLUMNS = 60, DIMENSION_COLUMNS = 24 };

static size_t pixels_a_cell(const hw_regret *r)
{
    return r->n_sizes < PIXELS ? (PIXELS + r->n_sizes - 1) / r->n_sizes : 1;
}

static double percent(const hw_regret *r, size_t order, size_t size)
{
    hw_ratio ratio = {hw_regret_peak(r, order, size), r->size[size].best};
    double above = 100.0 * (hw_ratio_value(ratio) - 1);
    return above < 1e6 ? above : 1e6; /* above nothing at all */
}

static void put_data(FILE *out, const hw_regret *r, double *most)
{
    *most = 0;
    (void)fputs("$regret << EOD\n", out);
    size_t side = pixels_a_cell(r);
    for (size_t y = 0; y < side * r->n_sizes; y++) {
        for (size_t x = 0; x < side * r->n_sizes; x++) {
            double value = percent(r, r->size[y / side].order, x / side);
            *most = value > *most ? value : *most;
            (void)fprintf(out, "%s%.6g", x ? " " : "", value);
        }
        (void)fputc('\n', out);
    }
    (void)fputs("EOD\n", out);
}

static void put_tics(FILE *out, const hw_regret *r, char axis)
{
    size_t step = (r->n_sizes + MOST_TICS - 1) / MOST_TICS;
    (void)fprintf(out, "set %ctics () scale 0%s\n", axis,
                  axis == 'x' && r->n_sizes > FLAT_TICS ? " rotate by 45 right" : "");
    for (size_t i = 0; i < r->n_sizes; i += step)
        (void)fprintf(out, "set %ctics add ('%" PRIu64 "' %zu)\n", axis, r->size[i].value, i);
}

/* A row that runs this order: where it was found, or the first of those that took it over. */
static bool row_of(const hw_regret *r, size_t order, size_t *row)
{
    *row = r->found_at[order];
    if (r->size[*row].order == order)
        return true;
    for (size_t a = 0; a < r->n_sizes; a++)
        if (r->size[a].order == order) {
            *row = a;
            return true;
        }
    return false;
}

static void put_buckets(FILE *out, const hw_regret *r, const hw_cuts *cuts)
{
    for (size_t i = 0; i < cuts->n_buckets; i++) {
        const hw_bucket *b = &cuts->bucket[i];
        size_t row;
        if (i > 0)
            (void)fprintf(out,
                          "set arrow %zu from %zu-0.5, graph 0 to %zu-0.5, graph 1 nohead dt 2 lw "
                          "1.5 lc rgb usage front\n",
                          i, b->first, b->first);
        if (row_of(r, b->order, &row))
            (void)fprintf(out,
                          "set object %zu rectangle from %zu-0.5,%zu-0.5 to %zu+0.5,%zu+0.5 front "
                          "fs empty border rgb usage lw 2.5\n",
                          i + 1, b->first, row, b->last, row);
    }
}

static void put_head(FILE *out, const hw_regret *r, const hw_cuts *cuts, const char *graph,
                     hw_accounting accounting, unsigned height)
{
    size_t optimal = 0;
    for (size_t i = 0; i < r->n_sizes; i++)
        optimal += r->size[i].status == HW_OPTIMAL;
    (void)fputs("set label 1 'Regret of orders at other sizes: ", out);
    hw_gnuplot_put_text(out, graph, NAME_COLUMNS);
    (void)fprintf(out, "' at screen 0.5, screen %.5f center font 'sans,14'\n",
                  1 - 22.0 / (double)height);
    (void)fprintf(out,
                  "set label 2 '%s; the best peak of %zu of %zu sizes is proven; frames: the order "
                  "of each of %zu bucket%s' at screen 0.5, screen %.5f center\n",
                  hw_accounting_name(accounting), optimal, r->n_sizes, cuts->n_buckets,
                  cuts->n_buckets == 1 ? "" : "s", 1 - 46.0 / (double)height);
}

static void put_script(FILE *out, const hw_regret *r, const hw_cuts *cuts, const char *graph,
                       const char *dimension, hw_accounting accounting)
{
    const unsigned width = LEFT + SIDE + RIGHT, height = HEAD + SIDE + FOOT;
    double most;
    (void)fputs("unset key\nunset grid\n", out);
    put_data(out, r, &most);
    put_head(out, r, cuts, graph, accounting, height);
    (void)fprintf(out,
                  "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                  "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                  (double)LEFT / width, 1 - (double)RIGHT / width, 1 - (double)HEAD / height,
                  (double)FOOT / height);
    (void)fprintf(out, "set xrange [-0.5:%zu-0.5]\nset yrange [-0.5:%zu-0.5]\n", r->n_sizes,
                  r->n_sizes);
    put_tics(out, r, 'x');
    put_tics(out, r, 'y');
    (void)fputs("set xlabel 'run at ", out);
    hw_gnuplot_put_text(out, dimension, DIMENSION_COLUMNS);
    (void)fputs("' offset 0,-1\nset ylabel 'order of ", out);
    hw_gnuplot_put_text(out, dimension, DIMENSION_COLUMNS);
    (void)fprintf(
        out, "' offset -2\nset cblabel 'peak above the best (%%)' offset 1\nset cbrange [0:%.6g]\n",
        most > 0 ? most : 1);
    put_buckets(out, r, cuts);
    size_t side = pixels_a_cell(r);
    (void)fprintf(out,
                  "plot $regret matrix using (($1+0.5)/%zu-0.5):(($2+0.5)/%zu-0.5):3 with image "
                  "notitle\n",
                  side, side);
}

hw_code hw_regret_draw(const hw_regret *r, const hw_cuts *cuts, const char *graph,
                       const char *dimension, hw_accounting accounting, const char *path,
                       hw_error *err)
{
    char *script = NULL;
    size_t size = 0;
    FILE *out = hw_text_stream(&script, &size);
    if (!out)
        return hw_fail_memory(err, "a plot");
    put_script(out, r, cuts, graph, dimension, accounting);
    bool whole = !ferror(out);
    hw_code code = fclose(out) == 0 && whole ? HW_OK : hw_fail_memory(err, "a plot");
    if (code == HW_OK)
        code = hw_gnuplot_render(script, LEFT + SIDE + RIGHT, HEAD + SIDE + FOOT, path, err);
    free(script);
    return code;
}
