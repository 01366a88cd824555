/* What came of an ONNX model.  See support_onnx.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "tests/support_onnx.h"

static uint32_t tensor_named(const hw_graph *g, const char *name)
{
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (strcmp(hw_tensor_name(g, t), name) == 0)
            return t;
    fail_msg("no tensor '%s'", name);
    return 0;
}

uint32_t onnx_node_named(const hw_graph *g, const char *name)
{
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (strcmp(hw_node_name(g, v), name) == 0)
            return v;
    fail_msg("no node '%s'", name);
    return 0;
}

/* One tensor: its size and kind. */
void onnx_expect_tensor(const hw_graph *g, const char *name, uint64_t size, hw_kind kind)
{
    uint32_t t = tensor_named(g, name);
    if (g->tensor_size[t] != size || g->tensor_kind[t] != kind)
        fail_msg("%s: %" PRIu64 " bytes of kind %d, not %" PRIu64 " of kind %d", name,
                 g->tensor_size[t], g->tensor_kind[t], size, kind);
}

/* Inputs of a node, as a list of names with a blank behind each. */
void onnx_expect_inputs(const hw_graph *g, const char *node, const char *names)
{
    char found[256] = "";
    size_t used = 0;
    uint32_t v = onnx_node_named(g, node);
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        int wrote = snprintf(found + used, sizeof found - used, "%s ",
                             hw_tensor_name(g, g->inputs.item[i]));
        assert_in_range(wrote, 1, sizeof found - used - 1); /* nothing was cut */
        used += (size_t)wrote;
    }
    assert_string_equal(found, names);
}

uint32_t onnx_pairs(const hw_graph *g, const char *node)
{
    uint32_t v = onnx_node_named(g, node);
    return g->inplace_offset ? g->inplace_offset[v + 1] - g->inplace_offset[v] : 0;
}

bool onnx_is_view(const hw_graph *g, const char *node)
{
    return g->node_flags[onnx_node_named(g, node)] & HW_NODE_VIEW;
}

bool onnx_has_note(const hw_import_report *r, const char *part)
{
    for (size_t i = 0; i < r->n_notes; i++)
        if (strstr(r->notes[i], part))
            return true;
    return false;
}

bool onnx_cannot_infer(void)
{
    size_t n;
    char *bytes = onnx_bytes("input x float 2\nnode Relu x -> y\noutput y\n", &n);
    hw_graph *g = NULL;
    hw_error err = {0};
    hw_code code = onnx_read(bytes, n, NULL, NULL, &g, &err);
    free(bytes);
    hw_graph_free(g);
    if (code != HW_OK && !strstr(err.message, "is not there"))
        fail_msg("%s", err.message);
    return code != HW_OK;
}
