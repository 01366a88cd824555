/*
 * Proofs: how long it takes to solve, to prove and to check, and how large the
 * proofs are.
 *
 *   bench_proof FOLDER    every graph of a folder, under both accountings, as
 *                         it stands and with views and in-place left out
 *   bench_proof           random graphs of a few families, 40 to 100 nodes
 *
 * "solve" is reading the graph and solving it without a proof, "prove" the same
 * with one; "check" is the whole process highwater-check, from its start to its
 * end; ratio is check / solve.  Times are CPU time, short ones the best of
 * three.  HW_PROOF_SECONDS limits each call of the solver (20).  Every proof is
 * checked: exit status 1 when one is not verified.  gzip has to be installed.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gen/family.h"
#include "io/io.h"
#include "solve/solver.h"
#include "tests/support_io.h"

extern char **environ;
extern const hw_solver_row hw_solver_exact;

typedef struct tally {
    double *ratio;
    size_t n, room;
    double solve_seconds, check_seconds;
    size_t open, cut, refuted;
    uint64_t bytes, zipped;
} tally;

#define SHORT_SECONDS 0.05

static char checker[512];
static char *graph_path, *order_path, *proof_path, *out_path;
static double most_seconds = 20;

static double children_seconds(void)
{
    struct rusage u;
    if (getrusage(RUSAGE_CHILDREN, &u) != 0)
        return 0;
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static bool run(const char *program, char *const argv[], double *seconds)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool good = posix_spawn_file_actions_addopen(&actions, 1, out_path,
                                                 O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0;
    double begin = children_seconds();
    good = good && posix_spawnp(&child, program, &actions, NULL, argv, environ) == 0 &&
           waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    *seconds = children_seconds() - begin;
    (void)posix_spawn_file_actions_destroy(&actions);
    return good;
}

static uint64_t file_size(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? (uint64_t)s.st_size : 0;
}

static hw_code write_graph(const hw_graph *g, hw_error *err)
{
    FILE *f = fopen(graph_path, "w");
    hw_code code =
        f ? hw_graph_write(g, HW_FORMAT_JSON, f, err) : hw_fail(err, HW_IO, "no graph file");
    if (f)
        (void)fclose(f);
    return code;
}

/* Solve the graph file, with a proof or, timed with the reading, without. */
static hw_code solve(hw_accounting accounting, bool prove, hw_answer *a, double *seconds,
                     hw_error *err)
{
    hw_graph *g = NULL;
    hw_model *m = NULL;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_params_preset(hw_solver_exact.params, hw_solver_exact.n_params, values);
    hw_request request = {.params = values, .limits = {.seconds = most_seconds}};
    double begin = hw_cpu_seconds();
    hw_code code = hw_graph_load(graph_path, &g, err);
    if (code == HW_OK)
        code = hw_model_new(g, accounting, false, &m, err);
    if (code == HW_OK && prove) {
        request.proof = fopen(proof_path, "wb");
        code = request.proof ? HW_OK : hw_fail(err, HW_IO, "no proof file");
    }
    if (code == HW_OK)
        code = hw_solve(m, &hw_solver_exact, &request, a, err);
    *seconds = hw_cpu_seconds() - begin;
    if (code == HW_OK && prove) {
        FILE *f = fopen(order_path, "w");
        code = f ? hw_order_write(g, a->order, f, err) : hw_fail(err, HW_IO, "no order file");
        if (f)
            (void)fclose(f);
    }
    if (request.proof && fclose(request.proof) != 0 && code == HW_OK)
        code = hw_fail(err, HW_IO, "the proof could not be written");
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

/* The same, the shortest of three times when it is short. */
static hw_code solve_plain(hw_accounting accounting, hw_answer *a, double *seconds, hw_error *err)
{
    hw_code code = solve(accounting, false, a, seconds, err);
    for (int i = 0; i < 2 && code == HW_OK && *seconds < SHORT_SECONDS; i++) {
        double again;
        hw_answer_clear(a);
        code = solve(accounting, false, a, &again, err);
        *seconds = again < *seconds ? again : *seconds;
    }
    return code;
}

static bool run_check(double *seconds)
{
    char *const arguments[] = {checker, graph_path, order_path, proof_path, NULL};
    bool good = run(checker, arguments, seconds);
    for (int i = 0; i < 2 && good && *seconds < SHORT_SECONDS; i++) {
        double again;
        good = run(checker, arguments, &again);
        *seconds = again < *seconds ? again : *seconds;
    }
    return good;
}

static void count(tally *t, double ratio)
{
    if (t->n == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        double *more = realloc(t->ratio, t->room * sizeof *more);
        if (!more)
            abort();
        t->ratio = more;
    }
    t->ratio[t->n++] = ratio;
}

/* One line of the table. */
static hw_code measure(const char *name, const char *what, hw_accounting accounting, tally *t,
                       hw_error *err)
{
    hw_answer plain = {0}, proven = {0};
    double solving, proving, checking, zipping;
    hw_code code = solve_plain(accounting, &plain, &solving, err);
    if (code != HW_OK)
        return code;
    (void)printf("%-31s %-8s %-11s ", name, what, hw_accounting_name(accounting));
    if (plain.status != HW_OPTIMAL) {
        t->open++;
        (void)printf("%9.2f  not solved\n", solving * 1e3);
        hw_answer_clear(&plain);
        return HW_OK;
    }
    code = solve(accounting, true, &proven, &proving, err);
    if (code == HW_OK && proven.proof != HW_PROOF_COMPLETE) {
        t->cut++;
        (void)printf("%9.2f  %9.2f  proof cut\n", solving * 1e3, proving * 1e3);
    } else if (code == HW_OK) {
        char *const zip[] = {"gzip", "-c", "-n", proof_path, NULL};
        uint64_t bytes = file_size(proof_path), zipped;
        bool zips = run("gzip", zip, &zipping);
        zipped = zips ? file_size(out_path) : 0;
        bool good = run_check(&checking);
        double ratio = checking / solving;
        (void)printf("%9.2f %9.2f %10" PRIu64 " %9" PRIu64 " %9.2f %6.2f%s\n", solving * 1e3,
                     proving * 1e3, bytes, zipped, checking * 1e3, ratio,
                     good ? "" : "  NOT VERIFIED");
        t->refuted += !good;
        t->solve_seconds += solving;
        t->check_seconds += checking;
        t->bytes += bytes;
        t->zipped += zipped;
        count(t, ratio);
    }
    (void)fflush(stdout);
    hw_answer_clear(&plain);
    hw_answer_clear(&proven);
    return code;
}

static hw_code both(const char *name, const char *what, const hw_graph *g, tally *t, hw_error *err)
{
    hw_code code = write_graph(g, err);
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST && code == HW_OK; a++)
        code = measure(name, what, (hw_accounting)a, t, err);
    return code;
}

static hw_code measure_folder(const char *folder, tally *t, hw_error *err)
{
    char **paths = folder_files(folder, ".json");
    hw_code code = paths ? HW_OK : hw_fail(err, HW_IO, "no folder %s", folder);
    for (size_t i = 0; code == HW_OK && paths[i]; i++) {
        const char *slash = strrchr(paths[i], '/'), *name = slash ? slash + 1 : paths[i];
        hw_graph *g = NULL, *stripped = NULL;
        code = hw_graph_load(paths[i], &g, err);
        if (code == HW_OK)
            code = both(name, "as is", g, t, err);
        if (code == HW_OK)
            code = hw_graph_strip(g, true, true, &stripped, err);
        if (code == HW_OK)
            code = both(name, "stripped", stripped, t, err);
        hw_graph_free(g);
        hw_graph_free(stripped);
    }
    free_paths(paths);
    return code;
}

static hw_code measure_families(tally *t, hw_error *err)
{
    static const char *const families[] = {"layered", "erdos", "randwire"};
    hw_code code = HW_OK;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (uint32_t n = 40; n <= 100; n += 30)
            for (uint64_t instance = 0; instance < 3 && code == HW_OK; instance++) {
                const hw_family_row *row;
                hw_param_value values[HW_PARAM_LIMIT];
                hw_graph *g = NULL;
                char spec[64];
                (void)snprintf(spec, sizeof spec, "%s:n=%" PRIu32, families[i], n);
                code = hw_family_parse(spec, &row, values, err);
                if (code == HW_OK)
                    code = hw_generate(row, values, HW_DEFAULT_SEED, instance, &g, err);
                if (code == HW_OK)
                    code = both(spec, "as is", g, t, err);
                hw_graph_free(g);
            }
    return code;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void sum_up(tally *t)
{
    if (t->n)
        qsort(t->ratio, t->n, sizeof *t->ratio, by_value);
    (void)printf("%zu proven and checked, %zu not verified, %zu proofs cut by a limit, %zu not "
                 "solved within %g s\n",
                 t->n, t->refuted, t->cut, t->open, most_seconds);
    if (t->n)
        (void)printf("ratio: median %.2f, 90 %% within %.2f, worst %.2f, of the sums %.2f; "
                     "%" PRIu64 " bytes of proofs, %" PRIu64 " zipped\n",
                     t->ratio[t->n / 2], t->ratio[t->n * 9 / 10], t->ratio[t->n - 1],
                     t->check_seconds / t->solve_seconds, t->bytes, t->zipped);
}

int main(int argc, char **argv)
{
    hw_error err = {0};
    tally t = {0};
    const char *slash = strrchr(argv[0], '/'), *seconds = getenv("HW_PROOF_SECONDS");
    char *folder = make_folder();
    if (argc > 2 || !folder) {
        (void)fputs("usage: bench_proof [FOLDER]\n", stderr);
        return 2;
    }
    if (seconds)
        most_seconds = strtod(seconds, NULL);
    (void)snprintf(checker, sizeof checker, "%.*s/../highwater-check",
                   slash ? (int)(slash - argv[0]) : 1, slash ? argv[0] : ".");
    graph_path = path_in(folder, "graph.json");
    order_path = path_in(folder, "order.json");
    proof_path = path_in(folder, "proof");
    out_path = path_in(folder, "out");
    (void)printf("Proofs: milliseconds to solve, to solve and prove, to check; bytes\n"
                 "%-31s %-8s %-11s %9s %9s %10s %9s %9s %6s\n",
                 "graph", "", "accounting", "solve", "prove", "proof", "gzip", "check", "ratio");
    hw_code code = HW_NO_MEMORY;
    if (graph_path && order_path && proof_path && out_path)
        code = argc > 1 ? measure_folder(argv[1], &t, &err) : measure_families(&t, &err);
    if (code != HW_OK)
        (void)fprintf(stderr, "bench_proof: %s\n", err.message);
    sum_up(&t);
    free(t.ratio);
    free(graph_path);
    free(order_path);
    free(proof_path);
    free(out_path);
    remove_folder(folder);
    return code != HW_OK || t.refuted != 0;
}
