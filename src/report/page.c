/* The frame of a page.  See page.h. */
#include "report/page.h"

#include <sys/types.h>

#include <errno.h>
#include <inttypes.h>
#include <sha256.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/folder.h"
#include "report/html.h"
#include "report/page_internal.h"
#include "solve/foreign.h"

void hw_page_missing(const hw_page *p, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)fputs("<p class=\"missing\">", p->out);
    hw_html_text(p->out, text);
    (void)fputs("</p>\n", p->out);
    if (p->o->note)
        p->o->note(p->o->context, text);
}

/* ---- The policy: nothing is fetched, and no script runs but the page's own. ---- */

enum { BASE64_BYTES = 4 * ((SHA256_DIGEST_LENGTH + 2) / 3) + 1 };

static void base64(const uint8_t *bytes, size_t n, char *text)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16 | (i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (i + 2 < n ? bytes[i + 2] : 0);
        for (size_t k = 0; k < 4; k++)
            *text++ = i + k <= n ? letters[three >> (18 - 6 * k) & 63] : '=';
    }
    *text = '\0';
}

static void put_policy(FILE *out)
{
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    char text[BASE64_BYTES];
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)hw_page_script, strlen(hw_page_script));
    SHA256Final(digest, &context);
    base64(digest, sizeof digest, text);
    (void)fprintf(out,
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; script-src 'sha256-%s'; img-src data:; "
                  "base-uri 'none'; form-action 'none'\">\n",
                  text);
}

/* ---- Sections. ---- */

typedef struct section {
    const char *id, *title, *about;
    hw_code (*put)(const hw_page *p, hw_error *err);
} section;

static hw_code put_solvers(const hw_page *p, hw_error *err)
{
    (void)err;
    if (p->results)
        hw_page_put_solvers(p);
    else
        hw_page_missing(p, "no table of solvers without results");
    return HW_OK;
}

static hw_code put_families(const hw_page *p, hw_error *err)
{
    (void)err;
    if (p->results && p->sums.n_by_family)
        hw_page_put_families(p);
    else
        hw_page_missing(p, "no results of %s", p->solver);
    return HW_OK;
}

static hw_code put_tables(const hw_page *p, hw_error *err)
{
    hw_code code = hw_page_put_tables(p, err);
    return code == HW_OK ? hw_page_put_summary(p, err) : code;
}

static const section sections[] = {
    {"families", "By family", NULL, put_families},
    {"timelines", "Memory over the steps",
     "Of each family the instance on which the solver is furthest from the optimum. Drag over the "
     "curves, or move the slider by the arrow keys: below stand the tensors that are in memory "
     "while that step runs, largest first.",
     hw_page_put_timelines},
    {"solvers", "By solver", NULL, put_solvers},
    {"claims", "Claims", NULL, hw_page_put_claims},
    {"plots", "Drawings", NULL, hw_page_put_plots},
    {"tables", "Tables", NULL, put_tables},
};
enum { N_SECTIONS = sizeof sections / sizeof sections[0] };

static void put_head(const hw_page *p, const char *title)
{
    FILE *out = p->out;
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    put_policy(out);
    (void)fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
                out);
    hw_html_text(out, title);
    (void)fputs("</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n", out);
    (void)fputs(hw_page_style, out);
    (void)fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the content</a>\n"
                "<header>\n<div class=\"bar\"><span class=\"brand\">highwater report</span>"
                "<span id=\"switch\"></span></div>\n<h1>",
                out);
    hw_html_text(out, title);
    (void)fputs("</h1>\n", out);
}

static void put_contents(FILE *out)
{
    (void)fputs("<nav aria-label=\"Contents\"><ol>\n", out);
    for (size_t i = 0; i < N_SECTIONS; i++)
        (void)fprintf(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].title);
    (void)fputs("</ol></nav>\n", out);
}

static hw_code put_section(const hw_page *p, const section *s, hw_error *err)
{
    (void)fprintf(p->out, "<section id=\"%s\" aria-labelledby=\"h-%s\">\n<h2 id=\"h-%s\">%s</h2>\n",
                  s->id, s->id, s->id, s->title);
    if (s->about)
        (void)fprintf(p->out, "<p>%s</p>\n", s->about);
    hw_code code = s->put(p, err);
    (void)fputs("</section>\n", p->out);
    return code;
}

static hw_code put_page(const hw_page *p, hw_error *err)
{
    const char *title = p->o->title;
    char own[160];
    if (!title && p->results)
        (void)snprintf(own, sizeof own, "Orders of least peak memory: suite %.100s",
                       p->results->records->suite);
    else
        (void)snprintf(own, sizeof own, "Orders of least peak memory");
    put_head(p, title ? title : own);
    if (p->results)
        hw_page_put_answer(p);
    else if (p->o->results)
        hw_page_missing(p,
                        "%s holds none of the results that are asked for: there is no answer, "
                        "and no instance to show",
                        p->o->results);
    else
        hw_page_missing(p, "no results.jsonl: `highwater bench` writes it; without it there is no "
                           "answer, and no instance to show");
    (void)fputs("</header>\n", p->out);
    put_contents(p->out);
    (void)fputs("<main id=\"main\">\n", p->out);
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < N_SECTIONS; i++)
        code = put_section(p, &sections[i], err);
    (void)fputs("</main>\n<footer><p>Made by <code>highwater report</code> " HW_VERSION
                ". The page needs nothing beside itself.</p></footer>\n<script>",
                p->out);
    (void)fputs(hw_page_script, p->out);
    (void)fputs("</script>\n</body>\n</html>\n", p->out);
    return code;
}

/* ---- Input. ---- */

/* Also the name by which results know a program of the user's; "": it is none, or has none. */
static hw_code check_options(const hw_page_options *o, char name[HW_FOREIGN_NAME], hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    struct stat s;
    hw_code code = hw_solver_parse(o->solver, &row, values, err);
    name[0] = '\0';
    if (code == HW_OK)
        (void)hw_foreign_name(row, values, name);
    if (code == HW_OK && (row->random || row->kind != HW_SOLVER_HEURISTIC))
        code = hw_fail(err, HW_USAGE,
                       "%s %s: choose a solver that gives one order by a rule, as greedy",
                       o->solver, row->random ? "draws at random" : "is no heuristic");
    if (code == HW_OK && stat(o->folder, &s) != 0)
        code = hw_fail(err, HW_IO, "%s: %s: name the folder that holds results.jsonl", o->folder,
                       strerror(errno));
    else if (code == HW_OK && !S_ISDIR(s.st_mode))
        code = hw_fail(err, HW_IO, "%s: not a folder: name the one that holds results.jsonl",
                       o->folder);
    return code;
}

/* A run that was made again counts once. */
static hw_code leave_earlier_out(hw_page *p, hw_error *err)
{
    char text[80];
    size_t replaced = 0;
    hw_code code = hw_records_latest(p->results->records, &p->results->n_records, &replaced, err);
    if (replaced && p->o->note) {
        (void)snprintf(text, sizeof text, "%zu runs were run again later: the later ones count",
                       replaced);
        p->o->note(p->o->context, text);
    }
    return code;
}

static hw_code load_results(hw_page *p, hw_error *err)
{
    char *path = p->o->results ? NULL : hw_folder_path(p->o->folder, "results.jsonl");
    const char *from = p->o->results ? p->o->results : path;
    if (!from)
        return hw_fail_memory(err, "a path");
    hw_code code = HW_OK;
    if (p->o->results || hw_page_is_file(from))
        code = hw_results_load(from, p->o->skip_broken, &p->results, err);
    free(path);
    if (code == HW_OK && p->results && p->results->n_broken && p->o->note) {
        char text[64];
        (void)snprintf(text, sizeof text, "%" PRIu64 " lines of results left out",
                       p->results->n_broken);
        p->o->note(p->o->context, text);
    }
    if (code == HW_OK && p->results && p->results->n_records) {
        p->results->n_records = hw_records_choose(p->results->records, p->results->n_records,
                                                  p->o->conditions, p->o->n_conditions);
        if (p->results->n_records == 0)
            return hw_fail(err, HW_BAD_INPUT, "no result has the values that --where asks for");
    }
    if (code == HW_OK && p->results && p->results->n_records)
        code = leave_earlier_out(p, err);
    if (code == HW_OK && p->results && p->results->n_records == 0) {
        hw_results_free(p->results); /* a sweep that was stopped before its first unit */
        p->results = NULL;
    }
    if (code == HW_OK && p->results)
        code = hw_page_sum_up(p->results->records, p->results->n_records, p->solver, &p->sums, err);
    return code;
}

hw_code hw_page_write(const hw_page_options *o, FILE *out, hw_error *err)
{
    char name[HW_FOREIGN_NAME];
    hw_code code = check_options(o, name, err);
    hw_page p = {.o = o, .solver = *name ? name : o->solver, .out = out};
    if (code == HW_OK)
        code = load_results(&p, err);
    if (code == HW_OK)
        code = put_page(&p, err);
    hw_page_sums_clear(&p.sums);
    hw_results_free(p.results);
    return code;
}
