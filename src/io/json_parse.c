/* JSON text to values.  See json_parse.h. */
#include "io/json_parse.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/control.h"
#include "io/text.h"

/* ---- Lacks of memory that jansson does not tell. ---- */

static _Thread_local bool failed; /* since the parse of this thread began */

static void *noting_malloc(size_t size)
{
    void *block = malloc(size);
    failed = failed || !block;
    return block;
}

static void note_failures(void)
{
    json_malloc_t allocate;
    json_free_t release;
    json_get_alloc_funcs(&allocate, &release);
    if (allocate == malloc)
        json_set_alloc_funcs(noting_malloc, release);
}

static void watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, note_failures);
    failed = false;
}

json_t *hw_json_load(const char *bytes, size_t n, json_error_t *problem, bool *lacked)
{
    watch();
    json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, problem);
    *lacked = failed || (!root && json_error_code(problem) == json_error_out_of_memory);
    if (!*lacked)
        return root;
    json_decref(root);
    return NULL;
}

char *hw_json_dump(const json_t *value)
{
    watch();
    char *text = json_dumps(value, JSON_COMPACT);
    if (text && failed) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- Parsing. ---- */

static hw_code fail_parse(const hw_input *in, uint64_t lines_before, const json_error_t *e,
                          hw_error *err)
{
    char quoted[160];
    (void)hw_control_tame(e->text, quoted, sizeof quoted);
    const char *cure = "mend the JSON there";
    switch (json_error_code(e)) {
    case json_error_stack_overflow:
        cure = "its nesting is deeper than the format needs; is this the right file?";
        break;
    case json_error_premature_end_of_input:
        cure = "the file ends in the middle: it is truncated; get it whole";
        break;
    case json_error_end_of_input_expected:
        cure =
            strstr(quoted, "near '{'") /* an object a line, as in results and traces */
                ? "a JSON file holds one object, and here begins another; is this the right file?"
                : "a JSON file holds one object: remove what follows it";
        break;
    case json_error_duplicate_key:
        cure = "a key stands twice in one object: remove one";
        break;
    case json_error_numeric_overflow:
        cure = "a number is too large: sizes go up to 2^63-1 (9223372036854775807)";
        break;
    case json_error_invalid_utf8:
    case json_error_null_character:
    case json_error_null_byte_in_key:
        cure = "text must be UTF-8 without NUL bytes: convert the file";
        break;
    default:
        break;
    }
    return hw_fail(err, HW_BAD_INPUT, "%s: line %" PRIu64 ", column %d: %s: %s", in->name,
                   lines_before + (e->line > 0 ? (uint64_t)e->line : 1), e->column, quoted, cure);
}

/* Text that begins as no JSON does is of another kind, and not to be mended. */
static hw_code refuse_other(const hw_input *in, hw_error *err)
{
    static const char blank[] = " \t\r\n";
    char quoted[HW_QUOTE_BYTES];
    uint64_t line = in->line + 1;
    size_t at = in->start, n = 0;
    while (at < in->end && in->buffer[at] && strchr(blank, in->buffer[at]))
        line += in->buffer[at++] == '\n';
    if (at == in->end)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: line 1: the file is empty: it should hold an object, {\"format\": ...}",
                       in->name);
    if (in->buffer[at] == '{' || in->buffer[at] == '[')
        return HW_OK;
    while (at + n < in->end && !(in->buffer[at + n] && strchr(blank, in->buffer[at + n])))
        n++;
    return hw_fail(err, HW_BAD_INPUT,
                   "%s: line %" PRIu64
                   ": begins with '%s', and JSON with {: is this the right file?",
                   in->name, line, hw_quote(in->buffer + at, n, quoted));
}

/* jansson takes a NUL byte for the end of the text. */
static hw_code refuse_nul(const hw_input *in, hw_error *err)
{
    const char *from = in->buffer + in->start;
    const char *nul = memchr(from, '\0', in->end - in->start);
    if (!nul)
        return HW_OK;
    uint64_t line = in->line + 1;
    for (const char *c = from; c < nul; c++)
        line += *c == '\n';
    return hw_fail(err, HW_BAD_INPUT,
                   "%s: line %" PRIu64 ": a NUL byte stands in the text: convert the file to UTF-8",
                   in->name, line);
}

hw_code hw_json_parse(hw_input *in, json_t **out, hw_error *err)
{
    *out = NULL;
    hw_code code = hw_input_all(in, err);
    if (code == HW_OK && in->end > in->start)
        in->start += hw_input_mark(in->buffer + in->start, in->end - in->start);
    if (code == HW_OK)
        code = refuse_other(in, err);
    if (code == HW_OK)
        code = refuse_nul(in, err);
    if (code != HW_OK)
        return code;
    json_error_t e;
    bool lacked;
    json_t *root = hw_json_load(in->buffer + in->start, in->end - in->start, &e, &lacked);
    if (lacked)
        return hw_fail_memory(err, "a JSON file");
    if (!root)
        return fail_parse(in, in->line, &e, err);
    in->start = in->end;
    if (!json_is_object(root)) {
        code = hw_fail(err, HW_BAD_INPUT,
                       "%s: line 1: the top level is %s: it should be an object, {\"format\": ...}",
                       in->name, hw_json_type(root));
        json_decref(root);
        return code;
    }
    *out = root;
    return HW_OK;
}

const char *hw_json_type(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number with a fraction or exponent";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        break;
    }
    return "null";
}

bool hw_json_u64(const json_t *value, uint64_t *out, char text[HW_JSON_COMPLAINT])
{
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *out = (uint64_t)json_integer_value(value);
        return true;
    }
    if (json_is_integer(value))
        (void)snprintf(text, HW_JSON_COMPLAINT,
                       "is negative (%" JSON_INTEGER_FORMAT "): write 0 or more",
                       json_integer_value(value));
    else if (json_is_real(value))
        (void)snprintf(text, HW_JSON_COMPLAINT,
                       "is written with a fraction or exponent (%.17g): write digits alone",
                       json_real_value(value));
    else
        (void)snprintf(text, HW_JSON_COMPLAINT, "is %s, not an integer: write digits alone",
                       hw_json_type(value));
    return false;
}

hw_code hw_json_check_version(const json_t *root, const char *file, const char *wanted,
                              hw_error *err)
{
    char text[HW_JSON_COMPLAINT], quoted[HW_QUOTE_BYTES];
    const json_t *format = json_object_get(root, "format");
    if (!format)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: no key 'format': is this the right file? Then write \"format\": \"%s\"",
                       file, wanted);
    if (!json_is_string(format))
        return hw_fail(err, HW_BAD_INPUT, "%s: format is %s: write \"%s\"", file,
                       hw_json_type(format), wanted);
    const char *found = json_string_value(format);
    if (strcmp(found, wanted) != 0)
        return hw_fail(err, HW_BAD_INPUT, "%s: format '%s' is not '%s': is this the right file?",
                       file, hw_quote(found, strlen(found), quoted), wanted);
    const json_t *version = json_object_get(root, "version");
    if (!version)
        return hw_fail(err, HW_BAD_INPUT, "%s: no key 'version': write \"version\": 1", file);
    uint64_t number;
    if (!hw_json_u64(version, &number, text))
        return hw_fail(err, HW_BAD_INPUT, "%s: version %s", file, text);
    if (number > 1)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: version %" PRIu64 " is newer than this program reads (version 1): "
                       "update highwater, or write the file as version 1",
                       file, number);
    if (number == 0)
        return hw_fail(err, HW_BAD_INPUT, "%s: version 0 does not exist: write \"version\": 1",
                       file);
    return HW_OK;
}
