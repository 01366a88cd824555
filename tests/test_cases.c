/*
 * Every row of tests/cases/expected.tsv: resident bytes, peaks of the source
 * order, optima by `dp` and, up to 11 nodes, by `enumerate`.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "support_solve.h"

enum { LINE_BYTES = 512, NAME_BYTES = 128, ENUMERATE_NODES = 11, LEAST_ROWS = 60 };

/* The columns after the name. */
enum {
    NODES,
    RESIDENT,
    SOURCE_ALLOC,
    SOURCE_FREE,
    OPTIMUM_ALLOC,
    OPTIMUM_FREE,
    SOURCE_PINNED,
    OPTIMUM_PINNED,
    N_COLUMNS
};

typedef struct row {
    char name[NAME_BYTES];
    uint64_t value[N_COLUMNS];
} row;

/* A line of numbers after a name; the first line holds headings. */
static bool read_row(FILE *file, row *r)
{
    char line[LINE_BYTES];
    if (!fgets(line, sizeof line, file))
        return false;
    char *at = strchr(line, '\t');
    assert_non_null(at);
    assert_true((size_t)(at - line) < sizeof r->name);
    memcpy(r->name, line, (size_t)(at - line));
    r->name[at - line] = '\0';
    for (int i = 0; i < N_COLUMNS; i++) {
        assert_int_equal(*at, '\t');
        char *end;
        r->value[i] = strtoull(at + 1, &end, 10);
        assert_true(end > at + 1);
        at = end;
    }
    return true;
}

static void check_peak(const hw_model *m, const char *spec, const char *name, uint64_t expected)
{
    hw_answer a = test_solve(m, spec);
    bool exact = strcmp(spec, "source") != 0;
    if (!a.has_order || a.peak != expected || (exact && a.status != HW_OPTIMAL))
        fail_msg("%s, %s%s: %s says %s %" PRIu64 ", right is %" PRIu64, name,
                 hw_accounting_name(m->accounting), m->pin_inputs ? ", inputs pinned" : "", spec,
                 hw_status_name(a.status), a.peak, expected);
    hw_answer_clear(&a);
}

static void check_setting(const hw_graph *g, const row *r, hw_accounting accounting, bool pinned,
                          int source, int optimum)
{
    hw_model *m = test_model(g, accounting, pinned);
    assert_non_null(m);
    assert_int_equal(m->resident_bytes, r->value[RESIDENT]);
    check_peak(m, "source", r->name, r->value[source]);
    check_peak(m, "dp", r->name, r->value[optimum]);
    if (g->n_nodes <= ENUMERATE_NODES) {
        check_peak(m, "enumerate", r->name, r->value[optimum]);
        if (g->n_nodes <= ENUMERATE_NODES - 2)
            check_peak(m, "enumerate:prune=no", r->name, r->value[optimum]);
    }
    hw_model_free(m);
}

static void cases_have_their_expected_values(void **state)
{
    (void)state;
    FILE *file = fopen("tests/cases/expected.tsv", "r");
    if (!file)
        fail_msg("tests/cases/expected.tsv is missing: run from the top folder");
    char line[LINE_BYTES];
    assert_non_null(fgets(line, sizeof line, file));
    row r;
    uint32_t rows = 0;
    for (; read_row(file, &r); rows++) {
        char path[NAME_BYTES + 32];
        hw_graph *g = NULL;
        hw_error err = {0};
        (void)snprintf(path, sizeof path, "tests/cases/%s.json", r.name);
        if (hw_graph_load(path, &g, &err) != HW_OK)
            fail_msg("%s", err.message);
        assert_int_equal(g->n_nodes, r.value[NODES]);
        check_setting(g, &r, HW_ALLOC_FIRST, false, SOURCE_ALLOC, OPTIMUM_ALLOC);
        check_setting(g, &r, HW_FREE_FIRST, false, SOURCE_FREE, OPTIMUM_FREE);
        check_setting(g, &r, HW_ALLOC_FIRST, true, SOURCE_PINNED, OPTIMUM_PINNED);
        hw_graph_free(g);
    }
    (void)fclose(file);
    assert_true(rows >= LEAST_ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_have_their_expected_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
