/*
 * C24: do tensor ids made of names and indices collide, and corrupt every
 * count?
 *
 * Random graphs whose nodes are named anew in each half, or quarter, of the
 * source, as a parser names them that forgets the sub-graph.  By id the names
 * change nothing; by name the printed simulation keeps one count and one entry
 * for several tensors, in two readings of how the counts come about.  Repeated
 * ids are refused; and how often do names of real graphs repeat?
 */
#include "claims/c24_names.h"
#include "claims/graphs.h"
#include "claims/measure.h"
#include "core/memory.h"
#include "io/io.h"
#include "model/builder.h"

#include <stdlib.h>
#include <string.h>

enum { READINGS = 2 };

typedef struct name_tally {
    uint64_t wrong_count, wrong_bytes, wrong_peak; /* graphs */
    double low, high;                              /* the peak told, percent from the true one */
} name_tally;

typedef struct names {
    const hw_claim_run *run;
    uint64_t graphs, by_id;   /* renamed; of them, with the same peaks by id      */
    uint64_t twice, refused;  /* repeated ids, and how many of them were refused */
    uint64_t real, repeating; /* real graphs; those with a name twice            */
    name_tally tally[READINGS];
    bool has_example;
} names;

/* The same order, before and after renaming, by the independent checker. */
static hw_code same_by_id(names *n, const hw_graph *g, const hw_graph *renamed,
                          const uint32_t *order, hw_error *err)
{
    bool same = true;
    hw_code code = HW_OK;
    for (int a = 0; code == HW_OK && a < 2; a++) {
        uint64_t before = 0, after = 0;
        code = hw_claim_check(g, (hw_accounting)a, order, &before, err);
        if (code == HW_OK)
            code = hw_claim_check(renamed, (hw_accounting)a, order, &after, err);
        same = same && before == after;
    }
    n->graphs++;
    n->by_id += code == HW_OK && same;
    return code;
}

static hw_code by_names(hw_claim_run *run, names *n, const hw_graph *renamed, const uint32_t *order,
                        const uint32_t *name, hw_error *err)
{
    uint32_t *own = HW_NEW(uint32_t, renamed->n_tensors);
    by_name right = {0};
    for (uint32_t t = 0; own && t < renamed->n_tensors; t++)
        own[t] = t;
    hw_code code =
        own ? by_name_run(renamed, order, own, false, &right, err) : hw_fail_memory(err, "names");
    if (code == HW_OK && (right.wrong_steps || right.wrong_bytes))
        code = hw_fail(err, HW_INTERNAL, "counts by id are wrong on %s", renamed->name);
    for (int i = 0; code == HW_OK && i < READINGS; i++) {
        name_tally *t = &n->tally[i];
        by_name told;
        code = by_name_run(renamed, order, name, i == 1, &told, err);
        double off = hw_claim_percent_above(told.peak, right.peak);
        t->wrong_count += told.wrong_steps > 0;
        t->wrong_bytes += told.wrong_bytes > 0;
        t->wrong_peak += told.peak != right.peak;
        t->low = off < t->low ? off : t->low;
        t->high = off > t->high ? off : t->high;
        if (code == HW_OK && !n->has_example && told.peak < right.peak) {
            n->has_example = true;
            code = hw_claim_example(run, "repeated-names", renamed, err);
            if (code == HW_OK)
                code = hw_claim_show(run, renamed, HW_FREE_FIRST, "greedy", err);
        }
    }
    free(own);
    return code;
}

static hw_code one_graph(hw_claim_run *run, names *n, const hw_graph *g, uint32_t copies,
                         hw_error *err)
{
    uint32_t *name = HW_NEW(uint32_t, g->n_tensors);
    hw_graph *renamed = NULL;
    hw_answer order = {0};
    hw_code code =
        name ? by_name_rename(g, copies, name, &renamed, err) : hw_fail_memory(err, "names");
    if (code == HW_OK)
        code = hw_claim_solve_graph(run, g, HW_FREE_FIRST, "greedy", 0, &order, err);
    if (code == HW_OK)
        code = same_by_id(n, g, renamed, order.order, err);
    if (code == HW_OK)
        code = by_names(run, n, renamed, order.order, name, err);
    hw_answer_clear(&order);
    hw_graph_free(renamed);
    free(name);
    return code;
}

static hw_code random_graphs(hw_claim_run *run, names *n, hw_error *err)
{
    /* Few nodes first, so that the example is small. */
    static const char *const specs[] = {"layered:n=8", "erdos:n=16,degree=1.5", "layered:n=16",
                                        "series-parallel:n=16", "layered:n=40"};
    uint32_t graphs = hw_claim_effort(run, 20, 200);
    hw_code code = HW_OK;
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++)
        for (uint32_t i = 0; code == HW_OK && i < graphs; i++) {
            hw_graph *g = NULL;
            code = hw_claim_generate(specs[s], hw_claim_seed(run), i, &g, err);
            if (code == HW_OK)
                code = one_graph(run, n, g, i % 2 ? 4 : 2, err);
            hw_graph_free(g);
        }
    return code;
}

/* ---- Repeated ids. ---- */

static hw_code twice(names *n, hw_code code, hw_error *err)
{
    n->twice++;
    n->refused += code == HW_BAD_INPUT;
    return code == HW_NO_MEMORY ? hw_fail_memory(err, "a graph with repeated ids") : HW_OK;
}

static hw_code repeated_ids(names *n, hw_error *err)
{
    static const char tensors[] =
        "{\"format\":\"highwater-graph\",\"version\":1,\"tensors\":["
        "{\"id\":3,\"size\":1,\"kind\":\"output\"},{\"id\":3,\"size\":2,\"kind\":\"output\"}],"
        "\"nodes\":[{\"id\":0,\"inputs\":[],\"outputs\":[3]}]}";
    static const char nodes[] =
        "{\"format\":\"highwater-graph\",\"version\":1,\"tensors\":["
        "{\"id\":3,\"size\":1,\"kind\":\"output\"},{\"id\":4,\"size\":2,\"kind\":\"output\"}],"
        "\"nodes\":[{\"id\":0,\"inputs\":[],\"outputs\":[3]},"
        "{\"id\":0,\"inputs\":[],\"outputs\":[4]}]}";
    static const char lines[] = "p repeated\nt 3 1 o\nt 3 2 o\nv 0 - 3\n";
    const struct {
        const char *bytes;
        size_t n;
    } files[] = {
        {tensors, sizeof tensors - 1}, {nodes, sizeof nodes - 1}, {lines, sizeof lines - 1}};
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < sizeof files / sizeof files[0]; i++) {
        hw_graph *g = NULL;
        hw_error why = {0};
        code = twice(n, hw_graph_parse(files[i].bytes, files[i].n, "repeated ids", &g, &why), err);
        hw_graph_free(g);
    }
    hw_builder *b = hw_builder_new();
    hw_error why = {0};
    if (code == HW_OK)
        code = b ? hw_builder_tensor(b, 7, 1, HW_OUTPUT, "x", err) : hw_fail_memory(err, "a graph");
    if (code == HW_OK)
        code = twice(n, hw_builder_tensor(b, 7, 1, HW_OUTPUT, "y", &why), err);
    hw_builder_free(b);
    return code;
}

/* ---- Real graphs. ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static hw_code take(void *context, const char *label, unsigned kind, const hw_graph *g,
                    hw_error *err)
{
    names *n = context;
    const char **name = HW_NEW(const char *, g->n_tensors);
    bool repeats = false;
    (void)label;
    (void)kind;
    if (!name)
        return hw_fail_memory(err, "names");
    for (uint32_t t = 0; t < g->n_tensors; t++)
        name[t] = hw_tensor_name(g, t);
    if (g->n_tensors)
        qsort(name, g->n_tensors, sizeof *name, by_text);
    for (uint32_t t = 1; t < g->n_tensors; t++)
        repeats |= name[t][0] && strcmp(name[t - 1], name[t]) == 0;
    n->real++;
    n->repeating += repeats;
    free(name);
    return HW_OK;
}

/* ---- The report. ---- */

static hw_code tell(hw_claim_run *run, const names *n, hw_error *err)
{
    static const char *const readings[READINGS] = {
        "counts made by a comprehension, where the tensor listed last wins",
        "counts of all tensors of a name added up"};
    static const char *const numbers[READINGS] = {"last", "added"};
    hw_code code = HW_OK;
    for (int i = 0; code == HW_OK && i < READINGS; i++) {
        const name_tally *t = &n->tally[i];
        char name[64];
        code = hw_claim_reading(
            run, readings[i], t->wrong_count == n->graphs, err,
            "of %llu graphs with repeated names %.1f %% have a wrong count, %.1f %% wrong live "
            "bytes, %.1f %% a wrong peak, from %.1f %% to %+.1f %% off",
            (unsigned long long)n->graphs, hw_claim_percent(t->wrong_count, n->graphs),
            hw_claim_percent(t->wrong_bytes, n->graphs), hw_claim_percent(t->wrong_peak, n->graphs),
            t->low, t->high);
        (void)snprintf(name, sizeof name, "%s-wrong-count", numbers[i]);
        if (code == HW_OK)
            code = hw_claim_number(run, name, hw_claim_percent(t->wrong_count, n->graphs) / 100,
                                   "share", err);
        (void)snprintf(name, sizeof name, "%s-wrong-peak", numbers[i]);
        if (code == HW_OK)
            code = hw_claim_number(run, name, hw_claim_percent(t->wrong_peak, n->graphs) / 100,
                                   "share", err);
    }
    if (code == HW_OK)
        code = hw_claim_reading(run, "the same graphs by id", n->by_id == n->graphs, err,
                                "the right peaks on %llu of %llu; repeated ids refused %llu of "
                                "%llu times",
                                (unsigned long long)n->by_id, (unsigned long long)n->graphs,
                                (unsigned long long)n->refused, (unsigned long long)n->twice);
    if (code == HW_OK)
        code = hw_claim_reading(run, "names of real graphs", n->repeating > 0, err,
                                "repeat on %llu of %llu", (unsigned long long)n->repeating,
                                (unsigned long long)n->real);
    return code;
}

static hw_code decide(hw_claim_run *run, const names *n, hw_error *err)
{
    if (n->by_id != n->graphs || n->refused != n->twice)
        return hw_fail(err, HW_CHECK_FAILED,
                       "by id %llu of %llu graphs are right, and %llu of %llu repeated ids are "
                       "refused: with ids that fail too the claim on names says nothing",
                       (unsigned long long)n->by_id, (unsigned long long)n->graphs,
                       (unsigned long long)n->refused, (unsigned long long)n->twice);
    const name_tally *last = &n->tally[0], *added = &n->tally[1];
    bool counts = last->wrong_count == n->graphs && added->wrong_count == n->graphs;
    hw_claim_verdict verdict = HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if (counts && n->repeating > 0)
        verdict = HW_VERDICT_HOLDS;
    else if (last->wrong_count + added->wrong_count > 0) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(
            run, err,
            "names do repeat (they do on %llu of %llu real graphs at hand) among tensors that have "
            "readers left: then counts are wrong on %.1f %% of the graphs, though the peak that "
            "comes out is wrong on %.1f %% only",
            (unsigned long long)n->repeating, (unsigned long long)n->real,
            hw_claim_percent(last->wrong_count, n->graphs),
            hw_claim_percent(last->wrong_peak, n->graphs));
    }
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, verdict, err,
        "with repeated names counts are wrong on %.1f %% of %llu graphs and peaks on %.1f %% (from "
        "%.1f %% to %+.1f %% off), by id on none; names repeat on %llu of %llu real graphs and "
        "networks",
        hw_claim_percent(last->wrong_count, n->graphs), (unsigned long long)n->graphs,
        hw_claim_percent(last->wrong_peak, n->graphs), last->low, last->high,
        (unsigned long long)n->repeating, (unsigned long long)n->real);
}

hw_code hw_claim_c24(hw_claim_run *run, hw_error *err)
{
    names n = {.run = run};
    hw_code code = random_graphs(run, &n, err);
    if (code == HW_OK)
        code = repeated_ids(&n, err);
    if (code == HW_OK)
        code = hw_claim_each_graph(run, HW_CLAIM_REAL, take, &n, err);
    if (code == HW_OK)
        code = tell(run, &n, err);
    return code == HW_OK ? decide(run, &n, err) : code;
}
