/* The fast simulator.  See sim.h. */
#include "model/sim.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

hw_code hw_sim_init(hw_sim *s, const hw_model *m, hw_error *err)
{
    memset(s, 0, sizeof *s);
    s->model = m;
    s->left = HW_NEW(uint32_t, m->n_buffers);
    if (!s->left)
        return hw_fail_memory(err, "simulating an order");
    hw_sim_reset(s);
    return HW_OK;
}

void hw_sim_reset(hw_sim *s)
{
    const hw_model *m = s->model;
    for (uint32_t b = 0; b < m->n_buffers; b++)
        s->left[b] = m->users.offset[b + 1] - m->users.offset[b];
    s->live = s->peak = m->live_empty;
    s->peak_step = -1;
    s->steps = 0;
}

void hw_sim_free(hw_sim *s)
{
    free(s->left);
    s->left = NULL;
}

static bool dying(const void *context, uint32_t buffer)
{
    const hw_sim *s = context;
    return s->left[buffer] == 1;
}

uint64_t hw_sim_reuse(const hw_sim *s, uint32_t v)
{
    uint64_t saved = hw_reuse(s->model, v, dying, s);
    return saved == UINT64_MAX ? 0 : saved; /* no memory: claim no saving */
}

hw_code hw_peak(const hw_model *m, const uint32_t *order, uint64_t *peak, hw_error *err)
{
    hw_sim s;
    hw_code code = hw_sim_init(&s, m, err);
    if (code != HW_OK)
        return code;
    for (uint32_t i = 0; i < m->n_nodes; i++)
        (void)hw_sim_step(&s, order[i]);
    *peak = s.peak;
    hw_sim_free(&s);
    return HW_OK;
}
