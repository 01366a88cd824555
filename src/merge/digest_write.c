/* Writing digests.  See digest.h. */
#include <stdlib.h>
#include <string.h>

#include "core/json_out.h"
#include "core/memory.h"
#include "merge/digest_internal.h"

enum { KINDS = 4 }; /* accountings x pinnings */
#define NO_SOURCE UINT32_MAX

/* The digests of the units of one kind of the source at work, side by side. */
typedef struct kind_text {
    char key[HW_DIGEST_KEY_TEXT];
    char *text;
    size_t length, capacity;
} kind_text;

struct hw_digest_writer {
    const hw_suite *suite;
    FILE *out;
    uint32_t source, section; /* at work */
    kind_text kind[KINDS];
    size_t n_kinds;
};

static void put_header(const hw_suite *suite, const hw_merge *merge, FILE *out)
{
    const char *version = hw_merge_version(merge);
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "format", HW_DIGEST_NAME);
    hw_json_put_u64(&j, "version", HW_DIGEST_FORMAT);
    hw_json_put_string(&j, "suite", suite->name);
    hw_json_put_hex(&j, "seed", suite->seed);
    hw_json_put_string(&j, "highwater", version ? version : "");
    hw_json_put_u64(&j, "units", suite->n_units);
    hw_json_put_u64(&j, "runs", hw_merge_count(merge)->runs);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

hw_code hw_digest_begin(const hw_suite *suite, const hw_merge *merge, FILE *out,
                        hw_digest_writer **writer, hw_error *err)
{
    *writer = HW_NEW0(hw_digest_writer, 1);
    if (!*writer)
        return hw_fail_memory(err, "digests");
    **writer =
        (hw_digest_writer){.suite = suite, .out = out, .source = NO_SOURCE, .section = NO_SOURCE};
    put_header(suite, merge, out);
    return HW_OK;
}

static void put_section(hw_digest_writer *w, uint32_t section)
{
    char digest[HW_DIGEST_TEXT];
    hw_section_digest(&w->suite->sections[section], digest);
    hw_json_out j = hw_json_on(w->out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "section", w->suite->sections[section].name);
    hw_json_put_string(&j, "solvers", digest);
    hw_json_close(&j, '}');
    hw_json_line(&j);
    w->section = section;
}

/* The line of the source at work, unless none of its units has a digest. */
static void put_source(hw_digest_writer *w)
{
    bool any = false;
    for (size_t k = 0; k < w->n_kinds; k++) {
        if (!w->kind[k].text) /* there was no memory for it: nothing of this is kept */
            return;
        any = any || strpbrk(w->kind[k].text, "0123456789abcdef") != NULL;
    }
    if (any) {
        const hw_suite_source *s = &w->suite->sources[w->source];
        if (w->section != s->section)
            put_section(w, s->section);
        hw_json_out j = hw_json_on(w->out);
        hw_json_open(&j, NULL, '{');
        hw_json_put_string(&j, "section", w->suite->sections[s->section].name);
        hw_json_put_string(&j, "family", s->family ? s->family->name : HW_SUITE_FILE);
        hw_json_put_string(&j, "params", s->label);
        for (size_t k = 0; k < w->n_kinds; k++)
            hw_json_put_string(&j, w->kind[k].key, w->kind[k].text);
        hw_json_close(&j, '}');
        hw_json_line(&j);
    }
    for (size_t k = 0; k < w->n_kinds; k++)
        w->kind[k].length = 0;
    w->n_kinds = 0;
}

static hw_code append(kind_text *k, const char *word, hw_error *err)
{
    size_t n = strlen(word);
    if (!hw_grow((void **)&k->text, &k->capacity, k->length + n + 1, 1))
        return hw_fail_memory(err, "digests");
    memcpy(k->text + k->length, word, n + 1);
    k->length += n;
    return HW_OK;
}

/* "0123456789ab", with "~2,5" behind it where solvers 2 and 5 were cut short. */
static hw_code append_unit(kind_text *k, const hw_merged_unit *unit, hw_error *err)
{
    if (!unit->complete || unit->n == 0)
        return append(k, "-", err);
    bool *skip = HW_NEW0(bool, unit->n);
    if (!skip)
        return hw_fail_memory(err, "digests");
    for (size_t i = 0; i < unit->n; i++)
        skip[i] = unit->run[i].cut_short;
    char word[32];
    hw_code code = hw_unit_digest(unit, skip, word, err);
    if (code == HW_OK)
        code = append(k, word, err);
    bool any = false;
    for (size_t i = 0; code == HW_OK && i < unit->n; i++)
        if (skip[i]) {
            (void)snprintf(word, sizeof word, "%c%zu", any ? ',' : '~', unit->run[i].solver);
            code = append(k, word, err);
            any = true;
        }
    free(skip);
    return code;
}

hw_code hw_digest_unit(hw_digest_writer *w, const hw_merged_unit *unit, hw_error *err)
{
    const hw_suite_unit *u = &w->suite->units[unit->unit];
    if (u->source != w->source && w->source != NO_SOURCE)
        put_source(w);
    w->source = u->source;
    char key[HW_DIGEST_KEY_TEXT];
    hw_digest_key(u, key);
    size_t k = 0;
    while (k < w->n_kinds && strcmp(w->kind[k].key, key) != 0)
        k++;
    if (k == w->n_kinds) {
        w->n_kinds++;
        memcpy(w->kind[k].key, key, sizeof key);
    }
    hw_code code = w->kind[k].length > 0 ? append(&w->kind[k], " ", err) : HW_OK;
    return code == HW_OK ? append_unit(&w->kind[k], unit, err) : code;
}

void hw_digest_end(hw_digest_writer *w)
{
    if (!w)
        return;
    if (w->n_kinds > 0)
        put_source(w);
    for (size_t k = 0; k < KINDS; k++)
        free(w->kind[k].text);
    free(w);
}
