/*
 * The single steps of shrinking: each kind a list of candidates on a graph that
 * can be changed.  Shared by shrink.c and its parts; no interface for others.
 */
#ifndef HW_ADVERSARY_SHRINK_STEPS_H
#define HW_ADVERSARY_SHRINK_STEPS_H

#include "model/edit.h"

/* What a kind of step may look at. */
typedef struct hw_step_view {
    const uint64_t *value; /* the sizes and workspaces above `least`, each once, ascending */
    size_t n_values;
    uint64_t least; /* no size is made smaller: 1 or 0 */
} hw_step_view;

typedef struct hw_step_kind {
    const char *name;
    bool removes_nodes; /* every candidate has fewer nodes */

    /* How many candidates e has. */
    size_t (*count)(const hw_edit *e, const hw_step_view *view);

    /* False: candidate `index` is none, seen at once.  NULL: take() says. */
    bool (*may)(const hw_edit *e, size_t index);

    /*
     * Turn e into the candidate of that number, hw_edit_sweep() still to come.
     * *taken false: there is none, and e is of no use.  HW_NO_MEMORY.
     */
    hw_code (*take)(hw_edit *e, const hw_step_view *view, size_t index, bool *taken, hw_error *err);
} hw_step_kind;

/* All kinds, in the order in which they are tried. */
extern const hw_step_kind hw_step_kinds[];
extern const size_t hw_n_step_kinds;

/* ---- Parts: nodes (shrink_nodes.c), what hangs on them (shrink_parts.c), sizes (shrink_sizes.c).
 */

#define HW_STEP_COUNT(function) size_t function(const hw_edit *e, const hw_step_view *view)
#define HW_STEP_TAKE(function)                                                                     \
    hw_code function(hw_edit *e, const hw_step_view *view, size_t index, bool *taken, hw_error *err)

bool hw_may_be_twins(const hw_edit *e, size_t index);
HW_STEP_COUNT(hw_count_nodes);
HW_STEP_COUNT(hw_count_node_pairs);
HW_STEP_COUNT(hw_count_reads);
HW_STEP_TAKE(hw_take_drop_node);
HW_STEP_TAKE(hw_take_bypass);
HW_STEP_TAKE(hw_take_merge_into_reader);
HW_STEP_TAKE(hw_take_merge_into_maker);
HW_STEP_TAKE(hw_take_merge_twins);

bool hw_may_be_one_tensor(const hw_edit *e, size_t index);
HW_STEP_COUNT(hw_count_tensors);
HW_STEP_COUNT(hw_count_tensor_pairs);
HW_STEP_COUNT(hw_count_pairs);
HW_STEP_COUNT(hw_count_controls);
HW_STEP_TAKE(hw_take_drop_tensor);
HW_STEP_TAKE(hw_take_merge_tensors);
HW_STEP_TAKE(hw_take_drop_read);
HW_STEP_TAKE(hw_take_drop_control);
HW_STEP_TAKE(hw_take_drop_pair);
HW_STEP_TAKE(hw_take_not_required);
HW_STEP_TAKE(hw_take_no_view);
HW_STEP_TAKE(hw_take_no_lock);
HW_STEP_TAKE(hw_take_no_window);
HW_STEP_TAKE(hw_take_no_workspace);
HW_STEP_TAKE(hw_take_not_kept);

HW_STEP_COUNT(hw_count_whole);
HW_STEP_COUNT(hw_count_values);
HW_STEP_COUNT(hw_count_single_sizes);
HW_STEP_TAKE(hw_take_whole);
HW_STEP_TAKE(hw_take_value);
HW_STEP_TAKE(hw_take_single_size);

/* Give every size and workspace that is `from` the value `to`. */
void hw_edit_revalue(hw_edit *e, uint64_t from, uint64_t to);

/*
 * The values of e above `least`, each once, ascending, into *value, an array
 * that grows; *n of them.  O(size log size).  HW_NO_MEMORY.
 */
hw_code hw_edit_values(const hw_edit *e, uint64_t least, uint64_t **value, size_t *room, size_t *n,
                       hw_error *err);

#endif
