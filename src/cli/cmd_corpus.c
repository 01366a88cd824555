/* highwater corpus: graphs on which a rule fails, kept with their proofs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "adversary/shrink.h"
#include "cli/shared.h"
#include "core/control.h"
#include "core/memory.h"
#include "corpus/corpus.h"

static const hw_option options[] = {
    {"solver", "NAME[:K=V,...]", NULL, "add: the rule that fails on the graph."},
    {"accounting", "WORD", "alloc-first", "add: how a step is measured: alloc-first, free-first."},
    {"found", "TEXT", "the source that the graph's file names",
     "add: how the graph was found: the command, on one line."},
    {"shrink", NULL, NULL, "add: shrink the graph first, keeping its ratio."},
    {"format", "NAME", "text", "table: text, csv or markdown."},
    {"run-programs", NULL, NULL,
     "verify, table: run the programs that entries of external solvers name. Look at them first."},
};

static const char *const examples[] = {
    "highwater corpus add corpus graph.json --solver source --found 'by hand'",
    "highwater corpus verify corpus",
    "highwater corpus table corpus --format markdown -o corpus.md",
};

/* ---- add ---- */

static hw_code shrink(const hw_cli *c, hw_graph **g, hw_accounting accounting, hw_error *err)
{
    hw_goal goal;
    hw_rating rating = {0};
    hw_graph *smaller = NULL;
    hw_shrink_report report;
    hw_code code = hw_goal_parse(hw_cli_value(c, "solver"), NULL, false, &goal, err);
    goal.accounting = accounting;
    goal.stop = c->stop;
    if (code == HW_OK)
        code = hw_goal_rate(&goal, *g, &rating, err);
    if (code != HW_OK || !rating.counts || rating.peak == rating.reference)
        return code; /* hw_entry_make() says what is wrong */
    hw_shrink_options how = {.least = rating.ratio};
    code = hw_shrink(*g, &goal, &how, &smaller, &report, err);
    if (code != HW_OK)
        return code;
    hw_graph_free(*g);
    *g = smaller;
    return HW_OK;
}

/* *found: --found, or what the file says; copied, since the graph gets another source. */
static hw_code how_found(const hw_cli *c, const hw_graph *g, char **found, hw_error *err)
{
    const char *text = hw_cli_has(c, "found") ? hw_cli_value(c, "found") : g->source;
    if (!text || !*text)
        return hw_fail(err, HW_USAGE,
                       "%s: the graph does not say how it was found: give --found TEXT",
                       hw_cli_input_name(c->args[2]));
    *found = hw_copy_text(text, strlen(text));
    return *found ? HW_OK : hw_fail_memory(err, "a text");
}

static hw_code add(hw_cli *c, hw_error *err)
{
    hw_graph *g = NULL;
    hw_entry e = {0};
    hw_memory_options memory;
    bool kept = false;
    char *found = NULL;
    if (c->n_args != 3)
        return hw_fail(err, HW_USAGE,
                       "corpus add takes a corpus and a graph: highwater corpus add CORPUS GRAPH");
    if (!hw_cli_has(c, "solver"))
        return hw_fail(err, HW_USAGE, "corpus add: which rule fails on it? Give --solver NAME");
    hw_code code = hw_cli_memory_options(c, &memory, err);
    if (code == HW_OK)
        code = hw_cli_one_graph(c, c->args[2], &g, err);
    if (code == HW_OK)
        code = how_found(c, g, &found, err);
    if (code == HW_OK && hw_cli_has(c, "shrink"))
        code = shrink(c, &g, memory.accounting, err);
    if (code != HW_OK) {
        hw_graph_free(g);
        free(found);
        return code;
    }
    code = hw_entry_make(g, hw_cli_value(c, "solver"), memory.accounting, found, c->stop, &e, err);
    free(found);
    if (code == HW_OK)
        code = hw_entry_write(&e, c->args[1], &kept, err);
    if (code == HW_OK)
        (void)fprintf(c->out, "%s: %" PRIu64 " / %" PRIu64 " = %.3f%s%s\n", e.name, e.rating.peak,
                      e.rating.reference, hw_ratio_value(e.rating.ratio),
                      e.minimal ? ", minimal" : "",
                      kept ? "" : "; not kept: the corpus holds one as bad");
    else if (code != HW_IO && code != HW_NO_MEMORY && code != HW_STOPPED)
        hw_error_prefix(err, "%s: ", hw_cli_input_name(c->args[2]));
    hw_entry_free(&e);
    return code;
}

/* ---- verify and table ---- */

typedef enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_MARKDOWN } table_format;

static void put_head(FILE *out, table_format format)
{
    if (format == TABLE_CSV)
        (void)fputs("name,solver,accounting,nodes,edges,peak,optimum,ratio,most,wrong_turn,minimal,"
                    "found\n",
                    out);
    if (format == TABLE_MARKDOWN)
        (void)fputs("| graph | nodes | edges | peak | optimum | ratio | wrong turn | found by |\n"
                    "| --- | --: | --: | --: | --: | --: | --: | --- |\n",
                    out);
}

static bool is_read(const hw_graph *g, uint32_t tensor)
{
    for (uint32_t i = 0; i < g->inputs.offset[g->n_nodes]; i++)
        if (g->inputs.item[i] == tensor)
            return true;
    return false;
}

/*
 * No order needs more times the optimum: (n + c) / 2, where c counts the kinds
 * of ends that the graph has, of inputs, results, and workspace or outputs that
 * nobody reads or keeps (paper, "How bad can an order be?").  O(tensors * reads).
 */
static uint32_t most_ratio(const hw_graph *g)
{
    bool inputs = false, results = false, passing = false;
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        inputs = inputs || g->tensor_kind[t] == HW_INPUT;
        results = results || g->tensor_kind[t] == HW_OUTPUT;
        passing = passing || (g->tensor_kind[t] == HW_ACTIVATION && !is_read(g, t));
    }
    for (uint32_t v = 0; v < g->n_nodes; v++)
        passing = passing || hw_node_workspace(g, v) > 0;
    return (g->n_nodes + (uint32_t)inputs + (uint32_t)results + (uint32_t)passing) / 2;
}

/* Texts of commands: no quote may end the field. */
static void put_quoted(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (const char *t = text; *t; t++) {
        if (*t == '"')
            (void)fputc('"', out);
        (void)fputc(*t, out);
    }
    (void)fputc('"', out);
}

/* A text as code in a cell of a Markdown table: no bar ends the cell, no backquotes the code. */
static void put_code(FILE *out, const char *text)
{
    int longest = 0, run = 0;
    for (const char *t = text; *t; t++) {
        run = *t == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (int i = 0; i <= longest; i++)
        (void)fputc('`', out);
    if (longest)
        (void)fputc(' ', out);
    for (const char *t = text; *t;) {
        size_t control = hw_control_bytes(t);
        if (*t == '|')
            (void)fputc('\\', out);
        (void)fputc(control ? '?' : *t, out);
        t += control ? control : 1;
    }
    if (longest)
        (void)fputc(' ', out);
    for (int i = 0; i <= longest; i++)
        (void)fputc('`', out);
}

static void put_row(FILE *out, table_format format, const hw_entry *e)
{
    uint32_t n = e->graph->n_nodes, edges = e->graph->n_edges;
    double ratio = hw_ratio_value(e->rating.ratio);
    switch (format) {
    case TABLE_CSV:
        (void)fprintf(out, "%s,", e->name);
        put_quoted(out, e->solver);
        (void)fprintf(
            out,
            ",%s,%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%.6f,%" PRIu32 ",%" PRIu32 ",%s,",
            hw_accounting_name(e->goal.accounting), n, edges, e->rating.peak, e->rating.reference,
            ratio, most_ratio(e->graph), e->kept, e->minimal ? "yes" : "no");
        put_quoted(out, e->found);
        (void)fputc('\n', out);
        break;
    case TABLE_MARKDOWN:
        (void)fprintf(out,
                      "| [%s](%s/graph.json) | %" PRIu32 " | %" PRIu32 " | %" PRIu64 " | %" PRIu64
                      " | %.3f | step %" PRIu32 "%s | ",
                      e->name, e->name, n, edges, e->rating.peak, e->rating.reference, ratio,
                      e->kept, e->minimal ? "" : " (not minimal)");
        put_code(out, e->found);
        (void)fputs(" |\n", out);
        break;
    case TABLE_TEXT:
        (void)fprintf(out, "%-48s %8" PRIu64 " / %-8" PRIu64 " = %7.3f%s\n", e->name,
                      e->rating.peak, e->rating.reference, ratio,
                      e->minimal ? "" : "  not minimal");
        break;
    }
}

/* Every entry, verified; those that fail are told one by one. */
static hw_code walk(hw_cli *c, table_format format, hw_error *err)
{
    char **names = NULL;
    const char *program = hw_cli_has(c, "run-programs") ? HW_ANY_PROGRAM : NULL;
    size_t n = 0, failed = 0;
    hw_code code = hw_corpus_list(c->args[1], &names, &n, err);
    if (code == HW_OK && n == 0)
        code =
            hw_fail(err, HW_BAD_INPUT, "%s: the corpus is empty: highwater corpus add", c->args[1]);
    if (code == HW_OK)
        put_head(c->out, format);
    for (size_t i = 0; i < n; i++) {
        hw_entry e;
        hw_error why = {0};
        hw_code one = HW_STOPPED;
        if (code == HW_OK)
            one = hw_entry_verify(c->args[1], names[i], program, c->stop, &e, &why);
        if (code == HW_OK && one == HW_OK)
            put_row(c->out, format, &e);
        if (code == HW_OK)
            hw_entry_free(&e);
        if (code == HW_OK && (one == HW_STOPPED || one == HW_NO_MEMORY)) {
            *err = why;
            code = one;
        } else if (code == HW_OK && one != HW_OK) {
            hw_cli_complain(&why);
            failed++;
        }
        free(names[i]);
    }
    free(names);
    c->keep_output = true;
    if (code == HW_OK && failed)
        code = hw_fail(err, HW_CHECK_FAILED, "%s: %zu of %zu entries fail", c->args[1], failed, n);
    if (code == HW_OK)
        hw_cli_note(c, "%s: %zu %s", c->args[1], n, n == 1 ? "entry holds" : "entries hold");
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    unsigned format = 0;
    hw_code code = hw_cli_choice(c, "format", &format, err);
    if (code != HW_OK)
        return code;
    if (strcmp(c->args[0], "add") == 0)
        return add(c, err);
    bool table = strcmp(c->args[0], "table") == 0;
    if (!table && strcmp(c->args[0], "verify") != 0)
        return hw_fail(err, HW_USAGE, "corpus %s: there are add, verify and table", c->args[0]);
    if (c->n_args != 2)
        return hw_fail(err, HW_USAGE, "corpus %s takes one corpus, a folder", c->args[0]);
    return walk(c, table ? (table_format)format : TABLE_TEXT, err);
}

static const hw_option_values values[] = {
    {"format", "text|csv|markdown"},
};

const hw_command hw_command_corpus = {
    .name = "corpus",
    .arguments = "add CORPUS GRAPH | verify CORPUS | table CORPUS",
    .least_args = 2,
    .most_args = 3,
    .help = "Keep graphs on which a rule fails, with orders and proofs.",
    .details =
        "add: put a graph into the corpus, a folder, with the order of --solver, an order of the "
        "least peak, the proof that no order has less, features and wrong turn. The corpus holds "
        "the worst graph for each solver, number of nodes and accounting; another is not kept.\n\n"
        "verify: compute every entry anew from its graph and compare: the solver's order, its "
        "peak, the optimum, the wrong turn, whether single steps of shrinking are left. An entry "
        "that differs by a byte fails; the exit status is then 1. The proofs are for "
        "highwater-check: highwater-check graph.json optimum.json proof.\n\n"
        "table: verify, and print a row an entry.",
    .common = HW_CLI_OUTPUT | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
