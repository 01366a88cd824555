/* Net changes, kept fresh.  See net_change.h. */
#include "solvers/net_change.h"

#include <string.h>

#include "model/paths.h"

void hw_net_lay_buffers(const hw_model *m, hw_net_buffer *buffer)
{
    const hw_rows *users = &m->users;
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        uint32_t last = 0;
        for (uint32_t i = users->offset[b]; i < users->offset[b + 1]; i++)
            last ^= users->item[i];
        buffer[b] = (hw_net_buffer){users->offset[b + 1] - users->offset[b], last};
    }
}

hw_code hw_net_open(hw_net *s, const hw_model *m, hw_error *err)
{
    memset(s, 0, sizeof *s);
    s->m = m;
    s->buffer = HW_NEW(hw_net_buffer, m->n_buffers);
    s->path = HW_NEW(uint32_t, m->n_nodes);
    s->waiting = HW_NEW(uint32_t, m->n_nodes);
    s->scratch =
        HW_NEW(uint32_t, (size_t)(m->n_nodes > m->n_buffers ? m->n_nodes : m->n_buffers) + 1);
    if (!s->buffer || !s->path || !s->waiting || !s->scratch ||
        !hw_heap_init(&s->ready, m->n_nodes, s->waiting))
        return hw_fail_memory(err, "the net changes of the nodes");
    hw_code code = hw_gate_open(&s->gate, m, false, err);
    if (code == HW_OK)
        code = hw_paths_down(m->graph, s->path, err);
    if (code == HW_OK)
        hw_net_lay_buffers(m, s->buffer);
    return code;
}

void hw_net_prime(hw_net *s, hw_key net_unit, hw_key path_unit)
{
    hw_count_preds(s->m, s->waiting);
    for (uint32_t v = 0; v < s->m->n_nodes; v++)
        if (s->waiting[v] == 0)
            hw_heap_push(&s->ready, hw_net_key(s, net_unit, path_unit, v));
}

void hw_net_close(hw_net *s)
{
    hw_gate_close(&s->gate);
    hw_heap_free(&s->ready);
    free(s->buffer);
    free(s->path);
    free(s->scratch);
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
