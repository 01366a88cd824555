/* An explanation as JSON.  See explain_text.h. */
#include "cli/explain_text.h"
#include "core/json_out.h"
#include "core/ratio.h"

static void put_order(hw_json_out *j, const char *key, const hw_graph *g, const uint32_t *order,
                      uint32_t n)
{
    if (!order) {
        hw_json_put_null(j, key);
        return;
    }
    hw_json_open(j, key, '[');
    for (uint32_t i = 0; i < n; i++)
        hw_json_put_u64(j, NULL, hw_node_id(g, order[i]));
    hw_json_close(j, ']');
}

static void put_answer(hw_json_out *j, const char *key, const hw_explain_solver *solver,
                       const hw_answer *a, const hw_model *m)
{
    char spec[HW_EXPLAIN_SPEC];
    if (!solver->row) {
        hw_json_put_null(j, key);
        return;
    }
    hw_json_open(j, key, '{');
    hw_json_put_string(j, "solver", hw_explain_spec(solver, spec));
    hw_json_put_string(j, "status", hw_status_name(a->status));
    hw_json_put_u64_or_null(j, "peak", a->has_order, a->peak);
    hw_json_put_u64_or_null(j, "bound", a->has_bound, a->bound);
    hw_json_put_u64(j, "states", a->states);
    hw_json_put_bool(j, "limit_reached", a->limit_reached);
    put_order(j, "order", m->graph, a->has_order ? a->order : NULL, m->n_nodes);
    hw_json_close(j, '}');
}

static void put_ratio(hw_json_out *j, const hw_explanation *x)
{
    bool known = x->has_order && x->proven && (x->best > 0 || x->solver.peak == 0);
    double ratio = known ? hw_ratio_value((hw_ratio){x->solver.peak, x->best}) : 0;
    if (!known) {
        hw_json_put_null(j, "gap_percent");
        hw_json_put_null(j, "ratio");
        return;
    }
    hw_json_put_real(j, "gap_percent", (ratio - 1) * 100);
    hw_json_put_real(j, "ratio", ratio);
}

static void put_choice(hw_json_out *j, const char *key, const hw_graph *g,
                       const hw_explain_choice *c)
{
    hw_json_open(j, key, '{');
    hw_json_put_u64(j, "node", hw_node_id(g, c->node));
    hw_json_put_string(j, "name", hw_node_name(g, c->node));
    hw_json_put_i64(j, "net_change", (int64_t)c->net);
    hw_json_put_u64(j, "usage", c->usage);
    hw_json_close(j, '}');
}

static void put_turn(hw_json_out *j, const hw_explained *e)
{
    static const char *const targets[] = {[HW_TARGET_OPTIMUM] = "optimum",
                                          [HW_TARGET_KNOWN] = "best-known",
                                          [HW_TARGET_AGAINST] = "against"};
    const hw_explanation *x = e->x;
    const hw_graph *g = x->m->graph;
    if (!x->has_order) {
        hw_json_put_null(j, "turn");
        return;
    }
    hw_json_open(j, "turn", '{');
    hw_json_put_string(j, "target", targets[x->target]);
    hw_json_put_u64(j, "target_peak", x->target_bytes);
    hw_json_put_bool(j, "reaches_target", hw_explain_keeps(x));
    hw_json_put_bool(j, "exact", x->turn.lost == x->turn.kept + 1);
    hw_json_put_u64(j, "kept", x->turn.kept);
    hw_json_put_u64(j, "lost", x->turn.lost);
    hw_json_put_u64(j, "states", x->turn.states);
    put_order(j, "completion", g, x->other, x->m->n_nodes);
    if (x->has_turn) {
        hw_json_put_u64(j, "step", x->turn.kept);
        hw_json_put_u64(j, "live_before", x->live_turn);
        put_choice(j, "runs", g, &x->wrong);
        put_choice(j, "should_run", g, &x->right);
        hw_json_put_u64(j, "peak_after", x->after);
        hw_json_put_u64(j, "peak_after_bound", x->after_bound);
        hw_json_open(j, "could_run", '[');
        for (uint32_t i = 0; i < x->n_choices; i++)
            put_choice(j, NULL, g, &x->choice[i]);
        hw_json_close(j, ']');
    }
    hw_json_close(j, '}');
}

static void put_held(hw_json_out *j, const hw_explained *e)
{
    const hw_explanation *x = e->x;
    const hw_graph *g = x->m->graph;
    if (!x->has_order) {
        hw_json_put_null(j, "peak");
        return;
    }
    hw_json_open(j, "peak", '{');
    hw_json_put_i64(j, "step", x->log->peak_step);
    if (x->log->peak_step >= 0)
        hw_json_put_u64(j, "node", hw_node_id(g, x->log->order[x->log->peak_step]));
    else
        hw_json_put_null(j, "node");
    hw_json_put_i64(j, "other_step", x->other_step);
    hw_json_put_u64(j, "held_bytes", x->held_bytes);
    hw_json_put_u64(j, "not_held_there_bytes", x->elsewhere_bytes);
    hw_json_open(j, "held", '[');
    for (uint32_t i = 0; i < x->n_held; i++) {
        const hw_explain_held *h = &x->held[i];
        hw_json_open(j, NULL, '{');
        hw_json_put_u64(j, "tensor", hw_tensor_id(g, h->life->tensor));
        hw_json_put_string(j, "name", hw_tensor_name(g, h->life->tensor));
        hw_json_put_u64(j, "size", h->life->size);
        hw_json_put_i64(j, "born", h->life->birth);
        hw_json_put_i64(j, "dies", h->life->death);
        hw_json_put_i64(j, "other_born", h->other->birth);
        hw_json_put_i64(j, "other_dies", h->other->death);
        hw_json_put_bool(j, "held_there", h->held_there);
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
    hw_json_close(j, '}');
}

void hw_explain_json(const hw_explained *e, FILE *out)
{
    const hw_explanation *x = e->x;
    const hw_model *m = x->m;
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "graph", m->graph->name);
    hw_json_put_string(&j, "hash", e->hash);
    hw_json_put_u64(&j, "nodes", m->n_nodes);
    hw_json_put_string(&j, "accounting", hw_accounting_name(m->accounting));
    hw_json_put_bool(&j, "pin_inputs", m->pin_inputs);
    hw_json_put_u64(&j, "resident", m->resident_bytes);
    put_answer(&j, "solver", &e->ask->solver, &x->solver, m);
    put_answer(&j, "against", &e->ask->against, &x->against, m);
    put_answer(&j, "prover", &e->ask->prover, &x->prover, m);
    hw_json_put_u64_or_null(&j, "optimum", x->proven, x->best);
    hw_json_put_u64_or_null(&j, "best_known", x->has_best, x->best);
    hw_json_put_u64_or_null(&j, "bound", m->legal, x->bound);
    put_ratio(&j, x);
    put_turn(&j, e);
    put_held(&j, e);
    hw_json_open(&j, "features", '{');
    for (int i = 0; i < HW_N_FEATURES; i++)
        hw_json_put_real(&j, hw_feature_rows[i].name, x->features.value[i]);
    hw_json_close(&j, '}');
    hw_json_put_hex(&j, "seed", e->ask->request.seed);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}
