/* Steps whose costs depend on no prefix.  See fixed_steps.h. */
#include "solvers/fixed_steps.h"

typedef struct asked {
    const uint32_t *last_user;
    uint32_t node;
} asked;

static bool dies_here(const void *context, uint32_t buffer)
{
    const asked *a = context;
    return a->last_user[buffer] == a->node;
}

hw_code hw_fixed_steps(const hw_model *m, const uint32_t *last_user, hw_segment *step,
                       hw_error *err)
{
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        uint64_t up = m->new_bytes[v] + hw_workspace(m, v); /* to the usage, without the freed  */
        uint64_t down =
            m->dead_bytes[v] + hw_workspace(m, v); /* from there to live after the step */
        uint64_t freed = 0;
        for (uint32_t i = m->uses.offset[v], end = m->uses.offset[v + 1]; i < end; i++) {
            uint32_t b = m->uses.item[i];
            freed += m->buffer_size[b] & -(uint64_t)(last_user[b] == v);
        }
        if (m->accounting == HW_ALLOC_FIRST) {
            uint64_t reuse =
                m->reuse_offset ? hw_reuse(m, v, dies_here, &(asked){last_user, v}) : 0;
            if (reuse == UINT64_MAX)
                return hw_fail_memory(err, "in-place pairs");
            step[v] = (hw_segment){up - reuse, down + freed - reuse};
        } else if (up >= freed) {
            step[v] = (hw_segment){up - freed, down};
        } else { /* usage below live before the step */
            step[v] = (hw_segment){0, freed - up + down};
        }
    }
    return HW_OK;
}
