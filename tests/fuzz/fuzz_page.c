/*
 * Fuzz target: what a report takes from files (CSV, drawings, claims, captions), by
 * the first byte.  Nothing of them runs or reaches out in the page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/html_table.h"
#include "report/page_internal.h"
#include "report/svg_inline.h"
#include "tests/fuzz/fuzz.h"

/* What a tag refers to is in the page or a picture inside of it. */
static void stays_inside(const char *tag)
{
    static const char key[] = " href=\"", picture[] = "data:image/png;base64,";
    bool quoted = false;
    for (const char *at = tag; *at && (quoted || *at != '>'); at++) {
        const char *value = at + strlen(key);
        if (!quoted && strncmp(at, key, strlen(key)) == 0 && *value != '#' &&
            strncmp(value, picture, strlen(picture)) != 0)
            fuzz_fail("a reference to the outside:\n%.200s", tag);
        quoted ^= *at == '"';
    }
}

/* No element that runs, links or loads; text and values are escaped, so a '<' begins a tag. */
static void is_harmless(const char *page)
{
    static const char *const tags[] = {"script", "iframe", "object", "embed", "foreignobject",
                                       "style",  "a ",     "a>",     "link",  "img",
                                       "meta",   "base",   "form",   "!"};
    for (const char *at = strchr(page, '<'); at; at = strchr(at + 1, '<')) {
        stays_inside(at);
        for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
            if (strncasecmp(at + 1, tags[i], strlen(tags[i])) == 0)
                fuzz_fail("an element that does more than draw:\n%.200s", at);
    }
}

static void write_part(FILE *out, unsigned kind, const char *text, size_t n)
{
    uint64_t count;
    hw_error err = {0};
    char caption[HW_PAGE_CAPTION], label[HW_PAGE_LABEL];
    if (kind == 0) {
        (void)fuzz_ended_well(hw_html_csv(out, "caption", "file", text, n, 4, &count, &err), &err);
    } else if (kind == 1) {
        (void)fuzz_ended_well(hw_svg_inline(text, n, "p-", "label", out, &count, &err), &err);
    } else if (kind == 2) {
        const hw_page_options options = {.claims = fuzz_file(0, text, n)};
        const hw_page p = {.o = &options, .out = out};
        (void)fuzz_ended_well(hw_page_put_claims(&p, &err), &err);
    } else {
        bool lacked;
        struct json_t *titles = hw_page_titles(text, n, &lacked);
        hw_page_caption(titles, "gaps.svg", caption);
        hw_page_label(titles, "gaps.svg", label);
        (void)hw_page_place(titles, "gaps.svg");
        hw_page_titles_free(titles);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *page = NULL;
    size_t n;
    if (size == 0)
        return 0;
    FILE *out = open_memstream(&page, &n);
    char *text = malloc(size - 1); /* no byte more */
    if (!out || (!text && size > 1))
        fuzz_fail("out of memory");
    if (size > 1)
        memcpy(text, data + 1, size - 1);
    write_part(out, data[0] % 4, text, size - 1);
    if (fclose(out) != 0)
        fuzz_fail("out of memory");
    is_harmless(page);
    free(text);
    free(page);
    return 0;
}
