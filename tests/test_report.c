/* Pages of HTML: escaping, drawings, tables, and which instances are shown. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/html_table.h"
#include "report/page_internal.h"
#include "report/svg_inline.h"
#include "tests/support_io.h"

/* ---- Escaping. ---- */

typedef struct memory {
    FILE *stream;
    char *text;
    size_t n;
} memory;

static void memory_open(memory *m)
{
    *m = (memory){.stream = NULL};
    m->stream = open_memstream(&m->text, &m->n);
    assert_non_null(m->stream);
}

/* What was written, until memory_free(). */
static const char *memory_text(memory *m)
{
    assert_int_equal(fclose(m->stream), 0);
    return m->text;
}

static void memory_free(memory *m)
{
    free(m->text);
}

static void assert_html(const char *text, size_t n, const char *wanted)
{
    memory m;
    memory_open(&m);
    hw_html_bytes(m.stream, text, n);
    assert_string_equal(memory_text(&m), wanted);
    memory_free(&m);
}

static void text_is_escaped(void **state)
{
    (void)state;
    static const char hostile[] = "</td><img src=x onerror='a(\"b\")'>&lt;";
    assert_html(hostile, sizeof hostile - 1,
                "&lt;/td&gt;&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;lt;");
    assert_html("\xC3\xA9\xE2\x89\xA4\n\t", 7, "\xC3\xA9\xE2\x89\xA4\n\t");
    /* NUL, escape, delete; a torn character, an overlong '<', a lone byte */
    assert_html("a\0b\x1b\x7f", 5,
                "a\xEF\xBF\xBD"
                "b\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_html("\xE2\x89", 2, "\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_html("\xC0\xBC|\xFF", 4, "\xEF\xBF\xBD\xEF\xBF\xBD|\xEF\xBF\xBD");
}

static void counts_have_commas(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        const char *text;
    } cases[] = {{0, "0"},
                 {999, "999"},
                 {1000, "1,000"},
                 {123456, "123,456"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memory m;
        memory_open(&m);
        hw_html_count(m.stream, cases[i].value);
        assert_string_equal(memory_text(&m), cases[i].text);
        memory_free(&m);
    }
}

static void json_cannot_end_its_element(void **state)
{
    (void)state;
    static const char json[] = "{\"a\":\"</script><!--&\"}";
    memory m;
    memory_open(&m);
    hw_html_json(m.stream, json, sizeof json - 1);
    assert_string_equal(memory_text(&m), "{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u0026\"}");
    memory_free(&m);
}

/* ---- Drawings. ---- */

#define SVG(body) "<svg width='20' height=\"10\">" body "</svg>"
#define HEAD                                                                                       \
    "<svg class=\"plot\" role=\"img\" aria-label=\"a &lt;b&gt;\" style=\"--w:20px\""               \
    " viewBox=\"0 0 20 10\">"

/* The drawing inlined with ids after "p-", or NULL where it is refused. */
static char *inlined(const char *text, uint64_t *left_out)
{
    memory m;
    hw_error err = {.code = HW_OK};
    memory_open(&m);
    hw_code code = hw_svg_inline(text, strlen(text), "p-", "a <b>", m.stream, left_out, &err);
    (void)memory_text(&m);
    if (code == HW_OK)
        return m.text;
    assert_int_equal(code, HW_BAD_INPUT);
    assert_true(strncmp(err.message, "byte ", 5) == 0);
    memory_free(&m);
    return NULL;
}

static void drawings_keep_what_draws(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        uint64_t left_out;
    } cases[] = {
        {SVG("<g id='a' fill=\"none\"><path d='M0,0 L1,1'/></g>"),
         HEAD "<g id=\"p-a\" fill=\"none\"><path d=\"M0,0 L1,1\"></path></g></svg>", 0},
        {"<?xml version='1.0'?>\n<!DOCTYPE svg>\n<!-- > -->" SVG("<title>T</title><desc>d</desc>"),
         HEAD "</svg>", 0},
        {SVG("<use xlink:href='#a'/><use href=\"#b\"/>"),
         HEAD "<use href=\"#p-a\"></use><use href=\"#p-b\"></use></svg>", 0},
        {SVG("<g clip-path='url(#a)' fill=\"url( '#b' )\"></g>"),
         HEAD "<g clip-path=\"url(#p-a)\" fill=\"url(#p-b)\"></g></svg>", 0},
        {SVG("<text x='1'>a &lt; b &#8804; c & d</text>"),
         HEAD "<text x=\"1\">a &lt; b &#8804; c &amp; d</text></svg>", 0},
        {SVG("<image href='data:image/png;base64,iVBOR+/='/>"),
         HEAD "<image href=\"data:image/png;base64,iVBOR+/=\"></image></svg>", 0},
        {SVG("\n\t <g>  <text> a  <tspan> </tspan></text>\n\n</g>"),
         HEAD "\n<g><text> a  <tspan> </tspan></text>\n</g></svg>", 0},
        {SVG("<g class='x' ><title>t</title></g>"), HEAD "<g><title>t</title></g></svg>", 0},
        /* what stays out */
        {SVG("<script>a</script><path d='M0,0'/>"), HEAD "<path d=\"M0,0\"></path></svg>", 1},
        {SVG("<style><g></g></style><SCRIPT>b</SCRIPT>"), HEAD "</svg>", 2},
        {SVG("<a href='http://x'><text>t</text></a>"), HEAD "</svg>", 1},
        {SVG("<path stroke='red' style=' fill : none;stroke:rgb(1,2,3); '/>"),
         HEAD "<path fill=\"none\" stroke=\"rgb(1,2,3)\" stroke=\"red\"></path></svg>", 0},
        {SVG("<path style='fill:url(http://x);stroke:blue;behavior:url(#a)'/>"),
         HEAD "<path stroke=\"blue\"></path></svg>", 1},
        {SVG("<path style='href:#a'/><path style='id:b;style:c'/>"),
         HEAD "<path></path><path></path></svg>", 2},
        {SVG("<rect onclick='a()' ONLOAD='b()' style='c' x='1'/>"),
         HEAD "<rect x=\"1\"></rect></svg>", 3},
        {SVG("<use href='http://x#a'/><use href='javascript:a'/><use href='#'/>"),
         HEAD "<use></use><use></use><use></use></svg>", 3},
        {SVG("<g fill='url(http://x)' stroke='URL(#a) red' mask='u\\72l(#a)'/>"),
         HEAD "<g></g></svg>", 3},
        {SVG("<g fill='&#117;rl(http://x)'/>"), HEAD "<g></g></svg>", 1},
        {SVG("<image href='data:text/html,a'/><image href='x.png'/>"),
         HEAD "<image></image><image></image></svg>", 2},
        {SVG("<use href='data:image/png;base64,aa'/>"), HEAD "<use></use></svg>", 1},
        {SVG("<foreignObject><g><script/></g></foreignObject>"), HEAD "</svg>", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t left_out;
        char *text = inlined(cases[i].from, &left_out);
        assert_non_null(text);
        assert_string_equal(text, cases[i].to);
        assert_int_equal(left_out, cases[i].left_out);
        free(text);
    }
}

static void broken_drawings_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "text",
        "<svg>",
        "<svg",
        "<svg></svg",
        "<svg></g></svg>",
        "<svg><g></svg>",
        "<svg></svg><svg></svg>",
        "<html></html>",
        "</svg>",
        "<svg a></svg>",
        "<svg a=b></svg>",
        "<svg a='b></svg>",
        "<svg><!-- </svg>",
        "<svg><![CDATA[<script>]]></svg>",
        "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg></svg>",
        "<svg><></></svg>",
        "<svg><g/ ></svg>",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t left_out;
        char *text = inlined(cases[i], &left_out);
        if (text)
            fail_msg("'%s' passed as %s", cases[i], text);
    }
}

static void deep_drawings_are_refused(void **state)
{
    (void)state;
    enum { DEPTH = 5000 };
    char text[DEPTH * 3 + 16] = "<svg>";
    uint64_t left_out;
    for (size_t i = 0; i < DEPTH; i++)
        memcpy(text + 5 + 3 * i, "<g>", 3);
    text[5 + 3 * DEPTH] = '\0';
    assert_null(inlined(text, &left_out));
}

/* Every cut of a drawing is refused or passes; none reads past its end. */
static void cut_drawings_do_no_harm(void **state)
{
    (void)state;
    static const char whole[] = "<?xml?><!DOCTYPE a><svg width='1'><g fill=\"url(#a)\"><!-- c "
                                "--><text>&#1;</text></g></svg>";
    for (size_t n = 0; n <= sizeof whole - 1; n++) {
        memory m;
        uint64_t left_out;
        char *exact = malloc(n ? n : 1); /* so that the sanitizer sees a byte beyond */
        assert_non_null(exact);
        memcpy(exact, whole, n);
        memory_open(&m);
        hw_code code = hw_svg_inline(exact, n, "p-", "l", m.stream, &left_out, NULL);
        (void)memory_text(&m);
        assert_int_equal(code, n == sizeof whole - 1 ? HW_OK : HW_BAD_INPUT);
        memory_free(&m);
        free(exact);
    }
}

/* ---- Tables. ---- */

static hw_code csv(const char *text, uint64_t most, memory *m, uint64_t *n_rows, hw_error *err)
{
    memory_open(m);
    hw_code code =
        hw_html_csv(m->stream, "caption", "t.csv", text, strlen(text), most, n_rows, err);
    (void)memory_text(m);
    return code;
}

static void assert_csv_holds(const char *text, const char *wanted)
{
    memory m;
    uint64_t n_rows;
    hw_error err = {.code = HW_OK};
    assert_int_equal(csv(text, 100, &m, &n_rows, &err), HW_OK);
    if (!strstr(m.text, wanted))
        fail_msg("no %s in %s", wanted, m.text);
    memory_free(&m);
}

static void tables_are_read(void **state)
{
    (void)state;
    assert_csv_holds("a,b\nx,1\n", "<th scope=\"col\">a</th><th scope=\"col\" class=\"n\">b</th>");
    assert_csv_holds("a,b\nx,1\n", "<tr><td>x</td><td class=\"n\">1</td></tr>");
    assert_csv_holds("a\n\"x \"\"y\"\", <z>\"\n", "<td>x &quot;y&quot;, &lt;z&gt;</td>");
    assert_csv_holds("\"a \"\"b\"\"\",c\nx,y\n", "<th scope=\"col\">a &quot;b&quot;</th>");
    assert_csv_holds("a\r\n1.123456789\r\n", "<td class=\"n\" data-v=\"1.123456789\">1.123</td>");
    assert_csv_holds("a,b\n,x\n2,y", "<tr><td class=\"n\">\xE2\x80\x93</td><td>x</td></tr>");
    /* words that strtod() takes, and hexadecimal, are words */
    assert_csv_holds("a\nnan\n0x10\ninfinity\n", "<td>nan</td></tr>\n<tr><td>0x10</td>");
    assert_csv_holds("a\n1\nx\n", "<th scope=\"col\">a</th>");
}

static void long_tables_are_cut(void **state)
{
    (void)state;
    memory m;
    uint64_t n_rows;
    hw_error err = {.code = HW_OK};
    assert_int_equal(csv("a\n1\n2\n3\n4\n", 2, &m, &n_rows, &err), HW_OK);
    assert_int_equal(n_rows, 4);
    assert_non_null(strstr(m.text, "the first 2 of 4 rows"));
    assert_non_null(strstr(m.text, ">2<"));
    assert_null(strstr(m.text, ">3<"));
    memory_free(&m);
}

static void broken_tables_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {{"", "empty"},
                 {"a,b\n1\n", "row 2: more or fewer cells"},
                 {"a\n1\n2,3\n", "row 3: more or fewer cells"},
                 {"a\n\"1\n", "row 2: a quote has no end"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memory m;
        uint64_t n_rows;
        hw_error err = {.code = HW_OK};
        assert_int_equal(csv(cases[i].text, 100, &m, &n_rows, &err), HW_BAD_INPUT);
        assert_non_null(strstr(err.message, cases[i].why));
        memory_free(&m);
    }
}

/* ---- Titles. ---- */

static void drawings_have_titles(void **state)
{
    (void)state;
    static const char json[] =
        "[{\"file\":\"z.svg\",\"title\":\"The last\",\"caption\":\"of all\"},"
        " {\"file\":\"heat.svg\"}, 7, {\"title\":\"nothing\"}]";
    char text[HW_PAGE_CAPTION], label[HW_PAGE_LABEL];
    bool lacked;
    struct json_t *titles = hw_page_titles(json, sizeof json - 1, &lacked);
    assert_non_null(titles);
    hw_page_caption(titles, "z.svg", text);
    assert_string_equal(text, "The last");
    hw_page_label(titles, "z.svg", label);
    assert_string_equal(label, "The last: of all");
    hw_page_caption(titles, "heat.svg", text);
    assert_string_equal(text, "The gap over the number of nodes and of edges a node");
    hw_page_caption(titles, "quality-gaps_2.svg", text);
    assert_string_equal(text, "Quality gaps 2");
    assert_int_equal(hw_page_place(titles, "heat.svg"), 1);
    assert_int_equal(hw_page_place(titles, "a.svg"), 4);
    hw_page_titles_free(titles);
    assert_null(hw_page_titles("{}", 2, &lacked));
    assert_null(hw_page_titles("[", 1, &lacked));
    hw_page_caption(NULL, "solvers.csv", text);
    assert_string_equal(text, "Every solver");
    char name[1000]; /* longer than any caption, and cut within a character */
    memset(name, 'x', sizeof name);
    for (size_t i = 0; i + 2 < sizeof name; i += 2)
        memcpy(name + i, "\xC3\xA9", 2);
    name[sizeof name - 1] = '\0';
    hw_page_label(NULL, name, label);
    assert_true(strlen(label) < HW_PAGE_CAPTION);
}

/* ---- Which instances are shown. ---- */

static hw_record run_of(const char *family, uint64_t nodes, uint64_t peak, uint64_t optimum)
{
    return (hw_record){.family = family,
                       .params = "",
                       .graph = "hash",
                       .n_nodes = nodes,
                       .checked_peak = hw_known(peak),
                       .optimum = hw_known(optimum)};
}

static void the_worst_of_each_family_is_shown(void **state)
{
    (void)state;
    hw_record runs[] = {
        run_of("layered", 8, 110, 100), run_of("erdos", 8, 150, 100),   run_of("tree", 8, 100, 100),
        run_of("layered", 9, 130, 100), run_of("layered", 7, 130, 100), run_of("fan", 8, 120, 100),
        run_of("erdos", 99, 900, 100),  run_of("file", 8, 900, 100),    run_of("chains", 8, 500, 0),
        run_of("daggen", 8, 900, 100),
    };
    enum { N = sizeof runs / sizeof runs[0], MOST = 8 };
    const hw_record *out[MOST];
    runs[8].optimum.known = false;
    runs[9].graph = NULL;
    assert_int_equal(hw_page_pick(runs, N, 50, out, MOST), 3);
    assert_ptr_equal(out[0], &runs[1]); /* 50 % */
    assert_ptr_equal(out[1], &runs[4]); /* 30 % on 7 nodes, not on 9 */
    assert_ptr_equal(out[2], &runs[5]); /* 20 % */
    assert_int_equal(hw_page_pick(runs, N, 50, out, 2), 2);
    assert_ptr_equal(out[1], &runs[4]);
    assert_int_equal(hw_page_pick(runs, N, 99, out, 1), 1);
    assert_ptr_equal(out[0], &runs[6]);
    assert_int_equal(hw_page_pick(runs, N, 50, out, 0), 0);
}

/* Style and script are those of the files, whole. */
static void texts_are_the_files(void **state)
{
    (void)state;
    size_t n;
    char *style = file_bytes("src/report/page.css", &n);
    assert_non_null(style);
    assert_string_equal(hw_page_style, style);
    assert_null(strstr(style, "</"));
    free(style);
    char *script = file_bytes("src/report/page.js", &n);
    assert_non_null(script);
    assert_string_equal(hw_page_script, script);
    assert_null(strstr(script, "</script"));
    assert_null(strstr(script, "<!--"));
    free(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(counts_have_commas),
        cmocka_unit_test(json_cannot_end_its_element),
        cmocka_unit_test(drawings_keep_what_draws),
        cmocka_unit_test(broken_drawings_are_refused),
        cmocka_unit_test(deep_drawings_are_refused),
        cmocka_unit_test(cut_drawings_do_no_harm),
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(long_tables_are_cut),
        cmocka_unit_test(broken_tables_are_refused),
        cmocka_unit_test(drawings_have_titles),
        cmocka_unit_test(the_worst_of_each_family_is_shown),
        cmocka_unit_test(texts_are_the_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
