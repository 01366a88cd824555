/* Whether two graphs differ in sizes alone.  See sweep.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "import/sweep.h"

enum { NAME_COLUMNS = 60 };

/* Where the comparison writes what it found. */
typedef struct finding {
    char *text;
} finding;

static bool differ(const finding *f, const hw_graph *g, uint32_t node, const char *what)
{
    (void)snprintf(f->text, HW_SWEEP_DIFFERENCE, "node %" PRIu32 " (%.*s) %s", hw_node_id(g, node),
                   (int)NAME_COLUMNS, *hw_node_op(g, node) ? hw_node_op(g, node) : "no type", what);
    return false;
}

static bool same_counts(const finding *f, const hw_graph *a, const hw_graph *b)
{
    const struct {
        const char *what;
        uint32_t here, there;
    } count[] = {{"nodes", a->n_nodes, b->n_nodes},
                 {"tensors", a->n_tensors, b->n_tensors},
                 {"control edges", a->n_control, b->n_control}};
    for (size_t i = 0; i < sizeof count / sizeof count[0]; i++)
        if (count[i].here != count[i].there) {
            (void)snprintf(f->text, HW_SWEEP_DIFFERENCE,
                           "%" PRIu32 " %s here and %" PRIu32 " there", count[i].here,
                           count[i].what, count[i].there);
            return false;
        }
    return true;
}

static bool same_tensors(const finding *f, const hw_graph *a, const hw_graph *b)
{
    for (uint32_t t = 0; t < a->n_tensors; t++) {
        if (hw_tensor_id(a, t) == hw_tensor_id(b, t) && a->tensor_kind[t] == b->tensor_kind[t] &&
            a->tensor_producer[t] == b->tensor_producer[t])
            continue;
        const char *what = hw_tensor_id(a, t) != hw_tensor_id(b, t) ? "id"
                           : a->tensor_kind[t] != b->tensor_kind[t] ? "kind"
                                                                    : "producer";
        (void)snprintf(f->text, HW_SWEEP_DIFFERENCE,
                       "tensor %" PRIu32 " (%.*s) has another %s there", hw_tensor_id(a, t),
                       (int)NAME_COLUMNS, hw_tensor_name(a, t), what);
        return false;
    }
    return true;
}

static bool same_row(const hw_rows *a, const hw_rows *b, uint32_t v)
{
    uint32_t n = a->offset[v + 1] - a->offset[v];
    return n == b->offset[v + 1] - b->offset[v] &&
           (n == 0 ||
            memcmp(a->item + a->offset[v], b->item + b->offset[v], n * sizeof *a->item) == 0);
}

static uint32_t n_pairs(const hw_graph *g, uint32_t v)
{
    return g->inplace_offset ? g->inplace_offset[v + 1] - g->inplace_offset[v] : 0;
}

static bool same_pairs(const hw_graph *a, const hw_graph *b, uint32_t v)
{
    uint32_t n = n_pairs(a, v);
    if (n != n_pairs(b, v))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        hw_inplace_pair x = a->inplace_pair[a->inplace_offset[v] + i];
        hw_inplace_pair y = b->inplace_pair[b->inplace_offset[v] + i];
        if (x.input != y.input || x.output != y.output)
            return false;
    }
    return true;
}

static uint32_t window(const hw_graph *g, uint32_t v)
{
    return g->node_window ? g->node_window[v] : HW_NONE;
}

static bool same_nodes(const finding *f, const hw_graph *a, const hw_graph *b)
{
    for (uint32_t v = 0; v < a->n_nodes; v++) {
        if (hw_node_id(a, v) != hw_node_id(b, v))
            return differ(f, a, v, "has another id there");
        if (strcmp(hw_node_op(a, v), hw_node_op(b, v)) != 0)
            return differ(f, a, v, "has another operator type there");
        if (!same_row(&a->inputs, &b->inputs, v))
            return differ(f, a, v, "reads other tensors there");
        if (!same_row(&a->outputs, &b->outputs, v))
            return differ(f, a, v, "makes other tensors there");
        if (a->node_flags[v] != b->node_flags[v])
            return differ(f, a, v, "has other flags there (view, locked, inplace_required)");
        if (window(a, v) != window(b, v))
            return differ(f, a, v, "has another window there");
        if (!same_pairs(a, b, v))
            return differ(f, a, v, "has other in-place pairs there");
    }
    return true;
}

bool hw_sweep_same(const hw_graph *a, const hw_graph *b, char text[HW_SWEEP_DIFFERENCE])
{
    finding f = {.text = text};
    text[0] = '\0';
    if (!same_counts(&f, a, b) || !same_tensors(&f, a, b) || !same_nodes(&f, a, b))
        return false;
    for (uint32_t i = 0; i < a->n_control; i++)
        if (a->control[i].from != b->control[i].from || a->control[i].to != b->control[i].to) {
            (void)snprintf(text, HW_SWEEP_DIFFERENCE,
                           "the control edge from node %" PRIu32 " to node %" PRIu32
                           " is not there",
                           hw_node_id(a, a->control[i].from), hw_node_id(a, a->control[i].to));
            return false;
        }
    return true;
}
