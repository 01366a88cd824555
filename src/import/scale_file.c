/* Rules of growth out of a file.  See scale.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "import/scale_internal.h"
#include "io/input.h"
#include "io/text.h"

enum { MOST_LINES = 10000, MOST_WORD = 400 };

typedef enum subject { OF_OP, OF_NODE, OF_TENSOR, OF_KIND, N_SUBJECTS } subject;
static const char *const subject_name[N_SUBJECTS] = {"op", "node", "tensor", "kind"};
static const char *const growth_name[] = {"fixed", "linear", "quadratic"};
static const char *const kind_name[] = {
    [HW_ACTIVATION] = "activation", [HW_INPUT] = "input", [HW_OUTPUT] = "output"};

typedef struct line {
    subject subject;
    uint8_t growth;
    char *pattern;
} line;

typedef struct rules {
    line *line;
    size_t n, capacity;
} rules;

static void clear(rules *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->line[i].pattern);
    free(r->line);
}

/* The place of a word in a list, or n. */
static size_t find(const char *const *names, size_t n, const char *word)
{
    size_t i = 0;
    while (i < n && strcmp(names[i], word) != 0)
        i++;
    return i;
}

static hw_code bad_line(const hw_input *in, const char *text, size_t n, hw_error *err)
{
    char quoted[HW_QUOTE_BYTES];
    return hw_fail(err, HW_BAD_INPUT,
                   "%s:%" PRIu64 ": '%s' is no rule: write 'op|node|tensor|kind PATTERN "
                   "fixed|linear|quadratic'",
                   in->name, in->line, hw_quote(text, n, quoted));
}

static hw_code add_line(rules *r, const hw_input *in, char *text, size_t n, hw_error *err)
{
    char *word[4] = {NULL}, *rest = NULL, *comment = memchr(text, '#', n);
    char whole[HW_QUOTE_BYTES];
    size_t n_words = 0, length = comment ? (size_t)(comment - text) : n;
    if (memchr(text, '\0', length))
        return bad_line(in, text, n, err);
    (void)hw_quote(text, n, whole);
    text[length] = '\0';
    for (char *w = strtok_r(text, " \t", &rest); w && n_words < 4; w = strtok_r(NULL, " \t", &rest))
        word[n_words++] = w;
    if (n_words == 0)
        return HW_OK;
    size_t s = find(subject_name, N_SUBJECTS, word[0]);
    size_t growth = n_words == 3 ? find(growth_name, 3, word[2]) : 3;
    if (s == N_SUBJECTS || growth == 3 || strlen(word[1]) > MOST_WORD)
        return bad_line(in, whole, strlen(whole), err);
    if (r->n >= MOST_LINES)
        return hw_fail(err, HW_BAD_INPUT, "%s: more than %d rules: use patterns", in->name,
                       (int)MOST_LINES);
    if (!hw_grow((void **)&r->line, &r->capacity, r->n + 1, sizeof *r->line))
        return hw_fail_memory(err, "a rule of growth");
    char *pattern = hw_copy(word[1], strlen(word[1]) + 1, 1);
    if (!pattern)
        return hw_fail_memory(err, "a rule of growth");
    r->line[r->n++] = (line){.subject = (subject)s, .growth = (uint8_t)growth, .pattern = pattern};
    return HW_OK;
}

static hw_code read_rules(const char *path, rules *r, hw_error *err)
{
    hw_input in;
    char *text;
    size_t n;
    hw_code code = hw_input_open(&in, path, err);
    if (code == HW_IO && strcmp(path, "-") != 0 && access(path, F_OK) != 0)
        return hw_fail(err, HW_USAGE,
                       "'%s' is no rule of growth: give all, some=P, or a file of rules", path);
    if (code != HW_OK)
        return code;
    do {
        code = hw_input_line(&in, &text, &n, err);
        if (code == HW_OK && text)
            code = add_line(r, &in, text, n, err);
    } while (code == HW_OK && text);
    if (code == HW_OK && r->n == 0)
        code = hw_fail(err, HW_BAD_INPUT,
                       "%s: holds no rule: write 'op|node|tensor|kind PATTERN "
                       "fixed|linear|quadratic'",
                       in.name);
    hw_input_close(&in);
    return code;
}

/* '*' any characters, '?' one; only the last '*' is ever tried again: O(pattern * text). */
static bool fits(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static bool matches(const line *l, const hw_graph *g, uint32_t node, uint32_t tensor)
{
    const char *text = NULL;
    if (l->subject == OF_OP && node != HW_NONE)
        text = hw_node_op(g, node);
    else if (l->subject == OF_NODE && node != HW_NONE)
        text = hw_node_name(g, node);
    else if (l->subject == OF_TENSOR && tensor != HW_NONE)
        text = hw_tensor_name(g, tensor);
    else if (l->subject == OF_KIND && tensor != HW_NONE)
        text = kind_name[g->tensor_kind[tensor]];
    return text && fits(l->pattern, text);
}

static uint8_t growth_of(const rules *r, const hw_graph *g, uint32_t node, uint32_t tensor)
{
    for (size_t i = 0; i < r->n; i++)
        if (matches(&r->line[i], g, node, tensor))
            return r->line[i].growth;
    return HW_GROWTH_FIXED;
}

hw_code hw_scale_read_file(const hw_graph *g, const char *path, hw_scale *s, hw_error *err)
{
    rules r = {0};
    hw_code code = read_rules(path, &r, err);
    for (uint32_t t = 0; code == HW_OK && t < g->n_tensors; t++)
        if (g->tensor_kind[t] != HW_CONSTANT)
            s->tensor[t] = growth_of(&r, g, g->tensor_producer[t], t);
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        s->workspace[v] = growth_of(&r, g, v, HW_NONE);
    clear(&r);
    return code;
}
