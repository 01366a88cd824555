/*
 * How solvers grow with the graph.
 *
 *     bench_scale SUITE FOLDER    the suite into FOLDER/scale.csv, scale.md and
 *                                 scale-SECTION-time.svg, -memory.svg
 *     bench_scale                 memory of greedy at 1,000,000 nodes alone,
 *                                 against its aim
 *
 * Status 1: an order is illegal, claims another peak or beats a bound.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/scale.h"
#include "io/gnuplot.h"

enum { PATH_BYTES = 4096 };

static void tell(void *context, const hw_scale_point *p)
{
    (void)context;
    const hw_scale_run *r = &p->run;
    (void)printf("%-12s %9" PRIu64 "  %-18s %-9s %8.3f M/s %7.1f sim  %5.0f bytes a node  %s\n",
                 p->section->name, p->n, p->solver->spec, hw_scale_fate(r), hw_scale_rate(p) / 1e6,
                 hw_scale_simulations(p),
                 r->n_nodes ? (double)r->solve_bytes.value / r->n_nodes : 0.0, r->message);
    (void)fflush(stdout);
}

/* ---- Aims: what a solver should reach on 1,000,000 nodes with short edges. ---- */

typedef struct aim {
    const char *solver;
    double simulations, rate; /* at most, and nodes a second at least; 0: none */
} aim;

static const aim aims[] = {
    {"level", 6, 0},          {"dfs", 6, 0},     {"by-output", 6, 0},        {"greedy", 6, 0},
    {"greedy-reverse", 6, 0}, {"ort-dfs", 6, 0}, {"inductor-dfs", 6, 0},     {"xla-dfs", 6, 0},
    {"xla-postorder", 6, 0},  {"lpmf", 10, 0},   {"lookahead:k=5", 0, 1.3e6}};
static const double most_growth = 2;
static const char *const short_sections[] = {"layered", "erdos", "chains", "tree"};

static const aim *aim_of(const hw_scale_point *p)
{
    bool is_short = false;
    for (size_t i = 0; i < sizeof short_sections / sizeof short_sections[0]; i++)
        is_short = is_short || strcmp(p->section->name, short_sections[i]) == 0;
    for (size_t i = 0; is_short && i < sizeof aims / sizeof aims[0]; i++)
        if (strcmp(p->solver->spec, aims[i].solver) == 0)
            return &aims[i];
    return NULL;
}

static void put_aim(const hw_scale_point *points, size_t n, const hw_scale_point *p, FILE *out)
{
    const aim *a = aim_of(p);
    double simulations = hw_scale_simulations(p), rate = hw_scale_rate(p);
    double growth = hw_scale_growth(points, n, p->section, p->solver);
    bool met = growth < most_growth && (a->simulations == 0 || simulations <= a->simulations) &&
               (a->rate == 0 || rate >= a->rate);
    (void)fprintf(out, "| %s | %s | %.3g M/s | %.3g | ", p->section->name, p->solver->spec,
                  rate / 1e6, simulations);
    if (a->simulations > 0)
        (void)fprintf(out, "at most %g simulations | ", a->simulations);
    else
        (void)fprintf(out, "at least %g M/s | ", a->rate / 1e6);
    (void)fprintf(out, "%.2f | %s |\n", growth, met ? "met" : "missed");
}

static hw_code write_aims(const hw_scale_point *points, size_t n, FILE *out, hw_error *err)
{
    (void)err;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (points[i].n != 1000000 || !aim_of(&points[i]))
            continue;
        if (!any)
            (void)fprintf(out,
                          "\n## Aims at 1,000,000 nodes, edges short\n\n"
                          "Growth is that of the time a node from 10,000 nodes, below %g.\n\n"
                          "| section | solver | speed | simulations | aim | growth | verdict |\n"
                          "| --- | --- | ---: | ---: | --- | ---: | --- |\n",
                          most_growth);
        any = true;
        put_aim(points, n, &points[i], out);
    }
    return HW_OK;
}

static hw_code write_markdown(const hw_scale_point *points, size_t n, FILE *out, hw_error *err)
{
    hw_code code = hw_scale_write_markdown(points, n, out, err);
    return code == HW_OK ? write_aims(points, n, out, err) : code;
}

static hw_code write_file(const char *folder, const char *name, const hw_scale_point *points,
                          size_t n,
                          hw_code (*put)(const hw_scale_point *, size_t, FILE *, hw_error *),
                          hw_error *err)
{
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (!out)
        return hw_fail(err, HW_IO, "%s: cannot be written", path);
    hw_code code = put(points, n, out, err);
    if (fclose(out) != 0 && code == HW_OK)
        code = hw_fail(err, HW_IO, "%s: cannot be written", path);
    return code;
}

static hw_code draw(const char *folder, const hw_scale_point *points, size_t n, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < n; i++) {
        const hw_suite_section *section = points[i].section;
        for (int memory = 0; code == HW_OK && memory < 2; memory++) {
            char path[PATH_BYTES], *script;
            unsigned width, height;
            if (i > 0 && section == points[i - 1].section)
                continue;
            (void)snprintf(path, sizeof path, "%s/scale-%s-%s.svg", folder, section->name,
                           memory ? "memory" : "time");
            if (hw_scale_plot(points, n, section, memory, &script, &width, &height, err) != HW_OK)
                continue; /* shapes are no curve */
            code = hw_gnuplot_render(script, width, height, path, err);
            free(script);
        }
    }
    return code;
}

/* The header, by the shell around this program, stands before the tables. */
static hw_code run_suite(const char *path, const char *folder, hw_error *err)
{
    hw_suite *suite;
    hw_scale_point *points = NULL;
    size_t n = 0;
    hw_code code = hw_suite_load(path, &suite, err);
    if (code != HW_OK)
        return code;
    hw_code found = hw_scale_measure(suite, tell, NULL, &points, &n, err);
    hw_error other = {.code = HW_OK};
    code = found == HW_CHECK_FAILED ? HW_OK : found;
    hw_error *place = found == HW_CHECK_FAILED ? &other : err;
    if (code == HW_OK)
        code = write_file(folder, "scale.csv", points, n, hw_scale_write_csv, place);
    if (code == HW_OK)
        code = write_file(folder, "scale.md", points, n, write_markdown, place);
    if (code == HW_OK)
        code = draw(folder, points, n, place);
    if (code != HW_OK && found == HW_CHECK_FAILED)
        *err = other;
    free(points);
    hw_suite_free(suite);
    return code == HW_OK ? found : code;
}

/* ---- Memory alone. ---- */

static void tell_memory(void *context, const hw_scale_point *p)
{
    const hw_scale_run *r = &p->run;
    (void)context;
    if (r->fate != HW_FATE_ANSWERED || !r->solve_bytes.known) {
        (void)printf("%s: no figure: %s %s\n", p->source->label, hw_scale_fate(r), r->message);
        return;
    }
    double most = hw_scale_memory_aim(r->n_nodes, r->n_edges), bytes = (double)r->solve_bytes.value;
    (void)printf("%s:%-36s %8" PRIu32 " edges  graph and model %4.0f, with %s %4.0f bytes a node "
                 "(at most %.0f), process %.0f MiB\n",
                 p->source->family->name, p->source->label, r->n_edges,
                 (double)r->graph_bytes.value / r->n_nodes, p->solver->spec, bytes / r->n_nodes,
                 most / r->n_nodes, (double)r->process_bytes.value / 0x1p20);
}

static hw_code run_memory(hw_error *err)
{
    static const char text[] = "name = memory\naccounting = alloc-first\nsolver = greedy\n"
                               "family = layered:n=1000000,width=10,degree=3\n"
                               "family = erdos:n=1000000,degree=3,span=100\n"
                               "family = chains:n=1000000,branches=10\n"
                               "family = tree:n=1000000,reach=50\n";
    char path[] = "/tmp/highwater-memory-XXXXXX";
    int file = mkstemp(path);
    if (file < 0)
        return hw_fail(err, HW_IO, "cannot make a file in /tmp");
    bool written = write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1;
    hw_suite *suite = NULL;
    hw_scale_point *points = NULL;
    size_t n = 0;
    hw_code code = close(file) == 0 && written ? hw_suite_load(path, &suite, err)
                                               : hw_fail(err, HW_IO, "%s: cannot be written", path);
    (void)unlink(path);
    if (code == HW_OK)
        code = hw_scale_measure(suite, tell_memory, NULL, &points, &n, err);
    free(points);
    hw_suite_free(suite);
    return code;
}

int main(int argc, char **argv)
{
    hw_error err = {.code = HW_OK};
    if (argc != 1 && argc != 3) {
        (void)fprintf(stderr, "usage: bench_scale [SUITE FOLDER]\n");
        return 2;
    }
    hw_code code = argc == 3 ? run_suite(argv[1], argv[2], &err) : run_memory(&err);
    if (code != HW_OK)
        (void)fprintf(stderr, "bench_scale: %s\n", err.message);
    return hw_exit_status(code);
}
