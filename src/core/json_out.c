/* Writing JSON.  See json_out.h. */
#include "core/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/real.h"

hw_json_out hw_json_on(FILE *out)
{
    return (hw_json_out){.out = out};
}

/* Length of the UTF-8 sequence at text, or 0 when it is none (RFC 3629). */
static unsigned sequence_length(const unsigned char *text)
{
    unsigned char c = text[0];
    if (c < 0x80)
        return 1;
    unsigned length = c >= 0xC2 && c <= 0xDF   ? 2
                      : c >= 0xE0 && c <= 0xEF ? 3
                      : c >= 0xF0 && c <= 0xF4 ? 4
                                               : 0;
    for (unsigned i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (c == 0xE0 && text[1] < 0xA0) || (c == 0xF0 && text[1] < 0x90);
    bool surrogate = c == 0xED && text[1] > 0x9F;
    bool too_large = c == 0xF4 && text[1] > 0x8F;
    return overlong || surrogate || too_large ? 0 : length;
}

static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

static void write_string(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        const unsigned char *plain = p; /* as they stand, at once: most text is that */
        while (is_plain((char)*p))
            p++;
        if (p > plain) {
            (void)fwrite(plain, 1, (size_t)(p - plain), out);
            continue;
        }
        unsigned length = sequence_length(p);
        if (length == 0) {
            (void)fputs("\\ufffd", out);
            p++;
        } else if (*p == '"' || *p == '\\') {
            (void)fprintf(out, "\\%c", *p++);
        } else if (*p == '\n') {
            (void)fputs("\\n", out);
            p++;
        } else if (*p == '\t') {
            (void)fputs("\\t", out);
            p++;
        } else if (*p < 0x20 || *p == 0x7F) {
            (void)fprintf(out, "\\u%04x", *p++);
        } else {
            (void)fwrite(p, 1, length, out);
            p += length;
        }
    }
    (void)fputc('"', out);
}

/* What stands before a value: comma, line break, key; the usual ones at once. */
static void lead(hw_json_out *j, const char *key)
{
    enum { ROOM = 64 };
    char text[ROOM];
    size_t n = 0, length = 0;
    while (key && is_plain(key[length]))
        length++;
    if (j->need_comma)
        text[n++] = ',';
    if (j->break_items && j->depth == 1) {
        text[n++] = '\n';
        text[n++] = ' ';
    }
    j->need_comma = true;
    if (key && key[length] == '\0' && n + length + 3 <= ROOM) {
        text[n++] = '"';
        memcpy(text + n, key, length);
        n += length;
        text[n++] = '"';
        text[n++] = ':';
        key = NULL;
    }
    (void)fwrite(text, 1, n, j->out);
    if (key) {
        write_string(j->out, key);
        (void)fputc(':', j->out);
    }
}

/* Lines of results are numbers for the most part, and printf() takes its time. */
static void write_u64(FILE *out, uint64_t value)
{
    enum { DIGITS = 20 };
    char text[DIGITS];
    size_t at = DIGITS;
    do {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    (void)fwrite(text + at, 1, DIGITS - at, out);
}

void hw_json_open(hw_json_out *j, const char *key, char bracket)
{
    lead(j, key);
    (void)fputc(bracket, j->out);
    j->depth++;
    j->need_comma = false;
}

void hw_json_close(hw_json_out *j, char bracket)
{
    j->depth--;
    if (j->break_items && j->depth == 0)
        (void)fputc('\n', j->out);
    (void)fputc(bracket, j->out);
    j->need_comma = true;
}

void hw_json_line(hw_json_out *j)
{
    (void)fputc('\n', j->out);
    j->need_comma = false;
}

void hw_json_put_u64(hw_json_out *j, const char *key, uint64_t value)
{
    lead(j, key);
    write_u64(j->out, value);
}

void hw_json_put_i64(hw_json_out *j, const char *key, int64_t value)
{
    lead(j, key);
    (void)fprintf(j->out, "%" PRId64, value);
}

void hw_json_put_real(hw_json_out *j, const char *key, double value)
{
    if (!isfinite(value)) {
        hw_json_put_null(j, key);
        return;
    }
    static const double plain_below = 1e15; /* whole numbers below are written without exponent */
    char text[HW_REAL_TEXT];
    double whole = trunc(value);
    if (fabs(value) < plain_below && whole >= value && whole <= value) {
        lead(j, key);
        (void)fprintf(j->out, "%.0f", value);
        return;
    }
    lead(j, key);
    (void)fputs(hw_real_text(value, text), j->out);
}

void hw_json_put_digits(hw_json_out *j, const char *key, const char *digits)
{
    lead(j, key);
    (void)fputs(digits, j->out);
}

void hw_json_put_bool(hw_json_out *j, const char *key, bool value)
{
    lead(j, key);
    (void)fputs(value ? "true" : "false", j->out);
}

void hw_json_put_null(hw_json_out *j, const char *key)
{
    lead(j, key);
    (void)fputs("null", j->out);
}

void hw_json_put_string(hw_json_out *j, const char *key, const char *text)
{
    if (!text) {
        hw_json_put_null(j, key);
        return;
    }
    lead(j, key);
    write_string(j->out, text);
}

void hw_json_put_hex(hw_json_out *j, const char *key, uint64_t value)
{
    lead(j, key);
    (void)fprintf(j->out, "\"0x%" PRIx64 "\"", value);
}

void hw_json_put_u64_or_null(hw_json_out *j, const char *key, bool known, uint64_t value)
{
    if (known)
        hw_json_put_u64(j, key, value);
    else
        hw_json_put_null(j, key);
}
