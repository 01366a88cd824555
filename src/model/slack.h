/*
 * Windows step by step: which nodes may run next, without a search (highwater-model(7)).
 *
 * hw_window_allows() (windows.h) answers for any prefix from scratch; this
 * keeps what one growing prefix needs and answers in O(1).
 */
#ifndef HW_MODEL_SLACK_H
#define HW_MODEL_SLACK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hw_slack {
    uint32_t n;
    const uint32_t *earliest, *latest; /* the caller's, tightened along the edges */
    uint32_t step;                     /* nodes run */
    uint32_t tight;                    /* who may run next is due no later */
    uint32_t leaves;
    int32_t *sum, *low; /* by tree node: of free slots less due nodes */
} hw_slack;

/*
 * Before the first of n > 0 nodes; some order fits the windows.  O(n).  False:
 * out of memory.  A cleared struct may be freed.
 */
bool hw_slack_init(hw_slack *s, uint32_t n, const uint32_t *earliest, const uint32_t *latest);
void hw_slack_reset(hw_slack *s);
void hw_slack_free(hw_slack *s);

/*
 * May v, which has not run and whose predecessors have, run next, so that the
 * rest can still be completed?  O(1).
 */
static inline bool hw_slack_allows(const hw_slack *s, uint32_t v)
{
    return s->earliest[v] <= s->step && s->latest[v] <= s->tight;
}

/* Run v, which is allowed; take back the last step, which ran v.  O(log n). */
void hw_slack_run(hw_slack *s, uint32_t v);
void hw_slack_undo(hw_slack *s, uint32_t v);

#endif
