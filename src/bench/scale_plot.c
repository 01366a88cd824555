/* Growth as plots: a line a solver, log axes.  See scale.h. */
#include <math.h>
#include <stdlib.h>

#include "bench/scale.h"
#include "core/text_stream.h"
#include "io/gnuplot_text.h"

enum { LEGEND_ROW = 17 };
enum { LEFT = 90, WIDTH = 560, LEGEND = 210, TOP = 80, HEIGHT = 430, BOTTOM = 60, NAME = 24 };

/* Pixels of the panel: the legend is no higher, or gnuplot leaves out what is over. */
static unsigned panel_height(const hw_suite_section *section)
{
    unsigned legend = LEGEND_ROW * (unsigned)section->n_solvers;
    return legend > HEIGHT ? legend : HEIGHT;
}

/* What stands on the y axis; NaN: nothing. */
static double value_of(const hw_scale_point *p, bool memory)
{
    if (p->run.fate != HW_FATE_ANSWERED)
        return NAN;
    if (memory)
        return p->run.solve_bytes.known ? (double)p->run.solve_bytes.value : NAN;
    return p->run.solve_seconds > 0 ? p->run.solve_seconds : NAN;
}

/* The points of a solver into a data block; how many there are. */
static size_t put_data(FILE *out, const hw_scale_point *points, size_t n,
                       const hw_suite_solver *solver, size_t series, bool memory)
{
    size_t count = 0;
    (void)fprintf(out, "$data_%zu << EOD\n", series);
    for (size_t i = 0; i < n; i++) {
        double value = points[i].solver == solver ? value_of(&points[i], memory) : NAN;
        if (isnan(value))
            continue;
        (void)fprintf(out, "%u %.6g\n", points[i].run.n_nodes, value);
        count++;
    }
    (void)fputs("EOD\n", out);
    return count;
}

static void put_frame(FILE *out, const hw_suite_section *section, bool memory)
{
    double width = LEFT + WIDTH + LEGEND, height = TOP + panel_height(section) + BOTTOM;
    (void)fprintf(out,
                  "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                  "set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
                  "set key at screen %.4f,%.4f left top Left reverse samplen 2.4 spacing 1.05 "
                  "font ',10'\n"
                  "set logscale xy\nset xlabel 'nodes'\nset format x '%%.0s%%c'\n",
                  LEFT / width, (LEFT + WIDTH) / width, 1 - TOP / height, BOTTOM / height,
                  (LEFT + WIDTH + 12) / width, 1 - TOP / height);
    (void)fprintf(out, "set label 1 '%s of solvers against nodes: ", memory ? "Memory" : "Time");
    hw_gnuplot_put_text(out, section->name, NAME);
    (void)fprintf(out, "' at screen %.4f,%.4f left font ',16' noenhanced\n", 16 / width,
                  1 - 24 / height);
    (void)fprintf(out,
                  "set label 2 \"%s\" at screen %.4f,%.4f left font ',11' textcolor rgb "
                  "faint noenhanced\n",
                  memory ? "resident at most: graph, model and solver; grey: 200 bytes a node"
                         : "CPU time of a call; grey: proportional to the nodes",
                  16 / width, 1 - 48 / height);
    (void)fputs(memory ? "set ylabel 'resident bytes'\nset format y '%.0s %cB'\n"
                       : "set ylabel 'CPU time'\nset format y '%.0s %cs'\n",
                out);
}

static hw_code put_script(FILE *out, const hw_scale_point *points, size_t n,
                          const hw_suite_section *section, bool memory, hw_error *err)
{
    size_t drawn = 0;
    double least = INFINITY, most = 0;
    bool rising = true;
    for (size_t i = 0; i < n; i++) {
        if (points[i].section != section)
            continue;
        rising = rising && (most == 0 || (double)points[i].n > most ||
                            points[i].source == points[i - 1].source);
        least = fmin(least, (double)points[i].n);
        most = fmax(most, (double)points[i].n);
    }
    if (!rising)
        return hw_fail(err, HW_BAD_INPUT, "section %s is a set of shapes, no curve", section->name);
    put_frame(out, section, memory);
    (void)fprintf(out, "set xrange [%.6g:%.6g]\n", least / 1.3, most * 1.3);
    for (size_t i = 0; i < section->n_solvers; i++)
        drawn += put_data(out, points, n, &section->solvers[i], i, memory) > 1;
    if (drawn == 0)
        return hw_fail(err, HW_BAD_INPUT, "section %s has no solver with two sizes to draw",
                       section->name);
    (void)fprintf(out, "plot %s with lines linecolor rgb other linewidth 1.2 notitle",
                  memory ? "200*x" : "1e-7*x");
    for (size_t i = 0; i < section->n_solvers; i++) {
        size_t count = 0;
        for (size_t k = 0; k < n; k++)
            count +=
                points[k].solver == &section->solvers[i] && !isnan(value_of(&points[k], memory));
        if (count == 0)
            continue;
        (void)fprintf(out,
                      ", \\\n $data_%zu using 1:2 with linespoints linestyle %zu "
                      "title '",
                      i, i + 1);
        hw_gnuplot_put_text(out, section->solvers[i].spec, NAME);
        (void)fputs("' noenhanced", out);
    }
    (void)fputc('\n', out);
    return HW_OK;
}

hw_code hw_scale_plot(const hw_scale_point *points, size_t n, const hw_suite_section *section,
                      bool memory, char **script, unsigned *width_px, unsigned *height_px,
                      hw_error *err)
{
    size_t size;
    *width_px = LEFT + WIDTH + LEGEND;
    *height_px = TOP + panel_height(section) + BOTTOM;
    FILE *out = hw_text_stream(script, &size);
    if (!out) {
        *script = NULL;
        return hw_fail_memory(err, "a plot");
    }
    hw_code code = put_script(out, points, n, section, memory, err);
    if (fclose(out) != 0 && code == HW_OK)
        code = hw_fail_memory(err, "a plot");
    if (code != HW_OK) {
        free(*script);
        *script = NULL;
    }
    return code;
}
