/* See support_bench.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/seal.h"
#include "core/memory.h"
#include "support_bench.h"

const char support_plain_suite[] =
    "name = t\nsolver = level\nsolver = greedy\nsolver = random:n=20\n"
    "optimum = enumerate\noptimum = dp\n"
    "family = layered:n=6..8 x3\nfamily = tree:n=7 x4\n";

static char folder[] = "/tmp/highwater-bench-XXXXXX";

int support_bench_enter(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int support_bench_leave(void **state)
{
    (void)state;
    glob_t made;
    if (glob("*", 0, NULL, &made) == 0) {
        for (size_t i = 0; i < made.gl_pathc; i++)
            (void)remove(made.gl_pathv[i]);
        globfree(&made);
    }
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

hw_suite *support_suite(const char *text)
{
    hw_suite *suite;
    hw_error err = {.code = HW_OK};
    FILE *out = fopen("t.suite", "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    if (hw_suite_load("t.suite", &suite, &err) != HW_OK)
        fail_msg("%s", err.message);
    return suite;
}

void support_run_well(const hw_suite *suite, const hw_bench_options *o, hw_bench_counts *counts)
{
    hw_error err = {.code = HW_OK};
    if (hw_bench_run(suite, o, counts, &err) != HW_OK)
        fail_msg("%s", err.message);
}

hw_results *support_results(const char *path)
{
    hw_results *results;
    hw_error err = {.code = HW_OK};
    if (hw_results_load(path, false, &results, &err) != HW_OK)
        fail_msg("%s", err.message);
    return results;
}

char *support_content(const char *path)
{
    FILE *in = fopen(path, "r"), *out;
    char *text, *line = NULL;
    size_t size, room = 0;
    assert_non_null(in);
    out = open_memstream(&text, &size);
    assert_non_null(out);
    while (getline(&line, &room, in) > 0) {
        char *times = strstr(line, "\"wall_seconds\""), *rest = strstr(line, "\"version\"");
        assert_true(times && rest && times < rest);
        (void)fprintf(out, "%.*s%s", (int)(times - line), line, rest);
    }
    free(line);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    return text;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The lines of a text, sorted; the text is cut into them. */
static char **sorted_lines(char *text, size_t *n)
{
    size_t capacity = 0;
    char **line = NULL;
    *n = 0;
    for (char *at = text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        *end = '\0';
        assert_true(hw_grow((void **)&line, &capacity, *n + 1, sizeof *line));
        line[(*n)++] = at;
    }
    qsort((void *)line, *n, sizeof *line, compare_lines);
    return line;
}

void support_same_lines(char *one, char *other)
{
    size_t n, n_other;
    char **line = sorted_lines(one, &n), **again = sorted_lines(other, &n_other);
    assert_int_equal(n, n_other);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(line[i], again[i]);
    free((void *)line);
    free((void *)again);
    free(one);
    free(other);
}

void support_unseal(char *lines)
{
    static const char seal[] = ",\"seal\":\"" HW_SEAL_BLANK "\"";
    for (char *at = lines; (at = strstr(at, ",\"seal\":\""));) {
        char *end = at + sizeof seal - 1;
        memmove(at, end, strlen(end) + 1);
    }
}
