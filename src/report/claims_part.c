/* The verdicts on claims, out of a file of `highwater claims --format json`. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cells.h"
#include "io/folder.h"
#include "io/json_parse.h"
#include "report/html.h"
#include "report/html_table.h"
#include "report/page_internal.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* ---- Sentences: {name} stands for a number of the claim. ---- */

static const json_t *number_named(const json_t *claim, const char *name, size_t length)
{
    static const char *const tables[] = {"measured", "numbers"};
    char key[96];
    if (length >= sizeof key)
        return NULL;
    memcpy(key, name, length);
    key[length] = '\0';
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        const json_t *number = json_object_get(json_object_get(claim, tables[i]), key);
        if (json_is_number(json_object_get(number, "value")))
            return number;
    }
    return NULL;
}

static void put_number(FILE *out, const json_t *number)
{
    static const double many = 1e6;
    double value = json_number_value(json_object_get(number, "value"));
    const char *unit = text_of(number, "unit");
    char text[96];
    if (strcmp(unit, "seconds") == 0)
        hw_duration_text(value, text);
    else if (strcmp(unit, "share") == 0)
        (void)snprintf(text, sizeof text, "%.1f %%", 100 * value);
    else if (strcmp(unit, "per cent") == 0)
        (void)snprintf(text, sizeof text, "%.1f %%", value);
    else if (strcmp(unit, "count") == 0)
        (void)snprintf(text, sizeof text, "%.10g", value);
    else
        (void)snprintf(text, sizeof text, fabs(value) < many ? "%.4g %.40s" : "%.10g %.40s", value,
                       unit);
    hw_html_text(out, text);
}

static void put_sentence(FILE *out, const json_t *claim, const char *sentence)
{
    for (const char *at = sentence; *at;) {
        size_t plain = strcspn(at, "{"), name;
        hw_html_bytes(out, at, plain);
        at += plain;
        if (*at == '\0')
            break;
        name = strcspn(at + 1, "{}");
        const json_t *number = at[1 + name] == '}' ? number_named(claim, at + 1, name) : NULL;
        if (number)
            put_number(out, number);
        else
            hw_html_bytes(out, at, 1);
        at += number ? name + 2 : 1;
    }
}

/* ---- The table. ---- */

/* In the order in which the column sorts. */
static const struct {
    const char *word, *style;
} verdicts[] = {
    {"holds", "holds"}, {"holds only if", "only"}, {"fails", "fails"}, {"undecided", "open"}};
enum { N_VERDICTS = sizeof verdicts / sizeof verdicts[0] };

static size_t verdict_of(const json_t *claim)
{
    size_t v = 0;
    while (v < N_VERDICTS - 1 && strcmp(verdicts[v].word, text_of(claim, "verdict")) != 0)
        v++;
    return v;
}

static void put_readings(FILE *out, const json_t *claim)
{
    const json_t *readings = json_object_get(claim, "readings"),
                 *examples = json_object_get(claim, "examples");
    if (json_array_size(readings) + json_array_size(examples) == 0)
        return;
    (void)fprintf(out, "<details><summary>%s</summary><ul>",
                  json_array_size(readings) ? "each reading" : "examples");
    for (size_t i = 0; i < json_array_size(readings); i++) {
        const json_t *item = json_array_get(readings, i);
        bool holds = json_is_true(json_object_get(item, "holds"));
        (void)fprintf(out, "<li class=\"%s\"><b>%s</b> ", holds ? "yes" : "no",
                      holds ? "yes" : "no");
        put_sentence(out, claim, text_of(item, "reading"));
        (void)fputs(": ", out);
        put_sentence(out, claim, text_of(item, "outcome"));
        (void)fputs("</li>", out);
    }
    for (size_t i = 0; i < json_array_size(examples); i++) {
        const json_t *item = json_array_get(examples, i);
        (void)fputs("<li>example: <code>", out);
        hw_html_text(out, json_is_string(item) ? json_string_value(item) : text_of(item, "file"));
        (void)fputs("</code></li>", out);
    }
    (void)fputs("</ul></details>", out);
}

static void put_claim(FILE *out, const json_t *claim)
{
    size_t v = verdict_of(claim);
    const char *condition = text_of(claim, "condition"), *figure = text_of(claim, "figure");
    hw_html_row_open(out);
    (void)fputs("<td class=\"id\">", out);
    hw_html_text(out, text_of(claim, "id"));
    (void)fputs("</td>", out);
    hw_html_cell_text(out, text_of(claim, "section"));
    (void)fputs("<td class=\"prose\">", out);
    put_sentence(out, claim, text_of(claim, "claim"));
    (void)fprintf(out, "</td><td data-v=\"%zu\"><span class=\"badge %s\">%s</span></td>", v,
                  verdicts[v].style, verdicts[v].word);
    (void)fputs("<td class=\"prose\">", out);
    if (*condition) {
        (void)fputs("<em>Only if ", out);
        put_sentence(out, claim, condition);
        (void)fputs(".</em> ", out);
    }
    put_sentence(out, claim, *figure ? figure : text_of(claim, "error"));
    put_readings(out, claim);
    (void)fputs("</td>", out);
    hw_html_row_close(out);
}

static void put_counts(FILE *out, const json_t *claims)
{
    size_t count[N_VERDICTS] = {0};
    for (size_t i = 0; i < json_array_size(claims); i++)
        count[verdict_of(json_array_get(claims, i))]++;
    (void)fputs("<p>", out);
    for (size_t v = 0; v < N_VERDICTS; v++)
        if (count[v])
            (void)fprintf(out, "<span class=\"badge %s\">%zu %s</span> ", verdicts[v].style,
                          count[v], verdicts[v].word);
    (void)fputs("</p>\n", out);
}

static hw_code put_table(const hw_page *p, const json_t *root, const char *path, hw_error *err)
{
    static const hw_html_column columns[] = {
        {"id", NULL, false},
        {"\xC2\xA7", "Section of the article", false},
        {"claim", NULL, false},
        {"verdict", NULL, false},
        {"what was found", NULL, false},
    };
    const json_t *claims = json_object_get(root, "claims");
    if (!json_is_array(claims))
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: no array \"claims\": write it by `highwater claims --format json`",
                       path);
    put_counts(p->out, claims);
    (void)fputs("<div class=\"claims\">\n", p->out);
    hw_html_table_open(p->out, "The article's claims, each with the verdict of its experiment",
                       columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < json_array_size(claims); i++)
        put_claim(p->out, json_array_get(claims, i));
    hw_html_table_close(p->out);
    (void)fputs("</div>\n", p->out);
    return HW_OK;
}

hw_code hw_page_put_claims(const hw_page *p, hw_error *err)
{
    char *path = p->o->claims ? NULL : hw_folder_path(p->o->folder, "claims.json");
    const char *from = p->o->claims ? p->o->claims : path;
    hw_input in;
    json_t *root = NULL;
    if (!from)
        return hw_fail_memory(err, "a path");
    if (!p->o->claims && !hw_page_is_file(from)) {
        hw_page_missing(p, "no claims.json: `highwater claims --format json` writes it");
        free(path);
        return HW_OK;
    }
    hw_code code = hw_input_open(&in, from, err);
    if (code == HW_OK) {
        code = hw_json_parse(&in, &root, err);
        hw_input_close(&in);
    }
    if (code == HW_OK)
        code = put_table(p, root, from, err);
    json_decref(root);
    free(path);
    return code;
}
