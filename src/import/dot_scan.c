/* Words and signs of DOT.  See dot_scan.h.  Source: the DOT language, graphviz.org/doc/info/lang.
 */
#include "import/dot_scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"

void hw_dot_scan_clear(hw_dot_scan *s)
{
    if (s->text != s->begin)
        free(s->text);
    s->text = NULL;
    s->length = s->room = 0;
}

hw_code hw_dot_fail(const hw_dot_scan *s, hw_error *err, const char *what)
{
    return hw_fail(err, HW_BAD_INPUT, "%s:%" PRIu64 ": %s", s->file, s->line, what);
}

static bool begins(const hw_dot_scan *s, const char *with)
{
    size_t n = strlen(with);
    return (size_t)(s->end - s->at) >= n && memcmp(s->at, with, n) == 0;
}

static void pass_line(hw_dot_scan *s)
{
    while (s->at < s->end && *s->at != '\n')
        s->at++;
}

/* line_start: nothing but blanks stands before on this line. */
static hw_code pass_blanks(hw_dot_scan *s, bool line_start, hw_error *err)
{
    while (s->at < s->end) {
        char c = *s->at;
        if (c == '\n') {
            s->line++;
            s->at++;
            line_start = true;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            s->at++;
        } else if (begins(s, "//") || (c == '#' && line_start)) {
            pass_line(s);
        } else if (begins(s, "/*")) {
            s->at += 2;
            while (s->at < s->end && !begins(s, "*/"))
                s->line += *s->at++ == '\n';
            if (s->at == s->end)
                return hw_dot_fail(s, err, "a comment has no end: the file is truncated");
            s->at += 2;
        } else {
            break;
        }
    }
    return HW_OK;
}

/* Room for so many bytes of a text and its end; *fits: there is. */
static hw_code make_room(hw_dot_scan *s, size_t bytes, bool *fits, hw_error *err)
{
    if (s->brief)
        s->text = s->begin;
    *fits = !s->brief || bytes < sizeof s->begin;
    if (!s->brief && !hw_grow((void **)&s->text, &s->room, bytes + 1, 1))
        return hw_fail_memory(err, "a name of a DOT file");
    return HW_OK;
}

static hw_code append(hw_dot_scan *s, char c, hw_error *err)
{
    bool fits;
    hw_code code = make_room(s, s->length + 1, &fits, err);
    if (code != HW_OK || !fits)
        return code;
    s->text[s->length++] = c;
    s->text[s->length] = '\0';
    return HW_OK;
}

/* One quoted text behind its quote; \" is a quote, a backslash at the end of a line joins lines. */
static hw_code scan_quoted(hw_dot_scan *s, hw_error *err)
{
    hw_code code = HW_OK;
    while (code == HW_OK && s->at < s->end && *s->at != '"') {
        char c = *s->at++;
        s->line += c == '\n';
        if (c == '\0')
            return hw_dot_fail(s, err, "a NUL byte: this is no text");
        if (c == '\\' && begins(s, "\""))
            c = *s->at++;
        else if (c == '\\' && begins(s, "\n")) {
            s->line++;
            s->at++;
            continue;
        }
        code = append(s, c, err);
    }
    if (code == HW_OK && s->at == s->end)
        return hw_dot_fail(s, err, "a quoted text has no end: the file is truncated");
    s->at++;
    return code;
}

/* "a" + "b" is "ab". */
static hw_code scan_texts(hw_dot_scan *s, hw_error *err)
{
    s->quoted = true;
    for (;;) {
        s->at++;
        hw_code code = scan_quoted(s, err);
        if (code == HW_OK)
            code = pass_blanks(s, false, err);
        if (code != HW_OK || s->at == s->end || *s->at != '+')
            return code;
        s->at++;
        code = pass_blanks(s, false, err);
        if (code != HW_OK)
            return code;
        if (s->at == s->end || *s->at != '"')
            return hw_dot_fail(s, err, "after + stands no quoted text: put one there");
    }
}

static hw_code scan_html(hw_dot_scan *s, hw_error *err)
{
    hw_code code = HW_OK;
    s->quoted = true;
    for (uint64_t depth = 0; code == HW_OK && s->at < s->end;) {
        char c = *s->at++;
        s->line += c == '\n';
        if (c == '\0')
            return hw_dot_fail(s, err, "a NUL byte: this is no text");
        code = append(s, c, err);
        depth += c == '<';
        depth -= c == '>';
        if (depth == 0)
            return code;
    }
    return code == HW_OK ? hw_dot_fail(s, err, "a text in <> has no end: the file is truncated")
                         : code;
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || (unsigned char)c >= 0x80;
}

static hw_code scan_name(hw_dot_scan *s, hw_error *err)
{
    hw_code code = append(s, *s->at++, err);
    while (code == HW_OK && s->at < s->end && is_name(*s->at))
        code = append(s, *s->at++, err);
    return code;
}

hw_code hw_dot_next(hw_dot_scan *s, hw_error *err)
{
    s->quoted = false;
    s->length = 0;
    s->sign = '\0';
    if (s->line == 0)
        s->line = 1;
    hw_code code = pass_blanks(s, s->token == HW_DOT_END, err);
    s->token = HW_DOT_END;
    if (code != HW_OK || s->at == s->end)
        return code;
    char c = *s->at;
    if (begins(s, "->") || begins(s, "--")) {
        s->token = s->at[1] == '>' ? HW_DOT_ARROW : HW_DOT_LINE;
        s->at += 2;
        return HW_OK;
    }
    if (c != '\0' && strchr("{}[];,=:", c)) {
        s->token = HW_DOT_SIGN;
        s->sign = c;
        s->at++;
        return HW_OK;
    }
    s->token = HW_DOT_ID;
    bool fits;
    code = make_room(s, 0, &fits, err);
    if (code != HW_OK)
        return code;
    s->text[0] = '\0';
    if (c == '"')
        return scan_texts(s, err);
    if (c == '<')
        return scan_html(s, err);
    if (is_name(c) || c == '-')
        return scan_name(s, err);
    return hw_dot_fail(s, err,
                       c == '\0' ? "a NUL byte: this is no text"
                                 : "a sign that DOT has not: put names with such signs in "
                                   "quotes");
}

bool hw_dot_is_sign(const hw_dot_scan *s, char sign)
{
    return s->token == HW_DOT_SIGN && s->sign == sign;
}

bool hw_dot_is_word(const hw_dot_scan *s, const char *word)
{
    return s->token == HW_DOT_ID && !s->quoted && strcasecmp(s->text, word) == 0;
}
