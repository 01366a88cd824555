/* Words and numbers of one line.  See line_scan.h. */
#include "io/line_scan.h"

#include <inttypes.h>

#include "io/text.h"

hw_code hw_scan_code(const hw_scan *s, hw_code code)
{
    if (code == HW_BAD_INPUT)
        hw_error_prefix(s->err, "%s:%" PRIu64 ": ", s->in->name, s->in->line);
    return code;
}

hw_code hw_scan_fail(const hw_scan *s, const char *what)
{
    return hw_scan_code(s, hw_fail(s->err, HW_BAD_INPUT, "%s", what));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void hw_scan_blanks(hw_scan *s)
{
    while (s->at < s->end && is_blank(*s->at))
        s->at++;
}

size_t hw_scan_word(const hw_scan *s)
{
    const char *p = s->at;
    while (p < s->end && !is_blank(*p))
        p++;
    return (size_t)(p - s->at);
}

hw_code hw_scan_digits(hw_scan *s, const char *what, uint64_t *out)
{
    char *p = s->at;
    uint64_t number = 0;
    for (; p < s->end && *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return hw_scan_code(
                s, hw_fail(s->err, HW_BAD_INPUT,
                           "%s is too large: it passes 2^64-1 (sizes go to 2^63-1, ids "
                           "stay below 2^32)",
                           what));
        number = number * 10 + digit;
    }
    if (p == s->at) {
        char quoted[HW_QUOTE_BYTES];
        if (p == s->end)
            return hw_scan_code(s, hw_fail(s->err, HW_BAD_INPUT,
                                           "the line ends where %s should stand: "
                                           "add it",
                                           what));
        return hw_scan_code(
            s, hw_fail(s->err, HW_BAD_INPUT,
                       "'%s' stands where %s should: write digits without sign, fraction "
                       "or exponent",
                       hw_quote(s->at, hw_scan_word(s), quoted), what));
    }
    s->at = p;
    *out = number;
    return HW_OK;
}

hw_code hw_scan_word_end(const hw_scan *s, const char *what)
{
    if (s->at == s->end || is_blank(*s->at))
        return HW_OK;
    char quoted[HW_QUOTE_BYTES];
    return hw_scan_code(s, hw_fail(s->err, HW_BAD_INPUT,
                                   "'%s' cannot follow in %s: write digits, then a blank",
                                   hw_quote(s->at, hw_scan_word(s), quoted), what));
}

hw_code hw_scan_number(hw_scan *s, const char *what, uint64_t *out)
{
    hw_scan_blanks(s);
    hw_code code = hw_scan_digits(s, what, out);
    return code == HW_OK ? hw_scan_word_end(s, what) : code;
}

hw_code hw_scan_text(const hw_scan *s, char *text, size_t n)
{
    const char *complaint = hw_percent_decode(text, &n);
    if (complaint) {
        char quoted[HW_QUOTE_BYTES];
        return hw_scan_code(
            s, hw_fail(s->err, HW_BAD_INPUT, "text '%s' %s", hw_quote(text, n, quoted), complaint));
    }
    text[n] = '\0';
    return HW_OK;
}

hw_code hw_scan_name(hw_scan *s, char **name)
{
    *name = NULL;
    hw_scan_blanks(s);
    size_t n = hw_scan_word(s);
    if (n == 0)
        return HW_OK;
    *name = s->at;
    s->at += n;
    hw_scan_blanks(s);
    if (s->at < s->end) {
        char quoted[HW_QUOTE_BYTES];
        return hw_scan_code(s,
                            hw_fail(s->err, HW_BAD_INPUT,
                                    "'%s' follows the name: a name is one word, write %%20 for a "
                                    "blank",
                                    hw_quote(s->at, hw_scan_word(s), quoted)));
    }
    return hw_scan_text(s, *name, n);
}

hw_code hw_scan_line_end(hw_scan *s)
{
    hw_scan_blanks(s);
    if (s->at == s->end)
        return HW_OK;
    char quoted[HW_QUOTE_BYTES];
    return hw_scan_code(s, hw_fail(s->err, HW_BAD_INPUT, "'%s' follows the last field: remove it",
                                   hw_quote(s->at, hw_scan_word(s), quoted)));
}
