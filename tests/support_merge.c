/* Sweeps cut into parts and put together again.  See support_merge.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/plan.h"
#include "bench/results.h"
#include "support_bench.h"
#include "support_io.h"
#include "support_merge.h"

static char *folder;

int enter_sweep_folder(void **state)
{
    (void)state;
    folder = make_folder();
    return folder && chdir(folder) == 0 ? 0 : -1;
}

int leave_sweep_folder(void **state)
{
    (void)state;
    int code = chdir("/");
    remove_folder(folder);
    return code;
}

hw_suite *suite_of_text(const char *path, const char *text)
{
    hw_suite *suite;
    hw_error err = {.code = HW_OK};
    assert_true(write_text(path, text));
    if (hw_suite_load(path, &suite, &err) != HW_OK)
        fail_msg("%s", err.message);
    return suite;
}

void run_sweep(const hw_suite *suite, const char *path)
{
    hw_bench_options o = {.output = path, .jobs = 2, .overwrite = true};
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    if (hw_bench_run(suite, &o, &counts, &err) != HW_OK)
        fail_msg("%s", err.message);
}

/* The lines of a file, without their ends; released by free_lines(). */
static char **lines_of(const char *path, size_t *n)
{
    size_t size;
    char *text = file_bytes(path, &size), *rest = NULL;
    assert_non_null(text);
    char **lines = calloc(size + 1, sizeof *lines);
    assert_non_null(lines);
    *n = 0;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        lines[(*n)++] = strdup(line);
    free(text);
    return lines;
}

static void free_lines(char **lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(lines[i]);
    free(lines);
}

void cut_sweep(const hw_suite *suite, const char *from, uint64_t parts)
{
    enum { MOST_PARTS = 16 };
    FILE *out[MOST_PARTS];
    hw_error err = {.code = HW_OK};
    size_t *order, n_units, n;
    hw_plan *plan;
    assert_int_equal(hw_plan_choose(suite, NULL, &order, &n_units, &err), HW_OK);
    assert_int_equal(hw_plan_new(suite, &plan, &err), HW_OK);
    uint64_t *part = calloc(n_units, sizeof *part);
    assert_non_null(part);
    for (size_t i = 0; i < n_units; i++)
        part[order[i]] = i % parts;
    for (uint64_t p = 0; p < parts; p++) {
        char name[32];
        (void)snprintf(name, sizeof name, "part-%d.jsonl", (int)p + 1);
        out[p] = fopen(name, "w");
        assert_non_null(out[p]);
    }
    char **line = lines_of(from, &n);
    for (size_t i = 0; i < n; i++) {
        char *copy = strdup(line[i]);
        hw_record r;
        size_t unit, solver;
        assert_int_equal(hw_record_parse(copy, strlen(copy), &r, &err), HW_OK);
        assert_true(hw_plan_find(plan, &r, &unit, &solver));
        (void)fprintf(out[part[unit]], "%s\n", line[i]);
        free(copy);
    }
    free_lines(line, n);
    for (uint64_t p = 0; p < parts; p++)
        assert_int_equal(fclose(out[p]), 0);
    free(part);
    free(order);
    hw_plan_free(plan);
}

/* An edit that is meant, as against damage, takes the seal (bench/seal.h) along. */
static void put_edited(const char *line, const char *at, size_t n_old, const char *new, FILE *out)
{
    char *edited = NULL;
    size_t n;
    FILE *text = open_memstream(&edited, &n);
    assert_non_null(text);
    (void)fprintf(text, "%.*s%s%s\n", (int)(at - line), line, new, at + n_old);
    assert_int_equal(fclose(text), 0);
    support_unseal(edited);
    (void)fputs(edited, out);
    free(edited);
}

void edit_line(const char *from, const char *to, size_t number, const char *old, const char *new)
{
    size_t n, edited = 0;
    char **line = lines_of(from, &n);
    FILE *out = fopen(to, "w");
    assert_non_null(out);
    for (size_t i = 0; i < n; i++) {
        const char *at = number == 0 || i + 1 == number ? strstr(line[i], old) : NULL;
        edited += at != NULL;
        if (at)
            put_edited(line[i], at, strlen(old), new, out);
        else
            (void)fprintf(out, "%s\n", line[i]);
    }
    assert_int_equal(fclose(out), 0);
    free_lines(line, n);
    if (edited == 0)
        fail_msg("'%s' is not there to be edited", old);
}

void drop_line(const char *from, const char *to, size_t number)
{
    size_t n;
    char **line = lines_of(from, &n);
    FILE *out = fopen(to, "w");
    assert_true(out && number <= n);
    for (size_t i = 0; i < n; i++)
        if (i + 1 != number)
            (void)fprintf(out, "%s\n", line[i]);
    assert_int_equal(fclose(out), 0);
    free_lines(line, n);
}

size_t line_with(const char *path, const char *text, size_t nth)
{
    size_t n, found = 0;
    char **line = lines_of(path, &n);
    for (size_t i = 0; i < n && !found; i++)
        if (strstr(line[i], text) && --nth == 0)
            found = i + 1;
    free_lines(line, n);
    if (!found)
        fail_msg("no such line: %s", text);
    return found;
}

/* ---- Merging. ---- */

enum { MOST_PATHS = 16 };
static char names[256];
static const char *path_of[MOST_PATHS];

static void collect(void *context, const char *text)
{
    char *told = context;
    size_t length = strlen(told);
    (void)snprintf(told + length, TOLD_BYTES - length, "%s\n", text);
}

hw_code merge_open(const hw_suite *suite, const char *paths, const hw_merge_options *options,
                   char told[TOLD_BYTES], hw_merge **out, hw_error *err)
{
    hw_merge_options o = options ? *options : (hw_merge_options){.stop = NULL};
    size_t n = 0;
    char *rest = NULL;
    told[0] = '\0';
    o.contradiction = collect;
    o.contradiction_context = told;
    (void)snprintf(names, sizeof names, "%s", paths);
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        path_of[n++] = name;
    return hw_merge_open(suite, path_of, n, &o, out, err);
}

hw_code merge_write(const hw_suite *suite, hw_merge *merge, const char *to, hw_error *err)
{
    FILE *out = fopen(to, "w");
    assert_non_null(out);
    hw_code code = HW_OK;
    for (size_t u = 0; code == HW_OK && u < suite->n_units; u++) {
        hw_merged_unit unit;
        code = hw_merge_unit(merge, u, &unit, err);
        for (size_t i = 0; code == HW_OK && i < unit.n; i++)
            assert_int_equal(fwrite(unit.run[i].text, 1, unit.run[i].length, out),
                             unit.run[i].length);
    }
    assert_int_equal(fclose(out), 0);
    return code == HW_OK ? hw_merge_end(merge, err) : code;
}

hw_code merge_files(const hw_suite *suite, const char *paths, const char *to, char told[TOLD_BYTES],
                    hw_merge_counts *counts, hw_error *err)
{
    hw_merge *merge;
    hw_code code = merge_open(suite, paths, NULL, told, &merge, err);
    if (code == HW_OK) {
        code = merge_write(suite, merge, to, err);
        *counts = *hw_merge_count(merge);
        hw_merge_close(merge);
    }
    return code;
}

void assert_same_files(const char *a, const char *b)
{
    size_t x, y;
    char *one = file_bytes(a, &x), *two = file_bytes(b, &y);
    assert_true(one && two);
    if (x != y || memcmp(one, two, x) != 0)
        fail_msg("%s and %s differ", a, b);
    free(one);
    free(two);
}
