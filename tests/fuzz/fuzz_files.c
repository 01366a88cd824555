/*
 * Fuzz target: the small files and texts that users hand in, chosen by the
 * first byte.  Those that speak of a graph are read for one fixed graph.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adversary/goal.h"
#include "adversary/search_store.h"
#include "arena/arena.h"
#include "bench/groups.h"
#include "census/census_file.h"
#include "gen/family.h"
#include "import/operators.h"
#include "import/scale.h"
#include "import/sweep.h"
#include "io/command.h"
#include "io/ilp_read.h"
#include "io/io.h"
#include "model/check.h"
#include "solve/solver.h"
#include "solvers/external_answer.h"
#include "tests/fuzz/fuzz.h"
#include "transform/record.h"

static const char graph_text[] = "p highwater 1 5 3 1 fixed\n"
                                 "t 0 64 i x\nt 1 10 a a\nt 2 10 a b\nt 3 30 o y\nt 4 7 c w\n"
                                 "v 0 0,4 > 1 op=Conv name=conv\n"
                                 "v 1 1 > 2 op=Relu name=relu inplace=1:2\n"
                                 "v 2 2,1 > 3 op=Add name=add workspace=5\ne 0 1\n";

static hw_graph *fixed_graph(void)
{
    hw_graph *g;
    hw_error err = {0};
    if (hw_graph_parse(graph_text, strlen(graph_text), "fixed", &g, &err) != HW_OK)
        fuzz_fail("%s", err.message);
    return g;
}

static void read_order(const char *path, const char *text)
{
    (void)text;
    hw_graph *g = fixed_graph();
    uint32_t *order = malloc(g->n_nodes * sizeof *order);
    hw_check check;
    hw_error err = {0};
    char why[200];
    if (!order)
        fuzz_fail("out of memory");
    if (fuzz_ended_well(hw_order_load(path, g, order, &err), &err) &&
        hw_check_order(g, false, false, order, g->n_nodes, &check, &err) == HW_OK)
        hw_check_message(g, &check, why, sizeof why);
    free(order);
    hw_graph_free(g);
}

static void read_operators(const char *path, const char *text)
{
    (void)text;
    hw_operators *table = hw_operators_new();
    hw_error err = {0};
    if (!table)
        fuzz_fail("out of memory");
    (void)fuzz_ended_well(hw_operators_read(table, path, &err), &err);
    (void)hw_operators_traits(table, "Relu");
    hw_operators_free(table);
}

static void read_patterns(const char *path, const char *text)
{
    (void)text;
    hw_patterns *patterns = hw_patterns_new();
    hw_operators *table = hw_operators_new();
    hw_graph *g = fixed_graph(), *fused;
    hw_fusion *f;
    hw_error err = {0};
    if (!patterns || !table)
        fuzz_fail("out of memory");
    if (fuzz_ended_well(hw_patterns_read(patterns, path, &err), &err) &&
        fuzz_ended_well(hw_fuse_plan(g, patterns, table, 8, NULL, &f, &err), &err)) {
        if (hw_fuse(g, f, &fused, &err) != HW_OK)
            fuzz_fail("%s", err.message);
        hw_graph_free(fused);
        hw_fusion_free(f);
    }
    hw_patterns_free(patterns);
    hw_operators_free(table);
    hw_graph_free(g);
}

static void read_scale(const char *path, const char *text)
{
    (void)text;
    hw_graph *g = fixed_graph(), *scaled;
    hw_scale s;
    hw_error err = {0};
    if (fuzz_ended_well(hw_scale_new(g, path, 1, &s, &err), &err)) {
        if (fuzz_ended_well(hw_scale_graph(g, &s, 3, 1000, &scaled, &err), &err))
            hw_graph_free(scaled);
        hw_scale_clear(&s);
    }
    hw_graph_free(g);
}

static void read_record(const char *path, const char *text)
{
    (void)text;
    hw_record *r;
    hw_graph *g = fixed_graph(), *back;
    hw_error err = {0};
    if (fuzz_ended_well(hw_record_load(path, &r, &err), &err)) {
        if (fuzz_ended_well(hw_unfuse(g, r, &back, &err), &err))
            hw_graph_free(back);
        hw_record_free(r);
    }
    hw_graph_free(g);
}

static void read_census(const char *path, const char *text)
{
    (void)text;
    hw_census_plan *plan = calloc(1, sizeof *plan);
    hw_census c;
    uint64_t whole;
    hw_error err = {0};
    if (!plan)
        fuzz_fail("out of memory");
    /* The lists of graphs of more nodes take long to make. */
    if (fuzz_ended_well(hw_census_load_plan(path, plan, &err), &err) && plan->most_nodes <= 4) {
        if (hw_census_make(plan, &c, &err) != HW_OK)
            fuzz_fail("%s", err.message);
        (void)fuzz_ended_well(hw_census_load(&c, path, &whole, &err), &err);
        hw_census_free(&c);
    }
    free(plan);
}

/* Lanes of a search that found nothing else yet. */
static bool lane_plan(void *context, hw_lane_plan *plan)
{
    uint64_t *number = context;
    *plan = (hw_lane_plan){.number = ++*number, .seed = 1, .budget = 10, .limit = 10};
    return *number < 4;
}

static void lane_take(void *context, const hw_lane_record *record)
{
    (void)context;
    (void)record;
}

static void read_lanes(const char *path, const char *text)
{
    (void)text;
    uint64_t number = 0;
    hw_error err = {0};
    char name[64], folder[] = "/nowhere"; /* where graphs are looked for */
    (void)snprintf(name, sizeof name, "%s", path);
    hw_store store = {.folder = folder, .lines = name, .file = open(path, O_RDWR), .lock = -1};
    const hw_store_reader reader = {lane_plan, lane_take, &number};
    hw_code code = hw_store_read(&store, &reader, &err);
    if (code != HW_IO) /* no graph there */
        (void)fuzz_ended_well(code, &err);
    (void)close(store.file);
}

static void read_solution(const char *path, const char *text)
{
    (void)text;
    hw_linear *l = hw_linear_new();
    hw_error err = {0};
    if (!l)
        fuzz_fail("out of memory");
    for (int64_t i = 0; i < 4; i++)
        (void)hw_linear_add_column(l, 'x', i, HW_LINEAR_NO_INDEX, 0, 9, 1, true);
    hw_linear_add_term(l, 0, 1);
    hw_linear_end_row(l, HW_LINEAR_AT_LEAST, 1);
    for (int program = 0; program < HW_ILP_PROGRAMS; program++)
        for (int format = HW_ILP_LP; format <= HW_ILP_MPS; format++) {
            hw_ilp_answer answer = {0};
            FILE *in = fopen(path, "re");
            if (!in)
                fuzz_fail("no file");
            hw_code code =
                hw_ilp_read((hw_ilp_program)program, (hw_ilp_format)format, in, l, &answer, &err);
            if (code != HW_OK && (code != HW_IO || answer.value))
                fuzz_fail("code %d, or values: %s", (int)code, err.message);
            free(answer.value);
            (void)fclose(in);
        }
    hw_linear_free(l);
}

/* What a scheduler of the user's wrote. */
static void read_answer(const char *path, const char *text)
{
    (void)path;
    hw_graph *g = fixed_graph();
    hw_model *m;
    hw_error err = {0};
    if (hw_model_new(g, HW_ALLOC_FIRST, false, &m, &err) != HW_OK)
        fuzz_fail("%s", err.message);
    external_answer answer = {.order = calloc(g->n_nodes, sizeof *answer.order)};
    if (!answer.order)
        fuzz_fail("out of memory");
    (void)fuzz_ended_well(external_read(m, text, strlen(text), &answer, &err), &err);
    free(answer.order);
    hw_model_free(m);
    hw_graph_free(g);
}

/* Words of the command line. */
static void read_words(const char *path, const char *text)
{
    (void)path;
    const hw_solver_row *solver;
    const hw_family_row *family;
    const hw_allocator *allocator;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_field fields[HW_N_FIELDS];
    hw_condition condition;
    hw_sweep_axis axis;
    hw_goal goal;
    hw_format format;
    char **words;
    size_t n;
    hw_error err = {0};
    (void)fuzz_ended_well(hw_solver_parse(text, &solver, values, &err), &err);
    (void)fuzz_ended_well(hw_family_parse(text, &family, values, &err), &err);
    (void)fuzz_ended_well(hw_allocator_parse(text, &allocator, values, &err), &err);
    (void)fuzz_ended_well(hw_fields_parse(text, fields, &n, &err), &err);
    (void)fuzz_ended_well(hw_condition_parse(text, &condition, &err), &err);
    (void)fuzz_ended_well(hw_goal_parse(text, NULL, false, &goal, &err), &err);
    (void)fuzz_ended_well(hw_format_parse(text, &format, &err), &err);
    if (fuzz_ended_well(hw_command_split(text, &words, &err), &err))
        free((void *)words);
    if (fuzz_ended_well(hw_sweep_axis_read(text, &axis, &err), &err))
        hw_sweep_axis_clear(&axis);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(const char *path, const char *text) = {
        read_order,  read_operators, read_patterns, read_scale, read_record,
        read_census, read_solution,  read_words,    read_lanes, read_answer};
    if (size == 0)
        return 0;
    char *text = malloc(size);
    if (!text)
        fuzz_fail("out of memory");
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    readers[data[0] % (sizeof readers / sizeof readers[0])](fuzz_file(0, data + 1, size - 1), text);
    free(text);
    return 0;
}
