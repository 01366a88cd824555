/* Drawings inlined, by a reader that passes what draws.  See svg_inline.h. */
#include "report/svg_inline.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/svg_internal.h"

/* Sorted, for bsearch(). */
static const char *const element_names[] = {
    "circle",  "clipPath", "defs",     "ellipse",        "feComposite", "feFlood", "filter",
    "g",       "image",    "line",     "linearGradient", "marker",      "mask",    "path",
    "pattern", "polygon",  "polyline", "radialGradient", "rect",        "stop",    "svg",
    "symbol",  "text",     "title",    "tspan",          "use",
};

enum { N_ELEMENTS = sizeof element_names / sizeof element_names[0] };

enum { MOST_DEPTH = 256, MOST_ATTRIBUTES = 64 };

typedef struct reader {
    const char *text;
    size_t n, at;
    const char *prefix, *label;
    FILE *out;
    hw_error *err;
    uint64_t left_out;
    hw_svg_piece open[MOST_DEPTH]; /* names of the open elements               */
    size_t depth;
    size_t hidden; /* depth at which an element that stays out begins; 0: none */
    bool had_root;
} reader;

static hw_code broken(const reader *r, const char *why)
{
    return hw_fail(r->err, HW_BAD_INPUT, "byte %zu: %s", r->at, why);
}

/* The next place of `word` from r->at on, or r->n. */
static size_t find(const reader *r, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = r->at; i + length <= r->n; i++)
        if (memcmp(r->text + i, word, length) == 0)
            return i;
    return r->n;
}

static hw_code skip_past(reader *r, const char *word, const char *why)
{
    size_t at = find(r, word);
    if (at == r->n)
        return broken(r, why);
    r->at = at + strlen(word);
    return HW_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(reader *r)
{
    while (r->at < r->n && is_blank(r->text[r->at]))
        r->at++;
}

static hw_svg_piece read_name(reader *r)
{
    hw_svg_piece p = {r->text + r->at, 0};
    while (r->at < r->n && hw_svg_is_name(r->text[r->at])) {
        r->at++;
        p.n++;
    }
    return p;
}

/* ---- Text: references stay references, everything else is escaped. ---- */

/* Bytes of the reference (&amp; &#8804; &#x3c;) that begins at p, with its ';'; 0: it is none. */
static size_t reference(const char *p, size_t n)
{
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (length <= n && memcmp(p, names[i], length) == 0)
            return length;
    }
    if (n < 4 || p[1] != '#')
        return 0;
    enum { MOST_DIGITS = 8 };
    bool hex = p[2] == 'x';
    size_t i = hex ? 3 : 2, first = i;
    while (i < n && i < first + MOST_DIGITS &&
           (hex ? isxdigit((unsigned char)p[i]) : isdigit((unsigned char)p[i])))
        i++;
    return i > first && i < n && p[i] == ';' ? i + 1 : 0;
}

/* Blanks between elements lay the file out; within a text they are part of it. */
static bool is_layout(const reader *r, hw_svg_piece p)
{
    hw_svg_piece inside = r->open[r->depth - 1];
    if (hw_svg_is(inside, "text") || hw_svg_is(inside, "tspan") || hw_svg_is(inside, "title"))
        return false;
    for (size_t i = 0; i < p.n; i++)
        if (!is_blank(p.at[i]))
            return false;
    return true;
}

static void put_text(const reader *r, hw_svg_piece p)
{
    size_t from = 0;
    if (is_layout(r, p)) {
        if (memchr(p.at, '\n', p.n))
            (void)fputc('\n', r->out);
        return;
    }
    for (size_t i = 0; i < p.n;) {
        size_t length = p.at[i] == '&' ? reference(p.at + i, p.n - i) : 0;
        if (length == 0) {
            i++;
            continue;
        }
        hw_html_bytes(r->out, p.at + from, i - from);
        (void)fwrite(p.at + i, 1, length, r->out);
        from = i += length;
    }
    hw_html_bytes(r->out, p.at + from, p.n - from);
}

/* ---- Elements. ---- */

/* The leading number of "1255", "12.5pt"; 0: none. */
static double length_of(hw_svg_piece value)
{
    char text[32];
    size_t n = value.n < sizeof text - 1 ? value.n : sizeof text - 1;
    memcpy(text, value.at, n);
    text[n] = '\0';
    double number = strtod(text, NULL);
    return number > 0 && number < 1e6 ? number : 0;
}

/* The root: scaled by the page, so its size becomes a view box and the widest that it is drawn. */
static void put_root(reader *r, const hw_svg_attribute *attributes, size_t n)
{
    double width = 0, height = 0;
    bool has_box = false;
    for (size_t i = 0; i < n; i++) {
        if (hw_svg_is(attributes[i].name, "width"))
            width = length_of(attributes[i].value);
        if (hw_svg_is(attributes[i].name, "height"))
            height = length_of(attributes[i].value);
        has_box = has_box || (hw_svg_is(attributes[i].name, "viewBox"));
    }
    (void)fputs("<svg class=\"plot\" role=\"img\" aria-label=\"", r->out);
    hw_html_text(r->out, r->label);
    (void)fputc('"', r->out);
    if (width > 0)
        (void)fprintf(r->out, " style=\"--w:%.0fpx\"", width);
    if (!has_box && width > 0 && height > 0)
        (void)fprintf(r->out, " viewBox=\"0 0 %.6g %.6g\"", width, height);
    for (size_t i = 0; i < n; i++)
        if (hw_svg_is(attributes[i].name, "viewBox") ||
            hw_svg_is(attributes[i].name, "preserveAspectRatio"))
            (void)hw_svg_put_attribute(r->out, r->prefix, (hw_svg_piece){"svg", 3}, &attributes[i]);
    (void)fputc('>', r->out);
}

static hw_code read_attributes(reader *r, hw_svg_attribute *attributes, size_t *n)
{
    *n = 0;
    for (;;) {
        skip_blanks(r);
        if (r->at < r->n && (r->text[r->at] == '>' || r->text[r->at] == '/'))
            return HW_OK;
        hw_svg_attribute a = {.name = read_name(r)};
        skip_blanks(r);
        if (a.name.n == 0 || r->at >= r->n || r->text[r->at] != '=')
            return broken(r, "no attribute: NAME=\"VALUE\" is expected");
        r->at++;
        skip_blanks(r);
        char quote = r->at < r->n ? r->text[r->at] : '\0';
        if (quote != '"' && quote != '\'')
            return broken(r, "the value of an attribute has no quotes");
        a.value.at = r->text + ++r->at;
        const char *end = memchr(a.value.at, quote, r->n - r->at);
        if (!end)
            return broken(r, "the value of an attribute has no end");
        a.value.n = (size_t)(end - a.value.at);
        r->at += a.value.n + 1;
        if (*n == MOST_ATTRIBUTES)
            return broken(r, "an element has more attributes than any drawing needs");
        attributes[(*n)++] = a;
    }
}

/* False: it stays out.  Classes mean nothing here, where no style of the file is. */
static bool put_one(const reader *r, hw_svg_piece name, const hw_svg_attribute *a)
{
    return hw_svg_put_attribute(r->out, r->prefix, name, a) || hw_svg_is(a->name, "class");
}

static void put_start(reader *r, hw_svg_piece name, const hw_svg_attribute *attributes, size_t n)
{
    if (r->depth == 0) {
        put_root(r, attributes, n);
        return;
    }
    (void)fprintf(r->out, "<%.*s", (int)name.n, name.at);
    for (size_t i = 0; i < n;
         i++) /* a style outweighs attributes: of equal names the first counts */
        if (hw_svg_is(attributes[i].name, "style"))
            r->left_out += !put_one(r, name, &attributes[i]);
    for (size_t i = 0; i < n; i++)
        if (!hw_svg_is(attributes[i].name, "style"))
            r->left_out += !put_one(r, name, &attributes[i]);
    (void)fputc('>', r->out);
}

static void put_end(const reader *r, hw_svg_piece name)
{
    (void)fprintf(r->out, "</%.*s>", (int)name.n, name.at);
}

static hw_code start_tag(reader *r)
{
    hw_svg_attribute attributes[MOST_ATTRIBUTES];
    size_t n;
    hw_svg_piece name = read_name(r);
    if (name.n == 0)
        return broken(r, "'<' begins no element");
    if (r->depth == 0 && (r->had_root || !hw_svg_is(name, "svg")))
        return broken(r, "the document is no single svg element");
    hw_code code = read_attributes(r, attributes, &n);
    if (code != HW_OK)
        return code;
    bool empty = r->text[r->at] == '/';
    r->at += empty;
    if (r->at >= r->n || r->text[r->at] != '>')
        return broken(r, "a start tag has no end");
    r->at++;
    if (r->depth == MOST_DEPTH)
        return broken(r, "elements are nested too deeply");
    r->had_root = true;
    /* The title of the whole drawing would be a tooltip over all of it. */
    bool passes = hw_svg_known(name, element_names, N_ELEMENTS) &&
                  !(r->depth == 1 && hw_svg_is(name, "title"));
    if (r->hidden == 0 && passes) {
        put_start(r, name, attributes, n);
        if (empty)
            put_end(r, name);
    } else if (r->hidden == 0) {
        r->left_out += !hw_svg_is(name, "title") && !hw_svg_is(name, "desc");
        r->hidden = empty ? 0 : r->depth + 1;
    }
    if (!empty)
        r->open[r->depth++] = name;
    return HW_OK;
}

static hw_code end_tag(reader *r)
{
    hw_svg_piece name = read_name(r);
    skip_blanks(r);
    if (r->at >= r->n || r->text[r->at] != '>')
        return broken(r, "an end tag has no end");
    r->at++;
    if (r->depth == 0 || r->open[r->depth - 1].n != name.n ||
        memcmp(r->open[r->depth - 1].at, name.at, name.n) != 0)
        return broken(r, "an end tag closes another element");
    if (r->hidden == 0)
        put_end(r, name);
    if (r->hidden == r->depth)
        r->hidden = 0;
    r->depth--;
    return HW_OK;
}

static hw_code markup(reader *r)
{
    hw_svg_piece rest = {r->text + r->at, r->n - r->at};
    if (rest.n >= 4 && memcmp(rest.at, "<!--", 4) == 0)
        return skip_past(r, "-->", "a comment has no end");
    if (rest.n >= 2 && rest.at[1] == '?')
        return skip_past(r, "?>", "an instruction has no end");
    if (rest.n >= 2 && rest.at[1] == '!') {
        size_t end = find(r, ">");
        if (r->depth > 0 || memchr(rest.at, '[', end - r->at))
            return broken(r, "entities and CDATA have no place in a drawing");
        return skip_past(r, ">", "a declaration has no end");
    }
    r->at++;
    if (r->at < r->n && r->text[r->at] == '/') {
        r->at++;
        return end_tag(r);
    }
    return start_tag(r);
}

hw_code hw_svg_inline(const char *text, size_t n, const char *prefix, const char *label, FILE *out,
                      uint64_t *left_out, hw_error *err)
{
    reader r = {.text = text, .n = n, .prefix = prefix, .label = label, .out = out, .err = err};
    hw_code code = HW_OK;
    while (code == HW_OK && r.at < n) {
        if (text[r.at] == '<') {
            code = markup(&r);
            continue;
        }
        const char *end = memchr(text + r.at, '<', n - r.at);
        hw_svg_piece p = {text + r.at, end ? (size_t)(end - text) - r.at : n - r.at};
        if (r.depth > 0 && r.hidden == 0)
            put_text(&r, p);
        r.at += p.n;
    }
    *left_out = r.left_out;
    if (code == HW_OK && (r.depth > 0 || !r.had_root))
        code = broken(&r, r.had_root ? "the document ends within an element" : "no svg element");
    return code;
}
