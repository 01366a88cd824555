/* The order of least peak as an integer program.  See milp_model.h. */
#include "solvers/milp_model.h"

#include <stdlib.h>
#include <string.h>

#include "core/bitset.h"
#include "core/memory.h"

static const uint64_t exact_units = UINT64_C(1) << 53; /* whole numbers that doubles hold */

void milp_model_free(milp_model *p)
{
    if (!p)
        return;
    hw_linear_free(p->program);
    free(p->earliest);
    free(p->latest);
    free(p->first);
    free(p);
}

/* ---- Positions. ---- */

/* Add to count[v] the nodes from which `rows` leads to v; in topological order. */
static bool count_reached(uint32_t n, const hw_rows *rows, const uint32_t *order, bool backwards,
                          uint32_t *count)
{
    size_t words = hw_words(n);
    uint64_t *set = HW_NEW0(uint64_t, words * n);
    for (uint32_t i = 0; set && i < n; i++) {
        uint32_t v = order[backwards ? n - 1 - i : i];
        uint64_t *own = set + v * words;
        for (uint32_t k = rows->offset[v]; k < rows->offset[v + 1]; k++) {
            uint32_t u = rows->item[k];
            for (size_t w = 0; w < words; w++)
                own[w] |= set[u * words + w];
            hw_bits_add(own, u);
        }
        count[v] = 0;
        for (size_t w = 0; w < words; w++)
            count[v] += hw_count_bits(own[w]);
    }
    free(set);
    return set != NULL;
}

/* Ancestors run before a node, descendants after it; windows say the rest. */
static hw_code find_positions(milp_model *p, hw_error *err)
{
    const hw_model *m = p->model;
    const hw_graph *g = m->graph;
    uint32_t n = m->n_nodes, *order = HW_NEW(uint32_t, n);
    if (!order)
        return hw_fail_memory(err, "an integer program");
    hw_code code = hw_graph_level_order(g, order, err);
    if (code == HW_OK && (!count_reached(n, &g->preds, order, false, p->earliest) ||
                          !count_reached(n, &g->succs, order, true, p->latest)))
        code = hw_fail_memory(err, "an integer program");
    free(order);
    for (uint32_t v = 0; code == HW_OK && v < n; v++) {
        p->latest[v] = n - 1 - p->latest[v];
        if (m->earliest && m->earliest[v] > p->earliest[v])
            p->earliest[v] = m->earliest[v];
        if (m->latest && m->latest[v] < p->latest[v])
            p->latest[v] = m->latest[v];
        if (p->earliest[v] > p->latest[v])
            code = hw_fail(err, HW_BAD_INPUT, "no order fits the windows of the graph");
    }
    return code;
}

/* ---- Terms that may be constants. ---- */

/* factor * y_v_t; what is a constant goes to *constant. */
static void add_y(milp_model *p, uint32_t v, uint32_t t, int64_t factor, int64_t *constant)
{
    if (t > p->latest[v])
        *constant += factor;
    else if (t > p->earliest[v])
        hw_linear_add_term(p->program, p->first[v] + (t - p->earliest[v] - 1), factor);
}

static bool always(const milp_model *p, uint32_t v, uint32_t t)
{
    return t > p->latest[v];
}

static bool never(const milp_model *p, uint32_t v, uint32_t t)
{
    return t <= p->earliest[v];
}

/* ---- Rows of the order. ---- */

static void add_nodes(milp_model *p)
{
    for (uint32_t v = 0; v < p->model->n_nodes; v++) {
        p->first[v] = p->program->n_columns;
        for (uint32_t t = p->earliest[v] + 1; t <= p->latest[v]; t++)
            (void)hw_linear_add_column(p->program, 'y', v, t, 0, 1, 0, true);
    }
}

/* y_v_t <= y_w_s, unless it always holds. */
static void add_before(milp_model *p, uint32_t v, uint32_t t, uint32_t w, uint32_t s)
{
    int64_t constant = 0;
    if (never(p, v, t) || always(p, w, s))
        return;
    add_y(p, v, t, 1, &constant);
    add_y(p, w, s, -1, &constant);
    hw_linear_end_row(p->program, HW_LINEAR_AT_MOST, -constant);
}

static hw_code too_late(hw_error *err)
{
    return hw_fail(err, HW_LIMIT, "time was over while the integer program was laid");
}

static hw_code order_rows(milp_model *p, const hw_meter *meter, hw_error *err)
{
    const hw_graph *g = p->model->graph;
    uint32_t n = p->model->n_nodes;
    for (uint32_t t = 1; t < n; t++) {
        int64_t constant = 0;
        for (uint32_t v = 0; v < n; v++)
            add_y(p, v, t, 1, &constant);
        hw_linear_end_row(p->program, HW_LINEAR_EQUAL, (int64_t)t - constant);
    }
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t t = 1; t < n; t++)
            add_before(p, v, t, v, t + 1);
    for (uint32_t v = 0; v < n; v++) {
        if (meter && hw_meter_past(meter))
            return too_late(err);
        for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
            for (uint32_t t = 0; t < n; t++)
                add_before(p, g->succs.item[i], t + 1, v, t);
    }
    return HW_OK;
}

/* ---- Rows of the bytes. ---- */

/* L_b_t: a column with its rows, or a constant. */
typedef struct life {
    bool is_column;
    size_t column;
    int64_t constant;
} life;

static life add_life(milp_model *p, uint32_t b, uint32_t t)
{
    const hw_model *m = p->model;
    uint32_t maker = m->buffer_maker[b];
    bool open = false, waits = false; /* some consumer may be missing; one is */
    for (uint32_t i = m->users.offset[b]; i < m->users.offset[b + 1]; i++) {
        open |= !always(p, m->users.item[i], t);
        waits |= never(p, m->users.item[i], t);
    }
    if (!open || (maker != HW_NONE && never(p, maker, t)))
        return (life){.constant = 0};
    if (waits && (maker == HW_NONE || always(p, maker, t)))
        return (life){.constant = 1};
    life l = {.is_column = true};
    l.column = hw_linear_add_column(p->program, 'L', b, t, 0, 1, 0, false);
    for (uint32_t i = m->users.offset[b]; i < m->users.offset[b + 1]; i++) {
        if (always(p, m->users.item[i], t))
            continue;
        int64_t constant = maker == HW_NONE ? -1 : 0;
        hw_linear_add_term(p->program, l.column, 1);
        add_y(p, m->users.item[i], t, 1, &constant);
        if (maker != HW_NONE)
            add_y(p, maker, t, -1, &constant);
        hw_linear_end_row(p->program, HW_LINEAR_AT_LEAST, -constant);
    }
    return l;
}

/* sum of r_i_t of the pairs of v that have `key`, of which `i` is the first: at most 1. */
static void add_choice(milp_model *p, uint32_t v, uint32_t i, bool by_buffer, const size_t *column)
{
    const hw_model *m = p->model;
    const hw_reuse_pair *pair = m->reuse_pair;
    uint32_t first = m->reuse_offset[v], end = m->reuse_offset[v + 1], n = 0;
    for (uint32_t k = first; k < end; k++) {
        bool same = by_buffer ? pair[k].buffer == pair[i].buffer : pair[k].output == pair[i].output;
        if (same && k < i)
            return; /* an earlier pair has made the row */
        n += same;
    }
    for (uint32_t k = i; n > 1 && k < end; k++)
        if (by_buffer ? pair[k].buffer == pair[i].buffer : pair[k].output == pair[i].output)
            hw_linear_add_term(p->program, column[k - first], 1);
    if (n > 1)
        hw_linear_end_row(p->program, HW_LINEAR_AT_MOST, 1);
}

/* The columns r of the pairs of v at step t, with their rows. */
static void add_reuse(milp_model *p, uint32_t v, uint32_t t, size_t *column)
{
    const hw_model *m = p->model;
    uint32_t first = m->reuse_offset[v], end = m->reuse_offset[v + 1];
    for (uint32_t i = first; i < end; i++) {
        uint32_t b = m->reuse_pair[i].buffer;
        int64_t constant = 0;
        column[i - first] = hw_linear_add_column(p->program, 'r', i, t, 0, 1, 0, false);
        hw_linear_add_term(p->program, column[i - first], 1);
        add_y(p, v, t + 1, -1, &constant);
        add_y(p, v, t, 1, &constant);
        hw_linear_end_row(p->program, HW_LINEAR_AT_MOST, -constant);
        for (uint32_t k = m->users.offset[b]; k < m->users.offset[b + 1]; k++) {
            uint32_t u = m->users.item[k];
            if (u == v || always(p, u, t + 1))
                continue;
            constant = 0;
            hw_linear_add_term(p->program, column[i - first], 1);
            add_y(p, u, t + 1, -1, &constant);
            hw_linear_end_row(p->program, HW_LINEAR_AT_MOST, -constant);
        }
    }
    for (uint32_t i = first; i < end; i++) {
        add_choice(p, v, i, true, column);
        add_choice(p, v, i, false, column);
    }
}

/* Bytes that v leaves for good: kept outputs, which no consumer frees. */
static uint64_t kept_bytes(const hw_model *m, uint32_t v)
{
    uint64_t kept = m->new_bytes[v] - m->dead_bytes[v];
    for (uint32_t i = m->makes.offset[v]; i < m->makes.offset[v + 1]; i++)
        kept -= m->buffer_size[m->makes.item[i]];
    return kept;
}

/* Bytes that only the step of v has beside live(S), or beside live(S + v). */
static uint64_t step_bytes(const hw_model *m, uint32_t v)
{
    bool free_first = m->accounting == HW_FREE_FIRST;
    return hw_workspace(m, v) + (free_first ? m->dead_bytes[v] : m->new_bytes[v]);
}

/* Inputs that stay to the end. */
static uint64_t base_bytes(const hw_model *m)
{
    uint64_t base = m->live_empty;
    for (uint32_t b = 0; b < m->n_buffers; b++)
        if (m->buffer_maker[b] == HW_NONE)
            base -= m->buffer_size[b];
    return base;
}

/* P >= usage of step t.  The columns that it needs must be there. */
static void usage_row(milp_model *p, uint32_t t, const life *lives, const size_t *reuse)
{
    const hw_model *m = p->model;
    bool free_first = m->accounting == HW_FREE_FIRST;
    int64_t constant = (int64_t)(base_bytes(m) / p->unit_bytes);
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        int64_t kept = (int64_t)(kept_bytes(m, v) / p->unit_bytes);
        int64_t step = (int64_t)(step_bytes(m, v) / p->unit_bytes);
        add_y(p, v, t, (free_first ? 0 : kept) - step, &constant);
        add_y(p, v, t + 1, (free_first ? kept : 0) + step, &constant);
    }
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        int64_t size = (int64_t)(m->buffer_size[b] / p->unit_bytes);
        if (lives[b].is_column)
            hw_linear_add_term(p->program, lives[b].column, size);
        else
            constant += size * lives[b].constant;
    }
    for (uint32_t v = 0; m->reuse_offset && v < m->n_nodes; v++)
        for (uint32_t i = m->reuse_offset[v]; i < m->reuse_offset[v + 1]; i++)
            if (!never(p, v, t + 1) && !always(p, v, t))
                hw_linear_add_term(p->program, reuse[i],
                                   -(int64_t)(m->reuse_pair[i].saving / p->unit_bytes));
    hw_linear_add_term(p->program, p->peak, -1);
    hw_linear_end_row(p->program, HW_LINEAR_AT_MOST, -constant);
}

static hw_code byte_rows(milp_model *p, const hw_meter *meter, hw_error *err)
{
    const hw_model *m = p->model;
    uint32_t n_pairs = m->reuse_offset ? m->reuse_offset[m->n_nodes] : 0;
    life *lives = HW_NEW(life, m->n_buffers);
    size_t *reuse = HW_NEW(size_t, n_pairs);
    if (!lives || !reuse) {
        free(lives);
        free(reuse);
        return hw_fail_memory(err, "an integer program");
    }
    hw_code code = HW_OK;
    for (uint32_t t = 0; t < m->n_nodes && !p->program->failed && code == HW_OK; t++) {
        uint32_t when = m->accounting == HW_FREE_FIRST ? t + 1 : t;
        for (uint32_t b = 0; b < m->n_buffers; b++)
            lives[b] = add_life(p, b, when);
        for (uint32_t v = 0; m->reuse_offset && v < m->n_nodes; v++)
            if (!never(p, v, t + 1) && !always(p, v, t))
                add_reuse(p, v, t, reuse + m->reuse_offset[v]);
        usage_row(p, t, lives, reuse);
        if (meter && hw_meter_past(meter))
            code = too_late(err);
    }
    free(lives);
    free(reuse);
    return code;
}

/* ---- The unit. ---- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The unit, and the sum of all bytes in it, which no coefficient passes. */
static hw_code find_unit(milp_model *p, hw_error *err)
{
    const hw_model *m = p->model;
    uint64_t unit = common_divisor(m->live_empty, base_bytes(m)), most = m->live_empty;
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        unit = common_divisor(unit, kept_bytes(m, v));
        unit = common_divisor(unit, step_bytes(m, v));
        most += m->new_bytes[v] + hw_workspace(m, v); /* the builder refused sums too large */
    }
    for (uint32_t b = 0; b < m->n_buffers; b++)
        unit = common_divisor(unit, m->buffer_size[b]);
    for (uint32_t i = 0; m->reuse_offset && i < m->reuse_offset[m->n_nodes]; i++)
        unit = common_divisor(unit, m->reuse_pair[i].saving);
    p->unit_bytes = unit ? unit : 1;
    p->most_units = most / p->unit_bytes;
    if (p->most_units > exact_units)
        return hw_fail(err, HW_USAGE,
                       "sizes of all tensors together pass 2^53 of their common unit (%llu bytes): "
                       "programs that solve integer programs compute in floating point",
                       (unsigned long long)p->unit_bytes);
    return HW_OK;
}

hw_code milp_model_new(const hw_model *m, milp_model **out, hw_error *err)
{
    return milp_model_in_time(m, NULL, out, err);
}

hw_code milp_model_in_time(const hw_model *m, const hw_meter *meter, milp_model **out,
                           hw_error *err)
{
    *out = NULL;
    if (m->n_nodes > MILP_MOST_NODES)
        return hw_fail(err, HW_USAGE, "the integer program is written for at most %d nodes",
                       (int)MILP_MOST_NODES);
    if (m->n_nodes == 0 || !m->legal)
        return hw_fail(err, HW_BAD_INPUT, "the graph has no nodes, or no order fits its windows");
    milp_model *p = HW_NEW0(milp_model, 1);
    if (!p)
        return hw_fail_memory(err, "an integer program");
    p->model = m;
    p->program = hw_linear_new();
    p->earliest = HW_NEW0(uint32_t, m->n_nodes);
    p->latest = HW_NEW0(uint32_t, m->n_nodes);
    p->first = HW_NEW(size_t, m->n_nodes);
    hw_code code = p->program && p->earliest && p->latest && p->first
                       ? find_unit(p, err)
                       : hw_fail_memory(err, "an integer program");
    if (code == HW_OK)
        code = find_positions(p, err);
    if (code == HW_OK) {
        p->peak = hw_linear_add_column(p->program, 'P', 0, HW_LINEAR_NO_INDEX,
                                       (int64_t)(m->live_empty / p->unit_bytes), HW_LINEAR_ENDLESS,
                                       1, true);
        add_nodes(p);
        code = order_rows(p, meter, err);
    }
    if (code == HW_OK)
        code = byte_rows(p, meter, err);
    if (code == HW_OK)
        code = hw_linear_finish(p->program, err);
    if (code == HW_OK)
        *out = p;
    else
        milp_model_free(p);
    return code;
}

hw_code milp_model_order(const milp_model *p, const double *value, uint32_t *order, hw_error *err)
{
    uint32_t n = p->model->n_nodes;
    for (uint32_t i = 0; i < n; i++)
        order[i] = HW_NONE;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t position = p->earliest[v];
        while (position < p->latest[v] && value[p->first[v] + (position - p->earliest[v])] < 0.5)
            position++;
        if (order[position] != HW_NONE)
            return hw_fail(err, HW_INTERNAL,
                           "the integer program puts two nodes at position %lu: no order",
                           (unsigned long)position);
        order[position] = v;
    }
    return HW_OK;
}
