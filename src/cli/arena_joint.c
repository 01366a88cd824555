/* Order and addresses together.  See arena_joint.h. */
#include "cli/arena_joint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "core/memory.h"
#include "core/ratio.h"

void hw_joint_found_clear(hw_joint_found *found)
{
    hw_joint_clear(&found->side[0]);
    hw_joint_clear(&found->side[1]);
}

const hw_joint *hw_joint_lower(const hw_joint_found *found)
{
    const hw_joint *one = &found->side[0], *any = &found->side[1];
    return any->placement.height < one->placement.height ? any : one;
}

static bool proven(const hw_joint *j)
{
    return j->placement.height == j->bound;
}

/* The first order, and what is proven of all peaks. */
static hw_code first_order(const hw_cli *c, const hw_model *m, const hw_joint_ask *ask,
                           uint32_t *order, uint64_t *bound, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    *bound = m->simple_bound;
    if (!hw_solver_find(ask->order_name, strcspn(ask->order_name, ":")))
        return hw_cli_order(c, m, ask->order_name, NULL, order, err);
    hw_code code = hw_solver_parse(ask->order_name, &row, values, err);
    if (code != HW_OK)
        return code;
    hw_request request = {
        .params = values,
        .limits = {.seconds = ask->limits.seconds, .memory_bytes = hw_cli_default_memory()},
        .seed = c->seed,
        .stop = c->stop};
    hw_answer answer;
    code = hw_solve(m, row, &request, &answer, err);
    if (code != HW_OK)
        return code;
    if (!answer.has_order)
        code = hw_fail(err, m->legal ? HW_LIMIT : HW_CHECK_FAILED, "%s",
                       m->legal ? "no order is in hand: give more time or another solver"
                                : "no order is legal");
    else
        memcpy(order, answer.order, m->n_nodes * sizeof *order);
    if (answer.has_bound && answer.bound > *bound)
        *bound = answer.bound;
    hw_answer_clear(&answer);
    return code;
}

/* ---- What is told. ---- */

static void put_row(const hw_joint *j, bool any, uint64_t most, FILE *out)
{
    char which[48];
    const hw_placement *p = &j->placement;
    if (any)
        (void)snprintf(which, sizeof which, "any");
    else
        (void)snprintf(which, sizeof which, "of peak <= %" PRIu64, most);
    (void)fprintf(out, "  %-31s  %14" PRIu64 "  %14" PRIu64, which, j->peak, p->height);
    if (j->peak > 0)
        (void)fprintf(out, "  %11.6f", hw_ratio_value((hw_ratio){p->height, j->peak}));
    else
        (void)fprintf(out, "  %11s", "-");
    (void)fprintf(out, "  %8" PRIu64 "  ", j->orders);
    if (proven(j))
        (void)fputs("least\n", out);
    else
        (void)fprintf(out, ">= %" PRIu64 "\n", j->bound);
}

static void tell(const hw_cli *c, const hw_model *m, const hw_joint_ask *ask,
                 const hw_joint_found *found)
{
    FILE *out = c->out;
    const hw_joint *one = &found->side[0], *any = &found->side[1];
    char name[HW_SHOWN_TEXT], order[HW_SHOWN_TEXT], bytes[HW_BYTES_TEXT];
    hw_bytes_text(found->peak, bytes);
    (void)fprintf(out, "%s: %" PRIu32 " nodes, order %s, %s%s", hw_cli_graph_name(m->graph, name),
                  m->n_nodes, hw_cli_shown(ask->order_name, order),
                  hw_accounting_name(m->accounting), m->pin_inputs ? ", pinned inputs" : "");
    if (ask->alignment > 1)
        (void)fprintf(out, ", aligned to %" PRIu64, ask->alignment);
    (void)fprintf(out, "\n  logical peak %s%s\n", bytes,
                  found->least_peak ? ", no order has less" : "");
    (void)fprintf(out, "  %-31s  %14s  %14s  %11s  %8s  %s\n", "orders", "peak", "height",
                  "height/peak", "arenas", "proof");
    put_row(one, false, found->peak, out);
    put_row(any, true, 0, out);
    if (any->placement.height < one->placement.height)
        (void)fprintf(out, "  a peak higher by %" PRIu64 " has an arena lower by %" PRIu64 "%s\n",
                      any->peak - found->peak, one->placement.height - any->placement.height,
                      proven(one) && found->least_peak ? ": no order of the least peak has it"
                                                       : "");
}

static void side_json(hw_json_out *j, const hw_model *m, const hw_joint *side, bool any,
                      uint64_t most)
{
    hw_json_open(j, NULL, '{');
    hw_json_put_u64_or_null(j, "most_peak", !any, most);
    hw_json_put_u64(j, "peak", side->peak);
    hw_json_put_u64(j, "height", side->placement.height);
    hw_json_put_u64(j, "bound", side->bound);
    hw_json_put_bool(j, "proven_least", proven(side));
    hw_json_put_u64(j, "arenas", side->orders);
    hw_json_open(j, "order", '[');
    for (uint32_t i = 0; i < m->n_nodes; i++)
        hw_json_put_u64(j, NULL, hw_node_id(m->graph, side->order[i]));
    hw_json_close(j, ']');
    hw_json_close(j, '}');
}

static void tell_json(const hw_cli *c, const hw_model *m, const hw_joint_ask *ask,
                      const hw_joint_found *found)
{
    hw_json_out j = hw_json_on(c->out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "name", m->graph->name);
    hw_json_put_string(&j, "hash", ask->hash);
    hw_json_put_string(&j, "order", ask->order_name);
    hw_json_put_string(&j, "accounting", hw_accounting_name(m->accounting));
    hw_json_put_bool(&j, "pin_inputs", m->pin_inputs);
    hw_json_put_u64(&j, "alignment", ask->alignment);
    hw_json_put_u64(&j, "peak", found->peak);
    hw_json_put_bool(&j, "least_peak_proven", found->least_peak);
    hw_json_open(&j, "joint", '[');
    side_json(&j, m, &found->side[0], false, found->peak);
    side_json(&j, m, &found->side[1], true, 0);
    hw_json_close(&j, ']');
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

/* ---- Both searches. ---- */

static hw_code search(const hw_cli *c, const hw_model *m, const hw_joint_ask *ask, uint32_t *order,
                      hw_joint_found *found, hw_error *err)
{
    uint64_t bound = 0;
    hw_code code = first_order(c, m, ask, order, &bound, err);
    if (code != HW_OK)
        return code;
    hw_joint_request request = {.start = order,
                                .most_peak = UINT64_MAX,
                                .bound = bound,
                                .alignment = ask->alignment,
                                .prover = ask->prover,
                                .prover_params = ask->prover_params,
                                .orders = ask->limits.states,
                                .seconds = ask->limits.seconds,
                                .seed = c->seed,
                                .stop = c->stop};
    hw_arena *a;
    code = hw_arena_of_order(m, order, 1, &a, err); /* its peak, and whether it is legal */
    if (code != HW_OK)
        return code;
    found->peak = request.most_peak = a->load;
    found->least_peak = a->load == bound;
    hw_arena_free(a);
    code = hw_joint_find(m, &request, &found->side[0], err);
    if (code != HW_OK)
        return code;
    request.start = found->side[0].order;
    request.most_peak = UINT64_MAX;
    return hw_joint_find(m, &request, &found->side[1], err);
}

hw_code hw_joint_run(hw_cli *c, const hw_model *m, const hw_joint_ask *ask, hw_joint_found *found,
                     hw_error *err)
{
    memset(found, 0, sizeof *found);
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = order ? search(c, m, ask, order, found, err) : hw_fail_memory(err, "an order");
    free(order);
    if (code != HW_OK)
        return code;
    if (c->json)
        tell_json(c, m, ask, found);
    else
        tell(c, m, ask, found);
    return hw_cli_flush(c, err);
}
