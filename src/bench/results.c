/* Reading a file of results.  See results.h. */
#include "bench/results.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/input.h"

void hw_results_free(hw_results *results)
{
    if (!results)
        return;
    free(results->text);
    free(results->records);
    free(results);
}

hw_code hw_results_text(const char *path, char **text, size_t *size, hw_error *err)
{
    hw_input in;
    *text = NULL;
    hw_code code = hw_input_open(&in, path, err);
    if (code != HW_OK)
        return code;
    code = hw_input_all(&in, err);
    if (code == HW_OK) {
        *size = in.end - in.start;
        *text = HW_NEW(char, *size + 1);
        if (*text && *size)
            memcpy(*text, in.buffer + in.start, *size);
        if (!*text)
            code = hw_fail_memory(err, "a file of results");
    }
    hw_input_close(&in);
    return code;
}

/* Lines of `highwater solve --trace-out` count ticks, results do not. */
static bool is_of_trace(const char *line, size_t length)
{
    static const char key[] = "\"ticks";
    for (size_t i = 0; i + sizeof key <= length; i++)
        if (memcmp(line + i, key, sizeof key - 1) == 0)
            return true;
    return false;
}

/* Does it begin as `highwater bench` writes lines?  One that is torn: as far as it goes. */
static bool is_begun(const char *line, size_t length, bool torn)
{
    static const char *const heads[] = {"{\"key", "{\"suite"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        size_t n = strlen(heads[i]);
        if (torn && length < n)
            n = length;
        if (length >= n && memcmp(line, heads[i], n) == 0)
            return true;
    }
    return false;
}

const char *hw_results_cure(const char *line, size_t length, uint64_t number, bool torn)
{
    bool begun = is_begun(line, length, torn);
    if (!begun && is_of_trace(line, length))
        return "it is of a trace: draw that by plot --kind anytime, or leave such lines out "
               "(--skip-broken)";
    if (!begun && number == 1)
        return "is this the right file? `highwater bench` writes such lines";
    if (torn)
        return "the run that wrote it was cut off; mend it by `highwater bench --resume`, or leave "
               "such lines out (--skip-broken)";
    return "mend or delete the line, or leave such lines out (--skip-broken)";
}

static hw_code broken_line(hw_results *results, const char *path, uint64_t line, const char *cure,
                           bool skip_broken, const hw_error *why, hw_error *err)
{
    hw_error message = {.code = HW_OK};
    (void)hw_fail(&message, HW_BAD_INPUT, "%s:%llu: no line of results: %s: %s", path,
                  (unsigned long long)line, why->message, cure);
    if (results->n_broken++ == 0) {
        results->broken = message;
        results->broken_line = line;
        results->broken_why = *why;
    }
    if (skip_broken)
        return HW_OK;
    if (err)
        *err = message;
    return HW_BAD_INPUT;
}

static hw_code read_lines(hw_results *results, const char *path, size_t size, bool skip_broken,
                          hw_error *err)
{
    size_t capacity = 0;
    uint64_t line = 0;
    char *at = results->text, *end = at + size;
    while (at < end) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        bool torn = stop == NULL;
        size_t length = (size_t)((torn ? end : stop) - at);
        line++;
        results->torn_end = torn;
        if (!torn)
            results->whole_bytes = (uint64_t)(stop + 1 - results->text);
        if (!hw_grow((void **)&results->records, &capacity, results->n_records + 1,
                     sizeof *results->records))
            return hw_fail_memory(err, "results");
        hw_error why = {.code = HW_OK};
        hw_code code = hw_record_parse(at, length, &results->records[results->n_records], &why);
        if (code == HW_OK) {
            results->records[results->n_records++].line = line;
        } else {
            results->torn_broken = torn;
            results->foreign = results->foreign || (line == 1 && !is_begun(at, length, torn));
            code = broken_line(results, path, line, hw_results_cure(at, length, line, torn),
                               skip_broken, &why, err);
        }
        if (code != HW_OK)
            return code;
        at += length + 1;
    }
    return HW_OK;
}

hw_code hw_results_load(const char *path, bool skip_broken, hw_results **out, hw_error *err)
{
    *out = NULL;
    hw_results *results = HW_NEW0(hw_results, 1);
    size_t size = 0;
    if (!results)
        return hw_fail_memory(err, "results");
    hw_code code = hw_results_text(path, &results->text, &size, err);
    if (code == HW_OK)
        code = read_lines(results, path, size, skip_broken, err);
    if (code != HW_OK) {
        hw_results_free(results);
        return code;
    }
    *out = results;
    return HW_OK;
}
