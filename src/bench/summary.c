/* The short summary of a file of results.  See table.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/grid.h"
#include "bench/table.h"
#include "core/memory.h"

enum { MOST_LINES = 3 }; /* of pairs that agree */
enum { MOST_EXACT = 16, MOST_PAIRS = MOST_EXACT * (MOST_EXACT - 1) / 2 };

/* Two exact solvers, and where both gave a proof. */
typedef struct pair {
    const char *a, *b;
    uint64_t both, unequal;
    const hw_record *first_unequal;
    const char **graph; /* hashes of the graphs that both settled */
} pair;

typedef struct agreement {
    pair pairs[MOST_PAIRS];
    size_t n_pairs;
} agreement;

static int compare_records(const void *x, const void *y)
{
    const hw_record *a = *(const hw_record *const *)x, *b = *(const hw_record *const *)y;
    int d = hw_record_compare_units(a, b);
    return d ? d : (a > b) - (a < b);
}

static int compare_texts(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static bool is_proof(const hw_record *r)
{
    return r->exact && r->checked_peak.known && strcmp(r->status, "optimal") == 0;
}

/* The pair of two solvers, made when new; NULL: no room, or no memory. */
static pair *find_pair(agreement *all, const hw_record *x, const hw_record *y, size_t n_records)
{
    for (size_t i = 0; i < all->n_pairs; i++)
        if (strcmp(all->pairs[i].a, x->solver) == 0 && strcmp(all->pairs[i].b, y->solver) == 0)
            return &all->pairs[i];
    if (all->n_pairs == MOST_PAIRS)
        return NULL;
    pair *p = &all->pairs[all->n_pairs];
    *p = (pair){.a = x->solver, .b = y->solver, .graph = HW_NEW(const char *, n_records)};
    if (!p->graph)
        return NULL;
    all->n_pairs++;
    return p;
}

static bool compare_proofs(agreement *all, const hw_record *const *unit, size_t n, size_t n_records)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            if (!is_proof(unit[i]) || !is_proof(unit[k]))
                continue;
            pair *p = find_pair(all, unit[i], unit[k], n_records);
            if (!p)
                return false;
            p->graph[p->both++] = unit[i]->graph ? unit[i]->graph : "";
            if (unit[i]->checked_peak.value != unit[k]->checked_peak.value && p->unequal++ == 0)
                p->first_unequal = unit[i];
        }
    return true;
}

static hw_code find_agreement(const hw_record *records, size_t n, agreement *all, hw_error *err)
{
    const hw_record **sorted = HW_NEW(const hw_record *, n);
    if (!sorted)
        return hw_fail_memory(err, "a summary");
    for (size_t i = 0; i < n; i++)
        sorted[i] = &records[i];
    qsort((void *)sorted, n, sizeof(void *), compare_records);
    bool fine = true;
    for (size_t i = 0, end; fine && i < n; i = end) {
        for (end = i + 1; end < n && hw_record_compare_units(sorted[i], sorted[end]) == 0;)
            end++;
        fine = compare_proofs(all, sorted + i, end - i, n);
    }
    free((void *)sorted);
    return fine ? HW_OK : hw_fail_memory(err, "a summary");
}

static uint64_t count_distinct(const char **texts, size_t n)
{
    uint64_t distinct = n > 0;
    qsort((void *)texts, n, sizeof *texts, compare_texts);
    for (size_t i = 1; i < n; i++)
        distinct += strcmp(texts[i - 1], texts[i]) != 0;
    return distinct;
}

/* The solvers of all pairs, each once, and what two of them settled both. */
static void put_all_agree(const agreement *all, FILE *out)
{
    const char *name[2 * MOST_PAIRS];
    size_t n = 0;
    uint64_t proofs = 0;
    for (size_t i = 0; i < all->n_pairs; i++) {
        const char *const of[] = {all->pairs[i].a, all->pairs[i].b};
        for (size_t k = 0; k < 2; k++) {
            size_t at = 0;
            while (at < n && strcmp(name[at], of[k]) != 0)
                at++;
            if (at == n)
                name[n++] = of[k];
        }
        proofs += all->pairs[i].both;
    }
    for (size_t i = 0; i < n; i++)
        (void)fprintf(out, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", name[i]);
    (void)fprintf(out,
                  ": every two agree on all graphs where both give a proof (%zu pairs, %" PRIu64
                  " comparisons)\n",
                  all->n_pairs, proofs);
}

static void put_agreement(agreement *all, FILE *out, bool *agree)
{
    bool one = all->n_pairs > MOST_LINES;
    for (size_t i = 0; i < all->n_pairs; i++)
        one = one && all->pairs[i].unequal == 0;
    if (one) {
        put_all_agree(all, out);
        return;
    }
    for (size_t i = 0; i < all->n_pairs; i++) {
        pair *p = &all->pairs[i];
        uint64_t graphs = count_distinct(p->graph, p->both);
        if (p->unequal == 0) {
            (void)fprintf(out,
                          "%s and %s agree on all %" PRIu64
                          " graphs where both give a proof (%" PRIu64
                          " proofs each, over the accountings)\n",
                          p->a, p->b, graphs, p->both);
            continue;
        }
        char name[256];
        hw_record_instance(p->first_unequal, name, sizeof name);
        (void)fprintf(out,
                      "%s and %s DISAGREE on %" PRIu64 " of %" PRIu64
                      " proofs; the first: %s under %s\n",
                      p->a, p->b, p->unequal, p->both, name, p->first_unequal->accounting);
        *agree = false;
    }
    if (all->n_pairs == 0)
        (void)fputs("no graph was settled by two exact solvers\n", out);
}

/* ---- What went wrong. ---- */

static void put_troubles(const hw_record *records, size_t n, FILE *out, bool *agree)
{
    static const char *const words[] = {"crashed", "timeout", "out-of-memory", "wrong",
                                        "error",   "refused", "stalled"};
    static const char *const said[] = {"crashed",
                                       "were killed after their time",
                                       "ran out of memory",
                                       "gave what the checker refutes",
                                       "failed",
                                       "were refused by a solver that takes no such graph",
                                       "stalled (greedy-listing)"};
    enum { N_WORDS = sizeof words / sizeof words[0] };
    uint64_t count[N_WORDS] = {0}, below = 0, conflicts = 0;
    const hw_record *first = NULL;
    for (size_t i = 0; i < n; i++) {
        const hw_record *r = &records[i];
        for (size_t w = 0; w < N_WORDS; w++)
            count[w] += strcmp(r->status, words[w]) == 0;
        bool beats =
            r->checked_peak.known && r->optimum.known && r->checked_peak.value < r->optimum.value;
        below += beats;
        conflicts += r->conflict;
        if ((beats || r->conflict) && !first)
            first = r;
    }
    if (first) {
        char name[256];
        const char *message = first->message ? first->message : "the order beats the optimum";
        bool named = hw_message_names(message, first->solver);
        hw_record_instance(first, name, sizeof name);
        (void)fprintf(out,
                      "%" PRIu64 " orders BEAT a proven optimum, %" PRIu64
                      " runs are in CONFLICT; the first: %s under %s by %s%s%s\n",
                      below, conflicts, name, first->accounting, named ? "" : first->solver,
                      named ? "" : ": ", message);
        *agree = false;
    } else {
        (void)fputs("no order beats a proven optimum\n", out);
    }
    for (size_t w = 0; w < N_WORDS; w++)
        if (count[w])
            (void)fprintf(out, "%" PRIu64 " runs %s\n", count[w], said[w]);
}

/* ---- A table a section. ---- */

static bool put_share(hw_grid *grid, size_t row, size_t column, const hw_share *s)
{
    return s->n ? hw_grid_put(grid, row, column, "%.1f %%", 100 * s->share)
                : hw_grid_put(grid, row, column, "-");
}

static bool put_gap(hw_grid *grid, size_t row, size_t column, double gap)
{
    return isnan(gap) ? hw_grid_put(grid, row, column, "-")
                      : hw_grid_put(grid, row, column, "%.1f %%", gap);
}

/*
 * A row a solver, and beside each other the accountings with these columns.
 * The tables of `highwater table` say more; this one fits a screen.
 */
enum { MOST_SOLVERS = 64, MOST_PANELS = 4, HEADS = 2, EACH = 5 };

typedef struct sheet {
    const hw_record *solver[MOST_SOLVERS], *panel[MOST_PANELS];
    size_t n_solvers, n_panels;
} sheet;

static bool same_panel(const hw_record *a, const hw_record *b)
{
    return a->pinned == b->pinned && strcmp(a->accounting, b->accounting) == 0;
}

static size_t find_solver(sheet *s, const hw_record *r)
{
    size_t i = 0;
    while (i < s->n_solvers && strcmp(s->solver[i]->solver, r->solver) != 0)
        i++;
    if (i == s->n_solvers && i < MOST_SOLVERS)
        s->solver[s->n_solvers++] = r;
    return i;
}

static size_t find_panel(sheet *s, const hw_record *r)
{
    size_t i = 0;
    while (i < s->n_panels && !same_panel(s->panel[i], r))
        i++;
    if (i == s->n_panels && i < MOST_PANELS)
        s->panel[s->n_panels++] = r;
    return i;
}

static bool put_heads(hw_grid *grid, const sheet *s)
{
    static const char *const heads[EACH] = {"of", "\xE2\x89\xA4 5 %", "> 20 %", "worst", "time"};
    bool fine = hw_grid_put(grid, 1, 0, "  solver");
    for (size_t i = 0; fine && i < s->n_panels * EACH; i++) {
        const hw_record *r = s->panel[i / EACH];
        grid->is_number[1 + i] = true;
        fine = hw_grid_put(grid, 1, 1 + i, "%s", heads[i % EACH]) &&
               (i % EACH != EACH - 1 ||
                hw_grid_put(grid, 0, 1 + i, "%s%s", r->accounting, r->pinned ? ", pinned" : ""));
    }
    return fine;
}

static bool put_group(hw_grid *grid, size_t row, size_t at, const hw_group *g)
{
    char time[HW_DURATION_TEXT];
    hw_duration_text(g->median_seconds, time);
    return hw_grid_put(grid, row, at, "%" PRIu64, g->proven) &&
           put_share(grid, row, at + 1, &g->within_5) &&
           put_share(grid, row, at + 2, &g->above_20) && put_gap(grid, row, at + 3, g->worst_gap) &&
           hw_grid_put(grid, row, at + 4, "%s", time);
}

static bool fill_sheet(hw_grid *grid, sheet *s, const hw_group *groups, size_t n)
{
    bool fine = put_heads(grid, s);
    for (size_t i = 0; fine && i < s->n_solvers; i++)
        fine = hw_grid_put(grid, HEADS + i, 0, "  %s", s->solver[i]->solver);
    for (size_t i = 0; fine && i < n; i++) {
        size_t solver = find_solver(s, groups[i].first), panel = find_panel(s, groups[i].first);
        fine = put_group(grid, HEADS + solver, 1 + panel * EACH, &groups[i]);
    }
    return fine;
}

static hw_code put_rows(const hw_group *groups, size_t n, FILE *out, hw_error *err)
{
    sheet s = {.n_solvers = 0};
    hw_grid grid;
    for (size_t i = 0; i < n; i++)
        if (find_solver(&s, groups[i].first) == MOST_SOLVERS ||
            find_panel(&s, groups[i].first) == MOST_PANELS)
            return hw_fail(err, HW_USAGE, "more than %d solvers: choose some by --where",
                           MOST_SOLVERS);
    hw_code code = hw_grid_make(&grid, 1 + s.n_panels * EACH, HEADS + s.n_solvers, err);
    if (code != HW_OK)
        return code;
    bool fine = fill_sheet(&grid, &s, groups, n);
    if (fine)
        hw_grid_write_text(&grid, out);
    hw_grid_free(&grid);
    return fine ? HW_OK : hw_fail_memory(err, "a summary");
}

static bool same_section(const hw_record *a, const hw_record *b)
{
    return strcmp(a->suite, b->suite) == 0 && strcmp(a->section, b->section) == 0;
}

static hw_code put_section_head(const hw_record *records, size_t n, const hw_record *section,
                                FILE *out, hw_error *err)
{
    uint64_t least = UINT64_MAX, most = 0;
    size_t n_graphs = 0;
    const char **graph = HW_NEW(const char *, n);
    if (!graph)
        return hw_fail_memory(err, "a summary");
    for (size_t i = 0; i < n; i++) {
        const hw_record *r = &records[i];
        if (!same_section(r, section) || !r->graph)
            continue;
        graph[n_graphs++] = r->graph;
        least = r->n_nodes < least ? r->n_nodes : least;
        most = r->n_nodes > most ? r->n_nodes : most;
    }
    uint64_t distinct = count_distinct(graph, n_graphs);
    free((void *)graph);
    (void)fprintf(out, "\n%s: %" PRIu64 " graphs", section->section, distinct);
    if (n_graphs)
        (void)(least == most ? fprintf(out, " of %" PRIu64 " nodes", most)
                             : fprintf(out, " of %" PRIu64 " to %" PRIu64 " nodes", least, most));
    (void)fputs("\n", out);
    return HW_OK;
}

static hw_code put_sections(const hw_record *records, size_t n, FILE *out, hw_error *err)
{
    static const hw_field fields[] = {HW_FIELD_SUITE, HW_FIELD_SECTION, HW_FIELD_ACCOUNTING,
                                      HW_FIELD_PINNED, HW_FIELD_SOLVER};
    hw_group *groups;
    size_t n_groups;
    hw_code code = hw_groups_make(records, n, fields, sizeof fields / sizeof fields[0], &groups,
                                  &n_groups, err);
    for (size_t i = 0, end; code == HW_OK && i < n_groups; i = end) {
        for (end = i + 1; end < n_groups && same_section(groups[i].first, groups[end].first);)
            end++;
        code = put_section_head(records, n, groups[i].first, out, err);
        if (code == HW_OK)
            code = put_rows(groups + i, end - i, out, err);
    }
    free(groups);
    return code;
}

hw_code hw_summary_write(const hw_record *records, size_t n, FILE *out, bool *agree, hw_error *err)
{
    *agree = true;
    if (n == 0) {
        (void)fputs("no results\n", out);
        return HW_OK;
    }
    (void)fprintf(out, "%s: %zu runs, seed %" PRIu64 ", highwater %s, %s\n", records[0].suite, n,
                  records[0].seed, records[0].version, records[0].compiler);
    agreement *all = HW_NEW0(agreement, 1);
    if (!all)
        return hw_fail_memory(err, "a summary");
    hw_code code = find_agreement(records, n, all, err);
    if (code == HW_OK) {
        put_agreement(all, out, agree);
        put_troubles(records, n, out, agree);
        (void)fputs("\nof: answers to instances with a proven optimum; \xE2\x89\xA4 5 %, > 20 %: "
                    "share of these "
                    "with such a gap;\nworst: the largest gap; time: median. `highwater table` "
                    "says where, and how sure.\n",
                    out);
        code = put_sections(records, n, out, err);
    }
    for (size_t i = 0; i < all->n_pairs; i++)
        free((void *)all->pairs[i].graph);
    free(all);
    return code;
}
