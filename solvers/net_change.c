/* Net changes, kept fresh.  See net_change.h. */
#include "solvers/net_change.h"

#include <string.h>

static void lay_keys(hw_net *s, const uint32_t *path, hw_key net_unit, hw_key path_unit)
{
    const hw_model *m = s->m;
    for (uint32_t v = 0; v < m->n_nodes; v++)
        s->key[v] =
            HW_NET_BIAS + (m->new_bytes[v] - m->dead_bytes[v]) * net_unit - path[v] * path_unit + v;
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        uint32_t begin = m->users.offset[b], end = m->users.offset[b + 1], last = 0;
        for (uint32_t i = begin; i < end; i++)
            last ^= m->users.item[i];
        s->buffer[b] = (hw_net_buffer){m->buffer_size[b], end - begin, last};
        if (end - begin == 1)
            s->key[last] -= m->buffer_size[b] * net_unit;
    }
}

hw_code hw_net_open(hw_net *s, const hw_model *m, const uint32_t *path, hw_key net_unit,
                    hw_key path_unit, hw_error *err)
{
    memset(s, 0, sizeof *s);
    s->m = m;
    s->buffer = HW_NEW(hw_net_buffer, m->n_buffers);
    s->key = HW_NEW(hw_key, m->n_nodes);
    s->waiting = HW_NEW(uint32_t, m->n_nodes);
    if (!s->buffer || !s->key || !s->waiting || !hw_heap_init(&s->ready, m->n_nodes, s->waiting))
        return hw_fail_memory(err, "the net changes of the nodes");
    hw_code code = hw_gate_open(&s->gate, m, false, err);
    if (code != HW_OK)
        return code;
    lay_keys(s, path, net_unit, path_unit);
    hw_count_preds(m, s->waiting);
    for (uint32_t v = 0; v < m->n_nodes; v++)
        if (s->waiting[v] == 0)
            hw_heap_push(&s->ready, s->key[v]);
    return HW_OK;
}

void hw_net_close(hw_net *s)
{
    hw_gate_close(&s->gate);
    hw_heap_free(&s->ready);
    free(s->buffer);
    free(s->key);
    free(s->waiting);
    memset(s, 0, sizeof *s);
}

static bool dying(const void *context, uint32_t buffer)
{
    const hw_net *s = context;
    return s->buffer[buffer].left == 1;
}

uint64_t hw_net_reuse(const hw_net *s, uint32_t v)
{
    uint64_t saved = hw_reuse(s->m, v, dying, s);
    return saved == UINT64_MAX ? 0 : saved; /* no memory: claim no saving */
}
