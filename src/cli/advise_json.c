/* Advice as JSON.  See advise_text.h. */
#include "cli/advise_text.h"
#include "core/json_out.h"

static void put_ids(hw_json_out *j, const char *key, const hw_graph *g, const uint32_t *node,
                    uint32_t n)
{
    hw_json_open(j, key, '[');
    for (uint32_t i = 0; i < n; i++)
        hw_json_put_u64(j, NULL, hw_node_id(g, node[i]));
    hw_json_close(j, ']');
}

static void put_node_or_null(hw_json_out *j, const char *key, const hw_graph *g, uint32_t v)
{
    hw_json_put_u64_or_null(j, key, v != HW_NONE, v == HW_NONE ? 0 : hw_node_id(g, v));
}

/* ---- The peak and what is alive there. ---- */

static void put_peak(hw_json_out *j, const hw_advised *d)
{
    const hw_advice *a = d->advice;
    const hw_log *log = a->log;
    const hw_graph *g = a->m->graph;
    hw_json_open(j, "peak", '{');
    hw_json_put_string(j, "order_name", d->order_name);
    hw_json_put_u64(j, "bytes", log->peak + d->added);
    hw_json_put_i64(j, "step", log->peak_step);
    put_node_or_null(j, "node", g, log->peak_step < 0 ? HW_NONE : log->order[log->peak_step]);
    hw_json_open(j, "steps", '[');
    for (size_t i = 0; i < a->gaps.n_peak_steps; i++)
        hw_json_put_i64(j, NULL, a->gaps.peak_step[i]);
    hw_json_close(j, ']');
    hw_json_put_u64(j, "next_usage", a->gaps.next_usage + d->added);
    put_ids(j, "order", g, log->order, log->n_steps);
    hw_json_close(j, '}');
}

static void put_chain(hw_json_out *j, const hw_advised *d, const hw_chain *c)
{
    static const char *const states[] = {[HW_CHAIN_UNKNOWN] = NULL,
                                         [HW_CHAIN_FOUND] = "found",
                                         [HW_CHAIN_GIVEN] = "given",
                                         [HW_CHAIN_FIXED] = "fixed",
                                         [HW_CHAIN_ILLEGAL] = "illegal"};
    const hw_advice *a = d->advice;
    bool found = c->state == HW_CHAIN_FOUND;
    hw_json_open(j, "recompute", '{');
    hw_json_put_string(j, "state", states[c->state]);
    hw_json_put_u64_or_null(j, "peak", found, c->peak + d->added);
    hw_json_put_u64_or_null(j, "saves", found, c->peak < a->log->peak ? a->log->peak - c->peak : 0);
    put_ids(j, "nodes", a->m->graph, c->node, c->n_nodes);
    hw_json_put_u64(j, "moves", c->bytes);
    hw_json_close(j, '}');
}

static void put_held(hw_json_out *j, const hw_advised *d, const hw_held *h)
{
    static const char *const states[] = {[HW_HELD_IDLE] = "idle",
                                         [HW_HELD_USED] = "read",
                                         [HW_HELD_MADE] = "made",
                                         [HW_HELD_PINNED] = "pinned"};
    const hw_advice *a = d->advice;
    const hw_graph *g = a->m->graph;
    const hw_log *log = a->log;
    hw_json_open(j, NULL, '{');
    hw_json_put_u64(j, "tensor", hw_tensor_id(g, h->life->tensor));
    hw_json_put_string(j, "name", hw_tensor_name(g, h->life->tensor));
    hw_json_put_u64(j, "size", h->life->size);
    hw_json_put_string(j, "state", states[h->state]);
    put_node_or_null(j, "made_by", g, g->tensor_producer[h->life->tensor]);
    hw_json_put_i64(j, "born", h->life->birth);
    if (h->gap) {
        bool used_again = h->gap->to < (int64_t)log->n_steps;
        hw_json_put_i64(j, "last_use", h->gap->from);
        hw_json_put_u64_or_null(j, "next_use", used_again, (uint64_t)h->gap->to);
        hw_json_put_i64(j, "steps_since_made", log->peak_step - h->life->birth);
        hw_json_put_u64_or_null(j, "steps_to_next_use", used_again,
                                (uint64_t)(h->gap->to - log->peak_step));
        hw_json_put_u64(j, "peak_if_dropped", h->dropped + d->added);
        hw_json_put_u64(j, "saves", log->peak - h->dropped);
        hw_json_put_u64(j, "spill_moves", h->moved_bytes);
        put_chain(j, d, &h->chain);
    }
    hw_json_close(j, '}');
}

static void put_set(hw_json_out *j, const hw_advised *d)
{
    const hw_advice *a = d->advice;
    const hw_log *log = a->log;
    if (a->n_set == 0) {
        hw_json_put_null(j, "set");
        hw_json_put_i64(j, "stuck_step", a->stuck);
        return;
    }
    hw_json_open(j, "set", '{');
    hw_json_put_u64(j, "peak_if_dropped", a->set_peak + d->added);
    hw_json_put_u64(j, "saves", log->peak - a->set_peak);
    hw_json_open(j, "drops", '[');
    for (size_t i = 0; i < a->n_set; i++) {
        const hw_gap *gap = &a->gaps.gap[a->set[i]];
        hw_json_open(j, NULL, '{');
        hw_json_put_u64(j, "tensor", hw_tensor_id(a->m->graph, log->life[gap->life].tensor));
        hw_json_put_u64(j, "size", gap->size);
        hw_json_put_i64(j, "from", gap->unborn ? -1 : gap->from + !gap->frees);
        hw_json_put_i64(j, "to", gap->to - 1);
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
    hw_json_close(j, '}');
}

/* ---- How low it can go. ---- */

static void put_least(hw_json_out *j, const hw_advised *d, uint64_t peak, uint64_t bound)
{
    hw_json_put_u64(j, "peak", peak + d->added);
    hw_json_put_u64(j, "bound", (bound < peak ? bound : peak) + d->added);
    hw_json_put_bool(j, "proven", bound >= peak);
}

static void put_rules(hw_json_out *j, const hw_advised *d)
{
    static const char *const keys[] = {[HW_IF_NO_INPLACE] = "without_inplace",
                                       [HW_IF_ALL_INPLACE] = "all_inplace",
                                       [HW_IF_NO_VIEWS] = "without_views"};
    const hw_advice *a = d->advice;
    hw_json_open(j, "by_order", '{');
    put_least(j, d, a->level[0].peak, a->level[0].bound);
    hw_json_close(j, '}');
    for (int kind = 0; kind < HW_IF_KINDS; kind++) {
        const hw_other_rule *r = &a->rule[kind];
        if (!r->has || !r->has_order) {
            hw_json_put_null(j, keys[kind]);
            continue;
        }
        hw_json_open(j, keys[kind], '{');
        put_least(j, d, r->peak, r->bound);
        hw_json_put_u64(j, "changed", r->changed);
        hw_json_close(j, '}');
    }
}

static void put_levels(hw_json_out *j, const hw_advised *d)
{
    const hw_advice *a = d->advice;
    hw_json_open(j, "recompute", '[');
    for (uint32_t k = 1; k <= a->copies; k++) {
        const hw_level *l = &a->level[k];
        hw_json_open(j, NULL, '{');
        hw_json_put_u64(j, "nodes", k);
        put_least(j, d, l->peak, l->bound);
        hw_json_put_bool(j, "every_change", l->every);
        hw_json_put_u64(j, "changes", l->changes);
        hw_json_put_u64(j, "settled", l->settled);
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
}

static void put_copy(hw_json_out *j, const hw_advised *d, uint32_t v)
{
    const hw_graph *g = d->applied->graph;
    hw_json_open(j, NULL, '{');
    hw_json_put_u64(j, "node",
                    hw_node_id(d->advice->m->graph, d->applied->level->best.node_origin[v]));
    hw_json_put_u64(j, "copy", hw_node_id(g, v));
    hw_json_put_bool(j, "view", g->node_flags[v] & HW_NODE_VIEW);
    hw_json_open(j, "read_by", '[');
    for (uint32_t w = 0; w < g->n_nodes; w++) {
        bool reads = false;
        for (uint32_t i = g->inputs.offset[w]; i < g->inputs.offset[w + 1]; i++)
            reads = reads || g->tensor_producer[g->inputs.item[i]] == v;
        if (reads)
            hw_json_put_u64(j, NULL, hw_node_id(g, w));
    }
    hw_json_close(j, ']');
    hw_json_close(j, '}');
}

static void put_applied(hw_json_out *j, const hw_advised *d)
{
    if (!d->applied->level) {
        hw_json_put_null(j, "best_recompute");
        return;
    }
    const hw_again *best = &d->applied->level->best;
    hw_json_open(j, "best_recompute", '{');
    hw_json_put_u64(j, "peak", d->applied->level->peak + d->added);
    hw_json_put_u64(j, "nodes", best->n_copies);
    hw_json_put_u64(j, "moves", best->bytes);
    hw_json_open(j, "copies", '[');
    for (uint32_t v = 0; v < best->graph->n_nodes; v++)
        if (best->node_copied[v])
            put_copy(j, d, v);
    hw_json_close(j, ']');
    put_ids(j, "order", d->applied->graph, best->order, best->graph->n_nodes);
    hw_json_close(j, '}');
}

static void put_limits(hw_json_out *j, const hw_advised *d)
{
    static const char *const keys[] = {
        [HW_LIMIT_ORDER] = "limit_by_order", [HW_LIMIT_AGAIN] = "limit_by_recomputing"};
    for (int kind = 0; kind < HW_LIMIT_KINDS; kind++) {
        const hw_limit *l = &d->advice->limit[kind];
        hw_json_open(j, keys[kind], '{');
        hw_json_put_u64(j, "bytes", l->bytes + d->added);
        put_node_or_null(j, "node", d->advice->m->graph, l->node);
        hw_json_put_u64(j, "inputs", l->own.inputs);
        hw_json_put_u64(j, "outputs", l->own.outputs);
        hw_json_put_u64(j, "workspace", l->own.workspace);
        hw_json_put_bool(j, "whole", l->whole);
        hw_json_close(j, '}');
    }
}

void hw_advise_json(const hw_advised *d, FILE *out)
{
    const hw_advice *a = d->advice;
    const hw_model *m = a->m;
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "graph", m->graph->name);
    hw_json_put_string(&j, "hash", d->hash);
    hw_json_put_u64(&j, "nodes", m->n_nodes);
    hw_json_put_string(&j, "accounting", hw_accounting_name(m->accounting));
    hw_json_put_bool(&j, "pin_inputs", m->pin_inputs);
    hw_json_put_u64(&j, "resident", m->resident_bytes);
    hw_json_put_bool(&j, "with_resident", d->added != 0);
    put_peak(&j, d);
    hw_json_open(&j, "alive", '[');
    for (size_t i = 0; i < a->n_held; i++)
        put_held(&j, d, &a->held[i]);
    hw_json_close(&j, ']');
    put_set(&j, d);
    put_rules(&j, d);
    put_levels(&j, d);
    put_applied(&j, d);
    put_limits(&j, d);
    hw_json_put_bool(&j, "ended_early", a->stopped);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}
