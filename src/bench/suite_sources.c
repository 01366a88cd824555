/*
 * The sources of a suite: rows of families with lists of values, graph files.
 *
 * In "layered:n=6..10,degree=1|2 x20" a value may be a range (6..10, or
 * 12..30/6 in steps), or alternatives (1|2), or both; all combinations are
 * sources, the last parameter changing fastest.  See suite_internal.h.
 */
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/suite_internal.h"
#include "core/memory.h"
#include "core/text_stream.h"
#include "io/text.h"

enum { FIRST_WORDS = 8, MOST_WORDS = 4096, MOST_AXES = HW_PARAM_LIMIT };
static const uint64_t most_sources = 100000, most_instances = 10000000;

/* A parameter and the values that it takes. */
typedef struct axis {
    const char *name;
    char **word;
    size_t n, capacity, at;
} axis;

/* A new source, which the suite owns from now on; NULL on failure. */
static hw_code add_source(hw_suite_reader *r, uint32_t section, uint64_t n_instances,
                          hw_suite_source **out, hw_error *err)
{
    hw_suite *s = r->suite;
    *out = NULL;
    if (s->n_sources >= most_sources)
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "more than %" PRIu64 " sets of parameters and files: split the suite",
                             most_sources);
    if (!hw_grow((void **)&s->sources, &r->sources_capacity, s->n_sources + 1, sizeof *s->sources))
        return hw_fail_memory(err, "a suite");
    *out = &s->sources[s->n_sources++];
    **out = (hw_suite_source){.section = section, .n_instances = n_instances, .line = r->line};
    return HW_OK;
}

static hw_code add_word(hw_suite_reader *r, axis *a, const char *text, size_t n, hw_error *err)
{
    if (a->n >= MOST_WORDS)
        return hw_suite_fail(r, HW_BAD_INPUT, err, "%s has more than %d values: split the row",
                             a->name, MOST_WORDS);
    if (!hw_grow((void **)&a->word, &a->capacity, a->n + 1, sizeof *a->word))
        return hw_fail_memory(err, "a suite");
    a->word[a->n] = hw_copy_text(text, n);
    if (!a->word[a->n])
        return hw_fail_memory(err, "a suite");
    a->n++;
    return HW_OK;
}

/* "6..10" or "12..30/6"; *is_range is false when the text is no range. */
static hw_code add_range(hw_suite_reader *r, axis *a, const char *text, bool *is_range,
                         hw_error *err)
{
    char *end;
    errno = 0;
    long long low = strtoll(text, &end, 10), step = 1;
    *is_range = end != text && strncmp(end, "..", 2) == 0;
    if (!*is_range)
        return HW_OK;
    char *from = end + 2;
    long long high = strtoll(from, &end, 10);
    bool good = end != from;
    if (good && *end == '/') {
        from = end + 1;
        step = strtoll(from, &end, 10);
        good = end != from;
    }
    if (!good || *end != '\0' || errno == ERANGE || step < 1 || high < low)
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "%s=%s is no range: write LOW..HIGH or LOW..HIGH/STEP", a->name, text);
    hw_code code = HW_OK;
    for (long long value = low; code == HW_OK; value += step) {
        char word[32];
        int n = snprintf(word, sizeof word, "%lld", value);
        code = add_word(r, a, word, (size_t)n, err);
        if ((unsigned long long)high - (unsigned long long)value < (unsigned long long)step)
            break;
    }
    return code;
}

static hw_code read_axis(hw_suite_reader *r, axis *a, char *text, hw_error *err)
{
    a->name = text;
    a->capacity = FIRST_WORDS;
    a->word = HW_NEW(char *, FIRST_WORDS);
    if (!a->word)
        return hw_fail_memory(err, "a suite");
    char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0')
        return hw_suite_fail(r, HW_BAD_INPUT, err, "'%s' is no parameter: write name=value", text);
    *equals = '\0';
    for (char *word = equals + 1; word;) {
        bool is_range;
        char *end = strchr(word, '|');
        if (end)
            *end++ = '\0';
        hw_code code = add_range(r, a, word, &is_range, err);
        if (code == HW_OK && !is_range)
            code = add_word(r, a, word, strlen(word), err);
        if (code != HW_OK)
            return code;
        word = end;
    }
    return HW_OK;
}

/* The next combination; false when all have been. */
static bool advance(axis *axes, size_t n)
{
    while (n > 0) {
        axis *a = &axes[--n];
        if (++a->at < a->n)
            return true;
        a->at = 0;
    }
    return false;
}

/* The word that the family's parameter `sizes` is set to, if it has one. */
static hw_code note_sizes(hw_suite_source *source, hw_error *err)
{
    const hw_family_row *family = source->family;
    for (size_t i = 0; i < family->n_params; i++) {
        if (strcmp(family->params[i].name, "sizes") != 0 ||
            family->params[i].type != HW_PARAM_CHOICE)
            continue;
        const char *word = family->params[i].choices;
        for (int64_t skipped = 0; skipped < source->values[i].i; skipped++)
            word += strcspn(word, "|") + 1;
        source->sizes = hw_copy_text(word, strcspn(word, "|"));
        if (!source->sizes)
            return hw_fail_memory(err, "a suite");
    }
    return HW_OK;
}

static hw_code add_combination(hw_suite_reader *r, const hw_suite_source *proto, const axis *axes,
                               size_t n_axes, hw_error *err)
{
    const hw_family_row *family = proto->family;
    hw_suite_source *source;
    hw_code code = add_source(r, proto->section, proto->n_instances, &source, err);
    if (!source)
        return code;
    size_t size;
    FILE *label = hw_text_stream(&source->label, &size);
    if (!label)
        return hw_fail_memory(err, "a suite");
    for (size_t i = 0; i < n_axes; i++)
        (void)fprintf(label, "%s%s=%s", i ? "," : "", axes[i].name, axes[i].word[axes[i].at]);
    source->family = family;
    source->values = HW_NEW(hw_param_value, HW_PARAM_LIMIT);
    if (fclose(label) != 0 || !source->values)
        return hw_fail_memory(err, "a suite");
    char owner[80];
    hw_error why = {.code = HW_OK};
    (void)snprintf(owner, sizeof owner, "family %s", family->name);
    hw_params_preset(family->params, family->n_params, source->values);
    if (hw_params_parse(family->params, family->n_params, owner, source->label, source->values,
                        &why) != HW_OK)
        return hw_suite_fail(r, HW_BAD_INPUT, err, "%s", why.message);
    return note_sizes(source, err);
}

/* Cut " x20" off the end of text. */
static hw_code read_instances(hw_suite_reader *r, char *text, uint64_t *n, hw_error *err)
{
    *n = 1;
    char *blank = strpbrk(text, " \t");
    if (!blank)
        return HW_OK;
    *blank = '\0';
    char *count = blank + 1 + strspn(blank + 1, " \t"), *end = count;
    errno = 0;
    unsigned long long number = *count == 'x' ? strtoull(count + 1, &end, 10) : 0;
    if (*count != 'x' || end == count + 1 || *end != '\0' || errno == ERANGE || number == 0 ||
        number > most_instances)
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "'%s' is no number of instances: write x1 to x%" PRIu64
                             " behind the family, and its parameters without blanks",
                             count, most_instances);
    *n = number;
    return HW_OK;
}

static hw_code add_combinations(hw_suite_reader *r, const hw_suite_source *proto, char *params,
                                axis *axes, hw_error *err)
{
    size_t n_axes = 0;
    while (params && *params) {
        char *end = strchr(params, ',');
        if (end)
            *end++ = '\0';
        if (n_axes == MOST_AXES)
            return hw_suite_fail(r, HW_BAD_INPUT, err, "more than %d parameters", MOST_AXES);
        hw_code code = read_axis(r, &axes[n_axes++], params, err);
        if (code != HW_OK)
            return code;
        params = end;
    }
    hw_code code;
    do
        code = add_combination(r, proto, axes, n_axes, err);
    while (code == HW_OK && advance(axes, n_axes));
    return code;
}

hw_code hw_suite_add_families(hw_suite_reader *r, uint32_t section, char *text, hw_error *err)
{
    hw_suite_source proto = {.section = section};
    hw_code code = read_instances(r, text, &proto.n_instances, err);
    if (code != HW_OK)
        return code;
    char *params = strchr(text, ':');
    if (params)
        *params++ = '\0';
    hw_param_value unused[HW_PARAM_LIMIT];
    hw_error why = {.code = HW_OK};
    if (hw_family_parse(text, &proto.family, unused, &why) != HW_OK)
        return hw_suite_fail(r, HW_BAD_INPUT, err, "%s", why.message);
    axis axes[MOST_AXES] = {{.name = NULL}};
    code = add_combinations(r, &proto, params, axes, err);
    for (size_t i = 0; i < MOST_AXES; i++) {
        for (size_t k = 0; k < axes[i].n; k++)
            free(axes[i].word[k]);
        free((void *)axes[i].word);
    }
    return code;
}

/* ---- Files. ---- */

/*
 * The pattern with its variable and folder put in; *variable points at the
 * name of one that is not set, with *out NULL.
 */
static hw_code full_pattern(const hw_suite_reader *r, const char *pattern, char *variable,
                            size_t variable_size, char **out, hw_error *err)
{
    const char *start = r->folder, *rest = pattern;
    *out = NULL;
    *variable = '\0';
    if (pattern[0] == '$') {
        size_t n = strcspn(pattern + 1, "/");
        if (n == 0 || n >= variable_size)
            return hw_suite_fail(r, HW_BAD_INPUT, err,
                                 "'%s': write $NAME/rest with the name of a variable", pattern);
        memcpy(variable, pattern + 1, n);
        variable[n] = '\0';
        start = getenv(variable);
        rest = pattern + 1 + n;
        if (!start || !*start)
            return HW_OK;
    } else if (pattern[0] == '/') {
        start = "";
    }
    size_t size = strlen(start) + strlen(rest) + 1;
    *out = HW_NEW(char, size);
    if (!*out)
        return hw_fail_memory(err, "a suite");
    (void)snprintf(*out, size, "%s%s", start, rest);
    return HW_OK;
}

static hw_code add_file(hw_suite_reader *r, uint32_t section, const char *path, hw_error *err)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t n = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    if (!hw_is_utf8(base, n))
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "%s: the name is not UTF-8, as results are: rename the file", path);
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "%s: is no regular file, and graphs of a suite are read several "
                             "times: write it into one first",
                             path);
    hw_suite_source *source;
    hw_code code = add_source(r, section, 1, &source, err);
    if (!source)
        return code;
    source->label = hw_copy_text(base, n);
    source->path = hw_copy_text(path, strlen(path));
    return source->label && source->path ? HW_OK : hw_fail_memory(err, "a suite");
}

hw_code hw_suite_add_files(hw_suite_reader *r, uint32_t section, const char *pattern, bool optional,
                           hw_error *err)
{
    char variable[64], *full;
    hw_code code = full_pattern(r, pattern, variable, sizeof variable, &full, err);
    if (code != HW_OK)
        return code;
    if (!full && optional)
        return hw_suite_note(r, err, "%s is skipped: the variable %s is not set", pattern,
                             variable);
    if (!full)
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "the variable %s is not set: set it, or write graph-if-present",
                             variable);
    glob_t found;
    int failed = glob(full, 0, NULL, &found);
    if (failed == 0) {
        /* glob() sorts by locale, the plan must not depend on it: C locale is
         * what programs start in, and this one never leaves it. */
        for (size_t i = 0; code == HW_OK && i < found.gl_pathc; i++)
            code = add_file(r, section, found.gl_pathv[i], err);
        globfree(&found);
    } else if (failed == GLOB_NOSPACE) {
        code = hw_fail_memory(err, "a list of files");
    } else if (optional) {
        code = hw_suite_note(r, err, "%s is skipped: there is no such file", pattern);
    } else {
        code = hw_suite_fail(r, HW_BAD_INPUT, err,
                             "no file is named %s: mend the path (it is relative to the folder of "
                             "the suite), or write graph-if-present",
                             full);
    }
    free(full);
    return code;
}
