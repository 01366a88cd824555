/* Drawings, tables and texts of a folder.  See page_internal.h. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "core/text_stream.h"
#include "io/folder.h"
#include "report/html.h"
#include "report/html_table.h"
#include "report/page_internal.h"
#include "report/svg_inline.h"

/* Larger files are left out: a page is to be sent about and opened on a phone. */
enum { MOST_SVG_BYTES = 2 << 20, MOST_CSV_BYTES = 64 << 20, MOST_TEXT_BYTES = 1 << 20 };
/* All drawings together. */
enum { MOST_SVG_TOTAL = 4 << 20 };

bool hw_page_is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
}

/* ---- The names of a folder. ---- */

typedef struct names {
    char **name;
    size_t n, capacity;
} names;

static void names_free(names *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->name[i]);
    free((void *)list->name);
}

static int compare_names(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static bool ends(const char *name, const char *ending)
{
    size_t n = strlen(name), length = strlen(ending);
    return n > length && strcmp(name + n - length, ending) == 0;
}

/* Names with this ending, hidden ones left out, sorted by bytes. */
static hw_code list_names(const char *folder, const char *ending, names *list, hw_error *err)
{
    *list = (names){.n = 0};
    DIR *dir = opendir(folder);
    if (!dir)
        return hw_fail(err, HW_IO, "%s: %s: a folder of results is expected", folder,
                       strerror(errno));
    hw_code code = HW_OK;
    for (;;) {
        const struct dirent *entry = NULL;
        if (code == HW_OK)
            code = hw_folder_next(dir, folder, &entry, err);
        if (code != HW_OK || !entry)
            break;
        if (entry->d_name[0] == '.' || !ends(entry->d_name, ending))
            continue;
        char *name = hw_copy(entry->d_name, strlen(entry->d_name) + 1, 1);
        if (!name ||
            !hw_grow((void **)&list->name, &list->capacity, list->n + 1, sizeof *list->name)) {
            free(name);
            code = hw_fail_memory(err, "the names of a folder");
        } else {
            list->name[list->n++] = name;
        }
    }
    (void)closedir(dir);
    if (list->n)
        qsort((void *)list->name, list->n, sizeof *list->name, compare_names);
    return code;
}

/* ---- The bytes of a file. ---- */

/* The bytes of a regular file of at most `most`; *text NULL: it is larger, or is none. */
static hw_code read_file(const char *folder, const char *name, size_t most, char **text, size_t *n,
                         hw_error *err)
{
    struct stat s;
    char *path = hw_folder_path(folder, name);
    *text = NULL;
    *n = 0;
    if (!path)
        return hw_fail_memory(err, "a path");
    hw_code code = HW_OK;
    if (stat(path, &s) == 0 && S_ISREG(s.st_mode) && (uint64_t)s.st_size <= most)
        code = hw_results_text(path, text, n, err);
    free(path);
    return code;
}

static hw_code stopped(const hw_page *p, hw_error *err)
{
    return p->o->stop && *p->o->stop ? hw_fail(err, HW_STOPPED, "stopped by a signal") : HW_OK;
}

/*
 * Write into memory first, so that a file that turns out broken leaves nothing
 * on the page; `write` is one of the functions below.
 */
typedef hw_code (*file_writer)(const hw_page *p, size_t number, const char *name, const char *text,
                               size_t n, FILE *out, hw_error *err);

static hw_code put_file(const hw_page *p, size_t number, const char *name, size_t most,
                        file_writer write, uint64_t *bytes, hw_error *err)
{
    char *text, *made = NULL;
    size_t n, n_made = 0;
    hw_error why = {.code = HW_OK};
    hw_code code = read_file(p->o->folder, name, most, &text, &n, err);
    if (code != HW_OK || !text) {
        if (code == HW_OK)
            hw_page_missing(p, "%s is left out: it is no file of at most %zu bytes", name, most);
        return code;
    }
    FILE *memory = hw_text_stream(&made, &n_made);
    if (memory) {
        code = write(p, number, name, text, n, memory, &why);
        if (fclose(memory) != 0 && code == HW_OK)
            code = hw_fail_memory(err, "a part of a page");
    } else {
        code = hw_fail_memory(err, "a part of a page");
    }
    if (code == HW_OK) {
        (void)fwrite(made, 1, n_made, p->out);
        *bytes += n_made;
    } else if (code == HW_BAD_INPUT) {
        hw_page_missing(p, "%s is left out: %s", name, why.message);
        code = HW_OK;
    } else if (why.code != HW_OK && err) {
        *err = why;
    }
    free(made);
    free(text);
    return code;
}

/* ---- Drawings. ---- */

static hw_code write_figure(const hw_page *p, size_t number, const char *name, const char *text,
                            size_t n, FILE *out, hw_error *err)
{
    char prefix[24], caption[HW_PAGE_CAPTION], label[HW_PAGE_LABEL];
    uint64_t left_out;
    hw_page_caption(p->titles, name, caption);
    hw_page_label(p->titles, name, label);
    (void)snprintf(prefix, sizeof prefix, "f%zu-", number);
    (void)fprintf(out, "<figure><div class=\"frame\" tabindex=\"0\" role=\"region\" aria-label=\"");
    hw_html_text(out, caption);
    (void)fputs("\">", out);
    hw_code code = hw_svg_inline(text, n, prefix, label, out, &left_out, err);
    (void)fputs("</div>\n<figcaption>", out);
    hw_html_text(out, caption);
    (void)fputs(" <span class=\"file\">", out);
    hw_html_text(out, name);
    (void)fputs("</span></figcaption></figure>\n", out);
    if (code == HW_OK && left_out && p->o->note) {
        char note[256];
        (void)snprintf(note, sizeof note, "%.100s: %" PRIu64 " parts of the drawing are left out",
                       name, left_out);
        p->o->note(p->o->context, note);
    }
    return code;
}

/* plots.json of `highwater plot --kind all`; NULL: there is none, or a broken one. */
static hw_code load_titles(const hw_page *p, struct json_t **titles, hw_error *err)
{
    static const char name[] = "plots.json";
    char *text;
    size_t n;
    *titles = NULL;
    hw_code code = read_file(p->o->folder, name, MOST_TEXT_BYTES, &text, &n, err);
    if (code == HW_OK && text) {
        bool lacked;
        *titles = hw_page_titles(text, n, &lacked);
        if (lacked)
            code = hw_fail_memory(err, "the titles of plots");
        else if (!*titles)
            hw_page_missing(p, "%s is no list of titles: `highwater plot --kind all` writes it",
                            name);
    }
    free(text);
    return code;
}

/* In the order of plots.json, then by name: by insertion, for there are few. */
static void order_names(names *list, const struct json_t *titles)
{
    for (size_t i = 1; i < list->n; i++) {
        char *name = list->name[i];
        size_t place = hw_page_place(titles, name), k = i;
        for (; k > 0 && hw_page_place(titles, list->name[k - 1]) > place; k--)
            list->name[k] = list->name[k - 1];
        list->name[k] = name;
    }
}

static hw_code put_plots(const hw_page *p, const names *list, hw_error *err)
{
    uint64_t bytes = 0;
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < list->n; i++) {
        code = stopped(p, err);
        if (code == HW_OK && bytes > MOST_SVG_TOTAL) {
            hw_page_missing(p, "%s and %zu more are left out: the page would be too large",
                            list->name[i], list->n - i - 1);
            break;
        }
        if (code == HW_OK)
            code = put_file(p, i, list->name[i], MOST_SVG_BYTES, write_figure, &bytes, err);
    }
    return code;
}

hw_code hw_page_put_plots(const hw_page *p, hw_error *err)
{
    enum { FEW = 4096 };
    names list;
    hw_page with = *p;
    hw_code code = list_names(p->o->folder, ".svg", &list, err);
    if (code == HW_OK && list.n == 0)
        hw_page_missing(p, "no drawings (*.svg): `highwater plot` makes them");
    if (code == HW_OK && list.n && list.n < FEW) {
        code = load_titles(p, &with.titles, err);
        order_names(&list, with.titles);
    }
    if (code == HW_OK)
        code = put_plots(&with, &list, err);
    hw_page_titles_free(with.titles);
    names_free(&list);
    return code;
}

/* ---- Tables. ---- */

static hw_code write_table(const hw_page *p, size_t number, const char *name, const char *text,
                           size_t n, FILE *out, hw_error *err)
{
    char caption[HW_PAGE_CAPTION];
    uint64_t n_rows;
    (void)number;
    hw_page_caption(NULL, name, caption);
    return hw_html_csv(out, caption, name, text, n, p->o->most_rows, &n_rows, err);
}

hw_code hw_page_put_tables(const hw_page *p, hw_error *err)
{
    names list;
    uint64_t bytes = 0;
    hw_code code = list_names(p->o->folder, ".csv", &list, err);
    if (code == HW_OK && list.n == 0)
        hw_page_missing(p, "no tables (*.csv): `highwater table --format csv` makes them");
    for (size_t i = 0; code == HW_OK && i < list.n; i++) {
        code = stopped(p, err);
        if (code == HW_OK)
            code = put_file(p, i, list.name[i], MOST_CSV_BYTES, write_table, &bytes, err);
    }
    names_free(&list);
    return code;
}

/* ---- The summary. ---- */

static hw_code write_text(const hw_page *p, size_t number, const char *name, const char *text,
                          size_t n, FILE *out, hw_error *err)
{
    (void)p;
    (void)number;
    (void)err;
    (void)fputs("<details><summary>The summary as text <span class=\"file\">", out);
    hw_html_text(out, name);
    (void)fputs("</span></summary>\n<pre tabindex=\"0\">", out);
    hw_html_bytes(out, text, n);
    (void)fputs("</pre></details>\n", out);
    return HW_OK;
}

hw_code hw_page_put_summary(const hw_page *p, hw_error *err)
{
    static const char name[] = "summary.txt";
    uint64_t bytes = 0;
    char *path = hw_folder_path(p->o->folder, name);
    if (!path)
        return hw_fail_memory(err, "a path");
    hw_code code = hw_page_is_file(path)
                       ? put_file(p, 0, name, MOST_TEXT_BYTES, write_text, &bytes, err)
                       : HW_OK;
    free(path);
    return code;
}
