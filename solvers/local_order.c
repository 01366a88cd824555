/* An order in hand, measured step by step.  See local_order.h. */
#include "solvers/local_order.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

typedef struct place {
    const local_order *l;
    uint32_t step;
} place;

static bool dying(const void *context, uint32_t buffer)
{
    const place *at = context;
    return at->l->last[buffer] == at->step;
}

static uint64_t saved(const local_order *l, uint32_t step)
{
    uint64_t bytes = hw_reuse(l->m, l->order[step], dying, &(place){l, step});
    return bytes == UINT64_MAX ? 0 : bytes; /* no memory: claim no saving */
}

static void measure_step(local_order *l, uint32_t step)
{
    const hw_model *m = l->m;
    uint32_t v = l->order[step];
    uint64_t freed = 0, usage = l->live[step] + m->new_bytes[v] + hw_workspace(m, v);
    for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++)
        if (l->last[m->uses.item[i]] == step)
            freed += m->buffer_size[m->uses.item[i]];
    if (m->accounting == HW_FREE_FIRST)
        usage -= freed;
    else if (m->reuse_offset)
        usage -= saved(l, step);
    l->usage[step] = usage;
    l->live[step + 1] = l->live[step] + m->new_bytes[v] - m->dead_bytes[v] - freed;
}

static void join(local_order *l, uint32_t i)
{
    uint64_t left = l->most[2 * (size_t)i], right = l->most[2 * (size_t)i + 1];
    l->most[i] = left > right ? left : right;
}

void local_order_renew(local_order *l)
{
    const hw_model *m = l->m;
    l->live[0] = m->live_empty;
    for (uint32_t step = 0; step < l->n; step++) {
        uint32_t v = l->order[step];
        l->position[v] = step;
        for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++)
            l->last[m->uses.item[i]] = step;
    }
    for (uint32_t step = 0; step < l->n; step++)
        measure_step(l, step);
    memcpy(l->most + l->leaves, l->usage, l->n * sizeof *l->most);
    for (uint32_t i = l->leaves - 1; i; i--)
        join(l, i);
}

/*
 * A buffer that a node of the stretch uses and whose last user does not stand
 * behind the stretch has its last user inside, before and after.
 */
void local_order_relay(local_order *l, uint32_t low, uint32_t high)
{
    const hw_model *m = l->m;
    for (uint32_t step = low; step < high; step++) {
        uint32_t v = l->order[step];
        l->position[v] = step;
        for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++)
            if (l->last[m->uses.item[i]] < high)
                l->last[m->uses.item[i]] = step;
    }
    for (uint32_t step = low; step < high; step++) {
        measure_step(l, step);
        l->most[l->leaves + step] = l->usage[step];
    }
    uint32_t first = l->leaves + low, end = l->leaves + high - 1;
    while (first > 1) {
        first /= 2;
        end /= 2;
        for (uint32_t i = first; i <= end; i++)
            join(l, i);
    }
}

uint32_t local_order_find(const local_order *l, uint32_t from, uint64_t bytes)
{
    uint32_t i = l->leaves + from;
    if (from >= l->n)
        return l->n;
    while (l->most[i] < bytes) { /* to the next subtree that begins behind this one */
        while (i & 1)
            i /= 2;
        if (i == 0)
            return l->n;
        i++;
    }
    while (i < l->leaves) {
        i *= 2;
        if (l->most[i] < bytes)
            i++;
    }
    return i - l->leaves;
}

uint32_t local_order_draw(const local_order *l, uint64_t draw, uint64_t bytes)
{
    uint32_t i = 1;
    for (; i < l->leaves; draw >>= 1) {
        uint32_t child = 2 * i + (uint32_t)(draw & 1);
        i = l->most[child] >= bytes ? child : child ^ 1;
    }
    return i - l->leaves;
}

hw_code local_order_open(local_order *l, const hw_model *m, uint32_t *order, hw_error *err)
{
    *l = (local_order){.m = m, .n = m->n_nodes, .order = order, .leaves = 1};
    while (l->leaves < l->n && l->leaves <= UINT32_MAX / 4)
        l->leaves *= 2;
    l->position = HW_NEW(uint32_t, l->n);
    l->last = HW_NEW(uint32_t, m->n_buffers);
    l->live = HW_NEW(uint64_t, (size_t)l->n + 1);
    l->usage = HW_NEW(uint64_t, l->n);
    l->most = HW_NEW0(uint64_t, 2 * (size_t)l->leaves);
    if (l->leaves < l->n || !l->position || !l->last || !l->live || !l->usage || !l->most)
        return hw_fail_memory(err, "an order to be improved");
    local_order_renew(l);
    return HW_OK;
}

void local_order_close(local_order *l)
{
    free(l->position);
    free(l->last);
    free(l->live);
    free(l->usage);
    free(l->most);
    memset(l, 0, sizeof *l);
}
