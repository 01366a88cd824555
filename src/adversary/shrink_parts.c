/* Steps of shrinking that leave the nodes and take what hangs on them.  See shrink_steps.h. */
#include "adversary/shrink_steps.h"

HW_STEP_COUNT(hw_count_tensors)
{
    (void)view;
    return e->n_tensors;
}

HW_STEP_COUNT(hw_count_tensor_pairs)
{
    (void)view;
    return e->n_tensors * e->n_tensors;
}

HW_STEP_COUNT(hw_count_pairs)
{
    (void)view;
    return e->n_pairs;
}

HW_STEP_COUNT(hw_count_controls)
{
    (void)view;
    return e->n_controls;
}

/* A tensor with its reads, where its maker makes another one. */
HW_STEP_TAKE(hw_take_drop_tensor)
{
    (void)view;
    (void)err;
    uint32_t maker = e->tensor[index].maker;
    *taken = maker == HW_NONE;
    for (size_t t = 0; t < e->n_tensors && !*taken; t++)
        *taken = t != index && e->tensor[t].maker == maker;
    e->tensor[index].gone = true;
    return HW_OK;
}

bool hw_may_be_one_tensor(const hw_edit *e, size_t index)
{
    size_t a = index / e->n_tensors, b = index % e->n_tensors;
    return a < b && e->tensor[a].maker == e->tensor[b].maker &&
           e->tensor[a].kind == e->tensor[b].kind;
}

/* Two tensors of one node become one: the larger size, for the readers of both. */
HW_STEP_TAKE(hw_take_merge_tensors)
{
    (void)view;
    (void)err;
    size_t a = index / e->n_tensors, b = index % e->n_tensors;
    *taken =
        a < b && e->tensor[a].maker == e->tensor[b].maker && e->tensor[a].kind == e->tensor[b].kind;
    if (!*taken)
        return HW_OK;
    hw_edit_redirect(e, (uint32_t)b, (uint32_t)a);
    if (e->tensor[a].size < e->tensor[b].size)
        e->tensor[a].size = e->tensor[b].size;
    e->tensor[b].gone = true;
    return HW_OK;
}

HW_STEP_TAKE(hw_take_drop_read)
{
    (void)view;
    (void)err;
    e->read[index].gone = true;
    *taken = true;
    return HW_OK;
}

HW_STEP_TAKE(hw_take_drop_control)
{
    (void)view;
    (void)err;
    e->control[index].gone = true;
    *taken = true;
    return HW_OK;
}

HW_STEP_TAKE(hw_take_drop_pair)
{
    (void)view;
    (void)err;
    e->pair[index].gone = true;
    *taken = true;
    return HW_OK;
}

static hw_code clear_flag(hw_edit *e, size_t node, uint8_t flag, bool *taken)
{
    *taken = e->node[node].flags & flag;
    e->node[node].flags &= (uint8_t)~flag;
    return HW_OK;
}

HW_STEP_TAKE(hw_take_not_required)
{
    (void)view;
    (void)err;
    return clear_flag(e, index, HW_NODE_INPLACE_REQUIRED, taken);
}

HW_STEP_TAKE(hw_take_no_view)
{
    (void)view;
    (void)err;
    return clear_flag(e, index, HW_NODE_VIEW, taken);
}

HW_STEP_TAKE(hw_take_no_lock)
{
    (void)view;
    (void)err;
    return clear_flag(e, index, HW_NODE_LOCKED, taken);
}

HW_STEP_TAKE(hw_take_no_window)
{
    (void)view;
    (void)err;
    *taken = e->node[index].window != HW_NONE;
    e->node[index].window = HW_NONE;
    return HW_OK;
}

HW_STEP_TAKE(hw_take_no_workspace)
{
    (void)view;
    (void)err;
    *taken = e->node[index].workspace != 0;
    e->node[index].workspace = 0;
    return HW_OK;
}

/* A tensor that is read and yet kept to the end is kept no more. */
HW_STEP_TAKE(hw_take_not_kept)
{
    (void)view;
    (void)err;
    *taken = e->tensor[index].kind == HW_OUTPUT && e->tensor[index].readers;
    e->tensor[index].kind = HW_ACTIVATION;
    return HW_OK;
}
