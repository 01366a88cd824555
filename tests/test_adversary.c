/*
 * The adversary's search: fast rating against checked rating, lanes that
 * repeat, runs that do not depend on jobs, interruption or what a folder holds.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adversary/search_confirm.h"
#include "adversary/search_rate.h"
#include "adversary/search_run.h"
#include "core/memory.h"
#include "small/genome_edit.h"

static hw_search plain_search(const char *solver, const char *against, bool hard, uint32_t nodes)
{
    hw_error err;
    hw_search s = {.methods = 7, .seed = 5, .label = "test"};
    assert_int_equal(hw_goal_parse(solver, against, hard, &s.goal, &err), HW_OK);
    s.space = (hw_space){.least_nodes = nodes,
                         .most_nodes = nodes,
                         .most_edges = 2016,
                         .most_in = 64,
                         .most_out = 64,
                         .low = 1,
                         .high = 100};
    return s;
}

/* ---- Rating. ---- */

static void check_rating(const hw_goal *goal, hw_rater *rater, const hw_genome *g)
{
    hw_error err;
    hw_rating fast, slow;
    hw_graph *graph;
    assert_int_equal(hw_rater_rate(rater, g, &fast, &err), HW_OK);
    assert_int_equal(hw_genome_graph(g, NULL, NULL, &graph, &err), HW_OK);
    assert_int_equal(hw_goal_rate(goal, graph, &slow, &err), HW_OK);
    hw_graph_free(graph);
    assert_int_equal(fast.counts, slow.counts);
    if (!fast.counts)
        return;
    assert_true(fast.ratio.over == slow.ratio.over);
    assert_true(fast.ratio.under == slow.ratio.under);
    assert_true(fast.peak == slow.peak);
    assert_true(fast.reference == slow.reference);
    if (goal->kind == HW_GOAL_HARD)
        assert_true(fast.states == slow.states);
}

static void rating_is_that_of_the_checked_solvers(void **state)
{
    (void)state;
    static const struct {
        const char *solver, *against;
        bool hard;
        uint64_t states;
    } goal[] = {{"greedy", NULL, false, 0},         {"level", NULL, false, 0},
                {"lookahead:k=2", NULL, false, 0},  {"beam:width=2", "greedy", false, 0},
                {"greedy", "level", false, 0},      {"dp", NULL, true, 0},
                {"exact", NULL, true, 20},          {"liu", NULL, false, 0},
                {"greedy-listing", NULL, false, 0}, {"greedy", NULL, false, 5},
                {"level", "greedy", false, 5}};
    uint32_t counted = 0;
    for (size_t k = 0; k < sizeof goal / sizeof goal[0]; k++)
        for (unsigned way = 0; way < 4; way++) {
            hw_search s = plain_search(goal[k].solver, goal[k].against, goal[k].hard, 1);
            s.goal.limits.states = goal[k].states;
            s.goal.accounting = way & 1 ? HW_FREE_FIRST : HW_ALLOC_FIRST;
            s.space.most_nodes = 19; /* beyond the fast model too */
            s.space.low = 0;
            s.space.workspace = s.space.inplace = s.space.split = way & 2;
            s.space.discard = way == 3;
            hw_rater *rater = HW_NEW(hw_rater, 1);
            gsl_rng *rng = hw_rng_new(k * 4 + way);
            assert_non_null(rater);
            assert_non_null(rng);
            hw_rater_start(rater, &s.goal);
            for (int i = 0; i < 150; i++) {
                hw_genome g;
                if (!hw_space_draw(&s.space, rng, &g))
                    continue;
                check_rating(&s.goal, rater, &g);
                counted++;
            }
            gsl_rng_free(rng);
            free(rater);
        }
    assert_true(counted > 4000);
}

/* ---- Lanes. ---- */

static void plans_follow_from_the_number(void **state)
{
    (void)state;
    hw_search s = plain_search("greedy", NULL, false, 6);
    hw_lane_plan a, b;
    uint64_t before = 0;
    for (uint64_t lane = 0; lane < 60; lane++) {
        hw_search_plan(&s, lane, &a);
        hw_search_plan(&s, lane, &b);
        assert_true(a.number == b.number && a.method == b.method && a.seed == b.seed);
        assert_true(a.budget == b.budget && a.limit == b.limit);
        assert_true(a.number == lane);
        assert_int_equal(a.method, lane % 3);
        assert_true(a.budget >= before && a.limit == a.budget);
        before = a.budget;
    }
    hw_search_plan(&s, 3, &a);
    hw_search_plan(&s, 4, &b);
    assert_true(a.seed != b.seed);
    s.label = "another";
    hw_search_plan(&s, 3, &b);
    assert_true(a.seed != b.seed);
    s.methods = 1U << HW_SEARCH_ANNEAL;
    hw_search_plan(&s, 3, &b);
    assert_int_equal(b.method, HW_SEARCH_ANNEAL);
}

/* Each method repeats itself, keeps to its limit and finds what is known to be there. */
static void lanes_repeat(void **state)
{
    (void)state;
    for (unsigned method = 0; method < HW_SEARCH_METHODS; method++)
        for (unsigned accounting = 0; accounting < 2; accounting++) {
            hw_search s = plain_search("greedy", NULL, false, 6);
            s.methods = 1U << method;
            s.goal.accounting = accounting ? HW_FREE_FIRST : HW_ALLOC_FIRST;
            hw_lane_plan plan;
            hw_find first, again;
            bool any;
            uint64_t used;
            hw_error err;
            hw_search_plan(&s, 4, &plan);
            assert_int_equal(hw_lane_run(&s, &plan, NULL, &first, &any, &used, &err), HW_OK);
            assert_true(any && used == plan.limit);
            assert_true(hw_space_holds(&s.space, &first.genome));
            /* At most 3 times the optimum at 6 nodes; a search finds more than twice it. */
            assert_true(hw_ratio_compare(first.rating.ratio, (hw_ratio){3, 1}) <= 0);
            assert_true(hw_ratio_compare(first.rating.ratio, (hw_ratio){2, 1}) > 0);
            plan.limit = first.evaluation; /* cut right behind the find: nothing else differs */
            assert_int_equal(hw_lane_run(&s, &plan, NULL, &again, &any, &used, &err), HW_OK);
            assert_true(again.evaluation == first.evaluation);
            assert_true(hw_genome_same(&again.genome, &first.genome));
        }
}

static void lanes_begin_where_they_are_told(void **state)
{
    (void)state;
    hw_search s = plain_search("greedy", NULL, false, 6);
    hw_genome ladder;
    hw_genome_start(&ladder, 6); /* blocks of 99 bytes, each behind one byte: see the paper */
    for (uint32_t v = 0; v < 6; v += 2) {
        ladder.size[v] = 99;
        ladder.parents[v + 1] = UINT64_C(1) << v | (v ? UINT64_C(1) << (v - 1) : 0);
    }
    s.start = &ladder;
    for (unsigned method = 0; method < HW_SEARCH_METHODS; method++) {
        s.methods = 1U << method;
        hw_lane_plan plan;
        hw_find find;
        bool any;
        uint64_t used;
        hw_error err;
        hw_search_plan(&s, 0, &plan);
        plan.limit = 1;
        assert_int_equal(hw_lane_run(&s, &plan, NULL, &find, &any, &used, &err), HW_OK);
        assert_true(any && used == 1);
        assert_true(hw_genome_same(&find.genome, &ladder));
    }
}

static void refusals_end_a_lane(void **state)
{
    (void)state;
    hw_search s = plain_search("liu", NULL, false, 30);
    s.space.least_edges = 60; /* no tree, whatever of them says nothing new */
    hw_lane_plan plan;
    hw_find find;
    bool any;
    uint64_t used;
    hw_error err;
    hw_search_plan(&s, 3, &plan);
    assert_int_equal(hw_lane_run(&s, &plan, NULL, &find, &any, &used, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "none of 1000 graphs could be rated: "));
    assert_non_null(strstr(err.message, "tree"));
    s = plain_search("enumerate:prune=no", NULL, true, 8);
    s.goal.limits.states = 1;
    hw_search_plan(&s, 3, &plan);
    assert_int_equal(hw_lane_run(&s, &plan, NULL, &find, &any, &used, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "--state-limit"));
}

/* ---- Runs and folders. ---- */

static char *contents(const char *folder, const char *name, size_t *size)
{
    char path[256], *bytes = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    if (!in)
        return NULL;
    FILE *out = open_memstream(&bytes, size);
    assert_non_null(out);
    for (int c; (c = fgetc(in)) != EOF;)
        (void)fputc(c, out);
    (void)fclose(in);
    (void)fclose(out);
    return bytes;
}

static void same_file(const char *a, const char *b, const char *name)
{
    size_t size_a = 0, size_b = 0;
    char *first = contents(a, name, &size_a), *second = contents(b, name, &size_b);
    assert_non_null(first);
    assert_non_null(second);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(first, second, size_a);
    free(first);
    free(second);
}

typedef struct folders {
    char top[32], a[64], b[64];
} folders;

static int make_folders(void **state)
{
    folders *f = HW_NEW(folders, 1);
    if (!f)
        return -1;
    (void)snprintf(f->top, sizeof f->top, "/tmp/hw-adversary-XXXXXX");
    if (!mkdtemp(f->top))
        return -1;
    (void)snprintf(f->a, sizeof f->a, "%s/a", f->top);
    (void)snprintf(f->b, sizeof f->b, "%s/b", f->top);
    *state = f;
    return 0;
}

static int remove_folders(void **state)
{
    folders *f = *state;
    char command[64];
    (void)snprintf(command, sizeof command, "rm -rf %s", f->top);
    int status = system(command);
    free(f);
    return status;
}

static hw_search_options to_folder(const char *folder, unsigned jobs)
{
    return (hw_search_options){
        .evaluations = 14500, .jobs = jobs, .folder = folder, .command = "highwater test"};
}

static void check_same(const folders *f, const hw_search_state *a, const hw_search_state *b)
{
    assert_true(a->complete && b->complete && a->any && b->any);
    assert_true(a->lanes == b->lanes && a->best_lane == b->best_lane);
    assert_true(hw_genome_same(&a->best.genome, &b->best.genome));
    assert_true(a->best.evaluation == b->best.evaluation);
    same_file(f->a, f->b, "run.json");
    same_file(f->a, f->b, "found.jsonl");
    same_file(f->a, f->b, "best.json");
    same_file(f->a, f->b, "000000.json");
}

static void jobs_change_nothing(void **state)
{
    const folders *f = *state;
    hw_search s = plain_search("greedy", NULL, false, 6);
    hw_search_options one = to_folder(f->a, 1), three = to_folder(f->b, 3);
    hw_search_state a, b;
    hw_error err;
    assert_int_equal(hw_search_run(&s, &one, &a, &err), HW_OK);
    assert_int_equal(hw_search_run(&s, &three, &b, &err), HW_OK);
    assert_true(a.evaluations == 14500 && b.evaluations == 14500);
    check_same(f, &a, &b);
}

/* Cut at any byte, the lines are made whole again and the rest is done once more. */
static void resuming_ends_with_the_same_bytes(void **state)
{
    const folders *f = *state;
    hw_search s = plain_search("greedy", NULL, false, 6);
    hw_search_options whole = to_folder(f->a, 2), cut = to_folder(f->b, 2);
    hw_search_state a, b;
    hw_error err;
    char path[128];
    size_t size = 0;
    (void)snprintf(path, sizeof path, "%s/found.jsonl", f->b);
    assert_int_equal(hw_search_run(&s, &whole, &a, &err), HW_OK);
    assert_int_equal(hw_search_run(&s, &cut, &b, &err), HW_OK);
    char *lines = contents(f->a, "found.jsonl", &size);
    assert_non_null(lines);
    cut.resume = true;
    for (size_t eighth = 0; eighth <= 8; eighth++) {
        size_t left = size * eighth / 8;
        uint64_t kept = 0;
        for (size_t i = 0; i < left; i++)
            kept += lines[i] == '\n';
        assert_int_equal(truncate(path, (off_t)left), 0);
        assert_int_equal(hw_search_run(&s, &cut, &b, &err), HW_OK);
        assert_true(b.lanes_kept == kept);
        check_same(f, &a, &b);
    }
    free(lines);
}

/* Out of time, a search has what it found; going on ends with the bytes of one that had time. */
static void time_ends_a_search(void **state)
{
    const folders *f = *state;
    hw_search s = plain_search("level", NULL, false, 9);
    hw_search_options whole = to_folder(f->a, 2), timed = to_folder(f->b, 2);
    hw_search_state a, b;
    hw_error err;
    size_t size;
    timed.seconds = 0.02;
    assert_int_equal(hw_search_run(&s, &timed, &b, &err), HW_OK);
    assert_false(b.complete);
    char *best = contents(f->b, "best.json", &size);
    assert_true(b.any == (best != NULL));
    free(best);
    timed.seconds = 0;
    timed.resume = true;
    assert_int_equal(hw_search_run(&s, &timed, &b, &err), HW_OK);
    assert_int_equal(hw_search_run(&s, &whole, &a, &err), HW_OK);
    check_same(f, &a, &b);
}

/* Figures that the checked solvers do not confirm are a fault, and the graph is kept. */
static void a_wrong_figure_is_loud(void **state)
{
    const folders *f = *state;
    hw_search s = plain_search("greedy", NULL, false, 4);
    hw_search_options o = to_folder(f->top, 1);
    hw_find find = {.rating = {.counts = true, .ratio = {3, 2}}, .evaluation = 12};
    hw_graph *graph = NULL;
    hw_error err;
    char path[128];
    hw_genome_start(&find.genome, 4);
    assert_int_equal(hw_find_confirm(&s, &o, 7, &find, &graph, &err), HW_INTERNAL);
    hw_graph_free(graph);
    assert_non_null(strstr(err.message, "lane 7, evaluation 12"));
    assert_non_null(strstr(err.message, "3 / 2 in the search, 4 / 4"));
    (void)snprintf(path, sizeof path, "%s/highwater-disagreement.json", f->top);
    assert_int_equal(access(path, R_OK), 0);
    find.rating.ratio = (hw_ratio){4, 4};
    assert_int_equal(hw_find_confirm(&s, &o, 7, &find, &graph, &err), HW_OK);
    hw_find again;
    uint64_t lane;
    assert_int_equal(hw_find_of_graph(&s, graph, &lane, &again, &err), HW_OK);
    assert_true(lane == 7 && again.evaluation == 12);
    assert_true(hw_genome_same(&again.genome, &find.genome));
    hw_graph_free(graph);
}

static void folders_of_others_are_refused(void **state)
{
    const folders *f = *state;
    hw_search s = plain_search("greedy", NULL, false, 6);
    hw_search_options o = to_folder(f->a, 1);
    hw_search_state out;
    hw_error err;
    char path[128];
    o.evaluations = 500;
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_OK);
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "--resume"));
    o.resume = true;
    o.command = "highwater other";
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "holds the search `highwater test`"));
    o.command = "highwater test";
    s.seed = 6; /* the same words, and yet not the same search */
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_USAGE);
    s.seed = 5;

    (void)snprintf(path, sizeof path, "%s/found.jsonl", f->a);
    FILE *lines = fopen(path, "a");
    assert_non_null(lines);
    (void)fputs("{\"lane\":7}\n", lines);
    (void)fclose(lines);
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "line 2"));

    assert_int_equal(mkdir(f->b, 0777), 0);
    (void)snprintf(path, sizeof path, "%s/thesis.tex", f->b);
    FILE *other = fopen(path, "w");
    assert_non_null(other);
    (void)fclose(other);
    o.folder = f->b;
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "thesis.tex"));
    o.folder = path;
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_IO);
}

/* A graph exchanged for another is no record of its line. */
static void graphs_must_be_those_of_their_lines(void **state)
{
    const folders *f = *state;
    hw_search s = plain_search("greedy", NULL, false, 6);
    hw_search_options o = to_folder(f->a, 1);
    hw_search_state out;
    hw_error err;
    char first[128], second[128];
    hw_genome g;
    hw_graph *graph;
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_OK);
    (void)snprintf(first, sizeof first, "%s/000000.json", f->a);
    (void)snprintf(second, sizeof second, "%s/best.json", f->a);
    hw_genome_start(&g, 3);
    assert_int_equal(hw_genome_graph(&g, NULL, NULL, &graph, &err), HW_OK);
    FILE *file = fopen(first, "w");
    assert_non_null(file);
    assert_int_equal(hw_graph_write(graph, HW_FORMAT_JSON, file, &err), HW_OK);
    (void)fclose(file);
    hw_graph_free(graph);
    o.resume = true;
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "000000.json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rating_is_that_of_the_checked_solvers),
        cmocka_unit_test(plans_follow_from_the_number),
        cmocka_unit_test(lanes_repeat),
        cmocka_unit_test(lanes_begin_where_they_are_told),
        cmocka_unit_test(refusals_end_a_lane),
        cmocka_unit_test_setup_teardown(jobs_change_nothing, make_folders, remove_folders),
        cmocka_unit_test_setup_teardown(resuming_ends_with_the_same_bytes, make_folders,
                                        remove_folders),
        cmocka_unit_test_setup_teardown(time_ends_a_search, make_folders, remove_folders),
        cmocka_unit_test_setup_teardown(a_wrong_figure_is_loud, make_folders, remove_folders),
        cmocka_unit_test_setup_teardown(folders_of_others_are_refused, make_folders,
                                        remove_folders),
        cmocka_unit_test_setup_teardown(graphs_must_be_those_of_their_lines, make_folders,
                                        remove_folders),
    };
    return cmocka_run_group_tests_name("adversary", tests, NULL, NULL) != 0;
}
