/*
 * The census against one without any of its short cuts: every case built anew,
 * solved through the driver with its checker, its optimum by dp, graphs told
 * apart by coloured canonical forms.  And: no order passes the limit that is
 * proven; solvers that lie are caught; what stands in lines is what was counted.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "census/canon.h"
#include "census/census_dag.h"
#include "census/census_run.h"
#include "model/sim.h"
#include "support_draft.h"
#include "support_solve.h"
#include "support_sanitized.h"

static hw_census_plan plan_of(uint32_t n, uint32_t m, bool all, const char *const *specs,
                              size_t n_specs)
{
    hw_census_plan plan = {.least_nodes = n,
                           .most_nodes = n,
                           .most_size = m,
                           .all_numberings = all,
                           .all_fails = true,
                           .part = 1,
                           .parts = 1};
    hw_error err = {0};
    if (hw_census_solvers(&plan, specs, n_specs, &err) != HW_OK)
        fail_msg("%s", err.message);
    return plan;
}

/* All blocks, last or first one first, each knowing what came before or nothing. */
static hw_census_tally *take_in(const hw_census_plan *plan, bool knowing, bool backwards)
{
    uint32_t n = plan->most_nodes, *codes;
    size_t n_dags;
    hw_error err = {0};
    hw_census_tally *sum = calloc(1, sizeof *sum), *block = calloc(1, sizeof *block);
    assert_non_null(sum);
    assert_non_null(block);
    assert_int_equal(hw_dags_make(n, &codes, &n_dags, NULL), HW_OK);
    size_t n_blocks = hw_census_blocks(n, n_dags);
    for (size_t i = 0; i < n_blocks; i++) {
        size_t b = backwards ? n_blocks - 1 - i : i;
        if (hw_census_block(plan, n, codes, n_dags, b, knowing ? sum : NULL, NULL, block, &err) !=
            HW_OK)
            fail_msg("%s", err.message);
        hw_census_add(plan, sum, block);
    }
    free(codes);
    free(block);
    return sum;
}

static hw_census_tally *take_all(const hw_census_plan *plan, bool knowing)
{
    return take_in(plan, knowing, true);
}

/* ---- The slow twin. ---- */

/* One graph with sizes: its form, and on which solvers it has a bad case. */
typedef struct slow_graph {
    hw_canon form;
    uint32_t greatest;
    bool met; /* its first case is behind */
    uint64_t failed[2], failed_first[2], refused[2];
} slow_graph;

typedef struct slow {
    slow_graph *graph;
    size_t n_graphs;
    hw_ratio worst[2][HW_CENSUS_SIZES][HW_CENSUS_SOLVERS]; /* by greatest size */
} slow;

static slow_graph *find_graph(slow *s, const hw_canon *form, uint32_t greatest)
{
    for (size_t i = 0; i < s->n_graphs; i++)
        if (hw_canon_compare(&s->graph[i].form, form) == 0)
            return &s->graph[i];
    s->graph[s->n_graphs] = (slow_graph){.form = *form, .greatest = greatest};
    return &s->graph[s->n_graphs++];
}

static void solve_case(const hw_census_plan *plan, slow *s, slow_graph *of, const hw_genome *genome)
{
    hw_graph *g = NULL;
    assert_int_equal(hw_genome_graph(genome, NULL, NULL, &g, NULL), HW_OK);
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
        hw_model *m = test_model(g, (hw_accounting)a, false);
        hw_answer best = test_solve(m, "dp");
        for (size_t i = 0; i < plan->n_solvers; i++) {
            hw_request request = {.params = plan->solver[i].values, .seed = 1};
            hw_answer answer;
            hw_code code = hw_solve(m, plan->solver[i].row, &request, &answer, NULL);
            if (code == HW_USAGE) {
                of->refused[a] |= UINT64_C(1) << i;
                continue;
            }
            assert_int_equal(code, HW_OK);
            hw_ratio ratio = {answer.peak, best.peak};
            for (uint32_t k = of->greatest; k < plan->most_size; k++)
                if (hw_ratio_compare(ratio, s->worst[a][k][i]) > 0)
                    s->worst[a][k][i] = ratio;
            if (answer.peak > best.peak)
                of->failed[a] |= UINT64_C(1) << i;
            hw_answer_clear(&answer);
        }
        if (!of->met)
            of->failed_first[a] = of->failed[a];
        hw_answer_clear(&best);
        hw_model_free(m);
    }
    of->met = true;
    hw_graph_free(g);
}

/* Every matrix, every vector; of each graph the case of the least comes first. */
static void solve_all(const hw_census_plan *plan, slow *s)
{
    uint32_t n = plan->most_nodes, vectors = hw_census_vectors(n, plan->most_size);
    hw_canon_maker *maker;
    assert_int_equal(hw_canon_begin(&maker, NULL), HW_OK);
    s->graph = calloc((size_t)vectors << (n * (n - 1) / 2), sizeof *s->graph);
    assert_non_null(s->graph);
    for (size_t a = 0; a < 2; a++)
        for (uint32_t k = 0; k < plan->most_size; k++)
            for (size_t i = 0; i < plan->n_solvers; i++)
                s->worst[a][k][i] = (hw_ratio){1, 1};
    for (uint32_t code = 0; code < UINT32_C(1) << (n * (n - 1) / 2); code++)
        for (uint32_t i = 0; i < vectors; i++) {
            hw_census_worst place = {.code = code, .vector = i};
            hw_genome genome;
            uint8_t parents[HW_DAGS_MOST], colour[HW_DAGS_MOST];
            uint32_t greatest = 0;
            hw_canon form;
            hw_census_genome(plan, n, &place, &genome);
            for (uint32_t v = 0; v < n; v++) {
                parents[v] = (uint8_t)genome.parents[v];
                colour[v] = (uint8_t)genome.size[v];
                greatest = genome.size[v] > greatest ? (uint32_t)genome.size[v] : greatest;
            }
            assert_int_equal(hw_canon_form(maker, n, parents, colour, &form, NULL, NULL), HW_OK);
            solve_case(plan, s, find_graph(s, &form, greatest - 1), &genome);
        }
    hw_canon_end(maker);
}

static void compare(const hw_census_plan *plan, const slow *s, const hw_census_tally *t)
{
    for (uint32_t m = 1; m <= plan->most_size; m++) {
        size_t graphs = 0;
        uint64_t counted = 0;
        for (size_t g = 0; g < s->n_graphs; g++)
            graphs += s->graph[g].greatest < m;
        for (uint32_t k = 0; k < m; k++)
            counted += t->graphs[k];
        assert_int_equal(counted, graphs);
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
            for (size_t i = 0; i < plan->n_solvers; i++) {
                hw_census_cell cell = hw_census_up_to(t, (hw_accounting)a, i, m);
                uint64_t fails = 0, taken = 0;
                for (size_t g = 0; g < s->n_graphs; g++) {
                    bool in = s->graph[g].greatest < m;
                    uint64_t failed =
                        plan->all_fails ? s->graph[g].failed[a] : s->graph[g].failed_first[a];
                    fails += in && (failed >> i & 1);
                    taken += in && !(s->graph[g].refused[a] >> i & 1);
                }
                hw_ratio worst = cell.worst.found ? cell.worst.ratio : (hw_ratio){1, 1};
                if (hw_ratio_compare(worst, s->worst[a][m - 1][i]) != 0 || cell.fails != fails)
                    fail_msg("%s, m = %" PRIu32 ", accounting %d: worst %" PRIu64 "/%" PRIu64
                             ", fails %" PRIu64 "; one by one %" PRIu64 "/%" PRIu64 ", %" PRIu64,
                             plan->solver[i].spec, m, a, worst.over, worst.under, cell.fails,
                             s->worst[a][m - 1][i].over, s->worst[a][m - 1][i].under, fails);
                if (plan->solver[i].row->kind != HW_SOLVER_EXACT)
                    assert_int_equal(cell.taken, taken);
            }
    }
}

static void against_every_case(uint32_t n, uint32_t m)
{
    hw_census_plan plan = plan_of(n, m, true, NULL, 0);
    slow *s = calloc(1, sizeof *s);
    assert_non_null(s);
    solve_all(&plan, s);
    for (int way = 0; way < 4; way++) {
        plan.all_fails = way & 1;
        hw_census_tally *t = take_all(&plan, way & 2);
        compare(&plan, s, t);
        free(t);
    }
    free(s->graph);
    free(s);
}

static void three_nodes_one_by_one(void **state)
{
    (void)state;
    against_every_case(3, 4);
}

static void four_nodes_one_by_one(void **state)
{
    (void)state;
    against_every_case(4, 2);
}

/* ---- Its parts. ---- */

static void a_template_is_the_model_built_anew(void **state)
{
    (void)state;
    uint64_t seed = 7;
    hw_census_template *t = calloc(1, sizeof *t);
    assert_non_null(t);
    for (int round = 0; round < FEWER(2000); round++) {
        uint32_t n = 1 + (uint32_t)draft_below(&seed, HW_DAGS_MOST);
        uint32_t code = (uint32_t)draft_below(&seed, UINT64_C(1) << (n * (n - 1) / 2));
        hw_dag dag = hw_dag_of_code(n, code);
        hw_accounting a = draft_below(&seed, 2) ? HW_FREE_FIRST : HW_ALLOC_FIRST;
        hw_genome genome;
        hw_graph *g = NULL;
        assert_int_equal(hw_census_template_make(&dag, t, NULL), HW_OK);
        hw_genome_start(&genome, n);
        for (int again = 0; again < 2; again++) {
            for (uint32_t v = 0; v < n; v++) {
                genome.parents[v] = dag.parents[v];
                genome.size[v] = 1 + draft_below(&seed, 9);
            }
            hw_census_template_size(t, a, genome.size);
            assert_int_equal(hw_genome_graph(&genome, NULL, NULL, &g, NULL), HW_OK);
            hw_model *m = test_model(g, a, false), *own = t->model[a];
            assert_int_equal(own->n_buffers, m->n_buffers);
            assert_memory_equal(t->graph->tensor_size, g->tensor_size, n * sizeof(uint64_t));
            assert_memory_equal(own->new_bytes, m->new_bytes, n * sizeof(uint64_t));
            assert_memory_equal(own->dead_bytes, m->dead_bytes, n * sizeof(uint64_t));
            assert_memory_equal(own->buffer_size, m->buffer_size, m->n_buffers * sizeof(uint64_t));
            assert_int_equal(own->live_empty, m->live_empty);
            assert_int_equal(own->live_full, m->live_full);
            assert_int_equal(own->simple_bound, m->simple_bound);
            hw_model_free(m);
            hw_graph_free(g);
        }
        hw_census_template_free(t);
    }
    free(t);
}

/* The limit that holds for every order, and the ratio that comes near. */
static void no_order_passes_the_limit(void **state)
{
    (void)state;
    static const char *const specs[] = {"source"};
    for (uint32_t n = 1; n <= 5; n++) {
        hw_census_plan plan = plan_of(n, 3, true, specs, 1);
        hw_census_tally *t = take_all(&plan, true);
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
            hw_census_cell any = hw_census_up_to(t, (hw_accounting)a, 1, 3);
            hw_census_cell source = hw_census_up_to(t, (hw_accounting)a, 0, 3);
            hw_ratio limit = {(n + 1) / 2, 1};
            assert_true(!any.worst.found || hw_ratio_compare(any.worst.ratio, limit) <= 0);
            assert_int_equal(any.worst.found, n >= 3);
            /* Every order is the source order of some case. */
            assert_int_equal(any.fails, source.fails);
            assert_int_equal(any.worst.ratio.over, source.worst.ratio.over);
            assert_int_equal(any.worst.ratio.under, source.worst.ratio.under);
        }
        free(t);
    }
}

static void check_same_worst(const hw_census_worst *a, const hw_census_worst *b)
{
    assert_int_equal(a->found, b->found);
    assert_int_equal(a->ratio.over, b->ratio.over);
    assert_int_equal(a->ratio.under, b->ratio.under);
    assert_int_equal(a->dag, b->dag);
    assert_int_equal(a->code, b->code);
    assert_int_equal(a->vector, b->vector);
}

/* Whatever was known before, and in whatever order: the same case for each m. */
static void the_first_worst_case_is_found_on_every_way(void **state)
{
    (void)state;
    hw_census_plan plan = plan_of(4, 3, true, NULL, 0);
    hw_census_tally *plain = take_in(&plan, false, false);
    for (int way = 1; way < 4; way++) {
        hw_census_tally *other = take_in(&plan, way & 1, way & 2);
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
            for (size_t i = 0; i <= plan.n_solvers; i++)
                for (uint32_t m = 1; m <= 3; m++) {
                    hw_census_cell x = hw_census_up_to(plain, (hw_accounting)a, i, m);
                    hw_census_cell y = hw_census_up_to(other, (hw_accounting)a, i, m);
                    check_same_worst(&x.worst, &y.worst);
                }
        free(other);
    }
    free(plain);
}

/* With one numbering the cases are the graphs, and nothing gets worse. */
static void one_numbering_is_a_part_of_all(void **state)
{
    (void)state;
    hw_census_plan one = plan_of(4, 3, false, NULL, 0), all = plan_of(4, 3, true, NULL, 0);
    hw_census_tally *few = take_all(&one, true), *many = take_all(&all, true);
    for (uint32_t k = 0; k < 3; k++) {
        assert_int_equal(few->cases[k], few->graphs[k]);
        assert_int_equal(few->graphs[k], many->graphs[k]);
        assert_true(many->cases[k] > few->cases[k]);
    }
    assert_int_equal(many->cases[0] + many->cases[1] + many->cases[2], 64 * 81);
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
        for (size_t i = 0; i < all.n_solvers; i++) {
            hw_census_cell x = hw_census_up_to(few, (hw_accounting)a, i, 3);
            hw_census_cell y = hw_census_up_to(many, (hw_accounting)a, i, 3);
            assert_true(x.fails <= y.fails && x.taken == y.taken);
            assert_true(!x.worst.found ||
                        (y.worst.found && hw_ratio_compare(x.worst.ratio, y.worst.ratio) <= 0));
        }
    free(few);
    free(many);
}

/* ---- Solvers that lie. ---- */

static hw_code source_order_called_exact(const hw_model *m, const hw_request *request,
                                         hw_answer *answer, hw_error *err)
{
    return hw_solver_find("source", 6)->solve(m, request, answer, err);
}

static hw_code another_peak(const hw_model *m, const hw_request *request, hw_answer *answer,
                            hw_error *err)
{
    hw_code code = hw_solver_find("source", 6)->solve(m, request, answer, err);
    answer->peak++;
    return code;
}

/* Legal, with its peak, where there are no edges alone. */
static hw_code sinks_first(const hw_model *m, const hw_request *request, hw_answer *answer,
                           hw_error *err)
{
    (void)request;
    for (uint32_t i = 0; i < m->n_nodes; i++)
        answer->order[i] = m->n_nodes - 1 - i;
    answer->has_order = true;
    return hw_peak(m, answer->order, &answer->peak, err);
}

static hw_code nothing_at_all(const hw_model *m, const hw_request *request, hw_answer *answer,
                              hw_error *err)
{
    (void)m;
    (void)request;
    (void)answer;
    (void)err;
    return HW_OK;
}

static hw_code fails_at_once(const hw_model *m, const hw_request *request, hw_answer *answer,
                             hw_error *err)
{
    (void)m;
    (void)request;
    (void)answer;
    return hw_fail(err, HW_NO_MEMORY, "out of memory");
}

static hw_code census_of_row(const hw_solver_row *row, hw_error *err)
{
    static const char *const specs[] = {"source"};
    hw_census_plan plan = plan_of(3, 2, true, specs, 1);
    hw_census_tally *t = calloc(1, sizeof *t);
    uint32_t *codes;
    size_t n_dags;
    assert_non_null(t);
    assert_int_equal(hw_dags_make(3, &codes, &n_dags, NULL), HW_OK);
    plan.solver[0].row = row;
    hw_code code = hw_census_block(&plan, 3, codes, n_dags, 0, NULL, NULL, t, err);
    free(codes);
    free(t);
    return code;
}

static void solvers_that_lie_are_caught(void **state)
{
    (void)state;
    static const struct {
        hw_solver_row row;
        hw_code code;
        const char *says;
    } liars[] = {
        {{.name = "a", .kind = HW_SOLVER_EXACT, .solve = source_order_called_exact},
         HW_INTERNAL,
         "does not have the optimum"},
        {{.name = "b", .solve = another_peak}, HW_INTERNAL, "has another peak than it says"},
        {{.name = "c", .solve = sinks_first}, HW_INTERNAL, "has no legal order"},
        {{.name = "e", .solve = nothing_at_all}, HW_INTERNAL, "has no legal order"},
        {{.name = "d", .solve = fails_at_once}, HW_NO_MEMORY, "out of memory"},
    };
    for (size_t i = 0; i < sizeof liars / sizeof liars[0]; i++) {
        hw_error err = {0};
        assert_int_equal(census_of_row(&liars[i].row, &err), liars[i].code);
        if (!strstr(err.message, liars[i].says))
            fail_msg("%s: %s", liars[i].row.name, err.message);
    }
}

static void a_stop_flag_ends_a_block(void **state)
{
    (void)state;
    static const char *const specs[] = {"source"};
    hw_census_plan plan = plan_of(3, 2, true, specs, 1);
    volatile sig_atomic_t stop = 1;
    hw_census_tally *t = calloc(1, sizeof *t);
    uint32_t *codes;
    size_t n_dags;
    assert_non_null(t);
    assert_int_equal(hw_dags_make(3, &codes, &n_dags, NULL), HW_OK);
    assert_int_equal(hw_census_block(&plan, 3, codes, n_dags, 0, NULL, &stop, t, NULL), HW_STOPPED);
    free(codes);
    free(t);
}

/* ---- Lines. ---- */

static char *line_of(const hw_census_plan *plan, const hw_census_tally *t, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    assert_non_null(out);
    hw_census_put_block(plan, plan->most_nodes, 0, t, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void a_line_is_read_as_it_was_written(void **state)
{
    (void)state;
    hw_census_plan plan = plan_of(3, 3, true, NULL, 0);
    hw_census_tally *t = take_all(&plan, true);
    hw_census c;
    size_t length;
    char *text = line_of(&plan, t, &length);
    assert_int_equal(hw_census_make(&plan, &c, NULL), HW_OK);
    assert_false(hw_census_whole(&c, 3));
    assert_int_equal(hw_census_take_block(&c, text, length, NULL), HW_OK);
    assert_true(hw_census_whole(&c, 3));
    size_t again_length;
    char *again = line_of(&plan, c.tally[3], &again_length);
    assert_string_equal(again, text);
    free(again);
    assert_int_equal(hw_census_recheck(&c, NULL), HW_OK);
    hw_error err = {0};
    assert_int_equal(hw_census_take_block(&c, text, length, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "twice"));

    /* A ratio that no run had does not pass the second route. */
    for (size_t s = 0; s < plan.n_solvers; s++)
        if (c.tally[3]->cell[0][2][s].worst.found) {
            c.tally[3]->cell[0][2][s].worst.ratio.over++;
            break;
        }
    assert_int_equal(hw_census_recheck(&c, &err), HW_INTERNAL);
    free(text);
    hw_census_free(&c);
    free(t);
}

static void broken_lines_are_refused(void **state)
{
    (void)state;
    static const char *const specs[] = {"source"};
    static const char *const broken[] = {
        "",
        "[]",
        "{\"n\":3",
        "{\"n\":3,\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,\"cells\":[]}",
        "{\"n\":4,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,\"cells\":[]}",
        "{\"n\":3,\"block\":1,\"graphs\":[1],\"cases\":[1],\"runs\":1,\"cells\":[]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1,1],\"cases\":[1],\"runs\":1,\"cells\":[]}",
        "{\"n\":3,\"block\":0,\"graphs\":[-1],\"cases\":[1],\"runs\":1,\"cells\":[]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,\"cells\":[[0,0,1,1]]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,\"cells\":[[2,0,1,1,0]]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,\"cells\":[[0,2,1,1,0]]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,\"cells\":[[0,0,2,1,0]]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,\"cells\":[[0,0,1,1,2]]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,"
        "\"cells\":[[0,0,1,1,1,3,2,0,0,\"112\"]]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,"
        "\"cells\":[[0,0,1,1,1,3,2,0,8,\"111\"]]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,"
        "\"cells\":[[0,0,1,1,1,3,2,6,0,\"111\"]]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,"
        "\"cells\":[[0,0,1,1,1,2,3,0,0,\"111\"]]}",
        "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,"
        "\"cells\":[[0,0,1,1,1,3,0,0,0,\"111\"]]}",
    };
    static const char fine[] = "{\"n\":3,\"block\":0,\"graphs\":[1],\"cases\":[1],\"runs\":1,"
                               "\"cells\":[[0,0,1,1,1,3,2,0,0,\"111\"]]}";
    hw_census_plan plan = plan_of(3, 1, true, specs, 1);
    hw_census c;
    assert_int_equal(hw_census_make(&plan, &c, NULL), HW_OK);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        hw_error err = {0};
        if (hw_census_take_block(&c, broken[i], strlen(broken[i]), &err) != HW_BAD_INPUT)
            fail_msg("taken: %s", broken[i]);
        assert_true(*err.message && !strstr(err.message, "seal"));
    }
    hw_error err = {0};
    assert_int_equal(hw_census_take_block(&c, fine, strlen(fine), &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "the seal does not fit"));
    hw_census_free(&c);
}

/* Any digit of a line turned into any other one, and a first line that was changed. */
static void a_changed_figure_is_told(void **state)
{
    static const char *const specs[] = {"greedy", "dfs"}, *const others[] = {"greedy", "level"};
    (void)state;
    hw_census_plan plan = plan_of(3, 3, true, specs, 2), other = plan_of(3, 3, true, others, 2);
    hw_census_tally *t = take_all(&plan, true);
    hw_census c;
    size_t length, changed = 0;
    char *text = line_of(&plan, t, &length);
    assert_int_equal(hw_census_make(&plan, &c, NULL), HW_OK);
    for (size_t i = 0; i < length; i++) {
        char old = text[i];
        for (char digit = '0'; digit <= '9' && old >= '0' && old <= '9'; digit++) {
            text[i] = digit;
            if (digit != old && hw_census_take_block(&c, text, length, NULL) != HW_BAD_INPUT)
                fail_msg("%c for %c at byte %zu of %s", digit, old, i, text);
            changed += digit != old;
        }
        text[i] = old;
    }
    assert_true(changed > 1000);
    assert_int_equal(hw_census_take_block(&c, text, length, NULL), HW_OK);
    hw_census_free(&c);
    assert_int_equal(hw_census_make(&other, &c, NULL), HW_OK);
    assert_int_equal(hw_census_take_block(&c, text, length, NULL), HW_BAD_INPUT);
    hw_census_free(&c);
    free(text);
    free(t);
}

static void plans_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"anneal", "anneal"}, {"bound-mincut", "greedy"}, {"greedy", "greedy"}, {"gredy", "dp"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        hw_census_plan plan = {0};
        assert_int_equal(hw_census_solvers(&plan, wrong[i], 2, NULL), HW_USAGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_nodes_one_by_one),
        cmocka_unit_test(four_nodes_one_by_one),
        cmocka_unit_test(a_template_is_the_model_built_anew),
        cmocka_unit_test(no_order_passes_the_limit),
        cmocka_unit_test(the_first_worst_case_is_found_on_every_way),
        cmocka_unit_test(one_numbering_is_a_part_of_all),
        cmocka_unit_test(solvers_that_lie_are_caught),
        cmocka_unit_test(a_stop_flag_ends_a_block),
        cmocka_unit_test(a_line_is_read_as_it_was_written),
        cmocka_unit_test(broken_lines_are_refused),
        cmocka_unit_test(a_changed_figure_is_told),
        cmocka_unit_test(plans_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
