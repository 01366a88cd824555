/* Plots of results: what their scripts hold, worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "gen/family.h"
#include "io/gnuplot.h"
#include "io/io.h"
#include "model/structure.h"
#include "plot/plot_internal.h"

/* A run on the index-th graph of a family; a peak of 0: no order; an optimum of 0: none known. */
static hw_record made(const char *family, uint64_t index, const char *solver, uint64_t peak,
                      uint64_t optimum)
{
    static const char *const graph[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    bool exact = strcmp(solver, "dp") == 0 || strcmp(solver, "exact") == 0;
    return (hw_record){.suite = "s",
                       .section = "all",
                       .family = family,
                       .params = "n=8",
                       .index = index,
                       .graph = graph[index % 10],
                       .n_nodes = 8,
                       .n_edges = 12,
                       .accounting = "alloc-first",
                       .solver = solver,
                       .exact = exact,
                       .status = exact ? "optimal" : "feasible",
                       .peak = {peak > 0, peak},
                       .checked_peak = {peak > 0, peak},
                       .optimum = {optimum > 0, optimum},
                       .states = hw_known(100),
                       .wall_seconds = 1e-6 * (double)(index + 1),
                       .version = "1",
                       .compiler = "cc"};
}

static hw_code try(const hw_record *r, size_t n, hw_plot_kind kind, const hw_plot_options *o,
                   hw_plot_script *script, hw_error *err)
{
    static const hw_plot_options plain = {.size = HW_PLOT_WEB};
    hw_plot_data *data;
    assert_int_equal(hw_plot_data_make(r, n, HW_FIELD_FAMILY, &data, err), HW_OK);
    hw_code code = hw_plot_make(data, kind, o ? o : &plain, script, err);
    hw_plot_data_free(data);
    return code;
}

static hw_plot_script script_of(const hw_record *r, size_t n, hw_plot_kind kind,
                                const hw_plot_options *o)
{
    hw_plot_script script;
    hw_error err = {.code = HW_OK};
    if (try(r, n, kind, o, &script, &err) != HW_OK)
        fail_msg("%s: %s", hw_plot_kind_name(kind), err.message);
    return script;
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

enum { SOME = 40 };

/* Ten graphs under both accountings, by greedy, source, lns and dp. */
static void make_some(hw_record r[2 * SOME])
{
    static const char *const solver[] = {"greedy", "source", "lns", "dp"};
    for (size_t i = 0; i < SOME; i++) {
        uint64_t index = i / 4, peak[] = {100 + 3 * index, 100 + 5 * index, 100 + index % 2, 100};
        r[i] = made(index < 5 ? "tree" : "layered", index, solver[i % 4], peak[i % 4], 100);
        r[SOME + i] = r[i];
        r[SOME + i].accounting = "free-first";
    }
}

/* Every kind but counts, which makes the graphs anew. */
static void every_kind(void **state)
{
    (void)state;
    hw_record r[2 * SOME], shuffled[2 * SOME];
    make_some(r);
    memcpy(shuffled, r, sizeof r);
    gsl_rng *rng = hw_rng_new(7);
    assert_non_null(rng);
    for (size_t i = 2 * SOME; i > 1; i--) {
        size_t k = (size_t)hw_rng_below(rng, i);
        hw_record kept = shuffled[i - 1];
        shuffled[i - 1] = shuffled[k];
        shuffled[k] = kept;
    }
    gsl_rng_free(rng);
    for (unsigned kind = 0; kind < HW_PLOT_COUNTS; kind++) {
        for (unsigned size = HW_PLOT_WEB; size <= HW_PLOT_COLUMN; size++) {
            const hw_plot_options o = {.size = (hw_plot_size)size};
            hw_plot_script script = script_of(r, 2 * SOME, (hw_plot_kind)kind, &o);
            hw_plot_script same = script_of(shuffled, 2 * SOME, (hw_plot_kind)kind, &o);
            assert_string_equal(script.text, same.text); /* the order of lines is no matter */
            assert_string_equal(script.caption, same.caption);
            assert_true(*script.title && *script.caption);
            assert_true(script.width_px == (size == HW_PLOT_WEB    ? 960
                                            : size == HW_PLOT_PAGE ? 624
                                                                   : 320));
            assert_true(script.height_px > 100 && script.height_px < 2000);
            expect(script.text, "alloc-first");
            expect(script.text, kind == HW_PLOT_CACTUS ? "dp" : "greedy");
            assert_true((strstr(script.text, script.title) != NULL) == (size == HW_PLOT_WEB));
            hw_plot_script_free(&script);
            hw_plot_script_free(&same);
        }
        hw_plot_script script;
        hw_error err = {.code = HW_OK};
        assert_int_equal(try(r, 0, (hw_plot_kind)kind, NULL, &script, &err), HW_BAD_INPUT);
        assert_null(script.text);
        assert_non_null(strstr(err.message, "nothing to draw"));
    }
}

static void solvers_are_chosen(void **state)
{
    (void)state;
    hw_record r[2 * SOME];
    make_some(r);
    r[1].solver = "lookahead:k=5";
    const char *const named[] = {"lookahead", "dp"}, *const missing[] = {"greddy"};
    hw_plot_options o = {.size = HW_PLOT_WEB, .solvers = named, .n_solvers = 2};
    hw_plot_script script = script_of(r, 2 * SOME, HW_PLOT_PROFILE, &o);
    expect(script.text, "set label 'lookahead:k=5' at ");
    expect(script.text, "set label 'dp' at ");
    assert_null(strstr(script.text, "set label 'greedy'"));
    hw_plot_script_free(&script);
    hw_error err = {.code = HW_OK};
    o = (hw_plot_options){.size = HW_PLOT_WEB, .solvers = missing, .n_solvers = 1};
    assert_int_equal(try(r, 2 * SOME, HW_PLOT_PROFILE, &o, &script, &err), HW_USAGE);
    expect(err.message, "did you mean 'greedy'?");
}

static void profile_in_multiples_of_the_best(void **state)
{
    (void)state;
    /* Each is best once in two, and 1.1 times the best otherwise. */
    const hw_record r[] = {made("tree", 0, "greedy", 100, 0), made("tree", 0, "level", 110, 0),
                           made("tree", 1, "greedy", 110, 0), made("tree", 1, "level", 100, 0)};
    hw_plot_script script = script_of(r, 4, HW_PLOT_PROFILE, NULL);
    expect(script.text, "$data_0_0 << EOD\n1 50\n");
    expect(script.text, "1.1 100\n\n\n1 50\n");
    hw_plot_script_free(&script);
}

/*
 * A level stretch keeps both of its ends, so that lines stay level; marks stand
 * behind.  Values 1, 2 and 4 of four, on 1 to 5.
 */
static void steps_stay_level(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 4};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hw_plot_put_steps(out, values, 3, 4, 1, 5, false);
    assert_int_equal(fclose(out), 0);
    expect(text, "1 25\n1.98333 25\n2 50\n3.98333 50\n4 75\n4.98333 75\n5 75\n\n\n1 25\n");
    free(text);
}

/*
 * Of four solvers A is best thrice, C once (all by a little); of the others, C
 * beats B there alone.  Without A, B is best thrice and C once.
 */
static void the_best_leaves_and_ranks_change(void **state)
{
    (void)state;
    static const struct {
        uint64_t a, b, c;
    } peak[] = {{100, 101, 130}, {100, 101, 130}, {100, 101, 130}, {100, 102, 99}};
    hw_record r[12];
    for (size_t i = 0; i < 4; i++) {
        r[3 * i] = made("tree", i, "lns", peak[i].a, 0);
        r[3 * i + 1] = made("tree", i, "greedy", peak[i].b, 0);
        r[3 * i + 2] = made("tree", i, "source", peak[i].c, 0);
    }
    hw_plot_script script = script_of(r, 12, HW_PLOT_RIVALS, NULL);
    expect(script.text, "alloc-first, without lns");
    expect(script.caption, "4 instances that all 3 tried");
    expect(script.caption, "alloc-first without lns: greedy passes source.");
    /* greedy is the first solver drawn: never best beside lns, three times of four without. */
    expect(script.text, "$data_0_0 << EOD\n1 0\n");
    expect(script.text, "$data_1_0 << EOD\n1 75\n");
    assert_null(strstr(script.text, "$data_1_1 <<"));
    hw_plot_script_free(&script);
}

static void cactus_counts_what_is_solved(void **state)
{
    (void)state;
    hw_record r[] = {made("tree", 0, "dp", 100, 100), made("tree", 1, "dp", 100, 100),
                     made("tree", 2, "dp", 120, 0), made("tree", 3, "dp", 0, 0)};
    r[2].status = "feasible";
    r[3].status = "infeasible";
    hw_plot_script script = script_of(r, 4, HW_PLOT_CACTUS, NULL);
    expect(script.text, "'dp: 3 of 4'");
    expect(script.text, "set yrange [0:3.12]");
    hw_plot_script_free(&script);
    const char *const named[] = {"greedy"};
    const hw_plot_options o = {.size = HW_PLOT_WEB, .solvers = named, .n_solvers = 1};
    const hw_record heuristic[] = {made("tree", 0, "greedy", 100, 100),
                                   made("tree", 1, "greedy", 101, 100),
                                   made("tree", 2, "greedy", 100, 0)};
    script = script_of(heuristic, 3, HW_PLOT_CACTUS, &o);
    expect(script.text, "'greedy: 1 of 3'");
    hw_plot_script_free(&script);
}

/* Times 1, 2, .. microseconds a graph; solvers differ by a factor. */
static void pareto_front(void **state)
{
    (void)state;
    static const struct {
        const char *solver;
        uint64_t peak;
        double factor;
    } rows[] = {{"fast", 140, 1}, {"slow", 110, 100}, {"beaten", 150, 50}, {"rare", 100, 1}};
    hw_record r[40];
    size_t n = 0;
    for (uint64_t i = 0; i < 10; i++)
        for (size_t k = 0; k < 4; k++) {
            if (k == 3 && i > 3)
                continue; /* answers too few to take part */
            r[n] = made("tree", i, rows[k].solver, rows[k].peak, 100);
            /* One long call on the first graph: a geometric mean of 10^0.1 times the others. */
            r[n++].wall_seconds = 1e-3 * rows[k].factor * (i == 0 && k == 1 ? 10 : 1);
        }
    hw_plot_options o = {.size = HW_PLOT_WEB, .shift_seconds = 1e-9};
    hw_plot_script script = script_of(r, n, HW_PLOT_PARETO, &o);
    expect(script.text, "$front0 << EOD\n0.001 40\n0.125893 10\n");
    expect(script.text, "$points0_0 << EOD\n0.05 50\nEOD\n");
    expect(script.text, "$points1_0 << EOD\n0.001 40\n0.125893 10\nEOD\n");
    expect(script.caption, "the 10 instances");
    assert_null(strstr(script.text, "'rare'"));
    hw_plot_script_free(&script);
    /* One graph without a time of one solver leaves the sample of all. */
    r[0].wall_seconds = -1;
    script = script_of(r, n, HW_PLOT_PARETO, &o);
    expect(script.caption, "the 9 instances");
    expect(script.text, "$points1_0 << EOD\n0.001 40\n0.1 10\nEOD\n");
    hw_plot_script_free(&script);
}

static void names_keep_apart(void **state)
{
    (void)state;
    enum { MOST = 24, WIDTH = 420, HEIGHT = 380, FONT = 11 };
    static const char *const name[] = {"greedy", "inductor-best", "lns", "backtrack"};
    gsl_rng *rng = hw_rng_new(11);
    assert_non_null(rng);
    for (size_t round = 0; round < 200; round++) {
        hw_plot_label l[MOST];
        size_t n = 1 + (size_t)hw_rng_below(rng, MOST);
        for (size_t i = 0; i < n; i++)
            l[i] = (hw_plot_label){.name = name[i % 4],
                                   .x = (double)hw_rng_below(rng, WIDTH),
                                   .y = round % 2 ? 40 : (double)hw_rng_below(rng, HEIGHT)};
        hw_plot_place_labels(l, n, NULL, 0, WIDTH, HEIGHT, FONT);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++) {
                double wide[2] = {hw_frame_text_width(l[i].name, FONT),
                                  hw_frame_text_width(l[k].name, FONT)};
                if (l[i].left < l[k].left + wide[1] && l[k].left < l[i].left + wide[0] &&
                    fabs(l[i].base - l[k].base) < FONT)
                    fail_msg("round %zu: %s at %g, %g lies over %s at %g, %g", round, l[i].name,
                             l[i].left, l[i].base, l[k].name, l[k].left, l[k].base);
            }
    }
    gsl_rng_free(rng);
}

static void heat_map_cells(void **state)
{
    (void)state;
    hw_record r[8];
    for (size_t i = 0; i < 8; i++) {
        r[i] = made("tree", i, "greedy", 100 + 10 * i, 100);
        r[i].n_nodes = i < 3 ? 8 : i < 6 ? 30 : 100;
        r[i].n_edges = i < 3 ? 8 : i < 6 ? 45 : 100;
    }
    hw_plot_script script = script_of(r, 8, HW_PLOT_HEAT, NULL);
    /* Nodes from 8 on with one edge each: 0, 10 and 20; from 24 on with 1.5: 30 to 50; the two
     * of 100 nodes are too few. */
    expect(script.text, "$cells0 << EOD\n3 3 10 10 3\n8 5 40 40 3\nEOD\n");
    expect(script.text, "set cbrange [0:39.1]");
    expect(script.text, "fillstyle pattern");
    hw_plot_script_free(&script);
    const hw_plot_options o = {.size = HW_PLOT_WEB, .quantile = 0.999999};
    script = script_of(r, 8, HW_PLOT_HEAT, &o);
    expect(script.text, "\n8 5 50 50 3\n");
    hw_plot_script_free(&script);
}

/* Graphs of 40 nodes stand at 40, however the sizes of many results are put together. */
static void sizes_stand_where_they_are(void **state)
{
    (void)state;
    enum { RUNS = 3 * (HW_PLOT_FEW_SIZES + 1) };
    static hw_record r[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        r[i] = made("tree", i, "greedy", 110, 100);
        r[i].n_nodes = i < 6 ? 8 : 40;
    }
    hw_plot_script script = script_of(r, 12, HW_PLOT_RUNTIME, NULL);
    expect(script.text, "\n40 ");
    assert_null(strstr(script.text, "41 %"));
    hw_plot_script_free(&script);
    for (size_t i = 0; i < RUNS; i++)
        r[i].n_nodes = 8 + i / 3;
    script = script_of(r, RUNS, HW_PLOT_RUNTIME, NULL);
    assert_null(strstr(script.text, "\n40 "));
    expect(script.text, "\n45 ");
    expect(script.text, "41 %");
    hw_plot_script_free(&script);
}

static void shares_with_their_intervals(void **state)
{
    (void)state;
    hw_record r[10];
    for (size_t i = 0; i < 10; i++) /* 0, 5, .. 45 per cent, five graphs a family */
        r[i] = made(i % 2 ? "tree" : "fan", i, "greedy", 100 + 5 * i, 100);
    hw_plot_script script = script_of(r, 10, HW_PLOT_SHARES, NULL);
    char row[200];
    hw_share within = hw_share_of(2, 10), above = hw_share_of(5, 10);
    (void)snprintf(row, sizeof row, "$shares0 << EOD\n0 20 %.6g %.6g 50 %.6g %.6g\n",
                   100 * within.low, 100 * within.high, 100 * above.low, 100 * above.high);
    expect(script.text, row);
    within = hw_share_of(1, 5); /* fan: 0, 10, 20, 30, 40 */
    (void)snprintf(row, sizeof row, "\n1 20 %.6g %.6g 40 ", 100 * within.low, 100 * within.high);
    expect(script.text, row);
    expect(script.text, "'all' 0, 'fan' 1, 'tree' 2");
    hw_plot_script_free(&script);
}

/* Graphs are made anew and counted; one that the program no longer makes is left out. */
static void counts_of_graphs_made_anew(void **state)
{
    (void)state;
    enum { N = 4 };
    const hw_family_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_record r[N];
    char hash[N][HW_HASH_TEXT], line[200];
    double width[N], down_sets[N], orders[N];
    assert_int_equal(hw_family_parse("tree:n=8", &row, values, NULL), HW_OK);
    for (size_t i = 0; i < N; i++) {
        hw_graph *g;
        hw_structure s;
        assert_int_equal(hw_generate(row, values, 5, i, &g, NULL), HW_OK);
        assert_int_equal(hw_graph_hash(g, hash[i], NULL), HW_OK);
        assert_int_equal(hw_structure_find(g, HW_STRUCTURE_LIMITS, &s, NULL), HW_OK);
        hw_graph_free(g);
        width[i] = s.width;
        down_sets[i] = (double)s.down_sets;
        orders[i] = (double)s.orders_low;
        r[i] = made("tree", i, "greedy", 100, 100);
        r[i].seed = 5;
        r[i].graph = hash[i];
    }
    r[N - 1].graph = "another";
    hw_plot_script script = script_of(r, N, HW_PLOT_COUNTS, NULL);
    double *const all[] = {orders, down_sets, width};
    for (size_t m = 0; m < 3; m++) {
        hw_sort_reals(all[m], N - 1);
        (void)snprintf(line, sizeof line, "$data_%zu_0 << EOD\n8 %.6g %.6g %.6g 3\nEOD\n", m,
                       (all[m][0] + all[m][1]) / 2, all[m][1], (all[m][1] + all[m][2]) / 2);
        expect(script.text, line);
    }
    assert_null(strstr(script.text, "$data_3_0")); /* no run of exact */
    hw_plot_script_free(&script);
}

/* ---- The style. ---- */

static double luminance(const char *colour)
{
    unsigned red, green, blue;
    assert_int_equal(sscanf(colour, "#%2x%2x%2x", &red, &green, &blue), 3);
    const double part[] = {red / 255.0, green / 255.0, blue / 255.0};
    static const double weight[] = {0.2126, 0.7152, 0.0722}; /* of WCAG 2 */
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += weight[i] *
               (part[i] <= 0.04045 ? part[i] / 12.92 : pow((part[i] + 0.055) / 1.055, 2.4));
    return sum;
}

static void the_palette_darkens_all_the_way(void **state)
{
    (void)state;
    char *style = NULL;
    size_t size, shades = 0;
    FILE *out = open_memstream(&style, &size);
    assert_non_null(out);
    hw_gnuplot_put_style(out);
    assert_int_equal(fclose(out), 0);
    char *at = strstr(style, "set palette defined"), *end = at ? strchr(at, ')') : NULL;
    assert_non_null(end);
    double last = 1;
    while ((at = strchr(at, '#')) && at < end) {
        double now = luminance(at++);
        assert_true(now < last - 0.03);
        last = now;
        shades++;
    }
    assert_true(shades >= 5 && last < 0.05);
    /* Lines are read on white: none is too pale. */
    at = strstr(style, "colours = '");
    end = at ? strchr(at, '\n') : NULL;
    assert_non_null(end);
    while ((at = strchr(at, '#')) && at < end)
        assert_true(1.05 / (luminance(at++) + 0.05) > 2);
    free(style);
}

/* Above an optimum of 0 a gap is infinite: gnuplot has no such number. */
static void endless_gaps_have_a_place(void **state)
{
    (void)state;
    static const hw_plot_options tails = {.size = HW_PLOT_WEB, .quantile = 0.9};
    static const char *const solver[] = {"greedy", "source", "lns", "dp"};
    hw_record r[SOME];
    for (size_t i = 0; i < SOME; i++) {
        uint64_t peak[] = {i < SOME / 4 ? 0 : 7, 9, 0, 0};
        r[i] = made("tree", i / 4, solver[i % 4], 1, 1);
        r[i].peak = r[i].checked_peak = hw_known(peak[i % 4]);
        r[i].optimum = hw_known(0);
    }
    for (unsigned kind = 0; kind < HW_PLOT_COUNTS; kind++)
        for (size_t k = 0; k < 2; k++) {
            hw_plot_script script = script_of(r, SOME, (hw_plot_kind)kind, k ? &tails : NULL);
            for (const char *at = script.text; (at = strpbrk(at, "in")) != NULL; at++)
                if (strncmp(at, "inf ", 4) == 0 || strncmp(at, "nan", 3) == 0 ||
                    strncmp(at, "inf\n", 4) == 0 || strncmp(at, "inf:", 4) == 0)
                    fail_msg("%s: %.60s", hw_plot_kind_name((hw_plot_kind)kind), at);
            if (kind == HW_PLOT_GAPS || kind == HW_PLOT_HEAT)
                expect(script.text, "\xE2\x88\x9E");
            hw_plot_script_free(&script);
        }
}

/* Two runs under the other accounting: its panel stays empty, and gnuplot is content. */
static void panels_without_a_line(void **state)
{
    (void)state;
    static const hw_plot_kind kinds[] = {HW_PLOT_RUNTIME, HW_PLOT_OPTIMAL};
    hw_record r[2 * SOME];
    make_some(r);
    for (size_t k = 0; k < 2; k++) {
        hw_plot_script script = script_of(r, SOME + 8, kinds[k], NULL);
        expect(script.text, "$data_1_0 << EOD\nEOD");
        expect(script.text, k == 0 ? "plot [][1e-6:1] 10 notitle" : "plot -1 notitle");
        assert_non_null(strstr(script.text, "$data_0_0 using"));
        assert_null(strstr(script.text, "$data_1_0 using"));
        hw_plot_script_free(&script);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(solvers_are_chosen),
        cmocka_unit_test(profile_in_multiples_of_the_best),
        cmocka_unit_test(steps_stay_level),
        cmocka_unit_test(the_best_leaves_and_ranks_change),
        cmocka_unit_test(cactus_counts_what_is_solved),
        cmocka_unit_test(pareto_front),
        cmocka_unit_test(names_keep_apart),
        cmocka_unit_test(heat_map_cells),
        cmocka_unit_test(shares_with_their_intervals),
        cmocka_unit_test(counts_of_graphs_made_anew),
        cmocka_unit_test(the_palette_darkens_all_the_way),
        cmocka_unit_test(endless_gaps_have_a_place),
        cmocka_unit_test(panels_without_a_line),
        cmocka_unit_test(sizes_stand_where_they_are),
    };
    return cmocka_run_group_tests_name("plots", tests, NULL, NULL) != 0;
}
