/* Ratios as people write them.  See ratio.h. */
#include "core/ratio.h"

#include <stddef.h>

/* Append a decimal digit; false: 2^64 - 1 is passed. */
static bool append(uint64_t *value, char digit)
{
    uint64_t d = (uint64_t)(digit - '0');
    if (*value > (UINT64_MAX - d) / 10)
        return false;
    *value = *value * 10 + d;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits at *text into *value, and with `shift` as many zeros behind its 1. */
static bool read_digits(const char **text, uint64_t *value, uint64_t *shift)
{
    const char *begin = *text;
    for (; is_digit(**text); ++*text)
        if (!append(value, **text) || (shift && !append(shift, '0')))
            return false;
    return *text != begin;
}

bool hw_ratio_read(const char *text, hw_ratio *out)
{
    hw_ratio r = {0, 1};
    if (!read_digits(&text, &r.over, NULL))
        return false;
    if (*text == '.') {
        text++;
        if (!read_digits(&text, &r.over, &r.under))
            return false;
    } else if (*text == '/') {
        text++;
        r.under = 0;
        if (!read_digits(&text, &r.under, NULL) || r.under == 0)
            return false;
    }
    if (*text)
        return false;
    *out = hw_ratio_lowest(r);
    return true;
}

hw_ratio hw_ratio_lowest(hw_ratio r)
{
    uint64_t a = r.over, b = r.under;
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a ? (hw_ratio){r.over / a, r.under / a} : r;
}
