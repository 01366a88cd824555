/* Numbers out of a text.  See numbers.h. */
#include "import/numbers.h"

#include <inttypes.h>
#include <string.h>

#include "io/text.h"

hw_code hw_numbers_open(hw_numbers *s, hw_input *in, hw_error *err)
{
    hw_code code = hw_input_all(in, err);
    if (code != HW_OK)
        return code;
    *s = (hw_numbers){.file = in->name,
                      .at = in->buffer + in->start,
                      .end = in->buffer + in->end,
                      .line = in->line + 1};
    return HW_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void pass_blanks(hw_numbers *s)
{
    for (; s->at < s->end && is_blank(*s->at); s->at++)
        s->line += *s->at == '\n';
}

hw_code hw_numbers_next(hw_numbers *s, const char *what, uint64_t most, uint64_t *out,
                        hw_error *err)
{
    char quoted[HW_QUOTE_BYTES];
    pass_blanks(s);
    if (s->at == s->end)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s:%" PRIu64 ": the file ends where %s should stand: it is truncated, or "
                       "announces more than it holds",
                       s->file, s->line, what);
    const char *word = s->at;
    while (s->at < s->end && !is_blank(*s->at))
        s->at++;
    uint64_t value = 0;
    for (const char *c = word; c < s->at; c++) {
        if (*c < '0' || *c > '9')
            return hw_fail(err, HW_BAD_INPUT,
                           "%s:%" PRIu64 ": '%s' stands where %s should be: write digits alone",
                           s->file, s->line, hw_quote(word, (size_t)(s->at - word), quoted), what);
        unsigned digit = (unsigned)(*c - '0');
        if (value > (most - digit) / 10 || most < digit)
            return hw_fail(err, HW_BAD_INPUT,
                           "%s:%" PRIu64 ": %s is %s: it can be %" PRIu64 " at most", s->file,
                           s->line, what, hw_quote(word, (size_t)(s->at - word), quoted), most);
        value = 10 * value + digit;
    }
    *out = value;
    return HW_OK;
}

hw_code hw_numbers_end(hw_numbers *s, const char *format, hw_error *err)
{
    char quoted[HW_QUOTE_BYTES];
    pass_blanks(s);
    if (s->at == s->end)
        return HW_OK;
    size_t n = 0;
    while (s->at + n < s->end && !is_blank(s->at[n]))
        n++;
    return hw_fail(err, HW_BAD_INPUT,
                   "%s:%" PRIu64 ": '%s' follows what its head announces (%s): mend the counts "
                   "there, or take the rest away",
                   s->file, s->line, hw_quote(s->at, n, quoted), format);
}

/*
 * How many words are on the line at *at, all of digits; *at moves on to the next line.  0: a blank
 * line; CUT: it goes on behind `end`; -1: it holds something else.
 */
enum { CUT = -2 };
static int count_words(const char **at, const char *end, bool whole)
{
    int n = 0;
    const char *c = *at;
    while (c < end && *c != '\n') {
        if (is_blank(*c)) {
            c++;
            continue;
        }
        const char *word = c;
        while (c < end && *c >= '0' && *c <= '9')
            c++;
        if (c == word || (c < end && !is_blank(*c)))
            return -1;
        n++;
    }
    if (c == end && !whole)
        return CUT;
    *at = c < end ? c + 1 : c;
    return n;
}

/* The next line that is not blank. */
static int next_line(const char **at, const char *end, bool whole)
{
    int n = 0;
    while (*at < end && n == 0)
        n = count_words(at, end, whole);
    return n;
}

bool hw_numbers_head(const char *bytes, size_t n, bool whole, hw_numbers_shape *shape)
{
    const char *at = bytes, *end = bytes + n;
    hw_numbers s = {.file = "", .at = bytes, .end = end};
    if (next_line(&at, end, whole) != 2)
        return false;
    if (hw_numbers_next(&s, "", UINT64_MAX, &shape->nodes, NULL) != HW_OK ||
        hw_numbers_next(&s, "", UINT64_MAX, &shape->edges, NULL) != HW_OK)
        return false;
    int second = next_line(&at, end, whole);
    int third = second > 0 ? next_line(&at, end, whole) : 0;
    shape->second_cut = second == CUT;
    shape->second = second > 0 ? (unsigned)second : 0;
    shape->third = third > 0 ? (unsigned)third : 0;
    return second != -1 && third != -1;
}
