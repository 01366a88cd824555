/*
 * Fuzz target: the readers of highwater-check, which share no code with ours:
 * graph, order and proof, parted by lines "---".  Whatever they get, the
 * program ends with one of its words; and a graph that we read it reads alike:
 * to the same hash, and the same peak of the source order.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "model/check.h"
#include "tests/fuzz/check_inside.h"
#include "tests/fuzz/graphs.h"

/* What the program may say, by its exit status. */
static void ended(int status, const char *text)
{
    static const char *const begins[] = {"s VERIFIED ", "s REJECTED: ", NULL, "highwater-check: "};
    if (status < 0 || status > 3 || status == 2 || text[0] == '\0')
        fuzz_fail("exit status %d: %s", status, text);
    if (strncmp(text, begins[status], strlen(begins[status])) != 0)
        fuzz_fail("exit status %d, and it says: %s", status, text);
}

/* The header of a proof for g and a claim. */
static int claim(const hw_graph *g, unsigned setting, uint64_t peak, const char *graph,
                 const char *order, char said[CHECK_TEXT])
{
    char text[400], hash[HW_HASH_TEXT];
    hw_error err = {0};
    if (hw_graph_hash(g, hash, &err) != HW_OK)
        fuzz_fail("%s", err.message);
    int n = snprintf(text, sizeof text,
                     "highwater-proof 3\ngraph %s\naccounting %s\ninputs %s\nclaim %" PRIu64
                     "\nbound live\n",
                     hash, hw_accounting_name((hw_accounting)(setting & 1)),
                     setting >> 1 ? "pinned" : "freed", peak);
    return check_inside(graph, order, fuzz_file(2, text, (size_t)n), said);
}

/* The source order, where it is legal: both programs find one peak. */
static void alike(const hw_graph *g, const char *path)
{
    hw_error err = {0};
    hw_check check;
    char *text = NULL, said[CHECK_TEXT];
    size_t n;
    uint32_t *order = malloc((g->n_nodes + (size_t)1) * sizeof *order);
    FILE *out = open_memstream(&text, &n);
    for (uint32_t v = 0; order && v < g->n_nodes; v++)
        order[v] = v;
    if (!order || !out || hw_order_write(g, order, out, &err) != HW_OK || fclose(out) != 0)
        fuzz_fail("no order: %s", err.message);
    const char *order_path = fuzz_file(1, text, n);
    for (unsigned setting = 0; setting < 4; setting++) {
        hw_model *m = fuzz_model(g, (hw_accounting)(setting & 1), setting >> 1);
        if (!m)
            continue;
        hw_model_free(m);
        if (hw_check_order(g, setting & 1, setting >> 1, order, g->n_nodes, &check, &err) != HW_OK)
            fuzz_fail("%s", err.message);
        bool legal = check.verdict == HW_ORDER_LEGAL;
        int status = claim(g, setting, legal ? check.peak : 1, path, order_path, said);
        ended(status, said);
        if (status == 3 || strstr(said, "another graph") ||
            (legal ? strstr(said, "the order") != NULL : !strstr(said, "order")))
            fuzz_fail("setting %u, verdict %d, peak %" PRIu64 ": %s", setting, (int)check.verdict,
                      check.peak, said);
    }
    free(order);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_NODES = 300 };
    fuzz_draws d = {data, size}, part[FUZZ_FILES];
    char said[CHECK_TEXT];
    hw_graph *g;
    hw_error err = {0};
    for (unsigned i = 0; i < FUZZ_FILES; i++)
        part[i] = fuzz_part(&d);
    const char *graph = fuzz_file(0, part[0].at, part[0].left);
    ended(check_inside(graph, fuzz_file(1, part[1].at, part[1].left),
                       fuzz_file(2, part[2].at, part[2].left), said),
          said);
    ended(check_inside(graph, "-", fuzz_file(2, part[2].at, part[2].left), said), said);
    if (fuzz_ended_well(hw_graph_load(graph, &g, &err), &err)) {
        if (g->n_nodes <= MOST_NODES)
            alike(g, graph);
        hw_graph_free(g);
    }
    return 0;
}
