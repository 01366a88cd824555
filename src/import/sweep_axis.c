/* The values of a dimension out of a text.  See sweep.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/sweep.h"

static hw_code not_an_axis(const char *text, hw_error *err)
{
    return hw_fail(err, HW_USAGE,
                   "'%.200s' is no range of a dimension: give NAME=LOW:HIGH:STEP or NAME=A,B,C, as "
                   "in H=224:1024:32",
                   text);
}

/* Digits alone, below 2^63; *end is what follows them. */
static bool read_number(const char *text, const char **end, uint64_t *value)
{
    char *after;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    unsigned long long number = strtoull(text, &after, 10);
    *end = after;
    *value = number;
    return errno == 0 && number <= INT64_MAX;
}

static hw_code add_value(hw_sweep_axis *axis, size_t *capacity, uint64_t value, hw_error *err)
{
    if (axis->n_values >= HW_SWEEP_MOST_VALUES)
        return hw_fail(err, HW_USAGE, "more than %d values of %s: take a larger step",
                       (int)HW_SWEEP_MOST_VALUES, axis->name[0]);
    if (!hw_grow((void **)&axis->value, capacity, axis->n_values + 1, sizeof *axis->value))
        return hw_fail_memory(err, "the values of a dimension");
    axis->value[axis->n_values++] = value;
    return HW_OK;
}

static hw_code read_values(hw_sweep_axis *axis, const char *text, const char *whole, hw_error *err)
{
    size_t capacity = 0;
    for (const char *at = text;; at++) {
        uint64_t low, high, step = 1;
        if (!read_number(at, &at, &low))
            return not_an_axis(whole, err);
        high = low;
        if (*at == ':' && !read_number(at + 1, &at, &high))
            return not_an_axis(whole, err);
        if (*at == ':' && !read_number(at + 1, &at, &step))
            return not_an_axis(whole, err);
        if (step == 0 || high < low || (*at != ',' && *at != '\0'))
            return not_an_axis(whole, err);
        for (uint64_t value = low;; value += step) {
            hw_code code = add_value(axis, &capacity, value, err);
            if (code != HW_OK)
                return code;
            if (high - value < step)
                break;
        }
        if (*at == '\0')
            return HW_OK;
    }
}

static hw_code read_names(hw_sweep_axis *axis, const char *whole, hw_error *err)
{
    for (char *at = axis->text; at;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma++ = '\0';
        if (*at == '\0')
            return not_an_axis(whole, err);
        if (axis->n_names >= HW_SWEEP_MOST_NAMES)
            return hw_fail(err, HW_USAGE, "more than %d dimensions in '%.200s'",
                           (int)HW_SWEEP_MOST_NAMES, whole);
        for (size_t i = 0; i < axis->n_names; i++)
            if (strcmp(axis->name[i], at) == 0)
                return hw_fail(err, HW_USAGE, "'%.200s' names %s twice: name it once", whole, at);
        axis->name[axis->n_names++] = at;
        at = comma;
    }
    return HW_OK;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

hw_code hw_sweep_axis_read(const char *text, hw_sweep_axis *out, hw_error *err)
{
    const char *equals = strrchr(text, '=');
    hw_code code = HW_OK;
    *out = (hw_sweep_axis){0};
    if (!equals || equals == text)
        return not_an_axis(text, err);
    out->text = hw_copy(text, strlen(text) + 1, 1);
    if (!out->text)
        return hw_fail_memory(err, "the values of a dimension");
    out->text[equals - text] = '\0';
    code = read_names(out, text, err);
    if (code == HW_OK)
        code = read_values(out, equals + 1, text, err);
    if (code == HW_OK)
        qsort(out->value, out->n_values, sizeof *out->value, by_value);
    for (size_t i = 1; code == HW_OK && i < out->n_values; i++)
        if (out->value[i] == out->value[i - 1])
            code = hw_fail(err, HW_USAGE, "'%.200s' gives %" PRIu64 " twice: give it once", text,
                           out->value[i]);
    if (code != HW_OK)
        hw_sweep_axis_clear(out);
    return code;
}

void hw_sweep_axis_clear(hw_sweep_axis *axis)
{
    free(axis->text);
    free(axis->value);
    *axis = (hw_sweep_axis){0};
}

bool hw_sweep_is_axis(const char *text)
{
    const char *equals = strrchr(text, '=');
    return equals && strpbrk(equals, ":,") != NULL;
}
