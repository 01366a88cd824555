/* What the parts of a page share. */
#ifndef HW_REPORT_PAGE_INTERNAL_H
#define HW_REPORT_PAGE_INTERNAL_H

#include "bench/groups.h"
#include "bench/results.h"
#include "report/page.h"

/* The instances of one accounting, and how the solver of the page does on them. */
typedef struct hw_page_panel {
    const hw_record *first; /* stands for accounting and pinning          */
    uint64_t units;         /* instances under it                         */
    hw_share proven;        /* of these, with a proven optimum            */
    const hw_group *group;  /* of the page's solver; NULL: it did not run */
} hw_page_panel;

enum { HW_PAGE_MOST_PANELS = 4 };

/* Results summed up; released by hw_page_sums_clear(). */
typedef struct hw_page_sums {
    hw_page_panel panel[HW_PAGE_MOST_PANELS];
    size_t n_panels;
    uint64_t instances, solvers; /* graphs and solvers that differ      */
    uint64_t conflicts, below;   /* contradictions: must be 0           */
    uint64_t refused, unfit;     /* runs: refused; crashed, timeout ... */
    double cpu_seconds;
    hw_group *by_solver;
    hw_group *by_family, *by_section; /* of the page's solver alone */
    size_t n_by_solver, n_by_family, n_by_section;
    hw_record *chosen; /* records of that solver */
    size_t n_chosen;
} hw_page_sums;

typedef struct hw_page {
    const hw_page_options *o;
    const char *solver; /* o->solver, as results call it */
    FILE *out;
    hw_results *results; /* NULL: there are none */
    hw_page_sums sums;
    struct json_t *titles; /* of drawings, while these are written; or NULL */
} hw_page;

/* Say on the page and to the caller that something is missing. */
void hw_page_missing(const hw_page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "alloc-first" or "alloc-first, inputs pinned", escaped. */
void hw_page_put_panel(FILE *out, const hw_record *r);

/* HW_NO_MEMORY.  O(r log r). */
hw_code hw_page_sum_up(const hw_record *records, size_t n, const char *solver, hw_page_sums *sums,
                       hw_error *err);
void hw_page_sums_clear(hw_page_sums *sums);

/* The head with the answer; the two tables made of results. */
void hw_page_put_answer(const hw_page *p);
void hw_page_put_solvers(const hw_page *p);
void hw_page_put_families(const hw_page *p);

/* Memory over the steps of some instances, as data for the viewer. */
hw_code hw_page_put_timelines(const hw_page *p, hw_error *err);

/* Drawings, tables and texts of the folder; the claims. */
hw_code hw_page_put_plots(const hw_page *p, hw_error *err);
hw_code hw_page_put_tables(const hw_page *p, hw_error *err);
hw_code hw_page_put_summary(const hw_page *p, hw_error *err);
hw_code hw_page_put_claims(const hw_page *p, hw_error *err);

/*
 * What a drawing or table is called: its title in plots.json, a known name, or
 * "quality-gaps.svg" as "Quality gaps"; and that with the caption of plots.json.
 */
enum { HW_PAGE_CAPTION = 256, HW_PAGE_LABEL = 768 };
void hw_page_caption(const struct json_t *titles, const char *name, char text[HW_PAGE_CAPTION]);
void hw_page_label(const struct json_t *titles, const char *name, char text[HW_PAGE_LABEL]);

/* The place of a drawing in plots.json, or one past its last. */
size_t hw_page_place(const struct json_t *titles, const char *name);

/* plots.json: an array of {file, title, caption}; NULL: it is none, or *lacked: memory ran out. */
struct json_t *hw_page_titles(const char *text, size_t n, bool *lacked);
void hw_page_titles_free(struct json_t *titles);

bool hw_page_is_file(const char *path);

/*
 * The worst instance of each family by the gap of `solver`: at most `most`, the
 * largest gap first, out of families that can be generated anew and graphs of
 * at most most_nodes nodes; out[] has room for `most`.  Returns their number.
 * O(r f) for f families.
 */
size_t hw_page_pick(const hw_record *records, size_t n, uint64_t most_nodes, const hw_record **out,
                    size_t most);

/* CSS and script of every page; NUL-terminated. */
extern const char hw_page_style[];
extern const char hw_page_script[];

#endif
