/* An explanation for a person.  See explain_text.h. */
#include "cli/explain_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/shared.h"
#include "core/ratio.h"
#include "solve/called.h"

enum {
    MOST_ORDER = 60,   /* nodes of an order that is printed whole        */
    MOST_CHOICES = 12, /* rows of a table                                */
    MOST_HELD = 24,
    NODE_TEXT = HW_SHOWN_TEXT + 16
};

const char *hw_explain_spec(const hw_explain_solver *solver, char text[HW_EXPLAIN_SPEC])
{
    (void)hw_params_spec(solver->row->name, solver->row->params, solver->row->n_params,
                         solver->values, text, HW_EXPLAIN_SPEC);
    return text;
}

const char *hw_explain_short(const hw_explain_solver *solver, char text[HW_EXPLAIN_SPEC])
{
    return hw_solver_called(solver->row, solver->values, text);
}

static const char *plain_name(const hw_explain_solver *solver, char text[HW_FOREIGN_NAME])
{
    return hw_solver_short(solver->row, solver->values, text);
}

const char *hw_explain_target_text(const hw_explained *e, char text[HW_EXPLAIN_SPEC])
{
    const hw_explain_solver *other = &e->ask->against;
    char name[HW_FOREIGN_NAME];
    if (e->x->target == HW_TARGET_AGAINST && other->row)
        (void)snprintf(text, HW_EXPLAIN_SPEC, "the peak of %s", plain_name(other, name));
    else
        (void)snprintf(text, HW_EXPLAIN_SPEC, "%s",
                       e->x->proven ? "the optimum" : "the least peak known");
    return text;
}

/* "7 (conv)": the id and, where there is one, the name. */
static const char *node_text(const hw_graph *g, uint32_t v, char text[NODE_TEXT])
{
    char shown[HW_SHOWN_TEXT];
    const char *name = *hw_node_name(g, v) ? hw_node_name(g, v) : hw_node_op(g, v);
    if (*name)
        (void)snprintf(text, NODE_TEXT, "%" PRIu32 " (%s)", hw_node_id(g, v),
                       hw_cli_shown(name, shown));
    else
        (void)snprintf(text, NODE_TEXT, "%" PRIu32, hw_node_id(g, v));
    return text;
}

static const char *tensor_text(const hw_graph *g, uint32_t t, char text[NODE_TEXT])
{
    char shown[HW_SHOWN_TEXT];
    if (*hw_tensor_name(g, t))
        (void)snprintf(text, NODE_TEXT, "%" PRIu32 " (%s)", hw_tensor_id(g, t),
                       hw_cli_shown(hw_tensor_name(g, t), shown));
    else
        (void)snprintf(text, NODE_TEXT, "%" PRIu32, hw_tensor_id(g, t));
    return text;
}

/* Peak, gap and ratio over a reference, both without constants. */
static void put_gap(FILE *out, uint64_t peak, uint64_t reference, const char *at_most)
{
    hw_ratio ratio = {peak, reference};
    if (reference == 0 && peak > 0)
        (void)fprintf(out, "gap and ratio without bound\n");
    else
        (void)fprintf(out, "gap %s%.2f %%, ratio %s%.4f (%" PRIu64 "/%" PRIu64 ")\n", at_most,
                      (hw_ratio_value(ratio) - 1) * 100, at_most, hw_ratio_value(ratio), peak,
                      reference);
}

static void put_solver(FILE *out, const hw_explain_solver *solver, const hw_answer *a,
                       const hw_model *m, const hw_log *log)
{
    char spec[HW_EXPLAIN_SPEC], bytes[HW_BYTES_TEXT], node[NODE_TEXT];
    (void)fprintf(out, "  %-9s %s", hw_explain_spec(solver, spec), hw_status_name(a->status));
    if (a->has_order) {
        hw_bytes_text(a->peak, bytes);
        (void)fprintf(out, ", peak %s", bytes);
    }
    if (log && log->peak_step < 0)
        (void)fputs(" before step 0", out);
    else if (log)
        (void)fprintf(out, " at step %" PRId64 ", node %s", log->peak_step,
                      node_text(m->graph, log->order[log->peak_step], node));
    (void)fprintf(out, "%s\n", a->limit_reached ? " (a limit was reached)" : "");
}

static void put_optimum(const hw_explained *e, FILE *out)
{
    const hw_explanation *x = e->x;
    char bytes[HW_BYTES_TEXT], low[HW_BYTES_TEXT], other[HW_FOREIGN_NAME];
    hw_bytes_text(x->best, bytes);
    hw_bytes_text(x->bound, low);
    if (!x->m->legal || (!x->has_best && x->prover.status == HW_INFEASIBLE)) {
        (void)fputs("  optimum   none: no order is legal, proven\n", out);
        return;
    }
    if (!x->has_best)
        (void)fprintf(out, "  optimum   at least %s; no order is known\n", low);
    else if (x->proven)
        (void)fprintf(out, "  optimum   %s, proven\n", bytes);
    else
        (void)fprintf(out, "  optimum   not proven within the limits: between %s and %s\n", low,
                      bytes);
    if (!x->has_order)
        return;
    (void)fputs("            ", out);
    put_gap(out, x->solver.peak, x->proven ? x->best : x->bound, x->proven ? "" : "at most ");
    if (e->ask->against.row && x->against.has_order) {
        (void)fprintf(out, "            against %s: ", plain_name(&e->ask->against, other));
        put_gap(out, x->solver.peak, x->against.peak, "");
    }
}

static void put_order(FILE *out, const char *head, const hw_graph *g, const uint32_t *order,
                      uint32_t n, uint32_t mark)
{
    if (n > MOST_ORDER) {
        (void)fprintf(out, "%s %" PRIu32 " nodes: --json writes it\n", head, n);
        return;
    }
    (void)fprintf(out, "%s", head);
    for (uint32_t i = 0; i < n; i++)
        (void)fprintf(out, i == mark ? " [%" PRIu32 "]" : " %" PRIu32, hw_node_id(g, order[i]));
    (void)fputc('\n', out);
}

/* A wrapped difference as a number with its sign. */
static void put_net(FILE *out, uint64_t net, int width)
{
    (void)fprintf(out, "%+*" PRId64, width, (int64_t)net);
}

static void put_choices(const hw_explained *e, FILE *out)
{
    const hw_explanation *x = e->x;
    char node[NODE_TEXT];
    uint32_t shown = 0;
    (void)fprintf(out, "    could run: %" PRIu32 " node%s, by net change of live bytes\n",
                  x->n_choices, x->n_choices == 1 ? "" : "s");
    (void)fprintf(out, "      %20s %20s  node\n", "net change", "usage");
    for (uint32_t i = 0; i < x->n_choices; i++) {
        const hw_explain_choice *c = &x->choice[i];
        bool wrong = c->node == x->wrong.node, right = c->node == x->right.node;
        if (!wrong && !right && shown >= MOST_CHOICES)
            continue;
        shown++;
        (void)fputs("      ", out);
        put_net(out, c->net, 20);
        (void)fprintf(out, " %20" PRIu64 "  %s%s%s\n", c->usage,
                      node_text(x->m->graph, c->node, node), wrong ? "  <- runs, wrong" : "",
                      right ? "  <- should run" : "");
    }
    if (shown < x->n_choices)
        (void)fprintf(out, "      and %" PRIu32 " more\n", x->n_choices - shown);
}

static void put_turn(const hw_explained *e, FILE *out)
{
    const hw_explanation *x = e->x;
    const hw_graph *g = x->m->graph;
    const uint32_t n = x->m->n_nodes;
    char target[HW_EXPLAIN_SPEC], bytes[HW_BYTES_TEXT], low[HW_BYTES_TEXT], node[NODE_TEXT];
    char name[HW_FOREIGN_NAME];
    (void)hw_explain_target_text(e, target);
    hw_bytes_text(x->target_bytes, bytes);
    if (hw_explain_keeps(x)) {
        (void)fprintf(out, "  no wrong turn: the order of %s %s%s\n",
                      plain_name(&e->ask->solver, name),
                      x->solver.peak < x->target_bytes ? "is better than " : "reaches ", target);
        return;
    }
    if (!x->has_turn) {
        (void)fprintf(out,
                      "  wrong turn: one of the steps %" PRIu32 " to %" PRIu32
                      " loses %s, %s; the limits ended the search\n",
                      x->turn.kept, x->turn.lost - 1, target, bytes);
        put_order(out, "    runs      ", g, x->solver.order, n, UINT32_MAX);
        put_order(out, "    should run", g, x->other, n, UINT32_MAX);
        return;
    }
    (void)fprintf(out,
                  "  wrong turn: step %" PRIu32 " of %" PRIu32 " (%.1f %% of the order before it) "
                  "loses %s, %s\n",
                  x->turn.kept, n, 100.0 * x->turn.kept / n, target, bytes);
    (void)fprintf(out, "    live before it %" PRIu64 "\n", x->live_turn);
    (void)fprintf(out, "    runs       node %s: net change ", node_text(g, x->wrong.node, node));
    put_net(out, x->wrong.net, 0);
    (void)fprintf(out, ", usage %" PRIu64 "\n", x->wrong.usage);
    (void)fprintf(out, "    should run node %s: net change ", node_text(g, x->right.node, node));
    put_net(out, x->right.net, 0);
    (void)fprintf(out, ", usage %" PRIu64 "\n", x->right.usage);
    hw_bytes_text(x->after, bytes);
    hw_bytes_text(x->after_bound, low);
    if (x->after == x->after_bound)
        (void)fprintf(out, "    after it no order has less than %s\n", bytes);
    else
        (void)fprintf(out, "    after it no order has less than %s, and one has %s\n", low, bytes);
    put_choices(e, out);
    put_order(out, "    runs      ", g, x->solver.order, n, x->turn.kept);
    put_order(out, "    should run", g, x->other, n, x->turn.kept);
    if (x->target == HW_TARGET_KNOWN)
        (void)fputs("    a lower peak, if there is one, is lost at that step or before\n", out);
}

/* "before" and "end" for lifetimes that reach beyond the steps. */
static void put_step(FILE *out, int64_t step, const hw_log *log)
{
    if (step < 0)
        (void)fprintf(out, " %7s", "before");
    else if (step >= log->n_steps)
        (void)fprintf(out, " %7s", "end");
    else
        (void)fprintf(out, " %7" PRId64, step);
}

static void put_held(const hw_explained *e, FILE *out)
{
    const hw_explanation *x = e->x;
    const hw_log *log = x->log;
    char text[NODE_TEXT];
    if (log->peak_step < 0)
        (void)fputs("  alive at the peak, before step 0", out);
    else
        (void)fprintf(out, "  alive at the peak, step %" PRId64, log->peak_step);
    (void)fprintf(out, ": %" PRIu32 " storage%s of %" PRIu64 " bytes", x->n_held,
                  x->n_held == 1 ? "" : "s", x->held_bytes);
    if (log->peak_step >= 0)
        (void)fprintf(out,
                      "; the other order runs that node at step %" PRId64 " and holds %" PRIu64
                      " of them",
                      x->other_step, x->held_bytes - x->elsewhere_bytes);
    (void)fprintf(out, "\n    %20s %7s %7s %7s %7s  tensor (' in the other order)\n", "bytes",
                  "born", "dies", "born'", "dies'");
    for (uint32_t i = 0; i < x->n_held && i < MOST_HELD; i++) {
        const hw_explain_held *h = &x->held[i];
        (void)fprintf(out, "    %20" PRIu64, h->life->size);
        put_step(out, h->life->birth, log);
        put_step(out, h->life->death, log);
        put_step(out, h->other->birth, x->other_log);
        put_step(out, h->other->death, x->other_log);
        (void)fprintf(out, "  %s%s\n", tensor_text(x->m->graph, h->life->tensor, text),
                      h->held_there ? "" : "  not held there");
    }
    if (x->n_held > MOST_HELD)
        (void)fprintf(out, "    and %" PRIu32 " more\n", x->n_held - (uint32_t)MOST_HELD);
}

static void put_features(const hw_explained *e, FILE *out)
{
    (void)fputs("  features\n", out);
    for (int i = 0; i < HW_N_FEATURES; i++) {
        double value = e->x->features.value[i];
        const hw_feature_row *row = &hw_feature_rows[i];
        if (isnan(value))
            (void)fprintf(out, "    %-16s %16s\n", row->name, "-");
        else
            (void)fprintf(out, "    %-16s %16.*f %s\n", row->name, value == floor(value) ? 0 : 4,
                          value, row->unit);
    }
}

void hw_explain_text(const hw_explained *e, FILE *out)
{
    const hw_explanation *x = e->x;
    const hw_model *m = x->m;
    char resident[HW_BYTES_TEXT], name[HW_SHOWN_TEXT], own[HW_FOREIGN_NAME];
    hw_bytes_text(m->resident_bytes, resident);
    (void)fprintf(out, "%s: %" PRIu32 " nodes, %s%s, resident %s, hash %.12s\n",
                  hw_cli_graph_name(m->graph, name), m->n_nodes, hw_accounting_name(m->accounting),
                  m->pin_inputs ? ", pinned inputs" : "", resident, e->hash);
    put_solver(out, &e->ask->solver, &x->solver, m, x->log);
    if (e->ask->against.row)
        put_solver(out, &e->ask->against, &x->against, m, NULL);
    put_optimum(e, out);
    if (!x->has_order) {
        (void)fprintf(out, "  %s has no order: there is nothing to explain\n",
                      plain_name(&e->ask->solver, own));
    } else {
        put_turn(e, out);
        put_held(e, out);
    }
    put_features(e, out);
}
