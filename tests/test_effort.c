/* What proofs cost: shares, medians and their tables, over records made by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/effort.h"

static void near(double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%.17g is not %.17g", value, wanted);
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static hw_record made(const char *solver, uint64_t index, const char *accounting, uint64_t peak)
{
    bool exact = strcmp(solver, "dp") == 0;
    return (hw_record){.suite = "s",
                       .section = "all",
                       .family = "tree",
                       .params = "n=4",
                       .index = index,
                       .n_nodes = 4 + index % 3,
                       .accounting = accounting,
                       .solver = solver,
                       .exact = exact,
                       .status = exact ? "optimal" : "feasible",
                       .checked_peak = hw_known(peak),
                       .states = hw_known(100),
                       .wall_seconds = 1e-6};
}

/* Nine runs of dp: 1 .. 9 seconds, of which the last n_open are not settled. */
static void make_efforts(hw_record r[9], unsigned n_open)
{
    for (unsigned i = 0; i < 9; i++) {
        r[i] = made("dp", i, "alloc-first", 100);
        r[i].wall_seconds = i + 1.0;
        r[i].states = hw_known(10 * (i + 1));
        r[i].bound = hw_known(100 - i);
        r[i].peak_memory_bytes = hw_known(1000 - i);
        if (i >= 9 - n_open)
            r[i].status = "feasible";
    }
}

static void test_effort(void **state)
{
    (void)state;
    hw_record r[9];
    hw_effort *e;
    size_t n;
    hw_error err = {.code = HW_OK};
    const hw_field fields[] = {HW_FIELD_SOLVER};
    make_efforts(r, 2);
    r[0].status = "infeasible"; /* settled as well */
    r[1].status = "crashed";    /* not, and nothing is known of it */
    r[1].wall_seconds = -1;
    r[1].states.known = r[1].bound.known = r[1].checked_peak.known = false;
    assert_int_equal(hw_efforts_make(r, 9, fields, 1, &e, &n, &err), HW_OK);
    assert_int_equal(n, 1);
    assert_int_equal(e->settled.k, 6);
    assert_int_equal(e->settled.n, 9);
    near(e->median_seconds, 6, 1e-12); /* of 1 3 4 5 6 7 and three endless */
    near(e->most_seconds, 7, 1e-12);
    near(e->median_states, 60, 1e-12);
    near(e->most_states, 70, 1e-12);
    near(e->most_memory_bytes, 1000, 0);
    near(e->worst_open_percent, 100.0 * 8 / 92, 1e-9);
    free(e);
    make_efforts(r, 5); /* the middle one is endless */
    assert_int_equal(hw_efforts_make(r, 9, fields, 1, &e, &n, &err), HW_OK);
    assert_true(isnan(e->median_seconds) && isnan(e->median_states));
    near(e->most_seconds, 4, 1e-12);
    free(e);
    make_efforts(r, 9);
    assert_int_equal(hw_efforts_make(r, 9, fields, 1, &e, &n, &err), HW_OK);
    assert_true(isnan(e->most_seconds) && isnan(e->most_states) && e->settled.k == 0);
    free(e);
    make_efforts(r, 0);
    assert_int_equal(hw_efforts_make(r, 9, fields, 1, &e, &n, &err), HW_OK);
    near(e->median_seconds, 5, 1e-12);
    assert_true(isnan(e->worst_open_percent));
    free(e);
}

static char *effort_text(const hw_record *r, size_t n_records, bool across, hw_table_format format)
{
    const hw_field fields[] = {HW_FIELD_SOLVER, HW_FIELD_NODES};
    hw_effort *e;
    size_t n, size;
    char *text;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_efforts_make(r, n_records, fields, 2, &e, &n, &err), HW_OK);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(
        (across ? hw_efforts_write_across : hw_efforts_write)(e, n, fields, 2, format, out, &err),
        HW_OK);
    assert_int_equal(fclose(out), 0);
    free(e);
    return text;
}

static void test_effort_tables(void **state)
{
    (void)state;
    hw_record r[9];
    make_efforts(r, 2); /* nodes 4 5 6 4 5 6 4 5 6 */
    r[8].solver = "exact";
    char *text = effort_text(r, 9, false, HW_TABLE_CSV);
    expect(text, "solver,nodes,runs,settled_share,settled_low,settled_high,median_seconds,most_");
    expect(text, "\ndp,4,3,1,0.292401774,1,4,7,40,70,1000,\n");
    expect(text, "\nexact,6,1,0,0,0.975,,,,,992,8.69565217\n");
    free(text);
    text = effort_text(r, 9, true, HW_TABLE_MARKDOWN);
    expect(text, "| solver | nodes 4 | nodes 5 | nodes 6 |");
    expect(text, "| dp | 100 % 4.00 s (7.00 s) | 67 % 5.00 s (5.00 s) | 100 % 4.50 s (6.00 s) |");
    expect(text, "| exact |  |  | 0 % - (-) |");
    free(text);
    r[0].n_nodes = 30; /* first in the file, last in the table */
    text = effort_text(r, 9, true, HW_TABLE_MARKDOWN);
    expect(text, "| solver | nodes 4 | nodes 5 | nodes 6 | nodes 30 |");
    expect(text, "| 100 % 4.50 s (6.00 s) | 100 % 1.00 s (1.00 s) |");
    free(text);
}

static void test_units(void **state)
{
    (void)state;
    hw_record r[6] = {made("greedy", 0, "alloc-first", 100), made("dp", 0, "alloc-first", 100),
                      made("greedy", 0, "free-first", 130),  made("dp", 0, "free-first", 100),
                      made("greedy", 1, "alloc-first", 105), made("greedy", 1, "alloc-first", 104)};
    r[1].bound = hw_known(80);
    r[1].status = "feasible";
    /* The last is the unit before once more, as a resumed sweep with another
     * limit appends it: the later line counts. */
    char *text;
    size_t size;
    hw_error err = {.code = HW_OK};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(hw_units_write(r, 6, HW_TABLE_CSV, out, &err), HW_OK);
    assert_int_equal(fclose(out), 0);
    expect(text, "section,instance,nodes,accounting,pinned,greedy,dp_peak,dp_bound,dp_gap_percent,"
                 "dp_status,dp_states,dp_seconds\n");
    expect(text, "all,tree:n=4#0,4,alloc-first,no,100,100,80,25,feasible,100,1e-06\n");
    expect(text, "all,tree:n=4#0,4,free-first,no,130,100,,,optimal,100,1e-06\n");
    expect(text, "all,tree:n=4#1,5,alloc-first,no,104,,,,,,\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_effort),
        cmocka_unit_test(test_effort_tables),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
