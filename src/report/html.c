/* Escaping.  See html.h. */
#include "report/html.h"

#include <inttypes.h>
#include <string.h>

#include "io/text.h"

/* Bytes of the character that begins at text, at most n; 0: it is not UTF-8. */
static size_t character(const char *text, size_t n)
{
    for (size_t length = 1; length <= 4 && length <= n; length++)
        if (hw_is_utf8(text, length))
            return length;
    return 0;
}

static const char *reference(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void hw_html_bytes(FILE *out, const char *text, size_t n)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    for (size_t i = 0, length; i < n; i += length) {
        const char *as = reference(text[i]);
        unsigned char byte = (unsigned char)text[i];
        length = as ? 1 : character(text + i, n - i);
        if ((byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7f || length == 0)
            as = replacement;
        length = length ? length : 1;
        if (as)
            (void)fputs(as, out);
        else
            (void)fwrite(text + i, 1, length, out);
    }
}

void hw_html_text(FILE *out, const char *text)
{
    if (text)
        hw_html_bytes(out, text, strlen(text));
}

void hw_html_count(FILE *out, uint64_t value)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, value);
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            (void)fputc(',', out);
        (void)fputc(digits[i], out);
    }
}

void hw_html_json(FILE *out, const char *json, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (json[i] == '<' || json[i] == '>' || json[i] == '&')
            (void)fprintf(out, "\\u%04x", (unsigned)(unsigned char)json[i]);
        else
            (void)fputc(json[i], out);
    }
}
