/* Cutting a line of flat JSON into fields, in place.  See flat_json.h. */
#include "bench/flat_json.h"

#include <stdint.h>
#include <string.h>

#include "io/text.h"

enum { KEY_BITS = 1024 };

typedef struct scan {
    char *start, *at, *end;
    hw_error *err;
} scan;

static hw_code broken(const scan *s, const char *what)
{
    return hw_fail(s->err, HW_BAD_INPUT, "column %zu: %s", (size_t)(s->at - s->start) + 1, what);
}

static void skip_blanks(scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r'))
        s->at++;
}

static bool next_is(scan *s, char c)
{
    skip_blanks(s);
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

static int hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four hexadecimal digits at s->at. */
static bool read_four(scan *s, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = s->at < s->end ? hex_value(*s->at) : -1;
        if (digit < 0)
            return false;
        *code = *code * 16 + (unsigned)digit;
        s->at++;
    }
    return true;
}

/* "\uXXXX" at s->at (behind the u), or two of them that are one character. */
static bool read_code_point(scan *s, char **put)
{
    unsigned code, low;
    if (!read_four(s, &code) || code == 0 || (code >= 0xDC00 && code < 0xE000))
        return false;
    if (code >= 0xD800 && code < 0xDC00) {
        if (s->end - s->at < 2 || s->at[0] != '\\' || s->at[1] != 'u')
            return false;
        s->at += 2;
        if (!read_four(s, &low) || low < 0xDC00 || low >= 0xE000)
            return false;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        *(*put)++ = (char)(0xF0 | code >> 18);
        *(*put)++ = (char)(0x80 | (code >> 12 & 0x3F));
        *(*put)++ = (char)(0x80 | (code >> 6 & 0x3F));
        *(*put)++ = (char)(0x80 | (code & 0x3F));
        return true;
    }
    if (code < 0x80) {
        *(*put)++ = (char)code;
    } else if (code < 0x800) {
        *(*put)++ = (char)(0xC0 | code >> 6);
        *(*put)++ = (char)(0x80 | (code & 0x3F));
    } else {
        *(*put)++ = (char)(0xE0 | code >> 12);
        *(*put)++ = (char)(0x80 | (code >> 6 & 0x3F));
        *(*put)++ = (char)(0x80 | (code & 0x3F));
    }
    return true;
}

/* A string whose opening quote has been read; unescaped where it stands. */
static hw_code read_string(scan *s, const char **text)
{
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char *put = s->at;
    *text = put;
    while (s->at < s->end && *s->at != '"') {
        char c = *s->at++;
        if (c == '\0')
            return broken(s, "a NUL byte inside a string");
        if (c != '\\') {
            *put++ = c;
            continue;
        }
        if (s->at == s->end)
            break;
        char kind = *s->at++;
        const char *found = kind ? strchr(escapes, kind) : NULL;
        if (found)
            *put++ = meanings[found - escapes];
        else if (kind != 'u' || !read_code_point(s, &put))
            return broken(s, "an escape that is none");
    }
    if (s->at == s->end)
        return broken(s, "the line ends inside a string");
    s->at++;
    *put = '\0'; /* at the closing quote or before it */
    return hw_is_utf8(*text, (size_t)(put - *text)) ? HW_OK : broken(s, "text that is not UTF-8");
}

static bool read_word(scan *s, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
        return false;
    s->at += n;
    return true;
}

/* The text of a number is ended by the caller, once the byte behind is read. */
static hw_code read_value(scan *s, hw_flat_field *field, char **number_end)
{
    skip_blanks(s);
    *number_end = NULL;
    if (next_is(s, '"')) {
        field->type = HW_FLAT_STRING;
        return read_string(s, &field->text);
    }
    if (read_word(s, "null")) {
        field->type = HW_FLAT_NULL;
        return HW_OK;
    }
    if (read_word(s, "true") || read_word(s, "false")) {
        field->type = HW_FLAT_BOOL;
        field->truth = s->at[-2] == 'u';
        return HW_OK;
    }
    field->type = HW_FLAT_NUMBER;
    field->text = s->at;
    while (s->at < s->end && *s->at && strchr("0123456789+-.eE", *s->at))
        s->at++;
    *number_end = s->at;
    if (field->text == s->at)
        return broken(s, s->at == s->end ? "the line ends where a value should stand"
                                         : "neither a string, a number, true, false nor null");
    return HW_OK;
}

/*
 * Whether a field before this one has its key; else the key is noted.  Lines are many and
 * keys few: a bit a hash spares nearly all comparisons.
 */
static bool is_second(uint64_t seen[KEY_BITS / 64], const hw_flat_field *fields, size_t n)
{
    uint32_t hash = 2166136261U; /* FNV-1a */
    for (const char *c = fields[n].key; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    hash = (hash ^ hash >> 16) % KEY_BITS;
    uint64_t bit = (uint64_t)1 << hash % 64, *word = &seen[hash / 64];
    if (*word & bit)
        for (size_t i = 0; i < n; i++)
            if (strcmp(fields[i].key, fields[n].key) == 0)
                return true;
    *word |= bit;
    return false;
}

hw_code hw_flat_parse(char *line, size_t length, hw_flat_field *fields, size_t most,
                      size_t *n_fields, hw_error *err)
{
    scan s = {line, line, line + length, err};
    uint64_t seen[KEY_BITS / 64] = {0};
    *n_fields = 0;
    if (!next_is(&s, '{'))
        return broken(&s, "an object should begin here with {");
    bool more = !next_is(&s, '}');
    while (more) {
        if (*n_fields == most)
            return broken(&s, "more keys than such a line has");
        hw_flat_field *field = &fields[*n_fields];
        *field = (hw_flat_field){.type = HW_FLAT_NULL};
        if (!next_is(&s, '"'))
            return broken(&s, s.at == s.end ? "the line ends before its }" : "no key in quotes");
        hw_code code = read_string(&s, &field->key);
        if (code == HW_OK && is_second(seen, fields, *n_fields))
            code = broken(&s, "a key that stood before");
        if (code == HW_OK && !next_is(&s, ':'))
            code = broken(&s, "no colon behind the key");
        char *number_end = NULL;
        if (code == HW_OK)
            code = read_value(&s, field, &number_end);
        if (code != HW_OK)
            return code;
        (*n_fields)++;
        more = next_is(&s, ',');
        if (!more && !next_is(&s, '}'))
            return broken(&s, s.at == s.end ? "the line ends before its }"
                                            : "neither a comma nor } behind a value");
        if (number_end)
            *number_end = '\0';
    }
    skip_blanks(&s);
    return s.at == s.end ? HW_OK : broken(&s, "more text behind the object");
}
