/*
 * The graph with the wrong turn marked, by dot.  See explain_draw.h.
 *
 * Colours are from the palette of Okabe and Ito (2008); in grey the wrong node
 * is the darkest and an octagon, the right one an ellipse of middle grey.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text_stream.h"
#include "explain/explain_draw.h"
#include "core/memory.h"
#include "core/ratio.h"
#include "io/graphviz.h"
#include "io/memory_curve.h"

enum { NAME_COLUMNS = 22, TITLE_COLUMNS = 60 };

#define FILL_SHARED "#CFE3F2"
#define FILL_WRONG  "#D55E00"
#define FILL_RIGHT  "#7FCFB9"
#define FILL_MAYBE  "#F6D5B8"
#define LINE_RIGHT  "#00694D"
#define FONT        "DejaVu Sans,sans-serif"

typedef struct picture {
    const hw_explanation *x;
    const hw_explain_names *names;
    const hw_graph *g;
    uint32_t *step, *other_step; /* of each node in both orders            */
    uint8_t *shown;              /* of each node; 2: has neighbours that are not */
    uint8_t *held;               /* of each storage: alive at the solver's peak */
    uint32_t n_shown;
    uint64_t largest; /* bytes of the largest storage */
    FILE *out;
} picture;

/* ---- What is shown. ---- */

/* Both orders run the same nodes before this step; the order as far as it is the other's. */
static uint32_t shared_steps(const hw_explanation *x)
{
    return hw_explain_keeps(x) ? 0 : x->turn.kept;
}

/* The nodes around which a large graph is drawn: two, or the same twice. */
static void centre(const hw_explanation *x, uint32_t node[2])
{
    uint32_t at = x->log->peak_step < 0 ? 0 : (uint32_t)x->log->peak_step;
    if (!hw_explain_keeps(x))
        at = x->turn.kept;
    node[0] = x->solver.order[at];
    node[1] = x->other[at];
}

/* Breadth first from the centre, along and against the edges. */
static hw_code choose_around(picture *p, hw_error *err)
{
    const hw_graph *g = p->g;
    const hw_rows *rows[2] = {&g->preds, &g->succs};
    uint32_t *queue = HW_NEW(uint32_t, g->n_nodes), end = 0, from[2];
    if (!queue)
        return hw_fail_memory(err, "a drawing");
    centre(p->x, from);
    for (int i = 0; i < 2; i++)
        if (!p->shown[from[i]]) {
            p->shown[from[i]] = 1;
            queue[end++] = from[i];
        }
    for (uint32_t i = 0; i < end; i++)
        for (int r = 0; r < 2; r++)
            for (uint32_t k = rows[r]->offset[queue[i]]; k < rows[r]->offset[queue[i] + 1]; k++) {
                uint32_t v = rows[r]->item[k];
                if (p->shown[v])
                    continue;
                if (end == HW_DRAW_AROUND) {
                    p->shown[queue[i]] = 2;
                    continue;
                }
                p->shown[v] = 1;
                queue[end++] = v;
            }
    p->n_shown = end;
    free(queue);
    return HW_OK;
}

static hw_code prepare(picture *p, hw_error *err)
{
    const hw_explanation *x = p->x;
    const hw_graph *g = p->g;
    p->step = HW_NEW(uint32_t, g->n_nodes);
    p->other_step = HW_NEW(uint32_t, g->n_nodes);
    p->shown = HW_NEW0(uint8_t, g->n_nodes);
    p->held = HW_NEW0(uint8_t, g->n_storages);
    if (!p->step || !p->other_step || !p->shown || !p->held)
        return hw_fail_memory(err, "a drawing");
    hw_order_positions(x->solver.order, g->n_nodes, p->step);
    hw_order_positions(x->other, g->n_nodes, p->other_step);
    for (uint32_t i = 0; i < x->n_held; i++)
        p->held[g->tensor_storage[x->held[i].life->tensor]] = 1;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (g->tensor_kind[t] != HW_CONSTANT && g->tensor_size[t] > p->largest)
            p->largest = g->tensor_size[t];
    if (g->n_nodes > HW_DRAW_NODES || (g->n_edges > HW_DRAW_EDGES && g->n_nodes > HW_DRAW_AROUND))
        return choose_around(p, err);
    memset(p->shown, 1, g->n_nodes);
    p->n_shown = g->n_nodes;
    return HW_OK;
}

/* ---- Texts. ---- */

static void put_name(const picture *p, uint32_t v, size_t columns)
{
    const char *op = hw_node_op(p->g, v);
    if (*hw_node_name(p->g, v)) {
        hw_graphviz_put_text(p->out, hw_node_name(p->g, v), columns);
        return;
    }
    hw_graphviz_put_text(p->out, *op ? op : "node", columns);
    (void)fprintf(p->out, " %" PRIu32, hw_node_id(p->g, v));
}

static void put_cell(const picture *p, const char *fill, const char *text, const char *ink)
{
    (void)fprintf(
        p->out,
        "<td border=\"1\" width=\"130\" bgcolor=\"%s\" cellpadding=\"4\"><font color=\"%s\">%s"
        "</font></td>",
        fill, ink, text);
}

/* Peaks, ratio, and the wrong turn, in one line each. */
static void put_caption(const picture *p)
{
    const hw_explanation *x = p->x;
    FILE *out = p->out;
    (void)fputs("<tr><td>", out);
    hw_graphviz_put_text(out, p->names->solver, TITLE_COLUMNS);
    (void)fputs(" ", out);
    hw_curve_put_bytes(out, x->solver.peak);
    (void)fputs(", ", out);
    hw_graphviz_put_text(out, p->names->target, TITLE_COLUMNS);
    (void)fputs(" ", out);
    hw_curve_put_bytes(out, x->target_bytes);
    if (x->target_bytes && x->solver.peak > x->target_bytes)
        (void)fprintf(out, ": %.4g times as much",
                      hw_ratio_value((hw_ratio){x->solver.peak, x->target_bytes}));
    (void)fputs("</td></tr><tr><td>", out);
    if (x->has_turn) {
        (void)fprintf(out, "wrong turn at step %" PRIu32 " of %" PRIu32 ": runs ", x->turn.kept,
                      x->m->n_nodes);
        put_name(p, x->wrong.node, NAME_COLUMNS);
        (void)fprintf(out, " (net %+" PRId64 "), should run ", (int64_t)x->wrong.net);
        put_name(p, x->right.node, NAME_COLUMNS);
        (void)fprintf(out, " (net %+" PRId64 ")", (int64_t)x->right.net);
    } else if (hw_explain_keeps(x)) {
        (void)fputs("no wrong turn", out);
    } else {
        (void)fprintf(out, "the wrong turn is one of the steps %" PRIu32 " to %" PRIu32,
                      x->turn.kept, x->turn.lost - 1);
    }
    if (p->n_shown < p->g->n_nodes)
        (void)fprintf(out,
                      "</td></tr><tr><td>drawn: the %" PRIu32 " nodes nearest to it of %" PRIu32
                      "; dashed: has neighbours not drawn",
                      p->n_shown, p->g->n_nodes);
    (void)fputs("</td></tr>", out);
}

static void put_legend(const picture *p)
{
    const hw_explanation *x = p->x;
    FILE *out = p->out;
    if (!hw_explain_keeps(x)) {
        (void)fputs("<tr><td><table border=\"0\" cellborder=\"0\" cellspacing=\"8\"><tr>", out);
        if (shared_steps(x))
            put_cell(p, FILL_SHARED, "run by both before", "black");
        if (x->has_turn) {
            put_cell(p, FILL_WRONG, "<b>wrong turn</b>", "white");
            put_cell(p, FILL_RIGHT, "<b>should run</b>", "black");
        } else {
            put_cell(p, FILL_MAYBE, "one of these steps", "black");
        }
        (void)fputs("</tr></table></td></tr>", out);
    }
    (void)fputs("<tr><td>step a | b: in the order of ", out);
    hw_graphviz_put_text(out, p->names->solver, NAME_COLUMNS);
    (void)fputs(" | in the other &#160; \xe2\x96\xb2 alive at the peak of ", out);
    hw_graphviz_put_text(out, p->names->solver, NAME_COLUMNS);
    (void)fputs(" &#160; thicker: more bytes</td></tr>", out);
}

static void put_head(const picture *p)
{
    const hw_model *m = p->x->m;
    FILE *out = p->out;
    (void)fputs("digraph explain {\n"
                "  graph [fontname=\"" FONT "\" fontsize=12 labelloc=t nodesep=0.3 ranksep=0.45 "
                "bgcolor=white pad=0.2 "
                "label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"4\"><tr>"
                "<td><font point-size=\"16\">",
                out);
    hw_graphviz_put_text(out, *p->g->name ? p->g->name : "unnamed graph", TITLE_COLUMNS);
    (void)fputs(": the order of ", out);
    hw_graphviz_put_text(out, p->names->solver, TITLE_COLUMNS);
    (void)fprintf(out, " (%s%s)</font></td></tr>", hw_accounting_name(m->accounting),
                  m->pin_inputs ? ", inputs pinned" : "");
    put_caption(p);
    put_legend(p);
    (void)fputs("</table>>];\n"
                "  node [fontname=\"" FONT "\" fontsize=11 shape=box style=filled "
                "fillcolor=white color=\"#404040\" margin=\"0.09,0.05\"];\n"
                "  edge [fontname=\"" FONT "\" fontsize=9 color=\"#606060\" arrowsize=0.6];\n",
                out);
}

/* ---- Nodes and edges. ---- */

static double width_of(const picture *p, uint64_t bytes)
{
    return p->largest ? 0.8 + 4.2 * sqrt((double)bytes / (double)p->largest) : 1;
}

/* Storages that v makes: how many, their bytes, and whether one is alive at the peak. */
static uint32_t made_by(const picture *p, uint32_t v, bool *held, bool *kept)
{
    const hw_graph *g = p->g;
    uint32_t count = 0;
    *held = *kept = false;
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++) {
        uint32_t t = g->outputs.item[i], s = g->tensor_storage[t];
        *kept = *kept || g->tensor_kind[t] == HW_OUTPUT;
        if (g->storage_root[s] != t)
            continue;
        count++;
        *held = *held || p->held[s];
    }
    return count;
}

static void put_look(const picture *p, uint32_t v)
{
    const hw_explanation *x = p->x;
    FILE *out = p->out;
    const char *dashed = p->shown[v] == 2 ? ",dashed" : "";
    if (x->has_turn && v == x->wrong.node)
        (void)fprintf(out,
                      " shape=octagon style=\"filled%s\" fillcolor=\"" FILL_WRONG
                      "\" fontcolor=white color=black penwidth=3 margin=\"0.02,0.02\"",
                      dashed);
    else if (x->has_turn && v == x->right.node)
        (void)fprintf(out,
                      " shape=ellipse style=\"filled%s\" fillcolor=\"" FILL_RIGHT
                      "\" color=\"" LINE_RIGHT "\" penwidth=3 margin=\"0.02,0.02\"",
                      dashed);
    else if (p->step[v] < shared_steps(x))
        (void)fprintf(out, " style=\"filled%s\" fillcolor=\"" FILL_SHARED "\"", dashed);
    else if (!x->has_turn && !hw_explain_keeps(x) && p->step[v] >= x->turn.kept &&
             p->step[v] < x->turn.lost)
        (void)fprintf(out, " style=\"filled%s\" fillcolor=\"" FILL_MAYBE "\"", dashed);
    else if (*dashed)
        (void)fputs(" style=\"filled,dashed\"", out);
}

static void put_node(const picture *p, uint32_t v)
{
    const hw_explanation *x = p->x;
    FILE *out = p->out;
    bool held, kept;
    uint32_t made = made_by(p, v, &held, &kept);
    (void)fprintf(out, "  v%" PRIu32 " [label=<<font point-size=\"13\"><b>", v);
    put_name(p, v, NAME_COLUMNS);
    (void)fprintf(out, "</b></font><br/>step %" PRIu32 " | %" PRIu32, p->step[v], p->other_step[v]);
    if (made) {
        (void)fputs("<br/>makes ", out);
        hw_curve_put_bytes(out, x->m->new_bytes[v]);
        (void)fprintf(out, "%s%s", kept ? ", kept" : "", held ? " \xe2\x96\xb2" : "");
    } else if (p->g->node_flags[v] & HW_NODE_VIEW) {
        (void)fputs("<br/>a view", out);
    }
    if (hw_workspace(x->m, v)) {
        (void)fputs("<br/>workspace ", out);
        hw_curve_put_bytes(out, hw_workspace(x->m, v));
    }
    if (x->has_turn && v == x->wrong.node)
        (void)fputs("<br/>wrong turn", out);
    if (x->has_turn && v == x->right.node)
        (void)fputs("<br/>should run", out);
    if (x->log->peak_step >= 0 && p->step[v] == (uint32_t)x->log->peak_step)
        (void)fputs("<br/>peak here", out);
    (void)fputs(">", out);
    put_look(p, v);
    (void)fputs("];\n", out);
}

/* Each tensor that v reads, once: from its maker, or from an input of the graph. */
static void put_data(const picture *p, uint32_t v, uint8_t *joined)
{
    const hw_graph *g = p->g;
    FILE *out = p->out;
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        uint32_t t = g->inputs.item[i], u = g->tensor_producer[t];
        bool again = g->tensor_kind[t] == HW_CONSTANT || (u != HW_NONE && !p->shown[u]);
        for (uint32_t k = g->inputs.offset[v]; k < i; k++)
            again = again || g->inputs.item[k] == t;
        if (again)
            continue;
        uint64_t bytes = g->tensor_size[g->storage_root[g->tensor_storage[t]]];
        bool held, kept, label = u != HW_NONE && made_by(p, u, &held, &kept) > 1;
        (void)fprintf(out,
                      u == HW_NONE ? "  t%" PRIu32 " -> v%" PRIu32 : "  v%" PRIu32 " -> v%" PRIu32,
                      u == HW_NONE ? t : u, v);
        (void)fprintf(out, " [penwidth=%.2f", width_of(p, bytes));
        if (label) {
            (void)fputs(" label=<", out);
            hw_curve_put_bytes(out, bytes);
            (void)fputs(">", out);
        }
        (void)fputs("];\n", out);
        if (u != HW_NONE)
            joined[u] = 1;
    }
}

/* What no tensor carries: control edges, locks, overwriting that is required. */
static void put_edges(const picture *p, uint8_t *joined)
{
    const hw_graph *g = p->g;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        if (!p->shown[v])
            continue;
        put_data(p, v, joined);
        for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++) {
            uint32_t u = g->preds.item[i];
            if (p->shown[u] && !joined[u])
                (void)fprintf(p->out,
                              "  v%" PRIu32 " -> v%" PRIu32 " [style=dotted color=\"#808080\"];\n",
                              u, v);
        }
        for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
            joined[g->preds.item[i]] = 0;
    }
}

/* Inputs of the graph that a node which is shown reads; wanted[]: all 0. */
static void put_inputs(const picture *p, uint8_t *wanted)
{
    const hw_graph *g = p->g;
    FILE *out = p->out;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        for (uint32_t i = g->inputs.offset[v]; p->shown[v] && i < g->inputs.offset[v + 1]; i++)
            wanted[g->inputs.item[i]] = 1;
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        if (!wanted[t] || g->tensor_kind[t] != HW_INPUT)
            continue;
        (void)fprintf(out, "  t%" PRIu32 " [shape=plain style=\"\" label=<input ", t);
        hw_graphviz_put_text(out, hw_tensor_name(g, t), NAME_COLUMNS);
        (void)fputs("<br/>", out);
        hw_curve_put_bytes(out, g->tensor_size[t]);
        (void)fprintf(out, "%s>];\n", p->held[g->tensor_storage[t]] ? " \xe2\x96\xb2" : "");
    }
}

static hw_code put_script(const picture *p, hw_error *err)
{
    uint8_t *joined = HW_NEW0(uint8_t, p->g->n_nodes);
    uint8_t *wanted = HW_NEW0(uint8_t, p->g->n_tensors);
    hw_code code = joined && wanted ? HW_OK : hw_fail_memory(err, "a drawing");
    if (code == HW_OK) {
        put_head(p);
        put_inputs(p, wanted);
        for (uint32_t v = 0; v < p->g->n_nodes; v++)
            if (p->shown[v])
                put_node(p, v);
        put_edges(p, joined);
        (void)fputs("}\n", p->out);
    }
    free(joined);
    free(wanted);
    return code;
}

hw_code hw_explain_draw_graph(const hw_explanation *x, const hw_explain_names *names,
                              const char *path, const hw_program_watch *watch, hw_error *err)
{
    picture p = {.x = x, .names = names, .g = x->m->graph};
    char *script = NULL;
    size_t size = 0;
    hw_code code = prepare(&p, err);
    if (code == HW_OK && !(p.out = hw_text_stream(&script, &size)))
        code = hw_fail_memory(err, "a drawing");
    if (code == HW_OK)
        code = put_script(&p, err);
    if (p.out) {
        bool whole = !ferror(p.out);
        if ((fclose(p.out) != 0 || !whole) && code == HW_OK)
            code = hw_fail_memory(err, "a drawing");
    }
    if (code == HW_OK)
        code = hw_graphviz_render(script, path, watch, err);
    free(script);
    free(p.step);
    free(p.other_step);
    free(p.shown);
    free(p.held);
    return code;
}
