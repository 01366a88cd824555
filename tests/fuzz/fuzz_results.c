/*
 * Fuzz target: files of results.  A record that was read gives a line that
 * reads back the same; figures and tables take whatever was read.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/groups.h"
#include "bench/results.h"
#include "merge/strip.h"
#include "tests/fuzz/fuzz.h"

static char *line_of(const hw_record *r, size_t *n)
{
    char *line;
    hw_error err = {0};
    if (hw_record_format(r, &line, n, &err) != HW_OK)
        fuzz_fail("no line: %s", err.message);
    return line;
}

static void comes_back(const hw_record *r)
{
    size_t n, n_again;
    hw_record again;
    hw_error err = {0};
    char *line = line_of(r, &n), *copy = malloc(n);
    if (!copy)
        fuzz_fail("out of memory");
    memcpy(copy, line, n);
    if (hw_record_parse(copy, n - 1, &again, &err) != HW_OK)
        fuzz_fail("cannot be read again: %s\n%s", err.message, line);
    char *second = line_of(&again, &n_again);
    if (n != n_again || memcmp(line, second, n) != 0 || hw_record_compare_keys(r, &again) != 0)
        fuzz_fail("another line comes back:\n%s%s", line, second);
    free(second);
    free(copy);
    FILE *out = fopen("/dev/null", "we");
    if (!out || hw_strip_line(line, n - 1, HW_STRIP_KEY | HW_STRIP_VERDICT, out, &err) != HW_OK)
        fuzz_fail("cannot be stripped: %s", err.message);
    (void)fclose(out);
    free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hw_results *results;
    hw_error err = {0};
    const char *path = fuzz_file(0, data, size);
    bool whole = fuzz_ended_well(hw_results_load(path, false, &results, &err), &err);
    if (whole)
        hw_results_free(results);
    if (hw_results_load(path, true, &results, &err) != HW_OK)
        fuzz_fail("broken lines are not left out: %s", err.message);
    if (whole != (results->n_broken == 0))
        fuzz_fail("broken lines are counted in one way and refused in another");
    for (size_t i = 0; i < results->n_records; i++)
        comes_back(&results->records[i]);
    hw_results_free(results);
    return 0;
}
