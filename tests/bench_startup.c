/*
 * What it costs to start the program: `highwater --help` beside a program that
 * does nothing, in pairs, so that both meet the same machine.
 *
 *     bench_startup [PAIRS]
 *
 * Both programs are those of the build, found from this one.  Wall time counts
 * from the spawn to the end; CPU time is that of the process, which other work
 * on the machine touches least.
 */
#define _GNU_SOURCE /* wait4 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solve/solver.h"

extern char **environ;

enum { PAIRS = 500, PATH_BYTES = 4096 };

typedef struct cost {
    double wall_ms, cpu_ms;
} cost;

static double ms_of(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec * 1e-3;
}

static bool run(const char *program, char *argument, cost *out)
{
    char name[] = "program";
    char *argv[] = {name, argument, NULL};
    posix_spawn_file_actions_t actions;
    struct rusage used;
    pid_t child;
    int status;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    double start = hw_wall_seconds();
    bool good =
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn(&child, program, &actions, NULL, argv, environ) == 0 &&
        wait4(child, &status, 0, &used) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    out->wall_ms = (hw_wall_seconds() - start) * 1e3;
    (void)posix_spawn_file_actions_destroy(&actions);
    if (good)
        out->cpu_ms = ms_of(used.ru_utime) + ms_of(used.ru_stime);
    return good;
}

static int compare(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

static void print(const char *what, double *ms, size_t n)
{
    qsort(ms, n, sizeof *ms, compare);
    printf("%-34s %8.2f %8.2f %8.2f %8.2f\n", what, ms[0], ms[n / 4], ms[n / 2], ms[n - 1 - n / 4]);
}

int main(int argc, char **argv)
{
    enum { EMPTY_WALL, WALL, WALL_MORE, EMPTY_CPU, CPU, CPU_MORE, FIGURES };
    static const char *const names[FIGURES] = {
        [EMPTY_WALL] = "empty program, wall ms",  [WALL] = "highwater --help, wall ms",
        [WALL_MORE] = "difference in a pair, ms", [EMPTY_CPU] = "empty program, CPU ms",
        [CPU] = "highwater --help, CPU ms",       [CPU_MORE] = "difference in a pair, ms"};
    static char help[] = "--help", none[] = "";
    char program[PATH_BYTES], empty[PATH_BYTES];
    double *figure[FIGURES] = {NULL};
    size_t pairs = argc > 1 ? strtoul(argv[1], NULL, 10) : PAIRS;
    const char *slash = strrchr(argv[0], '/');
    int folder = slash ? (int)(slash - argv[0]) : 0;
    (void)snprintf(program, sizeof program, "%.*s/../highwater", folder, argv[0]);
    (void)snprintf(empty, sizeof empty, "%.*s/empty", folder, argv[0]);
    bool good = folder > 0 && pairs > 0;
    for (int k = 0; k < FIGURES; k++) {
        figure[k] = calloc(pairs ? pairs : 1, sizeof **figure);
        good = good && figure[k];
    }
    for (size_t i = 0; i < pairs && good; i++) {
        cost a, b;
        good = run(empty, none, &a) && run(program, help, &b);
        if (!good)
            break;
        const double values[FIGURES] = {a.wall_ms, b.wall_ms, b.wall_ms - a.wall_ms,
                                        a.cpu_ms,  b.cpu_ms,  b.cpu_ms - a.cpu_ms};
        for (int k = 0; k < FIGURES; k++)
            figure[k][i] = values[k];
    }
    if (good) {
        printf("%zu pairs %33s %8s %8s %8s\n", pairs, "least", "quarter", "median", "3/4");
        for (int k = 0; k < FIGURES; k++)
            print(names[k], figure[k], pairs);
        printf("ratio of the medians: %.2f (wall), %.2f (CPU)\n",
               figure[WALL][pairs / 2] / figure[EMPTY_WALL][pairs / 2],
               figure[CPU][pairs / 2] / figure[EMPTY_CPU][pairs / 2]);
    } else {
        (void)fprintf(stderr, "bench_startup: cannot run %s and %s\n", empty, program);
    }
    for (int k = 0; k < FIGURES; k++)
        free(figure[k]);
    return good ? 0 : 1;
}
