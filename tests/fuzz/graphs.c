/* Graphs that fuzz targets read.  See graphs.h. */
#include "tests/fuzz/graphs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "model/check.h"
#include "model/sim.h"

/* Larger graphs are read, no more. */
enum { MOST_LOOKED_AT = 2000, MOST_READ = 8 };

hw_model *fuzz_model(const hw_graph *g, hw_accounting accounting, bool pin_inputs)
{
    hw_model *m = NULL;
    hw_error err = {0};
    hw_code code = hw_model_new(g, accounting, pin_inputs, &m, &err);
    if (code != HW_OK && (code != HW_BAD_INPUT || !pin_inputs))
        fuzz_fail("no model: %s", err.message);
    return m;
}

/* ---- Out and in again. ---- */

static void comes_back(const hw_graph *g, const char *hash, hw_format format)
{
    char *text = NULL, again[HW_HASH_TEXT];
    size_t n = 0;
    hw_error err = {0};
    hw_graph *back = NULL;
    FILE *out = open_memstream(&text, &n);
    if (!out || hw_graph_write(g, format, out, &err) != HW_OK || fclose(out) != 0)
        fuzz_fail("cannot be written: %s", err.message);
    if (hw_graph_parse(text, n, "again", &back, &err) != HW_OK)
        fuzz_fail("format %d cannot be read again: %s", (int)format, err.message);
    if (hw_graph_hash(back, again, &err) != HW_OK || strcmp(hash, again) != 0)
        fuzz_fail("format %d gives another graph", (int)format);
    hw_graph_free(back);
    free(text);
}

/* ---- Two simulators. ---- */

static void source_order(const hw_graph *g, unsigned setting)
{
    hw_model *m = fuzz_model(g, (hw_accounting)(setting & 1), setting >> 1);
    hw_error err = {0};
    hw_check check;
    uint64_t peak = 0;
    if (!m)
        return;
    uint32_t *order = malloc((m->n_nodes + (size_t)1) * sizeof *order);
    for (uint32_t v = 0; order && v < m->n_nodes; v++)
        order[v] = v;
    if (!order ||
        hw_check_order(g, setting & 1, setting >> 1, order, m->n_nodes, &check, &err) != HW_OK)
        fuzz_fail("cannot be checked: %s", err.message);
    if (check.verdict == HW_ORDER_LEGAL) {
        if (hw_peak(m, order, &peak, &err) != HW_OK || peak != check.peak)
            fuzz_fail("peak %" PRIu64 ", by the checker %" PRIu64, peak, check.peak);
        if (m->simple_bound > peak || !m->legal)
            fuzz_fail("bound %" PRIu64 " above the peak %" PRIu64 ", or nothing legal",
                      m->simple_bound, peak);
    }
    free(order);
    hw_model_free(m);
}

void fuzz_look_at_graph(const hw_graph *g)
{
    char hash[HW_HASH_TEXT];
    hw_error err = {0};
    if (hw_graph_hash(g, hash, &err) != HW_OK)
        fuzz_fail("no hash: %s", err.message);
    for (unsigned setting = 0; setting < 4; setting++)
        source_order(g, setting);
    comes_back(g, hash, HW_FORMAT_JSON);
    comes_back(g, hash, HW_FORMAT_LINE);
}

/* ---- In. ---- */

static void look_at_all(hw_code code, hw_reader *r, hw_error *err)
{
    for (unsigned i = 0; fuzz_ended_well(code, err) && i < MOST_READ; i++) {
        hw_graph *g = NULL;
        code = hw_reader_next(r, &g, err);
        if (code == HW_OK && !g)
            break;
        if (code == HW_OK && g->n_nodes <= MOST_LOOKED_AT)
            fuzz_look_at_graph(g);
        hw_graph_free(g);
    }
    hw_reader_close(r);
}

void fuzz_read_graphs(const uint8_t *data, size_t size)
{
    hw_reader *r = NULL;
    hw_error err = {0};
    hw_code code = hw_reader_open(fuzz_file(0, data, size), &r, &err);
    look_at_all(code, r, &err);
}

void fuzz_import_graphs(const uint8_t *data, size_t size, hw_import_options options)
{
    static hw_operators *operators; /* made once: it takes longer than most files */
    if (!operators)
        operators = hw_operators_new();
    options.operators = operators;
    hw_import_report report = {0};
    hw_reader *r = NULL;
    hw_error err = {0};
    hw_code code = hw_import_open(fuzz_file(0, data, size), &options, &report, &r, &err);
    look_at_all(code, r, &err);
    hw_import_report_clear(&report);
}
