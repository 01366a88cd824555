/* Small graphs from lines.  See support_lines.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/support_lines.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/io.h"
#include "model/sim.h"

hw_code lines_parse(const char *lines, hw_graph **out, hw_error *err)
{
    unsigned tensors = 0, nodes = 0, control = 0;
    char *text = NULL;
    size_t size = 0;
    bool fresh = true;
    for (const char *p = lines; *p; p++) {
        tensors += fresh && *p == 't';
        nodes += fresh && *p == 'v';
        control += fresh && *p == 'e';
        fresh = *p == ';' || (fresh && *p == ' ');
    }
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    (void)fprintf(f, "p highwater 1 %u %u %u lines\n", tensors, nodes, control);
    for (fresh = true; *lines; lines++) {
        if (!fresh || *lines != ' ')
            (void)fputc(*lines == ';' ? '\n' : *lines, f);
        fresh = *lines == ';' || (fresh && *lines == ' ');
    }
    (void)fputc('\n', f);
    assert_int_equal(fclose(f), 0);
    hw_code code = hw_graph_parse(text, size, "lines", out, err);
    free(text);
    return code;
}

hw_graph *lines_graph(const char *lines)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    if (lines_parse(lines, &g, &err) != HW_OK)
        fail_msg("%s: %s", lines, err.message);
    return g;
}

hw_model *lines_model(const hw_graph *g, hw_accounting accounting, bool pin_inputs)
{
    hw_model *m = NULL;
    hw_error err = {0};
    if (hw_model_new(g, accounting, pin_inputs, &m, &err) != HW_OK)
        fail_msg("%s", err.message);
    return m;
}

uint64_t agreed_peak(const hw_graph *g, hw_accounting accounting, bool pin_inputs,
                     const uint32_t *order)
{
    hw_model *m = lines_model(g, accounting, pin_inputs);
    hw_check check;
    hw_sim s;
    assert_int_equal(
        hw_check_order(g, accounting == HW_FREE_FIRST, pin_inputs, order, g->n_nodes, &check, NULL),
        HW_OK);
    assert_int_equal(check.verdict, HW_ORDER_LEGAL);
    assert_int_equal(hw_sim_init(&s, m, NULL), HW_OK);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        (void)hw_sim_step(&s, order[i]);
    assert_int_equal(s.live, m->live_full);
    assert_int_equal(s.peak, check.peak);
    assert_int_equal(s.peak_step, check.peak_step);
    assert_int_equal(m->resident_bytes, check.resident_bytes);
    assert_true(m->simple_bound <= check.peak);
    hw_sim_free(&s);
    hw_model_free(m);
    return check.peak;
}

hw_check checked(const hw_graph *g, const uint32_t *order)
{
    hw_check check;
    assert_int_equal(hw_check_order(g, false, false, order, g->n_nodes, &check, NULL), HW_OK);
    return check;
}
