/* Orders of one graph over their steps, as data for the viewer of a page. */
#ifndef HW_REPORT_TIMELINE_H
#define HW_REPORT_TIMELINE_H

#include "core/json_out.h"
#include "model/log.h"

/* One order and what it is called. */
typedef struct hw_timeline_order {
    const char *label; /* "greedy", "optimum" */
    const hw_log *log;
} hw_timeline_order;

/*
 * Fields of an open object, all that a step needs: nodes and tensors by index
 * with id, name and size, and of each order its label, peak, peak_step, before
 * (live before step 0), order (node indices), usage and live (of each step),
 * workspace (where a node has any) and lives (tensor, birth, death, as
 * hw_lifetime).  Bytes are strings of digits, for scripts round numbers beyond
 * 2^53.  All orders are of the same model.  O(graph + lives).
 */
void hw_timeline_json(const hw_timeline_order *orders, size_t n, hw_json_out *j);

#endif
