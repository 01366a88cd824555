/* Text out and the small codecs of the formats.  See text.h. */
#include "io/text.h"

#include <errno.h>
#include <string.h>

void hw_sink_start(hw_sink *s, bool (*write)(void *, const char *, size_t), void *context)
{
    s->write = write;
    s->context = context;
    s->failed = false;
    s->failure = 0;
    s->used = 0;
}

static bool write_file(void *context, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)context) == n;
}

void hw_sink_to_file(hw_sink *s, FILE *out)
{
    hw_sink_start(s, write_file, out);
}

static void pass_on(hw_sink *s, const char *bytes, size_t n)
{
    if (s->failed || n == 0)
        return;
    errno = 0;
    if (!s->write(s->context, bytes, n)) {
        s->failed = true;
        s->failure = errno;
    }
}

void hw_put(hw_sink *s, const char *bytes, size_t n)
{
    if (n > sizeof s->buffer - s->used) {
        pass_on(s, s->buffer, s->used);
        s->used = 0;
    }
    if (n > sizeof s->buffer) {
        pass_on(s, bytes, n);
        return;
    }
    memcpy(s->buffer + s->used, bytes, n);
    s->used += n;
}

void hw_put_text(hw_sink *s, const char *text)
{
    hw_put(s, text, strlen(text));
}

void hw_put_u64(hw_sink *s, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    hw_put(s, digits + at, sizeof digits - at);
}

static const char hex[] = "0123456789ABCDEF";

void hw_put_json(hw_sink *s, const char *text)
{
    hw_put_char(s, '"');
    for (const char *c = text; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\') {
            hw_put_char(s, '\\');
            hw_put_char(s, *c);
        } else if (byte < 0x20) {
            const char escape[6] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
            hw_put(s, escape, sizeof escape);
        } else {
            hw_put_char(s, *c);
        }
    }
    hw_put_char(s, '"');
}

void hw_put_percent(hw_sink *s, const char *text, bool blanks)
{
    for (const char *c = text; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7f || byte == '%' || (blanks && byte == ' ')) {
            const char escape[3] = {'%', hex[byte >> 4], hex[byte & 15]};
            hw_put(s, escape, sizeof escape);
        } else {
            hw_put_char(s, *c);
        }
    }
}

bool hw_sink_end(hw_sink *s)
{
    pass_on(s, s->buffer, s->used);
    s->used = 0;
    return !s->failed;
}

hw_code hw_sink_end_file(hw_sink *s, FILE *out, hw_error *err)
{
    if (hw_sink_end(s)) {
        errno = 0;
        if (fflush(out) == 0)
            return HW_OK;
        s->failure = errno;
    }
    return hw_fail(err, HW_IO, "cannot write: %s",
                   s->failure ? strerror(s->failure) : "the stream failed");
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

const char *hw_percent_decode(char *text, size_t *length)
{
    size_t n = *length, to = 0;
    bool plain = true;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (c == '%') {
            int high = n - i > 2 ? hex_value(text[i + 1]) : -1;
            int low = n - i > 2 ? hex_value(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                return "has a '%' that is not followed by two hexadecimal digits: write %25";
            c = (char)(high * 16 + low);
            i += 2;
        }
        if (c == '\0')
            return "holds a NUL byte: names are text";
        plain = plain && (unsigned char)c < 0x80;
        text[to++] = c;
    }
    *length = to;
    return plain || hw_is_utf8(text, to) ? NULL : "is not UTF-8: convert the file";
}

bool hw_is_utf8(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t i = 0; i < n;) {
        unsigned char c = s[i];
        size_t extra = c < 0x80 ? 0 : c < 0xc2 ? 4 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : 4;
        if (extra == 4 || extra >= n - i)
            return false;
        for (size_t k = 1; k <= extra; k++)
            if ((s[i + k] & 0xc0) != 0x80)
                return false;
        if ((c == 0xe0 && s[i + 1] < 0xa0) || (c == 0xed && s[i + 1] > 0x9f) ||
            (c == 0xf0 && s[i + 1] < 0x90) || (c == 0xf4 && s[i + 1] > 0x8f))
            return false;
        i += extra + 1;
    }
    return true;
}

const char *hw_quote(const char *text, size_t n, char out[HW_QUOTE_BYTES])
{
    size_t to = 0;
    for (size_t i = 0; i < n && to < HW_QUOTE_BYTES - 4; i++) {
        unsigned char byte = (unsigned char)text[i];
        out[to++] = byte < 0x20 || byte >= 0x7f ? '?' : text[i];
    }
    if (to < n) {
        memcpy(out + to, "...", 3);
        to += 3;
    }
    out[to] = '\0';
    return out;
}
