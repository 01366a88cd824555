/* Patterns of fusion out of text.  See patterns.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/input.h"
#include "io/text.h"
#include "transform/patterns_internal.h"

enum { WHERE_BYTES = 512 };

static const char blank[] = " \t\r";

typedef struct class_row {
    const char *name;
    unsigned traits;
    bool any, bias;
} class_row;

static const class_row classes[] = {
    {"<convolution>", HW_OPERATOR_CONVOLUTION, false, false},
    {"<norm>", HW_OPERATOR_NORM, false, false},
    {"<activation>", HW_OPERATOR_ACTIVATION, false, false},
    {"<elementwise>", HW_OPERATOR_ELEMENTWISE | HW_OPERATOR_ACTIVATION, false, false},
    {"<bias>", HW_OPERATOR_ELEMENTWISE, false, true},
    {"<any>", 0, true, false},
};

/* One word of the line, its NUL set, into the next item. */
static hw_code add_item(pattern_row *row, char *word, const char *where, hw_error *err)
{
    char quoted[HW_QUOTE_BYTES];
    if (row->n_items == HW_PATTERN_ITEMS)
        return hw_fail(err, HW_BAD_INPUT, "%spattern %s: more than %d items: shorten it", where,
                       row->text, (int)HW_PATTERN_ITEMS);
    size_t n = strlen(word);
    char mark = n > 1 ? word[n - 1] : '\0';
    pattern_item item = {.optional = mark == '?' || mark == '*',
                         .repeats = mark == '+' || mark == '*'};
    if (item.optional || item.repeats)
        word[--n] = '\0';
    if (word[0] != '<') {
        if (word[0] == '|' || word[n - 1] == '|' || strstr(word, "||") || strpbrk(word, "?*+<>:"))
            return hw_fail(err, HW_BAD_INPUT,
                           "%spattern %s: '%s' is no item: write an operator type, some as a|b, or "
                           "a class such as <norm>, and then at most one of ? * +",
                           where, row->text, hw_quote(word, n, quoted));
        item.words = (size_t)(word - row->text);
        row->item[row->n_items++] = item;
        return HW_OK;
    }
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (strcmp(word, classes[i].name) == 0) {
            item.traits = classes[i].traits;
            item.any = classes[i].any;
            item.bias = classes[i].bias;
            row->item[row->n_items++] = item;
            return HW_OK;
        }
    return hw_fail(err, HW_BAD_INPUT,
                   "%spattern %s: no class '%s': there are <convolution>, <norm>, <activation>, "
                   "<elementwise>, <bias> and <any>",
                   where, row->text, hw_quote(word, n, quoted));
}

/* A match of two nodes or more is possible: two items, or one that repeats. */
static bool can_join(const pattern_row *row)
{
    for (uint32_t i = 0; i < row->n_items; i++)
        if (row->item[i].repeats)
            return true;
    return row->n_items > 1;
}

/* row->text holds the line: it becomes words. */
static hw_code cut(pattern_row *row, const char *where, hw_error *err)
{
    char *at = row->text + strspn(row->text, blank), *colon = strchr(at, ':');
    size_t n = strcspn(at, " \t\r:");
    if (!colon || n == 0 || at + n + strspn(at + n, blank) != colon)
        return hw_fail(err, HW_BAD_INPUT, "%sno pattern: write NAME: ITEM ITEM...", where);
    memmove(row->text, at, n);
    row->text[n] = '\0'; /* before the first word, or on what parts the name from it */
    hw_code code = HW_OK;
    for (at = colon + 1; code == HW_OK;) {
        at += strspn(at, blank);
        if (!*at)
            break;
        size_t length = strcspn(at, blank);
        bool last = at[length] == '\0';
        at[length] = '\0';
        code = add_item(row, at, where, err);
        at += length + !last;
    }
    if (code == HW_OK && !can_join(row))
        code =
            hw_fail(err, HW_BAD_INPUT,
                    "%spattern %s: no two nodes can match it: give two items, or one with + or *",
                    where, row->text);
    return code;
}

hw_code hw_patterns_add(hw_patterns *p, const char *line, const char *where, hw_error *err)
{
    char before[WHERE_BYTES + 2] = "";
    if (where)
        (void)snprintf(before, sizeof before, "%.*s: ", WHERE_BYTES - 2, where);
    if (!hw_grow((void **)&p->row, &p->room, p->n + 1, sizeof *p->row))
        return hw_fail_memory(err, "patterns of fusion");
    pattern_row *row = &p->row[p->n];
    *row = (pattern_row){.text = hw_copy(line, strlen(line) + 1, 1)};
    if (!row->text)
        return hw_fail_memory(err, "patterns of fusion");
    hw_code code = cut(row, before, err);
    for (size_t i = 0; code == HW_OK && i < p->n; i++)
        if (strcmp(p->row[i].text, row->text) == 0)
            code = hw_fail(err, HW_BAD_INPUT, "%spattern %s is there already: name it anew", before,
                           row->text);
    if (code == HW_OK)
        p->n++;
    else
        free(row->text);
    return code;
}

static hw_code add_line(hw_patterns *p, const char *file, uint64_t number, char *line,
                        size_t length, hw_error *err)
{
    char where[WHERE_BYTES];
    (void)snprintf(where, sizeof where, "%.400s: line %llu", file, (unsigned long long)number);
    if (memchr(line, '\0', length))
        return hw_fail(err, HW_BAD_INPUT, "%s: holds a NUL byte: patterns are text", where);
    line[length] = '\0';
    line[strcspn(line, "#")] = '\0';
    return line[strspn(line, blank)] ? hw_patterns_add(p, line, where, err) : HW_OK;
}

hw_code hw_patterns_read(hw_patterns *p, const char *path, hw_error *err)
{
    hw_input in;
    hw_code code = hw_input_open(&in, path, err);
    if (code != HW_OK)
        return code;
    for (char *line; code == HW_OK;) {
        size_t length;
        code = hw_input_line(&in, &line, &length, err);
        if (code != HW_OK || !line)
            break;
        code = add_line(p, in.name, in.line, line, length, err);
    }
    hw_input_close(&in);
    return code;
}
