/* Plot and graphs of a census.  See census_files.h. */
#include "cli/census_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "io/gnuplot.h"
#include "io/folder.h"

hw_code hw_cli_census_check(const hw_cli *c, hw_error *err)
{
    const char *plot = hw_cli_value(c, "plot"), *lines = hw_cli_value(c, "lines");
    hw_code code = plot ? hw_gnuplot_check_ending(plot, err) : HW_OK;
    if (code == HW_OK)
        code = hw_cli_check_output(c, "--plot", plot, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "--lines", lines, err);
    if (code == HW_OK)
        code = hw_folder_check(hw_cli_value(c, "graphs"), err);
    if (code == HW_OK)
        code = hw_cli_two_files("--plot", plot, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_two_files("--lines", lines, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_two_files("--lines", lines, "--plot", plot, err);
    return code;
}

hw_code hw_cli_census_plot(const hw_census_report *r, const char *path, hw_error *err)
{
    char *script;
    unsigned width, height;
    hw_code code = hw_census_plot(r, &script, &width, &height, err);
    if (code != HW_OK)
        return code;
    code = hw_gnuplot_render(script, width, height, path, err);
    free(script);
    return code;
}

/* Names of solvers as names of files: letters, digits, and "-" for the rest. */
static void put_name(const char *spec, char *out, size_t size)
{
    size_t i = 0;
    for (; spec[i] && i + 1 < size; i++) {
        char c = spec[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        out[i] = '-';
        if (plain)
            out[i] = c;
    }
    out[i] = '\0';
}

static hw_code write_graph(const hw_census *c, uint32_t n, size_t solver, hw_accounting accounting,
                           const hw_census_worst *worst, const char *folder, hw_error *err)
{
    char path[4096], name[HW_CENSUS_SPEC];
    hw_graph *graph;
    hw_output out;
    put_name(c->plan.solver[solver].spec, name, sizeof name);
    int length = snprintf(path, sizeof path, "%s/worst-n%" PRIu32 "-%s-%s.json", folder, n, name,
                          hw_accounting_name(accounting));
    if (length < 0 || (size_t)length >= sizeof path)
        return hw_fail(err, HW_USAGE, "--graphs %s: the name is too long", folder);
    hw_code code =
        hw_census_graph(c, n, c->plan.solver[solver].spec, accounting, worst, &graph, err);
    if (code != HW_OK)
        return code;
    code = hw_cli_open_inside(path, &out, err);
    if (code == HW_OK) {
        code = hw_graph_write(graph, HW_FORMAT_JSON, out.stream, err);
        if (code == HW_OK)
            code = hw_cli_commit(&out, err);
        else
            hw_cli_abandon(&out);
    }
    hw_graph_free(graph);
    return code;
}

hw_code hw_cli_census_graphs(const hw_cli *c, const hw_census_report *r, const char *folder,
                             hw_error *err)
{
    size_t written = 0;
    hw_code made = hw_folder_make(folder, err);
    if (made != HW_OK)
        return made;
    for (uint32_t n = 1; n <= HW_DAGS_MOST; n++) {
        const hw_census *census = r->at[n];
        for (size_t s = 0; census && s < census->plan.n_solvers; s++)
            for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
                hw_census_cell cell =
                    hw_census_up_to(census->tally[n], (hw_accounting)a, s, census->plan.most_size);
                if (!cell.worst.found)
                    continue;
                hw_code code =
                    write_graph(census, n, s, (hw_accounting)a, &cell.worst, folder, err);
                if (code != HW_OK)
                    return code;
                written++;
            }
    }
    hw_cli_note(c, "%zu graphs are in %s", written, folder);
    return HW_OK;
}
