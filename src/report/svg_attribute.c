/* Attributes of drawings: those that only draw.  See svg_internal.h. */
#include "report/svg_internal.h"

#include <stdlib.h>

#include "report/html.h"

/* Sorted, for bsearch(). */
static const char *const attribute_names[] = {
    "clip-path",
    "clip-rule",
    "clipPathUnits",
    "color",
    "cx",
    "cy",
    "d",
    "dominant-baseline",
    "dx",
    "dy",
    "fill",
    "fill-opacity",
    "fill-rule",
    "filter",
    "filterUnits",
    "flood-color",
    "flood-opacity",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "fx",
    "fy",
    "gradientTransform",
    "gradientUnits",
    "height",
    "href",
    "id",
    "in",
    "in2",
    "marker-end",
    "marker-mid",
    "marker-start",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "mask",
    "offset",
    "opacity",
    "operator",
    "orient",
    "overflow",
    "patternTransform",
    "patternUnits",
    "points",
    "preserveAspectRatio",
    "r",
    "refX",
    "refY",
    "result",
    "rx",
    "ry",
    "shape-rendering",
    "spreadMethod",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
    "text-rendering",
    "textLength",
    "transform",
    "viewBox",
    "visibility",
    "width",
    "x",
    "x1",
    "x2",
    "xlink:href",
    "xml:space",
    "y",
    "y1",
    "y2",
};
enum { N_NAMES = sizeof attribute_names / sizeof attribute_names[0] };

static int compare_names(const void *key, const void *row)
{
    const hw_svg_piece *p = key;
    const char *name = *(const char *const *)row;
    size_t n = strlen(name);
    int d = memcmp(p->at, name, p->n < n ? p->n : n); /* there may be a NUL in a name */
    return d ? d : (p->n > n) - (p->n < n);
}

bool hw_svg_known(hw_svg_piece p, const char *const *names, size_t n)
{
    return bsearch(&p, names, n, sizeof *names, compare_names) != NULL;
}

/*
 * A value with references might spell what is looked for below; none that
 * draws needs one, so such values stay out (ids, paths, colours, numbers).
 */
static bool has_reference(hw_svg_piece value)
{
    return memchr(value.at, '&', value.n) != NULL;
}

/* "#name" of n bytes: a reference within the document. */
static bool is_local(hw_svg_piece p)
{
    if (p.n < 2 || p.at[0] != '#')
        return false;
    for (size_t i = 1; i < p.n; i++)
        if (!hw_svg_is_name(p.at[i]))
            return false;
    return true;
}

/* Without blanks and quotes at either end. */
static hw_svg_piece trimmed(hw_svg_piece p)
{
    static const char around[] = {' ', '\t', '\r', '\n', '\'', '"'};
    while (p.n && memchr(around, p.at[0], sizeof around)) {
        p.at++;
        p.n--;
    }
    while (p.n && memchr(around, p.at[p.n - 1], sizeof around))
        p.n--;
    return p;
}

/* "url(#name)", with blanks or quotes or not; *name is what follows the '#'. */
static bool is_local_url(hw_svg_piece p, hw_svg_piece *name)
{
    static const char head[] = "url(";
    size_t length = sizeof head - 1;
    if (p.n < length + 3 || memcmp(p.at, head, length) != 0 || p.at[p.n - 1] != ')')
        return false;
    hw_svg_piece inner = {p.at + length, p.n - length - 1};
    inner = trimmed(inner);
    *name = (hw_svg_piece){inner.at + 1, inner.n - 1};
    return is_local(inner);
}

static bool is_picture(hw_svg_piece p)
{
    static const char head[] = "data:image/png;base64,",
                      others[] = {'+', '/', '=', '\n', '\r', ' '};
    size_t length = sizeof head - 1;
    if (p.n < length || memcmp(p.at, head, length) != 0)
        return false;
    for (size_t i = length; i < p.n; i++)
        if (!isalnum((unsigned char)p.at[i]) && !memchr(others, p.at[i], sizeof others))
            return false;
    return true;
}

static bool mentions_url(hw_svg_piece p)
{
    static const char word[] = "url";
    for (size_t i = 0; i + 3 <= p.n; i++) {
        size_t k = 0;
        while (k < 3 && tolower((unsigned char)p.at[i + k]) == word[k])
            k++;
        if (k == 3)
            return true;
    }
    return memchr(p.at, '\\', p.n) != NULL;
}

/* "fill:none; stroke:red" as attributes, each by the rules for one; false: some stay out. */
static bool put_style(FILE *out, const char *prefix, hw_svg_piece element, hw_svg_piece style)
{
    bool whole = true;
    while (style.n) {
        const char *end = memchr(style.at, ';', style.n);
        hw_svg_piece one = {style.at, end ? (size_t)(end - style.at) : style.n};
        style.at += end ? one.n + 1 : one.n;
        style.n -= end ? one.n + 1 : one.n;
        one = trimmed(one);
        const char *colon = memchr(one.at, ':', one.n);
        if (one.n == 0)
            continue;
        hw_svg_attribute a = {one, {NULL, 0}};
        if (colon) {
            a.name = trimmed((hw_svg_piece){one.at, (size_t)(colon - one.at)});
            a.value = trimmed((hw_svg_piece){colon + 1, one.n - (size_t)(colon + 1 - one.at)});
        }
        bool names =
            hw_svg_is(a.name, "id") || hw_svg_is(a.name, "href") || hw_svg_is(a.name, "style");
        whole = colon && !names && hw_svg_put_attribute(out, prefix, element, &a) && whole;
    }
    return whole;
}

bool hw_svg_put_attribute(FILE *out, const char *prefix, hw_svg_piece element,
                          const hw_svg_attribute *a)
{
    hw_svg_piece value = a->value, name;
    if (hw_svg_is(a->name, "style") && !has_reference(value))
        return put_style(out, prefix, element, value);
    if (!hw_svg_known(a->name, attribute_names, N_NAMES) || has_reference(value))
        return false;
    if (hw_svg_is(a->name, "href") || hw_svg_is(a->name, "xlink:href")) {
        bool picture = hw_svg_is(element, "image") && is_picture(value);
        if (!picture && !is_local(value))
            return false;
        (void)fputs(" href=\"", out);
        if (!picture) {
            (void)fprintf(out, "#%s", prefix);
            value = (hw_svg_piece){value.at + 1, value.n - 1};
        }
    } else if (hw_svg_is(a->name, "id")) {
        (void)fprintf(out, " id=\"%s", prefix);
    } else if (is_local_url(value, &name)) {
        (void)fprintf(out, " %.*s=\"url(#%s", (int)a->name.n, a->name.at, prefix);
        hw_html_bytes(out, name.at, name.n);
        (void)fputs(")\"", out);
        return true;
    } else if (mentions_url(value)) {
        return false;
    } else {
        (void)fprintf(out, " %.*s=\"", (int)a->name.n, a->name.at);
    }
    hw_html_bytes(out, value.at, value.n);
    (void)fputc('"', out);
    return true;
}
