/* Keys at the top of a JSON text.  See json_head.h. */
#include "import/json_head.h"

#include <string.h>

static size_t pass_blanks(const char *bytes, size_t n, size_t i)
{
    while (i < n && (bytes[i] == ' ' || bytes[i] == '\t' || bytes[i] == '\r' || bytes[i] == '\n'))
        i++;
    return i;
}

/* Behind the string whose quote stands at i; n: it has no end. */
static size_t pass_string(const char *bytes, size_t n, size_t i)
{
    for (i++; i < n && bytes[i] != '"'; i++)
        i += bytes[i] == '\\';
    return i < n ? i + 1 : n;
}

bool hw_json_head_find(const char *bytes, size_t n, const char *key, const char **value,
                       size_t *left)
{
    static const char mark[3] = "\xef\xbb\xbf";
    size_t length = strlen(key), i = 0;
    if (n >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0)
        i = sizeof mark;
    i = pass_blanks(bytes, n, i);
    if (i == n || bytes[i] != '{')
        return false;
    for (size_t depth = 0; i < n;) {
        char c = bytes[i];
        if (c != '"') {
            depth += c == '{' || c == '[';
            depth -= (c == '}' || c == ']') && depth > 0;
            if (depth == 0)
                return false;
            i++;
            continue;
        }
        size_t from = i + 1, behind = pass_string(bytes, n, i);
        i = pass_blanks(bytes, n, behind);
        if (depth != 1 || i >= n || bytes[i] != ':')
            continue;
        if (behind - 1 - from != length || memcmp(bytes + from, key, length) != 0)
            continue;
        i = pass_blanks(bytes, n, i + 1);
        *value = bytes + i;
        *left = n - i;
        return i < n;
    }
    return false;
}

bool hw_json_head_begins(const char *bytes, size_t n, const char *key, const char *with)
{
    const char *value;
    size_t left, length = strlen(with);
    return hw_json_head_find(bytes, n, key, &value, &left) && *value == '"' && left > length &&
           memcmp(value + 1, with, length) == 0;
}
