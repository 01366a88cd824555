/* Reading digests and comparing with them.  See digest.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/flat_json.h"
#include "bench/results.h"
#include "core/memory.h"
#include "merge/digest_internal.h"

struct hw_digests {
    const hw_suite *suite;
    char *text;          /* what the others point into          */
    const char **digest; /* of each unit; NULL: there is none   */
    const char *version;
    size_t *first_unit; /* of each source                      */
    size_t at_source;   /* where the last line was found       */
};

typedef struct line_reader {
    hw_digests *d;
    const char *path;
    uint64_t line;
    hw_error *err;
} line_reader;

static hw_code refuse(const line_reader *r, const char *why, const char *what)
{
    return hw_fail(r->err, HW_BAD_INPUT, "%s:%" PRIu64 ": %s%s%.80s%s", r->path, r->line, why,
                   what ? " '" : "", what ? what : "", what ? "'" : "");
}

static const char *text_of(const hw_flat_field *field, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (field[i].type == HW_FLAT_STRING && strcmp(field[i].key, key) == 0)
            return field[i].text;
    return NULL;
}

static hw_code read_header(line_reader *r, const hw_flat_field *field, size_t n)
{
    const char *format = text_of(field, n, "format"), *suite = text_of(field, n, "suite"),
               *seed = text_of(field, n, "seed"), *version = text_of(field, n, "highwater");
    bool known = false;
    for (size_t i = 0; i < n; i++)
        known = known || (strcmp(field[i].key, "version") == 0 && field[i].type == HW_FLAT_NUMBER &&
                          strcmp(field[i].text, "1") == 0);
    if (!format || strcmp(format, HW_DIGEST_NAME) != 0 || !known || !suite || !seed || !version)
        return refuse(r, "no digests of version 1: write some by `highwater merge --digest`", NULL);
    if (strcmp(suite, r->d->suite->name) != 0)
        return refuse(r, "digests of another suite, ", suite);
    char expected[32];
    (void)snprintf(expected, sizeof expected, "0x%" PRIx64, r->d->suite->seed);
    if (strcmp(seed, expected) != 0)
        return refuse(r, "digests of another seed (--seed),", seed);
    r->d->version = version;
    return HW_OK;
}

/* A section of the file that the suite does not have lacks nothing here: none of its units is. */
static hw_code read_section(line_reader *r, const char *section, const char *solvers)
{
    const hw_suite *suite = r->d->suite;
    for (size_t i = 0; i < suite->n_sections; i++) {
        char digest[HW_DIGEST_TEXT];
        if (strcmp(suite->sections[i].name, section) != 0)
            continue;
        hw_section_digest(&suite->sections[i], digest);
        if (strcmp(digest, solvers) != 0)
            return refuse(r,
                          "the suite has other solvers or limits by now, or in another order, "
                          "in section",
                          section);
    }
    return HW_OK;
}

/* The source of a line, looked for from where the last one was; NULL: not in this suite. */
static const hw_suite_source *find_source(hw_digests *d, const char *section, const char *family,
                                          const char *params, size_t *number)
{
    const hw_suite *suite = d->suite;
    for (size_t tried = 0; tried < suite->n_sources; tried++) {
        size_t i = (d->at_source + tried) % suite->n_sources;
        const hw_suite_source *s = &suite->sources[i];
        if (strcmp(s->label, params) == 0 &&
            strcmp(s->family ? s->family->name : HW_SUITE_FILE, family) == 0 &&
            strcmp(suite->sections[s->section].name, section) == 0) {
            d->at_source = i;
            *number = i;
            return s;
        }
    }
    return NULL;
}

static bool is_digest(const char *word)
{
    return strcmp(word, "-") == 0 ||
           (strspn(word, "0123456789abcdef") == HW_DIGEST_DIGITS &&
            (word[HW_DIGEST_DIGITS] == '\0' ||
             (word[HW_DIGEST_DIGITS] == '~' &&
              word[strspn(word + HW_DIGEST_DIGITS + 1, "0123456789,") + HW_DIGEST_DIGITS + 1] ==
                  '\0')));
}

/* Give the words of one kind to its units, one after another. */
static hw_code read_kind(line_reader *r, size_t source, const char *key, char *words)
{
    const hw_suite *suite = r->d->suite;
    char *rest = NULL, *word = strtok_r(words, " ", &rest);
    for (size_t u = r->d->first_unit[source];
         u < suite->n_units && suite->units[u].source == source; u++) {
        char own[HW_DIGEST_KEY_TEXT];
        hw_digest_key(&suite->units[u], own);
        if (strcmp(own, key) != 0)
            continue;
        if (!word)
            return refuse(r, "fewer digests than the suite has instances, under", key);
        if (!is_digest(word))
            return refuse(r, "no digest:", word);
        r->d->digest[u] = strcmp(word, "-") == 0 ? NULL : word;
        word = strtok_r(NULL, " ", &rest);
    }
    return word ? refuse(r, "more digests than the suite has instances, under", key) : HW_OK;
}

static hw_code read_source(line_reader *r, const hw_flat_field *field, size_t n)
{
    const char *section = text_of(field, n, "section"), *family = text_of(field, n, "family"),
               *params = text_of(field, n, "params");
    if (!section || !family || !params)
        return refuse(r, "a line without section, family and params", NULL);
    size_t number;
    const hw_suite_source *source = find_source(r->d, section, family, params, &number);
    for (size_t i = 0; source && i < n; i++) {
        const hw_flat_field *f = &field[i];
        if (f->type != HW_FLAT_STRING || f->text == section || f->text == family ||
            f->text == params)
            continue;
        /* The text is a part of d->text, which is ours to change. */
        hw_code code = read_kind(r, number, f->key, r->d->text + (f->text - r->d->text));
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

static hw_code read_line(line_reader *r, char *line, size_t length)
{
    enum { MOST_KEYS = 16 };
    struct {
        hw_flat_field field[MOST_KEYS];
        size_t n;
    } all;
    const hw_flat_field *field = all.field;
    hw_error why = {.code = HW_OK};
    if (hw_flat_parse(line, length, all.field, MOST_KEYS, &all.n, &why) != HW_OK)
        return hw_fail(r->err, HW_BAD_INPUT, "%s:%" PRIu64 ": no line of digests: %s: %s", r->path,
                       r->line, why.message,
                       r->line == 1 ? "is this the right file? `highwater merge --digest` writes it"
                                    : "write them anew by `highwater merge --digest`");
    if (r->line == 1)
        return read_header(r, field, all.n);
    const char *solvers = text_of(field, all.n, "solvers"),
               *section = text_of(field, all.n, "section");
    return solvers && section ? read_section(r, section, solvers) : read_source(r, field, all.n);
}

static hw_code read_lines(hw_digests *d, const char *path, hw_error *err)
{
    size_t size;
    hw_code code = hw_results_text(path, &d->text, &size, err);
    line_reader r = {.d = d, .path = path, .err = err};
    for (size_t at = 0; code == HW_OK && at < size;) {
        char *end = memchr(d->text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - d->text) - at : size - at;
        r.line++;
        code = end ? read_line(&r, d->text + at, length)
                   : refuse(&r,
                            "the line has no end: the file was cut, or is this another? `highwater "
                            "merge --digest` writes digests",
                            NULL);
        at += length + 1;
    }
    if (code == HW_OK && r.line == 0)
        code = hw_fail(err, HW_BAD_INPUT, "%s: is empty, and holds no digests", path);
    return code;
}

hw_code hw_digests_load(const char *path, const hw_suite *suite, hw_digests **out, hw_error *err)
{
    *out = NULL;
    hw_digests *d = HW_NEW0(hw_digests, 1);
    if (!d)
        return hw_fail_memory(err, "digests");
    d->suite = suite;
    d->digest = HW_NEW0(const char *, suite->n_units);
    d->first_unit = HW_NEW0(size_t, suite->n_sources);
    hw_code code = d->digest && d->first_unit ? HW_OK : hw_fail_memory(err, "digests");
    for (size_t u = suite->n_units; code == HW_OK && u > 0; u--)
        d->first_unit[suite->units[u - 1].source] = u - 1;
    if (code == HW_OK)
        code = read_lines(d, path, err);
    if (code != HW_OK) {
        hw_digests_free(d);
        return code;
    }
    *out = d;
    return HW_OK;
}

void hw_digests_free(hw_digests *d)
{
    if (!d)
        return;
    free(d->text);
    free((void *)d->digest);
    free(d->first_unit);
    free(d);
}

const char *hw_digests_version(const hw_digests *d)
{
    return d->version;
}

/* Is `solver` among those of "0123456789ab~2,5"? */
static bool was_cut_short(const char *digest, size_t solver)
{
    const char *at = digest + HW_DIGEST_DIGITS;
    while (*at == '~' || *at == ',') {
        char *end;
        if (strtoull(at + 1, &end, 10) == solver && end != at + 1)
            return true;
        at = end;
    }
    return false;
}

hw_code hw_digests_compare(const hw_digests *d, const hw_merged_unit *unit, hw_likeness *likeness,
                           size_t *n_runs, hw_error *err)
{
    const char *known = d->digest[unit->unit];
    *n_runs = 0;
    *likeness = !unit->complete ? HW_INCOMPLETE : !known ? HW_NO_DIGEST : HW_ALIKE;
    if (*likeness != HW_ALIKE)
        return HW_OK;
    bool *skip = HW_NEW0(bool, unit->n);
    if (!skip)
        return hw_fail_memory(err, "digests");
    for (size_t i = 0; i < unit->n; i++) {
        skip[i] = was_cut_short(known, unit->run[i].solver);
        *n_runs += !skip[i];
        if (unit->run[i].cut_short && !skip[i])
            *likeness = HW_NOT_SETTLED;
    }
    char own[HW_DIGEST_TEXT];
    hw_code code = *likeness == HW_ALIKE ? hw_unit_digest(unit, skip, own, err) : HW_OK;
    if (code == HW_OK && *likeness == HW_ALIKE && strncmp(own, known, HW_DIGEST_DIGITS) != 0)
        *likeness = HW_UNLIKE;
    free(skip);
    return code;
}
