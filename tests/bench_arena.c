/*
 * The exact allocator on the arenas of a folder ($HW_SHARED/arena): states, seconds
 * of processor time and height, within the capacity that the file's name gives and
 * for the least height.
 *
 *     bench_arena [SECONDS [SPEC [FILE...]]]
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/arena.h"
#include "solve/solver.h"

enum { MOST_FILES = 64, PATH_BYTES = 4096 };

static hw_code measure(const hw_arena *a, const char *spec, double seconds, uint64_t capacity,
                       hw_error *err)
{
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_allocator *row = hw_allocator_find(spec, strcspn(spec, ":"));
    if (!row)
        return hw_fail(err, HW_USAGE, "no allocator is called %s", spec);
    hw_code code = hw_params_of_spec("allocator", row->params, row->n_params, spec, values, err);
    if (code != HW_OK)
        return code;
    hw_placement p;
    hw_placement_request request = {
        .params = values, .seconds = seconds, .capacity = capacity, .seed = 1};
    double begin = hw_cpu_seconds();
    code = hw_arena_place(a, row, &request, &p, err);
    if (code != HW_OK)
        return code;
    (void)printf("%-20s %4u buffers  load %8" PRIu64 "  %s %8" PRIu64 "  %-10s height %8" PRIu64
                 "  bound %8" PRIu64 "  %9" PRIu64 " states  %7.2f s\n",
                 a->name, a->n_buffers, a->load, capacity ? "within" : "least ", capacity,
                 !p.placed             ? p.bound > capacity ? "impossible" : "not found"
                 : p.height == p.bound ? "proven"
                                       : "placed",
                 p.placed ? p.height : 0, p.bound, p.states, hw_cpu_seconds() - begin);
    (void)fflush(stdout);
    hw_placement_clear(&p);
    return HW_OK;
}

/* The number between the first two dots of a name such as A.1048576.csv; 0: none. */
static uint64_t capacity_of(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *dot = strchr(name ? name : path, '.');
    return dot ? strtoull(dot + 1, NULL, 10) : 0;
}

static hw_code one_file(const char *path, const char *spec, double seconds, hw_error *err)
{
    hw_arena *a = NULL;
    uint64_t capacity = capacity_of(path);
    hw_code code = hw_arena_read(path, &a, err);
    if (code == HW_OK && capacity)
        code = measure(a, spec, seconds, capacity, err);
    if (code == HW_OK)
        code = measure(a, spec, seconds, 0, err);
    hw_arena_free(a);
    return code;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(x, y);
}

static hw_code whole_folder(const char *folder, const char *spec, double seconds, hw_error *err)
{
    static char path[MOST_FILES][PATH_BYTES];
    size_t n = 0;
    DIR *d = opendir(folder);
    if (!d) {
        (void)printf("skipped: HW_SHARED names no folder with arenas\n");
        return HW_OK;
    }
    for (const struct dirent *e = readdir(d); e && n < MOST_FILES; e = readdir(d)) {
        size_t length = strlen(e->d_name);
        if (length > 4 && strcmp(e->d_name + length - 4, ".csv") == 0)
            n += (size_t)snprintf(path[n], PATH_BYTES, "%s/%s", folder, e->d_name) < PATH_BYTES;
    }
    (void)closedir(d);
    qsort(path, n, sizeof *path, by_name);
    hw_code code = HW_OK;
    for (size_t i = 0; i < n && code == HW_OK; i++)
        code = one_file(path[i], spec, seconds, err);
    return code;
}

int main(int argc, char **argv)
{
    hw_error err = {0};
    hw_code code = HW_OK;
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 10;
    const char *spec = argc > 2 ? argv[2] : "exact", *shared = getenv("HW_SHARED");
    char folder[PATH_BYTES];
    (void)printf("Exact offset allocation, %g seconds at most\n", seconds);
    for (int i = 3; i < argc && code == HW_OK; i++)
        code = one_file(argv[i], spec, seconds, &err);
    if (argc <= 3) {
        (void)snprintf(folder, sizeof folder, "%s/arena", shared ? shared : "../shared");
        code = whole_folder(folder, spec, seconds, &err);
    }
    if (code != HW_OK)
        (void)fprintf(stderr, "bench_arena: %s\n", err.message);
    return code == HW_OK ? 0 : 1;
}
